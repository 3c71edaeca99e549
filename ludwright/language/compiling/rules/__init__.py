"""What effects are gathered in: actions, operations, events, phases, triggers, set-up, endings."""

"""A game played at the terminal: what a person is shown, and what a line means."""

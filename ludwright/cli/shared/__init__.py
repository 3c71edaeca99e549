"""What all commands share: getting a game, speaking, waiting."""

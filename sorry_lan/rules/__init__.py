"""The rules of the game, pure."""

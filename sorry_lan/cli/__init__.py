"""Arguments to wiring; one small module a command."""

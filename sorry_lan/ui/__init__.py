"""What people and programs read and type."""

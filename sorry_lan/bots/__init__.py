"""Computer players, pure integer arithmetic."""

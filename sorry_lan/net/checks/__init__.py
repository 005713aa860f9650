"""The doctor's checks: what this computer and its network say when they are asked. Nothing here changes anything."""

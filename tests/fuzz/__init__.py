"""Any bytes to every decoder: `python -m tests.fuzz`."""

"""Every small change of the product that no test notices: `python -m tests.mutation`."""

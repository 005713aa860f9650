"""What outlives the process: identity, journals, finished games. All of it blocks; app/ calls it from threads."""

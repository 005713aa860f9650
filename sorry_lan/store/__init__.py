"""Files: journal, identity, paths."""

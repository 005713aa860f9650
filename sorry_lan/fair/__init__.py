"""Nobody deals: commitments, shares, entries, records, pure."""

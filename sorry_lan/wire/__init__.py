"""Bytes and values: the wire, pure."""

"""The way back from a screen to whatever was there before it."""

from __future__ import annotations


class WentBack(Exception):  # noqa: N818 - says what is the case
    """Somebody left a screen by Esc before anything came of it."""

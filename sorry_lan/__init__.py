"""sorry-lan: the board game Sorry! between peers that need not trust each other."""

__version__ = "1.0.0"

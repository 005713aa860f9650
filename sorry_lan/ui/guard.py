"""Keeps what was typed ahead or pasted from playing anything: an act counts only after a moment of quiet (U42).

Acts are keys that play; what only highlights a choice harms nothing and is never held back. An act must come QUIET_S
after the question changed and after the last act that was held back, but is held back for AT_MOST_S at the longest;
and BURST_S after any other key: people are slower, pastes are not.
"""

from __future__ import annotations

from typing import Final

QUIET_S: Final = 0.25
BURST_S: Final = 0.02
AT_MOST_S: Final = 1.0
"""Whoever keeps pressing is heard in the end."""


class Guard:
    """When the question last changed and the last key came."""

    __slots__ = ("_before_s", "_last_s", "_latest_s", "_quiet_from_s")

    def __init__(self) -> None:
        self._quiet_from_s = 0.0
        self._latest_s = 0.0
        self._last_s = float("-inf")
        self._before_s = float("-inf")

    def changed(self, now_s: float) -> None:
        """Another question stands there now."""
        self._quiet_from_s = max(self._quiet_from_s, now_s + QUIET_S)
        self._latest_s = now_s + AT_MOST_S

    def key(self, now_s: float) -> None:
        """A key came."""
        self._before_s, self._last_s = self._last_s, now_s

    def hasty(self, now_s: float) -> bool:
        """Whether the key that just came followed another one faster than people type."""
        return now_s - self._before_s < BURST_S

    def lets(self, now_s: float) -> bool:
        """Whether the act that just came counts; if not, the next one must be quiet for longer."""
        if self.hasty(now_s):
            return False
        if now_s < self._quiet_from_s:
            self._quiet_from_s = min(now_s + QUIET_S, self._latest_s)
            return False
        return True

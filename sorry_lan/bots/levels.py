"""The names of the bot levels; imports nothing, because every command line is read with them."""

from __future__ import annotations

from typing import Final

LEVELS: Final = ("easy", "medium", "hard", "expert")
"""The levels that exist, weakest first; the place is the number in the table document."""

DEEP: Final = 3
"""Tables with a bot of this level or above think in a thread: the first move reads its tables in."""

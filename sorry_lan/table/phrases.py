"""The six phrases that may always be said, also where the table forbids free chat ([H-25]).

This is what goes over the wire; ui/texts_phrases.py shows them in the reader's language.
"""

from __future__ import annotations

from typing import Final

PHRASES: Final = ("Hello!", "Good luck!", "Well played!", "Oh no!", "One moment, please.", "Thank you, good game!")

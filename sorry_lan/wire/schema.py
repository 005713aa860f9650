"""The words in which message types state their fields: markers for `Annotated`, and aliases for the shapes that recur.

Holds no logic: `wire/codec.py` compiles the markers into checks, `protocol/messages.cddl` says the same without Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from sorry_lan.wire import limits


@dataclass(frozen=True, slots=True)
class Uint:
    """An unsigned integer from `low` to `high`, both included; `bool` is not one ([W-9])."""

    high: int
    low: int = 0


@dataclass(frozen=True, slots=True)
class Bin:
    """A byte string of `low` to `high` bytes."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Text:
    """Strict UTF-8 of `low` to `high` bytes."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Name:
    """A `Text` of 1..24 bytes without the control ranges of the byte rule for names ([W-11]); `low` 0 admits none."""

    low: int = 1


@dataclass(frozen=True, slots=True)
class Many:
    """An array of `low` to `high` elements."""

    low: int
    high: int


U8 = Annotated[int, Uint(0xFF)]
U16 = Annotated[int, Uint(0xFFFF)]
U32 = Annotated[int, Uint(0xFFFF_FFFF)]
Counter = Annotated[int, Uint(limits.UINT_MAX)]
B16 = Annotated[bytes, Bin(16, 16)]
B32 = Annotated[bytes, Bin(32, 32)]
B33 = Annotated[bytes, Bin(33, 33)]
Signature = Annotated[bytes, Bin(64, 64)]
SeatIndex = Annotated[int, Uint(3)]
SeatMask = Annotated[int, Uint(15)]
PlayerName = Annotated[str, Name()]

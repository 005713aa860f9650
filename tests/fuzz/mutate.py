"""Seeded mutations without any tool: the same number gives the same bytes on every Python."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

HEADS = bytes(
    (0x00, 0x7F, 0x80, 0x90, 0x94, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xCA, 0xCB, 0xCC,
     0xCD, 0xCE, 0xCF, 0xD0, 0xD3, 0xD4, 0xD9, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF, 0xE0, 0xFF)
)  # fmt: skip
"""First bytes of msgpack values, good and bad."""


class Mutator:
    """An endless supply of nearly good bytes."""

    def __init__(self, seeds: Sequence[bytes], seed: int) -> None:
        self._seeds = seeds
        self._roll = Random(seed).random

    def next(self) -> bytes:
        """A seed with one to four changes."""
        data = bytearray(self._seed())
        for _ in range(1 + int(self._roll() * 4)):
            self._change(data)
        return bytes(data)

    def _seed(self) -> bytes:
        return self._seeds[int(self._roll() * len(self._seeds))]

    def _change(self, data: bytearray) -> None:
        roll = self._roll
        at = int(roll() * (len(data) + 1))
        kind = int(roll() * 8)
        if kind == 0 or not data:
            data[at:at] = bytes((HEADS[int(roll() * len(HEADS))],))
        elif at == len(data):
            del data[int(roll() * at) :]
        elif kind == 1:
            data[at] ^= 1 << int(roll() * 8)
        elif kind == 2:
            data[at] = int(roll() * 256)
        elif kind == 3:
            data[at] = HEADS[int(roll() * len(HEADS))]
        elif kind == 4:
            del data[at : at + 1 + int(roll() * 4)]
        elif kind == 5:
            other = self._seed()
            start = int(roll() * (len(other) + 1))
            data[at:at] = other[start : start + int(roll() * 40)]
        elif kind == 6:
            data[at:at] = data[at : at + 1 + int(roll() * 20)]
        else:
            other = self._seed()
            data[at:] = other[int(roll() * (len(other) + 1)) :]

"""Notices about those who come to the table. Names are as their owners wrote them, not yet fit to be shown."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CallerWaits:
    """Somebody at `host` is connecting and has not got in yet; StrangerCalled or a seat tells how it ended."""

    host: str


@dataclass(frozen=True, slots=True)
class FirstMet:
    """Nobody by this name, and nobody with this key, has played with us before."""

    name: str
    colour: int


@dataclass(frozen=True, slots=True)
class KeyChanged:
    """Somebody by this name is known since a day ("2026-11-30"), but never with `key`, which they have now."""

    key: bytes
    name: str
    colour: int
    since: str


Encounter = CallerWaits | FirstMet | KeyChanged

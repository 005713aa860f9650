"""What a face makes of one line of input: text to show, happenings for the table, and whether the people are done."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from sorry_lan.table.events import Happening


@unique
class Stay(Enum):
    """Whether the client goes on after this line."""

    ON = "on"
    LEAVE = "leave"
    INTERRUPT = "interrupt"
    """Leave at once, as after an interrupt: exit code 130."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Lines to show, in order, and what to tell the table."""

    lines: tuple[str, ...] = ()
    happenings: tuple[Happening, ...] = ()
    stay: Stay = Stay.ON


def told(*lines: str) -> Answer:
    """An answer that only says something."""
    return Answer(lines)


def does(*happenings: Happening) -> Answer:
    """An answer that only does something."""
    return Answer((), happenings)

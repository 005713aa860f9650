"""What a table is told when it is made: who sits at this client, and what a host wants to play.

Values only; secrets are in here, so a Settings is never logged, shown or saved.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, unique

from sorry_lan.rules.profile import Rules
from sorry_lan.wire.keys import SecretKey
from sorry_lan.wire.terms import Option


@unique
class Role(Enum):
    """How this client comes to its table; after the start all are alike."""

    HOST = "host"
    JOINER = "joiner"
    LOCAL = "local"
    WATCHER = "watcher"
    """Has no seat and signs nothing."""


@unique
class Auto(Enum):
    """What a local seat does by itself."""

    NOTHING = "nothing"
    DRAW = "draw"
    ALL = "all"


@unique
class ReadyWhen(Enum):
    """When local people are ready."""

    ASKED = "asked"
    AT_ONCE = "at-once"


@unique
class Offers(Enum):
    """Who answers, and makes, an offer to go on without somebody."""

    PEOPLE = "people"
    AGREE = "agree"
    """Nobody sits here: every offer of others is answered with yes."""
    MAKE = "make"
    """As AGREE, and offers by itself."""


@unique
class Naming(Enum):
    """Whether the name was asked for, or may get a number behind it where somebody else has it."""

    GIVEN = "given"
    LOOSE = "loose"


@dataclass(frozen=True, slots=True)
class Person:
    """One person at this keyboard, a human seat; person 0's key is the link key; `auto_level` goes with Auto.ALL.

    `colour` is 0..3, or None for whatever is free; a colour or name that was asked for is kept or refused.
    """

    key: SecretKey = field(repr=False)
    root: bytes = field(repr=False)
    name: str
    colour: int | None
    age: int | None
    auto: Auto
    auto_level: int
    naming: Naming = Naming.GIVEN


@dataclass(frozen=True, slots=True)
class Settings:
    """A client's part in a table; `bots` are the levels of the bot seats, `seats` counts all seats of a table.

    `port` is where this client listens; it is remembered with its games. `guarded`: whether its door asks for the code.
    `spare` are the keys of this identity that nobody was named for, in order: where a game in play seats them, people
    who played there before came back with fewer names.
    """

    role: Role
    people: tuple[Person, ...]
    ready: ReadyWhen
    engine: bytes
    boot: int
    title: str
    rules: Rules
    options: Option
    seats: int
    bots: tuple[int, ...]
    port: int | None = None
    offers: Offers = Offers.PEOPLE
    guarded: bool = True
    spare: tuple[Person, ...] = ()

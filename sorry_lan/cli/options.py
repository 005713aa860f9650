"""Typed values out of a command line: people, rules, seats, ports, codes; each wrong one is one sentence (exit 2)."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum, unique
from functools import reduce
from operator import or_
from typing import Final, TypeVar

from sorry_lan.bots.levels import LEVELS
from sorry_lan.cli.arguments import Arguments, UsageError
from sorry_lan.net.where import BadAddress, near_code, parse_address, parse_where
from sorry_lan.rules.board import Colour
from sorry_lan.rules.profile import PROFILES, Rules, with_switch
from sorry_lan.store.folders import user_name
from sorry_lan.table.notices import Blocks, Finding, Slip
from sorry_lan.table.settings import Offers
from sorry_lan.ui import languages
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.own_words import fit_name
from sorry_lan.ui.taste import Bell, Confirm, Pace, Taste, Turned
from sorry_lan.ui.texts_finding import slip_text
from sorry_lan.ui.texts_misread import misread_text
from sorry_lan.wire.limits import DEFAULT_PORT, MAX_NAME, MAX_SEATS, MAX_TITLE, MIN_SEATS
from sorry_lan.wire.terms import Option

CODE_VARIABLE: Final = "SORRY_LAN_CODE"
"""A join code may come from the environment: a command line can be read by every user of the machine."""
_UNNAMED: Final = "Player"
_OLDEST: Final = 255
_LONGEST_DELAY_S: Final = 60.0
_LONGEST_LOOK_S: Final = 3600
_MOST_DIGITS: Final = 12
_Chosen = TypeVar("_Chosen", bound=Enum)


@unique
class Manner(Enum):
    """How the client speaks."""

    SCREEN = "screen"
    PLAIN = "plain"
    JSON = "json"


class NoScreen(Exception):  # noqa: N818 - a sentence for people
    """The terminal turned out to show no screen; the text says why."""


@unique
class Screen(Enum):
    """Whether there is a terminal that a whole screen can be shown on."""

    THERE = "there"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class PersonWish:
    """One person at this keyboard; `named` tells a name that was asked for from one that was made up."""

    name: str
    named: bool
    colour: int | None
    age: int | None


@dataclass(frozen=True, slots=True)
class Seating:
    """All seats of a table, and how many of them are bots."""

    seats: int
    bots: int
    level: int


def manner(arguments: Arguments) -> Manner:
    """Text or JSON: both can do without a terminal."""
    if arguments.has("--json") and arguments.has("--plain"):
        raise UsageError(_("--json and --plain exclude each other."))
    return Manner.JSON if arguments.has("--json") else Manner.PLAIN


def table_manner(arguments: Arguments, screen: Screen) -> Manner:
    """How a table is shown: on the whole screen, unless something else was asked for or there is none."""
    chosen = manner(arguments)
    asked = chosen is Manner.JSON or arguments.has("--plain")
    return chosen if asked or screen is Screen.NONE else Manner.SCREEN


def taste(arguments: Arguments, signs: Signs) -> Taste:
    """How the screen is to be; `signs` are those that the terminal can show."""
    pace = _choice("--speed", arguments.one("--speed"), Pace.NORMAL, (Pace.SLOW, Pace.NORMAL, Pace.FAST))
    return Taste(
        signs=Signs.ASCII if arguments.has("--ascii") else signs,
        confirm=_choice("--confirm", arguments.one("--confirm"), Confirm.RISKY, tuple(Confirm)),
        pace=Pace.NONE if arguments.has("--no-animation") else pace,
        bell=Bell.OFF if arguments.has("--no-bell") else Bell.ON,
        board=Turned.OWN_BELOW if arguments.has("--turn-board") else Turned.AS_PRINTED,
    )


def language(arguments: Arguments) -> None:
    """Check --language; it was chosen before the rest of the command line was read."""
    given = arguments.one("--language")
    known = languages.languages()
    if given is not None and given.lower() not in known:
        raise UsageError(
            _("--language is one of {known}, not {text}.").format(known=", ".join(known), text=ascii(given[:40]))
        )


def people(arguments: Arguments, environment: Mapping[str, str]) -> tuple[PersonWish, ...]:
    """Who sits at this keyboard: one person for each --name, at least one."""
    names = [_name(text) for text in arguments.all("--name")]
    colours = [_colour(text) for text in arguments.all("--colour")]
    ages = [number("--age", text, 0, _OLDEST) for text in arguments.all("--age")]
    count = max(1, len(names))
    for flag, given in (("--colour", len(colours)), ("--age", len(ages))):
        if given > count:
            raise UsageError(
                _("{flag} is given {n} times, but there are {people} people here.").format(
                    flag=flag, n=given, people=count
                )
            )
    if count > MAX_SEATS:
        raise UsageError(_("A table has at most {n} seats.").format(n=MAX_SEATS))
    if len(set(names)) < len(names) or len(set(colours)) < len(colours):
        raise UsageError(_("Everybody here needs a name and a colour of their own."))
    wishes = []
    for i in range(count):
        name = names[i] if names else fit_name(user_name(environment)) or _UNNAMED
        colour = colours[i] if i < len(colours) else None
        age = ages[i] if i < len(ages) else None
        wishes.append(PersonWish(name, bool(names), colour, age))
    return tuple(wishes)


def rules(arguments: Arguments) -> Rules:
    """--rules and every --rule."""
    name = (arguments.one("--rules") or "standard").lower()
    if name not in PROFILES:
        raise UsageError(
            _("There is no profile {name}; there are {known}.{hint}").format(
                name=ascii(name[:40]), known=", ".join(PROFILES), hint=_near(name, PROFILES)
            )
        )
    found = PROFILES[name]
    for setting in arguments.all("--rule"):
        try:
            found = with_switch(found, setting)
        except ValueError as wrong:
            switch = setting.partition("=")[0].strip()
            known = switch in Rules.__slots__
            raise UsageError(f"{misread_text(wrong)}{'' if known else _near(switch, Rules.__slots__)}") from wrong
    return found


def host_seating(arguments: Arguments, persons: int, by_itself: Collection[str]) -> Seating:
    """Of a table that others join: 4 seats where people can close some, else one more than are taken."""
    bots, level = _bots(arguments, 0)
    nobody = any(arguments.has(flag) for flag in by_itself)
    given = arguments.one("--seats")
    if given is not None:
        seats = number("--seats", given, MIN_SEATS, MAX_SEATS)
    else:
        seats = min(MAX_SEATS, persons + bots + 1) if nobody else MAX_SEATS
    if persons + bots > seats:
        raise UsageError(_too_many(persons, bots, seats))
    return Seating(seats, bots, level)


def play_seating(arguments: Arguments, persons: int) -> Seating:
    """Of a table on this computer alone: one person meets three bots, several people only each other."""
    given = arguments.one("--seats")
    seats = None if given is None else number("--seats", given, MIN_SEATS, MAX_SEATS)
    usual = MAX_SEATS - persons if persons == 1 else 0
    bots, level = _bots(arguments, usual if seats is None else max(0, seats - persons))
    if persons + bots > MAX_SEATS or (seats is not None and persons + bots != seats):
        raise UsageError(_too_many(persons, bots, MAX_SEATS if seats is None else seats))
    if persons + bots < MIN_SEATS:
        raise UsageError(_("A game needs two players: add --bots 1 or another --name."))
    return Seating(persons + bots, bots, level)


def forbidden(arguments: Arguments) -> Option:
    """What the table of a host forbids."""
    flags = (
        ("--no-hints", Option.NO_HINTS),
        ("--no-watchers", Option.NO_WATCHERS),
        ("--phrases-only", Option.NO_FREE_CHAT),
    )
    return reduce(or_, (option for flag, option in flags if arguments.has(flag)), Option.NONE)


def watches(arguments: Arguments) -> bool:
    """--watch; UsageError beside what only somebody with a seat can use."""
    if not arguments.has("--watch"):
        return False
    for flag in ("--port", "--on-away", "--bot-program"):
        if arguments.has(flag):
            raise UsageError(_("{flag} is for players; leave it away with --watch.").format(flag=flag))
    return True


def title(arguments: Arguments, host: str) -> str:
    """--table, or the host's own."""
    given = arguments.one("--table")
    text = _("{name}'s table").format(name=host) if given is None else given.strip()
    if not text or not _encodable(text) or len(text.encode()) > MAX_TITLE or not text.isprintable():
        raise UsageError(_("--table takes a title of 1 to {n} bytes of visible signs.").format(n=MAX_TITLE))
    return text


def port(arguments: Arguments) -> int | None:
    """--port; 0 is any free one."""
    return None if arguments.one("--port") is None else number("--port", arguments.one("--port"), 0, 65_535)


def code(arguments: Arguments, environment: Mapping[str, str]) -> str | None:
    """The join code of --code or of the environment, as word-word-word."""
    given = arguments.one("--code")
    if arguments.has("--open"):
        if given is not None:
            raise UsageError(_("--open means that there is no code; leave --code away."))
        return None
    text = given if given is not None else environment.get(CODE_VARIABLE)
    return None if text is None else parse_code(text)


def parse_code(text: str) -> str:
    """Three words of the list, with any signs between them; UsageError with the nearest code."""
    try:
        found = parse_where(text, DEFAULT_PORT)
    except BadAddress:
        found = None
    if found is not None and found.code is not None and found.address is None:
        return found.code
    near = near_code(text)
    raise UsageError(slip_text(Slip.WORD_UNKNOWN if near else Slip.WORDS_COUNT, text, near))


def players(arguments: Arguments) -> int:
    """--players of the demo."""
    given = arguments.one("--players")
    return MAX_SEATS if given is None else number("--players", given, MIN_SEATS, MAX_SEATS)


def demo_bots(arguments: Arguments, playing: int) -> int:
    """--bots of the demo, beside the peers."""
    bots, _level = _bots(arguments, 0)
    if playing + bots > MAX_SEATS:
        raise UsageError(_too_many(playing, bots, MAX_SEATS))
    return bots


def delay_s(arguments: Arguments) -> float:
    """--delay in seconds."""
    text = arguments.one("--delay") or "0"
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds <= _LONGEST_DELAY_S:
        raise UsageError(_("--delay takes seconds from 0 to 60, not {text}.").format(text=ascii(text[:40])))
    return seconds


def seconds(flag: str, text: str) -> float:
    """A time to look for something, in seconds."""
    return float(number(flag, text, 1, _LONGEST_LOOK_S))


def finding(arguments: Arguments) -> Finding:
    """Whether a hosted table is announced."""
    return Finding.SILENT if arguments.has("--no-discovery") else Finding.ANNOUNCED


def advertised(arguments: Arguments) -> str | None:
    """--advertise, once it is known to be an address."""
    given = arguments.one("--advertise")
    if given is None:
        return None
    try:
        parse_address(given, DEFAULT_PORT)
    except BadAddress as wrong:
        raise UsageError(slip_text(wrong.slip, given, wrong.near)) from wrong
    return given


def picture(arguments: Arguments, signs: Signs) -> Blocks | None:
    """--qr, in signs that can be shown."""
    if not arguments.has("--qr"):
        return None
    return Blocks.ASCII if arguments.has("--ascii") or signs is Signs.ASCII else Blocks.HALF


def on_away(arguments: Arguments, manner_now: Manner) -> Offers:
    """Who answers offers to go on without somebody: the person here, or nobody."""
    wanted = arguments.one("--on-away")
    if wanted not in (None, "wait", "continue"):
        raise UsageError(_("--on-away takes wait or continue, not {text}.").format(text=ascii(str(wanted)[:40])))
    by_itself = arguments.has("--auto") or arguments.has("--bot-program")
    if not by_itself and manner_now is not Manner.JSON:
        return Offers.PEOPLE
    return Offers.MAKE if wanted == "continue" else Offers.AGREE


def auto_level(arguments: Arguments) -> int | None:
    """The level that plays the local seats, or None where people do."""
    given = arguments.one("--auto")
    return None if given is None else _level(given or LEVELS[0])


def _choice(flag: str, given: str | None, usual: _Chosen, known: tuple[_Chosen, ...]) -> _Chosen:
    """The one of `known` that is called so."""
    if given is None:
        return usual
    by_name = {str(each.value): each for each in known}
    if given.lower() not in by_name:
        raise UsageError(
            _("{flag} takes one of {known}, not {text}.{hint}").format(
                flag=flag, known=", ".join(by_name), text=ascii(given[:40]), hint=_near(given.lower(), by_name)
            )
        )
    return by_name[given.lower()]


def _name(text: str) -> str:
    name = fit_name(text)
    if name is None:
        raise UsageError(_("--name takes 1 to {n} bytes of visible signs.").format(n=MAX_NAME))
    return name


def _colour(text: str) -> int:
    labels = [colour.label for colour in Colour]
    if text.lower() not in labels:
        raise UsageError(
            _("--colour is one of {colours}, not {text}.{hint}").format(
                colours=", ".join(labels), text=ascii(text[:40]), hint=_near(text.lower(), labels)
            )
        )
    return labels.index(text.lower())


def _bots(arguments: Arguments, usual: int) -> tuple[int, int]:
    text = arguments.one("--bots")
    if text is None:
        return usual, 0
    count, colon, level = text.partition(":")
    return number("--bots", count, 0, MAX_SEATS - 1), _level(level) if colon else 0


def _level(text: str) -> int:
    if text.lower() not in LEVELS:
        raise UsageError(
            _("The level of a bot is one of {levels}, not {text}.").format(
                levels=", ".join(LEVELS), text=ascii(text[:40])
            )
        )
    return LEVELS.index(text.lower())


def number(flag: str, text: str | None, low: int, high: int) -> int:
    """A number of at most twelve digits behind a flag; UsageError with the range it has to be in."""
    digits = text is not None and text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    if text is None or not digits or not low <= int(text) <= high:
        raise UsageError(
            _("{flag} takes a number from {low} to {high}, not {text}.").format(
                flag=flag, low=low, high=high, text=ascii((text or "")[:40])
            )
        )
    return int(text)


def _too_many(persons: int, bots: int, seats: int) -> str:
    return _("{people} people and {bots} bots do not make a table of {seats} seats.").format(
        people=persons, bots=bots, seats=seats
    )


def _near(word: str, known: Collection[str]) -> str:
    found = get_close_matches(word, known, n=1, cutoff=0.6)
    return _(" Did you mean {near}?").format(near=found[0]) if found else ""


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True

"""Every command and flag of the program, as data, and the one parser that reads a command line by it.

Values stay text here; options.py makes typed values of them. Help pages come from the same tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum, unique
from typing import Final

from sorry_lan.bots.levels import LEVELS
from sorry_lan.ui.catalogue import _


class UsageError(Exception):
    """The command line cannot be understood; the text is one sentence for people (exit code 2)."""


@unique
class Takes(Enum):
    """What follows a flag."""

    NOTHING = "nothing"
    VALUE = "value"
    VALUES = "values"
    LEVEL = "level"
    """A bot level, or nothing."""


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag: its name with dashes, what follows it, the placeholder of that, and its line of help."""

    name: str
    takes: Takes
    placeholder: str
    about: str


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its operand's placeholder (in brackets where it may be missing), help, and own flags."""

    name: str
    operand: str
    about: str
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Arguments:
    """A command line taken apart: values by flag name, in the order given; a flag without value has the value ""."""

    command: str
    operand: str | None
    values: Mapping[str, tuple[str, ...]]
    undone: frozenset[str] = frozenset()
    """Flags of taste that are not to hold, whatever settings say (--bell=no)."""

    def has(self, flag: str) -> bool:
        """Whether the flag was given."""
        return flag in self.values

    def one(self, flag: str) -> str | None:
        """The value of a flag that may be given once."""
        return self.values[flag][0] if flag in self.values else None

    def all(self, flag: str) -> tuple[str, ...]:
        """Every value of a flag that may be repeated."""
        return self.values.get(flag, ())


FLAGS: Final[Mapping[str, Flag]] = {
    flag.name: flag
    for flag in (
        Flag("--table", Takes.VALUE, "TITLE", "what the table is called"),
        Flag("--rules", Takes.VALUE, "PROFILE", "standard, classic or 2013 (sorry-lan rules shows what differs)"),
        Flag("--rule", Takes.VALUES, "SWITCH=VALUE", "change one rule; may be repeated"),
        Flag("--seats", Takes.VALUE, "N", "all seats of the table, 2 to 4"),
        Flag("--bots", Takes.VALUE, "N[:LEVEL]", "how many of them are bots (easy, medium, hard or expert)"),
        Flag("--port", Takes.VALUE, "P", "the port to listen on (7777, or a free one where that is taken)"),
        Flag("--no-discovery", Takes.NOTHING, "", "do not announce the table; others need its address"),
        Flag("--advertise", Takes.VALUE, "ADDRESS", "the address to tell others, instead of those found"),
        Flag("--qr", Takes.NOTHING, "", "show the line that others type as a QR code, too"),
        Flag("--seconds", Takes.VALUE, "N", "how long to look for tables (2)"),
        Flag("--open", Takes.NOTHING, "", "no join code (whoever reaches the port of the host may sit down)"),
        Flag("--code", Takes.VALUE, "WORDS", "the three words of the join code, as in maple-otter-tulip"),
        Flag("--no-hints", Takes.NOTHING, "", "nobody may ask the computer for a hint at this table"),
        Flag("--no-watchers", Takes.NOTHING, "", "nobody may watch at this table"),
        Flag("--watch", Takes.NOTHING, "", "only watch: no seat, whenever you come, even when the game has begun"),
        Flag("--phrases-only", Takes.NOTHING, "", "no free chat at this table, only the six quick phrases"),
        Flag("--new", Takes.NOTHING, "", "a new table, though a game of yours was interrupted"),
        Flag("--yes", Takes.NOTHING, "", "be ready at once and answer no questions"),
        Flag("--name", Takes.VALUES, "NAME", "your name; repeated: one person at this keyboard each"),
        Flag("--colour", Takes.VALUES, "COLOUR", "red, blue, yellow or green; repeated: in the order of the names"),
        Flag("--age", Takes.VALUES, "AGE", "your age, to let the youngest begin; repeated: in the order of the names"),
        Flag("--auto", Takes.LEVEL, "[LEVEL]", "let the computer play your seat (easy, medium, hard or expert)"),
        Flag("--bot-program", Takes.VALUE, "CMD", "let a program play your seat (docs/json.md says what it reads)"),
        Flag("--auto-draw", Takes.NOTHING, "", "turn your cards over without waiting for Enter"),
        Flag("--on-away", Takes.VALUE, "WHAT", "where no person plays, when somebody stays away: wait, or continue"),
        Flag("--identity", Takes.VALUE, "DIR", "the folder of your key and games"),
        Flag("--players", Takes.VALUE, "N", "how many peers play, 2 to 4 (4)"),
        Flag("--games", Takes.VALUE, "N", "how many games, rounded up to whole deals (1000)"),
        Flag("--colours", Takes.VALUE, "COLOURS", "the colours in play, as in red,yellow"),
        Flag("--confidence", Takes.VALUE, "PERCENT", "how sure the intervals are to be: 95 or 99 (95)"),
        Flag("--seed", Takes.VALUE, "N", "the number that all cards follow from (by itself a new one)"),
        Flag("--jobs", Takes.VALUE, "N", "how many processes play (by itself one a core)"),
        Flag("--delay", Takes.VALUE, "SECONDS", "wait this long after each turn, for people who watch"),
        Flag("--report", Takes.VALUE, "FILE", "also write what the doctor found to a file, without secrets"),
        Flag("--stats", Takes.NOTHING, "", "what all kept games come to: games, wins, bumps, cards"),
        Flag("--plain", Takes.NOTHING, "", "text mode, line by line (by itself where there is no terminal)"),
        Flag("--bell", Takes.NOTHING, "", "ring in text mode, too, when it is your turn"),
        Flag("--json", Takes.NOTHING, "", "one JSON object a line, for programs"),
        Flag("--ascii", Takes.NOTHING, "", "nothing but ASCII on the screen"),
        Flag("--no-color", Takes.NOTHING, "", "no colours"),
        Flag("--no-bell", Takes.NOTHING, "", "do not ring on your turn"),
        Flag("--no-animation", Takes.NOTHING, "", "show moves at once"),
        Flag("--speed", Takes.VALUE, "PACE", "how fast moves are shown: slow, normal or fast"),
        Flag("--turn-board", Takes.NOTHING, "", "your own side of the board at the bottom"),
        Flag("--confirm", Takes.VALUE, "WHEN", "ask once more before a move: always, risky or never"),
        Flag("--language", Takes.VALUE, "LANGUAGE", "en or de (by itself that of the environment)"),
        Flag("--debug", Takes.NOTHING, "", "show the whole trace of an error"),
        Flag("--log", Takes.VALUE, "FILE", "write a log without secrets"),
        Flag("--help", Takes.NOTHING, "", "show this help"),
        Flag("--version", Takes.NOTHING, "", "show the version"),
    )
}

ALIASES: Final[Mapping[str, str]] = {"-h": "--help", "-V": "--version", "--color": "--colour"}

GLOBAL: Final = ("--plain", "--json", "--ascii", "--no-color", "--language", "--debug", "--log", "--help", "--version")
_TABLE: Final = ("--table", "--rules", "--rule", "--seats", "--bots", "--no-hints", "--phrases-only")
_HOST: Final = ("--port", "--open", "--code", "--no-watchers", "--no-discovery", "--advertise", "--qr")
_SCREEN: Final = ("--bell", "--no-bell", "--no-animation", "--speed", "--turn-board", "--confirm")
_FILM: Final = ("--no-animation", "--speed", "--turn-board")
_PLAYER: Final = (
    *("--name", "--colour", "--age", "--auto", "--bot-program", "--auto-draw", "--on-away", "--identity", "--yes"),
    *_SCREEN,
)

_SEVERAL: Final = ("[WHERE]", "BOT...")
"""The operands that may be several words: a code is read out as three, and a match has a bot for each seat."""

TASTE: Final = (
    *("--name", "--colour", "--age", "--language", "--plain", "--ascii", "--no-color"),
    *("--bell", "--no-bell", "--no-animation", "--speed", "--turn-board", "--confirm", "--auto-draw"),
)
"""What may also stand in the file of settings and in the environment (config.py)."""

COMMANDS: Final[Mapping[str, Command]] = {
    command.name: command
    for command in (
        Command("host", "", "open a table and take a seat", (*_TABLE, *_HOST, "--new", *_PLAYER)),
        Command("list", "", "list the tables in this network", ("--seconds",)),
        Command(
            "join",
            "[WHERE]",
            "sit down at a table, or watch it: the one you choose, an address, or a code",
            ("--code", "--open", "--watch", "--port", *_PLAYER),
        ),
        Command("play", "", "play on this computer alone: people at one keyboard, and bots", (*_TABLE, *_PLAYER)),
        Command(
            "demo",
            "",
            "watch peers play a whole game on this computer and check it",
            ("--players", "--bots", "--rules", "--rule", "--delay"),
        ),
        Command(
            "resume",
            "[GAME]",
            "go on with a saved game (sorry-lan games lists them)",
            ("--port", "--auto", "--bot-program", "--auto-draw", "--on-away", "--identity", *_SCREEN),
        ),
        Command("games", "", "list your saved games and whether they can go on", ("--stats", "--identity")),
        Command("verify", "FILE", "check a finished game from its file alone", ()),
        Command("replay", "FILE", "watch a kept game again, step by step", _FILM),
        Command("doctor", "[PEER]", "say what keeps two computers apart, and what helps", ("--port", "--report")),
        Command(
            "arena",
            "BOT...",
            "let bots play each other many times (random, or a level)",
            ("--games", "--rules", "--rule", "--colours", "--confidence", "--seed", "--jobs"),
        ),
        Command("moves", "", "answer positions (JSON lines) with their legal moves", ()),
        Command("rules", "[PROFILE]", "what the rules are, and what differs between the profiles", ()),
        Command("config", "", "show your settings, and where each comes from", ()),
        Command("completion", "SHELL", "print what makes Tab complete commands and flags in bash, zsh or fish", ()),
        Command("man", "", "print the manual page", ()),
    )
}


def parse(words: list[str]) -> Arguments:
    """Take a command line apart; UsageError with one sentence, and the nearest spelling where there is one."""
    command: Command | None = None
    operand: str | None = None
    given: dict[str, list[str]] = {}
    undone: dict[str, list[str]] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if (off := _undone(word)) is not None:
            undone.setdefault(off, []).append("")
        elif word.startswith("-") and len(word) > 1:
            flag, value = _flag(word, rest)
            given.setdefault(flag.name, []).append(value)
        elif command is None:
            command = _command(word)
        elif operand is None and command.operand:
            operand = word
        elif command.operand in _SEVERAL:
            operand = f"{operand} {word}"
        else:
            raise UsageError(
                _("{word} is one word too many for {command}.").format(word=_q(word), command=command.name)
            )
    _check(command, given)
    _check(command, undone)
    for twice in given.keys() & undone.keys():
        raise UsageError(_("{flag} is given twice.").format(flag=twice))
    name = command.name if command else ""
    return Arguments(name, operand, {flag: tuple(values) for flag, values in given.items()}, frozenset(undone))


def _undone(word: str) -> str | None:
    """The flag that `--FLAG=no` takes back, if the word is such."""
    name, _equals, value = word.partition("=")
    return name if value == "no" and name in TASTE and FLAGS[name].takes is Takes.NOTHING else None


def _command(word: str) -> Command:
    if word not in COMMANDS:
        raise UsageError(
            _("There is no command {word}.{hint} See: sorry-lan --help").format(
                word=_q(word), hint=_hint(word, COMMANDS)
            )
        )
    return COMMANDS[word]


def _flag(word: str, rest: list[str]) -> tuple[Flag, str]:
    """The flag of a word and its value, taken from behind "=" or from the words that follow."""
    name, equals, value = word.partition("=")
    name = ALIASES.get(name, name)
    if name not in FLAGS:
        raise UsageError(_("There is no flag {word}.{hint}").format(word=_q(name), hint=_hint(name, FLAGS)))
    flag = FLAGS[name]
    match flag.takes:
        case Takes.NOTHING:
            if equals:
                raise UsageError(_("{flag} takes no value.").format(flag=name))
            return flag, ""
        case Takes.LEVEL:
            if not equals and rest and rest[0] in LEVELS:
                value = rest.pop(0)
            return flag, value
        case Takes.VALUE | Takes.VALUES:
            if not equals:
                if not rest or rest[0] in FLAGS:
                    raise UsageError(_("{flag} needs {value} behind it.").format(flag=name, value=_(flag.placeholder)))
                value = rest.pop(0)
            if not value and flag.takes is Takes.VALUE:
                # An empty folder or file would mean wherever we happen to be.
                raise UsageError(_("{flag} needs {value} behind it.").format(flag=name, value=_(flag.placeholder)))
            return flag, value


def _check(command: Command | None, given: Mapping[str, list[str]]) -> None:
    """Raise UsageError for a flag of another command, or one given twice."""
    allowed = (*command.flags, *GLOBAL) if command else GLOBAL
    for name, values in given.items():
        if name not in allowed:
            where = ", ".join(c.name for c in COMMANDS.values() if name in c.flags)
            raise UsageError(
                _("{flag} does not belong to {command}; it goes with {where}.").format(
                    flag=name, command=command.name if command else "sorry-lan", where=where
                )
            )
        if len(values) > 1 and FLAGS[name].takes is not Takes.VALUES:
            raise UsageError(_("{flag} is given twice.").format(flag=name))


def _hint(word: str, known: Mapping[str, object]) -> str:
    bare = {name.lstrip("-"): name for name in known}  # common dashes would make all flags look alike
    near = get_close_matches(word.lstrip("-").lower(), bare, n=1, cutoff=0.6)
    return _(" Did you mean {near}?").format(near=bare[near[0]]) if near else ""


def _q(word: str) -> str:
    """A word of the command line as an error may show it."""
    return ascii(word if len(word) <= 40 else word[:37] + "...")

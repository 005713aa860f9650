"""`sorry-lan moves`: legal moves for positions that arrive as JSON lines, one JSON line of answer each.

The keys of both are described in docs/rules.md.
A line that cannot be answered gets {"error": sentence} and the next one is read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO, Final, NoReturn, TextIO

from sorry_lan.cli.arguments import UsageError
from sorry_lan.rules.board import Colour, loc_name, parse_colour, parse_loc
from sorry_lan.rules.cards import Card, parse_card
from sorry_lan.rules.engine import Merged, Use, draws_again, may_decline, merged
from sorry_lan.rules.moves import to_text
from sorry_lan.rules.position import Position, problems
from sorry_lan.rules.profile import PROFILES, Rules, with_switch
from sorry_lan.rules.reasons import Reason, reasons
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.texts_reasons import reason_text

LINE_BYTES: Final = 1 << 20
"""A longer line is refused unread: a question takes some hundred bytes."""

USAGE: Final = """\
usage: sorry-lan moves < positions.jsonl

Reads one JSON object a line (profile, rules_override, players, turn, positions, card)
and writes one JSON line for each: legal, forfeit, pass_allowed, draws_again, not_possible - or error.
"""

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


@dataclass(frozen=True, slots=True)
class Question:
    """One line understood: the position, the card, the rules, and the colours in the order the line named them."""

    position: Position
    rules: Rules
    card: Card
    players: tuple[Colour, ...]


def run(argv: list[str], stdin: TextIO | BinaryIO, stdout: TextIO) -> int:
    """Answer every line of `stdin` until it ends; 0, or 2 for words on the command line that it does not know."""
    if argv in (["-h"], ["--help"]):
        stdout.write(USAGE)
        return 0
    if argv:
        sys.stderr.write(USAGE)
        return 2
    for line in _lines(stdin):
        if isinstance(line, bytes) and not line.strip():
            continue
        stdout.write(json.dumps(_answer_or_error(line)) + "\n")
        stdout.flush()
    return 0


def _lines(stdin: TextIO | BinaryIO) -> Iterator[bytes | None]:
    """The lines as bytes; None for one that is too long, whose rest is skipped."""
    source = getattr(stdin, "buffer", stdin)
    while chunk := _read(source, LINE_BYTES + 1):
        line = chunk.encode("utf-8", "surrogatepass") if isinstance(chunk, str) else bytes(chunk)
        if len(chunk) <= LINE_BYTES:
            yield line
            continue
        while chunk and chunk[-1:] not in ("\n", b"\n"):
            chunk = _read(source, LINE_BYTES)
        yield None


def _read(source: TextIO | BinaryIO, most: int) -> str | bytes:
    """A line or its first `most` signs, nothing at the end; UsageError for a source that is none, such as a folder."""
    try:
        return source.readline(most)
    except OSError as wrong:
        raise UsageError(_("Standard input cannot be read ({why}).").format(why=wrong.strerror)) from wrong


def _answer_or_error(line: bytes | None) -> dict[str, Json]:
    try:
        if line is None:
            _refuse(f"The line is longer than {LINE_BYTES} bytes.")
        return answer(read_question(parse(line)))
    except ValueError as error:
        return {"error": str(error)}


def parse(line: bytes) -> Json:
    """The JSON value of a line; ValueError with a sentence for anything that is not strict JSON in UTF-8."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError("The line is not valid UTF-8.") from error
    try:
        value: Json = json.loads(text, object_pairs_hook=_object, parse_int=_int, parse_constant=_no_constant)
    except RecursionError as error:
        raise ValueError("The line nests too deeply.") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"The line is not JSON: {error.msg} at character {error.pos + 1}.") from error
    return value


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        _refuse("The line gives one key twice in an object.")
    return found


def _int(digits: str) -> int:
    if len(digits) > 18:
        _refuse("The line holds a number of more than 18 digits.")
    return int(digits)


def _no_constant(name: str) -> NoReturn:
    _refuse(f"The line is not JSON: {name} is no number.")


def read_question(value: Json) -> Question:
    """The question of a JSON value; ValueError with a sentence that names what is wrong. Other keys are ignored."""
    if not isinstance(value, dict):
        _refuse("The line is not a JSON object.")
    rules = _rules(value)
    players = tuple(parse_colour(name) for name in _texts(_get(value, "players"), "players"))
    if len(set(players)) < len(players) or not 2 <= len(players) <= 4:
        _refuse("players are 2 to 4 different colours.")
    colours = tuple(sorted(players))
    turn = parse_colour(_text(_get(value, "turn"), "turn"))
    if turn not in colours:
        _refuse(f"It cannot be the turn of {turn.label}, who does not play.")
    pawns = _pawns(_get(value, "positions"), colours)
    card = parse_card(_text(_get(value, "card"), "card"))
    position = Position(colours, pawns, colours.index(turn))
    found = problems(position, rules)
    if found:
        _refuse(found[0])
    return Question(position, rules, card, players)


def answer(question: Question) -> dict[str, Json]:
    """The answer to a question, as docs/rules.md describes it; lists are in canonical order."""
    position, rules, card = question.position, question.rules, question.card
    results = merged(position, rules, card)
    use = Use.MOVED if results else Use.NOTHING
    return {
        "legal": [_result(question, each) for each in results],
        "forfeit": not results,
        "pass_allowed": may_decline(position, rules, card),
        "draws_again": draws_again(rules, card, use),
        "not_possible": [_not_possible(question, why) for why in reasons(position, rules, card)],
    }


def _result(question: Question, each: Merged) -> dict[str, Json]:
    position, after = question.position, each.result
    rows = dict(zip(after.colours, after.pawns, strict=True))
    return {
        "result": {colour.label: [loc_name(loc) for loc in rows[colour]] for colour in question.players},
        "moves": [to_text(move, position, question.card) for move in each.moves],
        "winner": None if after.winner is None else after.colours[after.winner].label,
    }


def _not_possible(question: Question, why: Reason) -> dict[str, Json]:
    position = question.position
    return {
        "pawn": f"{position.colours[position.turn].letter}{why.pawn}",
        "code": why.code.value,
        "values": list(why.values),
        "reason": reason_text(why, position, question.rules, question.card),
    }


def _rules(value: Mapping[str, Json]) -> Rules:
    name = _text(value.get("profile", "standard"), "profile")
    if name not in PROFILES:
        _refuse(f"{_shown(name)} is no profile; the profiles are {', '.join(PROFILES)}.")
    rules = PROFILES[name]
    override = value.get("rules_override", {})
    if not isinstance(override, dict):
        _refuse("rules_override is not an object of switches and values.")
    for switch, setting in override.items():
        rules = with_switch(rules, f"{switch}={_setting(setting)}")
    return rules


def _setting(value: Json) -> str:
    """A switch's JSON value as the text that with_switch reads; start_cards may be a list of card names."""
    if isinstance(value, list):
        return ",".join(_texts(value, "start_cards"))
    if not isinstance(value, bool | int | str):
        _refuse("The value of a switch is a name, a number, true, false or a list of cards.")
    return str(value).lower()


def _pawns(value: Json, colours: tuple[Colour, ...]) -> tuple[tuple[int, ...], ...]:
    if not isinstance(value, dict):
        _refuse("positions is not an object of colours and places.")
    names = {colour.label for colour in colours}
    if set(value) != names:
        _refuse("positions must name exactly the players.")
    return tuple(
        tuple(parse_loc(name) for name in _texts(value[colour.label], f"positions of {colour.label}"))
        for colour in colours
    )


def _get(value: Mapping[str, Json], key: str) -> Json:
    if key not in value:
        _refuse(f"The line has no {key}.")
    return value[key]


def _text(value: Json, what: str) -> str:
    if not isinstance(value, str):
        _refuse(f"{what} is not a string.")
    return value


def _texts(value: Json, what: str) -> list[str]:
    if not isinstance(value, list):
        _refuse(f"{what} is not a list.")
    return [_text(each, f"an entry of {what}") for each in value]


def _shown(text: str) -> str:
    return ascii(text if len(text) <= 40 else text[:37] + "...")


def _refuse(sentence: str) -> NoReturn:
    raise ValueError(sentence)

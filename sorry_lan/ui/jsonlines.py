"""The client for programs without its pipes: pictures and news in, JSON objects out, one a line (docs/json.md).

Every object has "v" and "type". Input is read in json_input.py. Peers' words are made visible here as everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import ceil
from typing import Final, assert_never

from sorry_lan import __version__
from sorry_lan.faults import Err
from sorry_lan.rules.board import loc_name
from sorry_lan.rules.cards import CARDS, Card, card_label
from sorry_lan.rules.moves import to_text
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import SWITCHES, Rules, profile_name, switch_text
from sorry_lan.rules.reasons import reasons
from sorry_lan.table.encounters import CallerWaits, FirstMet, KeyChanged
from sorry_lan.table.news import (
    BecameReady,
    CardDrawn,
    Confirmed,
    DiskState,
    EnginesDiffer,
    FaultProven,
    GameStarted,
    LobbyChanged,
    LotCast,
    News,
    Played,
    PresenceChanged,
    Refused,
    RematchOpened,
    Said,
    SatDown,
    StoodUp,
    TableClosed,
    Won,
)
from sorry_lan.table.notices import (
    CodeChanged,
    Connecting,
    FileNotSaved,
    FileSaved,
    Invitation,
    JoinProblem,
    JournalSetAside,
    NoTable,
    Notice,
    PlayersNotKept,
    PortTaken,
    Searching,
    StartProblem,
    Stopped,
    StrangerCalled,
    TableOpened,
)
from sorry_lan.table.view import (
    GameView,
    LobbySeatView,
    LobbyView,
    Phase,
    Prompt,
    SeatView,
    View,
)
from sorry_lan.ui.json_going_on import going_on_fields
from sorry_lan.ui.json_people import encounter_fields
from sorry_lan.ui.json_values import Json, Object
from sorry_lan.ui.json_watching import watching_fields
from sorry_lan.ui.shown import CHAT_CELLS, NAME_CELLS, TITLE_CELLS, shown
from sorry_lan.ui.texts_finding import join_commands
from sorry_lan.ui.texts_moves import choice_text
from sorry_lan.ui.texts_news import news_lines
from sorry_lan.ui.texts_notices import notice_lines
from sorry_lan.ui.texts_prompts import prompt_lines
from sorry_lan.ui.texts_reasons import reason_text
from sorry_lan.wire.messages import LobbyKind
from sorry_lan.wire.terms import Option, SeatKind

VERSION: Final = 1
"""Changes only when a field loses its meaning; new fields and types may come at any time."""

_COLOURS: Final = ("red", "blue", "yellow", "green")
_FORBIDDEN: Final = {
    Option.NO_HINTS: "hints",
    Option.NO_WATCHERS: "watchers",
    Option.NO_FREE_CHAT: "free_chat",
}
_PATH_CELLS: Final = 4096


def line_of(kind: str, fields: Object) -> str:
    """One line of output: pure ASCII, no line break inside."""
    return json.dumps({"v": VERSION, "type": kind, **fields}, ensure_ascii=True, separators=(",", ":"))


def hello_line() -> str:
    """The first line of a stream."""
    return line_of("hello", {"program": "sorry-lan", "version": __version__})


def error_line(text: str) -> str:
    """What is said to a line of input that does nothing."""
    return line_of("error", {"text": text})


def err_name(code: Err) -> str:
    """An error code's name in this format."""
    return code.name.lower()


def notice_line(notice: Notice) -> str:
    """One notice."""
    kind, fields = _notice(notice)
    if isinstance(notice, Invitation):
        return line_of(kind, fields)
    return line_of(kind, {**fields, "text": " ".join(line.strip() for line in notice_lines(notice))})


def _notice(notice: Notice) -> tuple[str, Object]:
    match notice:
        case TableOpened(addresses, port, code, reach):
            told: Object = {"addresses": list(addresses), "port": port, "code": code}
            return "opened", {**told, "reach": reach.value, "commands": list(join_commands(notice))}
        case CodeChanged(code):
            return "code", {"code": code}
        case PortTaken(wanted, got):
            return "port_taken", {"wanted": wanted, "port": got}
        case Invitation(opened):
            return "invitation", {"line": join_commands(opened)[-1]}
        case Searching(seconds):
            return "searching", {"seconds": ceil(seconds)}
        case Connecting(address):
            return "connecting", {"address": shown(address, _PATH_CELLS)}
        case FileSaved(kind, path):
            return "saved", {"kind": kind.value, "path": path}
        case FileNotSaved(kind, problem):
            return "not_saved", {"kind": kind.value, "path": problem.path, "problem": problem.trouble.value}
        case StrangerCalled(host, code):
            return "stranger", {"host": shown(host, NAME_CELLS * 4), "code": err_name(code)}
        case CallerWaits() | FirstMet() | KeyChanged():
            return encounter_fields(notice)
        case PlayersNotKept(problem):
            return "players_not_kept", {"path": problem.path, "problem": problem.trouble.value}
        case JournalSetAside(path):
            return "journal_set_aside", {"path": path}
        case Stopped(problem):
            return "stopped", {"problem": _problem_name(problem)}
        case _:
            assert_never(notice)


def _problem_name(problem: StartProblem) -> str:
    if isinstance(problem, NoTable):
        return "code-wrong" if problem.tried else "no-table"
    return problem.problem.value if isinstance(problem, JoinProblem) else problem.trouble.value


def news_line(item: News, view: View) -> str | None:
    """One piece of news; None for what the lobby's own line tells."""
    found = _news(item, view)
    if found is None:
        return None
    kind, fields = found
    return line_of(kind, {**fields, "text": " ".join(news_lines(item, view))})


def _news(item: News, view: View) -> tuple[str, Object] | None:
    match item:
        case SatDown(name, colour):
            return "sat_down", {"name": _name(name), "colour": _COLOURS[colour]}
        case StoodUp(name, colour):
            return "stood_up", {"name": _name(name), "colour": _COLOURS[colour]}
        case BecameReady(name, colour):
            return "ready", {"name": _name(name), "colour": _COLOURS[colour]}
        case LobbyChanged():
            return None
        case Refused(code, by_us):
            return "refused", {"code": err_name(code), "by_us": by_us}
        case Said(name, colour, text):
            said = {"name": _name(name), "colour": None if colour is None else _COLOURS[colour]}
            return "said", {**said, "said": shown(text, CHAT_CELLS)}
        case DiskState(works):
            return "disk", {"works": works}
        case RematchOpened(name):
            return "rematch", {"name": _name(name)}
        case TableClosed(code):
            return "closed", {"code": err_name(code)}
        case _ if (watching := watching_fields(item)) is not None:
            return watching
        case _:
            return None if view.game is None else _game_news(item, view.game)


def _game_news(item: News, game: GameView) -> tuple[str, Object] | None:
    match item:
        case GameStarted(game_id):
            return "started", {"game": game_id.hex(), **_game(game)}
        case LotCast(words, first, first_by):
            return "lot", {"words": list(words), "first": first, "first_by": first_by.value}
        case CardDrawn(k, seat, card, shares, left, reshuffled):
            drawn: Object = {"k": k, "seat": seat, "card": card_label(card), "shares": list(shares)}
            return "card", {**drawn, "left": left, "reshuffled": reshuffled}
        case Played(k, seat, card, move, _effects, before, after, forced):
            played: Object = {"k": k, "seat": seat, "card": card_label(card), "move": to_text(move, before, card)}
            return "played", {**played, "forced": forced, "positions": positions(after), "turn": after.turn}
        case Won(seat, k):
            return "won", {"seat": seat, "k": k}
        case Confirmed(missing):
            return "confirmed", {"missing": list(missing)}
        case PresenceChanged(seat, presence, via):
            return "presence", {"seat": seat, "presence": presence.value, "via": via}
        case FaultProven(seat, code, k):
            return "fault", {"seat": seat, "code": err_name(code), "k": k}
        case EnginesDiffer(k, seats):
            return "engines_differ", {"k": k, "seats": list(seats)}
        case _:
            return going_on_fields(item)


def _game(game: GameView) -> Object:
    return {
        "title": shown(game.title, TITLE_CELLS),
        "profile": profile_name(game.rules),
        "rules": _rules(game.rules),
        "forbids": _forbids(game.options),
        "seats": [_seat(seat) for seat in game.seats],
        "positions": positions(game.position),
    }


def _seat(seat: SeatView) -> Json:
    return {
        "seat": seat.index,
        "kind": SeatKind(seat.kind).name.lower(),
        "colour": _COLOURS[seat.colour],
        "name": _name(seat.name),
        "person": seat.person,
    }


def lobby_line(lobby: LobbyView, phase: Phase) -> str:
    """The lobby as it stands; written again after every change."""
    fields: Object = {
        "title": shown(lobby.title, TITLE_CELLS),
        "profile": profile_name(lobby.rules),
        "rules": _rules(lobby.rules),
        "forbids": _forbids(lobby.options),
        "hosting": lobby.hosting,
        "proposed": phase is Phase.PROPOSED,
        "seats": [_lobby_seat(seat) for seat in lobby.seats],
    }
    return line_of("lobby", fields)


def _lobby_seat(seat: LobbySeatView) -> Json:
    return {
        "kind": LobbyKind(seat.kind).name.lower(),
        "colour": _COLOURS[seat.colour],
        "name": _name(seat.name),
        "age": seat.age,
        "ready": seat.ready,
        "person": seat.person,
        "host": seat.is_host,
        "presence": seat.presence.value,
        "beside": None if seat.beside is None else _COLOURS[seat.beside],
    }


def prompt_line(prompt: Prompt, game: GameView) -> str:
    """A question: whose, in which step, with which card, and every answer."""
    fields: Object = {
        "ask": prompt.ask.value,
        "seat": prompt.seat,
        "k": prompt.k,
        "card": None if prompt.card is None else card_label(prompt.card),
        "choices": [],
        "not_possible": [],
        "positions": positions(game.position),
        "pile": pile(game.pile),
        "text": prompt_lines(prompt, game)[0],
    }
    if prompt.card is not None:
        fields["choices"] = _choices(prompt, prompt.card, game)
        fields["not_possible"] = _not_possible(prompt.card, game)
    return line_of("prompt", fields)


def _choices(prompt: Prompt, card: Card, game: GameView) -> list[Json]:
    return [
        {
            "choice": number,
            "move": to_text(move, game.position, card),
            "text": choice_text(move, game.position, game.rules, card),
        }
        for number, move in enumerate(prompt.choices, 1)
    ]


def _not_possible(card: Card, game: GameView) -> list[Json]:
    return [
        {"pawn": why.pawn, "reason": why.code.value, "text": reason_text(why, game.position, game.rules, card)}
        for why in reasons(game.position, game.rules, card)
    ]


def positions(position: Position) -> Json:
    """Every pawn by colour, in the form of protocol and cases: "start", "sq:12", "safe:3", "home"."""
    return {
        _COLOURS[colour]: [loc_name(loc) for loc in row]
        for colour, row in zip(position.colours, position.pawns, strict=True)
    }


def pile(counts: Sequence[int]) -> Json:
    """What is left in the pile, by card."""
    return {card_label(card): n for card, n in zip(CARDS, counts, strict=True)}


def _rules(rules: Rules) -> Json:
    return {switch: switch_text(rules, switch) for switch in SWITCHES}


def _forbids(options: Option) -> Json:
    return [word for option, word in _FORBIDDEN.items() if option in options]


def _name(name: str) -> str:
    return shown(name, NAME_CELLS)

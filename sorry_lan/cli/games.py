"""`sorry-lan games`: the saved games of an identity, the latest first, and which of them can go on. Changes nothing."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import assert_never

from sorry_lan.app.wishes import problem_exit_code
from sorry_lan.cli import options
from sorry_lan.cli.arguments import Arguments
from sorry_lan.cli.options import Manner
from sorry_lan.cli.output import complain, say
from sorry_lan.fair import genesis
from sorry_lan.fair.engine import engine_digest
from sorry_lan.store.disk import StoreError
from sorry_lan.store.games import GameState, KeptGame, judged, kept_games
from sorry_lan.store.identity import own_keys
from sorry_lan.store.paths import identity_folder
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.shown import NAME_CELLS, shown
from sorry_lan.ui.texts import list_text
from sorry_lan.ui.texts_notices import problem_text
from sorry_lan.wire.terms import SeatKind

_SHORT = 8
"""Digits of an id that tell one game from another; `resume` takes as many as are typed."""
_TITLE_CELLS = 40


def run(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Print the list; 0, also where it is empty."""
    manner = options.manner(arguments)
    try:
        folder = identity_folder(environment, arguments.one("--identity"))
        games = judged(kept_games(folder / "games"), own_keys(folder), engine_digest)
    except StoreError as wrong:
        complain(problem_text(wrong.problem))
        return problem_exit_code(wrong.problem)
    with suppress(BrokenPipeError):
        if manner is Manner.JSON:
            say(game_json(game) for game in games)
        else:
            say([game_text(game) for game in games] or [_("There are no saved games here.")])
    return 0


def game_text(game: KeptGame) -> str:
    """One line for people."""
    return _("{id}  {day}  {title}: {players}, step {k}. {state}").format(
        id=game.game.hex()[:_SHORT],
        day=_day(game),
        title=_title(game),
        players=list_text([name for name, _kind in _players(game)]) or "?",
        k=_steps(game),
        state=state_text(game),
    )


def state_text(game: KeptGame) -> str:
    """What became of the game, and what can be done about it."""
    resume = f"sorry-lan resume {game.game.hex()[:_SHORT]}"
    match game.state:
        case GameState.INTERRUPTED:
            return _("Interrupted; go on with: {resume}").format(resume=resume)
        case GameState.LEFT:
            return _("You left it for now; go on with: {resume}").format(resume=resume)
        case GameState.SAVED:
            return _("Saved; when all come back it goes on with: {resume}").format(resume=resume)
        case GameState.LEFT_FOR_GOOD:
            return _("You left it for good.")
        case GameState.WON:
            return _("Played to its end.")
        case GameState.DAMAGED:
            return _("Its journal is damaged; join the others again, they have the game.")
        case GameState.FOREIGN:
            return _("Played with another identity; only that one can go on with it.")
        case GameState.OTHER_ENGINE:
            return _("Begun with another version of sorry-lan; only that one can go on with it.")
        case _:
            assert_never(game.state)


def game_json(game: KeptGame) -> str:
    """One object for programs (docs/json.md)."""
    return json.dumps(
        {
            "v": 1,
            "type": "game",
            "game": game.game.hex(),
            "title": _title(game),
            "players": [{"name": name, "kind": kind} for name, kind in _players(game)],
            "k": _steps(game),
            "state": game.state.value.replace("-", "_"),
            "can_go_on": game.can_go_on,
            "changed": int(game.changed_s),
            "text": game_text(game),
        }
    )


def _day(game: KeptGame) -> str:
    """The day here on which the file was changed; clocks and copies can make it one that no calendar has."""
    try:
        return dt.datetime.fromtimestamp(game.changed_s, tz=dt.UTC).astimezone().date().isoformat()
    except (ValueError, OverflowError, OSError):
        return "?"


def _title(game: KeptGame) -> str:
    return "" if game.saved is None else shown(game.saved.title, _TITLE_CELLS)


def _steps(game: KeptGame) -> int:
    return 0 if game.saved is None else len(game.saved.records)


def _players(game: KeptGame) -> list[tuple[str, str]]:
    if game.saved is None:
        return []
    seats = genesis.decode_terms(game.saved.agreed.table).seats
    return [(shown(seat.name, NAME_CELLS), SeatKind(seat.kind).name.lower()) for seat in seats]

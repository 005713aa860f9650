"""A screen of the client in a real terminal, at a moment that a game seldom comes to: to look at, and to try keys.

`python -m tests.ui.scenes NAME [flags of replay, such as --ascii]`; no table is behind it, and nothing is played.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from sorry_lan.app.alone import run_alone
from sorry_lan.cli.arguments import Arguments, parse
from sorry_lan.cli.screens import liked, opened
from sorry_lan.faults import Err
from sorry_lan.rules.board import HOME, START, safe, track
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import choices
from sorry_lan.rules.profile import PROFILES
from sorry_lan.table.commands import FileKind
from sorry_lan.table.news import News, Said
from sorry_lan.table.notices import Connecting, FileSaved, Notice, StrangerCalled
from sorry_lan.table.view import GameView, Phase, View
from sorry_lan.ui import languages
from sorry_lan.ui.client import Client
from sorry_lan.ui.full_screen import Key, Shown
from sorry_lan.wire.messages import LobbyKind
from tests.ui.build import (
    at,
    bot,
    choose,
    draw,
    drawn,
    game,
    in_lobby,
    lobby,
    lobby_seat,
    opening,
    played,
    seat,
    view,
)
from tests.ui.pages import FILE, a_lobby

_BEGAN_S: Final = 100.0
_SHOWN_S: Final = 0.7
"""How long after the news a film is stopped: in the middle of a slide."""


class Stopped(Client):
    """A client whose clock stands still as soon as the scene is set: a film stops at one of its pictures."""

    moment_s = _BEGAN_S

    def draw(self, width: int, height: int, now_s: float) -> Shown:
        del now_s
        return replace(super().draw(width, height, self.moment_s), next_tick_s=None)


def _set(
    client: Client,
    picture: View,
    *news: News,
    notices: tuple[Notice, ...] = (),
    keys: tuple[Key | str, ...] = (),
) -> None:
    for notice in notices:
        client.notice(notice, _BEGAN_S)
    client.show(picture, news, _BEGAN_S)
    for place, key in enumerate(keys, 1):
        client.typed(key, _BEGAN_S + 20 + place)


def four() -> GameView:
    """Three people and a bot, one of them here, under classic rules."""
    return game((seat(0, 0), seat(1), seat(2), bot(3, "Hal")), PROFILES["classic"])


def busy(rows: tuple[tuple[int, ...], ...], card: Card, turn: int = 0) -> tuple[GameView, tuple[News, ...]]:
    """A game in its middle, and how it came there."""
    now = replace(at(four(), rows, turn), k=27, turn_number=24, shares_checked=81)
    return now, (*opening(now), Said("Bob", 1, "not my pawn please :)"), drawn(now, card))


_SPREAD: Final = (
    (track(4), track(22), safe(2), HOME),
    (track(32), track(40), START, track(19)),
    (track(36), track(45), HOME, track(12)),
    (track(50), track(57), track(8), START),
)


def host_lobby(client: Client) -> None:
    page = a_lobby()
    assert page.opened is not None
    _set(client, in_lobby(page.lobby), Said("Bob", 1, "hi! Chloe is coming in a minute"), notices=(page.opened,))


def guest_lobby(client: Client) -> None:
    seats = (
        lobby_seat(0, "Ada"), lobby_seat(1, "Bob", person=0), lobby_seat(2, kind=LobbyKind.OPEN),
        lobby_seat(3, "Hal", LobbyKind.BOT),
    )  # fmt: skip
    mine = replace(seats[1], is_host=False)
    host = replace(seats[0], is_host=True)
    now = replace(lobby((host, mine, *seats[2:])), hosting=False)
    _set(client, in_lobby(now), Said("Ada", 0, "welcome"), notices=(Connecting("192.168.1.20:7777"),))


def own_seven(client: Client) -> None:
    now, news = busy(_SPREAD, Card.SEVEN)
    _set(client, choose(now, Card.SEVEN), *news, keys=(Key.ESCAPE,))


def own_eleven(client: Client) -> None:
    now, news = busy(_SPREAD, Card.ELEVEN)
    _set(client, choose(now, Card.ELEVEN), *news, keys=(Key.ESCAPE,))


def own_draw(client: Client) -> None:
    now, news = busy(_SPREAD, Card.ELEVEN, turn=3)
    _set(client, draw(at(now, _SPREAD)), *news, keys=(Key.ESCAPE,))


def own_sorry(client: Client) -> None:
    rows = ((START, track(22), safe(2), HOME), *_SPREAD[1:])
    now, news = busy(rows, Card.SORRY)
    _set(client, choose(now, Card.SORRY), *news, keys=(Key.ESCAPE, "1"))


def why(client: Client) -> None:
    rows = ((track(22), START, safe(2), HOME), *_SPREAD[1:])
    now, news = busy(rows, Card.TEN)
    _set(client, choose(now, Card.TEN), *news, keys=(Key.ESCAPE, "?"))


def _sliding(client: Client) -> None:
    """Green comes to the beginning of a long slide of blue, on which two others stand."""
    rows = (
        (track(25), track(26), safe(2), HOME),
        (START,) * 4,
        (track(28), START, START, START),
        (track(19), START, START, START),
    )
    now, news = busy(rows, Card.FIVE, turn=3)
    move = choices(now.position, now.rules, Card.FIVE)[0]
    after, moved = played(now, Card.FIVE, move)
    _set(client, draw(replace(after, position=replace(after.position, turn=0))), *news, *moved)


def slide(client: Client) -> None:
    _sliding(client)
    client.typed(Key.ESCAPE, _BEGAN_S + 30)


def slide_film(client: Client) -> None:
    _sliding(client)
    if isinstance(client, Stopped):
        client.moment_s = _BEGAN_S + 0.61 + _SHOWN_S


def fairness(client: Client) -> None:
    now, news = busy(_SPREAD, Card.SEVEN)
    _set(client, choose(now, Card.SEVEN), *news, keys=(Key.ESCAPE, "f"))


def end(client: Client) -> None:
    rows = ((safe(4), HOME, HOME, HOME), *_SPREAD[1:])
    now, news = busy(rows, Card.ONE)
    move = choices(now.position, now.rules, Card.ONE)[0]
    after, moved = played(now, Card.ONE, move)
    _set(client, view(after, Phase.OVER), *news, *moved, Said("Bob", 1, "well played!"))
    client.notice(FileSaved(FileKind.TRANSCRIPT, FILE), _BEGAN_S)
    client.draw(80, 24, _BEGAN_S + 30)


def stranger(client: Client) -> None:
    host_lobby(client)
    client.notice(StrangerCalled("192.168.1.99", Err.BAD_FRAME), _BEGAN_S)


SCENES: Final[dict[str, Callable[[Client], None]]] = {
    "lobby": host_lobby,
    "guest": guest_lobby,
    "stranger": stranger,
    "draw": own_draw,
    "seven": own_seven,
    "eleven": own_eleven,
    "sorry": own_sorry,
    "why": why,
    "slide": slide,
    "film": slide_film,
    "fairness": fairness,
    "end": end,
}


def main() -> int:
    name, *flags = sys.argv[1:]
    languages.speak_as(os.environ, sys.stdout.encoding)
    arguments: Arguments = parse(["replay", "nothing", *flags])
    client = Stopped(liked(arguments, os.environ)) if name == "film" else Client(liked(arguments, os.environ))
    SCENES[name](client)
    with opened(client, arguments, os.environ) as (face, guest):
        return run_alone(face, guest)


if __name__ == "__main__":
    sys.exit(main())

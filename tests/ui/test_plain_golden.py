"""A small game in plain mode, word for word as a person reads it (tests/ui/golden/plain_game.txt).

`>` marks what the person types. After a wanted change of the words: python -m tests.ui.test_plain_golden
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sorry_lan.rules.board import HOME, START, safe, track
from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import Decline
from sorry_lan.table.news import BecameReady, Confirmed, LobbyChanged, Said, SatDown
from sorry_lan.table.notices import TableOpened
from sorry_lan.table.view import Phase
from sorry_lan.ui.plain import PlainSession
from sorry_lan.wire.messages import LobbyKind
from tests.ui.build import (
    at,
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

GOLDEN = Path(__file__).parent / "golden" / "plain_game.txt"
ROWS = [(track(22), START, safe(2)), (track(32), track(20), START)]


class Script:
    """One person before the text client; every line of both is kept."""

    def __init__(self):
        self.session = PlainSession()
        self.lines = list(self.session.greeting())

    def sees(self, picture, *news):
        self.lines += self.session.picture(picture, news)

    def types(self, text):
        self.lines.append(f"> {text}")
        answer = self.session.typed(text)
        self.lines += answer.lines
        return answer.happenings


def whole_game() -> list[str]:
    """The script."""
    me = Script()
    me.lines += me.session.noticed(TableOpened(("192.0.2.7", "fe80::1%eth0"), 7777, "maple-otter-tulip"))
    alone = (lobby_seat(0, "Ada", person=0), lobby_seat(1, kind=LobbyKind.OPEN))
    me.sees(in_lobby(lobby(alone)))
    me.types("h")
    both = (lobby_seat(0, "Ada", person=0), lobby_seat(1, "Bob"))
    me.sees(in_lobby(lobby(both)), SatDown("Bob", 1), LobbyChanged())
    me.types("say Hello Bob")
    me.sees(in_lobby(lobby(both)), Said("Ada", 0, "Hello Bob"))
    me.types("ready")
    ready = tuple(replace(s, ready=True) for s in both)
    me.sees(in_lobby(lobby(ready)), BecameReady("Ada", 0), BecameReady("Bob", 1))
    now = game((seat(0, 0), seat(1)))
    me.sees(view(now, Phase.LOT), opening(now)[0])
    me.sees(draw(now), *opening(now)[1:])
    me.types("1")
    me.types("")
    me.types("")
    me.sees(choose(now, Card.ONE), drawn(now, Card.ONE))
    me.types("7")
    me.types("r3 1")
    me.types("1")
    now, told = played(now, Card.ONE, choose(now, Card.ONE).prompts[0].choices[0])
    me.sees(view(now), *told)
    me.types("1")
    me.sees(view(now), drawn(now, Card.FOUR))
    now, told = played(now, Card.FOUR, Decline())
    me.sees(draw(now), *told)
    now = at(now, ROWS)
    me.types("draw")
    me.sees(choose(now, Card.TEN), drawn(now, Card.TEN))
    me.types("w")
    me.types("b")
    me.types("d")
    me.types("r3 10")
    me.types("zz")
    me.types("r1 10")
    now, told = played(now, Card.TEN, choose(now, Card.TEN).prompts[0].choices[1])
    me.sees(view(now), *told)
    me.types("l")
    now = at(now, [(START, START, HOME), (HOME, HOME, track(5))], turn=0)
    me.sees(draw(now))
    me.types("")
    me.sees(view(now), drawn(now, Card.FOUR))
    now, told = played(now, Card.FOUR, Decline())
    me.sees(view(now), *told)
    now = at(now, [(safe(2), HOME, HOME), (START, START, START)], turn=0)
    me.sees(draw(now))
    me.types("")
    me.sees(choose(now, Card.THREE), drawn(now, Card.THREE))
    me.types("q")
    me.types("1")
    now, told = played(now, Card.THREE, choose(now, Card.THREE).prompts[0].choices[0])
    me.sees(view(now, Phase.OVER), *told)
    me.sees(view(now, Phase.OVER), Confirmed(()))
    me.types("1")
    me.types("rematch")
    me.types("q")
    return me.lines


def test_a_whole_game_reads_as_it_did():
    assert "\n".join(whole_game()) + "\n" == GOLDEN.read_text(encoding="utf-8")


def test_the_game_holds_no_control_byte():
    assert all(line.isprintable() for line in whole_game())


if __name__ == "__main__":
    GOLDEN.write_text("\n".join(whole_game()) + "\n", encoding="utf-8")

"""A small game in plain mode, word for word as a person reads it (tests/ui/golden/plain_game.txt).

`>` marks what the person types. After a wanted change of the words: python -m tests.ui.test_plain_golden
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sorry_lan.rules.board import HOME, START, safe, track
from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import Decline
from sorry_lan.table.news import (
    BecameReady,
    Confirmed,
    LobbyChanged,
    OfferedToGoOn,
    OfferVoid,
    PresenceChanged,
    RematchOpened,
    Said,
    SatDown,
)
from sorry_lan.table.notices import TableOpened
from sorry_lan.table.view import GameView, GoingOn, Phase, Presence
from sorry_lan.ui import lobby_words
from sorry_lan.ui.plain import PlainSession
from sorry_lan.wire.messages import LobbyKind
from sorry_lan.wire.terms import Option, Why
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
BOB = bytes([1]) * 32
STRICT = Option.NO_HINTS | Option.NO_FREE_CHAT
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
    """The script: a game, and the beginning of another one at a stricter table."""
    me = Script()
    _lobby(me)
    now = _opening(me)
    now = _a_turn_with_every_question(me, now)
    _the_end(me, now)
    _rematch(me)
    return me.lines


def _lobby(me: Script) -> None:
    me.lines += me.session.noticed(TableOpened(("192.0.2.7", "fe80::1%eth0"), 7777, "maple-otter-tulip"))
    alone = (lobby_seat(0, "Ada", person=0), lobby_seat(1, kind=LobbyKind.OPEN))
    me.types("b")
    me.sees(in_lobby(lobby(alone)))
    for text in ("h", "start", "rules", "rule slide_on=any", "bot", "close yellow", "open", "kick blue", "kick"):
        me.types(text)
    both = (lobby_seat(0, "Ada", person=0), replace(lobby_seat(1, "Bob"), key=BOB))
    me.sees(in_lobby(lobby(both)), SatDown("Bob", 1), LobbyChanged())
    for text in ("name Addie", "color green", "colour pink", "age 9", "age x", "f"):
        me.types(text)
    me.types("say Hello Bob")
    me.sees(in_lobby(lobby(both)), Said("Ada", 0, "Hello Bob"))
    me.types("say 2")
    me.types("mute")
    me.types("mute bob")
    me.sees(in_lobby(lobby(both)), Said("Bob", 1, "you cannot read this"))
    me.types("mute")
    me.types("unmute Bob")
    me.sees(in_lobby(lobby(both)), Said("Bob", 1, "Well played!"))
    me.types("ready")
    me.types("unready")
    ready = tuple(replace(s, ready=True) for s in both)
    me.sees(in_lobby(lobby(ready)), BecameReady("Ada", 0), BecameReady("Bob", 1))


def _opening(me: Script) -> GameView:
    now = game((seat(0, 0), seat(1)))
    me.sees(view(now, Phase.LOT), opening(now)[0])
    me.types("l")
    me.types("f")
    me.sees(draw(now), *opening(now)[1:])
    for text in ("h", "1", "hint", "w", "", ""):
        me.types(text)
    me.sees(choose(now, Card.ONE), drawn(now, Card.ONE))
    for text in ("7", "r3 1", "", "hint", "1"):
        me.types(text)
    now, told = played(now, Card.ONE, choose(now, Card.ONE).prompts[0].choices[0])
    me.sees(view(now), *told)
    for text in ("1", "hint", "w"):
        me.types(text)
    me.sees(view(now), drawn(now, Card.FOUR))
    now, told = played(now, Card.FOUR, Decline())
    me.sees(draw(now), *told)
    return now


def _a_turn_with_every_question(me: Script, now: GameView) -> GameView:
    now = at(now, ROWS)
    me.types("draw")
    me.sees(choose(now, Card.TEN), drawn(now, Card.TEN))
    for text in ("w", "b", "d", "f", "r3 10", "zz", "say", "yes", "no", "rematch", "mute Eve", "r1 10"):
        me.types(text)
    now, told = played(now, Card.TEN, choose(now, Card.TEN).prompts[0].choices[1])
    me.sees(view(now), *told)
    me.types("l")
    me.sees(view(now), PresenceChanged(1, Presence.RECONNECTING, None))
    offer = GoingOn((1,), (), Why.UNREACHABLE, saves=False, asked_by=(), agreed=False, missing=())
    me.sees(replace(view(now), going_on=offer), OfferedToGoOn(None, (1,), (), Why.UNREACHABLE))
    me.types("no")
    me.types("yes")
    me.sees(view(now), PresenceChanged(1, Presence.LINKED, None), OfferVoid())
    now = at(now, [(START, START, HOME), (HOME, HOME, track(5))], turn=0)
    me.sees(draw(now))
    me.types("")
    me.sees(view(now), drawn(now, Card.FOUR))
    now, told = played(now, Card.FOUR, Decline())
    me.sees(view(now), *told)
    return now


def _the_end(me: Script, now: GameView) -> None:
    now = at(now, [(safe(2), HOME, HOME), (START, START, START)], turn=0)
    me.sees(draw(now))
    me.types("")
    me.sees(choose(now, Card.THREE), drawn(now, Card.THREE))
    me.types("q")
    me.types("stay")
    me.lines += me.session.interrupted()
    me.types("1")
    now, told = played(now, Card.THREE, choose(now, Card.THREE).prompts[0].choices[0])
    me.sees(view(now, Phase.OVER), *told)
    me.sees(view(now, Phase.OVER), Confirmed(()))
    for text in ("1", "h", "f", "rematch"):
        me.types(text)


def _rematch(me: Script) -> None:
    strict = replace(lobby((lobby_seat(0, "Ada", person=0), lobby_seat(1, "Bob"))), options=STRICT)
    me.sees(in_lobby(strict), RematchOpened("Ada"))
    me.types("say Hello")
    me.types("say 1")
    now = replace(game((seat(0, 0), seat(1))), options=STRICT)
    me.sees(draw(now), *opening(now))
    me.types("l")
    me.types("")
    me.sees(choose(now, Card.ONE), drawn(now, Card.ONE))
    for text in ("hint", "say Hello", "q", "q"):
        me.types(text)
    again = Script()
    again.sees(choose(now, Card.ONE))
    again.types("q")
    again.types("leave")
    me.lines += again.lines


def test_a_whole_game_reads_as_it_did():
    assert "\n".join(whole_game()) + "\n" == GOLDEN.read_text(encoding="utf-8")


WORDS = (
    *lobby_words.WORDS, "start", "h", "q", "leave", "stay", "say", "mute", "unmute", "", "draw", "1", "r1", "b", "l",
    "d", "w", "f", "hint", "yes", "no", "rematch",
)  # fmt: skip
"""Every word that plain mode understands."""


def test_every_word_is_typed_in_it():
    typed = {line[2:].split(" ")[0].lower() for line in whole_game() if line.startswith("> ")}
    assert set(WORDS) <= typed


def test_the_game_holds_no_control_byte():
    assert all(line.isprintable() for line in whole_game())


if __name__ == "__main__":
    GOLDEN.write_text("\n".join(whole_game()) + "\n", encoding="utf-8")

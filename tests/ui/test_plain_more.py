"""The text client's further commands: fairness, hints, phrases, muting, the bell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.faults import Err
from sorry_lan.rules.board import START, track
from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import LeaveStart
from sorry_lan.table.news import EnginesDiffer, FaultProven, Said, TakenUp
from sorry_lan.table.phrases import PHRASES
from sorry_lan.table.view import Phase
from sorry_lan.ui.plain import PlainSession
from sorry_lan.ui.taste import Bell
from sorry_lan.ui.texts_lobby import forbids_lines, lobby_lines
from sorry_lan.wire.messages import LobbyKind
from sorry_lan.wire.terms import Option
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
from tests.ui.hostile import HOSTILE

GAME = at(game((seat(0, 0), seat(1), bot(2))), [(track(22), START, START)] + [(START,) * 3] * 2)
BOB, EVE = bytes([1]) * 32, bytes([7]) * 32


def playing(*news: object) -> PlainSession:
    made = PlainSession()
    made.picture(draw(GAME), (*opening(GAME), *news))
    return made


def text_of(made: PlainSession, typed: str) -> str:
    return " ".join(made.typed(typed).lines)


def test_f_says_that_nothing_was_drawn_and_then_who_drew_what():
    made = playing()
    assert "NOT YET" in text_of(made, "f")
    assert "Cards drawn" not in text_of(made, "f")
    made.picture(choose(GAME, Card.ONE), (drawn(GAME, Card.ONE),))
    now, told = played(GAME, Card.ONE, LeaveStart(2))
    made.picture(view(now), told)
    answer = text_of(made, "fair")
    assert "Ada (Red), 1 card: 1: 1 (0.1)." in answer
    assert "Bob (Blue), no card yet." in answer
    assert "YES." in answer


def test_f_tells_a_card_that_should_have_come_and_marks_what_is_seldom():
    made = playing()
    now = GAME
    for _ in range(5):
        made.picture(view(now), (drawn(now, Card.ONE),))
        now, told = played(replace(now, position=replace(now.position, turn=0)), Card.ONE, LeaveStart(2))
        now = replace(at(now, GAME.position.pawns), pile=now.pile)
        made.picture(view(now), told)
    answer = text_of(made, "f")
    assert "Ada (Red), 5 cards: 1: 5* (" in answer
    assert "2: 0 (0." not in answer.replace("2: 0 (0.4)", "")


def test_f_after_a_restart_counts_from_there():
    made = PlainSession()
    made.picture(draw(GAME), (TakenUp(GAME.game_id, 30),))
    later = replace(GAME, k=30)
    made.picture(choose(later, Card.ONE), (drawn(later, Card.ONE),))
    assert "Cards drawn since step 30" in text_of(made, "f")


@pytest.mark.parametrize("trouble", [FaultProven(1, Err.EQUIVOCATION, 4), EnginesDiffer(4, (1,))])
def test_f_says_no_after_a_proof_until_another_game_begins(trouble: FaultProven | EnginesDiffer):
    made = playing(trouble)
    assert "NO." in text_of(made, "f")
    made.picture(draw(GAME), opening(GAME))
    assert "NO." not in text_of(made, "f")


def test_another_game_has_no_last_moves():
    made = playing(drawn(GAME, Card.ONE))
    assert "drew" in text_of(made, "l")
    made.picture(draw(GAME), opening(GAME))
    assert text_of(made, "l") == "Nobody has moved yet."


def test_a_hint_plays_nothing():
    made = PlainSession()
    made.picture(choose(GAME, Card.TEN), ())
    answer = made.typed("hint")
    assert answer.happenings == ()
    assert answer.lines[0].startswith("The strongest bot there is (expert) would play ")
    assert made.typed("1").happenings


def test_a_hint_out_of_turn_says_whose_turn_it_is():
    made = PlainSession()
    made.picture(view(GAME), ())
    assert text_of(made, "hint") == "Please wait a moment."


def of_bob(text: str) -> Said:
    return Said("Bob", 1, text)


@pytest.mark.parametrize("who", ["Bob", "bob", "BLUE"])
def test_what_a_muted_player_says_is_not_shown_not_even_a_phrase(who: str):
    made = playing()
    assert "no longer read what Bob says" in text_of(made, f"mute {who}")
    for text in ("hello", PHRASES[0]):
        assert made.picture(draw(GAME), (of_bob(text),)) == ()
    assert made.picture(draw(GAME), (Said("Ada", 0, "me"),)) == ("Ada says: me",)
    text_of(made, f"unmute {who}")
    assert made.picture(draw(GAME), (of_bob("hello"),)) == ("Bob says: hello",)


def test_a_muted_player_stays_so_at_the_next_table_and_under_another_name():
    made = playing()
    made.typed("mute Bob")
    renamed = replace(lobby_seat(1, "Robert"), key=BOB)
    table = in_lobby(lobby((lobby_seat(0, "Ada", person=0), renamed, replace(lobby_seat(2, "Bob"), key=EVE))))
    made.picture(table, ())
    assert made.picture(table, (Said("Robert", 1, "me again"),)) == ()
    assert made.picture(table, (Said("Bob", 2, "another one"),)) == ("Bob says: another one",)
    assert text_of(made, "mute") == "Muted: Robert."


def test_nobody_mutes_bots_themselves_or_people_who_are_not_there():
    made = playing()
    for who in ("Robo", "Ada", "Zoë"):
        assert text_of(made, f"mute {who}") == f"Nobody else here is called {who}; there is Bob."
    alone = game((seat(0, 0), bot(1)))
    lonely = PlainSession()
    lonely.picture(draw(alone), ())
    assert text_of(lonely, "mute Bob").endswith("there is nobody.")
    lonely.picture(view(alone, Phase.CONNECTING), ())
    assert "\x1b" not in text_of(made, "mute \x1b[2J")


def test_open_seats_of_a_lobby_cannot_be_muted():
    made = PlainSession()
    made.picture(in_lobby(lobby((lobby_seat(0, "Ada", person=0), lobby_seat(1, kind=LobbyKind.OPEN)))), ())
    assert text_of(made, "mute blue").endswith("there is nobody.")
    made.picture(replace(in_lobby(lobby()), lobby=None, phase=Phase.CONNECTING), ())
    assert text_of(made, "mute blue").endswith("there is nobody.")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_are_muted_in_visible_signs(text: str):
    made = PlainSession()
    here = game((seat(0, 0), seat(1, name=text)))
    made.picture(draw(here), ())
    for typed in ("mute", "mute blue", "mute", "unmute blue", "mute x"):
        assert all(line.isprintable() for line in made.typed(typed).lines)


def test_the_bell_rings_once_a_turn_and_only_where_it_was_asked_for():
    rings = PlainSession(bell=Bell.ON)
    (ask,) = rings.picture(draw(GAME), ())
    assert ask.endswith(".\a")
    assert rings.picture(draw(GAME), ()) == ()
    assert "\a" not in "".join(rings.picture(choose(GAME, Card.TEN), ()))
    assert "\a" not in "".join(PlainSession().picture(draw(GAME), ()))


def test_what_a_table_forbids_stands_in_its_lobby():
    assert forbids_lines(Option.NONE) == ()
    assert len(forbids_lines(Option.NO_HINTS | Option.NO_WATCHERS | Option.NO_FREE_CHAT)) == 3
    told = lobby_lines(replace(lobby(), options=Option.NO_HINTS))
    assert told[1] == "No hints at this table."

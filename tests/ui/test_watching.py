"""What watching looks like: for whoever watches on the screen, in text and in JSON, and for the players."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from sorry_lan.rules.cards import Card
from sorry_lan.table.events import LeaveAsked
from sorry_lan.table.news import CardDrawn, CaughtUp, Watches
from sorry_lan.table.view import Looking, Phase, View
from sorry_lan.ui.answers import Stay
from sorry_lan.ui.full_screen import Key
from sorry_lan.ui.json_session import JsonSession
from sorry_lan.ui.plain import PlainSession
from sorry_lan.ui.taste import Taste
from tests.ui.build import game, in_lobby, lobby, lobby_seat, seat, view
from tests.ui.desk import STILL, Desk

OTHERS = game((seat(0), seat(1)))
THROUGH = Looking("Bob", 0, behind=False)


def looking(how: Looking = THROUGH, phase: Phase = Phase.SHARES) -> View:
    return replace(view(OTHERS), looking=how, phase=phase)


def watched(how: Looking = THROUGH, taste: Taste = STILL) -> Desk:
    return Desk(taste, (120, 40)).show(looking(how))


def test_the_screen_says_that_one_only_watches_and_through_whom() -> None:
    text = watched().text()
    assert text.splitlines()[0].startswith(" WATCHING")
    assert "You watch through Bob." in text
    assert "chat" not in text.splitlines()[-1]
    assert "q leave" in text.splitlines()[-1]


def test_a_watcher_that_sees_nobody_or_is_behind_is_told_so() -> None:
    text = watched(Looking(None, 0, behind=False)).text()
    assert "NO CONNECTION" in text.splitlines()[0]
    assert "at the moment nobody" in text
    assert "of 9." in watched(Looking("Bob", 9, behind=True)).text()


@pytest.mark.parametrize("size", [(40, 12), (59, 19), (60, 20), (80, 24)])
def test_every_size_says_it(size: tuple[int, int]) -> None:
    desk = watched()
    desk.size = size
    assert "watch" in desk.text().lower()


@pytest.mark.parametrize("key", ["t", "/", "x", " ", "H", "1"])
def test_keys_of_players_do_nothing_for_a_watcher_and_say_so(key: str) -> None:
    desk = watched()
    assert desk.press(key) == ()
    assert "You only watch this table" in desk.text()


def test_a_watcher_leaves_without_a_question() -> None:
    desk = watched()
    assert desk.press("q") == (LeaveAsked(),)
    assert desk.last.stay is Stay.LEAVE
    desk = watched()
    assert desk.press(Key.INTERRUPT) == (LeaveAsked(),)


def test_help_and_the_end_offer_a_watcher_nothing_that_players_do() -> None:
    desk = watched()
    desk.press("h")
    assert "leave; the others play on" in desk.text()
    assert "draw your card" not in desk.text()
    won = replace(OTHERS, winner=1)
    desk = Desk(STILL, (120, 40)).show(replace(view(won), looking=THROUGH, phase=Phase.OVER))
    assert "the end" in desk.text().splitlines()[-1]
    assert desk.press("r") == ()
    assert "You only watch this table" in desk.text()
    desk.press(Key.ENTER)
    assert "rematch" not in desk.text()


def test_the_lobby_is_marked_and_shows_who_watches() -> None:
    seats = (replace(lobby_seat(0), person=None), replace(lobby_seat(1), person=None))
    picture = replace(in_lobby(replace(lobby(), seats=seats, hosting=False)), looking=THROUGH, watchers=("Wim",))
    desk = Desk(STILL, (100, 30)).show(picture)
    text = desk.text()
    assert text.splitlines()[0].startswith(" WATCHING")
    assert "1 person watches: Wim." in text
    assert text.splitlines()[-1].split() == ["q", "leave", "r", "rules", "d", "doctor", "?", "help"]
    assert desk.press("q") == (LeaveAsked(),)


def test_players_read_who_watches() -> None:
    picture = replace(view(game()), watchers=("Zoe", "Wim"))
    assert "2 people watch: Wim and Zoe." in Desk(STILL, (120, 40)).show(picture).text()
    plain = PlainSession()
    assert plain.picture(picture, (Watches("Wim"),))[0] == "Wim watches."
    assert plain.typed("b").lines[-1] == "2 people watch: Wim and Zoe."


def test_what_was_played_before_is_no_film_and_no_text_but_stays_in_the_log() -> None:
    drawn = CardDrawn(3, 1, Card.FIVE, (0, 1), 40, reshuffled=False)
    behind = looking(Looking("Bob", 30, behind=True))
    plain = PlainSession()
    assert plain.picture(behind, (drawn,)) == ()
    assert plain.picture(looking(), (CaughtUp(30),))[0].startswith("Everything before step 30 was checked")
    assert plain.picture(looking(), (drawn,))[0].startswith("Bob (Blue) drew 5")
    desk = Desk(Taste(), (120, 40)).show(behind, drawn)
    assert desk.client._screen.frame is None


@pytest.mark.parametrize("word", ["say hello", "yes", "rematch", "hint", "draw"])
def test_in_text_a_watcher_is_told_what_it_is(word: str) -> None:
    plain = PlainSession()
    plain.picture(looking(), ())
    answer = plain.typed(word)
    assert (answer.lines, answer.happenings) == (("You only watch this table; q leaves.",), ())
    assert plain.typed("q").stay is Stay.LEAVE
    assert plain.interrupted() == ()
    assert "leave" in plain.typed("h").lines[-1]


def test_a_program_that_watches_can_only_leave() -> None:
    session = JsonSession()
    session.picture(looking(), ())
    (line,) = session.typed('{"type":"say","text":"hello"}').lines
    assert json.loads(line)["text"] == "This client only watches; it can do no more than leave."
    assert session.typed('{"type":"leave"}').happenings == (LeaveAsked(),)

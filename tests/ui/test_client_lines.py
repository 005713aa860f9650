"""Typed lines: moves in notation, commands, completion, what is said, phrases, muting, pastes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.rules.board import START, track
from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import Forward
from sorry_lan.table.events import DrawAsked, GoOnAnswered, LeaveAsked, Ready, RematchAsked, SeatDecided, Spoke
from sorry_lan.table.news import Said
from sorry_lan.table.phrases import PHRASES
from sorry_lan.table.view import GoingOn, Phase, View
from sorry_lan.ui.answers import Stay
from sorry_lan.ui.full_screen import Key
from sorry_lan.ui.screen_state import Mode, Over
from sorry_lan.ui.taste import Confirm
from sorry_lan.ui.typing import LONGEST, Typing, completed, edited, fitting, inserted, line
from sorry_lan.wire.terms import Option, Why
from tests.ui.build import game, in_lobby, lobby, seat, view
from tests.ui.desk import STILL, Desk, asked, to_draw, watching

TEN = ([track(22), START, START], [track(32), START, START])
PLAYED = (SeatDecided(0, 1, Card.TEN, Forward(1, 10)),)


def test_a_move_is_typed_as_in_plain_mode_and_played():
    assert asked(Card.TEN, TEN).line("r1 10") == PLAYED
    assert asked(Card.TEN, TEN).line("  R1   10 ") == PLAYED
    assert asked(Card.TEN, TEN).line("2") == PLAYED


def test_a_typed_move_is_confirmed_where_every_move_is():
    desk = asked(Card.TEN, TEN, replace(STILL, confirm=Confirm.ALWAYS))
    assert desk.line("r1 10") == ()
    assert "Really R1 +10" in desk.text()
    assert desk.press(Key.ENTER) == PLAYED


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("r2 10", "cannot leave Start"),
        ("r1 3", "does not move a pawn 3"),
        ("99", "no choice 99"),
        ("00019", "no choice 19"),
        ("nonsense", "is no move"),
        ("sorry b1", "needs a Sorry!"),
        ("pass", "do not allow that"),
    ],
)
def test_what_is_not_possible_is_refused_with_the_reason_and_changes_nothing(text: str, words: str):
    desk = asked(Card.TEN, TEN)
    if text == "r2 10":
        words = "back"
        desk = asked(Card.FOUR, TEN)
        text, words = "r2 -4", "Start"
    assert desk.line(text) == ()
    assert words in desk.input
    assert desk.press("1", Key.ENTER) != ()


def test_a_refused_move_is_what_the_why_page_is_about():
    desk = asked(Card.FOUR, TEN)
    desk.line("r2 -4")
    desk.press("?")
    assert "You asked: r2 -4" in desk.text()
    desk.press(Key.ESCAPE)
    desk.line("why r3 -4")
    assert "You asked: r3 -4" in desk.text()


def test_tab_completes_moves_and_commands():
    desk = asked(Card.TEN, TEN)
    desk.press("/", "r", "1", Key.TAB)
    assert desk.state.typing.text == "r1 "
    desk.press("1", Key.TAB)
    assert desk.state.typing.text == "r1 10"
    assert desk.press(Key.ENTER) == PLAYED
    desk = watching()
    desk.press("/", "r", "e", Key.TAB)
    assert desk.state.typing.text == "rematch"
    desk.press(Key.ESCAPE, "/", "z", Key.TAB)
    assert desk.state.typing.text == "z"


def test_escape_or_emptying_the_line_closes_it():
    desk = watching()
    desk.press("/", "x", Key.ESCAPE)
    assert desk.state.mode is Mode.KEYS
    desk.press("/", "x", Key.BACKSPACE, Key.BACKSPACE)
    assert desk.state.mode is Mode.KEYS
    assert desk.line("") == ()
    assert desk.state.mode is Mode.KEYS


def test_commands_open_pages_draw_hint_and_leave():
    assert to_draw().line("draw") == (DrawAsked(0),)
    for word, over in (("deck", Over.DECK), ("fair", Over.FAIRNESS), ("help", Over.HELP), ("rules", Over.RULES)):
        desk = watching()
        desk.line(word)
        assert desk.state.over is over
        assert desk.text()
    desk = asked(Card.TEN, TEN)
    desk.line("hint")
    assert "strongest bot" in desk.input
    desk = watching()
    desk.line("leave")
    assert desk.state.over is Over.LEAVE
    desk = Desk()
    assert desk.line("leave") == (LeaveAsked(),)
    assert desk.last.stay is Stay.LEAVE


def test_commands_that_have_no_place_now_say_so():
    assert watching().line("yes") == ()
    desk = watching()
    desk.line("no")
    assert "Nothing is offered" in desk.input
    desk.line("rematch")
    assert "not over" in desk.input
    desk.line("frobnicate")
    assert "Bob" in desk.input
    desk = to_draw()
    desk.line("r1 10")
    assert "First draw" in desk.input
    desk = Desk()
    desk.line("r1 10")
    assert "wait for the table" in desk.client._screen.state.message


def test_offers_and_rematches_can_be_typed():
    offer = GoingOn((1,), (), Why.UNREACHABLE, saves=False, asked_by=(), agreed=False, missing=())
    desk = watching().show(View(Phase.SHARES, None, game(), (), offer))
    assert desk.line("yes") == (GoOnAnswered(Ready.YES),)
    assert desk.line("no") == (GoOnAnswered(Ready.NO),)
    assert Desk().show(view(replace(game(), winner=0), Phase.OVER)).line("rematch") == (RematchAsked(),)


def test_talk_is_modal_and_its_letters_are_no_keys():
    desk = watching()
    desk.press("t")
    desk.type("hello? fdh")
    assert desk.press(Key.ENTER) == (Spoke(0, "hello? fdh"),)
    assert desk.state.mode is Mode.KEYS


def test_six_phrases_are_said_with_two_keys():
    for number, phrase in enumerate(PHRASES, 1):
        assert watching().press("t", str(number)) == (Spoke(0, phrase),)
    desk = watching()
    desk.press("t")
    assert PHRASES[0] in desk.text()
    desk.press("7", "1")
    assert desk.state.typing.text == "71"


def test_where_free_talk_is_off_only_the_phrases_are_said():
    quiet = watching(of=replace(game(), options=Option.NO_FREE_CHAT))
    quiet.press("t")
    quiet.type("hello")
    assert quiet.press(Key.ENTER) == ()
    assert "six phrases" in quiet.input
    assert quiet.press("t", "2") == (Spoke(0, PHRASES[1]),)
    assert quiet.line("say " + PHRASES[0]) == (Spoke(0, PHRASES[0]),)


def test_what_is_too_long_is_not_said():
    desk = watching()
    desk.press("t")
    desk.client.pasted("é" * 150, desk.now_s)
    assert desk.press(Key.ENTER) == ()
    assert "too long" in desk.input
    assert desk.line("say") == ()


def test_the_person_who_is_asked_is_the_one_who_speaks():
    two = game((seat(0, 0), seat(1, 1)))
    two = replace(two, position=replace(two.position, turn=1))
    desk = asked(Card.ONE, two.position.pawns, of=two)
    assert desk.line("say x") == (Spoke(0, "x"),)


def test_what_a_muted_person_says_is_not_shown_whether_by_key_or_by_name():
    desk = watching()
    desk.show(view(game()), Said("Bob", 1, "nasty"))
    assert "nasty" in desk.text()
    desk.press("x")
    assert "nasty" not in desk.text()
    desk.show(view(game()), Said("Bob", 1, "nastier"))
    assert "nastier" not in desk.text()
    desk.press("x")
    assert "nasty" in desk.text()
    assert "nastier" not in desk.text()
    desk.line("mute bob")
    desk.line("unmute")
    assert "nasty" in desk.text()
    desk.line("mute blue")
    assert "nasty" not in desk.text()
    desk.line("unmute BOB")
    assert "nasty" in desk.text()


def test_muting_needs_somebody():
    desk = watching()
    desk.press("x")
    assert "Nobody has spoken" in desk.input
    desk.line("mute red")
    assert "Write whom" in desk.input
    desk = Desk()
    desk.line("mute blue")
    assert "Write whom" in desk.client._screen.state.message


def test_phrases_are_shown_in_words_and_hostile_talk_as_visible_escapes():
    desk = watching()
    desk.show(view(game()), Said("Bob", 1, PHRASES[2]), Said("Bob", 1, "\x1b[2J\u202e"))
    assert PHRASES[2] in desk.text()
    assert "\\x1b[2J" in desk.text()


def test_a_bracketed_paste_goes_into_a_line_and_plays_nothing():
    desk = asked(Card.TEN, TEN)
    desk.client.pasted("1\n", desk.now_s + 1)
    assert "plays nothing" in desk.input
    desk.press("/")
    assert desk.client.pasted("r1 10\n", desk.now_s + 1).happenings == ()
    assert desk.state.typing.text == "r1 10"
    assert desk.press(Key.ENTER) == PLAYED


def test_a_paste_as_keys_leaves_its_line_open():
    desk = asked(Card.TEN, TEN)
    desk.press("/")
    assert desk.press(*"r1 10", Key.ENTER, Key.ENTER, after_s=0.001) == ()
    assert desk.press(Key.ENTER) == PLAYED


def test_a_line_of_the_lobby_is_a_command_there():
    desk = Desk().show(in_lobby(lobby()))
    assert len(desk.line("ready")) == 1
    desk.line("dance")
    assert "do not know" in desk.text()
    desk.line("age old")
    assert "An age is a number" in desk.text()
    desk.press("/", "u", "n", "r", Key.TAB)
    assert desk.state.typing.text == "unready"


def test_the_caret_moves_and_signs_are_taken_away():
    typing = line("abc")
    assert edited(typing, Key.BACKSPACE) == Typing("ab", 2)
    assert edited(edited(typing, Key.HOME), Key.DELETE) == Typing("bc", 0)
    assert edited(edited(typing, Key.LEFT), Key.LEFT) == Typing("abc", 1)
    assert edited(edited(typing, Key.HOME), Key.LEFT) == Typing("abc", 0)
    assert edited(edited(edited(typing, Key.HOME), Key.RIGHT), Key.END) == typing
    assert edited(Typing(), Key.BACKSPACE) == Typing()
    assert edited(typing, Key.UP) == typing
    assert inserted(Typing("ac", 1), "b") == Typing("abc", 2)


def test_a_line_has_a_greatest_length_and_no_control_in_it():
    assert len(inserted(Typing(), "x" * 999).text) == LONGEST
    assert inserted(Typing(), "a\n\tb\x1b").text == "a b\\x1b"


def test_completion_goes_as_far_as_all_agree():
    assert completed(line("un"), ("unmute", "unready")).text == "un"
    assert completed(line("unm"), ("unmute", "unready")).text == "unmute"
    assert completed(line("x"), ("unmute",)) == line("x")
    assert fitting(line("R"), ("r1 10", "b1 2")) == ("r1 10",)

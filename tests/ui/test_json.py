"""JSON lines: every line that can be written fits docs/json.md, every line that is read is obeyed or answered."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorry_lan.rules.board import START, safe, track
from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import Backward, Forward, LeaveStart
from sorry_lan.rules.profile import PROFILES
from sorry_lan.table.events import (
    BotSeated,
    DrawAsked,
    LeaveAsked,
    Ready,
    RematchAsked,
    RulesChosen,
    SeatChanged,
    SeatClosed,
    SeatDecided,
    SeatOpened,
    Spoke,
)
from sorry_lan.table.news import GameStarted, Said
from sorry_lan.table.phrases import PHRASES
from sorry_lan.table.view import Phase
from sorry_lan.ui.answers import Stay
from sorry_lan.ui.json_session import JsonSession
from sorry_lan.wire.messages import LobbyKind
from sorry_lan.wire.terms import Option
from tests.ui.build import at, choose, draw, game, in_lobby, lobby, lobby_seat, seat, view
from tests.ui.every_news import NEWS, NOTICES, named
from tests.ui.hostile import HOSTILE
from tests.ui.schema import SHAPES, check_line

GAME = at(game(), [(track(22), START, safe(2)), (track(32), START, START)])
TEN = choose(GAME, Card.TEN)
FIVE = choose(GAME, Card.FIVE)
HERE = lobby((lobby_seat(0, "Ada", person=0), lobby_seat(1, "Bob"), lobby_seat(2, kind=LobbyKind.OPEN)))


def session(*pictures):
    made = JsonSession()
    for picture in pictures:
        made.picture(picture, ())
    return made


def obey(made, **said):
    return made.typed(json.dumps(said))


def every_line():
    made = JsonSession()
    lines = list(made.greeting())
    for item, picture in NEWS:
        lines += made.picture(picture, (item,))
    for notice in NOTICES:
        lines += made.noticed(notice)
    for picture in (draw(GAME), TEN, FIVE, in_lobby(HERE)):
        lines += JsonSession().picture(picture, ())
    return (*lines, *made.typed("{").lines)


def test_every_line_fits_the_page_and_every_type_of_the_page_is_written():
    parts = {"lobby_seat", "seat", "choice", "reason"}
    seen = {check_line(line)["type"] for line in every_line()}
    assert seen == set(SHAPES) - parts


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_are_harmless_even_after_decoding(text):
    made = JsonSession()
    lines = [*made.picture(named(text), (Said(text, 1, text),))]
    seats = tuple(replace(s, name=text) for s in HERE.seats)
    lines += made.picture(in_lobby(replace(HERE, title=text, seats=seats)), ())
    for line in lines:
        found = check_line(line)
        assert all(value.isprintable() for value in _strings(found))


def _strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)


def test_a_question_holds_all_that_a_player_needs():
    prompt = check_line(JsonSession().picture(TEN, ())[0])
    assert [choice["move"] for choice in prompt["choices"]] == ["r2 10", "r1 10", "r1 -1", "r3 -1"]
    assert prompt["positions"] == {"red": ["sq:22", "start", "safe:2"], "blue": ["sq:32", "start", "start"]}
    assert prompt["pile"]["sorry"] == 4
    five = check_line(JsonSession().picture(FIVE, ())[0])
    assert [why["reason"] for why in five["not_possible"]] == ["overshoot"]


def test_drawing():
    assert obey(session(draw(GAME)), type="draw").happenings == (DrawAsked(0),)
    assert obey(session(draw(GAME)), type="draw", k=1, seat=0).happenings == (DrawAsked(0),)


def test_playing_by_notation_and_by_number():
    assert obey(session(TEN), type="play", k=1, move="r1 10").happenings == (
        SeatDecided(0, 1, Card.TEN, Forward(1, 10)),
    )
    assert obey(session(TEN), type="play", k=1, choice=1).happenings == (SeatDecided(0, 1, Card.TEN, LeaveStart(2)),)
    assert obey(session(TEN), type="play", k=1, move="r1 -1", seat=0).happenings == (
        SeatDecided(0, 1, Card.TEN, Backward(1, 1)),
    )


def test_one_question_takes_one_answer():
    made = session(TEN)
    assert obey(made, type="play", k=1, choice=1).happenings
    assert obey(made, type="play", k=1, choice=1).happenings == ()
    assert made.picture(TEN, ()) == ()


@pytest.mark.parametrize(
    "said",
    [
        {"type": "play", "choice": 1},
        {"type": "play", "k": 2, "choice": 1},
        {"type": "play", "k": 1, "choice": 0},
        {"type": "play", "k": 1, "choice": 5},
        {"type": "play", "k": 1, "choice": -1},
        {"type": "play", "k": 1},
        {"type": "play", "k": 1, "move": "r3 10"},
        {"type": "play", "k": 1, "move": "zz"},
        {"type": "play", "k": 1, "move": 5},
        {"type": "play", "k": 1, "choice": 1, "seat": 1},
        {"type": "draw"},
        {"type": "rematch"},
        {"type": "ready"},
        {"type": "say"},
        {"type": "say", "text": ""},
        {"type": "say", "text": "x" * 201},
        {"type": "say", "text": "\ud800"},
        {"type": "say", "text": 5},
        {"type": "say", "phrase": 0},
        {"type": "say", "phrase": 7},
        {"type": "say", "phrase": "1"},
        {"type": "say", "text": "x", "person": "me"},
        {"type": "dance"},
        {"type": None},
        {"type": ["play"]},
        {},
        [],
        "play",
        5,
        None,
    ],
)
def test_what_cannot_be_obeyed_is_answered_and_the_question_stays(said):
    made = session(TEN)
    answer = made.typed(json.dumps(said))
    assert answer.happenings == ()
    assert [check_line(line)["type"] for line in answer.lines] == ["error"]
    assert obey(made, type="play", k=1, choice=1).happenings


@pytest.mark.parametrize(
    "line", ["{", "nonsense", '{"type":1.5}', '{"type":NaN}', "[" * 100_000, '{"k":' + "9" * 5000 + "}"]
)
def test_what_is_no_json_is_answered(line):
    answer = session(TEN).typed(line)
    assert [check_line(found)["type"] for found in answer.lines] == ["error"]


@given(st.text(max_size=60))
def test_no_line_whatever_breaks_the_stream(line):
    made = session(TEN)
    for found in made.typed(line).lines:
        check_line(found)


@given(
    st.dictionaries(
        st.sampled_from(
            ["type", "k", "choice", "move", "seat", "person", "text", "name", "colour", "age", "level", "set"]
        ),
        st.one_of(
            st.none(),
            st.booleans(),
            st.integers(),
            st.text(max_size=8),
            st.lists(st.integers(), max_size=2),
            st.sampled_from(["play", "say", "ready", "name", "colour", "age", "bot", "rule", "rules", "kick"]),
        ),
        max_size=6,
    )
)
def test_no_object_whatever_breaks_the_stream(said):
    for made in (session(TEN), session(in_lobby(HERE)), session()):
        for line in made.typed(json.dumps(said)).lines:
            check_line(line)


def test_an_empty_line_is_nothing():
    assert session(TEN).typed("  ").lines == ()


@pytest.mark.parametrize(
    ("said", "happening"),
    [
        ({"type": "ready"}, SeatChanged(0, ready=Ready.YES)),
        ({"type": "unready"}, SeatChanged(0, ready=Ready.NO)),
        ({"type": "name", "name": "Zoë"}, SeatChanged(0, name="Zoë")),
        ({"type": "colour", "colour": "green"}, SeatChanged(0, colour=3)),
        ({"type": "age", "age": 9}, SeatChanged(0, age=9)),
        ({"type": "bot"}, BotSeated(None, 0)),
        ({"type": "bot", "colour": "yellow", "level": "easy"}, BotSeated(2, 0)),
        ({"type": "bot", "level": "hard"}, BotSeated(None, 2)),
        ({"type": "close", "colour": "yellow"}, SeatClosed(2)),
        ({"type": "open"}, SeatOpened(None)),
        ({"type": "kick", "colour": "blue"}, SeatOpened(1)),
        ({"type": "rules", "profile": "classic"}, RulesChosen(PROFILES["classic"])),
        ({"type": "rule", "set": "slide_on=own"}, RulesChosen(PROFILES["standard"])),
        ({"type": "say", "text": "hello"}, Spoke(0, "hello")),
    ],
)
def test_the_lobby_is_obeyed(said, happening):
    assert session(in_lobby(HERE)).typed(json.dumps(said)).happenings == (happening,)


def test_several_people_are_told_apart():
    both = replace(HERE, seats=(lobby_seat(0, "Ada", person=0), lobby_seat(1, "Bob", person=1)))
    assert obey(session(in_lobby(both)), type="name", name="Rob", person=1).happenings == (SeatChanged(1, name="Rob"),)


def test_words_of_the_lobby_that_do_nothing_are_errors():
    for said in ({"type": "colour", "colour": "pink"}, {"type": "name", "name": ["x"]}, {"type": "rules"}):
        lines = session(in_lobby(HERE)).typed(json.dumps(said)).lines
        assert [check_line(line)["type"] for line in lines] == ["error"]


def test_the_lobby_is_written_once_for_each_change():
    made = session(in_lobby(HERE))
    assert made.picture(in_lobby(HERE), ()) == ()
    assert made.picture(in_lobby(replace(HERE, title="x")), ())


def test_a_question_for_a_new_step_is_a_new_question():
    made = session(draw(GAME))
    obey(made, type="draw")
    assert made.picture(draw(replace(GAME, k=2)), ())
    assert obey(made, type="draw").happenings


def test_two_people_here_are_both_answered_for():
    two = at(game((seat(0, 0), seat(1, 1))), [(START,) * 3] * 2, turn=1)
    assert obey(session(draw(two)), type="draw", seat=1).happenings == (DrawAsked(1),)


def test_leaving_and_the_end_of_input():
    for answer in (obey(session(TEN), type="leave"), session().ended()):
        assert answer.stay is Stay.LEAVE
        assert answer.happenings == (LeaveAsked(),)


def test_a_rematch_after_the_end():
    assert obey(session(view(GAME, Phase.OVER)), type="rematch").happenings == (RematchAsked(),)


def test_lines_that_are_no_text_are_errors():
    for answer in (JsonSession().undecodable(), JsonSession().overlong()):
        assert [check_line(line)["type"] for line in answer.lines] == ["error"]


def test_phrases_are_said_by_number_and_are_all_that_a_table_without_free_chat_takes():
    strict = (draw(replace(GAME, options=Option.NO_FREE_CHAT)), in_lobby(replace(HERE, options=Option.NO_FREE_CHAT)))
    for picture in strict:
        made = session(picture)
        assert obey(made, type="say", phrase=3).happenings == (Spoke(0, PHRASES[2]),)
        assert obey(made, type="say", text=PHRASES[0]).happenings == (Spoke(0, PHRASES[0]),)
        assert [check_line(line)["type"] for line in obey(made, type="say", text="hello").lines] == ["error"]
    assert obey(session(draw(GAME)), type="say", text="hello").happenings == (Spoke(0, "hello"),)
    assert obey(JsonSession(), type="say", text="hello").happenings == (Spoke(0, "hello"),)
    assert obey(session(replace(draw(GAME), game=None)), type="say", text="a").happenings == (Spoke(0, "a"),)


def test_what_a_table_forbids_is_told_in_lobby_and_start():
    all_three = Option.NO_HINTS | Option.NO_WATCHERS | Option.NO_FREE_CHAT
    lines = session().picture(in_lobby(replace(HERE, options=all_three)), ())
    assert check_line(lines[0])["forbids"] == ["hints", "watchers", "free_chat"]
    lines = session().picture(draw(replace(GAME, options=Option.NO_HINTS)), (GameStarted(GAME.game_id),))
    assert check_line(lines[0])["forbids"] == ["hints"]
    assert check_line(session().picture(in_lobby(HERE), ())[0])["forbids"] == []

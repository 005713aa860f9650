"""Positions to step back through, and the log's memory."""

from __future__ import annotations

from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import LeaveStart
from sorry_lan.table.news import GoneOnWithoutUs, OfferedToGoOn, Played
from sorry_lan.ui.draw_game import log_rows
from sorry_lan.ui.log import LONGEST, Log
from sorry_lan.ui.moments import Moments
from sorry_lan.wire.terms import Why
from tests.ui.build import GAME_ID, drawn, game, played, view


def a_move() -> Played:
    _, (item, *_rest) = played(game(), Card.ONE, LeaveStart(1))
    assert isinstance(item, Played)
    return item


def test_a_game_met_with_a_move_begins_before_it():
    moments = Moments()
    assert not moments.known
    assert moments.latest is None
    moments.add(a_move())
    assert moments.place == (2, 2)
    moments.look(-1)
    assert moments.seen is not None
    assert moments.seen.position == game().position
    assert moments.seen.seat is None


def test_who_looks_back_stays_there_while_the_game_goes_on():
    moments = Moments()
    moments.begin(game().position, 0)
    moments.add(a_move())
    moments.look(-1)
    moments.add(a_move())
    assert moments.place == (1, 3)
    moments.look(1)
    assert moments.place == (2, 3)
    moments.look(5)
    assert moments.seen is None


def test_the_log_forgets_its_oldest_sentences():
    log = Log()
    for number in range(LONGEST + 5):
        log.add(str(number))
    assert [log.lines()[0].text, len(log.lines())] == ["5", LONGEST]


def test_a_move_whose_card_was_not_seen_is_told_all_the_same():
    log = Log()
    log.hear(a_move(), view(game()))
    assert log.lines()[-1].text.startswith("Ada (Red) drew 1: R1 comes out")
    log.hear(drawn(game(), Card.ONE), view(game()))
    log.hear(a_move(), view(game()))
    assert len(log.lines()) == 2


def test_the_log_of_the_screen_names_keys_and_not_the_words_of_plain_mode():
    log = Log()
    log.hear(GoneOnWithoutUs(GAME_ID), view(game()))
    log.hear(OfferedToGoOn(None, (1,), (), Why.UNREACHABLE), view(game()))
    assert [told.text for told in log.lines()] == [
        "The others went on without you. Press y to ask for your seat back.",
        "Bob is away.",
    ]


def test_of_a_sentence_that_is_too_long_for_the_log_its_beginning_is_shown():
    log = Log()
    log.add("first")
    log.add("one two three four five six")

    def rows(count: int) -> list[str]:
        return [text.strip() for _told, text in log_rows(log.lines(), 14, count)]

    assert rows(1) == ["one two .."]
    assert rows(2) == ["one two", "three fo.."]
    assert rows(4) == ["first", "one two", "three four", "five six"]

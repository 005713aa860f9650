"""Every piece of news has its sentences, and no peer's word in them has any power."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from sorry_lan.rules.cards import Card
from sorry_lan.table import news as w
from sorry_lan.table import view as v
from sorry_lan.ui.texts_news import news_lines
from tests.ui.build import WORDS, game, in_lobby, lobby, lobby_seat, seat, view
from tests.ui.every_news import GAME, IN_GAME, IN_LOBBY, NEWS, NEWS_KINDS, NOTICE_KINDS, NOTICES, named
from tests.ui.hostile import HOSTILE


def test_no_sort_of_news_or_notice_is_left_out_here():
    assert {type(item) for item, _view in NEWS} == NEWS_KINDS
    assert {type(notice) for notice in NOTICES} == NOTICE_KINDS


@pytest.mark.parametrize(("item", "picture"), NEWS)
def test_news_is_whole_sentences(item, picture):
    lines = news_lines(item, picture)
    assert bool(lines) is not isinstance(item, w.LobbyChanged)
    for line in lines:
        assert "{" not in line
        assert line.isprintable()
        assert line[-1] in ".!)o:" or "sorry-lan " in line


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_and_words_are_made_visible(text):
    for item, _picture in NEWS:
        changed = {name: text for name in ("name", "text") if name in {field.name for field in fields(item)}}
        for line in news_lines(replace(item, **changed), named(text)):
            assert line.isprintable()


def test_who_made_a_card_is_said_by_name():
    item = w.CardDrawn(1, 0, Card.TEN, (0, 1, 2), 44, reshuffled=False)
    assert news_lines(item, IN_GAME) == ("Ada (Red) drew 10, made by Ada, Bob and Robo.",)


def test_a_new_pile_is_announced_before_its_first_card():
    item = w.CardDrawn(46, 0, Card.TEN, (0, 1), 44, reshuffled=True)
    assert news_lines(item, IN_GAME)[0] == "The pile was empty, so all cards were shuffled again."


def test_the_lot_tells_words_and_who_begins():
    assert news_lines(w.LotCast(WORDS, 1, v.FirstBy.AGE), IN_GAME) == (
        "Check words: maple otter tulip. Read them out: where all have the same, nobody sits in between.",
        "Bob (Blue) begins, being the youngest.",
    )


def test_a_relay_is_named():
    assert news_lines(w.PresenceChanged(1, v.Presence.RELAYED, 0), IN_GAME) == (
        "Bob (Blue) is reached through Ada (Red).",
    )


def test_news_of_a_game_without_its_picture_says_nothing():
    assert news_lines(w.Won(0, 3), IN_LOBBY) == ()
    assert news_lines(w.LobbyChanged(), view(game())) == ()
    assert news_lines(w.LobbyChanged(), in_lobby(lobby((lobby_seat(0, "Ada"),)))) == ()


def test_the_start_names_players_and_rules():
    assert news_lines(w.GameStarted(GAME.game_id), IN_GAME) == (
        "The game begins: Ada (Red), Bob (Blue) and Robo (Yellow). Rules: standard.",
    )


def test_nobody_is_waited_for_once_a_game_is_over():
    over = view(game(), v.Phase.OVER)
    lost = w.PresenceChanged(1, v.Presence.RECONNECTING, None)
    assert news_lines(lost, over) == ("Bob (Blue) is no longer connected.",)
    assert news_lines(replace(lost, presence=v.Presence.AWAY), over) == ()


@pytest.mark.parametrize(
    ("people", "then"), [(2, "you may save the game."), (3, "the others may go on."), (4, "the others may go on.")]
)
def test_who_is_away_is_waited_for_and_it_is_said_how_long(people, then):
    made = game(tuple(seat(index) for index in range(people)))
    told = news_lines(w.PresenceChanged(1, v.Presence.AWAY, None), view(made))
    assert told == (f"Bob (Blue) is away, 0:10 so far. The seat is kept; from 1:00 on {then}",)

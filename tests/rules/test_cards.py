"""The deck and the names of the cards."""

from __future__ import annotations

import pytest

from sorry_lan.rules.cards import CARDS, Card, card_label, full_deck, parse_card
from sorry_lan.rules.profile import PROFILES, with_switch
from tests.rules.build import STANDARD


def test_there_are_eleven_faces_and_neither_a_6_nor_a_9() -> None:
    assert [int(card) for card in CARDS] == [1, 2, 3, 4, 5, 7, 8, 10, 11, 12, 13]


@pytest.mark.parametrize("name", PROFILES)
def test_the_deck_holds_45_cards(name: str) -> None:
    assert full_deck(PROFILES[name]) == (5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4)


def test_with_four_ones_the_deck_holds_44() -> None:
    assert full_deck(with_switch(STANDARD, "ones=4")) == (4,) * 11


def test_names_of_cards_read_back() -> None:
    assert [card_label(card) for card in CARDS] == ["1", "2", "3", "4", "5", "7", "8", "10", "11", "12", "sorry"]
    assert [parse_card(card_label(card)) for card in CARDS] == list(CARDS)


@pytest.mark.parametrize("text", ["", "6", "9", "13", "Sorry", "01", "x" * 500])
def test_other_names_are_refused_in_a_short_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no card; the cards are 1, 2") as caught:
        parse_card(text)
    assert len(str(caught.value)) < 140


def test_a_card_is_its_code() -> None:
    assert Card(13) is Card.SORRY

"""The cards: their codes, their names and how many of each are in the deck (R15). No effects here."""

from __future__ import annotations

from enum import IntEnum, unique
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # profile.py needs Card at run time; the other way round a name is enough
    from sorry_lan.rules.profile import Rules


@unique
class Card(IntEnum):
    """A card's face; the value is its code on the wire and, for all but Sorry!, its number."""

    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SEVEN = 7
    EIGHT = 8
    TEN = 10
    ELEVEN = 11
    TWELVE = 12
    SORRY = 13


CARDS: Final[tuple[Card, ...]] = tuple(Card)
"""The eleven faces, ascending by code."""


def full_deck(rules: Rules) -> tuple[int, ...]:
    """How many of each face the whole deck holds, in the order of CARDS (45 cards, or 44 with four 1s)."""
    return tuple(rules.ones if card is Card.ONE else 4 for card in CARDS)


def card_label(card: Card) -> str:
    """The card's name: "1" to "12", or "sorry"."""
    return "sorry" if card is Card.SORRY else str(int(card))


_BY_LABEL: Final = {card_label(card): card for card in CARDS}


def parse_card(text: str) -> Card:
    """The card of that name; ValueError names them all."""
    card = _BY_LABEL.get(text)
    if card is None:
        shown = ascii(text if len(text) <= 40 else text[:37] + "...")
        raise ValueError(f"{shown} is no card; the cards are {', '.join(_BY_LABEL)}.")
    return card

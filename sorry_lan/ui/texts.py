"""The words that all other sentences are made of: colours, seats, pawns, places, cards, lists of names.

Names pass `shown` here, so nobody else has to think of it. Sentences stand in the texts_* modules beside this one.
"""

from __future__ import annotations

from collections.abc import Sequence

from sorry_lan.rules.board import HOME, SAFE, START, Colour, is_outer, to_home
from sorry_lan.rules.cards import Card
from sorry_lan.rules.position import Position
from sorry_lan.table.view import GameView
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.shown import NAME_CELLS, shown


def colour_text(colour: int) -> str:
    """The colour's name with a capital."""
    return (_("Red"), _("Blue"), _("Yellow"), _("Green"))[colour]


def level_text(level: int) -> str:
    """A bot level's name."""
    return (_("easy"), _("medium"), _("hard"), _("expert"))[level]


def name_text(name: str) -> str:
    """A name, fit for output."""
    return shown(name, NAME_CELLS)


def named(name: str, colour: int) -> str:
    """A name with its colour, as in "Ada (Red)"."""
    return _("{name} ({colour})").format(name=name_text(name), colour=colour_text(colour))


def seat_text(game: GameView, seat: int) -> str:
    """Who sits there, as in "Ada (Red)"."""
    return named(game.seats[seat].name, game.seats[seat].colour)


def names_text(game: GameView, seats: Sequence[int]) -> str:
    """The names of these seats, as in "Ada, Bob and Chloe"."""
    return list_text([name_text(game.seats[seat].name) for seat in seats])


def list_text(parts: Sequence[str]) -> str:
    """A list in a sentence; empty for none."""
    if len(parts) < 2:
        return "".join(parts)
    return _("{some} and {last}").format(some=", ".join(parts[:-1]), last=parts[-1])


def pawn_text(position: Position, seat: int, pawn: int) -> str:
    """A pawn as board, list and log name it: colour letter and number, as in "R1"."""
    return f"{Colour(position.colours[seat]).letter.upper()}{pawn}"


def place_text(loc: int) -> str:
    """A place inside a sentence; outer squares are their bare number."""
    if loc == START:
        return _("Start")
    if loc == HOME:
        return _("Home")
    if is_outer(loc):
        return str(loc - 1)
    return _("safe {n}").format(n=loc - HOME + SAFE)


def card_text(card: Card) -> str:
    """A card's face."""
    return "Sorry!" if card is Card.SORRY else str(int(card))


def a_card_text(card: Card) -> str:
    """A card's face with its article."""
    if card is Card.SORRY:
        return _("a Sorry!")
    return (_("an {n}") if card in (Card.EIGHT, Card.ELEVEN) else _("a {n}")).format(n=int(card))


def whereabouts_text(position: Position, seat: int, pawn: int) -> str:
    """Where a pawn in play is and how far it has to go, as in "R1 on square 22 (43 to Home)"."""
    loc = position.pawns[seat][pawn - 1]
    square = _("square {n}").format(n=loc - 1) if is_outer(loc) else place_text(loc)
    return _("{pawn} on {square} ({left} to Home)").format(
        pawn=pawn_text(position, seat, pawn), square=square, left=to_home(Colour(position.colours[seat]), loc)
    )

"""What one step does to board, pile and head, given its secret and its action; no signatures ([F-7] to [F-14]).

The same few functions play a live table, the bots' corpus of engine.py, and a file under verification.
"""

from __future__ import annotations

from dataclasses import dataclass

from sorry_lan.fair.draw import Pile, check_words, draw_card, first_seat
from sorry_lan.fair.entry import auto_id, encode_snapshot, head_after_lot, head_next, state_digest
from sorry_lan.rules.board import Colour
from sorry_lan.rules.cards import Card, full_deck
from sorry_lan.rules.engine import choices, play
from sorry_lan.rules.moves import Move, to_action
from sorry_lan.rules.position import Position, setup
from sorry_lan.rules.profile import Rules


@dataclass(frozen=True, slots=True)
class Standing:
    """Everything public between two steps; `k` is the step that comes next."""

    k: int
    head: bytes
    position: Position
    pile: Pile


@dataclass(frozen=True, slots=True)
class Lot:
    """What the secret of step 0 says: the check words, and who begins."""

    words: tuple[str, str, str]
    first: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """What the secret of a later step says: the card, the pile without it, and what may be done with it.

    `reshuffled`: the pile was empty, so the whole deck was made the new pile first.
    """

    card: Card
    pile: Pile
    reshuffled: bool
    choices: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Applied:
    """A counted step; seat, card and move are None for step 0.

    `position`, `pile` and their digest `state` are those after the step, `head` is that of the next one.
    """

    k: int
    seat: int | None
    card: Card | None
    move: Move | None
    reshuffled: bool
    position: Position
    pile: Pile
    state: bytes
    head: bytes

    @property
    def after(self) -> Standing:
        """Where the next step begins."""
        return Standing(self.k + 1, self.head, self.position, self.pile)


def opening(rules: Rules, colours: tuple[Colour, ...], head: bytes) -> Standing:
    """Before step 0; until the lot is cast the turn stands at seat 0."""
    return Standing(0, head, setup(rules, colours, 0), full_deck(rules))


def cast_lot(secret: bytes, agreed_first: int | None, seats: int) -> Lot:
    """The outcome of step 0; `agreed_first` is the seat that the table names, or None ([F-7])."""
    return Lot(check_words(secret), first_seat(secret, seats) if agreed_first is None else agreed_first)


def begin(standing: Standing, rules: Rules, secret: bytes, lot: Lot) -> Applied:
    """Step 0, counted."""
    position = setup(rules, standing.position.colours, lot.first)
    state = state_digest(encode_snapshot(position, standing.pile))
    head = head_after_lot(standing.head, secret)
    return Applied(0, None, None, None, reshuffled=False, position=position, pile=standing.pile, state=state, head=head)


def begin_again(standing: Standing, secret: bytes) -> Applied:
    """Step 0 of a continuation, counted: it gives check words and changes nothing ([T-33])."""
    position, pile = standing.position, standing.pile
    state = state_digest(encode_snapshot(position, pile))
    head = head_after_lot(standing.head, secret)
    return Applied(0, None, None, None, reshuffled=False, position=position, pile=pile, state=state, head=head)


def pending(standing: Standing, rules: Rules, card: Card) -> Drawn:
    """The card that the parent left pending, which is already out of the pile ([F-41])."""
    return Drawn(card, standing.pile, reshuffled=False, choices=choices(standing.position, rules, card))


def draw(standing: Standing, rules: Rules, secret: bytes) -> Drawn:
    """The card of a step from 1 on, which the seat on turn has to answer."""
    card, pile = draw_card(secret, standing.pile, rules)
    return Drawn(card, pile, not any(standing.pile), choices(standing.position, rules, card))


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where an answer to a card leads, before it has an id; `state` is its digest."""

    move: Move
    position: Position
    state: bytes


def outcome(standing: Standing, rules: Rules, drawn: Drawn, move: Move) -> Outcome:
    """Where one of `drawn.choices` leads; IllegalMove for any other move."""
    position = play(standing.position, rules, drawn.card, move)
    return Outcome(move, position, state_digest(encode_snapshot(position, drawn.pile)))


def count(standing: Standing, secret: bytes, drawn: Drawn, result: Outcome, move_id: bytes) -> Applied:
    """The step, counted; `move_id` is entry_id of a signed MOVE or computed_id of a bot's."""
    head = head_next(standing.head, standing.k, secret, move_id)
    seat, position = standing.position.turn, result.position
    return Applied(
        standing.k, seat, drawn.card, result.move, drawn.reshuffled, position, drawn.pile, result.state, head
    )


def computed_id(result: Outcome) -> bytes:
    """The id of an action that every client computes."""
    return auto_id(to_action(result.move), result.state)

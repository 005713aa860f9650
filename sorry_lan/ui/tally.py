"""The game in numbers, counted from the news as they come: cards against expectation, bumps, slides, leaps.

Pure; judges nothing (texts_fairness.py words it). A client that took a game up again counts from there on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce

from sorry_lan.rules.board import EXIT, HOME, START, Colour, to_home
from sorry_lan.rules.cards import CARDS, Card, full_deck
from sorry_lan.rules.effects import Bumped, CameHome, LeftStart, Moved, Slid, Swapped, Swept
from sorry_lan.rules.moves import Backward, Decline, Forward, Sorry, Split
from sorry_lan.table.news import CardDrawn, GameStarted, News, Played, TakenUp
from sorry_lan.table.view import GameView

Pile = tuple[int, ...]
"""Counts of the eleven faces in the order of CARDS."""


@dataclass(frozen=True, slots=True)
class SeatTally:
    """What one seat did and suffered.

    Attributes:
        cards: cards drawn, by face. expected: how many of each the pile of each draw promised on average.
        turns: turns that ended. unused: cards that moved nothing.
        bumps_given, bumps_taken: pawns sent to Start, of others and by others. own_bumped: own pawns, by own slides.
        slides, swaps, sorries, steps: how often this seat's moves did that; steps counted forward and backward.
        home: pawns brought Home.
    """

    cards: Pile = (0,) * len(CARDS)
    expected: tuple[float, ...] = (0.0,) * len(CARDS)
    turns: int = 0
    unused: int = 0
    bumps_given: int = 0
    bumps_taken: int = 0
    own_bumped: int = 0
    slides: int = 0
    swaps: int = 0
    sorries: int = 0
    steps: int = 0
    home: int = 0

    @property
    def drawn(self) -> int:
        """Cards in all."""
        return sum(self.cards)


@dataclass(frozen=True, slots=True)
class Leap:
    """How much nearer to Home one move brought one pawn, in squares, a slide or swap included."""

    seat: int
    pawn: int
    k: int
    card: Card
    squares: int


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of all seats.

    Attributes:
        seats: by seat. pile: what is left after the last draw; None before anything is known.
        since_k: the step from which everything was counted; 1 is the whole game.
        longest: the longest leap of all.
    """

    seats: tuple[SeatTally, ...] = ()
    pile: Pile | None = None
    since_k: int = 1
    longest: Leap | None = None

    @property
    def drawn(self) -> int:
        """Cards of all seats."""
        return sum(seat.drawn for seat in self.seats)


def tally_with(tally: Tally, item: News, game: GameView) -> Tally:
    """The tally with one more piece of news; `game` is the picture it came with. A new game begins anew."""
    match item:
        case GameStarted():
            return Tally((SeatTally(),) * len(game.seats), full_deck(game.rules))
        case TakenUp(_game, k):
            return Tally((SeatTally(),) * len(game.seats), game.pile, k)
    seats = tally.seats or (SeatTally(),) * len(game.seats)
    known = replace(tally, seats=seats)
    match item:
        case CardDrawn():
            return _with_card(known, item, game)
        case Played():
            return _with_move(known, item)
        case _:
            return known


def _with_card(tally: Tally, item: CardDrawn, game: GameView) -> Tally:
    if tally.pile is not None and sum(tally.pile) == item.left and not item.reshuffled:
        return tally  # a card that was drawn at an earlier table and is played at the next one
    before = _pile_before(tally, item, game)
    total = sum(before)
    face = CARDS.index(item.card)
    left = tuple(count - (place == face) for place, count in enumerate(before))

    def drew(seat: SeatTally) -> SeatTally:
        return replace(
            seat,
            cards=tuple(count + (place == face) for place, count in enumerate(seat.cards)),
            expected=tuple(mean + count / total for mean, count in zip(seat.expected, before, strict=True)),
        )

    return replace(_changed(tally, item.seat, drew), pile=left)


def _pile_before(tally: Tally, item: CardDrawn, game: GameView) -> Pile:
    """The pile that this card came from: ours, or what the picture lets us work out, or else the whole deck."""
    if item.reshuffled:
        return full_deck(game.rules)
    face = CARDS.index(item.card)
    put_back = tuple(count + (place == face) for place, count in enumerate(game.pile))
    for pile in (tally.pile, game.pile, put_back):
        if pile is not None and sum(pile) == item.left + 1 and pile[face]:
            return pile
    return full_deck(game.rules)


def _with_move(tally: Tally, item: Played) -> Tally:
    over = item.after.turn != item.seat or item.after.winner is not None

    def moved(seat: SeatTally) -> SeatTally:
        return replace(
            seat,
            turns=seat.turns + over,
            unused=seat.unused + isinstance(item.move, Decline),
            sorries=seat.sorries + isinstance(item.move, Sorry),
            steps=seat.steps + _steps(item),
            slides=seat.slides + sum(isinstance(effect, Slid) for effect in item.effects),
            swaps=seat.swaps + sum(isinstance(effect, Swapped) for effect in item.effects),
            home=seat.home + sum(isinstance(effect, CameHome) for effect in item.effects),
        )

    lost = [effect.seat for effect in item.effects if isinstance(effect, Bumped | Swept)]
    changed = reduce(lambda so_far, victim: _bumped(so_far, item.seat, victim), lost, _changed(tally, item.seat, moved))
    return replace(changed, longest=_longer(tally.longest, item))


def _bumped(tally: Tally, mover: int, victim: int) -> Tally:
    if mover == victim:
        return _changed(tally, mover, lambda seat: replace(seat, own_bumped=seat.own_bumped + 1))
    given = _changed(tally, mover, lambda seat: replace(seat, bumps_given=seat.bumps_given + 1))
    return _changed(given, victim, lambda seat: replace(seat, bumps_taken=seat.bumps_taken + 1))


def _changed(tally: Tally, index: int, change: Callable[[SeatTally], SeatTally]) -> Tally:
    return replace(
        tally, seats=tuple(change(seat) if place == index else seat for place, seat in enumerate(tally.seats))
    )


def _steps(item: Played) -> int:
    match item.move:
        case Forward(_, n) | Backward(_, n):
            return n
        case Split(_, a, _, b):
            return a + b
        case _:
            return 0


def _longer(longest: Leap | None, item: Played) -> Leap | None:
    """The longer of the longest leap so far and those of this move; of equal ones the earlier."""
    colour = Colour(item.before.colours[item.seat])
    moved = {
        effect.pawn
        for effect in item.effects
        if isinstance(effect, LeftStart | Moved | Swapped) and effect.seat == item.seat
    }
    for pawn in sorted(moved):
        before, after = (position.pawns[item.seat][pawn - 1] for position in (item.before, item.after))
        squares = _to_go(colour, before) - _to_go(colour, after)
        if squares > (longest.squares if longest else 0):
            longest = Leap(item.seat, pawn, item.k, item.card, squares)
    return longest


def _to_go(colour: Colour, loc: int) -> int:
    """Squares to Home; Start is one behind its exit."""
    if loc == HOME:
        return 0
    return to_home(colour, EXIT[colour]) + 1 if loc == START else to_home(colour, loc)

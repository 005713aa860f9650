"""The moves as values, and their two written forms: actions on the wire and notation for people.

Whether a move is legal is the engine's question; the forms are those of SPEC.md [R-14] and docs/rules.md 4.6.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, assert_never

from sorry_lan.rules import fast
from sorry_lan.rules.board import START, Colour
from sorry_lan.rules.cards import Card
from sorry_lan.rules.misread import Misread
from sorry_lan.rules.position import Position


@dataclass(frozen=True, slots=True)
class LeaveStart:
    """A pawn comes out of Start (R1, R2). Pawn numbers are 1..4 everywhere."""

    pawn: int


@dataclass(frozen=True, slots=True)
class Forward:
    """A pawn in play counts n forward."""

    pawn: int
    n: int


@dataclass(frozen=True, slots=True)
class Backward:
    """A pawn in play counts n backward (R10, R11)."""

    pawn: int
    n: int


@dataclass(frozen=True, slots=True)
class Split:
    """A 7 over two pawns: `first` moves a, then `second` moves b (R9)."""

    first: int
    a: int
    second: int
    b: int


@dataclass(frozen=True, slots=True)
class Swap:
    """An 11 that exchanges an own pawn with pawn `target` of another seat (R12)."""

    pawn: int
    seat: int
    target: int


@dataclass(frozen=True, slots=True)
class Sorry:
    """A pawn from Start takes the place of pawn `target` of another seat (R14)."""

    pawn: int
    seat: int
    target: int


@dataclass(frozen=True, slots=True)
class Decline:
    """No move: nothing is legal, or an 11 is declined (R12, R18)."""


Move = LeaveStart | Forward | Backward | Split | Swap | Sorry | Decline


def to_action(move: Move) -> tuple[int, ...]:
    """The move's numbers on the wire; their order as (length, values) is the order of legal lists."""
    match move:
        case LeaveStart(pawn):
            return (fast.LEAVE, pawn)
        case Forward(pawn, n):
            return (fast.FORWARD, pawn, n)
        case Backward(pawn, n):
            return (fast.BACKWARD, pawn, n)
        case Split(first, a, second, b):
            return (fast.SPLIT, first, a, second, b)
        case Swap(pawn, seat, target):
            return (fast.SWAP, pawn, seat, target)
        case Sorry(pawn, seat, target):
            return (fast.SORRY, pawn, seat, target)
        case Decline():
            return fast.PASS
        case _:
            assert_never(move)


def from_action(seq: Sequence[int]) -> Move:
    """The move of an action; ValueError for numbers that no move of any game has.

    Pawns are 1..4, seats 0..3, steps 1..12; the parts of a split are 1..6, make 7 together and move two pawns.
    """
    if any(type(number) is not int for number in seq):
        raise ValueError("an action is a list of whole numbers.")
    match tuple(seq):
        case ():
            return Decline()
        case (fast.LEAVE, pawn) if _pawns(pawn):
            return LeaveStart(pawn)
        case (fast.FORWARD, pawn, n) if _pawns(pawn) and 1 <= n <= 12:
            return Forward(pawn, n)
        case (fast.BACKWARD, pawn, n) if _pawns(pawn) and n in (1, 4):
            return Backward(pawn, n)
        case (fast.SPLIT, p, a, q, b) if _pawns(p, q) and p != q and 1 <= a <= 6 and a + b == 7:
            return Split(p, a, q, b)
        case (fast.SWAP, pawn, seat, target) if _pawns(pawn, target) and 0 <= seat <= 3:
            return Swap(pawn, seat, target)
        case (fast.SORRY, pawn, seat, target) if _pawns(pawn, target) and 0 <= seat <= 3:
            return Sorry(pawn, seat, target)
        case _:
            raise ValueError("these numbers are no action.")


def to_text(move: Move, position: Position, card: Card) -> str:
    """The move in notation, as in "r1 10", "r1 -1", "7 r1 3 r2 4", "11 r1 b2", "sorry b2" or "pass"."""
    own = position.turn
    match move:
        case LeaveStart(pawn):
            return f"{_pawn_text(position, own, pawn)} {int(card)}"
        case Forward(pawn, n):
            return f"{_pawn_text(position, own, pawn)} {n}"
        case Backward(pawn, n):
            return f"{_pawn_text(position, own, pawn)} -{n}"
        case Split(first, a, second, b):
            return f"7 {_pawn_text(position, own, first)} {a} {_pawn_text(position, own, second)} {b}"
        case Swap(pawn, seat, target):
            return f"11 {_pawn_text(position, own, pawn)} {_pawn_text(position, seat, target)}"
        case Sorry(_, seat, target):
            return f"sorry {_pawn_text(position, seat, target)}"
        case Decline():
            return "pass"
        case _:
            assert_never(move)


_PAWN: Final = r"([rbyg])([1-4])"
_COUNT: Final = re.compile(rf"{_PAWN} ([+-]?)(\d{{1,2}})")
_SPLIT: Final = re.compile(rf"7 {_PAWN} ([1-6]) {_PAWN} ([1-6])")
_SWAP: Final = re.compile(rf"11 {_PAWN} {_PAWN}")
_SORRY: Final = re.compile(rf"sorry {_PAWN}")


def parse_text(text: str, position: Position, card: Card) -> Move:
    """The move of a notation; upper case and further spaces do not matter.

    ValueError with a sentence when it is no notation, names pawns that are not there, or does not belong to the card.
    A move that parses may still be illegal.
    """
    plain = " ".join(text.lower().split())
    if plain == "pass":
        return Decline()
    if found := _COUNT.fullmatch(plain):
        letter, number, sign, steps = found.groups()
        return _counted(position, card, _own(position, letter, number), int(steps), sign)
    if found := _SPLIT.fullmatch(plain):
        _needs(card, Card.SEVEN)
        first, second = _own(position, *found.group(1, 2)), _own(position, *found.group(4, 5))
        a, b = int(found[3]), int(found[6])
        if first == second or a + b != 7:
            raise Misread("A split moves two different pawns, 7 together.")
        return Split(first, a, second, b)
    if found := _SWAP.fullmatch(plain):
        _needs(card, Card.ELEVEN)
        pawn = _own(position, *found.group(1, 2))
        seat, target = _other(position, *found.group(3, 4))
        return Swap(pawn, seat, target)
    if found := _SORRY.fullmatch(plain):
        _needs(card, Card.SORRY)
        seat, target = _other(position, *found.group(1, 2))
        row = position.pawns[position.turn]
        if START not in row:
            raise Misread("Sorry! needs a pawn in Start.")
        return Sorry(row.index(START) + 1, seat, target)
    shown = ascii(text if len(text) <= 40 else text[:37] + "...")
    raise Misread(
        "{what} is no move; write for example r1 10, r1 -1, 7 r1 3 r2 4, 11 r1 b2, sorry b2 or pass.", {"what": shown}
    )


def _pawns(*numbers: int) -> bool:
    return all(1 <= number <= 4 for number in numbers)


def _pawn_text(position: Position, seat: int, pawn: int) -> str:
    return f"{position.colours[seat].letter}{pawn}"


def _counted(position: Position, card: Card, pawn: int, steps: int, sign: str) -> Move:
    if sign == "-":
        if (card, steps) not in ((Card.FOUR, 4), (Card.TEN, 1)):
            raise Misread("Only a 4 (4 steps) and a 10 (1 step) go backward.")
        return Backward(pawn, steps)
    if steps != (4 if card is Card.SORRY else card) or card is Card.FOUR:
        raise Misread("This card does not move a pawn {steps} forward.", {"steps": steps})
    if position.pawns[position.turn][pawn - 1] == START and card is not Card.SORRY:
        return LeaveStart(pawn)
    return Forward(pawn, steps)


def _needs(card: Card, wanted: Card) -> None:
    if card is wanted:
        return
    if wanted is Card.SORRY:
        raise Misread("That move needs a Sorry!.")
    if wanted is Card.ELEVEN:
        raise Misread("That move needs an {card}.", {"card": int(wanted)})
    raise Misread("That move needs a {card}.", {"card": int(wanted)})


def _seat_pawn(position: Position, letter: str, number: str) -> tuple[int, int]:
    seat = next((s for s, colour in enumerate(position.colours) if colour.letter == letter), None)
    if seat is None:
        missing = next(colour for colour in Colour if colour.letter == letter)
        raise Misread("Nobody plays {colour}.", {"colour": missing})
    if int(number) > len(position.pawns[seat]):
        pawn = f"{letter}{number}"
        raise Misread("There is no pawn {pawn}; each player has {n}.", {"pawn": pawn, "n": len(position.pawns[seat])})
    return seat, int(number)


def _own(position: Position, letter: str, number: str) -> int:
    seat, pawn = _seat_pawn(position, letter, number)
    if seat != position.turn:
        name = f"{letter}{number}"
        colour = position.colours[position.turn]
        raise Misread("{pawn} is not yours; it is the turn of {colour}.", {"pawn": name, "colour": colour})
    return pawn


def _other(position: Position, letter: str, number: str) -> tuple[int, int]:
    seat, pawn = _seat_pawn(position, letter, number)
    if seat == position.turn:
        raise Misread("{pawn} is your own pawn; name an opponent's.", {"pawn": f"{letter}{number}"})
    return seat, pawn

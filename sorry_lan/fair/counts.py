"""One game in numbers, seat by seat: cards drawn, pawns sent back and lost, who won. Believes what retold.py tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sorry_lan.fair.continuation import last_keys
from sorry_lan.fair.genesis import rules_of
from sorry_lan.fair.retold import Retold
from sorry_lan.fair.transcript import Ending
from sorry_lan.rules.cards import CARDS, full_deck
from sorry_lan.rules.effects import Bumped, Swept, effects_of


@dataclass(frozen=True, slots=True)
class SeatCounts:
    """What one seat did; `key` is the one it had when it was last human (32 zero bytes: never).

    Attributes:
        drawn: cards by face, in the order of CARDS. given: pawns of others it sent to Start. taken: its own that
            others did. What a seat sweeps off its own slide is neither.
    """

    name: str
    key: bytes
    drawn: tuple[int, ...]
    given: int
    taken: int


@dataclass(frozen=True, slots=True)
class GameCounts:
    """A whole game; `root` is the id of its first table, `deck` the whole deck by face, `winner` None where saved."""

    root: bytes
    deck: tuple[int, ...]
    winner: int | None
    seats: tuple[SeatCounts, ...]

    @property
    def turns(self) -> int:
        """Answered cards in all."""
        return sum(sum(seat.drawn) for seat in self.seats)


def counts_of(game: Retold) -> GameCounts:
    """The numbers of a game."""
    drawn: Counter[tuple[int, int]] = Counter()
    given: Counter[int] = Counter()
    taken: Counter[int] = Counter()
    for turn in game.turns:
        mover = turn.before.turn
        drawn[mover, turn.card] += 1
        for effect in effects_of(turn.before, turn.rules, turn.card, turn.move):
            if isinstance(effect, Bumped | Swept) and effect.seat != mover:
                given[mover] += 1
                taken[effect.seat] += 1
    seats = tuple(
        SeatCounts(line.name, key, tuple(drawn[seat, card] for card in CARDS), given[seat], taken[seat])
        for seat, (line, key) in enumerate(zip(game.tables[0].seats, last_keys(game.tables), strict=True))
    )
    winner = game.winner if game.ending is Ending.WON else None
    return GameCounts(game.root, full_deck(rules_of(game.tables[0])), winner, seats)


@dataclass(frozen=True, slots=True)
class Totals:
    """All games of the people who were called `name`, added up.

    Attributes:
        games: all of them. finished: those that somebody won. wins: by these people.
        chance: how many wins the same tables give on average to players who are all alike.
        drawn, given, taken: as SeatCounts. expected: how many cards of each face so many draws give on average.
    """

    name: str
    games: int
    finished: int
    wins: int
    chance: Fraction
    drawn: tuple[int, ...]
    expected: tuple[Fraction, ...]
    given: int
    taken: int


def totals_of(games: Sequence[GameCounts], keys: Collection[bytes]) -> tuple[Totals, ...]:
    """The totals of the seats with one of these keys, by name; who played most comes first."""
    seats = [(game, index) for game in games for index, seat in enumerate(game.seats) if seat.key in keys]
    names = {game.seats[index].name for game, index in seats}
    found = [_total(name, [(game, at) for game, at in seats if game.seats[at].name == name]) for name in names]
    return tuple(sorted(found, key=lambda total: (-total.games, total.name)))


def _total(name: str, seats: Sequence[tuple[GameCounts, int]]) -> Totals:
    over = [(game, index) for game, index in seats if game.winner is not None]
    mine = [(game, game.seats[index]) for game, index in seats]
    faces = range(len(CARDS))
    return Totals(
        name,
        games=len(seats),
        finished=len(over),
        wins=sum(game.winner == index for game, index in over),
        chance=sum((Fraction(1, len(game.seats)) for game, _ in over), Fraction(0)),
        drawn=tuple(sum(seat.drawn[face] for _, seat in mine) for face in faces),
        expected=tuple(
            sum((Fraction(sum(seat.drawn) * game.deck[face], sum(game.deck)) for game, seat in mine), Fraction(0))
            for face in faces
        ),
        given=sum(seat.given for _, seat in mine),
        taken=sum(seat.taken for _, seat in mine),
    )

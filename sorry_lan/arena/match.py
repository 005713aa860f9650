"""One match of bots: the same cards for every order of the bots around the table, so that luck is shared out evenly.

Pure: a deal follows from its number and the seed of the match. Cards are drawn as at a real table (fair/draw.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import Final, Protocol

from sorry_lan.bots.bench import bench
from sorry_lan.bots.choose import THINKERS
from sorry_lan.fair.draw import Pile, draw_card, first_seat
from sorry_lan.rules import fast
from sorry_lan.rules.board import Colour
from sorry_lan.rules.cards import CARDS, Card
from sorry_lan.rules.profile import Rules
from sorry_lan.wire.digest import pick, tagged_hash, u32

NOBODY: Final = -1
"""The winner of a game that was given up."""
MOST_STEPS: Final = 20_000
"""A game that takes more is given up and won by nobody; games between random players take some hundred."""

LineUp = tuple[int, ...]
"""Who sits at each seat, as a place in Match.kinds()."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot of some level, or with `level` None one that takes any choice, each as likely."""

    name: str
    level: int | None


@dataclass(frozen=True, slots=True)
class Match:
    """Who plays: an entrant for each seat, by these rules, with these colours in play; `seed` is 0..2**32-1."""

    entrants: tuple[Entrant, ...]
    rules: Rules
    colours: tuple[Colour, ...]
    seed: int

    def kinds(self) -> tuple[Entrant, ...]:
        """The entrants that differ, in the order given."""
        return tuple(dict.fromkeys(self.entrants))

    def line_ups(self) -> tuple[LineUp, ...]:
        """Every order of the entrants around the table that can be told from the others: 1 to 24."""
        kinds = self.kinds()
        return tuple(sorted(set(permutations(kinds.index(entrant) for entrant in self.entrants))))


@dataclass(frozen=True, slots=True)
class Result:
    """How one game ended: the winning seat or NOBODY, and after how many cards."""

    winner: int
    steps: int


class Deal:
    """The chances of one deal, step by step: the card and the secret of the step, whoever is on turn."""

    __slots__ = ("_match", "_number", "_pile", "_steps")

    def __init__(self, match: Match, number: int) -> None:
        self._match = match
        self._number = number
        self._pile: Pile = (0,) * len(CARDS)
        self._steps: list[tuple[Card, bytes]] = []

    def first(self) -> int:
        """The seat that begins."""
        return first_seat(self._secret(0), len(self._match.entrants))

    def step(self, k: int) -> tuple[Card, bytes]:
        """The card of step `k` (from 1) and its 32 bytes of chance."""
        while len(self._steps) < k:
            secret = self._secret(len(self._steps) + 1)
            card, self._pile = draw_card(secret, self._pile, self._match.rules)
            self._steps.append((card, secret))
        return self._steps[k - 1]

    def _secret(self, k: int) -> bytes:
        return tagged_hash("arena", u32(self._match.seed), u32(self._number), u32(k))


class Decider(Protocol):
    """Whoever answers cards for a seat."""

    def __call__(self, cells: fast.Cells, seat: int, card: int, secret: bytes, /) -> fast.Action:
        """One of the choices of that seat; `secret` is the step's only chance."""


def decider(entrant: Entrant, match: Match) -> Decider:
    """The bot that the entrant is."""
    core = fast.core(match.rules, match.colours)

    def any_choice(cells: fast.Cells, seat: int, card: int, secret: bytes) -> fast.Action:
        answers = core.choices(cells, seat, card)
        return answers[pick("bot", secret, len(answers))]

    if entrant.level is None:
        return any_choice
    return partial(THINKERS[entrant.level], bench(match.rules, match.colours, 0))


def play_deal(match: Match, number: int) -> tuple[Result, ...]:
    """A game over the cards of this deal for each of match.line_ups(), in their order."""
    return play_with(match, number, [decider(entrant, match) for entrant in match.kinds()])


def play_with(match: Match, number: int, deciders: Sequence[Decider]) -> tuple[Result, ...]:
    """The same with these in the places of match.kinds()."""
    deal = Deal(match, number)
    return tuple(play_game(match, [deciders[place] for place in line_up], deal) for line_up in match.line_ups())


def play_game(match: Match, deciders: Sequence[Decider], deal: Deal) -> Result:
    """One game over the cards of `deal`, with a decider at each seat."""
    core = fast.core(match.rules, match.colours)
    cells, seat, winner = core.opening, deal.first(), fast.NO_WINNER
    for k in range(1, MOST_STEPS + 1):
        card, secret = deal.step(k)
        cells, seat, winner = core.step(cells, seat, card, deciders[seat](cells, seat, card, secret))
        if winner != fast.NO_WINNER:
            return Result(winner, k)
    return Result(NOBODY, MOST_STEPS)

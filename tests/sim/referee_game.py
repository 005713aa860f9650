"""A game with its piles under the referee's rules (4.5, R15): draw, choose, discard, whose turn.

It knows no random numbers: whoever drives a `Game` says how a discard pile becomes a draw pile.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tests.sim.referee import (
    CARDS,
    NOBODY,
    Action,
    Board,
    Switches,
    draws_again,
    may_decline,
    moves,
    turn_after,
    winner,
)


def whole_deck(rules: Switches) -> list[int]:
    """All cards: four of each, but `ones` of the 1 (R15)."""
    return [card for card in CARDS for _ in range(rules.ones if card == 1 else 4)]


@dataclass
class Game:
    """One game with its piles; `pile` has the top card first. `reshuffled` turns a discard pile into a draw pile."""

    rules: Switches
    board: Board
    turn: str
    pile: list[int]
    reshuffled: Callable[[list[int]], list[int]]
    discard: list[int] = field(default_factory=list)
    in_play: int | None = None
    barred: frozenset[str] = NOBODY

    def draw(self) -> int:
        """Turn the top card, after a reshuffle if the pile is empty (4.5 step 1)."""
        if winner(self.board, self.barred) is not None or self.in_play is not None:
            raise ValueError("no card is due")
        if not self.pile:
            self.pile, self.discard = self.reshuffled(self.discard), []
        self.in_play = self.pile.pop(0)
        return self.in_play

    def legal(self) -> dict[Action, Board]:
        """The legal actions with the card in play."""
        if self.in_play is None:
            raise ValueError("no card is in play")
        return moves(self.rules, self.board, self.turn, self.in_play, self.barred)

    def choose(self, action: Action) -> None:
        """Carry the action out; () is no effect or declining (4.5 steps 2-5)."""
        legal = self.legal()
        card = self.in_play
        if card is None:
            raise ValueError("no card is in play")
        if action == ():
            if legal and not may_decline(self.rules, card, legal):
                raise ValueError("a move must be made")
        elif action in legal:
            self.board = legal[action]
        else:
            raise ValueError(f"illegal: {action}")
        self.discard.append(card)
        self.in_play = None
        again = draws_again(self.rules, card, legal)
        self.turn = turn_after(self.board, self.turn, self.barred, again=again) or self.turn

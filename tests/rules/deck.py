"""A game with a pile of cards, as small as the flows need it: the real one draws without a pile (docs/fairness.md)."""

from __future__ import annotations

from dataclasses import dataclass, field

from sorry_lan.rules.cards import CARDS, Card, full_deck
from sorry_lan.rules.engine import choices, play
from sorry_lan.rules.moves import Decline, Move, to_text
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import Rules


def whole_deck(rules: Rules) -> list[Card]:
    return [card for card, count in zip(CARDS, full_deck(rules), strict=True) for _ in range(count)]


@dataclass
class Game:
    """`pile` is drawn from its front; a discarded pile is not shuffled, so that the flows are fixed."""

    rules: Rules
    position: Position
    pile: list[Card]
    discard: list[Card] = field(default_factory=list)
    in_play: Card | None = None

    def draw(self) -> Card:
        if self.position.winner is not None or self.in_play is not None:
            raise ValueError("no card is due")
        if not self.pile:
            self.pile, self.discard = self.discard, []
        self.in_play = self.pile.pop(0)
        return self.in_play

    def answer(self, move: Move) -> None:
        if self.in_play is None:
            raise ValueError("no card is in play")
        self.position = play(self.position, self.rules, self.in_play, move)
        self.discard.append(self.in_play)
        self.in_play = None

    def named(self, notation: str) -> Move:
        """The move of that notation; the only one where the notation is empty."""
        assert self.in_play is not None
        found = choices(self.position, self.rules, self.in_play)
        if notation:
            found = tuple(move for move in found if to_text(move, self.position, self.in_play) == notation)
        (move,) = found
        return move

    def idle(self) -> bool:
        assert self.in_play is not None
        return choices(self.position, self.rules, self.in_play) == (Decline(),)

"""A bot of the package `apologies` at a table of ours: it sees our position as its own, and answers our card.

Its rules are its own in some places (it lets a pawn bump another in a safety zone, for instance). So it chooses among
those of its moves that lead where one of ours leads; the referee of the game is our engine alone.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Final

from sorry_lan.arena.match import Match
from sorry_lan.rules import fast
from sorry_lan.rules.board import HOME, OUTER, START
from sorry_lan.rules.cards import CARDS, Card, card_label

BOTS: Final = {"reward": "RewardV1InputSource", "random": "RandomInputSource"}
_LABELS: Final[Mapping[Card, str]] = {card: "A" if card is Card.SORRY else card_label(card) for card in CARDS}


class NoPackage(Exception):  # noqa: N818 - it says what is the case
    """The package is not installed, or is another version; the text is one sentence."""


def package() -> Any:
    """The package with its modules; NoPackage."""
    try:
        import apologies.game  # noqa: PLC0415 - may be missing
        import apologies.rules  # noqa: PLC0415 - as above
        import apologies.source  # noqa: PLC0415 - as above
    except ImportError as wrong:
        raise NoPackage(
            "The package apologies is not installed here; install it with: pip install 'sorry-lan[benchmark]'"
        ) from wrong
    return apologies


class TheirBot:
    """One of BOTS, as a Decider of the arena; `asked` and `differing` count how often the rules were not the same."""

    def __init__(self, match: Match, name: str) -> None:
        self._theirs = package()
        self._game = self._theirs.game
        self._bot = self._theirs.source.source(BOTS[name])
        self._rules = self._theirs.rules.Rules(self._game.GameMode.STANDARD)
        self._core = fast.core(match.rules, match.colours)
        self._colours = [self._game.PlayerColor[colour.name] for colour in match.colours]
        self._cards = {card: self._game.Card("0", self._game.CardType(label)) for card, label in _LABELS.items()}
        self.asked = 0
        self.differing = 0

    def __call__(self, cells: fast.Cells, seat: int, card: Card, secret: bytes) -> fast.Action:
        ours = self._core.results(cells, seat, card)
        if not ours:
            return fast.PASS
        view = self.view(cells, seat)
        theirs = self.listed(view, card)
        ends = [self._core.sorted_rows(self.after(cells, move)) for move in theirs]
        self.asked += 1
        self.differing += set(ends) != set(ours)
        agreed = [(move, end) for move, end in zip(theirs, ends, strict=True) if end in ours and move.actions]
        if not agreed:
            return self._core.legal(cells, seat, card)[0]
        random.seed(secret)

        def evaluated(_view: Any, move: Any) -> Any:
            """What their evaluate_move returns, without the copying that takes nearly all of its time."""
            return self.view(self.after(cells, move), seat)

        chosen = self._bot.choose_move(self._game.GameMode.STANDARD, view, [move for move, _ in agreed], evaluated)
        return next(ours[end][0] for move, end in agreed if move is chosen)

    def view(self, cells: fast.Cells, seat: int) -> Any:
        """What the player of this seat sees, in the package's form."""
        players = [
            self._game.Player(colour, pawns=[self._pawn(colour, p, loc) for p, loc in enumerate(row)])
            for colour, row in zip(self._colours, fast.rows(cells, self._core.pawns), strict=True)
        ]
        others = {player.color: player for i, player in enumerate(players) if i != seat}
        return self._game.PlayerView(players[seat], others)

    def listed(self, view: Any, card: Card) -> Any:
        """Its legal moves; a forfeit is one without actions."""
        return self._rules.construct_legal_moves(view, card=self._cards[card])

    def _pawn(self, colour: Any, number: int, loc: int) -> Any:
        pawn = self._game.Pawn(colour, number)
        if loc == HOME:
            pawn.position.move_to_home()
        elif loc > OUTER:
            pawn.position.move_to_safe(loc - OUTER - 1)
        elif loc != START:
            pawn.position.move_to_square(loc - 1)
        return pawn

    def after(self, cells: fast.Cells, move: Any) -> fast.Cells:
        """Our cells after their move: its actions and side effects in their order, as their engine executes them."""
        after = bytearray(cells)
        to_start = self._theirs.rules.ActionType.MOVE_TO_START
        for action in (*move.actions, *move.side_effects):
            place = self._colours.index(action.pawn.color) * self._core.pawns + action.pawn.index
            after[place] = START if action.actiontype is to_start else _loc(action.position)
        return bytes(after)


def _loc(position: Any) -> int:
    if position.home:
        return HOME
    if position.safe is not None:
        return OUTER + 1 + int(position.safe)
    return START if position.start else 1 + int(position.square)

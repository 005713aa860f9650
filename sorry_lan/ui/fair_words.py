"""Plain mode's answer to "was the deck fair?": the words of texts_fairness.py line by line, and who drew what."""

from __future__ import annotations

from typing import Final

from sorry_lan.rules.cards import CARDS
from sorry_lan.table.view import GameView
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.tally import SeatTally, Tally
from sorry_lan.ui.texts import card_text, seat_text
from sorry_lan.ui.texts_fairness import Trouble, fair_word, finding_of, how_lines, words_text
from sorry_lan.ui.texts_verify import unusual

_WORTH_TELLING: Final = 0.5
"""A card that did not come is told once it was to be expected as much as not."""


def fairness_lines(game: GameView, tally: Tally, troubles: tuple[Trouble, ...]) -> tuple[str, ...]:
    """The answer, how anybody knows, the check words, luck in numbers, and how to check it without us."""
    finding = finding_of(game, troubles)
    lines = [
        _("Was the deck fair? {answer} {why}").format(answer=fair_word(finding.fair), why=finding.sentence),
        *how_lines(game),
        words_text(game),
        *_luck_lines(game, tally),
        _("Once the game is over anybody can check its file: sorry-lan verify FILE"),
    ]
    return tuple(line for line in lines if line)


def _luck_lines(game: GameView, tally: Tally) -> list[str]:
    if not tally.drawn:
        return []
    head = _("Cards drawn (in brackets what the pile promised; * marks a count that fewer than 1 in 20 show):")
    if tally.since_k > 1:
        head = _("Cards drawn since step {k}, when this program took the game up (in brackets what the pile promised):")
        head = head.format(k=tally.since_k)
    return [head, *(_luck_text(game, seat, counts) for seat, counts in enumerate(tally.seats))]


def _luck_text(game: GameView, seat: int, counts: SeatTally) -> str:
    """The faces that came, or should have."""
    parts = [
        f"{card_text(card)}: {count}{'*' if unusual(count, mean, counts.drawn) else ''} ({mean:.1f})"
        for card, count, mean in zip(CARDS, counts.cards, counts.expected, strict=True)
        if count or mean >= _WORTH_TELLING
    ]
    who = seat_text(game, seat)
    if not parts:
        return _("  {who}, no card yet.").format(who=who)
    told = n_("  {who}, {n} card: {parts}.", "  {who}, {n} cards: {parts}.", counts.drawn)
    return told.format(who=who, parts=", ".join(parts))

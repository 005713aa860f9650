"""What all kept games come to, in sentences: games, wins, bumps, cards against what is usual."""

from __future__ import annotations

from sorry_lan.fair.counts import Totals
from sorry_lan.fair.verify import Finding, Outcome, Verdict
from sorry_lan.rules.cards import CARDS
from sorry_lan.table.notices import StoreProblem
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.shown import shown
from sorry_lan.ui.texts import card_text, name_text
from sorry_lan.ui.texts_notices import problem_text
from sorry_lan.ui.texts_verify import unusual, verdict_text

_FILE_CELLS = 120


def games_text(games: int, finished: int) -> str:
    """How many games there are."""
    if not games:
        return _("No finished or saved games are kept here yet.")
    kept = n_("{n} game is kept here", "{n} games are kept here", games)
    return _("{kept}; {finished} of them played to the end.").format(kept=kept, finished=finished)


def totals_lines(totals: Totals) -> tuple[str, ...]:
    """One name of people here."""
    won = n_(
        "{name}: {n} game, {wins} of {finished} won (by chance alone {chance}).",
        "{name}: {n} games, {wins} of {finished} won (by chance alone {chance}).",
        totals.games,
    ).format(
        name=name_text(totals.name),
        wins=totals.wins,
        finished=totals.finished,
        chance=f"{float(totals.chance):.1f}",
    )
    bumps = _("  {given} pawns of others sent back to Start, {taken} own ones lost so.").format(
        given=totals.given, taken=totals.taken
    )
    drawn = sum(totals.drawn)
    parts = []
    for card, count, mean in zip(CARDS, totals.drawn, map(float, totals.expected), strict=True):
        parts.append(f"{card_text(card)}: {count}{'*' if unusual(count, mean, drawn) else ''} ({mean:.1f})")
    cards = n_("{n} card", "{n} cards", drawn)
    return (won, bumps, _("  {cards} drawn: {parts}.").format(cards=cards, parts=", ".join(parts)))


def legend_text() -> str:
    """What brackets and stars mean."""
    return _("In brackets the average of fair games; * marks a count that fewer than 1 in 20 players show.")


def nobody_text() -> str:
    """Games, but none of ours."""
    return _("None of them was played with the keys of this identity.")


def skipped_text(name: str, why: Finding | StoreProblem) -> str:
    """A file that is in no number."""
    return _("Left out: {name}. {why}").format(name=shown(name, _FILE_CELLS), why=why_skipped_text(why))


def why_skipped_text(why: Finding | StoreProblem) -> str:
    """Why it is in none."""
    match why:
        case StoreProblem():
            return problem_text(why)
        case Finding.NO_FIRST_LINE | Finding.OTHER_FORMAT:
            outcome = Outcome.NOT_A_TRANSCRIPT
        case Finding.OTHER_ENGINE:
            outcome = Outcome.OTHER_ENGINE
        case _:
            outcome = Outcome.FALSE
    return verdict_text(Verdict(outcome, why))

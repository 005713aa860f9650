"""Was the deck fair? The answer in plain words, true for this protocol (docs/fairness.md), and luck in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from sorry_lan.table.news import EnginesDiffer, FaultProven
from sorry_lan.table.view import FirstBy, GameView, SeatView
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.texts import list_text, name_text, seat_text
from sorry_lan.ui.texts_errors import why_text
from sorry_lan.wire.terms import SeatKind


@unique
class Fair(Enum):
    """The answer in a word."""

    YES = "yes"
    NO = "no"
    NOT_YET = "not-yet"


Trouble = FaultProven | EnginesDiffer
"""News after which a game is not simply fair any more."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer with its sentence."""

    fair: Fair
    sentence: str


def fair_word(fair: Fair) -> str:
    """The answer as it is shouted."""
    return {Fair.YES: _("YES."), Fair.NO: _("NO."), Fair.NOT_YET: _("NOT YET.")}[fair]


def finding_of(game: GameView, troubles: tuple[Trouble, ...]) -> Finding:
    """What this computer can say now; it has checked every share and every move itself."""
    if troubles:
        return Finding(Fair.NO, _trouble_text(troubles[0], game))
    cards = drawn_so_far(game)
    if cards == 0:
        return Finding(Fair.NOT_YET, _("No card has been drawn so far."))
    makers = card_makers(game)
    if len(makers) == 1:
        return Finding(
            Fair.YES,
            n_(
                "The {n} card so far was made by {name}'s computer alone: nobody else is at this table.",
                "The {n} cards so far were made by {name}'s computer alone: nobody else is at this table.",
                cards,
            ).format(name=name_text(makers[0].name)),
        )
    if all(seat.person is not None for seat in makers):
        return Finding(
            Fair.YES,
            n_(
                "The {n} card so far was made by this computer alone, for all who sit at it.",
                "The {n} cards so far were made by this computer alone, for all who sit at it.",
                cards,
            ),
        )
    return Finding(
        Fair.YES,
        _together(game, cards).format(names=list_text([name_text(seat.name) for seat in makers])),
    )


def _together(game: GameView, cards: int) -> str:
    if game.first_by is FirstBy.PARENT:
        return n_(
            "The {n} card since the game went on was made by {names} together.",
            "Each of the {n} cards since the game went on was made by {names} together.",
            cards,
        )
    return n_(
        "The {n} card so far was made by {names} together.",
        "Each of the {n} cards so far was made by {names} together.",
        cards,
    )


def drawn_so_far(game: GameView) -> int:
    """Cards of this table: one for each step but step 0, the open one if its card is known."""
    return max(0, game.k - 1) + (game.card is not None)


def card_makers(game: GameView) -> tuple[SeatView, ...]:
    """Whose secret numbers make the cards."""
    return tuple(seat for seat in game.seats if seat.kind is SeatKind.HUMAN)


def how_lines(game: GameView) -> tuple[str, ...]:
    """How anybody knows, in four or five sentences."""
    makers = card_makers(game)
    here = [seat for seat in makers if seat.person is not None]
    if len(here) == len(makers):
        own = _("All those numbers come from this computer: it is practice, with nobody to deceive.")
    elif here:
        own = _("One is always yours, so nobody else could choose or foresee a card.")
    else:
        own = _("As long as one player's number is honest, nobody could choose or foresee a card.")
    checked = n_(
        "Each number is checked against its seal: {n} checked, 0 wrong.",
        "Each number is checked against its seal: {n} checked, 0 wrong.",
        game.shares_checked,
    )
    return (
        _("Before the first card each computer sealed a long list of secret numbers."),
        _("Every card is made from one number of each player, opened for it alone."),
        own,
        _("No number is opened before everybody has confirmed the last move."),
        checked,
    )


def _trouble_text(trouble: Trouble, game: GameView) -> str:
    match trouble:
        case FaultProven(seat, code, k):
            return _("{who} broke the rules in step {k}, and there is proof. {why} The cards before it hold.").format(
                who=seat_text(game, seat), k=k, why=why_text(code)
            )
        case EnginesDiffer(k, _seats):
            return _(
                "In step {k} two computers worked out different boards. Nobody is blamed; the cards before it hold."
            ).format(k=k)


def words_text(game: GameView) -> str:
    """The check words and what they tell; empty where they are not known or mean nothing."""
    if game.words is None or all(seat.person is not None for seat in card_makers(game)):
        return ""
    told = _("{words}. If all have these, nobody sits in between.")
    return told.format(words=" ".join(game.words))


def luck_note_text(numbers: int) -> str:
    """What the star means, and that some of it is normal."""
    return n_(
        "* seldom (below 1 in 20); among {numbers} such numbers about {n} is normal.",
        "* seldom (below 1 in 20); among {numbers} such numbers about {n} are normal.",
        max(1, round(numbers / 20)),
    ).format(numbers=numbers)


def proof_text(path: str | None) -> str:
    """What stands before the command that checks the file."""
    if path is None:
        return _("The proof file is written when the game is over. It can be checked with:")
    return _("The game is kept. Check it (verify) or watch it again (replay) with:")

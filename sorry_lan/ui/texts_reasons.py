"""Why a pawn cannot move with a card, in one sentence that names the rule; one for every ReasonCode.

The codes come from rules/reasons.py, the rule ids are those of docs/rules.md.
"""

from __future__ import annotations

from sorry_lan.rules.cards import Card
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import Rules
from sorry_lan.rules.reasons import Reason, ReasonCode
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.texts import a_card_text, list_text, pawn_text, place_text


def reason_text(reason: Reason, position: Position, rules: Rules, card: Card) -> str:
    """The sentence, with the rule's id at its end, as in "R2 cannot leave Start with a 4: ... (rule R1)."."""
    pawn = pawn_text(position, position.turn, reason.pawn)
    return _sentence(reason.code).format(
        pawn=pawn, card=a_card_text(card), rule=_RULE[reason.code], **_words(reason, position, rules)
    )


def rule_of(code: ReasonCode) -> str:
    """The id of the rule behind a reason."""
    return _RULE[code]


_RULE = {
    ReasonCode.AT_HOME: "R3",
    ReasonCode.NOT_A_START_CARD: "R1",
    ReasonCode.EXIT_TAKEN: "R2",
    ReasonCode.LOWER_NUMBER_FIRST: "R1",
    ReasonCode.OVERSHOOT: "R3",
    ReasonCode.OWN_PAWN: "R4",
    ReasonCode.OWN_ON_SLIDE: "R7",
    ReasonCode.ZONE_TAKEN: "R5",
    ReasonCode.NEITHER_WAY: "R11",
    ReasonCode.NO_PARTNER: "R9",
    ReasonCode.NO_SPLIT: "R9",
    ReasonCode.NO_SWAP: "R12",
    ReasonCode.NEEDS_START: "R14",
    ReasonCode.NO_TARGET: "R14",
    ReasonCode.REPLACE_FIRST: "R14",
}


def _sentence(code: ReasonCode) -> str:
    return {
        ReasonCode.AT_HOME: _("{pawn} is Home and stays there (rule {rule})."),
        ReasonCode.NOT_A_START_CARD: _(
            "{pawn} stays in Start: {card} brings no pawn out, only {starters} (rule {rule})."
        ),
        ReasonCode.EXIT_TAKEN: _(
            "{pawn} cannot leave Start: your own {blocker} stands on {place}, where it comes out (rule {rule})."
        ),
        ReasonCode.LOWER_NUMBER_FIRST: _(
            "{pawn} waits: pawns in Start are alike, so {other} goes first (rule {rule})."
        ),
        ReasonCode.OVERSHOOT: _(
            "{pawn} cannot go {steps}: it would pass Home, which needs exactly {to_home} (rule {rule})."
        ),
        ReasonCode.OWN_PAWN: _("{pawn} cannot go {steps}: your own {blocker} stands on {place} (rule {rule})."),
        ReasonCode.OWN_ON_SLIDE: _(
            "{pawn} cannot go {steps}: it would slide from {place} over your own {blocker} (rule {rule})."
        ),
        ReasonCode.ZONE_TAKEN: _(
            "{pawn} cannot go {steps}: it would slide from {place} onto safe 0, where your {blocker} is (rule {rule})."
        ),
        ReasonCode.NEITHER_WAY: _(
            "{pawn} can go neither forward 10 ({ahead}) nor back 1 (your own {behind} stands there) (rule {rule})."
        ),
        ReasonCode.NO_PARTNER: _(
            "{pawn} cannot go 7 ({ahead}), and no other pawn of yours is in play to share it with (rule {rule})."
        ),
        ReasonCode.NO_SPLIT: _(
            "{pawn} cannot go 7 ({ahead}), and no way to share the 7 with another pawn works (rule {rule})."
        ),
        ReasonCode.NO_SWAP: _(
            "{pawn} cannot go 11 ({ahead}), and no opponent on the track is there to swap with (rule {rule})."
        ),
        ReasonCode.NEEDS_START: _("{pawn} stays: Sorry! moves only a pawn that is in Start (rule {rule})."),
        ReasonCode.NO_TARGET: _(
            "{pawn} stays in Start: there is no opponent on the track whose place it could take (rule {rule})."
        ),
        ReasonCode.REPLACE_FIRST: _("{pawn} stays: Sorry! must send an opponent back while it can (rule {rule})."),
    }[code]


def _words(reason: Reason, position: Position, rules: Rules) -> dict[str, str]:
    """The values of a reason as words, by the names the sentences use."""
    values = reason.values

    def own(number: int) -> str:
        return pawn_text(position, position.turn, number)

    match reason.code:
        case ReasonCode.NOT_A_START_CARD:
            return {"starters": _starters(rules)}
        case ReasonCode.EXIT_TAKEN:
            return {"place": place_text(values[0]), "blocker": own(values[1])}
        case ReasonCode.LOWER_NUMBER_FIRST:
            return {"other": own(values[0])}
        case ReasonCode.OVERSHOOT:
            return {"steps": _steps(values[0]), "to_home": str(values[1])}
        case ReasonCode.OWN_PAWN | ReasonCode.OWN_ON_SLIDE | ReasonCode.ZONE_TAKEN:
            return {"steps": _steps(values[0]), "place": place_text(values[1]), "blocker": own(values[2])}
        case ReasonCode.NEITHER_WAY:
            return {"ahead": _ahead(values[0], values[1], position), "behind": own(values[2])}
        case ReasonCode.NO_PARTNER | ReasonCode.NO_SPLIT | ReasonCode.NO_SWAP:
            return {"ahead": _ahead(values[0], values[1], position)}
        case _:
            return {}


def _steps(steps: int) -> str:
    return (_("back {n}") if steps < 0 else _("forward {n}")).format(n=abs(steps))


def _ahead(to_home: int, blocker: int, position: Position) -> str:
    """Why the whole way forward is closed: an own pawn, or too few steps to Home."""
    if blocker:
        return _("your own {blocker} is in the way").format(blocker=pawn_text(position, position.turn, blocker))
    return n_("Home is only {n} step away", "Home is only {n} steps away", to_home)


def _starters(rules: Rules) -> str:
    cards = [str(int(card)) for card in sorted(rules.start_cards)]
    return list_text([*cards, "Sorry!"])

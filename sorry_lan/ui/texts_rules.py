"""Rules in words: what each card does under the rules in force, what each switch means, what a rule id stands for."""

from __future__ import annotations

from typing import assert_never

from sorry_lan.rules.cards import Card, full_deck
from sorry_lan.rules.profile import (
    PROFILES,
    ElevenPass,
    Rules,
    SlideOn,
    SlideOwnPawns,
    SlidePastEntry,
    SorryForward,
    SwapSlide,
    TwoDrawsAgain,
    differences,
)
from sorry_lan.ui.catalogue import _, n_


def card_about_text(card: Card, rules: Rules) -> str:
    """What may be done with a card."""
    match card:
        case Card.FOUR:
            return _("4 backward")
        case Card.SORRY:
            return _sorry_text(rules)
        case Card.SEVEN if rules.split_pawns == 2:
            uses = [_("7 forward, whole or divided between two pawns in play")]
        case _:
            uses = [_("{n} forward").format(n=int(card))]
    uses += [_("out of Start")] if card in rules.start_cards else []
    uses += [_("1 backward")] if card is Card.TEN else []
    uses += [_("change places with an opponent's pawn")] if card is Card.ELEVEN else []
    told = uses[0] if len(uses) == 1 else _("{some} or {last}").format(some=", ".join(uses[:-1]), last=uses[-1])
    return told + _again_text(rules) if card is Card.TWO else told


def _again_text(rules: Rules) -> str:
    match rules.two_draws_again:
        case TwoDrawsAgain.ALWAYS:
            return _("; then draw again")
        case TwoDrawsAgain.IF_MOVED:
            return _("; then draw again, if a pawn moved")
        case TwoDrawsAgain.NEVER:
            return ""
        case _:
            assert_never(rules.two_draws_again)


def _sorry_text(rules: Rules) -> str:
    told = _("a pawn from Start takes the place of an opponent's pawn, which goes to its Start")
    match rules.sorry_forward:
        case SorryForward.NO:
            return told
        case SorryForward.FALLBACK:
            return _("{told}; 4 forward where nobody can be replaced").format(told=told)
        case SorryForward.CHOICE:
            return _("{told}; or 4 forward").format(told=told)
        case _:
            assert_never(rules.sorry_forward)


def _cards(rules: Rules) -> str:
    return ", ".join(str(int(card)) for card in sorted(rules.start_cards))


def switch_words(rules: Rules, switch: str) -> str:
    """The value of one switch as a short sentence without its full stop."""
    return {
        "pawns": n_("{n} pawn each", "{n} pawns each", rules.pawns),
        "start_cards": _("out of Start with {cards} or Sorry!").format(cards=_cards(rules)),
        "slide_on": _slide_on(rules.slide_on),
        "two_draws_again": _two(rules.two_draws_again),
        "sorry_forward": _sorry_forward(rules.sorry_forward),
        "start_by_count": _by_count(rules),
        "slide_past_entry": _past_entry(rules.slide_past_entry),
        "slide_own_pawns": _own_pawns(rules.slide_own_pawns),
        "swap_slide": _swap_slide(rules.swap_slide),
        "sorry_slide": _sorry_slide(rules),
        "eleven_pass": _eleven(rules.eleven_pass),
        "split_pawns": _split(rules),
        "pawns_out": _("one pawn of each begins on its exit") if rules.pawns_out else _("all pawns begin in Start"),
        "ones": _("{cards} cards, {ones} of them 1s").format(cards=sum(full_deck(rules)), ones=rules.ones),
    }[switch]


def _by_count(rules: Rules) -> str:
    if rules.start_by_count:
        return _("a pawn that leaves Start counts on from the exit")
    return _("a pawn that leaves Start stops on its exit")


def _sorry_slide(rules: Rules) -> str:
    if rules.sorry_slide:
        return _("a pawn that Sorry! puts on a triangle slides")
    return _("a pawn that Sorry! puts on a triangle stays there")


def _split(rules: Rules) -> str:
    if rules.split_pawns == 2:
        return _("a 7 may be divided between two pawns")
    return _("a 7 cannot be divided")


def _slide_on(value: SlideOn) -> str:
    return {
        SlideOn.OWN: _("pawns slide from triangles of their own colour"),
        SlideOn.OTHER: _("pawns slide from triangles of other colours"),
        SlideOn.ANY: _("pawns slide from every triangle"),
        SlideOn.NONE: _("nobody slides"),
    }[value]


def _two(value: TwoDrawsAgain) -> str:
    return {
        TwoDrawsAgain.ALWAYS: _("a 2 always draws again"),
        TwoDrawsAgain.IF_MOVED: _("a 2 draws again only if a pawn moved"),
        TwoDrawsAgain.NEVER: _("a 2 does not draw again"),
    }[value]


def _sorry_forward(value: SorryForward) -> str:
    return {
        SorryForward.NO: _("Sorry! only replaces a pawn"),
        SorryForward.FALLBACK: _("Sorry! is 4 forward where nobody can be replaced"),
        SorryForward.CHOICE: _("Sorry! may be used as 4 forward"),
    }[value]


def _past_entry(value: SlidePastEntry) -> str:
    return {
        SlidePastEntry.CARRY: _("the slide across the own safety entry carries past it"),
        SlidePastEntry.STAY: _("the slide across the own safety entry does not happen"),
        SlidePastEntry.ENTER: _("the slide across the own safety entry turns in"),
    }[value]


def _own_pawns(value: SlideOwnPawns) -> str:
    return {
        SlideOwnPawns.BUMP: _("a slide sends own pawns to Start too"),
        SlideOwnPawns.BLOCK: _("a slide over an own pawn is not allowed"),
    }[value]


def _swap_slide(value: SwapSlide) -> str:
    return {
        SwapSlide.MOVER: _("after a swap only the player who swapped slides"),
        SwapSlide.BOTH: _("after a swap both pawns slide"),
        SwapSlide.NONE: _("after a swap nobody slides"),
    }[value]


def _eleven(value: ElevenPass) -> str:
    return {
        ElevenPass.IF_NO_FORWARD: _("an 11 may be left unused if it could only swap"),
        ElevenPass.NEVER: _("an 11 must be used if it can"),
        ElevenPass.ALWAYS: _("an 11 may always be left unused"),
    }[value]


def differs_text(rules: Rules) -> str:
    """What differs from standard, as a list of short sentences; empty for standard itself."""
    changed = differences(rules, PROFILES["standard"])
    return "; ".join(switch_words(rules, switch) for switch, _here, _there in changed)


def rule_words(rule: str, rules: Rules) -> str:
    """What a rule says that the reasons of texts_reasons.py name; docs/rules.md has them all."""
    return {
        "R1": _("Only {cards} and Sorry! bring a pawn out of Start.").format(cards=_cards(rules)),
        "R2": _("A pawn that leaves Start comes out on its exit, which must be free of own pawns."),
        "R3": _("Home is reached by exact count, and a pawn that is Home stays there."),
        "R4": _("Two pawns of one colour never stand on one square."),
        "R5": _("A pawn that comes down on a triangle which counts for it slides to the end."),
        "R7": _("A slide may not run over an own pawn at this table."),
        "R9": _("A 7 is used whole, or all of it is divided between two pawns in play."),
        "R11": _("A 10 is 10 forward or 1 backward."),
        "R12": _("An 11 is 11 forward, or changes places with an opponent's pawn on the track."),
        "R14": _("Sorry! takes a pawn out of Start and puts it in the place of an opponent's pawn on the track."),
    }[rule]

"""`sorry-lan rules [PROFILE]`: the profiles, every switch with its values, and what differs."""

from __future__ import annotations

import sys
from typing import Final, TextIO

from sorry_lan.rules.cards import CARDS, full_deck
from sorry_lan.rules.profile import PROFILES, SWITCHES, Rules, allowed_values, differences, switch_text
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.texts import card_text

USAGE: Final = f"sorry-lan rules [{' | '.join(PROFILES)}]\n"


def run(argv: list[str], stdout: TextIO) -> int:
    """Print all profiles, or one of them; 0, or 2 for a name that is no profile."""
    if argv in (["-h"], ["--help"]):
        stdout.write(USAGE)
        return 0
    match argv:
        case []:
            stdout.write(_overview())
        case [name] if name in PROFILES:
            stdout.write(_profile(name))
        case _:
            sys.stderr.write(_("The profiles are {names}.").format(names=", ".join(PROFILES)) + f"\n{USAGE}")
            return 2
    return 0


def meaning_text(switch: str) -> str:
    """What a switch decides."""
    return {
        "pawns": _("pawns of each player; all must come Home to win"),
        "start_cards": _("cards that bring a pawn out of Start (Sorry! does so by itself, the 4 never)"),
        "slide_on": _("triangles that make a pawn slide: of its own colour, of the others, any, none"),
        "two_draws_again": _("whether a 2 gives a further draw: always, only if a pawn moved, never"),
        "sorry_forward": _("whether Sorry! may be a forward 4: no, only when nobody can be replaced, by choice"),
        "start_by_count": _("whether leaving Start counts on: the exit is 1, a 5 ends 4 squares further"),
        "slide_past_entry": _("the slide across the own safety entry: carries past it, does not happen, turns in"),
        "slide_own_pawns": _("own pawns on the way of a slide: sent to Start, or they make the move illegal"),
        "swap_slide": _("who slides after the exchange of an 11: the player who swapped, both, nobody"),
        "sorry_slide": _("whether the pawn slides that Sorry! puts on a triangle"),
        "eleven_pass": _("when an 11 may be declined: if nothing goes forward, never, always"),
        "split_pawns": _("pawns that a 7 may be divided over; 1 means it cannot be"),
        "pawns_out": _("pawns of each player that begin on the start exit"),
        "ones": _("number of 1s in the deck: 5 of 45 cards, or 4 of 44"),
    }[switch]


def _overview() -> str:
    standard = PROFILES["standard"]
    lines = [_("Profiles (choose with --rules NAME, change a switch with --rule SWITCH=VALUE)"), ""]
    for name, rules in PROFILES.items():
        changed = ", ".join(f"{switch}={here}" for switch, here, _there in differences(rules, standard))
        lines.append(f"  {name:<10}{changed or _('the rules as printed')}")
    lines += ["", _("Switches (the standard value first)"), ""]
    for switch in SWITCHES:
        values = " | ".join(allowed_values(switch))
        lines += [f"  {switch} = {values}", f"      {meaning_text(switch)}"]
    return "\n".join(lines) + "\n"


def _profile(name: str) -> str:
    rules, standard = PROFILES[name], PROFILES["standard"]
    changed = {switch: there for switch, _here, there in differences(rules, standard)}
    lines = [_("Profile {name}").format(name=name), ""]
    for switch in SWITCHES:
        mark = "  " + _("(standard: {value})").format(value=changed[switch]) if switch in changed else ""
        lines += [f"  {switch} = {switch_text(rules, switch)}{mark}", f"      {meaning_text(switch)}"]
    lines += ["", f"  {_deck(rules)}"]
    return "\n".join(lines) + "\n"


def _deck(rules: Rules) -> str:
    counts = full_deck(rules)
    parts = ", ".join(f"{count} x {card_text(card)}" for card, count in zip(CARDS, counts, strict=True))
    return n_("Deck of {n} card: {cards}", "Deck of {n} cards: {cards}", sum(counts)).format(cards=parts)

"""`sorry-lan rules [PROFILE]`: the profiles, every switch with its values, and what differs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Final, TextIO

from sorry_lan.rules.cards import CARDS, card_label, full_deck
from sorry_lan.rules.profile import PROFILES, SWITCHES, Rules, allowed_values, differences, switch_text

USAGE: Final = f"usage: sorry-lan rules [{' | '.join(PROFILES)}]\n"

MEANINGS: Final[Mapping[str, str]] = {
    "pawns": "pawns of each player; all must come Home to win",
    "start_cards": "cards that bring a pawn out of Start (Sorry! does so by itself, the 4 never)",
    "slide_on": "triangles that make a pawn slide: of its own colour, of the others, any, none",
    "two_draws_again": "whether a 2 gives a further draw: always, only if a pawn moved, never",
    "sorry_forward": "whether Sorry! may be a forward 4: no, only when nobody can be replaced, by choice",
    "start_by_count": "whether leaving Start counts on: the exit is 1, a 5 ends 4 squares further",
    "slide_past_entry": "the slide across the own safety entry: carries past it, does not happen, turns in",
    "slide_own_pawns": "own pawns on the way of a slide: sent to Start, or they make the move illegal",
    "swap_slide": "who slides after the exchange of an 11: the player who swapped, both, nobody",
    "sorry_slide": "whether the pawn slides that Sorry! puts on a triangle",
    "eleven_pass": "when an 11 may be declined: if nothing goes forward, never, always",
    "split_pawns": "pawns that a 7 may be divided over; 1 means it cannot be",
    "pawns_out": "pawns of each player that begin on the start exit",
    "ones": "number of 1s in the deck: 5 of 45 cards, or 4 of 44",
}


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
            sys.stderr.write(f"The profiles are {', '.join(PROFILES)}.\n{USAGE}")
            return 2
    return 0


def _overview() -> str:
    standard = PROFILES["standard"]
    lines = ["Profiles (choose with --rules NAME, change a switch with --rule SWITCH=VALUE)", ""]
    for name, rules in PROFILES.items():
        changed = ", ".join(f"{switch}={here}" for switch, here, _ in differences(rules, standard))
        lines.append(f"  {name:<10}{changed or 'the rules as printed'}")
    lines += ["", "Switches (the standard value first)", ""]
    for switch in SWITCHES:
        values = " | ".join(allowed_values(switch))
        lines += [f"  {switch} = {values}", f"      {MEANINGS[switch]}"]
    return "\n".join(lines) + "\n"


def _profile(name: str) -> str:
    rules, standard = PROFILES[name], PROFILES["standard"]
    changed = {switch: there for switch, _, there in differences(rules, standard)}
    lines = [f"Profile {name}", ""]
    for switch in SWITCHES:
        mark = f"  (standard: {changed[switch]})" if switch in changed else ""
        lines += [f"  {switch} = {switch_text(rules, switch)}{mark}", f"      {MEANINGS[switch]}"]
    lines += ["", f"  Deck: {_deck(rules)}"]
    return "\n".join(lines) + "\n"


def _deck(rules: Rules) -> str:
    counts = full_deck(rules)
    parts = ", ".join(f"{count} x {card_label(card)}" for card, count in zip(CARDS, counts, strict=True))
    return f"{sum(counts)} cards: {parts}"

"""The rules to compare engine and referee under: each profile, each single other switch value, and random mixtures.

The table of values is written from docs/rules.md, not taken from the engine: a value that it forgot would go untested.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from sorry_lan.rules import profile
from tests.sim import referee

STANDARD_START = "1,2,3,5,8,10,11,12"
VALUES: dict[str, tuple[str, ...]] = {
    "pawns": ("3", "1", "2", "4"),
    "start_cards": (STANDARD_START, "1,2", "1,2,3,5,7,8,10,11,12", "7", "12", "1,3,10"),
    "slide_on": ("own", "other", "any", "none"),
    "two_draws_again": ("always", "if_moved", "never"),
    "sorry_forward": ("no", "fallback", "choice"),
    "start_by_count": ("false", "true"),
    "slide_past_entry": ("carry", "stay", "enter"),
    "slide_own_pawns": ("bump", "block"),
    "swap_slide": ("mover", "both", "none"),
    "sorry_slide": ("true", "false"),
    "eleven_pass": ("if_no_forward", "never", "always"),
    "split_pawns": ("2", "1"),
    "pawns_out": ("0", "1"),
    "ones": ("5", "4"),
}
"""Every value of every switch, the standard one first; of start cards the sets of the profiles and three odd ones."""

STANDARD = {switch: values[0] for switch, values in VALUES.items()}
PROFILES = {
    "standard": STANDARD,
    "classic": STANDARD | {"pawns": "4", "start_cards": "1,2", "slide_on": "other"},
    "2013": STANDARD | {"start_cards": "1,2,3,5,7,8,10,11,12", "two_draws_again": "never", "sorry_forward": "choice"},
}


@dataclass(frozen=True)
class Variant:
    """One set of rules, in the form of the engine and in that of the referee."""

    name: str
    engine: profile.Rules
    referee: referee.Switches


def variant(name: str, values: dict[str, str]) -> Variant:
    """The rules with these values; the engine reads them one by one as a person types them."""
    rules = profile.PROFILES["standard"]
    for switch, text in values.items():
        rules = profile.with_switch(rules, f"{switch}={text}")
    return Variant(name, rules, _referee_rules(values))


def by_profile(name: str) -> Variant:
    """A profile by the engine's own definition and by the referee's."""
    return Variant(name, profile.PROFILES[name], referee.PROFILES[name])


def by_switch(setting: str) -> Variant:
    """The standard rules with one "switch=value" changed."""
    switch, _, text = setting.partition("=")
    return variant(setting, STANDARD | {switch: text})


def single_switches() -> Iterator[str]:
    """Every "switch=value" that is not the standard one."""
    for switch, values in VALUES.items():
        for text in values[1:]:
            yield f"{switch}={text}"


def mixture(number: int) -> Variant:
    """Rules with every switch thrown at random; the same number gives the same rules."""
    rng = random.Random(f"mixture {number}")
    return variant(f"mixture {number}", {switch: rng.choice(values) for switch, values in VALUES.items()})


def _referee_rules(values: dict[str, str]) -> referee.Switches:
    read: dict[str, object] = {}
    for field in fields(referee.Switches):
        text = values[field.name]
        standard = getattr(referee.STANDARD, field.name)
        if isinstance(standard, bool):
            read[field.name] = text == "true"
        elif isinstance(standard, frozenset):
            read[field.name] = frozenset(int(card) for card in text.split(","))
        elif isinstance(standard, int):
            read[field.name] = int(text)
        else:
            read[field.name] = text
    return replace(referee.STANDARD, **read)  # type: ignore[arg-type]

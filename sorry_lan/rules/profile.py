"""The rules in force: one frozen value of fourteen switches, and the three named profiles.

What each switch means to a move is decided in tables.py and fast/core.py; its text for people is in docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import IntEnum, unique
from types import MappingProxyType
from typing import Final

from sorry_lan.rules.cards import Card, card_label, parse_card
from sorry_lan.rules.misread import Misread

# In every enumeration below the value is the number that travels on the wire.


@unique
class SlideOn(IntEnum):
    """Whose triangles make a pawn slide (R5)."""

    OWN = 0
    OTHER = 1
    ANY = 2
    NONE = 3


@unique
class TwoDrawsAgain(IntEnum):
    """When a 2 gives a further draw (R13)."""

    ALWAYS = 0
    IF_MOVED = 1
    NEVER = 2


@unique
class SorryForward(IntEnum):
    """Whether Sorry! may be used as a forward 4 (R14)."""

    NO = 0
    FALLBACK = 1
    CHOICE = 2


@unique
class SlidePastEntry(IntEnum):
    """What a slide across the own safety entry does (R5)."""

    CARRY = 0
    STAY = 1
    ENTER = 2


@unique
class SlideOwnPawns(IntEnum):
    """What happens to own pawns on the way of a slide (R7)."""

    BUMP = 0
    BLOCK = 1


@unique
class SwapSlide(IntEnum):
    """Who slides after an exchange with the 11 (R12)."""

    MOVER = 0
    BOTH = 1
    NONE = 2


@unique
class ElevenPass(IntEnum):
    """When an 11 may be declined although it could be used (R12)."""

    IF_NO_FORWARD = 0
    NEVER = 1
    ALWAYS = 2


STARTERS: Final = frozenset(Card) - {Card.FOUR, Card.SORRY}
"""The cards that some profile may let out of Start: the 4 goes backward, Sorry! brings a pawn out by itself (R1)."""

_STANDARD_START: Final = STARTERS - {Card.SEVEN}


@dataclass(frozen=True, slots=True)
class Rules:
    """The fourteen switches, in their order on the wire; the defaults are the profile "standard".

    Raises ValueError with one sentence when a value is outside its switch's range.
    """

    pawns: int = 3
    start_cards: frozenset[Card] = _STANDARD_START
    slide_on: SlideOn = SlideOn.OWN
    two_draws_again: TwoDrawsAgain = TwoDrawsAgain.ALWAYS
    sorry_forward: SorryForward = SorryForward.NO
    start_by_count: bool = False
    slide_past_entry: SlidePastEntry = SlidePastEntry.CARRY
    slide_own_pawns: SlideOwnPawns = SlideOwnPawns.BUMP
    swap_slide: SwapSlide = SwapSlide.MOVER
    sorry_slide: bool = True
    eleven_pass: ElevenPass = ElevenPass.IF_NO_FORWARD
    split_pawns: int = 2
    pawns_out: int = 0
    ones: int = 5

    def __post_init__(self) -> None:
        for name, allowed in _RANGES.items():
            if getattr(self, name) not in allowed:
                raise _refusal(name)
        # Without a starting card two full Starts can never be left, and the game has no end.
        if not self.start_cards or not self.start_cards <= STARTERS:
            raise _refusal("start_cards")


_RANGES: Final[Mapping[str, tuple[int, ...]]] = {
    "pawns": (1, 2, 3, 4),
    "split_pawns": (2, 1),
    "pawns_out": (0, 1),
    "ones": (5, 4),
}

_ENUMS: Final[Mapping[str, type[IntEnum]]] = {
    "slide_on": SlideOn,
    "two_draws_again": TwoDrawsAgain,
    "sorry_forward": SorryForward,
    "slide_past_entry": SlidePastEntry,
    "slide_own_pawns": SlideOwnPawns,
    "swap_slide": SwapSlide,
    "eleven_pass": ElevenPass,
}

_FLAGS: Final[Mapping[str, bool]] = {"false": False, "true": True}

SWITCHES: Final[tuple[str, ...]] = tuple(field.name for field in fields(Rules))
"""The names of the switches, in their order on the wire."""

PROFILES: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "standard": Rules(),
        "classic": Rules(pawns=4, start_cards=frozenset({Card.ONE, Card.TWO}), slide_on=SlideOn.OTHER),
        "2013": Rules(
            start_cards=STARTERS,
            two_draws_again=TwoDrawsAgain.NEVER,
            sorry_forward=SorryForward.CHOICE,
        ),
    }
)
"""The three profiles by name."""


def allowed_values(switch: str) -> tuple[str, ...]:
    """Every value of a switch as text, the standard one first; for start_cards the values of the three profiles.

    ValueError for a name that is no switch.
    """
    if switch == "start_cards":
        return tuple(switch_text(rules, switch) for rules in (PROFILES[n] for n in ("standard", "classic", "2013")))
    if switch in _ENUMS:
        return tuple(member.name.lower() for member in _ENUMS[switch])
    if switch not in SWITCHES:
        known = ", ".join(SWITCHES)
        raise Misread("{what} is no switch; the switches are {known}.", {"what": _quoted(switch), "known": known})
    values = tuple(str(n) for n in _RANGES[switch]) if switch in _RANGES else tuple(_FLAGS)
    standard = switch_text(Rules(), switch)
    return (standard, *(value for value in values if value != standard))


def switch_text(rules: Rules, switch: str) -> str:
    """The value of one switch as text, in the form that with_switch reads."""
    value = getattr(rules, switch)
    if isinstance(value, frozenset):
        return ",".join(card_label(card) for card in sorted(value))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, IntEnum):
        return value.name.lower()
    return str(value)


def with_switch(rules: Rules, setting: str) -> Rules:
    """These rules with one switch changed, as in "slide_on=any" or "start_cards=1,2".

    ValueError with a sentence that names the switches, or the values that the switch allows.
    """
    name, equals, text = setting.partition("=")
    name, text = name.strip(), text.strip().lower()
    if not equals:
        what = _quoted(setting)
        raise Misread("{what} is no setting; write SWITCH=VALUE, for example slide_on=any.", {"what": what})
    allowed_values(name)
    if name == "start_cards":
        return replace(rules, start_cards=_parse_start_cards(text))
    if name in _ENUMS:
        names = {member.name.lower(): member for member in _ENUMS[name]}
        if text not in names:
            raise _refusal(name)
        return _replaced(rules, name, names[text])
    if name in _RANGES:
        numbers = {str(n): n for n in _RANGES[name]}
        if text not in numbers:
            raise _refusal(name)
        return _replaced(rules, name, numbers[text])
    if text not in _FLAGS:
        raise _refusal(name)
    return _replaced(rules, name, _FLAGS[text])


def to_uints(rules: Rules) -> tuple[int, ...]:
    """The fourteen numbers of the wire: cards as a bit mask by code, enumerations by place, booleans as 0 or 1."""
    return tuple(_to_uint(getattr(rules, name)) for name in SWITCHES)


def from_uints(seq: Sequence[int]) -> Rules:
    """The rules of fourteen numbers as to_uints gives them; ValueError with a sentence for any other sequence."""
    if len(seq) != len(SWITCHES):
        raise ValueError(f"rules are {len(SWITCHES)} numbers, not {len(seq)}.")
    rules = Rules()
    for name, number in zip(SWITCHES, seq, strict=True):
        if type(number) is not int or number < 0:
            raise _refusal(name)
        rules = _replaced(rules, name, _from_uint(name, number))
    return rules


def profile_name(rules: Rules) -> str | None:
    """The name of the profile that these rules are, or None."""
    return next((name for name, profile in PROFILES.items() if profile == rules), None)


def differences(rules: Rules, base: Rules) -> tuple[tuple[str, str, str], ...]:
    """(switch, value here, value in base) for each switch that differs, in the order of the switches."""
    pairs = ((name, switch_text(rules, name), switch_text(base, name)) for name in SWITCHES)
    return tuple(row for row in pairs if row[1] != row[2])


def variations() -> tuple[tuple[str, Rules], ...]:
    """The three profiles, then "standard" with each single other switch value: (name, rules), in a fixed order.

    The set of starting cards counts as the three sets that the profiles use.
    """
    singles = tuple(
        (f"{name}={value}", with_switch(Rules(), f"{name}={value}"))
        for name in SWITCHES
        for value in allowed_values(name)[1:]
    )
    return (*PROFILES.items(), *singles)


def _to_uint(value: frozenset[Card] | int) -> int:
    return sum(1 << card for card in value) if isinstance(value, frozenset) else int(value)


def _from_uint(name: str, number: int) -> frozenset[Card] | int:
    if name == "start_cards":
        cards = frozenset(card for card in STARTERS if number >> card & 1)
        if _to_uint(cards) != number:
            raise _refusal(name)
        return cards
    if name in _ENUMS:
        if number >= len(_ENUMS[name]):
            raise _refusal(name)
        return _ENUMS[name](number)
    if name in _RANGES:
        return number
    if number > 1:
        raise _refusal(name)
    return bool(number)


def _parse_start_cards(text: str) -> frozenset[Card]:
    try:
        return frozenset(parse_card(part.strip()) for part in text.split(","))
    except ValueError as error:
        raise _refusal("start_cards") from error


def _replaced(rules: Rules, name: str, value: frozenset[Card] | int) -> Rules:
    changed: dict[str, object] = {name: value}
    return replace(rules, **changed)  # type: ignore[arg-type]  # name and value come from one table above


def _refusal(name: str) -> Misread:
    if name == "start_cards":
        cards = ", ".join(card_label(card) for card in sorted(STARTERS))
        return Misread("start_cards is a list such as 1,2 of one or more of {cards}.", {"cards": cards})
    return Misread("{switch} is one of {values}.", {"switch": name, "values": ", ".join(allowed_values(name))})


def _quoted(text: str) -> str:
    return ascii(text if len(text) <= 40 else text[:37] + "...")

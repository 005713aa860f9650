"""Builders for the tests of the rules: positions in short, and the vectors as values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sorry_lan.rules.board import Colour, parse_colour, parse_loc
from sorry_lan.rules.cards import Card, parse_card
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import PROFILES, Rules, with_switch

_VECTORS = Path(__file__).parents[2] / "protocol" / "vectors"
STANDARD = PROFILES["standard"]


def vectors(name: str) -> Any:
    return json.loads((_VECTORS / f"{name}.json").read_text(encoding="utf-8"))


def at(text: str, turn: str = "r") -> Position:
    """A position as in "r 20 s h / b z3 s s": s Start, h Home, z a safety square, a number an outer square."""
    rows = [part.split() for part in text.split("/")]
    colours = tuple(colour for row in rows for colour in Colour if colour.letter == row[0])
    pawns = tuple(tuple(loc(word) for word in row[1:]) for row in rows)
    return Position(colours, pawns, [colour.letter for colour in colours].index(turn))


def loc(word: str) -> int:
    names = {"s": "start", "h": "home"}
    return parse_loc(names.get(word) or (f"safe:{word[1:]}" if word[0] == "z" else f"sq:{word}"))


def rules_of(case: Mapping[str, Any]) -> Rules:
    rules = PROFILES[case["profile"]]
    for switch, value in case["rules_override"].items():
        text = ",".join(value) if isinstance(value, list) else str(value).lower()
        rules = with_switch(rules, f"{switch}={text}")
    return rules


def position_of(case: Mapping[str, Any]) -> Position:
    colours = tuple(sorted(parse_colour(name) for name in case["players"]))
    barred = sum(1 << colours.index(parse_colour(name)) for name in case.get("barred", []))
    turn = colours.index(parse_colour(case["turn"]))
    return Position(colours, pawns_of(case["positions"], colours), turn, None, barred)


def pawns_of(positions: Mapping[str, Any], colours: tuple[Colour, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(parse_loc(name) for name in positions[colour.label]) for colour in colours)


def card_of(case: Mapping[str, Any]) -> Card:
    return parse_card(case["card"])

"""A sample of the comparison of engine and referee, for every profile, every switch value and some mixtures."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace

import pytest

from sorry_lan.rules import engine, profile
from sorry_lan.rules.board import Colour
from sorry_lan.rules.position import Position, problems
from tests.sim import agreement
from tests.sim.agreement import Comparison, Size, compare, named
from tests.sim.compare import barred_of, board_of, turn_of
from tests.sim.referee import perft
from tests.sim.referee import problems as referee_problems
from tests.sim.variants import PROFILES, STANDARD, VALUES, Variant, by_switch, single_switches

pytestmark = pytest.mark.untraced

SAMPLE = Size(reachable=550, placed=880, seed=0)


@pytest.mark.parametrize("name", [*PROFILES, *single_switches(), *(f"mixture {number}" for number in range(12))])
def test_engine_and_referee_agree(name: str) -> None:
    report = compare(named(name), SAMPLE)
    assert report.cases == []
    assert report.quarrels == 0
    assert report.reachable >= SAMPLE.reachable
    assert report.placed >= SAMPLE.placed


def test_every_value_of_every_switch_that_the_engine_knows_is_compared() -> None:
    assert tuple(VALUES) == profile.SWITCHES
    for switch, values in VALUES.items():
        assert set(profile.allowed_values(switch)) <= set(values)
        assert profile.allowed_values(switch)[0] == STANDARD[switch]


# Changes of the rules that must not go unnoticed: the engine plays the standard rules, the referee others.
# `pawns` is left apart: with another number of pawns the two have no position in common.
NOTICEABLE = [setting for setting in single_switches() if not setting.startswith("pawns=")]


@pytest.mark.parametrize("setting", NOTICEABLE)
def test_an_engine_under_other_rules_than_the_referee_is_caught(setting: str) -> None:
    mismatched = Variant(setting, named("standard").engine, by_switch(setting).referee)
    run = Comparison(mismatched, seed=0)
    agreement.check_beginning(run)
    for _ in range(4000):
        if run.report.quarrels:
            break
        run.pairs_of_new(run.set_up())
    assert run.report.cases


def test_a_quarrel_is_reported_as_a_small_case() -> None:
    mismatched = Variant("no slides", named("standard").engine, replace(named("standard").referee, slide_on="none"))
    report = compare(mismatched, Size(reachable=1100, placed=0, seed=1))
    assert report.quarrels
    first = report.cases[0]
    assert first["rules"] == "no slides"
    rows = first["positions"]
    assert isinstance(rows, dict)
    # One pawn that slides is enough; the others are where they do not matter.
    assert sum(place not in ("start", "home") for row in rows.values() for place in row) == 1
    json.dumps(report.cases)


@pytest.mark.parametrize("name", ["standard", "classic", "2013", "swap_slide=both", "pawns_out=1", "mixture 3"])
def test_both_count_the_same_number_of_leaves(name: str) -> None:
    variant = named(name)
    run = Comparison(variant, seed=2)
    for position, depth in [(run.opening(), 2), *((run.set_up(), 1) for _ in range(20)), (run.set_up(), 2)]:
        counted = perft(variant.referee, board_of(position), turn_of(position), depth, barred_of(position))
        assert engine.perft(position, variant.engine, depth) == counted


def test_both_object_to_the_same_positions() -> None:
    rng = random.Random(5)
    variant = named("standard")
    objections = Counter[bool]()
    for _ in range(3000):
        colours = tuple(sorted(rng.sample(list(Colour), rng.choice((2, 3, 4)))))
        # Few places, so that many pawns meet; a row is now and then too long or too short.
        rows = tuple(
            tuple(rng.choice((0, 1, 4, 17, 30, 43, 60, 61, 64, 65, 66)) for _ in range(rng.choice((3,) * 20 + (2, 4))))
            for _ in colours
        )
        if any(set(row) == {66} for row in rows):
            continue  # a finished game is more than a board
        position = Position(colours, rows, 0)
        judged = bool(referee_problems(variant.referee, board_of(position)))
        assert bool(problems(position, variant.engine)) == judged
        objections[judged] += 1
    assert min(objections.values()) > 300

"""perft.json: how many ways a few draws can go."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sorry_lan.rules.engine import perft
from tests.conformance.cases import VECTORS
from tests.conformance.test_rules import position_of, rules_of

pytestmark = pytest.mark.untraced

PERFT: list[dict[str, Any]] = json.loads((VECTORS / "perft.json").read_text(encoding="utf-8"))["positions"]
LEAVES_IN_A_TEST = 60_000
"""Deeper counts are run by `python -m tests.conformance --deep`."""


def check(case: dict[str, Any], most: int = LEAVES_IN_A_TEST) -> int:
    """Every count of a position up to `most` leaves; how many counts that were."""
    rules, position = rules_of(case), position_of(case)
    due = [count for count in case["counts"] if count <= most]
    assert [perft(position, rules, depth + 1) for depth in range(len(due))] == due, case["id"]
    return len(due)


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in PERFT])
def test_the_engine_counts_the_same_leaves(case: dict[str, Any]) -> None:
    assert check(case) > 0

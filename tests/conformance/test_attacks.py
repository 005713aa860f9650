"""The table of attacks in docs/testing.md names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "testing.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (A\d\d) \| ([^|]+) \| ([^|]+) \|$", TEXT, re.MULTILINE)


@pytest.mark.parametrize(("attack", "shown_by"), [(attack, shown_by) for attack, _what, shown_by in ROWS])
def test_every_attack_is_open_or_has_tests_that_exist(attack: str, shown_by: str) -> None:
    named = re.findall(r"`(tests/[^`]+)`", shown_by)
    assert named or shown_by == "open", attack
    for name in named:
        path, _, test = name.partition("::")
        assert re.search(rf"^(async )?def {test}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE), name


def test_every_attack_stands_in_the_table_once_and_in_order() -> None:
    numbers = [attack for attack, _what, _shown_by in ROWS]
    assert numbers == sorted(set(numbers))
    assert len(numbers) > 40

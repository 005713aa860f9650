"""A test that depends on the order of others, or on the hash seed, is found and named."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from tests.flakes.__main__ import main
from tests.flakes.batch import shuffled


def test_modules_and_tests_are_shuffled_and_a_seed_is_an_order() -> None:
    items: Any = [SimpleNamespace(nodeid=f"tests/{module}.py::test_{n}") for module in "abc" for n in range(5)]
    order = [item.nodeid for item in shuffled(items, Random(1))]
    assert sorted(order) == [item.nodeid for item in items]
    assert order == [item.nodeid for item in shuffled(items, Random(1))]
    assert order != [item.nodeid for item in shuffled(items, Random(2))]
    assert len([1 for one, other in pairwise(order) if one[:8] != other[:8]]) == 2


def test_a_test_that_needs_another_one_first_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "test_order.py").write_text(
        "found = []\n\n\ndef test_a():\n    found.append(1)\n\n\ndef test_b():\n    assert found\n"
    )
    assert main(["--runs", "6", "--tests", str(tmp_path), "--seed", "3"]) == 1
    told = capsys.readouterr().out
    assert "6 runs" in told
    assert "test_order.py::test_b" in told
    assert "test_order.py::test_a" not in told


def test_sound_tests_have_no_flakes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "test_sound.py").write_text("def test_a():\n    assert True\n")
    assert main(["--runs", "3", "--tests", str(tmp_path)]) == 0
    assert "0 failures" in capsys.readouterr().out

"""levels.json: what the hard and the expert bot answer, here and under other hash seeds and Pythons."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import Any

import pytest

from sorry_lan.bots.choose import choose
from sorry_lan.bots.levels import LEVELS
from sorry_lan.rules.board import Colour
from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import to_action
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import from_uints
from tests.conformance.cases import Case, judge, load, params
from tests.conformance.spec import ROOT
from tools import level_vectors

pytestmark = pytest.mark.untraced


def _works(python: str) -> bool:
    """Whether it is a Python that starts: the name alone may be a stub."""
    found = shutil.which(python)
    return found is not None and not subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode


PYTHONS = [python for python in ("python3.11", "python3.12", "python3.13") if _works(python)]
"""Only bots/, rules/, wire/digest.py and faults.py are needed, so any Python will do that has nothing installed."""
ELSEWHERE = """
import json, sys
from sorry_lan.bots.choose import THINKERS
from sorry_lan.bots.bench import bench
from sorry_lan.rules.board import Colour
from sorry_lan.rules.profile import from_uints
answers = []
for given in json.load(sys.stdin):
    table = bench(from_uints(given["rules"]), tuple(map(Colour, given["colours"])), 0)
    cells = b"".join(map(bytes, given["locations"]))
    secret = bytes.fromhex(given["secret"])
    answers.append([THINKERS[level](table, cells, given["turn"], given["card"], secret) for level in range(4)])
print(json.dumps(answers))
"""


def answer(given: Any, level: int) -> list[int]:
    rules = from_uints(given["rules"])
    rows = tuple(tuple(row) for row in given["locations"])
    position = Position(tuple(map(Colour, given["colours"])), rows, given["turn"])
    return list(to_action(choose(position, rules, Card(given["card"]), level, bytes.fromhex(given["secret"]))))


@pytest.mark.parametrize("case", params("levels"))
def test_deep_bots_answer_alike(case: Case) -> None:
    names = ("hard", "expert")
    judge(case, {"levels": lambda given: {name: answer(given, LEVELS.index(name)) for name in names}})


def test_the_vectors_are_as_the_program_writes_them() -> None:
    assert level_vectors.main(["--check"]) == 0


@pytest.mark.parametrize("hash_seed", ["0", "1", "4711"])
@pytest.mark.parametrize("python", [sys.executable, *PYTHONS])
def test_no_hash_seed_and_no_python_changes_an_answer(python: str, hash_seed: str) -> None:
    given = [case["in"] for case in load("levels")[::9]]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [python, "-c", ELSEWHERE], input=json.dumps(given), env=environment, capture_output=True, text=True, check=True
    )
    assert json.loads(ran.stdout) == [[answer(each, level) for level in range(4)] for each in given]

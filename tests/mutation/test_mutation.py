"""The tools around mutmut: what may live is told from what may not, and a mutant that nobody notices is found."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation.__main__ import judged
from tests.mutation.kill import KILLED, LIVES, NOT_REACHED, TIMEOUT
from tests.mutation.make import ROOT, Mutant
from tests.mutation.survivors import accepted, reason_of, same_but_words
from tests.mutation.switch import CHOSEN, ORIGINAL, MutantDict, switched

BEFORE = 'def f(a):\n    raise RemoteFault(Err.SCHEMA, f"{a} is wrong", proof)'


@pytest.mark.parametrize(
    ("after", "words"),
    [
        ('def f(a):\n    raise RemoteFault(Err.SCHEMA, "other words", proof)', True),
        ("def f(a):\n    raise RemoteFault(Err.SCHEMA, None, proof)", True),
        ("def f(a):\n    raise RemoteFault(Err.SCHEMA, proof)", True),
        ('def f(a):\n    raise RemoteFault(None, f"{a} is wrong", proof)', False),
        ('def f(a):\n    raise RemoteFault(Err.SCHEMA, f"{a} is wrong", None)', False),
        ('def f(a):\n    raise RemoteFault(f"{a} is wrong", proof)', False),
    ],
)
def test_the_words_of_a_fault_are_told_from_its_number_and_proof(after: str, words: bool) -> None:
    assert same_but_words(BEFORE, after) is words


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ('return cast("T", a)', "return cast(None, a)", True),
        ('return cast("T", a)', 'return cast("T", b)', False),
        ('return a.to_bytes(4, "big")', "return a.to_bytes(4, )", True),
        ('return a.to_bytes(4, "big")', 'return a.to_bytes(5, "big")', False),
        ('due = f"{where}: a name was due"', "due = None", True),
        ("raise Misfit(due)", "raise Misfit(None)", True),
        ("raise Misfit(due)", "raise None(due)", False),
        ("assert_never(a)", "assert_never(None)", True),
        ("match a:\n        case 1: b()\n        case _: assert_never(a)", "match a:\n        case 1: b()", True),
        ("match a:\n        case 1: b()\n        case _: pass", "match a:\n        case 1: b()", True),
        ("match a:\n        case 1: b()\n        case _: f()", "match a:\n        case 1: b()", False),
        ("match a:\n        case 1: b()\n        case 2: pass", "match a:\n        case 1: b()", False),
        ("match a:\n        case 1: b()\n        case _ if b: pass", "match a:\n        case 1: b()", False),
    ],
)
def test_a_change_that_changes_nothing_is_told(before: str, after: str, same: bool) -> None:
    one, other = (f"def f(a, b):\n    {line}" for line in (before, after))
    assert same_but_words(one, other) is same


def test_a_reason_belongs_to_one_change_of_one_function(tmp_path: Path) -> None:
    document = tmp_path / "mutation.md"
    document.write_text("| `wire/a.py` `f` | `x = 1 → x = 2` | equal |\n| `wire/a.py` `g` | ``a \\| b → a`` | why |\n")
    assert accepted(document) == {
        ("wire/a.py", "f", "x = 1 → x = 2"): "equal",
        ("wire/a.py", "g", "a | b → a"): "why",
    }
    assert reason_of(accepted(document), "wire/a.py", "f", "x = 1 → x = 2") == "equal"
    assert reason_of(accepted(document), "wire/a.py", "g", "x = 1 → x = 2") is None
    assert reason_of({("wire/a.py", "f", "x = 1 → *"): "any"}, "wire/a.py", "f", "x = 1 → x = 3") == "any"
    assert reason_of({("wire/a.py", "f", "x = 1 → *"): "any"}, "wire/a.py", "f", "y = 1 → y = 3") is None


def test_a_change_is_told_by_its_lines() -> None:
    before = "def f(x):\n    a = 1\n    return x"
    mutant = Mutant("m.x_f__mutmut_1", "m.py", "f", before, before.replace("1", "2"))
    assert mutant.change() == "a = 1 → a = 2"
    assert mutant.key == "m.x_f"


def test_the_switch_runs_the_chosen_mutant_of_the_right_module_only(monkeypatch: pytest.MonkeyPatch) -> None:
    mutants: MutantDict = {}

    @switched(mutants)
    def f() -> int:
        raise NotImplementedError

    def x_f__mutmut_orig() -> int:
        return 1

    mutants[ORIGINAL] = x_f__mutmut_orig
    mutants["x_f__mutmut_1"] = lambda: 2
    monkeypatch.setattr(CHOSEN, "reached", set())
    assert f() == 1
    monkeypatch.setattr(CHOSEN, "mutant", f"{__name__}.x_f__mutmut_1")
    assert f() == 2
    monkeypatch.setattr(CHOSEN, "mutant", "elsewhere.x_f__mutmut_1")
    assert f() == 1
    assert CHOSEN.reached == {f"{__name__}.x_f"}


def test_living_mutants_without_a_reason_are_named_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    def mutant(number: int, after: str) -> Mutant:
        return Mutant(f"m.x_f__mutmut_{number}", "sorry_lan/m.py", "f", BEFORE, after)

    mutants = [
        mutant(1, BEFORE.replace("proof", "None")),
        mutant(2, BEFORE.replace("SCHEMA", "RATE")),
        mutant(3, BEFORE.replace("SCHEMA", "STALE")),
    ]
    verdicts = [KILLED, LIVES, TIMEOUT]
    lines = [{"mutant": each.name, "verdict": verdict} for each, verdict in zip(mutants, verdicts, strict=True)]
    score = judged("m", mutants, lines)
    assert (score.killed, score.mutants, len(score.unknown)) == (2, 3, 1)
    assert round(score.percent, 1) == 66.7
    assert "Err.RATE" in capsys.readouterr().out


MODULE = """
from tests.mutation.switch import MutantDict, switched

mutants_x_double: MutantDict = {}


@switched(mutants_x_double)
def double(x):
    raise NotImplementedError


def x_double__mutmut_orig(x):
    return x * 2


def x_double__mutmut_1(x):
    return x + 2


def x_double__mutmut_2(x):
    return x * 3


def x_double__mutmut_3(x):
    while True:
        pass


mutants_x_double.update(
    _mutmut_orig=x_double__mutmut_orig, x_double__mutmut_1=x_double__mutmut_1, x_double__mutmut_2=x_double__mutmut_2,
    x_double__mutmut_3=x_double__mutmut_3,
)
"""
TESTS = """
from product import double


def test_of_two():
    assert double(2) == 4


def test_of_nothing():
    assert True


def test_that_never_passes():
    assert double(0) == 1
"""


def test_each_mutant_is_tried_against_the_tests_that_call_it(tmp_path: Path) -> None:
    (tmp_path / "product.py").write_text(MODULE)
    (tmp_path / "test_product.py").write_text(TESTS)
    (tmp_path / "conftest.py").write_text(
        'from hypothesis import settings\nsettings.register_profile("same everywhere", database=None)\n'
    )
    names = [f"product.x_double__mutmut_{number}" for number in (1, 2, 3)] + ["product.x_other__mutmut_1"]
    (tmp_path / "names").write_text("\n".join(names))
    told = {
        "mutants": str(tmp_path / "names"), "output": str(tmp_path / "out"), "forks": 1, "limit_s": 1, "minutes": 0,
        "tests": [str(tmp_path)], "deselect": [],
    }  # fmt: skip
    subprocess.run(
        [sys.executable, "-m", "tests.mutation.kill", json.dumps(told)], cwd=tmp_path, check=False,
        env={"PYTHONPATH": f"{tmp_path}:{ROOT}", "PATH": "/usr/bin:/bin"}, capture_output=True,
    )  # fmt: skip
    look, *lines = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    assert look["tests"] == 2
    assert look["dropped"] == ["test_product.py::test_that_never_passes"]
    assert [line["verdict"] for line in lines] == [LIVES, KILLED, TIMEOUT, NOT_REACHED]

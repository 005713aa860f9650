"""docs/rules.md against what it points to: the ledger is complete, and every case and test that it names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sorry_lan.rules.profile import PROFILES, SWITCHES, allowed_values, switch_text
from tests.rules.build import vectors

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
IDS = {
    entry["id"]
    for name, group in ((name, group) for file in ("rules", "perft") for name, group in vectors(file).items())
    if isinstance(group, list)
    for entry in group
}
LEDGER = re.findall(r"^\| (S\d+) \| (.+?) \| (.+?) \| (.+?) \|$", TEXT, re.MULTILINE)
VECTOR = re.compile(r"\b[A-LNPTUX](?:-(?:[A-Za-z0-9]+|\*))+")


def test_the_ledger_has_every_statement_once_and_in_order() -> None:
    assert [row[0] for row in LEDGER] == [f"S{n}" for n in range(1, 76)]


@pytest.mark.parametrize("row", LEDGER, ids=lambda row: row[0])
def test_a_statement_that_is_a_rule_names_where_it_is_seen(row: tuple[str, str, str, str]) -> None:
    _, _, decided, seen = row
    if decided == "-":
        return
    assert set(re.findall(r"R\d+", decided)) <= {f"R{n}" for n in range(1, 20)}
    assert VECTOR.search(seen) or "`test_" in seen or (ROOT / seen).is_file()


def test_every_case_that_the_text_names_exists() -> None:
    named = set(VECTOR.findall(TEXT))
    missing = [name for name in named if not any(re.fullmatch(name.replace("*", ".*"), known) for known in IDS)]
    assert len(named) > 100
    assert missing == []


def test_every_test_that_the_text_names_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", TEXT))
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "rules").glob("test_*.py"))
    assert named
    assert [name for name in named if f"def {name}(" not in sources] == []


def test_each_rule_is_named_where_the_architecture_says_that_it_is_obeyed() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = text.split("<!-- rules -->")[1].split("<!-- /rules -->", maxsplit=1)[0]
    found = re.findall(r"^\| (R\d+) .+? \| `(\S+)` (.+?) \|$", table, re.MULTILINE)
    assert [rule for rule, _, _ in found] == [f"R{n}" for n in range(1, 20)]
    for rule, place, names in found:
        source = (ROOT / "sorry_lan" / place).read_text(encoding="utf-8")
        bodies = {name: _function(source, name) for name in re.findall(r"`(\w+)`", names)}
        assert all(bodies.values()), (rule, bodies)
        whole_module = rule in {"R15", "R19"}  # what the module is about, as its first line says
        for name, body in bodies.items():
            said = source if whole_module else body
            assert re.search(rf"\b{rule}\b", said), (rule, place, name)


def _function(source: str, name: str) -> str:
    """The text of a function or method of that name."""
    found = re.search(rf"^( *)def {name}\(.*?(?=^\1(?:def|class|@|#|_?[A-Z])|\Z)", source, re.MULTILINE | re.DOTALL)
    return found[0] if found else ""


def test_every_decision_is_there_once() -> None:
    assert re.findall(r"^\*\*(R\d+) ", TEXT, re.MULTILINE) == [f"R{n}" for n in range(1, 20)]


@pytest.mark.parametrize("switch", [name for name in SWITCHES if name not in ("pawns", "start_cards")])
def test_the_table_of_switches_is_the_one_in_force(switch: str) -> None:
    (values, *profiles) = re.findall(rf"^\| `{switch}` \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|", TEXT, re.MULTILINE)[0]
    assert set(values.split(", ")) == set(allowed_values(switch))
    assert profiles == [switch_text(rules, switch) for rules in PROFILES.values()]

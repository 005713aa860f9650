"""protocol/SPEC.md as data: its rules, what names each of them."""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.conformance.cases import VECTORS

ROOT = Path(__file__).resolve().parents[2]
SPEC = (ROOT / "protocol" / "SPEC.md").read_text(encoding="utf-8")
RULE = re.compile(r"^\| \[([A-Z]-\d+)\] \| (.*) \|$")
NAMED = re.compile(r"\[([A-Z]-\d+)\]")


def rules() -> list[tuple[str, str]]:
    """(id, text) of every row that is a rule, in the order of the document."""
    return [found.groups() for line in SPEC.splitlines() if (found := RULE.match(line))]  # type: ignore[misc]


def from_vectors() -> Iterator[tuple[str, str]]:
    """(id, case) for each id that a vector names."""
    for path in sorted(VECTORS.rglob("*.json")):
        for rows in json.loads(path.read_text(encoding="utf-8")).values():
            for case in rows if isinstance(rows, list) else []:
                for rule in case["spec"]:
                    yield rule, f"{path.name} {case['id']}"


def from_tests() -> Iterator[tuple[str, str]]:
    """(id, place) for each id in a `pytest.mark.spec(...)` below tests/."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "mark.spec" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.spec"):
                for argument in node.args:
                    if isinstance(argument, ast.Constant):
                        yield str(argument.value), f"{path.relative_to(ROOT)}:{node.lineno}"


def exercised() -> dict[str, list[str]]:
    """Each id with the vectors and tests that name it."""
    found: dict[str, list[str]] = defaultdict(list)
    for rule, where in (*from_vectors(), *from_tests()):
        found[rule].append(where)
    return found


def in_code() -> Iterator[tuple[str, str]]:
    """(id, place) for each id in the sources."""
    for folder in ("sorry_lan", "benchmarks", "tools"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for rule in NAMED.findall(line):
                    yield rule, f"{path.relative_to(ROOT)}:{number}"

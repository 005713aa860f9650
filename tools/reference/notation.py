"""How vectors write values and cases in JSON; protocol/vectors/README.md explains it to other implementations."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tools.reference.core import Value

SAFE_INTEGER = 2**53 - 1
Case = dict[str, object]


def packed(data: bytes) -> object:
    """Hex, or for long data a list of hex and {"repeat": hex of one byte, "count": n} that joins to it."""
    if len(data) <= 512:
        return data.hex()
    parts: list[object] = []
    for run in re.finditer(rb"(?s)(.)\1{63,}|(?:(?!(.)\2{63,}).)+", data):
        found = run.group()
        same = run.group(1) is not None
        parts.append({"repeat": found[:1].hex(), "count": len(found)} if same else found.hex())
    return parts


def shown(value: Value) -> object:
    """CMP value -> JSON: bytes as {"bin": hex}, integers beyond 2^53 as {"uint": digits}, the rest as it is."""
    if isinstance(value, bytes):
        return {"bin": packed(value)}
    if isinstance(value, int) and not isinstance(value, bool) and value > SAFE_INTEGER:
        return {"uint": str(value)}
    if isinstance(value, list | tuple):
        return [shown(each) for each in value]
    return value


class File:
    """The cases of one vector file, in the order in which they are added."""

    def __init__(self, name: str, about: str) -> None:
        self.name, self.about = name, about
        self.cases: list[Case] = []

    def valid(self, group: str, name: str, spec: str, why: str, given: object, due: object) -> None:  # noqa: PLR0917 - as a case has six parts
        """A case that must come out as `due`."""
        self._add({"id": f"{group}/{name}", "group": group, "spec": spec.split(), "why": why, "in": given, "out": due})

    def invalid(self, group: str, name: str, spec: str, why: str, given: object, error: int) -> None:  # noqa: PLR0917 - as above
        """A case that must be refused with this error."""
        self._add(
            {"id": f"{group}/{name}", "group": group, "spec": spec.split(), "why": why, "in": given, "error": error}
        )

    def _add(self, case: Case) -> None:
        if any(case["id"] == other["id"] for other in self.cases):
            raise ValueError(f"twice: {case['id']}")
        self.cases.append(case)

    def write(self, folder: Path) -> None:
        """One case a line, so that a diff shows cases."""
        lines = ",\n".join(json.dumps(case, ensure_ascii=True) for case in self.cases)
        head = json.dumps({"format": 1, "file": self.name, "about": self.about})[:-1]
        (folder / f"{self.name}.json").write_text(f'{head}, "cases": [\n{lines}\n]}}\n', encoding="ascii")

"""The tables of docs/json.md, read, and lines of output held against them."""

from __future__ import annotations

import json
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "json.md"


def _tables() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 4 and cells[0] not in ("type", "part"):
            found.setdefault(cells[0], {})[cells[1]] = cells[2]
    return found


SHAPES = _tables()


def check_line(line: str) -> dict[str, object]:
    """The object of a line of output, once it is shown to fit the page; AssertionError where it does not."""
    assert line.isascii()
    assert line.isprintable()
    value = json.loads(line)
    assert value.pop("v") == 1
    kind = value.pop("type")
    _check_object(value, kind)
    return {"type": kind, **value}


def _check_object(value: object, shape: str) -> None:
    assert isinstance(value, dict), shape
    assert set(value) == set(SHAPES[shape]), shape
    for name, form in SHAPES[shape].items():
        _check(value[name], form, f"{shape}.{name}")


def _check(value: object, form: str, where: str) -> None:
    if form.endswith(" or null"):
        if value is None:
            return
        form = form.removesuffix(" or null")
    if form.startswith("list of "):
        assert isinstance(value, list), where
        for item in value:
            _check(item, form.removeprefix("list of "), where)
    elif form.startswith("map of "):
        assert isinstance(value, dict), where
        for item in value.values():
            _check(item, form.removeprefix("map of "), where)
    elif words := re.fullmatch(r"word\((.*)\)", form):
        assert value in words[1].split(), where
    elif form in SHAPES:
        _check_object(value, form)
    else:
        assert type(value) is {"string": str, "int": int, "bool": bool}[form], where

"""Blocks of a document that are generated from the code, between `<!-- NAME:begin -->` and `<!-- NAME:end -->`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

Blocks = Mapping[str, Callable[[], Iterator[str]]]
"""For each name the lines that belong between its marks."""


def filled(text: str, blocks: Blocks) -> str:
    """`text` with each generated block as it should be."""
    for name, lines in blocks.items():
        begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
        block = f"{begin}\n" + "".join(f"{line}\n" for line in lines()) + end
        text = re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _, block=block: block, text, flags=re.DOTALL)
    return text


def compare(path: Path, blocks: Blocks, command: str, arguments: list[str]) -> int:
    """0 if the document is as generated, or was written because `--write` asked for it."""
    text = path.read_text(encoding="utf-8")
    due = filled(text, blocks)
    if arguments == ["--write"]:
        path.write_text(due, encoding="utf-8")
        return 0
    print("up to date" if text == due else f"{path.name} differs: run {command} --write")
    return 0 if text == due else 1

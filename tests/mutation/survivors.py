"""Which mutants may live: those that change words of a fault, and those that docs/mutation.md gives a reason for."""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path

FAULTS = {"RemoteFault": 1, "LocalMisuse": 0, "Misread": 0, "ValueError": 0, "KeyError": 0}
"""Exceptions, and from which argument on texts are words for people only."""
_ROW = re.compile(r"^\| `([^`]+)` `([^`]+)` \| (?:``(.+)``|`(.+)`) \| (.+) \|$")


def accepted(document: Path) -> dict[tuple[str, str, str], str]:
    """(file, function, change) -> reason."""
    found = {}
    for line in document.read_text().splitlines() if document.exists() else []:
        row = _ROW.match(line)
        if row:
            change = (row[3] or row[4]).replace("\\|", "|")
            found[(row[1], row[2], change)] = row[5]
    return found


class _Wordless(ast.NodeTransformer):
    """Takes the words out of faults, and the byte order where it is Python's own default."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in {"to_bytes", "from_bytes"}:
            node.args = [arg for arg in node.args if not (isinstance(arg, ast.Constant) and arg.value == "big")]
        if isinstance(node.func, ast.Name) and node.func.id in FAULTS:
            first = FAULTS[node.func.id]
            node.args = [arg for at, arg in enumerate(node.args) if at < first or not _is_text(arg)]
        return node


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | None))


def same_but_words(before: str, after: str) -> bool:
    """Whether the two functions differ in nothing but words of faults, or not at all."""
    one, other = (ast.dump(_Wordless().visit(ast.parse(textwrap.dedent(source)))) for source in (before, after))
    return one == other

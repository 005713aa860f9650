"""Which mutants may live: those that change words of a fault, and those that docs/mutation.md gives a reason for."""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path

FAULTS = {"RemoteFault": 1, "LocalMisuse": 0, "Misread": 0, "Misfit": 0, "ValueError": 0, "KeyError": 0}
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


def reason_of(known: dict[tuple[str, str, str], str], file: str, function: str, change: str) -> str | None:
    """The reason of this change, or of a row that ends with * and begins like it."""
    for (in_file, in_function, row), reason in known.items():
        if (in_file, in_function) == (file, function) and (
            change == row or (row.endswith("*") and change.startswith(row[:-1]))
        ):
            return reason
    return None


class _Wordless(ast.NodeTransformer):
    """Takes out the words of faults, casts and the byte order where it is Python's own default, which do nothing.

    And what mypy has proven to be out of reach.
    """

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr in {"to_bytes", "from_bytes"}:
            node.args = [arg for arg in node.args if not (isinstance(arg, ast.Constant) and arg.value == "big")]
        if isinstance(node.func, ast.Name) and node.func.id == "cast" and len(node.args) == 2:
            return node.args[1]
        if isinstance(node.func, ast.Name) and node.func.id == "assert_never":
            node.args = []
        if isinstance(node.func, ast.Name) and node.func.id in FAULTS:
            first = FAULTS[node.func.id]
            node.args = [arg for at, arg in enumerate(node.args) if at < first or not _is_text(arg)]
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:
        self.generic_visit(node)
        if len(node.cases) > 1 and _is_for_nothing(node.cases[-1]):
            node.cases.pop()
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        self.generic_visit(node)
        target = node.targets[0]
        return None if isinstance(target, ast.Name) and target.id == "due" else node


def _is_for_nothing(case: ast.match_case) -> bool:
    """Whether this is `case _:` with nothing behind it but `pass` or `assert_never(...)`."""
    if not isinstance(case.pattern, ast.MatchAs) or case.pattern.pattern is not None or case.guard is not None:
        return False
    match case.body:
        case [ast.Pass()] | [ast.Expr(ast.Call(ast.Name("assert_never")))]:
            return True
        case _:
            return False


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.Name) and node.id == "due":
        return True
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | None))


def same_but_words(before: str, after: str) -> bool:
    """Whether the two functions differ in nothing but words of faults, or not at all."""
    one, other = (ast.dump(_Wordless().visit(ast.parse(textwrap.dedent(source)))) for source in (before, after))
    return one == other

"""The vectors are what the second implementation writes, and it shares nothing with the first."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.conformance.spec import ROOT
from tools import reference_vectors

pytestmark = pytest.mark.untraced


def test_the_vectors_are_as_the_reference_writes_them(tmp_path: Path) -> None:
    assert reference_vectors.differences(tmp_path) == []


def test_the_reference_imports_nothing_of_the_package() -> None:
    sources = [ROOT / "tools" / "reference_vectors.py", *(ROOT / "tools" / "reference").glob("*.py")]
    sources += [ROOT / "tests" / "sim" / "referee.py"]
    assert len(sources) > 5
    for path in sources:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert not [name for name in names if name.partition(".")[0] == "sorry_lan"], path

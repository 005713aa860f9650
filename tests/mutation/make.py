"""Makes the mutants: a copy of the tree whose modules carry every mutant of their functions, by mutmut 3.

mutmut changes what stands in functions without decorators (but static and class methods), never tables of a module.
"""

from __future__ import annotations

import difflib
import fnmatch
import importlib
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("sorry_lan", "tests", "protocol", "docs", "tools", "benchmarks", "pyproject.toml", "README.md")
MUTMUTS_SWITCH = "from mutmut.mutation.trampoline import wrap_in_trampoline as _mutmut_mutated, MutantDict"
OUR_SWITCH = "from tests.mutation.switch import MutantDict, switched as _mutmut_mutated"


@dataclass(frozen=True)
class Mutant:
    """`name` as mutmut writes it; `before` and `after` are the function's source."""

    name: str
    file: str
    function: str
    before: str
    after: str

    @property
    def key(self) -> str:
        """The function's name as the switch tells it."""
        return self.name.rpartition("__mutmut_")[0]

    def change(self) -> str:
        """The changed lines, on one line."""
        lines = difflib.unified_diff(self.before.splitlines(), self.after.splitlines(), n=0, lineterm="")
        told = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
        out = " ".join(line[1:].strip() for line in told if line[0] == "-")
        new = " ".join(line[1:].strip() for line in told if line[0] == "+")
        return f"{out} → {new}" if new else f"{out} → (gone)"


def copy_tree(folder: Path) -> None:
    """What tests need of the tree."""
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / part, folder)
    with (folder / "pyproject.toml").open("a") as config:
        config.write('\n[tool.mutmut]\nsource_paths = ["sorry_lan"]\n')


def mutate(folder: Path, patterns: Sequence[str]) -> list[Mutant]:
    """Write the mutants into the modules of the copy that the patterns name; they are inactive until switched on."""
    files = sorted(
        str(path.relative_to(folder))
        for path in (folder / "sorry_lan").rglob("*.py")
        if any(fnmatch.fnmatch(str(path.relative_to(folder)), pattern) for pattern in patterns)
    )
    here = Path.cwd()
    os.chdir(folder)  # where mutmut looks for its settings
    try:
        mutmut: Any = importlib.import_module("mutmut.mutation.file_mutation")
        return [mutant for file in files for mutant in _mutated(mutmut, file)]
    finally:
        os.chdir(here)


def _mutated(mutmut: Any, file: str) -> list[Mutant]:
    made = mutmut.mutate_file_contents(file, Path(file).read_text())
    if not made.mutant_names:
        return []
    if made.code.count(MUTMUTS_SWITCH) != 1:
        raise SystemExit("this version of mutmut writes its switch in another way: see tests/mutation/make.py")
    Path(file).write_text(made.code.replace(MUTMUTS_SWITCH, OUR_SWITCH))
    lines, spans = made.code.splitlines(), made.line_span_by_function_name
    module = file.removesuffix(".py").replace("/", ".")

    def source(name: str) -> str:
        span = spans[name]
        return "\n".join(lines[span.start - 1 : span.end]).replace(name, plain(name), 1)

    def plain(name: str) -> str:
        return name.rpartition("__mutmut_")[0].removeprefix("x").lstrip("_").rpartition("ǁ")[2]

    found = []
    for name in made.mutant_names:
        mangled = name.rpartition("__mutmut_")[0]
        parts = mangled.removeprefix("xǁ").split("ǁ") if mangled.startswith("xǁ") else [mangled.removeprefix("x_")]
        found.append(Mutant(f"{module}.{name}", file, ".".join(parts), source(f"{mangled}__mutmut_orig"), source(name)))
    return found

"""Mutation score of the core: `python -m tests.mutation [--only AREA]`; needs mutmut 3 beside the other tools.

mutmut makes the mutants, in a copy of the tree; kill.py runs the tests against them, but for those that change nothing
but the words of a fault. Each mutant that lives must stand in docs/mutation.md with a reason; one that does not, or a
score below the aim, makes the exit code 1.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.kill import KILLED, LIVES, NOT_REACHED, TIMEOUT
from tests.mutation.make import ROOT, Mutant, copy_tree, mutate
from tests.mutation.survivors import accepted, reason_of, same_but_words

AIM = 90.0
LIMIT_S = 5
"""Seconds of processor time that each test of a mutant gets beyond four times what it takes."""


@dataclass(frozen=True)
class Area:
    """Which modules are mutated, and the tests that must notice."""

    files: tuple[str, ...]
    tests: tuple[str, ...]
    deselect: tuple[str, ...] = ()


def _vectors(*names: str) -> tuple[str, ...]:
    return tuple(f"tests/conformance/test_{name}.py" for name in names)


AREAS = {
    "rules": Area(("sorry_lan/rules/*.py",), ("tests/rules", *_vectors("rules"), "tests/sim/test_agreement.py")),
    "wire": Area(("sorry_lan/wire/*.py",), ("tests/wire", *_vectors("codec", "frames", "keys", "draw"))),
    "fair": Area(("sorry_lan/fair/*.py",), ("tests/fair", *_vectors("draw", "entries", "transcripts", "keys"))),
    "phases": Area(("sorry_lan/table/phases.py",), ("tests/table/test_phases.py", "tests/table/test_docs.py")),
}


@dataclass(frozen=True)
class Score:
    """What came of one area."""

    mutants: int
    killed: int
    unknown: tuple[str, ...]

    @property
    def percent(self) -> float:
        return 100 * self.killed / self.mutants if self.mutants else 0.0


def run_area(name: str, options: argparse.Namespace) -> Score:
    """Make, run, compare with what is accepted, and say it."""
    area, began = AREAS[name], time.monotonic()
    with tempfile.TemporaryDirectory(dir=options.folder) as inside:
        folder = Path(inside)
        copy_tree(folder)
        made = [each for each in mutate(folder, area.files) if options.match in each.name]
        mutants = [each for each in made if not same_but_words(each.before, each.after)]
        print(f"{name}: {len(made)} mutants; {len(made) - len(mutants)} change nothing or only words of a fault")
        # By chance, so that what was run when the time is out is a fair sample.
        mutants = random.Random(options.seed).sample(mutants, min(options.sample or len(mutants), len(mutants)))
        names, output = folder / "mutant_names", folder / "verdicts"
        names.write_text("\n".join(each.name for each in mutants))
        told = {
            "mutants": str(names), "output": str(output), "forks": options.jobs, "tests": list(area.tests),
            "deselect": list(area.deselect), "limit_s": LIMIT_S, "minutes": options.minutes,
        }  # fmt: skip
        environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        environment.pop("PYTEST_ADDOPTS", None)
        log = folder / "log"
        with log.open("w") as to:
            subprocess.run(
                [sys.executable, "-m", "tests.mutation.kill", json.dumps(told)], cwd=folder, env=environment,
                stdout=to, stderr=subprocess.STDOUT, check=False,
            )  # fmt: skip
        if not output.exists():
            raise SystemExit(f"{name}: the tests did not run:\n{log.read_text()[-3000:]}")
        lines = [json.loads(line) for line in output.read_text().splitlines()]
    score = judged(name, mutants, lines)
    print(f"{name}: {(time.monotonic() - began) / 60:.1f} minutes", flush=True)
    return score


def judged(name: str, mutants: Sequence[Mutant], lines: Sequence[dict[str, object]]) -> Score:
    """Count, and print what lives."""
    for line in lines:
        if "dropped" in line:
            print(f"{name}: {line['tests']} tests; failing in a mutated copy and left out: {line['dropped']}")
    verdicts = {str(line["mutant"]): str(line["verdict"]) for line in lines if "mutant" in line}
    if len(verdicts) < len(mutants):
        print(f"{name}: {len(mutants) - len(verdicts)} of {len(mutants)} mutants were not run")
        mutants = [mutant for mutant in mutants if mutant.name in verdicts]
    counts = Counter(verdicts.values())
    known, unknown = accepted(ROOT / "docs" / "mutation.md"), []
    for mutant in sorted(mutants, key=lambda mutant: (mutant.file, mutant.function, mutant.name)):
        verdict = verdicts[mutant.name]
        if verdict not in {LIVES, NOT_REACHED}:
            continue
        file, change = mutant.file.removeprefix("sorry_lan/"), mutant.change()
        line = f"| `{file}` `{mutant.function}` | `{change}` |"
        reason = reason_of(known, file, mutant.function, change)
        print(f"  {verdict:11} {line} {reason or '?'}")
        if reason is None:
            unknown.append(line)
    score = Score(len(mutants), counts[KILLED] + counts[TIMEOUT], tuple(unknown))
    print(
        f"{name}: {score.killed} of {score.mutants} killed ({counts[TIMEOUT]} by time): {score.percent:.1f} %;"
        f" {len(unknown)} living ones without a reason"
    )
    return score


def main(arguments: Sequence[str] | None = None) -> int:
    """All areas or one."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--only", choices=list(AREAS), help="one area")
    parser.add_argument("--match", default="", help="mutants with this in their name")
    parser.add_argument("--sample", type=int, default=0, help="so many of each area, by chance")
    parser.add_argument("--minutes", type=float, default=0, help="for each area, beside making and looking")
    parser.add_argument("--seed", type=int, default=0, help="of the sample, and of the order")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="where the copies are made (default: the system's)")
    options = parser.parse_args(arguments)
    if importlib.util.find_spec("mutmut") is None:
        print("mutmut is not installed: pip install 'mutmut>=3.8'")
        return 2
    scores = [run_area(name, options) for name in ([options.only] if options.only else AREAS)]
    return 1 if any(score.unknown or score.percent < AIM for score in scores) else 0


if __name__ == "__main__":
    sys.exit(main())

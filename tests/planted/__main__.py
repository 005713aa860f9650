"""Plants each bug in a copy of the tree and runs what must find it: `python -m tests.planted [--only NAME]`."""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import local

from tests.planted.below import BELOW
from tests.planted.fair import FAIR
from tests.planted.onward import ONWARD
from tests.planted.rules import RULES
from tests.planted.table import TABLE
from tests.planted.variant import Variant

ROOT = Path(__file__).resolve().parents[2]
VARIANTS = (*RULES, *FAIR, *TABLE, *ONWARD, *BELOW)
MOST_CPU_S = 60
_FOUND = re.compile(r"found after (\d+) seeds, ([\d.]+) CPU s: (.*)")


@dataclass(frozen=True)
class Finding:
    """What came of one variant; `seeds` where the simulator found it."""

    variant: Variant
    found: bool
    seeds: int | None
    cpu_s: float
    by: str

    def __str__(self) -> str:
        how = f"{self.seeds} seeds, " if self.seeds is not None else ""
        verdict = f"found after {how}{self.cpu_s:.1f} s" if self.found else "NOT FOUND"
        return f"{verdict:36} {self.variant.file:22} {self.variant.name}: {self.by}"

    def row(self) -> str:
        """One line of the table in docs/testing.md."""
        area = self.variant.file.partition("/")[0]
        by = " ".join(self.by.split()).replace("|", "/").replace("<", "&lt;")
        if self.seeds is None:
            return f"| {area} | {self.variant.name} | {self.cpu_s:.1f} s | `{by.partition('[')[0]}` |"
        return f"| {area} | {self.variant.name} | {self.seeds} seeds, {self.cpu_s:.1f} s | {by[:70].rstrip()} |"


class Copies:
    """A copy of the tree for each worker, whole again after every variant."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._mine = local()

    def path(self) -> Path:
        """The copy of the calling worker."""
        if not hasattr(self._mine, "path"):
            self._mine.path = Path(tempfile.mkdtemp(dir=self._folder))
            for part in ("sorry_lan", "tests", "protocol", "docs", "tools"):
                shutil.copytree(ROOT / part, self._mine.path / part, ignore=shutil.ignore_patterns("__pycache__"))
            shutil.copy(ROOT / "pyproject.toml", self._mine.path)
        return Path(self._mine.path)


def found(variant: Variant, copies: Copies) -> Finding:
    """Plant it, look for it, and take it out again."""
    tree = copies.path()
    file = tree / "sorry_lan" / variant.file
    source = file.read_text()
    file.write_text(variant.planted(source))
    try:
        return _looked(variant, tree)
    finally:
        file.write_text(source)


def _looked(variant: Variant, tree: Path) -> Finding:
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    # What the caller adds to its own tests (other reports, coverage) would hide the name of the test that found it.
    environment.pop("PYTEST_ADDOPTS", None)
    output = tree / "output"
    with output.open("w") as to:
        process = subprocess.Popen(
            [sys.executable, *variant.finder], cwd=tree, env=environment, stdout=to, stderr=subprocess.STDOUT
        )
        _, status, usage = _waited(process)
    told = output.read_text()
    cpu_s = usage
    match = _FOUND.search(told)
    if match:
        return Finding(variant, float(match[2]) <= MOST_CPU_S, int(match[1]), float(match[2]), match[3][:160])
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", told, re.MULTILINE)
    by = failed[1] if failed else told.strip().splitlines()[-1][:160] if told.strip() else "nothing was said"
    return Finding(variant, bool(status) and cpu_s <= MOST_CPU_S and failed is not None, None, cpu_s, by)


def _waited(process: subprocess.Popen[bytes]) -> tuple[int, int, float]:
    """Wait with the limit of time; the process, its exit code, and the CPU seconds it took."""
    deadline = time.monotonic() + 30 * MOST_CPU_S  # on a busy machine processor time comes slowly
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return pid, process.returncode, usage.ru_utime + usage.ru_stime
        if time.monotonic() > deadline:
            process.kill()
            deadline += 5
        time.sleep(0.05)


def main(arguments: Sequence[str] | None = None) -> int:
    """All variants, some, or a random sample; 1 where one is not found."""
    parser = argparse.ArgumentParser(prog="python -m tests.planted", description=__doc__)
    parser.add_argument("--only", default="", help="variants with this in their name or file")
    parser.add_argument("--sample", type=int, default=0, help="so many of them, by chance")
    parser.add_argument("--seed", type=int, default=0, help="of the sample")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--markdown", action="store_true", help="the table of docs/testing.md")
    options = parser.parse_args(arguments)
    wanted = [each for each in VARIANTS if options.only in each.name or options.only in each.file]
    if options.sample:
        wanted = random.Random(options.seed).sample(wanted, min(options.sample, len(wanted)))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:
        copies = Copies(Path(folder))
        findings = []
        for finding in pool.map(lambda each: found(each, copies), wanted):
            findings.append(finding)
            print(finding.row() if options.markdown else finding, flush=True)
    missed = [finding.variant.name for finding in findings if not finding.found]
    print(f"{len(findings) - len(missed)} of {len(findings)} found" + (f"; missed: {missed}" if missed else ""))
    return 1 if missed or not findings else 0


if __name__ == "__main__":
    sys.exit(main())

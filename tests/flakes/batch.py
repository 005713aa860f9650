"""One process of `tests.flakes`: collects once, then runs everything in several orders, each in a fork of its own."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

FAILED = 100
"""How many names of failed tests are kept of one run."""


class Orders:
    """Instead of one run in order: a fork for each seed, which shuffles modules and their tests, and runs them."""

    def __init__(self, seeds: Sequence[int], output: Path, slow: frozenset[str]) -> None:
        self._seeds = seeds
        self._output = output
        self._slow = slow
        self._failed: list[str] = []
        self._took_s: dict[str, float] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for seed in self._seeds:
            began = time.monotonic()
            child = os.fork()
            if child == 0:
                self._run(session, seed, began)
            os.waitpid(child, 0)
        return True

    def _run(self, session: pytest.Session, seed: int, began: float) -> None:
        """In the fork: never returns."""
        items = shuffled([item for item in session.items if item.nodeid not in self._slow], Random(seed))
        try:
            for item, following in zip(items, [*items[1:], None], strict=True):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            told = {
                "seed": seed,
                "tests": len(items),
                "failed": self._failed[:FAILED],
                "wall_s": round(time.monotonic() - began, 1),
                "took_s": self._took_s,
            }
            with self._output.open("a") as to:
                to.write(json.dumps(told) + "\n")
        finally:
            sys.stdout.flush()
            os._exit(0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.append(f"{report.nodeid} ({report.when}): {str(report.longrepr)[-600:]}")
        if report.when == "call":
            self._took_s[report.nodeid] = report.duration


def shuffled(items: Sequence[pytest.Item], random: Random) -> list[pytest.Item]:
    """Modules in a random order, and the tests of each; what a module prepares once stays prepared."""
    modules: dict[str, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.nodeid.partition("::")[0], []).append(item)
    names = list(modules)
    random.shuffle(names)
    for inside in modules.values():
        random.shuffle(inside)
    return [item for name in names for item in modules[name]]


def main() -> int:
    """Arguments: one JSON object with seeds, output, slow, tests."""
    told = json.loads(sys.argv[1])
    slow = frozenset(json.loads(Path(told["slow"]).read_text())) if told["slow"] else frozenset()
    plugin = Orders(told["seeds"], Path(told["output"]), slow)
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--tb=short", *told["tests"]]
    return int(pytest.main(options, plugins=[plugin]))


if __name__ == "__main__":
    sys.exit(main())

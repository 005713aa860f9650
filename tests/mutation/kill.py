"""Runs the tests against each mutant: the only process that imports the mutated copy. Arguments: one JSON object.

Collects once, runs each test in a fork to see which functions it calls and how long it takes, then forks for each
mutant and runs the tests that call its function, quickest first, until one fails. Nothing a test leaves behind, cached
tables above all, hides a mutant. What runs at import is over before a mutant is switched on; so a mutant that lives
and whose function ran by then gets a second trial in a process of its own.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

import pytest

from tests.mutation.switch import CHOSEN

MEMORY_BYTES = 3 << 30
LIVES, KILLED, NOT_REACHED, TIMEOUT = "lives", "killed", "not reached", "timeout"
FRESH = "MUTANT_OF_A_FRESH_PROCESS"


class Killer:
    """The plugin that takes the place of pytest's loop."""

    def __init__(self, mutants: Sequence[str], output: Path, forks: int, limit_s: int, minutes: float) -> None:
        self._for_s = 60 * minutes or 1e9
        self._mutants = mutants
        self._limit_s = limit_s
        self._output = output
        self._forks = forks
        self._items: list[pytest.Item] = []
        self._failed = False
        self._took: dict[int, float] = {}
        self._by_function: dict[str, list[int]] = {}
        self._at_import: frozenset[str] = frozenset()

    def pytest_collection(self) -> None:
        """A mutant is killed by the first example that fails; nobody reads the smallest one."""
        from hypothesis import Phase, settings  # noqa: PLC0415 - pytest must see this import first

        plain, phases = settings.get_profile("same everywhere"), (Phase.explicit, Phase.generate)
        settings.register_profile("mutation", plain, phases=phases, report_multiple_bugs=False)
        settings.load_profile("mutation")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed = self._failed or report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        if os.environ.get(FRESH):
            return None  # pytest's own loop
        self._at_import = frozenset(CHOSEN.reached)
        self._items = session.items
        gc.collect()
        gc.freeze()  # what a fork does not touch need not be copied
        self._look()
        waiting = list(reversed(self._mutants))
        running: dict[int, tuple[str, int]] = {}
        until_s = time.monotonic() + self._for_s
        while waiting or running:
            if time.monotonic() > until_s:
                waiting.clear()
            while waiting and len(running) < self._forks:
                name = waiting.pop()
                tests = sorted(self._by_function.get(name.rpartition("__mutmut_")[0], []), key=self._took.__getitem__)
                if not tests and name.rpartition("__mutmut_")[0] not in self._at_import:
                    self._tell(name, NOT_REACHED)
                    continue
                running[self._try(name, tests)] = (name, len(tests))
            if running:
                child, status = os.wait()
                name, count = running.pop(child)
                self._tell(name, self._verdict(name, os.waitstatus_to_exitcode(status)), count)
        return True

    def _look(self) -> None:
        """Each test with nothing mutated: what it calls, how long it takes, whether it passes in a copy."""
        began, dropped = time.monotonic(), []
        out, into = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(out)
            with os.fdopen(into, "w") as to:
                self._run_all(to)
            os._exit(0)
        os.close(into)
        with os.fdopen(out) as told_by:
            for line in told_by:
                number, took, failed, reached = json.loads(line)
                if failed:
                    dropped.append(self._items[number].nodeid)
                    continue
                self._took[number] = took
                for function in reached:
                    self._by_function.setdefault(function, []).append(number)
        os.waitpid(child, 0)
        self._line({"tests": len(self._took), "dropped": dropped, "look_s": round(time.monotonic() - began)})

    def _run_all(self, to: TextIO) -> None:
        """In a fork. Caches are emptied before each test, so that it calls what it needs."""
        names = [name for name in sys.modules if name.startswith("sorry_lan.")]
        values = [value for name in names for value in vars(sys.modules[name]).values()]
        caches = [value for value in values if hasattr(value, "cache_clear")]
        tables = [(value, dict(value)) for value in values if type(value) is dict]
        for number, item in enumerate(self._items):
            for cache in caches:
                cache.cache_clear()
            for table, at_import in tables:
                table.clear()
                table.update(at_import)
            CHOSEN.reached = set()
            self._failed = False
            start = time.process_time()
            self._run([item])
            to.write(json.dumps([number, time.process_time() - start, self._failed, sorted(CHOSEN.reached)]) + "\n")

    def _run(self, items: Sequence[pytest.Item]) -> None:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        for item in items:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            if self._failed:
                break

    def _try(self, name: str, tests: Sequence[int]) -> int:
        child = os.fork()
        if child:
            return child
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        CHOSEN.mutant = name
        code = 1
        try:
            for test in tests:
                self._limit(self._took[test])
                self._run([self._items[test]])
                if self._failed:
                    break
            code = 1 if self._failed else 0
        finally:
            os._exit(code)

    def _limit(self, took_s: float) -> None:
        """From now on so much processor time for a test that took `took_s`; waiting for ever has a limit too.

        Of its own for each test: an endless loop in the first is over soon, though a hundred others would follow.
        """
        limit_s = self._limit_s + int(4 * took_s)
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + 1 + limit_s, most))
        signal.alarm(30 + 10 * limit_s)

    def _verdict(self, name: str, code: int) -> str:
        if code < 0:
            return TIMEOUT
        if code:
            return KILLED
        if name.rpartition("__mutmut_")[0] not in self._at_import:
            return LIVES
        return KILLED if self._fresh(name) else LIVES

    def _fresh(self, name: str) -> bool:
        done = subprocess.run(
            [sys.executable, *sys.orig_argv[1:]], env={**os.environ, FRESH: name}, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, check=False, timeout=900,
        )  # fmt: skip
        return done.returncode != 0

    def _tell(self, name: str, verdict: str, count: int = 0) -> None:
        self._line({"mutant": name, "verdict": verdict, "tests": count})

    def _line(self, told: object) -> None:
        with self._output.open("a") as to:
            to.write(json.dumps(told) + "\n")


def run(told: dict[str, object], tests: Callable[[], Sequence[str]]) -> int:
    """Everything, or in a fresh process all tests against one mutant."""
    fresh = os.environ.get(FRESH, "")
    CHOSEN.mutant = fresh
    names = Path(str(told["mutants"])).read_text().split()
    forks, limit_s, minutes = int(str(told["forks"])), int(str(told["limit_s"])), float(str(told["minutes"]))
    killer = Killer(names, Path(str(told["output"])), forks, limit_s, minutes)
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist", "--tb=no", "--no-header"]
    dropped = [f"--deselect={test}" for test in told["deselect"]] if isinstance(told["deselect"], list) else []
    return int(pytest.main([*options, *(["-x"] if fresh else []), *dropped, *tests()], plugins=[killer]))


if __name__ == "__main__":
    argument = json.loads(sys.argv[1])
    sys.exit(run(argument, lambda: argument["tests"]))

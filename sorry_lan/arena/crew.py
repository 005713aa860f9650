"""Processes that play the deals of a match, one for each core that may be used.

Each starts as a fresh interpreter and knows nothing but its match. It ends when its pipe does, whatever became of us.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Final, Self

from sorry_lan.arena.match import Match, play_deal
from sorry_lan.arena.scores import Scores, no_scores, scores_of

_BATCH_S: Final = 0.25
"""A worker reports about so often."""
_PARTING_S: Final = 5.0
_KEYBOARD: Final = frozenset(getattr(signal, name) for name in ("SIGINT", "SIGHUP", "SIGQUIT") if hasattr(signal, name))
"""What a terminal sends to every process in front of it; only the first process answers it."""


class WorkerLost(Exception):  # noqa: N818 - it says what happened
    """A worker could not be started, or ended without being told to; the text says why, where that is known."""


class WorkerFailed(Exception):  # noqa: N818 - it says what happened
    """A worker met a bug; the text is its trace."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Deals first..first+count-1."""

    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a batch."""

    scores: Scores
    seconds: float


def work(match: Match, pipe: Connection) -> None:
    """Play batches until there are no more."""
    for number in _KEYBOARD:
        signal.signal(number, signal.SIG_IGN)
    try:
        while True:
            batch: Batch = pipe.recv()
            began_s = time.perf_counter()
            scores = no_scores(match)
            for number in range(batch.first, batch.first + batch.count):
                scores = scores.plus(scores_of(match, play_deal(match, number)))
            pipe.send(Report(scores, time.perf_counter() - began_s))
    except (EOFError, OSError):
        pass  # nobody wants to know any more
    except Exception:  # noqa: BLE001 - a bug is told where there is somebody to tell it to
        pipe.send(traceback.format_exc())


class Crew:
    """Workers on one match; a context manager that leaves no process behind."""

    def __init__(self, match: Match, workers: int) -> None:
        self._match = match
        self._workers = workers
        self._processes: list[SpawnProcess] = []
        self._pipes: list[Connection] = []

    def __enter__(self) -> Self:
        context = multiprocessing.get_context("spawn")
        try:
            with _deaf_children():
                for _ in range(self._workers):
                    ours, theirs = context.Pipe()
                    self._pipes.append(ours)
                    process = context.Process(target=work, args=(self._match, theirs), daemon=True)
                    process.start()
                    self._processes.append(process)
                    theirs.close()
        except OSError as wrong:
            self._end()
            raise WorkerLost(wrong.strerror or str(wrong)) from wrong
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_what: object) -> None:
        self._end()

    def play(self, deals: int) -> Iterator[Scores]:
        """Play deals 0..deals-1; the scores of some of them each time a worker reports.

        WorkerLost, WorkerFailed.
        """
        given = done = 0
        sizes = dict.fromkeys(self._pipes, 1)
        idle = list(self._pipes)
        while done < deals:
            while idle and given < deals:
                pipe = idle.pop()
                # Towards the end the batches become smaller, so that all workers end at about the same time.
                count = max(1, min(sizes[pipe], (deals - given) // len(self._pipes)))
                self._send(pipe, Batch(given, count))
                given += count
            for ready in wait([pipe for pipe in self._pipes if pipe not in idle]):
                pipe = next(pipe for pipe in self._pipes if pipe is ready)
                report = self._receive(pipe)
                idle.append(pipe)
                done += report.scores.deals
                a_deal_s = max(report.seconds / report.scores.deals, 1e-6)
                sizes[pipe] = max(1, int(_BATCH_S / a_deal_s))
                yield report.scores

    def _send(self, pipe: Connection, batch: Batch) -> None:
        try:
            pipe.send(batch)
        except OSError as wrong:
            raise WorkerLost from wrong

    def _receive(self, pipe: Connection) -> Report:
        try:
            found = pipe.recv()
        except (EOFError, OSError) as wrong:
            raise WorkerLost from wrong
        if isinstance(found, Report):
            return found
        raise WorkerFailed(str(found))

    def _end(self) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join(_PARTING_S)
            if process.exitcode is None:
                process.kill()
                process.join()
        for pipe in self._pipes:
            pipe.close()


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Processes that are started inside never hear the keyboard's signals, not even before their first line runs."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starting it later would let the signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _KEYBOARD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

"""Processes that play a match: the same scores whatever their number, and none of them left behind."""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.connection import Pipe
from pathlib import Path

import pytest

from sorry_lan.arena import crew as crew_module
from sorry_lan.arena.crew import Batch, Crew, Report, WorkerFailed, WorkerLost, work
from sorry_lan.arena.match import Entrant, Match, play_deal
from sorry_lan.arena.scores import Scores, no_scores, scores_of
from sorry_lan.rules.board import Colour
from sorry_lan.rules.profile import Rules

MATCH = Match((Entrant("random", None), Entrant("easy", 0)), Rules(pawns=1), (Colour.RED, Colour.BLUE), 3)
BROKEN = Match((Entrant("none", 99), Entrant("easy", 0)), Rules(pawns=1), (Colour.RED, Colour.BLUE), 3)
"""A level that does not exist: the worker meets a bug."""


def alone(deals: int) -> Scores:
    scores = no_scores(MATCH)
    for number in range(deals):
        scores = scores.plus(scores_of(MATCH, play_deal(MATCH, number)))
    return scores


def together(workers: int, deals: int) -> Scores:
    scores = no_scores(MATCH)
    with Crew(MATCH, workers) as crew:
        for some in crew.play(deals):
            scores = scores.plus(some)
    return scores


@pytest.mark.parametrize("workers", [1, 2])
def test_a_crew_finds_what_one_process_finds(workers: int):
    assert together(workers, 45) == alone(45)
    assert multiprocessing.active_children() == []


def test_a_worker_that_is_killed_is_noticed_and_the_others_end_too():
    with Crew(MATCH, 2) as crew:
        some = crew.play(1_000_000)
        next(some)
        assert crew._processes[0].pid is not None
        os.kill(crew._processes[0].pid, signal.SIGKILL)
        with pytest.raises(WorkerLost):
            for _ in some:
                pass
    assert multiprocessing.active_children() == []


def test_a_bug_in_a_worker_is_told_with_its_trace():
    with Crew(BROKEN, 1) as crew, pytest.raises(WorkerFailed, match=r"in decider\n(.*\n)*IndexError"):
        list(crew.play(1))
    assert multiprocessing.active_children() == []


def test_where_no_process_can_be_started_it_is_said_why(monkeypatch: pytest.MonkeyPatch):
    def refuse(_self: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(crew_module.SpawnProcess, "start", refuse)
    with pytest.raises(WorkerLost, match="Resource temporarily unavailable"), Crew(MATCH, 1):
        pytest.fail("there is no crew")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads Linux's list of signals")
def test_a_worker_never_hears_the_keyboard():
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with Crew(MATCH, 1) as crew:
        list(crew.play(1))
        status = Path(f"/proc/{crew._processes[0].pid}/status").read_text().splitlines()
    deaf = {
        line.partition(":")[0]: int(line.split()[1], 16) for line in status if line.startswith(("SigBlk", "SigIgn"))
    }
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        assert deaf["SigBlk"] & deaf["SigIgn"] & 1 << (number - 1)
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


@pytest.fixture
def kept_signals():
    numbers = (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


class Told:
    """A pipe with these batches in it, whose other end is closed behind them."""

    def __init__(self, *batches: Batch) -> None:
        self._batches = list(batches)
        self.sent: list[object] = []

    def recv(self) -> Batch:
        if not self._batches:
            raise EOFError
        return self._batches.pop(0)

    def send(self, what: object) -> None:
        self.sent.append(what)


@pytest.mark.usefixtures("kept_signals")
def test_a_worker_ends_when_its_pipe_does():
    pipe = Told(Batch(2, 3), Batch(0, 1))
    work(MATCH, pipe)
    first, second = pipe.sent
    assert isinstance(first, Report)
    assert isinstance(second, Report)
    assert (first.scores.deals, second.scores) == (3, alone(1))


@pytest.mark.usefixtures("kept_signals")
def test_a_worker_that_nobody_listens_to_ends_without_a_word(capfd: pytest.CaptureFixture[str]):
    ours, theirs = Pipe()
    ours.close()
    with theirs:
        pipe = Told(Batch(0, 1))
        pipe.send = theirs.send
        work(MATCH, pipe)
    assert capfd.readouterr() == ("", "")

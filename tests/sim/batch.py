"""Many seeds: in chunks, in one process or several, summed up. What a worker runs can't stand in __main__."""

from __future__ import annotations

import multiprocessing
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.sim.clock import S
from tests.sim.plan import Wanted
from tests.sim.signer import Signer, install
from tests.sim.world import Result, run, runs

CHUNK = 20


@dataclass
class Totals:
    """What many tables came to."""

    tables: int = 0
    ended: int = 0
    steps: int = 0
    events: int = 0
    simulated_us: int = 0
    cpu_s: float = 0.0
    crashes: int = 0
    unlike: list[int] = field(default_factory=list)
    broken: list[Result] = field(default_factory=list)
    probes: Counter[str] = field(default_factory=Counter)

    def add(self, result: Result) -> None:
        """One more table."""
        self.tables += 1
        self.ended += result.ended
        self.steps += result.steps
        self.events += result.events
        self.simulated_us += result.simulated_us
        self.probes.update(result.probes)
        if result.wrong is not None:
            self.broken.append(result)

    def join(self, other: Totals) -> None:
        """The tables of another process."""
        for name in ("tables", "ended", "steps", "events", "simulated_us", "cpu_s", "unlike", "broken"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.probes.update(other.probes)

    def __str__(self) -> str:
        simulated_s, cpu_s = self.simulated_us / S, self.cpu_s or 1e-9
        return (
            f"{self.tables} tables, {self.ended} to the end, {self.steps} steps, {self.events} events: "
            f"{len(self.broken)} violations; {simulated_s:.0f} simulated s in {cpu_s:.1f} CPU s "
            f"({simulated_s / cpu_s:.0f} a second, {60 * self.tables / cpu_s:.0f} tables a minute)"
        )


def chunk(seeds: Sequence[int], wanted: Wanted) -> Totals:
    """Play some seeds; one table in fifty twice, and the traces compared (I5)."""
    totals = Totals()
    began = time.process_time()
    for result in runs(seeds, wanted):
        totals.add(result)
        if result.seed % 50 == 7 and run(result.seed, wanted).trace != result.trace:
            totals.unlike.append(result.seed)
    totals.cpu_s = time.process_time() - began
    return totals


def played(seeds: range, wanted: Wanted, signer: Signer, jobs: int) -> Iterator[Totals]:
    """Chunks of seeds as they are done, in one process or several."""
    chunks = [(list(seeds[at : at + CHUNK]), wanted) for at in range(0, len(seeds), CHUNK)]
    if jobs == 1:
        install(signer)
        for one in chunks:
            yield chunk(*one)
        return
    with multiprocessing.get_context("spawn").Pool(jobs, install, (signer,)) as pool:
        yield from pool.imap(chunk_of, chunks)


def chunk_of(one: tuple[list[int], Wanted]) -> Totals:
    """`chunk` for a pool."""
    return chunk(*one)

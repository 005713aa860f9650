"""A client's disk: what was written, what of it would survive a power cut, and how it fails.

Whole records only: bytes and torn tails are the matter of tests/store.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from sorry_lan.table.commands import AppendJournal, JournalKind, SaveFile, Sync
from tests.sim.clock import MS, Dice

Record = tuple[JournalKind, bytes]


class Loss(Enum):
    """How a process ended: killed (the system keeps what it wrote) or without power."""

    KILL = "kill"
    POWER = "power"


@dataclass
class Journal:
    """One journal file: its records, and how many of them are synced."""

    records: list[Record] = field(default_factory=list)
    synced: int = 0


@dataclass
class Disk:
    """The disk of one client; it outlives the client's processes."""

    dice: Dice
    journals: dict[bytes | None, Journal] = field(default_factory=dict)
    files: list[SaveFile] = field(default_factory=list)
    boot: int = 0
    fsync_us: int = 4 * MS
    broken: bool = False
    fail_at: frozenset[int] = frozenset()
    """The numbers of the writes that fail; each next try works."""
    writes: int = 0
    safe: set[bytes] = field(default_factory=set)
    """The own entries that a power cut would leave."""

    def latency_us(self, sync: Sync) -> int:
        """How long a flush takes."""
        if sync is Sync.LATER:
            return 50
        return self.fsync_us // 2 + self.dice.under(self.fsync_us)

    def write(self, batch: Iterable[AppendJournal], sync: Sync) -> bool:
        """Write a batch; False where the disk fails, and nothing of the batch is there then."""
        self.writes += 1
        if self.broken or self.writes in self.fail_at:
            return False
        for append in batch:
            journal = self.journals.setdefault(append.game, Journal())
            journal.records.append((append.kind, append.payload))
        if sync is Sync.NOW:
            for journal in self.journals.values():
                for kind, payload in journal.records[journal.synced :]:
                    if kind is JournalKind.OWN_ENTRY:
                        self.safe.add(payload)
                journal.synced = len(journal.records)
        return True

    def crash(self, loss: Loss, writing: Iterable[AppendJournal]) -> None:
        """What is left when the process ends while `writing` is on its way."""
        for append in writing:
            if self.broken or not self.dice.chance(0.5):
                break
            journal = self.journals.setdefault(append.game, Journal())
            journal.records.append((append.kind, append.payload))
        if loss is Loss.POWER:
            for journal in self.journals.values():
                kept = journal.synced + self.dice.under(len(journal.records) - journal.synced + 1)
                del journal.records[kept:]
        self._settle()

    def _settle(self) -> None:
        """What a new process finds is what there is."""
        self.safe.clear()
        for journal in self.journals.values():
            journal.synced = len(journal.records)
            self.safe |= {payload for kind, payload in journal.records if kind is JournalKind.OWN_ENTRY}

    def backup(self) -> Backup:
        """The journals as a backup program would find them now."""
        return Backup(self.boot, {game: tuple(journal.records) for game, journal in self.journals.items()})

    def restore(self, backup: Backup) -> None:
        """Put the journals back as they were."""
        self.boot = backup.boot
        self.journals = {game: Journal(list(kept), len(kept)) for game, kept in backup.journals.items()}
        self._settle()


@dataclass(frozen=True)
class Backup:
    """An older state of a disk."""

    boot: int
    journals: dict[bytes | None, tuple[Record, ...]]

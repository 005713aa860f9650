"""What a planted bug is: one snippet of one file replaced by another, and the command that must find it."""

from __future__ import annotations

from dataclasses import dataclass

SIM = ("-m", "tests.sim", "run", "--seeds", "0:1000", "--stop")


@dataclass(frozen=True)
class Variant:
    """`old` stands exactly once in `file` (below sorry_lan/); `finder` are arguments of the Python interpreter."""

    name: str
    file: str
    old: str
    new: str
    finder: tuple[str, ...]

    def planted(self, source: str) -> str:
        """The file with the bug; ValueError unless the snippet stands there exactly once."""
        count = source.count(self.old)
        if count != 1:
            raise ValueError(f"{self.name}: the snippet stands {count} times in {self.file}")
        return source.replace(self.old, self.new)


def sim(name: str, file: str, old: str, new: str, *more: str) -> Variant:
    """A bug that the simulator finds; `more` narrows the tables down."""
    return Variant(name, file, old, new, SIM + more)


def by_tests(name: str, file: str, old: str, new: str, *tests: str) -> Variant:
    """A bug that no table shows, because all clients share it or it lies below the table: these tests find it."""
    return Variant(name, file, old, new, ("-m", "pytest", "-x", "-q", "-p", "no:randomly", *tests))

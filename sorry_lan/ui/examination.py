"""The doctor called from a full screen: what was asked, and what is found so far.

Pure: net/checks looks, cli/examining.py brings the two together, draw_doctor.py shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sorry_lan.table.diagnosis import Check, Diagnosis, Finding


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be looked at: a table's address as it was joined ("" for this computer alone), or the own port."""

    address: str
    port: int | None


class Examination:
    """One at a time: asking again begins anew, once the last one is done."""

    __slots__ = ("_found", "_wake", "diagnosis", "wanted")

    def __init__(self) -> None:
        self.wanted: Wanted | None = None
        self.diagnosis: Diagnosis | None = None
        """Once all is known."""
        self._found: dict[Check, Finding] = {}
        self._wake: Callable[[], None] | None = None

    @property
    def running(self) -> bool:
        """Whether something is still being looked at."""
        return self.wanted is not None and self.diagnosis is None

    @property
    def found(self) -> tuple[Finding, ...]:
        """What is known so far, in the order of Check."""
        return tuple(self._found[check] for check in Check if check in self._found)

    def serve(self, wake: Callable[[], None]) -> None:
        """From now on `wake` is called whenever something is to be looked at."""
        self._wake = wake

    def ask(self, wanted: Wanted) -> None:
        """Have this looked at; nothing where something still is, or where nobody looks."""
        if self._wake is None or self.running:
            return
        self.wanted, self.diagnosis, self._found = wanted, None, {}
        self._wake()

    def heard(self, finding: Finding) -> None:
        """One more is known."""
        self._found[finding.check] = finding

    def done(self, diagnosis: Diagnosis) -> None:
        """Everything is."""
        self.diagnosis = diagnosis
        self._found = {finding.check: finding for finding in diagnosis.findings}

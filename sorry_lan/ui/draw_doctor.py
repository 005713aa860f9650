"""The doctor's page over lobby and joining: findings as they come, then the cause and what helps. Draws only."""

from __future__ import annotations

from dataclasses import dataclass

from sorry_lan.table.diagnosis import Finding, Found, Mark
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import Ink
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.examination import Examination
from sorry_lan.ui.sheet import Line, Typed, item, padded, paragraphs, prose
from sorry_lan.ui.texts_doctor import check_text, finding_text, mark_text
from sorry_lan.ui.texts_remedy import cause_text, command_lines
from sorry_lan.wire.limits import DEFAULT_PORT

_MARK = 6
_LABEL = 15
_INKS = {Mark.OK: Ink.GOOD, Mark.WARN: Ink.STRONG, Mark.FAIL: Ink.BAD, Mark.SKIP: Ink.DIM}


@dataclass(frozen=True, slots=True)
class DoctorPage:
    """What an examination has come to."""

    examination: Examination
    scroll: int = 0
    typed: Typed | None = None

    def title(self) -> tuple[str, str]:
        """What this is, and of whom."""
        wanted = self.examination.wanted
        return _("sorry-lan  What is in the way?"), "" if wanted is None else wanted.address

    def keys_text(self) -> str:
        """How to leave, and how to look again."""
        return _("Esc back  d look again  Up/Down scroll")

    def lines(self, width: int, height: int, signs: Signs) -> tuple[Line, ...]:
        """The most important first: the cause and its commands, once they are known; below them the findings."""
        _height, _signs = height, signs
        examination = self.examination
        findings = [line for each in examination.found for line in self._finding(each, width)]
        if examination.diagnosis is None:
            wait = _("Looking at this computer and its network; this takes ten seconds at most.")
            return paragraphs(prose(wait, width, Ink.STRONG), findings)
        diagnosis = examination.diagnosis
        commands = [Line(((Ink.PLAIN, line),)) for line in command_lines(diagnosis)]
        return paragraphs(prose(cause_text(diagnosis), width, Ink.STRONG), commands, findings)

    def _finding(self, finding: Finding, width: int) -> list[Line]:
        if finding.found is Found.NO_PEER:
            return []
        diagnosis, wanted = self.examination.diagnosis, self.examination.wanted
        if diagnosis is not None:
            peer, port = diagnosis.peer, diagnosis.port
        else:
            peer = None if wanted is None or not wanted.address else wanted.address
            port = DEFAULT_PORT if wanted is None or wanted.port is None else wanted.port
        label = padded(mark_text(finding.mark), _MARK) + padded(check_text(finding.check), _LABEL)
        return item(label, finding_text(finding, peer, port), width, label_ink=_INKS[finding.mark])

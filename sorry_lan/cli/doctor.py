"""`sorry-lan doctor [PEER]`: what keeps two computers apart, and the command that changes it. Changes nothing itself.

Exit codes: 0 the peer (or a table) can be joined, 3 no table was found, 4 cannot reach, 5 versions or rules differ.
"""

from __future__ import annotations

import json
import platform
import time
from functools import partial
from pathlib import Path
from typing import Final

import trio

from sorry_lan import __version__
from sorry_lan.cli import options
from sorry_lan.cli.arguments import Arguments, UsageError
from sorry_lan.cli.logs import redacted
from sorry_lan.cli.options import Manner
from sorry_lan.cli.output import complain, say
from sorry_lan.net.checks.probe import Probe
from sorry_lan.net.checks.run import diagnose
from sorry_lan.net.checks.system import SystemProbe
from sorry_lan.net.where import Address, BadAddress, parse_where
from sorry_lan.table.diagnosis import Check, Diagnosis, Finding, Found
from sorry_lan.table.notices import Program
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.texts_doctor import finding_lines, finding_text, opening_line, report_text
from sorry_lan.ui.texts_finding import slip_text
from sorry_lan.ui.texts_remedy import cause_text, ending_lines, fixes
from sorry_lan.wire import limits

NOT_WRITABLE: Final = 9
_FIRST_LINE: Final = "sorry-lan doctor report 1"


def run(arguments: Arguments, probe: Probe | None = None) -> int:
    """Check everything and say what was found; the exit code."""
    manner = options.manner(arguments)
    port = options.port(arguments) or limits.DEFAULT_PORT
    address = _address(arguments, port)
    peer = None if address is None else address.short(limits.DEFAULT_PORT)
    report = arguments.one("--report")
    if report is not None:
        _check_report(report)
    port = port if address is None else address.port
    printing = _InOrder(peer, port)
    if manner is Manner.PLAIN:
        say([opening_line(__version__, peer)])
    heard = printing.heard if manner is Manner.PLAIN else _untold
    host = None if address is None else address.host
    diagnosis = trio.run(partial(diagnose, probe or SystemProbe(), host, peer, port, heard))
    if manner is Manner.JSON:
        say([diagnosis_json(diagnosis)])
    else:
        printing.rest(diagnosis)
        say(ending_lines(diagnosis))
    if report is not None and not _reported(report, diagnosis, manner):
        return NOT_WRITABLE
    return diagnosis.exit_code


def _address(arguments: Arguments, port: int) -> Address | None:
    if arguments.operand is None:
        return None
    try:
        found = parse_where(arguments.operand, port).address
    except BadAddress as wrong:
        raise UsageError(slip_text(wrong.slip, arguments.operand, wrong.near)) from wrong
    if found is None:
        raise UsageError(
            _("A code names no computer. Type the host's address, or only sorry-lan doctor to look for tables.")
        )
    return found


def _untold(_finding: Finding) -> None:
    """Only the end counts."""


class _InOrder:
    """Prints findings in the order of Check, each as soon as those before it are known."""

    def __init__(self, peer: str | None, port: int) -> None:
        self._peer = peer
        self._port = port
        self._waiting: dict[Check, Finding] = {}
        self._due = list(Check)

    def heard(self, finding: Finding) -> None:
        """One more is known."""
        self._waiting[finding.check] = finding
        while self._due and self._due[0] in self._waiting:
            due = self._waiting[self._due.pop(0)]
            if due.found is not Found.NO_PEER:
                say(finding_lines(due, self._peer, self._port))

    def rest(self, diagnosis: Diagnosis) -> None:
        """What never became known in time stands in the diagnosis."""
        for finding in diagnosis.findings:
            if finding.check in self._due:
                self.heard(finding)


def diagnosis_json(diagnosis: Diagnosis) -> str:
    """One object for programs (docs/json.md)."""
    return json.dumps(
        {
            "v": 1,
            "type": "diagnosis",
            "peer": diagnosis.peer,
            "port": diagnosis.port,
            "system": diagnosis.system.value,
            "checks": [_check_json(finding, diagnosis) for finding in diagnosis.findings],
            "cause": diagnosis.cause.value,
            "text": cause_text(diagnosis),
            "commands": [
                {"where": fix.where.value, "for": fix.whom, "command": fix.command} for fix in fixes(diagnosis)
            ],
            "exit_code": diagnosis.exit_code,
        }
    )


def _check_json(finding: Finding, diagnosis: Diagnosis) -> dict[str, object]:
    told: dict[str, object] = {
        "check": finding.check.value,
        "mark": finding.mark.value,
        "found": finding.found.value,
        "text": finding_text(finding, diagnosis.peer, diagnosis.port),
    }
    if finding.programs is not None:
        told |= {"ours": _program_json(finding.programs[0]), "theirs": _program_json(finding.programs[1])}
    return told


def _program_json(program: Program) -> dict[str, object]:
    return {
        "app": program.app,
        "vmin": program.vmin,
        "vmax": program.vmax,
        "engine": None if program.engine is None else program.engine.hex(),
    }


def _check_report(path: str) -> None:
    """A file that is no earlier report is never written over; UsageError."""
    try:
        with Path(path).open(encoding="utf-8", errors="replace") as file:
            begins = file.read(len(_FIRST_LINE))
    except OSError:
        return
    if begins and begins != _FIRST_LINE:
        raise UsageError(_("{path} is there already and is no report; name another file.").format(path=ascii(path)))


def _reported(path: str, diagnosis: Diagnosis, manner: Manner) -> bool:
    """Whether the report could be written; says where it is, or why not."""
    try:
        Path(path).write_text(report(diagnosis), encoding="utf-8", errors="backslashreplace")
    except OSError as wrong:
        complain(_("The report {path} cannot be written: {why}.").format(path=path, why=wrong.strerror))
        return False
    if manner is Manner.PLAIN:
        say([report_text(path)])
    return True


def report(diagnosis: Diagnosis) -> str:
    """The whole diagnosis for somebody who was not there: no keys, no codes, no names of people or of Wi-Fis."""
    lines = [
        _FIRST_LINE,
        time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        f"sorry-lan {__version__}, Python {platform.python_version()}, {platform.system()} {platform.release()}",
        opening_line(__version__, diagnosis.peer),
        *(line for each in diagnosis.findings for line in finding_lines(each, diagnosis.peer, diagnosis.port)),
        *ending_lines(diagnosis),
        "",
    ]
    # An engine digest looks like a key; it is public and needed, so it stays short in the text and out of this.
    return redacted("\n".join(lines)) + redacted(diagnosis_json(diagnosis)) + "\n"

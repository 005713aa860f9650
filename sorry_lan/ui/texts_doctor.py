"""What the doctor says of each finding: mark, check, sentence. Causes and commands are in texts_remedy.py."""

from __future__ import annotations

import textwrap
from typing import Final

from sorry_lan.table.diagnosis import Check, Finding, Found, Mark
from sorry_lan.table.notices import Program
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.shown import shown
from sorry_lan.wire.limits import MAX_APP

CELLS: Final = 80
_ABOUT_CELLS: Final = 120
PEER_CELLS: Final = 80
_MARK: Final = 5
_LABEL: Final = 14


def finding_lines(finding: Finding, peer: str | None, port: int) -> list[str]:
    """One finding as it is printed: mark, check, and a sentence that may take several lines."""
    head = f"{mark_text(finding.mark):<{_MARK}} {check_text(finding.check):<{_LABEL}} "
    text = finding_text(finding, peer, port)
    wrapped = textwrap.wrap(text, CELLS - len(head), break_long_words=False, break_on_hyphens=False)
    first, *rest = wrapped or [""]
    return [head + first, *(" " * len(head) + line for line in rest)]


def mark_text(mark: Mark) -> str:
    """The mark in at most five signs."""
    return {Mark.OK: _("ok"), Mark.WARN: _("warn"), Mark.FAIL: _("FAIL"), Mark.SKIP: _("skip")}[mark]


def check_text(check: Check) -> str:
    """What was looked at, in at most fourteen signs."""
    return {
        Check.NETWORK: _("network"),
        Check.NAME: _("name"),
        Check.ROUTE: _("route"),
        Check.REACHABLE: _("reachable"),
        Check.PORT: _("port"),
        Check.HANDSHAKE: _("handshake"),
        Check.FIREWALL: _("firewall"),
        Check.SENDING: _("announcing"),
        Check.HEARING: _("searching"),
        Check.CLOCK: _("sleep"),
    }[check]


def finding_text(finding: Finding, peer: str | None, port: int) -> str:
    """The sentence of one finding."""
    about = tuple(shown(each, _ABOUT_CELLS) for each in finding.about)
    first = about[0] if about else "?"
    if finding.found is Found.NEEDS:
        needed = next((check_text(check) for check in Check if check.value == first), first)
        return _("needs this first: {check}").format(check=needed)
    value = finding.value or 0.0
    return _sentence(finding.found).format(
        peer=peer_text(peer),
        port=port,
        all=", ".join(about),
        each="; ".join(about),
        first=first,
        rest=", ".join(about[1:]),
        last=about[-1] if about else "?",
        ms=max(1, round(value)),
        s=round(value, 1),
        n=round(value),
        programs=_programs(finding.programs),
    )


def peer_text(peer: str | None) -> str:
    """The other computer as it was named."""
    return shown(peer, PEER_CELLS) if peer is not None else _("the other computer")


def _sentence(found: Found) -> str:
    return {**_skipped(), **_of_here(), **_of_way(), **_of_table(), **_of_multicast()}[found]


def _skipped() -> dict[Found, str]:
    return {
        Found.NO_PEER: _("no other computer was named"),
        Found.LATE: _("there was no time left for it"),
        Found.UNTOLD: _("this system does not tell"),
        Found.FAILED: _("could not be checked ({first})"),
    }


def _of_here() -> dict[Found, str]:
    return {
        Found.LAN: "{each}",
        Found.TUNNEL: _("a VPN takes what leaves this computer: {each}"),
        Found.LINK_LOCAL: _("only addresses that this computer gave itself: {each}"),
        Found.VIRTUAL: _("only networks of containers or virtual machines: {each}"),
        Found.WSL: _("Linux inside Windows (WSL2): others cannot call this computer at {each}"),
        Found.ALONE: _("in no network: nothing but this computer itself can be reached"),
        Found.NO_NETWORK: _("this computer has no network at all"),
        Found.UNGUARDED: _("none is known here"),
        Found.FIREWALL_OFF: _("{all}: off"),
        Found.FIREWALL_ON: _("{all}: on; others reach a table here only if port {port} is let in"),
        Found.FIREWALL_UNSURE: _("{all}: only the administrator can see whether it is on"),
        Found.STEADY: _("this computer has not slept"),
        Found.SLEEPS: _("{n} s asleep since it was started; while it sleeps, the others miss you"),
        Found.SLEPT: _("it fell asleep for {s} s while all this was looked at; the rest may be wrong"),
    }


def _of_way() -> dict[Found, str]:
    return {
        Found.NUMERIC: _("{first} is an address, no name has to be looked up"),
        Found.NAMED: "{first} = {rest}",
        Found.NAME_LOOPBACK: _("{first} = {rest}: that is this computer itself"),
        Found.NAME_UNKNOWN: _("no computer is known as {first}"),
        Found.NAME_LATE: _("nobody answers what address {first} has"),
        Found.DIRECT: _("by {first} from {rest}"),
        Found.BY_GATEWAY: _("by {first} and the router {last}: it is in another network than this computer"),
        Found.BY_TUNNEL: _("by the VPN {first} from {rest}"),
        Found.BY_VIRTUAL: _("by {first} from {rest}, a network inside this computer"),
        Found.HERE: _("{first} is this computer itself"),
        Found.NO_ZONE: _("behind which interface? It can be {all}"),
        Found.NO_ROUTE: _("there is no way to {first}"),
        Found.ANSWERS: _("{peer} answers in {ms} ms"),
        Found.PRESENT: _("{peer} is in this network, but answers nothing"),
        Found.ABSENT: _("no computer in this network has that address"),
        Found.SILENT: _("no answer of any kind in {s} s"),
        Found.FORBIDDEN: _("this computer does not let sorry-lan connect to it"),
        Found.LOCAL_NETWORK: _("macOS says that there is no way to it"),
        Found.NO_WAY: _("the network says that there is no way to it"),
    }


def _of_table() -> dict[Found, str]:
    return {
        Found.OPEN: _("port {port} takes connections"),
        Found.REFUSED: _("port {port} refuses: no program listens there"),
        Found.REJECTED: _("port {port}: a firewall turns connections away"),
        Found.DROPPED: _("no answer from port {port} in {s} s (packets dropped, 3 tries)"),
        Found.RESET: _("port {port} breaks connections off"),
        Found.MEETS: _("a table that anybody may join{programs}"),
        Found.CODE: _("a table that asks for its join code{programs}"),
        Found.OTHER_SERVICE: _("something else than sorry-lan answers at port {port}"),
        Found.MUTE: _("what listens at port {port} says nothing"),
        Found.HUNG_UP: _("the connection broke while it was made"),
        Found.VERSION: _("the two programs speak different versions{programs}"),
        Found.ENGINE: _("the two programs have other rules or bots{programs}"),
        Found.BUSY: _("too many connections at once over there"),
        Found.BROKE_RULE: _("the other side does not keep to the protocol"),
    }


def _of_multicast() -> dict[Found, str]:
    return {
        Found.HEARD_BACK: _("announcements leave and are heard again: {all}"),
        Found.PARTLY_BACK: _("announcements are not heard again on {all}"),
        Found.NOT_BACK: _("announcements are sent, none is heard again: {all}"),
        Found.NOT_SENT: _("this computer refuses to send announcements: {all}"),
        Found.PORT_HELD: _("another program keeps UDP port 5353 for itself"),
        Found.TABLES: _("tables are announced by {all}"),
        Found.OWN_TABLE: _("a table on this computer is announced, none by others"),
        Found.OTHERS: _("other computers are heard ({n}), but none has a table"),
        Found.NOTHING: _("nobody else is heard"),
    }


def _programs(programs: tuple[Program, Program] | None) -> str:
    if programs is None:
        return ""
    ours, theirs = programs
    return _(" (here {ours}; there {theirs})").format(ours=_program(ours), theirs=_program(theirs))


def _program(program: Program) -> str:
    spoken = str(program.vmin) if program.vmin == program.vmax else f"{program.vmin}-{program.vmax}"
    digest = program.engine.hex()[:8] if program.engine else "-"
    return _("{app}, protocol {spoken}, rules {digest}").format(
        app=shown(program.app, MAX_APP), spoken=spoken, digest=digest
    )


def opening_line(version: str, peer: str | None) -> str:
    """What is going to be looked at."""
    if peer is None:
        return _("sorry-lan {version}. Checking this computer and its network.").format(version=version)
    return _("sorry-lan {version}. Checking this computer and {peer}.").format(version=version, peer=peer_text(peer))


def report_text(path: str) -> str:
    """Where the report is."""
    return _("Report: {path} (no secrets in it)").format(path=shown(path, 400))

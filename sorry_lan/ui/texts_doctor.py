"""What the doctor says: a line for each finding, then one most likely cause and what to do about it.

Commands are for people to type; the doctor itself runs none that changes anything.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final

from sorry_lan.faults import Err
from sorry_lan.table.diagnosis import Cause, Check, Diagnosis, Finding, Found, Mark, Tool
from sorry_lan.table.notices import Program
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.shown import shown
from sorry_lan.ui.texts_errors import advice_text
from sorry_lan.wire.limits import DEFAULT_PORT, MAX_APP

_CELLS: Final = 80
_ABOUT_CELLS: Final = 120
_PEER_CELLS: Final = 80
_MARK: Final = 5
_LABEL: Final = 14
_SEARCH_PORT: Final = 5353
"""Multicast DNS, by which tables are found."""


@unique
class Where(Enum):
    """On which of the two computers something is to be done."""

    HERE = "here"
    THERE = "there"


@dataclass(frozen=True, slots=True)
class Fix:
    """A command that helps: on which computer, for whom (a firewall or a system, "" for everybody), and its words."""

    where: Where
    whom: str
    command: str


def finding_lines(finding: Finding, peer: str | None, port: int) -> list[str]:
    """One finding as it is printed: mark, check, and a sentence that may take several lines."""
    head = f"{mark_text(finding.mark):<{_MARK}} {check_text(finding.check):<{_LABEL}} "
    text = finding_text(finding, peer, port)
    wrapped = textwrap.wrap(text, _CELLS - len(head), break_long_words=False, break_on_hyphens=False)
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
        peer=_peer(peer),
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


def _peer(peer: str | None) -> str:
    return shown(peer, _PEER_CELLS) if peer is not None else _("the other computer")


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


def cause_text(diagnosis: Diagnosis) -> str:
    """The most likely cause, as one or two sentences."""
    if diagnosis.cause is Cause.FINE and diagnosis.peer is None:
        return _("Nothing is in the way: tables are announced in this network, and this computer hears them.")
    told = {**_causes_at_table(), **_causes_here(), **_causes_between()}[diagnosis.cause]
    return told.format(peer=_peer(diagnosis.peer), port=diagnosis.port, advice=advice_text(Err.VERSION))


def _causes_at_table() -> dict[Cause, str]:
    return {
        Cause.FINE: _("Nothing is in the way: the table on {peer} can be joined."),
        Cause.VERSION: _("Most likely: the two programs are of different versions. {advice}"),
        Cause.ENGINE: _("Most likely: the two programs play by different rules or bots. {advice}"),
        Cause.OTHER_SERVICE: _(
            "Most likely: port {port} on {peer} is another program's. Ask the host for the port that its screen shows."
        ),
        Cause.MUTE: _(
            "Most likely: port {port} on {peer} is another program's, or that computer is too busy to answer."
            " Ask the host for the port that its screen shows, and try again."
        ),
        Cause.HUNG_UP: _(
            "Most likely: the table on {peer} is just closing, or something in between breaks connections off."
            " Ask the host whether the table is still open, and try again."
        ),
        Cause.BUSY: _("Most likely: too many programs call {peer} at once. Try again in a moment."),
        Cause.BROKE_RULE: _(
            "Most likely: what listens at port {port} on {peer} is no sorry-lan of a version that can be understood."
            " Install the same version on both computers."
        ),
        Cause.NOT_HOSTING: _(
            "Most likely: no table is open on {peer}, or it has another port than {port}."
            " Ask the host to start, and for the line that its screen shows."
            " If a table is open at that port, a firewall there refuses in its place."
        ),
    }


def _causes_here() -> dict[Cause, str]:
    return {
        Cause.NO_NETWORK: _(
            "Most likely: this computer is in no network. Switch its Wi-Fi on, or plug a cable in."
            " On this computer alone it works all the same: sorry-lan play"
        ),
        Cause.NAME_LOOPBACK: _(
            "Most likely: {peer} is this computer's own name. Use the address that the host's screen shows."
        ),
        Cause.OWN_ADDRESS: _(
            "Most likely: {peer} is an address of this computer, and no table is open here."
            " Use the address that the host's screen shows."
        ),
        Cause.FORBIDDEN: _(
            "Most likely: a firewall or security program on this computer keeps sorry-lan from connecting."
            " Allow Python to use the local network."
        ),
        Cause.LOCAL_NETWORK: _(
            "Most likely: macOS keeps this terminal from the local network. Open System Settings, Privacy & Security,"
            " Local Network, switch your terminal program on, and start the terminal again."
        ),
        Cause.MULTICAST_BLOCKED: _(
            "Most likely: the firewall of this computer drops the search for tables (multicast, UDP port 5353)."
            " With the host's address it works all the same."
        ),
        Cause.PORT_HELD: _(
            "Most likely: another program on this computer keeps UDP port 5353 for itself, so tables cannot be found."
            " With the host's address it works all the same."
        ),
        Cause.WSL: _(
            "Most likely: Linux inside Windows (WSL2) hides this computer behind its address translation. Joining by"
            " address works; for hosting turn on mirrored networking in .wslconfig, run sorry-lan in Windows itself,"
            " or let somebody else host."
        ),
        Cause.OWN_FIREWALL: _(
            "A table is open here. If others cannot join it, the firewall of this computer most likely drops"
            " port {port}."
        ),
        Cause.HOSTING: _(
            "A table is open here, and nothing is seen on this computer that keeps others away."
            " Run sorry-lan doctor with this computer's address on the other one."
        ),
    }


def _causes_between() -> dict[Cause, str]:
    return {
        Cause.NAME_UNKNOWN: _(
            "Most likely: {peer} is misspelt, or this network does not tell names. Use the host's numeric address."
        ),
        Cause.NAME_SERVER: _(
            "Most likely: whoever tells names in this network does not answer. Use the host's numeric address."
        ),
        Cause.NO_ZONE: _(
            "Most likely: {peer} lacks its interface. Addresses that begin with fe80 need it behind a % sign."
        ),
        Cause.NO_ROUTE: _(
            "Most likely: the two computers are in different networks. Put both into the same Wi-Fi or at the same"
            " router, not into its guest network."
        ),
        Cause.FIREWALL_REJECTS: _("Most likely: the firewall on {peer} turns port {port} away."),
        Cause.FIREWALL_DROPS: _("Most likely: the firewall on {peer} drops port {port}."),
        Cause.TUNNEL: _(
            "Most likely: a VPN on this computer takes what is meant for the local network. Switch it off, or allow"
            " local network access in it."
        ),
        Cause.VIRTUAL: _(
            "Most likely: that address is one of containers or virtual machines, which only its own computer reaches."
            " Use the address that the host's screen shows first, or connect this computer to a network."
        ),
        Cause.NOBODY_THERE: _(
            "Most likely: {peer} is switched off, asleep, or has another address by now."
            " Ask the host for the line that its screen shows."
        ),
        Cause.OTHER_NETWORK: _(
            "Most likely: {peer} is in another network than this computer, such as a guest Wi-Fi."
            " Put both into the same one."
        ),
        Cause.SILENT: _(
            "Most likely: {peer} is switched off, or a guest Wi-Fi or a firewall keeps the two computers apart."
            " Put both into the same network, not into its guest network; if they are, allow port {port} on {peer}."
        ),
        Cause.NO_TABLE: _(
            "Nothing seems to be in the way, but nobody in this network announces a table. Ask the host to start,"
            " or use the host's address."
        ),
        Cause.UNHEARD: _(
            "Most likely: nobody is here, or the network keeps its computers apart (guest Wi-Fi, client isolation)."
            " Try the host's address: sorry-lan doctor ADDRESS then says more."
        ),
        Cause.UNSURE: _("Nothing that was looked at explains it. Try again; --report FILE keeps what was found."),
    }


def fixes(diagnosis: Diagnosis) -> tuple[Fix, ...]:
    """The commands that help against the cause, the most likely one first."""
    port, peer = diagnosis.port, diagnosis.peer
    match diagnosis.cause:
        case Cause.FINE:
            return (Fix(Where.HERE, "", join_command(peer, _needs_code(diagnosis))),)
        case Cause.FIREWALL_DROPS | Cause.SILENT:
            return tuple(_allow(Where.THERE, tool, port) for tool in (Tool.UFW, Tool.FIREWALLD, *_OTHER_TOOLS))
        case Cause.FIREWALL_REJECTS:
            return tuple(_allow(Where.THERE, tool, port) for tool in (Tool.FIREWALLD, Tool.UFW, *_OTHER_TOOLS))
        case Cause.OWN_FIREWALL | Cause.MULTICAST_BLOCKED if diagnosis.tool not in (None, Tool.MACOS):
            return (_allow(Where.HERE, diagnosis.tool, port),)
        case Cause.MULTICAST_BLOCKED:
            return (_allow(Where.HERE, Tool.IPTABLES, port),)
        case Cause.NOT_HOSTING:
            return (Fix(Where.THERE, "", _host_command(port)), _allow(Where.THERE, Tool.UFW, port))
        case Cause.NO_ZONE:
            spellings = next((each.about for each in diagnosis.findings if each.found is Found.NO_ZONE), ())
            bracketed = (f'"[{shown(each, _PEER_CELLS)}]:{port}"' for each in spellings)
            return tuple(Fix(Where.HERE, "", f"sorry-lan doctor {each}") for each in bracketed)
        case _:
            return ()


_OTHER_TOOLS: Final = (Tool.IPTABLES, Tool.NFTABLES, Tool.WINDOWS)


def _needs_code(diagnosis: Diagnosis) -> str:
    """What to add to the command."""
    return " --code WORDS" if any(each.found is Found.CODE for each in diagnosis.findings) else ""


def join_command(peer: str | None, rest: str) -> str:
    """What to type to join."""
    if peer is None:
        return "sorry-lan join"
    named = shown(peer, _PEER_CELLS)
    # Brackets and percent signs mean something to shells.
    return f'sorry-lan join "{named}"{rest}' if set(named) & set("[]%") else f"sorry-lan join {named}{rest}"


def _host_command(port: int) -> str:
    return "sorry-lan host" if port == DEFAULT_PORT else f"sorry-lan host --port {port}"


def _allow(where: Where, tool: Tool | None, port: int) -> Fix:
    """What lets a table's port and the search for tables in."""
    search = _SEARCH_PORT
    match tool:
        case Tool.FIREWALLD:
            command = f"sudo firewall-cmd --add-port={port}/tcp --add-port={search}/udp"
        case Tool.NFTABLES:
            command = (
                f"sudo nft insert rule inet filter input tcp dport {port} accept"
                f" && sudo nft insert rule inet filter input udp dport {search} accept"
            )
        case Tool.IPTABLES:
            command = (
                f"sudo iptables -I INPUT -p tcp --dport {port} -j ACCEPT"
                f" && sudo iptables -I INPUT -p udp --dport {search} -j ACCEPT"
            )
        case Tool.WINDOWS:
            command = (
                f"netsh advfirewall firewall add rule name=sorry-lan dir=in action=allow protocol=TCP localport={port}"
            )
        case _:
            command = f"sudo ufw allow {port}/tcp && sudo ufw allow {search}/udp"
    return Fix(where, (tool or Tool.UFW).value, command)


def ending_lines(diagnosis: Diagnosis) -> list[str]:
    """What follows the findings: cause, commands, another way, and how the program ends."""
    lines = ["", *_wrapped(cause_text(diagnosis))]
    found = fixes(diagnosis)
    peer = _peer(diagnosis.peer)
    for where, head in ((Where.THERE, _("Do this on {peer}:")), (Where.HERE, _("Do this on this computer:"))):
        commands = [fix for fix in found if fix.where is where]
        if not commands:
            continue
        lines.append(head.format(peer=peer))
        for fix in commands:
            if fix.whom:
                lines.append("  " + _("with {tool}:").format(tool=fix.whom))
            lines.append(f"    {fix.command}")
    if diagnosis.cause in _OTHER_WAY:
        lines += _wrapped(_("Cannot change it? Host on this computer instead: the connection then goes the other way."))
        lines.append("    sorry-lan host")
    return [*lines, "", *_wrapped(_exit_text(diagnosis.exit_code))]


_OTHER_WAY: Final = (Cause.FIREWALL_DROPS, Cause.FIREWALL_REJECTS, Cause.SILENT)


def _exit_text(code: int) -> str:
    told = {
        0: _("all is well"),
        3: _("no table was found"),
        4: _("cannot reach the other computer's table"),
        5: _("versions or rules differ"),
        7: _("the other side refuses"),
    }[code]
    return _("Exit code {code}: {told}.").format(code=code, told=told)


def _wrapped(text: str) -> Iterable[str]:
    return textwrap.wrap(text, _CELLS, break_long_words=False, break_on_hyphens=False)


def opening_line(version: str, peer: str | None) -> str:
    """What is going to be looked at."""
    if peer is None:
        return _("sorry-lan {version}. Checking this computer and its network.").format(version=version)
    return _("sorry-lan {version}. Checking this computer and {peer}.").format(version=version, peer=_peer(peer))


def report_text(path: str) -> str:
    """Where the report is."""
    return _("Report: {path} (no secrets in it)").format(path=shown(path, 400))

"""What the doctor says at the end: the most likely cause, the command that helps, another way, the exit code.

Commands are for people to type; the doctor itself runs none that changes anything.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final

from sorry_lan.faults import Err
from sorry_lan.table.diagnosis import Cause, Diagnosis, Found, Tool
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.shown import shown
from sorry_lan.ui.texts_doctor import CELLS, PEER_CELLS, peer_text
from sorry_lan.ui.texts_errors import advice_text
from sorry_lan.wire.limits import DEFAULT_PORT

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


def cause_text(diagnosis: Diagnosis) -> str:
    """The most likely cause, as one or two sentences."""
    if diagnosis.cause is Cause.FINE and diagnosis.peer is None:
        return _("Nothing is in the way: tables are announced in this network, and this computer hears them.")
    told = {**_causes_at_table(), **_causes_here(), **_causes_between()}[diagnosis.cause]
    return told.format(peer=peer_text(diagnosis.peer), port=diagnosis.port, advice=advice_text(Err.VERSION))


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
            return tuple(Fix(Where.HERE, "", doctor_command(f"[{each}]:{port}")) for each in spellings)
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
    return f"sorry-lan join {_word(peer)}{rest}"


def doctor_command(address: str) -> str:
    """What to type to learn why an address cannot be reached."""
    return f"sorry-lan doctor {_word(address)}"


def _word(address: str) -> str:
    """An address for a command line: brackets and percent signs mean something to shells."""
    named = shown(address, PEER_CELLS)
    return f'"{named}"' if set(named) & set("[]%") else named


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
    ending = _wrapped(_exit_text(diagnosis.exit_code))
    return ["", *_wrapped(cause_text(diagnosis)), *command_lines(diagnosis), "", *ending]


def command_lines(diagnosis: Diagnosis) -> list[str]:
    """What to type, on which computer; commands are never broken."""
    lines: list[str] = []
    found = fixes(diagnosis)
    peer = peer_text(diagnosis.peer)
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
    return lines


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
    return textwrap.wrap(text, CELLS, break_long_words=False, break_on_hyphens=False)

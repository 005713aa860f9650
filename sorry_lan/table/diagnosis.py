"""What the doctor found, and what follows from it: the most likely cause and the exit code, both by tables.

Values and pure functions only; net/checks looks, ui/texts_doctor.py has the sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final

from sorry_lan.table.notices import Program


@unique
class Check(Enum):
    """What is looked at, in the order in which it is told."""

    NETWORK = "network"
    NAME = "name"
    ROUTE = "route"
    REACHABLE = "reachable"
    PORT = "port"
    HANDSHAKE = "handshake"
    FIREWALL = "firewall"
    SENDING = "sending"
    HEARING = "hearing"
    CLOCK = "clock"


@unique
class Mark(Enum):
    """What a finding means for playing."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"
    SKIP = "skip"


@unique
class Found(Enum):
    """Every way a check can end; `about` and `value` of the Finding are told for each that has them."""

    NO_PEER = "no-peer"
    """Skipped: no other computer was named."""
    NEEDS = "needs"
    """Skipped: another check must pass first; `about` is its name."""
    LATE = "late"
    """Skipped: there was no time left."""
    UNTOLD = "untold"
    """Skipped: this system does not tell."""
    FAILED = "failed"
    """Skipped: the check itself went wrong; `about` says how."""

    LAN = "lan"
    """In a network; `about` are interfaces with their addresses, here and in the next five."""
    TUNNEL = "tunnel"
    """A VPN takes what has no other way."""
    LINK_LOCAL = "link-local"
    """Only addresses that this computer gave itself: nobody hands out others."""
    VIRTUAL = "virtual"
    """Only networks of containers and virtual machines of this computer."""
    WSL = "wsl"
    """Linux inside Windows, behind its address translation."""
    ALONE = "alone"
    """Only loopback."""
    NO_NETWORK = "no-network"
    """Not even loopback."""

    NUMERIC = "numeric"
    """An address was typed; `about` is it."""
    NAMED = "named"
    """`about` are the name and its addresses."""
    NAME_LOOPBACK = "name-loopback"
    """The name leads back to this computer; `about` as for NAMED."""
    NAME_UNKNOWN = "name-unknown"
    NAME_LATE = "name-late"
    """Whoever was asked for the name did not answer."""

    DIRECT = "direct"
    """`about` are interface and own address, here and in the next three."""
    BY_GATEWAY = "by-gateway"
    """In another network; the gateway comes third."""
    BY_TUNNEL = "by-tunnel"
    BY_VIRTUAL = "by-virtual"
    HERE = "here"
    """The address is one of this computer's own."""
    NO_ZONE = "no-zone"
    """A link-local address without its interface; `about` are the spellings that may be meant."""
    NO_ROUTE = "no-route"

    ANSWERS = "answers"
    """After `value` milliseconds."""
    PRESENT = "present"
    """It is on this network, as its network card says, but answers nothing."""
    ABSENT = "absent"
    """No computer on this network has the address."""
    SILENT = "silent"
    """No answer of any kind for `value` seconds."""
    FORBIDDEN = "forbidden"
    """This computer does not let the program connect."""
    LOCAL_NETWORK = "local-network"
    """macOS says that there is no way, as it does where the Local Network switch is off."""
    NO_WAY = "no-way"
    """The system or a router says that there is no way."""

    OPEN = "open"
    REFUSED = "refused"
    """The computer answers, nobody listens."""
    REJECTED = "rejected"
    """A firewall answers in the computer's place."""
    DROPPED = "dropped"
    """The computer is there, but for `value` seconds nothing came back."""
    RESET = "reset"

    MEETS = "meets"
    """A table of an equal version that anybody may join; `programs`."""
    CODE = "code"
    """The same, for people who have its code."""
    OTHER_SERVICE = "other-service"
    MUTE = "mute"
    """It took the connection and says nothing."""
    HUNG_UP = "hung-up"
    VERSION = "version"
    ENGINE = "engine"
    BUSY = "busy"
    BROKE_RULE = "broke-rule"

    UNGUARDED = "unguarded"
    """No firewall that is known here."""
    FIREWALL_OFF = "firewall-off"
    """`about` are the firewalls, here and in the next two."""
    FIREWALL_ON = "firewall-on"
    FIREWALL_UNSURE = "firewall-unsure"
    """Whether it is on is not to be seen without more rights."""

    HEARD_BACK = "heard-back"
    """`about` are the interfaces, here and in the next three."""
    PARTLY_BACK = "partly-back"
    """On the interfaces told nothing came back; it did on others."""
    NOT_BACK = "not-back"
    NOT_SENT = "not-sent"
    """The system refused to send."""
    PORT_HELD = "port-held"
    """Another program keeps the port of multicast DNS for itself."""

    TABLES = "tables"
    """Tables on other computers are announced; `about` are their addresses."""
    OWN_TABLE = "own-table"
    """Only this computer announces one."""
    OTHERS = "others"
    """`value` other computers were heard, none with a table."""
    NOTHING = "nothing"

    STEADY = "steady"
    SLEEPS = "sleeps"
    """Asleep for `value` seconds since it was started."""
    SLEPT = "slept"
    """Asleep for `value` seconds while all this was looked at."""


_OK: Final = (
    Found.LAN, Found.NUMERIC, Found.NAMED, Found.DIRECT, Found.HERE, Found.ANSWERS, Found.PRESENT, Found.OPEN,
    Found.MEETS, Found.CODE, Found.UNGUARDED, Found.FIREWALL_OFF, Found.HEARD_BACK, Found.TABLES, Found.OWN_TABLE,
    Found.OTHERS, Found.STEADY, Found.SLEEPS,
)  # fmt: skip
_WARN: Final = (
    Found.TUNNEL, Found.LINK_LOCAL, Found.VIRTUAL, Found.WSL, Found.ALONE, Found.NAME_LOOPBACK, Found.BY_GATEWAY,
    Found.BY_TUNNEL, Found.BY_VIRTUAL, Found.BUSY, Found.FIREWALL_ON, Found.PARTLY_BACK, Found.NOT_BACK,
    Found.NOT_SENT, Found.PORT_HELD, Found.NOTHING, Found.SLEPT,
)  # fmt: skip
_SKIP: Final = (Found.NO_PEER, Found.NEEDS, Found.LATE, Found.UNTOLD, Found.FAILED, Found.FIREWALL_UNSURE)


@dataclass(frozen=True, slots=True)
class Finding:
    """How one check ended. Texts in `about` may come from elsewhere: they are not yet fit for a terminal.

    `value` is in the unit that Found tells; `programs` are ours and theirs, where the other one said which it is.
    """

    check: Check
    found: Found
    about: tuple[str, ...] = ()
    value: float | None = None
    programs: tuple[Program, Program] | None = None

    @property
    def mark(self) -> Mark:
        """What this means for playing."""
        if self.found in _OK:
            return Mark.OK
        if self.found in _WARN:
            return Mark.WARN
        return Mark.SKIP if self.found in _SKIP else Mark.FAIL


@unique
class Cause(Enum):
    """The one thing that most likely keeps two computers apart, or that nothing does."""

    FINE = "fine"
    VERSION = "version"
    ENGINE = "engine"
    OTHER_SERVICE = "other-service"
    MUTE = "mute"
    HUNG_UP = "hung-up"
    BUSY = "busy"
    BROKE_RULE = "broke-rule"
    NO_NETWORK = "no-network"
    NAME_UNKNOWN = "name-unknown"
    NAME_SERVER = "name-server"
    NAME_LOOPBACK = "name-loopback"
    NO_ZONE = "no-zone"
    NO_ROUTE = "no-route"
    OWN_ADDRESS = "own-address"
    NOT_HOSTING = "not-hosting"
    FORBIDDEN = "forbidden"
    LOCAL_NETWORK = "local-network"
    FIREWALL_REJECTS = "firewall-rejects"
    FIREWALL_DROPS = "firewall-drops"
    TUNNEL = "tunnel"
    VIRTUAL = "virtual"
    NOBODY_THERE = "nobody-there"
    OTHER_NETWORK = "other-network"
    SILENT = "silent"
    MULTICAST_BLOCKED = "multicast-blocked"
    PORT_HELD = "port-held"
    WSL = "wsl"
    OWN_FIREWALL = "own-firewall"
    HOSTING = "hosting"
    """A table is open here, and nothing is seen that keeps others away from it."""
    NO_TABLE = "no-table"
    UNHEARD = "unheard"
    UNSURE = "unsure"


_TO_PEER: Final[tuple[tuple[Cause, frozenset[Found]], ...]] = (
    (Cause.FINE, frozenset({Found.MEETS})),
    (Cause.FINE, frozenset({Found.CODE})),
    (Cause.VERSION, frozenset({Found.VERSION})),
    (Cause.ENGINE, frozenset({Found.ENGINE})),
    (Cause.OTHER_SERVICE, frozenset({Found.OTHER_SERVICE})),
    (Cause.MUTE, frozenset({Found.MUTE})),
    (Cause.HUNG_UP, frozenset({Found.HUNG_UP})),
    (Cause.BUSY, frozenset({Found.BUSY})),
    (Cause.BROKE_RULE, frozenset({Found.BROKE_RULE})),
    (Cause.NO_NETWORK, frozenset({Found.NO_NETWORK})),
    (Cause.NO_NETWORK, frozenset({Found.NAME_UNKNOWN, Found.ALONE})),
    (Cause.NAME_UNKNOWN, frozenset({Found.NAME_UNKNOWN})),
    (Cause.NO_NETWORK, frozenset({Found.NAME_LATE, Found.ALONE})),
    (Cause.NAME_SERVER, frozenset({Found.NAME_LATE})),
    (Cause.NO_ZONE, frozenset({Found.NO_ZONE})),
    (Cause.NO_NETWORK, frozenset({Found.NO_ROUTE, Found.ALONE})),
    (Cause.NO_ROUTE, frozenset({Found.NO_ROUTE})),
    (Cause.NAME_LOOPBACK, frozenset({Found.NAME_LOOPBACK, Found.REFUSED})),
    (Cause.OWN_ADDRESS, frozenset({Found.HERE, Found.REFUSED})),
    (Cause.NOT_HOSTING, frozenset({Found.REFUSED})),
    (Cause.FORBIDDEN, frozenset({Found.FORBIDDEN})),
    (Cause.LOCAL_NETWORK, frozenset({Found.LOCAL_NETWORK})),
    (Cause.FIREWALL_REJECTS, frozenset({Found.REJECTED})),
    (Cause.FIREWALL_DROPS, frozenset({Found.DROPPED})),
    (Cause.HUNG_UP, frozenset({Found.RESET})),
    (Cause.VIRTUAL, frozenset({Found.BY_VIRTUAL, Found.ABSENT})),
    (Cause.VIRTUAL, frozenset({Found.BY_VIRTUAL, Found.SILENT})),
    (Cause.VIRTUAL, frozenset({Found.BY_VIRTUAL, Found.NO_WAY})),
    (Cause.TUNNEL, frozenset({Found.BY_TUNNEL, Found.ABSENT})),
    (Cause.TUNNEL, frozenset({Found.BY_TUNNEL, Found.SILENT})),
    (Cause.TUNNEL, frozenset({Found.BY_TUNNEL, Found.NO_WAY})),
    (Cause.NOBODY_THERE, frozenset({Found.ABSENT})),
    (Cause.OTHER_NETWORK, frozenset({Found.BY_GATEWAY, Found.SILENT})),
    (Cause.OTHER_NETWORK, frozenset({Found.BY_GATEWAY, Found.NO_WAY})),
    (Cause.TUNNEL, frozenset({Found.TUNNEL, Found.SILENT})),
    (Cause.SILENT, frozenset({Found.SILENT})),
    (Cause.NO_ROUTE, frozenset({Found.NO_WAY})),
)
"""The first whose findings are all there: what was learnt nearer to the table explains more than what lies before."""

_IN_GENERAL: Final[tuple[tuple[Cause, frozenset[Found]], ...]] = (
    (Cause.NO_NETWORK, frozenset({Found.NO_NETWORK})),
    (Cause.FINE, frozenset({Found.TABLES})),
    (Cause.NO_NETWORK, frozenset({Found.ALONE})),
    (Cause.WSL, frozenset({Found.WSL})),
    (Cause.MULTICAST_BLOCKED, frozenset({Found.NOT_SENT})),
    (Cause.MULTICAST_BLOCKED, frozenset({Found.NOT_BACK})),
    (Cause.PORT_HELD, frozenset({Found.PORT_HELD})),
    (Cause.VIRTUAL, frozenset({Found.VIRTUAL})),
    (Cause.OWN_FIREWALL, frozenset({Found.OWN_TABLE, Found.FIREWALL_ON})),
    (Cause.HOSTING, frozenset({Found.OWN_TABLE})),
    (Cause.NO_TABLE, frozenset({Found.OTHERS})),
    (Cause.TUNNEL, frozenset({Found.TUNNEL, Found.NOTHING})),
    (Cause.UNHEARD, frozenset({Found.NOTHING})),
)

_ALL_WELL: Final = 0
_NOTHING_FOUND: Final = 3
_CANNOT_REACH: Final = 4
_DIFFERS: Final = 5
_REFUSED: Final = 7
_EXIT: Final[Mapping[Found, int]] = {
    Found.MEETS: _ALL_WELL,
    Found.CODE: _ALL_WELL,
    Found.VERSION: _DIFFERS,
    Found.ENGINE: _DIFFERS,
    Found.BUSY: _REFUSED,
}


def cause_of(findings: tuple[Finding, ...]) -> Cause:
    """What most likely keeps the two computers apart; UNSURE where nothing that was found explains it."""
    found = {finding.found for finding in findings}
    table = _IN_GENERAL if Found.NO_PEER in found else _TO_PEER
    return next((cause for cause, all_of in table if all_of <= found), Cause.UNSURE)


def exit_code_of(findings: tuple[Finding, ...]) -> int:
    """0: the peer can be joined, or a table is announced; 3: none is; 4, 5, 7: as `join` of that peer would end."""
    found = {finding.found for finding in findings}
    if Found.NO_PEER in found:
        return _ALL_WELL if found & {Found.TABLES, Found.OWN_TABLE} else _NOTHING_FOUND
    return next((_EXIT[each] for each in _EXIT if each in found), _CANNOT_REACH)


@unique
class System(Enum):
    """What this computer runs: it decides which words and commands help."""

    LINUX = "linux"
    MACOS = "macos"
    WINDOWS = "windows"
    OTHER = "other"


@unique
class Tool(Enum):
    """A firewall that people set up; which of them is in charge where there are several is told by this order."""

    UFW = "ufw"
    FIREWALLD = "firewalld"
    NFTABLES = "nftables"
    IPTABLES = "iptables"
    WINDOWS = "Windows"
    MACOS = "macOS"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All that one run found. `peer` is the other computer as it was named, None where none was; `port` its port.

    `tool` is the firewall of this computer that is on or may be, None where there is none.
    """

    peer: str | None
    port: int
    system: System
    tool: Tool | None
    findings: tuple[Finding, ...]

    @property
    def cause(self) -> Cause:
        """The most likely one."""
        return cause_of(self.findings)

    @property
    def exit_code(self) -> int:
        """What the program returns."""
        return exit_code_of(self.findings)

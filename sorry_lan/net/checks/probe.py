"""What checks ask of the system, as one protocol: system.py has the real answers, tests have others.

Values only; what an answer means is decided in here.py, peer.py and multicast.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import Protocol

from sorry_lan.net.interfaces import Interface, Kind
from sorry_lan.table.diagnosis import Found, System, Tool
from sorry_lan.table.notices import Program


@unique
class Knock(Enum):
    """How an attempt at a TCP connection ended, the most telling first."""

    OPEN = "open"
    REFUSED = "refused"
    RESET = "reset"
    UNREACHABLE = "unreachable"
    FORBIDDEN = "forbidden"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Reply:
    """The end of an attempt, and after how many seconds it came."""

    knock: Knock
    after_s: float


@unique
class Neighbour(Enum):
    """What the system knows of an address on its own network, from asking for the network card that has it."""

    PRESENT = "present"
    ABSENT = "absent"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Way:
    """How a packet would leave: from an own address, by an interface and a gateway, as far as the system tells."""

    source: str
    interface: str | None
    kind: Kind | None
    gateway: str | None


@dataclass(frozen=True, slots=True)
class Met:
    """What the handshake came to: MEETS to BROKE_RULE, and both programs where the other one said which it is."""

    found: Found
    programs: tuple[Program, Program] | None = None


@unique
class Guard(Enum):
    """Whether a firewall is on."""

    ON = "on"
    OFF = "off"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Firewall:
    """A firewall that is installed here."""

    tool: Tool
    guard: Guard


@dataclass(frozen=True, slots=True)
class Echoes:
    """What a search by multicast DNS came to; the first three are names of interfaces, the next two addresses.

    `back` heard what was sent, `lost` did not, `refused` could not send. `others` have no table, `tables` do.
    """

    back: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    own_table: bool = False
    port_held: bool = False


class Probe(Protocol):
    """This computer, as far as checks look at it."""

    @property
    def system(self) -> System:
        """What it runs."""

    @property
    def wsl(self) -> bool:
        """Whether it is Linux inside Windows."""

    async def interfaces(self) -> tuple[Interface, ...]:
        """Those that are up and have an address."""

    async def way(self, host: str) -> Way | None:
        """How a packet to this address would leave, None where it cannot."""

    async def resolve(self, name: str) -> tuple[str, ...]:
        """The addresses of a name, () where it has none; may take long."""

    async def knock(self, host: str, port: int, limit_s: float) -> Reply:
        """Connect to an address and hang up."""

    async def neighbour(self, host: str) -> Neighbour:
        """Whether a network card on this network has the address."""

    async def ready(self) -> None:
        """Work out what `meet` needs, which takes a slow computer longer than its answer may."""

    async def meet(self, host: str, port: int) -> Met:
        """TLS, HELLO and AUTH as somebody without a code; may take long."""

    async def firewalls(self) -> tuple[Firewall, ...]:
        """Those of this computer, in the order of Tool."""

    async def echoes(self, interfaces: tuple[Interface, ...]) -> Echoes:
        """Search for tables on these interfaces for some seconds."""

    def asleep_s(self) -> float | None:
        """For how long it slept since it was started; None where it does not tell."""

"""What a client tells its people beside the picture: where its table can be joined, what was saved, why it stopped.

Values only; ui/texts.py makes a sentence of each. Made by net, store and app, which ui does not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from sorry_lan.faults import Err
from sorry_lan.table.commands import FileKind


@unique
class Problem(Enum):
    """Why a table could not be reached or stayed closed; each is one sentence."""

    ADDRESS = "address"
    """What was typed is no address."""
    NAME_UNKNOWN = "name-unknown"
    """No such host name."""
    REFUSED = "refused"
    """The computer answers, nobody listens at that port."""
    TIMED_OUT = "timed-out"
    """No answer at all: firewall, guest Wi-Fi, wrong address."""
    UNREACHABLE = "unreachable"
    """The system has no route (on macOS: the Local Network switch)."""
    RESET = "reset"
    """The connection broke while it was made."""
    NOT_SORRY_LAN = "not-sorry-lan"
    """Something listens there that does not speak this protocol."""
    VERSION = "version"
    """The protocol versions do not meet; `ours` and `theirs` tell both programs."""
    ENGINE = "engine"
    """The rules engines differ; `ours` and `theirs` tell both digests."""
    INTERCEPTED = "intercepted"
    """The proof of identity does not hold: somebody may sit in between."""
    CODE_WRONG = "code-wrong"
    """Wrong join code, or one used up by wrong guesses."""
    CODE_REQUIRED = "code-required"
    """The table has a join code and none was given."""
    CODE_NOT_USED = "code-not-used"
    """A code was given and the table has none."""
    OTHER_IDENTITY = "other-identity"
    """Somebody else than expected answers there."""
    OWN_IDENTITY = "own-identity"
    """That is this very identity: one's own table, or a copied folder."""
    ELSEWHERE = "elsewhere"
    """The same identity came to the table from another place."""
    BUSY = "busy"
    """Too many connections at once over there; try again."""
    FULL = "full"
    """No seat is free."""
    IN_PLAY = "in-play"
    """The game has begun without this identity."""
    TAKEN = "taken"
    """Name, colour or key is already at the table."""
    REMOVED = "removed"
    """The host took the seat away."""
    CLOSED = "closed"
    """The host is gone or closed the table."""
    BROKE_RULE = "broke-rule"
    """The other side broke the protocol, or says that we did; `code` tells which rule."""
    LOST = "lost"
    """The link broke without a word."""


@dataclass(frozen=True, slots=True)
class Program:
    """One side of a difference: version range, program version (a peer's words, not yet fit for a terminal), digest."""

    vmin: int
    vmax: int
    app: str
    engine: bytes | None


@dataclass(frozen=True, slots=True)
class JoinProblem:
    """Why joining `address` ("host:port" as typed) failed; `code` picks the exit code; the Programs where known."""

    problem: Problem
    code: Err
    address: str
    ours: Program | None = None
    theirs: Program | None = None


@unique
class ListenTrouble(Enum):
    """Why no table could be opened."""

    PORT_BUSY = "port-busy"
    PORT_FORBIDDEN = "port-forbidden"
    NO_NETWORK = "no-network"


@dataclass(frozen=True, slots=True)
class ListenProblem:
    """The listener could not be opened at `port`; `reason` is the system's word for it."""

    trouble: ListenTrouble
    port: int
    reason: str


@unique
class StoreTrouble(Enum):
    """What is wrong with a file or folder of ours."""

    IN_USE = "in-use"
    """Another process (number `pid`, if known) uses this identity: exit code 8."""
    DAMAGED = "damaged"
    """The file is not what we wrote; it is kept and nothing is put in its place."""
    NO_HOME = "no-home"
    """No folder for state is known: set HOME or give --identity."""
    NOT_WRITABLE = "not-writable"
    FULL = "full"
    """The disk, the quota, or the file's own bound is used up."""
    NOT_READABLE = "not-readable"


@dataclass(frozen=True, slots=True)
class StoreProblem:
    """What is wrong with `path`; `reason` is the system's word for it, or ours."""

    trouble: StoreTrouble
    path: str
    reason: str
    pid: int | None = None


@unique
class GameTrouble(Enum):
    """Why a saved game is not taken up."""

    NONE = "none"
    """No game of this identity can go on."""
    UNKNOWN = "unknown"
    """No saved game, or more than one, has an id that begins so."""
    OVER = "over"
    """That game was played to its end."""


@dataclass(frozen=True, slots=True)
class GameProblem:
    """A saved game was asked for by the beginning of its id, `wanted` as typed ("": the latest)."""

    trouble: GameTrouble
    wanted: str


StartProblem = JoinProblem | ListenProblem | StoreProblem | GameProblem


@dataclass(frozen=True, slots=True)
class TableOpened:
    """People can join now: at these addresses ("192.0.2.7", best first; empty: no network), this port, this code."""

    addresses: tuple[str, ...]
    port: int
    code: str | None


@dataclass(frozen=True, slots=True)
class CodeChanged:
    """Too many wrong guesses: from now on this join code holds."""

    code: str


@dataclass(frozen=True, slots=True)
class PortTaken:
    """The default port was busy, another one was taken."""

    wanted: int
    got: int


@dataclass(frozen=True, slots=True)
class Connecting:
    """A call to `address` ("host:port") begins."""

    address: str


@dataclass(frozen=True, slots=True)
class FileSaved:
    """A file of the games folder was written whole."""

    kind: FileKind
    path: str


@dataclass(frozen=True, slots=True)
class FileNotSaved:
    """A file of the games folder could not be written; the game goes on."""

    kind: FileKind
    problem: StoreProblem


@dataclass(frozen=True, slots=True)
class StrangerCalled:
    """Somebody connected who does not speak the protocol, or was refused with `code`; at most one a second."""

    host: str
    code: Err


@dataclass(frozen=True, slots=True)
class Stopped:
    """The client ends because of this."""

    problem: StartProblem


@dataclass(frozen=True, slots=True)
class JournalSetAside:
    """A journal was damaged: it is kept at `path`, and what it lacks comes from the other players."""

    path: str


Notice = (
    TableOpened
    | CodeChanged
    | PortTaken
    | Connecting
    | FileSaved
    | FileNotSaved
    | StrangerCalled
    | JournalSetAside
    | Stopped
)

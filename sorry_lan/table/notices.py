"""What a client tells its people beside the picture: where its table can be joined, what was saved, why it stopped.

Values only; ui/texts.py makes a sentence of each. Made by net, store and app, which ui does not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from sorry_lan.faults import Err
from sorry_lan.table.commands import FileKind
from sorry_lan.table.encounters import Encounter
from sorry_lan.table.programs import BotProblem


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


@unique
class Slip(Enum):
    """Why what was typed says nowhere where a table could be; each is one sentence."""

    EMPTY = "empty"
    SIGNS = "signs"
    """Digits or punctuation of another script, or signs that cannot be seen."""
    SCHEME = "scheme"
    """A web address, or the like."""
    TRAILING = "trailing"
    """More than an address."""
    BRACKETS = "brackets"
    """Brackets are missing, or where they do not belong."""
    PORT = "port"
    PORT_OR_NOT = "port-or-not"
    """An IPv6 address whose end may be a port."""
    IPV4 = "ipv4"
    IPV6 = "ipv6"
    ZONE = "zone"
    """A %zone where none belongs, or one that is none."""
    NOBODY = "nobody"
    """An address that no computer has: 0.0.0.0, or one of many at once."""
    NO_HOST = "no-host"
    NAME = "name"
    """No name that a computer can have."""
    WORD_UNKNOWN = "word-unknown"
    """Almost a join code."""
    WORDS_COUNT = "words-count"
    """Words of join codes, but not three."""


@dataclass(frozen=True, slots=True)
class Program:
    """One side of a difference: version range, program version (a peer's words, not yet fit for a terminal), digest."""

    vmin: int
    vmax: int
    app: str
    engine: bytes | None


@unique
class Openness(Enum):
    """What can be done at a table that was found."""

    LOBBY = "lobby"
    PLAY = "play"


@unique
class CodeUse(Enum):
    """Whether a table that was found asks for a code."""

    NEEDED = "needed"
    NONE = "none"


@unique
class Fit(Enum):
    """Whether two programs can play together."""

    FITS = "fits"
    VERSION = "version"
    ENGINE = "engine"


@unique
class Watch(Enum):
    """Whether somebody may come and watch."""

    YES = "yes"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Card:
    """What a table says of itself to the network; texts are a stranger's, not yet fit for a terminal.

    `people` sit there (bots do not count), `free` of `seats` can still be taken, `rules` is a profile's name or "own".
    """

    title: str
    people: tuple[str, ...]
    seats: int
    free: int
    rules: str
    openness: Openness
    code: CodeUse
    program: Program
    watch: Watch = Watch.YES


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table that answered just now at `address` ("host:port", best typed so) after `latency_ms`."""

    key: str
    card: Card
    address: str
    latency_ms: float
    fit: Fit


@unique
class Silence(Enum):
    """Why tables were looked for and none was found."""

    NO_NETWORK = "no-network"
    """No interface is up, not even loopback."""
    ALONE = "alone"
    """Only loopback is up: this computer is in no network."""
    UNHEARD = "unheard"
    """Nobody answered: there is no table, or the network drops multicast."""


@dataclass(frozen=True, slots=True)
class NoTable:
    """No table was found, or none of the `tried` ones took the code; `code` tells whether one was given."""

    silence: Silence | None
    tried: int
    code: CodeUse


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
    FOREIGN = "foreign"
    """Nobody of this identity ever sat there."""
    OTHER_ENGINE = "other-engine"
    """That game was begun by a version whose bots or rules are others."""


@dataclass(frozen=True, slots=True)
class GameProblem:
    """A saved game was asked for by the beginning of its id, `wanted` as typed ("": the latest)."""

    trouble: GameTrouble
    wanted: str


StartProblem = JoinProblem | ListenProblem | StoreProblem | GameProblem | NoTable | BotProblem


@unique
class Reach(Enum):
    """Who can be expected to reach the addresses of a table."""

    LAN = "lan"
    VPN = "vpn"
    """Only who is in the same VPN."""
    VIRTUAL = "virtual"
    """Only containers and virtual machines of this computer."""
    WSL = "wsl"
    """Only this computer: Linux inside Windows, behind its address translation."""
    NOBODY = "nobody"
    """Only programs on this computer."""
    GIVEN = "given"
    """The host said which address to tell."""


@unique
class Finding(Enum):
    """Whether a table can be found without its address."""

    ANNOUNCED = "announced"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class TableOpened:
    """People can join now: at these addresses ("192.0.2.7", best first; empty: no network), this port, this code.

    A given address is as typed, with its own port where that is another.
    """

    addresses: tuple[str, ...]
    port: int
    code: str | None
    reach: Reach = Reach.LAN
    finding: Finding = Finding.SILENT


@unique
class Blocks(Enum):
    """What a picture is made of."""

    HALF = "half"
    ASCII = "ascii"


@dataclass(frozen=True, slots=True)
class Invitation:
    """The line that others type, to be shown as a picture for their cameras."""

    opened: TableOpened
    blocks: Blocks


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
class Searching:
    """Tables are looked for that take this person's code, for so many seconds at most."""

    seconds: float


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
class PlayersNotKept:
    """The file of those we played with cannot be read whole, or not be written: nobody new is noted there."""

    problem: StoreProblem


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
    | Invitation
    | CodeChanged
    | PortTaken
    | Connecting
    | Searching
    | FileSaved
    | FileNotSaved
    | StrangerCalled
    | Encounter
    | PlayersNotKept
    | JournalSetAside
    | Stopped
)

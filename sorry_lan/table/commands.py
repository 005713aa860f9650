"""Everything a table can ask for, and nothing else: small frozen values, carried out in the order given.

Order is the promise: a frame behind an AppendJournal with Sync.NOW leaves only after that record is on the disk.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum, unique

from sorry_lan.faults import Err
from sorry_lan.table.events import LinkId, Timer
from sorry_lan.table.news import News
from sorry_lan.table.view import View


@unique
class JournalKind(IntEnum):
    """What a journal record holds; payloads are CMP of the types named in table/saved.py."""

    HEADER = 1
    OWN_ENTRY = 2
    RECORD = 3
    NONCE = 4
    CONSENT = 5
    PEERS = 6
    END = 7


@unique
class Sync(Enum):
    """Whether what follows must wait until the record is on the disk."""

    NOW = "now"
    LATER = "later"


@unique
class FileKind(Enum):
    """What a saved file is."""

    TRANSCRIPT = "transcript"
    EVIDENCE = "evidence"
    DUMP = "dump"


@dataclass(frozen=True, slots=True)
class AppendJournal:
    """Append to the journal of `game` (None: the identity's own journal)."""

    game: bytes | None
    kind: JournalKind
    payload: bytes
    sync: Sync


@dataclass(frozen=True, slots=True)
class SendFrame:
    """Queue a frame on a link; a full queue drops the link, never blocks."""

    link: LinkId
    payload: bytes


@dataclass(frozen=True, slots=True)
class CloseLink:
    """Say BYE and close."""

    link: LinkId
    code: Err
    text: str


@dataclass(frozen=True, slots=True)
class SetTimer:
    """Start or restart the timer (timer, key)."""

    timer: Timer
    key: int
    delay_ms: int


@dataclass(frozen=True, slots=True)
class CancelTimer:
    """Stop the timer (timer, key) if it runs."""

    timer: Timer
    key: int


@dataclass(frozen=True, slots=True)
class WantedPeer:
    """A client to be linked with, and where it may be found ("host:port")."""

    pk: bytes
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeekPeers:
    """From now on keep a link to each of these and redial those that are gone; replaces the former list."""

    peers: tuple[WantedPeer, ...]


@dataclass(frozen=True, slots=True)
class AdmitPeers:
    """From now on links of these keys need no join code (they are in the lobby or at the table); replaces the list."""

    keys: frozenset[bytes]
    game: bytes | None


@dataclass(frozen=True, slots=True)
class SaveFile:
    """Write a file of the games folder, whole and synced; `title`: of the game's lobby, a stranger's words."""

    game: bytes
    title: str
    kind: FileKind
    content: bytes


@dataclass(frozen=True, slots=True)
class ShowView:
    """The picture changed; `news` is what happened since the last one, in order."""

    view: View
    news: tuple[News, ...]


@dataclass(frozen=True, slots=True)
class Finish:
    """The client has nothing more to do: end the program for this reason."""

    code: Err


Command = (
    AppendJournal
    | SendFrame
    | CloseLink
    | SetTimer
    | CancelTimer
    | SeekPeers
    | AdmitPeers
    | SaveFile
    | ShowView
    | Finish
)

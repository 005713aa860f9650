"""Everything that can happen to a table, and nothing else: small frozen values.

Time and entropy come in with each event, so that `Table.handle` needs neither a clock nor a random source.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from sorry_lan.fair.entry import Leaving
from sorry_lan.faults import Err
from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import Move
from sorry_lan.rules.profile import Rules
from sorry_lan.wire.messages import Intent

LinkId = int
"""Names one connection in this process; never reused, never sent."""


@unique
class Timer(Enum):
    """What a timer is for; one timer runs for each (timer, key)."""

    STATUS = "status"
    CONSENT = "consent"
    FINISH = "finish"
    LINGER = "linger"
    AWAY = "away"
    MUTE = "mute"
    PROPOSE = "propose"
    AGREE = "agree"


@unique
class Direction(Enum):
    """Who dialled."""

    OUTGOING = "outgoing"
    INCOMING = "incoming"


@dataclass(frozen=True, slots=True)
class LinkPeer:
    """Who is at the other end, as AUTH proved and HELLO said; `host` is the address seen, `port` its listener's."""

    pk: bytes
    name: str
    instance: bytes
    boot: int
    intent: Intent
    game: bytes | None
    host: str
    port: int | None
    direction: Direction


@dataclass(frozen=True, slots=True)
class Opened:
    """The client is up: a host opens its lobby, a local table sits down, a joiner waits for its link."""


@dataclass(frozen=True, slots=True)
class LinkUp:
    """A link finished AUTH."""

    link: LinkId
    peer: LinkPeer


@dataclass(frozen=True, slots=True)
class LinkDown:
    """A link is gone; `code` is the BYE received, or what this side closed it for, or None where it just broke."""

    link: LinkId
    code: Err | None


@dataclass(frozen=True, slots=True)
class FrameArrived:
    """A whole frame of an authenticated link."""

    link: LinkId
    payload: bytes


@dataclass(frozen=True, slots=True)
class TimerFired:
    """A timer set by SetTimer ran out."""

    timer: Timer
    key: int


@dataclass(frozen=True, slots=True)
class DiskFailed:
    """The journal could not be written; nothing signed leaves until DiskWorks."""


@dataclass(frozen=True, slots=True)
class DiskWorks:
    """The journal could be written again."""


@dataclass(frozen=True, slots=True)
class DrawAsked:
    """The person of this local seat turns the next card over."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatDecided:
    """The person of this local seat plays `move` in step `k`; a decision for another step is ignored."""

    seat: int
    k: int
    card: Card
    move: Move


@unique
class Ready(Enum):
    """Whether a person is ready to begin."""

    YES = "yes"
    NO = "no"


@dataclass(frozen=True, slots=True)
class SeatChanged:
    """In the lobby, person number `person` of this client changes what it offers; None leaves a field as it is."""

    person: int
    colour: int | None = None
    name: str | None = None
    age: int | None = None
    ready: Ready | None = None


@dataclass(frozen=True, slots=True)
class BotSeated:
    """The host fills the open seat of `colour` (or the first open one) with a bot of `level`."""

    colour: int | None
    level: int


@dataclass(frozen=True, slots=True)
class SeatClosed:
    """The host takes the seat of `colour` (or the last open one) off the table; whoever sits there is removed."""

    colour: int | None


@dataclass(frozen=True, slots=True)
class SeatOpened:
    """The host adds an open seat, or frees the one of `colour`."""

    colour: int | None


@dataclass(frozen=True, slots=True)
class RulesChosen:
    """The host changes the rules of the lobby."""

    rules: Rules


@dataclass(frozen=True, slots=True)
class Spoke:
    """A local person says something to all."""

    person: int
    text: str


@dataclass(frozen=True, slots=True)
class RematchAsked:
    """After the end a local person opens a new lobby with the same people."""


@dataclass(frozen=True, slots=True)
class ResumeAsked:
    """Nobody answers where we wanted to join, but the kept game with this id was played there: wait for its people."""

    game: bytes


@dataclass(frozen=True, slots=True)
class GoOnAnswered:
    """A local person wants to go on as the picture offers (YES), or does not (NO)."""

    answer: Ready


@dataclass(frozen=True, slots=True)
class Woke:
    """This computer slept, or its clock was set: nobody was absent meanwhile."""


@dataclass(frozen=True, slots=True)
class LeaveAsked:
    """The people of this client leave; the table says good-bye and finishes.

    In a game `reason` is signed, so that the others need not wait; without one the seats stay theirs.
    """

    reason: Leaving | None = None


Happening = (
    Opened
    | LinkUp
    | LinkDown
    | FrameArrived
    | TimerFired
    | DiskFailed
    | DiskWorks
    | DrawAsked
    | SeatDecided
    | SeatChanged
    | BotSeated
    | SeatClosed
    | SeatOpened
    | RulesChosen
    | Spoke
    | RematchAsked
    | ResumeAsked
    | GoOnAnswered
    | Woke
    | LeaveAsked
)


@dataclass(frozen=True, slots=True)
class Event:
    """One happening with the time (monotonic microseconds) and 32 fresh bytes of the system's generator."""

    now_us: int
    entropy: bytes
    what: Happening

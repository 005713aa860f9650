"""The frozen picture of a table that screen, plain mode, JSON and bots see, and the news between two pictures.

Holds nothing secret and nothing that changes: a reader may keep it. Sentences are made in ui/texts.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import Move
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import Rules
from sorry_lan.wire.messages import LobbyKind
from sorry_lan.wire.terms import Option, SeatKind, Why


@unique
class Phase(Enum):
    """Where this client stands; the transitions are in table/phases.py."""

    CONNECTING = "connecting"
    LOBBY = "lobby"
    PROPOSED = "proposed"
    LOT = "lot"
    SHARES = "shares"
    MOVE = "move"
    ACKS = "acks"
    FROZEN = "frozen"
    RESUMING = "resuming"
    LEFT_OUT = "left-out"
    OVER = "over"
    CLOSED = "closed"


@unique
class Presence(Enum):
    """How a seat's client can be reached."""

    LOCAL = "local"
    LINKED = "linked"
    RELAYED = "relayed"
    RECONNECTING = "reconnecting"
    AWAY = "away"
    BOT = "bot"


@dataclass(frozen=True, slots=True)
class LobbySeatView:
    """One seat of the lobby; `person` is the index of the local person who sits there, `key` its public key.

    `beside` is the colour of the first seat whose client has the same address, as far as this client can see.
    """

    kind: LobbyKind
    colour: int
    name: str
    age: int | None
    ready: bool
    level: int
    key: bytes
    person: int | None
    is_host: bool
    presence: Presence
    beside: int | None = None


@dataclass(frozen=True, slots=True)
class LobbyView:
    """The lobby as last heard."""

    title: str
    rules: Rules
    options: Option
    revision: int
    seats: tuple[LobbySeatView, ...]
    hosting: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat of the game; `via`: the seat that relays for it; `owes`: the table waits for it."""

    index: int
    kind: SeatKind
    colour: int
    name: str
    level: int
    key: bytes
    person: int | None
    presence: Presence
    via: int | None
    owes: bool


@unique
class FirstBy(Enum):
    """How it was decided who begins."""

    AGE = "age"
    LOT = "lot"
    PARENT = "parent"


@unique
class Ask(Enum):
    """What a local person is asked."""

    DRAW = "draw"
    CHOOSE = "choose"


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question to the person of a local seat in step `k`; `choices` include Decline where allowed."""

    seat: int
    k: int
    ask: Ask
    card: Card | None
    choices: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class GameView:
    """The game as this client knows it; `position` is the last counted one.

    `pile`: how many of each card are left, by card code; a card that is drawn is no longer among them.
    """

    game_id: bytes
    title: str
    rules: Rules
    options: Option
    seats: tuple[SeatView, ...]
    k: int
    turn_number: int
    position: Position
    pile: tuple[int, ...]
    card: Card | None
    words: tuple[str, str, str] | None
    first: int | None
    first_by: FirstBy
    winner: int | None
    unconfirmed: tuple[int, ...]
    shares_checked: int


@dataclass(frozen=True, slots=True)
class GoingOn:
    """What may become of a game that somebody left, or wants to come back to.

    Attributes:
        without: seats that become stand-ins. back: seats that return. why: the reason.
        saves: too few people would remain, so a yes saves the game instead.
        asked_by: the seats that want it. agreed: whether ours do. missing: the seats whose yes is still due.
    """

    without: tuple[int, ...]
    back: tuple[int, ...]
    why: Why
    saves: bool
    asked_by: tuple[int, ...]
    agreed: bool
    missing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Looking:
    """How somebody watches who has no seat: `through` is the name of the one who shows the table, None while nobody is.

    `there_k` is the step that is open there as last heard. `behind`: what was played before we came is still fetched
    and checked, and news is of long ago.
    """

    through: str | None
    there_k: int
    behind: bool


@dataclass(frozen=True, slots=True)
class View:
    """The whole picture: a lobby, a game (also after its end), and what the local people are asked.

    `watchers` are the names of those who watch, as far as it is known here, their own words; `looking` is set where
    this client only watches.
    """

    phase: Phase
    lobby: LobbyView | None
    game: GameView | None
    prompts: tuple[Prompt, ...]
    going_on: GoingOn | None = None
    watchers: tuple[str, ...] = ()
    looking: Looking | None = None

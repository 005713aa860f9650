"""What happened between two pictures of a table: one frozen value for each event that people are told of.

Holds nothing secret. Sentences are made in ui/texts_news.py; the pictures are in table/view.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from sorry_lan.faults import Err
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import Effect
from sorry_lan.rules.moves import Move
from sorry_lan.rules.position import Position
from sorry_lan.table.view import FirstBy, Presence
from sorry_lan.wire.terms import Why


@dataclass(frozen=True, slots=True)
class SatDown:
    """Somebody took a seat in the lobby."""

    name: str
    colour: int


@dataclass(frozen=True, slots=True)
class StoodUp:
    """Somebody left the lobby."""

    name: str
    colour: int


@dataclass(frozen=True, slots=True)
class BecameReady:
    """Somebody is ready."""

    name: str
    colour: int


@dataclass(frozen=True, slots=True)
class LobbyChanged:
    """Seats, bots or rules of the lobby changed."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Our seat, proposal or consent was refused, or we refused a proposal; `by_us` tells which."""

    code: Err
    by_us: bool


@dataclass(frozen=True, slots=True)
class GameStarted:
    """Every human seat signed the table."""

    game_id: bytes


@dataclass(frozen=True, slots=True)
class LotCast:
    """Step 0 is known: the check words, and who begins."""

    words: tuple[str, str, str]
    first: int
    first_by: FirstBy


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """A card is known; `shares` are the seats whose shares made it, `left` what remains in the pile."""

    k: int
    seat: int
    card: Card
    shares: tuple[int, ...]
    left: int
    reshuffled: bool


@dataclass(frozen=True, slots=True)
class Played:
    """A move was counted: `before` and `after` are the positions, `effects` what happened in order."""

    k: int
    seat: int
    card: Card
    move: Move
    effects: tuple[Effect, ...]
    before: Position
    after: Position
    forced: bool


@dataclass(frozen=True, slots=True)
class Won:
    """A seat brought its last pawn Home."""

    seat: int
    k: int


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The end is final; `missing` are seats whose last acknowledgement never came."""

    missing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """A seat's client was lost, came back, or is reached through another."""

    seat: int
    presence: Presence
    via: int | None


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody says something; `name` and `text` are a peer's words and not yet fit for a terminal."""

    name: str
    colour: int | None
    text: str


@dataclass(frozen=True, slots=True)
class FaultProven:
    """A seat broke a rule of the game or signed two things; the evidence file holds the proof."""

    seat: int
    code: Err
    k: int


@dataclass(frozen=True, slots=True)
class EnginesDiffer:
    """Two clients computed different positions from the same moves: nobody is blamed, the game stands still."""

    k: int
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DiskState:
    """This client's journal stopped or works again."""

    works: bool


@dataclass(frozen=True, slots=True)
class TakenUp:
    """A saved game is open again at step `k`; nothing is signed before all others said what we had signed."""

    game_id: bytes
    k: int


@dataclass(frozen=True, slots=True)
class WaitsForWord:
    """The others said what we had signed, all but these seats; the game goes on when they are back."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GoesOn:
    """Everybody said what we had signed: this client plays again."""


@dataclass(frozen=True, slots=True)
class RestoredOrCopied:
    """The identity of `seat` has started less often than somebody remembers: a backup, or a copy ([S-9])."""

    seat: int


@dataclass(frozen=True, slots=True)
class NobodyMoves:
    """The seat to play has done nothing for a minute."""

    seat: int


@dataclass(frozen=True, slots=True)
class SaidGoodbye:
    """A seat leaves, for now or for good."""

    seat: int
    for_good: bool


@dataclass(frozen=True, slots=True)
class OfferedToGoOn:
    """`by` offers to go on without the seats `without` and with `back` again (None: we may offer it)."""

    by: int | None
    without: tuple[int, ...]
    back: tuple[int, ...]
    why: Why


@dataclass(frozen=True, slots=True)
class OfferVoid:
    """What was offered or proposed came to nothing: somebody is back, or did not sign."""


@dataclass(frozen=True, slots=True)
class GoneOn:
    """The game goes on at a new table, which all its people signed."""

    game_id: bytes
    without: tuple[int, ...]
    back: tuple[int, ...]
    why: Why


@dataclass(frozen=True, slots=True)
class GoneOnWithoutUs:
    """The others went on without our seats; they can let us back in."""

    game_id: bytes


@dataclass(frozen=True, slots=True)
class GameSaved:
    """Too few people remain: the game is saved as it stands, and goes on when all come back; `left` are gone."""

    left: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Watches:
    """Somebody watches from now on; `name` is their own word, and not yet fit for a terminal."""

    name: str


@dataclass(frozen=True, slots=True)
class StoppedWatching:
    """Somebody watches no more."""

    name: str


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """We watch, and have now checked every step before `k`."""

    k: int


@dataclass(frozen=True, slots=True)
class LostSight:
    """We watch, and the one through whom we did is gone; `name` is theirs."""

    name: str


@dataclass(frozen=True, slots=True)
class Sees:
    """We watch, from now on through the one called `name`."""

    name: str


@dataclass(frozen=True, slots=True)
class RematchOpened:
    """A new lobby with the same people was opened by `name`."""

    name: str


@dataclass(frozen=True, slots=True)
class TableClosed:
    """There is no table any more, and why."""

    code: Err


News = (
    SatDown
    | StoodUp
    | BecameReady
    | LobbyChanged
    | Refused
    | GameStarted
    | LotCast
    | CardDrawn
    | Played
    | Won
    | Confirmed
    | PresenceChanged
    | Said
    | FaultProven
    | EnginesDiffer
    | DiskState
    | TakenUp
    | WaitsForWord
    | GoesOn
    | RestoredOrCopied
    | NobodyMoves
    | SaidGoodbye
    | OfferedToGoOn
    | OfferVoid
    | GoneOn
    | GoneOnWithoutUs
    | GameSaved
    | Watches
    | StoppedWatching
    | CaughtUp
    | LostSight
    | Sees
    | RematchOpened
    | TableClosed
)

"""Where a client stands and what may come next: one table, phase x kind -> phase, and nothing else ([F-18]).

A kind is either a message that a peer sends or a thing that became of it. What the table does not hold is a fault:
the peer's where the peer sent it, ours where we concluded it. docs/architecture.md shows `diagram()`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum, unique
from types import MappingProxyType
from typing import Final

from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.table.view import Phase
from sorry_lan.wire import messages as m

Message = type[m.Message]


@unique
class Turn(Enum):
    """What became of the messages so far; each leads to a phase."""

    LOBBY_OPENED = "lobby opened"
    PROPOSAL_MADE = "proposal made"
    PROPOSAL_VOID = "proposal void"
    TABLE_AGREED = "table agreed"
    LOT_CAST = "lot cast"
    CARD_KNOWN = "card known"
    COUNTED = "counted"
    STEP_FINAL = "step final"
    ENDED = "ended"
    STANDS_STILL = "stands still"
    SAVED = "saved"
    LEFT_OUT = "left out"
    TAKEN_UP = "taken up"
    AT_LOT = "at lot"
    AT_SHARES = "at shares"
    AT_MOVE = "at move"
    AT_ACKS = "at acks"
    CLOSED = "closed"


_TALK: Final[frozenset[Message]] = frozenset((m.Ping, m.Pong, m.Chat, m.Peers, m.Ways, m.Watchers))
_SEATING: Final[frozenset[Message]] = frozenset(
    (m.SeatOffer, m.Lobby, m.No, m.ConsentGiven, m.TableAgreed, m.Propose, m.Withdraw)
)
_PLAY: Final[frozenset[Message]] = frozenset((m.Entry, m.Status, m.Want, m.StepRecord, m.Fault, m.MineAsked, m.Mine))

_HEARD: Final[Mapping[Phase, frozenset[Message]]] = MappingProxyType(
    {
        # The table may be in play with a seat of ours: then its TABLE comes first.
        Phase.CONNECTING: _TALK | {m.Lobby, m.No, m.TableAgreed},
        # A neighbour may be one message ahead: its consent, its TABLE or its first entries come before our PROPOSE.
        Phase.LOBBY: _TALK | _SEATING | _PLAY,
        Phase.PROPOSED: _TALK | _SEATING | _PLAY,
        # A neighbour may be one game ahead: its LOBBY waits here until our end.
        Phase.LOT: _TALK | _SEATING | _PLAY,
        Phase.SHARES: _TALK | _SEATING | _PLAY,
        Phase.MOVE: _TALK | _SEATING | _PLAY,
        Phase.ACKS: _TALK | _SEATING | _PLAY,
        Phase.FROZEN: _TALK | _SEATING | _PLAY,
        Phase.RESUMING: _TALK | _SEATING | _PLAY,
        Phase.LEFT_OUT: _TALK | _SEATING | _PLAY,
        Phase.OVER: _TALK | _SEATING | _PLAY,
        Phase.CLOSED: frozenset(),
    }
)

_ELSEWHERE: Final[Mapping[Turn, Phase]] = MappingProxyType(
    {
        Turn.TABLE_AGREED: Phase.LOT,
        Turn.TAKEN_UP: Phase.RESUMING,
        Turn.LEFT_OUT: Phase.LEFT_OUT,
        Turn.SAVED: Phase.OVER,
        Turn.CLOSED: Phase.CLOSED,
    }
)
"""What can happen to any game that is not over: it goes on at another table, with us or without, or is saved."""
_BECAME: Final[Mapping[Phase, Mapping[Turn, Phase]]] = MappingProxyType(
    {
        Phase.CONNECTING: {
            Turn.LOBBY_OPENED: Phase.LOBBY,
            # Who watches is shown the table in play.
            Turn.TABLE_AGREED: Phase.LOT,
            Turn.TAKEN_UP: Phase.RESUMING,
            Turn.LEFT_OUT: Phase.LEFT_OUT,
            Turn.CLOSED: Phase.CLOSED,
        },
        Phase.LOBBY: {
            Turn.LOBBY_OPENED: Phase.LOBBY,
            Turn.PROPOSAL_MADE: Phase.PROPOSED,
            # A neighbour completed the table before it heard that the proposal was void: whoever signed it follows.
            Turn.TABLE_AGREED: Phase.LOT,
            Turn.CLOSED: Phase.CLOSED,
        },
        Phase.PROPOSED: {
            Turn.PROPOSAL_VOID: Phase.LOBBY,
            Turn.TABLE_AGREED: Phase.LOT,
            Turn.CLOSED: Phase.CLOSED,
        },
        Phase.LOT: {
            Turn.LOT_CAST: Phase.ACKS,
            Turn.STANDS_STILL: Phase.FROZEN,
            **_ELSEWHERE,
        },
        Phase.SHARES: {
            Turn.CARD_KNOWN: Phase.MOVE,
            Turn.STANDS_STILL: Phase.FROZEN,
            **_ELSEWHERE,
        },
        Phase.MOVE: {
            Turn.COUNTED: Phase.ACKS,
            Turn.STANDS_STILL: Phase.FROZEN,
            **_ELSEWHERE,
        },
        Phase.ACKS: {
            Turn.STEP_FINAL: Phase.SHARES,
            Turn.ENDED: Phase.OVER,
            Turn.STANDS_STILL: Phase.FROZEN,
            **_ELSEWHERE,
        },
        Phase.RESUMING: {
            Turn.AT_LOT: Phase.LOT,
            Turn.AT_SHARES: Phase.SHARES,
            Turn.AT_MOVE: Phase.MOVE,
            Turn.AT_ACKS: Phase.ACKS,
            Turn.ENDED: Phase.OVER,
            Turn.STANDS_STILL: Phase.FROZEN,
            **_ELSEWHERE,
        },
        # What was proven with the last step does not undo the end: the next game has its lobby.
        Phase.FROZEN: {Turn.STANDS_STILL: Phase.FROZEN, Turn.LOBBY_OPENED: Phase.LOBBY, **_ELSEWHERE},
        Phase.LEFT_OUT: {Turn.ENDED: Phase.OVER, **_ELSEWHERE},
        # Saved here does not mean that others did not go on.
        Phase.OVER: {Turn.LOBBY_OPENED: Phase.LOBBY, **_ELSEWHERE},
        Phase.CLOSED: {},
    }
)


def _rows() -> Iterable[tuple[tuple[Phase, Message | Turn], Phase]]:
    for phase, heard in _HEARD.items():
        yield from (((phase, message), phase) for message in heard)
    for phase, became in _BECAME.items():
        yield from (((phase, turn), following) for turn, following in became.items())


TRANSITIONS: Final[Mapping[tuple[Phase, Message | Turn], Phase]] = MappingProxyType(dict(_rows()))
IN_PLAY: Final = frozenset((Phase.LOT, Phase.SHARES, Phase.MOVE, Phase.ACKS))
"""A step is open and this client takes part in it."""
CAN_END: Final = frozenset(phase for phase, turn in TRANSITIONS if turn is Turn.ENDED)
"""The end of the game is told here as soon as it is known."""
CAN_STAND_STILL: Final = frozenset(phase for phase, turn in TRANSITIONS if turn is Turn.STANDS_STILL)
"""A proven fault stops the game here; later it is only told."""


def check_heard(phase: Phase, message: m.Message) -> None:
    """RemoteFault SCHEMA where a peer may not send `message` to a client in `phase`."""
    if (phase, type(message)) not in TRANSITIONS:
        raise RemoteFault(Err.SCHEMA, f"{type(message).__name__} has no place in phase {phase.value}")


def after(phase: Phase, turn: Turn) -> Phase:
    """The phase that `turn` leads to; LocalMisuse where it can't happen in `phase`."""
    following = TRANSITIONS.get((phase, turn))
    if following is None:
        raise LocalMisuse(f"{turn.value!r} in phase {phase.value}")
    return following


def diagram() -> str:
    """The transitions that change the phase, as the text of a mermaid state diagram."""
    lines = ["stateDiagram-v2", f"    [*] --> {Phase.CONNECTING.value}"]
    lines += [
        f"    {phase.value} --> {following.value}: {turn.value}"
        for phase, became in _BECAME.items()
        for turn, following in became.items()
        if following is not phase
    ]
    lines.append(f"    {Phase.CLOSED.value} --> [*]")
    return "\n".join(lines) + "\n"

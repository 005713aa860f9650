"""The two families of errors: a peer broke a rule, or we did.

Codes are those of protocol/SPEC.md; they travel in BYE and NO and choose the exit code of the program.
"""

from __future__ import annotations

from enum import IntEnum, unique


@unique
class Err(IntEnum):
    """Why a link was closed or a request refused ([E-1])."""

    GOODBYE = 0
    BAD_FRAME = 1
    NOT_CANONICAL = 2
    SCHEMA = 3
    TIMEOUT = 4
    TOO_MANY_CONNECTIONS = 5
    RATE = 6
    QUEUE_OVERFLOW = 7
    SHUTTING_DOWN = 8
    VERSION = 10
    IDENTITY_SIGNATURE = 11
    JOIN_CODE = 12
    CODE_REQUIRED = 13
    CONNECTED_ELSEWHERE = 14
    UNEXPECTED_IDENTITY = 15
    OWN_IDENTITY = 16
    TABLE_FULL = 20
    ENGINE_DIFFERS = 21
    STALE_TABLE = 22
    DUPLICATE = 23
    PARENT_DIFFERS = 24
    REMOVED = 25
    GAME_IN_PLAY = 26
    NOT_A_SEAT = 30
    UNKNOWN_GAME = 31
    BAD_SIGNATURE = 32
    BAD_SHARE = 33
    ILLEGAL_ACTION = 34
    EQUIVOCATION = 35
    DIVERGED = 36
    BEHIND = 37
    WATCHERS_FULL = 40
    WATCHING_NOT_ALLOWED = 41


class RemoteFault(Exception):  # noqa: N818 - "fault" is the project's word for what a peer did wrong
    """A peer broke a rule.

    Attributes:
        code: the error number that the peer is told.
        detail: one clause for people and logs; never holds bytes that a peer chose.
        evidence: up to two (body, signature) pairs that prove it to a stranger; empty where nothing signed is wrong.
    """

    __slots__ = ("code", "detail", "evidence")

    def __init__(self, code: Err, detail: str, evidence: tuple[tuple[bytes, bytes], ...] = ()) -> None:
        super().__init__(f"{code.name.lower()} ({int(code)}): {detail}")
        self.code = code
        self.detail = detail
        self.evidence = evidence


class LocalMisuse(Exception):  # noqa: N818 - the other half of the pair
    """Our own code broke a rule of ours: a bug, never a peer's doing. Raised, not asserted: `python -O` keeps it."""

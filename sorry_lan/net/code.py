"""The join code: made, guarded against guessing, turned into a key that both ends share ([H-14] to [H-17]).

Owns the spake2 library. What the key confirms is in net/handshake.py.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, unique
from typing import Final, Protocol, cast

import spake2
import trio

from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.wire import limits
from sorry_lan.wire.keys import check_public
from sorry_lan.wire.words import WORDS

_ID_CLIENT: Final = b"client"
_ID_SERVER: Final = b"server"
_CODE_WORDS: Final = 3
_BACK_OFF_S: Final = 2.0
"""After the last wrong guess nobody is let in for this long: less than people need to read the new code out."""


@unique
class Side(Enum):
    """Which end of a link one is; the value is the role byte of confirmations and signatures."""

    CLIENT = b"C"
    SERVER = b"S"


def fresh_code(entropy: bytes) -> str:
    """Three words for three bytes of `entropy`; LocalMisuse where there are fewer."""
    if len(entropy) < _CODE_WORDS:
        raise LocalMisuse("too little entropy for a code")
    return "-".join(WORDS[byte] for byte in entropy[:_CODE_WORDS])


def plain_code(typed: str) -> str:
    """A code as a person types it, in the one form that is hashed: lower-case words joined by "-"."""
    return "-".join(typed.lower().replace("-", " ").split())


class _Spake(Protocol):
    def start(self) -> bytes: ...
    def finish(self, inbound: bytes) -> bytes: ...


class Exchange:
    """One side's run of SPAKE2, once only. Both methods are pure Python for 15 ms: call them in a worker thread."""

    __slots__ = ("_peer_mark", "_run")

    def __init__(self, side: Side, code: str) -> None:
        password = b"sorry-lan/1 code " + code.encode("utf-8", "surrogatepass")
        kind = spake2.SPAKE2_A if side is Side.CLIENT else spake2.SPAKE2_B
        self._run = cast("_Spake", kind(password, idA=_ID_CLIENT, idB=_ID_SERVER))
        self._peer_mark = b"B" if side is Side.CLIENT else b"A"

    def start(self) -> bytes:
        """The 33 bytes for the other side."""
        return self._run.start()

    def finish(self, theirs: bytes) -> bytes:
        """The shared key, 32 bytes; equal on both sides where the codes are.

        Raises:
            RemoteFault: SCHEMA for anything but a canonical element of the other side, not of small order.
        """
        check_element(theirs, self._peer_mark)
        try:
            return self._run.finish(theirs)
        except Exception as wrong:  # the library raises bare asserts and ValueErrors for elements it cannot use
            raise RemoteFault(Err.SCHEMA, "an element that SPAKE2 cannot use") from wrong


def check_element(element: bytes, mark: bytes) -> None:
    """RemoteFault SCHEMA unless `element` is `mark` and a point that could be a public key ([H-15], [W-16])."""
    if len(element) != 1 + 32 or element[:1] != mark:
        raise RemoteFault(Err.SCHEMA, "no SPAKE2 element of the other side")
    check_public(element[1:])


def confirmation(key: bytes, side: Side, transcript: bytes) -> bytes:
    """What `side` shows to prove that it has the same `key` under the same `transcript` (32 bytes)."""
    # HKDF-SHA256 with one block of output, as in RFC 5869.
    extracted = hmac.digest(transcript, key, "sha256")
    subkey = hmac.digest(extracted, b"sorry-lan/1 confirm " + side.value + b"\x01", "sha256")
    return hmac.digest(subkey, transcript, "sha256")


def same(one: bytes, other: bytes) -> bool:
    """Whether both are equal, in constant time."""
    return hmac.compare_digest(one, other)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One caller's try: the code it is measured by."""

    code: str
    generation: int


class CodeKeeper:
    """The code of one table: five wrong guesses use it up, and two tries a second is all that anyone gets."""

    __slots__ = ("_changed", "_failures", "_fresh", "_generation", "_next_s", "_queue", "_shut_until_s", "code")

    def __init__(self, code: str, fresh: Callable[[], str], changed: Callable[[str], None]) -> None:
        self._fresh = fresh
        self._changed = changed
        self._queue = trio.Lock()
        self._next_s = self._shut_until_s = float("-inf")
        self._failures = self._generation = 0
        self.code = code

    async def begin(self) -> Attempt:
        """Wait for a turn; first come, first served, and who hangs up leaves the queue.

        Raises:
            RemoteFault: JOIN_CODE while a used-up code is being replaced.
        """
        self._refuse_while_shut()
        async with self._queue:
            await trio.sleep_until(max(self._next_s, trio.current_time()))
            self._next_s = trio.current_time() + 1 / limits.PAKE_PER_S
        self._refuse_while_shut()
        return Attempt(self.code, self._generation)

    def _refuse_while_shut(self) -> None:
        if trio.current_time() < self._shut_until_s:
            raise RemoteFault(Err.JOIN_CODE, "the join code was used up")

    def judge(self, attempt: Attempt, confirmed: Callable[[], bool]) -> None:
        """Look at one confirmation and count it; nothing else runs in between, so no guess is free.

        Raises:
            RemoteFault: JOIN_CODE for a wrong one, or one for a code that is no longer used.
        """
        if attempt.generation != self._generation:
            raise RemoteFault(Err.JOIN_CODE, "the join code was used up")
        if confirmed():
            return
        self._failures += 1
        if self._failures >= limits.PAKE_FAILURES:
            self._failures = 0
            self._generation += 1
            self._shut_until_s = trio.current_time() + _BACK_OFF_S
            self.code = self._fresh()
            self._changed(self.code)
        raise RemoteFault(Err.JOIN_CODE, "the join code is wrong")

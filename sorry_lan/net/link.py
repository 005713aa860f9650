"""One authenticated link: a task that reads, a task that writes, a bounded queue in between ([H-12], [H-23]).

Knows PING and BYE, nothing else of what frames mean. A slow or dead other end costs this link and nothing else.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

import trio

from sorry_lan.faults import Err, RemoteFault
from sorry_lan.net.frames import NEVER_S, Wire, close_bounded, drop
from sorry_lan.net.handshake import LinkLost, bye_code
from sorry_lan.table.events import LinkId, LinkPeer
from sorry_lan.wire import limits
from sorry_lan.wire.codec import decode_message, encode_message
from sorry_lan.wire.messages import Bye, Ping

_IDLE_S: Final = 1.25
"""After this long without a frame of ours a PING goes out: a table that waits for its disk is silent, not dead."""
_FAREWELL_S: Final = 1.0
"""How long the other end may take to read our BYE and hang up, and as long again for what is queued before it."""
_FRAMES_PER_S: Final = 2000
_BURST_FRAMES: Final = 4096
_REST_S: Final = 0.1
"""Who says more than any game needs is read no faster: a flood of the cheapest frames would fill a processor."""
_LAST_WORD_S: Final = 0.25
"""How long a BYE may take to an end that seems dead: the others must not wait longer to hear of it."""
_BATCH_BYTES: Final = 65_536
_LENGTH: Final = 4
_BYE_HEAD: Final = b"\x93\x05"
"""An array of three that begins with BYE's number."""


class Link:
    """A link that runs in `run` until either end closes it or it breaks."""

    __slots__ = (
        "_allowed", "_allowed_at_s", "_bye", "_bytes", "_frames", "_ping_s",
        "_queue", "_scope", "_wake", "_why", "_wire", "id", "peer",
    )  # fmt: skip

    def __init__(self, link: LinkId, wire: Wire, peer: LinkPeer) -> None:
        self.id = link
        self.peer = peer
        self._wire = wire
        self._queue: deque[bytes] = deque()
        self._frames = self._bytes = 0
        self._allowed = float(_BURST_FRAMES)
        self._allowed_at_s = trio.current_time()
        self._ping_s = NEVER_S
        self._wake = trio.Event()
        self._scope = trio.CancelScope()
        self._bye: Bye | None = None
        self._why: Err | None = None

    @property
    def closing(self) -> bool:
        """Whether this end has given the link up."""
        return self._bye is not None

    def send(self, payload: bytes) -> None:
        """Queue one frame; never waits. A full queue drops the link; a link that is closing takes nothing more."""
        if self._bye is not None:
            return
        size = _LENGTH + len(payload)
        if self._frames >= limits.QUEUE_FRAMES or self._bytes + size > limits.QUEUE_BYTES:
            self._bye = Bye(int(Err.QUEUE_OVERFLOW), "")
            self._why = Err.QUEUE_OVERFLOW
            # Nothing gets through to a reader that slow, a BYE neither.
            self._scope.cancel()
            return
        self._queue.append(payload)
        self._frames += 1
        self._bytes += size
        self._wake.set()

    def close(self, code: Err, text: str) -> None:
        """Send what is queued, then BYE, then hang up; all of it within seconds. The first reason stays."""
        if self._bye is None:
            self._bye = Bye(int(code), text)
            self._why = code
            self._scope.deadline = trio.current_time() + 2 * _FAREWELL_S
            self._wake.set()

    async def run(self, deliver: Callable[[bytes], Awaitable[None]]) -> Err | None:
        """Carry frames until the link ends; why it ended: their BYE's code, ours, or None where it just broke.

        `deliver` gets each payload in order, BYE excepted; while it waits, nothing more is read.
        """
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._write)
                    nursery.start_soon(self._watch)
                    await self._read(deliver)
        finally:
            await (drop if self._why is Err.TIMEOUT else close_bounded)(self._wire.stream)
        return self._why

    async def _read(self, deliver: Callable[[bytes], Awaitable[None]]) -> None:
        try:
            while True:
                payload = await self._wire.receive()
                if payload[:2] == _BYE_HEAD:
                    self._heard_bye(payload)
                    break
                if self._bye is None:
                    await deliver(payload)
                if self._too_fast():
                    await trio.sleep(_REST_S)
        except RemoteFault as fault:
            self.close(fault.code, "")
            # What follows a bad frame has no shape; it is read so that our BYE is not taken back by a reset.
            await self._wire.drain()
        except LinkLost:
            pass
        self._scope.cancel()

    def _too_fast(self) -> bool:
        """Count one frame; whether the next one is to wait."""
        now_s = trio.current_time()
        refilled = self._allowed + (now_s - self._allowed_at_s) * _FRAMES_PER_S
        self._allowed = min(_BURST_FRAMES, refilled) - 1
        self._allowed_at_s = now_s
        return self._allowed < 0

    def _heard_bye(self, payload: bytes) -> None:
        bye = decode_message(payload)
        if isinstance(bye, Bye) and self._why is None:
            self._why = bye_code(bye)

    async def _write(self) -> None:
        try:
            while True:
                if self._queue:
                    batch = self._batch()
                    await self._wire.send_bytes(b"".join(batch))
                    # Counted until now: what a stuck stream holds is still ours to bound.
                    self._ping_s = trio.current_time() + _IDLE_S
                    self._frames -= len(batch) // 2
                    self._bytes -= sum(map(len, batch))
                elif self._bye is not None:
                    await self._wire.send(encode_message(self._bye))
                    await self._wire.finish()
                    # The other end hangs up when it has read this, and the reading task sees that.
                    await trio.sleep(_FAREWELL_S)
                    self._scope.cancel()
                    return
                else:
                    self._wake = trio.Event()
                    await self._wake.wait()
        except LinkLost:
            self._scope.cancel()

    def _batch(self) -> list[bytes]:
        """What waits, up to a size, each payload behind its length: one TLS record and one packet for a flush."""
        parts: list[bytes] = []
        size = 0
        while self._queue and size < _BATCH_BYTES:
            payload = self._queue.popleft()
            parts += (len(payload).to_bytes(_LENGTH, "big"), payload)
            size += _LENGTH + len(payload)
        return parts

    async def _watch(self) -> None:
        """Give up on an end that is silent; be heard where there is nothing to say. Frames pay nothing for it."""
        self._ping_s = trio.current_time() + _IDLE_S
        while not self.closing:
            await trio.sleep_until(min(self._wire.due_s, self._ping_s))
            now_s = trio.current_time()
            if now_s >= self._wire.due_s:
                self.close(Err.TIMEOUT, "")
                self._scope.deadline = now_s + _LAST_WORD_S
            elif now_s >= self._ping_s:
                self._ping_s = now_s + _IDLE_S
                self.send(encode_message(Ping(0)))

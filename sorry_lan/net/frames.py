"""Frames over a stream: sending, receiving, waiting and hanging up, before and after AUTH ([W-13], [H-11], [H-12]).

Who the other end is and what frames mean is decided elsewhere.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import trio

from sorry_lan.net.handshake import LinkLost
from sorry_lan.wire import limits
from sorry_lan.wire.codec import encode_message
from sorry_lan.wire.frames import FrameReader, frame
from sorry_lan.wire.messages import Bye

_BROKEN: Final = (trio.BrokenResourceError, trio.ClosedResourceError, trio.BusyResourceError, OSError)
"""Busy: TLS answers some records while it reads, and the other end chooses when; ours may just be ending its half."""
NEVER_S: Final = float("inf")
_CHUNK: Final = 65_536
_FAREWELL_S: Final = 1.0
"""How long a BYE may take to leave and be read, and how long closing may take."""


class Wire:
    """Frames over a stream that a failed or cancelled call leaves useless."""

    __slots__ = ("_reader", "due_s", "fingerprint", "stream")

    def __init__(self, stream: trio.abc.Stream, fingerprint: bytes) -> None:
        self.stream = stream
        self.fingerprint = fingerprint
        self.due_s = NEVER_S
        self._reader = FrameReader(limits.MAX_FRAME_BEFORE_AUTH)

    def trust(self) -> None:
        """AUTH is done: whole-sized frames are welcome."""
        self._reader.limit = limits.MAX_FRAME

    async def send(self, payload: bytes) -> None:
        """Send one frame; LinkLost where the stream is broken."""
        await self.send_bytes(frame(payload))

    async def send_bytes(self, data: bytes) -> None:
        """Send frames that are already framed; LinkLost as for `send`."""
        try:
            await self.stream.send_all(data)
        except _BROKEN as wrong:
            raise LinkLost("sending failed") from wrong

    async def receive(self) -> bytes:
        """The next payload; LinkLost at the end, RemoteFault BAD_FRAME for a length that cannot be.

        While it waits, `due_s` is when the other end counts as dead: 3 s without the start of a frame, 10 s inside one.
        """
        begun = False
        self.due_s = trio.current_time() + limits.LINK_DEAD_MS / 1000
        while (payload := self._reader.pull()) is None:
            if self._reader.pending and not begun:
                begun = True
                self.due_s = trio.current_time() + limits.FRAME_MS / 1000
            await self._more()
        self.due_s = NEVER_S
        return payload

    async def _more(self) -> None:
        try:
            data = await self.stream.receive_some(_CHUNK)
        except _BROKEN as wrong:
            raise LinkLost("receiving failed") from wrong
        if not data:
            raise LinkLost("the other end hung up")
        self._reader.push(bytes(data))

    async def part(self, bye: Bye | None) -> None:
        """Say BYE if there is one, wait a moment until the other end has read it, and close. Never raises."""
        with trio.CancelScope(shield=True):
            if bye is not None:
                with trio.move_on_after(_FAREWELL_S):
                    with suppress(LinkLost):
                        await self.send(encode_message(bye))
                        await self.finish()
                        await self.drain()
            await close_bounded(self.stream)

    async def finish(self) -> None:
        """Nothing more comes from us: the other end sees that at once, whether or not it still has something to say."""
        stream = self.stream.transport_stream if isinstance(self.stream, trio.SSLStream) else self.stream
        if isinstance(stream, trio.abc.HalfCloseableStream):
            with suppress(*_BROKEN):
                await stream.send_eof()

    async def drain(self) -> None:
        """Read and forget until the other end hangs up: closing with bytes unread would take our BYE back (RST)."""
        with suppress(*_BROKEN):
            while await self.stream.receive_some(_CHUNK):
                pass


async def drop(stream: trio.abc.Stream) -> None:
    """Close `stream` at once, without a word to an end that does not listen. Never raises."""
    with suppress(*_BROKEN):
        await trio.aclose_forcefully(stream)
    _release(stream)


async def close_bounded(stream: trio.abc.Stream) -> None:
    """Close `stream` within a second, whatever the other end does. Never raises."""
    with trio.CancelScope(shield=True, deadline=trio.current_time() + _FAREWELL_S), suppress(*_BROKEN):
        await stream.aclose()
    _release(stream)


def _release(stream: trio.abc.Stream) -> None:
    """Let a closed TLS stream go: it keeps its own handshake, a method of itself, and so all its buffers.

    Python would find that circle only when it next looks through everything, which a small program seldom does.
    """
    if isinstance(stream, trio.SSLStream):
        vars(stream).pop("_handshook", None)

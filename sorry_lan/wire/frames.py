"""Frames on a byte stream: u32 length, then that many bytes ([W-12], [W-13]).

Knows nothing of what is inside. A length is judged before one byte of its body is waited for.
"""

from __future__ import annotations

from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.wire import limits

_HEADER = 4


def frame(payload: bytes) -> bytes:
    """`payload` (1..65,536 bytes) with its length in front; LocalMisuse outside that."""
    if not 1 <= len(payload) <= limits.MAX_FRAME:
        raise LocalMisuse(f"a frame of {len(payload)} bytes")
    return len(payload).to_bytes(_HEADER, "big") + payload


class FrameReader:
    """Cuts a stream into frames, in whatever pieces it arrives.

    `limit` (bytes of one frame's payload) may be raised at any time and counts for every frame not yet pulled: where
    one frame decides about the next one's limit (AUTH), `push` and `pull` one by one instead of `feed`.
    """

    __slots__ = ("_at", "_buffer", "limit")

    def __init__(self, limit: int = limits.MAX_FRAME) -> None:
        self.limit = limit
        self._buffer = bytearray()
        self._at = 0

    @property
    def pending(self) -> bool:
        """Whether a frame has begun that was not pulled yet."""
        return self._at < len(self._buffer)

    def push(self, data: bytes) -> None:
        """Take bytes of the stream; the caller pulls until None before it pushes again, so one frame at most stays."""
        if self._at:
            # Once a push, not once a frame: a chunk of many small frames would else be moved over and over.
            del self._buffer[: self._at]
            self._at = 0
        self._buffer += data

    def pull(self) -> bytes | None:
        """The next whole payload, or None until more bytes come.

        Raises:
            RemoteFault: BAD_FRAME for a length of 0 or above `limit`; the stream is useless from there on.
        """
        body = self._at + _HEADER
        if len(self._buffer) < body:
            return None
        length = int.from_bytes(self._buffer[self._at : body], "big")
        if not 1 <= length <= self.limit:
            raise RemoteFault(Err.BAD_FRAME, f"a frame of {length} bytes; 1..{self.limit} are allowed")
        if len(self._buffer) < body + length:
            return None
        self._at = body + length
        return bytes(self._buffer[body : self._at])

    def feed(self, data: bytes) -> list[bytes]:
        """Every payload that `data` completes, in order; RemoteFault as for `pull`."""
        self.push(data)
        frames = []
        while (payload := self.pull()) is not None:
            frames.append(payload)
        return frames

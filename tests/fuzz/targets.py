"""What is fuzzed: each decoder with the faults that it may raise, and what must hold of what it lets through."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sorry_lan.fair.entry import decode_body, encode_body
from sorry_lan.fair.genesis import check_terms, decode_terms, encode_terms
from sorry_lan.fair.open_step import Record
from sorry_lan.fair.record import check_order
from sorry_lan.fair.verify import Verdict, verify_transcript
from sorry_lan.faults import RemoteFault
from sorry_lan.store.disk import StoreError
from sorry_lan.store.journal import decode_records, encode_record
from sorry_lan.table.commands import JournalKind
from sorry_lan.table.saved import NotAGame, restore
from sorry_lan.wire import limits
from sorry_lan.wire.codec import decode, decode_hello_head, decode_message, encode, encode_message, pack, unpack
from sorry_lan.wire.frames import FrameReader

Target = Callable[[bytes], None]
HERE = Path("journal")


class EscapeError(AssertionError):
    """A decoder let something through that it must not, or raised something undocumented."""


def same(one: bytes, other: bytes, what: str) -> None:
    """Bytes and values are one to one."""
    if one != other:
        raise EscapeError(f"{what}: two encodings of one value")


def codec(data: bytes) -> None:
    """Canonical msgpack."""
    same(encode(decode(data)), data, "value")


def message(data: bytes) -> None:
    """One frame's payload after AUTH."""
    heard = decode_message(data)
    if heard is not None:
        same(encode_message(heard), data, type(heard).__name__)


def hello(data: bytes) -> None:
    """One frame's payload from a stranger."""
    head = decode_hello_head(data)
    if len(head.app.encode()) > limits.MAX_APP:
        raise EscapeError("a program's name is too long")


def frames(data: bytes) -> None:
    """A stream, whole and in pieces: the first byte says how it is cut."""
    if not data:
        return
    whole, pieces = FrameReader(limits.MAX_FRAME_BEFORE_AUTH), FrameReader(limits.MAX_FRAME_BEFORE_AUTH)
    size, stream = 1 + data[0] % 17, data[1:]
    got: list[bytes] = []
    try:
        for at in range(0, len(stream), size):
            got += pieces.feed(stream[at : at + size])
    finally:
        if len(pieces._buffer) > limits.MAX_FRAME_BEFORE_AUTH + 4 + size:
            raise EscapeError("more than one frame is kept")
    if whole.feed(stream) != got or whole.pending is not pieces.pending:
        raise EscapeError("a stream means another thing in pieces")


def body(data: bytes) -> None:
    """What a seat signs."""
    same(encode_body(decode_body(data)), data, "entry")


def table(data: bytes) -> None:
    """The TABLE document."""
    terms = decode_terms(data)
    same(encode_terms(terms), data, "table")
    check_terms(terms)


def record(data: bytes) -> None:
    """A finished step."""
    step = unpack(Record, data)
    same(pack(step), data, "record")
    check_order(step)


def journal(data: bytes) -> None:
    """A journal file, and the game in it."""
    records, size = decode_records(data, HERE)
    same(b"".join(encode_record(each.kind, each.payload) for each in records), data[:size], "journal")
    restore((each.kind, each.payload) for each in records if each.kind is not JournalKind.NONCE)


def transcript(data: bytes) -> None:
    """A file to verify: there is a verdict on any bytes."""
    if not isinstance(verify_transcript(data), Verdict):
        raise EscapeError("no verdict")


TARGETS: dict[str, Target] = {
    each.__name__: each for each in (codec, message, hello, frames, body, table, record, journal, transcript)
}
"""By name."""

DOCUMENTED = (RemoteFault, StoreError, NotAGame)
"""What a decoder may raise, whatever the bytes."""


def tried(target: Target, data: bytes) -> bool:
    """Whether the bytes were let through; everything but a documented fault escapes."""
    try:
        target(data)
    except DOCUMENTED:
        return False
    return True

"""Transcript and evidence files as bytes: first line, frames, checksum; both ways ([X-1], [X-4], [X-9]).

Knows the shape of the file and believes nothing in it; that is for verify.py. Reads no files.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum, unique
from hashlib import sha256
from typing import Annotated, Final, cast

from sorry_lan.fair.open_step import Record
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.wire import limits
from sorry_lan.wire.codec import Value, decode, encode, from_value, to_value
from sorry_lan.wire.frames import frame
from sorry_lan.wire.messages import Consent, Signed, TableBytes
from sorry_lan.wire.schema import B32, Counter, Many, Uint

FAMILY: Final = b"sorry-lan transcript "
FIRST_LINE: Final = FAMILY + b"1\n"
_CHECKSUM: Final = 32
_HEADER: Final = 4


@unique
class Ending(IntEnum):
    """How the game in the file ended."""

    WON = 0
    SAVED = 1


@dataclass(frozen=True, slots=True)
class TableFrame:
    """A game begins: its table, and the consent of every human seat, ascending."""

    table: TableBytes
    consents: Annotated[tuple[Consent, ...], Many(1, limits.MAX_SEATS)]


@dataclass(frozen=True, slots=True)
class EndFrame:
    """The file ends after `k` steps at `head`."""

    k: Counter
    head: B32
    how: Annotated[int, Uint(max(Ending))]


@dataclass(frozen=True, slots=True)
class ProofFrame:
    """What somebody signed in `game`: two bodies for one slot, or one illegal move where `second` is None."""

    game: B32
    first: Signed
    second: Signed | None


Frame = TableFrame | Record | EndFrame | ProofFrame
_KINDS: Final[tuple[type[Frame], ...]] = (TableFrame, Record, EndFrame, ProofFrame)
"""By the number that a frame begins with."""


@unique
class Damage(Enum):
    """What is wrong with the file as such."""

    NO_FIRST_LINE = "no first line"
    OTHER_FORMAT = "other format"
    CUT_SHORT = "cut short"
    BAD_FRAME = "bad frame"
    CHECKSUM = "checksum"


@dataclass(frozen=True, slots=True)
class Contents:
    """The frames before the first damage, and what that is; without damage the last frame is an end or a proof."""

    frames: tuple[Frame, ...]
    damage: Damage | None


@dataclass(frozen=True, slots=True)
class Chapter:
    """A game that went on at another table: its table, and the frames up to where the next one takes up ([X-10])."""

    start: TableFrame
    records: tuple[Record, ...]


def encode_transcript(
    table: bytes,
    consents: Sequence[Consent],
    records: Iterable[Record],
    end: EndFrame,
    past: Iterable[Chapter] = (),
) -> bytes:
    """The whole file of one game; `records` are those of steps 0 to end.k - 1, `past` what it goes on from."""
    return encode_file((*past_frames(past), TableFrame(table, tuple(consents)), *records, end))


def past_frames(past: Iterable[Chapter]) -> tuple[Frame, ...]:
    """The frames of earlier games, oldest first."""
    frames: list[Frame] = []
    for chapter in past:
        frames += (chapter.start, *chapter.records)
    return tuple(frames)


def encode_file(frames: Iterable[Frame]) -> bytes:
    """First line, frames and checksum."""
    body = FIRST_LINE + b"".join(frame(_encode_frame(item)) for item in frames)
    return body + sha256(body).digest()


def _encode_frame(item: Frame) -> bytes:
    return encode((_KINDS.index(type(item)), *cast("tuple[Value, ...]", to_value(item))))


def read_file(data: bytes) -> Contents:
    """Everything that can be read of any bytes; raises nothing."""
    if not data.startswith(FIRST_LINE):
        return Contents((), Damage.OTHER_FORMAT if data.startswith(FAMILY) else Damage.NO_FIRST_LINE)
    frames: list[Frame] = []
    at = len(FIRST_LINE)
    while not frames or not isinstance(frames[-1], EndFrame | ProofFrame):
        body = at + _HEADER
        length = int.from_bytes(data[at:body], "big")
        if body <= len(data) and not 1 <= length <= limits.MAX_FRAME:
            return Contents(tuple(frames), Damage.BAD_FRAME)
        at = body + length
        if at > len(data):
            return Contents(tuple(frames), Damage.CUT_SHORT)
        try:
            frames.append(_decode_frame(data[body:at]))
        except RemoteFault:
            return Contents(tuple(frames), Damage.BAD_FRAME)
    return Contents(tuple(frames), _tail_damage(data, at))


def _decode_frame(data: bytes) -> Frame:
    value = decode(data)
    if type(value) is not tuple or not value or type(value[0]) is not int or value[0] >= len(_KINDS):
        raise RemoteFault(Err.SCHEMA, "a frame is an array that begins with its kind")
    return from_value(_KINDS[value[0]], value[1:])


def _tail_damage(data: bytes, at: int) -> Damage | None:
    if len(data) - at < _CHECKSUM:
        return Damage.CUT_SHORT
    return None if sha256(data[:at]).digest() == data[at:] else Damage.CHECKSUM

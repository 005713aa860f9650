"""Where fuzzing begins: every byte string of protocol/vectors, sorted by what it may be, and journals made of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from sorry_lan.fair.open_step import Record
from sorry_lan.fair.transcript import TableFrame, read_file
from sorry_lan.store.journal import encode_record
from sorry_lan.table.commands import JournalKind
from sorry_lan.table.saved import Header
from sorry_lan.wire.codec import pack

VECTORS = Path(__file__).resolve().parents[2] / "protocol" / "vectors"
FILES = ("codec.json", "entries.json", "frames.json")
LONGEST = 70_000


def _strings(value: Any) -> Iterator[bytes]:
    """Every byte string in a vector, however deep."""
    if isinstance(value, dict):
        if value.keys() == {"repeat", "count"}:
            yield bytes.fromhex(value["repeat"]) * min(value["count"], LONGEST)
            return
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)
    elif isinstance(value, str) and value and not len(value) % 2:
        try:
            yield bytes.fromhex(value)
        except ValueError:
            return


@lru_cache(maxsize=1)
def vectors() -> tuple[bytes, ...]:
    """All byte strings of the vectors, each once."""
    found: dict[bytes, None] = {}
    for name in FILES:
        for case in json.loads((VECTORS / name).read_text())["cases"]:
            found.update(dict.fromkeys(_strings(case)))
    return tuple(found)


@lru_cache(maxsize=1)
def transcripts() -> tuple[bytes, ...]:
    """The example files, good and bad."""
    return tuple(path.read_bytes() for path in sorted((VECTORS / "transcripts").glob("*.sorry")))


@lru_cache(maxsize=16)
def seeds(target: str) -> tuple[bytes, ...]:
    """What mutations of a target begin with."""
    plain = vectors()
    if target == "transcript":
        return transcripts()
    if target == "frames":
        return tuple(bytes((number % 256,)) + _framed(data) for number, data in enumerate(plain))
    if target == "record":
        return (*steps(), *plain)
    if target == "journal":
        return (*journals(), *(encode_record(JournalKind.RECORD, data) for data in plain if len(data) < 9000))
    return plain


@lru_cache(maxsize=1)
def games() -> tuple[tuple[TableFrame, tuple[Record, ...]], ...]:
    """The tables and steps of the example files."""
    found = []
    for data in transcripts():
        frames = read_file(data).frames
        if frames and isinstance(frames[0], TableFrame):
            found.append((frames[0], tuple(step for step in frames if isinstance(step, Record))))
    return tuple(found)


def steps() -> tuple[bytes, ...]:
    """Finished steps, each once."""
    return tuple(dict.fromkeys(pack(step) for _, records in games() for step in records))


def journals() -> tuple[bytes, ...]:
    """Journals of the first steps of each game, with own entries between them."""
    found = []
    for start, records in games():
        parts = [encode_record(JournalKind.HEADER, pack(Header(start.table, start.consents, "A table", ())))]
        for step in records[:4]:
            parts += [encode_record(JournalKind.OWN_ENTRY, pack(signed)) for signed in step.entries[:2]]
            parts.append(encode_record(JournalKind.RECORD, pack(step)))
        found.append(b"".join(parts))
    return tuple(found)


def _framed(data: bytes) -> bytes:
    return len(data[:2000]).to_bytes(4, "big") + data[:2000]

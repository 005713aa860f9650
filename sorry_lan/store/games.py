"""The files of finished and saved games that a person may keep, show and verify. Names and whole writes only."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from sorry_lan.store.disk import Disk, make_folder, save_whole
from sorry_lan.table.commands import FileKind

_LONGEST_TITLE = 40
_ENDING = {FileKind.TRANSCRIPT: ".sorry", FileKind.EVIDENCE: "-evidence.sorry", FileKind.DUMP: "-dump.bin"}


def file_name(day: dt.date, title: str, game: bytes, kind: FileKind) -> str:
    """`2026-11-29-bobs-table-1a2b3c4d.sorry`: from a stranger's title only ASCII letters, digits and dashes remain."""
    plain = title.lower().replace("'", "")
    words = "".join(c if c.isascii() and c.isalnum() else " " for c in plain).split()
    short = "-".join(words)[:_LONGEST_TITLE].strip("-") or "table"
    return f"{day.isoformat()}-{short}-{game.hex()[:8]}{_ENDING[kind]}"


def save_game(disk: Disk, folder: Path, name: str, content: bytes) -> Path:
    """Write a file of the games folder whole; its path. Blocks. StoreError where it cannot be written."""
    make_folder(folder)
    path = folder / name
    save_whole(disk, path, content)
    return path

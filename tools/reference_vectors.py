"""Writes protocol/vectors from fixed seeds with the second implementation in tools/reference. `--check` only compares.

Run from the repository's root: python -m tools.reference_vectors [--check]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tools.reference import bot_cases, bytes_cases, draw_cases, entry_cases, file_cases, key_cases

PROTOCOL = Path(__file__).resolve().parent.parent / "protocol"


def write(folder: Path) -> None:
    """All vector files of this implementation, the transcripts below `folder`/transcripts."""
    words = (PROTOCOL / "words.txt").read_text(encoding="ascii").split()
    bots, engine = bot_cases.bots()
    for file in (
        bytes_cases.codec(),
        bytes_cases.frames(),
        key_cases.keys(),
        draw_cases.draws(words),
        bots,
        entry_cases.entries(engine),
    ):
        file.write(folder)
    transcripts = folder / "transcripts"
    transcripts.mkdir(exist_ok=True)
    file_cases.files(transcripts, words, engine).write()


def differences(folder: Path) -> list[str]:
    """Files below protocol/vectors that are not what this program writes into `folder`."""
    write(folder)
    vectors = PROTOCOL / "vectors"
    names = [path.relative_to(folder) for path in sorted(folder.rglob("*")) if path.is_file()]
    stray = [
        path.relative_to(vectors)
        for path in vectors.glob("transcripts/*")
        if not (folder / path.relative_to(vectors)).exists()
    ]
    changed = [
        name
        for name in names
        if not (vectors / name).exists() or (vectors / name).read_bytes() != (folder / name).read_bytes()
    ]
    return [str(name) for name in [*changed, *stray]]


def main(arguments: list[str]) -> int:
    """0 if the vectors are as written, or were written."""
    if arguments == ["--check"]:
        with tempfile.TemporaryDirectory() as folder:
            wrong = differences(Path(folder))
        for name in wrong:
            print(f"{name} differs")
        return 1 if wrong else 0
    write(PROTOCOL / "vectors")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Processes that play: started as a person would, listened to with the time of every line, killed without warning.

Where they run (a namespace of the lab, or this computer) is a prefix of their command.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from sorry_lan.cli.demo import signed_bodies
from sorry_lan.fair.entry import decode_body, slot
from sorry_lan.fair.verify import Outcome, verify_transcript
from sorry_lan.store.journal import read_journal
from sorry_lan.table.saved import restore

NAMES: Final = ("Ada", "Bob", "Chloe", "Dan")
_COLOURS: Final = ("red", "blue", "yellow", "green")
_ROOT: Final = Path(__file__).parents[2]
_END_S: Final = 15.0

Said = dict[str, object]


@dataclass(frozen=True, slots=True)
class Line:
    """One object that a peer wrote, and when it was read (monotonic seconds)."""

    at_s: float
    said: Said

    @property
    def kind(self) -> object:
        return self.said.get("type")


class Fell(AssertionError):  # noqa: N818 - says what is the case
    """What was waited for did not happen; the text holds what each peer said last."""


class Peer:
    """One client, through as many processes as it takes: `start` after `kill` runs the same command again."""

    def __init__(self, number: int, folder: Path, where: tuple[str, ...] = ()) -> None:
        self.number = number
        self.name = NAMES[number]
        self.folder = folder / self.name.lower()
        self.lines: list[Line] = []
        self.words: tuple[str, ...] = ()
        self._where = where
        self._errors = folder / f"{self.name.lower()}.err"
        self._changed = threading.Condition()
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None

    def start(self, *words: str) -> Self:
        """Run `sorry-lan` with these words, or with those of the last time; the lines so far are kept."""
        self.words = words or self.words
        command = [*self._where, sys.executable, "-m", "sorry_lan", *self.words, "--auto", "--json"]
        command += ["--identity", os.fspath(self.folder)]
        if self.words[0] != "resume":
            command += ["--name", self.name, "--colour", _COLOURS[self.number]]
        with self._errors.open("ab") as errors:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, cwd=_ROOT, bufsize=0
            )
        self._process = process
        self._reader = threading.Thread(target=self._read, args=(process,), daemon=True)
        self._reader.start()
        return self

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        if process.stdout is None:
            return
        for raw in process.stdout:
            at_s = time.monotonic()
            try:
                said = json.loads(raw)
            except ValueError:
                # The last line of a killed process may be a part of one.
                continue
            with self._changed:
                self.lines.append(Line(at_s, said))
                self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()

    def mark(self) -> int:
        """How many lines there are: those from here on are what follows."""
        return len(self.lines)

    def since(self, mark: int) -> list[Line]:
        """The lines behind a mark."""
        return self.lines[mark:]

    def until(self, fits: Callable[[Said], bool], limit_s: float, mark: int = 0) -> Line:
        """The first line behind `mark` that fits, waiting for it; Fell after `limit_s`, or once the process ends."""
        began_s = time.monotonic()
        deadline_s = began_s + limit_s
        at = mark
        with self._changed:
            while True:
                for line in self.lines[at:]:
                    if fits(line.said):
                        return line
                at = len(self.lines)
                left_s = deadline_s - time.monotonic()
                if left_s <= 0 or self._is_done():
                    raise Fell(f"waited {time.monotonic() - began_s:.1f} s in vain; {self.last_words()}")
                self._changed.wait(min(left_s, 0.5))

    def _is_done(self) -> bool:
        return self._reader is None or not self._reader.is_alive()

    def steps(self) -> int:
        """The last step that it showed as played, -1 before the first."""
        played = (line.said["k"] for line in self.lines if line.kind == "played")
        return max((k for k in played if isinstance(k, int)), default=-1)

    def last_words(self) -> str:
        """What it said last, for a failure's message."""
        said = [line.said.get("text") or line.said.get("type") for line in self.lines[-4:]]
        errors = self._errors.read_text(errors="replace")[-800:] if self._errors.exists() else ""
        return f"{self.name}: {said} {errors}".strip()

    def signal(self, number: int) -> None:
        """Send its process a signal."""
        if self._process is not None:
            self._process.send_signal(number)

    def kill(self) -> float:
        """End its process without a word; when (monotonic seconds)."""
        at_s = time.monotonic()
        self.signal(signal.SIGKILL)
        self._reap(_END_S)
        return at_s

    def ends(self, limit_s: float) -> int:
        """Its exit code; Fell where it does not end in time."""
        return self._reap(limit_s)

    def _reap(self, limit_s: float) -> int:
        process, reader = self._process, self._reader
        if process is None or reader is None:
            raise Fell(f"{self.name} does not run")
        try:
            code = process.wait(limit_s)
        except subprocess.TimeoutExpired as wrong:
            raise Fell(f"{self.name} did not end within {limit_s:.1f} s; {self.last_words()}") from wrong
        reader.join(_END_S)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        self._process = None
        return code

    def close(self) -> None:
        """Make sure that nothing of it runs any more."""
        if self._process is not None:
            self.kill()

    @property
    def saved(self) -> Path | None:
        """The file of its game, once it is written; one that was killed may have had no time to tell."""
        return next((path for path in sorted((self.folder / "games").glob("*.sorry"))), None)


@contextmanager
def working_folder() -> Iterator[Path]:
    """A folder for identities and games, in memory where there is one: what the disk does is no matter here."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="sorry-lan-", dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


@contextmanager
def ended(peers: list[Peer]) -> Iterator[None]:
    """Whatever happens inside, no process is left behind."""
    try:
        yield
    finally:
        for peer in peers:
            peer.close()


def says(kind: str, **fields: object) -> Callable[[Said], bool]:
    """Whether a line has this type and these fields."""
    wanted = {"type": kind, **fields}
    return lambda said: all(said.get(name) == value for name, value in wanted.items())


def played_beyond(k: int) -> Callable[[Said], bool]:
    """Whether a line shows a step behind `k` as played."""
    return lambda said: said.get("type") == "played" and isinstance(said["k"], int) and said["k"] > k


def complaints(peers: list[Peer]) -> list[str]:
    """Everything that was said of cheating, disagreement, and questions whether to go on without somebody."""
    bad = {"fault", "engines_differ", "restored_or_copied", "stopped", "refused"}
    return [
        f"{peer.name}: {line.said}"
        for peer in peers
        for line in peer.lines
        if line.kind in bad or (line.kind == "prompt" and line.said["ask"] not in ("draw", "choose"))
    ]


def one_game(peers: list[Peer]) -> int:
    """How many signed entries the one game has that all peers saved; Fell where files differ or do not hold."""
    files = [peer.saved.read_bytes() if peer.saved is not None else b"" for peer in peers]
    for peer, data in zip(peers, files, strict=True):
        verdict = verify_transcript(data)
        if verdict.outcome is not Outcome.HOLDS:
            raise Fell(f"the file of {peer.name} does not hold: {verdict.outcome.name}; {peer.last_words()}")
    if any(data != files[0] for data in files):
        raise Fell(f"the files differ: {[len(data) for data in files]} bytes")
    return len(signed_bodies(files[0]))


def signed_twice(peers: list[Peer]) -> list[str]:
    """Slots for which some journal of the peers holds two different entries of its own."""
    found = []
    for peer in peers:
        for path in sorted((peer.folder / "games").glob("*.journal")):
            own: dict[tuple[bytes, object], bytes] = {}
            saved = restore((record.kind, record.payload) for record in read_journal(path))
            for signed in saved.own:
                key = (saved.game_id, slot(decode_body(signed.body)))
                if own.setdefault(key, signed.body) != signed.body:
                    found.append(f"{peer.name}: {key[1]}")
        found += [f"{peer.name}: {path.name}" for path in (peer.folder / "games").glob("*evidence*")]
    return found

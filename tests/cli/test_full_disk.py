"""Disks without room and folders that cannot be written, with real processes and real files: a sentence, and code 9."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest

from sorry_lan.store.games import GameState, kept_games

pytestmark = pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="no limits can be set from outside here")
_TIMEOUT_S = 100
_WITH_LIMIT = (
    "import os, resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY));"
    "os.execv(sys.executable, [sys.executable, '-m', 'sorry_lan', *sys.argv[2:]])"
)
GAME = ("play", "--json", "--name", "Ada", "--name", "Zoe", "--rule", "pawns=1")


def limited(most_bytes: int, *words: str) -> list[str]:
    """A command whose files cannot grow beyond this: for whoever writes them the disk is full."""
    return [sys.executable, "-c", _WITH_LIMIT, str(most_bytes), *words]


def mounted(folder: Path, options: str) -> bool:
    """Whether a file system in memory could be mounted there; only root may, and not everywhere."""
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    try:
        return subprocess.run(command, capture_output=True, timeout=20, check=False).returncode == 0
    except OSError:
        return False


def unmount(folder: Path) -> None:
    subprocess.run(["umount", "-l", str(folder)], capture_output=True, timeout=20, check=False)


@pytest.fixture
def full(tmp_path: Path) -> Iterator[tuple[Path, int]]:
    """A folder without room, and the size that files can have there."""
    folder = tmp_path / "full"
    folder.mkdir()
    if not mounted(folder, "size=4k"):
        yield folder, 0
        return
    (folder / "rest").write_bytes(bytes(4096))
    yield folder, resource.RLIM_INFINITY
    unmount(folder)


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Path]:
    """A folder that cannot be written: read-only for root, without permission for others."""
    folder = tmp_path / "locked"
    folder.mkdir()
    is_mount = mounted(folder, "size=64k,ro")
    if not is_mount:
        folder.chmod(0o500)
    yield folder
    if is_mount:
        unmount(folder)
    folder.chmod(0o700)


def refused(command: list[str]) -> str:
    """The one sentence of a command that ends with 9 at once."""
    found = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, check=False)
    assert (found.returncode, found.stderr) == (9, ""), found
    return found.stdout.splitlines()[-1]


@pytest.mark.parametrize("command", ["play", "host"])
def test_a_disk_that_is_full_at_the_start_is_one_sentence_and_9(full: tuple[Path, int], command: str) -> None:
    folder, most = full
    sentence = refused(limited(most, command, "--plain", "--identity", str(folder / "id")))
    assert sentence.startswith("There is no room left to write ")
    assert str(folder) in sentence
    assert sentence.endswith("Free some space, then try again.")


@pytest.mark.parametrize("command", ["play", "host"])
def test_a_folder_that_cannot_be_written_is_one_sentence_and_9(locked: Path, command: str) -> None:
    sentence = refused([sys.executable, "-m", "sorry_lan", command, "--plain", "--identity", str(locked / "id")])
    assert f"{locked}" in sentence
    assert " cannot be written (" in sentence
    assert sentence.endswith("choose another folder with --identity DIR.")


class Playing:
    """Two people at one keyboard who draw and play the first choice, through JSON."""

    def __init__(self, command: list[str]) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _wrong: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.communicate(timeout=_TIMEOUT_S)

    def until(self, kind: str) -> dict[str, object]:
        """Play until something of this kind is said."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said = json.loads(line)
            if said["type"] == kind:
                return dict(said)
            if said["type"] == "prompt":
                play = {"type": "draw", "k": said["k"]}
                if said["ask"] != "draw":
                    play = {"type": "play", "k": said["k"], "move": said["choices"][0]["move"]}
                self.process.stdin.write(json.dumps(play).encode() + b"\n")
                self.process.stdin.flush()
        pytest.fail(f"it ended without a word of {kind!r}")

    def end(self) -> int:
        """Say good-bye; the exit code."""
        self.process.communicate(timeout=_TIMEOUT_S)
        return self.process.returncode


def test_a_disk_that_fills_up_in_a_game_is_told_and_with_room_again_the_game_goes_on(tmp_path: Path) -> None:
    with Playing(limited(6_000, *GAME, "--identity", str(tmp_path))) as playing:
        told = playing.until("disk")
        assert told["works"] is False
        assert "cannot write the game to its disk" in str(told["text"])
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(playing.process.pid, resource.RLIMIT_FSIZE, unlimited)
        assert playing.until("disk")["works"] is True
        playing.until("saved")
        assert playing.end() == 0
    (game,) = kept_games(tmp_path / "games")
    assert game.state is GameState.WON


def test_a_game_whose_disk_stays_full_can_be_ended_and_goes_on_where_there_is_room(tmp_path: Path) -> None:
    with Playing(limited(6_000, *GAME, "--identity", str(tmp_path))) as playing:
        playing.until("disk")
        playing.process.terminate()
        assert playing.end() == 143
    (game,) = kept_games(tmp_path / "games")
    assert (game.state, game.can_go_on) == (GameState.INTERRUPTED, True)
    again = [sys.executable, "-m", "sorry_lan", "resume", "--json", "--identity", str(tmp_path)]
    with Playing(again) as playing:
        playing.until("saved")
        assert playing.end() == 0
    (game,) = kept_games(tmp_path / "games")
    assert game.state is GameState.WON

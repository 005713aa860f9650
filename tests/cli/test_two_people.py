"""A person with the text client and a program with JSON lines play a whole game over the network."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable

import trio

GAME_S = 200


async def _play(words: tuple[str, ...], answer: Callable[[str], str | None]) -> tuple[int, list[str]]:
    """Run a client; every line it writes is answered as `answer` says; its exit code and lines."""
    lines: list[str] = []
    command = [sys.executable, "-m", "sorry_lan", *words]
    process = await trio.lowlevel.open_process(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    pending = b""
    async with process.stdin, process.stdout:
        while data := await process.stdout.receive_some(65_536):
            *whole, pending = (pending + data).split(b"\n")
            for line in whole:
                lines.append(line.decode())
                typed = answer(lines[-1])
                if typed is not None:
                    await process.stdin.send_all(typed.encode() + b"\n")
    return await process.wait(), lines


class Person:
    """Reads sentences, presses Enter to draw, and plays the first choice."""

    def __init__(self) -> None:
        self.code = ""
        self.port = ""
        self.door = trio.Event()

    def __call__(self, line: str) -> str | None:
        if found := re.search(r"sorry-lan join \S*:(\d+) --code (\S+)", line):
            self.port, self.code = found.groups()
            self.door.set()
        if line == "Not ready yet: Ada. Type ready when you are.":
            return "ready"
        if line.endswith("Press Enter to draw a card."):
            return ""
        if line.startswith("  1  "):
            return "1"
        return "q" if line.startswith("The game is kept.") else None


def program(line: str) -> str | None:
    """Answers prompts with their last choice."""
    said = json.loads(line)
    match said["type"]:
        case "prompt" if said["ask"] == "draw":
            return json.dumps({"type": "draw", "k": said["k"]})
        case "prompt":
            return json.dumps({"type": "play", "k": said["k"], "move": said["choices"][-1]["move"]})
        case "saved":
            return json.dumps({"type": "leave"})
        case _:
            return None


async def test_a_person_and_a_program_play_to_the_end(tmp_path):
    ada = Person()
    ended: dict[str, tuple[int, list[str]]] = {}

    async def host():
        flags = ("--seats", "2", "--port", "0", "--rule", "pawns=1", "--age", "9", "--identity", str(tmp_path / "ada"))
        ended["Ada"] = await _play(("host", "--name", "Ada", *flags), ada)

    async def guest():
        await ada.door.wait()
        where = (f"127.0.0.1:{ada.port}", "--code", ada.code)
        flags = ("--name", "Bob", "--json", "--identity", str(tmp_path / "bob"))
        ended["Bob"] = await _play(("join", *where, *flags), program)

    with trio.fail_after(GAME_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host)
            nursery.start_soon(guest)
    (ada_code, sentences), (bob_code, objects) = ended["Ada"], ended["Bob"]
    assert (ada_code, bob_code) == (0, 0)
    said = [json.loads(line) for line in objects]
    words = next(item["words"] for item in said if item["type"] == "lot")
    assert f"Check words: {' '.join(words)}." in " ".join(sentences)
    winner = next(item["text"] for item in said if item["type"] == "won")
    assert winner in sentences
    assert not [item for item in said if item["type"] == "error"]
    assert not [line for line in sentences if "I do not know" in line]
    one, other = (next((tmp_path / name / "games").glob("*.sorry")) for name in ("ada", "bob"))
    assert one.read_bytes() == other.read_bytes()

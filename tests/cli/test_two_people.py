"""People with text clients, and programs with JSON lines, play whole games over the network, each in a process."""

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
    """Reads sentences, presses Enter to draw, and plays the first choice; asks all `questions` at the first one."""

    def __init__(self, *questions: str) -> None:
        self.questions = list(questions)
        self.code = ""
        self.port = ""
        self.door = trio.Event()

    def __call__(self, line: str) -> str | None:
        if found := re.search(r"sorry-lan join \S*:(\d+) --code (\S+)", line):
            self.port, self.code = found.groups()
            self.door.set()
        if line.startswith("Not ready yet: ") and line.endswith("Type ready when you are."):
            return "ready"
        if line.endswith("Press Enter to draw a card."):
            return ""
        if line.startswith("  1  "):
            asked, self.questions = self.questions, []
            return "\n".join([*asked, "1"])
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
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / "known_players").write_text(f"{'0a' * 32} 2020-01-01 Ada\n")
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
    assert "You have not played with Bob (Blue) before." in sentences
    changed = [item for item in said if item["type"] == "key_changed"]
    assert [(item["name"], item["since"]) for item in changed] == [("Ada", "2020-01-01")] * 2
    known = [(tmp_path / name / "known_players").read_text().splitlines() for name in ("ada", "bob")]
    assert [[line[76:] for line in lines if line[0] != "#"] for lines in known] == [["Bob"], ["Ada", "Ada"]]
    one, other = (next((tmp_path / name / "games").glob("*.sorry")) for name in ("ada", "bob"))
    assert one.read_bytes() == other.read_bytes()


async def test_four_people_play_to_the_end_and_ask_whatever_can_be_asked(tmp_path):
    names = ("Ada", "Bob", "Cleo", "Dov")
    questions = ("h", "b", "l", "w", "d", "f", "hint", "say 3", "say hello", "mute Bob", "mute")
    people = {name: Person(*(questions if name == "Ada" else ())) for name in names}
    ended: dict[str, tuple[int, list[str]]] = {}

    async def sit(name: str):
        home = ("--name", name, "--identity", str(tmp_path / name))
        if name == "Ada":
            rules = ("--rule", "pawns=1", "--rule", "pawns_out=1", "--phrases-only")
            ended[name] = await _play(("host", "--port", "0", *rules, *home), people[name])
            return
        await people["Ada"].door.wait()
        where = (f"127.0.0.1:{people['Ada'].port}", "--code", people["Ada"].code)
        ended[name] = await _play(("join", *where, *home), people[name])

    with trio.fail_after(GAME_S):
        async with trio.open_nursery() as nursery:
            for name in names:
                nursery.start_soon(sit, name)
    assert [ended[name][0] for name in names] == [0, 0, 0, 0], {name: ended[name][1][-12:] for name in names}
    ada = ended["Ada"][1]
    for told in (
        "b  the board in words", "cards are left in the pile", "Was the deck fair? YES.", "The strongest bot there is",
        "Here only these can be said", "You no longer read what Bob says", "Muted: Bob.", "Ada says: Well played!",
    ):  # fmt: skip
        assert any(told in line for line in ada), told
    for name in names:
        lines = ended[name][1]
        assert "No free chat at this table, only the quick phrases: say 1 to say 6." in lines
        assert sum(line.endswith("wins!") for line in lines) == 1
        assert not [line for line in lines if "I do not know" in line or not line.isprintable()]
    files = {next((tmp_path / name / "games").glob("*.sorry")).read_bytes() for name in names}
    assert len(files) == 1

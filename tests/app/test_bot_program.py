"""A program that plays a seat: real processes, each of which does something that a program may not."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from sorry_lan.app import bot_program
from sorry_lan.app.bot_program import ProgramFace
from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import to_text
from sorry_lan.table.events import DrawAsked, Happening, LeaveAsked, SeatDecided, Spoke
from sorry_lan.table.notices import Connecting, Stopped
from sorry_lan.table.programs import BotProblem, BotTrouble
from sorry_lan.table.view import Phase, View
from tests.app.build import Memory
from tests.ui.build import choose, draw, game, view

GAME = game()
IDLE = view(GAME)
RUNS = "import json, os, signal, sys, time\n"
HEAR = "hear = lambda: json.loads(sys.stdin.readline())\n"


def program(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", RUNS + HEAR + code)


class Seat:
    """A face with a program behind it, and what both did."""

    def __init__(self, code: str = "", command: tuple[str, ...] = ()) -> None:
        self.people = Memory()
        self.face = ProgramFace(self.people, command or program(code), frozenset({"SORRY_LAN_CODE"}))
        self.told: list[Happening] = []
        self.left = trio.Event()
        self.spoke = trio.Event()
        self.after_draw: View | None = None
        """The picture that a draw leads to."""

    def tell(self, happening: Happening) -> None:
        self.told.append(happening)
        self.spoke.set()
        if isinstance(happening, DrawAsked) and self.after_draw is not None:
            self.face.show(self.after_draw, ())
        if isinstance(happening, LeaveAsked):
            self.left.set()

    async def until_it_leaves(self, *pictures: View) -> BotProblem | None:
        """Show the pictures, and run until the client leaves; what was wrong with the program."""
        with trio.fail_after(60):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.face.run, self.tell)
                for picture in pictures:
                    self.face.show(picture, ())
                await self.left.wait()
                await trio.testing.wait_all_tasks_blocked(0.01)
                nursery.cancel_scope.cancel()
        problem = self.face.problem
        stopped = [notice.problem for notice in self.people.notices if isinstance(notice, Stopped)]
        assert stopped == ([] if problem is None else [problem])
        return problem


def trouble(problem: BotProblem | None) -> BotTrouble | None:
    return None if problem is None else problem.trouble


async def test_it_hears_what_a_json_client_writes_and_its_answers_count():
    seat = Seat(
        "assert hear()['type'] == 'hello'\n"
        "asked = hear()\n"
        "assert (asked['type'], asked['ask'], asked['k']) == ('prompt', 'draw', 1), asked\n"
        "print(json.dumps({'type': 'draw', 'k': 1}), flush=True)\n"
        "asked = hear()\n"
        "print(json.dumps({'type': 'play', 'k': 1, 'move': asked['choices'][0]['move']}), flush=True)\n"
        "print(json.dumps({'type': 'say', 'text': 'hello'}), flush=True)\n"
        "print(json.dumps({'type': 'leave'}), flush=True)\n"
        "sys.stdin.read()"
    )
    seat.after_draw = choose(GAME, Card.ONE)
    assert await seat.until_it_leaves(draw(GAME)) is None
    (prompt,) = seat.after_draw.prompts
    assert seat.told == [
        DrawAsked(0),
        SeatDecided(0, 1, Card.ONE, prompt.choices[0]),
        Spoke(0, "hello"),
        LeaveAsked(None),
    ]
    assert to_text(prompt.choices[0], GAME.position, Card.ONE) == "r1 1"


async def test_people_see_the_game_but_are_asked_nothing():
    seat = Seat("print(json.dumps({'type': 'leave'}), flush=True)\nsys.stdin.read()")
    seat.face.notice(Connecting("192.0.2.7:7777"))
    assert await seat.until_it_leaves(draw(GAME)) is None
    assert seat.people.views == [replace(draw(GAME), prompts=())]
    assert seat.people.notices == [Connecting("192.0.2.7:7777")]
    assert seat.face.interrupted() is False


async def test_a_program_that_cannot_be_started_is_said_to_be_so(tmp_path: Path):
    script = tmp_path / "bot"
    script.write_text("no program")
    script.chmod(0o755)
    problem = await Seat(command=(str(script),)).until_it_leaves()
    assert problem == BotProblem(BotTrouble.BOT_NOT_STARTED, "Exec format error")


@pytest.mark.parametrize(
    ("code", "last", "status"),
    [
        ("sys.exit(3)", "", 3),
        ("raise ValueError('no idea')", "ValueError: no idea", 1),
        ("sys.stderr.write('a' * 100000 + '\\nbye\\n\\n')", "bye", 0),
        ("os.kill(os.getpid(), signal.SIGKILL)", "", -9),
        ('print(\'{"type":"draw","k":1}\', flush=True); hear(); sys.exit(4)', "", 4),
    ],
)
async def test_a_program_that_ends_before_the_game_is_told_with_its_last_words(code: str, last: str, status: int):
    seat = Seat(code)
    assert await seat.until_it_leaves(draw(GAME)) == BotProblem(BotTrouble.BOT_ENDED, last, status)
    # Left as after a crash: the seat is not given up.
    assert seat.told[-1] == LeaveAsked(None)


async def test_a_program_that_ends_while_a_child_of_it_has_its_output_is_noticed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bot_program, "_DRAIN_S", 0.05)
    code = "import subprocess\nsubprocess.Popen([sys.executable, '-c', 'import time; time.sleep(3)'])"
    assert trouble(await Seat(code).until_it_leaves(IDLE)) is BotTrouble.BOT_ENDED


@pytest.mark.parametrize("phase", [Phase.OVER, Phase.CLOSED])
async def test_a_program_may_end_once_the_game_is_over(phase: Phase):
    seat = Seat("hear()")
    assert await seat.until_it_leaves(replace(IDLE, phase=phase)) is None
    assert seat.told == [LeaveAsked(None)]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("b'hello'", "The line is not JSON."),
        ("b'[1]'", "The line is not a JSON object."),
        ("b'\\xff\\xfe'", "The line is not UTF-8."),
        ("b'x' * 5000", "The line is too long."),
        ('b\'{"type":"cheat"}\'', "This type of line is not known; docs/json.md lists them."),
        ('b\'{"type":"play","k":1,"move":"r1 60"}\'', "Nothing is to choose now."),
    ],
)
async def test_line_after_line_that_does_nothing_is_the_end_and_it_hears_why(line: str, why: str):
    seat = Seat(
        f"for _ in range(10): os.write(1, {line} + b'\\n')\n"
        "while hear()['type'] != 'error': pass\n"
        "sys.stdin.read()"
    )  # fmt: skip
    assert await seat.until_it_leaves(draw(GAME)) == BotProblem(BotTrouble.BOT_GARBLED, why)


async def test_a_few_wrong_lines_are_forgiven():
    seat = Seat(
        "for _ in range(9): print('what?')\n"
        'print(\'{"type":"draw"}\')\n'
        "for _ in range(9): print('what?')\n"
        'print(\'{"type":"leave"}\', flush=True)\n'
        "sys.stdin.read()"
    )
    assert await seat.until_it_leaves(draw(GAME)) is None
    assert seat.told[0] == DrawAsked(0)


@pytest.mark.parametrize("line", ['\'{"type":"say","text":"again"}\\n\'', "'\\n'", "'x' * 4096"])
async def test_a_flood_is_the_end(line: str):
    seat = Seat(f"while True: sys.stdout.write({line})")
    assert trouble(await seat.until_it_leaves(IDLE)) in {BotTrouble.BOT_FLOODS, BotTrouble.BOT_GARBLED}
    assert len(seat.told) < 2000


@pytest.mark.parametrize("code", ["time.sleep(600)", "while hear(): pass", "os.close(0)\ntime.sleep(600)"])
async def test_a_question_without_an_answer_is_the_end(code: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sorry_lan.app.leash.SILENT_S", 0.5)
    seat = Seat(code)
    assert await seat.until_it_leaves(draw(GAME)) == BotProblem(BotTrouble.BOT_SILENT)
    assert seat.told == [LeaveAsked(None)]


async def test_what_it_never_reads_is_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sorry_lan.app.leash.UNREAD_BYTES", 200_000)
    seat = Seat("time.sleep(600)")
    notices = [Connecting("192.0.2.7:7777")] * 3000
    for notice in notices:
        seat.face.notice(notice)
    assert await seat.until_it_leaves(IDLE) == BotProblem(BotTrouble.BOT_DEAF)


async def running(code: str, then: Callable[[int], None]) -> int:
    """The number of a process that plays, while and after `then`; the people leave meanwhile."""
    seat = Seat(f"print(json.dumps({{'type': 'say', 'text': str(os.getpid())}}), flush=True)\n{code}")
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(seat.face.run, seat.tell)
            seat.face.show(IDLE, ())
            await seat.spoke.wait()
            said = seat.told[0]
            assert isinstance(said, Spoke)
            pid = int(said.text)
            then(pid)
            nursery.cancel_scope.cancel()
    return pid


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize(
    "code",
    [
        "sys.stdin.read()",
        "time.sleep(600)",
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('{}', flush=True)\ntime.sleep(600)",
    ],
)
async def test_when_the_people_leave_no_process_is_left_behind(code: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bot_program, "_PARTING_S", 0.2)
    assert gone(await running(code, lambda _pid: None))


async def test_it_does_not_hear_the_keyboard_of_our_terminal():
    groups: list[int] = []
    await running("sys.stdin.read()", lambda pid: groups.append(os.getpgid(pid)))
    assert groups[0] != os.getpgid(0)


async def test_it_does_not_see_the_join_code(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SORRY_LAN_CODE", "maple-otter-tulip")
    seat = Seat("sys.exit('SORRY_LAN_CODE' in os.environ)")
    assert await seat.until_it_leaves(IDLE) == BotProblem(BotTrouble.BOT_ENDED, "", 0)

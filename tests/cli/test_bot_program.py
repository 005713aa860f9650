"""`--bot-program`: the example of the documents plays whole games; what is no program is one sentence; ways back."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from sorry_lan.app.wiring import RunOptions
from sorry_lan.cli import bot_program, tables
from sorry_lan.cli.arguments import UsageError, parse
from sorry_lan.cli.bot_program import bot_command
from sorry_lan.cli.dispatch import run as run_line
from sorry_lan.store.games import GameState, kept_games
from sorry_lan.table.programs import BotProblem, BotTrouble
from sorry_lan.table.settings import Offers, ReadyWhen
from tests.ui.tty import Tty, play

EXAMPLE = Path(__file__).parents[2] / "docs" / "bot_program.py"
ROBO = shlex.join([sys.executable, os.fspath(EXAMPLE)])


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "sorry_lan", *words]


def played(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A game against a bot on this computer, one pawn each, whose person types nothing but never goes away."""
    rules = () if words[0] == "resume" else ("--bots", "1", "--rule", "pawns=1", "--name", "Robo")
    line = command(*words, *rules, "--identity", os.fspath(folder))
    with subprocess.Popen(
        line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stderr is not None
        out = ""
        for said in process.stdout:
            out += said
            if "The game is kept." in said or '"kind":"transcript"' in said:
                process.stdin.close()
        return subprocess.CompletedProcess(line, process.wait(60), out, process.stderr.read())


def test_the_example_is_short():
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 35


def test_the_example_plays_a_whole_game_that_people_can_watch(tmp_path: Path):
    found = played(tmp_path, "play", "--plain", "--bot-program", ROBO)
    assert (found.returncode, found.stderr) == (0, "")
    assert "Robo (Red) drew " in found.stdout
    assert "has every pawn Home and wins!" in found.stdout
    assert "Press Enter" not in found.stdout
    assert [game.state for game in kept_games(tmp_path / "games")] == [GameState.WON]


def test_on_the_screen_people_watch_the_program_play(tmp_path: Path):
    flags = ("--rule", "pawns=1", "--no-animation", "--bot-program", ROBO)
    with Tty(play(tmp_path, *flags)) as tty:
        # The page of the end opens by itself once somebody has won, be it the program or a bot.
        tty.until(lambda: "The game is over" in tty.text())
        assert "YOUR TURN" not in tty.text()
        tty.key(b"q")
        ended = tty.end()
    assert (ended.code, ended.clean) == (0, True)
    assert "The game is kept." in ended.after


def test_the_example_plays_while_a_program_watches(tmp_path: Path):
    found = played(tmp_path, "play", "--json", "--bot-program", ROBO)
    kinds = [json.loads(line)["type"] for line in found.stdout.splitlines()]
    assert found.returncode == 0
    assert kinds[0] == "hello"
    assert {"started", "card", "played", "won", "confirmed"} <= set(kinds)
    assert not {"prompt", "error", "stopped"} & set(kinds)


def test_two_programs_play_a_whole_game_with_each_other(tmp_path: Path):
    host = command(
        *("host", "--json", "--name", "Ada", "--rule", "pawns=1", "--port", "0", "--no-discovery"),
        *("--bot-program", ROBO, "--identity", os.fspath(tmp_path / "a")),
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(host, **pipes) as ada:
        opened = {}
        while opened.get("type") != "opened":
            opened = json.loads(ada.stdout.readline())
        join = command(
            *("join", f"127.0.0.1:{opened['port']}", "--code", opened["code"], "--json", "--name", "Bob"),
            *("--bot-program", ROBO, "--identity", os.fspath(tmp_path / "b")),
        )
        with subprocess.Popen(join, **pipes) as bob:
            ends = []
            for process in (ada, bob):
                for line in process.stdout:
                    said = json.loads(line)
                    assert said["type"] not in {"error", "stopped", "fault"}, said
                    if said["type"] == "saved":
                        ends.append(Path(said["path"]).read_bytes())
                        process.stdin.close()
                assert process.wait(60) == 0
    assert len(ends) == 2
    assert ends[0] == ends[1]


def test_after_a_crash_of_the_program_the_same_game_goes_on(tmp_path: Path):
    crashes = tmp_path / "crashes.py"
    text = EXAMPLE.read_text(encoding="utf-8")
    crashes.write_text(
        text.replace(
            "    if said", "    if said['type'] == 'played' and said['k'] > 4: raise SystemExit(3)\n    if said", 1
        )
    )
    folder = tmp_path / "identity"
    found = played(folder, "play", "--plain", "--bot-program", shlex.join([sys.executable, os.fspath(crashes)]))
    assert found.returncode == 4
    assert found.stdout.splitlines()[-1] == (
        "The bot program has ended before the game (exit code 3). "
        "The seat stays yours; the same command, or sorry-lan resume, goes on with the game."
    )
    (kept,) = kept_games(folder / "games")
    assert kept.state is GameState.INTERRUPTED
    again = played(folder, "resume", "--plain", "--bot-program", ROBO)
    assert again.returncode == 0
    (ended,) = kept_games(folder / "games")
    assert (ended.game, ended.state) == (kept.game, GameState.WON)


def args(*words: str):
    return parse(["play", *words])


def test_the_command_is_words_and_no_shell_sees_them(tmp_path: Path):
    odd = tmp_path / "my bot; rm"
    odd.write_text("#!/bin/sh\n")
    odd.chmod(0o755)
    given = f"{shlex.quote(os.fspath(odd))} '$HOME' '*' a\\ b"
    assert bot_command(args("--bot-program", given)) == (os.fspath(odd), "$HOME", "*", "a b")
    assert bot_command(args()) is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--bot-program", "'x"), '--bot-program takes a command, and "\'x" is none: a quotation mark is missing.'),
        (("--bot-program", " "), "--bot-program needs CMD behind it."),
        (("--bot-program", "no-such-bot -v"), "--bot-program: there is no program 'no-such-bot' that can be run."),
        (("--bot-program", os.fspath(EXAMPLE.parent)), "--bot-program: there is no program "),
        (("--bot-program", sys.executable, "--auto"), "--auto and --bot-program exclude each other."),
    ],
)
def test_what_is_no_program_is_one_sentence_and_2(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(UsageError) as caught:
        bot_command(args(*words))
    assert str(caught.value).startswith(said)
    assert run_line(["play", *words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_where_a_program_plays_nobody_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    seen: list[RunOptions] = []
    monkeypatch.setattr(tables, "run_played", lambda chosen, *_rest, **_more: seen.append(chosen) or 0)
    words = ("host", "--plain", "--name", "Ada", "--identity", os.fspath(tmp_path))
    assert run_line([*words, "--bot-program", sys.executable]) == 0
    assert run_line([*words]) == 0
    program, person = seen
    assert (program.seats, program.ready, program.offers) == (2, ReadyWhen.AT_ONCE, Offers.AGREE)
    assert (person.seats, person.ready, person.offers) == (4, ReadyWhen.ASKED, Offers.PEOPLE)


@pytest.mark.parametrize(("problem", "code"), [(None, 0), (BotProblem(BotTrouble.BOT_SILENT), 4)])
def test_what_is_wrong_with_the_program_is_the_exit_code(
    problem: BotProblem | None, code: int, monkeypatch: pytest.MonkeyPatch
):
    def ended(_chosen: object, logged: object, _host: object) -> int:
        logged._face.problem = problem
        return 0

    monkeypatch.setattr(bot_program, "run_table", ended)
    assert bot_program.run_played(None, None, args("--bot-program", sys.executable)) == code

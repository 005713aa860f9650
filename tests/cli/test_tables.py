"""host, join and play: what a command line asks of a table."""

from __future__ import annotations

import os
import pty
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

from sorry_lan.app.wiring import Access, RunOptions
from sorry_lan.cli import bot_program
from sorry_lan.cli.main import main
from sorry_lan.rules.profile import PROFILES
from sorry_lan.table.settings import Auto, Naming, ReadyWhen, Role
from tests.ui.build import game, view


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Run a command line; what it would have run."""
    seen: list[RunOptions] = []

    def run_table(options, _face, _host):
        seen.append(options)
        return 42

    monkeypatch.setattr(bot_program, "run_table", run_table)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    def ask(*words: str) -> RunOptions:
        assert main(list(words)) == 42
        return seen[-1]

    return ask


def test_a_host_with_nothing_else(asked, tmp_path):
    options = asked("host", "--name", "Ada")
    assert options.role is Role.HOST
    assert options.folder == tmp_path / "sorry-lan" / "identity"
    assert (options.title, options.seats, options.bots) == ("Ada's table", 4, ())
    assert (options.ready, options.auto, options.access) == (ReadyWhen.ASKED, Auto.NOTHING, Access.CODE)
    assert (options.code, options.port, options.address) == (None, None, None)


def test_a_host_with_everything(asked):
    words = "--table Kitchen --rules classic --seats 4 --bots 2 --port 7800 --open --yes --auto-draw --identity /id"
    options = asked("host", *words.split())
    assert (options.title, options.rules) == ("Kitchen", PROFILES["classic"])
    assert (options.seats, options.bots, options.port) == (4, (0, 0), 7800)
    assert (options.ready, options.auto, options.access) == (ReadyWhen.AT_ONCE, Auto.DRAW, Access.OPEN)
    assert options.folder == Path("/id")


@pytest.mark.parametrize("flag", ["--auto", "--json"])
def test_a_client_without_a_person_is_ready_at_once_at_a_table_for_two(asked, flag):
    options = asked("host", flag)
    assert (options.seats, options.ready) == (2, ReadyWhen.AT_ONCE)
    assert options.auto is (Auto.ALL if flag == "--auto" else Auto.NOTHING)


def test_a_guest(asked, monkeypatch):
    options = asked("join", "192.168.1.20:7800", "--code", "Maple Otter Tulip", "--name", "Bob")
    assert (options.role, options.address, options.code) == (Role.JOINER, "192.168.1.20:7800", "maple-otter-tulip")
    assert options.people[0].name == "Bob"
    monkeypatch.setenv("SORRY_LAN_CODE", "maple-otter-tulip")
    assert asked("join", "x").code == "maple-otter-tulip"


def test_only_a_name_that_was_asked_for_is_insisted_on(asked):
    assert asked("join", "x", "--name", "Bob").people[0].naming is Naming.GIVEN
    assert asked("join", "x").people[0].naming is Naming.LOOSE


def test_a_guest_without_a_terminal_is_not_asked_for_a_code(asked):
    assert asked("join", "x").code is None


def test_playing_here(asked):
    options = asked("play", "--name", "Ada", "--name", "Bob", "--bots", "1")
    assert (options.role, options.seats, options.bots) == (Role.LOCAL, 3, (0,))
    assert options.ready is ReadyWhen.AT_ONCE
    assert [person.name for person in options.people] == ["Ada", "Bob"]


@pytest.mark.parametrize(("flags", "asks"), [((), True), (("--auto",), False), (("--json",), False)])
def test_only_a_person_is_asked_about_an_interrupt(monkeypatch, tmp_path, flags, asks):
    def run_table(_options, face, _host):
        face.show(view(game()), ())
        return int(face.interrupted())

    monkeypatch.setattr(bot_program, "run_table", run_table)
    log = ("--log", str(tmp_path / "log"))
    assert main(["join", "x", "--identity", str(tmp_path), *flags, *log]) == asks
    assert f"interrupted: {'asked' if asks else 'ends'}" in (tmp_path / "log").read_text()


def at_a_terminal(*typed: bytes) -> tuple[int, str]:
    """`join` at a terminal on which this is typed, each after the question."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "sorry_lan", "join", "127.0.0.1:1", "--identity", "/dev/null/no"]
    environment = {name: value for name, value in os.environ.items() if name != "SORRY_LAN_CODE"}
    with subprocess.Popen(
        command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment
    ) as child:
        os.close(theirs)
        for line in typed:
            child.stdout.readline()
            os.write(ours, line)
        out, _err = child.communicate(timeout=60)
    os.close(ours)
    return child.returncode, out.decode()


def test_a_person_is_asked_for_the_code():
    assert at_a_terminal(b"maple otter tulip\n")[0] == 9  # the identity cannot be made there: the question was answered
    assert at_a_terminal(b"\n")[0] == 9


def test_a_wrong_code_is_asked_for_again_and_then_refused():
    code, out = at_a_terminal(b"mapel-otter-tulip\n", b"x\n", b"y\n")
    assert code == 2
    assert "Ask the host for the three words." in out


def test_the_end_of_input_at_the_question_is_0():
    assert at_a_terminal(b"\x04") == (0, "")


def test_without_any_home_there_is_one_sentence_and_9(monkeypatch, capsys):
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)

    def nobody(uid):
        raise KeyError(uid)

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    assert main(["play"]) == 9
    assert "Set HOME" in capsys.readouterr().err

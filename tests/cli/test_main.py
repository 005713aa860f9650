"""The whole command: exit codes, one sentence for each error, nothing after a closed pipe."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sorry_lan import __version__
from sorry_lan.cli import dispatch, verify
from sorry_lan.cli.main import main
from tests.cli.test_verify import WHOLE


def run(*words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """The command with this input and then its end."""
    command = [sys.executable, "-m", "sorry_lan", *words]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=120, check=False)


def run_attended(*words: str) -> tuple[int, str]:
    """The command with an input that never ends; its exit code and all it wrote."""
    command = [sys.executable, "-m", "sorry_lan", *words]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        out = process.stdout.read()
        return process.wait(timeout=60), out.decode()


SHORT = ("--rule", "pawns=1")


@pytest.fixture
def identity(tmp_path):
    return ("--identity", str(tmp_path / "id"))


def test_the_version(capsys):
    for words in (["--version"], ["-V"], ["host", "--version"]):
        assert main(words) == 0
        assert capsys.readouterr().out == f"sorry-lan {__version__}\n"


def test_the_version_loads_nothing_of_the_game():
    def loaded_after(work: str) -> set[str]:
        script = f"import sys; {work}; print(*sorted(sys.modules))"
        found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
        return set(found.stdout.splitlines()[-1].split())

    # What the interpreter loads by itself differs: an editable installation brings a finder with modules of its own.
    more = loaded_after("from sorry_lan.cli.main import main; main(['--version'])") - loaded_after("pass")
    assert not more & {
        "argparse",
        "trio",
        "msgpack",
        "cryptography",
        "gettext",
        "dataclasses",
        "enum",
        "logging",
        "re",
    }
    assert {name for name in more if name.startswith("sorry_lan")} == {
        "sorry_lan",
        "sorry_lan.cli",
        "sorry_lan.cli.main",
    }


def test_help(capsys):
    for words in ([], ["--help"], ["host", "-h"]):
        assert main(words) == 0
        assert "sorry-lan host --name Ada" in capsys.readouterr().out


def test_rules_and_moves_are_commands(capsys):
    assert main(["rules", "classic"]) == 0
    assert "pawns" in capsys.readouterr().out
    found = run("moves", stdin=b"nonsense\n")
    assert found.returncode == 0
    assert "error" in json.loads(found.stdout)


@pytest.mark.parametrize(
    "words",
    [
        ["hots"],
        ["host", "--nmae", "Ada"],
        ["host", "--seats", "9"],
        ["host", "--json", "--plain"],
        ["join", "192.168.001.020"],
        ["join", "--code", "x", "127.0.0.1"],
        ["play", "--rules", "chess"],
        ["verify"],
        ["demo", "--players", "7"],
    ],
)
def test_a_wrong_command_line_is_one_sentence_on_standard_error_and_2(words, capsys):
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("sorry-lan: ")
    assert err.count("\n") == 1


def test_an_address_that_is_none_is_2(identity, capfd):
    assert main(["join", "not an address!", "--yes", *identity]) == 2
    assert "is more than an address" in capfd.readouterr().err


def test_nobody_at_the_port_is_4_and_one_sentence(identity):
    code, out = run_attended("join", "127.0.0.1:1", "--yes", *identity)
    assert code == 4
    assert "nobody hosts a table at that port" in out.splitlines()[-1]
    assert "Traceback" not in out


def test_an_identity_that_cannot_be_made_is_9(tmp_path, capfd):
    (tmp_path / "file").touch()
    assert main(["play", "--identity", str(tmp_path / "file" / "id")]) == 9
    assert str(tmp_path) in capfd.readouterr().out


def test_a_log_that_cannot_be_written_is_9(tmp_path, capsys):
    assert main(["rules", "--log", str(tmp_path)]) == 9
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("mode", ["--plain", "--json"])
@pytest.mark.parametrize("command", ["play", "host"])
def test_the_end_of_input_ends_every_mode_with_0(command, mode, identity):
    port = ("--port", "0") if command == "host" else ()
    found = run(command, mode, *port, *identity)
    assert found.returncode == 0, found.stderr
    assert found.stderr == b""
    if mode == "--json":
        for line in found.stdout.splitlines():
            assert json.loads(line)["v"] == 1


def test_a_closed_standard_input_is_its_end(identity):
    words = ("-m", "sorry_lan", "play", *identity)
    script = f"import os, sys; os.close(0); os.execv(sys.executable, [sys.executable, *{words!r}])"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60, check=False)
    assert (found.returncode, found.stderr) == (0, b"")


def test_a_person_can_play_and_leave_in_ascii(identity):
    command = [sys.executable, "-m", "sorry_lan", "play", "--name", "Ada", "--name", "Zoe", *identity]
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        seen = b""
        while b"Press Enter to draw" not in seen:
            seen += process.stdout.readline()
        out, err = process.communicate(b"say h\xc3\xa9llo\n\nq\nq\n", timeout=60)
    assert process.returncode == 0
    assert err == b""
    assert (seen + out).isascii()
    assert b"\x1b" not in seen + out
    assert b"cannot be read as text" in out
    assert b" drew " in out


def test_the_log_tells_the_game_and_no_code(identity, tmp_path):
    path = tmp_path / "log"
    words = ("host", "--port", "0", "--code", "maple-otter-tulip", "--auto", "--bots", "1", "--seats", "2")
    code, out = run_attended(*words, *SHORT, "--log", str(path), *identity)
    assert code == 0
    assert "maple-otter-tulip" in out
    text = path.read_text()
    assert "maple-otter-tulip" not in text
    assert "sorry-lan join" in text
    assert "phase closed" in text
    assert " drew " in text


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_signals_end_a_table_with_their_code(number, code, identity):
    command = [sys.executable, "-m", "sorry_lan", "host", "--port", "0", *identity]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while b"The table is open" not in process.stdout.readline():
            pass
        process.send_signal(number)
        _out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (code, b"")


def test_a_reader_that_goes_away_is_no_error(tmp_path):
    game = tmp_path / "game.sorry"
    game.write_bytes(WHOLE)
    for words, code in ((("rules",), 129), (("verify", str(game)), 0), (("--help",), 129)):
        reading, writing = os.pipe()
        os.close(reading)
        command = [sys.executable, "-m", "sorry_lan", *words]
        found = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False)
        os.close(writing)
        assert (found.returncode, found.stderr) == (code, b""), words


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_full_standard_output_is_one_sentence_and_no_bug():
    for words in (("--version",), ("rules",), ("moves",)):
        command = [sys.executable, "-m", "sorry_lan", *words]
        with Path("/dev/full").open("wb") as full:
            found = subprocess.run(command, input=b"{}\n", stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
        assert found.returncode == 9, words
        assert found.stderr.startswith(b"sorry-lan: Standard output cannot be written (")
        assert found.stderr.count(b"\n") == 1


def test_without_standard_streams_nothing_fails():
    closed = "import os, sys; [os.close(n) for n in (0, 1)]; os.execv(sys.executable, [sys.executable, *{words!r}])"
    for words in (("--version",), ("moves",)):
        script = closed.format(words=("-m", "sorry_lan", *words))
        found = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60, check=False)
        assert (found.returncode, found.stderr) == (0, b""), words


class _Gone(io.BytesIO):
    """A terminal that has gone."""

    def readline(self, _size: int | None = -1) -> bytes:
        raise OSError(errno.EIO, "Input/output error")


def test_input_that_cannot_be_read_is_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", _Gone())
    assert main(["moves"]) == 2
    assert capsys.readouterr().err == "sorry-lan: Standard input cannot be read (Input/output error).\n"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_before_there_is_a_table_ends_without_a_word(number, code):
    script = (
        f"import os, signal; from sorry_lan.cli import main; main._end_at_once(); os.kill(os.getpid(), {int(number)})"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60, check=False)
    assert (found.returncode, found.stdout, found.stderr) == (code, b"", b"")


def test_what_is_ignored_stays_ignored():
    script = (
        "import signal; from sorry_lan.cli import main; signal.signal(signal.SIGHUP, signal.SIG_IGN);"
        "main._end_at_once(); print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60, check=True)
    assert found.stdout == b"True\n"


def test_an_interrupt_is_130(monkeypatch):
    def interrupted(*_args):
        raise KeyboardInterrupt

    monkeypatch.setattr(verify, "run", interrupted)
    assert main(["verify", "x"]) == 130


class _BrokenError(Exception):
    """A bug."""


def _fail(*_args):
    raise _BrokenError("it broke")


def test_a_bug_is_one_line_with_the_log_and_70(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(verify, "run", _fail)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert main(["verify", "x"]) == 70
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert "_BrokenError: it broke" in Path(err.split()[-1]).read_text()


def test_a_bug_without_a_place_for_a_log_still_says_what_to_do(monkeypatch, capsys, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setattr(verify, "run", _fail)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert main(["verify", "x"]) == 70
    assert "--debug" in capsys.readouterr().err


def test_debug_shows_the_trace(monkeypatch, capsys):
    monkeypatch.setattr(verify, "run", _fail)
    assert main(["verify", "x", "--debug"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_a_reader_that_goes_away_inside_a_group_is_no_bug():
    assert dispatch._only(BrokenPipeError, ExceptionGroup("", [ExceptionGroup("", [BrokenPipeError()])]))
    assert not dispatch._only(BrokenPipeError, ExceptionGroup("", [BrokenPipeError(), ValueError()]))

"""The log holds what helps, stays small, and holds no secret; nor does anything else that whole games write."""

from __future__ import annotations

import base64
import errno
import logging
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import trio

from sorry_lan.cli import dispatch, logs
from sorry_lan.cli.logs import Detail
from sorry_lan.cli.main import main


@pytest.fixture(autouse=True)
def quiet():
    log = logging.getLogger("sorry_lan")
    before = (log.level, log.propagate)
    yield
    logs.stop_logs()
    log.setLevel(before[0])
    log.propagate = before[1]


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("code maple-otter-tulip now", "code [hidden] now"),
        ("Maple Otter Tulip", "[hidden]"),
        ("('maple', 'otter', 'tulip')", "('[hidden]')"),
        ("maple otter", "maple otter"),
        ("maple\notter\ntulip", "maple\notter\ntulip"),
        ("key " + "ab" * 32, "key [hidden]"),
        ("key 0x" + "AB" * 32, "key [hidden]"),
        ("seed=" + repr(bytes(32)), "seed=[hidden]"),
        ("share=" + repr(bytearray(b'it"s' * 8)), "share=bytearray([hidden])"),
        ("game 1a2b3c4d", "game 1a2b3c4d"),
        ("\x1b[2J\u202e", r"\u001b[2J\u202e"),
        ("two\nlines", "two\nlines"),
    ],
)
def test_secrets_and_controls_are_taken_out(text, out):
    assert logs.redacted(text) == out


def test_a_chosen_log_gets_records_without_secrets(tmp_path):
    path = tmp_path / "log"
    logs.start_log(str(path), Detail.USUAL)
    log = logging.getLogger("sorry_lan.net")
    log.info("tried %s", "maple-otter-tulip")
    log.debug("only when asked for")
    first, second = path.read_text().splitlines()
    when = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
    assert re.fullmatch(rf"{when} {os.getpid()} INFO sorry_lan sorry-lan .*, Python .*", first)
    assert second.endswith("INFO sorry_lan.net tried [hidden]")
    assert path.stat().st_mode & 0o777 == 0o600


def test_all_detail_is_written_where_it_is_asked_for(tmp_path):
    logs.start_log(str(tmp_path / "log"), Detail.ALL)
    logging.getLogger("sorry_lan.net").debug("a detail")
    assert "DEBUG sorry_lan.net a detail" in (tmp_path / "log").read_text()


def test_a_log_that_cannot_be_opened_is_one_sentence(tmp_path):
    with pytest.raises(logs.LogTrouble, match="cannot be written"):
        logs.start_log(str(tmp_path), Detail.USUAL)


def test_a_pipe_that_nobody_reads_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(logs.LogTrouble, match="cannot be written"):
        logs.start_log(str(tmp_path / "pipe"), Detail.USUAL)


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(logs, "MOST_BYTES", 1000)


def told(count: int) -> None:
    for n in range(count):
        logging.getLogger("sorry_lan").info("number %05d", n)


@pytest.mark.usefixtures("small")
def test_a_log_and_its_predecessor_are_all_there_ever_is(tmp_path):
    logs.start_log(str(tmp_path / "log"), Detail.USUAL)
    told(300)
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    assert sizes.keys() == {"log", "log.1"}
    assert all(0 < size <= 1000 for size in sizes.values())
    lines = ((tmp_path / "log.1").read_text() + (tmp_path / "log").read_text()).splitlines()
    numbers = [int(line[-5:]) for line in lines]
    assert numbers == list(range(numbers[0], 300))


@pytest.mark.usefixtures("small")
def test_two_processes_that_write_one_log_lose_nothing_of_each_other(tmp_path):
    ours, theirs = logs.BoundedLog(tmp_path / "log"), logs.BoundedLog(tmp_path / "log")
    for n in range(30):
        for who, handler in (("ours", ours), ("theirs", theirs)):
            handler.emit(logging.LogRecord("sorry_lan", logging.INFO, "", 0, f"{who} {n:02}", None, None))
    lines = ((tmp_path / "log.1").read_text() + (tmp_path / "log").read_text()).splitlines()
    last = [line.partition("sorry_lan ")[2] for line in lines][-10:]
    assert last == [f"{who} {n:02}" for n in range(25, 30) for who in ("ours", "theirs")]
    ours.close()
    theirs.close()


@pytest.mark.usefixtures("small")
def test_where_an_open_file_cannot_be_renamed_the_log_begins_anew(tmp_path, monkeypatch):
    def refused(_self: Path, _target: Path) -> None:
        raise PermissionError(errno.EACCES, "open elsewhere")

    monkeypatch.setattr(Path, "replace", refused)
    logs.start_log(str(tmp_path / "log"), Detail.USUAL)
    told(300)
    assert [path.name for path in tmp_path.iterdir()] == ["log"]
    assert (tmp_path / "log").stat().st_size <= 1000
    assert (tmp_path / "log").read_text().endswith("number 00299\n")


@pytest.mark.usefixtures("small")
def test_a_device_is_never_put_aside():
    logs.start_log(os.devnull, Detail.USUAL)
    told(100)
    assert not Path(os.devnull + ".1").exists()


def test_a_full_disk_loses_records_and_disturbs_nobody(capfd):
    logs.start_log("/dev/full", Detail.USUAL)
    told(3)
    assert capfd.readouterr() == ("", "")


def test_a_crash_goes_to_the_own_log_without_its_secrets(tmp_path):
    path = tmp_path / "sorry-lan" / logs.OWN_LOG
    assert logs.note_crash(ValueError("code maple-otter-tulip"), {"XDG_STATE_HOME": str(tmp_path)}) == str(path)
    assert "ValueError: code [hidden]" in path.read_text()


def test_a_crash_goes_to_the_chosen_log(tmp_path):
    path = str(tmp_path / "log")
    logs.start_log(path, Detail.USUAL)
    assert logs.note_crash(ValueError("x"), {}) == path
    assert "ValueError: x" in (tmp_path / "log").read_text()


def test_a_crash_without_any_place_for_a_log_is_still_told(tmp_path):
    (tmp_path / "file").touch()
    assert logs.note_crash(ValueError("x"), {"XDG_STATE_HOME": str(tmp_path / "file")}) is None


def test_an_error_in_a_thread_goes_to_the_log_and_not_to_the_screen(tmp_path, capfd):
    logs.start_log(str(tmp_path / "log"), Detail.USUAL)

    def fails() -> None:
        raise ValueError("maple-otter-tulip")

    before = threading.excepthook, sys.unraisablehook
    with logs.strays_logged():
        thread = threading.Thread(target=fails)
        thread.start()
        thread.join()
    assert (threading.excepthook, sys.unraisablehook) == before
    assert "ValueError: [hidden]" in (tmp_path / "log").read_text()
    assert capfd.readouterr() == ("", "")


@pytest.fixture
def broken(monkeypatch, tmp_path):
    """A command that has a bug, and where its log is."""

    def fails(_arguments: object) -> int:
        raise ZeroDivisionError("maple-otter-tulip")

    monkeypatch.setattr(dispatch, "_command", fails)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "sorry-lan" / logs.OWN_LOG


@pytest.mark.parametrize("command", ["play", "rules"])
def test_each_crash_line_says_where_the_log_is(broken, capsys, command):
    assert main([command]) == 70
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"sorry-lan: This is a bug in sorry-lan. Please report it with the log in {broken}\n"
    assert "ZeroDivisionError: [hidden]" in broken.read_text()


def test_debug_shows_the_trace_too_without_secrets(broken, capsys):
    assert main(["play", "--debug"]) == 70
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert "ZeroDivisionError: [hidden]" in err
    assert str(broken) in err.splitlines()[-1]


def test_only_tables_keep_a_log_unasked(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert main(["rules"]) == 0
    assert list(tmp_path.iterdir()) == []
    assert main(["play", "--plain", "--auto", "--rule", "pawns=1", "--identity", str(tmp_path / "id")]) == 0
    text = (tmp_path / "sorry-lan" / logs.OWN_LOG).read_text()
    assert " drew " in text
    assert "phase closed" in text


CODE = "maple-otter-tulip"


def secrets_of(identity: Path) -> list[str]:
    """The seed and the root of an identity, in every form in which a text may hold bytes."""
    data = (identity / "identity").read_bytes()[-68:-4]
    found = []
    for secret in (data[:32], data[32:]):
        found += [secret.hex(), repr(secret)[2:-1], str(list(secret))[1:-1]]
        found.append(base64.b64encode(secret).decode().rstrip("="))
    return found


async def test_a_whole_game_of_two_writes_no_secret_and_no_trace_anywhere(tmp_path):
    said: dict[str, str] = {}
    door = trio.Event()
    address = ""

    async def play(name: str, *words: str) -> None:
        nonlocal address
        environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state"), "SORRY_LAN_CODE": CODE}
        flags = ("--plain", "--auto", "--debug", "--name", name, "--identity", str(tmp_path / name))
        process = await trio.lowlevel.open_process(
            [sys.executable, "-m", "sorry_lan", *words, *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
        )
        out = b""
        async with process.stdin, process.stdout:
            while data := await process.stdout.receive_some(65_536):
                out += data
                if found := re.search(rb"sorry-lan join \S*:(\d+) ", out):
                    address = f"127.0.0.1:{found[1].decode()}"
                    door.set()
        said[name] = out.decode()
        assert await process.wait() == 0, said[name]

    with trio.fail_after(200):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play, "Ada", "host", "--port", "0", "--seats", "2", "--rule", "pawns=1")
            await door.wait()
            nursery.start_soon(play, "Bob", "join", address)
    log = (tmp_path / "state" / "sorry-lan" / logs.OWN_LOG).read_text()
    assert log.count("phase closed") == 2
    assert CODE in said["Ada"]  # the host's own screen shows the code; nothing else does
    for text in (log, said["Bob"], said["Ada"].replace(CODE, "")):
        assert "Traceback" not in text
        assert not re.search(r"maple\W+otter\W+tulip", text)
        for identity in ("Ada", "Bob"):
            assert not [secret for secret in secrets_of(tmp_path / identity) if secret in text]

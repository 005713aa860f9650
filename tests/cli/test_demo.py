"""The demo: real processes over loopback, judged and compared; and every way it can go wrong."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import trio
import trio.testing

from sorry_lan.cli import demo, demo_peers
from sorry_lan.cli.arguments import parse
from sorry_lan.cli.demo_peers import Failed, Peer
from sorry_lan.cli.main import main
from sorry_lan.cli.options import Manner
from sorry_lan.fair.transcript import encode_file, read_file
from tests.cli.test_verify import WHOLE, transcript

SHORT = ("--rule", "pawns=1")
"""One pawn each: a game of some twenty turns."""


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "sorry_lan", "demo", *words]


def test_two_peers_play_a_game_and_their_files_agree():
    found = subprocess.run(command("--players", "2", *SHORT), capture_output=True, text=True, timeout=280, check=False)
    assert found.returncode == 0, found.stderr
    lines = found.stdout.splitlines()
    assert lines[0].startswith("Ada and Bob play on this computer")
    assert lines[1].startswith("Ada hosts at 127.0.0.1:")
    assert "Bob (Blue) sits down." in lines
    turns = [line for line in lines if " drew " in line]
    assert all(", made by Ada and Bob. " in line for line in turns)
    verdicts = [line for line in lines if "every player had a hand in each" in line]
    assert len(verdicts) == 2
    assert lines[-1].startswith("All 2 files agree, byte for byte in each of ")
    assert len(turns) == int(verdicts[0].split(" draws ")[0].split()[-1])


def test_json_ends_with_one_object_that_says_whether_all_agree():
    found = subprocess.run(
        command("--players", "2", "--bots", "1", "--json", *SHORT),
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    lines = [json.loads(line) for line in found.stdout.splitlines()]
    assert lines[0]["type"] == "started"
    assert [seat["kind"] for seat in lines[0]["seats"]].count("bot") == 1
    assert lines[-1]["type"] == "demo"
    assert lines[-1]["agree"] is True
    assert lines[-1]["holds"] is True
    assert {line["v"] for line in lines} == {1}


def children(pid: int) -> list[int]:
    """The processes that `pid` started, each of which is a peer."""
    lists = [task.joinpath("children").read_text() for task in Path(f"/proc/{pid}/task").iterdir()]
    return [int(word) for text in lists for word in text.split()]


def alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_every_process_of_the_demo(number, code):
    with subprocess.Popen(command("--delay", "60"), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while b"hosts at" not in process.stdout.readline():
            pass
        peers = children(process.pid)
        process.send_signal(number)
        _out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (code, b"")
    assert peers
    assert not [pid for pid in peers if alive(pid)]


def peer(name: str, path: Path | None) -> Peer:
    made = Peer(name, "red", Path("nowhere"))
    made.saved = path
    return made


def files(tmp_path, *contents: bytes) -> tuple[Peer, ...]:
    made = []
    for name, content in zip(demo.NAMES, contents, strict=False):
        (tmp_path / name).write_bytes(content)
        made.append(peer(name, tmp_path / name))
    return tuple(made)


def test_files_that_hold_and_agree_are_0(tmp_path, capsys):
    assert demo.judge(files(tmp_path, WHOLE, WHOLE, WHOLE), Manner.PLAIN) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("All 3 files agree")


def test_a_file_of_another_game_is_6(tmp_path, capsys):
    assert demo.judge(files(tmp_path, WHOLE, transcript("hhh")), Manner.PLAIN) == 6
    assert capsys.readouterr().out.splitlines()[-1] == "NO: the files of the peers differ."


def test_files_that_agree_but_do_not_hold_are_6(tmp_path, capsys):
    broken = WHOLE[:-1] + bytes([WHOLE[-1] ^ 1])
    assert demo.judge(files(tmp_path, broken, broken), Manner.PLAIN) == 6
    assert "does not hold" in capsys.readouterr().out


def test_one_changed_body_is_a_difference(tmp_path, capsys):
    frames = list(read_file(WHOLE).frames)
    shorter = encode_file([*frames[:-2], frames[-1]])
    assert demo.judge(files(tmp_path, WHOLE, shorter), Manner.JSON) == 6
    found = json.loads(capsys.readouterr().out)
    assert (found["agree"], found["holds"]) == (False, False)


class Stand:
    """A program in place of sorry-lan, written down here."""

    def __init__(self, monkeypatch, tmp_path, script: str) -> None:
        path = tmp_path / "sorry_lan" / "__main__.py"
        path.parent.mkdir()
        path.write_text(script)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        monkeypatch.chdir(tmp_path)


def failure(capsys) -> tuple[int, str]:
    code = main(["demo", "--players", "2"])
    return code, capsys.readouterr().err


def test_a_host_that_stops_is_told_with_its_sentence_and_its_code(monkeypatch, tmp_path, capsys):
    Stand(monkeypatch, tmp_path, 'print(\'{"v":1,"type":"stopped","text":"No room."}\'); raise SystemExit(9)')
    assert failure(capsys) == (9, "sorry-lan: Ada stopped: No room.\n")


def test_a_host_that_ends_without_a_word_is_told_with_what_it_complained_of(monkeypatch, tmp_path, capsys):
    Stand(monkeypatch, tmp_path, "import sys; print('nonsense'); print(5); sys.stderr.write('out of memory')")
    assert failure(capsys) == (4, "sorry-lan: Ada stopped: out of memory\n")


def test_a_guest_that_cannot_join_ends_the_demo(monkeypatch, tmp_path, capsys):
    Stand(
        monkeypatch,
        tmp_path,
        """
import sys
if sys.argv[1] == "host":
    print('{"v":1,"type":"opened","port":1,"code":"maple-otter-tulip"}', flush=True)
    sys.stdin.read()
else:
    assert sys.argv[2:5] == ["127.0.0.1:1", "--code", "maple-otter-tulip"]
    print('{"v":1,"type":"stopped","text":"Every seat is taken."}')
    raise SystemExit(7)
""",
    )
    assert failure(capsys) == (7, "sorry-lan: Bob stopped: Every seat is taken.\n")


def test_a_peer_that_falls_silent_ends_the_demo(monkeypatch, tmp_path, capsys):
    Stand(monkeypatch, tmp_path, "import sys; sys.stdin.read()")
    monkeypatch.setattr(demo_peers, "STALL_S", 0.5)
    code, err = failure(capsys)
    assert code == 4
    assert err in ("sorry-lan: Ada did not open a table.\n", "sorry-lan: Ada has fallen silent.\n")


def test_a_game_without_end_is_ended(monkeypatch, tmp_path, capsys):
    Stand(monkeypatch, tmp_path, "import time\nwhile True:\n    print('{}', flush=True)\n    time.sleep(0.05)")
    monkeypatch.setattr(demo, "LONGEST_S", 1.0)
    started = time.monotonic()
    assert failure(capsys) == (4, "sorry-lan: The game did not come to its end in time.\n")
    assert time.monotonic() - started < 30


async def test_a_peer_that_was_never_started_has_nothing_to_say():
    with pytest.raises(Failed, match="Ada was not started"):
        await peer("Ada", None).listen(print)


def told(*said: demo_peers.Said) -> float:
    """Tell these lines with an hour's pause after a turn; how long it took, in virtual seconds."""
    plan = demo.Plan(("Ada", "Bob"), (), 3600.0, Manner.PLAIN)

    async def tell() -> float:
        before = trio.current_time()
        send, receive = trio.open_memory_channel[demo_peers.Said](10)
        for item in said:
            send.send_nowait(item)
        send.close()
        await demo.Show(plan).tell_all(receive)
        return trio.current_time() - before

    return trio.run(tell, clock=trio.testing.MockClock(autojump_threshold=0))


def test_a_turn_is_one_line_and_then_there_is_a_pause(capsys):
    took = told(
        {"type": "card", "text": "Ada (Red) drew 1, made by Ada and Bob."},
        {"type": "played", "text": "R1 comes out of Start to 4."},
        {"type": "lobby", "text": "x"},
        {"type": "won", "text": "Ada wins!"},
    )
    assert took == pytest.approx(3600)
    assert capsys.readouterr().out.splitlines()[1:] == [
        "Ada (Red) drew 1, made by Ada and Bob. R1 comes out of Start to 4.",
        "Ada wins!",
    ]


def test_the_flags_of_the_rules_go_to_the_host():
    words = ["demo", "--players", "3", "--bots", "1", "--rules", "classic", "--rule", "ones=4", "--delay", "0.5"]
    plan = demo.plan_of(parse(words))
    assert plan.names == ("Ada", "Bob", "Chloe")
    assert plan.table == ("--seats", "4", "--bots", "1", "--rules", "classic", "--rule", "ones=4")
    assert plan.delay_s == 0.5


def test_the_folder_of_the_demo_is_gone_afterwards(monkeypatch, tmp_path, capsys):
    Stand(monkeypatch, tmp_path, "raise SystemExit(3)")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    failure(capsys)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("sorry-lan-demo")]

"""`sorry-lan arena`: what people and programs read, what is refused, and that it stops cleanly."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from sorry_lan.arena import match as match_module
from sorry_lan.arena.crew import Crew, WorkerLost
from sorry_lan.arena.match import Entrant, Match, play_deal
from sorry_lan.arena.scores import scores_of
from sorry_lan.bots.levels import LEVELS
from sorry_lan.cli import arena
from sorry_lan.cli.arguments import UsageError, parse
from sorry_lan.cli.dispatch import run as run_line
from sorry_lan.rules.board import Colour
from sorry_lan.rules.profile import PROFILES, Rules, with_switch
from tests.cli.test_demo import alive, children

SHORT = ("--rule", "pawns=1")


class Here:
    """A crew without processes of its own, that may lose a worker after so many deals."""

    lost_after: int | None = None

    def __init__(self, match: Match, _workers: int) -> None:
        self._match = match

    def __enter__(self):
        return self

    def __exit__(self, *_what: object) -> None:
        pass

    def play(self, deals: int):
        for number in range(deals):
            if number == self.lost_after:
                raise WorkerLost
            yield scores_of(self._match, play_deal(self._match, number))


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "Crew", Here)


def plan(*words: str) -> arena.Plan:
    return arena.plan_of(parse(["arena", *words]))


def test_a_match_is_as_the_command_line_says():
    found = plan("Random", "easy", "easy", "--games", "100", "--seed", "9", "--rules", "classic", "--jobs", "2")
    assert found.match == Match(
        (Entrant("random", None), Entrant("easy", 0), Entrant("easy", 0)),
        PROFILES["classic"],
        (Colour.RED, Colour.BLUE, Colour.YELLOW),
        9,
    )
    # A deal is three games here, and no deal is played in part.
    assert (found.deals, found.games, found.jobs) == (34, 102, 2)


def test_every_level_may_take_part():
    assert [entrant.level for entrant in plan(LEVELS[-1], "random").match.entrants] == [len(LEVELS) - 1, None]


def test_colours_and_switches_are_those_asked_for():
    found = plan("easy", "easy", "--colours", "yellow,red", "--rule", "pawns=2").match
    assert found.colours == (Colour.RED, Colour.YELLOW)
    assert found.rules == with_switch(Rules(), "pawns=2")


def test_without_a_seed_each_match_has_its_own():
    assert len({plan("easy", "easy").match.seed for _ in range(5)}) > 1


def test_no_more_processes_than_deals():
    assert plan("easy", "easy", "--games", "1", "--jobs", "8").jobs == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "arena needs 2 to 4 bots behind it, one a seat, each one of random, easy, medium, hard, expert"),
        (("easy",), "arena needs 2 to 4 bots behind it"),
        (("easy",) * 5, "arena needs 2 to 4 bots behind it"),
        (("easy", "clever"), "There is no bot 'clever'; there are random, easy, medium, hard, expert"),
        (("easy", "easy", "--games", "0"), "--games takes a number from 1 to 10000000, not '0'."),
        (("easy", "easy", "--games", "1e3"), "--games takes a number from 1 to 10000000, not '1e3'."),
        (("easy", "easy", "--games", "9" * 30), "--games takes a number from 1 to 10000000"),
        (("easy", "easy", "--seed", "4294967296"), "--seed takes a number from 0 to 4294967295"),
        (("easy", "easy", "--seed", "-1"), "--seed takes a number from 0 to 4294967295, not '-1'."),
        (("easy", "easy", "--jobs", "0"), "--jobs takes a number from 1 to 256"),
        (("easy", "easy", "--confidence", "90"), "--confidence takes one of 95, 99, not '90'."),
        (("easy", "easy", "--colours", "red"), "--colours takes 2 different ones of red, blue, yellow, green"),
        (("easy", "easy", "--colours", "red,red"), "--colours takes 2 different ones"),
        (("easy", "easy", "--colours", "red,pink"), "--colours takes 2 different ones"),
        (("easy", "easy", "--rules", "clasic"), "There is no profile 'clasic'"),
        (("easy", "easy", "--json", "--plain"), "--json and --plain exclude each other."),
    ],
)
def test_what_makes_no_match_is_one_sentence_and_2(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(UsageError) as caught:
        plan(*words)
    assert str(caught.value).startswith(said)
    assert run_line(["arena", *words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.usefixtures("here")
def test_people_read_who_won_how_often_and_how_sure_that_is(capsys: pytest.CaptureFixture[str]):
    words = ["arena", "random", "easy", "--games", "60", "--seed", "4", "--confidence", "99", *SHORT]
    assert run_line(words) == 0
    found = capsys.readouterr()
    heading, bot, other, red, blue, cards = found.out.splitlines()
    assert heading == (
        "random, easy by the rules standard with pawns=1: 60 games, 30 deals in every order of the bots, seed 4."
    )
    assert bot.startswith("random won ")
    assert bot.endswith(" % at 99 % confidence); an even share is 50.0 %.")
    assert other.startswith("easy won ")
    assert red.startswith("The seat of Red won ")
    assert blue.startswith("The seat of Blue won ")
    assert cards.startswith("A game took ")
    wins = [int(line.split(" won ")[1].split(",")[0]) for line in (bot, other, red, blue)]
    assert wins[0] + wins[1] == wins[2] + wins[3] == 60
    assert found.err == ""


@pytest.mark.usefixtures("here")
def test_of_equal_bots_only_the_seats_are_told(capsys: pytest.CaptureFixture[str]):
    assert run_line(["arena", "easy", "easy", "--games", "3", *SHORT]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["easy,", "The", "The", "A"]


@pytest.mark.usefixtures("here")
def test_programs_read_one_object(capsys: pytest.CaptureFixture[str]):
    assert run_line(["arena", "random", "easy", "easy", "--games", "30", "--seed", "4", "--json", *SHORT]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["v"], found["type"], found["profile"], found["seed"]) == (1, "arena", None, 4)
    assert (found["games"], found["deals"], found["undecided"], found["stopped"]) == (30, 10, 0, False)
    assert found["bots"] == ["random", "easy", "easy"]
    assert [(bot["bot"], bot["seats"]) for bot in found["by_bot"]] == [("random", 1), ("easy", 2)]
    assert [seat["colour"] for seat in found["by_seat"]] == ["red", "blue", "yellow"]
    for rows in (found["by_bot"], found["by_seat"]):
        assert sum(row["wins"] for row in rows) == 30
        assert all(row["low"] <= row["share"] == round(row["wins"] / 30, 6) <= row["high"] for row in rows)


@pytest.mark.usefixtures("here")
def test_games_that_are_given_up_are_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(match_module, "MOST_STEPS", 5)
    assert run_line(["arena", "easy", "easy", "--games", "2"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 games were given up and are won by nobody."


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("played", [0, 3])
def test_a_lost_worker_is_4_and_what_is_known_is_told(
    played: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(Here, "lost_after", played)
    assert run_line(["arena", "easy", "easy", "--games", "9", *SHORT]) == 4
    found = capsys.readouterr()
    assert found.err.startswith("sorry-lan: A process of the arena could not be started or was ended from outside")
    lines = found.out.splitlines()
    assert lines[0] == "Stopped; this is what is known so far."
    assert lines[1] == "No deal was played to its end." if not played else f": {played} games, " in lines[1]


@pytest.mark.usefixtures("here")
def test_programs_are_told_that_nothing_is_known(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(Here, "lost_after", 0)
    assert run_line(["arena", "easy", "easy", "--json"]) == 4
    found = json.loads(capsys.readouterr().out)
    assert (found["stopped"], found["games"], found["by_bot"], found["by_seat"]) == (True, 0, [], [])


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "sorry_lan", "arena", *words]


def test_processes_of_their_own_find_the_same_however_many_there_are():
    def played(jobs: str) -> dict[str, object]:
        words = command("random", "easy", "--games", "40", "--seed", "1", "--json", "--jobs", jobs, *SHORT)
        found = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True)
        assert found.stderr == ""
        return {key: value for key, value in json.loads(found.stdout).items() if key != "seconds"}

    assert played("1") == played("2")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_stops_every_process_and_what_is_known_is_told(number: int, code: int):
    ours, theirs = pty.openpty()
    words = command("easy", "easy", "--games", "9999999", "--json", "--jobs", "2")
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = b""
        while b" of 9999999 games" not in shown:
            shown += os.read(ours, 4096)
        # The tracker of multiprocessing is no worker; it ends by itself a moment after us.
        workers = [pid for pid in children(process.pid) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        process.send_signal(number)
        out, _err = process.communicate(timeout=60)
    with suppress(OSError):  # Linux's way to say that the other end of a terminal has gone
        while data := os.read(ours, 65536):
            shown += data
    os.close(ours)
    assert process.returncode == code
    found = json.loads(out)
    assert found["stopped"]
    assert found["games"] > 0
    assert sum(seat["wins"] for seat in found["by_seat"]) == found["games"]
    assert b"Traceback" not in shown
    assert shown.endswith(b" \r")  # the bar is gone
    assert len(workers) == 2
    assert not [pid for pid in workers if alive(pid)]


def test_a_signal_before_the_first_deal_tells_that_nothing_is_known(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    class Interrupted(Here):
        def play(self, deals: int):
            signal.raise_signal(signal.SIGINT)
            yield from super().play(deals)

    monkeypatch.setattr(arena, "Crew", Interrupted)
    before = signal.getsignal(signal.SIGINT)
    assert run_line(["arena", "easy", "easy"]) == 130
    assert signal.getsignal(signal.SIGINT) is before
    assert capsys.readouterr().out.splitlines() == [
        "Stopped; this is what is known so far.",
        "No deal was played to its end.",
    ]


def test_a_bug_in_a_worker_is_70(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    class Odd(Crew):
        def __init__(self, match: Match, workers: int) -> None:
            super().__init__(Match((Entrant("odd", 99),) * 2, match.rules, match.colours, match.seed), workers)

    monkeypatch.setattr(arena, "Crew", Odd)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert run_line(["arena", "easy", "easy", "--games", "2"]) == 70
    assert "This is a bug in sorry-lan." in capsys.readouterr().err

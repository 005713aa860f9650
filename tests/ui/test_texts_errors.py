"""Every error code and every notice has its sentences: what happened, why, what to do."""

from __future__ import annotations

import pytest

from sorry_lan.faults import Err
from sorry_lan.table.commands import FileKind
from sorry_lan.table.notices import (
    CodeChanged,
    Connecting,
    FileNotSaved,
    FileSaved,
    JoinProblem,
    ListenProblem,
    ListenTrouble,
    PortTaken,
    Problem,
    Program,
    Stopped,
    StoreProblem,
    StoreTrouble,
    StrangerCalled,
    TableOpened,
)
from sorry_lan.ui.texts_errors import (
    advice_text,
    closed_text,
    fault_text,
    refused_by_us_text,
    refused_text,
    why_text,
)
from sorry_lan.ui.texts_notices import notice_lines, problem_text
from tests.ui.hostile import HOSTILE

OURS = Program(1, 1, "sorry-lan 1.0.0", bytes(32))
THEIRS = Program(2, 3, "sorry-lan 2.1.0", bytes([255]) * 32)


@pytest.mark.parametrize("code", Err)
def test_every_code_says_why_and_what_to_do(code):
    assert why_text(code).endswith(".")
    assert len(advice_text(code)) > 20
    for sentence in (refused_text(code), refused_by_us_text(code), fault_text("Ada (Red)", code, 4)):
        assert why_text(code) in sentence
        assert advice_text(code) in sentence
        assert "{" not in sentence
    closed = "The table is closed." if code is Err.GOODBYE else "You are no longer at the table."
    assert closed_text(code).startswith(closed)


def test_no_two_codes_have_the_same_reason():
    assert len({why_text(code) for code in Err}) == len(Err)


@pytest.mark.parametrize("problem", Problem)
def test_every_way_joining_fails_is_told_with_the_address(problem):
    text = problem_text(JoinProblem(problem, Err.SCHEMA, "192.0.2.7:7777"))
    assert "192.0.2.7:7777" in text
    assert text.endswith((".", "sorry-lan host", "DIR.", ")", "sorry-lan doctor 192.0.2.7:7777"))
    assert "{" not in text
    assert text.count(". ") + text.count("? ") >= 1, "what to do is a sentence of its own"


def test_no_two_ways_of_failing_read_alike():
    assert len({problem_text(JoinProblem(p, Err.SCHEMA, "x")) for p in Problem}) == len(Problem)


def test_a_version_problem_names_both_versions():
    text = problem_text(JoinProblem(Problem.VERSION, Err.VERSION, "x", OURS, THEIRS))
    assert "here sorry-lan 1.0.0, protocol 1, there sorry-lan 2.1.0, protocol 2-3" in text


def test_an_engine_problem_names_both_engines():
    text = problem_text(JoinProblem(Problem.ENGINE, Err.ENGINE_DIFFERS, "x", OURS, THEIRS))
    assert "here sorry-lan 1.0.0 00000000, there sorry-lan 2.1.0 ffffffff" in text
    nothing = Program(1, 1, "x", None)
    assert "there x -" in problem_text(JoinProblem(Problem.ENGINE, Err.ENGINE_DIFFERS, "x", OURS, nothing))


def test_unknown_programs_are_left_out():
    assert "here" not in problem_text(JoinProblem(Problem.VERSION, Err.VERSION, "x"))
    assert "here" not in problem_text(JoinProblem(Problem.ENGINE, Err.VERSION, "x"))


@pytest.mark.parametrize("trouble", ListenTrouble)
def test_every_way_listening_fails_is_told(trouble):
    text = problem_text(ListenProblem(trouble, 80, "no"))
    assert text.count(". ") == 1
    assert "{" not in text


@pytest.mark.parametrize("trouble", StoreTrouble)
def test_every_trouble_with_a_file_is_told(trouble):
    text = problem_text(StoreProblem(trouble, "/data/ada/id", "no space", 42))
    assert text.count(". ") == 1
    assert "{" not in text


def test_the_other_process_is_named_where_known():
    assert "(process 42)" in problem_text(StoreProblem(StoreTrouble.IN_USE, "/id", "", 42))
    assert "process" not in problem_text(StoreProblem(StoreTrouble.IN_USE, "/id", ""))


def test_the_join_line_holds_address_port_and_code():
    assert notice_lines(TableOpened(("192.0.2.7",), 7777, "maple-otter-tulip"))[1:] == (
        "    sorry-lan join 192.0.2.7 --code maple-otter-tulip",
    )
    assert notice_lines(TableOpened(("192.0.2.7", "fe80::1%eth0"), 7800, None))[1:] == (
        "    sorry-lan join 192.0.2.7:7800",
        '    sorry-lan join "[fe80::1%eth0]:7800"',
    )
    assert notice_lines(TableOpened((), 7800, None))[1:] == ("    sorry-lan join 127.0.0.1:7800",)


@pytest.mark.parametrize("kind", FileKind)
def test_a_saved_file_is_named(kind):
    assert "/games/a.sorry" in notice_lines(FileSaved(kind, "/games/a.sorry"))[0]
    problem = StoreProblem(StoreTrouble.FULL, "/games/a.sorry", "no space")
    assert "/games/a.sorry" in notice_lines(FileNotSaved(kind, problem))[0]


def test_other_notices():
    assert notice_lines(CodeChanged("maple-otter-tulip"))[0].endswith("maple-otter-tulip.")
    assert notice_lines(PortTaken(7777, 40123)) == ("Port 7777 is in use, so this table listens on 40123.",)
    assert notice_lines(Connecting("192.0.2.7:7777")) == ("Connecting to 192.0.2.7:7777 ...",)
    assert notice_lines(StrangerCalled("192.0.2.9", Err.BAD_FRAME))[0].startswith("Somebody at 192.0.2.9 ")
    stopped = Stopped(JoinProblem(Problem.FULL, Err.TABLE_FULL, "x"))
    assert notice_lines(stopped) == (problem_text(stopped.problem),)


@pytest.mark.spec("W-23")
@pytest.mark.parametrize("text", HOSTILE)
def test_a_peers_words_in_a_problem_are_harmless(text):
    bad = Program(1, 2, text, None)
    for problem in (Problem.VERSION, Problem.ENGINE):
        assert problem_text(JoinProblem(problem, Err.VERSION, text, OURS, bad)).isprintable()

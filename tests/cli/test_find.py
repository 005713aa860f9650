"""`sorry-lan list`, and `join` where nobody said which table: what is shown, asked, and answered with an exit code."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import trio

from sorry_lan.cli import doctor, find
from sorry_lan.cli.arguments import Arguments, UsageError, parse
from sorry_lan.cli.find import NobodyThere, choose
from sorry_lan.cli.main import main
from sorry_lan.fair.engine import engine_digest
from sorry_lan.table.notices import Card, CodeUse, Fit, FoundTable, Openness, Program, Silence
from sorry_lan.ui.chosen import Chosen


def table(key: str = "a", fit: Fit = Fit.FITS, code: CodeUse = CodeUse.NEEDED) -> FoundTable:
    program = Program(2 if fit is Fit.VERSION else 1, 2 if fit is Fit.VERSION else 1, "1.0.0", b"\x01\x02\x03\x04")
    card = Card(f"Table {key}", ("Bob",), 4, 2, "standard", Openness.LOBBY, code, program)
    return FoundTable(key, card, f"192.168.1.2:{7777 + ord(key[0]) - ord('a')}", 3.2, fit)


class FakeLookout:
    """Finds what a test says, in the order of its rounds."""

    rounds: tuple[tuple[FoundTable, ...], ...] = ()
    silence = Silence.UNHEARD

    def __init__(self, ours: Program) -> None:
        self.ours = ours
        self._round = 0

    @property
    def tables(self) -> tuple[FoundTable, ...]:
        return self.rounds[self._round] if self.rounds else ()

    async def change(self) -> None:
        if self._round + 1 >= len(self.rounds):
            await trio.sleep_forever()
        await trio.sleep(0.01)
        self._round += 1

    async def run(self) -> None:
        await trio.sleep_forever()


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    engine_digest()  # kept from now on: no test waits for it
    monkeypatch.setattr(find, "Lookout", FakeLookout)
    monkeypatch.setattr(find, "_LOOK_S", 0.2)
    monkeypatch.setattr(find, "_QUIET_S", 0.1)
    yield
    FakeLookout.rounds = ()


def person(monkeypatch: pytest.MonkeyPatch, *typed: str) -> None:
    """Somebody sits at the terminal and types these lines, then ends the input."""
    lines = [f"{line}\n".encode() for line in typed] + [b""]
    monkeypatch.setattr(find, "_at_terminal", lambda: True)
    monkeypatch.setattr(find.os, "read", lambda _number, _size: lines.pop(0))
    monkeypatch.setattr(find.sys, "stdin", find.sys.__stdin__)


def test_the_list_shows_each_table_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    FakeLookout.rounds = ((), (table(), table("b", Fit.VERSION)))
    assert main(["list"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == "  Table a: Bob; 2 seats of 4 free; rules standard; version 1.0.0; 3 ms; 192.168.1.2:7777"
    assert "Cannot be joined: there 1.0.0 (protocol 2" in second
    assert "here 1.0.0 (protocol 1" in second


def test_an_empty_list_says_why_and_is_3(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--seconds", "1"]) == 3
    assert "nobody answered" in capsys.readouterr().err


def test_the_list_for_programs_tells_what_comes_changes_and_goes(capsys: pytest.CaptureFixture[str]) -> None:
    FakeLookout.rounds = ((), (table(),), (table(), table("b")), (table("b"),))
    assert main(["list", "--json", "--seconds", "1"]) == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["type"], line["address"][-4:]) for line in said] == [
        ("table", "7777"),
        ("table", "7778"),
        ("table_gone", "7777"),
    ]
    assert said[0]["fits"] == "fits"
    assert said[0]["needs_code"] is True


def test_without_a_person_the_only_table_that_fits_is_joined(capsys: pytest.CaptureFixture[str]) -> None:
    FakeLookout.rounds = ((table("b", Fit.ENGINE), table(code=CodeUse.NONE)),)
    assert choose(parse(["join", "--json"])) == Chosen("192.168.1.2:7777", None, CodeUse.NONE)
    assert capsys.readouterr().out == ""


def test_without_a_person_several_tables_are_named_and_none_is_guessed() -> None:
    FakeLookout.rounds = ((table(), table("b")),)
    with pytest.raises(UsageError, match=r"2 tables[^$]*192\.168\.1\.2:7777[^$]*192\.168\.1\.2:7778"):
        choose(parse(["join", "--json"]))


@pytest.mark.parametrize(("rounds", "code"), [((), 3), (((table(fit=Fit.VERSION),),), 5)])
def test_without_a_table_that_fits_the_exit_code_says_so(rounds: tuple[tuple[FoundTable, ...], ...], code: int) -> None:
    FakeLookout.rounds = rounds
    assert main(["join", "--json"]) == code


def test_a_person_picks_a_number(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    FakeLookout.rounds = ((table("c", Fit.ENGINE), table(), table("b")),)
    person(monkeypatch, "7", "2")
    assert choose(parse(["join", "--plain"])) == Chosen("192.168.1.2:7778", None, CodeUse.NEEDED)
    shown = capsys.readouterr().out
    assert "  -  Table c" in shown
    assert "  1  Table a" in shown
    assert "  2  Table b" in shown
    assert "There is no table 7." in shown


@pytest.mark.parametrize(("rounds", "peer"), [((), None), (((table(),),), "192.168.1.2:7777")])
def test_a_person_asks_the_doctor_about_the_only_table_or_about_all(
    monkeypatch: pytest.MonkeyPatch, rounds: tuple[tuple[FoundTable, ...], ...], peer: str | None
) -> None:
    FakeLookout.rounds = rounds
    asked: list[Arguments] = []
    monkeypatch.setattr(doctor, "run", asked.append)
    person(monkeypatch, "d", "q")
    with pytest.raises(NobodyThere):
        choose(parse(["join", "--plain"]))
    assert asked == [parse(["doctor", *([peer] if peer else [])])]


def test_a_person_types_an_address_or_a_code_instead(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    person(monkeypatch, "", "192.168.001.020", "bob.local")
    assert choose(parse(["join"])) == Chosen("bob.local:7777", None, CodeUse.NEEDED)
    shown = capsys.readouterr().out
    assert shown.count("Looking for tables") == 2
    assert "Did you mean 192.168.1.20?" in shown
    person(monkeypatch, "maple otter tulip")
    assert choose(parse(["join"])) == Chosen(None, "maple-otter-tulip", CodeUse.NEEDED)


@pytest.mark.parametrize("typed", [("q",), ()])
def test_a_person_may_want_none_of_them(monkeypatch: pytest.MonkeyPatch, typed: tuple[str, ...]) -> None:
    person(monkeypatch, *typed)
    with pytest.raises(NobodyThere) as nobody:
        choose(parse(["join"]))
    assert nobody.value.exit_code == 0


def test_two_codes_that_differ_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["join", "maple-otter-tulip", "--code", "tulip-otter-maple"]) == 2
    assert "Two different codes" in capsys.readouterr().err


def test_pipes_are_no_terminal() -> None:
    assert not find._at_terminal()

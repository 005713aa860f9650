"""A table by its code: which tables are asked, in which order, and what is said where none takes it."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from sorry_lan.app.seeking import by_code
from sorry_lan.faults import Err
from sorry_lan.table.notices import (
    Card,
    CodeUse,
    Fit,
    FoundTable,
    JoinProblem,
    NoTable,
    Openness,
    Problem,
    Program,
    Silence,
)

WRONG = JoinProblem(Problem.CODE_WRONG, Err.JOIN_CODE, "x")
GONE = JoinProblem(Problem.REFUSED, Err.TIMEOUT, "x")
FULL = JoinProblem(Problem.FULL, Err.TABLE_FULL, "x")


def table(
    key: str,
    free: int = 2,
    openness: Openness = Openness.LOBBY,
    code: CodeUse = CodeUse.NEEDED,
    fit: Fit = Fit.FITS,
) -> FoundTable:
    card = Card(key, (), 4, free, "standard", openness, code, Program(1, 1, "1", None))
    return FoundTable(key, card, key, 1.0, fit)


class Street:
    """Tables that appear at once or after a second, and what each says to a call."""

    def __init__(self, answers: dict[str, JoinProblem | None], *tables: FoundTable, later: int = 0) -> None:
        self.answers = answers
        self.tables = tables[: len(tables) - later]
        self._all = tables
        self.called: list[str] = []
        self.silence = Silence.UNHEARD

    async def change(self) -> None:
        if self.tables == self._all:
            await trio.sleep_forever()
        await trio.sleep(1)
        self.tables = self._all

    async def run(self) -> None:
        await trio.sleep_forever()

    async def call(self, address: str) -> JoinProblem | None:
        self.called.append(address)
        await trio.sleep(0.1)
        return self.answers[address]


async def sought(street: Street, clock: MockClock) -> JoinProblem | NoTable | None:
    assert clock.autojump_threshold == 0
    return await by_code(street, street.call)


async def test_tables_are_asked_until_one_takes_the_code_the_likeliest_first(autojump_clock: MockClock) -> None:
    street = Street(
        {"play": None, "lobby": WRONG, "full": WRONG},
        table("play", 0, Openness.PLAY),
        table("open", code=CodeUse.NONE),
        table("old", fit=Fit.VERSION),
        table("full", 0),
        table("lobby"),
    )
    assert await sought(street, autojump_clock) is None
    assert street.called == ["lobby", "full", "play"]


async def test_a_table_that_is_found_later_is_asked_too(autojump_clock: MockClock) -> None:
    street = Street({"a": WRONG, "b": None}, table("a"), table("b"), later=1)
    assert await sought(street, autojump_clock) is None


@pytest.mark.parametrize(
    ("later", "took_s"),
    [
        pytest.param(0, 1.7, id="nothing new came for a second and a half"),
        pytest.param(1, 2.5, id="the search is over"),
    ],
)
async def test_where_no_table_takes_the_code_that_is_said_soon(
    autojump_clock: MockClock, later: int, took_s: float
) -> None:
    street = Street({"a": WRONG, "b": GONE}, table("a"), table("b"), later=later)
    began_s = trio.current_time()
    assert await sought(street, autojump_clock) == NoTable(None, 1, CodeUse.NEEDED)
    assert trio.current_time() - began_s == pytest.approx(took_s)
    assert street.called == ["a", "b"]


async def test_a_search_that_nobody_answers_ends_by_itself(autojump_clock: MockClock) -> None:
    began_s = trio.current_time()
    assert isinstance(await sought(Street({}), autojump_clock), NoTable)
    assert trio.current_time() - began_s == pytest.approx(2.5)


@pytest.mark.parametrize("fakes", [1, 63])
async def test_tables_that_keep_us_waiting_keep_us_from_no_other(autojump_clock: MockClock, fakes: int) -> None:
    """Anybody can announce tables, more and likelier than the right one, that take a connection and say nothing."""
    street = Street({"right": None}, *(table(str(number), 4) for number in range(fakes)), table("right", 0))
    answer = street.call

    async def slow(address: str) -> JoinProblem | None:
        if address == "right":
            return await answer(address)
        street.called.append(address)
        await trio.sleep(5.5)
        return JoinProblem(Problem.TIMED_OUT, Err.TIMEOUT, address)

    street.call = slow  # type: ignore[method-assign]
    began_s = trio.current_time()
    assert await sought(street, autojump_clock) is None
    assert len(street.called) == fakes + 1
    assert trio.current_time() - began_s < 2.5


async def test_a_table_that_answers_is_waited_for_before_the_next_one_is_asked(autojump_clock: MockClock) -> None:
    """Each counts a wrong code as a guess, and five of those make it choose another one."""
    street = Street({"a": None, "b": WRONG}, table("a"), table("b"))
    assert await sought(street, autojump_clock) is None
    assert street.called == ["a"]


async def test_where_there_is_no_table_the_silence_has_a_reason(autojump_clock: MockClock) -> None:
    assert await sought(Street({}), autojump_clock) == NoTable(Silence.UNHEARD, 0, CodeUse.NEEDED)
    street = Street({}, table("open", code=CodeUse.NONE))
    assert await sought(street, autojump_clock) == NoTable(None, 0, CodeUse.NEEDED)


@pytest.mark.parametrize("problem", [Problem.ADDRESS, Problem.NOT_SORRY_LAN, Problem.BROKE_RULE, Problem.FULL])
async def test_what_anybody_says_ends_no_search(autojump_clock: MockClock, problem: Problem) -> None:
    """A stranger can announce a printer, an address that is none, or a table that says whatever it likes."""
    street = Street({"a": JoinProblem(problem, Err.TIMEOUT, "a"), "b": None}, table("a"), table("b"))
    assert await sought(street, autojump_clock) is None
    assert street.called == ["a", "b"]


async def test_where_no_table_takes_the_code_what_tells_most_is_said(autojump_clock: MockClock) -> None:
    street = Street({"a": WRONG, "b": FULL}, table("a"), table("b"))
    assert await sought(street, autojump_clock) == FULL


async def test_a_table_that_cannot_be_reached_is_told_where_no_other_was_asked(autojump_clock: MockClock) -> None:
    assert await sought(Street({"a": GONE}, table("a")), autojump_clock) == GONE


async def test_a_call_that_has_begun_is_waited_for(autojump_clock: MockClock) -> None:
    street = Street({"a": None}, table("a"))

    async def slow(_address: str) -> None:
        await trio.sleep(5)

    street.call = slow  # type: ignore[method-assign, assignment]
    assert await sought(street, autojump_clock) is None

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from sorry_lan.app import wiring
from sorry_lan.app.wiring import Access, Sitting, exit_code, play_table, problem_exit_code, run_table
from sorry_lan.fair.verify import Outcome, verify_transcript
from sorry_lan.faults import Err
from sorry_lan.net.listener import ListenError, open_port
from sorry_lan.store.disk import Disk
from sorry_lan.store.identity import open_identity
from sorry_lan.table.events import Happening, LeaveAsked
from sorry_lan.table.news import Won
from sorry_lan.table.notices import (
    CodeChanged,
    Connecting,
    FileSaved,
    JoinProblem,
    ListenProblem,
    ListenTrouble,
    Notice,
    PortTaken,
    Problem,
    Stopped,
    StoreProblem,
    StoreTrouble,
    TableOpened,
)
from sorry_lan.table.settings import Naming, Role
from tests.app.build import Memory, options, play_all


def stopped(face: Memory) -> object:
    return next(notice.problem for notice in face.notices if isinstance(notice, Stopped))


@pytest.mark.parametrize("seats", [2, *(pytest.param(n, marks=pytest.mark.untraced) for n in (3, 4))])
async def test_a_whole_game_over_real_sockets_ends_alike_everywhere(tmp_path: Path, seats: int) -> None:
    faces = [Memory() for _ in range(seats)]
    with trio.fail_after(120):
        assert await play_all(tmp_path, seats, faces) == [0] * seats
    assert len({news for face in faces for news in face.news if isinstance(news, Won)}) == 1
    files = [Path(notice.path) for face in faces for notice in face.notices if isinstance(notice, FileSaved)]
    contents = {path.read_bytes() for path in files}
    assert (len(files), len(contents)) == (seats, 1)
    assert verify_transcript(contents.pop()).outcome is Outcome.HOLDS


async def test_a_game_on_one_computer_needs_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def forbidden(*_: object) -> object:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(wiring, "open_port", forbidden)
    face = Memory()
    alone = replace(options(tmp_path, 0), role=Role.LOCAL, bots=(0,))
    with trio.fail_after(60):
        assert await play_table(alone, face) == 0
    assert any(isinstance(news, Won) for news in face.news)
    assert any(isinstance(notice, FileSaved) for notice in face.notices)


async def test_people_who_leave_end_the_program_with_zero(tmp_path: Path) -> None:
    face = Memory()
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:

            async def leave() -> None:
                await face.until(lambda face: face.tell is not None and any(face.views))
                face.say(LeaveAsked())

            nursery.start_soon(leave)
            assert await play_table(options(tmp_path, 0), face) == 0
    assert face.opened.code is not None
    assert face.opened.port > 0


async def _hosted(tmp_path: Path, access: Access, joiner: Memory, **changes: object) -> tuple[int, Memory]:
    """How a joiner fares at a table of two seats."""
    host = Memory()
    code = -1
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play_table, replace(options(tmp_path, 0), access=access), host)
        await host.until(lambda face: any(isinstance(notice, TableOpened) for notice in face.notices))
        wanted = replace(options(tmp_path, 1), address=f"127.0.0.1:{host.opened.port}", **changes)  # type: ignore[arg-type]
        code = await play_table(wanted, joiner)
        nursery.cancel_scope.cancel()
    return code, host


async def test_a_name_that_nobody_asked_for_gives_way_to_the_same_name_at_the_table(tmp_path: Path) -> None:
    host = Memory()
    unnamed = (Sitting("Ada", None, None, Naming.LOOSE),)

    def names(face: Memory) -> list[str]:
        return [seat.name for view in face.views if view.lobby is not None for seat in view.lobby.seats]

    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_table, replace(options(tmp_path, 0, 3), access=Access.OPEN), host)
            await host.until(lambda face: any(isinstance(notice, TableOpened) for notice in face.notices))
            address = f"127.0.0.1:{host.opened.port}"
            wanted = replace(options(tmp_path, 1), address=address, access=Access.OPEN, people=unnamed)
            nursery.start_soon(play_table, wanted, Memory())
            await host.until(lambda face: "Ada 2" in names(face))
            nursery.cancel_scope.cancel()


async def test_a_folder_of_games_that_cannot_be_is_known_before_there_is_a_table(tmp_path: Path) -> None:
    wanted = options(tmp_path, 0)
    wanted.folder.mkdir()
    (wanted.folder / "games").write_bytes(b"")
    face = Memory()
    with trio.fail_after(20):
        assert await play_table(wanted, face) == 9
    found = stopped(face)
    assert isinstance(found, StoreProblem)
    assert found.trouble is StoreTrouble.NOT_WRITABLE


async def test_a_host_tells_where_it_is_before_the_engines_digest_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = threading.Event()
    seen: list[bool] = []

    def slow_digest() -> bytes:
        seen.append(told.wait(20))
        return bytes(32)

    class Told(Memory):
        def notice(self, notice: Notice) -> None:
            super().notice(notice)
            if isinstance(notice, TableOpened):
                told.set()

    face = Told()
    monkeypatch.setattr(wiring, "engine_digest", slow_digest)
    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_table, options(tmp_path, 0), face)
            await face.until(lambda face: any(face.views))
            nursery.cancel_scope.cancel()
    assert seen == [True]


@pytest.mark.parametrize(
    ("access", "code", "problem", "expected"),
    [
        (Access.CODE, "acorn-acorn-acorn", Problem.CODE_WRONG, 7),
        (Access.CODE, None, Problem.CODE_REQUIRED, 7),
        (Access.OPEN, "acorn-acorn-acorn", Problem.CODE_NOT_USED, 7),
    ],
)
async def test_codes_that_do_not_fit_are_told_apart(
    tmp_path: Path, access: Access, code: str | None, problem: Problem, expected: int
) -> None:
    joiner = Memory()
    with trio.fail_after(20):
        got, _host = await _hosted(tmp_path, access, joiner, code=code)
    assert got == expected
    found = stopped(joiner)
    assert isinstance(found, JoinProblem)
    assert found.problem is problem
    assert isinstance(joiner.notices[0], Connecting)


async def test_other_rules_end_with_five_and_both_digests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digests = iter((b"\x01" * 32, b"\x02" * 32))
    monkeypatch.setattr(wiring, "engine_digest", lambda: next(digests))
    joiner = Memory()
    with trio.fail_after(20):
        got, _host = await _hosted(tmp_path, Access.OPEN, joiner)
    found = stopped(joiner)
    assert isinstance(found, JoinProblem)
    assert (got, found.problem) == (5, Problem.ENGINE)
    assert found.ours is not None
    assert found.theirs is not None
    assert (found.ours.engine, found.theirs.engine) == (b"\x02" * 32, b"\x01" * 32)


async def test_a_table_that_is_not_there_ends_with_four(tmp_path: Path) -> None:
    closed = await open_port(0)
    closed.close()
    face = Memory()
    wanted = replace(options(tmp_path, 1), address=f"127.0.0.1:{closed.port}", access=Access.OPEN)
    with trio.fail_after(10):
        assert await play_table(wanted, face) == 4
    found = stopped(face)
    assert isinstance(found, JoinProblem)
    assert found.problem is Problem.REFUSED


@pytest.mark.parametrize("address", ["maple-otter-tulip", "a b", "bob:0"])
async def test_what_is_no_address_is_a_mistake_of_usage(tmp_path: Path, address: str) -> None:
    face = Memory()
    assert await play_table(replace(options(tmp_path, 1), address=address), face) == 2
    found = stopped(face)
    assert isinstance(found, JoinProblem)
    assert found.problem is Problem.ADDRESS


async def test_an_identity_in_use_ends_with_eight_and_names_the_process(tmp_path: Path) -> None:
    holder = open_identity(tmp_path / "0", Disk())
    face = Memory()
    assert await play_table(options(tmp_path, 0), face) == 8
    found = stopped(face)
    assert isinstance(found, StoreProblem)
    assert (found.trouble, found.pid) == (StoreTrouble.IN_USE, os.getpid())
    holder.release()


async def test_files_that_cannot_be_written_end_with_nine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "0").write_bytes(b"")
    face = Memory()
    assert await play_table(options(tmp_path, 0), face) == 9

    def full(_folder: Path) -> object:
        raise OSError(28, "no space left")

    monkeypatch.setattr(wiring, "fresh_credentials", full)
    assert await play_table(options(tmp_path, 1), face) == 9


async def test_a_busy_port_that_was_asked_for_is_told_to_host_and_joiner(tmp_path: Path) -> None:
    busy = await open_port(0)
    for index in (0, 1):
        face = Memory()
        wanted = replace(options(tmp_path, index), port=busy.port, address="127.0.0.1")
        assert await play_table(wanted, face) == 4
        found = stopped(face)
        assert isinstance(found, ListenProblem)
        assert (found.trouble, found.port) == (ListenTrouble.PORT_BUSY, busy.port)
    busy.close()


async def test_a_joiner_without_any_port_of_its_own_still_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def none(_port: int | None) -> object:
        raise ListenError(ListenProblem(ListenTrouble.NO_NETWORK, 0, "x"))

    closed = await open_port(0)
    closed.close()
    monkeypatch.setattr(wiring, "open_port", none)
    face = Memory()
    wanted = replace(options(tmp_path, 1), address=f"127.0.0.1:{closed.port}", access=Access.OPEN)
    assert await play_table(wanted, face) == 4
    found = stopped(face)
    assert isinstance(found, JoinProblem)


async def test_another_port_than_the_default_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = await open_port(0)
    monkeypatch.setattr(wiring.limits, "DEFAULT_PORT", busy.port)
    face = Memory()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play_table, replace(options(tmp_path, 0), port=None), face)
        await face.until(lambda face: any(isinstance(notice, TableOpened) for notice in face.notices))
        nursery.cancel_scope.cancel()
    assert PortTaken(busy.port, face.opened.port) in face.notices
    busy.close()


async def test_guessing_gives_the_hosts_people_a_new_code(tmp_path: Path) -> None:
    host = Memory()
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_table, options(tmp_path, 0), host)
            await host.until(lambda face: any(isinstance(notice, TableOpened) for notice in face.notices))
            wanted = replace(options(tmp_path, 1), address=f"127.0.0.1:{host.opened.port}", code="acorn-acorn-acorn")
            for _ in range(5):
                assert await play_table(wanted, Memory()) == 7
            changed = [notice for notice in host.notices if isinstance(notice, CodeChanged)]
            assert len(changed) == 1
            assert changed[0].code != host.opened.code
            nursery.cancel_scope.cancel()


async def test_a_code_that_the_host_chose_is_used(tmp_path: Path) -> None:
    host = Memory()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play_table, replace(options(tmp_path, 0), code="Maple Lamp Tulip"), host)
        await host.until(lambda face: any(isinstance(notice, TableOpened) for notice in face.notices))
        nursery.cancel_scope.cancel()
    assert host.opened.code == "maple-lamp-tulip"


async def test_the_identity_is_free_again_after_the_end(tmp_path: Path) -> None:
    for boot in (1, 2):
        face = Memory()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_table, options(tmp_path, 0), face)
            await face.until(lambda face: any(isinstance(notice, TableOpened) for notice in face.notices))
            nursery.cancel_scope.cancel()
        identity = open_identity(tmp_path / "0", Disk())
        assert identity.boot == 2 * boot
        identity.release()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
def test_signals_end_the_program_in_order(tmp_path: Path, number: signal.Signals, code: int) -> None:
    class Struck(Memory):
        def notice(self, notice: object) -> None:
            if isinstance(notice, TableOpened):
                os.kill(os.getpid(), number)

    assert run_table(options(tmp_path, 0), Struck()) == code
    open_identity(tmp_path / "0", Disk()).release()


@pytest.mark.parametrize(("last", "code", "asked"), [(signal.SIGINT, 130, 2), (signal.SIGTERM, 143, 1)])
def test_an_interrupt_that_a_face_makes_a_question_ends_nothing(
    tmp_path: Path, last: signal.Signals, code: int, asked: int
) -> None:
    class Asking(Memory):
        times = 0

        def notice(self, notice: object) -> None:
            if isinstance(notice, TableOpened):
                os.kill(os.getpid(), signal.SIGINT)

        def interrupted(self) -> bool:
            self.times += 1
            if self.times == 1:
                os.kill(os.getpid(), last)
            return self.times == 1

    face = Asking()
    assert run_table(options(tmp_path, 0), face) == code
    assert face.times == asked
    open_identity(tmp_path / "0", Disk()).release()


def test_a_client_that_ignores_hang_ups_goes_on_ignoring_them(tmp_path: Path) -> None:
    class Struck(Memory):
        def notice(self, notice: object) -> None:
            if isinstance(notice, TableOpened):
                os.kill(os.getpid(), signal.SIGHUP)
                os.kill(os.getpid(), signal.SIGTERM)

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert run_table(options(tmp_path, 0), Struck()) == 143
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_table_that_ends_by_itself_returns_its_own_code(tmp_path: Path) -> None:
    alone = replace(options(tmp_path, 0), role=Role.LOCAL, bots=(0,))
    assert run_table(alone, Memory()) == 0


def test_every_error_number_has_its_exit_code() -> None:
    by_exit = {
        0: (0,),
        5: (10, 21, 36),
        6: (11, 15, 35),
        7: (12, 13, 20, 22, 23, 24, 25, 26, 30, 31, 40, 41),
        8: (14,),
        2: (16,),
    }
    named = {number: code for code, numbers in by_exit.items() for number in numbers}
    assert {int(err): exit_code(err) for err in Err} == {int(err): named.get(int(err), 4) for err in Err}


def test_problems_of_the_start_have_theirs() -> None:
    assert problem_exit_code(JoinProblem(Problem.ADDRESS, Err.TIMEOUT, "x")) == 2
    assert problem_exit_code(JoinProblem(Problem.FULL, Err.TABLE_FULL, "x")) == 7
    assert problem_exit_code(ListenProblem(ListenTrouble.PORT_BUSY, 1, "x")) == 4
    assert problem_exit_code(StoreProblem(StoreTrouble.IN_USE, "x", "y")) == 8
    assert problem_exit_code(StoreProblem(StoreTrouble.DAMAGED, "x", "y")) == 9


async def test_a_damaged_journal_of_the_identity_ends_with_nine_and_stays_as_it_is(tmp_path: Path) -> None:
    assert await play_table(replace(options(tmp_path, 0), role=Role.LOCAL, bots=(0,)), Memory()) == 0
    journal = tmp_path / "0" / "journal"
    broken = b"\xff" + journal.read_bytes()[1:]
    journal.write_bytes(broken)
    face = Memory()
    assert await play_table(options(tmp_path, 0), face) == 9
    found = stopped(face)
    assert isinstance(found, StoreProblem)
    assert (found.trouble, found.path) == (StoreTrouble.DAMAGED, str(journal))
    assert journal.read_bytes() == broken


async def test_of_two_copies_of_an_identity_the_older_one_ends_with_eight(tmp_path: Path) -> None:
    host, old, new = Memory(), Memory(), Memory()
    codes: list[int] = []
    with trio.fail_after(30):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(play_table, replace(options(tmp_path, 0, 3), access=Access.OPEN), host)
            await host.until(lambda face: any(isinstance(notice, TableOpened) for notice in face.notices))
            wanted = replace(options(tmp_path, 1, 3), address=f"127.0.0.1:{host.opened.port}", access=Access.OPEN)

            async def older() -> None:
                codes.append(await play_table(wanted, old))

            nursery.start_soon(older)
            await old.until(lambda face: any(view.lobby is not None for view in face.views))
            copy = tmp_path / "copy"
            copy.mkdir()
            (copy / "identity").write_bytes((tmp_path / "1" / "identity").read_bytes())
            nursery.start_soon(play_table, replace(wanted, folder=copy), new)
            while not codes:
                await trio.testing.wait_all_tasks_blocked(0.01)
            nursery.cancel_scope.cancel()
    found = stopped(old)
    assert isinstance(found, JoinProblem)
    assert found.problem is Problem.ELSEWHERE
    assert codes == [8]


class Gone(Memory):
    """Nobody is there: the input ended before it began."""

    async def run(self, tell: Callable[[Happening], None]) -> None:
        tell(LeaveAsked())
        await trio.lowlevel.checkpoint()


async def test_without_input_joining_still_says_what_is_wrong(tmp_path: Path) -> None:
    joiner = Gone()
    with trio.fail_after(20):
        got, _host = await _hosted(tmp_path, Access.CODE, joiner, code="acorn-acorn-acorn")
    assert got == 7
    found = stopped(joiner)
    assert isinstance(found, JoinProblem)
    assert found.problem is Problem.CODE_WRONG


async def test_without_input_a_joiner_comes_and_goes(tmp_path: Path) -> None:
    joiner = Gone()
    with trio.fail_after(20):
        got, _host = await _hosted(tmp_path, Access.OPEN, joiner)
    assert got == 0


async def test_without_input_a_host_says_where_it_was_and_goes(tmp_path: Path) -> None:
    face = Gone()
    with trio.fail_after(20):
        assert await play_table(options(tmp_path, 0), face) == 0
    assert face.opened.port > 0

"""trio beside asyncio: values, errors, cancellations and signals get through, whoever they come from."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest
import trio
import trio.testing

from sorry_lan.app import guest as guest_module
from sorry_lan.app.guest import Guest

TOP = Path(__file__).parents[2]


def nothing() -> None:
    pass


@pytest.fixture(autouse=True)
def _own_signals() -> Iterator[None]:
    """A guest leaves the process with its signals ignored, as befits its end; the tests go on."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


def test_a_trio_program_runs_to_its_value() -> None:
    async def main() -> int:
        await trio.lowlevel.checkpoint()
        return 7

    with Guest(nothing) as guest:
        assert guest.run(main) == 7


def test_an_error_of_the_trio_program_comes_out_as_it_was() -> None:
    async def main() -> NoReturn:
        raise ZeroDivisionError

    with Guest(nothing) as guest, pytest.raises(ZeroDivisionError):
        guest.run(main)


def test_a_coroutine_of_the_host_hands_its_value_to_trio() -> None:
    async def answer() -> str:
        await asyncio.sleep(0)
        return "from asyncio"

    with Guest(nothing) as guest:
        assert guest.run(lambda: guest.on_host(answer)) == "from asyncio"


@pytest.mark.parametrize("kind", [ZeroDivisionError, KeyboardInterrupt, SystemExit, GeneratorExit])
def test_whatever_a_coroutine_of_the_host_raises_is_raised_in_trio(kind: type[BaseException]) -> None:
    seen: list[BaseException] = []

    async def fails() -> NoReturn:
        raise kind

    with Guest(nothing) as guest:

        async def main() -> None:
            try:
                await guest.on_host(fails)
            except BaseException as error:  # noqa: BLE001 - the kinds are the point
                seen.append(error)

        guest.run(main)
    assert [type(error) for error in seen] == [kind]


def test_cancelling_in_trio_reaches_the_host_and_waits_for_it() -> None:
    steps: list[str] = []

    async def tidy() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            steps.append("cancelled")
            await asyncio.sleep(0)
            steps.append("tidied")

    with Guest(nothing) as guest:

        async def main() -> None:
            with trio.CancelScope() as scope:
                scope.cancel()
                await guest.on_host(tidy)
            steps.append("on")

        guest.run(main)
    assert steps == ["cancelled", "tidied", "on"]


def test_an_error_while_being_cancelled_is_not_lost() -> None:
    async def fails() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise ZeroDivisionError

    with Guest(nothing) as guest:

        async def main() -> None:
            with trio.CancelScope() as scope:
                scope.cancel()
                await guest.on_host(fails)

        with pytest.raises(ZeroDivisionError):
            guest.run(main)


def test_work_that_ends_well_although_it_was_cancelled_still_ends_the_scope() -> None:
    async def stubborn() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "done anyway"
        raise AssertionError

    with Guest(nothing) as guest:

        async def main() -> bool:
            with trio.CancelScope() as scope:
                scope.cancel()
                await guest.on_host(stubborn)
            return scope.cancelled_caught

        assert guest.run(main)


def test_a_task_that_the_host_cancels_is_an_error_in_trio() -> None:
    async def gives_up() -> None:
        raise asyncio.CancelledError

    with Guest(nothing) as guest:

        async def main() -> None:
            with pytest.raises(RuntimeError, match="cancelled"):
                await guest.on_host(gives_up)

        guest.run(main)


def test_a_cancelled_host_waits_for_trio_and_tells_it_as_an_interrupt() -> None:
    async def cancel_the_host() -> None:
        for task in asyncio.all_tasks():
            if task is not asyncio.current_task():
                task.cancel()

    with Guest(nothing) as guest:

        async def main() -> signal.Signals:
            await guest.on_host(cancel_the_host)
            return await anext(guest)

        assert guest.run(main) is signal.SIGINT


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_is_heard_in_trio_and_raises_nothing(number: signal.Signals) -> None:
    with Guest(nothing) as guest:

        async def main() -> signal.Signals:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(trio.to_thread.run_sync, os.kill, os.getpid(), number)
                return await anext(guest)

        assert guest.run(main) is number


def test_a_signal_before_the_loop_and_one_before_anybody_listens_are_kept_in_order() -> None:
    with Guest(nothing) as guest:
        signal.raise_signal(signal.SIGTERM)

        async def main() -> list[signal.Signals]:
            signal.raise_signal(signal.SIGINT)
            await trio.lowlevel.checkpoint()
            return [await anext(guest), await anext(guest)]

        assert guest.run(main) == [signal.SIGTERM, signal.SIGINT]


def test_signals_after_the_end_of_trio_do_no_harm() -> None:
    with Guest(nothing) as guest:
        guest.interrupt()

        async def main() -> None:
            await anext(guest)

        guest.run(main)
        signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_what_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with Guest(nothing):
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


def test_five_signals_that_nobody_takes_end_the_process_with_the_terminal_put_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended: list[object] = []
    monkeypatch.setattr(guest_module.os, "_exit", ended.append)
    with Guest(lambda: ended.append("in order")):
        for _ in range(4):
            signal.raise_signal(signal.SIGINT)
        assert ended == []
        signal.raise_signal(signal.SIGINT)
        assert ended == ["in order", 130]


def test_virtual_time_works_for_a_guest() -> None:
    async def main() -> float:
        await trio.sleep(3600)
        return trio.current_time()

    with Guest(nothing) as guest:
        assert guest.run(main, clock=trio.testing.MockClock(autojump_threshold=0)) == 3600


def test_callbacks_of_the_host_may_wake_trio_and_ask_it_for_the_time() -> None:
    with Guest(nothing) as guest:

        async def main() -> float:
            woken = trio.Event()
            times: list[float] = []

            async def call_back() -> None:
                def called() -> None:
                    times.append(trio.current_time())
                    woken.set()

                asyncio.get_running_loop().call_soon(called)

            await guest.on_host(call_back)
            await woken.wait()
            return times[0]

        assert guest.run(main, clock=trio.testing.MockClock()) == 0


def test_neither_asyncio_nor_the_terminal_library_is_loaded_for_text_and_json(tmp_path: Path) -> None:
    lines = """
import sys
from sorry_lan.cli.main import main
code = main(["play", "--name", "Ada", "--bots", "1", "--plain", "--identity", sys.argv[1]])
print(code, sorted({"asyncio", "prompt_toolkit"} & set(sys.modules)))
"""
    command = [sys.executable, "-c", lines, str(tmp_path)]
    done = subprocess.run(command, input="", capture_output=True, text=True, cwd=TOP, timeout=60, check=True)
    assert done.stdout.splitlines()[-1] == "0 []"

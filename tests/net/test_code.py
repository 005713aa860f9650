# ruff: noqa: ARG001 - a clock among the arguments makes time virtual; nothing is asked of it
from __future__ import annotations

import pytest
import trio
import trio.testing

from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.net.code import Exchange, Side, check_element, confirmation, fresh_code, plain_code
from sorry_lan.wire.words import WORDS
from tests.net.build import CODE, keeper

pytestmark = pytest.mark.usefixtures("inline_threads")


def test_a_fresh_code_is_three_words_of_the_list() -> None:
    assert fresh_code(bytes((0, 255, 7))) == f"{WORDS[0]}-{WORDS[255]}-{WORDS[7]}"
    with pytest.raises(LocalMisuse):
        fresh_code(b"xx")


@pytest.mark.parametrize("typed", ["maple-lamp-tulip", " Maple  LAMP tulip ", "maple lamp-tulip", "MAPLE-LAMP-TULIP\n"])
def test_a_code_may_be_typed_in_many_ways(typed: str) -> None:
    assert plain_code(typed) == CODE


def keys(one: str, other: str) -> tuple[bytes, bytes]:
    client, server = Exchange(Side.CLIENT, one), Exchange(Side.SERVER, other)
    first, second = client.start(), server.start()
    return client.finish(second), server.finish(first)


def test_equal_codes_make_equal_keys_and_different_ones_do_not() -> None:
    mine, theirs = keys(CODE, CODE)
    assert mine == theirs
    mine, theirs = keys(CODE, "x-y-z")
    assert mine != theirs


def test_a_code_of_any_text_can_be_tried() -> None:
    assert len(Exchange(Side.CLIENT, "\udc80ü").start()) == 33


def test_confirmations_depend_on_role_key_and_transcript() -> None:
    all_of_them = {confirmation(key, side, seen) for key in (b"k", b"l") for side in Side for seen in (b"t", b"u")}
    assert len(all_of_them) == 8
    assert {len(one) for one in all_of_them} == {32}


@pytest.mark.parametrize("element", [b"", b"B", b"A" + b"\x09" + bytes(31), b"B" + bytes(32), b"B" + b"\xff" * 32])
def test_an_element_must_be_the_other_sides_and_an_honest_point(element: bytes) -> None:
    with pytest.raises(RemoteFault) as caught:
        check_element(element, b"B")
    assert caught.value.code is Err.SCHEMA


def test_ones_own_element_sent_back_is_refused() -> None:
    exchange = Exchange(Side.CLIENT, CODE)
    with pytest.raises(RemoteFault):
        exchange.finish(b"B" + exchange.start()[1:])


def test_a_point_outside_the_group_is_refused() -> None:
    exchange = Exchange(Side.CLIENT, CODE)
    exchange.start()
    outside = next(
        b"B" + y.to_bytes(32, "little") for y in range(2, 100) if _finish_fails(b"B" + y.to_bytes(32, "little"))
    )
    with pytest.raises(RemoteFault):
        exchange.finish(outside)


def _finish_fails(element: bytes) -> bool:
    exchange = Exchange(Side.CLIENT, CODE)
    exchange.start()
    try:
        exchange.finish(element)
    except RemoteFault:
        return True
    return False


async def test_two_attempts_a_second_are_let_through(autojump_clock: trio.testing.MockClock) -> None:
    guard, _ = keeper()
    times: list[float] = []

    async def attempt() -> None:
        await guard.begin()
        times.append(trio.current_time())

    start_s = trio.current_time()
    async with trio.open_nursery() as nursery:
        for _ in range(5):
            nursery.start_soon(attempt)
    assert [round(time - start_s, 3) for time in times] == [0, 0.5, 1.0, 1.5, 2.0]


async def test_whoever_hangs_up_while_waiting_costs_nobody_time(autojump_clock: trio.testing.MockClock) -> None:
    guard, _ = keeper()
    await guard.begin()
    start_s = trio.current_time()
    for _ in range(20):
        with trio.move_on_after(0.001):
            await guard.begin()
    await guard.begin()
    assert trio.current_time() - start_s <= 0.51


async def test_a_guess_of_a_replaced_code_does_not_count(autojump_clock: trio.testing.MockClock) -> None:
    guard, changes = keeper()
    attempts = [await guard.begin() for _ in range(6)]
    for attempt in attempts[:5]:
        with pytest.raises(RemoteFault):
            guard.judge(attempt, lambda: False)
    assert changes == ["fresh-code-0"]
    with pytest.raises(RemoteFault, match="used up"):
        guard.judge(attempts[5], lambda: True)
    with pytest.raises(RemoteFault, match="used up"):
        await guard.begin()


async def test_whoever_waits_while_the_code_is_used_up_is_refused(autojump_clock: trio.testing.MockClock) -> None:
    guard, _ = keeper()
    attempts = [await guard.begin() for _ in range(5)]
    refused: list[RemoteFault] = []

    async def late() -> None:
        with pytest.raises(RemoteFault) as caught:
            await guard.begin()
        refused.append(caught.value)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(late)
        await trio.testing.wait_all_tasks_blocked()
        for attempt in attempts:
            with pytest.raises(RemoteFault):
                guard.judge(attempt, lambda: False)
    assert [fault.code for fault in refused] == [Err.JOIN_CODE]


async def test_right_confirmations_use_nothing_up(autojump_clock: trio.testing.MockClock) -> None:
    guard, changes = keeper()
    for _ in range(10):
        guard.judge(await guard.begin(), lambda: True)
    assert changes == []
    assert guard.code == CODE

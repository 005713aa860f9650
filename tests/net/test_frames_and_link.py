# ruff: noqa: ARG001, ARG002 - a clock among the arguments makes time virtual; nothing is asked of it
from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
import trio
import trio.testing

from sorry_lan.faults import Err, RemoteFault
from sorry_lan.net.frames import Wire, close_bounded
from sorry_lan.net.handshake import LinkLost
from sorry_lan.net.link import Link
from sorry_lan.table.events import Direction, LinkPeer
from sorry_lan.wire import limits
from sorry_lan.wire.codec import decode_message, encode_message
from sorry_lan.wire.frames import frame
from sorry_lan.wire.messages import Bye, Intent, Ping
from tests.net.build import memory_wires

PEER = LinkPeer(bytes(32), "Bob", bytes(16), 1, Intent.LOBBY, None, "192.0.2.9", None, Direction.INCOMING)


class Ends:
    """A link over memory, what it delivers, and the raw other end."""

    def __init__(self) -> None:
        mine, self.other = memory_wires()
        mine.trust()
        self.other.trust()
        self.link = Link(1, mine, PEER)
        self.got: list[bytes] = []
        self.ended: list[Err | None] = []

    async def deliver(self, payload: bytes) -> None:
        await trio.lowlevel.checkpoint()
        self.got.append(payload)

    async def run(self) -> None:
        self.ended.append(await self.link.run(self.deliver))

    async def during(self, script: Callable[[], Awaitable[None]]) -> Err | None:
        """Run the link beside `script`; why it ended."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.run)
            await script()
        return self.ended[0]


async def test_frames_arrive_in_order_both_ways(autojump_clock: trio.testing.MockClock) -> None:
    ends = Ends()
    heard: list[bytes] = []

    async def script() -> None:
        for n in range(5):
            ends.link.send(bytes([n + 1]))
        heard.extend([await ends.other.receive() for _ in range(5)])
        await ends.other.send_bytes(b"".join(frame(bytes([n + 1])) for n in range(5)))
        await trio.testing.wait_all_tasks_blocked()
        await ends.other.send(encode_message(Bye(0, "")))
        await ends.other.part(None)

    assert await ends.during(script) is Err.GOODBYE
    assert heard == ends.got == [bytes([n + 1]) for n in range(5)]


async def test_frames_of_one_flush_leave_in_one_send(autojump_clock: trio.testing.MockClock) -> None:
    ends = Ends()

    async def script() -> None:
        await trio.testing.wait_all_tasks_blocked()
        for _ in range(10):
            ends.link.send(b"x" * 100)
        assert len(await ends.other.stream.receive_some(65_536)) == 10 * 104
        await ends.other.part(None)

    await ends.during(script)


@pytest.mark.spec("W-13")
async def test_a_whole_sized_frame_passes_after_auth_and_not_before() -> None:
    for trusted in (True, False):
        mine, other = memory_wires()
        if trusted:
            mine.trust()
        await other.send(bytes(limits.MAX_FRAME_BEFORE_AUTH + 1))
        if trusted:
            assert len(await mine.receive()) == limits.MAX_FRAME_BEFORE_AUTH + 1
        else:
            with pytest.raises(RemoteFault):
                await mine.receive()


@pytest.mark.spec("H-12")
async def test_a_silent_link_is_dead_after_three_seconds(autojump_clock: trio.testing.MockClock) -> None:
    ends = Ends()
    start_s = trio.current_time()

    async def script() -> None:
        await ends.other.drain()
        assert 2.9 < trio.current_time() - start_s < 5.1
        await ends.other.part(None)

    assert await ends.during(script) is Err.TIMEOUT


class Deaf(trio.abc.Stream):
    """The other end is cut off: nothing comes, nothing leaves, and closing in good order never ends."""

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await trio.sleep_forever()

    async def wait_send_all_might_not_block(self) -> None:
        await trio.sleep_forever()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        await trio.sleep_forever()
        raise AssertionError

    async def aclose(self) -> None:
        await trio.sleep_forever()


@pytest.mark.spec("H-12")
async def test_a_link_that_is_cut_is_told_of_within_three_and_a_half_seconds(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def nothing(_payload: bytes) -> None:
        await trio.lowlevel.checkpoint()

    start_s = trio.current_time()
    assert await Link(1, Wire(Deaf(), bytes(32)), PEER).run(nothing) is Err.TIMEOUT
    assert 3.0 <= trio.current_time() - start_s <= 3.3


@pytest.mark.spec("H-11")
async def test_a_started_frame_has_ten_seconds_however_it_trickles(autojump_clock: trio.testing.MockClock) -> None:
    ends = Ends()
    start_s = trio.current_time()

    async def script() -> None:
        with trio.move_on_after(60), suppress(trio.BrokenResourceError):
            for byte in frame(bytes(60)):
                await ends.other.stream.send_all(bytes([byte]))
                await trio.sleep(1)
        assert 9 < trio.current_time() - start_s < 14
        await ends.other.part(None)

    assert await ends.during(script) is Err.TIMEOUT
    assert ends.got == []


async def test_bytes_keep_a_link_alive_only_as_frames(autojump_clock: trio.testing.MockClock) -> None:
    ends = Ends()

    async def script() -> None:
        for _ in range(8):
            await ends.other.send(encode_message(Ping(1)))
            await trio.sleep(2.5)
        assert not ends.ended
        await ends.other.part(None)

    assert await ends.during(script) is None
    assert len(ends.got) == 8


async def test_a_link_with_nothing_to_say_pings(autojump_clock: trio.testing.MockClock) -> None:
    ends = Ends()

    async def script() -> None:
        for _ in range(3):
            start_s = trio.current_time()
            assert decode_message(await ends.other.receive()) == Ping(0)
            assert trio.current_time() - start_s < 1.5
            await ends.other.send(b"\x01")
        await ends.other.part(None)

    await ends.during(script)


async def test_closing_sends_what_is_queued_and_then_says_why(autojump_clock: trio.testing.MockClock) -> None:
    ends = Ends()

    async def script() -> None:
        ends.link.send(b"\x07")
        ends.link.close(Err.REMOVED, "sorry")
        ends.link.close(Err.RATE, "too late to be the reason")
        ends.link.send(b"\x08")
        assert ends.link.closing
        assert await ends.other.receive() == b"\x07"
        assert decode_message(await ends.other.receive()) == Bye(25, "sorry")
        await ends.other.send(b"\x09")
        await ends.other.part(None)

    assert await ends.during(script) is Err.REMOVED
    assert ends.got == []


async def test_closing_takes_two_seconds_at_most_whatever_the_other_end_does(
    autojump_clock: trio.testing.MockClock,
) -> None:
    ends = Ends()
    start_s = trio.current_time()

    async def script() -> None:
        ends.link.close(Err.RATE, "")

    assert await ends.during(script) is Err.RATE
    assert trio.current_time() - start_s <= 2.01


async def test_a_bad_frame_is_answered_with_its_number(autojump_clock: trio.testing.MockClock) -> None:
    ends = Ends()

    async def script() -> None:
        await ends.other.stream.send_all(b"\x7f\xff\xff\xff" + bytes(1000))
        assert decode_message(await ends.other.receive()) == Bye(1, "")
        await ends.other.part(None)

    assert await ends.during(script) is Err.BAD_FRAME


async def test_a_flood_of_cheap_frames_is_read_at_a_bounded_pace(autojump_clock: trio.testing.MockClock) -> None:
    ends = Ends()
    ping = frame(encode_message(Ping(1)))

    async def script() -> None:
        await ends.other.stream.send_all(ping * 7000)
        await trio.sleep(1)
        assert len(ends.got) < 4096 + 2500
        await trio.sleep(1)
        assert len(ends.got) == 7000
        ends.link.close(Err.GOODBYE, "")
        await ends.other.drain()
        await ends.other.part(None)

    await ends.during(script)


async def test_an_end_that_was_refused_sees_the_end_at_once_though_it_may_still_talk(
    autojump_clock: trio.testing.MockClock,
) -> None:
    ends = Ends()

    async def script() -> None:
        await ends.other.stream.send_all(b"\x7f\xff\xff\xff")
        await ends.other.receive()
        with pytest.raises(LinkLost):
            await ends.other.receive()
        assert trio.current_time() == began
        await ends.other.stream.send_all(b"more")
        await ends.other.part(None)

    began = trio.current_time()
    assert await ends.during(script) is Err.BAD_FRAME


async def test_parting_ends_our_half_at_once(autojump_clock: trio.testing.MockClock) -> None:
    mine, other = memory_wires()
    began = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(mine.part, Bye(1, ""))
        await other.receive()
        with pytest.raises(LinkLost):
            await other.receive()
        assert trio.current_time() == began


@pytest.mark.parametrize(
    ("payload", "code"), [(encode_message(Bye(99, "")), None), (b"\x93\x05\xc1", Err.NOT_CANONICAL)]
)
async def test_a_strange_bye_ends_the_link_too(
    autojump_clock: trio.testing.MockClock, payload: bytes, code: Err | None
) -> None:
    ends = Ends()

    async def script() -> None:
        await ends.other.send(payload)
        await ends.other.drain()
        await ends.other.part(None)

    assert await ends.during(script) is code


async def test_a_link_that_breaks_has_no_reason(autojump_clock: trio.testing.MockClock) -> None:
    ends = Ends()

    async def script() -> None:
        await close_bounded(ends.other.stream)

    assert await ends.during(script) is None


class Stuck(trio.abc.Stream):
    """A stream whose other end never reads, though it may write."""

    def __init__(self, inner: trio.abc.Stream) -> None:
        self.inner = inner
        self.sends = 0

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self.sends += 1
        await trio.sleep_forever()

    async def wait_send_all_might_not_block(self) -> None:
        await trio.sleep_forever()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self.inner.receive_some(max_bytes)

    async def aclose(self) -> None:
        await self.inner.aclose()


@pytest.mark.spec("H-23")
@pytest.mark.parametrize("size", [1, 10_000])
async def test_a_reader_too_slow_is_dropped_and_nobody_waits(autojump_clock: trio.testing.MockClock, size: int) -> None:
    ends = Ends()
    mine, other = memory_wires()
    ends.other = other
    ends.link = Link(1, Wire(Stuck(mine.stream), bytes(32)), PEER)
    queued = 0

    async def script() -> None:
        nonlocal queued
        start_s = trio.current_time()
        while not ends.link.closing:
            ends.link.send(bytes(size))
            queued += 1
            assert queued <= 2 * limits.QUEUE_FRAMES
        assert trio.current_time() == start_s
        await other.part(None)

    assert await ends.during(script) is Err.QUEUE_OVERFLOW
    assert queued == min(limits.QUEUE_FRAMES, limits.QUEUE_BYTES // (size + 4)) + 1


async def test_what_is_on_its_way_still_counts_as_queued(autojump_clock: trio.testing.MockClock) -> None:
    """A batch handed to a stuck stream must not make room for another full queue, again and again."""
    ends = Ends()
    mine, other = memory_wires()
    ends.link = Link(1, Wire(Stuck(mine.stream), bytes(32)), PEER)
    waiting = 0

    async def script() -> None:
        nonlocal waiting
        for _ in range(2 * limits.QUEUE_FRAMES):
            ends.link.send(bytes(100))
            await trio.lowlevel.checkpoint()
            waiting += not ends.link.closing
        await other.part(None)

    await ends.during(script)
    assert waiting <= limits.QUEUE_FRAMES


async def test_sending_into_a_broken_stream_is_the_end_of_the_link(autojump_clock: trio.testing.MockClock) -> None:
    ends = Ends()

    class Broken(Stuck):
        async def send_all(self, data: bytes | bytearray | memoryview) -> None:
            await trio.lowlevel.checkpoint()
            raise trio.BrokenResourceError

    mine, other = memory_wires()
    ends.link = Link(1, Wire(Broken(mine.stream), bytes(32)), PEER)

    async def script() -> None:
        ends.link.send(b"x")
        await trio.testing.wait_all_tasks_blocked()
        await other.part(None)

    assert await ends.during(script) is None


@pytest.mark.parametrize("end", ["reads", "ends its half"])
async def test_a_record_that_tls_answers_while_our_half_ends_ends_no_more_than_this_link(
    autojump_clock: trio.testing.MockClock, end: str
) -> None:
    ends = Ends()

    class Answering(Stuck, trio.abc.HalfCloseableStream):
        """The other end's wish for new keys crosses our end: both would send at once."""

        async def send_all(self, data: bytes | bytearray | memoryview) -> None:
            await self.inner.send_all(data)

        async def send_eof(self) -> None:
            await trio.lowlevel.checkpoint()
            if end == "ends its half":
                raise trio.BusyResourceError

        async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
            if end == "reads":
                await trio.lowlevel.checkpoint()
                raise trio.BusyResourceError
            return await super().receive_some(max_bytes)

    mine, other = memory_wires()
    ends.link = Link(1, Wire(Answering(mine.stream), bytes(32)), PEER)

    async def script() -> None:
        ends.link.close(Err.RATE, "")
        await trio.testing.wait_all_tasks_blocked()
        await other.part(None)

    assert await ends.during(script) is Err.RATE


async def test_parting_from_a_broken_stream_is_quiet() -> None:
    mine, other = memory_wires()
    await close_bounded(other.stream)
    await mine.part(Bye(0, ""))
    with pytest.raises(LinkLost):
        await mine.send(b"x")
    with pytest.raises(LinkLost):
        await mine.receive()

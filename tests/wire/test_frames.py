"""Frames: the same payloads wherever the stream is cut, and lengths judged before bodies come ([W-13])."""

from __future__ import annotations

import time
import tracemalloc
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.wire import limits
from sorry_lan.wire.codec import decode_message
from sorry_lan.wire.frames import FrameReader, frame

payload_lists = st.lists(st.binary(min_size=1, max_size=40), max_size=8)


def test_a_frame_is_its_length_and_its_payload() -> None:
    assert frame(b"abc") == b"\x00\x00\x00\x03abc"
    assert frame(b"a" * limits.MAX_FRAME)[:4] == b"\x00\x01\x00\x00"


@pytest.mark.parametrize("payload", [b"", b"a" * (limits.MAX_FRAME + 1)])
def test_an_empty_or_oversized_frame_of_ours_is_a_bug(payload: bytes) -> None:
    with pytest.raises(LocalMisuse):
        frame(payload)


@given(payload_lists, st.data())
def test_any_cutting_of_the_stream_gives_the_same_payloads(payloads: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(map(frame, payloads))
    cuts = data.draw(st.lists(st.integers(0, len(stream)), max_size=10).map(sorted))
    reader = FrameReader()
    found = [got for start, end in pairwise([0, *cuts, len(stream)]) for got in reader.feed(stream[start:end])]
    assert found == payloads
    assert not reader.pending


def test_every_single_cut_and_byte_by_byte_give_the_same_payloads() -> None:
    payloads = [b"a", b"bc", b"d" * 9]
    stream = b"".join(map(frame, payloads))
    for cut in range(len(stream) + 1):
        reader = FrameReader()
        assert reader.feed(stream[:cut]) + reader.feed(stream[cut:]) == payloads
    reader = FrameReader()
    assert [got for byte in stream for got in reader.feed(bytes((byte,)))] == payloads


def test_it_is_pending_exactly_while_a_frame_has_begun() -> None:
    reader = FrameReader()
    seen = [reader.pending]
    for byte in frame(b"ab"):
        reader.feed(bytes((byte,)))
        seen.append(reader.pending)
    assert seen == [False, True, True, True, True, True, False]


@pytest.mark.parametrize("length", [0, 2049, 65_536, 2**31 - 1, 2**31, 2**32 - 1])
def test_a_bad_length_is_refused_before_its_body(length: int) -> None:
    reader = FrameReader(limits.MAX_FRAME_BEFORE_AUTH)
    header = length.to_bytes(4, "big")
    assert reader.feed(header[:3]) == []
    with pytest.raises(RemoteFault) as caught:
        reader.feed(header[3:])
    assert caught.value.code is Err.BAD_FRAME


def test_a_stream_once_refused_stays_refused() -> None:
    reader = FrameReader()
    for data in (b"\xff\xff\xff\xff", frame(b"fine")):
        with pytest.raises(RemoteFault):
            reader.feed(data)


@pytest.mark.parametrize("limit", [limits.MAX_FRAME_BEFORE_AUTH, limits.MAX_FRAME])
def test_a_frame_at_the_limit_passes_and_one_more_byte_does_not(limit: int) -> None:
    assert FrameReader(limit).feed(frame(b"a" * limit)) == [b"a" * limit]
    with pytest.raises(RemoteFault):
        FrameReader(limit).feed((limit + 1).to_bytes(4, "big"))


def test_a_raised_limit_counts_for_the_next_frame_of_the_same_chunk() -> None:
    reader = FrameReader(limits.MAX_FRAME_BEFORE_AUTH)
    reader.push(frame(b"auth") + frame(b"t" * 4000))
    assert reader.pull() == b"auth"
    assert reader.pending
    reader.limit = limits.MAX_FRAME
    assert reader.pull() == b"t" * 4000
    assert reader.pull() is None
    assert not reader.pending


def test_frames_before_a_bad_length_can_be_pulled() -> None:
    reader = FrameReader()
    reader.push(frame(b"good") + bytes(4))
    assert reader.pull() == b"good"
    with pytest.raises(RemoteFault):
        reader.pull()


def spent_s(chunks: list[bytes]) -> float:
    reader = FrameReader()
    begun = time.process_time()
    for chunk in chunks:
        reader.feed(chunk)
    return time.process_time() - begun


@pytest.mark.parametrize("kind", ["bytewise", "tiny frames"])
def test_four_times_the_bytes_cost_about_four_times_the_time(kind: str) -> None:
    def chunks(size: int) -> list[bytes]:
        if kind == "bytewise":
            return [bytes((byte,)) for byte in frame(b"a" * size)]
        return [frame(b"a") * (size // 5 * 4)]

    # Quadratic buffering would make it sixteen times. The best of five, so that a busy machine does not matter.
    small = min(spent_s(chunks(16_000)) for _ in range(5))
    large = min(spent_s(chunks(64_000)) for _ in range(5))
    assert large < 10 * small


def test_a_hundred_bombs_in_a_row_leave_no_memory_behind() -> None:
    arrays, deep, long = b"\xdc\x00\x40" * 21_000, b"\x91" * 60_000, b"\x93\x07\x00\xda\xff\xff" + bytes(60_000)
    bombs = (arrays, deep, long, b"\xdd\x7f\xff\xff\xff")

    def swallow(bomb: bytes) -> None:
        for payload in FrameReader(limits.MAX_FRAME).feed(frame(bomb)):
            with pytest.raises(RemoteFault):
                decode_message(payload)

    swallow(bombs[0])
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for turn in range(100):
            swallow(bombs[turn % len(bombs)])
        after, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 65_536
    assert peak - before < 2 * 1024 * 1024

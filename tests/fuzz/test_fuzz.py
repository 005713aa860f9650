"""The corpus and a first handful of its mutations in every run; what one frame may cost."""

from __future__ import annotations

import time
import tracemalloc
from contextlib import suppress

import pytest

from sorry_lan.faults import RemoteFault
from sorry_lan.wire.codec import decode_message
from tests.fuzz.__main__ import main
from tests.fuzz.corpus import seeds
from tests.fuzz.mutate import Mutator
from tests.fuzz.targets import TARGETS, EscapeError, tried
from tests.fuzz.work import work

BOMBS = {
    "nested arrays": b"\xdc\x00\x40" * 21_845,
    "arrays side by side": b"\xdc\x00\x40" + b"\x90" * 65_533,
    "numbers": b"\xdc\x00\x40" + b"\xce\x7f\xff\xff\xff" * 13_106,
    "empty strings": b"\x9f" + b"\xa0" * 65_535,
    "one blob": b"\xc5\xc0\x00" + bytes(49_152),
    "a blob that is cut": b"\xc5\xc0\x00" + bytes(100),
    "a chat of nothing but text": b"\x93\x07\x00\xda\xff\xf0" + b"a" * 65_520,
    "full arrays of full arrays": (b"\xdc\x00\x20" + (b"\xdc\x00\x40" + b"\x01" * 64) * 32).ljust(65_536, b"\x00"),
}
"""Frames of up to 64 KiB that mean to cost more than they bring."""


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_in_the_corpus_escapes(name: str) -> None:
    through = sum(tried(TARGETS[name], data) for data in seeds(name))
    assert through


@pytest.mark.parametrize("name", TARGETS)
def test_no_mutation_escapes(name: str) -> None:
    count = 150 if name == "transcript" else 1500
    assert work((name, 1, count))[3] == ""


def test_the_same_seed_gives_the_same_bytes() -> None:
    one, other = Mutator(seeds("codec"), 5), Mutator(seeds("codec"), 5)
    assert [one.next() for _ in range(50)] == [other.next() for _ in range(50)]
    assert Mutator(seeds("codec"), 6).next() != Mutator(seeds("codec"), 5).next()


def test_an_escape_is_told_with_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(data: bytes) -> None:
        if len(data) % 7 == 3:
            raise IndexError("out of range")

    monkeypatch.setitem(TARGETS, "codec", careless)
    _, tries, _, wrong = work(("codec", 0, 1000))
    assert tries < 1000
    assert wrong.startswith("IndexError: out of range with ")
    assert len(bytes.fromhex(wrong.rpartition(" ")[2])) % 7 == 3


def test_a_second_encoding_of_a_value_is_an_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.targets.decode", lambda _: 5)
    with pytest.raises(EscapeError):
        tried(TARGETS["codec"], b"\xcc\x05")


def test_the_corpus_is_replayed_by_a_command_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--target", "body"]) == 0
    assert "body" in capsys.readouterr().out


@pytest.mark.parametrize("name", BOMBS)
def test_a_frame_of_64_kib_costs_5_ms_and_1_mib_at_most(name: str) -> None:
    data = BOMBS[name]
    assert len(data) <= 65_536

    def read() -> None:
        with suppress(RemoteFault):
            decode_message(data)

    read()
    tracemalloc.start()
    read()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1024 * 1024
    took = []
    for _ in range(7):
        began = time.process_time()
        read()
        took.append(time.process_time() - began)
    assert min(took) < 0.005

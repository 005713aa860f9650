"""Chains: each share opens exactly its step, against a second writing of the formulas ([F-1] to [F-4])."""

from __future__ import annotations

import hashlib
import hmac
import tracemalloc

import pytest

from sorry_lan.fair.chain import Chain, opens
from sorry_lan.faults import LocalMisuse
from sorry_lan.wire import limits

ROOT, PK, NONCE = b"\x01" * 32, b"\x02" * 32, b"\x03" * 32
CHAIN = Chain(ROOT, PK, NONCE)
LAST = limits.CHAIN_LENGTH - 1


def plain_links() -> list[bytes]:
    """x[0] to x[4096], written out with hashlib alone."""
    tag = b"sorry-lan/1\x00"
    values = [hmac.new(ROOT, (tag + b"seed").ljust(32, b"\x00") + NONCE, hashlib.sha256).digest()]
    for j in reversed(range(4096)):
        text = (tag + b"chain").ljust(32, b"\x00") + PK + NONCE + j.to_bytes(4, "big") + values[0]
        values.insert(0, hashlib.sha256(text).digest())
    return values


LINKS = plain_links()


def test_the_anchor_and_every_share_follow_the_formula() -> None:
    assert CHAIN.anchor == LINKS[0]
    assert [CHAIN.share(k) for k in range(4096)] == LINKS[1:]


def test_each_share_opens_its_step_and_no_other() -> None:
    for k in (0, 1, 62, 63, 64, 65, 2000, LAST):
        assert opens(PK, NONCE, k, LINKS[k + 1], LINKS[k])
        assert not opens(PK, NONCE, k + 1, LINKS[k + 1], LINKS[k])
        assert not opens(PK, NONCE, k, LINKS[k + 1], LINKS[k - 1])
        assert not opens(PK, NONCE, k, LINKS[k], LINKS[k])


@pytest.mark.parametrize("share", [LINKS[7], LINKS[9], LINKS[0], bytes(32), LINKS[8][:31], LINKS[8] + b"\x00", b""])
def test_a_wrong_earlier_later_or_random_share_opens_nothing(share: bytes) -> None:
    assert opens(PK, NONCE, 7, LINKS[8], LINKS[7])
    assert not opens(PK, NONCE, 7, share, LINKS[7])


@pytest.mark.parametrize("k", [-1, limits.CHAIN_LENGTH, 2**32, 2**63 - 1])
def test_a_step_outside_the_chain_is_opened_by_nothing(k: int) -> None:
    assert not opens(PK, NONCE, k, LINKS[1], LINKS[0])


def test_a_copied_anchor_cannot_be_opened_by_the_copier() -> None:
    # Seat B puts A's anchor and even A's nonce on its line: A's shares hash differently under B's key.
    assert not opens(b"\x04" * 32, NONCE, 0, CHAIN.share(0), CHAIN.anchor)
    assert not opens(PK, b"\x05" * 32, 0, CHAIN.share(0), CHAIN.anchor)


def test_chains_of_two_tables_have_no_link_in_common() -> None:
    other = Chain(ROOT, PK, b"\x04" * 32)
    assert not {other.share(k) for k in range(4096)} & set(LINKS)


@pytest.mark.parametrize("k", [-1, limits.CHAIN_LENGTH])
def test_a_share_outside_the_chain_is_a_bug(k: int) -> None:
    with pytest.raises(LocalMisuse):
        CHAIN.share(k)


@pytest.mark.parametrize("sizes", [(31, 32, 32), (32, 33, 32), (32, 32, 0), (33, 33, 33)])
def test_parts_of_another_size_are_a_bug(sizes: tuple[int, int, int]) -> None:
    with pytest.raises(LocalMisuse):
        Chain(*(bytes(size) for size in sizes))


@pytest.mark.parametrize("length", [1, 8, 63, 64, 65, 130])
def test_a_chain_of_any_length_opens_step_by_step(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CHAIN_LENGTH", length)
    chain = Chain(ROOT, PK, NONCE)
    last = chain.anchor
    for k in range(length):
        share = chain.share(k)
        assert opens(PK, NONCE, k, share, last)
        last = share
    with pytest.raises(LocalMisuse):
        chain.share(length)


def test_a_chain_shows_its_anchor_only() -> None:
    assert repr(CHAIN) == f"Chain({CHAIN.anchor.hex()[:8]})"


def test_a_chain_keeps_a_few_kilobytes() -> None:
    tracemalloc.start()
    try:
        kept = Chain(ROOT, PK, b"\x06" * 32)
        size, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept.anchor
    assert size < 16_384

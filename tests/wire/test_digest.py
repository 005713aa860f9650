"""Tagged hashes and picks, against a second writing of the formulas ([W-1] to [W-3], [F-6])."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorry_lan.faults import LocalMisuse
from sorry_lan.wire import digest
from sorry_lan.wire.digest import pick, sized, tag, tagged_hash, u8, u32


def test_a_tag_is_the_domain_and_the_name_padded_to_32_bytes() -> None:
    assert tag("draw") == b"sorry-lan/1\x00draw" + bytes(16)
    assert len(tag("a" * 20)) == 32


@pytest.mark.parametrize("name", ["", "a" * 21, "é"])
def test_a_tag_that_does_not_fit_is_a_bug(name: str) -> None:
    with pytest.raises(LocalMisuse):
        tag(name)


def test_a_tagged_hash_is_sha256_of_tag_and_parts() -> None:
    assert tagged_hash("head", b"ab", b"c") == sha256(b"sorry-lan/1\x00head" + bytes(16) + b"abc").digest()
    assert tagged_hash("head") != tagged_hash("step")


def test_numbers_have_fixed_widths() -> None:
    assert (u8(0), u8(255)) == (b"\x00", b"\xff")
    assert (u32(0), u32(258), u32(2**32 - 1)) == (bytes(4), b"\x00\x00\x01\x02", b"\xff" * 4)


@pytest.mark.parametrize("number", [-1, 256])
def test_a_number_beyond_a_byte_is_a_bug(number: int) -> None:
    with pytest.raises(LocalMisuse):
        u8(number)


@pytest.mark.parametrize("number", [-1, 2**32])
def test_a_number_beyond_four_bytes_is_a_bug(number: int) -> None:
    with pytest.raises(LocalMisuse):
        u32(number)


def test_a_length_goes_before_what_is_sized() -> None:
    assert sized(b"abc") == b"\x00\x00\x00\x03abc"


def plain_pick(name: str, secret: bytes, ways: int) -> tuple[int, int]:
    """The formula written out: the pick, and how many bytes of the stream it took."""
    stream = b"".join(
        sha256((b"sorry-lan/1\x00" + name.encode()).ljust(32, b"\x00") + secret + n.to_bytes(4, "big")).digest()
        for n in range(40)
    )
    for used, byte in enumerate(stream, 1):
        if byte < 256 - 256 % ways:
            return byte % ways, used
    raise AssertionError("forty blocks of refused bytes")


@given(st.binary(min_size=32, max_size=32), st.integers(1, 256))
def test_a_pick_follows_the_formula(secret: bytes, ways: int) -> None:
    assert pick("card", secret, ways) == plain_pick("card", secret, ways)[0]


def test_picks_pass_over_unfair_bytes() -> None:
    secrets = [n.to_bytes(32, "big") for n in range(3000)]
    taken = [plain_pick("card", secret, 129)[1] for secret in secrets]
    assert sum(used > 1 for used in taken) > 1000
    assert [pick("card", secret, 129) for secret in secrets] == [
        plain_pick("card", secret, 129)[0] for secret in secrets
    ]


def test_blocks_without_a_fair_byte_are_followed_by_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    # No secret that does this can be found: 32 refused bytes in a row come once in 2**32.
    blocks = {u32(0): b"\xff" * 32, u32(1): b"\xfe" * 32, u32(2): b"\x81" * 31 + b"\x80"}
    monkeypatch.setattr(digest, "tagged_hash", lambda *parts: blocks[parts[-1]])
    assert pick("card", bytes(32), 129) == 128


@pytest.mark.parametrize("ways", [0, -1, 257])
def test_a_pick_of_no_ways_or_too_many_is_a_bug(ways: int) -> None:
    with pytest.raises(LocalMisuse):
        pick("card", bytes(32), ways)

"""Keys: signatures hold in one context and one game only, and weak keys are refused although the library takes them."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.wire.keys import (
    NO_GAME,
    Context,
    SecretKey,
    check_public,
    person_key,
    person_root,
    signed_bytes,
    verify,
)

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
GAME = b"\x07" * 32
KEY = SecretKey(b"\x01" * 32)
SIG = KEY.sign(Context.ENTRY, GAME, b"body")
ORDER = 2**252 + 27742317777372353535851937790883648493


def roots(square: int) -> set[int]:
    """Both square roots modulo P, or none."""
    root = pow(square, (P + 3) // 8, P)
    if root * root % P != square % P:
        root = root * pow(2, (P - 1) // 4, P) % P
    return {root, P - root} if root * root % P == square % P else set()


def small_order_y() -> set[int]:
    """Every y of a point whose double, double double or triple double is the neutral point, from the curve equation."""
    # Order 1 and 2: x = 0, y = 1 or -1. Order 4: y = 0. Order 8: the double has y = 0, which is d y^4 + 2 y^2 = 1.
    order8 = set()
    for s in roots(4 + 4 * D):
        order8 |= roots((s - 2) * pow(2 * D, -1, P) % P)
    return {0, 1, P - 1} | order8


def encodings() -> list[bytes]:
    """All 14: each y with both sign bits, and those of y = 0 and y = 1 that are not reduced (y + p < 2**255)."""
    canonical = [y + sign for y in sorted(small_order_y()) for sign in (0, 1 << 255)]
    unreduced = [y + P + sign for y in (0, 1) for sign in (0, 1 << 255)]
    return [number.to_bytes(32, "little") for number in canonical + unreduced]


def test_the_y_of_order_eight_is_the_one_in_the_specification() -> None:
    y8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022
    assert (D * y8**4 + 2 * y8**2) % P == 1
    assert small_order_y() == {0, 1, P - 1, y8, P - y8}


def test_there_are_fourteen_small_order_encodings() -> None:
    assert len(set(encodings())) == 14


@pytest.mark.parametrize("public", encodings(), ids=bytes.hex)
def test_a_small_order_key_is_refused_although_the_library_takes_it(public: bytes) -> None:
    key = Ed25519PublicKey.from_public_bytes(public)
    forged = (1).to_bytes(32, "little") + bytes(32)
    messages = [signed_bytes(Context.ENTRY, GAME, bytes((n,))) for n in range(64)]
    assert any(library_accepts(key, forged, message) for message in messages)
    with pytest.raises(RemoteFault) as caught:
        check_public(public)
    assert caught.value.code is Err.SCHEMA
    assert not any(verify(public, Context.ENTRY, GAME, bytes((n,)), forged) for n in range(64))


def library_accepts(key: Ed25519PublicKey, sig: bytes, message: bytes) -> bool:
    try:
        key.verify(sig, message)
    except InvalidSignature:
        return False
    return True


@pytest.mark.parametrize("y", [P, P + 1, P + 2, P + 18, 2**255 - 1])
@pytest.mark.parametrize("sign", [0, 1 << 255])
def test_an_unreduced_key_is_refused(y: int, sign: int) -> None:
    with pytest.raises(RemoteFault):
        check_public((y + sign).to_bytes(32, "little"))


@pytest.mark.parametrize("public", [b"", bytes(31), bytes(33)])
def test_a_key_of_another_size_is_refused(public: bytes) -> None:
    with pytest.raises(RemoteFault):
        check_public(public)
    assert not verify(public, Context.ENTRY, GAME, b"body", SIG)


def test_ordinary_keys_pass_whatever_their_sign_bit() -> None:
    publics = [SecretKey(bytes((n,)) * 32).public for n in range(16)]
    assert {public[31] >> 7 for public in publics} == {0, 1}
    for public in (*publics, (2).to_bytes(32, "little"), (P - 2).to_bytes(32, "little")):
        check_public(public)


def test_a_key_that_is_no_point_of_the_curve_signs_nothing() -> None:
    off_curve = next(y for y in range(2, 50) if not roots((y * y - 1) * pow(D * y * y + 1, -1, P) % P))
    assert not verify(off_curve.to_bytes(32, "little"), Context.ENTRY, GAME, b"body", SIG)


def test_a_signature_covers_domain_context_game_and_body() -> None:
    message = b"sorry-lan/1\x00\x03" + GAME + b"body"
    assert signed_bytes(Context.ENTRY, GAME, b"body") == message
    Ed25519PublicKey.from_public_bytes(KEY.public).verify(SIG, message)


def test_a_signature_is_the_same_every_time() -> None:
    assert KEY.sign(Context.ENTRY, GAME, b"body") == SIG
    assert SecretKey(b"\x01" * 32).sign(Context.ENTRY, GAME, b"body") == SIG


def test_a_signature_holds_for_its_key_context_game_and_body_only() -> None:
    assert verify(KEY.public, Context.ENTRY, GAME, b"body", SIG)
    assert not verify(SecretKey(b"\x02" * 32).public, Context.ENTRY, GAME, b"body", SIG)
    assert not verify(KEY.public, Context.MINE, GAME, b"body", SIG)
    assert not verify(KEY.public, Context.TABLE, NO_GAME, b"body", SIG)
    assert not verify(KEY.public, Context.ENTRY, b"\x08" * 32, b"body", SIG)
    assert not verify(KEY.public, Context.ENTRY, GAME, b"Body", SIG)


@pytest.mark.parametrize("sig", [b"", SIG[:-1], SIG + b"\x00", bytes(64), SIG[:32] + bytes(32)])
def test_a_broken_signature_does_not_hold(sig: bytes) -> None:
    assert not verify(KEY.public, Context.ENTRY, GAME, b"body", sig)


def test_the_second_form_of_a_signature_does_not_hold() -> None:
    other = SIG[:32] + (int.from_bytes(SIG[32:], "little") + ORDER).to_bytes(32, "little")
    assert not verify(KEY.public, Context.ENTRY, GAME, b"body", other)


def test_every_flipped_bit_breaks_a_signature() -> None:
    for bit in range(512):
        broken = bytearray(SIG)
        broken[bit // 8] ^= 1 << bit % 8
        assert not verify(KEY.public, Context.ENTRY, GAME, b"body", bytes(broken))


@pytest.mark.parametrize("context", [Context.AUTH, Context.TABLE])
def test_a_game_id_where_none_belongs_is_a_bug(context: Context) -> None:
    assert verify(KEY.public, context, NO_GAME, b"x", KEY.sign(context, NO_GAME, b"x"))
    with pytest.raises(LocalMisuse):
        KEY.sign(context, GAME, b"x")


def test_a_game_id_of_another_size_is_a_bug() -> None:
    with pytest.raises(LocalMisuse):
        KEY.sign(Context.ENTRY, bytes(31), b"x")


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_of_another_size_is_a_bug(seed: bytes) -> None:
    for make in (lambda: SecretKey(seed), lambda: person_key(seed, 0), lambda: person_root(seed, 1)):
        with pytest.raises(LocalMisuse):
            make()


def test_the_public_key_is_that_of_rfc_8032() -> None:
    seed = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    assert SecretKey(seed).public.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"


def test_a_key_shows_its_public_half_only() -> None:
    assert repr(KEY) == f"SecretKey({KEY.public.hex()[:8]})"


def test_the_first_person_is_the_identity_itself() -> None:
    assert person_key(b"\x01" * 32, 0).public == KEY.public
    assert person_root(b"\x09" * 32, 0) == b"\x09" * 32


def test_further_people_have_keys_and_roots_of_their_own() -> None:
    seed = hmac.new(b"\x01" * 32, b"sorry-lan/1\x00seat key" + bytes(12) + b"\x02", hashlib.sha256).digest()
    assert person_key(b"\x01" * 32, 2).public == SecretKey(seed).public
    root = hmac.new(b"\x09" * 32, b"sorry-lan/1\x00seat root" + bytes(11) + b"\x03", hashlib.sha256).digest()
    assert person_root(b"\x09" * 32, 3) == root
    assert len({person_key(b"\x01" * 32, n).public for n in range(5)}) == 5

"""Entries as bytes, their slots, and the chain of heads."""

from hashlib import sha256

import pytest

from sorry_lan.fair import entry
from sorry_lan.fair.entry import Ack, Body, Leave, MoveEntry, Reveal, decode_body, encode_body, slot
from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.rules.board import Colour
from sorry_lan.rules.position import setup
from sorry_lan.rules.profile import Rules
from sorry_lan.wire.codec import encode
from sorry_lan.wire.keys import Context, SecretKey, verify

A, B = bytes([1]) * 32, bytes([2]) * 32
TAG = b"sorry-lan/1\x00"

BODIES = [
    (Reveal(0, 3, A), (1, 0, 3, A)),
    (MoveEntry(7, 1, A, (4, 1, 3, 2, 4), B), (2, 7, 1, A, (4, 1, 3, 2, 4), B)),
    (MoveEntry(4095, 0, A, (), B), (2, 4095, 0, A, (), B)),
    (Ack(7, 0, B), (3, 7, 0, B)),
    (Leave(7, 2, 1), (4, 7, 2, 1)),
]


@pytest.mark.parametrize(("body", "value"), BODIES)
def test_a_body_is_the_array_of_kind_step_seat_and_the_rest(body, value):
    assert encode_body(body) == encode(value)
    assert decode_body(encode(value)) == body


@pytest.mark.parametrize(
    "value",
    [
        5,
        (),
        (A,),
        (True, 0, 3, A),
        (0, 0, 3, A),
        (5, 0, 3, A),
        (1, 4096, 3, A),
        (1, 0, 4, A),
        (1, 0, 3, A[:31]),
        (1, 0, 3),
        (2, 0, 1, A, (), B),
        (2, 7, 1, A, (1, 1, 1, 1, 1, 1), B),
        (2, 7, 1, A, (256,), B),
        (4, 7, 2, 2),
    ],
)
def test_what_is_no_body_is_refused_by_shape(value):
    with pytest.raises(RemoteFault) as refused:
        decode_body(encode(value))
    assert refused.value.code is Err.SCHEMA
    assert refused.value.evidence == ()


def test_bytes_that_are_not_canonical_are_no_body():
    with pytest.raises(RemoteFault) as refused:
        decode_body(b"\x94\xcc\x01\x00\x03")
    assert refused.value.code is Err.NOT_CANONICAL


def test_a_field_of_ours_that_does_not_fit_is_our_bug():
    with pytest.raises(LocalMisuse):
        encode_body(Reveal(0, 3, b"short"))


def test_each_kind_step_and_seat_is_a_slot_of_its_own():
    assert [slot(body) for body, _ in BODIES[:4]] == [(1, 0, 3), (2, 7, 1), (2, 4095, 0), (3, 7, 0)]


def test_the_two_reasons_to_leave_have_a_slot_each():
    assert slot(Leave(7, 2, 0)) == (4, 7, 2)
    assert slot(Leave(7, 2, 1)) == (5, 7, 2)


def test_a_signed_entry_holds_for_its_game_only():
    key = SecretKey(A)
    body: Body = Ack(7, 0, B)
    signed = entry.sign_entry(key, A, body)
    assert signed.body == encode_body(body)
    assert verify(key.public, Context.ENTRY, A, signed.body, signed.sig)
    assert not verify(key.public, Context.ENTRY, B, signed.body, signed.sig)


def test_an_entry_is_named_by_its_game_and_its_unsigned_body():
    assert entry.entry_id(A, b"body") == sha256(TAG + b"\x03" + A + b"body").digest()


def hashed(name: bytes, rest: bytes) -> bytes:
    return sha256((TAG + name).ljust(32, b"\x00") + rest).digest()


def test_heads_chain_step_secret_and_move():
    start = entry.head_start(A)
    assert start == hashed(b"head", A)
    assert entry.head_after_lot(start, B) == hashed(b"step", start + bytes(4) + B + bytes(32))
    assert entry.head_next(A, 258, B, start) == hashed(b"step", A + b"\x00\x00\x01\x02" + B + start)


def test_an_action_nobody_signs_has_an_id_of_action_and_state():
    assert entry.auto_id((2, 1, 5), B) == hashed(b"auto", b"\x00\x00\x00\x04\x93\x02\x01\x05" + B)


def test_a_snapshot_is_turn_end_pawns_and_pile():
    position = setup(Rules(pawns=1), (Colour.RED, Colour.GREEN), 1)
    pile = (5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4)
    snapshot = entry.encode_snapshot(position, pile)
    assert snapshot == encode((1, 0, ((0,), (0,)), pile))
    assert entry.state_digest(snapshot) == hashed(b"state", len(snapshot).to_bytes(4, "big") + snapshot)


def test_a_snapshot_after_the_end_names_the_winner():
    position = setup(Rules(pawns=1), (Colour.RED, Colour.GREEN), 1)
    won = type(position)(position.colours, ((0,), (66,)), 1, 1)
    assert entry.encode_snapshot(won, ()) == encode((1, 2, ((0,), (66,)), ()))

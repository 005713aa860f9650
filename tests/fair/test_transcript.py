"""Transcript files as bytes."""

from hashlib import sha256

import pytest

from sorry_lan.fair.transcript import (
    FIRST_LINE,
    Damage,
    EndFrame,
    Ending,
    ProofFrame,
    TableFrame,
    encode_file,
    encode_transcript,
    read_file,
)
from sorry_lan.wire.codec import encode
from sorry_lan.wire.frames import frame
from tests.fair.build import table

MADE = table("f", "hb")
MADE.to_end()
END = EndFrame(MADE.ledger.k, MADE.ledger.head, Ending.WON)
FILE = encode_transcript(MADE.bytes, MADE.consents(), MADE.ledger.records, END)


def sealed(*values: object) -> bytes:
    """A file of any values with a checksum that holds."""
    body = FIRST_LINE + b"".join(frame(encode(value)) for value in values)
    return body + sha256(body).digest()


def test_a_file_is_first_line_frames_and_checksum():
    body, checksum = FILE[:-32], FILE[-32:]
    assert sha256(body).digest() == checksum
    consent = MADE.consents()[0]
    table_frame = frame(encode((0, MADE.bytes, ((consent.seat, consent.sig),))))
    assert body.startswith(b"sorry-lan transcript 1\n" + table_frame)
    steps = (
        frame(encode((1, record.k, tuple((signed.body, signed.sig) for signed in record.entries))))
        for record in MADE.ledger.records
    )
    assert body[len(FIRST_LINE) + len(table_frame) :] == b"".join(steps) + frame(encode((2, END.k, END.head, 0)))


def test_a_file_reads_back_as_its_frames():
    contents = read_file(FILE)
    assert contents.damage is None
    assert contents.frames == (TableFrame(MADE.bytes, MADE.consents()), *MADE.ledger.records, END)


@pytest.mark.parametrize("second", [None, MADE.reveal(0, k=2)])
def test_a_proof_ends_a_file_too(second):
    proof = ProofFrame(MADE.game_id, MADE.reveal(0, k=1), second)
    contents = read_file(encode_file((TableFrame(MADE.bytes, MADE.consents()), proof)))
    assert (contents.damage, contents.frames[-1]) == (None, proof)


@pytest.mark.parametrize("data", [b"", b"\x00", FIRST_LINE[:-1][:10], b"PK\x03\x04", FIRST_LINE.upper()])
def test_other_bytes_are_no_transcript(data):
    assert read_file(data).damage is Damage.NO_FIRST_LINE


def test_another_format_number_is_told_apart():
    assert read_file(b"sorry-lan transcript 2\nwhatever").damage is Damage.OTHER_FORMAT


def test_a_file_cut_anywhere_after_its_first_line_is_cut_short():
    records = MADE.ledger.records[:2]
    short = encode_transcript(MADE.bytes, MADE.consents(), records, EndFrame(2, MADE.ledger.head, Ending.SAVED))
    for length in range(len(FIRST_LINE), len(short)):
        assert read_file(short[:length]).damage is Damage.CUT_SHORT, length


def test_what_comes_before_the_cut_is_read():
    whole = read_file(FILE).frames
    for length in range(len(FIRST_LINE), len(FILE), 501):
        frames = read_file(FILE[:length]).frames
        assert frames == whole[: len(frames)]


def test_bytes_after_the_end_break_the_checksum():
    assert read_file(FILE + b"\x00").damage is Damage.CHECKSUM


@pytest.mark.parametrize("length", [0, 65_537, 2**32 - 1])
def test_a_frame_of_an_impossible_length_is_a_bad_frame(length):
    data = FIRST_LINE + length.to_bytes(4, "big") + bytes(40)
    assert read_file(data).damage is Damage.BAD_FRAME


@pytest.mark.parametrize("value", [7, (), (b"x",), (True, 1, 2, 3), (4, 1), (2, 1, b"short", 0), (2, 1, bytes(32), 2)])
def test_what_is_no_frame_of_a_transcript_is_a_bad_frame(value):
    assert read_file(sealed(value)).damage is Damage.BAD_FRAME


def test_a_frame_that_is_not_canonical_is_a_bad_frame():
    assert read_file(FIRST_LINE + frame(b"\xcc\x01") + bytes(32)).damage is Damage.BAD_FRAME

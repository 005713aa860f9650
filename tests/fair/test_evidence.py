"""Evidence: what a stranger can check, and the files that carry it."""

from dataclasses import replace

import pytest

from sorry_lan.fair.entry import Ack, Leave, MoveEntry, Reveal
from sorry_lan.fair.evidence import encode_evidence, judge_pair
from sorry_lan.fair.transcript import ProofFrame, TableFrame, encode_file, read_file
from sorry_lan.fair.verify import Finding, Outcome, verify_transcript
from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.wire.messages import Signed
from tests.fair.build import Table, table

X, Y = bytes([9]) * 32, bytes([8]) * 32


def proven(made: Table, signed: Signed) -> bytes:
    with pytest.raises(RemoteFault) as caught:
        made.ledger.accept(signed)
    return encode_evidence(made.ledger, made.consents(), caught.value)


def twice(made: Table) -> bytes:
    made.to_decision()
    two = made.move(made.ledger.open.choices[1])
    made.ledger.accept(made.move())
    return proven(made, two)


def illegal(made: Table) -> bytes:
    made.to_decision()
    return proven(made, made.sign(replace(made.ledger.move_entry(made.ledger.open.choices[0]), action=(9,))))


def test_two_bodies_for_one_slot_blame_who_signed_them():
    made = table()
    one, two = made.sign(Reveal(3, 1, X)), made.sign(Reveal(3, 1, Y))
    assert judge_pair(made.terms, made.game_id, one, two) == 1


def refusal(made: Table, one: Signed, two: Signed) -> Err:
    with pytest.raises(RemoteFault) as caught:
        judge_pair(made.terms, made.game_id, one, two)
    return caught.value.code


def test_other_pairs_prove_nothing():
    made, other = table(kinds="hb"), table("t", "hb", first=0)
    one = made.sign(Reveal(3, 0, X))
    forged = Signed(made.sign(Reveal(3, 0, Y)).body, one.sig)
    assert refusal(made, one, one) is Err.SCHEMA
    assert refusal(made, one, made.sign(Reveal(4, 0, Y))) is Err.SCHEMA
    assert refusal(made, one, made.sign(Ack(3, 0, Y))) is Err.SCHEMA
    assert refusal(made, made.sign(Leave(3, 0, 0)), made.sign(Leave(3, 0, 1))) is Err.SCHEMA
    assert refusal(made, one, forged) is Err.BAD_SIGNATURE
    assert refusal(made, forged, one) is Err.BAD_SIGNATURE
    assert refusal(made, one, other.sign(Reveal(3, 0, Y))) is Err.BAD_SIGNATURE
    assert refusal(made, made.sign(Reveal(3, 1, X)), made.sign(Reveal(3, 1, Y))) is Err.NOT_A_SEAT
    assert refusal(made, one, Signed(b"\xc1", one.sig)) is Err.NOT_CANONICAL


def test_two_signatures_of_one_body_prove_nothing():
    made = table()
    one = made.sign(Reveal(3, 1, X))
    assert refusal(made, one, Signed(one.body, bytes(64))) is Err.SCHEMA


def test_two_moves_make_a_file_that_convicts_by_itself():
    made = table()
    data = twice(made)
    verdict = verify_transcript(data)
    assert (verdict.outcome, verdict.finding) == (Outcome.HOLDS, Finding.SIGNED_TWICE)
    assert verdict.blamed == made.ledger.position.turn
    assert len(read_file(data).frames) == 2


def test_an_illegal_move_makes_a_file_with_the_game_up_to_its_card():
    made = table()
    data = illegal(made)
    verdict = verify_transcript(data)
    assert (verdict.outcome, verdict.finding) == (Outcome.HOLDS, Finding.ILLEGAL_MOVE)
    assert (verdict.blamed, verdict.steps) == (made.ledger.position.turn, made.ledger.k)
    assert len(read_file(data).frames) == made.ledger.k + 3


def test_an_illegal_move_convicts_also_after_its_step_went_on_without_it():
    made = table()
    made.to_decision()
    k, other = made.ledger.k, 1 - made.ledger.position.turn
    with pytest.raises(RemoteFault) as caught:
        made.ledger.accept(made.sign(MoveEntry(k, other, made.ledger.head, (), X)))
    made.step()
    made.step()
    verdict = verify_transcript(encode_evidence(made.ledger, made.consents(), caught.value))
    assert (verdict.finding, verdict.blamed, verdict.steps) == (Finding.ILLEGAL_MOVE, other, k)


def test_a_fault_that_nothing_signed_proves_makes_no_file():
    made = table()
    with pytest.raises(LocalMisuse):
        encode_evidence(made.ledger, made.consents(), RemoteFault(Err.BAD_SHARE, "no"))


def nothing(*frames: object) -> None:
    verdict = verify_transcript(encode_file(frames))
    assert (verdict.outcome, verdict.finding, verdict.blamed) == (Outcome.FALSE, Finding.PROVES_NOTHING, None)


def test_evidence_of_another_game_proves_nothing():
    made = table()
    *frames, proof = read_file(twice(made)).frames
    nothing(*frames, replace(proof, game=X))


def test_a_pair_is_judged_without_any_step():
    made = table()
    start, proof = read_file(twice(made)).frames
    nothing(start, made.ledger.record(0), proof)
    nothing(start, replace(made.ledger.record(0), entries=made.ledger.record(0).entries[:1]), proof)


def test_a_pair_that_proves_nothing_convicts_nobody():
    made = table()
    start, proof = read_file(twice(made)).frames
    nothing(start, replace(proof, second=proof.first))


def test_a_legal_move_convicts_nobody():
    made = table()
    made.to_decision()
    move = made.move()
    steps = [*made.ledger.records, made.ledger.open.record()]
    nothing(TableFrame(made.bytes, made.consents()), *steps, ProofFrame(made.game_id, move, None))


def test_a_diverging_move_convicts_nobody():
    made = table()
    made.to_decision()
    move = made.sign(replace(made.ledger.move_entry(made.ledger.open.choices[0]), state=X))
    steps = [*made.ledger.records, made.ledger.open.record()]
    nothing(TableFrame(made.bytes, made.consents()), *steps, ProofFrame(made.game_id, move, None))


def test_an_illegal_move_without_its_card_convicts_nobody():
    made = table()
    *frames, _, proof = read_file(illegal(made)).frames
    nothing(*frames, proof)


@pytest.mark.untraced
def test_every_changed_byte_of_evidence_is_noticed():
    made = table()
    data = twice(made)
    for at in range(23, len(data)):
        changed = bytearray(data)
        changed[at] ^= 0x20
        verdict = verify_transcript(bytes(changed))
        assert (verdict.outcome, verdict.blamed) == (Outcome.FALSE, None), at

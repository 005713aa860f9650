"""A seat with a real key and bad intentions: whatever it signs, a ledger answers with a change or a RemoteFault."""

from dataclasses import replace
from random import Random

import pytest

from sorry_lan.fair.entry import Ack, Body, Leave, MoveEntry, Reveal, encode_body, slot
from sorry_lan.fair.evidence import encode_evidence, judge_pair
from sorry_lan.fair.open_step import Accepted
from sorry_lan.fair.record import Duty, Ledger
from sorry_lan.fair.transcript import FIRST_LINE
from sorry_lan.fair.verify import Outcome, verify_transcript
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.wire.codec import encode
from sorry_lan.wire.keys import Context
from sorry_lan.wire.messages import Signed
from tests.fair.build import Table, chain_of, table

EVIL = 1
PROVABLE = (Err.EQUIVOCATION, Err.ILLEGAL_ACTION)


def any_body(made: Table, rng: Random) -> Body:
    """Something of the right shape by the evil seat, often close to what is due."""
    ledger = made.ledger
    k = max(0, ledger.k + rng.choice((-2, -1, 0, 0, 0, 0, 1, 2)))
    applied = ledger.open.applied
    head = rng.choice((ledger.head, rng.randbytes(32), ledger.head if applied is None else applied.head))
    action = tuple(rng.randrange(8) for _ in range(rng.randrange(6)))
    return rng.choice(
        (
            Reveal(k, EVIL, rng.choice((rng.randbytes(32), chain_of(made.name, EVIL).share(k)))),
            MoveEntry(max(k, 1), EVIL, head, action, rng.randbytes(32)),
            Ack(k, EVIL, head),
            Leave(k, EVIL, rng.randrange(2)),
        )
    )


def fault_of(ledger: Ledger, signed: Signed) -> RemoteFault | None:
    try:
        ledger.accept(signed)
    except RemoteFault as fault:
        return fault
    return None


def honest_turn(made: Table, rng: Random) -> None:
    """Everybody does what is due; the evil seat too, unless its slot is spent."""
    ledger = made.ledger
    for seat in ledger.humans:
        match ledger.duty(seat):
            case Duty.REVEAL:
                ledger.accept(made.reveal(seat))
            case Duty.DECIDE:
                ledger.accept(made.move(rng.choice(ledger.open.choices)))
            case Duty.ACK:
                ledger.accept(made.ack(seat))
            case Duty.NOTHING:
                pass


@pytest.mark.parametrize("number", range(30))
def test_only_the_evil_seat_is_ever_blamed_and_every_proof_convinces_a_stranger(number):
    rng = Random(number)
    made = table(f"e{number % 4}", "hhh")
    proofs = 0
    for _ in range(40):
        body = any_body(made, rng)
        fault = fault_of(made.ledger, made.sign(body))
        if fault is not None:
            assert bool(fault.evidence) == (fault.code in PROVABLE)
        if fault is not None and fault.evidence:
            verdict = verify_transcript(encode_evidence(made.ledger, made.consents(), fault))
            assert (verdict.outcome, verdict.blamed) == (Outcome.HOLDS, EVIL)
            proofs += 1
        if rng.random() < 0.5:
            honest_turn(made, rng)
    assert proofs


@pytest.mark.parametrize("number", range(10))
def test_what_two_clients_count_is_the_same_whatever_order_evil_entries_take(number):
    rng = Random(number)
    made = table("e", "hhh")
    one, other = made.replica(), made.replica()
    sent: list[Signed] = []
    for _ in range(60):
        sent += [made.sign(any_body(made, rng))] if rng.random() < 0.3 else []
        before = set(made.ledger.open.entries())
        try:
            honest_turn(made, rng)
        except RemoteFault:
            break
        sent += [signed for signed in made.ledger.open.entries() if signed not in before]
        sent += list(made.ledger.record(made.ledger.k - 1).entries) if made.ledger.k else []
    for ledger in (one, other):
        for signed in sorted(sent, key=lambda _: rng.random()) * 2:
            fault_of(ledger, signed)
    low = min(one.k, other.k)
    assert [one.applied_of(k) for k in range(low)] == [other.applied_of(k) for k in range(low)]


def test_changed_bytes_without_a_signature_are_refused_or_dropped():
    made, rng = table(), Random(3)
    good = made.reveal(0).body
    for _ in range(2000):
        body = bytearray(good)
        for _ in range(rng.randrange(1, 4)):
            body[rng.randrange(len(body))] = rng.randrange(256)
        if bytes(body) == good:
            continue
        changed = Signed(bytes(body), bytes(64))
        if fault_of(made.ledger, changed) is None:
            assert [change.what for change in made.ledger.accept(changed)] == [Accepted.TOO_EARLY]
    assert made.ledger.open.seen == {}


@pytest.mark.parametrize("value", [(2, 1, 1, bytes(32), (True,), bytes(32)), (3, 0, 1, None), ((),), None, b"", "x"])
def test_a_well_signed_body_of_another_shape_is_refused_by_shape(value):
    made = table()
    body = encode(value)
    with pytest.raises(RemoteFault) as refused:
        made.ledger.accept(Signed(body, made.key(1).sign(Context.ENTRY, made.game_id, body)))
    assert refused.value.code is Err.SCHEMA


def test_a_copied_anchor_opens_nothing():
    made = table()
    copied = replace(made.terms.seats[1], anchor=made.terms.seats[0].anchor)
    thief = Table("t", replace(made.terms, seats=(made.terms.seats[0], copied)))
    with pytest.raises(RemoteFault) as refused:
        thief.ledger.accept(thief.sign(Reveal(0, 1, chain_of("t", 0).share(0))))
    assert refused.value.code is Err.BAD_SHARE


def test_judging_a_pair_agrees_with_the_ledger_that_found_it():
    made = table()
    one, two = made.reveal(EVIL), made.sign(Reveal(0, EVIL, bytes(32)))
    assert [change.what for change in made.ledger.accept(one)] == [Accepted.NEW_SHARE]
    with pytest.raises(RemoteFault) as caught:
        made.ledger.accept(two)
    assert judge_pair(made.terms, made.game_id, *[Signed(*pair) for pair in caught.value.evidence]) == EVIL
    assert slot(Reveal(0, EVIL, bytes(32))) == (1, 0, EVIL)


def test_random_bytes_behind_the_first_line_are_judged_without_an_exception():
    rng = Random(5)
    for _ in range(300):
        data = FIRST_LINE + rng.choice((b"", b"\x00\x00\x00\x05")) + rng.randbytes(rng.randrange(200))
        assert verify_transcript(data).outcome is Outcome.FALSE


def test_a_body_of_the_greatest_size_fits_its_bound():
    longest = MoveEntry(4095, 3, bytes(32), (255,) * 5, bytes(32))
    assert len(encode_body(longest)) <= 256

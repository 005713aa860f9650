"""The replica of one game: what it takes, what it refuses, whom it blames, when a step is final."""

from dataclasses import replace

import pytest

from sorry_lan.fair import record as module
from sorry_lan.fair.entry import Ack, Leave, MoveEntry, Reveal, Slot, decode_body, encode_body, entry_id, head_next
from sorry_lan.fair.record import Accepted, Change, Duty, Ledger, Record
from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.rules.cards import Card, full_deck
from sorry_lan.rules.moves import Decline, to_action
from sorry_lan.rules.profile import Rules
from sorry_lan.wire.messages import Signed
from tests.fair.build import NAMES, chain_of, seed, table, whats

X = bytes([9]) * 32


def refused(ledger: Ledger, signed: Signed) -> RemoteFault:
    with pytest.raises(RemoteFault) as caught:
        ledger.accept(signed)
    return caught.value


def pair(signed: Signed) -> tuple[bytes, bytes]:
    return signed.body, signed.sig


# -- the lot ---------------------------------------------------------------------------------------------------------


def test_before_anything_every_person_owes_a_share_and_a_bot_nothing():
    ledger = table(kinds="hbh").ledger
    assert [ledger.duty(seat) for seat in range(4)] == [Duty.REVEAL, Duty.NOTHING, Duty.REVEAL, Duty.NOTHING]
    assert (ledger.k, ledger.words, ledger.first, ledger.over, ledger.over_final) == (0, None, None, None, False)


def test_all_shares_of_step_0_cast_the_lot():
    made = table(kinds="hbh")
    assert whats(made.ledger.accept(made.reveal(2))) == [Accepted.NEW_SHARE]
    assert made.ledger.words is None
    assert whats(made.ledger.accept(made.reveal(0))) == [Accepted.NEW_SHARE, Accepted.CARD_KNOWN]
    assert len(made.ledger.words) == 3
    assert made.ledger.first in (0, 1, 2)
    assert made.ledger.open.card is None


def test_the_table_may_name_who_begins():
    for first in (0, 1):
        made = table(first=first)
        made.step()
        assert made.ledger.first == made.ledger.position.turn == first


def test_step_0_is_final_when_everyone_acknowledged_it():
    made = table()
    made.shares()
    head = made.ledger.applied_of(0).head
    assert [made.ledger.duty(seat) for seat in (0, 1)] == [Duty.ACK, Duty.ACK]
    assert whats(made.ledger.accept(made.ack(1))) == [Accepted.ACKED]
    assert made.ledger.final_needs() == (0,)
    assert whats(made.ledger.accept(made.ack(0))) == [Accepted.ACKED, Accepted.STEP_FINAL]
    assert (made.ledger.k, made.ledger.head) == (1, head)


def test_the_order_of_arrival_changes_nothing():
    one, other = table("o"), table("o")
    for seat in (0, 1):
        one.ledger.accept(one.reveal(seat))
    for seat in (1, 0):
        other.ledger.accept(other.reveal(seat))
    assert one.ledger.open.secret == other.ledger.open.secret
    assert one.ledger.words == other.ledger.words


def test_each_entry_is_told_with_its_step_its_seat_and_itself():
    made = table()
    made.step()
    shares = [made.reveal(seat) for seat in (0, 1)]
    assert made.ledger.accept(shares[0]) == (Change(Accepted.NEW_SHARE, 1, 0, shares[0]),)
    told = made.ledger.accept(shares[1])
    assert told[:2] == (Change(Accepted.NEW_SHARE, 1, 1, shares[1]), Change(Accepted.CARD_KNOWN, 1))
    mover = made.ledger.position.turn
    move = made.move()
    assert made.ledger.accept(move) == (Change(Accepted.MOVED, 1, mover, move),)
    ack = made.ack(1 - mover)
    assert made.ledger.accept(ack) == (Change(Accepted.ACKED, 1, 1 - mover, ack), Change(Accepted.STEP_FINAL, 1))


# -- shares ----------------------------------------------------------------------------------------------------------


def test_a_wrong_share_is_refused_and_changes_no_share():
    made = table()
    wrong = made.sign(Reveal(0, 1, X))
    fault = refused(made.ledger, wrong)
    assert (fault.code, fault.evidence) == (Err.BAD_SHARE, ())
    assert made.ledger.open.shares == {}
    assert made.ledger.duty(1) is Duty.NOTHING


def test_a_later_share_does_not_open_an_earlier_step():
    made = table()
    assert refused(made.ledger, made.sign(Reveal(0, 1, chain_of("t", 1).share(1)))).code is Err.BAD_SHARE


def test_a_share_of_another_seats_chain_is_refused():
    made = table()
    assert refused(made.ledger, made.sign(Reveal(0, 1, chain_of("t", 0).share(0)))).code is Err.BAD_SHARE


def test_a_wrong_share_and_the_right_one_are_two_bodies_for_one_slot():
    made = table()
    wrong, right = made.sign(Reveal(0, 1, X)), made.reveal(1)
    refused(made.ledger, wrong)
    fault = refused(made.ledger, right)
    assert (fault.code, fault.evidence) == (Err.EQUIVOCATION, (pair(wrong), pair(right)))


def test_a_wrong_share_sent_again_is_a_duplicate():
    made = table()
    wrong = made.sign(Reveal(0, 1, X))
    refused(made.ledger, wrong)
    assert whats(made.ledger.accept(wrong)) == [Accepted.DUPLICATE]


# -- cheap refusals --------------------------------------------------------------------------------------------------


def test_a_body_that_is_none_is_refused_by_its_shape():
    assert refused(table().ledger, Signed(b"\x90", bytes(64))).code is Err.SCHEMA


def test_a_seat_without_a_key_signs_nothing():
    made = table(kinds="hb")
    for seat in (1, 2, 3):
        assert refused(made.ledger, made.sign(Reveal(0, seat, X))).code is Err.NOT_A_SEAT


def test_a_forged_signature_is_refused_and_the_slot_stays_free():
    made = table()
    good = made.reveal(0)
    assert refused(made.ledger, Signed(good.body, bytes(64))).code is Err.BAD_SIGNATURE
    assert whats(made.ledger.accept(good)) == [Accepted.NEW_SHARE]


def test_a_signature_of_another_seat_is_refused():
    made = table()
    body = encode_body(Reveal(0, 0, chain_of("t", 0).share(0)))
    assert refused(made.ledger, Signed(body, made.sign(Reveal(0, 1, X)).sig)).code is Err.BAD_SIGNATURE


def test_an_entry_of_another_game_is_refused():
    made, other = table("t"), table("t", rules=Rules())
    assert refused(made.ledger, other.reveal(0)).code is Err.BAD_SIGNATURE


def test_a_known_body_with_another_signature_is_a_duplicate():
    made = table()
    good = made.reveal(0)
    made.ledger.accept(good)
    assert whats(made.ledger.accept(Signed(good.body, bytes(64)))) == [Accepted.DUPLICATE]


def test_a_forged_second_body_proves_nothing():
    made = table()
    good = made.reveal(0)
    made.ledger.accept(good)
    forged = Signed(encode_body(Reveal(0, 0, X)), bytes(64))
    assert refused(made.ledger, forged).code is Err.BAD_SIGNATURE


def test_two_steps_ahead_is_too_early():
    made = table()
    assert whats(made.ledger.accept(made.reveal(0, k=2))) == [Accepted.TOO_EARLY]


# -- moves -----------------------------------------------------------------------------------------------------------


def test_a_move_is_counted_and_everyone_else_has_to_acknowledge_it():
    made = table(kinds="hhh")
    made.to_decision()
    ledger, mover = made.ledger, made.ledger.position.turn
    assert ledger.duty(mover) is Duty.DECIDE
    assert not ledger.forced(mover)
    move = ledger.open.choices[-1]
    signed = made.move(move)
    assert whats(ledger.accept(signed)) == [Accepted.MOVED]
    applied = ledger.applied_of(ledger.k)
    assert (applied.move, applied.seat, ledger.open.move) == (move, mover, signed)
    assert applied.head == head_next(ledger.head, ledger.k, ledger.open.secret, entry_id(made.game_id, signed.body))
    assert ledger.final_needs() == tuple(seat for seat in range(3) if seat != mover)
    assert ledger.duty(mover) is Duty.NOTHING
    assert whats(made.acks()) == [Accepted.ACKED, Accepted.ACKED, Accepted.STEP_FINAL]
    assert ledger.position == applied.position


def test_a_card_without_a_legal_move_forces_a_pass():
    made = table()
    made.to_turn(lambda t: t.ledger.open.choices == (Decline(),))
    mover = made.ledger.position.turn
    assert made.ledger.forced(mover)
    assert not made.ledger.forced(1 - mover)
    before = made.ledger.position.pawns
    made.ledger.accept(made.move())
    assert made.ledger.applied_of(made.ledger.k).position.pawns == before


def illegal(made, **changes) -> tuple[RemoteFault, Signed]:
    made.to_decision()
    body = replace(made.ledger.move_entry(made.ledger.open.choices[0]), **changes)
    signed = made.sign(body)
    return refused(made.ledger, signed), signed


@pytest.mark.parametrize(
    "action", [(1, 4), (2, 9), (6, 1, 3, 1), (5, 1, 3, 1), (5, 1, 0, 1), (5, 1, 1, 1), (2, 1, 6), (9,)], ids=str
)
def test_an_illegal_action_is_not_applied_and_proves_its_seat(action):
    made = table()
    fault, signed = illegal(made, action=action)
    assert (fault.code, fault.evidence) == (Err.ILLEGAL_ACTION, (pair(signed),))
    assert made.ledger.open.applied is None
    assert [made.ledger.duty(seat) for seat in (0, 1)] == [Duty.NOTHING, Duty.NOTHING]
    assert whats(made.ledger.accept(signed)) == [Accepted.DUPLICATE]


def test_passing_where_a_move_is_legal_is_illegal():
    made = table()
    made.to_turn(lambda t: Decline() not in t.ledger.open.choices)
    body = replace(made.ledger.move_entry(made.ledger.open.choices[0]), action=())
    assert "cannot be passed" in refused(made.ledger, made.sign(body)).detail


def test_a_move_at_another_head_is_illegal():
    fault, signed = illegal(table(), head=X)
    assert (fault.code, fault.evidence) == (Err.ILLEGAL_ACTION, (pair(signed),))


def test_a_move_out_of_turn_is_illegal_and_leaves_the_turn_alone():
    made = table()
    made.to_decision()
    other = 1 - made.ledger.position.turn
    signed = made.sign(MoveEntry(made.ledger.k, other, made.ledger.head, (), X))
    assert refused(made.ledger, signed).evidence == (pair(signed),)
    assert whats(made.ledger.accept(made.move())) == [Accepted.MOVED]


def test_a_persons_move_in_a_bots_step_is_illegal():
    made = table(kinds="hb", first=0)
    made.to_turn(lambda t: t.ledger.open.mover is None)
    signed = made.sign(MoveEntry(made.ledger.k, 0, made.ledger.head, (), X))
    assert refused(made.ledger, signed).code is Err.ILLEGAL_ACTION


def test_a_legal_move_to_another_position_blames_nobody_and_is_shown_to_all():
    made = table()
    fault, signed = illegal(made, state=X)
    assert (fault.code, fault.evidence) == (Err.DIVERGED, ())
    assert made.ledger.open.applied is None
    assert signed in made.ledger.open.entries()


def test_a_bad_move_uses_up_its_slot():
    made = table()
    _, bad = illegal(made, action=(9,))
    good_body = replace(decode_body(bad.body), action=to_action(made.ledger.open.choices[0]))
    good = made.sign(good_body)
    assert refused(made.ledger, good).evidence == (pair(bad), pair(good))
    assert made.ledger.open.applied is None


# -- two bodies in one slot ------------------------------------------------------------------------------------------


def two_moves(made) -> tuple[Signed, Signed]:
    made.to_decision()
    return made.move(made.ledger.open.choices[0]), made.move(made.ledger.open.choices[1])


def test_two_moves_for_one_step_prove_the_mover_and_nobody_acknowledges():
    made = table()
    one, two = two_moves(made)
    made.ledger.accept(one)
    fault = refused(made.ledger, two)
    assert (fault.code, fault.evidence) == (Err.EQUIVOCATION, (pair(one), pair(two)))
    assert made.ledger.open.contested
    assert [made.ledger.duty(seat) for seat in (0, 1)] == [Duty.NOTHING, Duty.NOTHING]


def test_what_all_had_acknowledged_stays_final_whatever_the_mover_signs_later():
    made = table()
    one, two = two_moves(made)
    made.ledger.accept(one)
    ack = made.ack(1 - made.ledger.position.turn)
    refused(made.ledger, two)
    assert whats(made.ledger.accept(ack)) == [Accepted.ACKED, Accepted.STEP_FINAL]


@pytest.mark.parametrize("later", [0, 1, 2])
def test_a_second_move_proves_the_mover_however_late_it_comes(later):
    made = table()
    one, two = two_moves(made)
    made.ledger.accept(one)
    made.acks()
    for _ in range(later):
        made.step()
    assert refused(made.ledger, two).evidence == (pair(one), pair(two))


def test_two_acknowledgements_of_one_step_prove_their_seat():
    made = table()
    made.shares()
    one, two = made.ack(0), made.sign(Ack(0, 0, X))
    made.ledger.accept(one)
    assert refused(made.ledger, two).evidence == (pair(one), pair(two))


@pytest.mark.parametrize("final", [False, True])
def test_two_acknowledgements_are_the_movers_fault_where_two_moves_are_known(final):
    made = table(kinds="hhh")
    one, two = two_moves(made)
    mover = made.ledger.position.turn
    made.ledger.accept(one)
    k = made.ledger.k
    acks = [made.ack(seat) for seat in range(3) if seat != mover]
    for ack in acks[: 2 if final else 1]:
        made.ledger.accept(ack)
    refused(made.ledger, two)
    second = made.sign(Ack(k, decode_body(acks[0].body).seat, X))
    assert whats(made.ledger.accept(second)) == [Accepted.OLD]


def test_two_bodies_for_a_slot_of_the_next_step_prove_their_seat_at_once():
    made = table()
    one, two = made.reveal(0, k=1), made.sign(Reveal(1, 0, X))
    assert whats(made.ledger.accept(one)) == [Accepted.HELD]
    assert whats(made.ledger.accept(one)) == [Accepted.DUPLICATE]
    assert refused(made.ledger, two).evidence == (pair(one), pair(two))


# -- acknowledgements ------------------------------------------------------------------------------------------------


def test_an_acknowledgement_of_another_head_proves_nothing_and_does_not_count():
    made = table()
    made.shares()
    odd = made.sign(Ack(0, 1, X))
    assert whats(made.ledger.accept(odd)) == [Accepted.HEAD_DIFFERS]
    assert made.ledger.final_needs() == (0, 1)
    assert odd in made.ledger.open.entries()
    assert made.ledger.duty(1) is Duty.NOTHING


def test_the_seat_that_moves_does_not_acknowledge_too():
    made = table()
    made.to_decision()
    mover = made.ledger.position.turn
    assert refused(made.ledger, made.sign(Ack(made.ledger.k, mover, X))).code is Err.SCHEMA


# -- out of order ----------------------------------------------------------------------------------------------------


def test_entries_that_come_before_what_they_need_wait_for_it():
    made, behind = table(kinds="hhh"), table(kinds="hhh").ledger
    made.to_decision()
    made.ledger.accept(made.move())
    made.acks()
    for done in made.ledger.records[:-1]:
        behind.accept_record(done)
    *shares, move, ack, other = made.ledger.records[-1].entries
    for early in (other, ack, move):
        assert whats(behind.accept(early)) == [Accepted.HELD]
    assert whats(behind.accept(move)) == [Accepted.DUPLICATE]
    changes = [change for share in shares for change in behind.accept(share)]
    assert whats(changes) == [
        *[Accepted.NEW_SHARE] * 3,
        Accepted.CARD_KNOWN,
        Accepted.MOVED,
        Accepted.ACKED,
        Accepted.ACKED,
        Accepted.STEP_FINAL,
    ]
    assert behind.head == made.ledger.head


def test_acknowledgements_wait_for_the_move_only():
    made, behind = table(), table().ledger
    made.to_decision()
    for done in made.ledger.records:
        behind.accept_record(done)
    for share in made.ledger.open.record().entries:
        behind.accept(share)
    move = made.move()
    made.ledger.accept(move)
    ack = made.ack(1 - made.ledger.position.turn)
    assert whats(behind.accept(ack)) == [Accepted.HELD]
    assert whats(behind.accept(move)) == [Accepted.MOVED, Accepted.ACKED, Accepted.STEP_FINAL]


def test_acknowledgements_stay_held_when_the_card_alone_comes():
    made, behind = table(), table().ledger
    made.to_decision()
    for done in made.ledger.records:
        behind.accept_record(done)
    shares = made.ledger.open.record().entries
    move = made.move()
    made.ledger.accept(move)
    behind.accept(made.ack(1 - made.ledger.position.turn))
    assert whats(change for share in shares for change in behind.accept(share))[-1] is Accepted.CARD_KNOWN
    assert Accepted.STEP_FINAL in whats(behind.accept(move))


def test_a_held_move_that_turns_out_illegal_is_refused_without_blaming_the_bringer():
    made = table()
    made.to_decision()
    behind = table().ledger
    for done in made.ledger.records:
        behind.accept_record(done)
    bad = made.sign(replace(made.ledger.move_entry(made.ledger.open.choices[0]), action=(9,)))
    first, last = made.ledger.open.record().entries
    assert whats(behind.accept(first) + behind.accept(bad)) == [Accepted.NEW_SHARE, Accepted.HELD]
    change = behind.accept(last)[-1]
    assert (change.what, change.seat, change.signed) == (Accepted.REFUSED, behind.position.turn, bad)
    assert change.fault.evidence == (pair(bad),)


def test_the_next_steps_shares_wait_and_count_as_soon_as_it_opens():
    made = table()
    made.shares()
    assert whats(made.ledger.accept(made.reveal(0, k=1))) == [Accepted.HELD]
    assert made.ledger.open.shares.keys() == {0, 1}
    made.ledger.accept(made.ack(0))
    changes = made.ledger.accept(made.ack(1))
    assert [(change.what, change.k) for change in changes] == [
        (Accepted.ACKED, 0),
        (Accepted.STEP_FINAL, 0),
        (Accepted.NEW_SHARE, 1),
    ]
    assert made.ledger.duty(0) is Duty.NOTHING


def test_a_wrong_share_of_the_next_step_is_refused_when_it_opens():
    made = table()
    made.shares()
    wrong = made.sign(Reveal(1, 0, X))
    made.ledger.accept(wrong)
    made.ledger.accept(made.ack(0))
    last = made.ledger.accept(made.ack(1))[-1]
    assert (last.what, last.k, last.signed, last.fault.code) == (Accepted.REFUSED, 1, wrong, Err.BAD_SHARE)


def test_two_moves_of_the_next_step_contest_it_before_it_opens():
    made = table()
    made.shares()
    one, two = (made.sign(MoveEntry(1, 0, X, action, X)) for action in ((), (1, 1)))
    made.ledger.accept(one)
    refused(made.ledger, two)
    assert not made.ledger.open.contested
    made.acks()
    assert made.ledger.open.contested


def test_only_three_entries_a_person_wait_for_the_next_step():
    made = table()
    for seat in (0, 1):
        for body in (Reveal(1, seat, X), MoveEntry(1, seat, X, (), X), Ack(1, seat, X)):
            made.ledger.accept(made.sign(body))
    assert len(made.ledger._ahead) == 6


# -- old entries -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("later", [0, 1, 2])
def test_entries_of_a_finished_step_are_duplicates(later):
    made = table()
    made.to_decision()
    made.step()
    for _ in range(later):
        made.step()
    for signed in made.ledger.record(made.ledger.k - 1 - later).entries:
        assert whats(made.ledger.accept(signed)) == [Accepted.DUPLICATE]


def test_a_new_entry_for_a_slot_that_a_finished_step_has_not_is_old():
    made = table()
    made.to_decision()
    k, mover = made.ledger.k, made.ledger.position.turn
    made.step()
    late = made.sign(MoveEntry(k, 1 - mover, X, (), X))
    assert whats(made.ledger.accept(late)) == [Accepted.OLD]
    made.step()
    assert whats(made.ledger.accept(late)) == [Accepted.OLD]


# -- goodbyes --------------------------------------------------------------------------------------------------------


@pytest.mark.spec("F-40")
def test_a_goodbye_is_told_once_and_is_in_no_record():
    made = table()
    gone = made.sign(Leave(0, 1, 0))
    assert whats(made.ledger.accept(gone)) == [Accepted.LEFT]
    assert whats(made.ledger.accept(gone)) == [Accepted.DUPLICATE]
    assert made.ledger.left == {1: Leave(0, 1, 0)}
    made.step()
    assert gone not in made.ledger.record(0).entries


def test_the_latest_goodbye_counts():
    made = table()
    made.ledger.accept(made.sign(Leave(0, 1, 1)))
    assert whats(made.ledger.accept(made.sign(Leave(0, 1, 0)))) == [Accepted.OLD]
    assert whats(made.ledger.accept(made.sign(Leave(1, 1, 0)))) == [Accepted.LEFT]
    assert made.ledger.left == {1: Leave(1, 1, 0)}


def test_a_forged_goodbye_is_refused():
    made = table()
    assert refused(made.ledger, Signed(encode_body(Leave(0, 1, 0)), bytes(64))).code is Err.BAD_SIGNATURE
    assert made.ledger.left == {}


# -- bots ------------------------------------------------------------------------------------------------------------


def test_a_bots_move_is_computed_with_the_card_and_everyone_acknowledges_it():
    made = table(kinds="hbh", first=0)
    made.to_turn(lambda t: t.ledger.position.turn == 1)
    ledger = made.ledger
    assert ledger.open.applied.seat == 1
    assert ledger.open.move is None
    assert [ledger.duty(seat) for seat in (0, 2)] == [Duty.ACK, Duty.ACK]
    assert whats(made.acks()) == [Accepted.ACKED, Accepted.ACKED, Accepted.STEP_FINAL]


def test_the_card_and_the_bots_move_are_told_in_order():
    made = table(kinds="hb", first=0)
    made.to_turn(lambda t: t.ledger.position.turn == 0)
    while made.ledger.position.turn == 0:
        made.step()
    assert whats(made.ledger.accept(made.reveal(0))) == [Accepted.NEW_SHARE, Accepted.CARD_KNOWN, Accepted.MOVED]


# -- the end ---------------------------------------------------------------------------------------------------------


def test_a_win_is_over_when_counted_and_final_when_confirmed():
    made = table()
    made.to_win()
    ledger = made.ledger
    winner = ledger.position.turn
    assert (ledger.over, ledger.over_final) == (winner, False)
    assert ledger.final_needs() == (1 - winner,)
    assert ledger.counted_record().entries == ledger.open.entries()
    made.acks()
    assert (ledger.over, ledger.over_final, ledger.counted_record()) == (winner, True, None)
    assert [ledger.duty(seat) for seat in (0, 1)] == [Duty.NOTHING, Duty.NOTHING]
    assert ledger.final_needs() == ()


@pytest.mark.spec("F-29")
def test_after_a_win_nobodys_share_is_taken():
    made = table()
    made.to_win()
    k = made.ledger.k
    assert whats(made.ledger.accept(made.reveal(0, k=k + 1))) == [Accepted.TOO_EARLY]
    made.acks()
    assert whats(made.ledger.accept(made.reveal(0, k=k + 1))) == [Accepted.TOO_EARLY]
    assert made.ledger.open.shares == {}


def test_a_share_held_for_the_step_after_the_win_is_dropped():
    made = table()
    made.to_win()
    behind = made.replica()
    for done in made.ledger.records:
        behind.accept_record(done)
    assert whats(behind.accept(made.reveal(0, k=behind.k + 1))) == [Accepted.HELD]
    made.acks()
    assert behind.accept_record(made.ledger.records[-1])[-1].what is Accepted.STEP_FINAL
    assert behind.over_final
    assert behind.open.seen == {}


def test_the_chain_ends_where_its_last_share_is_spent(monkeypatch):
    made = table()
    made.step()
    monkeypatch.setattr(module.limits, "CHAIN_LENGTH", 1)
    assert made.ledger.duty(0) is Duty.NOTHING


# -- records ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kinds", ["hb", "hh", "hhb", "hhhh"])
def test_a_game_replayed_from_its_records_ends_at_the_same_head(kinds):
    made = table("r", kinds)
    made.to_end()
    again = made.replica()
    for done in made.ledger.records:
        changes = again.accept_record(done)
        assert changes[-1].what is Accepted.STEP_FINAL
        assert again.record(done.k) == done
        assert again.applied_of(done.k) == made.ledger.applied_of(done.k)
    assert (again.head, again.over, again.words) == (made.ledger.head, made.ledger.over, made.ledger.words)


def test_a_record_is_shares_then_the_move_then_acknowledgements_by_seat():
    made = table(kinds="hhh")
    made.to_decision()
    mover = made.ledger.position.turn
    made.step()
    found = made.ledger.records[-1]
    others = [seat for seat in range(3) if seat != mover]
    slots = [*[(1, found.k, seat) for seat in range(3)], (2, found.k, mover), *[(3, found.k, seat) for seat in others]]
    bodies = [decode_body(signed.body) for signed in found.entries]
    assert [Slot(body.KIND, body.k, body.seat) for body in bodies] == slots


def test_a_record_of_another_step_than_the_open_one_is_let_be():
    made = table()
    made.step()
    again = made.replica()
    first = made.ledger.record(0)
    assert again.accept_record(Record(1, first.entries)) == (Change(Accepted.TOO_EARLY, 1),)
    assert made.ledger.accept_record(first) == (Change(Accepted.OLD, 0),)


@pytest.mark.spec("S-4", "F-21")
def test_a_record_with_an_acknowledgement_of_its_mover_is_refused_before_any_of_it_counts():
    made = table()
    made.to_turn(lambda one: one.ledger.position.turn == 1)
    made.step()
    last = made.ledger.records[-1]
    behind = made.replica()
    for done in made.ledger.records[:-1]:
        behind.accept_record(done)
    # Behind the last missing one it would be an entry of a finished step, whose signature nobody looks at.
    surplus = Signed(encode_body(Ack(last.k, 1, bytes(32))), bytes(64))
    with pytest.raises(RemoteFault) as caught:
        behind.accept_record(Record(last.k, (*last.entries, surplus)))
    assert caught.value.code is Err.SCHEMA
    assert (behind.k, behind.open.seen) == (last.k, {})


def refused_record(made, entries: tuple[Signed, ...], k: int = 0) -> RemoteFault:
    with pytest.raises(RemoteFault) as caught:
        made.replica().accept_record(Record(k, entries))
    return caught.value


@pytest.mark.spec("S-4")
def test_a_record_must_be_complete_ordered_and_of_its_step():
    made = table()
    made.step()
    made.step()
    entries = made.ledger.record(0).entries
    gone = made.sign(Leave(0, 1, 0))
    for wrong in (entries[:-1], entries[::-1], (entries[0], *entries), (*entries[:-1], gone), (*entries, gone)):
        assert refused_record(made, wrong).code is Err.SCHEMA
    assert refused_record(made, made.ledger.record(1).entries).code is Err.SCHEMA


def test_a_record_that_ends_at_another_head_has_diverged():
    made = table()
    made.step()
    *entries, _ = made.ledger.record(0).entries
    assert refused_record(made, (*entries, made.sign(Ack(0, 1, X)))).code is Err.DIVERGED


def test_a_record_with_an_early_illegal_move_carries_the_proof():
    made = table()
    made.to_decision()
    behind = made.replica()
    for done in made.ledger.records:
        behind.accept_record(done)
    bad = made.sign(replace(made.ledger.move_entry(made.ledger.open.choices[0]), action=(9,)))
    behind.accept(bad)
    with pytest.raises(RemoteFault) as caught:
        behind.accept_record(made.ledger.open.record())
    assert caught.value.evidence == (pair(bad),)


def test_what_goes_wrong_in_the_step_after_does_not_spoil_a_record():
    made = table()
    made.step()
    again = made.replica()
    again.accept(made.sign(Reveal(1, 0, X)))
    assert whats(again.accept_record(made.ledger.record(0)))[-2:] == [Accepted.STEP_FINAL, Accepted.REFUSED]


# -- our own misuse --------------------------------------------------------------------------------------------------


def test_a_ledger_needs_the_game_id_of_its_table():
    made = table()
    with pytest.raises(LocalMisuse):
        Ledger(made.bytes, made.terms, X)


def test_what_has_not_happened_cannot_be_asked():
    ledger = table().ledger
    for ask in (ledger.record, ledger.applied_of):
        for k in (-1, 0, 1):
            with pytest.raises(LocalMisuse):
                ask(k)
    assert ledger.counted_record() is None


def test_a_move_is_prepared_only_for_the_seat_that_decides_and_only_a_legal_one():
    made = table()
    with pytest.raises(LocalMisuse):
        made.ledger.move_entry(Decline())
    made.to_turn(lambda t: Decline() not in t.ledger.open.choices)
    with pytest.raises(LocalMisuse):
        made.ledger.move_entry(Decline())
    made.ledger.accept(made.move())
    with pytest.raises(LocalMisuse):
        made.ledger.move_entry(made.ledger.open.choices[0])


def test_an_acknowledgement_is_prepared_only_when_due():
    made = table()
    with pytest.raises(LocalMisuse):
        made.ledger.ack_entry(0)
    made.shares()
    with pytest.raises(LocalMisuse):
        made.ledger.ack_entry(2)


# -- cards -----------------------------------------------------------------------------------------------------------


def test_the_deck_is_refilled_when_a_card_is_due_and_none_is_left():
    made = table(rules=Rules())
    deck = full_deck(Rules())
    while made.ledger.k < 46:
        made.step()
    drawn = [made.ledger.applied_of(k).card for k in range(1, 46)]
    assert tuple(drawn.count(card) for card in Card) == deck
    assert made.ledger.pile == (0,) * 11
    assert not any(made.ledger.applied_of(k).reshuffled for k in range(46))
    made.shares()
    assert made.ledger.open.drawn.reshuffled
    assert sum(made.ledger.open.drawn.pile) == sum(deck) - 1


def test_names_of_the_builder_are_seats_names():
    assert [line.name for line in table(kinds="hhhh").terms.seats] == list(NAMES)
    assert seed("a") != seed("b")


def test_an_own_entry_is_for_the_open_step_and_for_a_slot_that_is_free():
    made, ledger = table(), table().ledger
    first, later = made.reveal(0, 0), made.reveal(0, 1)
    assert whats(ledger.accept_own(decode_body(first.body), first)) == [Accepted.NEW_SHARE]
    for signed in (first, later):
        with pytest.raises(LocalMisuse, match="not an entry that was due"):
            ledger.accept_own(decode_body(signed.body), signed)

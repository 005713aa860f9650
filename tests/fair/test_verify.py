"""The verdict on a file, from its bytes alone."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256

import pytest

from sorry_lan.fair.entry import Ack, decode_body, encode_body
from sorry_lan.fair.genesis import encode_terms
from sorry_lan.fair.transcript import FIRST_LINE, EndFrame, Ending, TableFrame, encode_file
from sorry_lan.fair.verify import Caution, Finding, Outcome, Verdict, verify_transcript
from sorry_lan.faults import Err, LocalMisuse
from sorry_lan.rules.cards import CARDS
from sorry_lan.wire.messages import Consent, Signed
from tests.fair.build import Table, table, with_seat

X = bytes([9]) * 32


def frames_of(made: Table, how: Ending = Ending.WON) -> list:
    """The frames of a file of all that is final in the table."""
    end = EndFrame(made.ledger.k, made.ledger.head, how)
    return [TableFrame(made.bytes, made.consents()), *made.ledger.records, end]


def played(name: str = "v", kinds: str = "hh") -> Table:
    made = table(name, kinds)
    made.to_end()
    return made


def verdict_on(frames: list) -> Verdict:
    return verify_transcript(encode_file(frames))


def found(frames: list) -> tuple[Outcome, Finding, int]:
    verdict = verdict_on(frames)
    return verdict.outcome, verdict.finding, verdict.steps


@pytest.mark.parametrize("kinds", ["hb", "hh", "bhh", "hhhh"])
def test_a_whole_game_holds(kinds):
    made = played(kinds=kinds)
    verdict = verdict_on(frames_of(made))
    ledger = made.ledger
    assert (verdict.outcome, verdict.finding, verdict.steps) == (Outcome.HOLDS, Finding.WON, ledger.k)
    assert (verdict.winner, verdict.words, verdict.first) == (ledger.over, ledger.words, ledger.first)
    assert (verdict.terms, verdict.game_id, verdict.fault) == (made.terms, made.game_id, None)
    assert verdict.shares == ledger.k * len(ledger.humans)
    assert (verdict.unconfirmed, verdict.blamed) == ((), None)


def test_the_same_game_told_by_two_clients_is_the_same_file():
    one, other = played(), played()
    assert encode_file(frames_of(one)) == encode_file(frames_of(other))


def test_cards_are_counted_by_seat_beside_what_is_expected():
    made = played()
    verdict = verdict_on(frames_of(made))
    steps = [made.ledger.applied_of(k) for k in range(1, made.ledger.k)]
    for seat in (0, 1):
        drawn = Counter(step.card for step in steps if step.seat == seat)
        assert verdict.draws[seat] == tuple(drawn[card] for card in CARDS)
        draws = sum(verdict.draws[seat])
        assert verdict.expected(seat) == (Fraction(draws, 9), *[Fraction(4 * draws, 45)] * 10)
    assert sum(map(sum, verdict.draws)) == made.ledger.k - 1


def test_a_file_without_a_table_has_no_cards_to_expect():
    with pytest.raises(LocalMisuse):
        verify_transcript(b"").expected(0)


def test_one_person_alone_mixed_the_deck():
    assert verdict_on(frames_of(played(kinds="hb"))).cautions == (Caution.ONE_SEAT,)


def test_people_of_one_client_mixed_the_deck_there():
    made = table("v")
    terms = with_seat(made.terms, 1, replace(made.terms.seats[1], client=0))
    shared = Table("v", terms)
    shared.to_end()
    assert verdict_on(frames_of(shared)).cautions == (Caution.ONE_CLIENT,)
    assert verdict_on(frames_of(played())).cautions == ()


# -- games that were not won -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("steps", [0, 1, 5])
def test_a_saved_game_holds_up_to_its_last_step(steps):
    made = table("s")
    for _ in range(steps):
        made.step()
    verdict = verdict_on(frames_of(made, Ending.SAVED))
    assert (verdict.outcome, verdict.finding, verdict.steps) == (Outcome.HOLDS, Finding.SAVED, steps)
    assert (verdict.winner, verdict.words) == (None, made.ledger.words)


@pytest.mark.parametrize("kinds", ["hhh", "bhb"])
def test_a_win_that_not_all_confirmed_names_them(kinds):
    made = table("u", kinds)
    for number in range(20):
        made = table(f"u{number}", kinds)
        made.to_win()
        if made.ledger.final_needs():
            break
    missing = made.ledger.final_needs()
    last = made.ledger.counted_record()
    end = EndFrame(last.k + 1, made.ledger.applied_of(last.k).head, Ending.WON)
    start = TableFrame(made.bytes, made.consents())
    verdict = verdict_on([start, *made.ledger.records, last, end])
    assert (verdict.outcome, verdict.finding, verdict.steps) == (Outcome.UNCONFIRMED, Finding.UNCONFIRMED, last.k + 1)
    assert (verdict.unconfirmed, verdict.winner) == (missing, made.ledger.over)


def test_only_the_winning_step_may_lack_acknowledgements():
    made = table("i", "hhh")
    made.to_decision()
    made.ledger.accept(made.move())
    last = made.ledger.counted_record()
    head = made.ledger.applied_of(last.k).head
    start = [TableFrame(made.bytes, made.consents()), *made.ledger.records]
    for how in Ending:
        end = EndFrame(last.k + 1, head, how)
        assert found([*start, last, end]) == (Outcome.FALSE, Finding.INCOMPLETE_STEP, last.k)
    made.acks()
    made.step()
    late = [*start, last, made.ledger.records[-1]]
    assert found([*late, EndFrame(made.ledger.k, made.ledger.head, 1)])[1:] == (Finding.INCOMPLETE_STEP, last.k)


@pytest.mark.spec("X-5", "S-4")
def test_an_entry_more_than_a_step_needs_makes_it_false():
    made = played("more")
    frames = frames_of(made)
    at = next(n for n, step in enumerate(frames) if n > 1 and made.ledger.applied_of(step.k).seat == 1)
    surplus = Signed(encode_body(Ack(frames[at].k, 1, X)), bytes(64))
    frames[at] = replace(frames[at], entries=(*frames[at].entries, surplus))
    assert found(frames) == (Outcome.FALSE, Finding.BAD_STEP, frames[at].k)


def test_what_is_no_entry_behind_a_step_without_acknowledgements_is_false():
    made = table("i", "hhh")
    made.to_decision()
    made.ledger.accept(made.move())
    last = made.ledger.counted_record()
    junk = replace(last, k=last.k + 1, entries=(Signed(b"\xc1", bytes(64)),))
    frames = [TableFrame(made.bytes, made.consents()), *made.ledger.records, last, junk]
    assert found(frames) == (Outcome.FALSE, Finding.BAD_STEP, last.k)


def test_shares_alone_are_no_step_of_a_transcript():
    made = table("j")
    made.to_decision()
    k, head = made.ledger.k, made.ledger.head
    start = [TableFrame(made.bytes, made.consents()), *made.ledger.records, made.ledger.open.record()]
    for end in (EndFrame(k, head, 1), EndFrame(k + 1, head, 0)):
        assert found([*start, end]) == (Outcome.FALSE, Finding.INCOMPLETE_STEP, k)


def test_an_unconfirmed_win_is_not_a_saved_game():
    made = table("u")
    made.to_win()
    last = made.ledger.counted_record()
    end = EndFrame(last.k + 1, made.ledger.applied_of(last.k).head, Ending.SAVED)
    start = [TableFrame(made.bytes, made.consents()), *made.ledger.records]
    assert found([*start, last, end])[1] is Finding.INCOMPLETE_STEP
    for wrong in (EndFrame(last.k, end.head, 0), EndFrame(last.k + 1, made.ledger.head, 0)):
        assert found([*start, last, wrong])[1] is Finding.BAD_END


def test_a_false_acknowledgement_of_the_win_is_not_a_missing_one():
    made = table("u", "hhh")
    made.to_win()
    last = made.ledger.counted_record()
    end = EndFrame(last.k + 1, made.ledger.applied_of(last.k).head, Ending.WON)
    seat = made.ledger.final_needs()[0]
    false = made.sign(Ack(last.k, seat, X))
    start = [TableFrame(made.bytes, made.consents()), *made.ledger.records]
    verdict = verdict_on([*start, replace(last, entries=(*last.entries, false)), end])
    assert (verdict.outcome, verdict.finding, verdict.steps) == (Outcome.FALSE, Finding.BAD_STEP, last.k)
    assert (verdict.winner, verdict.fault.code) == (None, Err.DIVERGED)


# -- lies ------------------------------------------------------------------------------------------------------------


def test_an_end_that_is_not_the_games_is_false():
    made = played()
    *frames, end = frames_of(made)
    k = made.ledger.k
    for wrong in (replace(end, k=k - 1), replace(end, k=k + 1), replace(end, head=X), replace(end, how=Ending.SAVED)):
        assert found([*frames, wrong]) == (Outcome.FALSE, Finding.BAD_END, k)


def test_a_game_that_goes_on_is_not_won():
    made = table("s")
    made.step()
    assert found(frames_of(made, Ending.WON)) == (Outcome.FALSE, Finding.BAD_END, 1)


@pytest.mark.parametrize("at", [0, 4])
def test_a_missing_or_doubled_step_is_named(at):
    frames = frames_of(played())
    missing = verdict_on([*frames[: at + 1], *frames[at + 2 :]])
    doubled = verdict_on([*frames[: at + 2], *frames[at + 1 :]])
    assert (missing.finding, missing.steps) == (Finding.BAD_STEP, at)
    assert (doubled.finding, doubled.steps) == (Finding.BAD_STEP, at + 1)
    assert doubled.fault.code is Err.SCHEMA


def test_a_changed_entry_breaks_its_step():
    frames = frames_of(played())
    entry = frames[4].entries[0]
    for wrong in (Signed(entry.body, bytes(64)), Signed(entry.body[:-1] + b"\x00", entry.sig)):
        frames[4] = replace(frames[4], entries=(wrong, *frames[4].entries[1:]))
        verdict = verdict_on(frames)
        assert (verdict.outcome, verdict.finding, verdict.steps) == (Outcome.FALSE, Finding.BAD_STEP, 3)
        assert verdict.fault.code is Err.BAD_SIGNATURE


def test_a_step_after_the_win_is_false():
    made = played()
    *frames, end = frames_of(made)
    assert frames[-1].k == made.ledger.k - 1
    late = replace(frames[-1], k=made.ledger.k, entries=(made.reveal(0), made.reveal(1)))
    verdict = verdict_on([*frames, late, end])
    assert (verdict.finding, verdict.steps) == (Finding.BAD_STEP, made.ledger.k)


def test_a_file_whose_table_is_missing_or_elsewhere_is_false():
    _, *rest = frames_of(played())
    assert found(rest) == (Outcome.FALSE, Finding.BAD_TABLE, 0)
    assert found([rest[-1]]) == (Outcome.FALSE, Finding.BAD_TABLE, 0)


def test_a_table_that_is_no_document_is_false():
    start, *rest = frames_of(played())
    verdict = verdict_on([replace(start, table=b"\x90"), *rest])
    assert (verdict.finding, verdict.fault.code) == (Finding.BAD_TABLE, Err.SCHEMA)


def test_a_table_that_breaks_a_rule_is_false_even_if_all_signed_it():
    made = Table("v", replace(table("v").terms, options=8))
    frames = [TableFrame(made.bytes, made.consents()), EndFrame(0, made.ledger.head, 1)]
    verdict = verdict_on(frames)
    assert (verdict.finding, verdict.fault.code) == (Finding.BAD_TABLE, Err.SCHEMA)


def test_a_table_that_not_all_signed_is_false():
    start, *rest = frames_of(played())
    one, two = start.consents
    for consents in ((one,), (two, one), (one, Consent(1, one.sig))):
        assert found([replace(start, consents=consents), *rest]) == (Outcome.FALSE, Finding.BAD_CONSENT, 0)


def test_a_game_of_another_engine_is_told_apart():
    terms = replace(table("v").terms, engine=X)
    made = Table("v", terms)
    assert made.bytes == encode_terms(terms)
    frames = frames_of(made, Ending.SAVED)
    assert found(frames) == (Outcome.OTHER_ENGINE, Finding.OTHER_ENGINE, 0)
    assert (verdict_on(frames).engine, verdict_on(frames_of(played())).engine) == (X, None)
    data = bytearray(encode_file(frames))
    data[-1] ^= 1
    assert verify_transcript(bytes(data)).outcome is Outcome.FALSE


def test_a_table_within_a_game_that_does_not_take_it_up_is_false():
    made = table("s")
    made.step()
    start, step, end = frames_of(made, Ending.SAVED)
    assert found([start, step, start, end]) == (Outcome.FALSE, Finding.BAD_CONTINUATION, 1)
    cut = verify_transcript(encode_file([start, step, start, end])[:-40])
    assert (cut.outcome, cut.finding, cut.steps) == (Outcome.FALSE, Finding.BAD_CONTINUATION, 1)


# -- damage ----------------------------------------------------------------------------------------------------------

SMALL = table("d", "hb")
for _ in range(3):
    SMALL.step()
DATA = encode_file(frames_of(SMALL, Ending.SAVED))
ENDS = [len(encode_file(frames_of(SMALL, Ending.SAVED)[: 2 + k])) - 32 for k in range(3)]
"""Where each step's frame ends in DATA."""


def test_what_is_no_transcript_is_said_to_be_none():
    for data, finding in ((b"", Finding.NO_FIRST_LINE), (b"sorry-lan transcript 9\n", Finding.OTHER_FORMAT)):
        verdict = verify_transcript(data)
        assert (verdict.outcome, verdict.finding, verdict.terms) == (Outcome.NOT_A_TRANSCRIPT, finding, None)


def held(length: int) -> int:
    """How many steps of DATA are whole in its first `length` bytes."""
    return sum(end <= length for end in ENDS)


@pytest.mark.untraced
def test_a_file_cut_short_holds_up_to_the_cut():
    for length in range(len(FIRST_LINE), len(DATA), 3):
        verdict = verify_transcript(DATA[:length])
        assert (verdict.outcome, verdict.finding, verdict.steps) == (Outcome.FALSE, Finding.CUT_SHORT, held(length))


@pytest.mark.untraced
def test_a_changed_byte_is_noticed_and_the_steps_before_it_hold():
    for at in range(len(FIRST_LINE), len(DATA)):
        changed = bytearray(DATA)
        changed[at] ^= 0x01
        verdict = verify_transcript(bytes(changed))
        assert verdict.outcome is Outcome.FALSE, at
        assert verdict.steps == held(at), at


@pytest.mark.untraced
def test_a_forger_who_mends_the_checksum_is_caught_all_the_same():
    for at in range(len(FIRST_LINE), len(DATA) - 32):
        changed = bytearray(DATA[:-32])
        changed[at] ^= 0x01
        verdict = verify_transcript(bytes(changed) + sha256(changed).digest())
        assert (verdict.outcome, verdict.steps) == (Outcome.FALSE, held(at)), at


def test_a_changed_byte_of_the_checksum_leaves_every_step_standing():
    verdict = verify_transcript(DATA[:-1] + bytes([DATA[-1] ^ 1]))
    assert (verdict.outcome, verdict.finding, verdict.steps) == (Outcome.FALSE, Finding.CHECKSUM, SMALL.ledger.k)


def test_a_byte_too_many_is_noticed():
    assert verify_transcript(DATA + b"\n").finding is Finding.CHECKSUM


def test_an_impossible_frame_after_good_steps_is_named():
    whole = encode_file(frames_of(SMALL)[:3])[:-32]
    verdict = verify_transcript(whole + bytes(40))
    assert (verdict.outcome, verdict.finding, verdict.steps) == (Outcome.FALSE, Finding.BAD_FRAME, 2)


@pytest.mark.parametrize("tail", [b"\x00" * 5000, b"\xff" * 5000, bytes(range(256)) * 20])
def test_any_bytes_after_the_first_line_are_a_false_file(tail):
    assert verify_transcript(FIRST_LINE + tail).outcome is Outcome.FALSE


def test_the_bodies_in_the_file_are_what_the_seats_signed():
    bodies = [decode_body(signed.body) for record in SMALL.ledger.records for signed in record.entries]
    assert {body.seat for body in bodies} == {0}

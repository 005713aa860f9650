"""The verdict in words: the plain answer first, then who drew what."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.fair.transcript import EndFrame, Ending, TableFrame, encode_file
from sorry_lan.fair.verify import Caution, Finding, Going, Outcome, Verdict, verify_transcript
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.ui.texts_verify import unusual, verdict_lines, verdict_text
from sorry_lan.wire.terms import SeatKind, Why
from tests.fair.build import table
from tests.ui.hostile import HOSTILE


def whole(kinds: str = "hh") -> Verdict:
    made = table("words", kinds)
    made.to_end()
    end = EndFrame(made.ledger.k, made.ledger.head, Ending.WON)
    return verify_transcript(encode_file([TableFrame(made.bytes, made.consents()), *made.ledger.records, end]))


WHOLE = whole()
OUTCOME = {
    Finding.WON: Outcome.HOLDS,
    Finding.SAVED: Outcome.HOLDS,
    Finding.SIGNED_TWICE: Outcome.HOLDS,
    Finding.ILLEGAL_MOVE: Outcome.HOLDS,
    Finding.UNCONFIRMED: Outcome.UNCONFIRMED,
    Finding.OTHER_ENGINE: Outcome.OTHER_ENGINE,
    Finding.NO_FIRST_LINE: Outcome.NOT_A_TRANSCRIPT,
    Finding.OTHER_FORMAT: Outcome.NOT_A_TRANSCRIPT,
}


def made(finding: Finding) -> Verdict:
    return replace(WHOLE, outcome=OUTCOME.get(finding, Outcome.FALSE), finding=finding, blamed=1, unconfirmed=(1,))


@pytest.mark.parametrize("finding", Finding)
def test_every_finding_is_a_sentence_of_its_own(finding):
    text = verdict_text(made(finding))
    assert text.endswith(".")
    assert "{" not in text
    others = {verdict_text(made(other)) for other in Finding if other is not finding}
    assert text not in others


def test_steps_at_which_a_game_went_on_are_counted_through_all_tables_and_nobody_who_was_left_is_passed_over():
    both = Going(5, Why.RETURN, (1,), (0,), (0,))
    lines = verdict_lines(
        replace(WHOLE, goings=(Going(7, Why.LEFT, (0,), (), (1,)), both, Going(0, Why.LEFT, (), (), (0,))))
    )
    ada, bob = (seat.name for seat in WHOLE.terms.seats)
    assert lines[2:6] == (
        f"In step 7 {bob} went on without {ada}: they say it was left.",
        f"In step 12 {ada} came back; {ada} signed that.",
        f"In step 12 {ada} went on without {bob}: they give no reason.",
        f"In step 12 {ada} went on at a new table with the same seats.",
    )
    assert lines[0].startswith(f"All {WHOLE.steps - 1} draws")


def test_the_verdict_comes_first_and_plainly():
    draws = WHOLE.steps - 1
    lines = verdict_lines(WHOLE)
    names = [seat.name for seat in WHOLE.terms.seats]
    assert lines[0] == (f"All {draws} draws check out; every player had a hand in each. {names[WHOLE.winner]} won.")
    assert lines[1].startswith("Players: ")
    assert lines[2] == f"Check words: {' '.join(WHOLE.words)}."
    assert [line.split(",")[0].strip() for line in lines[4:]] == names


def test_a_single_draw_is_told_as_one():
    assert verdict_text(replace(WHOLE, draws=((1, *[0] * 10), (0,) * 11))).startswith(
        "The 1 draw checks out; every player had a hand in it."
    )


def test_a_false_file_says_no_why_and_how_far():
    fault = RemoteFault(Err.BAD_SHARE, "x")
    text = verdict_text(replace(made(Finding.BAD_STEP), steps=7, fault=fault))
    assert text == (
        "NO, this file does not hold: step 7 is false. "
        "A share does not open what its player had sealed before the game. It holds up to step 6."
    )
    assert "something in it is not true" in verdict_text(replace(made(Finding.BAD_STEP), fault=None))
    assert verdict_text(replace(made(Finding.CUT_SHORT), steps=0)).endswith("No step of it holds.")
    assert verdict_text(replace(made(Finding.CUT_SHORT), terms=None)).endswith("Nothing in it can be relied on.")


def test_without_a_table_there_is_only_the_verdict():
    assert len(verdict_lines(verify_transcript(b"x"))) == 1


@pytest.mark.parametrize("caution", Caution)
def test_every_caution_is_told_right_after_the_verdict(caution):
    assert verdict_lines(replace(WHOLE, cautions=(caution,)))[1].startswith("But ")


def test_bots_are_called_bots():
    assert ", a bot" in verdict_lines(whole("hbh"))[1]


def test_nothing_drawn_and_no_words_are_left_out():
    bare = replace(WHOLE, words=None, draws=((0,) * 11, (0,) * 11))
    assert len(verdict_lines(bare)) == 2


def test_only_rare_counts_get_a_star():
    assert not unusual(0, 0.0, 0)
    assert not unusual(6, 6.1, 69)
    assert unusual(0, 6.2, 70)
    assert unusual(20, 6.2, 70)
    starred = replace(WHOLE, draws=((40,) + (0,) * 10, (0,) * 11))
    assert "1: 40* (4.4)" in " ".join(verdict_lines(starred))


@pytest.mark.parametrize("text", HOSTILE)
def test_names_in_a_file_are_harmless(text):
    seats = tuple(replace(seat, name=text) for seat in WHOLE.terms.seats)
    evil = replace(WHOLE, terms=replace(WHOLE.terms, seats=seats), blamed=0, unconfirmed=(0, 1))
    for finding in Finding:
        for line in verdict_lines(replace(evil, finding=finding, outcome=OUTCOME.get(finding, Outcome.FALSE))):
            assert line.isprintable()


@pytest.mark.parametrize("why", Why)
def test_who_left_whom_and_who_signed_it_is_told(why):
    going = Going(7, why, (0,), (), (1,))
    text = verdict_lines(replace(WHOLE, goings=(going,)))[2]
    assert text.startswith("In step 7 ")
    assert text.endswith(".")
    names = [seat.name for seat in WHOLE.terms.seats]
    assert all(name in text for name in names)


def test_a_return_and_the_end_of_the_secrets_are_told():
    back = verdict_lines(replace(WHOLE, goings=(Going(7, Why.RETURN, (), (0,), (0, 1)),)))[2]
    end = verdict_lines(replace(WHOLE, goings=(Going(9, Why.CHAIN_END, (), (), (0, 1)),)))[2]
    assert "came back" in back
    assert "new table" in end


def test_a_seat_that_was_taken_over_is_told_apart_from_a_bot():
    seats = (replace(WHOLE.terms.seats[0], kind=SeatKind.STAND_IN), *WHOLE.terms.seats[1:])
    assert "the computer took over" in verdict_lines(replace(WHOLE, terms=replace(WHOLE.terms, seats=seats)))[1]

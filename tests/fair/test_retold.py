"""A game file believed after its checksum: the same game that verify sees, and no game where there is none."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from sorry_lan.fair.counts import GameCounts, SeatCounts, counts_of, totals_of
from sorry_lan.fair.entry import MoveEntry, decode_body, encode_body
from sorry_lan.fair.genesis import encode_terms
from sorry_lan.fair.open_step import Record
from sorry_lan.fair.replay import Finding
from sorry_lan.fair.retold import Untold, retold
from sorry_lan.fair.transcript import FIRST_LINE, EndFrame, Ending, ProofFrame, TableFrame, encode_file
from sorry_lan.fair.verify import examine
from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import Sorry, to_action
from sorry_lan.rules.profile import Rules
from sorry_lan.wire.terms import Why
from tests.fair.build import ONE_PAWN, Table, key_of, table
from tests.fair.next_table import follow, frames


def finished(name: str = "retold", kinds: str = "hbh", rules: Rules = ONE_PAWN, first: int | None = None) -> Table:
    made = table(name, kinds, rules, first)
    made.to_end()
    return made


def same_as_verified(data: bytes) -> None:
    told = retold(data)
    examined = examine(data)
    played = [step for stretch in examined.stretches for step in stretch.steps if step.seat is not None]
    assert [(turn.before.turn, turn.card, turn.move, turn.after) for turn in told.turns] == [
        (step.seat, step.card, step.move, step.position) for step in played
    ]
    assert told.winner == examined.verdict.winner
    counts = counts_of(told)
    assert tuple(seat.drawn for seat in counts.seats) == examined.verdict.draws
    assert counts.turns == len(played)


def why(data: bytes) -> Finding:
    with pytest.raises(Untold) as untold:
        retold(data)
    return untold.value.finding


@pytest.mark.parametrize(("kinds", "first"), [("hh", None), ("hbh", 2), ("bhbh", None)])
def test_it_tells_what_verify_sees(kinds: str, first: int | None) -> None:
    same_as_verified(encode_file(frames([finished(kinds=kinds, first=first)], Ending.WON)))


def test_it_tells_a_game_that_went_on_without_somebody_and_with_them_again() -> None:
    one = table("retold", "hhh")
    for _ in range(5):
        one.step()
    two = follow(one, "two", without=[1])
    for _ in range(4):
        two.step()
    three = follow(two, "three", back=[1], why=Why.RETURN)
    three.to_end()
    data = encode_file(frames([one, two, three], Ending.WON))
    same_as_verified(data)
    told = retold(data)
    assert told.root == one.game_id
    assert len(told.tables) == 3


def test_a_card_that_stays_pending_is_answered_at_the_next_table() -> None:
    one = table("retold", "hhh")
    one.to_decision()
    leaver = next(seat for seat in range(3) if seat != one.ledger.position.turn)
    two = follow(one, without=[leaver])
    assert two.terms.parent.pending is not None
    two.to_end()
    same_as_verified(encode_file(frames([one, two], Ending.WON)))


def test_a_saved_game_has_no_winner() -> None:
    made = table("retold", "hh")
    for _ in range(4):
        made.step()
    told = retold(encode_file(frames([made])))
    assert (len(told.turns), told.winner, told.ending) == (3, None, Ending.SAVED)
    assert retold(encode_file(frames([table("retold", "hh")]))).winner is None


def test_what_is_damaged_tells_nothing() -> None:
    data = encode_file(frames([finished()], Ending.WON))
    assert why(b"") is Finding.NO_FIRST_LINE
    assert why(b"sorry-lan transcript 9\n") is Finding.OTHER_FORMAT
    assert why(data[:-1]) is Finding.CUT_SHORT
    assert why(data[:-1] + bytes([data[-1] ^ 1])) is Finding.CHECKSUM
    assert why(FIRST_LINE + bytes(8)) is Finding.BAD_FRAME


def test_another_engine_is_told_apart() -> None:
    made = finished(kinds="hh")
    head, *rest = frames([made], Ending.WON)
    other = encode_terms(replace(made.terms, engine=bytes(32)))
    assert why(encode_file([replace(head, table=other), *rest])) is Finding.OTHER_ENGINE


def test_frames_that_make_no_game_tell_none() -> None:
    made = finished("made", kinds="hh")
    head, *records, end = frames([made], Ending.WON)
    assert why(encode_file([*records, end])) is Finding.BAD_TABLE
    assert why(encode_file([head, ProofFrame(made.game_id, made.reveal(0, 0), None)])) is Finding.PROVES_NOTHING
    assert why(encode_file([head, *records, replace(end, how=Ending.SAVED)])) is Finding.BAD_END
    assert why(encode_file([head, *records[:-1], end])) is Finding.BAD_END
    assert why(encode_file([head, *records, records[-1], end])) is Finding.BAD_STEP
    assert why(encode_file([head, *records[1:], end])) is Finding.BAD_STEP
    assert why(encode_file([head, EndFrame(0, bytes(32), Ending.WON)])) is Finding.BAD_END
    assert why(encode_file([TableFrame(b"x", head.consents), *records, end])) is Finding.BAD_STEP


@pytest.mark.parametrize("k", [4, 6, 2**32, 2**62])
def test_a_step_out_of_order_tells_nothing(k: int) -> None:
    head, *records, end = frames([finished(kinds="hh")], Ending.WON)
    records[5] = replace(records[5], k=k)
    assert why(encode_file([head, *records, end])) is Finding.BAD_STEP


def test_tables_that_do_not_follow_each_other_tell_nothing() -> None:
    one, two = table("retold", "hh"), table("retold", "hhhh")
    child = follow(one_step(one))
    for other in (two, one):
        assert why(encode_file(frames([one])[:-1] + frames([other]))) is Finding.BAD_CONTINUATION
    assert why(encode_file(frames([child]))) is Finding.BAD_TABLE


def one_step(made: Table) -> Table:
    made.step()
    return made


def changed(record: Record, change) -> Record:
    """The record with its move changed, unsigned."""
    entries = []
    for entry in record.entries:
        body = decode_body(entry.body)
        entries.append(replace(entry, body=encode_body(change(body))) if isinstance(body, MoveEntry) else entry)
    return replace(record, entries=tuple(entries))


@pytest.mark.parametrize("action", [(0, 1, 60), (5, 1, 3, 1), to_action(Sorry(1, 3, 1))])
def test_an_action_that_is_none_here_tells_nothing(action: tuple[int, ...]) -> None:
    made = finished(kinds="hh")
    head, *records, end = frames([made], Ending.WON)
    at = next(n for n, record in enumerate(records) if n and made.ledger.applied_of(record.k).card is Card.SORRY)
    records[at] = changed(records[at], lambda body: replace(body, action=action))
    assert why(encode_file([head, *records, end])) is Finding.BAD_STEP


def test_a_step_without_every_share_tells_nothing() -> None:
    head, *records, end = frames([finished(kinds="hh")], Ending.WON)
    records[3] = replace(records[3], entries=records[3].entries[1:])
    assert why(encode_file([head, *records, end])) is Finding.INCOMPLETE_STEP


def test_bumps_are_counted_for_both_sides_and_own_pawns_for_none() -> None:
    made = finished("bumps", "hhhh", Rules())
    counts = counts_of(retold(encode_file(frames([made], Ending.WON))))
    given, taken = [seat.given for seat in counts.seats], [seat.taken for seat in counts.seats]
    assert sum(given) == sum(taken) > 10
    assert given != taken
    assert counts.winner == made.ledger.over
    assert [seat.key for seat in counts.seats] == [key_of("bumps", seat).public for seat in range(4)]
    assert counts.root == made.game_id


def seat(name: str, key: int, drawn: int = 11, given: int = 0, taken: int = 0) -> SeatCounts:
    return SeatCounts(name, bytes([key]) * 32, (drawn,) + (0,) * 10, given, taken)


def test_totals_add_up_a_persons_games_under_each_name_they_had() -> None:
    deck = (5, *(4,) * 10)
    games = [
        GameCounts(b"1", deck, 0, (seat("Ada", 1, 9, 3, 1), seat("Bob", 2))),
        GameCounts(b"2", deck, 1, (seat("Ada", 9), seat("Bob", 2), seat("Ada", 1, 9, 2, 2))),
        GameCounts(b"3", deck, None, (seat("Addie", 1), seat("Bob", 2))),
    ]
    ada, addie = totals_of(games, [bytes([1]) * 32])
    assert (ada.name, ada.games, ada.finished, ada.wins, ada.given, ada.taken) == ("Ada", 2, 2, 1, 5, 3)
    assert float(ada.chance) == pytest.approx(1 / 2 + 1 / 3)
    assert (ada.drawn[0], ada.expected[0], ada.expected[1]) == (18, 2, Fraction(18 * 4, 45))
    assert (addie.games, addie.finished, addie.wins, addie.chance) == (1, 0, 0, 0)
    assert totals_of(games, []) == ()

"""A kept game as a row of moments: each as the table showed it, in any order, and nothing that does not hold."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from sorry_lan.fair.transcript import Ending, ProofFrame, encode_file
from sorry_lan.fair.verify import examine
from sorry_lan.faults import Err, LocalMisuse
from sorry_lan.rules.engine import play
from sorry_lan.rules.moves import to_action
from sorry_lan.table.news import CardDrawn, Confirmed, FaultProven, GameStarted, GoneOn, LotCast, Played, Won
from sorry_lan.table.view import FirstBy, Phase, Presence
from sorry_lan.ui.replay_model import Timeline, timeline_of
from sorry_lan.wire.terms import SeatKind, Why
from tests.fair.build import ONE_PAWN, Table, table
from tests.fair.next_table import follow, frames
from tests.table.build import friends


def timeline(data: bytes) -> Timeline:
    found = timeline_of(examine(data), "Friday")
    assert found is not None
    return found


@cache
def won(kinds: str = "hbh") -> tuple[Table, Timeline]:
    made = table("replay", kinds)
    made.to_end()
    return made, timeline(encode_file(frames([made], Ending.WON)))


def test_every_step_is_a_moment_and_each_begins_where_the_last_one_ended():
    made, line = won()
    assert len(line.moments) == line.verdict.steps == made.ledger.k
    for earlier, later in zip(line.moments, line.moments[1:], strict=False):
        assert later.before == earlier.applied.position
        seat, card, move = later.played()
        assert seat == later.before.turn
        assert play(later.before, later.rules, card, move) == later.applied.position


def test_a_moment_tells_its_card_and_its_move():
    made, line = won()
    for number in range(1, line.last + 1):
        card, played, *rest = line.at(number).news
        applied = made.ledger.applied_of(number)
        assert isinstance(card, CardDrawn)
        assert isinstance(played, Played)
        assert (card.k, card.seat, card.card, card.left) == (number, applied.seat, applied.card, sum(applied.pile))
        assert (played.after, to_action(played.move)) == (applied.position, to_action(applied.move))
        assert [type(item) for item in rest] == ([Won, Confirmed] if number == line.last else [])


def test_a_picture_is_that_of_the_step():
    made, line = won()
    for number in (0, 1, line.last // 2, line.last):
        game = line.at(number).view.game
        applied = made.ledger.applied_of(number)
        assert (game.position, game.pile, game.card) == (applied.position, applied.pile, applied.card)
        assert (game.k, game.game_id, game.title, game.rules) == (number, made.game_id, "Friday", ONE_PAWN)
        assert game.shares_checked == 2 * (number + 1)
        assert (game.words, game.first) == (made.ledger.words, made.ledger.first)
    assert [seat.kind for seat in game.seats] == [SeatKind.HUMAN, SeatKind.BOT, SeatKind.HUMAN]
    assert [seat.presence for seat in game.seats] == [Presence.LINKED, Presence.BOT, Presence.LINKED]
    assert {seat.person for seat in game.seats} == {None}


def test_the_first_moment_is_the_lot_and_the_last_one_the_end():
    made, line = won()
    first, last = line.at(0), line.at(line.last)
    assert first.news == (GameStarted(made.game_id), LotCast(made.ledger.words, made.ledger.first, FirstBy.LOT))
    assert (first.view.phase, line.at(1).view.phase, last.view.phase) == (Phase.LOT, Phase.ACKS, Phase.OVER)
    assert last.news[-2:] == (Won(made.ledger.over, line.last), Confirmed(()))
    assert (last.view.game.winner, last.view.game.unconfirmed) == (made.ledger.over, ())


def test_turns_are_counted_as_a_running_table_counts_them():
    world = friends(2)
    seen: list[tuple[int, int]] = []
    world.looks.append(lambda node: node.view.game and seen.append((node.view.game.k, node.view.game.turn_number)))
    world.start()
    world.run(until=lambda: all(node.transcripts() for node in world.nodes))
    line = timeline(world.nodes[0].transcripts()[0])
    ours = [line.at(number).view.game.turn_number for number in range(line.last + 1)]
    assert ours == sorted(ours)
    assert {(k, turn) for k, turn in enumerate(ours)} <= set(seen)


def test_who_begins_by_age_is_told_so():
    made = table("replay", "hh", first=1)
    made.step()
    line = timeline(encode_file(frames([made])))
    assert line.at(0).news[1] == LotCast(made.ledger.words, 1, FirstBy.AGE)


def test_moments_are_found_by_steps_and_by_typed_numbers():
    _, line = won()
    assert (line.next(0), line.previous(1), line.previous(0), line.next(line.last)) == (1, 0, 0, line.last)
    assert (line.jump("3"), line.jump("99999999999999"), line.jump("x"), line.jump("")) == (3, line.last, None, None)
    for number in (-1, line.last + 1):
        with pytest.raises(LocalMisuse):
            line.at(number)


def test_a_win_without_every_word_names_who_is_missing():
    made = table("replay", "hh")
    made.to_win()
    missing = made.ledger.final_needs()
    last = made.ledger.counted_record()
    head = made.ledger.applied_of(last.k).head
    *all_frames, end = frames([made], Ending.WON)
    line = timeline(encode_file([*all_frames, last, replace(end, k=last.k + 1, head=head)]))
    shot = line.at(line.last)
    assert shot.news[-1] == Confirmed(missing)
    assert shot.view.game.unconfirmed == missing
    assert line.at(line.last - 1).view.game.unconfirmed == ()


def test_a_saved_game_ends_without_an_end():
    made = table("replay", "hh")
    for _ in range(5):
        made.step()
    line = timeline(encode_file(frames([made])))
    assert [type(item) for item in line.at(line.last).news] == [CardDrawn, Played]
    assert line.at(line.last).view.phase is Phase.ACKS


def test_a_damaged_file_shows_the_steps_that_hold_and_no_end():
    made, whole = won()
    data = bytearray(encode_file(frames([made], Ending.WON)))
    data[len(data) // 2] ^= 1
    line = timeline(bytes(data))
    assert 0 < line.last < whole.last
    assert [shot.news for shot in map(line.at, range(line.last))] == [
        shot.news for shot in map(whole.at, range(line.last))
    ]
    data = encode_file(frames([made], Ending.WON))
    line = timeline(data[:-1] + bytes([data[-1] ^ 1]))
    assert isinstance(line.at(line.last).news[-1], Won)


def test_a_game_that_went_on_at_another_table_is_one_row():
    one = table("replay", "hhh")
    for _ in range(6):
        one.step()
    two = follow(one, without=[1])
    two.to_end()
    line = timeline(encode_file(frames([one, two], Ending.WON)))
    number = one.ledger.k
    assert len(line.moments) == one.ledger.k + two.ledger.k
    gone, lot = line.at(number).news
    assert gone == GoneOn(two.game_id, (1,), (), Why.LEFT)
    assert lot.first_by is FirstBy.PARENT
    game, before = line.at(number).view.game, line.at(number - 1).view.game
    assert (game.position.pawns, game.position.turn, game.k) == (before.position.pawns, before.position.turn, 0)
    assert game.seats[1].kind is SeatKind.STAND_IN
    assert before.seats[1].kind is SeatKind.HUMAN
    assert line.at(line.last).view.game.shares_checked == line.verdict.shares


def test_who_left_at_a_table_without_a_step_is_told_at_the_next_one():
    one = table("several", "hhhh")
    for _ in range(3):
        one.step()
    two = follow(one, "two", without=[3])
    three = follow(two, "three", without=[2], why=Why.UNREACHABLE)
    three.step()
    line = timeline(encode_file(frames([one, two, three])))
    left, unreachable, lot = line.at(one.ledger.k).news
    assert left == GoneOn(two.game_id, (3,), (), Why.LEFT)
    assert unreachable == GoneOn(three.game_id, (2,), (), Why.UNREACHABLE)
    assert isinstance(lot, LotCast)


def test_a_second_table_without_a_step_of_its_own_adds_no_moment():
    one = table("replay", "hhh")
    for _ in range(3):
        one.step()
    two = follow(one, without=[1])
    line = timeline(encode_file(frames([one, two])))
    assert len(line.moments) == one.ledger.k
    assert line.open_k == 0


def test_a_proof_is_shown_behind_the_steps_before_it():
    made = table("replay", "hh")
    made.to_decision()
    k, seat = made.ledger.k, made.ledger.position.turn
    legal = made.move()
    other = next(
        move
        for move in (replace(made.ledger.move_entry(choice), action=action)
                     for choice in made.ledger.open.choices for action in ((0, 1, 60), (1, 1, 59), (0, 2, 60)))
        if move.action not in {to_action(choice) for choice in made.ledger.open.choices}
    )  # fmt: skip
    head, *records, _ = frames([made])
    data = encode_file([head, *records, made.ledger.open.record(), ProofFrame(made.game_id, made.sign(other), None)])
    line = timeline(data)
    assert legal != other
    assert line.verdict.blamed == seat
    assert line.at(line.last).news[-1] == FaultProven(seat, Err.ILLEGAL_ACTION, k)
    assert line.at(line.last).view.phase is Phase.FROZEN
    assert line.at(line.last - 1).view.phase is not Phase.FROZEN


def test_files_without_a_step_have_no_moments():
    made = table("replay", "hh")
    assert timeline_of(examine(encode_file(frames([made]))), "x") is None
    assert timeline_of(examine(b"nothing"), "x") is None

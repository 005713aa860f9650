"""What the next table takes up, which documents are one, and files of several tables."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import pytest

from sorry_lan.fair.continuation import (
    check_continuation,
    last_clients,
    last_keys,
    stand_in,
    view_of,
    went_on_behind,
)
from sorry_lan.fair.entry import Ack, MoveEntry, decode_body, decode_snapshot, encode_snapshot, state_digest
from sorry_lan.fair.evidence import encode_evidence
from sorry_lan.fair.genesis import check_terms, colours_of
from sorry_lan.fair.open_step import Record
from sorry_lan.fair.replay import Finding, Going, Outcome
from sorry_lan.fair.transcript import EndFrame, Ending, Frame, ProofFrame, TableFrame, encode_file
from sorry_lan.fair.verify import Caution, Verdict, verify_transcript
from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.rules.board import HOME
from sorry_lan.rules.moves import to_action
from sorry_lan.rules.profile import PROFILES, to_uints
from sorry_lan.wire import limits
from sorry_lan.wire.keys import SecretKey
from sorry_lan.wire.terms import Parent, SeatKind, Terms, Why
from tests.fair.build import Table, bot_line, seed, table, terms_of, with_seat
from tests.fair.next_table import NextTable, chain_again, chapter, follow, frames, lines, terms_after, view


def in_play(kinds: str = "hhh", steps: int = 5, name: str = "c") -> Table:
    made = table(name, kinds)
    for _ in range(steps):
        made.step()
    return made


def refusal(terms: Terms, *line: Terms) -> Err:
    with pytest.raises(RemoteFault) as caught:
        check_continuation(terms, line)
    return caught.value.code


# -- what is taken up ------------------------------------------------------------------------------------------------


@pytest.mark.spec("T-34")
def test_a_first_table_without_a_counted_step_goes_on_nowhere() -> None:
    made = table("c", "hhh")
    assert view_of(made.ledger, Why.LEFT) is None
    made.step()
    child = terms_after(made)
    parent = replace(view(made), k=0)
    assert refusal(replace(child, parent=parent), made.terms) is Err.PARENT_DIFFERS


def test_a_counted_step_counts_without_its_acknowledgements() -> None:
    made = in_play()
    made.to_decision()
    before = view(made)
    made.ledger.accept(made.move())
    after = view(made)
    assert (after.k, after.pending) == (before.k + 1, None)
    made.acks()
    assert view(made) == after


@pytest.mark.spec("T-33")
def test_a_card_once_known_stays_the_card() -> None:
    made = in_play()
    made.to_decision()
    taken = view(made)
    card = made.ledger.open.card
    assert card is not None
    assert taken.pending == int(card)
    position, pile = decode_snapshot(taken.snapshot, colours_of(made.terms), 0)
    assert position == made.ledger.position
    assert sum(pile) == sum(made.ledger.pile) - 1


def test_a_step_with_two_moves_is_not_counted() -> None:
    made = in_play()
    made.to_decision()
    one, two = made.ledger.open.choices[:2]
    first, second = made.move(one), None
    seat = made.ledger.position.turn
    outcome = made.ledger.move_entry(two)
    made.ledger.accept(first)
    counted = view(made)
    second = made.sign(MoveEntry(made.ledger.k, seat, made.ledger.head, to_action(two), outcome.state))
    with pytest.raises(RemoteFault):
        made.ledger.accept(second)
    pending = view(made)
    assert (pending.k, counted.k) == (made.ledger.k, made.ledger.k + 1)
    assert pending.pending is not None


def test_a_finished_game_goes_on_nowhere() -> None:
    made = table("c", "hh")
    made.to_win()
    assert view_of(made.ledger, Why.LEFT) is None


def test_the_shares_of_a_pending_card_are_told_though_the_step_was_answered_since() -> None:
    made = in_play()
    made.to_decision()
    child = follow(made, without=[2])
    pending = chapter(made, child).records[-1]
    made.ledger.accept(made.move())
    made.acks()
    assert chapter(made, child).records[-1] == pending


def test_whoever_saw_more_than_a_table_takes_up_can_tell_that_it_goes_on_behind() -> None:
    made = in_play()
    start = view(made)
    made.to_decision()
    waits = view(made)
    early = replace(waits, pending=None)
    assert [went_on_behind(made.ledger, parent) for parent in (early, waits, start)] == [True, True, True]
    other = replace(waits, pending=1 if waits.pending != 1 else 2)
    ahead = replace(waits, k=waits.k + 1)
    further = replace(waits, k=waits.k + 2)
    nowhere = replace(waits, k=0)
    elsewhere = replace(waits, head=bytes(32))
    for parent in (other, ahead, further, nowhere, elsewhere):
        assert not went_on_behind(made.ledger, parent)
    made.ledger.accept(made.move())
    counted = view(made)
    assert went_on_behind(made.ledger, counted)
    assert not went_on_behind(made.ledger, replace(counted, pending=1))
    made.acks()
    assert [went_on_behind(made.ledger, parent) for parent in (early, waits, other)] == [True, True, False]


# -- which documents -------------------------------------------------------------------------------------------------


@pytest.mark.spec("T-30")
@pytest.mark.parametrize(
    "changed",
    [
        {"rules": to_uints(PROFILES["classic"])},
        {"options": 1},
        {"engine": bytes(32)},
        {"parent": None},
    ],
)
def test_a_continuation_keeps_the_terms_of_its_parent(changed: dict[str, object]) -> None:
    made = in_play()
    child = terms_after(made, without=[2])
    check_continuation(child, [made.terms])
    changes = {**changed}
    if "parent" in changes:
        changes["seats"] = made.terms.seats
    assert refusal(replace(child, **changes), made.terms) in (Err.PARENT_DIFFERS, Err.SCHEMA)  # type: ignore[arg-type]


@pytest.mark.spec("T-30")
def test_names_colours_seats_and_bots_stay() -> None:
    made = in_play("hhhb")
    child = terms_after(made, without=[2])
    check_continuation(child, [made.terms])
    seats = child.seats
    for index, line in (
        (0, replace(seats[0], name="Zoe")),
        (3, replace(seats[3], name="Zoe")),
        (3, replace(made.terms.seats[2], colour=3, client=3, name=seats[3].name)),
        (2, bot_line(2)),
    ):
        assert refusal(with_seat(child, index, line), made.terms) is Err.PARENT_DIFFERS
    three = replace(child, seats=seats[:3], parent=replace(view(made)))
    assert refusal(three, made.terms) in (Err.PARENT_DIFFERS, Err.SCHEMA)


@pytest.mark.spec("T-31")
@pytest.mark.parametrize("field", ["nonce", "anchor", "pk", "client"])
def test_a_human_line_has_the_old_key_and_a_new_chain(field: str) -> None:
    made = in_play()
    child = terms_after(made, without=[2])
    old: object = getattr(made.terms.seats[0], field)
    if field in ("pk", "client"):
        old = {"pk": chain_again("other", "x", 0).anchor, "client": 1}[field]
    with pytest.raises(RemoteFault):
        check_continuation(with_seat(child, 0, replace(child.seats[0], **{field: old})), [made.terms])


@pytest.mark.spec("T-31")
def test_a_stand_in_returns_with_its_last_key_and_why_4_only() -> None:
    made = in_play()
    without = follow(made, without=[2])
    without.step()
    line = [made.terms, without.terms]
    back = terms_after(without, "back", back=[2], why=Why.RETURN)
    check_continuation(back, line)
    assert last_keys(line)[2] == made.terms.seats[2].pk
    assert refusal(terms_after(without, "back", back=[2], why=Why.LEFT), *line) is Err.PARENT_DIFFERS
    twice = with_seat(back, 2, replace(back.seats[2], pk=made.terms.seats[0].pk))
    with pytest.raises(RemoteFault):
        check_continuation(twice, line)
    stranger = with_seat(back, 2, replace(back.seats[2], pk=SecretKey(b"s" * 32).public))
    assert refusal(stranger, *line) is Err.PARENT_DIFFERS


def test_a_stand_in_returns_to_the_client_it_had() -> None:
    """Two at one keyboard left and return: the links of both use the key of the first, as before."""
    made = in_play("hhhh")
    pair = replace(made.terms, seats=(*made.terms.seats[:3], replace(made.terms.seats[3], client=2)))
    assert last_clients([pair]) == (0, 1, 2, 2)
    gone = replace(pair, seats=(*pair.seats[:2], stand_in(pair.seats[2], 2), stand_in(pair.seats[3], 3)))
    assert last_clients([pair, gone]) == (0, 1, 2, 2)


def test_nobody_returns_within_a_step_or_with_every_pawn_home() -> None:
    made = in_play()
    without = follow(made, without=[2])
    without.step()
    line = [made.terms, without.terms]
    back = terms_after(without, "back", back=[2], why=Why.RETURN)
    parent = back.parent
    assert parent is not None
    assert refusal(replace(back, parent=replace(parent, pending=1)), *line) is Err.PARENT_DIFFERS
    position, pile = decode_snapshot(parent.snapshot, colours_of(back), 0)
    rows = [row if seat != 2 else (HOME,) * len(row) for seat, row in enumerate(position.pawns)]
    turn = 0 if position.turn == 2 else position.turn
    home = encode_snapshot(replace(position, pawns=tuple(rows), turn=turn), pile)
    over = replace(parent, snapshot=home, state=state_digest(home))
    assert refusal(replace(back, parent=over), *line) in (Err.PARENT_DIFFERS, Err.SCHEMA)


@pytest.mark.spec("T-41")
def test_two_people_at_least_go_on_except_at_the_end_of_the_chains() -> None:
    made = in_play("hhb")
    assert refusal(terms_after(made, without=[1]), made.terms) is Err.PARENT_DIFFERS
    alone = in_play("hb")
    check_continuation(at_chain_end(alone), [alone.terms])


def at_chain_end(made: Table, **more: Collection[int]) -> Terms:
    """The document with which a game goes on whose chains are used up."""
    terms = terms_after(made, why=Why.CHAIN_END, **more)
    assert terms.parent is not None
    return replace(terms, parent=replace(terms.parent, k=limits.CHAIN_LENGTH))


@pytest.mark.spec("T-42")
def test_only_the_end_of_the_chains_lets_one_go_on_alone_and_only_with_all_who_played() -> None:
    """A seat that says so before could throw out all others by its own signature."""
    made = in_play("hhb")
    alone = in_play("hb")
    assert refusal(terms_after(alone, why=Why.CHAIN_END), alone.terms) is Err.PARENT_DIFFERS
    assert refusal(terms_after(made, why=Why.CHAIN_END, without=[1]), made.terms) is Err.PARENT_DIFFERS
    assert refusal(at_chain_end(made, without=[1]), made.terms) is Err.PARENT_DIFFERS
    three = in_play("hhh")
    assert refusal(at_chain_end(three, without=[1]), three.terms) is Err.PARENT_DIFFERS
    check_continuation(at_chain_end(three), [three.terms])


def test_a_stand_in_line_is_empty_and_of_level_1() -> None:
    made = in_play()
    child = terms_after(made, without=[2])
    check_terms(child)
    assert child.seats[2].level == 1
    for line in (replace(child.seats[2], level=0), replace(child.seats[2], pk=made.terms.seats[2].pk)):
        with pytest.raises(RemoteFault):
            check_terms(with_seat(child, 2, line))


@pytest.mark.parametrize(
    "changed",
    [
        {"k": 5000},
        {"pending": 6},
        {"state": bytes(32)},
        {"snapshot": b"\x90"},
    ],
)
def test_a_parent_that_can_be_none_is_refused(changed: dict[str, object]) -> None:
    made = in_play()
    child = terms_after(made, without=[2])
    parent = replace(view(made), **changed)  # type: ignore[arg-type]
    with pytest.raises(RemoteFault):
        check_terms(replace(child, parent=parent))
    with pytest.raises(RemoteFault):
        check_terms(replace(child, first=0))


def test_a_snapshot_of_a_won_game_or_an_impossible_pile_is_refused() -> None:
    made = in_play()
    child = terms_after(made, without=[2])
    position, pile = decode_snapshot(view(made).snapshot, colours_of(made.terms), 0)
    won = replace(position, winner=0, turn=0, pawns=((HOME,) * len(position.pawns[0]), *position.pawns[1:]))
    for snapshot in (encode_snapshot(won, pile), encode_snapshot(position, (200, *pile[1:]))):
        parent = replace(view(made), snapshot=snapshot, state=state_digest(snapshot))
        with pytest.raises(RemoteFault):
            check_terms(replace(child, parent=parent))


# -- play ------------------------------------------------------------------------------------------------------------


@pytest.mark.spec("F-41", "T-33")
def test_the_pending_card_is_the_first_one_and_is_out_of_the_pile() -> None:
    made = in_play()
    made.to_decision()
    card, left = made.ledger.open.card, sum(made.ledger.pile) - 1
    child = follow(made, without=[2] if made.ledger.position.turn != 2 else [1])
    child.step()
    assert sum(child.ledger.pile) == left
    child.shares()
    assert child.ledger.open.card == card
    assert child.ledger.open.drawn is not None
    assert (sum(child.ledger.open.drawn.pile), child.ledger.open.drawn.reshuffled) == (left, False)


@pytest.mark.spec("T-33")
def test_a_card_stays_pending_through_tables_that_never_counted_it() -> None:
    made = in_play("hhhh")
    made.to_decision()
    mover = made.ledger.position.turn
    first, second = [seat for seat in range(4) if seat != mover][:2]
    child = follow(made, "one", without=[first])
    for steps in (0, 1):
        again = follow(child, f"two{steps}", without=[second])
        assert view(child).pending == view(made).pending
        assert again.terms.parent is not None
        assert again.terms.parent.k == steps
        assert len(chapter(child, again).records) == steps
        child.step()


def test_whose_turn_it_is_stays_and_step_0_gives_words_only() -> None:
    made = in_play()
    turn, position = made.ledger.position.turn, made.ledger.position
    child = follow(made, without=[seat for seat in (1, 2) if seat != turn][:1])
    child.step()
    assert child.ledger.words is not None
    assert child.ledger.first == turn
    assert child.ledger.position.pawns == position.pawns


def test_a_stand_in_plays_as_the_easy_bot_does_and_nobody_signs_its_moves() -> None:
    made = in_play()
    made.to_turn(lambda one: one.ledger.position.turn == 2 and one.ledger.open.secret is not None)
    child = follow(made, without=[2])
    child.step()
    child.step()
    applied = child.ledger.applied_of(1)
    assert applied.seat == 2
    assert not any(entry.body[1] == 2 for entry in child.ledger.record(1).entries)


def test_settling_a_step_without_an_outcome_is_a_bug() -> None:
    with pytest.raises(LocalMisuse):
        in_play().ledger.settle()


# -- files -----------------------------------------------------------------------------------------------------------


def verdict(found: list[Frame]) -> Verdict:
    return verify_transcript(encode_file(found))


@pytest.mark.spec("X-10", "X-12", "X-11")
def test_a_file_of_three_tables_holds_and_tells_who_went_on() -> None:
    made = in_play("hhhh")
    made.to_decision()
    made.ledger.accept(made.move())
    one = follow(made, "one", without=[3])
    one.step()
    one.to_turn(lambda now: now.ledger.open.mover is not None and len(now.ledger.open.choices) > 1)
    two = follow(one, "two", without=[2], why=Why.FAULT)
    two.step()
    two.step()
    found = verdict(frames([made, one, two]))
    assert (found.outcome, found.finding) == (Outcome.HOLDS, Finding.SAVED)
    assert found.goings == (
        Going(view(made).k, Why.LEFT, (3,), (), (0, 1, 2)),
        Going(one.ledger.k, Why.FAULT, (2,), (), (0, 1)),
    )
    assert found.steps == view(made).k + one.ledger.k + two.ledger.k
    # Both parents were left with a card answered or pending: none is drawn or counted twice.
    assert sum(map(sum, found.draws)) == found.steps - 3


@pytest.mark.spec("X-10")
def test_the_last_counted_step_stands_without_acknowledgements_whatever_was_held() -> None:
    made = in_play()
    child = follow(made, without=[2])
    child.step()
    good = frames([made, child])
    assert verdict(good).outcome is Outcome.HOLDS
    with_acks = [*good]
    with_acks[made.ledger.k] = made.ledger.record(made.ledger.k - 1)
    assert verdict(with_acks).finding is Finding.BAD_CONTINUATION
    cut = good[: made.ledger.k] + good[made.ledger.k + 1 :]
    assert verdict(cut).finding is Finding.BAD_CONTINUATION


@pytest.mark.spec("X-3", "X-10")
def test_only_the_last_counted_step_stands_without_acknowledgements() -> None:
    made = in_play("hhhb", steps=1)
    made.to_turn(lambda one: one.ledger.position.turn == 3)
    child = follow(made, without=[1])
    child.step()
    good = frames([made, child])
    assert verdict(good).outcome is Outcome.HOLDS
    # The shares of the bot's step count it, so that those of the step before could pass for the last ones.
    at = made.ledger.k
    before = good[at]
    assert isinstance(before, Record)
    shorter = tuple(entry for entry in before.entries if not isinstance(decode_body(entry.body), Ack))
    found = verdict([*good[:at], replace(before, entries=shorter), *good[at + 1 :]])
    assert (found.outcome, found.finding) == (Outcome.FALSE, Finding.INCOMPLETE_STEP)


@pytest.mark.spec("X-5", "X-10")
def test_shares_stand_only_where_the_pending_card_became_known() -> None:
    made = in_play("hhhh")
    made.to_decision()
    mover = made.ledger.position.turn
    first, second = [seat for seat in range(4) if seat != mover][:2]
    one = follow(made, "one", without=[first])
    one.step()
    one.shares()
    two = follow(one, "two", without=[second])
    two.step()
    good = frames([made, one, two])
    assert verdict(good).outcome is Outcome.HOLDS
    at = next(n for n, frame in enumerate(good) if isinstance(frame, TableFrame) and frame.table == two.bytes)
    found = verdict([*good[:at], one.ledger.open.record(), *good[at:]])
    assert (found.outcome, found.finding) == (Outcome.FALSE, Finding.BAD_CONTINUATION)


@pytest.mark.spec("X-12", "T-32")
@pytest.mark.parametrize("field", ["k", "head", "state", "pending", "game"])
def test_a_table_that_takes_up_something_else_is_false(field: str) -> None:
    made = in_play()
    good = terms_after(made, without=[2])
    parent = good.parent
    assert parent is not None
    other: dict[str, object] = {"k": parent.k + 1, "pending": 1}
    value = other.get(field, seed("x"))
    child = follow(made, without=[2])
    child.terms = replace(good, parent=replace(parent, **{field: value}))  # type: ignore[arg-type]
    child.__post_init__()
    assert verdict(_joined(made, child)).finding is Finding.BAD_CONTINUATION


def _joined(made: Table, child: Table) -> list[Frame]:
    """A file whose second table claims what it likes."""
    honest = chapter(made, follow(made, without=[2]))
    end = EndFrame(0, child.ledger.head, Ending.SAVED)
    return [honest.start, *honest.records, TableFrame(child.bytes, child.consents()), end]


@pytest.mark.spec("X-12")
def test_a_card_drawn_anew_is_found_out() -> None:
    """The others forget that a card was known, and draw another."""
    made = in_play()
    made.to_decision()
    child = follow(made, without=[2])
    parent = child.terms.parent
    assert parent is not None
    position, _ = decode_snapshot(parent.snapshot, colours_of(made.terms), 0)
    snapshot = encode_snapshot(position, made.ledger.pile)
    child.terms = replace(
        child.terms, parent=replace(parent, pending=None, snapshot=snapshot, state=state_digest(snapshot))
    )
    child.__post_init__()
    assert verdict(_joined(made, child)).finding is Finding.BAD_CONTINUATION


def test_a_table_that_not_all_signed_or_that_has_no_parent_ends_the_game_wrongly() -> None:
    made = in_play()
    child = follow(made, without=[2])
    honest = chapter(made, child)
    end = EndFrame(0, child.ledger.head, Ending.SAVED)
    start = [honest.start, *honest.records]
    assert verdict([*start, TableFrame(child.bytes, child.consents()[:1]), end]).finding is Finding.BAD_CONSENT
    assert verdict([*start, honest.start, end]).finding is Finding.BAD_CONTINUATION
    assert verdict([*start, end]).finding is Finding.INCOMPLETE_STEP


def test_shares_that_no_table_takes_up_are_left_over() -> None:
    made = in_play()
    made.to_decision()
    child = follow(made, without=[2])
    part = chapter(made, child)
    start = [part.start, *part.records]
    end = EndFrame(view(made).k, made.ledger.head, Ending.SAVED)
    assert verdict([*start, end]).finding is Finding.INCOMPLETE_STEP
    assert verdict([*start, part.records[-1]]).finding is Finding.INCOMPLETE_STEP
    some = replace(part.records[-1], entries=part.records[-1].entries[:2])
    new = TableFrame(child.bytes, child.consents())
    assert verdict([*start[:-1], some, new, end]).finding in (Finding.INCOMPLETE_STEP, Finding.BAD_CONTINUATION)


def test_a_file_that_begins_with_a_continuation_proves_nothing_but_two_signatures() -> None:
    made = in_play()
    child = follow(made, without=[2])
    child.step()
    end = EndFrame(child.ledger.k, child.ledger.head, Ending.SAVED)
    alone: list[Frame] = [TableFrame(child.bytes, child.consents()), *child.ledger.records, end]
    assert verdict(alone).finding is Finding.BAD_TABLE
    first = child.sign(Ack(1, 0, bytes(32)))
    second = child.sign(Ack(1, 0, seed("x")))
    fault = RemoteFault(Err.EQUIVOCATION, "", ((first.body, first.sig), (second.body, second.sig)))
    proof = verify_transcript(encode_evidence(child.ledger, child.consents(), fault))
    assert (proof.finding, proof.blamed) == (Finding.SIGNED_TWICE, 0)
    pair = ProofFrame(child.game_id, first, second)
    assert verdict([*frames([made, child])[: -1 - child.ledger.k], pair]).finding is Finding.PROVES_NOTHING


def test_an_illegal_move_after_a_continuation_is_proven_with_all_that_went_before() -> None:
    made = in_play()
    child = follow(made, without=[2])
    child.to_turn(lambda now: now.ledger.open.mover is not None)
    seat = child.ledger.position.turn
    bad = child.sign(MoveEntry(child.ledger.k, seat, child.ledger.head, (2, 1, 99), bytes(32)))
    with pytest.raises(RemoteFault) as caught:
        child.ledger.accept(bad)
    past = [chapter(made, child)]
    whole = verify_transcript(encode_evidence(child.ledger, child.consents(), caught.value, past))
    assert (whole.finding, whole.blamed) == (Finding.ILLEGAL_MOVE, seat)
    alone = verify_transcript(encode_evidence(child.ledger, child.consents(), caught.value))
    assert alone.finding is Finding.BAD_TABLE


def test_a_chapter_of_one_client_spoils_the_deck_of_the_whole_file() -> None:
    terms = terms_of("c", "hhh")
    made = Table("c", with_seat(terms, 1, replace(terms.seats[1], client=0)))
    made.step()
    after = terms_after(made, without=[2])
    child = NextTable("c", with_seat(after, 1, replace(after.seats[1], client=0)), tag="next")
    child.step()
    found = verdict(frames([made, child]))
    assert found.outcome is Outcome.HOLDS
    assert found.cautions == (Caution.ONE_CLIENT,)
    assert found.goings[0].signers == (0, 1)


def test_fresh_lines_are_all_that_changes() -> None:
    made = in_play()
    child = terms_after(made, why=Why.CHAIN_END)
    assert [line.kind for line in child.seats] == [SeatKind.HUMAN] * 3
    assert {seat: child.seats[seat] for seat in range(3)} == lines(made, "next", range(3))
    assert isinstance(child.parent, Parent)


def test_a_seat_with_every_pawn_home_does_not_return() -> None:
    made = in_play("hhhh")
    without = follow(made, without=[2, 3])
    without.step()
    position, pile = decode_snapshot(view(without).snapshot, colours_of(made.terms), 0)
    rows = tuple((HOME,) * len(row) if seat == 2 else row for seat, row in enumerate(position.pawns))
    turn = 0 if position.turn == 2 else position.turn
    home = encode_snapshot(replace(position, pawns=rows, turn=turn), pile)
    back = terms_after(without, "back", back=[2], why=Why.RETURN)
    parent = replace(view(without, Why.RETURN), snapshot=home, state=state_digest(home))
    with pytest.raises(RemoteFault):
        check_continuation(replace(back, parent=parent), [made.terms, without.terms])


def test_nobody_becomes_a_bot() -> None:
    made = in_play("hhh")
    child = terms_after(made)
    bot = replace(bot_line(2), name=made.terms.seats[2].name)
    assert refusal(with_seat(child, 2, bot), made.terms) is Err.PARENT_DIFFERS


def test_a_first_table_has_no_stand_in() -> None:
    made = in_play("hhh")
    child = terms_after(made, without=[2])
    with pytest.raises(RemoteFault, match="first table"):
        check_terms(replace(child, parent=None))


def test_what_is_held_of_a_seat_is_all_of_the_open_step_and_the_next() -> None:
    made = in_play("hh", steps=2)
    made.shares()
    bodies = {signed.body for signed in made.ledger.held_of([0])}
    assert bodies == {signed.body for where, signed in made.ledger.open.seen.items() if where.seat == 0}
    early = made.reveal(0, made.ledger.k + 1)
    made.ledger.accept(early)
    assert early in made.ledger.held_of([0])
    assert early not in made.ledger.held_of([1])

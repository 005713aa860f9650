"""Nobody stops a game: without a seat that left, cheated or stays away it goes on at a table that all others sign."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from sorry_lan.fair import genesis
from sorry_lan.fair.chain import Chain
from sorry_lan.fair.continuation import next_terms, view_of
from sorry_lan.fair.entry import Ack, Leaving, MoveEntry, Reveal, decode_body, sign_entry
from sorry_lan.fair.step import outcome
from sorry_lan.fair.verify import Finding, Outcome, verify_transcript
from sorry_lan.faults import Err
from sorry_lan.rules.moves import to_action
from sorry_lan.rules.profile import Rules
from sorry_lan.table.commands import AppendJournal, JournalKind
from sorry_lan.table.desk import known
from sorry_lan.table.events import GoOnAnswered, LeaveAsked, Ready, Timer, TimerFired, Woke
from sorry_lan.table.news import (
    FaultProven,
    GameSaved,
    GoesOn,
    GoneOn,
    GoneOnWithoutUs,
    NobodyMoves,
    OfferedToGoOn,
    OfferVoid,
    SaidGoodbye,
    TakenUp,
)
from sorry_lan.table.phases import IN_PLAY
from sorry_lan.table.saved import NotAGame, SavedGame
from sorry_lan.table.settings import Auto, Offers, Role
from sorry_lan.table.story import Story, story_of
from sorry_lan.table.view import Phase, Presence
from sorry_lan.wire import limits
from sorry_lan.wire.codec import encode_message
from sorry_lan.wire.messages import (
    Consent,
    ConsentGiven,
    Entry,
    Intent,
    Message,
    MineAsked,
    Propose,
    SeatOffer,
    Stage,
    Status,
    StepRecord,
    TableAgreed,
    Want,
    Withdraw,
)
from sorry_lan.wire.terms import SeatKind, Why
from tests.table.build import MS, SHORT, World, answer, friends, person, settings
from tests.table.test_play import entries


def table(
    count: int, *, offers: Offers = Offers.MAKE, seed: int = 0, bots: int = 0, k: int = 6, **more: object
) -> World:
    """A table in play, `k` steps on."""
    world = friends(count, seed=seed, bots=bots, **more)  # type: ignore[arg-type]
    world.slowest_us = 30 * MS
    world.offer(offers)
    world.start()
    world.run(until=lambda: step_of(world, 1) >= k)
    return world


def step_of(world: World, node: int) -> int:
    game = world.nodes[node].table._game
    return -1 if game is None else game.ledger.k


def seat_of(world: World, node: int) -> int:
    return next(iter(next(iter(world.nodes[node].seats.values()))))


def all_end(world: World, nodes: Iterable[int], *, within_s: float = 200) -> bytes:
    """These clients play to an end and keep one file, which holds."""
    chosen = [world.nodes[node] for node in nodes]
    world.run(until=lambda: all(node.finished is not None for node in chosen), for_s=within_s)
    assert [node.finished for node in chosen] == [Err.GOODBYE] * len(chosen)
    files = {node.transcripts()[-1] for node in chosen}
    assert len(files) == 1
    return files.pop()


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_without_a_seat_that_is_away_for_a_minute_the_others_go_on(gone: int) -> None:
    world = table(3)
    seat = seat_of(world, gone)
    world.kill(gone)
    world.run(for_s=55)
    others = [node for node in range(3) if node != gone]
    assert not any(world.nodes[node].told(GoneOn) for node in others)
    verdict = verify_transcript(all_end(world, others))
    assert (verdict.outcome, verdict.finding) == (Outcome.HOLDS, Finding.WON)
    (going,) = verdict.goings
    assert (going.left, going.why) == ((seat,), Why.UNREACHABLE)
    assert verdict.winner != seat
    assert verdict.terms is not None
    assert verdict.terms.seats[seat].kind == SeatKind.STAND_IN


@pytest.mark.parametrize("reason", list(Leaving))
def test_a_goodbye_needs_no_waiting(reason: Leaving) -> None:
    world = table(3)
    seat = seat_of(world, 2)
    world.tell(2, LeaveAsked(reason))
    assert world.nodes[2].finished is Err.GOODBYE
    left = verify_transcript(world.nodes[2].transcripts()[-1])
    assert (left.outcome, left.finding) == (Outcome.HOLDS, Finding.SAVED)
    world.run(for_s=2)
    assert all(world.nodes[node].told(GoneOn) for node in (0, 1))
    verdict = verify_transcript(all_end(world, (0, 1)))
    assert [(going.left, going.why) for going in verdict.goings] == [((seat,), Why.LEFT)]


@pytest.mark.spec("T-41")
def test_four_who_leave_one_by_one_go_on_until_one_of_the_last_two_leaves_and_each_has_a_file() -> None:
    """A53."""
    world = table(4, k=3)
    for times, node in enumerate((3, 0), 1):
        world.tell(node, LeaveAsked(Leaving.FOR_GOOD))
        left = [other for other in world.nodes if other.finished is None]
        world.run(until=lambda left=left, times=times: all(len(one.told(GoneOn)) == times for one in left), for_s=5)
    assert [len(world.nodes[node].told(GoneOn)) for node in (1, 2)] == [2, 2]
    world.tell(1, LeaveAsked(Leaving.FOR_GOOD))
    world.run(for_s=5)
    assert world.nodes[2].told(GameSaved)
    assert world.nodes[2].finished is Err.GOODBYE
    verdicts = [verify_transcript(node.transcripts()[-1]) for node in world.nodes]
    assert {(verdict.outcome, verdict.finding) for verdict in verdicts} == {(Outcome.HOLDS, Finding.SAVED)}
    assert [len(verdict.goings) for verdict in verdicts] == [1, 2, 2, 0]


@pytest.mark.spec("T-39", "T-41")
def test_two_halves_of_four_go_on_as_two_games_that_never_merge() -> None:
    """A14."""
    world = table(4)
    world.part((0, 1), (2, 3))
    world.run(for_s=70)
    assert all(len(node.told(GoneOn)) == 1 for node in world.nodes)
    world.heal()
    files = [all_end(world, half) for half in ((0, 1), (2, 3))]
    verdicts = [verify_transcript(file) for file in files]
    assert [verdict.outcome for verdict in verdicts] == [Outcome.HOLDS] * 2
    assert verdicts[0].game_id != verdicts[1].game_id


def test_half_of_a_table_that_waits_follows_the_other_half_though_it_saw_more() -> None:
    world = table(4, k=4)
    for index in (0, 1):
        node = world.nodes[index]
        node.table._desk.settings = replace(node.settings, offers=Offers.PEOPLE)
    world.run(until=lambda: saw_more(world, (0, 1), (2, 3)))
    world.part((0, 1), (2, 3))
    world.run(until=lambda: all(world.nodes[node].told(GoneOn) for node in (2, 3)), for_s=70)
    world.heal()
    world.run(for_s=2)
    assert all(world.nodes[node].told(GoneOnWithoutUs) for node in (0, 1))


def saw_more(world: World, those: Iterable[int], these: Iterable[int]) -> bool:
    """Whether all of `those` know the card of a step of which none of `these` does."""
    ledgers = [node.table._game.ledger for node in world.nodes if node.table._game is not None]
    known = [(ledger.k, ledger.open.drawn is not None) for ledger in ledgers]
    step = known[0][0]
    return all(known[node] == (step, True) for node in those) and all(known[node] == (step, False) for node in these)


def test_who_is_linked_and_says_nothing_of_the_game_plays_elsewhere_and_is_missing() -> None:
    world = table(3, offers=Offers.PEOPLE, auto=Auto.DRAW, k=1)
    world.part((0, 1), (2,))
    world.meddlers[2] = lambda link, message: (
        None if isinstance(message, Status) else world.deliver(2, link, encode_message(message))
    )
    world.heal()
    world.run(for_s=65)
    for node in (0, 1):
        offered = world.nodes[node].told(OfferedToGoOn)
        assert offered == [OfferedToGoOn(None, (seat_of(world, 2),), (), Why.UNREACHABLE)]


def test_whoever_saved_the_game_alone_is_not_waited_for_by_those_who_come_back() -> None:
    world = table(3, offers=Offers.PEOPLE, auto=Auto.DRAW, k=1)
    node = world.nodes[2]
    node.table._desk.settings = replace(node.settings, offers=Offers.MAKE)
    world.part((0, 1), (2,))
    world.run(until=lambda: bool(node.told(GameSaved)), for_s=80)
    world.heal()
    world.run(for_s=62)
    for other in (0, 1):
        offered = world.nodes[other].told(OfferedToGoOn)[-1]
        assert offered == OfferedToGoOn(None, (seat_of(world, 2),), (), Why.UNREACHABLE)


def test_who_fetches_many_steps_from_all_at_once_takes_none_of_them_for_a_flood() -> None:
    world = table(4, k=40, rules=Rules())
    world.kill(3, keep=3)
    world.run(until=lambda: all(world.nodes[node].told(GoneOn) for node in range(3)), for_s=100)
    world.restart(3)
    for node in range(3):
        if not world.linked(3, node):
            world.link(3, node, intent=Intent.GAME)
    world.run(until=lambda: bool(world.nodes[3].told(GoneOnWithoutUs)), for_s=20)
    assert world.nodes[3].told(GoneOnWithoutUs)
    assert not any(closed.code is Err.RATE for node in world.nodes for closed in node.closed)


def test_a_cut_that_heals_in_time_changes_nothing() -> None:
    """A15."""
    world = table(4)
    world.part((0, 1, 2), (3,))
    world.run(for_s=50)
    world.heal()
    assert verify_transcript(all_end(world, range(4))).goings == ()
    assert not any(node.told(GoneOn) for node in world.nodes)


@pytest.mark.spec("S-16")
@pytest.mark.parametrize("reason", list(Leaving))
def test_whoever_was_cut_off_hears_from_any_other_who_left_meanwhile(reason: Leaving) -> None:
    world = table(4)
    world.part((0,), (1, 2, 3))
    world.run(for_s=5)
    world.tell(3, LeaveAsked(reason))
    world.run(for_s=5)
    assert not world.nodes[0].told(SaidGoodbye)
    world.heal()
    world.run(for_s=3)
    assert world.nodes[0].told(SaidGoodbye) == [SaidGoodbye(seat_of(world, 3), reason == Leaving.FOR_GOOD)]
    verdict = verify_transcript(all_end(world, range(3)))
    assert [(going.left, going.why) for going in verdict.goings] == [((seat_of(world, 3),), Why.LEFT)]


def test_whoever_came_back_is_not_told_to_have_left() -> None:
    world = table(4, offers=Offers.PEOPLE)
    world.part((0,), (1, 2, 3))
    world.run(for_s=5)
    world.tell(3, LeaveAsked(Leaving.FOR_NOW))
    world.restart(3)
    world.run(for_s=5)
    world.heal()
    world.run(for_s=3)
    assert not world.nodes[0].told(SaidGoodbye)
    assert verify_transcript(all_end(world, range(4))).goings == ()


@pytest.mark.parametrize("kind", [Reveal, Ack])
def test_whoever_keeps_back_what_it_owes_is_not_excused_because_another_left(kind: type[Reveal | Ack]) -> None:
    world = table(4)
    cheat, gone = seat_of(world, 0), seat_of(world, 3)

    def keeps_back(node: int, seat: int) -> None:
        def meddle(link: int, message: Message) -> None:
            body = decode_body(message.body) if isinstance(message, Entry) else None
            if not (isinstance(body, kind) and body.seat == seat):
                world.deliver(node, link, encode_message(message))

        world.meddlers[node] = meddle

    keeps_back(0, cheat)
    keeps_back(3, gone)
    world.run(for_s=2)
    world.tell(3, LeaveAsked(Leaving.FOR_NOW))
    world.run(for_s=90)
    verdict = verify_transcript(all_end(world, (1, 2)))
    assert [going.left for going in verdict.goings] == [tuple(sorted((cheat, gone)))]


def test_bots_go_on_with_the_people_who_remain() -> None:
    world = table(3, bots=1)
    world.kill(1)
    verdict = verify_transcript(all_end(world, (0, 2)))
    assert verdict.outcome is Outcome.HOLDS
    assert len(verdict.goings) == 1


def test_who_was_left_out_comes_back_by_everybodys_yes() -> None:
    world = table(3, k=4)
    world.kill(2)
    world.run(until=lambda: all(world.nodes[node].told(GoneOn) for node in (0, 1)), for_s=100)
    world.restart(2)
    verdict = verify_transcript(all_end(world, range(3)))
    assert verdict.outcome is Outcome.HOLDS
    assert [going.why for going in verdict.goings] == [Why.UNREACHABLE, Why.RETURN]
    assert verdict.goings[1].back == verdict.goings[0].left


@pytest.mark.spec("T-42")
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_at_the_end_of_the_chains_the_same_seats_go_on(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A51: eight steps a table, and everything carried over."""
    monkeypatch.setattr(limits, "CHAIN_LENGTH", 8)
    world = friends(count, bots=int(count < 4), seed=1)
    world.offer(Offers.PEOPLE)
    world.start()
    verdict = verify_transcript(all_end(world, range(count)))
    assert verdict.outcome is Outcome.HOLDS
    assert {going.why for going in verdict.goings} == {Why.CHAIN_END}
    assert {going.k for going in verdict.goings} == {8}
    assert {(going.left, going.back) for going in verdict.goings} == {((), ())}


def test_at_the_end_of_the_chains_who_is_away_is_left_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CHAIN_LENGTH", 8)
    world = table(3, k=4)
    world.meddlers[2] = lambda link, message: _signs_no_table(world, link, message)
    world.run(until=lambda: step_of(world, 0) == step_of(world, 1) == 8)
    world.kill(2)
    verdict = verify_transcript(all_end(world, (0, 1)))
    assert verdict.outcome is Outcome.HOLDS
    assert (verdict.goings[0].left, verdict.goings[0].why) == ((seat_of(world, 2),), Why.UNREACHABLE)


def test_at_the_end_of_the_chains_who_signs_nothing_is_replaced_after_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CHAIN_LENGTH", 8)
    world = table(3, k=4)
    world.meddlers[2] = lambda link, message: _signs_no_table(world, link, message)
    verdict = verify_transcript(all_end(world, (0, 1)))
    assert (verdict.goings[0].left, verdict.goings[0].why) == ((seat_of(world, 2),), Why.OWED)


def _signs_no_table(world: World, link: int, message: Message) -> None:
    if not isinstance(message, SeatOffer | Propose | ConsentGiven | TableAgreed):
        world.deliver(2, link, encode_message(message))


def test_no_link_that_breaks_and_comes_back_gives_more_time_to_whoever_owes() -> None:
    world = table(3)
    held: list[int] = []
    world.meddlers[2] = lambda link, message: _all_but_shares(world, link, message, held)
    world.run(until=lambda: bool(held))
    for _ in range(4):
        world.run(for_s=20)
        world.part((0, 1), (2,))
        world.heal()
    assert world.nodes[0].told(OfferedToGoOn)[0] == OfferedToGoOn(None, (seat_of(world, 2),), (), Why.OWED)


def test_a_seat_that_owes_a_share_is_named_and_replaced_after_a_minute() -> None:
    """A16, A17: linked, and silent."""
    world = table(3)
    held: list[int] = []
    world.meddlers[2] = lambda link, message: _all_but_shares(world, link, message, held)
    verdict = verify_transcript(all_end(world, (0, 1)))
    assert held
    (going,) = verdict.goings
    assert (going.left, going.why) == ((seat_of(world, 2),), Why.OWED)


def _all_but_shares(world: World, link: int, message: Message, held: list[int]) -> None:
    game = world.nodes[2].table._game
    assert game is not None
    on_turn = game.ledger.position.turn in game.hands
    if isinstance(message, Entry) and isinstance(decode_body(message.body), Reveal) and (held or not on_turn):
        held.append(link)
    else:
        world.deliver(2, link, encode_message(message))


def test_a_proven_cheat_is_replaced_at_once() -> None:
    """A05: an illegal move by the last client."""
    world = table(3)
    world.meddlers[2] = lambda link, message: _cheats(world, link, message)
    world.run(until=lambda: all(world.nodes[node].told(GoneOn) for node in (0, 1)), for_s=20)
    verdict = verify_transcript(all_end(world, (0, 1)))
    (going,) = verdict.goings
    assert (going.left, going.why) == ((seat_of(world, 2),), Why.FAULT)


def _cheats(world: World, link: int, message: Message) -> None:
    game = world.nodes[2].table._game
    assert game is not None
    body = decode_body(message.body) if isinstance(message, Entry) else None
    if isinstance(message, Entry) and isinstance(body, MoveEntry) and body.seat in game.hands:
        key = game.hands[body.seat].person.key
        signed = sign_entry(key, message.game, replace(body, action=(2, 1, 99)))
        message = Entry(message.game, signed.body, signed.sig)
    world.deliver(2, link, encode_message(message))


def test_whoever_acknowledged_different_ones_of_two_moves_goes_on_without_the_cheat() -> None:
    """Both counted what they saw before they heard of the other move."""
    world = table(3)
    victims, evil = world.links_of(2), seat_of(world, 2)

    def meddle(link: int, message: Message) -> None:
        game = world.nodes[2].table._game
        assert game is not None
        body = decode_body(message.body) if isinstance(message, Entry) else None
        if isinstance(message, Entry) and isinstance(body, MoveEntry) and (link, body.seat) == (victims[1], evil):
            now, ledger = game.ledger.open, game.ledger
            other = next((move for move in now.choices if to_action(move) != body.action), None)
            if other is not None:
                result = outcome(ledger.standing, ledger.rules, known(now.drawn), other)
                body = replace(body, action=to_action(other), state=result.state)
                signed = sign_entry(game.hands[evil].person.key, message.game, body)
                message = Entry(message.game, signed.body, signed.sig)
        world.deliver(2, link, encode_message(message))

    world.meddlers[2] = meddle
    world.run(until=lambda: any(world.nodes[node].told(FaultProven) for node in (0, 1)), for_s=60)
    k = step_of(world, 0)
    acks = [body for node in (0, 1) for body in entries(world.nodes[node]) if isinstance(body, Ack) and body.k == k]
    assert len({ack.head for ack in acks}) == 2
    world.run(until=lambda: all(world.nodes[node].told(GoneOn) for node in (0, 1)), for_s=20)
    verdict = verify_transcript(all_end(world, (0, 1)))
    assert [(going.left, going.why) for going in verdict.goings] == [((seat_of(world, 2),), Why.FAULT)]


def test_people_are_asked_and_a_yes_of_all_who_remain_is_needed() -> None:
    world = table(4, offers=Offers.PEOPLE)
    world.kill(3)
    world.run(for_s=65)
    asked = [world.nodes[node] for node in range(3)]
    assert all(len(node.told(OfferedToGoOn)) == 1 for node in asked)
    pictures = [node.view.going_on for node in asked if node.view is not None]
    assert {picture.without for picture in pictures if picture is not None} == {(seat_of(world, 3),)}
    for node in (0, 1):
        world.tell(node, GoOnAnswered(Ready.YES))
        world.run(for_s=20)
        assert not any(one.told(GoneOn) for one in asked)
    world.tell(2, GoOnAnswered(Ready.YES))
    world.run(for_s=20)
    assert all(one.told(GoneOn) for one in asked)


def test_a_yes_taken_back_is_none() -> None:
    world = table(3, offers=Offers.PEOPLE)
    world.kill(2)
    world.run(for_s=65)
    world.tell(0, GoOnAnswered(Ready.YES))
    world.tell(0, GoOnAnswered(Ready.NO))
    world.tell(1, GoOnAnswered(Ready.YES))
    world.run(for_s=40)
    assert not any(node.told(GoneOn) for node in world.nodes)
    world.tell(0, GoOnAnswered(Ready.YES))
    world.run(for_s=10)
    assert all(world.nodes[node].told(GoneOn) for node in (0, 1))


def test_a_client_without_people_answers_with_yes_but_never_offers() -> None:
    world = table(3, offers=Offers.AGREE)
    world.kill(2)
    world.run(for_s=200)
    assert not any(node.told(GoneOn) for node in world.nodes)
    world.tell(1, GoOnAnswered(Ready.YES))
    world.run(for_s=10)
    assert all(world.nodes[node].told(GoneOn) for node in (0, 1))


def test_who_comes_back_within_the_minute_voids_the_offer() -> None:
    world = table(3, offers=Offers.PEOPLE)
    world.kill(2)
    world.run(for_s=65)
    world.tell(0, GoOnAnswered(Ready.YES))
    world.restart(2)
    assert verify_transcript(all_end(world, range(3))).goings == ()
    assert all(world.nodes[node].told(OfferVoid) for node in (0, 1))


@pytest.mark.parametrize("reason", list(Leaving))
def test_of_two_players_a_leaver_leaves_a_saved_game(reason: Leaving) -> None:
    world = table(2, offers=Offers.PEOPLE, auto=Auto.DRAW, k=1)
    world.tell(1, LeaveAsked(reason))
    world.run(for_s=2)
    node = world.nodes[0]
    assert node.told(GameSaved) == [GameSaved((seat_of(world, 1),))]
    assert node.view is not None
    assert node.view.phase is Phase.OVER
    verdicts = {verify_transcript(one.transcripts()[-1]).finding for one in world.nodes}
    assert verdicts == {Finding.SAVED}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_saved_game_whose_people_all_return_simply_goes_on(order: tuple[int, int]) -> None:
    world = table(2)
    world.tell(1, LeaveAsked(Leaving.FOR_NOW))
    world.run(for_s=3)
    game = world.saved(0).game_id
    for index in order:
        world.kill(index, keep=len(world.nodes[index].journal))
        world.restart(index)
        world.run(for_s=1)
    verdict = verify_transcript(all_end(world, (0, 1)))
    assert (verdict.game_id, verdict.finding, verdict.goings) == (game, Finding.WON, ())


@pytest.mark.parametrize("after", range(0, 60, 4))
def test_death_in_the_middle_of_going_on_is_harmless(after: int) -> None:
    """A21 for continuations: one of the two who remain dies while they sign, and comes back."""
    world = table(3, k=4)
    world.kill(2)
    world.run(for_s=59)
    world.nodes[1].fuse = 8 + after
    world.run(until=lambda: not world.nodes[1].alive, for_s=20)
    world.run(for_s=1)
    world.restart(1)
    verdict = verify_transcript(all_end(world, (0, 1), within_s=400))
    assert verdict.outcome is Outcome.HOLDS


def test_a_clock_that_stood_still_is_no_absence() -> None:
    world = table(3, offers=Offers.PEOPLE)
    world.kill(2)
    world.run(for_s=50)
    for node in (0, 1):
        world.tell(node, Woke())
    world.run(for_s=50)
    assert not any(node.told(OfferedToGoOn) for node in world.nodes)
    world.run(for_s=15)
    assert all(world.nodes[node].told(OfferedToGoOn) for node in (0, 1))


def test_who_does_nothing_on_its_turn_is_nudged_after_a_minute_and_replaceable_after_ten() -> None:
    world = friends(3, auto=Auto.NOTHING)
    world.offer(Offers.PEOPLE)
    world.start()
    world.run(for_s=65)
    game = world.nodes[0].table._game
    assert game is not None
    idle = game.ledger.position.turn
    watchers = [node for node in world.nodes if idle not in node.table._game.hands]  # type: ignore[union-attr]
    assert all(node.told(NobodyMoves) == [NobodyMoves(idle)] for node in watchers)
    world.run(for_s=520)
    assert not any(node.told(OfferedToGoOn) for node in world.nodes)
    world.run(for_s=30)
    assert all(len(node.told(OfferedToGoOn)) == 1 for node in watchers)


def test_a_cheat_is_let_back_in_by_people_only_and_ends_when_all_are_gone() -> None:
    world = table(3)
    world.meddlers[2] = lambda link, message: _cheats(world, link, message)
    world.run(until=lambda: bool(world.nodes[2].told(GoneOnWithoutUs)), for_s=20)
    verdict = verify_transcript(all_end(world, (0, 1)))
    assert len(verdict.goings) == 1
    world.run(for_s=60)
    assert world.nodes[2].finished is Err.GOODBYE


def left_out() -> World:
    """Two of three went on by their people's yes; the third is back and looks on."""
    world = table(3, offers=Offers.PEOPLE, auto=Auto.DRAW, k=1)
    world.kill(2)
    world.run(for_s=64)
    for node in (0, 1):
        world.tell(node, GoOnAnswered(Ready.YES))
    world.run(for_s=5)
    world.restart(2)
    world.run(for_s=3)
    return world


def test_people_who_were_left_out_ask_for_their_seat_and_a_no_keeps_them_out() -> None:
    world = left_out()
    out = world.nodes[2]
    assert out.view is not None
    assert out.view.phase is Phase.LEFT_OUT
    assert out.view.going_on is not None
    assert out.view.going_on.back == (seat_of(world, 2),)
    assert not any(world.nodes[node].view.going_on for node in (0, 1))  # type: ignore[union-attr]
    world.tell(2, GoOnAnswered(Ready.YES))
    world.run(for_s=2)
    world.tell(0, GoOnAnswered(Ready.YES))
    world.tell(1, GoOnAnswered(Ready.NO))
    world.run(for_s=5)
    assert not out.told(GoneOn)
    world.people_play(0, 1, 2)
    world.tell(1, GoOnAnswered(Ready.YES))
    world.run(until=lambda: bool(out.told(GoneOn)), for_s=30)
    assert out.view.phase in IN_PLAY


def with_a_pair(offers: Offers) -> World:
    """Three clients at a table, the last of which seats two."""
    world = World(
        settings(Role.HOST, person(0, auto=Auto.DRAW), seats=4, rules=replace(SHORT, pawns=2)),
        settings(Role.JOINER, person(1, auto=Auto.DRAW)),
        settings(Role.JOINER, person(2, auto=Auto.DRAW), person(3, auto=Auto.DRAW)),
    )
    world.offer(offers)
    world.start()
    world.run(until=lambda: step_of(world, 1) >= 1, for_s=5)
    return world


def two_at_one_keyboard() -> World:
    """The second client seats two, was left out as a whole, and is back; nobody has moved meanwhile."""
    world = with_a_pair(Offers.MAKE)
    world.kill(2)
    world.run(until=lambda: bool(world.nodes[0].told(GoneOn)), for_s=70)
    world.restart(2)
    world.run(for_s=3)
    return world


@pytest.mark.parametrize("alone", [False, True])
def test_two_at_one_keyboard_send_nobody_away_who_has_somebody_to_play_with(alone: bool) -> None:
    world = with_a_pair(Offers.PEOPLE)
    world.run(for_s=1)
    one, other, pair = world.nodes
    game = one.table._game
    assert game is not None
    hands = pair.table._game.hands  # type: ignore[union-attr]
    lines = {}
    for seat, hand in hands.items():
        nonce = bytes([seat]) * 32
        anchor = Chain(hand.person.root, hand.person.key.public, nonce).anchor
        lines[seat] = replace(game.ledger.terms.seats[seat], nonce=nonce, anchor=anchor)
    view = view_of(game.ledger, Why.LEFT)
    assert view is not None
    terms = next_terms(game.ledger.terms, view, lines, frozenset(game.ledger.humans) - hands.keys())
    table_bytes = genesis.encode_terms(terms)
    consents = [
        Consent(seat, genesis.consent_signature(hand.person.key, table_bytes)) for seat, hand in sorted(hands.items())
    ]
    if alone:
        world.kill(1)
        world.run(for_s=1)
    for to in (0,) if alone else (0, 1):
        world.send(2, to, TableAgreed(table_bytes, tuple(consents)))
    world.run(for_s=1)
    assert bool(one.told(GoneOnWithoutUs)) is alone
    assert not other.told(GoneOnWithoutUs)


@pytest.mark.spec("T-31")
def test_two_at_one_keyboard_return_together_and_are_reached_as_before() -> None:
    world = two_at_one_keyboard()
    pair = world.nodes[2]
    world.people_play(0, 1, 2, after_us=100 * MS)
    for node in world.nodes:
        world.looks[-1](node)
    world.run(until=lambda: bool(pair.told(GoneOn)), for_s=60)
    assert pair.view is not None
    game = pair.table._game
    assert game is not None
    terms = game.ledger.terms
    assert {terms.seats[seat].client for seat in game.hands} == {min(game.hands)}
    world.run(for_s=2)
    for node in world.nodes[:2]:
        presences = node.table._game.presences  # type: ignore[union-attr]
        assert {presences.reach[seat][0] for seat in game.hands} == {Presence.LINKED}
    world.kill(2)
    world.restart(2)
    world.run(until=lambda: bool(pair.told(GoesOn)), for_s=30)
    world.run(until=lambda: all(node.finished is not None for node in world.nodes), for_s=300)
    (file,) = {node.transcripts()[-1] for node in world.nodes}
    assert [going.why for going in verify_transcript(file).goings] == [Why.UNREACHABLE, Why.RETURN]


def test_a_second_person_does_not_return_without_the_one_whose_key_links() -> None:
    world = two_at_one_keyboard()
    ready = world.nodes[2].table._room.continuing._ready  # type: ignore[union-attr]
    first, second = sorted(ready._own)
    assert ready.whole([first, second]) == {first, second}
    assert ready.whole([second]) == frozenset()


def test_a_seat_that_returned_after_a_restart_of_everybody_is_found_in_every_journal() -> None:
    world = table(3, k=4)
    world.kill(2)
    world.run(until=lambda: all(world.nodes[node].told(GoneOn) for node in (0, 1)), for_s=100)
    world.restart(2)
    world.run(until=lambda: bool(world.nodes[2].told(GoneOn)), for_s=100)
    world.run(for_s=0.3)
    for node in range(3):
        world.kill(node)
    for node in (1, 2, 0):
        world.restart(node)
        world.run(for_s=1)
    verdict = verify_transcript(all_end(world, range(3)))
    assert [going.why for going in verdict.goings] == [Why.UNREACHABLE, Why.RETURN]


def test_who_was_left_out_is_still_so_after_a_restart() -> None:
    world = left_out()
    world.kill(2, keep=len(world.nodes[2].journal))
    world.restart(2)
    world.run(for_s=3)
    assert world.nodes[2].view is not None
    assert world.nodes[2].view.phase is Phase.LEFT_OUT


def test_who_died_before_its_journal_knew_of_the_next_table_follows_it_all_the_same() -> None:
    """It consented, and the others went on meanwhile: the nonce is its own, what it signed it asks for first."""
    world = table(3, k=4)
    world.kill(2)
    world.run(until=lambda: all(world.nodes[node].told(GoneOn) for node in (0, 1)), for_s=100)
    heads = [place for place, record in enumerate(journal_of(world, 1)) if record.kind is JournalKind.HEADER]
    world.kill(1, keep=heads[-1])
    world.run(for_s=1)
    world.restart(1)
    verdict = verify_transcript(all_end(world, (0, 1)))
    assert len(verdict.goings) == 1
    assert any(isinstance(message, Withdraw) for _, message in world.nodes[1].sent)
    assert len(world.nodes[1].told(TakenUp)) == 2


def journal_of(world: World, node: int) -> list[AppendJournal]:
    return world.nodes[node].journal


def test_two_steps_behind_is_caught_up_with_before_the_next_table_is_followed() -> None:
    """A backup from before: the steps come from those who went on, the last one without acknowledgements."""
    world = table(3, k=6)
    world.kill(2)
    world.run(until=lambda: bool(world.nodes[1].told(GoneOn)), for_s=100)
    steps = [place for place, record in enumerate(journal_of(world, 1)) if record.kind is JournalKind.RECORD]
    world.kill(1, keep=steps[2])
    world.run(for_s=1)
    world.restart(1)
    assert len(verify_transcript(all_end(world, (0, 1))).goings) == 1


@pytest.mark.parametrize("known", [True, False])
def test_where_somebody_joins_a_game_that_went_on_without_it_it_looks_on(*, known: bool) -> None:
    """With its journal, or with its key alone: then it is shown all tables from the first on."""
    world = table(3, k=4)
    world.kill(2)
    world.run(until=lambda: all(world.nodes[node].told(GoneOn) for node in (0, 1)), for_s=100)
    lost_journals(world, 2, kept=[world.saved(2)] if known else [])
    world.link(2, 0)
    world.run(for_s=3)
    assert world.nodes[2].told(GoneOnWithoutUs)
    verdict = verify_transcript(all_end(world, range(3)))
    assert verdict.outcome is Outcome.HOLDS
    assert [going.why for going in verdict.goings][:1] == [Why.UNREACHABLE]


def lost_journals(world: World, node: int, kept: Sequence[SavedGame] = ()) -> None:
    """A new process of the same identity that finds nothing, or only these games, on its disk."""
    if world.nodes[node].alive:
        world.kill(node, keep=0)
    journal_of(world, node).clear()
    world.nodes[node].signed.clear()
    world.nodes[node].admitted.clear()
    world.restart_with(node, None, kept)


@pytest.mark.spec("S-13")
def test_who_names_no_game_is_shown_all_its_tables_newest_first_and_then_where_the_others_stand() -> None:
    world = table(3, k=4)
    world.tell(2, LeaveAsked(Leaving.FOR_GOOD))
    world.run(until=lambda: all(node.told(GoneOn) for node in world.nodes[:2]), for_s=9)
    came: list[Message] = []

    def note(link: int, message: Message) -> None:
        came.append(message)
        world.deliver(0, link, encode_message(message))

    lost_journals(world, 1)
    world.meddlers[0] = note
    world.link(1, 0)
    world.run(until=lambda: len(came) > 2, for_s=3)
    now, before, status = came[:3]
    assert isinstance(now, TableAgreed)
    assert isinstance(before, TableAgreed)
    assert isinstance(status, Status)
    parent = genesis.decode_terms(now.table).parent
    assert parent is not None
    assert parent.game == genesis.game_id(before.table)
    assert genesis.decode_terms(before.table).parent is None
    assert status.game == genesis.game_id(now.table)


@pytest.mark.spec("S-13")
@pytest.mark.parametrize("tables", [1, 2])
def test_who_lost_its_journals_gets_its_seat_back_in_a_game_that_went_on(tables: int) -> None:
    world = table(4, k=4, rules=Rules(pawns=2))
    for times, gone in enumerate((3, 2)[:tables], 1):
        world.tell(gone, LeaveAsked(Leaving.FOR_GOOD))
        left = [world.nodes[node] for node in range(4 - times)]
        world.run(until=lambda left=left, times=times: all(len(one.told(GoneOn)) == times for one in left), for_s=9)
    k = step_of(world, 0)
    world.run(until=lambda: step_of(world, 0) > k + 5)
    lost_journals(world, 1)
    world.link(1, 0)
    world.run(until=lambda: bool(world.nodes[1].told(GoesOn)), for_s=10)
    verdict = verify_transcript(all_end(world, range(4 - tables)))
    assert [going.why for going in verdict.goings] == [Why.LEFT] * tables
    assert len(world.nodes[1].told(GoesOn)) == 1


def who_decides(world: World) -> int:
    """The client whose person has a card before it, once there is one."""
    asked = [node for node in world.nodes if node.view is not None]
    world.run(until=lambda: any(node.view is not None and node.view.prompts for node in asked), for_s=9)
    return next(node.index for node in asked if node.view is not None and node.view.prompts)


@pytest.mark.parametrize("seated", [True, False])
def test_what_was_lost_comes_back_too_where_a_card_lay_open_when_the_others_went_on(*, seated: bool) -> None:
    """Nobody keeps the acknowledgements of the step before that card: it is closed without them."""
    world = table(3, auto=Auto.DRAW, k=1)
    on_turn = who_decides(world)
    world.tell(on_turn, answer(world.nodes[on_turn].view.prompts[0]))  # type: ignore[union-attr]
    on_turn = who_decides(world)
    other, lost = (node for node in range(3) if node != on_turn)
    leaver, stays = (other, lost) if seated else (lost, other)
    world.tell(leaver, LeaveAsked(Leaving.FOR_GOOD))
    world.run(until=lambda: bool(world.nodes[on_turn].told(GoneOn) and world.nodes[stays].told(GoneOn)), for_s=9)
    parent = world.nodes[on_turn].table._game.ledger.terms.parent  # type: ignore[union-attr]
    assert parent is not None
    assert parent.pending is not None
    lost_journals(world, lost)
    world.link(lost, on_turn)
    world.run(for_s=5)
    assert world.nodes[lost].told(GoesOn if seated else GoneOnWithoutUs)


def test_a_table_that_goes_on_from_one_that_is_never_shown_is_of_no_use() -> None:
    world = table(3, k=4)
    world.kill(2)
    world.run(until=lambda: all(world.nodes[node].told(GoneOn) for node in (0, 1)), for_s=100)
    lost_journals(world, 2)
    first = world.saved(0).parent
    assert first is not None
    world.meddlers[0] = lambda link, message: (
        None
        if isinstance(message, TableAgreed) and message.table == first.agreed.table
        else world.deliver(0, link, encode_message(message))
    )
    world.link(2, 0)
    world.run(for_s=1)
    assert [command.code for command in world.nodes[2].closed] == [Err.UNKNOWN_GAME]


def test_who_went_on_elsewhere_is_not_let_into_the_other_half_by_its_first_table() -> None:
    """T-39: whoever follows one table that goes on from a game follows no other."""
    world = table(4)
    world.part((0, 1), (2, 3))
    world.run(until=lambda: all(len(node.told(GoneOn)) == 1 for node in world.nodes), for_s=70)
    kept = world.saved(3)
    world.kill(3)
    world.nodes[3].admitted.clear()
    world.restart_with(3, None, [kept])
    world.part((0, 1, 3), (2,))
    world.link(3, 0)
    world.run(for_s=1)
    assert world.nodes[3].closed[0].code is Err.UNKNOWN_GAME
    assert world.nodes[3].told(GoneOnWithoutUs) == []


def test_a_game_kept_from_a_former_table_is_met_again_as_it_is() -> None:
    world = table(3, k=4)
    world.kill(2)
    world.run(until=lambda: all(world.nodes[node].told(GoneOn) for node in (0, 1)), for_s=100)
    kept = world.saved(1)
    assert kept.parent is not None
    world.kill(1)
    world.restart_with(1, None, [kept])
    world.link(1, 0)
    verdict = verify_transcript(all_end(world, (0, 1)))
    assert len(verdict.goings) == 1


def test_a_child_whose_parents_steps_are_gone_is_no_game() -> None:
    world = table(3, k=4)
    world.kill(2)
    world.run(until=lambda: all(world.nodes[node].told(GoneOn) for node in (0, 1)), for_s=100)
    saved = world.saved(1)
    assert saved.parent is not None
    with pytest.raises(NotAGame):
        story_of(replace(saved, parent=replace(saved.parent, records=())))


def test_leaving_a_game_that_is_over_says_nothing_more() -> None:
    world = table(2, offers=Offers.PEOPLE, auto=Auto.DRAW, k=1)
    world.tell(1, LeaveAsked(Leaving.FOR_GOOD))
    world.run(for_s=2)
    before = len(world.nodes[0].transcripts())
    world.tell(0, LeaveAsked(Leaving.FOR_GOOD))
    assert len(world.nodes[0].transcripts()) == before
    assert world.nodes[0].finished is Err.GOODBYE


def test_an_answer_where_nothing_is_offered_is_nothing() -> None:
    world = table(2, offers=Offers.PEOPLE)
    world.tell(0, GoOnAnswered(Ready.YES))
    world.tell(0, GoOnAnswered(Ready.NO))
    lobby = friends(2)
    lobby.open()
    lobby.tell(0, GoOnAnswered(Ready.YES))
    lobby.tell(0, Woke())
    assert verify_transcript(all_end(world, (0, 1))).goings == ()


def test_who_looks_on_gets_final_steps_and_its_entries_end_its_link() -> None:
    world = left_out()
    game = world.nodes[0].table._game
    assert game is not None
    assert not any(isinstance(message, Entry) and message.game == game.id for _, message in world.nodes[2].sent)
    world.send(2, 0, MineAsked(game.id, seat_of(world, 1), bytes(16)))
    world.send(2, 0, Want(game.id, game.ledger.k, 1))
    world.run(for_s=1)
    assert world.nodes[0].closed == []
    hand = next(iter(game.hands.values()))
    signed = sign_entry(hand.person.key, game.id, hand.reveal(game.ledger.k))
    world.send(2, 0, Entry(game.id, signed.body, signed.sig))
    world.run(for_s=1)
    assert [command.code for command in world.nodes[0].closed] == [Err.NOT_A_SEAT]


def test_a_client_that_owes_because_another_is_gone_says_so_and_stays() -> None:
    """A muted client can't sign while somebody is missing: it is linked, owes, and is ready to go on."""
    world = table(3, k=4)
    world.kill(2)
    world.kill(1)
    world.run(for_s=1)
    world.restart(1)
    world.run(until=lambda: bool(world.nodes[0].told(GoneOn)), for_s=120)
    going = world.nodes[0].told(GoneOn)[0]
    assert isinstance(going, GoneOn)
    assert going.without == (seat_of(world, 2),)
    verdict = verify_transcript(all_end(world, (0, 1)))
    assert verdict.outcome is Outcome.HOLDS


def test_a_linked_seat_that_owes_is_given_ten_seconds_before_the_game_is_saved() -> None:
    world = table(2)
    world.meddlers[1] = lambda link, message: _all_but_entries(world, link, message)
    world.run(until=lambda: bool(world.nodes[0].told(OfferedToGoOn)), for_s=700)
    began_us = world.now_us
    (offered,) = world.nodes[0].told(OfferedToGoOn)
    assert isinstance(offered, OfferedToGoOn)
    assert offered.why is Why.OWED
    world.run(until=lambda: bool(world.nodes[0].told(GameSaved)), for_s=60)
    assert world.nodes[0].told(GameSaved)
    assert world.now_us - began_us >= 9_900_000


def _all_but_entries(world: World, link: int, message: Message) -> None:
    if not isinstance(message, Entry | StepRecord):
        world.deliver(1, link, encode_message(message))


def test_who_missed_several_tables_is_shown_each_of_them() -> None:
    world = table(4, k=3, rules=Rules(pawns=2))
    world.kill(3)
    left = [world.nodes[node] for node in (1, 2)]
    world.run(until=lambda: all(one.told(GoneOn) for one in world.nodes[:3]), for_s=100)
    world.tell(0, LeaveAsked(Leaving.FOR_GOOD))
    world.run(until=lambda: all(len(one.told(GoneOn)) == 2 for one in left), for_s=10)
    world.restart(3)
    verdict = verify_transcript(all_end(world, (1, 2, 3)))
    assert len(world.nodes[3].told(GoneOnWithoutUs)) == 2
    assert [going.why for going in verdict.goings] == [Why.UNREACHABLE, Why.LEFT, Why.RETURN]


def test_a_clock_of_a_game_that_is_none_yet_means_nothing() -> None:
    lobby = friends(2)
    lobby.open()
    lobby.tell(0, TimerFired(Timer.PROPOSE, 0))
    assert lobby.nodes[0].finished is None


def test_steps_of_a_game_that_nobody_played_here_are_nobodys() -> None:
    assert Story().steps(bytes(32), 0, 16) == ()
    assert Story().tables_since(None) == ()


def test_a_seat_whose_client_computes_otherwise_can_be_left_at_once() -> None:
    world = table(3, offers=Offers.PEOPLE)
    game = world.nodes[0].table._game
    assert game is not None
    apart = seat_of(world, 2)
    said = next(message for _, message in reversed(world.nodes[2].sent) if isinstance(message, Status))
    for _ in range(200):
        # Where a step is not counted, its difference may lie elsewhere: STATUS by STATUS it is looked at again.
        world.send(2, 0, replace(said, stage=int(Stage.DIVERGED)))
        world.run(for_s=0.002)
    offered = world.nodes[0].told(OfferedToGoOn)
    assert [(news.without, news.why) for news in offered] == [((apart,), Why.UNREACHABLE)]  # type: ignore[attr-defined]

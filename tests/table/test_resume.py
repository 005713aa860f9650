"""Killed, restored, copied: a client comes back to its seat, and never signs two bodies for one slot."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from sorry_lan.fair.entry import MoveEntry, Reveal, decode_body, sign_entry
from sorry_lan.faults import Err, LocalMisuse
from sorry_lan.table.commands import JournalKind
from sorry_lan.table.events import Event, Opened, ResumeAsked, Timer, TimerFired
from sorry_lan.table.mine import MineBody
from sorry_lan.table.news import FaultProven, GoesOn, RestoredOrCopied, TakenUp, WaitsForWord, Won
from sorry_lan.table.settings import Auto, Person, Role
from sorry_lan.table.table import Table
from sorry_lan.table.view import Phase
from sorry_lan.wire.codec import encode_message, pack, unpack
from sorry_lan.wire.keys import Context
from sorry_lan.wire.messages import Entry, Fault, Intent, Message, Mine, MineAsked, Signed, TableAgreed, Want
from tests.table.build import MS, SHORT, World, answer, finished, friends, person, settings


@cache
def undisturbed(count: int, seed: int = 0) -> tuple[bytes, int, int]:
    """The transcript of a game without crashes, and how many records and commands the second client needed."""
    world = friends(count, seed=seed)
    node = world.nodes[1]
    node.fuse = 10**9
    world.start()
    world.run(until=lambda: finished(world))
    assert node.fuse is not None
    return node.transcripts()[-1], len(node.journal), 10**9 - node.fuse


def played(count: int, k: int, seed: int = 0) -> World:
    """A table in play, up to step `k` at the second client."""
    world = friends(count, seed=seed)
    world.slowest_us = 30 * MS
    world.start()
    world.run(until=lambda: step_of(world, 1) >= k)
    return world


def step_of(world: World, node: int) -> int:
    game = world.nodes[node].table._game
    return -1 if game is None else game.ledger.k


def ends_alike(world: World) -> bool:
    """Whether the table plays to its end, and everybody's file is that of a game without crashes."""
    world.run(until=lambda: finished(world), for_s=120)
    files = {node.transcripts()[-1] for node in world.nodes}
    return files == {undisturbed(len(world.nodes), world.seed)[0]}


@pytest.mark.parametrize("dead", [0, 1])
def test_a_killed_client_host_or_not_comes_back_to_its_seat(dead: int) -> None:
    world = played(2, 5)
    world.kill(dead)
    world.run(for_s=2)
    world.restart(dead)
    assert ends_alike(world)
    assert [type(news) for news in world.nodes[dead].news if isinstance(news, TakenUp | GoesOn)] == [TakenUp, GoesOn]
    assert not any(node.told(FaultProven) for node in world.nodes)


def test_all_of_three_are_killed_at_once_and_come_back_one_by_one() -> None:
    world = played(3, 6)
    for index in range(3):
        world.kill(index)
    for index in (2, 0, 1):
        world.restart(index)
        world.run(for_s=1)
    assert ends_alike(world)


def dies_after(commands: int, seed: int = 0) -> World:
    """A table whose second client died after so many commands, from its very first one on."""
    world = friends(2, seed=seed)
    world.nodes[1].fuse = commands
    world.start()
    world.run(until=lambda: not world.nodes[1].alive)
    return world


@pytest.mark.spec("F-16", "S-7")
@pytest.mark.parametrize("part", range(6))
def test_death_between_two_commands_changes_nothing(part: int) -> None:
    """Places all over a game, a few a test, so that a failure names its neighbourhood."""
    for after in range(3 + 7 * part, undisturbed(2)[2], 42):
        world = dies_after(after)
        world.restart(1)
        if not world.nodes[1].told(TakenUp):
            # Killed before its journal had a table: it joins again, and may have another nonce.
            world.link(1, 0)
            world.run(until=lambda world=world: finished(world), for_s=120)
            assert len({node.transcripts()[-1] for node in world.nodes}) == 1
        else:
            assert ends_alike(world), after


@pytest.mark.spec("F-16")
@pytest.mark.parametrize("synced", [True, False])
def test_death_at_each_write_to_the_disk_of_the_first_steps_changes_nothing(*, synced: bool) -> None:
    """Right behind each record, with what was not synced and without."""
    for writes in range(4, 34):
        world = friends(2)
        node = world.nodes[1]
        world.looks.append(lambda _, world=world, node=node, writes=writes: _stop(world, node.index, writes))
        world.start()
        world.run(until=lambda node=node: not node.alive)
        world.kill(1, keep=None if synced else writes)
        world.looks.clear()
        world.restart(1)
        assert ends_alike(world), writes


def _stop(world: World, index: int, writes: int) -> None:
    if len(world.nodes[index].journal) >= writes and world.nodes[index].alive:
        world.kill(index, keep=writes)


@pytest.mark.spec("F-16", "S-7", "S-8")
@pytest.mark.parametrize("lost", [1, 2, 3, 5, 8, 13, 40])
def test_a_restored_backup_signs_nothing_twice(lost: int) -> None:
    """The journal ends before what was signed and sent: the others know, and say so."""
    world = played(2, 20)
    node = world.nodes[1]
    world.kill(1, keep=max(3, len(node.journal) - lost))
    world.run(for_s=1)
    world.restart(1)
    assert ends_alike(world)
    assert not any(other.told(FaultProven) for other in world.nodes)


@pytest.mark.spec("S-7")
def test_a_client_without_its_journal_is_given_its_seat_by_the_others() -> None:
    world = played(2, 12)
    world.kill(1, keep=0)
    world.restart(1)
    world.link(1, 0)
    assert ends_alike(world)
    kinds = [record.kind for record in world.nodes[1].journal]
    assert kinds.count(JournalKind.HEADER) == 1


def test_a_game_that_is_met_again_where_somebody_joins_goes_on_with_what_was_saved() -> None:
    world = played(2, 12)
    node = world.nodes[1]
    kept = world.saved(1)
    world.kill(1)
    world.restart_with(1, None, [kept])
    assert node.view is not None
    assert node.view.phase is Phase.CONNECTING
    world.link(1, 0)
    world.run(for_s=0.1)
    assert node.told(TakenUp) == [TakenUp(kept.game_id, len(kept.records))]
    assert ends_alike(world)


@pytest.mark.spec("S-7")
def test_nothing_is_signed_before_all_have_answered_and_people_are_told_who_is_missing() -> None:
    world = played(3, 8)
    world.kill(1)
    world.kill(2)
    world.restart(1)
    node = world.nodes[1]
    before = len(node.sent)
    world.run(for_s=15)
    seats = {seat for seat, line in enumerate(node.view.game.seats) if line.person is not None}  # type: ignore[union-attr]
    assert not any(
        isinstance(message, Entry) and decode_body(message.body).seat in seats and message.body not in signed_of(world)
        for _, message in node.sent[before:]
    )
    assert node.view is not None
    assert node.view.phase is Phase.RESUMING
    missing = world.nodes[2].seats
    assert [news.seats for news in node.told(WaitsForWord)] == [tuple(*missing.values())]  # type: ignore[attr-defined]
    world.restart(2)
    assert ends_alike(world)


def signed_of(world: World) -> set[bytes]:
    return {body for _, body in world.nodes[1].signed}


@pytest.mark.spec("S-8", "H-22")
def test_two_who_never_meet_answer_each_other_through_a_third() -> None:
    world = friends(3, graph=[(0, 1), (0, 2)])
    world.start()
    world.run(until=lambda: step_of(world, 1) >= 8)
    world.kill(1)
    world.restart(1)
    world.run(for_s=3)
    assert world.nodes[1].told(GoesOn)
    world.run(until=lambda: finished(world), for_s=120)
    assert len({node.transcripts()[-1] for node in world.nodes}) == 1


@pytest.mark.spec("S-9")
def test_an_identity_that_went_back_in_time_is_shown_and_plays_on() -> None:
    world = played(2, 8)
    world.nodes[1].settings = replace(world.nodes[1].settings, boot=5)
    world.kill(1)
    world.restart(1)
    world.run(for_s=0.2)
    world.kill(1)
    world.restart(1, anew=replace(world.nodes[1].settings, boot=1))
    seat = next(iter(*world.nodes[1].seats.values()))
    assert ends_alike(world)
    assert world.nodes[0].told(RestoredOrCopied) == [RestoredOrCopied(seat)]
    assert world.nodes[1].told(RestoredOrCopied) == [RestoredOrCopied(seat)]


def test_two_who_lost_their_journals_and_call_each_other_first_both_come_to_the_table() -> None:
    """Whoever comes to it shows it to the other, before it asks what it had signed itself."""
    world = played(3, 8)
    for node in (1, 2):
        world.kill(node, keep=0)
        world.restart_with(node, None)
    world.link(2, 1)
    world.run(for_s=0.2)
    world.link(1, 0)
    world.run(for_s=2)
    assert [node.closed for node in world.nodes] == [[], [], []]
    assert ends_alike(world)


def test_a_finished_game_is_still_answered_for_after_a_restart() -> None:
    world = friends(2)
    world.start()
    world.run(until=lambda: finished(world))
    node = world.nodes[1]
    files = len(node.files)
    world.kill(1, keep=len(node.journal))
    world.restart(1)
    assert node.view is not None
    assert node.view.phase is Phase.OVER
    assert len(node.files) == files
    world.run(for_s=31)
    assert node.finished is Err.GOODBYE


def test_people_and_bots_at_one_computer_go_on_where_they_stopped() -> None:
    world = World(settings(Role.LOCAL, person(0), seats=2, bots=[0], rules=SHORT))
    world.open()
    node = world.nodes[0]
    whole = node.transcripts()
    again = World(settings(Role.LOCAL, person(0, auto=Auto.NOTHING), seats=2, bots=[0], rules=SHORT))
    again.open()
    for _ in range(6):
        again.tell(0, answer(again.nodes[0].view.prompts[0]))  # type: ignore[union-attr]
    again.kill(0)
    again.restart(0, anew=replace(node.settings, boot=2))
    assert again.nodes[0].told(GoesOn)
    assert len(whole) == len(again.nodes[0].transcripts()) == 1


@pytest.mark.parametrize("named", [1, 2, 3])
def test_whoever_comes_back_with_fewer_names_plays_for_all_who_sat_here(named: int) -> None:
    clients = settings(Role.HOST, person(0), seats=4, rules=SHORT), settings(Role.JOINER, *map(person, (1, 2, 3)))
    world = World(*clients)
    world.slowest_us = 30 * MS
    world.start()
    world.run(until=lambda: step_of(world, 1) >= 5)
    world.kill(1)
    before = world.nodes[1].settings.people
    nobody = person(4)
    spare = (*(replace(each, name="nobody") for each in before[named:]), nobody)
    world.restart(1, anew=replace(world.nodes[1].settings, people=before[:named], spare=spare, boot=2))
    world.link(1, 0, intent=Intent.GAME)
    world.run(until=lambda: finished(world), for_s=120)
    assert len({node.transcripts()[-1] for node in world.nodes}) == 1
    left = world.nodes[1].table._desk.settings
    assert ([each.name for each in left.people], left.spare) == ([each.name for each in before], (nobody,))


def connecting(world: World, seats_of: World) -> None:
    """A restarted second client without a journal, and a first one that says only what the test says."""
    world.meddlers[0] = lambda _link, _message: None
    world.kill(1, keep=0)
    world.restart(1)
    world.link(1, 0)
    world.run(for_s=0.1)
    assert seats_of.nodes[0].table._game is not None


def refused_table(world: World, message: TableAgreed) -> list[Err]:
    world.send(0, 1, message)
    world.run(for_s=0.1)
    assert not world.nodes[1].told(TakenUp)
    return [command.code for command in world.nodes[1].closed]


def test_a_table_that_not_all_signed_is_not_our_game() -> None:
    world = played(2, 5)
    agreed = world.saved(1).agreed
    connecting(world, world)
    forged = replace(agreed, consents=(agreed.consents[0], replace(agreed.consents[1], sig=bytes(64))))
    assert refused_table(world, forged) == [Err.BAD_SIGNATURE]


def test_a_table_without_a_seat_of_ours_is_in_play_without_us() -> None:
    world, other = played(2, 5), friends(2)
    for number, node in enumerate(other.nodes):
        node.settings = replace(node.settings, people=(person(2 + number),))
        node.table = Table(node.settings)
    other.start()
    connecting(world, other)
    assert refused_table(world, other.nodes[0].table._game.agreed) == [Err.GAME_IN_PLAY]  # type: ignore[union-attr]


def test_a_table_of_another_engine_is_not_taken_up() -> None:
    world = played(2, 5)
    agreed = world.saved(1).agreed
    world.nodes[1].settings = replace(world.nodes[1].settings, engine=bytes(32))
    connecting(world, world)
    assert refused_table(world, agreed) == [Err.ENGINE_DIFFERS]


@pytest.mark.parametrize("people", [(person(0),), (person(1), person(0))])
def test_a_saved_game_of_other_people_than_ours_is_a_bug(people: tuple[Person, ...]) -> None:
    world = played(2, 5)
    saved = world.saved(1)
    own = replace(world.nodes[1].settings, people=people)
    with pytest.raises(LocalMisuse):
        Table(own, saved).handle(Event(0, bytes(32), Opened()))


def test_a_root_that_is_not_the_seats_is_a_bug() -> None:
    world = played(2, 5)
    other = replace(world.nodes[1].settings.people[0], root=bytes(32))
    with pytest.raises(LocalMisuse, match="not ours"):
        Table(replace(world.nodes[1].settings, people=(other,)), world.saved(1)).handle(Event(0, bytes(32), Opened()))


def test_nobody_answers_at_the_old_address_so_the_game_is_opened_and_waits() -> None:
    world = played(2, 12)
    kept = world.saved(1)
    world.kill(1)
    world.restart_with(1, None, [kept])
    world.tell(1, ResumeAsked(bytes(32)))
    assert not world.nodes[1].told(TakenUp)
    world.tell(1, ResumeAsked(kept.game_id))
    world.tell(1, ResumeAsked(kept.game_id))
    assert len(world.nodes[1].told(TakenUp)) == 1
    assert ends_alike(world)


def test_the_own_port_is_remembered_with_the_game() -> None:
    world = friends(2)
    for node in world.nodes:
        node.settings = replace(node.settings, port=7000 + node.index)
        node.table = Table(node.settings)
    world.start()
    addresses = {peer.pk: peer.addresses for peer in world.saved(1).peers}
    assert addresses == {world.nodes[0].pk: ("10.0.0.1:7777",), world.nodes[1].pk: ("localhost:7001",)}


def test_a_clock_that_fires_after_the_silence_says_nothing() -> None:
    world = played(2, 5)
    world.tell(1, TimerFired(Timer.MUTE, 0))
    world.tell(0, TimerFired(Timer.MUTE, 0))
    assert not world.nodes[1].told(WaitsForWord)


def test_a_win_that_not_all_confirmed_is_waited_for_after_a_restart_too() -> None:
    for seed in range(30):
        world = friends(2, seed=seed)
        world.meddlers[0] = lambda link, message, world=world: _all_but_the_last_word(world, link, message)
        world.start()
        world.run(until=lambda world=world: bool(world.nodes[1].told(Won)), for_s=30)
        if world.nodes[1].told(Won) and not world.nodes[0].told(Won):
            break
    assert not world.nodes[0].told(Won)
    world.kill(1)
    world.restart(1)
    world.run(for_s=70)
    assert world.nodes[1].transcripts()
    assert world.nodes[1].view is not None
    assert world.nodes[1].view.phase is Phase.CLOSED


def _all_but_the_last_word(world: World, link: int, message: Message) -> None:
    """The first client never acknowledges the end, nor shows that it is final."""
    game = world.nodes[0].table._game
    over = game is not None and game.ledger.over is not None
    if not over or isinstance(message, Mine | TableAgreed):
        world.deliver(0, link, encode_message(message))


def test_proof_that_comes_in_the_silence_stops_the_game_for_good() -> None:
    world = played(2, 6)
    world.meddlers[0] = lambda _link, _message: None
    world.kill(1)
    world.restart(1)
    world.run(for_s=0.2)
    game = world.nodes[0].table._game
    assert game is not None
    seat, hand = next(iter(game.hands.items()))
    moves = (MoveEntry(game.ledger.k, seat, head, (), bytes(32)) for head in (bytes(32), b"h" * 32))
    pair = [sign_entry(hand.person.key, game.id, move) for move in moves]
    world.send(0, 1, Fault(game.id, *pair))
    asked = next(message for _, message in reversed(world.nodes[1].sent) if isinstance(message, MineAsked))
    body = pack(MineBody(seat, asked.seat, asked.challenge, game.ledger.k, game.ledger.head, ()))
    world.send(0, 1, Mine(game.id, body, hand.person.key.sign(Context.MINE, game.id, body)))
    world.run(for_s=0.2)
    assert world.nodes[1].view is not None
    assert world.nodes[1].view.phase is Phase.FROZEN


def test_a_clock_that_fires_before_there_is_a_game_says_nothing() -> None:
    world = friends(2)
    world.open()
    seen = len(world.nodes[0].news)
    world.tell(0, TimerFired(Timer.MUTE, 0))
    assert len(world.nodes[0].news) == seen


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_a_client_that_died_before_its_word_on_the_winning_step_ends_the_game_when_it_is_back(seed: int) -> None:
    """Alone with bots, so that what it needs for the step is all its own."""
    world = World(settings(Role.LOCAL, person(0), seats=3, bots=[0, 0], rules=SHORT), seed=seed)
    world.open()
    node = world.nodes[0]
    whole = node.transcripts()[-1]
    shares = [
        place
        for place, record in enumerate(node.journal)
        if record.kind is JournalKind.OWN_ENTRY and isinstance(decode_body(unpack(Signed, record.payload).body), Reveal)
    ]
    world.kill(0, keep=shares[-1] + 1)
    world.restart(0)
    world.run(for_s=1)
    assert node.transcripts()[-1] == whole


def test_a_table_of_ours_may_be_shown_by_somebody_without_a_seat_at_it() -> None:
    two = friends(2)
    world = World(*(node.settings for node in two.nodes), settings(Role.JOINER, person(2)), seed=1)
    for index in (0, 1):
        world.open(index)
    world.link(1, 0)
    world.run(until=lambda: step_of(world, 1) >= 5)
    agreed = world.saved(1).agreed
    world.kill(1, keep=0)
    world.restart(1)
    world.meddlers[2] = lambda _link, _message: None
    world.link(1, 2)
    world.send(2, 1, agreed)
    before = len(world.nodes[1].sent)
    world.run(for_s=0.001)
    assert world.nodes[1].told(TakenUp)
    assert world.nodes[1].sent[before:] == []


def test_somebody_far_behind_asks_for_one_stretch_after_the_other() -> None:
    world = next(world for world in (played(2, 40, seed) for seed in range(20)) if not finished(world))
    world.kill(1, keep=3)
    world.restart(1)
    asked = len(world.nodes[1].sent)
    assert ends_alike(world)
    wants = [message for _, message in world.nodes[1].sent[asked:] if isinstance(message, Want)]
    assert {0, 16, 32} <= {want.k for want in wants}


def test_whoever_catches_up_passes_nothing_on_of_what_the_others_have() -> None:
    world = played(3, 40)
    world.kill(2, keep=3)
    world.restart(2)
    before = len(world.nodes[2].sent)
    world.run(until=lambda: step_of(world, 2) > 40)
    old = [
        message
        for _, message in world.nodes[2].sent[before:]
        if isinstance(message, Entry) and decode_body(message.body).k < 38
    ]
    assert old == []
    assert ends_alike(world)

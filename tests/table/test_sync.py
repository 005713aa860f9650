"""Cut links, late links, lost frames: everybody catches up from anybody."""

from dataclasses import replace

import pytest

from sorry_lan.fair.entry import Ack, Leave, Leaving, Reveal, decode_body, encode_body, sign_entry
from sorry_lan.fair.verify import Outcome, verify_transcript
from sorry_lan.faults import Err
from sorry_lan.table.events import FrameArrived, LinkDown, RematchAsked
from sorry_lan.table.news import GameStarted, PresenceChanged
from sorry_lan.table.settings import Auto
from sorry_lan.table.view import Presence
from sorry_lan.wire import limits
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import encode, encode_message
from tests.table.build import MS, Node, World, answer, finished, friends, person
from tests.table.test_play import deal, game_of, started
from tests.table.test_returning import left_out


def sent_by(node: Node, kind: type) -> list[m.Message]:
    return [message for _, message in node.sent if isinstance(message, kind)]


def no_redial(world: World) -> None:
    world.graph = set()


def test_a_link_that_breaks_and_returns_costs_nothing_but_time() -> None:
    world = friends(2, seed=3)
    world.slowest_us = 20 * MS
    world.start()
    for _ in range(5):
        world.run(for_s=0.3)
        world.cut(0, 1)
        world.run(for_s=0.2)
        world.link(1, 0, intent=m.Intent.GAME)
    world.run(until=lambda: finished(world))
    assert [verify_transcript(node.transcripts()[0]).outcome for node in world.nodes] == [Outcome.HOLDS] * 2


@pytest.mark.parametrize("seed", range(3))
def test_with_links_breaking_all_the_time_a_game_still_ends(seed: int) -> None:
    world = friends(3, seed=seed)
    world.slowest_us = 10 * MS
    world.start()
    while not finished(world):
        one, two = world.delays.choice([(0, 1), (0, 2), (1, 2)])
        if world.nodes[one].finished is None and world.nodes[two].finished is None:
            if world.linked(one, two):
                world.cut(one, two)
            else:
                world.link(one, two, intent=m.Intent.GAME)
        world.run(for_s=0.4, until=lambda: finished(world))
        assert world.now_us < 300_000_000
    files = {node.transcripts()[-1] for node in world.nodes}
    assert len(files) == 1
    assert verify_transcript(files.pop()).outcome is Outcome.HOLDS


def test_a_client_that_comes_back_is_shown_the_table_and_where_the_others_stand() -> None:
    world = started()
    world.cut(0, 1)
    before = len(world.nodes[0].sent)
    world.link(1, 0, intent=m.Intent.GAME)
    world.run(for_s=0.1)
    kinds = [type(message) for _, message in world.nodes[0].sent[before:]]
    assert kinds[:2] == [m.TableAgreed, m.Status]
    assert world.nodes[1].closed == []


def test_who_was_away_for_the_end_of_a_step_gets_its_record() -> None:
    world = started(3)
    node, prompt = deal(world)
    away = next(each for each in world.nodes if each is not node and each.index)
    lost: list[m.Message] = []
    for each in world.nodes:
        if each is not away:
            world.meddlers[each.index] = lambda link, message, index=each.index: (
                lost.append(message)
                if world.peer_of(index, link) == away.index and isinstance(message, m.Entry)
                else world.deliver(index, link, encode_message(message))
            )
    world.tell(node, answer(prompt))
    world.run(for_s=0.5)
    assert lost
    world.meddlers.clear()
    world.run(for_s=2.5)
    assert len({game_of(each).k for each in world.nodes}) == 1
    assert game_of(away).k == prompt.k + 1


def test_a_want_is_answered_with_records_and_the_open_step() -> None:
    world = started(auto=Auto.NOTHING)
    _, prompt = deal(world)
    game = game_of(world.nodes[0]).game_id
    before = len(world.nodes[0].sent)
    world.send(1, 0, m.Want(game, 0, 16))
    world.run(for_s=0.1)
    got = [message for _, message in world.nodes[0].sent[before:] if isinstance(message, m.StepRecord | m.Entry)]
    records = [message.k for message in got if isinstance(message, m.StepRecord)]
    assert records == list(range(min(16, prompt.k)))
    assert any(isinstance(message, m.Entry) for message in got) == (prompt.k < 16)


def test_a_want_of_steps_to_come_is_not_answered() -> None:
    world = started()
    before = len(sent_by(world.nodes[0], m.Entry))
    world.send(1, 0, m.Want(game_of(world.nodes[0]).game_id, 5, 16))
    world.run(for_s=0.1)
    assert len(sent_by(world.nodes[0], m.Entry)) == before


def test_messages_of_another_game_mean_nothing() -> None:
    world = started()
    other = bytes(32)
    status = sent_by(world.nodes[1], m.Status)[-1]
    assert isinstance(status, m.Status)
    signed = m.Signed(b"b", bytes(64))
    before = len(world.nodes[0].sent)
    for message in (
        replace(status, game=other, k=9),
        m.Want(other, 0, 1),
        m.StepRecord(other, 1, (signed,)),
        m.Fault(other, signed, None),
    ):
        world.send(1, 0, message)
    world.run(for_s=0.1)
    assert len(world.nodes[0].sent) == before
    assert world.nodes[0].closed == []


@pytest.mark.parametrize("k", [0, 7])
def test_a_record_of_another_step_than_the_open_one_is_ignored(k: int) -> None:
    world = started()
    signed = m.Signed(b"b", bytes(64))
    world.send(1, 0, m.StepRecord(game_of(world.nodes[0]).game_id, k, (signed,)))
    world.run(for_s=0.1)
    assert world.nodes[0].closed == []


def open_entries(world: World) -> tuple[m.Signed, ...]:
    return world.nodes[0].table._game.ledger.open.entries()  # type: ignore[union-attr]


def test_a_record_that_is_not_complete_ends_the_link() -> None:
    world = started()
    world.send(1, 0, m.StepRecord(game_of(world.nodes[0]).game_id, 1, open_entries(world)))
    world.run(for_s=0.1)
    assert [command.code for command in world.nodes[0].closed] == [Err.SCHEMA]


def test_a_record_out_of_order_ends_the_link() -> None:
    world = started()
    entries = open_entries(world)
    world.send(1, 0, m.StepRecord(game_of(world.nodes[0]).game_id, 1, (*entries, *entries)))
    world.run(for_s=0.1)
    assert [command.code for command in world.nodes[0].closed] == [Err.SCHEMA]


def test_entries_before_their_table_are_kept_for_it() -> None:
    world = friends(2, auto=Auto.NOTHING)
    late: list[m.Message] = []

    def meddle(link: int, message: m.Message) -> None:
        if isinstance(message, m.ConsentGiven | m.TableAgreed):
            late.append(message)
        else:
            world.deliver(0, link, encode_message(message))

    world.meddlers[0] = meddle
    world.start()
    world.run(for_s=0.5)
    assert not world.nodes[1].told(GameStarted)
    del world.meddlers[0]
    for message in late:
        world.send(0, 1, message)
    world.run(for_s=0.2)
    assert [game_of(node).k for node in world.nodes] == [1, 1]
    assert sum(isinstance(message, m.StepRecord) for _, message in world.nodes[0].sent) == 0


def test_a_bad_entry_that_was_kept_ends_its_link_when_the_table_comes() -> None:
    world = friends(2, auto=Auto.NOTHING)
    late: list[m.Message] = []

    def meddle(link: int, message: m.Message) -> None:
        if isinstance(message, m.ConsentGiven | m.TableAgreed):
            late.append(message)
        elif isinstance(message, m.Entry):
            for _ in range(2):
                world.deliver(0, link, encode_message(replace(message, sig=bytes(64))))
        else:
            world.deliver(0, link, encode_message(message))

    world.meddlers[0] = meddle
    world.start()
    world.run(for_s=0.2)
    for message in late:
        world.send(0, 1, message)
    world.run(for_s=0.2)
    closed = world.nodes[1].closed
    assert {command.code for command in closed} == {Err.BAD_SIGNATURE}
    assert len({command.link for command in closed}) == len(closed)
    assert world.nodes[1].told(GameStarted)


def test_a_flood_of_entries_ends_the_link_and_the_table_goes_on() -> None:
    world = started(3)
    entry = sent_by(world.nodes[1], m.Entry)[0]
    for _ in range(400):
        world.send(1, 0, entry)
    world.run(for_s=1)
    assert [command.code for command in world.nodes[0].closed] == [Err.RATE]
    assert all(node.finished is None for node in world.nodes)


def test_a_flood_of_copies_of_the_latest_move_ends_the_link_and_the_table_goes_on() -> None:
    world = started(3)
    node, prompt = deal(world)
    world.tell(node, answer(prompt))
    world.run(for_s=0.2)
    game = world.nodes[0].table._game
    assert game is not None
    link = world.links_of(1)[0]
    for _ in range(400):
        world.deliver(1, link, game.passed_on)
    world.run(for_s=1)
    assert [command.code for command in world.nodes[0].closed] == [Err.RATE]
    assert all(each.finished is None for each in world.nodes)


def test_a_flood_of_wants_ends_the_link() -> None:
    world = started()
    for _ in range(20):
        world.send(1, 0, m.Want(game_of(world.nodes[0]).game_id, 0, 16))
    world.run(for_s=0.5)
    assert [command.code for command in world.nodes[0].closed] == [Err.RATE]


def test_an_entry_from_somebody_without_a_seat_ends_that_link() -> None:
    world = started()
    node = world.nodes[0]
    game = node.table._game
    assert game is not None
    link = next(iter(node.table._desk.links.values()))
    link.peer = replace(link.peer, pk=person(5).key.public)
    entry = sent_by(world.nodes[1], m.Entry)[0]
    world.tell(0, FrameArrived(link.id, encode_message(entry)))
    assert [command.code for command in node.closed] == [Err.NOT_A_SEAT]


@pytest.mark.parametrize("missing", ["reveals", "goodbyes"])
def test_whoever_looks_on_gives_no_entries_though_somebody_misses_them(missing: str) -> None:
    """It has no seat, and would be shown out for them."""
    world = left_out(3)
    seen: list[m.Status] = [message for _, message in world.nodes[1].sent if isinstance(message, m.Status)]
    world.nodes[2].sent.clear()
    game, played = world.nodes[2].table._game, world.nodes[0].table._game
    assert game is not None
    assert played is not None
    if missing == "reveals":
        for known in played.ledger.open.entries():
            game.ledger.accept(known)
        world.send(1, 2, replace(seen[-1], reveals=0, acks=0))
    else:
        signed = sign_entry(person(0).key, game.id, Leave(0, 0, Leaving.FOR_GOOD))
        game.ledger.accept(signed)
        world.cut(1, 2)
        world.link(1, 2, intent=m.Intent.GAME)
    world.run(for_s=2)
    assert not any(isinstance(message, m.Entry) for _, message in world.nodes[2].sent)
    assert world.nodes[1].closed == []


def test_a_frame_that_is_no_message_ends_that_link_only() -> None:
    world = started(3)
    link = world.links_of(1)[0]
    world.deliver(1, link, b"\xc1")
    world.run(for_s=0.5)
    assert [len(node.closed) for node in world.nodes] == [1, 0, 0]
    assert world.nodes[0].closed[0].code is not Err.GOODBYE


def test_an_extension_is_ignored_and_an_unknown_type_is_not() -> None:
    world = started()
    link = world.links_of(1)[0]
    world.deliver(1, link, encode((200, "new")))
    world.run(for_s=0.1)
    assert world.nodes[0].closed == []
    world.deliver(1, link, encode((100, "new")))
    world.run(for_s=0.1)
    assert [command.code for command in world.nodes[0].closed] == [Err.SCHEMA]


def test_frames_of_a_link_that_was_closed_are_not_heard() -> None:
    world = started()
    link = world.links_of(1)[0]
    for _ in range(3):
        world.deliver(1, link, b"\xc1")
    world.run(for_s=0.5)
    assert len(world.nodes[0].closed) == 1


def test_every_link_hears_something_every_second() -> None:
    world = started()
    heard = [when for when, message in world.nodes[0].sent if isinstance(message, m.Status)]
    world.run(for_s=5)
    later = [when for when, message in world.nodes[0].sent if isinstance(message, m.Status)][len(heard) :]
    assert len(later) == 5
    lobby = friends(2, auto=Auto.NOTHING, bots=1)
    lobby.nodes[0].table._desk.settings = replace(lobby.nodes[0].settings, seats=4)
    lobby.start()
    lobby.run(for_s=3)
    pings = sent_by(lobby.nodes[1], m.Ping)
    assert len(pings) == 3
    assert [message.n for message in sent_by(lobby.nodes[0], m.Pong)] == [ping.n for ping in pings]  # type: ignore[attr-defined]


def test_who_is_gone_is_reconnecting_at_once_and_away_after_ten_seconds() -> None:
    world = started()
    no_redial(world)
    world.cut(0, 1)
    assert world.nodes[0].told(PresenceChanged)[-1] == PresenceChanged(1, Presence.RECONNECTING, None)
    world.run(for_s=9.9)
    assert game_of(world.nodes[0]).seats[1].presence is Presence.RECONNECTING
    world.run(for_s=0.2)
    assert game_of(world.nodes[0]).seats[1].presence is Presence.AWAY
    world.link(0, 1, intent=m.Intent.GAME)
    world.run(for_s=0.1)
    assert world.nodes[0].told(PresenceChanged)[-1] == PresenceChanged(1, Presence.LINKED, None)


def test_who_comes_back_in_time_was_never_away() -> None:
    world = started()
    no_redial(world)
    world.cut(0, 1)
    world.run(for_s=5)
    world.link(0, 1, intent=m.Intent.GAME)
    world.run(for_s=20)
    assert [news.presence for news in world.nodes[0].told(PresenceChanged)] == [  # type: ignore[attr-defined]
        Presence.RECONNECTING,
        Presence.LINKED,
    ]


def test_a_seat_behind_a_broken_link_is_reached_through_a_neighbour() -> None:
    world = started(3)
    world.cut(1, 2)
    world.run(for_s=1.5)
    assert world.nodes[1].told(PresenceChanged)[-1] == PresenceChanged(2, Presence.RELAYED, 0)


def test_of_a_neighbour_s_old_claims_nothing_is_left_when_its_link_is_gone() -> None:
    world = started(3)
    world.cut(1, 2)
    world.run(for_s=1.5)
    world.cut(0, 1)
    assert [seat.presence for seat in game_of(world.nodes[1]).seats] == [
        Presence.RECONNECTING,
        Presence.LOCAL,
        Presence.RECONNECTING,
    ]


def test_a_goodbye_entry_is_passed_on_and_changes_nothing() -> None:
    world = started(3)
    game = game_of(world.nodes[0]).game_id
    signed = sign_entry(world.nodes[1].settings.people[0].key, game, Leave(1, 1, 0))
    world.cut(1, 2)
    world.run(for_s=1.2)
    before = len(sent_by(world.nodes[0], m.Entry))
    world.send(1, 0, m.Entry(game, signed.body, signed.sig))
    world.run(for_s=0.2)
    assert len(sent_by(world.nodes[0], m.Entry)) == before + 1
    assert world.nodes[2].closed == []


@pytest.mark.spec("S-16")
def test_whoever_has_consented_to_go_on_elsewhere_hears_who_left_and_nothing_more() -> None:
    world = started(3)
    game = world.nodes[0].table._game
    assert game is not None
    game.frozen = True
    key, shares = world.nodes[1].settings.people[0].key, dict(game.ledger.open.shares)
    for body in (Leave(1, 1, 1), Ack(1, 1, bytes(32))):
        signed = sign_entry(key, game.id, body)
        world.send(1, 0, m.Entry(game.id, signed.body, signed.sig))
    world.run(for_s=0.2)
    assert game.ledger.left == {1: Leave(1, 1, 1)}
    assert (dict(game.ledger.open.shares), game.ledger.open.acks, world.nodes[0].closed) == (shares, {}, [])


def test_two_without_a_link_have_all_of_a_step_from_a_third_without_asking() -> None:
    world = started(3)
    no_redial(world)
    world.cut(1, 2)
    world.run(for_s=3)
    before = [len(node.sent) for node in world.nodes]
    k = game_of(world.nodes[0]).k
    while game_of(world.nodes[0]).k < k + 2:
        node, prompt = deal(world)
        world.tell(node, answer(prompt))
        world.run(for_s=0.3)
    sent = [[message for _, message in node.sent[at:]] for node, at in zip(world.nodes, before, strict=True)]
    passed = {decode_body(message.body).seat for message in sent[0] if isinstance(message, m.Entry)}
    assert passed == {0, 1, 2}
    assert not [message for each in sent for message in each if isinstance(message, m.Want | m.StepRecord)]


def test_entries_far_ahead_are_dropped() -> None:
    world = started()
    game = game_of(world.nodes[0]).game_id
    body = encode_body(Reveal(9, 1, bytes(32)))
    before = len(world.nodes[0].sent)
    world.send(1, 0, m.Entry(game, body, bytes(64)))
    world.run(for_s=0.2)
    assert world.nodes[0].closed == []
    assert len(world.nodes[0].sent) == before


def test_a_link_that_ends_twice_ends_once() -> None:
    world = started()
    world.tell(0, LinkDown(77, None))
    assert game_of(world.nodes[0]).seats[1].presence is Presence.LINKED


def test_no_rematch_before_the_end() -> None:
    world = started()
    world.tell(0, RematchAsked())
    assert world.nodes[0].view is not None
    assert world.nodes[0].view.lobby is None


def test_somebody_who_is_always_ahead_is_asked_no_faster_than_he_could_answer() -> None:
    world = started(2)
    game = world.nodes[0].table._game
    assert game is not None
    status = m.Status(game.id, 4000, m.Stage.SHARES, bytes(32), 0, 0, False, 0, (1, 1))
    for _ in range(400):
        world.send(1, 0, status)
    world.run(for_s=0.5)
    wants = [message for _, message in world.nodes[0].sent if isinstance(message, m.Want)]
    assert wants[0] == m.Want(game.id, 1, limits.MAX_WANT)
    assert sum(want.count for want in wants) <= limits.ENTRY_BUCKET // 2 + limits.ENTRY_REFILL_PER_S


def test_records_that_were_asked_for_cost_nothing_however_late_they_come() -> None:
    world = started(2)
    game = game_of(world.nodes[0]).game_id
    status = m.Status(game, 4000, m.Stage.SHARES, bytes(32), 0, 0, False, 0, (1, 1))
    for _ in range(20):
        world.send(1, 0, status)
    world.run(for_s=0.1)
    asked = sum(want.count for want in sent_by(world.nodes[0], m.Want))  # type: ignore[attr-defined]
    late = m.StepRecord(game, 9, (m.Signed(b"b", bytes(64)),) * 8)
    assert asked * len(late.entries) > 2 * limits.ENTRY_BUCKET
    for _ in range(asked):
        world.send(1, 0, late)
    world.run(for_s=0.1)
    assert world.nodes[0].closed == []
    for _ in range(2 * limits.ENTRY_BUCKET // len(late.entries)):
        world.send(1, 0, late)
    world.run(for_s=0.1)
    assert [command.code for command in world.nodes[0].closed] == [Err.RATE]

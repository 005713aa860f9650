"""Consents: lost, late, forged, withdrawn; and whose table counts in the end."""

from dataclasses import replace

import pytest

from sorry_lan.fair import genesis
from sorry_lan.faults import Err
from sorry_lan.table.commands import JournalKind, Sync
from sorry_lan.table.events import (
    DiskFailed,
    Event,
    LeaveAsked,
    LinkUp,
    Ready,
    SeatChanged,
    SeatClosed,
    Timer,
    TimerFired,
)
from sorry_lan.table.news import GameStarted, Refused, TableClosed
from sorry_lan.table.settings import Auto, Role
from sorry_lan.table.view import Phase
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import encode, encode_message
from tests.table.build import SHORT, Node, World, finished, friends, person, settings


def waiting(count: int = 3) -> World:
    """Clients whose people are ready but do not play by themselves."""
    return friends(count, auto=Auto.NOTHING)


def phase_of(node: Node) -> Phase:
    assert node.view is not None
    return node.view.phase


def drop(world: World, node: int, *kinds: type, to: int | None = None) -> list[m.Message]:
    """From now on frames of these kinds do not leave `node`; what was dropped."""
    dropped: list[m.Message] = []

    def meddle(link: int, message: m.Message) -> None:
        if isinstance(message, kinds) and to in (None, world.peer_of(node, link)):
            dropped.append(message)
        else:
            world.deliver(node, link, encode_message(message))

    world.meddlers[node] = meddle
    return dropped


def stuck(count: int) -> World:
    """Clients whose consents never arrive anywhere."""
    world = waiting(count)
    for node in world.nodes:
        drop(world, node.index, m.ConsentGiven, m.TableAgreed)
    world.start()
    return world


def test_nonce_and_consent_are_on_the_disk_before_the_consent_leaves() -> None:
    world = waiting(2)
    seen: list[list[JournalKind]] = []

    def watch(node: Node, message: m.Message) -> None:
        if isinstance(message, m.ConsentGiven):
            seen.append([record.kind for record in node.journal if record.sync is Sync.NOW and record.game is None])

    world.watch.append(watch)
    world.start()
    assert seen == [[JournalKind.NONCE, JournalKind.CONSENT]] * 2


def test_consents_that_never_come_void_the_proposal_and_the_lobby_goes_on() -> None:
    world = stuck(2)
    world.run(for_s=29)
    assert phase_of(world.nodes[0]) is phase_of(world.nodes[1]) is Phase.PROPOSED
    world.meddlers.clear()
    world.run(for_s=2)
    assert world.nodes[0].told(GameStarted) == world.nodes[1].told(GameStarted) != []
    nonces = [record.payload for record in world.nodes[1].journal if record.kind is JournalKind.NONCE]
    assert len(nonces) == len(set(nonces)) == 2


def test_a_change_of_the_host_during_the_proposal_voids_it() -> None:
    world = stuck(2)
    world.tell(0, SeatChanged(0, ready=Ready.NO))
    assert phase_of(world.nodes[0]) is Phase.LOBBY
    world.run(for_s=0.5)
    assert phase_of(world.nodes[1]) is Phase.LOBBY


def test_a_change_of_a_guest_during_the_proposal_waits_for_its_end() -> None:
    world = stuck(2)
    sent = len(world.nodes[1].sent)
    world.tell(1, SeatChanged(0, age=9))
    assert len(world.nodes[1].sent) == sent
    world.run(for_s=31)
    offers = [message for _, message in world.nodes[1].sent if isinstance(message, m.SeatOffer)]
    assert offers[-1].age == 9


def test_a_guest_that_goes_during_the_proposal_voids_it() -> None:
    world = stuck(3)
    world.tell(2, LeaveAsked())
    world.run(for_s=0.5)
    assert phase_of(world.nodes[0]) is phase_of(world.nodes[1]) is Phase.LOBBY


def test_consents_reach_everybody_through_others() -> None:
    world = friends(4, auto=Auto.NOTHING, graph=[(0, 1), (0, 2), (0, 3)])
    drop(world, 0, m.TableAgreed)
    world.start()
    world.run(for_s=0.5)
    assert all(node.told(GameStarted) for node in world.nodes)


def test_who_misses_a_consent_learns_from_the_complete_table() -> None:
    world = waiting(3)
    drop(world, 2, m.ConsentGiven, to=1)
    drop(world, 0, m.ConsentGiven, to=1)
    world.start()
    world.run(for_s=0.5)
    assert world.nodes[1].told(GameStarted)


def test_a_consent_that_comes_before_the_proposal_is_kept_for_it() -> None:
    world = waiting(3)
    late: list[tuple[int, m.Message]] = []

    def meddle(link: int, message: m.Message) -> None:
        if isinstance(message, m.Propose) and world.peer_of(0, link) == 1:
            world.at(world.now_us + 300_000, lambda: world.deliver(0, link, encode_message(message)))
            late.append((link, message))
        elif not isinstance(message, m.TableAgreed):
            world.deliver(0, link, encode_message(message))

    world.meddlers[0] = meddle
    drop(world, 2, m.TableAgreed)
    world.start()
    assert phase_of(world.nodes[1]) is Phase.LOBBY
    world.run(for_s=0.5)
    assert world.nodes[1].told(GameStarted)


def test_a_forged_consent_ends_the_link_that_brings_it() -> None:
    world = waiting(3)

    def meddle(link: int, message: m.Message) -> None:
        if isinstance(message, m.ConsentGiven):
            message = replace(message, sig=bytes(64))
        world.deliver(2, link, encode_message(message))

    world.meddlers[2] = meddle
    world.start()
    world.run(for_s=1)
    assert [command.code for command in world.nodes[0].closed] == [Err.BAD_SIGNATURE]


@pytest.mark.parametrize("forger", [0, 2])
def test_a_forged_consent_that_came_before_the_proposal_ends_the_link_that_brought_it_and_no_other(forger: int) -> None:
    """Whoever knows the table first, the host or somebody whom its proposal reached before us."""
    world = waiting(3)
    told: list[m.Propose] = []

    def meddle(link: int, message: m.Message) -> None:
        if isinstance(message, m.Propose) and world.peer_of(0, link) == 1:
            told.append(message)
            forged = m.ConsentGiven(2, genesis.game_id(message.table), bytes(64))
            world.at(world.now_us + 100_000, lambda: world.send(forger, 1, forged))
            world.at(world.now_us + 200_000, lambda: world.deliver(0, link, encode_message(message)))
        elif not isinstance(message, m.TableAgreed | m.ConsentGiven):
            world.deliver(0, link, encode_message(message))

    world.meddlers[0] = meddle
    drop(world, 2, m.TableAgreed, m.ConsentGiven, to=1)
    world.start()
    world.run(for_s=0.5)
    node = world.nodes[1]
    assert told
    assert [(world.peer_of(1, command.link), command.code) for command in node.closed] == [(forger, Err.BAD_SIGNATURE)]
    assert any(isinstance(message, m.ConsentGiven) for _, message in node.sent)


def old_table(world: World) -> m.TableAgreed:
    return next(message for _, message in world.nodes[0].sent if isinstance(message, m.TableAgreed))


def test_a_table_of_another_evening_is_refused() -> None:
    before = waiting(2)
    before.start()
    world = World(*(node.settings for node in before.nodes), seed=9)
    for index in (0, 1):
        drop(world, index, m.ConsentGiven, m.TableAgreed)
    world.start()
    world.send(0, 1, m.Propose(0, old_table(before).table, None))
    world.run(for_s=0.2)
    assert [news.code for news in world.nodes[1].told(Refused)] == [Err.STALE_TABLE]  # type: ignore[attr-defined]
    world.send(0, 1, old_table(before))
    world.run(for_s=0.2)
    assert world.nodes[1].closed[0].code is Err.STALE_TABLE
    assert not world.nodes[1].told(GameStarted)


def test_a_table_with_a_false_signature_is_refused() -> None:
    world = waiting(2)

    def meddle(link: int, message: m.Message) -> None:
        if isinstance(message, m.TableAgreed):
            first = replace(message.consents[0], sig=bytes(64))
            message = replace(message, consents=(first, *message.consents[1:]))
        if not isinstance(message, m.ConsentGiven):
            world.deliver(0, link, encode_message(message))

    world.meddlers[0] = meddle
    world.start()
    world.run(for_s=0.5)
    assert world.nodes[1].closed[0].code is Err.BAD_SIGNATURE
    assert not world.nodes[1].told(GameStarted)


def test_only_the_host_proposes_shows_lobbies_and_refuses() -> None:
    world = friends(3, auto=Auto.NOTHING)
    drop(world, 1, m.ConsentGiven, m.TableAgreed)
    world.start()
    revision = world.nodes[2].view.lobby.revision  # type: ignore[union-attr]
    proposal = next(message for _, message in world.nodes[0].sent if isinstance(message, m.Propose))
    shown = [message for _, message in world.nodes[0].sent if isinstance(message, m.Lobby)][-1]
    for message in (proposal, replace(shown, rev=99), m.No(20, ""), m.Peers(())):
        world.send(1, 2, message)
    world.send(1, 0, replace(shown, rev=99))
    world.send(1, 0, proposal)
    offer = next(message for _, message in world.nodes[1].sent if isinstance(message, m.SeatOffer))
    world.send(1, 2, offer)
    world.run(for_s=0.5)
    assert world.nodes[2].view.lobby.revision == revision  # type: ignore[union-attr]
    assert [node.finished for node in world.nodes] == [None] * 3
    assert [node.closed for node in world.nodes] == [[], [], []]


def test_a_host_that_dies_after_our_consent_is_waited_for_as_long_as_a_neighbour_may_know_more() -> None:
    world = waiting(3)
    drop(world, 1, m.ConsentGiven, m.TableAgreed)
    world.start()
    world.run(for_s=0.2)
    world.cut(0, 2)
    assert world.nodes[2].finished is None
    world.run(for_s=31)
    assert world.nodes[2].finished is Err.SHUTTING_DOWN
    assert world.nodes[2].told(TableClosed) == [TableClosed(Err.SHUTTING_DOWN)]


def test_a_table_completed_elsewhere_is_followed_though_the_host_gave_it_up() -> None:
    world = waiting(3)
    dropped = drop(world, 1, m.ConsentGiven, m.TableAgreed, to=0)
    held = drop(world, 2, m.TableAgreed, m.ConsentGiven, to=0)
    world.start()
    world.run(for_s=0.5)
    assert world.nodes[1].told(GameStarted)
    assert phase_of(world.nodes[0]) is Phase.PROPOSED
    world.tell(0, SeatChanged(0, ready=Ready.NO))
    assert phase_of(world.nodes[0]) is Phase.LOBBY
    table = next(message for message in [*dropped, *held] if isinstance(message, m.TableAgreed))
    world.send(1, 0, table)
    world.run(for_s=0.5)
    assert world.nodes[0].told(GameStarted) == world.nodes[1].told(GameStarted)


def test_time_that_runs_out_without_a_proposal_changes_nothing() -> None:
    world = World(settings(Role.HOST, person(0), seats=3, rules=SHORT))
    world.open()
    before = world.nodes[0].view
    world.tell(0, TimerFired(Timer.CONSENT, 0))
    assert world.nodes[0].view == before


def test_a_no_outside_of_a_proposal_means_nothing_to_a_host() -> None:
    world = World(settings(Role.HOST, person(0), seats=3, rules=SHORT), settings(Role.JOINER, person(1)))
    world.start()
    world.send(1, 0, m.No(22, ""))
    world.send(0, 1, m.No(22, ""))
    world.run(for_s=0.5)
    assert world.nodes[0].told(Refused) == world.nodes[1].told(Refused) == []


def test_a_refusal_with_a_code_of_the_future_is_a_refusal() -> None:
    world = World(settings(Role.HOST, person(0), seats=3, rules=SHORT), settings(Role.JOINER, person(1)))
    world.start()
    drop(world, 0, m.Lobby)
    world.tell(1, SeatChanged(0, age=7))
    world.send(0, 1, m.No(77, ""))
    world.run(for_s=0.5)
    assert world.nodes[1].told(Refused) == [Refused(Err.SCHEMA, by_us=False)]


def _shown(world: World, **change: object) -> m.Lobby:
    """The last lobby, with other fields of its last seat."""
    lobby = [message for _, message in world.nodes[0].sent if isinstance(message, m.Lobby)][-1]
    return replace(lobby, seats=(*lobby.seats[:-1], replace(lobby.seats[-1], **change)))  # type: ignore[arg-type]


NO_LOBBIES = {
    "rules that are none": lambda world: replace(_shown(world), rules=encode((1, 2, 3))),
    "a seat of no kind": lambda world: _shown(world, kind=2),
    "one colour twice": lambda world: _shown(world, colour=0),
    "a key without a person": lambda world: _shown(world, pk=b"k" * 32),
    "a client without a person": lambda world: _shown(world, client=b"k" * 32),
    "a person without a key": lambda world: _shown(world, kind=0, name="Sue"),
    "a bot without a name": lambda world: _shown(world, kind=1),
    "a name of nobody": lambda world: _shown(world, name="Sue"),
}


@pytest.mark.parametrize("which", NO_LOBBIES)
def test_a_lobby_that_is_none_ends_the_link(which: str) -> None:
    world = World(settings(Role.HOST, person(0), seats=3, rules=SHORT), settings(Role.JOINER, person(1)))
    world.start()
    world.send(0, 1, NO_LOBBIES[which](world))
    world.run(for_s=0.5)
    assert world.nodes[1].finished is Err.SCHEMA


def test_a_lobby_with_a_client_that_has_no_seat_can_become_no_table() -> None:
    world = waiting(2)

    def meddle(link: int, message: m.Message) -> None:
        if isinstance(message, m.Lobby):
            message = replace(message, seats=(replace(message.seats[0], client=b"c" * 32), *message.seats[1:]))
        world.deliver(0, link, encode_message(message))

    world.meddlers[0] = meddle
    world.start()
    world.run(for_s=0.5)
    assert [news.code for news in world.nodes[1].told(Refused)] == [Err.STALE_TABLE]  # type: ignore[attr-defined]


def test_a_proposal_without_one_of_us_is_refused() -> None:
    world = World(
        settings(Role.HOST, person(0), seats=2, rules=SHORT),
        settings(Role.JOINER, person(1), person(2)),
    )
    drop(world, 0, m.No)
    world.start()
    world.run(for_s=0.5)
    assert [news.code for news in world.nodes[1].told(Refused)] == [Err.STALE_TABLE]  # type: ignore[attr-defined]
    assert not world.nodes[0].told(GameStarted)


@pytest.mark.parametrize("which", ["one of us at another client", "somebody else at ours"])
def test_a_table_that_mixes_up_who_links_for_whom_is_refused(which: str) -> None:
    """The host says so in lobby and table alike."""
    world = waiting(3)

    def mixed(seats: tuple[m.LobbySeat, ...]) -> tuple[m.LobbySeat, ...]:
        keys = [node.pk for node in world.nodes]
        moved, to = (keys[1], keys[0]) if which.startswith("one") else (keys[2], keys[1])
        return tuple(replace(seat, client=to) if seat.pk == moved else seat for seat in seats)

    def meddle(link: int, message: m.Message) -> None:
        if isinstance(message, m.Lobby):
            message = replace(message, seats=mixed(message.seats))
        elif isinstance(message, m.Propose):
            terms = genesis.decode_terms(message.table)
            index = {line.pk: number for number, line in enumerate(terms.seats)}
            keys = [node.pk for node in world.nodes]
            moved, to = (keys[1], keys[0]) if which.startswith("one") else (keys[2], keys[1])
            lines = tuple(replace(line, client=index[to]) if line.pk == moved else line for line in terms.seats)
            message = replace(message, table=genesis.encode_terms(replace(terms, seats=lines)))
        world.deliver(0, link, encode_message(message))

    world.meddlers[0] = meddle
    world.start()
    world.run(for_s=0.5)
    assert Err.STALE_TABLE in [news.code for news in world.nodes[1].told(Refused)]  # type: ignore[attr-defined]
    assert not any(isinstance(message, m.ConsentGiven) for _, message in world.nodes[1].sent)


def test_a_proposal_with_a_seat_more_than_the_lobby_is_refused() -> None:
    world = waiting(2)

    def meddle(link: int, message: m.Message) -> None:
        if isinstance(message, m.Lobby):
            message = replace(message, seats=tuple(s for s in message.seats if s.kind or s.client == s.pk)[-1:])
        world.deliver(0, link, encode_message(message))

    world.meddlers[0] = meddle
    world.start()
    world.run(for_s=0.5)
    assert not world.nodes[1].told(GameStarted)


def test_a_disk_that_fails_in_the_lobby_does_not_stop_the_lobby() -> None:
    world = World(settings(Role.HOST, person(0), seats=3, rules=SHORT), settings(Role.JOINER, person(1)))
    world.start()
    world.tell(0, DiskFailed())
    assert phase_of(world.nodes[0]) is Phase.LOBBY


@pytest.mark.parametrize("intent", [m.Intent.LOBBY, m.Intent.GAME])
def test_a_stranger_at_a_running_table_is_told_that_a_game_is_in_play(intent: m.Intent) -> None:
    world = waiting(2)
    world.start()
    world.run(for_s=0.5)
    peer = replace(stranger(world), intent=intent)
    node = world.nodes[0]
    commands = node.table.handle(event(world, LinkUp(99, peer)))
    assert [command.code for command in commands if type(command).__name__ == "CloseLink"] == [Err.GAME_IN_PLAY]


def stranger(world: World):  # type: ignore[no-untyped-def]
    link = next(iter(world.nodes[0].table._desk.links.values()))
    return replace(link.peer, pk=person(5).key.public)


def event(world: World, what):  # type: ignore[no-untyped-def]
    return Event(world.now_us, bytes(32), what)


def test_everybody_finishes_in_the_end() -> None:
    world = friends(3, seed=12)
    world.start()
    world.run(until=lambda: finished(world))
    assert all(node.finished is Err.GOODBYE for node in world.nodes)


def test_a_guest_that_has_the_complete_table_is_let_back_in_though_the_host_lost_its_consent() -> None:
    world = friends(2)
    drop(world, 1, m.ConsentGiven, m.TableAgreed)
    world.start()
    host, guest = world.nodes
    assert guest.told(GameStarted)
    world.part((0,), (1,))
    world.meddlers.clear()
    world.run(for_s=1)
    assert phase_of(host) is Phase.LOBBY
    assert guest.pk in host.admitted[-1].keys
    world.heal()
    world.run(until=lambda: finished(world))
    assert host.transcripts() == guest.transcripts()


def test_whoever_was_removed_needs_the_code_again_whatever_it_signed() -> None:
    world = stuck(3)
    host, gone = world.nodes[0], world.nodes[2]
    assert host.view is not None
    assert host.view.lobby is not None
    world.tell(0, SeatClosed(next(seat.colour for seat in host.view.lobby.seats if seat.name == "Joe")))
    assert gone.pk not in host.admitted[-1].keys

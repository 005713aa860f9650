"""An adversary for each rule about lobbies, steps and catching up that no bytes can show: whole tables in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from sorry_lan.fair import genesis
from sorry_lan.fair.entry import Ack, Reveal, decode_body
from sorry_lan.fair.verify import Outcome, verify_transcript
from sorry_lan.faults import Err
from sorry_lan.rules.profile import Rules
from sorry_lan.table.events import (
    FrameArrived,
    LeaveAsked,
    Ready,
    RematchAsked,
    RulesChosen,
    SeatChanged,
    SeatClosed,
    SeatDecided,
    Spoke,
)
from sorry_lan.table.news import Said
from sorry_lan.table.settings import Auto, ReadyWhen, Role
from sorry_lan.table.view import Presence
from sorry_lan.wire import limits
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import encode_message
from sorry_lan.wire.keys import Context
from sorry_lan.wire.terms import Option, Terms
from tests.table.build import Node, World, finished, person, settings

SEED_OF_A_WIN_BY_THE_HOST = 1
SHORT = Rules(pawns=1, pawns_out=1)
Meddler = Callable[[int, m.Message], None]


def table_of(count: int, *, auto: Auto = Auto.ALL, rules: Rules = SHORT, seed: int = 0, **more: object) -> World:
    """`count` clients of one person each, the first of them host."""
    clients = [settings(Role.HOST, person(0, auto=auto), seats=count, rules=rules)]
    clients += [settings(Role.JOINER, person(number, auto=auto)) for number in range(1, count)]
    return World(*clients, seed=seed, **more)  # type: ignore[arg-type]


def sent(node: Node, kind: type) -> list[m.Message]:
    return [message for _, message in node.sent if isinstance(message, kind)]


def dropping(world: World, index: int, unwanted: Callable[[m.Message], bool]) -> None:
    """From now on client `index` loses what it sends of this."""

    def meddle(link: int, message: m.Message) -> None:
        if not unwanted(message):
            world.deliver(index, link, encode_message(message))

    world.meddlers[index] = meddle


def deciding_by_the_last_choice(world: World) -> None:
    """People who play whatever is last in the list."""

    def decide(node: Node) -> None:
        game = node.table._game
        if game is None:
            return
        for hand in game.hands.values():
            now = game.ledger.open
            if game.duties.may_decide(hand) and now.card is not None:
                node_decides = SeatDecided(hand.seat, now.k, now.card, now.choices[-1])
                world.at(world.now_us + 1, lambda what=node_decides: world.tell(node, what))  # type: ignore[misc]

    world.looks.append(decide)


def open_k(node: Node) -> int:
    game = node.table._game
    assert game is not None
    return game.ledger.k


# -- signing and opening ----------------------------------------------------------------------------------------------


@pytest.mark.spec("F-4", "F-16", "F-18")
@pytest.mark.parametrize("seed", range(3))
def test_a_share_leaves_for_the_open_step_only_and_nothing_leaves_before_it_is_written(seed: int) -> None:
    world = table_of(3, seed=seed)
    seen: list[int] = []

    def watch(node: Node, message: m.Message) -> None:
        if isinstance(message, m.Entry):
            body = decode_body(message.body)
            if body.seat in node.seats.get(message.game, ()):
                assert (message.game, message.body) in node.signed
                if isinstance(body, Reveal):
                    assert body.k <= open_k(node)
                    seen.append(body.k)

    world.watch.append(watch)
    world.start()
    world.run(until=lambda: finished(world))
    assert finished(world)
    assert max(seen) == open_k(world.nodes[0]) - 1


@pytest.mark.spec("F-19")
def test_only_the_seat_to_play_waits_for_its_person_before_it_opens() -> None:
    world = table_of(3, auto=Auto.NOTHING)
    world.start()
    world.run(for_s=5)
    game = world.nodes[0].table._game
    assert game is not None
    assert game.ledger.k == 1
    assert set(game.ledger.open.shares) == set(game.ledger.humans) - {game.ledger.position.turn}


@pytest.mark.spec("S-3")
def test_nobody_is_told_a_share_that_its_owner_still_holds_back() -> None:
    world = table_of(2, auto=Auto.NOTHING)
    world.start()
    world.run(for_s=5)
    game = world.nodes[0].table._game
    assert game is not None
    holder = next(
        node.index for node in world.nodes if node.table._game and game.ledger.position.turn in node.table._game.hands
    )
    before = len(world.nodes[holder].sent)
    world.send(1 - holder, holder, m.Want(game.id, 1, 1))
    world.run(for_s=0.5)
    told = [message for _, message in world.nodes[holder].sent[before:] if isinstance(message, m.Entry)]
    assert [decode_body(entry.body).seat for entry in told] == [1 - game.ledger.position.turn]


@pytest.mark.spec("F-30", "X-7")
def test_a_win_that_somebody_never_confirms_is_over_after_half_a_minute() -> None:
    world = table_of(2, seed=SEED_OF_A_WIN_BY_THE_HOST)

    def silent(message: m.Message) -> bool:
        game = world.nodes[1].table._game
        over = game is not None and game.ledger.over is not None
        if isinstance(message, m.Entry):
            return over and isinstance(decode_body(message.body), Ack)
        return over and isinstance(message, m.StepRecord | m.Status)

    dropping(world, 1, silent)
    world.start()
    host = world.nodes[0]

    def won() -> bool:
        game = host.table._game
        return game is not None and game.ledger.over is not None

    world.run(until=won)
    game = host.table._game
    assert game is not None
    assert game.ledger.over in game.hands
    won_us = world.now_us
    world.run(for_s=60, until=lambda: bool(host.transcripts()))
    assert world.now_us - won_us == limits.LINGER_MS * 1000
    verdict = verify_transcript(host.transcripts()[0])
    assert verdict.outcome is Outcome.UNCONFIRMED
    assert set(verdict.unconfirmed) == set(game.ledger.humans) - game.hands.keys()


# -- lobby and table --------------------------------------------------------------------------------------------------


@pytest.mark.spec("H-18", "H-19", "T-13")
def test_the_host_shows_the_lobby_first_then_where_the_others_are_and_counts_its_revisions() -> None:
    world = table_of(3, auto=Auto.NOTHING)
    world.start()
    host = world.nodes[0]
    assert isinstance(host.sent[0][1], m.Lobby)
    revisions = [message.rev for message in sent(host, m.Lobby) if isinstance(message, m.Lobby)]
    assert all(later - earlier in {0, 1} for earlier, later in pairwise(revisions))
    assert revisions[-1] > revisions[0]
    peers = [message for message in sent(host, m.Peers) if isinstance(message, m.Peers)]
    assert peers[-1].peers != ()
    addresses = {peer.pk: peer.addresses for message in peers for peer in message.peers}
    assert addresses[world.nodes[1].pk] == ("10.0.0.2:7777",)
    assert addresses[world.nodes[2].pk] == ("10.0.0.3:7777",)


@pytest.mark.spec("T-14")
def test_a_taken_name_and_a_full_table_are_refused_by_number() -> None:
    host = settings(Role.HOST, person(0), seats=2, ready=ReadyWhen.ASKED)
    same = settings(Role.JOINER, person(1, name="Bob"))
    world = World(host, same, settings(Role.JOINER, person(2)), settings(Role.JOINER, person(3)))
    world.start()
    world.run(for_s=1)
    refused = [message.code for message in sent(world.nodes[0], m.No) if isinstance(message, m.No)]
    assert set(refused) == {Err.DUPLICATE, Err.TABLE_FULL}
    assert world.nodes[1].finished is Err.DUPLICATE
    assert world.nodes[3].finished is Err.TABLE_FULL


@pytest.mark.spec("T-22")
def test_a_client_cannot_seat_others_before_itself() -> None:
    world = table_of(3, auto=Auto.NOTHING)
    world.meddlers[1] = lambda _link, _message: None
    world.open()
    world.link(1, 0)
    world.run(for_s=0.5)
    stranger = person(5)
    world.send(1, 0, m.SeatOffer(stranger.key.public, 1, "X", None, False, b"n" * 32, b"a" * 32, None, None))
    world.run(for_s=0.5)
    assert [message.code for message in sent(world.nodes[0], m.No) if isinstance(message, m.No)] == [Err.NOT_A_SEAT]


@pytest.mark.spec("T-15")
def test_no_table_is_proposed_before_all_are_ready() -> None:
    host = settings(Role.HOST, person(0), seats=2)
    world = World(host, settings(Role.JOINER, person(1), ready=ReadyWhen.ASKED))
    world.start()
    world.run(for_s=2)
    assert sent(world.nodes[0], m.Propose) == []
    world.tell(1, SeatChanged(0, ready=Ready.YES))
    world.run(for_s=2)
    assert len(sent(world.nodes[0], m.Propose)) == 1


@pytest.mark.spec("T-12", "T-16")
def test_a_changed_lobby_voids_the_proposal_and_nobody_offers_an_old_nonce_again() -> None:
    world = table_of(2)
    lost: list[m.Message] = []

    def unsigned(message: m.Message) -> bool:
        if isinstance(message, m.ConsentGiven):
            lost.append(message)
        return isinstance(message, m.ConsentGiven)

    for index in range(2):
        dropping(world, index, unsigned)
    world.start()
    world.run(for_s=2, until=lambda: bool(lost))
    world.tell(0, RulesChosen(Rules(pawns=2)))
    world.run(for_s=2, until=lambda: len(lost) > 3)
    for message in lost[:2]:
        for end in range(2):
            world.send(end, 1 - end, message)
    world.run(for_s=1)
    assert world.nodes[0].table._game is None
    offers = [message for message in sent(world.nodes[1], m.SeatOffer) if isinstance(message, m.SeatOffer)]
    proposed = [genesis.decode_terms(p.table) for p in sent(world.nodes[0], m.Propose) if isinstance(p, m.Propose)]
    assert len(proposed) >= 2
    for place in range(2):
        assert proposed[0].seats[place].nonce != proposed[1].seats[place].nonce
        assert proposed[0].seats[place].anchor != proposed[1].seats[place].anchor
    assert len({offer.nonce for offer in offers}) > 1


ENGINE = b"e" * 32
CHANGES: dict[str, tuple[Callable[[Terms], Terms], Err]] = {
    "my nonce": (lambda t: with_line(t, 1, nonce=b"n" * 32), Err.STALE_TABLE),
    "my anchor": (lambda t: with_line(t, 1, anchor=b"a" * 32), Err.STALE_TABLE),
    "my name": (lambda t: with_line(t, 1, name="Eva"), Err.STALE_TABLE),
    "another's name": (lambda t: with_line(t, 0, name="Rob"), Err.STALE_TABLE),
    "rules": (lambda t: replace(t, rules=(3, *t.rules[1:])), Err.STALE_TABLE),
    "options": (lambda t: replace(t, options=int(Option.NO_HINTS)), Err.STALE_TABLE),
    "first": (lambda t: replace(t, first=0), Err.STALE_TABLE),
    "engine": (lambda t: replace(t, engine=ENGINE), Err.ENGINE_DIFFERS),
    "one key twice": (lambda t: with_line(t, 0, pk=t.seats[1].pk), Err.DUPLICATE),
    "weak key": (lambda t: with_line(t, 0, pk=bytes(32)), Err.SCHEMA),
}


def with_line(terms: Terms, seat: int, **changed: object) -> Terms:
    lines = list(terms.seats)
    lines[seat] = replace(lines[seat], **changed)  # type: ignore[arg-type]
    return replace(terms, seats=tuple(lines))


@pytest.mark.spec("T-11", "T-8")
@pytest.mark.parametrize("name", CHANGES)
def test_nobody_signs_a_table_that_is_not_the_lobby_it_saw(name: str) -> None:
    change, code = CHANGES[name]
    world = table_of(2)

    def propose(link: int, message: m.Message) -> None:
        if isinstance(message, m.Propose):
            table = genesis.encode_terms(change(genesis.decode_terms(message.table)))
            message = replace(message, table=table)
        world.deliver(0, link, encode_message(message))

    world.meddlers[0] = propose
    world.start()
    world.run(for_s=2, until=lambda: bool(sent(world.nodes[1], m.No)))
    assert [message.code for message in sent(world.nodes[1], m.No) if isinstance(message, m.No)][:1] == [code]
    assert sent(world.nodes[1], m.ConsentGiven) == []


@pytest.mark.spec("T-17")
def test_whoever_has_all_consents_shows_the_table_and_one_that_lacks_some_is_refused() -> None:
    world = table_of(3)
    world.start()
    world.run(until=lambda: all(node.table._game is not None for node in world.nodes))
    assert all(sent(node, m.TableAgreed) for node in world.nodes)


@pytest.mark.spec("T-17")
def test_a_table_without_all_consents_closes_the_link_that_brought_it() -> None:
    world = table_of(2)

    def cut(link: int, message: m.Message) -> None:
        if isinstance(message, m.TableAgreed):
            message = replace(message, consents=message.consents[:1])
        if not isinstance(message, m.ConsentGiven):
            world.deliver(0, link, encode_message(message))

    world.meddlers[0] = cut
    dropping(world, 1, lambda message: isinstance(message, m.TableAgreed))
    world.start()
    world.run(for_s=2, until=lambda: bool(world.nodes[1].closed))
    assert [closed.code for closed in world.nodes[1].closed] == [Err.BAD_SIGNATURE]
    assert world.nodes[1].table._game is None


@pytest.mark.spec("T-18")
def test_a_host_that_goes_closes_the_lobby() -> None:
    world = table_of(3, auto=Auto.NOTHING)
    world.open()
    world.link(1, 0)
    world.run(for_s=0.5)
    world.tell(0, LeaveAsked())
    world.run(for_s=2)
    assert world.nodes[1].finished is Err.SHUTTING_DOWN


@pytest.mark.spec("T-19")
def test_whoever_the_host_removes_is_told_so() -> None:
    world = table_of(3, auto=Auto.NOTHING)
    world.open()
    world.link(1, 0)
    world.run(for_s=0.5)
    view = world.nodes[0].view
    assert view is not None
    assert view.lobby is not None
    colour = next(seat.colour for seat in view.lobby.seats if seat.name == "Eve")
    world.tell(0, SeatClosed(colour))
    world.run(for_s=2)
    assert [closed.code for closed in world.nodes[0].closed] == [Err.REMOVED]
    assert world.nodes[1].finished is Err.REMOVED


@pytest.mark.spec("T-23")
def test_a_stranger_is_turned_away_from_a_game_in_play() -> None:
    world = table_of(2, auto=Auto.NOTHING)
    late = Node(2, settings(Role.JOINER, person(4)), type(world.nodes[0].table)(settings(Role.JOINER, person(4))))
    world.start()
    world.run(for_s=3)
    world.nodes.append(late)
    world._next_link.append(1)
    world.link(2, 0)
    world.run(for_s=1)
    assert world.nodes[0].closed[-1].code is Err.GAME_IN_PLAY


@pytest.mark.spec("T-20")
def test_a_lobby_after_the_game_opens_the_next_one() -> None:
    world = table_of(2, auto=Auto.DRAW)
    deciding_by_the_last_choice(world)
    world.start()
    world.run(until=lambda: all(node.transcripts() for node in world.nodes))
    old = {node.table._game.id for node in world.nodes if node.table._game}
    world.tell(1, RematchAsked())
    assert isinstance(world.nodes[1].sent[-1][1], m.Lobby)
    world.run(for_s=60, until=lambda: all(len(node.transcripts()) > 1 for node in world.nodes))
    new = {node.table._game.id for node in world.nodes if node.table._game}
    assert len(old) == len(new) == 1
    assert old != new
    assert sent(world.nodes[1], m.Propose) != []


# -- links and catching up --------------------------------------------------------------------------------------------


@pytest.mark.spec("H-22")
def test_a_pair_that_never_meets_plays_through_the_third() -> None:
    world = table_of(3, graph=[(0, 1), (0, 2)])
    world.start()
    world.run(until=lambda: finished(world))
    assert finished(world)
    assert not world.linked(1, 2)
    passed = [decode_body(entry.body).seat for entry in sent(world.nodes[0], m.Entry) if isinstance(entry, m.Entry)]
    assert set(passed) == {0, 1, 2}
    assert len({node.transcripts()[-1] for node in world.nodes}) == 1


@pytest.mark.spec("H-27")
def test_a_seat_is_away_only_when_nobody_is_linked_with_it() -> None:
    world = table_of(3, auto=Auto.NOTHING, graph=[(0, 1), (0, 2)])
    world.start()
    world.run(for_s=30)
    game = world.nodes[1].table._game
    assert game is not None
    others = [presence for seat, (presence, _) in game.presences.reach.items() if seat not in game.hands]
    assert sorted(presence.value for presence in others) == [Presence.LINKED.value, Presence.RELAYED.value]
    world.graph = {frozenset((0, 1))}
    world.cut(0, 2)
    world.run(for_s=15)
    others = [presence for seat, (presence, _) in game.presences.reach.items() if seat not in game.hands]
    assert sorted(presence.value for presence in others) == [Presence.AWAY.value, Presence.LINKED.value]


@pytest.mark.spec("S-2", "S-3", "S-4")
@pytest.mark.parametrize("seed", range(2))
def test_a_table_whose_links_lose_a_third_of_all_entries_plays_on(seed: int) -> None:
    world = table_of(3, seed=seed)
    count = 0

    def unlucky(message: m.Message) -> bool:
        nonlocal count
        count += 1
        return isinstance(message, m.Entry) and count * 2654435761 % 97 < 32

    for index in range(3):
        dropping(world, index, unlucky)
    world.start()
    world.run(for_s=3600, until=lambda: finished(world))
    assert finished(world)
    assert all(node.finished is Err.GOODBYE for node in world.nodes)
    everything = [message for node in world.nodes for _, message in node.sent]
    assert any(isinstance(message, m.Want) for message in everything)
    assert any(isinstance(message, m.StepRecord) for message in everything)


@pytest.mark.spec("S-1")
def test_everybody_says_once_a_second_where_it_stands() -> None:
    world = table_of(2, auto=Auto.NOTHING)
    world.start()
    world.run(for_s=3)
    node = world.nodes[0]
    before = len(node.sent)
    world.run(for_s=10)
    times = [when for when, message in node.sent[before:] if isinstance(message, m.Status)]
    assert 9 <= len(times) <= 11
    assert all(later - earlier == 1_000_000 for earlier, later in pairwise(times))


@pytest.mark.spec("S-5")
def test_entries_of_another_game_are_no_fault_and_few_are_kept() -> None:
    world = table_of(2, auto=Auto.NOTHING)
    world.start()
    world.run(for_s=3)
    for number in range(100):
        world.send(1, 0, m.Entry(bytes([number]) * 32, b"body", b"s" * 64))
    world.run(for_s=1)
    assert world.linked(0, 1)
    (link,) = world.nodes[0].table._desk.links.values()
    assert len(link.kept) == limits.FOREIGN_ENTRIES
    assert link.kept[-1].game == bytes([99]) * 32


@pytest.mark.spec("S-6")
def test_a_finished_client_waits_for_the_others_but_not_for_ever() -> None:
    world = table_of(2)
    dropping(world, 1, lambda message: isinstance(message, m.Status) and message.stage == m.Stage.OVER)
    world.start()
    world.run(until=lambda: bool(world.nodes[0].transcripts()))
    ended_us = world.now_us
    world.run(until=lambda: world.nodes[0].finished is not None)
    assert 29_000_000 <= world.now_us - ended_us <= 31_000_000

    prompt = table_of(2)
    prompt.start()
    prompt.run(until=lambda: bool(prompt.nodes[0].transcripts()))
    ended_us = prompt.now_us
    prompt.run(until=lambda: finished(prompt))
    assert prompt.now_us - ended_us < 3_000_000


@pytest.mark.spec("H-24")
def test_a_flood_of_duplicates_costs_the_flooder_its_link() -> None:
    world = table_of(3, auto=Auto.NOTHING)
    world.start()
    world.run(for_s=3)
    (entry,) = [message for message in sent(world.nodes[1], m.Entry) if isinstance(message, m.Entry)][:1]
    for _ in range(400):
        world.send(1, 0, entry)
    world.run(for_s=0.3)
    assert [closed.code for closed in world.nodes[0].closed] == [Err.RATE]
    assert world.linked(0, 2)


@pytest.mark.spec("H-25")
def test_who_talks_too_much_is_not_heard_and_stays_linked() -> None:
    world = table_of(2, auto=Auto.NOTHING)
    world.start()
    world.run(for_s=3)
    seat = next(iter(world.nodes[1].table._game.hands))  # type: ignore[union-attr]
    for number in range(20):
        world.send(1, 0, m.Chat(seat, f"line {number}"))
        world.send(1, 0, m.Chat(1 - seat, "in another's name"))
    world.run(for_s=0.2)
    heard = [news.text for news in world.nodes[0].told(Said) if isinstance(news, Said)]
    assert heard == [f"line {number}" for number in range(2 * limits.CHAT_PER_S)]
    assert world.linked(0, 1)
    world.tell(1, Spoke(0, "sorry"))
    world.run(for_s=3)


HOSTILE = {
    "no value": (b"\xc1", Err.NOT_CANONICAL),
    "half a value": (b"\x92\x01", Err.BAD_FRAME),
    "unknown type": (b"\x91\x7f", Err.SCHEMA),
    "an entry that nobody signed": (None, Err.BAD_SIGNATURE),
}


@pytest.mark.spec("W-22", "F-15")
@pytest.mark.parametrize("name", HOSTILE)
def test_what_one_link_brings_closes_that_link_and_no_other(name: str) -> None:
    payload, code = HOSTILE[name]
    world = table_of(3, seed=1)
    world.start()
    world.run(until=lambda: all(node.table._game is not None and open_k(node) > 1 for node in world.nodes))
    game = world.nodes[0].table._game
    assert game is not None
    key = world.nodes[1].settings.people[0].key
    body = b"\x94\x03" + bytes([game.ledger.k, next(iter(world.nodes[1].table._game.hands))]) + b"\xc4\x20" + bytes(32)  # type: ignore[union-attr]
    bad = payload or encode_message(m.Entry(game.id, body, key.sign(Context.MINE, game.id, body)))
    evil = next(link for link in world.links_of(0) if world.peer_of(0, link) == 1)
    world.tell(0, FrameArrived(evil, bad))
    assert [closed.code for closed in world.nodes[0].closed] == [code]
    assert world.linked(0, 2)
    world.run(for_s=3600, until=lambda: finished(world))
    assert all(node.finished is Err.GOODBYE for node in world.nodes)

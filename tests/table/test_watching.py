"""People who watch: they see what is final, check all of it, and can do nothing (A55)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from sorry_lan.fair.entry import Leaving, Reveal, sign_entry
from sorry_lan.fair.verify import Finding, Outcome, verify_transcript
from sorry_lan.faults import Err
from sorry_lan.table.commands import FileKind
from sorry_lan.table.events import (
    BotSeated,
    DrawAsked,
    GoOnAnswered,
    LeaveAsked,
    Opened,
    Ready,
    RematchAsked,
    ResumeAsked,
    SeatChanged,
    Spoke,
)
from sorry_lan.table.news import (
    CaughtUp,
    FaultProven,
    GameSaved,
    GameStarted,
    GoneOn,
    LostSight,
    LotCast,
    Played,
    RematchOpened,
    Said,
    Sees,
    StoppedWatching,
    TableClosed,
    Watches,
    Won,
)
from sorry_lan.table.settings import Auto, Offers, ReadyWhen, Role
from sorry_lan.table.view import Looking, Phase, Presence
from sorry_lan.wire import limits
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import decode_message, encode_message
from sorry_lan.wire.terms import Option, SeatKind
from tests.table.build import MS, Node, World, finished, friends, person, settings
from tests.table.test_continuing import all_end, step_of, table
from tests.table.test_ending import last_acks_lost, over
from tests.table.test_play import game_of, started, view_of
from tests.table.test_returning import alone

SEATS = pytest.mark.parametrize("count", [2, 3, 4])
SHOWN = (m.Lobby, m.TableAgreed, m.StepRecord, m.Status, m.Ways, m.Ping, m.Pong)
"""All that ever goes to somebody who watches."""
ASKED = (m.Ping, m.Pong, m.Want)
"""All that ever comes from there."""


def overheard(world: World, watcher: Node) -> tuple[list[m.Message], list[m.Message]]:
    """What is sent to the watcher from now on, and what it sends."""
    to: list[m.Message] = []
    of: list[m.Message] = []

    def hear(source: int, target: int, payload: bytes) -> None:
        message = decode_message(payload)
        if message is None:
            return
        if target == watcher.index:
            to.append(message)
        if source == watcher.index:
            of.append(message)

    world.carried.append(hear)
    return to, of


def playing(count: int, k: int = 6, **more: object) -> World:
    """Programs play; this many steps are final."""
    world = friends(count, **more)  # type: ignore[arg-type]
    world.slowest_us = 20 * MS
    world.start()
    world.run(until=lambda: step_of(world, 0) >= k)
    return world


def last_code(node: Node) -> Err:
    return node.closed[-1].code


def seen_to_the_end(world: World, watcher: Node) -> bytes:
    """The game ends; the watcher's file, which is the one of the players and holds."""
    world.run(until=lambda: all(view_of(node).phase is Phase.OVER for node in world.nodes), for_s=400)
    assert view_of(watcher).phase is Phase.OVER
    (file,) = watcher.transcripts()
    assert {node.transcripts()[-1] for node in world.nodes if node.settings.role is not Role.WATCHER} == {file}
    assert verify_transcript(file).outcome is Outcome.HOLDS
    return file


@pytest.mark.spec("S-10")
@SEATS
def test_from_the_lobby_on_a_watcher_sees_what_is_final_and_keeps_the_same_file(count: int) -> None:
    """A55."""
    world = friends(count)
    world.slowest_us = 20 * MS
    world.open()
    watcher = world.watcher(through=None)
    to, of = overheard(world, watcher)
    world.watch_through(watcher, 0)
    world.run(for_s=0.2)
    lobby = view_of(watcher).lobby
    assert lobby is not None
    assert ([seat.name for seat in lobby.seats if seat.name], lobby.hosting) == (["Bob"], False)
    for node in world.nodes[1:-1]:
        world.open(node.index)
        world.link(node.index, 0)
    world.run(until=lambda: step_of(world, 0) >= 3)
    assert world.nodes[0].told(Watches) == [Watches(watcher.settings.people[0].name)]
    file = seen_to_the_end(world, watcher)
    assert verify_transcript(file).finding is Finding.WON
    assert {type(message) for message in to} <= set(SHOWN)
    assert {type(message) for message in of} <= set(ASKED)
    assert watcher.journal == watcher.admitted == []
    played = [news.k for news in watcher.told(Played)]  # type: ignore[attr-defined]
    assert played == list(range(1, len(played) + 1))
    assert watcher.told(LotCast) == world.nodes[0].told(LotCast)
    assert len(watcher.told(Won)) == 1


@SEATS
def test_a_latecomer_checks_all_steps_from_the_first_and_is_told_when_it_has(count: int) -> None:
    world = friends(count, auto=Auto.DRAW)
    world.people_play(*range(count), after_us=300 * MS)
    world.start()
    world.run(until=lambda: step_of(world, 0) >= 20)
    watcher = world.watcher(through=1)
    world.run(
        until=lambda: watcher.view is not None and watcher.view.looking is not None and watcher.view.looking.behind
    )
    world.run(until=lambda: bool(watcher.told(CaughtUp)), for_s=20)
    (caught,) = watcher.told(CaughtUp)
    k = caught.k  # type: ignore[attr-defined]
    assert k >= 19
    assert game_of(watcher).words == game_of(world.nodes[0]).words is not None
    assert game_of(watcher).first == game_of(world.nodes[0]).first
    assert game_of(watcher).shares_checked == k * count
    seen_to_the_end(world, watcher)
    played = [news.k for news in watcher.told(Played)]  # type: ignore[attr-defined]
    assert played == list(range(1, len(played) + 1))
    assert watcher.told(CaughtUp) == [caught]


def test_who_is_a_few_steps_behind_is_told_each_of_them() -> None:
    world = started(2)
    world.watcher()
    world.run(for_s=0.5)
    watcher = world.nodes[-1]
    assert not watcher.told(CaughtUp)
    assert len(watcher.told(LotCast)) == len(watcher.told(GameStarted)) == 1


def test_who_watches_sees_whom_the_table_waits_for_and_who_is_gone() -> None:
    world = started(3)
    watcher = world.watcher()
    world.run(for_s=2)
    asked = next(node for node in world.nodes[:3] if view_of(node).prompts)
    turn = game_of(asked).position.turn
    assert [seat.owes for seat in game_of(watcher).seats] == [seat == turn for seat in range(3)]
    assert {seat.presence for seat in game_of(watcher).seats} == {Presence.LINKED}
    gone = next(node for node in world.nodes[1:3])
    seat = next(seat.index for seat in game_of(gone).seats if seat.person is not None)
    world.kill(gone.index)
    world.run(for_s=3)
    assert game_of(watcher).seats[seat].presence is Presence.RECONNECTING
    world.run(for_s=12)
    assert game_of(watcher).seats[seat].presence is Presence.AWAY


def test_whom_the_table_waits_for_is_told_in_every_stage() -> None:
    world = started(2)
    watcher = world.watcher()
    world.run(for_s=0.5)
    k, turn = game_of(watcher).k, game_of(watcher).position.turn
    status = next(message for _, message in reversed(world.nodes[0].sent) if isinstance(message, m.Status))
    here = replace(status, game=game_of(watcher).game_id, k=k)

    def owing(**said: object) -> list[int]:
        world.send(0, watcher.index, replace(here, **said))  # type: ignore[arg-type]
        world.run(for_s=0.1)
        return [seat.index for seat in game_of(watcher).seats if seat.owes]

    assert owing(stage=m.Stage.SHARES, reveals=0) == [0, 1]
    assert owing(stage=m.Stage.MOVE, reveals=3) == [turn]
    assert owing(stage=m.Stage.ACKS, reveals=3, acks=0) == [1 - turn]
    assert owing(stage=m.Stage.CONSENTED_ELSEWHERE, reveals=3) == []


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("count", [3, 4])
def test_a_game_that_went_on_without_somebody_is_shown_with_all_its_tables(count: int, seed: int) -> None:
    """Before, during and after the continuation."""
    world = table(count, k=20, seed=seed)
    early = world.watcher()
    world.run(until=lambda: bool(early.told(CaughtUp)), for_s=5)
    world.kill(count - 1)
    world.run(until=lambda: bool(world.nodes[0].told(GoneOn)), for_s=80)
    late = world.watcher()
    file = all_end(world, range(count - 1))
    world.run(for_s=5)
    for watcher in (early, late):
        assert watcher.transcripts() == [file]
        assert len(watcher.told(GoneOn)) == 1
        assert [seat.kind for seat in game_of(watcher).seats].count(SeatKind.STAND_IN) == 1
    assert len(verify_transcript(file).goings) == 1


def test_after_a_table_that_came_to_nothing_the_watcher_is_back_with_the_others() -> None:
    world = alone(3, deaf=lambda node: node < 3)
    through = world.nodes[-1]
    watcher = world.watcher(through=through.index)
    world.run(for_s=1)
    assert game_of(watcher).game_id == game_of(through).game_id
    world.run(until=lambda: view_of(watcher).phase is Phase.OVER, for_s=400)
    assert watcher.transcripts()[-1] == world.nodes[0].transcripts()[-1]


# -- never able to act (A55) -----------------------------------------------------------------------------------------


def entry_of(world: World, watcher: Node) -> m.Entry:
    game = game_of(world.nodes[0])
    signed = sign_entry(watcher.settings.people[0].key, game.game_id, Reveal(game.k, 0, bytes(32)))
    return m.Entry(game.game_id, signed.body, signed.sig)


SEAT = m.SeatOffer(bytes(31) + b"\x05", 0, "Wim", None, True, bytes(32), bytes(32), None, None)
ACTS: dict[str, Callable[[World, Node], m.Message]] = {
    "entry": entry_of,
    "seat": lambda _world, _watcher: SEAT,
    "consent": lambda _world, _watcher: m.ConsentGiven(0, bytes(32), bytes(64)),
}


@pytest.mark.spec("S-11")
@SEATS
@pytest.mark.parametrize("act", ACTS)
def test_a_watcher_that_acts_is_shown_out_and_nobody_else_notices(act: str, count: int) -> None:
    """A55."""
    world = playing(count)
    watcher = world.watcher()
    world.run(for_s=0.05)
    before = [len(node.closed) for node in world.nodes[:count]]
    world.send(watcher.index, 0, ACTS[act](world, watcher))
    world.run(for_s=0.2)
    assert last_code(world.nodes[0]) is Err.NOT_A_SEAT
    assert [len(node.closed) for node in world.nodes[:count]] == [before[0] + 1, *before[1:]]
    assert world.nodes[0].told(StoppedWatching) == [StoppedWatching(watcher.settings.people[0].name)]
    all_end(world, range(count))


@pytest.mark.spec("S-11")
@pytest.mark.parametrize(
    "message",
    [
        m.Chat(0, "hello"),
        m.Propose(0, b"table", None),
        m.Withdraw(0, bytes(32), bytes(64)),
        m.No(20, ""),
        m.Peers(()),
        m.MineAsked(bytes(32), 0, bytes(16)),
        m.Watchers(("Wim",)),
    ],
    ids=lambda message: type(message).__name__,
)
def test_whatever_else_a_watcher_says_is_dropped(message: m.Message) -> None:
    """A55: its CHAT among them."""
    world = playing(2)
    watcher = world.watcher()
    world.run(for_s=0.05)
    names = world.nodes[0].told(Watches)
    world.nodes[0].sent.clear()
    world.send(watcher.index, 0, message)
    world.run(for_s=0.01)
    assert not any(isinstance(each, type(message)) for node in world.nodes[:2] for _, each in node.sent)
    assert not world.nodes[0].told(Said)
    assert world.nodes[0].told(Watches) == names
    all_end(world, range(2))


@pytest.mark.spec("S-10")
@SEATS
def test_what_is_asked_of_the_open_step_is_not_answered(count: int) -> None:
    """A55: not in any stage of it."""
    world = started(count)
    watcher = world.watcher()
    world.run(for_s=1.5)
    to, _ = overheard(world, watcher)
    game = game_of(world.nodes[0])
    assert any(seat.owes for seat in game.seats)
    world.send(watcher.index, 0, m.Want(game.game_id, game.k, 1))
    world.send(watcher.index, 0, m.Want(bytes(32), 0, 16))
    world.run(for_s=0.5)
    assert not any(isinstance(message, m.StepRecord | m.Entry) for message in to)
    world.send(watcher.index, 0, m.Want(game.game_id, 0, 16))
    world.run(for_s=0.5)
    assert [message.k for message in to if isinstance(message, m.StepRecord)] == list(range(game.k))


def test_a_watcher_that_asks_for_more_than_it_can_need_is_shown_out() -> None:
    """A55."""
    world = playing(2, k=20)
    watcher = world.watcher()
    world.run(for_s=0.01)
    for _ in range(20):
        world.send(watcher.index, 0, m.Want(game_of(world.nodes[0]).game_id, 0, 16))
    world.run(for_s=0.1)
    assert last_code(world.nodes[0]) is Err.RATE
    all_end(world, range(2))


def test_all_watchers_together_are_answered_with_no_more_than_one_link_may_bring() -> None:
    """A55: within its own budget each, and the game is none the slower for it."""
    world = started(2)
    watchers = [world.watcher() for _ in range(4)]
    world.run(for_s=1.5)
    heard = [overheard(world, watcher)[0] for watcher in watchers]
    want = m.Want(game_of(world.nodes[0]).game_id, 0, 16)
    for _ in range(14):
        for watcher in watchers:
            world.send(watcher.index, 0, want)
    world.run(for_s=0.2)
    assert not world.nodes[0].closed
    answered = sum(isinstance(message, m.StepRecord) for to in heard for message in to)
    assert 0 < answered < 4 * 14
    world.run(for_s=20)
    world.send(watchers[0].index, 0, want)
    before = len(heard[0])
    world.run(for_s=0.2)
    assert any(isinstance(message, m.StepRecord) for message in heard[0][before:])


def test_watchers_that_ask_all_the_time_keep_no_other_one_from_what_is_played() -> None:
    world = friends(2, auto=Auto.DRAW)
    world.people_play(0, 1)
    world.start()
    world.run(until=lambda: step_of(world, 0) >= 20)
    world.looks.clear()
    greedy = [world.watcher(), world.watcher()]
    for node in greedy:
        # Its program takes everything that it is sent.
        node.alive = False
    want = m.Want(game_of(world.nodes[0]).game_id, 0, 1)

    def ask() -> None:
        for node in greedy:
            world.send(node.index, 0, want)
        world.at(world.now_us + 12 * MS, ask)

    ask()
    world.run(for_s=20)
    late = world.watcher()
    world.run(for_s=10)
    assert not world.nodes[0].closed
    assert game_of(late).k == game_of(world.nodes[0]).k >= 20


def test_bytes_that_are_no_message_and_a_second_introduction_end_a_watchers_link() -> None:
    for payload, code in ((b"\xc1", Err.NOT_CANONICAL), (encode_message(m.Auth(bytes(64), None)), Err.SCHEMA)):
        world = started(2)
        watcher = world.watcher()
        world.run(for_s=0.1)
        world.deliver(watcher.index, world.links_of(watcher.index)[0], payload)
        world.run(for_s=0.1)
        assert last_code(world.nodes[0]) is code


def test_an_extension_that_nobody_knows_and_a_ping_do_a_watcher_no_harm() -> None:
    world = started(2)
    watcher = world.watcher()
    world.run(for_s=0.1)
    to, _ = overheard(world, watcher)
    world.deliver(watcher.index, world.links_of(watcher.index)[0], b"\x92\xcc\xff\x01")
    world.send(watcher.index, 0, m.Ping(7))
    theirs = next(link for link in world.links_of(0) if world.peer_of(0, link) == watcher.index)
    world.deliver(0, theirs, b"\x92\xcc\xff\x01")
    world.send(0, watcher.index, m.Ping(9))
    world.run(for_s=0.1)
    assert m.Pong(7) in to
    assert m.Pong(9) in [message for _, message in watcher.sent]
    assert watcher.closed == []


def test_a_person_who_watches_can_do_nothing_but_leave() -> None:
    world = started(2)
    watcher = world.watcher()
    world.run(for_s=1)
    _, of = overheard(world, watcher)
    for wish in (
        DrawAsked(0),
        SeatChanged(0, ready=Ready.YES),
        BotSeated(None, 0),
        Spoke(0, "hello"),
        RematchAsked(),
        ResumeAsked(bytes(32)),
        GoOnAnswered(Ready.YES),
    ):
        world.tell(watcher, wish)
    world.run(for_s=0.5)
    assert {type(message) for message in of} <= set(ASKED)
    assert view_of(watcher).lobby is None
    world.tell(watcher, LeaveAsked())
    assert watcher.finished is Err.GOODBYE
    assert watcher.transcripts() == []
    world.run(for_s=0.5)
    assert world.nodes[0].told(StoppedWatching)


# -- who is let in ---------------------------------------------------------------------------------------------------


@pytest.mark.spec("S-12")
@SEATS
def test_the_ninth_watcher_is_refused(count: int) -> None:
    """A55."""
    world = started(count)
    for _ in range(limits.MAX_WATCHERS):
        world.watcher()
    # Who watches is told once a second.
    world.run(for_s=1.5)
    assert len(view_of(world.nodes[1]).watchers) == limits.MAX_WATCHERS
    ninth = world.watcher()
    world.run(for_s=0.5)
    assert last_code(world.nodes[0]) is Err.WATCHERS_FULL
    assert (ninth.finished, ninth.told(TableClosed)) == (Err.WATCHERS_FULL, [TableClosed(Err.WATCHERS_FULL)])
    world.tell(world.nodes[count], LeaveAsked())
    world.run(for_s=0.5)
    assert world.watcher().finished is None


@pytest.mark.spec("S-12")
@pytest.mark.parametrize("begun", [False, True], ids=["lobby", "game"])
def test_where_the_table_forbids_it_nobody_watches(*, begun: bool) -> None:
    """A55."""
    host = settings(Role.HOST, person(0, auto=Auto.NOTHING), options=Option.NO_WATCHERS)
    world = World(host, settings(Role.JOINER, person(1, auto=Auto.NOTHING)))
    world.open()
    if begun:
        world.start()
        world.run(for_s=0.5)
    watcher = world.watcher()
    world.run(for_s=0.5)
    assert last_code(world.nodes[0]) is watcher.finished is Err.WATCHING_NOT_ALLOWED
    assert world.nodes[0].told(Watches) == []


def test_a_guest_of_a_lobby_and_a_client_without_a_table_have_nothing_to_show() -> None:
    world = friends(3)
    world.open()
    world.open(1)
    first = world.watcher(through=1)
    world.link(1, 0)
    world.run(for_s=0.2)
    second = world.watcher(through=1)
    world.run(for_s=0.2)
    assert first.finished is second.finished is Err.UNKNOWN_GAME


def test_whoever_came_back_without_the_code_lets_no_watcher_in_but_the_others_do() -> None:
    world = playing(3, auto=Auto.DRAW, k=1)
    world.nodes[2].settings = replace(world.nodes[2].settings, guarded=False)
    world.kill(2)
    world.restart(2)
    world.run(for_s=1)
    assert world.watcher(through=2).finished is None
    world.run(for_s=0.5)
    assert world.nodes[-1].finished is Err.CODE_REQUIRED
    assert last_code(world.nodes[2]) is Err.CODE_REQUIRED
    world.watcher(through=1)
    world.run(for_s=0.5)
    assert world.nodes[-1].finished is None


def test_all_players_know_who_watches_through_whom() -> None:
    world = started(3)
    one, two = world.watcher(through=0), world.watcher(through=2)
    world.run(for_s=0.5)
    names = {node.settings.people[0].name for node in (one, two)}
    assert [set(view_of(node).watchers) for node in world.nodes[:3]] == [names] * 3
    world.tell(one, LeaveAsked())
    world.run(for_s=2)
    for node in world.nodes[:3]:
        assert node.told(StoppedWatching) == [StoppedWatching(one.settings.people[0].name)]


def test_watchers_that_come_and_go_all_the_time_cost_no_player_its_link() -> None:
    """Who watches is told to the other players, who count what they are told."""
    world = started(2)
    watcher = world.watcher()
    # Its program takes everything that it is sent.
    watcher.alive = False

    def come_again() -> None:
        world.cut(watcher.index, 0)
        world.watch_through(watcher, 0)
        world.at(world.now_us + 5 * MS, come_again)

    come_again()
    world.run(for_s=10)
    assert [node.closed for node in world.nodes[:2]] == [[], []]
    assert sum(isinstance(message, m.Watchers) for _, message in world.nodes[0].sent) <= 12


def test_a_player_whose_watchers_come_and_go_all_the_time_fills_no_screen() -> None:
    world = started(2)
    for number in range(200):
        world.send(0, 1, m.Watchers(("Wim",) if number % 2 else ()))
    world.run(for_s=2)
    assert len(world.nodes[1].told(Watches)) <= limits.NAMES_PER_S
    assert not world.nodes[1].closed


def test_however_often_a_lobby_changes_its_watchers_stay() -> None:
    """Three who sit in it can change it more often than one link may bring entries."""
    world = friends(2)
    world.tell(0, Opened())
    watcher = world.watcher(through=None)
    shown, _ = overheard(world, watcher)
    world.watch_through(watcher, 0)
    world.run(for_s=0.5)
    lobby = next(message for message in shown if isinstance(message, m.Lobby))
    for number in range(400):
        world.send(0, watcher.index, replace(lobby, rev=100 + number))
    world.run(for_s=1)
    assert not watcher.closed
    assert view_of(watcher).phase is Phase.LOBBY


# -- the one who shows it --------------------------------------------------------------------------------------------


def test_a_watcher_survives_the_loss_of_the_one_it_watches_through() -> None:
    world = playing(3, auto=Auto.DRAW, k=1)
    world.people_play(0, 1, 2, after_us=200 * MS)
    for node in world.nodes:
        world.looks[-1](node)
    watcher = world.watcher(through=1)
    world.run(for_s=1)
    assert {peer.pk for peer in watcher.sought[-1].peers} == {node.pk for node in world.nodes[:3]}
    assert watcher.sought[-1].peers[0].pk == world.nodes[1].pk
    world.kill(1)
    assert watcher.told(LostSight) == [LostSight("Eve")]
    assert view_of(watcher).looking == Looking(None, game_of(watcher).k, behind=False)
    assert game_of(watcher).seats[0].presence is Presence.LINKED
    world.watch_through(watcher, 2)
    world.run(for_s=1)
    assert watcher.told(Sees) == [Sees("Eve"), Sees("Joe")]
    looking = view_of(watcher).looking
    assert looking is not None
    assert looking.through == "Joe"
    world.restart(1)
    seen_to_the_end(world, watcher)


def test_steps_missed_meanwhile_are_fetched() -> None:
    world = playing(2)
    watcher = world.watcher()
    world.run(for_s=0.3)
    world.cut(watcher.index, 0)
    world.run(until=lambda: step_of(world, 0) >= game_of(watcher).k + 6)
    world.watch_through(watcher, 1)
    seen_to_the_end(world, watcher)


def test_the_lobby_is_gone_with_its_host() -> None:
    world = friends(3)
    world.open()
    watcher = world.watcher()
    world.run(for_s=0.2)
    world.tell(0, LeaveAsked())
    world.run(for_s=0.2)
    assert watcher.finished is Err.SHUTTING_DOWN


@pytest.mark.parametrize("kind", ["share", "consent", "engine", "hole"])
def test_a_player_who_shows_something_else_than_was_played_is_not_believed(kind: str) -> None:
    world = playing(2, k=3)

    def meddle(link: int, message: m.Message) -> None:
        if world.peer_of(0, link) == watcher.index:
            match kind, message:
                case "share", m.StepRecord(k=2):
                    first, *rest = message.entries
                    message = replace(message, entries=(replace(first, sig=bytes(64)), *rest))
                case "hole", m.StepRecord(k=2):
                    message = replace(message, entries=message.entries[:-1])
                case "consent", m.TableAgreed():
                    message = replace(message, consents=message.consents[:1])
                case "engine", m.TableAgreed():
                    message = replace(message, table=message.table.replace(game_engine, bytes(32)))
        world.deliver(0, link, encode_message(message))

    game_engine = world.nodes[0].settings.engine
    watcher = world.watcher(through=None)
    world.meddlers[0] = meddle
    world.watch_through(watcher, 0)
    world.run(for_s=1)
    wanted = {
        "share": Err.BAD_SIGNATURE,
        "hole": Err.SCHEMA,
        "consent": Err.BAD_SIGNATURE,
        "engine": Err.ENGINE_DIFFERS,
    }[kind]
    assert last_code(watcher) is wanted
    if kind in ("share", "hole"):
        assert (watcher.finished, game_of(watcher).k) == (None, 2)
        assert watcher.told(LostSight)
    else:
        assert watcher.finished is wanted


# -- ends ------------------------------------------------------------------------------------------------------------


def test_a_win_that_not_all_confirmed_is_shown_once_it_was_waited_for() -> None:
    world = last_acks_lost()
    watcher = world.watcher()
    world.run(for_s=1)
    assert not watcher.told(Won)
    world.run(for_s=limits.LINGER_MS / 1000 + 3)
    (file,) = watcher.transcripts()
    verdict = verify_transcript(file)
    assert (verdict.outcome, verdict.unconfirmed) == (Outcome.UNCONFIRMED, game_of(watcher).unconfirmed)
    assert len(verdict.unconfirmed) == 1


def test_a_game_that_was_saved_is_kept_as_such() -> None:
    world = table(2, offers=Offers.PEOPLE, auto=Auto.DRAW, k=1)
    watcher = world.watcher()
    world.run(for_s=0.2)
    world.tell(1, LeaveAsked(Leaving.FOR_NOW))
    world.run(for_s=4)
    assert watcher.told(GameSaved) == [GameSaved(())]
    assert view_of(watcher).phase is Phase.OVER
    (file,) = watcher.transcripts()
    assert verify_transcript(file).finding is Finding.SAVED


def test_after_the_end_the_next_lobby_and_the_next_game_are_shown() -> None:
    world = over(2)
    watcher = world.watcher()
    world.run(until=lambda: view_of(watcher).phase is Phase.OVER, for_s=20)
    for node in world.nodes[:2]:
        node.settings = replace(node.settings, ready=ReadyWhen.ASKED)
        node.table._room.desk.settings = node.settings
    first = game_of(watcher).game_id
    world.tell(0, RematchAsked())
    world.run(for_s=0.5)
    assert watcher.told(RematchOpened) == [RematchOpened("Bob")]
    lobby = view_of(watcher).lobby
    assert lobby is not None
    assert sorted(seat.name for seat in lobby.seats) == ["Bob", "Eve"]
    for number in (0, 1):
        world.tell(number, SeatChanged(0, ready=Ready.YES))
    world.run(until=lambda: len(watcher.transcripts()) == 2, for_s=20)
    assert view_of(watcher).lobby is None
    assert game_of(watcher).game_id == game_of(world.nodes[0]).game_id != first
    assert len({tuple(node.transcripts()) for node in world.nodes}) == 1


@SEATS
def test_a_watcher_without_a_person_goes_when_the_game_is_over_and_programs_wait_for_it(count: int) -> None:
    world = playing(count)
    watcher = world.watcher(auto=Auto.ALL)
    world.pace_us[frozenset((0, watcher.index))] = 400 * MS
    file = all_end(world, range(count))
    world.run(for_s=5)
    assert (watcher.finished, watcher.transcripts()) == (Err.GOODBYE, [file])


def test_a_watcher_that_never_asks_for_the_steps_holds_no_program_up_for_longer_than_a_straggler() -> None:
    world = playing(2)
    watcher = world.watcher(through=None)
    world.meddlers[watcher.index] = lambda _link, _message: None
    world.watch_through(watcher, 0)
    world.run(until=lambda: all(node.told(Won) for node in world.nodes[:2]))
    now_us = world.now_us
    world.run(until=lambda: all(node.finished is not None for node in world.nodes[:2]))
    assert world.now_us - now_us <= (limits.LINGER_MS + 1000) * MS


def test_a_watcher_without_a_person_gives_up_where_nobody_shows_the_game_any_more() -> None:
    world = started(2)
    watcher = world.watcher(auto=Auto.ALL)
    world.run(for_s=0.5)
    world.kill(0)
    world.kill(1)
    world.run(for_s=limits.ABSENCE_MS / 1000 - 1)
    assert watcher.finished is None
    world.run(for_s=3)
    assert watcher.finished is Err.SHUTTING_DOWN
    assert not finished(world)
    assert not watcher.told(FaultProven)
    assert [file.kind for file in watcher.files if file.kind is FileKind.EVIDENCE] == []


# -- corners ------------------------------------------------------------------------------------------------------


def test_a_watcher_that_comes_by_a_new_link_counts_once() -> None:
    world = started(2)
    watcher = world.watcher()
    world.run(for_s=0.2)
    world.watch_through(watcher, 0)
    world.run(for_s=0.2)
    assert view_of(world.nodes[0]).watchers == (watcher.settings.people[0].name,)
    assert not world.nodes[0].told(StoppedWatching)


def test_of_a_client_that_was_never_linked_no_way_is_told() -> None:
    world = World(*(node.settings for node in friends(3, auto=Auto.DRAW).nodes), graph=[(0, 1), (0, 2)])
    world.start()
    world.run(for_s=1)
    watcher = world.watcher(through=1)
    world.run(for_s=0.5)
    assert {peer.pk for peer in watcher.sought[-1].peers} == {node.pk for node in world.nodes[:2]}


def test_what_does_not_belong_to_the_game_that_is_watched_is_passed_over() -> None:
    world = started(2)
    watcher = world.watcher()
    world.run(for_s=0.5)
    before = game_of(watcher)
    other = started(2, seed=1)
    lobby = next(message for _, message in world.nodes[0].sent if isinstance(message, m.Lobby))
    agreed = next(message for _, message in other.nodes[0].sent if isinstance(message, m.TableAgreed))
    entry = next(message for _, message in world.nodes[0].sent if isinstance(message, m.Entry))
    for message in (lobby, agreed, m.StepRecord(bytes(32), 0, (m.Signed(entry.body, entry.sig),)), m.Chat(0, "hello")):
        world.send(0, watcher.index, message)
    world.run(for_s=0.5)
    assert (game_of(watcher).game_id, view_of(watcher).lobby) == (before.game_id, None)
    assert watcher.closed == []


def test_a_watcher_without_a_person_says_what_stopped_the_game() -> None:
    world = started(2)
    watcher = world.watcher(auto=Auto.ALL)
    world.run(for_s=0.5)
    game = watcher.table._game
    assert game is not None
    game.trouble.diverged("as in a test", 0)
    world.run(for_s=2)
    assert watcher.finished is Err.DIVERGED
    assert [file.kind for file in watcher.files] == [FileKind.DUMP]


def test_a_watcher_that_may_not_ask_so_fast_comes_to_the_table_in_play_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And whoever shows it the tables again after a new link shows it nothing new."""
    world = table(3, k=20)
    world.kill(2)
    world.run(until=lambda: bool(world.nodes[0].told(GoneOn)), for_s=80)
    monkeypatch.setattr(limits, "ENTRY_BUCKET", 64)
    watcher = world.watcher()
    monkeypatch.undo()
    world.run(until=lambda: bool(watcher.told(GoneOn)), for_s=20)
    world.cut(watcher.index, 0)
    world.watch_through(watcher, 1)
    world.run(for_s=0.2)
    assert game_of(watcher).game_id == game_of(world.nodes[0]).game_id

"""The end of a game, who waits for whom after it, and the next one with the same people."""

import gc
import tracemalloc
from collections.abc import Callable
from dataclasses import replace

import pytest

from sorry_lan.fair.entry import Ack, Reveal
from sorry_lan.fair.verify import Outcome, verify_transcript
from sorry_lan.faults import Err
from sorry_lan.table.commands import JournalKind, Sync
from sorry_lan.table.events import LeaveAsked, Ready, RematchAsked, SeatChanged, SeatClosed, Timer, TimerFired
from sorry_lan.table.news import Confirmed, GameStarted, GoneOn, RematchOpened, Won
from sorry_lan.table.settings import Auto, Offers, ReadyWhen, Role
from sorry_lan.table.view import Phase
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import encode, encode_message
from tests.table.build import SHORT, Node, World, finished, friends, person, settings
from tests.table.test_lobby import lobby_of, phase_of, seats_of
from tests.table.test_play import entries, game_of, view_of
from tests.table.test_returning import left_out


def over(count: int = 2, *, bots: int = 0, **more: object) -> World:
    """A game that people have played to its end."""
    world = friends(count, bots=bots, auto=Auto.NOTHING, **more)  # type: ignore[arg-type]
    world.people_play(*range(count))
    world.start()
    world.run(until=lambda: all(view_of(node).phase is Phase.OVER for node in world.nodes))
    world.run(for_s=0.5)
    return world


def last_acks_lost() -> World:
    """A game of three that the third lost, whose word on the winning step never leaves it."""
    for seed in range(20):
        world = friends(3, auto=Auto.NOTHING, seed=seed)
        world.meddlers[2] = silence(world)
        world.people_play(0, 1, 2)
        world.start()
        world.run(until=lambda world=world: all(node.told(Won) for node in world.nodes[:2]), for_s=60)
        if world.nodes[0].told(Won):
            return world
    raise AssertionError("the third always wins")


def silence(world: World) -> Callable[[int, m.Message], None]:
    quiet = world.nodes[2]

    def meddle(link: int, message: m.Message) -> None:
        game = quiet.table._game
        won = game is not None and game.ledger.over is not None
        if not (won and isinstance(message, m.Entry | m.Status | m.StepRecord)):
            world.deliver(2, link, encode_message(message))

    return meddle


def test_the_end_is_synced_before_anybody_hears_of_it() -> None:
    """Else whoever loses power just then is alone with a game that only lacks its last steps."""
    world = friends(2, auto=Auto.NOTHING)
    world.people_play(0, 1)
    ended: list[list[Sync]] = []

    def watch(node: Node, message: m.Message) -> None:
        if isinstance(message, m.Status) and message.stage == m.Stage.OVER:
            ended.append([record.sync for record in node.journal if record.kind is JournalKind.END])

    world.watch.append(watch)
    world.start()
    world.run(until=lambda: all(view_of(node).phase is Phase.OVER for node in world.nodes))
    world.run(for_s=0.5)
    assert ended
    assert all(syncs == [Sync.NOW] for syncs in ended)


def test_after_the_winning_step_nobody_opens_a_share() -> None:
    world = over(3)
    for node in world.nodes:
        assert not any(isinstance(body, Reveal) and body.k >= game_of(node).k for body in entries(node))


def test_people_stay_after_the_end_until_they_leave() -> None:
    world = over(2)
    world.run(for_s=100)
    assert [node.finished for node in world.nodes] == [None, None]
    world.tell(0, LeaveAsked())
    world.run(for_s=1)
    assert [node.finished for node in world.nodes] == [Err.GOODBYE, None]


def test_a_last_word_that_never_comes_is_waited_for_thirty_seconds() -> None:
    world = last_acks_lost()
    node, quiet = world.nodes[0], world.nodes[-1]
    world.run(for_s=29.5)
    assert node.transcripts() == []
    assert game_of(node).unconfirmed == (2,)
    world.run(for_s=1)
    assert node.told(Confirmed) == [Confirmed((2,))]
    verdict = verify_transcript(node.transcripts()[0])
    assert (verdict.outcome, verdict.unconfirmed) == (Outcome.UNCONFIRMED, (2,))
    assert view_of(node).phase is Phase.OVER
    del world.meddlers[quiet.index]
    world.run(for_s=2)
    assert node.told(Confirmed)[-1] == Confirmed(())
    assert verify_transcript(node.transcripts()[-1]).outcome is Outcome.HOLDS
    assert view_of(node).phase is Phase.OVER


def test_the_end_is_written_once_however_often_the_time_runs_out() -> None:
    world = over(2)
    for _ in range(2):
        world.tell(0, TimerFired(Timer.FINISH, 0))
    assert len(world.nodes[0].transcripts()) == 1


def test_time_that_runs_out_before_the_end_means_nothing() -> None:
    world = friends(2, auto=Auto.NOTHING)
    for timer in (Timer.FINISH, Timer.LINGER, Timer.CONSENT, Timer.AWAY):
        world.tell(0, TimerFired(timer, 0))
    world.start()
    world.run(for_s=0.5)
    for timer in (Timer.FINISH, Timer.CONSENT, Timer.AWAY):
        world.tell(0, TimerFired(timer, 1))
    assert world.nodes[0].transcripts() == []
    assert phase_of(world.nodes[0]) is Phase.SHARES


def test_who_plays_by_itself_goes_when_all_know_of_the_end() -> None:
    world = friends(3, seed=4)
    world.start()
    world.run(until=lambda: finished(world))
    ends = [max(when for when, _ in node.sent) for node in world.nodes]
    assert max(ends) - min(ends) < 100_000


def test_who_plays_by_itself_waits_thirty_seconds_for_somebody_who_does_not_say_so() -> None:
    world = last_statuses_lost()
    world.run(for_s=25)
    assert world.nodes[0].finished is None
    world.run(for_s=10)
    assert world.nodes[0].finished is Err.GOODBYE


def last_statuses_lost() -> World:
    world = friends(2)
    world.meddlers[1] = lambda link, message: (
        None if isinstance(message, m.Status) else world.deliver(1, link, encode_message(message))
    )
    world.start()
    world.run(until=lambda: bool(world.nodes[0].told(Confirmed)))
    return world


# -- once more -------------------------------------------------------------------------------------------------------


def test_anybody_opens_the_next_lobby_and_the_same_people_sit_as_before() -> None:
    world = over(3, bots=1)
    world.tell(1, RematchAsked())
    world.run(for_s=0.5)
    games = [node.told(GameStarted) for node in world.nodes]
    assert all(len(told) == 2 for told in games)
    assert games[0] == games[1] == games[2]
    assert [node.told(RematchOpened) for node in world.nodes] == [[RematchOpened("Eve")]] * 3
    assert [seat.name for seat in game_of(world.nodes[0]).seats] == ["Bob", "Eve", "Joe", "Hal"]
    assert [seat.person for seat in game_of(world.nodes[2]).seats] == [None, None, 0, None]


def test_a_rematch_of_people_waits_until_they_are_ready() -> None:
    clients = [settings(Role.HOST, person(0, auto=Auto.NOTHING), seats=2, ready=ReadyWhen.ASKED, rules=SHORT)]
    world = World(*clients, settings(Role.JOINER, person(1, auto=Auto.NOTHING), ready=ReadyWhen.ASKED))
    world.people_play(0, 1)
    world.start()
    for node in (0, 1):
        world.tell(node, SeatChanged(0, ready=Ready.YES))
    world.run(until=lambda: all(view_of(node).phase is Phase.OVER for node in world.nodes))
    world.tell(1, RematchAsked())
    world.run(for_s=1)
    assert seats_of(world.nodes[0]) == seats_of(world.nodes[1]) == [("Bob", 0), ("Eve", 1)]
    assert view_of(world.nodes[0]).game is not None
    assert phase_of(world.nodes[1]) is Phase.LOBBY
    for node in (0, 1):
        world.tell(node, SeatChanged(0, ready=Ready.YES))
        world.run(for_s=0.2)
    assert len(world.nodes[0].told(GameStarted)) == 2


def again() -> World:
    """Three after a game, in the lobby that the second opened; nobody is ready."""
    clients = [settings(Role.HOST, person(0, auto=Auto.NOTHING), seats=3, ready=ReadyWhen.ASKED, rules=SHORT)]
    clients += [settings(Role.JOINER, person(n, auto=Auto.NOTHING), ready=ReadyWhen.ASKED) for n in (1, 2)]
    world = World(*clients)
    world.people_play(0, 1, 2)
    world.start()
    all_ready(world)
    world.run(until=lambda: all(view_of(node).phase is Phase.OVER for node in world.nodes))
    world.run(for_s=0.5)
    world.tell(1, RematchAsked())
    world.run(for_s=0.5)
    assert [phase_of(node) for node in world.nodes] == [Phase.LOBBY] * 3
    return world


def all_ready(world: World) -> None:
    for node in world.nodes:
        world.tell(node, SeatChanged(0, ready=Ready.YES))
        world.run(for_s=0.2)


def test_in_the_lobby_after_a_game_its_people_find_each_other_and_need_no_code() -> None:
    world = again()
    for node in world.nodes:
        others = {other.pk for other in world.nodes} - {node.pk}
        assert node.admitted[-1].keys == {peer.pk for peer in node.sought[-1].peers} == others
        assert all(peer.addresses for peer in node.sought[-1].peers)
        assert node.game == game_of(node).game_id
    all_ready(world)
    assert {len(node.told(GameStarted)) for node in world.nodes} == {2}
    assert {node.game for node in world.nodes} == {game_of(world.nodes[0]).game_id}


@pytest.mark.parametrize("one", [0, 2])
def test_whoever_loses_the_host_of_the_lobby_after_a_game_sits_down_again(one: int) -> None:
    world = again()
    for _ in range(2):
        world.cut(one, 1)
        world.run(for_s=20)
        assert phase_of(world.nodes[one]) is Phase.LOBBY
        assert seats_of(world.nodes[1])[one] == ("", one)
        world.link(one, 1, intent=m.Intent.GAME)
        world.run(for_s=20)
        assert seats_of(world.nodes[one]) == seats_of(world.nodes[1]) == [("Bob", 0), ("Eve", 1), ("Joe", 2)]
    all_ready(world)
    assert {len(node.told(GameStarted)) for node in world.nodes} == {2}


def test_a_host_of_the_lobby_after_a_game_that_stays_away_is_waited_for_half_a_minute() -> None:
    world = again()
    world.cut(0, 1)
    world.run(for_s=29)
    assert world.nodes[0].finished is None
    world.run(for_s=2)
    assert world.nodes[0].finished is Err.SHUTTING_DOWN


def test_a_host_that_leaves_the_lobby_after_a_game_is_not_waited_for() -> None:
    world = again()
    world.tell(1, LeaveAsked())
    world.run(for_s=1)
    assert [node.finished for node in world.nodes] == [Err.SHUTTING_DOWN, Err.GOODBYE, Err.SHUTTING_DOWN]


def test_a_link_that_was_down_when_the_next_lobby_opened_brings_it() -> None:
    world = over(3)
    world.cut(0, 1)
    world.tell(1, RematchAsked())
    world.run(for_s=1)
    assert phase_of(world.nodes[0]) is Phase.OVER
    assert world.nodes[0].pk in world.nodes[1].admitted[-1].keys
    world.link(0, 1, intent=m.Intent.GAME)
    world.run(for_s=1)
    assert {len(node.told(GameStarted)) for node in world.nodes} == {2}


def test_whom_the_host_removes_from_the_lobby_after_a_game_needs_the_code_again() -> None:
    world = again()
    world.tell(1, SeatClosed(2))
    world.run(for_s=0.2)
    assert world.nodes[1].admitted[-1].keys == {world.nodes[0].pk}
    assert [peer.pk for peer in world.nodes[1].sought[-1].peers] == [world.nodes[0].pk]


def test_of_two_lobbies_opened_at_once_the_lower_seat_s_stands() -> None:
    world = over(3)
    for node in (2, 1, 0):
        world.tell(node, RematchAsked())
    world.run(for_s=2)
    games = [node.told(GameStarted) for node in world.nodes]
    assert [len(told) for told in games] == [2, 2, 2]
    assert games[0] == games[1] == games[2]


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(5))
def test_lobbies_that_cross_end_in_one_game(seed: int) -> None:
    world = over(4, seed=seed)
    world.slowest_us = 50_000
    world.tell(2, RematchAsked())
    world.run(for_s=0.02)
    world.tell(1, RematchAsked())
    world.run(for_s=5)
    games = {str(node.told(GameStarted)[1:]) for node in world.nodes}
    assert len(games) == 1
    assert "game_id" in games.pop()


def test_a_better_lobby_is_followed_though_the_other_was_proposed() -> None:
    world = over(3)
    held = {node.index: held_back(world, node.index, m.ConsentGiven, m.TableAgreed) for node in world.nodes}
    world.tell(1, RematchAsked())
    world.run(for_s=0.5)
    assert phase_of(world.nodes[2]) is phase_of(world.nodes[0]) is Phase.PROPOSED
    assert held[0]
    world.send(0, 2, replace(lobby_message(world, 1), rev=1, title="again"))
    world.run(for_s=0.2)
    assert phase_of(world.nodes[2]) is Phase.LOBBY
    assert not lobby_of(world.nodes[2]).hosting
    assert lobby_of(world.nodes[2]).title == "again"


def test_a_lobby_whose_rules_are_none_ends_its_link_even_where_it_waits_for_our_end() -> None:
    world = over(3)
    world.tell(2, RematchAsked())
    shown = lobby_message(world, 2)
    fresh = friends(3, auto=Auto.NOTHING)
    fresh.people_play(0, 1, 2)
    fresh.start()
    fresh.run(for_s=0.3)
    status = next(message for _, message in reversed(fresh.nodes[2].sent) if isinstance(message, m.Status))
    fresh.send(2, 0, replace(status, stage=m.Stage.OVER))
    fresh.send(2, 0, replace(shown, rules=encode((1, 2, 3))))
    fresh.run(until=lambda: bool(fresh.nodes[0].closed), for_s=1)
    assert [command.code for command in fresh.nodes[0].closed] == [Err.SCHEMA]
    fresh.run(until=lambda: view_of(fresh.nodes[0]).phase is Phase.OVER, for_s=60)
    assert view_of(fresh.nodes[0]).phase is Phase.OVER


def test_a_lobby_of_somebody_who_was_left_out_since_is_not_followed() -> None:
    """It showed one, kept its part of a step back, and says that it is at the end of a game it only looks on at."""
    world = friends(3, auto=Auto.NOTHING, rules=replace(SHORT, pawns=2))
    world.offer(Offers.MAKE)
    world.people_play(0, 1, 2, after_us=50_000)
    world.start()
    world.run(until=lambda: game_of(world.nodes[0]).k > 3, for_s=10)
    shown = next(message for _, message in world.nodes[0].sent if isinstance(message, m.Lobby))

    def meddle(link: int, message: m.Message) -> None:
        if isinstance(message, m.Status):
            message = replace(message, stage=m.Stage.OVER)
        if not isinstance(message, m.Entry | m.SeatOffer):
            world.deliver(2, link, encode_message(message))

    world.meddlers[2] = meddle
    world.run(for_s=2)
    world.send(2, 0, shown)
    honest = world.nodes[:2]
    world.run(until=lambda: all(node.told(GoneOn) for node in honest), for_s=100)
    (kept,) = [link.lobby for link in honest[0].table._desk.links.values() if link.peer.pk == world.nodes[2].pk]
    assert kept == shown
    world.run(until=lambda: all(view_of(node).phase is Phase.OVER for node in honest), for_s=100)
    assert [view_of(node).phase for node in honest] == [Phase.OVER, Phase.OVER]
    world.run(for_s=2)
    assert not honest[0].told(RematchOpened)


@pytest.mark.parametrize("asks", [0, 2])
def test_whoever_was_left_out_sits_down_again_for_the_next_game(asks: int) -> None:
    world = left_out(3)
    world.people_play(0, 1)
    for node in world.nodes[:2]:
        world.looks[-1](node)
    world.run(until=lambda: all(view_of(node).phase is Phase.OVER for node in world.nodes), for_s=100)
    world.run(for_s=1)
    world.tell(asks, RematchAsked())
    world.run(for_s=1)
    for node in world.nodes:
        world.tell(node, SeatChanged(0, ready=Ready.YES))
    world.run(for_s=1)
    started = [node.told(GameStarted)[-1] for node in world.nodes]
    assert started[0] == started[1] == started[2]
    assert [len(game_of(node).seats) for node in world.nodes] == [3, 3, 3]


def lobby_message(world: World, node: int) -> m.Lobby:
    return [message for _, message in world.nodes[node].sent if isinstance(message, m.Lobby)][-1]


def held_back(world: World, node: int, *kinds: type) -> list[m.Message]:
    held: list[m.Message] = []

    def meddle(link: int, message: m.Message) -> None:
        if isinstance(message, kinds):
            held.append(message)
        else:
            world.deliver(node, link, encode_message(message))

    world.meddlers[node] = meddle
    return held


def test_who_is_asked_twice_for_a_rematch_opens_one() -> None:
    world = over(2)
    world.cut(0, 1)
    world.tell(0, RematchAsked())
    world.tell(0, RematchAsked())
    assert len(world.nodes[0].told(RematchOpened)) == 1
    assert lobby_of(world.nodes[0]).hosting


def test_a_lobby_that_comes_before_our_end_waits_for_it() -> None:
    world = last_acks_lost()
    quiet = world.nodes[-1]
    world.run(for_s=31)
    assert view_of(world.nodes[0]).phase is Phase.OVER
    world.tell(0, RematchAsked())
    world.run(for_s=0.5)
    del world.meddlers[quiet.index]
    world.run(for_s=5)
    assert {len(node.told(GameStarted)) for node in world.nodes} == {2}


@pytest.mark.parametrize("after_status", [False, True])
def test_the_lobby_that_a_game_began_in_is_no_rematch_though_it_comes_late(after_status: bool) -> None:
    """A host may show its lobby anew while a guest has all consents already, through another guest."""
    world = friends(3, auto=Auto.NOTHING)
    world.people_play(0, 1, 2)

    def first_status(link: int, message: m.Message) -> None:
        if isinstance(message, m.Status):
            del world.meddlers[0]
            world.send(0, 2, lobby_message(world, 0))
        world.deliver(0, link, encode_message(message))

    if not after_status:
        world.meddlers[0] = first_status
    world.start()
    world.run(until=lambda: bool(world.nodes[2].told(GameStarted)))
    if after_status:
        world.run(for_s=0.001)
        world.send(0, 2, lobby_message(world, 0))
    world.run(until=lambda: all(view_of(node).phase is Phase.OVER for node in world.nodes))
    world.run(for_s=2)
    assert not world.nodes[2].told(RematchOpened)
    world.tell(0, LeaveAsked())
    world.run(for_s=2)
    assert world.nodes[2].finished is None


def test_the_seat_of_somebody_who_left_is_free_for_others() -> None:
    world = over(3)
    world.tell(2, LeaveAsked())
    world.run(for_s=0.3)
    world.tell(0, RematchAsked())
    world.run(for_s=0.5)
    assert seats_of(world.nodes[1]) == [("Bob", 0), ("Eve", 1), ("", 2)]
    world.tell(0, SeatClosed(None))
    world.run(for_s=0.5)
    assert len(world.nodes[1].told(GameStarted)) == 2


def test_a_stranger_may_join_the_lobby_of_a_rematch() -> None:
    clients = [settings(Role.HOST, person(0, auto=Auto.NOTHING), seats=2, rules=SHORT)]
    clients += [settings(Role.JOINER, person(n, auto=Auto.NOTHING)) for n in (1, 2)]
    world = World(*clients)
    world.people_play(0, 1)
    for node in world.nodes:
        world.open(node.index)
    world.link(1, 0)
    world.run(until=lambda: view_of(world.nodes[0]).phase is Phase.OVER)
    world.run(for_s=0.5)
    world.tell(1, LeaveAsked())
    world.run(for_s=0.5)
    world.tell(0, RematchAsked())
    world.link(2, 0)
    world.run(for_s=0.5)
    assert world.nodes[2].told(GameStarted)


@pytest.mark.untraced
def test_twenty_games_in_one_process_leave_nothing_behind() -> None:
    world = friends(2, auto=Auto.NOTHING)
    world.people_play(0, 1)
    world.start()
    held: list[int] = []
    tracemalloc.start()
    for number in range(20):
        world.run(until=lambda: all(view_of(node).phase is Phase.OVER for node in world.nodes))
        world.run(for_s=0.3)
        for node in world.nodes:
            for log in (node.news, node.journal, node.files, node.sent, node.closed, node.admitted, node.sought):
                log.clear()
            for index in (node.signed, node.seats, node.slots):
                index.clear()
        gc.collect()
        held.append(tracemalloc.get_traced_memory()[0])
        world.tell(number % 2, RematchAsked())
    tracemalloc.stop()
    assert max(held[10:]) < held[4] + 300_000


def test_acknowledgements_end_with_the_game() -> None:
    world = over(2)
    for node in world.nodes:
        assert not any(isinstance(body, Ack) and body.k >= game_of(node).k for body in entries(node))

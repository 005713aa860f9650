"""Whole games over the fake wire, from lobby to transcript."""

from collections.abc import Sequence

import pytest

from sorry_lan.fair.verify import Outcome, verify_transcript
from sorry_lan.faults import Err
from sorry_lan.rules.profile import Rules
from sorry_lan.table.commands import FileKind, JournalKind
from sorry_lan.table.news import CardDrawn, Confirmed, LotCast, Played, Won
from sorry_lan.table.settings import Auto, Role
from sorry_lan.table.view import FirstBy, Phase, Presence
from sorry_lan.wire.messages import Message, Want
from tests.table.build import MS, SHORT, Node, World, finished, friends, person, settings


def one_transcript(nodes: Sequence[Node]) -> bytes:
    files = {node.transcripts()[-1] for node in nodes}
    assert len(files) == 1
    return files.pop()


@pytest.mark.parametrize(("people", "bots"), [(2, 0), (3, 0), (4, 0), (1, 1), (1, 3), (2, 1), (2, 2), (3, 1)])
def test_a_game_ends_with_one_transcript_that_holds(people: int, bots: int) -> None:
    world = friends(people, bots=bots, seed=people * 10 + bots)
    world.start()
    world.run(until=lambda: finished(world))
    assert [node.finished for node in world.nodes] == [Err.GOODBYE] * people
    verdict = verify_transcript(one_transcript(world.nodes))
    assert verdict.outcome is Outcome.HOLDS
    for node in world.nodes:
        won = node.told(Won)
        assert [news.seat for news in won] == [verdict.winner]
        assert node.told(Confirmed) == [Confirmed(())]
        assert len(node.told(Played)) == verdict.steps - 1
        assert len(node.told(CardDrawn)) == verdict.steps - 1
        assert node.told(LotCast) == [LotCast(verdict.words, verdict.first, FirstBy.LOT)]
        assert not node.closed or {command.code for command in node.closed} == {Err.GOODBYE}


@pytest.mark.untraced
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_by_the_standard_rules_ends(seats: int) -> None:
    world = friends(seats, rules=Rules(), seed=seats)
    world.start()
    world.run(until=lambda: finished(world))
    assert verify_transcript(one_transcript(world.nodes)).outcome is Outcome.HOLDS


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("slowest_us", [100, 80 * MS])
def test_order_and_speed_of_delivery_change_nothing_but_the_time(seed: int, slowest_us: int) -> None:
    world = friends(3, seed=seed)
    world.slowest_us = slowest_us
    world.start()
    world.run(until=lambda: finished(world))
    assert verify_transcript(one_transcript(world.nodes)).outcome is Outcome.HOLDS


def test_people_at_one_keyboard_are_seats_of_one_client() -> None:
    host = settings(Role.HOST, person(0), person(4, auto=Auto.DRAW), seats=4, rules=SHORT)
    world = World(host, settings(Role.JOINER, person(1), person(5)))
    world.people_play(0)
    world.start()
    world.run(until=lambda: any(node.finished is not None for node in world.nodes))
    verdict = verify_transcript(one_transcript(world.nodes))
    assert verdict.outcome is Outcome.HOLDS
    assert verdict.terms is not None
    assert [seat.client for seat in verdict.terms.seats] == [0, 0, 2, 2]
    view = world.nodes[0].view
    assert view is not None
    assert view.game is not None
    assert [seat.person for seat in view.game.seats] == [0, 1, None, None]


def test_a_local_table_needs_no_links_and_asks_each_person_in_turn() -> None:
    client = settings(Role.LOCAL, *(person(n, auto=Auto.NOTHING) for n in range(2)), seats=3, bots=[0], rules=SHORT)
    world = World(client)
    world.people_play(0)
    world.open()
    world.run(until=lambda: bool(world.nodes[0].told(Confirmed)))
    node = world.nodes[0]
    assert verify_transcript(node.transcripts()[0]).outcome is Outcome.HOLDS
    assert node.sent == []
    assert node.view is not None
    assert node.view.phase is Phase.OVER
    assert node.finished is None


def test_the_youngest_begins_where_everybody_gave_an_age() -> None:
    clients = [settings(Role.HOST, person(0, age=30), seats=3, bots=[0], rules=SHORT)]
    world = World(*clients, settings(Role.JOINER, person(1, age=9)))
    world.start()
    world.run(until=lambda: finished(world))
    assert world.nodes[0].told(LotCast)[0].first_by is FirstBy.AGE
    assert world.nodes[0].told(LotCast)[0].first == 1


@pytest.mark.parametrize("ages", [(9, 9), (9, None)])
def test_two_youngest_or_a_missing_age_leave_it_to_the_lot(ages: tuple[int, int | None]) -> None:
    clients = [settings(Role.HOST, person(0, age=ages[0]), seats=2, rules=SHORT)]
    world = World(*clients, settings(Role.JOINER, person(1, age=ages[1])))
    world.start()
    world.run(until=lambda: finished(world))
    assert world.nodes[0].told(LotCast)[0].first_by is FirstBy.LOT


@pytest.mark.parametrize(
    ("count", "graph"),
    [(3, [(0, 1), (0, 2)]), (4, [(0, 1), (0, 2), (0, 3)]), (4, [(0, 1), (0, 2), (0, 3), (1, 2)])],
)
@pytest.mark.untraced
def test_pairs_that_never_meet_play_through_the_others(count: int, graph: list[tuple[int, int]]) -> None:
    world = friends(count, graph=graph, seed=count)
    world.start()
    world.run(for_s=1)
    world.run(until=lambda: finished(world))
    assert verify_transcript(one_transcript(world.nodes)).outcome is Outcome.HOLDS


def test_through_a_third_nothing_is_missed_that_would_have_to_be_asked_for() -> None:
    world = friends(3, graph=[(0, 1), (0, 2)], seed=3)
    asked: list[Message] = []
    world.watch.append(lambda _, message: asked.append(message) if isinstance(message, Want) else None)
    world.start()
    world.run(until=lambda: any(node.finished is not None for node in world.nodes))
    assert asked == []


def test_a_client_reached_through_another_is_shown_so() -> None:
    world = friends(3, auto=Auto.NOTHING, graph=[(0, 1), (0, 2)])
    world.start()
    world.run(for_s=3)
    view = world.nodes[1].view
    assert view is not None
    assert view.game is not None
    assert [(seat.presence, seat.via) for seat in view.game.seats] == [
        (Presence.LINKED, None),
        (Presence.LOCAL, None),
        (Presence.RELAYED, 0),
    ]


def test_the_journal_begins_with_nonce_consent_and_table_and_holds_every_step() -> None:
    world = friends(2)
    world.start()
    world.run(until=lambda: finished(world))
    for node in world.nodes:
        kinds = [record.kind for record in node.journal]
        assert kinds[:3] == [JournalKind.NONCE, JournalKind.CONSENT, JournalKind.HEADER]
        steps = verify_transcript(node.transcripts()[0]).steps
        assert kinds.count(JournalKind.RECORD) == steps
        assert [(file.kind, file.title) for file in node.files] == [(FileKind.TRANSCRIPT, "A table")]


@pytest.mark.untraced
def test_a_game_costs_each_link_at_most_850_bytes_a_step() -> None:
    world = friends(4, rules=Rules(), seed=5)
    world.start()
    world.run(until=lambda: finished(world))
    steps = verify_transcript(one_transcript(world.nodes)).steps
    assert world.bytes_sent / 6 / steps < 850


def test_a_card_on_the_table_is_no_longer_in_the_pile_that_is_shown() -> None:
    world = friends(2, auto=Auto.DRAW, rules=Rules(), seed=3)
    world.start()

    def asked() -> bool:
        return any(node.view is not None and node.view.prompts for node in world.nodes)

    world.run(until=asked)
    for node in world.nodes:
        assert node.view is not None
        assert node.view.game is not None
        assert sum(node.view.game.pile) == node.told(CardDrawn)[-1].left

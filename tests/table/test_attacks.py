"""Attacks on a game in play, at tables of two, three and four: what every honest client shows, keeps and does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.fair.entry import Ack, Reveal, decode_body
from sorry_lan.fair.verify import Finding, Outcome, verify_transcript
from sorry_lan.faults import Err
from sorry_lan.rules.board import HOME
from sorry_lan.table.commands import FileKind
from sorry_lan.table.desk import known
from sorry_lan.table.events import GoOnAnswered, Ready, Woke
from sorry_lan.table.news import EnginesDiffer, FaultProven, GameSaved, GoneOn, OfferedToGoOn, PresenceChanged
from sorry_lan.table.settings import Auto, Offers
from sorry_lan.table.view import Phase, Presence
from sorry_lan.ui.texts_news import news_lines
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import decode, encode_message
from sorry_lan.wire.terms import SeatKind, Why
from tests.table.build import Node, World, finished, friends
from tests.table.test_continuing import all_end, seat_of, table
from tests.table.test_play import deal, entries, game_of, started, view_of
from tests.table.test_trouble import ledger_of, moves, mute, others, saved, signed_by

SEATS = pytest.mark.parametrize("count", [2, 3, 4])


@SEATS
def test_a_move_shown_to_one_seat_only_is_soon_everybodys(count: int) -> None:
    """A04."""
    world = started(count)
    evil, prompt = deal(world)
    mute(world, evil)
    honest = others(world, evil)
    world.send(evil.index, honest[0].index, signed_by(evil, moves(evil)[0]))
    world.run(for_s=1)
    assert {(ledger_of(node).k, ledger_of(node).head) for node in honest} == {(prompt.k + 1, ledger_of(honest[0]).head)}


@SEATS
def test_after_an_illegal_move_its_rule_is_named_and_a_stand_in_offered_at_once(count: int) -> None:
    """A05: error 34 on all screens, the board as it was, and no minute of waiting; of two players one saves."""
    world = friends(count, auto=Auto.NOTHING)
    world.offer(Offers.PEOPLE)
    world.start()
    world.run(for_s=0.5)
    evil, prompt = deal(world)
    honest = others(world, evil)
    before = game_of(honest[0]).position
    mute(world, evil)
    world.send(evil.index, honest[0].index, signed_by(evil, replace(moves(evil)[0], action=(1, 9))))
    world.run(for_s=1)
    for node in honest:
        assert node.told(FaultProven) == [FaultProven(prompt.seat, Err.ILLEGAL_ACTION, prompt.k)]
        assert game_of(node).position == before
        assert node.told(OfferedToGoOn) == [OfferedToGoOn(None, (prompt.seat,), (), Why.FAULT)]
        offer = view_of(node).going_on
        assert offer is not None
        assert offer.saves is (count == 2)
    for node in honest:
        world.tell(node, GoOnAnswered(Ready.YES))
    world.run(for_s=3)
    for node in honest:
        if count == 2:
            assert node.told(GameSaved) == [GameSaved((prompt.seat,))]
        else:
            assert [news.without for news in node.told(GoneOn)] == [(prompt.seat,)]  # type: ignore[attr-defined]
            assert game_of(node).seats[prompt.seat].kind is SeatKind.STAND_IN
            parent = known(ledger_of(node).terms.parent)
            assert decode(parent.snapshot)[2] == before.pawns  # type: ignore[index]


@SEATS
def test_a_move_with_another_digest_stops_the_game_and_both_states_are_written(count: int) -> None:
    """A06: error 36; each dump holds our state and the entry that says otherwise; nobody acknowledges or is blamed."""
    world = started(count)
    evil, prompt = deal(world)
    mute(world, evil)
    bad = signed_by(evil, replace(moves(evil)[0], state=bytes(32)))
    for victim in others(world, evil):
        world.send(evil.index, victim.index, bad)
    world.run(for_s=1)
    for node in others(world, evil):
        assert EnginesDiffer(prompt.k, (prompt.seat,)) in node.told(EnginesDiffer)
        assert node.told(FaultProven) == []
        dump = "".join(dump.decode() for dump in saved(node, FileKind.DUMP))
        assert f"differs {bad.body.hex()}" in dump
        assert "\nbefore " in dump
        assert view_of(node).phase is Phase.FROZEN
        assert not any(isinstance(body, Ack) and body.k == prompt.k for body in entries(node))


@SEATS
@pytest.mark.parametrize("disguise", [False, True], ids=["as it was", "under the new id"])
def test_what_was_signed_in_an_older_game_is_worth_nothing(count: int, *, disguise: bool) -> None:
    """A10: entries and whole records; nothing of them is written down."""
    before = started(count, seed=5)
    before.people_play(*range(count))
    for each in before.nodes:
        before.looks[-1](each)
    before.run(until=lambda: all(game_of(each).k > 2 for each in before.nodes))
    world = started(count, seed=6)
    node, evil = world.nodes[0], world.nodes[1]
    game = game_of(node).game_id
    written = len(node.journal)
    old = ledger_of(before.nodes[1])
    entry = next(message for _, message in before.nodes[1].sent if isinstance(message, m.Entry))
    record = m.StepRecord(old.game_id, 1, old.record(1).entries)
    for message in (entry, record):
        world.send(evil.index, node.index, replace(message, game=game) if disguise else message)
        world.run(for_s=0.2)
        if disguise:
            assert node.closed.pop().code is Err.BAD_SIGNATURE
            world.link(evil.index, node.index, intent=m.Intent.GAME)
            world.run(for_s=0.5)
    assert node.closed == []
    assert len([record for record in node.journal if record.game == old.game_id]) == 0
    assert len(node.journal) == written
    assert node.told(FaultProven) == []


@SEATS
def test_a_partition_that_heals_within_the_minute_asks_nobody_and_loses_nothing(count: int) -> None:
    """A15."""
    world = table(count, offers=Offers.PEOPLE)
    world.part(range(count - 1), (count - 1,))
    world.run(for_s=55)
    assert [news.presence for news in world.nodes[0].told(PresenceChanged)][-2:] == [  # type: ignore[attr-defined]
        Presence.RECONNECTING,
        Presence.AWAY,
    ]
    world.heal()
    verdict = verify_transcript(all_end(world, range(count)))
    assert (verdict.outcome, verdict.finding, verdict.goings) == (Outcome.HOLDS, Finding.WON, ())
    assert not any(node.told(OfferedToGoOn) for node in world.nodes)


@SEATS
def test_a_held_share_is_waited_for_a_minute_then_its_seat_is_named_and_an_offer_made(count: int) -> None:
    """A16, of a seat that is linked all the time."""
    world = friends(count, auto=Auto.DRAW)
    world.offer(Offers.PEOPLE)
    world.start()
    world.run(until=lambda: any(view_of(node).prompts for node in world.nodes), for_s=2)
    evil = world.nodes[-1]
    withheld: list[m.Message] = []

    def meddle(link: int, message: m.Message) -> None:
        game = known(evil.table._game)
        to_play = game.ledger.position.turn in game.hands
        share = isinstance(message, m.Entry) and isinstance(decode_body(message.body), Reveal)
        if share and (withheld or not to_play):
            withheld.append(message)
        else:
            world.deliver(evil.index, link, encode_message(message))

    world.meddlers[evil.index] = meddle
    world.people_play(*range(count))
    for node in world.nodes:
        world.looks[-1](node)
    world.run(until=lambda: bool(withheld), for_s=5)
    world.run(for_s=57)
    honest = others(world, evil)
    seat = seat_of(world, evil.index)
    for node in honest:
        assert game_of(node).seats[seat].owes
        assert node.told(OfferedToGoOn) == []
    world.run(for_s=6)
    for node in honest:
        (offered,) = node.told(OfferedToGoOn)
        assert offered == OfferedToGoOn(None, (seat,), (), Why.OWED)
        name = game_of(node).seats[seat].name
        assert f"{name} " in news_lines(offered, view_of(node))[0]
        assert "owes a card share" in news_lines(offered, view_of(node))[0]


@pytest.mark.parametrize("count", [3, 4])
def test_a_stand_in_that_is_home_first_ends_nothing(count: int) -> None:
    """A17: the first seat that is no stand-in wins."""
    for seed in range(30):
        world = table(count, seed=seed, k=3)
        world.kill(count - 1)
        seat = seat_of(world, count - 1)
        verdict = verify_transcript(all_end(world, range(count - 1)))
        assert (verdict.outcome, verdict.finding) == (Outcome.HOLDS, Finding.WON)
        assert verdict.winner not in (None, seat)
        if game_of(world.nodes[0]).position.pawns[seat] == (HOME,):
            return
    raise AssertionError("no stand-in is ever home first")


@SEATS
@pytest.mark.parametrize("share", ["random", "later", "earlier"])
def test_a_wrong_preimage_is_refused_and_fills_no_slot(count: int, share: str) -> None:
    """A18."""
    world = friends(count, auto=Auto.NOTHING)
    evil = world.nodes[-1]

    def meddle(link: int, message: m.Message) -> None:
        if isinstance(message, m.Entry):
            seat = seat_of(world, evil.index)
            hand = evil.table._game.hands[seat]  # type: ignore[union-attr]
            wrong = {"random": bytes(32), "later": hand.reveal(1).share, "earlier": hand._chain.anchor}[share]
            message = signed_by(evil, Reveal(0, seat, wrong))
        world.deliver(evil.index, link, encode_message(message))

    world.meddlers[evil.index] = meddle
    world.start()
    world.run(for_s=0.3)
    seat = seat_of(world, evil.index)
    for node in others(world, evil):
        assert [command.code for command in node.closed][:1] == [Err.BAD_SHARE]
        assert sorted(ledger_of(node).open.shares) == [number for number in range(count) if number != seat]
        assert (game_of(node).k, node.told(FaultProven)) == (0, [])


@SEATS
def test_clocks_that_jump_change_nothing(count: int) -> None:
    """A50: all that a wall clock can do to a table is to say that this computer slept."""

    def played(*, jumps: bool) -> set[bytes]:
        world = friends(count, seed=3)
        world.start()
        if jumps:
            for second in range(1, 200):
                node = world.nodes[second % count]
                world.at(world.now_us + second * 5_000, lambda node=node: woken(world, node))
        world.run(until=lambda: finished(world))
        return {node.transcripts()[-1] for node in world.nodes}

    still, jumping = played(jumps=False), played(jumps=True)
    assert len(still) == len(jumping) == 1
    assert still == jumping


def woken(world: World, node: Node) -> None:
    if node.finished is None:
        world.tell(node, Woke())


def test_two_halves_keep_two_games_and_nothing_of_each_other() -> None:
    """A14: two ids, each in the journals of its half alone."""
    world = table(4)
    world.part((0, 1), (2, 3))
    world.run(until=lambda: all(len(node.told(GoneOn)) == 1 for node in world.nodes), for_s=70)
    world.heal()
    for half in ((0, 1), (2, 3)):
        all_end(world, half)
    ids = [{record.game for record in node.journal if record.game is not None} for node in world.nodes]
    assert ids[0] == ids[1]
    assert ids[2] == ids[3]
    assert len(ids[0] & ids[2]) == 1
    assert len(ids[0] | ids[2]) == 3


def test_cards_are_counted_over_from_one_table_to_the_next() -> None:
    """A51, A05: what lies in the pile and what was drawn are together one deck, whoever plays on."""
    world = table(3, k=5)
    world.kill(2)
    world.run(until=lambda: bool(world.nodes[0].told(GoneOn)), for_s=100)
    parent = ledger_of(world.nodes[0]).terms.parent
    assert parent is not None
    drawn = parent.k - 1 + (parent.pending is not None)
    assert sum(game_of(world.nodes[0]).pile) == 45 - drawn

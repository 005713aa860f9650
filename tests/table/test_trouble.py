"""Faults that are proven, and differences that prove nothing: who is blamed, and what stands still."""

from dataclasses import replace

import pytest

from sorry_lan.fair.chain import Chain
from sorry_lan.fair.entry import Ack, Body, MoveEntry, Reveal, decode_body, sign_entry
from sorry_lan.fair.step import outcome
from sorry_lan.fair.verify import verify_transcript
from sorry_lan.faults import Err
from sorry_lan.rules.moves import to_action
from sorry_lan.table.commands import FileKind
from sorry_lan.table.events import Ready, RematchAsked, SeatChanged
from sorry_lan.table.news import EnginesDiffer, FaultProven, GameStarted, GoneOn
from sorry_lan.table.play import Game
from sorry_lan.table.settings import Auto, Offers, Role
from sorry_lan.table.view import Ask, Phase, Presence
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import encode_message
from tests.table.build import SHORT, Node, World, answer, friends, person, settings
from tests.table.test_play import deal, entries, game_of, on_turn, started, view_of


def ledger_of(node: Node):  # type: ignore[no-untyped-def]
    game = node.table._game
    assert game is not None
    return game.ledger


def signed_by(node: Node, body: Body) -> m.Entry:
    """What this client's first person would have signed, guard or no guard."""
    game = ledger_of(node).game_id
    signed = sign_entry(node.settings.people[0].key, game, body)
    return m.Entry(game, signed.body, signed.sig)


def moves(node: Node) -> list[MoveEntry]:
    """Every MOVE that the seat on turn could sign now."""
    ledger = ledger_of(node)
    now = ledger.open
    results = [outcome(ledger.standing, ledger.rules, now.drawn, move) for move in now.choices]
    seat = ledger.position.turn
    return [MoveEntry(ledger.k, seat, ledger.head, to_action(result.move), result.state) for result in results]


def mute(world: World, node: Node) -> None:
    """Nothing that this client's Table sends arrives."""

    def meddle(link: int, message: m.Message) -> None:
        """Lost."""

    world.meddlers[node.index] = meddle


def others(world: World, node: Node) -> list[Node]:
    return [each for each in world.nodes if each is not node]


def saved(node: Node, kind: FileKind) -> list[bytes]:
    return [file.content for file in node.files if file.kind is kind]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_two_moves_of_one_step_are_caught_before_any_share_of_the_next(count: int) -> None:
    world = started(count, seed=count)
    evil, prompt = deal(world)
    mute(world, evil)
    first, second = moves(evil)[:2]
    for number, victim in enumerate(others(world, evil)):
        world.arrive(evil.index, victim.index, signed_by(evil, (first, second)[number % 2]))
    if count == 2:
        world.send(evil.index, others(world, evil)[0].index, signed_by(evil, second))
    world.run(for_s=1)
    for node in others(world, evil):
        assert node.told(FaultProven) == [FaultProven(prompt.seat, Err.EQUIVOCATION, prompt.k)]
        assert view_of(node).phase is Phase.FROZEN
        if count > 2:
            assert not any(isinstance(body, Reveal) and body.k > prompt.k for body in entries(node))
        verdict = verify_transcript(saved(node, FileKind.EVIDENCE)[0])
        assert verdict.blamed == prompt.seat
        assert any(isinstance(message, m.Fault) for _, message in node.sent)


@pytest.mark.spec("S-16")
def test_whoever_died_is_shown_again_what_was_proven() -> None:
    world = started(3, seed=3)
    evil, prompt = deal(world)
    mute(world, evil)
    stays, dies = others(world, evil)
    for victim, move in zip((stays, dies), moves(evil), strict=False):
        world.arrive(evil.index, victim.index, signed_by(evil, move))
    world.run(for_s=1)
    proven = FaultProven(prompt.seat, Err.EQUIVOCATION, prompt.k)
    assert (stays.told(FaultProven), dies.told(FaultProven)) == ([proven], [proven])
    world.kill(dies.index)
    world.run(for_s=1)
    world.restart(dies.index)
    world.link(dies.index, stays.index, intent=m.Intent.GAME)
    world.run(for_s=2)
    assert (stays.told(FaultProven), dies.told(FaultProven)) == ([proven], [proven, proven])


def test_a_move_shown_to_one_seat_only_reaches_all() -> None:
    world = started(4)
    evil, prompt = deal(world)
    mute(world, evil)
    victim = others(world, evil)[0]
    world.send(evil.index, victim.index, signed_by(evil, moves(evil)[0]))
    world.run(for_s=1)
    assert {ledger_of(node).head for node in others(world, evil)} == {ledger_of(victim).head}
    assert {game_of(node).k for node in others(world, evil)} == {prompt.k + 1}


@pytest.mark.parametrize(
    "change",
    [{"action": (1, 9)}, {"action": (77,)}, {"action": (5, 1, 3, 1)}, {"head": bytes(32)}],
    ids=["no such pawn", "no action", "no such seat", "another head"],
)
def test_an_illegal_move_is_not_played_and_proves_itself(change: dict[str, object]) -> None:
    world = started(3)
    evil, prompt = deal(world)
    mute(world, evil)
    before = game_of(others(world, evil)[0]).position
    bad = replace(moves(evil)[0], **change)  # type: ignore[arg-type]
    world.send(evil.index, others(world, evil)[0].index, signed_by(evil, bad))
    world.run(for_s=1)
    for node in others(world, evil):
        assert node.told(FaultProven) == [FaultProven(prompt.seat, Err.ILLEGAL_ACTION, prompt.k)]
        assert game_of(node).position == before
        assert view_of(node).phase is Phase.FROZEN
        verdict = verify_transcript(saved(node, FileKind.EVIDENCE)[0])
        assert verdict.blamed == prompt.seat
        assert node.closed == []


def test_a_move_with_another_digest_freezes_and_blames_nobody() -> None:
    world = started(3)
    evil, prompt = deal(world)
    mute(world, evil)
    bad = replace(moves(evil)[0], state=bytes(32))
    for victim in others(world, evil):
        world.arrive(evil.index, victim.index, signed_by(evil, bad))
    world.run(for_s=1)
    for node in others(world, evil):
        assert node.told(FaultProven) == []
        assert node.told(EnginesDiffer)[0] == EnginesDiffer(prompt.k, (prompt.seat,))
        assert b"differs" in saved(node, FileKind.DUMP)[0]
        assert view_of(node).phase is Phase.FROZEN
        assert not any(isinstance(body, Ack) and body.k == prompt.k for body in entries(node))
        assert any(isinstance(message, m.Status) and message.stage == m.Stage.DIVERGED for _, message in node.sent)


def test_a_move_with_another_digest_that_one_was_shown_stops_all_for_the_same_reason() -> None:
    world = started(4)
    evil, prompt = deal(world)
    mute(world, evil)
    victim = others(world, evil)[0]
    world.send(evil.index, victim.index, signed_by(evil, replace(moves(evil)[0], state=bytes(32))))
    world.run(for_s=3)
    for node in others(world, evil):
        game = node.table._game
        assert game is not None
        assert view_of(node).phase is Phase.FROZEN
        assert game.trouble.apart == {prompt.seat}


def test_what_was_said_before_the_step_was_counted_is_looked_at_again_then() -> None:
    world = started(2)
    node, other = on_turn(world)
    game = node.table._game
    assert game is not None
    status = next(message for _, message in reversed(other.sent) if isinstance(message, m.Status))
    apart = replace(status, stage=m.Stage.DIVERGED)
    world.send(other.index, node.index, apart)
    world.run(for_s=0.3)
    assert game.trouble.apart == set()
    asked, prompt = deal(world)
    while asked is not node:
        world.tell(asked, answer(prompt))
        world.run(for_s=0.2)
        asked, prompt = deal(world)
    mute(world, other)
    world.tell(node, answer(prompt))
    world.send(other.index, node.index, apart)
    world.run(for_s=0.3)
    assert game.trouble.apart == {1 - next(iter(game.hands))}


def test_who_hears_that_another_stands_apart_writes_its_own_state_and_plays_on() -> None:
    world = started(2)
    node, other = on_turn(world)
    status = next(message for _, message in reversed(other.sent) if isinstance(message, m.Status))
    seat = 1 - game_of(node).position.turn
    for _ in range(2):
        world.send(other.index, node.index, replace(status, stage=m.Stage.DIVERGED))
    world.run(for_s=0.3)
    assert node.told(EnginesDiffer) == [EnginesDiffer(1, (seat,))]
    assert len(saved(node, FileKind.DUMP)) == 1
    assert view_of(node).prompts[0].ask is Ask.DRAW


def counted(count: int = 3) -> tuple[World, Node, Node, Node]:
    """A step that is counted by all; the acknowledgement of `evil` has not left yet."""
    world = started(count)
    node, prompt = deal(world)
    evil, last = others(world, node)[:2]
    mute(world, evil)
    world.tell(node, answer(prompt))
    world.run(for_s=0.1)
    return world, node, evil, last


def test_an_acknowledgement_of_another_head_is_asked_about_and_proves_nothing() -> None:
    world, node, evil, _ = counted()
    k, seat = game_of(node).k, game_of(evil).seats[evil_seat(evil)].index
    world.send(evil.index, node.index, signed_by(evil, Ack(k, seat, bytes(32))))
    world.run(for_s=0.1)
    wants = [message for _, message in node.sent if isinstance(message, m.Want)]
    assert [(want.k, want.count) for want in wants] == [(k, 1)]
    assert node.told(EnginesDiffer) == node.told(FaultProven) == []
    assert view_of(node).phase is Phase.ACKS
    move = ledger_of(node).open.move
    world.send(evil.index, node.index, m.Entry(game_of(node).game_id, move.body, move.sig))
    world.run(for_s=0.1)
    assert node.told(EnginesDiffer) == [EnginesDiffer(k, ())]
    assert view_of(node).phase is Phase.FROZEN


def evil_seat(node: Node) -> int:
    return next(seat.index for seat in game_of(node).seats if seat.person == 0)


def test_two_heads_of_a_step_that_nobody_signs_a_move_of_are_two_engines() -> None:
    world = friends(2, auto=Auto.NOTHING)
    evil = world.nodes[1]

    def meddle(link: int, message: m.Message) -> None:
        if isinstance(message, m.Entry) and any(isinstance(body, Ack) for body in entries(evil)):
            message = signed_by(evil, Ack(0, 1, bytes(32)))
        world.deliver(1, link, encode_message(message))

    world.meddlers[1] = meddle
    world.start()
    world.run(for_s=0.3)
    assert world.nodes[0].told(EnginesDiffer) == [EnginesDiffer(0, (1,))]
    assert view_of(world.nodes[0]).phase is Phase.FROZEN


def test_two_acknowledgements_of_one_step_are_proof() -> None:
    world, node, evil, last = counted()
    k, seat = game_of(node).k, evil_seat(evil)
    for number in (1, 2):
        world.send(evil.index, node.index, signed_by(evil, Ack(k, seat, bytes([number]) * 32)))
    world.run(for_s=0.5)
    for each in (node, last):
        assert each.told(FaultProven) == [FaultProven(seat, Err.EQUIVOCATION, k)]
        assert verify_transcript(saved(each, FileKind.EVIDENCE)[0]).blamed == seat


def test_two_shares_of_one_step_are_proof_though_one_of_them_is_bad() -> None:
    world = started(3)
    _, evil = on_turn(world)
    mute(world, evil)
    k, seat = game_of(evil).k, evil_seat(evil)
    world.send(evil.index, others(world, evil)[0].index, signed_by(evil, Reveal(k, seat, bytes(32))))
    world.run(for_s=0.5)
    for node in others(world, evil):
        assert node.told(FaultProven) == [FaultProven(seat, Err.EQUIVOCATION, k)]
    assert [command.code for node in others(world, evil) for command in node.closed] == []


def test_of_two_shares_the_one_that_opens_its_chain_fills_the_slot_whichever_came_first() -> None:
    """Else whoever was shown the bad one first never comes to the step that the others play."""
    world = friends(3, auto=Auto.NOTHING)
    evil = world.nodes[2]

    def meddle(link: int, message: m.Message) -> None:
        if not isinstance(message, m.Entry | m.Status):
            world.deliver(2, link, encode_message(message))

    world.meddlers[2] = meddle
    world.start()
    world.run(for_s=0.3)
    seat, (victim, other) = evil_seat(evil), others(world, evil)
    share = evil.table._game.hands[seat].reveal(0)  # type: ignore[union-attr]
    world.send(2, victim.index, signed_by(evil, Reveal(0, seat, bytes(32))))
    world.run(for_s=0.2)
    assert [command.code for command in victim.closed] == [Err.BAD_SHARE]
    world.send(2, other.index, signed_by(evil, share))
    world.run(for_s=2)
    assert victim.told(FaultProven) == other.told(FaultProven) == [FaultProven(seat, Err.EQUIVOCATION, 0)]
    assert set(ledger_of(victim).open.shares) == set(ledger_of(other).open.shares) == {0, 1, 2}


def test_of_two_acknowledgements_the_one_of_our_head_fills_the_slot_and_nobody_stands_apart() -> None:
    """A cheat shows another head to one of us, and the move that it denies: that one believes that engines differ."""
    world, node, evil, last = counted()
    k, seat = game_of(node).k, evil_seat(evil)
    move = ledger_of(node).open.move
    world.send(evil.index, node.index, signed_by(evil, Ack(k, seat, bytes(32))))
    world.run(for_s=0.1)
    world.send(evil.index, node.index, m.Entry(game_of(node).game_id, move.body, move.sig))
    world.run(for_s=1.5)
    assert node.told(EnginesDiffer)
    trouble = last.table._game.trouble  # type: ignore[union-attr]
    assert trouble.apart
    good = signed_by(evil, Ack(k, seat, ledger_of(node).open.applied.head))
    world.send(evil.index, last.index, good)
    world.run(for_s=1.5)
    assert ledger_of(node).k == ledger_of(last).k == k + 1
    assert not node.table._game.trouble.stands_apart  # type: ignore[union-attr]
    assert trouble.apart == set()
    assert {news.seat for each in (node, last) for news in each.told(FaultProven)} == {seat}  # type: ignore[attr-defined]


def test_a_cheat_does_not_make_the_proofs_so_many_that_showing_them_is_a_flood() -> None:
    world = started(3, rules=replace(SHORT, pawns=2))
    evil, last = world.nodes[:2]
    while game_of(evil).k < 12:
        for each in world.nodes:
            for prompt in view_of(each).prompts:
                world.tell(each, answer(prompt))
        world.run(for_s=0.2)
    seat = evil_seat(evil)
    for earlier in range(12):
        for number in (1, 2):
            world.send(evil.index, last.index, signed_by(evil, Ack(earlier, seat, bytes([number]) * 32)))
        world.run(for_s=0.2)
    assert 1 <= len(last.told(FaultProven)) <= 4
    assert len(last.table._game.trouble.shown) == len(last.told(FaultProven))  # type: ignore[union-attr]


def test_a_proven_cheat_s_word_makes_nobody_reachable() -> None:
    world, node, evil, last = counted()
    k, seat = game_of(node).k, evil_seat(evil)
    gone = evil_seat(last)
    presences = node.table._game.presences  # type: ignore[union-attr]
    world.kill(last.index)
    said = next(message for _, message in reversed(evil.sent) if isinstance(message, m.Status))
    world.send(evil.index, node.index, replace(said, links=15))
    world.run(for_s=0.5)
    assert presences.reach[gone] == (Presence.RELAYED, seat)
    for number in (1, 2):
        world.send(evil.index, node.index, signed_by(evil, Ack(k, seat, bytes([number]) * 32)))
    world.send(evil.index, node.index, replace(said, links=15))
    world.run(for_s=0.5)
    assert node.told(FaultProven)
    assert presences.reach[gone] == (Presence.RECONNECTING, None)


@pytest.mark.parametrize("share", ["random", "later", "earlier"])
def test_a_share_that_does_not_open_the_chain_is_refused(share: str) -> None:
    world = friends(2, auto=Auto.NOTHING)
    evil = world.nodes[1]

    def meddle(link: int, message: m.Message) -> None:
        if isinstance(message, m.Entry):
            hand = evil.table._game.hands[1]  # type: ignore[union-attr]
            wrong = {"random": bytes(32), "later": hand.reveal(1).share, "earlier": hand._chain.anchor}[share]
            message = signed_by(evil, Reveal(0, 1, wrong))
        world.deliver(1, link, encode_message(message))

    world.meddlers[1] = meddle
    world.start()
    world.run(for_s=0.3)
    node = world.nodes[0]
    assert [command.code for command in node.closed][:1] == [Err.BAD_SHARE]
    assert list(ledger_of(node).open.shares) == [0]
    assert game_of(node).k == 0


def test_a_copied_anchor_opens_nothing() -> None:
    one, two = person(0), person(1)
    chain = Chain(one.root, one.key.public, bytes(32))
    assert chain.anchor != Chain(one.root, two.key.public, bytes(32)).anchor


def test_a_held_share_is_waited_for_and_its_seat_named() -> None:
    world = friends(3, auto=Auto.NOTHING)
    world.meddlers[2] = lambda link, message: (
        None if isinstance(message, m.Entry) else world.deliver(2, link, encode_message(message))
    )
    world.start()
    world.run(for_s=20)
    for node in world.nodes[:2]:
        assert [seat.index for seat in game_of(node).seats if seat.owes] == [2]
        assert game_of(node).k == 0
        assert node.finished is None


def test_a_second_move_that_comes_after_the_end_is_proof_and_ends_nothing() -> None:
    world = friends(3, auto=Auto.NOTHING)
    world.people_play(0, 1, 2)
    world.start()
    world.run(until=lambda: all(view_of(node).phase is Phase.OVER for node in world.nodes))
    last = ledger_of(world.nodes[0]).record(ledger_of(world.nodes[0]).k - 1)
    winner = game_of(world.nodes[0]).winner
    evil = next(node for node in world.nodes if evil_seat(node) == winner)
    victim = others(world, evil)[0]
    world.send(evil.index, victim.index, signed_by(evil, MoveEntry(last.k, winner or 0, bytes(32), (), bytes(32))))
    world.run(for_s=0.3)
    assert victim.told(FaultProven) == [FaultProven(winner or 0, Err.EQUIVOCATION, last.k)]
    assert view_of(victim).phase is Phase.OVER


@pytest.mark.parametrize("asks", [0, 1])
def test_after_an_end_with_a_proven_cheat_there_is_a_next_lobby_all_the_same(asks: int) -> None:
    """What was proven with the last step froze the game, and then it was over."""
    world = friends(3, auto=Auto.NOTHING, seed=1)
    world.people_play(0, 1, 2)
    world.start()
    world.run(until=lambda: ledger_of(world.nodes[0]).over is not None)
    evil, victim = world.nodes[2], world.nodes[0]
    seat, ledger = evil_seat(evil), ledger_of(victim)
    bodies = [decode_body(signed.body) for k in range(ledger.k) for signed in ledger.record(k).entries]
    acked = max(body.k for body in bodies if isinstance(body, Ack) and body.seat == seat)
    world.arrive(2, 0, signed_by(evil, Ack(acked, seat, bytes(32))))
    world.run(until=lambda: all(node.table._game.ended for node in world.nodes), for_s=40)  # type: ignore[union-attr]
    assert victim.told(FaultProven)
    assert view_of(victim).phase is Phase.FROZEN
    world.tell(asks, RematchAsked())
    world.run(for_s=1)
    for node in world.nodes:
        world.tell(node, SeatChanged(0, ready=Ready.YES))
    world.run(for_s=1)
    assert {len(node.told(GameStarted)) for node in world.nodes} == {2}


def test_who_plays_by_itself_goes_when_a_game_stands_still_for_good() -> None:
    clients = [settings(Role.HOST, person(0), seats=3, rules=SHORT), settings(Role.JOINER, person(1))]
    world = World(*clients, settings(Role.JOINER, person(2, auto=Auto.NOTHING)))
    world.start()
    evil = world.nodes[2]
    while not (view_of(evil).prompts and len(view_of(evil).prompts[0].choices) > 1):
        for prompt in view_of(evil).prompts:
            world.tell(evil, answer(prompt))
        world.run(for_s=0.1)
    world.meddlers[2] = lambda link, message: world.deliver(2, link, encode_message(message))
    for move in moves(evil)[:2]:
        world.send(2, 0, signed_by(evil, move))
    world.run(for_s=29)
    assert [node.finished for node in world.nodes] == [None] * 3
    world.run(for_s=2)
    assert [node.finished for node in world.nodes] == [Err.EQUIVOCATION] * 2 + [None]


def test_who_plays_by_itself_stays_while_the_game_may_go_on_without_the_cheat() -> None:
    """The fourth is away for half a minute when the third is caught; the programs wait for it, and play on with it."""
    away = person(3)
    clients = [settings(Role.HOST, person(0), seats=4, rules=replace(SHORT, pawns=2))]
    clients += [settings(Role.JOINER, person(1)), settings(Role.JOINER, person(2, auto=Auto.NOTHING))]
    world = World(*clients, settings(Role.JOINER, away))
    world.offer(Offers.MAKE)
    world.start()
    evil = world.nodes[2]
    while not (view_of(evil).prompts and len(view_of(evil).prompts[0].choices) > 1):
        for prompt in view_of(evil).prompts:
            world.tell(evil, answer(prompt))
        world.run(for_s=0.1)
    world.kill(3)
    for victim in (0, 1):
        for move in moves(evil)[:2]:
            world.send(2, victim, signed_by(evil, move))
    world.run(for_s=40)
    assert [world.nodes[node].finished for node in (0, 1)] == [None, None]
    world.restart(3)
    world.run(until=lambda: all(world.nodes[node].told(GoneOn) for node in (0, 1, 3)), for_s=30)
    assert [len(world.nodes[node].told(GoneOn)) for node in (0, 1, 3)] == [1, 1, 1]


def test_what_comes_while_a_game_stands_still_is_still_counted() -> None:
    world = started(3)
    evil, prompt = deal(world)
    node = others(world, evil)[0]
    game = node.table._game
    assert isinstance(game, Game)
    first, second = moves(evil)[:2]
    held = Ack(prompt.k, evil_seat(others(world, evil)[1]), bytes(32))
    mute(world, others(world, evil)[1])
    mute(world, evil)
    world.send(evil.index, node.index, signed_by(evil, first))
    world.send(evil.index, node.index, signed_by(evil, second))
    world.run(for_s=0.1)
    assert view_of(node).phase is Phase.FROZEN
    signer = others(world, evil)[1]
    applied = ledger_of(node).open.applied
    world.send(signer.index, node.index, signed_by(signer, replace(held, head=applied.head)))
    world.run(for_s=0.1)
    assert view_of(node).phase is Phase.FROZEN
    assert list(ledger_of(node).open.acks) == [held.seat] or game_of(node).k == prompt.k + 1


def test_an_illegal_move_that_came_before_its_card_proves_itself_when_the_card_is_known() -> None:
    world = started(3)
    evil, _ = on_turn(world)
    ledger = ledger_of(evil)
    seat = ledger.position.turn
    early = MoveEntry(ledger.k, seat, ledger.head, (1, 9), bytes(32))
    for node in others(world, evil):
        world.send(evil.index, node.index, signed_by(evil, early))
    world.run(for_s=0.3)
    assert others(world, evil)[0].told(FaultProven) == []
    mute(world, evil)
    k = ledger.k
    for node in others(world, evil):
        reveal = evil.table._game.hands[seat].reveal(k)  # type: ignore[union-attr]
        world.send(evil.index, node.index, signed_by(evil, reveal))
    world.run(for_s=0.3)
    for node in others(world, evil):
        assert node.told(FaultProven) == [FaultProven(seat, Err.ILLEGAL_ACTION, k)]
        assert node.closed == []


def test_an_early_acknowledgement_of_a_wrong_head_by_somebody_who_is_gone_is_left_alone() -> None:
    world = started(2)
    node, prompt = deal(world)
    evil = others(world, node)[0]
    world.send(evil.index, node.index, signed_by(evil, Ack(prompt.k, evil_seat(evil), bytes(32))))
    world.run(for_s=0.1)
    world.graph = set()
    world.cut(0, 1)
    world.tell(node, answer(prompt))
    assert not any(isinstance(message, m.Want) for _, message in node.sent)
    assert node.told(EnginesDiffer) == node.told(FaultProven) == []


def test_a_bad_share_that_came_a_step_early_uses_up_its_slot_and_its_seat_is_named() -> None:
    world = started(3)
    node, prompt = deal(world)
    evil, last = others(world, node)
    seat = evil_seat(evil)
    world.send(evil.index, last.index, signed_by(evil, Reveal(prompt.k + 1, seat, bytes(32))))
    world.run(for_s=0.1)
    world.meddlers[evil.index] = lambda link, message: (
        None
        if isinstance(message, m.Entry) and message.body[1] == Reveal.KIND
        else world.deliver(evil.index, link, encode_message(message))
    )
    world.tell(node, answer(prompt))
    world.run(for_s=0.3)
    assert game_of(last).k == prompt.k + 1
    assert last.told(FaultProven) == []
    assert last.closed == []
    assert game_of(last).seats[seat].owes

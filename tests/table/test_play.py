"""A step between several clients: who is asked what, and what is signed when."""

from dataclasses import replace

import pytest

from sorry_lan.fair.entry import Ack, MoveEntry, Reveal, decode_body
from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import Decline
from sorry_lan.rules.profile import PROFILES, Rules
from sorry_lan.table.events import DiskFailed, DiskWorks, DrawAsked, LeaveAsked, SeatDecided
from sorry_lan.table.news import DiskState, LotCast, Played
from sorry_lan.table.settings import Auto, Role
from sorry_lan.table.view import Ask, GameView, Phase, Prompt, View
from sorry_lan.wire import messages as m
from tests.table.build import SHORT, Node, World, answer, friends, person, settings


def view_of(node: Node) -> View:
    assert node.view is not None
    return node.view


def game_of(node: Node) -> GameView:
    game = view_of(node).game
    assert game is not None
    return game


def entries(node: Node) -> list[object]:
    return [decode_body(message.body) for _, message in node.sent if isinstance(message, m.Entry)]


def started(count: int = 2, *, auto: Auto = Auto.NOTHING, rules: Rules = SHORT, **more: int) -> World:
    """A table at which step 1 waits for its person."""
    world = friends(count, auto=auto, rules=rules, **more)
    world.start()
    world.run(for_s=0.5)
    return world


def on_turn(world: World) -> tuple[Node, Node]:
    """The client whose person is asked, and another one."""
    asked = [node for node in world.nodes if view_of(node).prompts]
    assert len(asked) == 1
    return asked[0], next(node for node in world.nodes if node is not asked[0])


def prompt_of(node: Node) -> Prompt:
    return view_of(node).prompts[0]


def deal(world: World) -> tuple[Node, Prompt]:
    """Draw and play until somebody has a choice of several."""
    for _ in range(200):
        node, _ = on_turn(world)
        prompt = prompt_of(node)
        if prompt.ask is Ask.CHOOSE and len(prompt.choices) > 1:
            return node, prompt
        world.tell(node, answer(prompt))
        world.run(for_s=0.2)
    raise AssertionError("no choice ever came")


def test_step_0_needs_nobody_and_everybody_learns_the_same_words() -> None:
    world = started(3)
    lots = [node.told(LotCast) for node in world.nodes]
    assert lots[0] == lots[1] == lots[2]
    assert [game_of(node).k for node in world.nodes] == [1, 1, 1]
    assert {game_of(node).words for node in world.nodes} == {lots[0][0].words}  # type: ignore[attr-defined]


def test_only_the_person_on_turn_is_asked_to_draw() -> None:
    node, other = on_turn(started())
    assert prompt_of(node) == Prompt(game_of(node).position.turn, 1, Ask.DRAW, None, ())
    assert view_of(other).prompts == ()
    assert view_of(node).phase is view_of(other).phase is Phase.SHARES


def test_the_others_open_their_shares_before_the_person_draws() -> None:
    world = started(3)
    node, _ = on_turn(world)
    seat = game_of(node).position.turn
    for other in world.nodes:
        opened = [body for body in entries(other) if isinstance(body, Reveal) and body.k == 1 and body.seat != seat]
        assert bool(opened) == (other is not node or len(opened) > 0)
        assert [view.owes for view in game_of(other).seats] == [index == seat for index in range(3)]
    assert not any(isinstance(body, Reveal) and body.k == 1 and body.seat == seat for body in entries(node))


def test_a_draw_that_nobody_was_asked_for_is_ignored() -> None:
    world = started()
    node, other = on_turn(world)
    sent = len(other.sent)
    for seat in (0, 1, 3):
        world.tell(other, DrawAsked(seat))
    assert len(other.sent) == sent
    assert prompt_of(node).ask is Ask.DRAW


def test_the_card_is_known_to_all_and_the_person_on_turn_chooses() -> None:
    world = started()
    node, prompt = deal(world)
    assert {game_of(each).card for each in world.nodes} == {prompt.card}
    assert all(view_of(each).phase is Phase.MOVE for each in world.nodes)
    assert [seat.owes for seat in game_of(node).seats] == [index == prompt.seat for index in range(2)]


def wrong_decisions(prompt: Prompt) -> list[SeatDecided]:
    assert prompt.card is not None
    right = SeatDecided(prompt.seat, prompt.k, prompt.card, prompt.choices[0])
    card = Card.ONE if prompt.card is not Card.ONE else Card.TWO
    return [
        replace(right, seat=1 - prompt.seat),
        replace(right, seat=3),
        replace(right, k=prompt.k - 1),
        replace(right, k=prompt.k + 1),
        replace(right, card=card),
        replace(right, move=Decline()),
    ]


def test_a_decision_that_was_not_asked_for_changes_nothing() -> None:
    world = started()
    node, prompt = deal(world)
    before, sent = view_of(node), len(node.sent)
    assert Decline() not in prompt.choices
    for each in world.nodes:
        for decision in wrong_decisions(prompt):
            world.tell(each, decision)
    assert view_of(node) == before
    assert len(node.sent) == sent


def test_a_decision_is_signed_once_however_often_it_is_given() -> None:
    world = started()
    node, prompt = deal(world)
    for choice in prompt.choices[:2]:
        world.tell(node, replace(answer(prompt), move=choice))
    moves = [body for body in entries(node) if isinstance(body, MoveEntry) and body.k == prompt.k]
    assert len(moves) == 1


def test_a_card_without_a_move_is_passed_by_the_client_alone() -> None:
    world = started(rules=PROFILES["classic"])
    node, _ = on_turn(world)
    for _ in range(30):
        node, _ = on_turn(world)
        world.tell(node, answer(prompt_of(node)))
        world.run(for_s=0.2)
        forced = [news for news in node.told(Played) if news.forced]  # type: ignore[attr-defined]
        if forced:
            break
    assert isinstance(forced[0].move, Decline)  # type: ignore[attr-defined]


def test_auto_draw_turns_the_card_over_and_leaves_the_choice() -> None:
    world = started(auto=Auto.DRAW)
    for _ in range(60):
        asked = [node for node in world.nodes if view_of(node).prompts]
        if asked:
            break
        world.run(for_s=0.2)
    assert prompt_of(asked[0]).ask is Ask.CHOOSE


def test_no_share_of_the_next_step_leaves_before_every_acknowledgement() -> None:
    world = started(3)
    node, prompt = deal(world)
    silent = next(each for each in world.nodes if each is not node)
    last = next(each for each in world.nodes if each not in (node, silent))

    def meddle(link: int, message: m.Message) -> None:
        """The acknowledgements of `silent` get lost."""

    world.meddlers[silent.index] = meddle
    world.tell(node, answer(prompt))
    world.run(for_s=0.9)
    acks = [body for body in entries(last) if isinstance(body, Ack) and body.k == prompt.k]
    assert acks
    for each in (node, last):
        assert game_of(each).k == prompt.k
        assert not any(isinstance(body, Reveal) and body.k > prompt.k for body in entries(each))
    assert view_of(node).phase is Phase.ACKS
    assert sum(seat.owes for seat in game_of(node).seats) == 1


def test_nothing_is_signed_while_the_disk_fails() -> None:
    world = started()
    node, _ = on_turn(world)
    world.tell(node, DiskFailed())
    assert view_of(node).prompts == ()
    sent = len(node.journal)
    world.tell(node, DrawAsked(game_of(node).position.turn))
    world.run(for_s=2)
    assert len(node.journal) == sent
    world.tell(node, DiskWorks())
    assert prompt_of(node).ask is Ask.DRAW
    assert node.told(DiskState) == [DiskState(works=False), DiskState(works=True)]


def test_turns_are_counted_by_seat_and_not_by_card() -> None:
    client = settings(Role.LOCAL, person(0), seats=2, bots=[0], rules=SHORT)
    world = World(client)
    world.open()
    node = world.nodes[0]
    played = node.told(Played)
    again = sum(news.after.turn == news.seat for news in played)  # type: ignore[attr-defined]
    assert game_of(node).turn_number == 1 + len(played) - again


def test_who_leaves_a_running_game_says_goodbye() -> None:
    world = started()
    world.tell(1, LeaveAsked())
    world.run(for_s=0.5)
    assert world.nodes[1].finished is not None
    assert world.nodes[0].finished is None


@pytest.mark.parametrize("what", [DrawAsked(0), SeatDecided(0, 1, Card.ONE, Decline())])
def test_wishes_about_a_game_mean_nothing_without_one(what: DrawAsked | SeatDecided) -> None:
    world = World(settings(Role.JOINER, person(0)))
    world.open()
    world.tell(0, what)
    assert view_of(world.nodes[0]).phase is Phase.CONNECTING

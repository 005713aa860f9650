"""Reasons: every one is true of the board, judged by the rules alone; and the ones that people expect are there."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from sorry_lan.bots.choose import choose
from sorry_lan.bots.explain import MOST, Reason, Why, dangers, explain
from sorry_lan.rules.board import HOME, START, Colour, is_outer, is_safe, safe, to_home, track
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import choices, play
from sorry_lan.rules.moves import Backward, Decline, Forward, LeaveStart, Move, Sorry, Split, Swap
from sorry_lan.rules.position import Position
from sorry_lan.rules.profile import PROFILES, Rules, SlideOn
from tests.bots.games import questions

RULES = Rules()
COLOURS = (Colour.RED, Colour.BLUE)


def at(own: tuple[int, ...], other: tuple[int, ...]) -> Position:
    return Position(COLOURS, (own, other), 0)


def whys(position: Position, card: Card, move: Move, rules: Rules = RULES) -> list[Why]:
    return [reason.why for reason in explain(position, rules, card, move)]


def squares(position: Position, seat: int) -> int:
    return sum(left(position, seat, pawn) for pawn in range(1, len(position.pawns[seat]) + 1))


def left(position: Position, seat: int, pawn: int) -> int:
    loc = position.pawns[seat][pawn - 1]
    return 65 if loc == START else 0 if loc == HOME else to_home(position.colours[seat], loc)


def threats(position: Position, rules: Rules, seat: int, pawn: int) -> set[Card]:
    """Whose turn it is said to be is changed, and every answer to every card played."""
    if not is_outer(position.pawns[seat][pawn - 1]):
        return set()
    found = set()
    for other in range(len(position.colours)):
        turned = replace(position, turn=other)
        if other != seat and any(loc != HOME for loc in position.pawns[other]):
            for card in Card:
                ends = [play(turned, rules, card, each) for each in choices(turned, rules, card)]
                if any(end.pawns[seat][pawn - 1] == START for end in ends):
                    found.add(card)
    return found


def true_of(reason: Reason, position: Position, rules: Rules, card: Card, move: Move) -> bool:  # noqa: C901 - one kind a line
    me, after = position.turn, play(position, rules, card, move)
    pawn, seat, other, n = reason.pawn, reason.seat, reason.other, reason.n
    was = position.pawns[me][pawn - 1] if pawn else START
    now = after.pawns[me][pawn - 1] if pawn else START
    nearer = left(position, me, pawn) - left(after, me, pawn) if pawn else 0
    sent = other and seat != me and after.pawns[seat][other - 1] == START and is_outer(position.pawns[seat][other - 1])
    ends = {play(position, rules, card, each) for each in choices(position, rules, card)}
    match reason.why:
        case Why.ONLY:
            return len(ends) == 1
        case Why.WINS:
            return after.winner == me
        case Why.HOME:
            return now == HOME != was
        case Why.SAFE:
            return is_outer(was) and is_safe(now)
        case Why.SENDS_BACK:
            return bool(sent)
        case Why.SENDS_LEADER:
            rest = [p for p, loc in enumerate(position.pawns[seat], 1) if p != other and is_outer(loc)]
            return bool(sent and rest) and all(left(position, seat, other) < left(position, seat, p) for p in rest)
        case Why.LEAVES:
            return was == START and is_outer(now)
        case Why.RUNS:
            return not isinstance(move, Swap) and nearer == n > 0
        case Why.EXCHANGE:
            return isinstance(move, Swap) and nearer == n > 0
        case Why.SHORTCUT:
            return isinstance(move, Backward) and nearer > 0 and left(after, me, pawn) == n
        case Why.SETS_BACK:
            return isinstance(move, Swap) and left(after, seat, other) - left(position, seat, other) == n > 0
        case Why.SAFER:
            return len(threats(after, rules, me, pawn)) < len(threats(position, rules, me, pawn)) == n
        case Why.HUNTS:
            hit = play(replace(after, turn=me), rules, Card(n), Forward(pawn, n))
            ahead = (after.pawns[seat][other - 1] - now) % 60 == n
            return ahead and hit.pawns[seat][other - 1] == START
        case Why.KEEPS:
            still = after.pawns == position.pawns
            return still and all(squares(end, me) > squares(after, me) for end in ends if end != after)
        case Why.LEAST:
            return len(ends) > 1
    raise AssertionError(reason)


@pytest.mark.untraced
@pytest.mark.parametrize("name", PROFILES)
def test_every_reason_is_true_of_its_position(name: str) -> None:
    rules, kinds = PROFILES[name], Counter[Why]()
    for seats in (2, 4):
        for position, card, secret in islice(questions(rules, seats, seats), 60):
            for move in (choose(position, rules, card, 2, secret), choices(position, rules, card)[-1]):
                reasons = explain(position, rules, card, move)
                assert 1 <= len(reasons) <= MOST
                for reason in reasons:
                    assert true_of(reason, position, rules, card, move), (reason, position, card, move)
                kinds.update(reason.why for reason in reasons)
    assert len(kinds) >= 8, kinds


def test_what_is_unlike_the_other_answers_comes_first() -> None:
    prey = at((track(20), track(40), START), (track(25), track(30), START))
    assert whys(prey, Card.FIVE, Forward(1, 5))[0] is Why.SENDS_BACK
    leader = at((track(20), track(40), START), (track(45), track(30), START))
    assert explain(leader, RULES, Card.FIVE, Forward(2, 5))[0] == Reason(Why.SENDS_LEADER, 0, 1, 1)
    assert explain(leader, RULES, Card.TEN, Forward(1, 10))[0] == Reason(Why.SENDS_BACK, 0, 1, 2)


def test_the_end_home_and_safety_are_told() -> None:
    last = at((HOME, HOME, safe(2)), (START, START, START))
    assert whys(last, Card.THREE, Forward(3, 3)) == [Why.ONLY]
    two = at((HOME, safe(1), safe(2)), (START, START, START))
    assert whys(two, Card.SEVEN, Split(2, 4, 3, 3)) == [Why.ONLY]
    with_swap = at((HOME, HOME, safe(4)), (START, START, START))
    assert whys(with_swap, Card.TEN, Backward(3, 1)) == [Why.ONLY]
    choice = at((HOME, track(20), safe(2)), (START, START, START))
    assert Why.HOME in whys(choice, Card.THREE, Forward(3, 3))
    near = at((track(1), track(20), START), (START, START, START))
    assert Why.SAFE in whys(near, Card.THREE, Forward(1, 3))


def test_a_win_among_other_answers_needs_no_other_reason() -> None:
    position = at((HOME, HOME, track(57)), (track(30), START, START))
    assert explain(position, RULES, Card.ELEVEN, Forward(3, 11)) == (Reason(Why.WINS),)


def test_the_short_way_backward_and_leaving_start() -> None:
    exit_square = at((track(4), track(22), START), (START, START, START))
    assert explain(exit_square, RULES, Card.FOUR, Backward(1, 4))[0] == Reason(Why.SHORTCUT, 1, n=8)
    assert Why.LEAVES in whys(at((track(22), START, START), (START,) * 3), Card.FIVE, LeaveStart(2))


def test_an_exchange_tells_what_both_pawns_make_of_it() -> None:
    position = at((track(10), track(40), START), (track(55), START, START))
    reasons = explain(position, RULES, Card.ELEVEN, Swap(1, 1, 1))
    assert Reason(Why.EXCHANGE, 1, n=45) in reasons
    back = at((track(5), START, START), (track(15), START, START))
    assert Why.SETS_BACK in whys(back, Card.ELEVEN, Swap(1, 1, 1))


def test_declining_is_explained_where_every_exchange_costs() -> None:
    rules = replace(RULES, start_cards=frozenset({Card.ONE}))
    blocked = at((safe(4), track(1), START), (track(20), START, START))
    assert whys(blocked, Card.ELEVEN, Decline(), rules) == [Why.KEEPS]


def test_a_move_back_that_slides_to_where_it_began_keeps_everything() -> None:
    rules = replace(RULES, slide_on=SlideOn.OTHER)
    around = at((safe(4), track(28), START), (START, START, START))
    assert play(around, rules, Card.FOUR, Backward(2, 4)).pawns == around.pawns
    assert whys(around, Card.FOUR, Backward(2, 4), rules) == [Why.KEEPS]


def test_a_move_that_only_costs_says_so() -> None:
    position = at((track(30), track(40), START), (START, START, START))
    assert whys(position, Card.FOUR, Backward(1, 4)) == [Why.LEAST]


def test_a_pawn_that_turns_in_before_its_prey_does_not_hunt_it() -> None:
    position = at((track(50), track(20), START), (track(5), START, START))
    assert Why.HUNTS not in whys(position, Card.SEVEN, Forward(1, 7))
    follows = at((track(20), track(40), START), (track(35), START, START))
    assert Reason(Why.HUNTS, 1, 1, 1, 8) in explain(follows, RULES, Card.SEVEN, Forward(1, 7))


def test_both_halves_of_a_split_are_looked_at() -> None:
    position = at((track(57), track(20), START), (START, START, START))
    assert Reason(Why.SAFE, 1) in explain(position, RULES, Card.SEVEN, Split(1, 6, 2, 1))


def test_dangers_are_the_cards_of_any_other_seat() -> None:
    position = at((track(30), START, START), (track(25), START, START))
    assert set(dangers(position, RULES, 0, 1)) == {Card.FIVE, Card.SORRY}
    assert dangers(position, RULES, 0, 2) == ()


def test_a_sorry_takes_the_place() -> None:
    position = at((START, track(3), START), (track(16), track(30), START))
    assert whys(position, Card.SORRY, Sorry(1, 1, 1))[0] is Why.SENDS_LEADER

"""Picking: every choice can be reached by digits, by pawns and by spots, and is shown where it leads."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.faults import LocalMisuse
from sorry_lan.rules.board import HOME, START, Colour, safe, track
from sorry_lan.rules.cards import CARDS, Card
from sorry_lan.rules.engine import choices as answers
from sorry_lan.rules.moves import Decline, Swap
from sorry_lan.rules.position import setup
from sorry_lan.rules.profile import PROFILES
from sorry_lan.table.view import Ask, Prompt
from sorry_lan.ui import choosing
from sorry_lan.ui.board_picture import Spot
from sorry_lan.ui.choosing import Asks, Choice, Picking, choices_of, entries, start
from sorry_lan.ui.taste import Confirm
from sorry_lan.ui.texts_prompts import numbered
from tests.rules.walk import walk
from tests.ui.build import at, game, seat

FOUR = game((seat(0, 0), seat(1), seat(2), seat(3)))


def choices(card: Card, rows, of=None) -> tuple[Choice, ...]:
    where = at(of or game(), rows)
    found = answers(where.position, where.rules, card)
    return choices_of(Prompt(0, 1, Ask.CHOOSE, card, found), where)


SPLITS = choices(Card.SEVEN, ([track(20), track(30), track(40)], [START] * 3))


def reached(all_of_them: tuple[Choice, ...], picking: Picking, depth: int = 0) -> set[int]:
    """The numbers of the choices that digits can highlight from here."""
    assert depth < 5
    found: set[int] = set()
    lines = entries(all_of_them, picking.prefix)
    page = picking
    for _ in range(-(-len(lines) // choosing.PAGE)):
        for line in choosing.shown_page(page, len(lines)):
            after = choosing.at_line(all_of_them, page, line)
            choice = choosing.picked(all_of_them, after)
            found |= {choice.number} if choice is not None else reached(all_of_them, after, depth + 1)
        page = choosing.next_page(all_of_them, page)
    return found


def test_there_is_nothing_to_choose_before_the_card():
    assert choices_of(Prompt(0, 1, Ask.DRAW, None, ()), game()) == ()


@pytest.mark.parametrize("profile", PROFILES)
def test_digits_reach_every_choice_of_every_card_in_the_order_of_plain_mode(profile: str):
    rules = PROFILES[profile]
    of = replace(FOUR, rules=rules)
    most = 0
    for number, position in enumerate(walk(setup(rules, list(Colour), 0), rules, "choosing", 150)):
        card = (Card.SEVEN, Card.ELEVEN, *CARDS)[number % 13]
        here = replace(of, position=position)
        prompt = Prompt(position.turn, 1, Ask.CHOOSE, card, answers(position, rules, card))
        found = choices_of(prompt, here)
        assert tuple(choice.move for choice in found) == numbered(prompt, here)
        assert reached(found, start(found)) == {choice.number for choice in found}
        assert all(choosing.picked(found, choosing.at_choice(found, choice)) is choice for choice in found)
        most = max(most, len(found))
    assert most > choosing.PAGE


def test_no_page_has_more_lines_than_digits():
    assert len(SPLITS) > 20
    assert len(entries(SPLITS, ())) == 3
    head = entries(SPLITS, ())[0].prefix
    assert [entry.prefix[-1] for entry in entries(SPLITS, head)] == [("count", 1, n) for n in range(1, 8)]


def test_a_step_is_marked_at_the_pawn_and_then_where_its_part_ends():
    assert dict(choosing.targets(SPLITS, start(SPLITS)))[Spot(None, track(20))] == "1"
    second = choosing.at_line(SPLITS, start(SPLITS), 0)
    assert dict(choosing.targets(SPLITS, second))[Spot(None, track(23))] == "3"
    assert choosing.taken(second) == (1,)


def test_a_highlighted_choice_marks_its_end_and_whom_it_sends_back():
    found = choices(Card.TEN, ([track(8), START, START], [track(18), track(11), START]))
    hit = next(choice for choice in found if choice.number == 2)
    labels = dict(choosing.targets(found, choosing.at_choice(found, hit)))
    assert labels[Spot(None, track(18))] == "2"
    slide = choices(Card.ONE, ([track(8), HOME, HOME], [track(11), START, START]))
    labels = dict(choosing.targets(slide, start(slide)))
    assert labels[Spot(None, track(11))] == "x"
    assert labels[Spot(None, track(13))] == "1"


def test_a_swap_is_marked_at_the_pawn_to_swap_with():
    rows = ([track(50), HOME, HOME], *([track(n), track(n + 1), track(n + 3)] for n in (25, 5, 35)))
    found = choices(Card.ELEVEN, rows, FOUR)
    assert len(found) > choosing.PAGE
    spots = {where.loc for where, _ in choosing.targets(found, start(found))}
    assert track(25) in spots


def test_passing_has_no_mark_and_moves_nobody():
    found = choices(Card.FOUR, ([START] * 3, [START] * 3))
    assert [choice.move for choice in found] == [Decline()]
    assert choosing.targets(found, start(found)) == ()
    assert choosing.movers(found[0]) == ()


def test_a_click_on_a_mark_a_pawn_or_a_victim_picks():
    rows = ([track(8), track(30), START], [track(18), START, START])
    found = choices(Card.TEN, rows)
    marked = choosing.at_spot(found, start(found), Spot(None, track(40)))
    choice = choosing.picked(found, marked)
    assert choice is not None
    assert choice.after.pawns[0][1] == track(40)
    own = choosing.at_spot(found, start(found), Spot(None, track(8)))
    assert own.prefix == (("pawn", 1, 0),)
    nothing = choosing.at_spot(found, start(found), Spot(None, track(55)))
    assert nothing == start(found)
    assert choosing.at_spot((), Picking(), Spot(None, track(1))) == Picking()


def test_a_click_on_a_pawn_that_only_one_choice_sends_back_picks_that_choice():
    found = choices(Card.ONE, ([track(8), track(30), HOME], [track(11), START, START]))
    picking = choosing.at_spot(found, start(found), Spot(None, track(11)))
    choice = choosing.picked(found, picking)
    assert choice is not None
    assert choice.effects[-1].pawn == 1
    assert choosing.at_spot(found, start(found), Spot(1, START)) == start(found)


def test_a_pawn_that_has_one_choice_is_picked_at_once_and_one_without_any_is_not():
    found = choices(Card.FIVE, ([track(8), track(30), HOME], [START] * 3))
    assert choosing.picked(found, choosing.by_pawn(found, start(found), 2)) is not None
    assert choosing.by_pawn(found, start(found), 3) == start(found)
    assert choosing.pawns(found) == (1, 2)


def test_what_is_not_in_the_list_cannot_be_picked():
    found = choices(Card.FIVE, ([track(8), track(30), HOME], [START] * 3))
    assert choosing.at_line(found, start(found), 9) == start(found)
    assert choosing.picked(found, Picking(cursor=7)) is None
    with pytest.raises(LocalMisuse):
        choosing.at_choice(found, SPLITS[0])


def test_going_back_undoes_the_question_the_pick_and_the_step_in_this_order():
    step = choosing.at_line(SPLITS, start(SPLITS), 1)
    part = choosing.at_line(SPLITS, step, 0)
    pick = choosing.at_line(SPLITS, part, 0)
    sure = replace(pick, asks=Asks.SURE)
    assert choosing.back(SPLITS, sure) == pick
    assert choosing.picked(SPLITS, choosing.back(SPLITS, pick)) is None
    assert choosing.back(SPLITS, part).prefix == step.prefix
    assert choosing.back(SPLITS, step) == start(SPLITS)
    assert choosing.back(SPLITS, start(SPLITS)) == start(SPLITS)


def test_one_page_stays_where_it_is():
    found = choices(Card.FIVE, ([track(8), track(30), HOME], [START] * 3))
    assert choosing.next_page(found, start(found)) == start(found)


def test_risky_is_what_costs_the_own_side():
    slide = choices(Card.ONE, ([track(8), track(11), HOME], [START] * 3))
    assert choosing.risky(next(choice for choice in slide if choice.number == 1))
    assert not choosing.risky(next(choice for choice in slide if choice.number == 2))
    forward_swap, = (c for c in choices(Card.ELEVEN, ([track(10), HOME, HOME], [track(50), START, START]))
                     if isinstance(c.move, Swap))  # fmt: skip
    backward_swap, = (c for c in choices(Card.ELEVEN, ([track(50), HOME, HOME], [track(10), START, START]))
                      if isinstance(c.move, Swap))  # fmt: skip
    assert not choosing.risky(forward_swap)
    assert choosing.risky(backward_swap)
    assert choosing.asks_first(forward_swap, 2, Confirm.ALWAYS)
    assert not choosing.asks_first(backward_swap, 2, Confirm.NEVER)
    assert choosing.asks_first(backward_swap, 2, Confirm.RISKY)
    assert not choosing.asks_first(backward_swap, 1, Confirm.RISKY)


def test_a_pawn_in_its_safety_zone_is_marked_there():
    found = choices(Card.TWO, ([safe(1), HOME, HOME], [START] * 3))
    assert dict(choosing.targets(found, start(found))) == {Spot(0, safe(3)): "1"}
    assert choosing.movers(found[0]) == ((0, 1),)

"""What holds in every position that hypothesis can think of, reachable or not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorry_lan.rules.board import HOME, START, Colour, forward, in_play, is_outer, is_safe
from sorry_lan.rules.cards import CARDS, Card
from sorry_lan.rules.engine import Moved, choices, effects, legal_moves, merged, play
from sorry_lan.rules.moves import Decline, Forward, parse_text, to_action, to_text
from sorry_lan.rules.position import Position, canonical, problems
from sorry_lan.rules.profile import PROFILES, Rules, from_uints, to_uints, variations, with_switch

pytestmark = pytest.mark.untraced

RULES = st.sampled_from([rules for _, rules in variations()])


@st.composite
def tables(draw: st.DrawFn) -> tuple[Position, Rules]:
    """A sound position of 2-4 seats under some rules; whose turn it is is free as long as that seat can play."""
    rules = draw(RULES)
    colours = tuple(sorted(draw(st.sets(st.sampled_from(list(Colour)), min_size=2, max_size=4))))
    free = draw(st.permutations(range(1, 61)))
    taken = iter(free)
    rows = []
    for _ in colours:
        zone = iter(draw(st.permutations(range(61, 66))))
        kinds = draw(st.lists(st.sampled_from("soooozzh"), min_size=rules.pawns, max_size=rules.pawns))
        row = [{"s": START, "h": HOME}.get(kind) for kind in kinds]
        filled = [
            place if place is not None else next(taken) if kind == "o" else next(zone)
            for place, kind in zip(row, kinds, strict=True)
        ]
        if all(place == HOME for place in filled):
            filled[0] = START
        rows.append(tuple(filled))
    turn = draw(st.integers(0, len(colours) - 1))
    return Position(colours, tuple(rows), turn), rules


CARD = st.sampled_from(CARDS)


@given(tables(), CARD)
def test_every_answer_leads_to_a_sound_position(table: tuple[Position, Rules], card: Card) -> None:
    position, rules = table
    assert problems(position, rules) == ()
    for move in choices(position, rules, card):
        after = play(position, rules, card, move)
        assert problems(after, rules) == ()
        assert (after.colours, after.barred) == (position.colours, position.barred)


@given(tables(), CARD)
def test_only_an_eleven_may_be_declined(table: tuple[Position, Rules], card: Card) -> None:
    position, rules = table
    found = choices(position, rules, card)
    legal = legal_moves(position, rules, card)
    assert found
    assert (found[0] == Decline()) == (len(found) > len(legal))
    if found[0] == Decline() and legal:
        assert card is Card.ELEVEN


@given(tables(), CARD)
def test_declining_changes_nothing_but_the_turn(table: tuple[Position, Rules], card: Card) -> None:
    position, rules = table
    if choices(position, rules, card)[0] == Decline():
        after = play(position, rules, card, Decline())
        assert replace(after, turn=position.turn) == position


@given(tables(), CARD)
def test_a_pawn_at_home_stays_and_only_the_mover_comes_home(table: tuple[Position, Rules], card: Card) -> None:
    position, rules = table
    for move in legal_moves(position, rules, card):
        after = play(position, rules, card, move)
        for seat, (before, now) in enumerate(zip(position.pawns, after.pawns, strict=True)):
            for old, new in zip(before, now, strict=True):
                if old == HOME:
                    assert new == HOME
                elif seat != position.turn:
                    assert new != HOME


@given(tables(), CARD)
def test_nobody_touches_a_foreign_zone(table: tuple[Position, Rules], card: Card) -> None:
    position, rules = table
    for move in legal_moves(position, rules, card):
        after = play(position, rules, card, move)
        for seat, (before, now) in enumerate(zip(position.pawns, after.pawns, strict=True)):
            if seat != position.turn:
                for old, new in zip(before, now, strict=True):
                    assert is_safe(old) == is_safe(new)
                    assert old == new or is_outer(old)


@given(tables(), CARD)
def test_a_forward_count_is_the_counting_rule_and_never_passes_the_entry(
    table: tuple[Position, Rules], card: Card
) -> None:
    position, rules = table
    colour = position.colours[position.turn]
    for move in legal_moves(position, rules, card):
        if isinstance(move, Forward):
            told = effects(position, rules, card, move)[0]
            assert isinstance(told, Moved)
            assert in_play(told.source)
            assert told.target == forward(colour, told.source, move.n)


@given(tables(), CARD)
def test_results_are_distinct_and_hold_every_move_once(table: tuple[Position, Rules], card: Card) -> None:
    position, rules = table
    results = merged(position, rules, card)
    keys = [each.result.pawns for each in results]
    assert keys == sorted(set(keys))
    moves = [to_action(move) for each in results for move in each.moves]
    assert sorted(moves) == sorted(to_action(move) for move in legal_moves(position, rules, card))
    for each in results:
        for move in each.moves:
            assert canonical(play(position, rules, card, move)) == each.result


@given(tables(), CARD)
def test_pawns_renumbered_have_the_same_results(table: tuple[Position, Rules], card: Card) -> None:
    position, rules = table
    turned = replace(position, pawns=tuple(row[::-1] for row in position.pawns))
    assert {each.result for each in merged(turned, rules, card)} == {
        each.result for each in merged(position, rules, card)
    }


@given(tables(), CARD)
def test_notation_reads_back(table: tuple[Position, Rules], card: Card) -> None:
    position, rules = table
    texts = [to_text(move, position, card) for move in choices(position, rules, card)]
    assert len(set(texts)) == len(texts)
    assert [parse_text(text, position, card) for text in texts] == list(choices(position, rules, card))


@given(st.text(max_size=60), CARD)
def test_any_text_is_a_move_or_a_sentence(text: str, card: Card) -> None:
    position = Position((Colour.RED, Colour.BLUE), ((21, 0, 62), (31, 0, 66)), 0)
    try:
        parse_text(text, position, card)
        said = "fine."
    except ValueError as error:
        said = str(error)
    assert said.endswith(".")
    assert said.isascii()


@settings(max_examples=30)
@given(st.lists(RULES, min_size=1, max_size=14))
def test_any_mixture_of_switches_reads_back(parts: list[Rules]) -> None:
    array = [to_uints(parts[i % len(parts)])[i] for i in range(14)]
    assert list(to_uints(from_uints(array))) == array


@given(tables(), CARD)
def test_a_stand_in_never_wins(table: tuple[Position, Rules], card: Card) -> None:
    position, rules = table
    barred = replace(position, barred=1 << position.turn)
    for move in choices(barred, rules, card):
        after = play(barred, rules, card, move)
        assert after.winner is None
        assert problems(after, rules) == ()


def test_the_two_named_profiles_are_among_the_rules_drawn() -> None:
    assert PROFILES["classic"] in [rules for _, rules in variations()]
    assert with_switch(PROFILES["standard"], "ones=4") in [rules for _, rules in variations()]

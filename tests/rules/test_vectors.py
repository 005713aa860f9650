"""The engine against protocol/vectors: every answer to a card, turns, refusals and counts of lines."""

from __future__ import annotations

from typing import Any

import pytest

from sorry_lan.rules.board import parse_colour
from sorry_lan.rules.engine import IllegalMove, Use, choices, draws_again, legal_moves, may_decline, merged, perft, play
from sorry_lan.rules.moves import from_action, parse_text, to_action, to_text
from tests.rules.build import at, card_of, pawns_of, position_of, rules_of, vectors

VECTORS = vectors("rules")
PERFT = vectors("perft")["positions"]
SHALLOW = 2500
"""Leaves; tests/conformance counts on from there."""


def by_id(group: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", VECTORS[group], ids=lambda case: case["id"])


@by_id("cases")
def test_a_card_has_exactly_these_results(case: dict[str, Any]) -> None:
    position, rules, card = position_of(case), rules_of(case), card_of(case)
    expected = [
        (
            tuple(sorted_rows(entry["result"], position.colours)),
            [tuple(action) for action in entry["actions"]],
            entry["moves"],
            entry["winner"],
        )
        for entry in case["legal"]
    ]
    found = [
        (
            each.result.pawns,
            [to_action(move) for move in each.moves],
            [to_text(move, position, card) for move in each.moves],
            None if each.result.winner is None else position.colours[each.result.winner].label,
        )
        for each in merged(position, rules, card)
    ]
    assert found == expected


@by_id("cases")
def test_a_card_has_exactly_these_answers_in_this_order(case: dict[str, Any]) -> None:
    position, rules, card = position_of(case), rules_of(case), card_of(case)
    assert [list(to_action(move)) for move in choices(position, rules, card)] == case["actions"]
    legal = legal_moves(position, rules, card)
    assert (not legal) == case["forfeit"]
    assert may_decline(position, rules, card) == case["pass_allowed"]
    assert draws_again(rules, card, Use.MOVED if legal else Use.NOTHING) == case["draws_again"]


@by_id("cases")
def test_every_answer_reads_back_from_its_two_forms(case: dict[str, Any]) -> None:
    position, rules, card = position_of(case), rules_of(case), card_of(case)
    for move in choices(position, rules, card):
        assert parse_text(to_text(move, position, card), position, card) == move
        assert from_action(to_action(move)) == move


@by_id("turns")
def test_a_move_leads_to_this_position_and_this_turn(case: dict[str, Any]) -> None:
    position, rules = position_of(case), rules_of(case)
    after = play(position, rules, card_of(case), from_action(case["action"]))
    assert after.pawns == pawns_of(case["result"], position.colours)
    assert after.colours[after.turn] is parse_colour(case["next"])
    assert (None if after.winner is None else after.colours[after.winner].label) == case["winner"]
    assert after.barred == position.barred


@by_id("illegal")
def test_an_illegal_action_is_refused_with_a_sentence(case: dict[str, Any]) -> None:
    position, rules, card = position_of(case), rules_of(case), card_of(case)
    move = from_action(case["action"])
    with pytest.raises(IllegalMove, match=r"\.$"):
        play(position, rules, card, move)


@by_id("valid_actions")
def test_an_action_of_the_right_form_is_a_move(case: dict[str, Any]) -> None:
    assert list(to_action(from_action(case["action"]))) == case["action"]


@by_id("invalid_actions")
def test_an_action_of_a_wrong_form_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^these numbers are no action\.$"):
        from_action(case["action"])


@pytest.mark.parametrize("vector", PERFT, ids=lambda vector: vector["id"])
def test_lines_of_play_are_as_many_as_counted(vector: dict[str, Any]) -> None:
    position, rules = position_of(vector), rules_of(vector)
    shallow = [count for count in vector["counts"] if count <= SHALLOW]
    assert [perft(position, rules, depth) for depth in range(1, len(shallow) + 1)] == shallow
    assert perft(position, rules, 0) == 1


def test_the_counts_cover_every_profile_and_enough_positions() -> None:
    assert {vector["profile"] for vector in PERFT} == {"standard", "classic", "2013"}
    assert len(PERFT) >= 12


def test_no_two_vectors_share_an_id() -> None:
    ids = [case["id"] for group in VECTORS.values() if isinstance(group, list) for case in group]
    assert len(ids) == len(set(ids))


def test_a_won_position_counts_once_at_any_depth() -> None:
    won = play(at("r z4 h h / b s s s"), rules_of(PERFT[0]), card_of({"card": "1"}), from_action([2, 1, 1]))
    assert won.winner == 0
    assert perft(won, rules_of(PERFT[0]), 9) == 1


def sorted_rows(result: dict[str, list[str]], colours: Any) -> list[tuple[int, ...]]:
    return [tuple(sorted(row)) for row in pawns_of(result, colours)]

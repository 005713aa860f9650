"""The referee on situations that the rules decide and no worked case writes down, and on random games of its own."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.sim.referee import (
    CARDS,
    COLOURS,
    PROFILES,
    SORRY,
    STANDARD,
    Action,
    Board,
    Switches,
    ahead,
    draws_again,
    entry_of,
    exit_of,
    may_decline,
    moves,
    new_board,
    number_of,
    on_track,
    perft,
    problems,
    same_for_players,
    slide_from,
    turn_after,
    winner,
)
from tests.sim.referee_game import Game, whole_deck

pytestmark = pytest.mark.untraced


def no_shuffle(cards: list[int]) -> list[int]:
    return list(cards)


def only(board: Board, colour: str, card: int, action: Action) -> Board | None:
    """The board after this action; None where it is not legal."""
    return moves(STANDARD, board, colour, card).get(action)


def red_against_blue(*red: str, blue: str = "start") -> Board:
    return {"red": list(red), "blue": [blue, "start", "start"]}


def test_the_first_own_slide_runs_over_the_own_entry_to_the_exit() -> None:
    before = red_against_blue("sq:59", "sq:3", "home", blue="sq:4")
    assert only(before, "red", 2, (2, 1, 2)) == red_against_blue("sq:4", "start", "home")


def test_one_back_from_the_entry_is_the_own_triangle_and_slides_past_the_entry() -> None:
    before = red_against_blue("sq:2", "home", "home")
    assert only(before, "red", 10, (3, 1, 1)) == red_against_blue("sq:4", "home", "home")


def test_an_own_pawn_on_the_triangle_makes_landing_there_illegal() -> None:
    assert only(red_against_blue("sq:4", "sq:9", "home"), "red", 5, (2, 1, 5)) is None


def test_four_back_from_the_end_of_a_slide_comes_back_to_it_and_sweeps_all_but_itself() -> None:
    before = red_against_blue("sq:13", "home", "home", blue="sq:12")
    assert only(before, "red", 4, (3, 1, 4)) == red_against_blue("sq:13", "home", "home")
    alone = red_against_blue("sq:13", "home", "home")
    assert moves(STANDARD, alone, "red", 4) == {(3, 1, 4): alone}


def test_back_out_of_the_zone_onto_the_own_triangle_slides() -> None:
    before = red_against_blue("safe:2", "home", "home")
    assert only(before, "red", 4, (3, 1, 4)) == red_against_blue("sq:4", "home", "home")


def test_equal_safety_squares_of_two_colours_have_nothing_to_do_with_each_other() -> None:
    before = red_against_blue("safe:1", "home", "home", blue="safe:3")
    assert only(before, "red", 2, (2, 1, 2)) == red_against_blue("safe:3", "home", "home", blue="safe:3")


def test_a_pawn_between_its_entry_and_its_exit_must_go_round() -> None:
    before = red_against_blue("sq:3", "home", "home")
    assert only(before, "red", 8, (2, 1, 8)) == red_against_blue("sq:11", "home", "home")


def test_the_halves_of_a_seven_may_not_end_on_one_square() -> None:
    before = red_against_blue("sq:20", "sq:21", "home")
    assert only(before, "red", 7, (4, 1, 4, 2, 3)) is None
    assert only(before, "red", 7, (4, 2, 3, 1, 4)) is None


def test_a_pawn_may_move_to_the_square_that_its_partner_has_just_left() -> None:
    before = red_against_blue("sq:20", "sq:23", "home")
    assert only(before, "red", 7, (4, 2, 4, 1, 3)) == red_against_blue("sq:23", "sq:27", "home")
    assert only(before, "red", 7, (4, 1, 3, 2, 4)) is None


def test_a_half_that_sweeps_the_partner_needs_the_partner_to_have_made_its_half() -> None:
    before = red_against_blue("sq:6", "sq:11", "home")
    assert only(before, "red", 7, (4, 1, 3, 2, 4)) is None
    assert only(before, "red", 7, (4, 2, 4, 1, 3)) == red_against_blue("sq:13", "sq:15", "home")
    before = red_against_blue("sq:6", "sq:8", "home")
    assert only(before, "red", 7, (4, 2, 4, 1, 3)) == red_against_blue("sq:13", "start", "home")


def test_one_pawn_cannot_take_both_halves_of_a_seven() -> None:
    assert list(moves(STANDARD, red_against_blue("sq:20", "start", "start"), "red", 7)) == [(2, 1, 7)]


def test_an_exchanged_pawn_on_its_own_triangle_stays_there() -> None:
    before = red_against_blue("sq:24", "home", "home", blue="sq:40")
    assert only(before, "red", 11, (5, 1, 1, 1)) == red_against_blue("sq:40", "home", "home", blue="sq:24")


def test_sorry_onto_an_own_triangle_slides_unless_the_switch_is_off() -> None:
    before = red_against_blue("start", "home", "home", blue="sq:9")
    assert only(before, "red", SORRY, (6, 1, 1, 1)) == red_against_blue("sq:13", "home", "home")
    still = moves(replace(STANDARD, sorry_slide=False), before, "red", SORRY)
    assert still == {(6, 1, 1, 1): red_against_blue("sq:9", "home", "home")}


def test_a_two_that_moves_nobody_still_draws_again() -> None:
    before = red_against_blue("safe:4", "home", "home")
    assert moves(STANDARD, before, "red", 2) == {}
    assert draws_again(STANDARD, 2, {})
    assert turn_after(before, "red", again=True) == "red"


def test_a_two_that_empties_the_pile_is_shuffled_in_before_its_extra_draw() -> None:
    def ascending(cards: list[int]) -> list[int]:
        return sorted(cards)

    game = Game(STANDARD, new_board(STANDARD, ["red", "blue"]), "red", [2], ascending, [8, 1])
    game.draw()
    game.choose((1, 1))
    assert (game.turn, game.draw(), game.pile, game.discard) == ("red", 1, [2, 8], [])


def test_both_swapped_pawns_may_slide_and_the_second_may_sweep_the_first() -> None:
    rules = replace(STANDARD, slide_on="any", swap_slide="both")
    board = {"red": ["sq:9", "home", "home"], "blue": ["sq:11", "start", "start"]}
    assert moves(rules, board, "red", 11)[5, 1, 1, 1] == {
        "red": ["start", "home", "home"],
        "blue": ["sq:13", "start", "start"],
    }


def test_an_exchanged_pawn_whose_slide_is_illegal_stays_and_the_swap_stands() -> None:
    rules = replace(STANDARD, swap_slide="both", slide_own_pawns="block")
    board = {"red": ["sq:24", "home", "home"], "blue": ["sq:40", "sq:26", "start"]}
    assert moves(rules, board, "red", 11)[5, 1, 1, 1] == {
        "red": ["sq:40", "home", "home"],
        "blue": ["sq:24", "sq:26", "start"],
    }


def test_a_swap_whose_own_slide_is_illegal_is_not_offered() -> None:
    rules = replace(STANDARD, slide_own_pawns="block")
    board = {"red": ["sq:20", "sq:11", "home"], "blue": ["sq:9", "start", "start"]}
    assert (5, 1, 1, 1) not in moves(rules, board, "red", 11)
    # The pawn that leaves the slide is not in its own way.
    assert moves(rules, board, "red", 11)[5, 2, 1, 1]["red"] == ["sq:20", "sq:13", "home"]


def test_turning_in_by_a_slide_sweeps_only_up_to_the_entry() -> None:
    rules = replace(STANDARD, slide_past_entry="enter")
    board = {"red": ["sq:59", "home", "home"], "blue": ["sq:2", "sq:3", "start"]}
    assert moves(rules, board, "red", 2) == {
        (2, 1, 2): {"red": ["safe:0", "home", "home"], "blue": ["start", "sq:3", "start"]}
    }


def test_turning_in_by_a_slide_is_illegal_onto_an_own_pawn() -> None:
    rules = replace(STANDARD, slide_past_entry="enter")
    assert (2, 1, 2) not in moves(rules, {"red": ["sq:59", "safe:0", "home"], "blue": ["start"] * 3}, "red", 2)


def test_forward_four_as_a_fallback_returns_when_every_replacement_is_illegal() -> None:
    rules = replace(STANDARD, sorry_forward="fallback", slide_own_pawns="block")
    board = {"red": ["start", "sq:12", "home"], "blue": ["sq:9", "start", "start"]}
    assert list(moves(rules, board, "red", SORRY)) == [(2, 2, 4)]


def test_declining_an_eleven_is_always_open_only_where_the_switch_says_so_and_moves_exist() -> None:
    rules = replace(STANDARD, eleven_pass="always")
    board = {"red": ["sq:20", "home", "home"], "blue": ["sq:30", "start", "start"]}
    assert may_decline(rules, 11, moves(rules, board, "red", 11))
    assert not may_decline(rules, 11, {})
    assert not may_decline(rules, 12, moves(rules, board, "red", 12))


def test_only_the_lowest_pawn_in_start_is_listed() -> None:
    board = {"red": ["sq:20", "start", "start"], "blue": ["sq:30", "start", "start"]}
    assert [action for action in moves(STANDARD, board, "red", 1) if action[0] == 1] == [(1, 2)]
    assert list(moves(STANDARD, board, "red", SORRY)) == [(6, 2, 1, 1)]


def test_a_stand_in_neither_wins_nor_plays_on_once_it_is_home() -> None:
    barred = frozenset({"red"})
    board = {"red": ["home"] * 3, "blue": ["sq:30", "start", "start"]}
    assert winner(board, barred) is None
    assert winner(board) == "red"
    assert turn_after(board, "red", barred, again=True) == "blue"
    assert turn_after(board, "blue", barred, again=False) == "blue"


def test_a_stand_in_draws_again_after_a_two_while_it_has_pawns_left() -> None:
    board = {"red": ["safe:0", "home", "home"], "blue": ["start"] * 3}
    assert turn_after(board, "red", frozenset({"red"}), again=True) == "red"


def test_the_game_ends_without_a_next_player() -> None:
    assert turn_after({"red": ["home"] * 3, "blue": ["start"] * 3}, "red", again=True) is None


def test_broken_boards_are_named() -> None:
    good = {"red": ["start", "sq:1", "safe:0"], "blue": ["safe:0", "home", "home"]}
    assert problems(STANDARD, good) == []
    assert problems(STANDARD, {"red": good["red"]}) == ["1 players"]
    assert problems(STANDARD, {"blue": ["start"] * 3, "red": ["start"] * 3}) == ["colours unknown or not clockwise"]
    assert problems(STANDARD, good | {"blue": ["sq:1", "start", "start"]}) == ["2 pawns on sq:1"]
    assert problems(STANDARD, good | {"blue": ["safe:2", "safe:2", "start"]}) == ["blue has 2 pawns on safe:2"]
    assert problems(STANDARD, good | {"blue": ["start"]}) == ["blue has 1 pawns"]
    assert problems(STANDARD, good | {"blue": ["sq:60", "start", "start"]}) == ["blue stands on no place: sq:60"]


def test_a_move_that_must_be_made_cannot_be_declined_and_an_illegal_one_is_refused() -> None:
    game = Game(STANDARD, new_board(STANDARD, ["red", "blue"]), "red", [1], no_shuffle)
    game.draw()
    with pytest.raises(ValueError, match="must be made"):
        game.choose(())
    with pytest.raises(ValueError, match="illegal"):
        game.choose((2, 1, 1))


def test_perft_counts_distinct_results_declining_and_lost_turns() -> None:
    # From the beginning 8 cards leave Start (one result each) and 4, 7 and Sorry! do nothing.
    start = new_board(STANDARD, ["red", "blue"])
    assert perft(STANDARD, start, "red", 0) == 1
    assert perft(STANDARD, start, "red", 1) == 11
    # From square 58 the 10 counts twice (Home, back 1), the 11 twice (swap, declining), each other card once.
    board = {"red": ["sq:58", "home", "home"], "blue": ["sq:30", "start", "start"]}
    assert perft(STANDARD, board, "red", 1) == 13
    assert perft(STANDARD, {"red": ["home"] * 3, "blue": ["start"] * 3}, "blue", 3) == 1


# Invariants on random games (4.1 and section 9)

VARIANTS: dict[str, Switches] = {
    **PROFILES,
    "any": replace(STANDARD, slide_on="any", swap_slide="both", slide_past_entry="enter"),
    "block": replace(STANDARD, slide_own_pawns="block", start_by_count=True, pawns_out=1, ones=4, pawns=4),
    "none": replace(STANDARD, slide_on="none", eleven_pass="always", sorry_forward="fallback", split_pawns=1, pawns=1),
}


def crosses_entry(colour: str, before: str, after: str) -> bool:
    """Whether counting forward from one track square to the other passes the colour's own entry."""
    start, end = number_of(before), number_of(after)
    return (entry_of(colour) - start) % 60 < (end - start) % 60


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_invariant_holds_on_a_random_game(variant: str, players: int) -> None:
    rules = VARIANTS[variant]
    rng = random.Random(f"{variant} {players}")  # reproducible from its name
    colours = rng.sample(COLOURS, players)

    def reshuffled(cards: list[int]) -> list[int]:
        return rng.sample(cards, len(cards))

    deck = whole_deck(rules)
    assert len(deck) == 40 + rules.ones
    game = Game(rules, new_board(rules, colours), colours[0], reshuffled(deck), reshuffled)
    for _ in range(6000):
        card = game.draw()
        assert sorted([*game.pile, *game.discard, card]) == deck
        before, colour, legal = game.board, game.turn, game.legal()
        for action, after in legal.items():
            assert problems(rules, after) == []
            for each in before:
                for old, new in zip(before[each], after[each], strict=True):
                    assert old != "home" or new == "home"
            if action[0] == 2:
                counted = ahead(colour, before[colour][action[1] - 1], action[2])
                assert counted is not None
                old = before[colour][action[1] - 1]
                assert not (on_track(old) and on_track(counted) and crosses_entry(colour, old, counted))
        results = {same_for_players(after): action for action, after in legal.items()}
        declining = may_decline(rules, card, legal)
        assert not declining or card == 11
        options = sorted(results.values()) + [()] * (declining or not legal)
        game.choose(rng.choice(options))
        if winner(game.board) is not None:
            return
    pytest.fail("the game did not end")


def test_no_slide_begins_on_the_end_of_another_and_leaving_start_never_slides() -> None:
    rules = replace(STANDARD, slide_on="any")
    for colour in COLOURS:
        begins = {f"sq:{n}" for n in range(60) if slide_from(rules, colour, f"sq:{n}")}
        assert len(begins) == 8
        assert not {slide_from(rules, colour, place)[1] for place in begins} & begins  # type: ignore[index]
        assert not {f"sq:{(exit_of(colour) + card - 1) % 60}" for card in CARDS if card not in (4, SORRY)} & begins

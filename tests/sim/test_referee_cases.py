"""The referee against the vectors of the rules: cases, flows, turns, refusals, set-ups and counts of leaves."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.sim.referee import (
    COLOURS,
    PROFILES,
    SORRY,
    STANDARD,
    Action,
    Board,
    Switches,
    draws_again,
    may_decline,
    moves,
    new_board,
    next_player,
    perft,
    problems,
    same_for_players,
    winner,
)
from tests.sim.referee_game import Game, whole_deck

pytestmark = pytest.mark.untraced

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors"
VECTORS = json.loads((FOLDER / "rules.json").read_text(encoding="utf-8"))
PERFT = json.loads((FOLDER / "perft.json").read_text(encoding="utf-8"))["positions"]
LEAVES_IN_A_TEST = 1500  # inner positions that the referee may visit for one count; the command line has no such limit
CASES = {case["id"]: case for case in VECTORS["cases"]}
FLOWS = {flow["id"]: flow for flow in VECTORS["flows"]}


def rules_of(case: dict[str, Any]) -> Switches:
    override = dict(case["rules_override"])
    if "start_cards" in override:
        override["start_cards"] = frozenset(card_of(str(card)) for card in override["start_cards"])
    return replace(PROFILES[case["profile"]], **override)


def card_of(name: str) -> int:
    return SORRY if name == "sorry" else int(name)


def board_of(positions: dict[str, list[str]]) -> Board:
    return {colour: list(positions[colour]) for colour in COLOURS if colour in positions}


def way(before: Board, colour: str, action: Action) -> tuple[object, ...]:
    """The action as the cases write it: by places instead of pawn numbers."""
    own = before[colour]
    seats = list(before)
    match action:
        case (1, _):
            return ("start",)
        case (2, pawn, steps):
            return "forward", own[pawn - 1], steps
        case (3, pawn, steps):
            return "backward", own[pawn - 1], steps
        case (4, first, some, second, rest):
            return "split", own[first - 1], some, own[second - 1], rest
        case (5, pawn, seat, other):
            return "swap", own[pawn - 1], f"{seats[seat]} {before[seats[seat]][other - 1]}"
        case (6, _, seat, other):
            return "sorry", f"{seats[seat]} {before[seats[seat]][other - 1]}"
    raise ValueError(action)


def way_written(how: dict[str, Any]) -> tuple[object, ...]:
    match how["kind"]:
        case "start":
            return ("start",)
        case "forward" | "backward":
            return how["kind"], how["pawn"], how["steps"]
        case "split":
            return "split", *how["first"], *how["second"]
        case "swap":
            return "swap", how["pawn"], how["target"]
        case "sorry":
            return "sorry", how["target"]
    raise ValueError(how)


@pytest.mark.parametrize("name", CASES)
def test_a_worked_case_holds_in_full(name: str) -> None:
    case = CASES[name]
    rules, before, colour, card = rules_of(case), board_of(case["positions"]), case["turn"], card_of(case["card"])
    legal = moves(rules, before, colour, card)

    found: dict[object, set[tuple[object, ...]]] = {}
    for action, after in legal.items():
        found.setdefault(same_for_players(after), set()).add(way(before, colour, action))
    expected = {
        same_for_players(board_of(entry["result"])): {way_written(how) for how in entry["how"]}
        for entry in case["legal"]
    }
    assert found == expected
    for entry in case["legal"]:
        result = board_of(entry["result"])
        assert winner(result) == entry["winner"]
        assert (winner(result) is not None) == entry["game_over"]
    assert (not legal) == case["forfeit"]
    assert may_decline(rules, card, legal) == case["pass_allowed"]
    assert draws_again(rules, card, legal) == case["draws_again"]


def chosen(game: Game, text: str | None) -> Action:
    """The action that a flow names by kind and place; without a name there is at most one."""
    legal = list(game.legal())
    if text == "pass" or not legal:
        return ()
    if text is None:
        (action,) = legal
        return action
    wanted = text.replace("with ", "").split()
    (action,) = [
        action
        for action in legal
        if [str(part) for part in way(game.board, game.turn, action)] in ([wanted[0], *reversed(wanted[1:])], wanted)
    ]
    return action


def no_shuffle(cards: list[int]) -> list[int]:
    return list(cards)


def game_of(flow: dict[str, Any]) -> Game:
    setup = flow["setup"]
    pile = [card_of(name) for name in setup["draw_pile_top_first"]]
    discard = [card_of(name) for name in setup.get("discard", [])]
    return Game(rules_of(flow), board_of(setup["positions"]), setup["turn"], pile, no_shuffle, discard)


def play_out(game: Game, choices: list[str | None]) -> list[int]:
    """Play the named choices, or one card where none is named; the cards drawn."""
    drawn = []
    for text in choices:
        drawn.append(game.draw())
        game.choose(chosen(game, text))
    return drawn


def test_the_deck_is_the_one_the_flow_counts() -> None:
    flow = FLOWS["J-deck"]
    deck = Counter(whole_deck(rules_of(flow)))
    assert deck == {card_of(name): count for name, count in flow["expect"]["deck"].items()}
    assert deck.total() == flow["expect"]["total"]


def test_play_goes_clockwise_and_skips_absent_colours() -> None:
    flow = FLOWS["J-order"]
    board = new_board(rules_of(flow), flow["setup"]["players"])
    order = [flow["setup"]["first"]]
    while len(order) < len(flow["expect"]["order"]):
        order.append(next_player(board, order[-1]))
    assert order == flow["expect"]["order"]


def test_drawing_the_last_card_does_not_reshuffle_yet() -> None:
    flow = FLOWS["J-lazy-reshuffle"]
    pile = [card_of(name) for name in flow["setup"]["draw_pile_top_first"]]
    discard = whole_deck(rules_of(flow))
    for card in pile:
        discard.remove(card)
    assert len(discard) == flow["setup"]["discard_count"]
    game = Game(rules_of(flow), new_board(STANDARD, ["red", "blue"]), "red", pile, no_shuffle, discard)
    expect = flow["expect"]
    game.draw()
    assert {"draw_pile": len(game.pile), "discard": len(game.discard)} == expect["after_draw"]
    game.choose(next(iter(game.legal())))
    assert {"draw_pile": len(game.pile), "discard": len(game.discard)} == expect["after_discard"]
    game.draw()
    assert {"draw_pile": len(game.pile), "discard": len(game.discard), "in_play": 1} == expect["after_next_draw"]


@pytest.mark.parametrize("name", [name for name, flow in FLOWS.items() if "positions" in flow["setup"]])
def test_a_worked_flow_holds(name: str) -> None:
    flow = FLOWS[name]
    expect = flow["expect"]
    expect = {**expect, **expect.get("after_turn", {})}
    game = game_of(flow)
    drawn = play_out(game, flow["setup"].get("choices", []) or [None] * expect.get("turns", 1))
    checks: dict[str, object] = {
        "drawn": drawn == [card_of(card) for card in expect.get("drawn", [])],
        "positions": same_for_players(game.board) == same_for_players(board_of(expect.get("positions", {}))),
        "positions_unchanged": game.board == board_of(flow["setup"]["positions"]),
        "discard": game.discard == [card_of(card) for card in expect.get("discard", [])],
        "draw_pile": game.pile == [card_of(card) for card in expect.get("draw_pile", [])],
        "next": game.turn == expect.get("next"),
        "turns": len(drawn) == expect.get("turns"),
        "winner": winner(game.board) == expect.get("winner"),
    }
    assert {key: checks[key] for key in checks if key in expect} == {key: True for key in checks if key in expect}
    if expect.get("further_moves") == "rejected":
        with pytest.raises(ValueError, match="no card is due"):
            game.draw()
        with pytest.raises(ValueError, match="finished game"):
            moves(game.rules, game.board, "blue", 1)


def by_id(entries: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(entry, id=entry["id"]) for entry in entries]


@pytest.mark.parametrize("vector", by_id(VECTORS["turns"]))
def test_a_card_leads_to_this_board_and_this_player(vector: dict[str, Any]) -> None:
    rules, before, barred = rules_of(vector), board_of(vector["positions"]), frozenset(vector["barred"])
    game = Game(rules, before, vector["turn"], [card_of(vector["card"])], no_shuffle, barred=barred)
    game.draw()
    game.choose(tuple(vector["action"]))
    assert game.board == board_of(vector["result"])  # with the pawns' numbers
    assert winner(game.board, barred) == vector["winner"]
    assert game.turn == (vector["next"] or vector["winner"])


@pytest.mark.parametrize("vector", by_id(VECTORS["illegal"]))
def test_an_illegal_action_is_refused(vector: dict[str, Any]) -> None:
    game = Game(rules_of(vector), board_of(vector["positions"]), vector["turn"], [card_of(vector["card"])], no_shuffle)
    game.draw()
    with pytest.raises(ValueError, match=r"illegal|must be made"):
        game.choose(tuple(vector["action"]))


@pytest.mark.parametrize("vector", by_id(VECTORS["invalid_positions"]))
def test_an_impossible_position_is_objected_to(vector: dict[str, Any]) -> None:
    assert problems(rules_of(vector), board_of(vector["positions"])) != []


@pytest.mark.parametrize("vector", by_id(VECTORS["setups"]))
def test_a_game_begins_like_this(vector: dict[str, Any]) -> None:
    assert new_board(rules_of(vector), vector["players"]) == board_of(vector["positions"])


@pytest.mark.parametrize("vector", by_id(PERFT))
def test_the_referee_counts_the_leaves_of_the_vectors(vector: dict[str, Any]) -> None:
    counts = vector["counts"]
    depths = [depth for depth in range(1, len(counts) + 1) if sum(counts[: depth - 1]) <= LEAVES_IN_A_TEST]
    rules, board = rules_of(vector), board_of(vector["positions"])
    barred = frozenset(vector.get("barred", []))
    assert [perft(rules, board, vector["turn"], depth, barred) for depth in depths] == counts[: len(depths)]

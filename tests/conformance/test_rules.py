"""rules.json: every group of it against the engine."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from sorry_lan.fair.draw import draw_card
from sorry_lan.rules.board import Colour, loc_name, parse_colour, parse_loc
from sorry_lan.rules.cards import CARDS, Card, full_deck, parse_card
from sorry_lan.rules.engine import (
    GameOver,
    IllegalMove,
    Use,
    choices,
    draws_again,
    legal_moves,
    may_decline,
    merged,
    play,
)
from sorry_lan.rules.moves import Decline, Move, from_action, parse_text, to_action, to_text
from sorry_lan.rules.position import Position, problems, setup
from sorry_lan.rules.profile import PROFILES, Rules, from_uints, to_uints, variations, with_switch
from tests.conformance.cases import VECTORS

VECTOR = dict[str, Any]
RULES: dict[str, list[VECTOR]] = {
    name: rows
    for name, rows in json.loads((VECTORS / "rules.json").read_text(encoding="utf-8")).items()
    if isinstance(rows, list)
}


def rules_of(case: VECTOR) -> Rules:
    """The profile of a case with its other switches."""
    rules = PROFILES[case["profile"]]
    for switch, setting in case["rules_override"].items():
        text = ",".join(map(str, setting)) if isinstance(setting, list) else str(setting).lower()
        rules = with_switch(rules, f"{switch}={text}")
    return rules


def position_of(case: VECTOR) -> Position:
    """The position of a case, its pawns numbered as they are written."""
    colours = sorted(parse_colour(name) for name in case["players"])
    rows = tuple(tuple(parse_loc(place) for place in case["positions"][colour.label]) for colour in colours)
    barred = sum(1 << colours.index(parse_colour(name)) for name in case.get("barred", []))
    return Position(tuple(colours), rows, colours.index(parse_colour(case["turn"])), barred=barred)


def places(position: Position) -> dict[str, list[str]]:
    """The pawns as a case writes them."""
    rows = zip(position.colours, position.pawns, strict=True)
    return {colour.label: [loc_name(loc) for loc in row] for colour, row in rows}


def winner_of(position: Position) -> str | None:
    return None if position.winner is None else position.colours[position.winner].label


def actions(moves: tuple[Move, ...]) -> list[list[int]]:
    return [list(to_action(move)) for move in moves]


def position_case(case: VECTOR) -> None:
    """All legal answers to one card, with their results, actions and notations."""
    rules, position, card = rules_of(case), position_of(case), parse_card(case["card"])
    legal = legal_moves(position, rules, card)
    assert actions(choices(position, rules, card)) == case["actions"]
    found = {json.dumps(places(each.result)): each for each in merged(position, rules, card)}
    assert set(found) == {json.dumps(row["result"]) for row in case["legal"]}
    for row in case["legal"]:
        each = found[json.dumps(row["result"])]
        assert actions(each.moves) == row["actions"]
        assert [to_text(move, position, card) for move in each.moves] == row["moves"]
        assert [parse_text(text, position, card) for text in row["moves"]] == list(each.moves)
        assert winner_of(each.result) == row["winner"]
        assert (row["winner"] is not None) is row["game_over"]
    assert (not legal) is case["forfeit"]
    assert may_decline(position, rules, card) is case["pass_allowed"]
    assert (Decline() in choices(position, rules, card)) is (case["forfeit"] or case["pass_allowed"])
    assert draws_again(rules, card, Use.MOVED if legal else Use.NOTHING) is case["draws_again"]


def turn_case(case: VECTOR) -> None:
    """A card and an action lead to this board, with numbers, and to this player or winner."""
    after = play(position_of(case), rules_of(case), parse_card(case["card"]), from_action(case["action"]))
    assert places(after) == case["result"]
    assert winner_of(after) == case["winner"]
    assert after.colours[after.turn].label == (case["next"] or case["winner"])


def illegal_case(case: VECTOR) -> None:
    """The action is refused."""
    _refused(lambda: play(position_of(case), rules_of(case), parse_card(case["card"]), from_action(case["action"])))


def setup_case(case: VECTOR) -> None:
    """A game begins like this."""
    colours = [parse_colour(name) for name in case["players"]]
    assert places(setup(rules_of(case), colours, 0)) == case["positions"]


def impossible_case(case: VECTOR) -> None:
    """The position breaks an invariant."""
    assert problems(position_of(case), rules_of(case))


def array_case(case: VECTOR) -> None:
    """The array is these rules, and they are this array."""
    rules = from_uints(case["array"])
    assert (case["name"], rules) in variations()
    assert list(to_uints(rules)) == case["array"]


def wrong_array_case(case: VECTOR) -> None:
    """The array is no rules."""
    _refused(lambda: from_uints(case["array"]))


def action_case(case: VECTOR) -> None:
    """The array is an action, and no other way of writing it."""
    assert list(to_action(from_action(case["action"]))) == case["action"]


def wrong_action_case(case: VECTOR) -> None:
    """The array is no action."""
    _refused(lambda: from_action(case["action"]))


def _refused(ask: Callable[[], object]) -> None:
    try:
        found = ask()
    except ValueError:
        return
    raise AssertionError(f"accepted: {found}")


def flow_case(case: VECTOR) -> None:
    """Some turns in a row; piles are counts here, so the order within one is the vector's."""
    given, due = case["setup"], case["expect"]
    due = {**due, **due.get("after_turn", {})}
    rules = rules_of(case)
    if "deck" in due:
        assert dict(zip(CARDS, full_deck(rules), strict=True)) == {
            parse_card(name): count for name, count in due["deck"].items()
        }
        assert sum(full_deck(rules)) == due["total"]
    elif "order" in due:
        _order(given, due["order"], rules)
    elif "positions" in given:
        _turns(case, given, due, rules)
    else:
        _last_card(given, due, rules)


def _order(given: VECTOR, order: list[str], rules: Rules) -> None:
    colours = sorted(parse_colour(name) for name in given["players"])
    position = setup(rules, colours, colours.index(parse_colour(given["first"])))
    turns = [position]
    while len(turns) < len(order):
        # Nobody can leave Start with a 4, so the turn goes on.
        turns.append(play(turns[-1], rules, Card.FOUR, Decline()))
    assert [each.colours[each.turn].label for each in turns] == order


def _last_card(given: VECTOR, due: VECTOR, rules: Rules) -> None:
    (name,) = given["draw_pile_top_first"]
    card, pile = draw_card(bytes(32), tuple(int(face is parse_card(name)) for face in CARDS), rules)
    assert card is parse_card(name)
    assert sum(pile) == due["after_draw"]["draw_pile"] == due["after_discard"]["draw_pile"]
    _, pile = draw_card(bytes(32), pile, rules)
    assert sum(pile) == due["after_next_draw"]["draw_pile"]


def _turns(case: VECTOR, given: VECTOR, due: VECTOR, rules: Rules) -> None:
    before = after = position_of({**case, **given})
    drawn = []
    chosen = given.get("choices", []) or [None] * due.get("turns", 1)
    waiting = list(given["draw_pile_top_first"])
    refill = list(given.get("discard", []))
    for text in chosen:
        if not waiting:
            # The whole deck comes again; in these flows its order is the discards'.
            waiting, refill = [*refill, *drawn], []
        name = waiting.pop(0)
        drawn.append(name)
        after = play(after, rules, parse_card(name), _chosen(after, rules, parse_card(name), text))
    checks: dict[str, Callable[[], bool]] = {
        "drawn": lambda: drawn == due["drawn"],
        "positions": lambda: _unnumbered(places(after)) == _unnumbered(due["positions"]),
        "positions_unchanged": lambda: after.pawns == before.pawns,
        "next": lambda: after.colours[after.turn].label == due["next"],
        "turns": lambda: len(drawn) == due["turns"],
        "winner": lambda: winner_of(after) == due["winner"],
        "further_moves": lambda: _over(after, rules),
    }
    told = [name for name in checks if name in due]
    assert told
    assert [name for name in told if not checks[name]()] == []


def _unnumbered(rows: dict[str, list[str]]) -> dict[str, list[str]]:
    return {colour: sorted(row) for colour, row in rows.items()}


def _chosen(position: Position, rules: Rules, card: Card, text: str | None) -> Move:
    """The answer that a flow names by its kind and place; where it names none there is one only."""
    offered = choices(position, rules, card)
    if text == "pass" or text is None:
        return Decline() if text == "pass" else next(iter(offered))
    kind, place = text.split()[0], text.split()[-1]
    kinds = {"start": 1, "forward": 2, "backward": 3, "split": 4, "swap": 5, "sorry": 6}
    own = position.pawns[position.turn]
    named = [
        move
        for move in offered
        if to_action(move)[:1] == (kinds[kind],) and (kind == "start" or loc_name(own[to_action(move)[1] - 1]) in text)
    ]
    assert len(named) == 1, (text, place, offered)
    return named[0]


def _over(position: Position, rules: Rules) -> bool:
    try:
        choices(position, rules, Card.ONE)
    except GameOver:
        return True
    return False


GROUPS: dict[str, Callable[[VECTOR], None]] = {
    "cases": position_case,
    "flows": flow_case,
    "setups": setup_case,
    "turns": turn_case,
    "illegal": illegal_case,
    "invalid_positions": impossible_case,
    "valid_rules": array_case,
    "invalid_rules": wrong_array_case,
    "valid_actions": action_case,
    "invalid_actions": wrong_action_case,
}


def test_every_group_of_the_file_is_run() -> None:
    assert set(RULES) == set(GROUPS)


@pytest.mark.parametrize(
    ("group", "case"), [pytest.param(group, case, id=case["id"]) for group in RULES for case in RULES[group]]
)
def test_the_engine_plays_by_the_vectors(group: str, case: VECTOR) -> None:
    GROUPS[group](case)


def test_an_illegal_action_is_named_as_such() -> None:
    position = setup(Rules(), (Colour.RED, Colour.BLUE), 0)
    with pytest.raises(IllegalMove):
        play(position, Rules(), Card.ONE, Decline())

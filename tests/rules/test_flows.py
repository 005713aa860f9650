"""Games of a few turns with a pile: the flows of the vectors and what the reports of other programs warn of."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from sorry_lan.rules.board import Colour, parse_colour
from sorry_lan.rules.cards import CARDS, Card, card_label, parse_card
from sorry_lan.rules.engine import GameOver, choices, legal_moves, merged, play
from sorry_lan.rules.moves import Decline
from sorry_lan.rules.position import Position, setup
from tests.rules.build import STANDARD, at, pawns_of, position_of, rules_of, vectors
from tests.rules.deck import Game, whole_deck

FLOWS = {flow["id"]: flow for flow in vectors("rules")["flows"]}
PLAYED = [name for name, flow in FLOWS.items() if "positions" in flow["setup"]]
PILES = [name for name, flow in FLOWS.items() if "discard_count" in flow["setup"]]

NOTATION = {
    "start": "r1 2",
    "forward 2 with sq:4": "r1 2",
    "forward 7 with sq:6": "r1 7",
    "backward 4 with sq:4": "r1 -4",
    "forward 8 with sq:0": "r1 8",
    "pass": "pass",
}


def labels(cards: list[Card]) -> list[str]:
    return [card_label(card) for card in cards]


@pytest.mark.parametrize("name", PLAYED)
def test_a_flow_comes_out_as_the_vectors_say(name: str) -> None:
    flow = FLOWS[name]
    setup_, expect = flow["setup"], {**flow["expect"], **flow["expect"].get("after_turn", {})}
    start = position_of(setup_)
    pile = [parse_card(text) for text in setup_["draw_pile_top_first"]]
    game = Game(rules_of(flow), start, pile, [parse_card(text) for text in setup_["discard"]])
    drawn = []
    for choice in setup_.get("choices") or [""] * expect.get("turns", 1):
        drawn.append(game.draw())
        game.answer(game.named(NOTATION.get(choice, choice)))
    seen: dict[str, Any] = {
        "drawn": labels(drawn),
        "turns": len(drawn),
        "discard": labels(game.discard),
        "draw_pile": labels(game.pile),
        "next": game.position.colours[game.position.turn].label,
        "winner": None if game.position.winner is None else game.position.colours[game.position.winner].label,
        "positions_unchanged": game.position.pawns == start.pawns,
    }
    if "positions" in expect:
        assert sorted_pawns(game.position) == pawns_of_sorted(expect["positions"], start)
    checked = [key for key in expect if key in seen]
    assert {key: seen[key] for key in checked} == {key: expect[key] for key in checked}
    assert checked
    if expect.get("further_moves") == "rejected":
        with pytest.raises(ValueError, match=r"^no card is due$"):
            game.draw()
        with pytest.raises(GameOver, match=r"^The game is over: red has won\.$"):
            legal_moves(game.position, game.rules, Card.ONE)


@pytest.mark.parametrize("name", PILES)
def test_the_pile_is_renewed_when_a_card_is_needed(name: str) -> None:
    flow = FLOWS[name]
    pile = [parse_card(text) for text in flow["setup"]["draw_pile_top_first"]]
    rest = Counter(whole_deck(STANDARD)) - Counter(pile)
    game = Game(STANDARD, setup(STANDARD, (Colour.RED, Colour.BLUE), 0), pile, list(rest.elements()))
    assert len(game.discard) == flow["setup"]["discard_count"]

    def sizes() -> dict[str, int]:
        return {"draw_pile": len(game.pile), "discard": len(game.discard)}

    game.draw()
    assert sizes() == flow["expect"]["after_draw"]
    game.answer(game.named(""))
    assert sizes() == flow["expect"]["after_discard"]
    game.draw()
    assert {**sizes(), "in_play": 1} == flow["expect"]["after_next_draw"]


@pytest.mark.parametrize("name", ["J-deck", "J-deck-44"])
def test_the_deck_is_the_one_counted(name: str) -> None:
    flow = FLOWS[name]
    deck = Counter(labels(whole_deck(rules_of(flow))))
    assert deck == flow["expect"]["deck"]
    assert deck.total() == flow["expect"]["total"]


def test_play_goes_clockwise_over_the_seats_that_are_taken() -> None:
    flow = FLOWS["J-order"]
    colours = tuple(parse_colour(name) for name in flow["setup"]["players"])
    position = setup(STANDARD, colours, colours.index(parse_colour(flow["setup"]["first"])))
    order = [position.colours[position.turn].label]
    while len(order) < len(flow["expect"]["order"]):
        position = play(position, STANDARD, Card.FOUR, Decline())
        order.append(position.colours[position.turn].label)
    assert order == flow["expect"]["order"]


def test_each_run_through_the_deck_shows_every_card_once() -> None:
    game = Game(STANDARD, setup(STANDARD, tuple(Colour), 0), whole_deck(STANDARD))
    for _ in range(3):
        drawn = []
        for _ in range(45):
            drawn.append(game.draw())
            game.answer(choices(game.position, STANDARD, drawn[-1])[0])
        assert Counter(drawn) == Counter(whole_deck(STANDARD))


@pytest.mark.parametrize("distance", range(1, 66))
def test_a_lone_pawn_comes_home_by_exact_count_only(distance: int) -> None:
    square = (2 + 6 - distance) % 60
    place = "s" if distance == 65 else f"z{5 - distance}" if distance <= 5 else str(square)
    position = at(f"r {place} h h / b s s s")
    for card in CARDS:
        wins = [each for each in merged(position, STANDARD, card) if each.result.winner == 0]
        forward = {Card.FOUR: 0, Card.SORRY: 0}.get(card, int(card))
        assert bool(wins) == (forward == distance)


@pytest.mark.parametrize("colours", ["r b", "r g", "b y g", "r b y g"])
def test_an_arrival_ends_the_game_for_every_number_of_players(colours: str) -> None:
    pawns = ["20 s s", "z4 h h", "s s s", "s s s"]
    rows = [f"{letter} {row}" for letter, row in zip(colours.split(), pawns, strict=False)]
    position = at(" / ".join(rows), turn=colours.split()[1])
    (move,) = legal_moves(position, STANDARD, Card.ONE)
    after = play(position, STANDARD, Card.ONE, move)
    assert (after.winner, after.turn) == (1, 1)
    for ask in (legal_moves, choices, merged):
        with pytest.raises(GameOver):
            ask(after, STANDARD, Card.ONE)
    with pytest.raises(GameOver):
        play(after, STANDARD, Card.ONE, Decline())


def sorted_pawns(position: Position) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(sorted(row)) for row in position.pawns)


def pawns_of_sorted(positions: dict[str, list[str]], like: Position) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(sorted(row)) for row in pawns_of(positions, like.colours))

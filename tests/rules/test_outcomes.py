"""All distinct ends of a card at once, beside those that come of playing every choice."""

from __future__ import annotations

import pytest

from sorry_lan.rules import fast
from sorry_lan.rules.board import Colour
from sorry_lan.rules.cards import CARDS, Card
from sorry_lan.rules.fast import outcomes
from sorry_lan.rules.position import setup
from sorry_lan.rules.profile import PROFILES, Rules, with_switch
from tests.rules.build import STANDARD, at
from tests.rules.walk import walk

FOUR = tuple(Colour)
SETS = {
    **PROFILES,
    "pass": with_switch(STANDARD, "eleven_pass=always"),
    "never": with_switch(STANDARD, "two_draws_again=never"),
}


def played_out(core: fast.Core, cells: fast.Cells, seat: int, card: int) -> list[fast.Outcome]:
    """The same by playing every choice, in the order of the choices."""
    ends: dict[fast.Cells, fast.Outcome] = {}
    for action in core.choices(cells, seat, card):
        after, turn, winner = core.step(cells, seat, card, action)
        ordered = core.sorted_rows(after)
        # A swap may leave all as it was, as passing does; passing is an end of its own.
        ends.setdefault(ordered if action else b"", (action, ordered, turn, winner))
    return list(ends.values())


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("seats", [2, 4])
def test_they_are_what_playing_every_choice_leads_to(name: str, seats: int) -> None:
    rules: Rules = SETS[name]
    core = fast.core(rules, FOUR[:seats])
    tree = fast.Outcomes(core)
    for position in walk(setup(rules, FOUR[:seats], 0), rules, seed=name, steps=120):
        cells = fast.flatten(position.pawns)
        for card in CARDS:
            assert tree.of(cells, position.turn, card) == played_out(core, cells, position.turn, card)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("r 5 20 s / b 10 s s", Card.FIVE),  # bumped where it lands
        ("r 8 s s / b 12 s s", Card.ONE),  # swept by a slide
        ("r 8 20 s / b 26 11 s", Card.SEVEN),  # by either half of a split
        ("r 14 20 s / b 13 s s", Card.TEN),  # by the step back
        ("r s s s / b 4 s s", Card.TWO),  # on the exit
        ("r h h z3 / b 4 s s", Card.TWO),  # the last one Home
        ("r h h 58 / b 4 s s", Card.TEN),  # the last one Home, or a step back
        ("r 20 23 s / b 4 s s", Card.SEVEN),  # one takes the place that the other has left
        ("r 20 s s / b 4 30 s", Card.ELEVEN),
        ("r 20 s s / b 4 30 s", Card.SORRY),
        ("r s s s / b s s s", Card.FOUR),
    ],
)
def test_who_is_hit_is_sent_to_start_though_the_row_was_remembered(text: str, card: Card) -> None:
    position = at(text)
    core = fast.core(STANDARD, position.colours)
    tree = fast.Outcomes(core)
    emptied = at(f"{text.split('/', maxsplit=1)[0]} / b s s s")
    for cells in (fast.flatten(emptied.pawns), fast.flatten(position.pawns)):
        assert tree.of(cells, 0, card) == played_out(core, cells, 0, card)


def test_with_stand_ins_the_turn_passes_over_those_who_are_home() -> None:
    position = at("r 20 z4 h / b h h h / y z4 h h")
    core = fast.core(STANDARD, position.colours, 0b110)
    tree = fast.Outcomes(core)
    cells = fast.flatten(position.pawns)
    for seat in (0, 2):
        for card in CARDS:
            assert tree.of(cells, seat, card) == played_out(core, cells, seat, card)
    assert (1, fast.NO_WINNER) not in {end[2:] for card in CARDS for end in tree.of(cells, 0, card)}


def test_a_full_memory_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcomes, "WAYS_KEPT", 3)
    core = fast.core(STANDARD, FOUR[:2])
    tree = fast.Outcomes(core)
    for position in walk(setup(STANDARD, FOUR[:2], 0), STANDARD, seed="full", steps=20):
        cells = fast.flatten(position.pawns)
        for card in CARDS:
            assert tree.of(cells, position.turn, card) == played_out(core, cells, position.turn, card)


def test_distances_are_steps_to_home() -> None:
    core = fast.core(STANDARD, FOUR)
    cells = fast.flatten(at("r s 4 2 / b z0 z4 h").pawns)
    assert [core.distances[0][loc] for loc in cells[:3]] == [65, 64, 6]
    assert [core.distances[1][loc] for loc in cells[3:]] == [5, 1, 0]

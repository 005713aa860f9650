"""One position and one card: every answer of the engine beside the referee's, and the smallest quarrel."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from sorry_lan.rules import engine, fast
from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import from_action, to_action
from sorry_lan.rules.position import Position, canonical, problems
from tests.sim import referee
from tests.sim.variants import Variant

SAMPLES = 3
ONE_SURFACE_IN = 8
TURNS = 3


@dataclass(frozen=True)
class Difference:
    """One question with two answers."""

    question: str
    referee: object
    engine: object


PLACES = ("start", *(f"sq:{n}" for n in range(60)), *(f"safe:{i}" for i in range(5)), "home")
"""The referee's word for each location 0..66 of the engine."""

LOCS = {place: loc for loc, place in enumerate(PLACES)}


def board_of(position: Position) -> referee.Board:
    """The referee's board of a position."""
    rows = zip(position.colours, position.pawns, strict=True)
    return {referee.COLOURS[colour]: [PLACES[loc] for loc in row] for colour, row in rows}


def cells_of(board: referee.Board) -> bytes:
    """The board as the fast core keeps it: all pawns' locations in a row."""
    return bytes([LOCS[place] for places in board.values() for place in places])


def sorted_cells_of(board: referee.Board) -> bytes:
    """The same without the pawns' numbers: each seat's locations ascending."""
    return bytes([loc for places in board.values() for loc in sorted([LOCS[place] for place in places])])


def barred_of(position: Position) -> frozenset[str]:
    """The colours of the stand-ins."""
    seats = enumerate(position.colours)
    return frozenset(referee.COLOURS[colour] for seat, colour in seats if position.barred >> seat & 1)


def turn_of(position: Position) -> str:
    """The colour that draws next."""
    return referee.COLOURS[position.colours[position.turn]]


@lru_cache(maxsize=8)
def outcomes_of(core: fast.Core) -> fast.Outcomes:
    """The outcomes of a core, which remember rows from one question to the next."""
    return fast.Outcomes(core)


@lru_cache(maxsize=8)
def playouts_of(core: fast.Core) -> fast.Playouts:
    """The random games of a core."""
    return fast.Playouts(core)


def random_turns(core: fast.Core, cells: bytes, seat: int, card: int, mark: int) -> set[fast.Step]:
    """The ends of a few turns of random games with this card."""
    rng = random.Random(mark)
    numbers = [rng.randrange(fast.NUMBERS) for _ in range(TURNS)]
    return {playouts_of(core).run(cells, seat, [card], 1, [number])[:3] for number in numbers}


@dataclass(frozen=True)
class Judgement:
    """All that the referee says about one card, in the engine's numbers.

    `steps` has what follows each choice, () included: the cells, the seat that draws next or has won, the winner or -1.
    """

    legal: list[referee.Action]
    declining: bool
    again: bool
    steps: dict[referee.Action, tuple[bytes, int, int]]
    results: dict[bytes, list[referee.Action]]

    def outcomes(self, unmoved: bytes) -> list[tuple[referee.Action, bytes, int, int]]:
        """Each distinct end with the first action that leads there; `unmoved` are the cells before, rows sorted."""
        ways = [(actions[0], after) for after, actions in self.results.items()]
        passing = [((), unmoved)] if () in self.steps else []
        return [(action, after, *self.steps[action][1:]) for action, after in (*passing, *ways)]


def judgement(variant: Variant, position: Position, card: int) -> Judgement:
    """Ask the referee."""
    board, barred, turn = board_of(position), barred_of(position), turn_of(position)
    legal = referee.moves(variant.referee, board, turn, card, barred)
    declining = referee.may_decline(variant.referee, card, legal)
    again = referee.draws_again(variant.referee, card, legal)
    seats = list(board)
    unmoved: dict[referee.Action, referee.Board] = {(): board} if declining or not legal else {}
    steps = {}
    for action, after in (unmoved | legal).items():
        won = referee.winner(after, barred)
        following = won or referee.turn_after(after, turn, barred, again=again) or "nobody"
        steps[action] = (cells_of(after), seats.index(following), -1 if won is None else seats.index(won))
    results: dict[bytes, list[referee.Action]] = {}
    for action, after in legal.items():
        results.setdefault(sorted_cells_of(after), []).append(action)
    return Judgement(list(legal), declining, again, steps, results)


def answers(variant: Variant, position: Position, card: int, surface_in: int) -> Iterator[tuple[str, object, object]]:
    """Each question about this card with the referee's and the engine's answer; no more after differing lists.

    The fast core is asked about every pair, the readable surface over it about one pair in `surface_in`.
    """
    judged = judgement(variant, position, card)
    core = fast.core(variant.engine, position.colours, position.barred)
    cells, seat = fast.flatten(position.pawns), position.turn
    yield "legal actions", judged.legal, core.legal(cells, seat, card)
    choices = core.choices(cells, seat, card)
    yield "choices", list(judged.steps), choices
    if list(judged.steps) != choices:
        return
    yield "what follows", judged.steps, {action: core.step(cells, seat, card, action) for action in choices}
    yield "distinct results", judged.results, core.results(cells, seat, card)
    yield "outcomes", judged.outcomes(sorted_cells_of(board_of(position))), outcomes_of(core).of(cells, seat, card)
    mark = hash((position.pawns, seat, card))  # a hash of numbers is the same everywhere
    possible = {(core.sorted_rows(after), turn, winner) for after, turn, winner in judged.steps.values()}
    yield "random turns", set(), random_turns(core, cells, seat, card, mark) - possible
    if mark % surface_in == 0:
        yield from surface_answers(variant, position, card, judged)


def surface_answers(
    variant: Variant, position: Position, card: int, judged: Judgement
) -> Iterator[tuple[str, object, object]]:
    """The same questions to the functions that take and give moves and positions, and one action that is illegal."""
    rules, face = variant.engine, Card(card)
    use = engine.Use.MOVED if judged.legal else engine.Use.NOTHING
    yield "legal moves", judged.legal, [to_action(move) for move in engine.legal_moves(position, rules, face)]
    yield "move choices", list(judged.steps), [to_action(move) for move in engine.choices(position, rules, face)]
    yield "pass allowed", judged.declining, engine.may_decline(position, rules, face)
    yield "draws again", judged.again, engine.draws_again(rules, face, use)
    expected = {action: _position_after(position, *step) for action, step in judged.steps.items()}
    played = {action: engine.play(position, rules, face, from_action(action)) for action in judged.steps}
    yield "positions", expected, played
    merged = [(each.result, [to_action(move) for move in each.moves]) for each in engine.merged(position, rules, face)]
    ways = sorted(judged.results.items())
    yield "merged results", [(canonical(expected[actions[0]]), actions) for _, actions in ways], merged
    wrong = some_action(random.Random(f"{position.pawns} {card}"))  # the same one for the same pair
    if wrong not in judged.steps:
        illegal = from_action(wrong)
        yield f"illegal action {wrong}", "IllegalMove", refusal(lambda: engine.play(position, rules, face, illegal))


def _position_after(before: Position, cells: bytes, turn: int, winner: int) -> Position:
    rows = fast.rows(cells, len(before.pawns[0]))
    return Position(before.colours, rows, turn, None if winner < 0 else winner, before.barred)


def some_action(rng: random.Random) -> referee.Action:
    """An action that is well formed and mostly illegal; its steps are mostly those of some card."""
    pawn, other = rng.sample(range(1, 5), 2)
    steps, seat = rng.randint(1, 6), rng.randrange(4)
    shapes: list[referee.Action] = [
        (),
        (1, pawn),
        (2, pawn, rng.choice((steps, 7, 8, 10, 11, 12))),
        (3, pawn, rng.choice((1, 4))),
        (4, pawn, steps, other, 7 - steps),
        (5, pawn, seat, other),
        (6, pawn, seat, other),
    ]
    return rng.choice(shapes)


def refusal(ask: Callable[[], object]) -> str:
    """What the engine raises when asked for something illegal, by name."""
    try:
        ask()
    except (ValueError, LookupError) as error:
        return type(error).__name__
    return "nothing"


def unsound(variant: Variant, position: Position) -> list[str]:
    """What either judge objects to in a position that play has led to; empty where both are content."""
    return [*referee.problems(variant.referee, board_of(position)), *problems(position, variant.engine)]


def differences(variant: Variant, position: Position, card: int, surface_in: int = ONE_SURFACE_IN) -> list[Difference]:
    """The first questions that the two answer differently; empty where they agree."""
    found = []
    for question, judged, answered in answers(variant, position, card, surface_in):
        if judged != answered:
            found.append(Difference(question, judged, answered))
        if len(found) == SAMPLES:
            break
    return found


def smallest(variant: Variant, position: Position, card: int) -> Position:
    """The position with as many pawns taken to Start or Home as the quarrel allows."""
    shrunk = True
    while shrunk:
        shrunk = False
        for simpler in _simpler(position):
            if not problems(simpler, variant.engine) and differences(variant, simpler, card, 1):
                position, shrunk = simpler, True
                break
    return position


def _simpler(position: Position) -> Iterator[Position]:
    for seat, row in enumerate(position.pawns):
        for pawn, loc in enumerate(row):
            for instead in (0, 66):
                # Start counts as simpler than Home, so that shrinking ends.
                if loc not in (0, instead) and not (loc == 66 and instead == 66):
                    rows = list(position.pawns)
                    rows[seat] = (*row[:pawn], instead, *row[pawn + 1 :])
                    yield replace(position, pawns=tuple(rows))


def described(variant: Variant, position: Position, card: int) -> dict[str, object]:
    """The pair in the form of the worked cases, with both answers."""
    small = smallest(variant, position, card)
    return {
        "rules": variant.name,
        "turn": turn_of(small),
        "positions": board_of(small),
        "card": "sorry" if card == referee.SORRY else str(card),
        "barred": sorted(barred_of(small)),
        "differences": [
            {"question": each.question, **dict(zip(("referee", "engine"), _told_apart(each), strict=True))}
            for each in differences(variant, small, card, 1)
        ],
    }


def _told_apart(found: Difference) -> tuple[str, str]:
    """Both answers in words; of two mappings only the entries that differ."""
    left, right = found.referee, found.engine
    if isinstance(left, dict) and isinstance(right, dict):
        differing = [key for key in left | right if left.get(key) != right.get(key)]
        left, right = ({key: side[key] for key in differing if key in side} for side in (left, right))
    return str(left), str(right)

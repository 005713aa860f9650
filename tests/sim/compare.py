"""One position and one card: every answer of the engine beside the referee's, and the smallest quarrel."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from sorry_lan.rules import engine, fast
from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import from_action, to_action
from sorry_lan.rules.position import Position, canonical, problems
from tests.sim import referee
from tests.sim.variants import Variant

SAMPLES = 3
ONE_REFUSAL_IN = 4


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


def rows_of(board: referee.Board) -> tuple[tuple[int, ...], ...]:
    """The engine's rows of pawns of a board."""
    return tuple([tuple([LOCS[place] for place in places]) for places in board.values()])


def barred_of(position: Position) -> frozenset[str]:
    """The colours of the stand-ins."""
    seats = enumerate(position.colours)
    return frozenset(referee.COLOURS[colour] for seat, colour in seats if position.barred >> seat & 1)


def turn_of(position: Position) -> str:
    """The colour that draws next."""
    return referee.COLOURS[position.colours[position.turn]]


def answers(variant: Variant, position: Position, card: int) -> Iterator[tuple[str, object, object]]:
    """Each question about this card with the referee's and the engine's answer; no more after differing lists."""
    rules, face = variant.engine, Card(card)
    board, barred = board_of(position), barred_of(position)
    legal = referee.moves(variant.referee, board, turn_of(position), card, barred)
    listed = [to_action(move) for move in engine.legal_moves(position, rules, face)]
    yield "legal actions", list(legal), listed
    if list(legal) != listed:
        return
    declining = referee.may_decline(variant.referee, card, legal)
    again = referee.draws_again(variant.referee, card, legal)
    use = engine.Use.MOVED if listed else engine.Use.NOTHING
    yield "pass allowed", declining, engine.may_decline(position, rules, face)
    yield "draws again", again, engine.draws_again(rules, face, use)

    unmoved: dict[referee.Action, referee.Board] = {(): board} if declining or not legal else {}
    choices = [to_action(move) for move in engine.choices(position, rules, face)]
    yield "choices", [*unmoved, *legal], choices
    if [*unmoved, *legal] != choices:
        return
    # The fast core answers every action; engine.play one of them, and merged() below one of each distinct result.
    core, cells = fast.core(rules, position.colours, position.barred), fast.flatten(position.pawns)
    expected: dict[referee.Action, Position] = {}
    seats = list(board)
    for action, after in (unmoved | legal).items():
        won = referee.winner(after, barred)
        turn = seats.index(referee.turn_after(after, turn_of(position), barred, again=again) or won or "nobody")
        winner = None if won is None else seats.index(won)
        rows = rows_of(after)
        expected[action] = Position(position.colours, rows, turn, winner, position.barred)
        judged_step = (fast.flatten(rows), turn, fast.NO_WINNER if winner is None else winner)
        yield f"step {action}", judged_step, core.step(cells, position.turn, card, action)
    mark = hash((position.pawns, position.turn, card))  # a hash of numbers is the same everywhere
    sample = choices[mark % len(choices)]
    yield f"position after {sample}", expected[sample], engine.play(position, rules, face, from_action(sample))

    judged: dict[object, list[referee.Action]] = {}
    for action, after in legal.items():
        judged.setdefault(referee.same_for_players(after), []).append(action)
    found = engine.merged(position, rules, face)
    yield "number of results", len(judged), len(found)
    for each in found:
        actions = [to_action(move) for move in each.moves]
        yield "ways to a result", judged.get(referee.same_for_players(board_of(each.result))), actions
        yield "result in canonical form", canonical(expected[actions[0]]), each.result
    wrong = some_action(mark, card) if mark % ONE_REFUSAL_IN == 0 else choices[0]
    if wrong not in choices:
        illegal = from_action(wrong)
        yield f"illegal action {wrong}", "IllegalMove", refusal(lambda: engine.play(position, rules, face, illegal))


def some_action(mark: int, card: int) -> referee.Action:
    """An action that is well formed and mostly illegal, the same one for the same mark."""
    rng = random.Random(mark)
    pawn, other = rng.sample(range(1, 5), 2)
    steps, seat = rng.randint(1, 6), rng.randrange(4)
    shapes: list[referee.Action] = [
        (),
        (1, pawn),
        (2, pawn, rng.choice((card, steps)) % 13 or 1),
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


def differences(variant: Variant, position: Position, card: int) -> list[Difference]:
    """The first questions that the two answer differently; empty where they agree."""
    found = []
    for question, judged, answered in answers(variant, position, card):
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
            if not problems(simpler, variant.engine) and differences(variant, simpler, card):
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
            {"question": each.question, "referee": str(each.referee), "engine": str(each.engine)}
            for each in differences(variant, small, card)
        ],
    }

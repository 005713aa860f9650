"""Picking one of many choices: nine at a time, by pawn, in two or three steps, with a preview (U42).

Pure values; what a key means is client.py's, which choices there are the table's. Splits go pawn and part first, then
partner; swaps own pawn first, then whom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, unique
from typing import Final

from sorry_lan.faults import LocalMisuse
from sorry_lan.rules.board import START, Colour, backward, forward, to_home
from sorry_lan.rules.effects import Bumped, Effect, Swept, effects_of
from sorry_lan.rules.engine import play
from sorry_lan.rules.moves import Backward, Decline, Forward, LeaveStart, Move, Sorry, Split, Swap
from sorry_lan.rules.position import Position
from sorry_lan.table.view import GameView, Prompt
from sorry_lan.ui.board_picture import Spot, spot
from sorry_lan.ui.paths import bumped_by
from sorry_lan.ui.taste import Confirm
from sorry_lan.ui.texts_prompts import numbered

PAGE: Final = 9
"""Choices that a digit can pick."""

Part = tuple[str, int, int]
"""One step of picking: ("pawn", p, 0), ("count", p, steps), ("whom", seat, pawn)."""
Route = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to the card: its number in the whole list, what happens, the board afterwards.

    `routes` are the ways to pick it step by step: a 7 that is shared can be begun with either pawn.
    """

    number: int
    move: Move
    effects: tuple[Effect, ...]
    before: Position
    after: Position
    routes: tuple[Route, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list: a choice, or a step that leaves `choices` of them; `spot` is where its mark stands."""

    prefix: Route
    choices: tuple[Choice, ...]
    choice: Choice | None
    spot: Spot | None


@unique
class Asks(Enum):
    """Whether Enter was pressed and is asked about once more."""

    NOT = "not"
    SURE = "sure"


@dataclass(frozen=True, slots=True)
class Picking:
    """How far somebody has come: the steps taken, the highlighted line of the list, whether it asks once more."""

    prefix: Route = ()
    cursor: int | None = None
    asks: Asks = Asks.NOT
    back: Picking | None = None


def choices_of(prompt: Prompt, game: GameView) -> tuple[Choice, ...]:
    """The numbered choices of a question, as in plain mode; empty for a draw."""
    if prompt.card is None:
        return ()
    before, rules, card = game.position, game.rules, prompt.card
    return tuple(
        Choice(
            number, move, effects_of(before, rules, card, move), before, play(before, rules, card, move), _routes(move)
        )
        for number, move in enumerate(numbered(prompt, game), 1)
    )


def start(choices: Sequence[Choice]) -> Picking:
    """Nothing picked, but for a choice that is the only one."""
    return Picking(cursor=0 if len(choices) == 1 else None)


def entries(choices: tuple[Choice, ...], prefix: Route) -> tuple[Entry, ...]:
    """The lines of the list after these steps: the choices themselves where nine are left, else the next step.

    Steps stand in the order of their numbers, so that 3 is most often pawn 3, or 3 squares.
    """
    left = tuple(choice for choice in choices if _route(choice, prefix) is not None)
    if len(left) <= PAGE:
        return tuple(_leaf(choice, prefix) for choice in left)
    level = len(prefix)
    while True:
        level += 1
        groups: dict[Route, list[Choice]] = {}
        for choice in left:
            for route in choice.routes:
                if route[: len(prefix)] == prefix:
                    groups.setdefault(route[:level], []).append(choice)
        if len(groups) > 1 or level > 3:
            break
    return tuple(
        _leaf(members[0], head) if len(members) == 1 else _step(head, tuple(members))
        for head, members in sorted(groups.items(), key=lambda group: group[0])
    )


def shown_page(picking: Picking, count: int) -> range:
    """The lines of the page with the highlighted line."""
    first = (picking.cursor or 0) // PAGE * PAGE
    return range(first, min(first + PAGE, count))


def picked(choices: tuple[Choice, ...], picking: Picking) -> Choice | None:
    """The choice that is highlighted."""
    if picking.cursor is None:
        return None
    lines = entries(choices, picking.prefix)
    return lines[picking.cursor].choice if picking.cursor < len(lines) else None


def moved(choices: tuple[Choice, ...], picking: Picking, by: int) -> Picking:
    """The highlight up or down, around the ends."""
    count = len(entries(choices, picking.prefix))
    cursor = (0 if by > 0 else count - 1) if picking.cursor is None else (picking.cursor + by) % count
    return replace(picking, cursor=cursor, asks=Asks.NOT)


def next_page(choices: tuple[Choice, ...], picking: Picking) -> Picking:
    """The next nine lines, after the last the first."""
    count = len(entries(choices, picking.prefix))
    if count <= PAGE:
        return picking
    first = shown_page(picking, count).start + PAGE
    return replace(picking, cursor=first if first < count else 0, asks=Asks.NOT)


def at_line(choices: tuple[Choice, ...], picking: Picking, line: int) -> Picking:
    """Line number `line` (from 0): a choice is highlighted, a step taken."""
    lines = entries(choices, picking.prefix)
    if not 0 <= line < len(lines):
        return picking
    if lines[line].choice is not None:
        return replace(picking, cursor=line, asks=Asks.NOT)
    return Picking(lines[line].prefix, back=replace(picking, asks=Asks.NOT))


def back(choices: tuple[Choice, ...], picking: Picking) -> Picking:
    """One step back: the question, the highlight, the last step."""
    if picking.asks is Asks.SURE:
        return replace(picking, asks=Asks.NOT)
    if picking.cursor is not None and len(choices) > 1:
        return replace(picking, cursor=None)
    if picking.back is not None:
        return replace(picking.back, cursor=None)
    return picking


def pawns(choices: Sequence[Choice]) -> tuple[int, ...]:
    """The own pawns that some choice moves."""
    return tuple(sorted({p for choice in choices for route in choice.routes for kind, p, _ in route if kind == "pawn"}))


def by_pawn(choices: tuple[Choice, ...], picking: Picking, pawn: int) -> Picking:
    """Only the choices that move this pawn; highlighted where it is one."""
    head: Route = (("pawn", pawn, 0),)
    lines = entries(choices, head)
    if not lines:
        return picking
    return Picking(head, 0 if len(lines) == 1 and lines[0].choice is not None else None, back=start(choices))


def next_pawn(choices: tuple[Choice, ...], picking: Picking, by: int) -> Picking:
    """The choices of the next (or previous) own pawn, after the last those of all."""
    ring = (0, *pawns(choices))
    now = picking.prefix[0][1] if picking.prefix else 0
    pawn = ring[(ring.index(now) + by) % len(ring)] if now in ring else 0
    return by_pawn(choices, picking, pawn) if pawn else start(choices)


def at_choice(choices: tuple[Choice, ...], choice: Choice) -> Picking:
    """The choice highlighted, wherever it stands in the list."""
    picking = start(choices)
    while True:
        lines = entries(choices, picking.prefix)
        for line, entry in enumerate(lines):
            if entry.choice is choice:
                return replace(picking, cursor=line)
        step = next((entry for entry in lines if any(choice is one for one in entry.choices)), None)
        if step is None or step.prefix == picking.prefix:
            raise LocalMisuse("a choice that is not in the list")
        picking = Picking(step.prefix, back=picking)


def at_spot(choices: tuple[Choice, ...], picking: Picking, where: Spot) -> Picking:
    """What a click on the board means: a mark of the list, an own pawn, a pawn that some choice sends back."""
    lines = entries(choices, picking.prefix)
    for line in shown_page(picking, len(lines)):
        if lines[line].spot == where:
            return at_line(choices, picking, line)
    if not choices:
        return picking
    before = choices[0].before
    for pawn in pawns(choices):
        if spot(before.colours[before.turn], before.pawns[before.turn][pawn - 1]) == where:
            return by_pawn(choices, picking, pawn)
    hits = [line for line, entry in enumerate(lines) if entry.choice is not None and where in _lost(entry.choice)]
    return at_line(choices, picking, hits[0]) if len(hits) == 1 else picking


def targets(choices: tuple[Choice, ...], picking: Picking) -> tuple[tuple[Spot, str], ...]:
    """The labels on the board: digits of the lines in view, x on pawns that the highlighted choice sends back."""
    lines = entries(choices, picking.prefix)
    labels: dict[Spot, str] = {}
    chosen = picked(choices, picking)
    if picking.cursor is not None and chosen is not None:
        where = lines[picking.cursor].spot
        if where is not None:
            labels[where] = str(picking.cursor % PAGE + 1)
    for line in shown_page(picking, len(lines)):
        where = lines[line].spot
        if where is not None:
            labels.setdefault(where, str(line % PAGE + 1))
    if chosen is not None:
        for where in _lost(chosen):
            labels.setdefault(where, "x")
    return tuple(sorted(labels.items(), key=lambda pair: (pair[1], pair[0].loc)))


def taken(picking: Picking) -> tuple[int, ...]:
    """The own pawns that were picked so far."""
    return tuple(sorted({number for kind, number, _ in picking.prefix if kind != "whom"}))


def movers(choice: Choice) -> tuple[tuple[int, int], ...]:
    """(seat, pawn) of the pawns that the choice moves by itself."""
    own = choice.before.turn
    match choice.move:
        case LeaveStart(pawn) | Forward(pawn) | Backward(pawn) | Sorry(pawn):
            return ((own, pawn),)
        case Split(first=first, second=second):
            return ((own, first), (own, second))
        case Swap(pawn, seat, target):
            return ((own, pawn), (seat, target))
        case Decline():
            return ()


def asks_first(choice: Choice, among: int, confirm: Confirm) -> bool:
    """Whether Enter on it asks once more, where there are `among` choices."""
    match confirm:
        case Confirm.ALWAYS:
            return True
        case Confirm.NEVER:
            return False
        case Confirm.RISKY:
            return among > 1 and risky(choice)


def risky(choice: Choice) -> bool:
    """Whether it costs the own side something: an own pawn goes back, the card is left unused, a swap loses ground."""
    own, move = choice.before.turn, choice.move
    if isinstance(move, Decline):
        return True
    if any(isinstance(effect, Bumped | Swept) and effect.seat == own for effect in choice.effects):
        return True
    if not isinstance(move, Swap):
        return False
    colour = Colour(choice.before.colours[own])
    return to_home(colour, choice.after.pawns[own][move.pawn - 1]) > to_home(
        colour, choice.before.pawns[own][move.pawn - 1]
    )


def _routes(move: Move) -> tuple[Route, ...]:
    match move:
        case LeaveStart(pawn):
            return ((("pawn", pawn, 0), ("count", pawn, 0)),)
        case Forward(pawn, n):
            return ((("pawn", pawn, 0), ("count", pawn, n)),)
        case Backward(pawn, n):
            return ((("pawn", pawn, 0), ("count", pawn, -n)),)
        case Split(first, a, second, b):
            return (_shared(first, a, second, b), _shared(second, b, first, a))
        case Swap(pawn, seat, target) | Sorry(pawn, seat, target):
            return ((("pawn", pawn, 0), ("whom", seat, target)),)
        case Decline():
            return ((("none", 0, 0),),)


def _shared(first: int, a: int, second: int, b: int) -> Route:
    return ("pawn", first, 0), ("count", first, a), ("count", second, b)


def _route(choice: Choice, prefix: Route) -> Route | None:
    return next((route for route in choice.routes if route[: len(prefix)] == prefix), None)


def _leaf(choice: Choice, prefix: Route) -> Entry:
    route = _route(choice, prefix) or choice.routes[0]
    return Entry(route, (choice,), choice, _end_spot(choice, route[-1]))


def _step(head: Route, members: tuple[Choice, ...]) -> Entry:
    return Entry(head, members, None, _step_spot(head, members[0]))


def _end_spot(choice: Choice, last: Part) -> Spot | None:
    """Where the last part of a choice ends."""
    kind, number, _ = last
    own = choice.before.turn
    if kind == "whom":
        number = choice.routes[0][0][1]
    if kind == "none":
        return None
    return spot(choice.before.colours[own], choice.after.pawns[own][number - 1])


def _step_spot(head: Route, choice: Choice) -> Spot | None:
    """Where the mark of a step stands: the pawn, or where its part of the count ends."""
    kind, number, steps = head[-1]
    own = choice.before.turn
    colour = Colour(choice.before.colours[own])
    if kind == "whom":
        return spot(choice.before.colours[number], choice.before.pawns[number][steps - 1])
    loc = choice.before.pawns[own][number - 1]
    if kind == "count" and loc != START:
        end = forward(colour, loc, steps) if steps > 0 else backward(colour, loc, -steps)
        return None if end is None else spot(colour, end)
    return spot(colour, loc)


def _lost(choice: Choice) -> tuple[Spot, ...]:
    before = choice.before
    return tuple(spot(before.colours[seat], before.pawns[seat][pawn - 1]) for seat, pawn in bumped_by(choice.effects))

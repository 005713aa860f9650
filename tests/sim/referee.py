"""The rules a second time: slow, plain, written from the rules text and from nothing else in this project.

It judges the engine, so it imports nothing of it and shares no table with it; squares come from
formulas (docs/rules.md, section 4).
A board is `{colour: [place, ...]}` in colour order; a place is "start", "sq:0".."sq:59", "safe:0".."safe:4" or "home".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

COLOURS = ("red", "blue", "yellow", "green")
SORRY = 13
CARDS = (1, 2, 3, 4, 5, 7, 8, 10, 11, 12, SORRY)

Board = dict[str, list[str]]
Action = tuple[int, ...]
NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Switches:
    """Section 3: what may differ between two games. The defaults are the profile `standard`."""

    pawns: int = 3
    start_cards: frozenset[int] = frozenset({1, 2, 3, 5, 8, 10, 11, 12})
    slide_on: str = "own"
    two_draws_again: str = "always"
    sorry_forward: str = "no"
    start_by_count: bool = False
    slide_past_entry: str = "carry"
    slide_own_pawns: str = "bump"
    swap_slide: str = "mover"
    sorry_slide: bool = True
    eleven_pass: str = "if_no_forward"
    split_pawns: int = 2
    pawns_out: int = 0
    ones: int = 5


STANDARD = Switches()
PROFILES = {
    "standard": STANDARD,
    "classic": replace(STANDARD, pawns=4, start_cards=frozenset({1, 2}), slide_on="other"),
    "2013": replace(STANDARD, start_cards=STANDARD.start_cards | {7}, two_draws_again="never", sorry_forward="choice"),
}


# The board (2.1, 4.2)


def corner_of(colour: str) -> int:
    """The corner square from which everything of this colour is counted."""
    return 15 * COLOURS.index(colour)


def entry_of(colour: str) -> int:
    """The square beside which the colour's own safety zone begins."""
    return corner_of(colour) + 2


def exit_of(colour: str) -> int:
    """The square on which a pawn of this colour arrives from Start."""
    return corner_of(colour) + 4


def on_track(place: str) -> bool:
    """Whether the place is one of the 60 outer squares."""
    return place.startswith("sq:")


def in_zone(place: str) -> bool:
    """Whether the place is a safety square."""
    return place.startswith("safe:")


def number_of(place: str) -> int:
    """The number in "sq:n" or "safe:i"."""
    return int(place.partition(":")[2])


def ahead(colour: str, place: str, steps: int) -> str | None:
    """Where `steps` forward lead (4.2); None where that is impossible."""
    if on_track(place):
        square = number_of(place)
        to_entry = (entry_of(colour) - square) % 60
        if steps <= to_entry:
            return f"sq:{(square + steps) % 60}"
        inward = steps - to_entry
    elif in_zone(place):
        inward = number_of(place) + 1 + steps
    else:
        return None
    if inward <= 5:
        return f"safe:{inward - 1}"
    return "home" if inward == 6 else None


def behind(colour: str, place: str, steps: int) -> str | None:
    """Where `steps` backward lead (4.2); None for a pawn that is not in play."""
    if on_track(place):
        return f"sq:{(number_of(place) - steps) % 60}"
    if in_zone(place):
        inside = number_of(place)
        if steps <= inside:
            return f"safe:{inside - steps}"
        return f"sq:{(entry_of(colour) - (steps - inside - 1)) % 60}"
    return None


# Landing on a square, and sliding on from it (4.3)


def slide_from(rules: Switches, colour: str, place: str) -> tuple[list[str], str] | None:
    """The swept squares and the end of the slide that this place begins for this colour; None if it begins none."""
    if not on_track(place):
        return None
    square = number_of(place)
    for owner in COLOURS:
        for triangle, length in ((corner_of(owner) + 1, 3), (corner_of(owner) + 9, 4)):
            if square != triangle:
                continue
            if rules.slide_on == "none":
                return None
            if rules.slide_on == "own" and owner != colour:
                return None
            if rules.slide_on == "other" and owner == colour:
                return None
            squares = [triangle + step for step in range(1, length + 1)]
            if entry_of(colour) in squares:
                if rules.slide_past_entry == "stay":
                    return None
                if rules.slide_past_entry == "enter":
                    to_entry = squares[: squares.index(entry_of(colour)) + 1]
                    return [f"sq:{each}" for each in to_entry], "safe:0"
            return [f"sq:{each}" for each in squares], f"sq:{squares[-1]}"
    return None


def slid(rules: Switches, board: Board, colour: str, pawn: int) -> Board | None:
    """The board after this pawn slid, if its place begins a slide (4.3 step 4); None if that slide is illegal."""
    slide = slide_from(rules, colour, board[colour][pawn])
    if slide is None:
        return board
    swept, end = slide
    own = board[colour]
    if end == "safe:0" and end in own:
        return None
    if rules.slide_own_pawns == "block" and any(place in swept for place in own):
        return None
    after = {each: ["start" if place in swept else place for place in places] for each, places in board.items()}
    after[colour][pawn] = end
    return after


def landed(rules: Switches, board: Board, colour: str, pawn: int, place: str) -> Board | None:
    """The board after this pawn landed on this place (4.3); None if that is illegal."""
    own = board[colour]
    if place != "home" and any(other == place for number, other in enumerate(own) if number != pawn):
        return None
    after = {each: list(places) for each, places in board.items()}
    if on_track(place):
        for opponent, places in after.items():
            if opponent != colour and place in places:
                places[places.index(place)] = "start"
    after[colour][pawn] = place
    return slid(rules, after, colour, pawn)


# What each card offers (4.4): pairs of an action and the board after it, None where the action is illegal.
# Pawns count from 0 here and from 1 in actions.

Offers = Iterator[tuple[Action, Board | None]]


def forward(rules: Switches, board: Board, colour: str, steps: int) -> Offers:
    """Forward with one pawn in play: (2, pawn, steps)."""
    for pawn, place in enumerate(board[colour]):
        target = ahead(colour, place, steps)
        if target is not None:
            yield (2, pawn + 1, steps), landed(rules, board, colour, pawn, target)


def backward(rules: Switches, board: Board, colour: str, steps: int) -> Offers:
    """Backward with one pawn in play: (3, pawn, steps)."""
    for pawn, place in enumerate(board[colour]):
        target = behind(colour, place, steps)
        if target is not None:
            yield (3, pawn + 1, steps), landed(rules, board, colour, pawn, target)


def leave_start(rules: Switches, board: Board, colour: str, card: int) -> Offers:
    """One pawn out of Start: (1, pawn), the lowest number of those that wait there (R1, R2)."""
    if card in rules.start_cards and "start" in board[colour]:
        pawn = board[colour].index("start")
        further = card - 1 if rules.start_by_count else 0
        target = f"sq:{(exit_of(colour) + further) % 60}"
        yield (1, pawn + 1), landed(rules, board, colour, pawn, target)


def split(rules: Switches, board: Board, colour: str) -> Offers:
    """A 7 shared by two pawns, one half after the other: (4, first, steps, second, steps) (R9)."""
    for first, first_place in enumerate(board[colour]):
        for steps in range(1, 7):
            target = ahead(colour, first_place, steps)
            half = None if target is None else landed(rules, board, colour, first, target)
            if half is None:
                continue
            for second, second_place in enumerate(half[colour]):
                if second == first:
                    continue
                target = ahead(colour, second_place, 7 - steps)
                if target is not None:
                    whole = landed(rules, half, colour, second, target)
                    yield (4, first + 1, steps, second + 1, 7 - steps), whole


def opponents_on_track(board: Board, colour: str) -> Iterator[tuple[str, int, int, str]]:
    """Each pawn that an 11 or a Sorry! may take: its colour, seat, index and place."""
    for seat, (opponent, places) in enumerate(board.items()):
        for pawn, place in enumerate(places):
            if opponent != colour and on_track(place):
                yield opponent, seat, pawn, place


def swap(rules: Switches, board: Board, colour: str) -> Offers:
    """Two pawns on the track change places: (5, pawn, seat, pawn) (R12)."""
    for pawn, place in enumerate(board[colour]):
        if not on_track(place):
            continue
        for opponent, seat, theirs, their_place in opponents_on_track(board, colour):
            exchanged = {each: list(places) for each, places in board.items()}
            exchanged[colour][pawn] = their_place
            exchanged[opponent][theirs] = place
            after: Board | None = exchanged
            if rules.swap_slide in ("mover", "both"):
                after = slid(rules, exchanged, colour, pawn)
            if rules.swap_slide == "both" and after is not None:
                after = slid(rules, after, opponent, theirs) or after
            yield (5, pawn + 1, seat, theirs + 1), after


def replacement(rules: Switches, board: Board, colour: str) -> Offers:
    """A pawn from Start takes an opponent's square on the track: (6, pawn, seat, pawn) (R14)."""
    if "start" not in board[colour]:
        return
    pawn = board[colour].index("start")
    for opponent, seat, theirs, place in opponents_on_track(board, colour):
        after: Board = {each: list(places) for each, places in board.items()}
        after[opponent][theirs] = "start"
        after[colour][pawn] = place
        yield (6, pawn + 1, seat, theirs + 1), slid(rules, after, colour, pawn) if rules.sorry_slide else after


def offers(rules: Switches, board: Board, colour: str, card: int) -> Offers:
    """Everything that 4.4 lists for this card, legal or not."""
    yield from leave_start(rules, board, colour, card)
    if card in (1, 2, 3, 5, 7, 8, 10, 11, 12):
        yield from forward(rules, board, colour, card)
    if card == 4:
        yield from backward(rules, board, colour, 4)
    if card == 7 and rules.split_pawns == 2:
        yield from split(rules, board, colour)
    if card == 10:
        yield from backward(rules, board, colour, 1)
    if card == 11:
        yield from swap(rules, board, colour)
    if card == SORRY:
        yield from replacement(rules, board, colour)
        if rules.sorry_forward == "choice":
            yield from forward(rules, board, colour, 4)
        if rules.sorry_forward == "fallback":
            replaceable = any(after is not None for _, after in replacement(rules, board, colour))
            if not replaceable:
                yield from forward(rules, board, colour, 4)


# Answers about one card (4.1, 4.4, 4.5)


def moves(
    rules: Switches, board: Board, colour: str, card: int, barred: frozenset[str] = NOBODY
) -> dict[Action, Board]:
    """Every legal action in ascending order with the board after it; asking in a finished game is an error (R16)."""
    if winner(board, barred) is not None:
        raise ValueError("a finished game has no moves")
    legal = {action: after for action, after in offers(rules, board, colour, card) if after is not None}
    return dict(sorted(legal.items()))


def may_decline(rules: Switches, card: int, legal: Iterable[Action]) -> bool:
    """Whether the card may be declined although these moves exist (R12, 4.5)."""
    kinds = {action[0] for action in legal}
    if card != 11 or not kinds or rules.eleven_pass == "never":
        return False
    return rules.eleven_pass == "always" or not kinds & {1, 2}


def draws_again(rules: Switches, card: int, legal: Iterable[Action]) -> bool:
    """Whether this card lets the same player draw once more, a win apart (R13)."""
    if card != 2 or rules.two_draws_again == "never":
        return False
    return rules.two_draws_again == "always" or any(legal)


def same_for_players(board: Board) -> tuple[tuple[str, ...], ...]:
    """The board without the numbers of the pawns: two moves to equal ones count once (4.1)."""
    return tuple(tuple(sorted(places)) for places in board.values())


def all_home(board: Board, colour: str) -> bool:
    """Whether every pawn of this colour is Home."""
    return all(place == "home" for place in board[colour])


def winner(board: Board, barred: frozenset[str] = NOBODY) -> str | None:
    """The colour that has won; stand-ins (`barred`) never do (R16)."""
    for colour in board:
        if colour not in barred and all_home(board, colour):
            return colour
    return None


def next_player(board: Board, colour: str, barred: frozenset[str] = NOBODY) -> str:
    """The next colour clockwise (R17) that is not a stand-in with all its pawns Home."""
    seats = list(board)
    here = seats.index(colour)
    for other in seats[here + 1 :] + seats[: here + 1]:
        if not (other in barred and all_home(board, other)):
            return other
    raise ValueError("nobody is left to play")


def turn_after(after: Board, colour: str, barred: frozenset[str] = NOBODY, *, again: bool) -> str | None:
    """Who draws next once a card has led to this board (4.5; `again` from `draws_again`); None after a win."""
    if winner(after, barred) is not None:
        return None
    finished_stand_in = colour in barred and all_home(after, colour)
    if again and not finished_stand_in:
        return colour
    return next_player(after, colour, barred)


def perft(rules: Switches, board: Board, colour: str, depth: int, barred: frozenset[str] = NOBODY) -> int:
    """Leaf positions after `depth` draws over all eleven cards (4.6)."""
    if depth == 0 or winner(board, barred) is not None:
        return 1
    count = 0
    for card in CARDS:
        legal = moves(rules, board, colour, card, barred)
        results = list({same_for_players(after): after for after in legal.values()}.values())
        if not legal or may_decline(rules, card, legal):
            results.append(board)
        again = draws_again(rules, card, legal)
        for after in results:
            turn = turn_after(after, colour, barred, again=again)
            count += perft(rules, after, turn or colour, depth - 1, barred)
    return count


# Whole boards (4.1)


def new_board(rules: Switches, colours: Iterable[str]) -> Board:
    """The board at the beginning; with `pawns_out` one pawn of each colour stands on its exit."""
    chosen = set(colours)
    board: Board = {}
    for colour in COLOURS:
        if colour in chosen:
            out = [f"sq:{exit_of(colour)}"] * rules.pawns_out
            board[colour] = out + ["start"] * (rules.pawns - rules.pawns_out)
    return board


def problems(rules: Switches, board: Board) -> list[str]:
    """Every broken invariant of 4.1, in words; empty for a valid board."""
    wrong = []
    if not 2 <= len(board) <= 4:
        wrong.append(f"{len(board)} players")
    if list(board) != [colour for colour in COLOURS if colour in board]:
        wrong.append("colours unknown or not clockwise")
    places = {"start", "home"} | {f"sq:{n}" for n in range(60)} | {f"safe:{i}" for i in range(5)}
    for colour, pawns in board.items():
        if len(pawns) != rules.pawns:
            wrong.append(f"{colour} has {len(pawns)} pawns")
        wrong += [f"{colour} stands on no place: {place}" for place in pawns if place not in places]
        zone = Counter(place for place in pawns if in_zone(place))
        wrong += [f"{colour} has {n} pawns on {place}" for place, n in zone.items() if n > 1]
    track = Counter(place for pawns in board.values() for place in pawns if on_track(place))
    wrong += [f"{n} pawns on {place}" for place, n in track.items() if n > 1]
    return wrong

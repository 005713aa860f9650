"""The drawn board is the engine's board: every pawn on every spot can be read back from the text alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorry_lan.rules.board import ENTRY, HOME, OUTER, SAFE, SLIDES, START, Colour, safe, track
from sorry_lan.rules.position import Position, problems
from sorry_lan.rules.profile import PROFILES, Rules
from sorry_lan.ui.board_map import board_box, pad_box, pawn_cell, place_box, spot_box, square_box
from sorry_lan.ui.board_picture import BoardPicture, Signs, Size, Spot, spot
from sorry_lan.ui.canvas import AREA, PAWN, Canvas, Ink, Picture
from sorry_lan.ui.draw_board import draw_board
from tests.ui.board_reader import BOTTOMS, SIZES, drawn, expected, found

GOLDEN = Path(__file__).parent / "golden"
FOUR = tuple(Colour)
STANDARD, CLASSIC = PROFILES["standard"], PROFILES["classic"]

every_size = pytest.mark.parametrize("size", SIZES)
every_bottom = pytest.mark.parametrize("bottom", BOTTOMS)
both_signs = pytest.mark.parametrize("signs", Signs)


def position(rules: Rules, colours: tuple[Colour, ...] = FOUR, **at: int) -> Position:
    """Everybody in Start but for the pawns named, as in R1=17."""
    rows = [[at.get(f"{'RBYG'[colour]}{n}", START) for n in range(1, rules.pawns + 1)] for colour in colours]
    return Position(colours, tuple(map(tuple, rows)), 0)


def at(picture: Picture, size: Size, where: Spot, bottom: int | None = None, pawn: int = 1) -> str:
    """The text of a place, marks included."""
    box = place_box(size, where, pawn, bottom)
    return picture.text().split("\n")[box.y][box.x : box.x + box.width]


def ink_at(picture: Picture, x: int, y: int) -> Ink:
    for ink, part in picture.rows[y]:
        if x < len(part):
            return ink
        x -= len(part)
    raise AssertionError("outside of the picture")


# Positions


@pytest.mark.untraced
@every_size
@every_bottom
@pytest.mark.parametrize("rules", [STANDARD, CLASSIC], ids=["standard", "classic"])
def test_every_colour_on_every_spot_is_read_back_from_the_text(size: Size, bottom: int | None, rules: Rules) -> None:
    for loc in range(HOME + 1):
        outer = START < loc <= OUTER
        pawn = 1 + loc % rules.pawns
        # All four at once, a side apart on the track, where one square holds one pawn.
        places = {f"{'RBYG'[c]}{pawn}": track((loc - 1 + 15 * c) % OUTER) if outer else loc for c in FOUR}
        board = BoardPicture(rules, position(rules, **places), bottom=bottom)
        signs = Signs.UNICODE if loc % 2 else Signs.ASCII
        assert found(drawn(size, board, signs).text(), size, bottom) == expected(board)


@every_size
@pytest.mark.parametrize("pawns", [1, 2, 3, 4])
def test_starts_and_homes_have_as_many_places_as_there_are_pawns(size: Size, pawns: int) -> None:
    rules = Rules(pawns=pawns)
    picture = drawn(size, BoardPicture(rules, position(rules, (Colour.RED, Colour.BLUE))))
    assert picture.text().count("··") == pawns * 6


@st.composite
def boards(draw: st.DrawFn) -> BoardPicture:
    """Any sound position, with any marks on it."""
    rules = Rules(pawns=draw(st.integers(1, 4)))
    colours = tuple(sorted(draw(st.sets(st.sampled_from(FOUR), min_size=2))))
    free, rows = list(range(1, OUTER + 1)), []
    for _ in colours:
        zone, row = [safe(i) for i in range(SAFE)], []
        for _ in range(rules.pawns):
            choice = draw(st.sampled_from(["start", "outer", "outer", "safe", "home"]))
            pool = {"start": [START], "outer": free, "safe": zone, "home": [HOME]}[choice]
            loc = draw(st.sampled_from(pool))
            if choice in {"outer", "safe"}:
                pool.remove(loc)
            row.append(loc)
        rows.append(tuple(row))
    spots = st.builds(spot, st.integers(0, 3), st.integers(0, HOME))
    pawns = st.tuples(st.integers(0, len(colours) - 1), st.integers(1, rules.pawns))
    return BoardPicture(
        rules,
        Position(colours, tuple(rows), 0),
        targets=tuple(draw(st.lists(st.tuples(spots, st.sampled_from("123456789x")), max_size=9))),
        chosen=tuple(draw(st.lists(pawns, max_size=2))),
        trail=frozenset(draw(st.lists(spots, max_size=12))),
        bumped=tuple(draw(st.lists(pawns, max_size=3))),
        bottom=draw(st.sampled_from(BOTTOMS)),
    )


@pytest.mark.untraced
@settings(max_examples=120, deadline=None)
@given(boards(), st.sampled_from(SIZES), st.sampled_from(Signs))
def test_any_position_with_any_marks_is_read_back_from_the_text(board: BoardPicture, size: Size, signs: Signs) -> None:
    unsound = [text for text in problems(board.position, board.rules) if "stand on" in text]
    assert not unsound
    text = drawn(size, board, signs).text()
    assert found(text, size, board.bottom) == expected(board)
    assert signs is Signs.UNICODE or text.isascii()


@pytest.mark.untraced
@settings(max_examples=40, deadline=None)
@given(boards(), st.sampled_from(SIZES), st.integers(0, 6), st.integers(0, 6))
def test_nothing_is_written_outside_of_the_board(board: BoardPicture, size: Size, x: int, y: int) -> None:
    box = board_box(size)
    canvas = Canvas(box.width + 12, box.height + 12)
    canvas.fill(0, 0, canvas.width, canvas.height, Ink.CARD)
    draw_board(canvas, x, y, size, board, Signs.UNICODE)
    picture = canvas.picture()
    for row, line in enumerate(picture.text().split("\n")):
        inside = y <= row < y + box.height
        for column, sign in enumerate(line):
            if not (inside and x <= column < x + box.width):
                assert (sign, ink_at(picture, column, row)) == (" ", Ink.CARD)
    for zone in picture.zones:
        assert x <= zone.x < zone.x + zone.width <= x + box.width
        assert y <= zone.y < zone.y + zone.height <= y + box.height


# What is printed on the board


@every_size
@every_bottom
def test_slides_are_drawn_where_the_engine_has_them(size: Size, bottom: int | None) -> None:
    picture = drawn(size, BoardPicture(STANDARD, position(STANDARD), bottom=bottom), Signs.ASCII)
    seen = {}
    for n in range(OUTER):
        x, y = pawn_cell(size, Spot(None, track(n)), 1, bottom)
        seen[track(n)] = picture.text().split("\n")[y][x : x + 2]
    for colour in Colour:
        for first, rest in SLIDES[colour]:
            assert seen.pop(first)[0] == colour.letter
            assert all(seen.pop(loc) in {f"{colour.letter}-", f"{colour.letter}|"} for loc in rest[:-1])
            assert seen.pop(rest[-1]) == f"{colour.letter}o"
    assert not [text for text in seen.values() if text.strip()[0] not in ".0123456789"]


@every_size
@every_bottom
def test_a_slide_begins_with_an_arrow_to_its_next_square(size: Size, bottom: int | None) -> None:
    text = drawn(size, BoardPicture(STANDARD, position(STANDARD), bottom=bottom), Signs.ASCII).text().split("\n")
    for colour in Colour:
        for first, rest in SLIDES[colour]:
            box, after = (square_box(size, Spot(None, loc), bottom) for loc in (first, rest[0]))
            step = ((after.x > box.x) - (after.x < box.x), (after.y > box.y) - (after.y < box.y))
            x, y = pawn_cell(size, Spot(None, first), 1, bottom)
            assert text[y][x + 1] == {(1, 0): ">", (-1, 0): "<", (0, 1): "v", (0, -1): "^"}[step]


@every_size
@every_bottom
def test_safety_squares_say_whose_they_are(size: Size, bottom: int | None) -> None:
    picture = drawn(size, BoardPicture(STANDARD, position(STANDARD), bottom=bottom))
    for colour in Colour:
        for i in range(SAFE):
            x, y = pawn_cell(size, Spot(colour, safe(i)), 1, bottom)
            assert picture.text().split("\n")[y][x : x + 2] == f"{colour.letter}="
            assert ink_at(picture, x, y) is AREA[colour]


@every_bottom
def test_the_large_board_numbers_every_square_as_the_engine_does(bottom: int | None) -> None:
    text = drawn(Size.LARGE, BoardPicture(STANDARD, position(STANDARD), bottom=bottom)).text().split("\n")
    for n in range(OUTER):
        box = square_box(Size.LARGE, Spot(None, track(n)), bottom)
        assert text[box.y][box.x : box.x + 2] == f"{n:2}"
    for colour in Colour:
        for i in range(SAFE):
            box = square_box(Size.LARGE, Spot(colour, safe(i)), bottom)
            assert text[box.y][box.x : box.x + 2] == f"S{i}"


@pytest.mark.parametrize("size", [Size.MIDDLE, Size.SMALL])
@every_bottom
def test_smaller_boards_number_the_corners_and_the_squares_five_after_them(size: Size, bottom: int | None) -> None:
    picture = drawn(size, BoardPicture(STANDARD, position(STANDARD), bottom=bottom))
    numbered = {n for n in range(OUTER) if at(picture, size, Spot(None, track(n)), bottom).strip() == str(n)}
    assert numbered == {0, 5, 15, 20, 30, 35, 45, 50}


@every_size
@every_bottom
def test_each_start_and_home_names_itself_and_its_colour(size: Size, bottom: int | None) -> None:
    text = drawn(size, BoardPicture(STANDARD, position(STANDARD), bottom=bottom)).text().split("\n")
    for colour in Colour:
        for loc, name in ((START, "Start"), (HOME, "Home")):
            box = pad_box(size, Spot(colour, loc), bottom)
            inside = "\n".join(line[box.x : box.x + box.width] for line in text[box.y : box.y + box.height])
            owner = colour.label.capitalize() if size is Size.LARGE else colour.letter.upper()
            assert f"{owner} {name}" in inside


# Marks


def test_a_target_shows_its_digit_in_brackets() -> None:
    board = BoardPicture(STANDARD, position(STANDARD), targets=((Spot(None, track(22)), "3"),))
    assert at(drawn(Size.MIDDLE, board), Size.MIDDLE, Spot(None, track(22))) == "[3]"
    assert at(drawn(Size.SMALL, board), Size.SMALL, Spot(None, track(22))) == "[3"
    large = drawn(Size.LARGE, board).text().split("\n")
    box = square_box(Size.LARGE, Spot(None, track(22)), None)
    assert large[box.y][box.x : box.x + 5] == "22[3]"


def test_a_target_with_a_pawn_on_it_shows_both() -> None:
    where = Spot(None, track(22))
    board = BoardPicture(STANDARD, position(STANDARD, B2=where.loc), targets=((where, "3"),))
    assert at(drawn(Size.MIDDLE, board), Size.MIDDLE, where) == "3B2"
    assert "B2" in at(drawn(Size.LARGE, board), Size.LARGE, where)
    small = drawn(Size.SMALL, board)
    assert ink_at(small, *pawn_cell(Size.SMALL, where, 2, None)) is Ink.TARGET


@every_size
def test_where_several_choices_lead_the_first_is_named_with_a_plus(size: Size) -> None:
    where = Spot(None, track(22))
    board = BoardPicture(STANDARD, position(STANDARD), targets=((where, "x"), (where, "2"), (where, "5"), (where, "2")))
    picture, box = drawn(size, board), spot_box(size, where, None)
    assert "[2+"[: box.width] in picture.text().split("\n")[box.y]
    assert picture.zone_at(box.x, box.y) is not None


@every_size
@every_bottom
def test_a_target_in_home_is_shown_in_the_first_free_place(size: Size, bottom: int | None) -> None:
    home = Spot(Colour.RED, HOME)
    board = BoardPicture(STANDARD, position(STANDARD, R1=HOME), targets=((home, "4"),), bottom=bottom)
    assert "[4]" in at(drawn(size, board), size, home, bottom, pawn=2)


def test_a_target_in_a_full_home_is_left_out() -> None:
    board = BoardPicture(
        STANDARD, position(STANDARD, R1=HOME, R2=HOME, R3=HOME), targets=((Spot(Colour.RED, HOME), "4"),)
    )
    picture = drawn(Size.MIDDLE, board)
    assert "4" not in picture.text().replace("45", "")
    assert [zone for zone in picture.zones if not zone.key.startswith("pawn:")] == []


def test_a_chosen_pawn_has_a_mark_before_it() -> None:
    where = Spot(None, track(22))
    board = BoardPicture(STANDARD, position(STANDARD, R1=where.loc), chosen=((0, 1), (0, 2)))
    assert at(drawn(Size.MIDDLE, board), Size.MIDDLE, where) == ">R1"
    assert at(drawn(Size.LARGE, board), Size.LARGE, where) == " >R1<"
    assert ink_at(drawn(Size.SMALL, board), *pawn_cell(Size.SMALL, where, 1, None)) is Ink.CHOSEN
    for size in SIZES:
        assert ">R2" in at(drawn(size, board), size, Spot(Colour.RED, START), pawn=2)


@every_size
def test_a_bumped_pawn_has_a_mark_in_start_and_none_once_it_has_left(size: Size) -> None:
    board = BoardPicture(STANDARD, position(STANDARD, B2=track(22)), bumped=((1, 1), (1, 2)))
    picture = drawn(size, board)
    assert "!B1" in at(picture, size, Spot(Colour.BLUE, START))
    assert "!" not in at(picture, size, Spot(None, track(22)))


@every_size
def test_the_trail_marks_squares_and_leaves_what_is_printed_on_them(size: Size) -> None:
    trail = frozenset([Spot(None, track(20)), Spot(None, track(26)), Spot(Colour.BLUE, safe(1)), Spot(0, HOME)])
    picture = drawn(size, BoardPicture(STANDARD, position(STANDARD), trail=trail), Signs.ASCII)
    assert picture.text().count("'") == 3
    assert "b" in at(picture, size, Spot(None, track(26)))
    assert "b" in at(picture, size, Spot(Colour.BLUE, safe(1)))


# Clicks


@every_size
@every_bottom
def test_pawns_and_targets_answer_to_clicks(size: Size, bottom: int | None) -> None:
    target, taken = Spot(None, track(22)), Spot(None, track(30))
    board = BoardPicture(
        STANDARD,
        position(STANDARD, R1=track(8), B3=taken.loc, Y2=safe(2), G1=HOME),
        targets=((target, "1"), (taken, "2"), (Spot(None, track(12)), "x")),
        bottom=bottom,
    )
    picture = drawn(size, board)

    def key(where: Spot, pawn: int = 1) -> str | None:
        zone = picture.zone_at(*pawn_cell(size, where, pawn, bottom))
        return zone.key if zone else None

    assert key(target) == "1"
    assert key(taken) == "2"
    assert key(Spot(None, track(8))) == "pawn:0:1"
    assert key(Spot(Colour.RED, START), 2) == "pawn:0:2"
    assert key(Spot(Colour.YELLOW, safe(2))) == "pawn:2:2"
    assert key(Spot(Colour.GREEN, HOME)) == "pawn:3:1"
    assert key(Spot(None, track(12))) is None
    assert key(Spot(None, track(40))) is None


# Inks


@every_size
def test_each_pawn_has_the_ink_of_its_colour(size: Size) -> None:
    board = BoardPicture(CLASSIC, position(CLASSIC, R1=track(8), B1=safe(1), Y1=HOME))
    picture = drawn(size, board)
    for seat, row in enumerate(board.position.pawns):
        for pawn, loc in enumerate(row, 1):
            x, y = pawn_cell(size, spot(seat, loc), pawn, None)
            assert [ink_at(picture, x, y), ink_at(picture, x + 1, y)] == [PAWN[seat]] * 2


# Pictures that were looked at


def showcase(bottom: int | None = None) -> BoardPicture:
    """A crowded moment with one of every mark."""
    return BoardPicture(
        CLASSIC,
        position(
            CLASSIC,
            R1=track(22),
            R3=safe(1),
            R4=HOME,
            B1=track(32),
            B4=track(20),
            Y1=safe(4),
            Y2=track(23),
            Y3=HOME,
            Y4=track(34),
            G1=track(50),
        ),
        targets=(
            (Spot(None, track(32)), "1"),
            (Spot(None, track(21)), "2"),
            (Spot(Colour.RED, safe(0)), "3"),
            (Spot(Colour.RED, HOME), "4"),
            (Spot(None, track(20)), "x"),
        ),
        chosen=((0, 1),),
        trail=frozenset(Spot(None, track(n)) for n in (54, 53, 52, 51, 7, 58)),
        bumped=((1, 2),),
        bottom=bottom,
    )


@every_size
@both_signs
def test_a_crowded_board_looks_as_it_did_when_it_was_looked_at(size: Size, signs: Signs) -> None:
    golden = GOLDEN / f"board_{size.value}_{signs.value}.txt"
    assert drawn(size, showcase(), signs).text() == golden.read_text(encoding="utf-8").removesuffix("\n")


def test_a_turned_board_looks_as_it_did_when_it_was_looked_at() -> None:
    golden = GOLDEN / "board_middle_turned.txt"
    picture = drawn(Size.MIDDLE, showcase(bottom=Colour.BLUE))
    assert picture.text() == golden.read_text(encoding="utf-8").removesuffix("\n")


def test_red_turns_off_at_the_third_square_of_its_side() -> None:
    assert ENTRY[Colour.RED] == track(2)
    entry = square_box(Size.MIDDLE, Spot(None, ENTRY[Colour.RED]), None)
    first = square_box(Size.MIDDLE, Spot(Colour.RED, safe(0)), None)
    assert (first.x, first.y) == (entry.x, entry.y + 1)

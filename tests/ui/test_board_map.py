"""Where spots lie: every spot has cells of its own, a turned board is the same board, clicks find what they hit."""

from __future__ import annotations

from itertools import pairwise

import pytest

from sorry_lan.faults import LocalMisuse
from sorry_lan.rules.board import ENTRY, EXIT, HOME, OUTER, SAFE, START, Colour, safe, track
from sorry_lan.ui.board_map import (
    Box,
    Side,
    all_spots,
    board_box,
    centre_box,
    home_box,
    pawn_cell,
    place_box,
    side_of,
    spot_at,
    spot_box,
    square_box,
    start_box,
)
from sorry_lan.ui.board_picture import Size, Spot, size_of, spot

SIZES = (Size.LARGE, Size.MIDDLE, Size.SMALL)
BOTTOMS = (None, 0, 1, 2, 3)

every_size = pytest.mark.parametrize("size", SIZES)
every_bottom = pytest.mark.parametrize("bottom", BOTTOMS)


def cells(box: Box) -> set[tuple[int, int]]:
    return {(box.x + x, box.y + y) for x in range(box.width) for y in range(box.height)}


def test_there_are_sixty_squares_and_seven_spots_of_each_colour() -> None:
    assert len(set(all_spots())) == len(all_spots()) == OUTER + 4 * (SAFE + 2)


@every_size
@every_bottom
def test_no_two_spots_share_a_cell_and_all_are_inside_the_board(size: Size, bottom: int | None) -> None:
    seen: set[tuple[int, int]] = set()
    for where in all_spots():
        own = cells(spot_box(size, where, bottom))
        assert own
        assert not own & seen
        assert own <= cells(board_box(size))
        seen |= own
    assert not seen & cells(centre_box(size))


@every_size
@every_bottom
def test_a_click_on_any_cell_of_a_spot_finds_it_and_elsewhere_nothing(size: Size, bottom: int | None) -> None:
    owner = {cell: where for where in all_spots() for cell in cells(spot_box(size, where, bottom))}
    board = board_box(size)
    for y in range(-1, board.height + 1):
        for x in range(-1, board.width + 1):
            assert spot_at(size, bottom, x, y) == owner.get((x, y))


@every_size
@every_bottom
def test_four_pawns_have_four_places_inside_each_start_and_home(size: Size, bottom: int | None) -> None:
    for colour in Colour:
        for loc in (START, HOME):
            pad, seen = cells(spot_box(size, spot(colour, loc), bottom)), set()
            for pawn in range(1, 5):
                place = cells(place_box(size, spot(colour, loc), pawn, bottom))
                assert place <= pad
                assert not place & seen
                seen |= place


@every_size
@every_bottom
def test_letter_and_number_of_a_pawn_lie_in_its_place(size: Size, bottom: int | None) -> None:
    for where in all_spots():
        for pawn in range(1, 5):
            x, y = pawn_cell(size, where, pawn, bottom)
            assert {(x, y), (x + 1, y)} <= cells(place_box(size, where, pawn, bottom))


@every_size
@every_bottom
def test_the_track_is_one_ring_and_each_safety_zone_leads_from_its_entry_to_home(
    size: Size, bottom: int | None
) -> None:
    ring = [square_box(size, Spot(None, track(n)), bottom) for n in (*range(OUTER), 0)]
    assert all(touch(*pair) for pair in pairwise(ring))
    for colour in Colour:
        way = [square_box(size, Spot(None, ENTRY[colour]), bottom)]
        way += [square_box(size, Spot(colour, safe(i)), bottom) for i in range(SAFE)]
        way.append(home_box(size, colour, bottom))
        assert all(touch(*pair) for pair in pairwise(way))


@every_size
@every_bottom
def test_a_start_lies_beside_the_square_where_its_pawns_come_out(size: Size, bottom: int | None) -> None:
    for colour in Colour:
        assert touch(start_box(size, colour, bottom), square_box(size, Spot(None, EXIT[colour]), bottom))


def touch(one: Box, other: Box) -> bool:
    """Whether two boxes share an edge."""
    moved = [(one.x + dx, one.y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    return any(cells(Box(x, y, one.width, one.height)) & cells(other) for x, y in moved)


@every_size
def test_red_is_at_the_top_and_the_others_follow_the_clock_as_printed(size: Size) -> None:
    board = board_box(size)
    corners = [square_box(size, Spot(None, track(n)), None) for n in (0, 15, 30, 45)]
    width, height = corners[0].width, corners[0].height
    right, low = board.width - width, board.height - height
    assert [(box.x, box.y) for box in corners] == [(0, 0), (right, 0), (right, low), (0, low)]
    assert [side_of(colour, None) for colour in Colour] == list(Side)


@pytest.mark.parametrize("bottom", range(4))
def test_a_board_is_turned_never_mirrored(bottom: int) -> None:
    assert side_of(bottom, bottom) is Side.BOTTOM
    for colour in Colour:
        assert (side_of((colour + 1) % 4, bottom) - side_of(colour, bottom)) % 4 == 1


@every_size
def test_yellow_at_the_bottom_is_the_board_as_printed(size: Size) -> None:
    for where in all_spots():
        assert spot_box(size, where, Colour.YELLOW) == spot_box(size, where, None)


@pytest.mark.parametrize(
    ("size", "board", "centre"),
    [(Size.LARGE, (80, 32), (40, 16)), (Size.MIDDLE, (48, 16), (26, 8)), (Size.SMALL, (32, 16), (14, 8))],
)
def test_the_board_and_its_free_middle_have_the_promised_sizes(
    size: Size, board: tuple[int, int], centre: tuple[int, int]
) -> None:
    assert (board_box(size).width, board_box(size).height) == board
    assert (centre_box(size).width, centre_box(size).height) == centre


def test_there_is_no_board_in_list_mode() -> None:
    with pytest.raises(LocalMisuse, match="list mode"):
        board_box(Size.LIST)


def test_a_start_or_home_is_no_square_and_needs_a_colour() -> None:
    with pytest.raises(LocalMisuse, match="a pad, not a square"):
        square_box(Size.MIDDLE, Spot(0, HOME), None)
    with pytest.raises(LocalMisuse, match="only with a colour"):
        spot_box(Size.MIDDLE, Spot(None, START), None)


@pytest.mark.parametrize(
    ("width", "height", "size"),
    [
        (120, 40, Size.LARGE),
        (119, 40, Size.MIDDLE),
        (120, 39, Size.MIDDLE),
        (80, 24, Size.MIDDLE),
        (79, 24, Size.SMALL),
        (80, 23, Size.SMALL),
        (60, 20, Size.SMALL),
        (59, 20, Size.LIST),
        (60, 19, Size.LIST),
        (1, 1, Size.LIST),
        (500, 300, Size.LARGE),
    ],
)
def test_the_largest_board_that_fits_is_taken(width: int, height: int, size: Size) -> None:
    assert size_of(width, height) is size

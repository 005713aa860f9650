"""The geometry, colour by colour, and the names of places."""

from __future__ import annotations

import pytest

from sorry_lan.rules.board import (
    ENTRY,
    EXIT,
    HOME,
    OUTER,
    SAFE,
    SLIDES,
    START,
    Colour,
    backward,
    forward,
    in_play,
    is_outer,
    is_safe,
    loc_name,
    parse_colour,
    parse_loc,
    safe,
    to_home,
    track,
)

COLOURS = list(Colour)


def test_the_numbers_of_the_board_are_the_agreed_ones() -> None:
    assert (START, HOME, OUTER, SAFE) == (0, 66, 60, 5)
    assert [track(0), track(59), safe(0), safe(4)] == [1, 60, 61, 65]


@pytest.mark.parametrize(
    ("colour", "entry", "exit_", "first", "second"),
    [
        (Colour.RED, 2, 4, (1, 2, 3, 4), (9, 10, 11, 12, 13)),
        (Colour.BLUE, 17, 19, (16, 17, 18, 19), (24, 25, 26, 27, 28)),
        (Colour.YELLOW, 32, 34, (31, 32, 33, 34), (39, 40, 41, 42, 43)),
        (Colour.GREEN, 47, 49, (46, 47, 48, 49), (54, 55, 56, 57, 58)),
    ],
)
def test_a_colour_has_its_entry_exit_and_two_slides(
    colour: Colour, entry: int, exit_: int, first: tuple[int, ...], second: tuple[int, ...]
) -> None:
    assert ENTRY[colour] == track(entry)
    assert EXIT[colour] == track(exit_)
    slides = [(triangle, *squares) for triangle, squares in SLIDES[colour]]
    assert slides == [tuple(map(track, first)), tuple(map(track, second))]


@pytest.mark.parametrize("colour", COLOURS)
def test_from_the_exit_it_is_64_steps_home(colour: Colour) -> None:
    assert to_home(colour, EXIT[colour]) == 64
    loc = EXIT[colour]
    for _ in range(64):
        following = forward(colour, loc, 1)
        assert following is not None
        loc = following
    assert loc == HOME


@pytest.mark.parametrize("colour", COLOURS)
def test_no_slide_ends_on_a_triangle(colour: Colour) -> None:
    triangles = {triangle for pair in SLIDES for triangle, _ in pair}
    assert all(squares[-1] not in triangles for _, squares in SLIDES[colour])


@pytest.mark.parametrize("colour", COLOURS)
def test_counting_in_one_go_is_counting_step_by_step(colour: Colour) -> None:
    for loc in range(1, HOME):
        steps, place = 0, loc
        while place != HOME:
            following = forward(colour, place, 1)
            assert following is not None
            place, steps = following, steps + 1
            if steps <= 12:
                assert forward(colour, loc, steps) == place
        assert to_home(colour, loc) == steps
        assert forward(colour, loc, steps) == HOME
        assert forward(colour, loc, steps + 1) is None


@pytest.mark.parametrize("colour", COLOURS)
@pytest.mark.parametrize("steps", [1, 4])
def test_going_back_retraces_the_way_and_never_turns_in(colour: Colour, steps: int) -> None:
    for loc in range(1, HOME):
        place = loc
        for _ in range(steps):
            place = backward(colour, place, 1)
        assert backward(colour, loc, steps) == place
        if is_outer(loc):
            assert place == 1 + (loc - 1 - steps) % OUTER
        else:
            assert forward(colour, place, steps) == loc


def test_every_place_is_of_one_kind() -> None:
    assert [loc for loc in range(67) if is_outer(loc)] == list(range(1, 61))
    assert [loc for loc in range(67) if is_safe(loc)] == list(range(61, 66))
    assert [loc for loc in range(67) if in_play(loc)] == list(range(1, 66))


def test_names_of_places_read_back() -> None:
    names = [loc_name(loc) for loc in range(67)]
    assert [parse_loc(name) for name in names] == list(range(67))
    assert [names[i] for i in (0, 1, 60, 61, 65, 66)] == ["start", "sq:0", "sq:59", "safe:0", "safe:4", "home"]


@pytest.mark.parametrize("text", ["", "sq:60", "sq:-1", "sq:01", "safe:5", "Home", "sq:" + "1" * 100])
def test_other_names_are_refused_in_a_short_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no place; places are") as caught:
        parse_loc(text)
    assert len(str(caught.value)) < 140


@pytest.mark.parametrize("loc", [-1, 67])
def test_a_number_that_is_no_place_has_no_name(loc: int) -> None:
    with pytest.raises(ValueError, match=r"^locations are 0..66, not"):
        loc_name(loc)


@pytest.mark.parametrize("n", [-1, 60])
def test_there_are_60_outer_squares(n: int) -> None:
    with pytest.raises(ValueError, match=r"^outer squares are 0..59"):
        track(n)


@pytest.mark.parametrize("i", [-1, 5])
def test_there_are_five_safety_squares(i: int) -> None:
    with pytest.raises(ValueError, match=r"^safety squares are 0..4"):
        safe(i)


def test_colours_have_a_label_and_a_letter() -> None:
    assert [colour.label for colour in Colour] == ["red", "blue", "yellow", "green"]
    assert "".join(colour.letter for colour in Colour) == "rbyg"
    assert [parse_colour(colour.label) for colour in Colour] == COLOURS


@pytest.mark.parametrize("text", ["", "RED", "purple"])
def test_other_colours_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no colour; the colours are red, blue, yellow, green\.$"):
        parse_colour(text)

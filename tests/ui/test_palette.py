"""Colours can be read and told apart, by everybody, and are never needed."""

from __future__ import annotations

import pytest
from prompt_toolkit.styles import Style

from sorry_lan.ui.canvas import AREA, PAWN, TRACK, Ink
from sorry_lan.ui.palette import Depth, Ground, Look, depth_for, ground_for, look, styles
from tests.ui.sight import SIGHTS, contrast, least_distance
from tools.screen_svg import rgb

GROUNDS = {
    # The terminal's own colours: the plainest ones and what common themes make of them.
    Ground.DARK: (("#ffffff", "#000000"), ("#d0d0d0", "#1e1e1e"), ("#d3d7cf", "#242424")),
    Ground.LIGHT: (("#000000", "#ffffff"),),
}
COLOURED = [(depth, ground) for depth in (Depth.COLOURS, Depth.SIXTEEN) for ground in Ground]


def painted(shown: Look, front: str, back: str) -> tuple[str, str]:
    colours = (rgb(shown.front) or front, rgb(shown.back) or back)
    return colours[::-1] if "reverse" in shown.attributes else colours


@pytest.mark.parametrize(("depth", "ground"), COLOURED)
@pytest.mark.parametrize("ink", Ink)
def test_every_ink_has_a_contrast_of_four_and_a_half(ink: Ink, depth: Depth, ground: Ground) -> None:
    for front, back in GROUNDS[ground] if depth is Depth.COLOURS else GROUNDS[ground][:1]:
        assert contrast(*painted(look(ink, depth, ground), front, back)) >= 4.5


def seat_colours(inks: tuple[Ink, ...], depth: Depth, ground: Ground) -> list[str]:
    looks = [look(ink, depth, ground) for ink in inks]
    return [rgb(shown.back or shown.front) for shown in looks]


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("ground", Ground)
@pytest.mark.parametrize("inks", [PAWN, TRACK], ids=["pawns", "words"])
def test_seats_are_twenty_five_apart_for_every_kind_of_sight(inks: tuple[Ink, ...], ground: Ground, sight: str) -> None:
    assert least_distance(seat_colours(inks, Depth.COLOURS, ground), sight) >= 25


@pytest.mark.parametrize("ground", Ground)
@pytest.mark.parametrize("inks", [PAWN, TRACK], ids=["pawns", "words"])
def test_seats_differ_also_with_sixteen_colours(inks: tuple[Ink, ...], ground: Ground) -> None:
    assert least_distance(seat_colours(inks, Depth.SIXTEEN, ground), "normal") >= 25


@pytest.mark.parametrize("ground", Ground)
def test_the_areas_of_the_seats_differ(ground: Ground) -> None:
    looks = [look(ink, Depth.COLOURS, ground) for ink in AREA]
    assert least_distance([shown.back for shown in looks], "normal") >= 15


def test_without_colours_no_ink_has_any() -> None:
    for ground in Ground:
        for ink in Ink:
            shown = look(ink, Depth.ONE_BIT, ground)
            assert (shown.front, shown.back) == ("", "")


def test_what_can_be_chosen_stands_out_on_every_screen() -> None:
    for depth in Depth:
        for ground in Ground:
            plain = {look(ink, depth, ground).style() for ink in (Ink.PLAIN, Ink.SQUARE, Ink.SQUARE_ODD, *AREA, *PAWN)}
            assert look(Ink.TARGET, depth, ground).style() not in plain
            assert look(Ink.CHOSEN, depth, ground).style() not in plain


@pytest.mark.parametrize("depth", Depth)
@pytest.mark.parametrize("ground", Ground)
def test_the_terminal_library_understands_every_style(depth: Depth, ground: Ground) -> None:
    found = styles(depth, ground)
    assert set(found) == set(Ink)
    for ink, text in found.items():
        attrs, shown = Style([]).get_attrs_for_style_str(text), look(ink, depth, ground)
        assert (attrs.color, attrs.bgcolor) == (shown.front.lstrip("#"), shown.back.lstrip("#"))
        assert [bool(attrs.bold), bool(attrs.reverse), bool(attrs.underline)] == [
            word in shown.attributes for word in ("bold", "reverse", "underline")
        ]


@pytest.mark.parametrize(
    ("environ", "depth"),
    [
        ({"TERM": "xterm-256color"}, Depth.COLOURS),
        ({"TERM": "tmux"}, Depth.COLOURS),
        ({"TERM": "xterm-16color"}, Depth.SIXTEEN),
        ({"TERM": "linux"}, Depth.SIXTEEN),
        ({"TERM": "vt100"}, Depth.ONE_BIT),
        ({"TERM": "dumb"}, Depth.ONE_BIT),
        ({}, Depth.COLOURS),
        ({"TERM": "unknown"}, Depth.ONE_BIT),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, Depth.ONE_BIT),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, Depth.COLOURS),
    ],
)
def test_the_environment_says_how_many_colours_there_are(environ: dict[str, str], depth: Depth) -> None:
    assert depth_for(environ) is depth


@pytest.mark.parametrize(
    ("value", "ground"),
    [("15;0", Ground.DARK), ("0;15", Ground.LIGHT), ("0;default;7", Ground.LIGHT), ("12;8", Ground.DARK)],
)
def test_colorfgbg_says_whether_the_ground_is_light(value: str, ground: Ground) -> None:
    assert ground_for({"COLORFGBG": value}) is ground
    assert ground_for({}) is Ground.DARK

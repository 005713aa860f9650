"""Pictures of screens: what a terminal's text says is what the picture shows, on one grid."""

from __future__ import annotations

import sys
from io import StringIO
from xml.etree import ElementTree as ET

import pytest

from sorry_lan.ui.canvas import Canvas, Ink
from sorry_lan.ui.palette import Depth, Ground, Look
from tools import screen_svg
from tools.screen_svg import CELL, Cell, cube, grid_of_capture, grid_of_picture, svg

SVG = "{http://www.w3.org/2000/svg}"


def looks(text: str) -> list[tuple[str, Look]]:
    return [(cell.sign, cell.look) for cell in grid_of_capture(text)[0]]


def test_colours_and_attributes_of_a_capture_are_read() -> None:
    assert looks("a\x1b[1;31mb\x1b[38;5;208;48;2;1;2;3mc\x1b[22;39md\x1b[0me") == [
        ("a", Look()),
        ("b", Look("#cd0000", "", "bold")),
        ("c", Look("#ff8700", "#010203", "bold")),
        ("d", Look("", "#010203", "")),
        ("e", Look()),
    ]


@pytest.mark.parametrize(
    ("codes", "look"),
    [
        ("97;100", Look("#ffffff", "#7f7f7f")),
        ("33;44", Look("#cdcd00", "#0000ee")),
        ("4;7", Look("", "", "underline reverse")),
        ("4;7;24;27", Look()),
        ("42;49", Look()),
        ("38:5:244", Look("#808080")),
        ("38;5", Look()),
        ("38;9;1", Look()),
        ("", Look()),
        ("99", Look()),
    ],
)
def test_each_kind_of_colour_is_known(codes: str, look: Look) -> None:
    assert looks(f"\x1b[{codes}mx") == [("x", look)]


def test_the_look_goes_on_in_the_next_line_and_other_sequences_are_left_out() -> None:
    grid = grid_of_capture("\x1b[31ma\x1b[K\x1b(B\nb\r\n\n")
    assert grid == [[Cell("a", Look("#cd0000"))], [Cell("b", Look("#cd0000"))]]


def test_a_wide_sign_takes_two_cells() -> None:
    assert [cell.sign for cell in grid_of_capture("字a")[0]] == ["字", "", "a"]


def test_the_two_hundred_and_fifty_six_colours_are_those_of_xterm() -> None:
    assert [cube(n) for n in (0, 15, 16, 21, 196, 208, 231, 232, 255)] == [
        "#000000",
        "#ffffff",
        "#000000",
        "#0000ff",
        "#ff0000",
        "#ff8700",
        "#ffffff",
        "#080808",
        "#eeeeee",
    ]


def test_a_drawn_screen_and_what_a_terminal_makes_of_it_give_the_same_picture() -> None:
    canvas = Canvas(6, 2)
    canvas.put(0, 0, "ab", Ink.RED_PAWN)
    canvas.put(3, 1, "c", Ink.DIM)
    drawn = svg(grid_of_picture(canvas.picture(), Depth.COLOURS, Ground.DARK), Ground.DARK)
    captured = svg(grid_of_capture("\x1b[1;38;5;16;48;5;202mab\x1b[0m    \n   \x1b[38;5;246mc\x1b[0m  "), Ground.DARK)
    assert drawn == captured


def test_every_sign_stands_in_its_own_cell() -> None:
    root = ET.fromstring(svg(grid_of_capture("a  <&b\n\x1b[7m x\x1b[0m"), Ground.LIGHT))
    first, second = root.findall(f"{SVG}text")
    a, rest = first.findall(f"{SVG}tspan")
    assert (a.text, rest.text) == ("a", "<&b")
    left = float(a.get("x", ""))
    assert [round((float(x) - left) / CELL[0]) for x in rest.get("x", "").split()] == [3, 4, 5]
    (x,) = second.findall(f"{SVG}tspan")
    assert x.get("x") == f"{left + CELL[0]:g}"
    assert float(second.get("y", "")) - float(first.get("y", "")) == pytest.approx(CELL[1])


def test_what_is_reversed_is_painted_reversed_and_bold_is_bold() -> None:
    root = ET.fromstring(svg(grid_of_capture("\x1b[1;4;7mx"), Ground.LIGHT))
    _, back = root.findall(f"{SVG}rect")
    text = root.find(f"{SVG}text")
    assert text is not None
    assert (back.get("fill"), text.get("fill")) == ("#1c1c1c", "#ffffff")
    assert (text.get("font-weight"), text.get("text-decoration")) == ("bold", "underline")


def test_colours_of_the_first_sixteen_become_values() -> None:
    canvas = Canvas(1, 1)
    canvas.put(0, 0, "x", Ink.RED)
    assert 'fill="#ff0000"' in svg(grid_of_picture(canvas.picture(), Depth.SIXTEEN, Ground.DARK), Ground.DARK)


@pytest.mark.parametrize(("argument", "back"), [([], "#121212"), (["--light"], "#ffffff")])
def test_the_program_turns_what_it_reads_into_a_picture(
    argument: list[str], back: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["screen_svg.py", *argument])
    monkeypatch.setattr(sys, "stdin", StringIO("\x1b[31mhi\x1b[0m\n"))
    assert screen_svg.main() == 0
    root = ET.fromstring(capsys.readouterr().out)
    background = root.find(f"{SVG}rect")
    assert background is not None
    assert background.get("fill") == back

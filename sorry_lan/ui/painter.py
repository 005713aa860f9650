"""Puts a Picture on a terminal: the library's renderer, which sends what changed, fed by a window of any size.

Knows inks by their looks only; what is drawn and when is screen.py's matter (U53).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.filters import Condition
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.renderer import Renderer
from prompt_toolkit.styles import Style

from sorry_lan.ui.canvas import Ink, Picture, Row
from sorry_lan.ui.full_screen import Mouse, Shown
from sorry_lan.ui.shown import cells
from sorry_lan.ui.terminal import Terminal

_ANY_OTHER: Final = "?"
"""In the place of each cell of a sign that the library counts as more or fewer cells than the canvas does."""
_OTHER_HALF: Final = Char("")
"""Behind a sign of two cells; no cell that is written later is like it, so that what covers one half is sent."""


class Glass(Window):
    """A window that shows the last Picture in whatever room it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.picture = Picture(())
        self._cells: dict[Ink, dict[str, Char]] = {ink: {} for ink in Ink}

    def write_to_screen(  # noqa: PLR0917 - the library's
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,  # noqa: ARG002 - clicks go to the client with their cell
        write_position: WritePosition,
        parent_style: str,  # noqa: ARG002 - the only window has no parent
        erase_bg: bool,  # noqa: ARG002, FBT001 - the library's
        z_index: int | None,  # noqa: ARG002 - nothing lies above
    ) -> None:
        """Copy the cells that there is room for."""
        for y, row in enumerate(self.picture.rows[: write_position.height]):
            self._write_row(screen.data_buffer[y], row, write_position.width)
        screen.width = write_position.width
        screen.height = write_position.height
        if self.picture.cursor is not None:
            x, y = self.picture.cursor
            screen.set_cursor_position(self, Point(min(x, write_position.width - 1), min(y, write_position.height - 1)))
            screen.show_cursor = True
        screen.visible_windows_to_write_positions[self] = write_position

    def _write_row(self, line: dict[int, Char], row: Row, width: int) -> None:
        """A wide sign lies in two cells, the second of which holds nothing; a mark in the cell of its sign."""
        x = last = 0
        for ink, text in row:
            known = self._cells[ink]
            for sign in text:
                cell = known.get(sign) or self._cell(ink, sign)
                if not cell.width:
                    whole = line[last].char + cell.char
                    line[last] = known.get(whole) or self._cell(ink, whole)
                    continue
                if x + cell.width > width:
                    return
                line[x] = cell
                last = x
                x += cell.width
                if cell.width > 1:
                    line[x - 1] = _OTHER_HALF

    def _cell(self, ink: Ink, sign: str) -> Char:
        cell = Char(sign, _name(ink))
        if cell.char != sign or cell.width != cells(sign):
            cell = Char(_ANY_OTHER * cells(sign), _name(ink))
        self._cells[ink][sign] = cell
        return cell


class Painter(Renderer):
    """Has a picture drawn and sends it; not while the terminal has not even taken the last ones."""

    def __init__(
        self, terminal: Terminal, glass: Glass, looks: Mapping[Ink, str], draw: Callable[[int, int], Shown]
    ) -> None:
        style = Style([(ink.value, looks.get(ink, "")) for ink in Ink])
        super().__init__(style, terminal.output, full_screen=True, mouse_support=Condition(self._clickable))
        self._terminal = terminal
        self._glass = glass
        self._draw = draw
        self._mouse = Mouse.OFF
        self._title = ""
        self._bells = 0
        self.behind = False

    def render(self, app: Application[object], layout: Layout, is_done: bool = False) -> None:  # noqa: FBT001, FBT002 - the library's
        """Draw and send the differences."""
        self.behind = self._terminal.behind()
        if self.behind:
            return
        # Before anything is switched on: where drawing fails there is then nothing to switch off.
        size = self.output.get_size()
        shown = self._draw(size.columns, size.rows)
        self._glass.picture = shown.picture
        self._mouse = shown.mouse
        super().render(app, layout, is_done)
        # After the switch to the other screen, which keeps the title of the normal one aside.
        if shown.title != self._title:
            self._title = shown.title
            self.output.set_title("".join(sign for sign in shown.title if sign.isprintable()))
            self.output.flush()
        if shown.bells > self._bells:
            self.output.bell()
        self._bells = shown.bells

    def forget_title(self) -> None:
        """Set the window's title again: the normal screen was shown meanwhile, with its own."""
        self._title = ""

    def _clickable(self) -> bool:
        return self._mouse is Mouse.ON


def _name(ink: Ink) -> str:
    # An empty cell without a style is one that need not be sent.
    return "" if ink is Ink.PLAIN else f"class:{ink.value}"

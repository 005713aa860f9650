"""The full screen of the tables in this network without its terminal: keys and sightings in, pictures and a choice out.

A FullScreen like client.py's, but no table is behind it yet. What is typed is understood by a Reading from outside.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum, unique
from typing import Final

from sorry_lan.table.news import News
from sorry_lan.table.notices import CodeUse, Fit, FoundTable, Notice, Watch
from sorry_lan.table.view import View
from sorry_lan.ui.answers import Answer, Stay
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import Canvas
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.chosen import Chosen, NotUnderstood, Reading
from sorry_lan.ui.draw_doctor import DoctorPage
from sorry_lan.ui.draw_tables import Sight, TablesPage, marked
from sorry_lan.ui.examination import Examination, Wanted
from sorry_lan.ui.full_screen import Key, Mouse, Shown
from sorry_lan.ui.sheet import Page, Typed, draw_sheet, last_scroll
from sorry_lan.ui.shown import TITLE_CELLS, shown
from sorry_lan.ui.typing import Typing, completed, edited, fitting, inserted, line
from sorry_lan.wire.words import WORDS

PATIENCE_S: Final = 3.0
"""A table that is there has answered by then."""
_LOOK_S: Final = 0.25
"""How often an examination under way is looked at."""
_PAGE_ROWS: Final = 10
_MOST_FITTING: Final = 14
"""More words than these are no help to somebody who looks for one."""


@unique
class Ending(Enum):
    """What the page ended in."""

    BACK = "back"
    JOIN = "join"
    HOST = "host"


@dataclass(frozen=True, slots=True)
class Box:
    """A line that is being typed: anything that says where a table is, or (with `address`) the code of that one.

    Attributes:
        typing: the line. address: whose code is asked for, None for any address or code.
        needs: whether that table takes a code at all, None where nobody knows. watch: whether it is only to be watched.
    """

    typing: Typing = field(default_factory=Typing)
    address: str | None = None
    needs: CodeUse | None = None
    watch: bool = False


class TablesClient:
    """Choosing a table: `ending` says how it ended, `chosen` where to go if it ended in JOIN, from which `box`."""

    __slots__ = (
        "_doctor",
        "_mine",
        "_name",
        "_reading",
        "_scroll",
        "_selected",
        "_sight",
        "_signs",
        "_since_s",
        "_told",
        "box",
        "chosen",
        "ending",
        "examination",
    )

    def __init__(self, name: str, reading: Reading, signs: Signs, told: str = "", box: Box | None = None) -> None:
        """`told` and `box` are what came of the last try, and the line that led to it."""
        self.ending = Ending.BACK
        self.chosen: Chosen | None = None
        self.box = box
        self.examination = Examination()
        self._name = name
        self._reading = reading
        self._signs = signs
        self._told = told
        self._sight: Sight | None = None
        self._selected: str | None = None
        self._mine = False
        self._since_s: float | None = None
        self._doctor = False
        self._scroll = 0

    def found(self, sight: Sight) -> None:
        """What the search has come to by now; the selection stays on its table, wherever that moves in the list."""
        before = self._table()
        self._sight = sight
        if self._table() is not None:
            return
        if before is not None and self._mine:
            # Whatever moved up into its place is not what Enter was meant for.
            self._selected = None
            gone = _("{title} does not answer any more.")
            self._told = gone.format(title=shown(before.card.title, TITLE_CELLS) or "?")
        elif not self._mine:
            self._selected = next((each.key for each in self._able()), None)

    def show(self, view: View, news: tuple[News, ...], now_s: float) -> None:
        """There is no table that could be shown."""

    def notice(self, notice: Notice, now_s: float) -> None:
        """There is no table that could be told of."""

    def typed(self, key: Key | str, now_s: float) -> Answer:  # noqa: ARG002 - nothing here depends on time
        """One key."""
        if key is Key.INTERRUPT:
            return Answer(stay=Stay.INTERRUPT)
        if key is Key.END_OF_INPUT:
            return Answer(stay=Stay.LEAVE)
        if self._doctor:
            return self._read(key)
        return self._choose(key) if self.box is None else self._write(self.box, key)

    def pasted(self, text: str, now_s: float) -> Answer:  # noqa: ARG002 - as above
        """A paste: goes into the line, which it opens, and never joins anything by itself."""
        if not self._doctor:
            box = self.box or Box()
            self.box = replace(box, typing=inserted(box.typing, text))
        return Answer()

    def clicked(self, x: int, y: int, now_s: float) -> Answer:
        """The mouse is the terminal's: people copy addresses from here, and paste them (U56)."""
        _unused = x, y, now_s
        return Answer()

    def draw(self, width: int, height: int, now_s: float) -> Shown:
        """The screen of that many columns and rows."""
        if self._since_s is None:
            self._since_s = now_s
        patient = now_s < self._since_s + PATIENCE_S
        canvas = Canvas(width, height)
        page = self._page(patient=patient)
        self._scroll = min(self._scroll, last_scroll(page, width, height, self._signs))
        draw_sheet(canvas, page, self._signs)
        tick_s = self._since_s + PATIENCE_S if patient else None
        if self._doctor and self.examination.running:
            tick_s = now_s + _LOOK_S
        return Shown(canvas.picture(), "sorry-lan", Mouse.OFF, 0, tick_s)

    def _page(self, *, patient: bool) -> Page:
        if self._doctor:
            return DoctorPage(self.examination, self._scroll)
        typed = None if self.box is None else Typed(self.box.typing.text, self.box.typing.caret, _prompt(self.box))
        words = () if self.box is None or self._told else code_words(self.box.typing)
        fits = words if 1 < len(words) <= _MOST_FITTING else ()
        return TablesPage(self._name, self._sight, self._selected, patient, self._told, typed, self._scroll, fits)

    # The list

    def _able(self) -> tuple[FoundTable, ...]:
        tables = () if self._sight is None else self._sight.tables
        return tuple(table for table in tables if table.fit is Fit.FITS)

    def _table(self) -> FoundTable | None:
        return next((table for table in self._able() if table.key == self._selected), None)

    def _choose(self, key: Key | str) -> Answer:
        match key:
            case Key.UP | Key.BACK_TAB:
                self._move(-1)
            case Key.DOWN | Key.TAB:
                self._move(1)
            case Key.PAGE_UP | Key.PAGE_DOWN:
                self._scroll = max(0, self._scroll + (_PAGE_ROWS if key is Key.PAGE_DOWN else -_PAGE_ROWS))
            case Key.ENTER:
                return self._take(watch=False)
            case "w":
                return self._take(watch=True)
            case Key.ESCAPE:
                return Answer(stay=Stay.LEAVE)
            case "a":
                self.box, self._told = Box(), ""
            case "h":
                self.ending = Ending.HOST
                return Answer(stay=Stay.LEAVE)
            case "d":
                self._examine()
            case str() if key in "123456789":
                self._number(key)
            case _:
                pass
        return Answer()

    def _move(self, by: int) -> None:
        keys = [table.key for table in self._able()]
        self._told, self._scroll = "", 0
        if keys:
            at = keys.index(self._selected) + by if self._selected in keys else min(by, 0)
            self._selected, self._mine = keys[at % len(keys)], True

    def _number(self, key: str) -> None:
        tables = () if self._sight is None else self._sight.tables
        found = next((table for mark, table in marked(tables) if mark == key), None)
        self._told, self._scroll = "", 0
        if found is None:
            self._told = _("There is no table {n}.").format(n=key)
        else:
            self._selected, self._mine = found.key, True

    def _take(self, *, watch: bool) -> Answer:
        """Join the table that is selected, or watch it; its code is asked for first."""
        table = self._table()
        if table is None:
            return Answer()
        if watch and table.card.watch is Watch.NO:
            self._told = _("{title} cannot be watched.").format(title=shown(table.card.title, TITLE_CELLS) or "?")
            return Answer()
        if table.card.code is CodeUse.NONE:
            return self._go(Chosen(table.address, None, CodeUse.NONE, watch))
        self._told = ""
        self.box = Box(Typing(), table.address, CodeUse.NEEDED, watch)
        return Answer()

    # The line

    def _write(self, box: Box, key: Key | str) -> Answer:
        match key:
            case Key.ESCAPE:
                self.box, self._told = None, ""
            case Key.ENTER:
                try:
                    return self._written(box)
                except NotUnderstood as wrong:
                    self._told = str(wrong)
            case Key.TAB:
                self.box = replace(box, typing=completed_code(box.typing))
            case str():
                self.box = replace(box, typing=inserted(box.typing, key))
            case _:
                self.box = replace(box, typing=edited(box.typing, key))
        return Answer()

    def _written(self, box: Box) -> Answer:
        """A finished line: an address without a code asks for that, anything else is where to go."""
        text = box.typing.text.strip()
        if box.address is not None:
            if text:
                return self._go(Chosen(box.address, self._reading.code(text), CodeUse.NEEDED, box.watch))
            if box.needs is CodeUse.NEEDED:
                raise NotUnderstood(_("This table has a code: type the three words of its host's screen."))
            return self._go(Chosen(box.address, None, CodeUse.NONE, box.watch))
        chosen = self._reading.where(text)
        if chosen.address is None or chosen.code is not None:
            return self._go(chosen)
        known = next((table for table in self._able() if table.address == chosen.address), None)
        if known is not None and known.card.code is CodeUse.NONE:
            return self._go(replace(chosen, needs=CodeUse.NONE))
        self.box = Box(Typing(), chosen.address, None if known is None else CodeUse.NEEDED)
        self._told = ""
        return Answer()

    def _go(self, chosen: Chosen) -> Answer:
        self.chosen, self.ending = chosen, Ending.JOIN
        return Answer(stay=Stay.LEAVE)

    # The doctor

    def _examine(self) -> None:
        table = self._table()
        self.examination.ask(Wanted("" if table is None else table.address, None))
        self._doctor, self._scroll = True, 0

    def _read(self, key: Key | str) -> Answer:
        match key:
            case Key.UP | Key.DOWN | Key.PAGE_UP | Key.PAGE_DOWN:
                by = {Key.UP: -1, Key.DOWN: 1, Key.PAGE_UP: -_PAGE_ROWS, Key.PAGE_DOWN: _PAGE_ROWS}[key]
                self._scroll = max(0, self._scroll + by)
            case "d":
                self._examine()
            case Key.ESCAPE | Key.ENTER | "q":
                self._doctor, self._scroll = False, 0
            case _:
                pass
        return Answer()


def _prompt(box: Box) -> str:
    if box.address is None:
        return _("Address or code: ")
    if box.needs is CodeUse.NEEDED:
        return _("Its code (three words): ")
    return _("Its code (three words, or empty): ")


def completed_code(typing: Typing) -> Typing:
    """The last word of a code as far as all words that begin so agree; what begins no word stays as it is."""
    head, dash, begun = _last_word(typing)
    return line(head + dash + completed(line(begun), WORDS).text) if code_words(typing) else typing


def code_words(typing: Typing) -> tuple[str, ...]:
    """The words of codes that the last one typed can become; none before its first letter."""
    _head, _dash, begun = _last_word(typing)
    return fitting(line(begun), WORDS) if begun else ()


def _last_word(typing: Typing) -> tuple[str, str, str]:
    return typing.text.lower().replace(" ", "-").rpartition("-")

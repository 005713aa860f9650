"""The frame of all pages that are mostly text: a title, lines that scroll, a line of input, the keys.

Pure; any size down to 1x1 is filled from the top and cut off without a word. Knows no page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, count
from typing import Final, Protocol

from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import Canvas, Ink
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.full_screen import Key
from sorry_lan.ui.glyphs import glyphs
from sorry_lan.ui.shown import cells, sign_cells

WIDEST: Final = 96
"""Columns of text: longer lines are hard to read."""
_ROOMY: Final = 46
"""From so many columns on a text keeps one free on either side."""
_AIRY: Final = 14
"""From so many rows on an empty one stands below the title and above the keys."""
_DENSE: Final = 8
"""With fewer rows of text there are no empty ones."""
_TALL: Final = 20
"""From so many rows on keys may take a second row."""


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a page: stretches of ink from its left end.

    Attributes:
        spans: what is written. key: what a click on the row stands for. focus: the row is to be in sight.
    """

    spans: tuple[tuple[Ink, str], ...] = ()
    key: str | None = None
    focus: bool = False


EMPTY: Final = Line()


@dataclass(frozen=True, slots=True)
class Typed:
    """A line that is being typed: `prompt` stands before it, `caret` is the place in `text` where a sign would go."""

    text: str = ""
    caret: int = 0
    prompt: str = "> "


class Page(Protocol):
    """What draw_sheet needs of a page."""

    @property
    def scroll(self) -> int:
        """How many lines have gone past the top; more than there are is the end. With 0 a line in focus is in sight."""
        ...

    @property
    def typed(self) -> Typed | None:
        """The line of input, or None where nothing is typed."""
        ...

    def title(self) -> tuple[str, str]:
        """What stands on the left of the title and, room permitting, on the right."""
        ...

    def keys_text(self) -> str:
        """The keys of the last row, the most important first, two spaces between them."""
        ...

    def lines(self, width: int, height: int, signs: Signs) -> tuple[Line, ...]:
        """The text for so many columns; `height` rows are in sight at once, more can be scrolled."""
        ...


@dataclass(frozen=True, slots=True)
class _Plan:
    """Which rows belong to what; None where a part has no room."""

    width: int
    margin: int
    title: int | None
    first: int
    room: int
    typed: int | None
    keys: int | None


def draw_sheet(canvas: Canvas, page: Page, signs: Signs) -> None:
    """A whole page on the whole canvas."""
    plan = _plan(canvas.width, canvas.height, page)
    lines = _lines(page, plan, signs)
    above = _above(lines, page.scroll, plan.room)
    for row, line in enumerate(lines[above : above + plan.room], plan.first):
        x = plan.margin
        for ink, text in line.spans:
            x = canvas.put(x, row, text, ink)
        if line.key is not None:
            canvas.zone(0, row, canvas.width, 1, line.key)
    if plan.title is not None:
        _draw_title(canvas, plan.title, page.title())
    if plan.typed is not None and page.typed is not None:
        draw_typed(canvas, plan.typed, plan.margin, page.typed)
    if plan.keys is not None:
        draw_keys(canvas, plan.keys, page.keys_text(), _more(lines, above, plan.room, signs))


def last_scroll(page: Page, width: int, height: int, signs: Signs) -> int:
    """The largest `scroll` that still moves anything."""
    plan = _plan(width, height, page)
    return max(0, len(_lines(page, plan, signs)) - plan.room)


def draw_keys(canvas: Canvas, row: int, keys: str, mark: str = "") -> None:
    """The keys that fit into the rows from `row` on, whole ones only; `mark` stands at the end of the last row."""
    x = 1 if canvas.width > 20 else 0
    hints = hints_of(keys)
    for y in range(row, canvas.height):
        canvas.bar(y, "", Ink.KEYS)
        taken = cells(mark) + 2 if mark and y == canvas.height - 1 else 0
        fitting = fitting_hints(hints, canvas.width - x - taken)
        at = x
        for hint in hints[:fitting]:
            key = key_of(hint)
            if key is not None:
                canvas.zone(at, y, cells(hint), 1, key)
            at = canvas.put(at, y, hint, Ink.KEYS) + 2
        hints = hints[fitting:]
    if mark:
        canvas.put(canvas.width - cells(mark) - 1, canvas.height - 1, mark, Ink.KEYS)


def hints_of(keys: str) -> list[str]:
    """The single hints of a text of keys."""
    return [hint.strip() for hint in keys.split("  ")]


def key_of(hint: str) -> str | None:
    """The key that a click on a hint stands for; None where it names several."""
    name, _space, _does = hint.partition(" ")
    named = {_("Enter"): Key.ENTER.value, _("Esc"): Key.ESCAPE.value, _("Space"): " ", _("Ctrl-C"): Key.INTERRUPT.value}
    return name if len(name) == 1 else named.get(name)


def fitting_hints(hints: Sequence[str], width: int) -> int:
    """How many whole hints from the beginning fit into a row."""
    ends = accumulate(cells(hint) + 2 for hint in hints)
    return sum(end - 2 <= width for end in ends)


def draw_typed(canvas: Canvas, row: int, x: int, typed: Typed) -> None:
    """A line of input with the cursor in it; a long text is moved left so that the cursor stays in sight."""
    x = canvas.put(x, row, typed.prompt, Ink.INPUT)
    room = max(1, canvas.width - x - 1)
    hidden = 0
    while cells(typed.text[hidden : typed.caret]) > room:
        hidden += 1
    canvas.put(x, row, typed.text[hidden:], Ink.INPUT)
    caret = x + cells(typed.text[hidden : typed.caret])
    if caret < canvas.width:
        canvas.cursor = (caret, row)


def wrap(text: str, width: int) -> list[str]:
    """The text in rows of at most `width` cells, broken at spaces; a longer word is broken where it must.

    Words with a no-break space (U+00A0) between them stay together, and a plain one is drawn.
    """
    width = max(1, width)
    rows: list[str] = []
    row = ""
    for word in text.split(" "):
        for piece in _pieces(word, width):
            longer = f"{row} {piece}" if row else piece
            if cells(longer) <= width:
                row = longer
            else:
                rows.append(row)
                row = piece
    return [row.replace("\u00a0", " ") for row in (*rows, row) if row]


def prose(text: str, width: int, ink: Ink = Ink.PLAIN, indent: int = 0) -> list[Line]:
    """A paragraph, all rows indented alike; on a very narrow page not at all."""
    indent = indent if indent * 4 <= width else 0
    return [Line(((Ink.PLAIN, " " * indent), (ink, row))) for row in wrap(text, min(width, WIDEST) - indent)]


def item(label: str, text: str, width: int, ink: Ink = Ink.PLAIN, label_ink: Ink = Ink.PLAIN) -> list[Line]:
    """A paragraph behind a label; further rows stand under the first one's text, or further left on a narrow page."""
    wide = cells(label)
    hang = wide if wide * 2 <= width else min(2, width // 2)
    rows = wrap(text, min(width, WIDEST) - hang)
    if hang < wide:
        return [Line(((label_ink, label.rstrip()),)), *(Line(((Ink.PLAIN, " " * hang), (ink, row))) for row in rows)]
    first = Line(((label_ink, label), (ink, rows[0] if rows else "")))
    return [first, *(Line(((Ink.PLAIN, " " * hang), (ink, row))) for row in rows[1:])]


def heading(text: str) -> Line:
    """A line that says what follows."""
    return Line(((Ink.STRONG, text),))


def paragraphs(*parts: Iterable[Line]) -> tuple[Line, ...]:
    """The parts that have any lines, an empty line between them."""
    return tuple(_joined([list(part) for part in parts]))


def latest(sentences: Sequence[str], width: int, rows: int) -> list[Line]:
    """The last whole sentences that fit into so many rows; of one that is too long alone, its beginning."""
    lines: list[Line] = []
    for sentence in reversed(sentences):
        told = prose(sentence, width)
        if lines and len(told) + len(lines) > rows:
            break
        lines = [*told, *lines]
    return lines[:rows]


def cut(text: str, width: int) -> str:
    """The text in at most `width` cells; one that is too long ends in two dots."""
    if cells(text) <= width:
        return text
    return _head(text, width - 2) + ".."[: max(0, width)]


def padded(text: str, width: int) -> str:
    """The text cut or filled up to exactly `width` cells."""
    told = cut(text, width)
    return told + " " * (width - cells(told))


def _pieces(word: str, width: int) -> Iterator[str]:
    """The word in pieces of at most `width` cells, or of one sign where even that is wider; marks stay on theirs."""
    while word:
        piece = _head(word, width) or word[0]
        yield piece
        word = word[len(piece) :]


def _head(text: str, room: int) -> str:
    """As much of the beginning as fits into so many cells."""
    if text.isascii():
        return text[: max(0, room)]
    ends = accumulate(map(sign_cells, text))
    return text[: sum(end <= room for end in ends)]


def _joined(parts: list[list[Line]]) -> Iterator[Line]:
    kept = [part for part in parts if part]
    for number, part in enumerate(kept):
        if number:
            yield EMPTY
        yield from part


def _plan(width: int, height: int, page: Page) -> _Plan:
    margin = 1 if width >= _ROOMY else 0
    air = 1 if height >= _AIRY else 0
    top = 1 if height >= 4 else 0
    hints = hints_of(page.keys_text())
    rows = 2 if height >= _TALL and fitting_hints(hints, width - 1) < len(hints) else 1
    keys = height - rows if height >= 5 else None
    bottom = height if keys is None else keys
    typed = None
    if page.typed is not None and bottom - top >= 1:
        typed = bottom = bottom - 1
    first = top + (air if top else 0)
    room = max(0, bottom - first - (air if keys is not None and typed is None else 0))
    return _Plan(max(1, width - 2 * margin), margin, 0 if top else None, first, room, typed, keys)


def _lines(page: Page, plan: _Plan, signs: Signs) -> tuple[Line, ...]:
    """The page's lines; where just the empty ones would make it too long, only the first of them that fit."""
    lines = page.lines(plan.width, plan.room, signs)
    full = sum(bool(line.spans) for line in lines)
    if plan.room >= _DENSE and (len(lines) <= plan.room or full > plan.room):
        return lines
    empty = count(1)
    kept = plan.room - full if plan.room >= _DENSE else 0
    return tuple(line for line in lines if line.spans or next(empty) <= kept)


def _above(lines: tuple[Line, ...], scroll: int, room: int) -> int:
    """How many lines are above the first one shown: what was asked for, or what brings a line in focus in sight."""
    if scroll > 0:
        return max(0, min(scroll, len(lines) - room))
    focus = next((number for number, line in enumerate(lines) if line.focus), 0)
    return min(max(0, focus - room + 1), focus)


def _more(lines: tuple[Line, ...], above: int, room: int, signs: Signs) -> str:
    below = len(lines) - above - room
    _right, down, _left, up = glyphs(signs).arrows
    marks = (up if above else "") + (down if below > 0 else "")
    return f"{_('more')} {marks}" if marks else ""


def _draw_title(canvas: Canvas, row: int, title: tuple[str, str]) -> None:
    canvas.bar(row, "", Ink.TITLE)
    left, right = title
    end = canvas.put(1 if canvas.width >= _ROOMY else 0, row, cut(left, canvas.width), Ink.TITLE)
    if right and end + cells(right) + 3 <= canvas.width:
        canvas.put(canvas.width - cells(right) - 1, row, right, Ink.TITLE)

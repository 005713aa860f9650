"""The page of the tables in this network: who plays where, what can be joined, what is typed instead. Draws only."""

from __future__ import annotations

from dataclasses import dataclass

from sorry_lan.table.notices import Fit, FoundTable, Openness, Program, Silence, Watch
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import Ink
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.sheet import Line, Typed, cut, heading, item, padded, paragraphs, prose, wrap
from sorry_lan.ui.shown import TITLE_CELLS, cells, shown
from sorry_lan.ui.texts import name_text
from sorry_lan.ui.texts_finding import differs_text, people_text, silence_text, state_text
from sorry_lan.wire.limits import MAX_APP

_MARK = 5
_GAP = 2
_LEAST = 8
"""Cells that title and people keep in a table of columns; with less each table takes two rows."""
_RULES_CELLS = 16
_PLACE_CELLS = 60
MOST_NUMBERS = 9


@dataclass(frozen=True, slots=True)
class Sight:
    """What a search has come to: the tables, whom they must fit, why there may be none, and where it looks."""

    tables: tuple[FoundTable, ...]
    ours: Program
    silence: Silence
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TablesPage:
    """The list: `selected` is the key of the table that Enter takes, `told` what came of the last try.

    `sight` is None before anything is known; `patient` says that it is too early to miss anything; `fitting` are the
    words that the one being typed can become.
    """

    name: str
    sight: Sight | None
    selected: str | None
    patient: bool
    told: str = ""
    typed: Typed | None = None
    scroll: int = 0
    fitting: tuple[str, ...] = ()

    def title(self) -> tuple[str, str]:
        """What this is, and who plays."""
        return _("sorry-lan  Join a game"), _("you are {name}").format(name=name_text(self.name))

    def keys_text(self) -> str:
        """What can be done."""
        if self.typed is not None:
            return _("Enter go on  Tab complete  Esc back")
        return _("Up/Down or 1-9 choose  Enter join  w watch  a address or code  h host  d doctor  Esc back")

    def lines(self, width: int, height: int, signs: Signs) -> tuple[Line, ...]:
        """What came of the last try, the tables, other ways to one, and where is looked."""
        _height, _signs = height, signs
        told = prose(self.told, width, Ink.BAD) if self.told else []
        if self.fitting:
            told = prose(_("Words that fit: {words}").format(words=", ".join(self.fitting)), width, Ink.DIM)
        ways = [
            *item("  w  ", _("Only watch the table that is marked"), width),
            *item("  a  ", _("Type an address or a code (such as maple-otter-tulip)"), width),
            *item("  h  ", _("Host a game yourself"), width),
        ]
        return paragraphs(told, *self._tables(width), ways, self._places(width))

    def _tables(self, width: int) -> list[list[Line]]:
        sight = self.sight
        if sight is None or not sight.tables:
            wait = _("Looking for tables in this network ...")
            if self.patient or sight is None:
                return [prose(wait, width, Ink.STRONG)]
            why = _("{why} With the host's address it works all the same (a), and the doctor looks for the cause (d).")
            return [prose(why.format(why=silence_text(sight.silence)), width, Ink.STRONG)]
        rows = _rows(sight.tables, width)
        lines = []
        for number, (mark, table) in enumerate(marked(sight.tables)):
            lines += self._table(table, mark, rows[number], width)
        return [[heading(_("Tables in this network:"))], lines]

    def _table(self, table: FoundTable, mark: str, rows: tuple[str, ...], width: int) -> list[Line]:
        here = table.key == self.selected
        ink = Ink.PLAIN if table.fit is Fit.FITS else Ink.DIM
        first, *more = rows
        head = f"{'>' if here else ' '} {mark:<{_MARK - 2}}{first}"
        lines = [Line(((Ink.CHOSEN if here else ink, head),), focus=here and not self.told and self.typed is None)]
        lines += [Line(((ink, " " * _MARK + row),)) for row in more]
        if table.fit is not Fit.FITS and self.sight is not None:
            lines += prose(differs_text(table, self.sight.ours), width, Ink.DIM, _MARK)
        return lines

    def _places(self, width: int) -> list[Line]:
        if self.sight is None or not self.sight.places:
            return []
        places = ", ".join(shown(place, _PLACE_CELLS) for place in self.sight.places)
        return prose(_("Searching on: {places}").format(places=places), width, Ink.DIM)


def marked(tables: tuple[FoundTable, ...]) -> tuple[tuple[str, FoundTable], ...]:
    """Each table with its number, as long as those have one digit; "-" before what cannot be joined."""
    found = []
    number = 0
    for table in tables:
        number += table.fit is Fit.FITS
        takes = table.fit is Fit.FITS and number <= MOST_NUMBERS
        found.append((str(number) if takes else "-" if table.fit is not Fit.FITS else " ", table))
    return tuple(found)


def _rows(tables: tuple[FoundTable, ...], width: int) -> list[tuple[str, ...]]:
    """Each table in columns, one row each; where these have no room, its name in one and the rest below."""
    columns = [_cells_of(table) for table in tables]
    wide = [max(cells(row[place]) for row in columns) for place in range(len(columns[0]))]
    room = width - _MARK - sum(wide[2:]) - _GAP * (len(wide) - 1)
    if room >= wide[0] + wide[1]:
        title, people = wide[0], wide[1]
    elif room >= 2 * _LEAST:
        title = min(wide[0], max(room // 2, room - wide[1]))
        people = room - title
    else:
        rest = [", ".join(text for text in row[1:] if text) for row in columns]
        return [
            (cut(row[0], width - _MARK), *wrap(more, width - _MARK)) for row, more in zip(columns, rest, strict=True)
        ]
    widths = (title, people, *wide[2:])
    gap = " " * _GAP
    return [(gap.join(padded(text, w) for text, w in zip(row, widths, strict=True)).rstrip(),) for row in columns]


def _cells_of(found: FoundTable) -> tuple[str, ...]:
    """Title, people, seats, rules, version and latency of a table."""
    card = found.card
    seats = state_text(card)
    if card.openness is Openness.LOBBY and card.free:
        seats = _("{free} of {seats} free").format(free=card.free, seats=card.seats)
    elif card.watch is Watch.YES:
        seats = _("{state} (w watch)").format(state=seats)
    return (
        shown(card.title, TITLE_CELLS) or "?",
        people_text(card) or _("nobody yet"),
        seats,
        shown(card.rules, _RULES_CELLS),
        shown(card.program.app, MAX_APP),
        _("{ms} ms").format(ms=max(1, round(found.latency_ms))),
    )

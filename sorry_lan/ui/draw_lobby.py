"""The lobby: how to tell the others, who sits where, the rules, what was said. Draws only; keys are client.py's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sorry_lan.rules.board import Colour
from sorry_lan.table.notices import TableOpened
from sorry_lan.table.view import LobbySeatView, LobbyView, Phase, Presence
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import TRACK, Canvas, Ink
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.sheet import EMPTY, Line, Typed, cut, draw_sheet, item, latest, padded, paragraphs, prose
from sorry_lan.ui.shown import TITLE_CELLS, shown
from sorry_lan.ui.texts import colour_text, list_text
from sorry_lan.ui.texts_finding import join_commands
from sorry_lan.ui.texts_lobby import rules_name_text
from sorry_lan.ui.texts_lobby_page import (
    first_text,
    invitation_lines,
    lobby_keys,
    needs_text,
    options_text,
    reach_text,
    ready_text,
    who_text,
)
from sorry_lan.ui.texts_rules import differs_text
from sorry_lan.wire.messages import LobbyKind

_LABEL = 10
"""Columns before the words about rules and the like."""
_TALK = 3
"""Rows that what was said gets before the rules are shortened."""
_COMMANDS = 3
"""Rows for commands to join with; a computer in more networks than that names the other addresses in one."""
_TALL = 26
"""From so many rows for text on there is room for all commands."""
_COMPACT = 15
"""With fewer rows for text the seats come first and the rest can be scrolled to."""


@dataclass(frozen=True, slots=True)
class LobbyPage:
    """What the lobby shows.

    Attributes:
        lobby, phase: of the view. opened: how others join, where we host. joined: the address we joined, else "".
        selected: the place in lobby.seats that a host's keys mean, None for any. log: sentences, the oldest first.
        typed: the line being typed (chat, a name), or None. scroll: lines gone past the top.
        picture: rows of a picture of the line that others type, where the host wanted one.
        changed: what is to be known of those who have another key than before, by key.
        watching: the sentences about those who watch, and about us where we do.
    """

    lobby: LobbyView
    phase: Phase = Phase.LOBBY
    opened: TableOpened | None = None
    joined: str = ""
    selected: int | None = None
    log: tuple[str, ...] = ()
    typed: Typed | None = None
    scroll: int = 0
    picture: tuple[str, ...] = ()
    changed: Mapping[bytes, str] = field(default_factory=dict)
    watching: tuple[str, ...] = ()

    def title(self) -> tuple[str, str]:
        """The table, and the code where there is one."""
        name = _("WATCHING") if self.looks_on else "sorry-lan"
        left = _("{name}  {title} (lobby)").format(name=name, title=shown(self.lobby.title, TITLE_CELLS))
        code = self.opened.code if self.opened else None
        return left, _("code {code}").format(code=code) if code else ""

    @property
    def looks_on(self) -> bool:
        """Whether nobody here has a seat."""
        return all(seat.person is None for seat in self.lobby.seats)

    def keys_text(self) -> str:
        """Only what this person may do now."""
        return lobby_keys(self.lobby, self.phase, typing=self.typed is not None, selected=self.selected)

    def lines(self, width: int, height: int, signs: Signs) -> tuple[Line, ...]:
        """Invitation, seats, rules; the log takes the rows that are left, at least two."""
        _signs = signs
        warnings = [self.changed[seat.key] for seat in self.lobby.seats if seat.key in self.changed]
        seats = [*_seat_lines(self, width), *(line for text in warnings for line in prose(text, width, Ink.BAD))]
        needs = prose(needs_text(self.lobby, self.phase), width, Ink.STRONG)
        needs += [line for text in self.watching for line in prose(text, width, Ink.DIM)]
        about = _about(self.lobby, width)
        invitation = _invitation(self, width, height)
        if height < _COMPACT:
            top = paragraphs([*seats, *needs])
            log = latest(self.log, width, max(2, height - len(top)))
            return (*top, *log, EMPTY, *paragraphs(invitation, about))
        head = [_head(width)] if width >= _WIDE else []
        wanted = min(_TALK, len(self.log))
        top = paragraphs(invitation, [*head, *seats], needs, about)
        if len(top) + 1 + wanted > height:
            brief = _labelled(_("Rules"), rules_name_text(self.lobby.rules), width)
            top = paragraphs(invitation, [*head, *seats, *needs], brief)
        return (*top, EMPTY, *latest(self.log, width, max(2, height - len(top) - 1)))


def draw_lobby(canvas: Canvas, page: LobbyPage, signs: Signs) -> None:
    """The lobby on the whole canvas."""
    draw_sheet(canvas, page, signs)


_WIDE = 56
"""From so many columns on a seat's row says how it is reached."""


def _invitation(page: LobbyPage, width: int, height: int) -> list[Line]:
    if page.opened is None:
        if not page.joined:
            return []
        where = _("This is the table at {address}.") if page.looks_on else _("You joined the table at {address}.")
        return prose(where.format(address=shown(page.joined, 80)), width)
    head, *rest = invitation_lines(page.opened)
    commands = join_commands(page.opened)
    lines = prose(head, width)
    many = len(commands) > _COMMANDS and height < _TALL
    told = commands[: _COMMANDS - 1 if many else None]
    for command in told:
        lines += prose(command, width, Ink.GOOD, 4)
    if many:
        others = list_text(page.opened.addresses[len(told) - len(commands) :])
        lines += prose(_("or at {addresses}").format(addresses=others), width, Ink.DIM, 4)
    for hint in rest[len(commands) :]:
        lines += prose(hint, width, Ink.DIM)
    # Half a picture is of no use: where it is too wide it is left out.
    rows = page.picture if all(len(row) <= width for row in page.picture) else ()
    return [*lines, *(Line(((Ink.PLAIN, row),)) for row in rows)]


def _columns(width: int) -> tuple[int, int, int]:
    """Widths of colour, who and ready; what is left is for the way the seat is reached."""
    if width >= _WIDE:
        return 9, min(38, width - 9 - 11 - 14), 11
    return (8, max(4, width - 8 - 2 - 9), 9) if width >= 30 else (2, max(4, width - 4), 0)


def _head(width: int) -> Line:
    colour, who, ready = _columns(width)
    told = (padded(_("Seat"), colour), padded(_("Who"), who), padded(_("Ready"), ready), _("Link"))
    return Line(((Ink.DIM, "  " + "".join(told)),))


def _seat_lines(page: LobbyPage, width: int) -> list[Line]:
    chosen = page.selected if page.lobby.hosting else None
    changed = page.changed
    return [
        _seat_line(seat, place == chosen, seat.key in changed, width) for place, seat in enumerate(page.lobby.seats)
    ]


def _seat_line(seat: LobbySeatView, selected: bool, changed: bool, width: int) -> Line:  # noqa: FBT001 - facts
    colour, who, ready = _columns(width)
    is_open = seat.kind == LobbyKind.OPEN
    mark = "> " if selected else "  "
    name = colour_text(seat.colour) if colour > 2 else Colour(seat.colour).letter.upper()
    told = Ink.BAD if changed else Ink.DIM if is_open else Ink.STRONG if seat.person is not None else Ink.PLAIN
    word, text = ready_text(seat), who_text(seat)
    return Line(
        (
            (Ink.STRONG, mark),
            (TRACK[seat.colour], padded(cut(name, max(1, colour - 1)), colour)),
            (told, padded(cut(_("KEY CHANGED: {who}").format(who=text) if changed else text, who - 1), who)),
            (Ink.GOOD if seat.ready else Ink.DIM, padded(word, ready)),
            (Ink.BAD if seat.presence in _FAR and not is_open else Ink.DIM, reach_text(seat) if width >= _WIDE else ""),
        ),
        focus=selected,
    )


_FAR = frozenset({Presence.AWAY, Presence.RECONNECTING})


def _about(lobby: LobbyView, width: int) -> list[Line]:
    differs = differs_text(lobby.rules)
    rules = rules_name_text(lobby.rules)
    if differs:
        rules = _("{rules}. Differs from standard: {differs}.").format(rules=rules, differs=differs)
    rows = [(_("Rules"), rules), (_("First"), first_text(lobby)), (_("Table"), options_text(lobby.options))]
    return [line for label, text in rows if text for line in _labelled(label, text, width)]


def _labelled(label: str, text: str, width: int) -> list[Line]:
    return item(padded(label, _LABEL), text, width, Ink.PLAIN, Ink.DIM)

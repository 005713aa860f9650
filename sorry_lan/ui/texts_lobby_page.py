"""The sentences of the full-screen lobby: how to join, what is missing, which keys do what."""

from __future__ import annotations

from sorry_lan.rules.board import Colour
from sorry_lan.table.notices import TableOpened
from sorry_lan.table.view import LobbySeatView, LobbyView, Phase
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.texts import colour_text, level_text, list_text, name_text
from sorry_lan.ui.texts_lobby import beside_marks, presence_word
from sorry_lan.ui.texts_notices import notice_lines
from sorry_lan.wire.messages import LobbyKind
from sorry_lan.wire.terms import Option


def invitation_lines(opened: TableOpened) -> tuple[str, ...]:
    """How the others join: a sentence, then one command for each address."""
    return tuple(line.strip() for line in notice_lines(opened))


def who_text(seat: LobbySeatView) -> str:
    """Who sits there, with what is to be known about them."""
    if seat.kind == LobbyKind.OPEN:
        return _("- open -")
    marks = [_("you")] if seat.person is not None else []
    marks += [_("host")] if seat.is_host else []
    marks += [_("bot, {level}").format(level=level_text(seat.level))] if seat.kind == LobbyKind.BOT else []
    marks += [_("age {age}").format(age=seat.age)] if seat.age is not None else []
    marks += beside_marks(seat)
    name = name_text(seat.name)
    return _("{name} ({marks})").format(name=name, marks=", ".join(marks)) if marks else name


def ready_text(seat: LobbySeatView) -> str:
    """Whether somebody is ready; nothing for an open seat, and a bot always is."""
    if seat.kind == LobbyKind.OPEN:
        return ""
    return _("ready") if seat.ready or seat.kind == LobbyKind.BOT else _("not yet")


def reach_text(seat: LobbySeatView) -> str:
    """How a seat's client is reached."""
    return "" if seat.kind == LobbyKind.OPEN else presence_word(seat.presence)


def needs_text(lobby: LobbyView, phase: Phase) -> str:
    """What has to happen before the game begins, and which key does it."""
    if phase is Phase.PROPOSED:
        return _("All are ready: everybody's computer signs the table now.")
    open_seats = [colour_text(seat.colour) for seat in lobby.seats if seat.kind == LobbyKind.OPEN]
    waiting = [seat for seat in lobby.seats if seat.kind == LobbyKind.HUMAN and not seat.ready]
    if any(seat.person is not None for seat in waiting):
        return _("Press Space when you are ready.")
    if open_seats and lobby.hosting:
        return _("Still open: {seats}. Wait for somebody, put a bot there (b) or close it (x).").format(
            seats=list_text(open_seats)
        )
    if open_seats:
        return _("Still open: {seats}.").format(seats=list_text(open_seats))
    if waiting:
        return _("Not ready yet: {names}.").format(names=list_text([name_text(seat.name) for seat in waiting]))
    return _("Everybody is ready.")


def first_text(lobby: LobbyView) -> str:
    """How it will be decided who begins."""
    people = [seat for seat in lobby.seats if seat.kind == LobbyKind.HUMAN]
    ages = sorted(seat.age for seat in people if seat.age is not None)
    youngest = next((seat for seat in people if ages and seat.age == ages[0]), None)
    if youngest is not None and len(ages) == len(people) and ages.count(ages[0]) == 1:
        return _("{name}, the youngest").format(name=name_text(youngest.name))
    return _("by a lot that all make together")


def options_text(options: Option) -> str:
    """What this table forbids; empty for nothing."""
    forbidden = [_("no hints")] if Option.NO_HINTS in options else []
    forbidden += [_("no watchers")] if Option.NO_WATCHERS in options else []
    forbidden += [_("quick phrases only")] if Option.NO_FREE_CHAT in options else []
    return ", ".join(forbidden)


def lobby_keys(lobby: LobbyView, phase: Phase, *, typing: bool, selected: int | None = None) -> str:
    """The keys that do something now; with a seat `selected` those that do something with it."""
    if typing:
        return _("Enter done  Esc back")
    if all(seat.person is None for seat in lobby.seats):
        return _("q leave  r rules  d doctor  ? help")
    if phase is Phase.PROPOSED:
        return _("Ctrl-C leave  t chat  r rules  ? help")
    own = _("Space ready  Ctrl-C leave  t chat  c colour  n name  r rules")
    return "  ".join([own, _("d doctor"), _("? help"), *(_host_keys(lobby, selected) if lobby.hosting else [])])


def _host_keys(lobby: LobbyView, selected: int | None) -> list[str]:
    """What the host can do with the selected seat, or with any."""
    seat = None if selected is None else lobby.seats[selected]
    kinds = {other.kind for other in lobby.seats} if seat is None else {seat.kind}
    keys = [_("b bot"), _("x close")] if LobbyKind.OPEN in kinds else []
    if seat is None:
        return [*keys, *([_("o open")] if len(lobby.seats) < len(Colour) else []), _("Up/Down choose a seat")]
    if seat.person is None and seat.kind != LobbyKind.OPEN:
        keys += [_("k free the seat"), _("x close")]
    return [*keys, _("Esc any seat")]

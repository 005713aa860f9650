"""The lobby in sentences: who sits where, under which rules, and what is still missing."""

from __future__ import annotations

from sorry_lan.rules.profile import PROFILES, Rules, differences, profile_name
from sorry_lan.table.view import LobbySeatView, LobbyView, Presence
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.shown import TITLE_CELLS, shown
from sorry_lan.ui.texts import colour_text, level_text, list_text, name_text
from sorry_lan.wire.messages import LobbyKind
from sorry_lan.wire.terms import Option


def rules_name_text(rules: Rules) -> str:
    """The rules in a few words: a profile's name, or the nearest one with what differs."""
    name = profile_name(rules)
    if name is not None:
        return name
    base, changed = min(
        ((base, differences(rules, PROFILES[base])) for base in PROFILES), key=lambda pair: len(pair[1])
    )
    return _("{base} with {changes}").format(
        base=base, changes=list_text([f"{switch}={value}" for switch, value, _base in changed])
    )


def lobby_lines(lobby: LobbyView) -> tuple[str, ...]:
    """Title and rules, one line a seat, and what the table waits for."""
    head = _("{title}. Rules: {rules}.").format(
        title=shown(lobby.title, TITLE_CELLS), rules=rules_name_text(lobby.rules)
    )
    return (head, *forbids_lines(lobby.options), *(seat_line(seat) for seat in lobby.seats), waits_text(lobby))


def forbids_lines(options: Option) -> tuple[str, ...]:
    """What the table forbids, a line each."""
    texts = {
        Option.NO_HINTS: _("No hints at this table."),
        Option.NO_WATCHERS: _("No watchers at this table."),
        Option.NO_FREE_CHAT: _("No free chat at this table, only the quick phrases: say 1 to say 6."),
    }
    return tuple(text for option, text in texts.items() if option in options)


def seat_line(seat: LobbySeatView) -> str:
    """One seat: colour, who, readiness, how it is reached."""
    colour = colour_text(seat.colour)
    match LobbyKind(seat.kind):
        case LobbyKind.OPEN:
            return _("  {colour}: open.").format(colour=colour)
        case LobbyKind.BOT:
            return _("  {colour}: {name}, a bot, {level}.").format(
                colour=colour, name=name_text(seat.name), level=level_text(seat.level)
            )
        case LobbyKind.HUMAN:
            marks = [_("you")] if seat.person is not None else []
            marks += [_("host")] if seat.is_host else []
            marks += [_("age {age}").format(age=seat.age)] if seat.age is not None else []
            marks += [] if seat.presence in _NEAR else [presence_word(seat.presence)]
            marks += beside_marks(seat)
            about = f" ({', '.join(marks)})" if marks else ""
            ready = _("ready") if seat.ready else _("not ready")
            return _("  {colour}: {name}{about}, {ready}.").format(
                colour=colour, name=name_text(seat.name), about=about, ready=ready
            )


def beside_marks(seat: LobbySeatView) -> list[str]:
    """Whose address somebody shares: one person may hold two seats."""
    return [] if seat.beside is None else [_("same address as {colour}").format(colour=colour_text(seat.beside))]


_NEAR = frozenset({Presence.LOCAL, Presence.LINKED, Presence.BOT})


def presence_word(presence: Presence) -> str:
    """How a seat's client is reached, in a word."""
    return {
        Presence.LOCAL: _("here"),
        Presence.LINKED: _("linked"),
        Presence.RELAYED: _("through another player"),
        Presence.RECONNECTING: _("reconnecting"),
        Presence.AWAY: _("away"),
        Presence.BOT: _("a bot"),
    }[presence]


def waits_text(lobby: LobbyView) -> str:
    """What has to happen before the game begins."""
    open_seats = [colour_text(seat.colour) for seat in lobby.seats if seat.kind == LobbyKind.OPEN]
    waiting = [name_text(s.name) for s in lobby.seats if s.kind == LobbyKind.HUMAN and not s.ready]
    if open_seats and lobby.hosting:
        return _("Still open: {seats}. Wait for somebody, or use bot or close.").format(seats=list_text(open_seats))
    if open_seats:
        return _("Still open: {seats}.").format(seats=list_text(open_seats))
    if waiting and any(s.kind == LobbyKind.HUMAN and not s.ready and s.person is not None for s in lobby.seats):
        return _("Not ready yet: {names}. Type ready when you are.").format(names=list_text(waiting))
    if waiting:
        return _("Not ready yet: {names}.").format(names=list_text(waiting))
    return _("Everybody is ready.")

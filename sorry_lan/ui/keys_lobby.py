"""What single keys do in the lobby: ready, colour, seats, rules. Commands with words are keys_line.py's."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from sorry_lan.bots.levels import LEVELS
from sorry_lan.rules.board import Colour
from sorry_lan.rules.profile import PROFILES
from sorry_lan.table.events import BotSeated, LeaveAsked, Ready, RulesChosen, SeatChanged, SeatClosed, SeatOpened
from sorry_lan.table.view import LobbyView
from sorry_lan.ui.answers import Answer, Stay, does
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.full_screen import Key
from sorry_lan.ui.keys_game import open_line
from sorry_lan.ui.numbers import number_of
from sorry_lan.ui.screen_state import Mode, Over, Screen
from sorry_lan.wire.messages import LobbyKind

_HOST_KEYS: Final = "bxok"


def pressed(screen: Screen, key: Key | str, lobby: LobbyView) -> Answer:
    """One key in the lobby."""
    people = [seat for seat in lobby.seats if seat.person is not None]
    selected = selected_of(screen, lobby)
    match key:
        case " " if people:
            ready = Ready.NO if all(seat.ready for seat in people) else Ready.YES
            return does(*(SeatChanged(seat.person, ready=ready) for seat in people if seat.person is not None))
        case Key.UP | Key.DOWN:
            before, by = (-1, 1) if key is Key.DOWN else (0, -1)
            place = before if selected is None else selected
            screen.state = replace(screen.state, selected=(place + by) % len(lobby.seats))
        case Key.ESCAPE:
            screen.state = replace(screen.state, selected=None)
        case "c" if people:
            return _next_colour(screen, lobby)
        case "n" if people:
            several = len(people) > 1
            open_line(screen, Mode.COMMAND, "name 1 " if several else "name ")
        case "a" if people:
            open_line(screen, Mode.COMMAND, "age 1 " if len(people) > 1 else "age ")
        case "r":
            screen.state = replace(screen.state, profile=None)
            screen.open(Over.RULES)
        case "d":
            screen.examine()
        case "?" | "h":
            screen.open(Over.HELP)
        case "q":
            return Answer((), (LeaveAsked(),), Stay.LEAVE)
        case str() if key in _HOST_KEYS:
            return _host(screen, key, lobby, selected)
        case _:
            pass
    return Answer()


def selected_of(screen: Screen, lobby: LobbyView) -> int | None:
    """The place of the seat that the host's keys mean."""
    place = screen.state.selected
    return None if place is None or not lobby.hosting else min(place, len(lobby.seats) - 1)


def rules_pressed(screen: Screen, key: Key | str, lobby: LobbyView) -> Answer | None:
    """One key on the page of the rules, where the host may choose; None where it means nothing special."""
    if not lobby.hosting:
        return None
    names = tuple(PROFILES)
    if isinstance(key, str) and 1 <= (number := number_of(key) or 0) <= len(names):
        screen.state = replace(screen.state, profile=number - 1)
        return Answer()
    if key is Key.ENTER and screen.state.profile is not None:
        chosen = PROFILES[names[screen.state.profile]]
        screen.open(Over.NOTHING)
        return does(RulesChosen(chosen))
    return None


def _next_colour(screen: Screen, lobby: LobbyView) -> Answer:
    """The first person here takes the next colour that nobody has."""
    own = next(seat for seat in lobby.seats if seat.person is not None)
    taken = {seat.colour for seat in lobby.seats if seat.kind != LobbyKind.OPEN}
    free = [colour for step in range(1, 4) if (colour := (own.colour + step) % len(Colour)) not in taken]
    if not free:
        screen.say(_("No other colour is free."))
        return Answer()
    return does(SeatChanged(own.person or 0, colour=free[0]))


def _host(screen: Screen, key: str, lobby: LobbyView, selected: int | None) -> Answer:
    """b, x, o and k: what the host does with the selected seat, or with any that is open."""
    if not lobby.hosting:
        screen.say(_("Only the host can do that."))
        return Answer()
    seat = None if selected is None else lobby.seats[selected]
    match key:
        case "o":
            return does(SeatOpened(None))
        case "b":
            if seat is not None and seat.kind == LobbyKind.BOT:
                return does(SeatOpened(seat.colour), BotSeated(seat.colour, (seat.level + 1) % len(LEVELS)))
            return does(BotSeated(seat.colour if seat is not None and seat.kind == LobbyKind.OPEN else None, 0))
        case "x":
            return does(SeatClosed(seat.colour if seat is not None and seat.person is None else None))
        case _:
            if seat is not None and seat.person is None and seat.kind != LobbyKind.OPEN:
                return does(SeatOpened(seat.colour))
            screen.say(_("Choose somebody's seat first, with the arrow keys."))
            return Answer()

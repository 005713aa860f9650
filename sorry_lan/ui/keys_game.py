"""What keys do while a game is on the screen: draw, pick, play, look back, open a page, answer a question.

Lines that are typed are keys_line.py's, the lobby keys_lobby.py's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from sorry_lan.fair.entry import Leaving
from sorry_lan.table.events import DrawAsked, GoOnAnswered, LeaveAsked, Ready, RematchAsked, SeatDecided
from sorry_lan.table.phases import IN_PLAY
from sorry_lan.table.view import Ask, Phase, View
from sorry_lan.ui import choosing
from sorry_lan.ui.answers import Answer, Stay, does
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.choosing import Asks, Choice
from sorry_lan.ui.full_screen import Key, Mouse
from sorry_lan.ui.hints import hint, hint_text
from sorry_lan.ui.numbers import number_of
from sorry_lan.ui.screen_state import Mode, Over, Screen
from sorry_lan.ui.taste import Pace
from sorry_lan.ui.texts_prompts import waiting_text
from sorry_lan.ui.texts_screen import pace_text
from sorry_lan.ui.texts_watching import only_watch_text
from sorry_lan.ui.typing import line
from sorry_lan.wire.terms import Option

LEAVABLE: Final = IN_PLAY | {Phase.FROZEN, Phase.RESUMING}
"""A game is going on here, so leaving is asked about."""
PLAYERS_KEYS: Final = frozenset({"t", "/", "q", "x", " ", "H", *"0123456789"})
"""What means something else, or nothing, to whoever watches."""
_PAGES: Final = {"f": Over.FAIRNESS, "d": Over.DECK, "h": Over.HELP}
_PACES: Final = tuple(Pace)
_FAR: Final = 10
"""Lines that a page key scrolls."""
ACTS: Final = frozenset({Key.ENTER, " ", *"0123456789"})
"""Keys that play or lead to playing: while a film runs they only end it."""


def pressed(screen: Screen, key: Key | str) -> Answer:
    """One key on the game itself."""
    moments = screen.heard.moments
    match key:
        case Key.PAGE_UP:
            moments.look(-1)
        case Key.PAGE_DOWN:
            moments.look(1)
        case Key.HOME:
            moments.look_at_first()
        case Key.END:
            moments.return_()
        case Key.ESCAPE | Key.ENTER if moments.seen is not None:
            moments.return_()
        case "?":
            screen.open(Over.WHY if screen.question is not None and screen.choices else Over.HELP)
        case "m":
            mouse = Mouse.OFF if screen.state.mouse is Mouse.ON else Mouse.ON
            screen.state = replace(screen.state, mouse=mouse)
            screen.say(_("Mouse on.") if mouse is Mouse.ON else _("Mouse off: text can be marked and copied."))
        case "+" | "-":
            at = _PACES.index(screen.state.pace) + (1 if key == "+" else -1)
            screen.state = replace(screen.state, pace=_PACES[max(0, min(at, len(_PACES) - 1))])
            screen.say(pace_text(screen.state.pace))
        case "x":
            _mute(screen)
        case "y" | "n" if screen.heard.view is not None and screen.heard.view.going_on is not None:
            return answer_offer(screen, Ready.YES if key == "y" else Ready.NO)
        case str() if key in _PAGES:
            screen.open(_PAGES[key])
        case _ if screen.heard.view is not None and screen.heard.view.phase is Phase.OVER:
            return over_pressed(screen, key)
        case _ if moments.seen is None:
            return _answer(screen, key)
        case _:
            screen.say(_("You are looking back; End returns to the game."))
    return Answer()


def over_pressed(screen: Screen, key: Key | str) -> Answer:
    """One key after the end."""
    match key:
        case "r" if screen.looks_on:
            screen.say(only_watch_text())
        case "r" if screen.lets():
            return does(RematchAsked())
        case "q":
            return Answer((), (LeaveAsked(),), Stay.LEAVE)
        case Key.ENTER:
            screen.open(Over.END)
        case _:
            pass
    return Answer()


def page_pressed(screen: Screen, key: Key | str) -> Answer:
    """One key on a page that lies over the game or the lobby."""
    state = screen.state
    match key:
        case Key.UP | Key.DOWN if state.over is Over.WHY and screen.choices:
            choice = choosing.picked(screen.choices, state.picking)
            number = (choice.number if choice else 0) + (1 if key is Key.DOWN else -1)
            _highlight(screen, screen.choices[(number - 1) % len(screen.choices)])
        case Key.PAGE_UP if state.over is Over.END and state.scroll == 0:
            screen.open(Over.NOTHING)
            screen.heard.moments.look(-1)
        case Key.UP | Key.DOWN | Key.PAGE_UP | Key.PAGE_DOWN:
            by = {Key.UP: -1, Key.DOWN: 1, Key.PAGE_UP: -_FAR, Key.PAGE_DOWN: _FAR}[key]
            screen.state = replace(state, scroll=max(0, state.scroll + by))
        case Key.ESCAPE:
            screen.open(Over.NOTHING)
        case "d" if state.over is Over.DOCTOR:
            screen.examine()
        case "?":
            screen.open(Over.HELP)
        case str() if key in _PAGES:
            screen.open(Over.NOTHING if _PAGES[key] is state.over else _PAGES[key])
        case _ if state.over is Over.END:
            return over_pressed(screen, key)
        case str() if state.over is Over.WHY and 0 < (number := number_of(key) or 0) <= len(screen.choices):
            _highlight(screen, screen.choices[number - 1])
        case Key.ENTER if state.over is Over.WHY:
            return _answer(screen, key)
        case Key.ENTER:
            screen.open(Over.NOTHING)
        case _:
            pass
    return Answer()


def leave_pressed(screen: Screen, key: Key | str) -> Answer:
    """One key where it is asked whether to leave."""
    match key:
        case "n":
            return Answer((), (LeaveAsked(Leaving.FOR_NOW),), Stay.LEAVE)
        case "g":
            return Answer((), (LeaveAsked(Leaving.FOR_GOOD),), Stay.LEAVE)
        case _:
            screen.open(Over.NOTHING)
            return Answer()


def asks_first(view: View | None) -> bool:
    """Whether leaving is asked about: somebody plays here, and is waited for."""
    return view is not None and view.looking is None and view.phase in LEAVABLE


def looked_on(screen: Screen, key: Key | str) -> Answer:
    """A key that only players have, or the q of whoever watches."""
    if key == "q":
        return Answer((), (LeaveAsked(),), Stay.LEAVE)
    screen.say(only_watch_text())
    return Answer()


def leave_asked(screen: Screen) -> Answer:
    """Somebody wants to leave: asked about where a game is going on, else at once."""
    if not asks_first(screen.heard.view):
        return Answer((), (LeaveAsked(),), Stay.LEAVE)
    screen.open(Over.LEAVE)
    return Answer()


def answer_offer(screen: Screen, answer: Ready) -> Answer:
    """A yes or no to going on without somebody, or with somebody again."""
    if not screen.lets():
        return Answer()
    return does(GoOnAnswered(answer))


def _answer(screen: Screen, key: Key | str) -> Answer:
    """A key for the question that stands there."""
    prompt, game = screen.question, screen.heard.game
    if prompt is None or game is None or screen.heard.view is None:
        if key in ACTS and game is not None and screen.heard.view is not None:
            screen.say(waiting_text(game, screen.heard.view.phase))
        return Answer()
    if prompt.ask is Ask.DRAW or prompt.card is None:
        if key != Key.ENTER or not screen.lets():
            return Answer()
        screen.answered(prompt)
        return does(DrawAsked(prompt.seat))
    if key == "H":
        _hint(screen)
        return Answer()
    if key == Key.ENTER:
        return _enter(screen)
    _pick(screen, key)
    return Answer()


def _pick(screen: Screen, key: Key | str) -> None:
    """Digits, arrows, Esc: what is highlighted."""
    choices, picking = screen.choices, screen.state.picking
    match key:
        case "0":
            picking = choosing.next_page(choices, picking)
        case str() if len(key) == 1 and key in "123456789":
            count = len(choosing.entries(choices, picking.prefix))
            line_number = choosing.shown_page(picking, count).start + int(key) - 1
            if line_number >= count:
                screen.say(_("There is no choice {n} here.").format(n=key))
            picking = choosing.at_line(choices, picking, line_number)
        case Key.UP:
            picking = choosing.moved(choices, picking, -1)
        case Key.DOWN:
            picking = choosing.moved(choices, picking, 1)
        case Key.RIGHT | "p":
            picking = choosing.next_pawn(choices, picking, 1)
        case Key.LEFT:
            picking = choosing.next_pawn(choices, picking, -1)
        case Key.ESCAPE | Key.BACKSPACE:
            picking = choosing.back(choices, picking)
        case _:
            return
    screen.state = replace(screen.state, picking=picking)


def _enter(screen: Screen) -> Answer:
    """Enter: take a step, or play what is highlighted, asking once more where the taste says so."""
    picking = screen.state.picking
    if not screen.lets():
        return Answer()
    choice = choosing.picked(screen.choices, picking)
    if choice is not None:
        return commit(screen, choice)
    if picking.cursor is None:
        screen.say(_("Pick a choice first: a digit or the arrow keys; Enter then plays it."))
    else:
        picking = choosing.at_line(screen.choices, picking, picking.cursor)
        screen.state = replace(screen.state, picking=picking)
    return Answer()


def commit(screen: Screen, choice: Choice) -> Answer:
    """Play the highlighted choice, or ask whether it is meant."""
    prompt, picking = screen.question, screen.state.picking
    if prompt is None or prompt.card is None:
        return Answer()
    if picking.asks is Asks.NOT and choosing.asks_first(choice, len(screen.choices), screen.taste.confirm):
        screen.state = replace(screen.state, over=Over.NOTHING, picking=replace(picking, asks=Asks.SURE))
        screen.guard.changed(screen.now_s)
        return Answer()
    screen.state = replace(screen.state, over=Over.NOTHING, mode=Mode.KEYS)
    screen.answered(prompt)
    return does(SeatDecided(prompt.seat, prompt.k, prompt.card, choice.move))


def _hint(screen: Screen) -> None:
    prompt, game = screen.question, screen.heard.game
    if prompt is None or prompt.card is None or game is None:
        return
    screen.say(hint_text(prompt, game))
    if Option.NO_HINTS in game.options:
        return
    move = hint(prompt, prompt.card, game)
    choice = next(choice for choice in screen.choices if choice.move == move)
    _highlight(screen, choice)


def _highlight(screen: Screen, choice: Choice) -> None:
    screen.state = replace(screen.state, picking=choosing.at_choice(screen.choices, choice))


def _mute(screen: Screen) -> None:
    """Mute whoever spoke last, or hear everybody again."""
    log = screen.heard.log
    if log.last_speaker is not None and log.last_speaker not in log.muted:
        log.mute(log.last_speaker)
        screen.say(_("Muted. x hears everybody again."))
    elif log.muted:
        log.muted.clear()
        screen.say(_("You hear everybody again."))
    else:
        screen.say(_("Nobody has spoken who could be muted."))


def open_line(screen: Screen, mode: Mode, text: str = "") -> None:
    """Begin a line of text."""
    screen.state = replace(screen.state, mode=mode, typing=line(text), message="")

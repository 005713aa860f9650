"""Which page is drawn: hands what a screen knows to the page that is open. Draws nothing itself but a greeting."""

from __future__ import annotations

from sorry_lan.table.commands import FileKind
from sorry_lan.table.view import GameView, LobbyView, Phase
from sorry_lan.ui import choosing
from sorry_lan.ui.canvas import Canvas
from sorry_lan.ui.draw_deck import DeckPage, draw_deck
from sorry_lan.ui.draw_doctor import DoctorPage
from sorry_lan.ui.draw_end import EndPage, draw_end
from sorry_lan.ui.draw_fairness import FairnessPage, draw_fairness
from sorry_lan.ui.draw_game import draw_game, layout_of, typed_line
from sorry_lan.ui.draw_help import HelpPage, draw_help
from sorry_lan.ui.draw_lobby import LobbyPage, draw_lobby
from sorry_lan.ui.draw_rules import RulesPage, draw_rules
from sorry_lan.ui.draw_small import SmallPage
from sorry_lan.ui.draw_start import JoiningPage, draw_joining
from sorry_lan.ui.draw_why import WhyPage, draw_why
from sorry_lan.ui.keys_lobby import selected_of
from sorry_lan.ui.screen_state import Ground, Over, Screen
from sorry_lan.ui.sheet import draw_sheet
from sorry_lan.ui.texts_help import key_rows
from sorry_lan.ui.texts_watching import who_watches

_LOG = 40
"""Sentences that a page may show."""


def draw_screen(canvas: Canvas, screen: Screen) -> None:
    """The whole canvas."""
    view = screen.heard.view
    game, lobby = (None, None) if view is None else (view.game, view.lobby)
    if lobby is not None and screen.ground is Ground.LOBBY:
        _lobby(canvas, screen, lobby)
    elif game is not None and screen.ground is Ground.GAME:
        _game(canvas, screen, game)
    else:
        _greeting(canvas, screen)


def _lobby(canvas: Canvas, screen: Screen, lobby: LobbyView) -> None:
    state, heard = screen.state, screen.heard
    view = heard.view
    phase = Phase.LOBBY if view is None else view.phase
    keys = key_rows(phase, looks_on=screen.looks_on)
    match state.over:
        case Over.HELP:
            draw_help(canvas, HelpPage(phase, lobby.rules, state.scroll, keys=keys), screen.taste.signs)
        case Over.DOCTOR:
            draw_sheet(canvas, DoctorPage(screen.examination, state.scroll), screen.taste.signs)
        case Over.RULES:
            page = RulesPage(lobby.rules, chooses=lobby.hosting, selected=state.profile, scroll=state.scroll)
            draw_rules(canvas, page, screen.taste.signs)
        case _:
            log = (*_since_joining(screen), *([state.message] if state.message else []))
            draw_lobby(
                canvas,
                LobbyPage(
                    lobby,
                    phase,
                    heard.opened,
                    heard.joined,
                    selected_of(screen, lobby),
                    log=log,
                    typed=typed_line(screen),
                    scroll=state.scroll,
                    picture=heard.picture,
                    changed=heard.changed,
                    watching=() if view is None else who_watches(view),
                ),
                screen.taste.signs,
            )


def _game(canvas: Canvas, screen: Screen, game: GameView) -> None:
    state, heard, signs = screen.state, screen.heard, screen.taste.signs
    phase = Phase.CONNECTING if heard.view is None else heard.view.phase
    typed = typed_line(screen)
    keys = key_rows(phase, looks_on=screen.looks_on)
    match state.over:
        case Over.WHY:
            card = None if screen.question is None else screen.question.card
            moves = tuple(choice.move for choice in screen.choices)
            page = WhyPage(game, game.position, card, moves, state.why, _selected(screen), typed, state.scroll)
            draw_why(canvas, page, signs)
        case Over.FAIRNESS:
            fairness = FairnessPage(game, heard.tally, heard.troubles, _file(screen), state.scroll, typed)
            draw_fairness(canvas, fairness, signs)
        case Over.DECK:
            draw_deck(canvas, DeckPage(game, heard.tally.pile or game.pile, state.scroll, typed), signs)
        case Over.HELP:
            draw_help(canvas, HelpPage(phase, game.rules, state.scroll, typed, keys), signs)
        case Over.RULES:
            draw_rules(canvas, RulesPage(game.rules, scroll=state.scroll, typed=typed), signs)
        case Over.END:
            talk = tuple(told.text for told in heard.log.talk())
            end = EndPage(
                game,
                heard.tally,
                heard.troubles,
                _file(screen),
                heard.won,
                talk,
                scroll=state.scroll,
                typed=typed,
                looks_on=screen.looks_on,
            )
            draw_end(canvas, end, signs)
        case Over.NOTHING | Over.LEAVE | Over.DOCTOR:
            layout = layout_of(canvas.width, canvas.height)
            if layout is None:
                draw_sheet(canvas, SmallPage(screen, game, phase), signs)
            else:
                draw_game(canvas, layout, screen, game)


def _greeting(canvas: Canvas, screen: Screen) -> None:
    """Before there is a table, and after it is closed: what was said so far."""
    if screen.state.over is Over.DOCTOR:
        draw_sheet(canvas, DoctorPage(screen.examination, screen.state.scroll), screen.taste.signs)
        return
    phase = Phase.CONNECTING if screen.heard.view is None else screen.heard.view.phase
    draw_joining(canvas, JoiningPage(_sentences(screen), phase, screen.state.scroll), screen.taste.signs)


def _selected(screen: Screen) -> int | None:
    """The place of the highlighted choice in the whole list."""
    choice = choosing.picked(screen.choices, screen.state.picking)
    return None if choice is None else choice.number - 1


def _sentences(screen: Screen) -> tuple[str, ...]:
    return tuple(told.text for told in screen.heard.log.lines()[-_LOG:])


def _since_joining(screen: Screen) -> tuple[str, ...]:
    """The sentences without those that the lobby has elsewhere: where the table is, whose key has changed."""
    elsewhere = {*screen.heard.whereabouts, *screen.heard.changed.values()}
    return tuple(text for text in _sentences(screen) if text not in elsewhere)


def _file(screen: Screen) -> str | None:
    return next((saved.path for saved in reversed(screen.heard.saved) if saved.kind is FileKind.TRANSCRIPT), None)

"""The game on the screen at the three sizes of a board: title, board, panel, log, input line, keys.

What is below 60x20 is draw_list.py's. Pure; every part is cut to its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sorry_lan.rules.cards import CARDS
from sorry_lan.table.view import Ask, GameView, Phase
from sorry_lan.ui import choosing
from sorry_lan.ui.board_map import board_box
from sorry_lan.ui.board_picture import BoardPicture, Size, Spot, size_of
from sorry_lan.ui.canvas import TRACK, Canvas, Ink
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.choosing import Asks
from sorry_lan.ui.draw_board import draw_board
from sorry_lan.ui.draw_panel import HEAD, Place, draw_panel, is_saved, not_possible, panel_lines
from sorry_lan.ui.full_screen import Key
from sorry_lan.ui.log import Told
from sorry_lan.ui.screen_state import Mode, Over, Screen
from sorry_lan.ui.sheet import Typed, cut, draw_typed, wrap
from sorry_lan.ui.shown import TITLE_CELLS, cells, shown
from sorry_lan.ui.taste import Turned
from sorry_lan.ui.texts import card_text
from sorry_lan.ui.texts_moves import choice_text
from sorry_lan.ui.texts_phrases import phrase_texts
from sorry_lan.ui.texts_screen import asks_text, gone_text, turn_text

_K: Final = 4
"""Columns of a step's number in the log."""
_FOOT: Final = 2
"""The input line and the keys."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the parts are at a size."""

    size: Size
    board: Place
    panel: Place
    log: Place


def layout_of(width: int, height: int) -> Layout | None:
    """The places of a terminal of so many columns and rows; None where no board fits."""
    size = size_of(width, height)
    if size is Size.LIST:
        return None
    box = board_box(size)
    below = 1 + box.height
    return Layout(
        size,
        Place(0, 1, box.width, box.height),
        Place(box.width + 1, 1, width - box.width - 1, box.height),
        Place(0, below, width, height - below - _FOOT),
    )


def draw_game(canvas: Canvas, layout: Layout, screen: Screen, game: GameView) -> None:
    """The whole screen of a game."""
    canvas.bar(0, cut(title_text(screen, game, canvas.width), canvas.width), Ink.TITLE)
    picture = board_picture(screen, game)
    draw_board(canvas, layout.board.x, layout.board.y, layout.size, picture, screen.taste.signs)
    draw_panel(canvas, layout.panel, screen, game)
    _log(canvas, layout, screen, game)
    _input(canvas, canvas.height - 2, screen, game)
    _keys(canvas, canvas.height - 1, screen)


def board_picture(screen: Screen, game: GameView) -> BoardPicture:
    """The board of the film, of the moment that is looked back at, or of the game as it stands."""
    frame, seen, marks = screen.frame, screen.heard.moments.seen, screen.heard.marks
    bottom = bottom_of(screen, game)
    if seen is not None:
        return BoardPicture(game.rules, seen.position, trail=seen.trail, bumped=seen.bumped, bottom=bottom)
    if frame is not None:
        chosen = () if frame.mover is None else (frame.mover,)
        trail = marks.trail | frame.trail if frame.mover is None else frame.trail
        return BoardPicture(game.rules, frame.position, chosen=chosen, trail=trail, bottom=bottom)
    targets: tuple[tuple[Spot, str], ...] = ()
    movers: tuple[tuple[int, int], ...] = ()
    if screen.question is not None and screen.choices:
        targets = choosing.targets(screen.choices, screen.state.picking)
        choice = choosing.picked(screen.choices, screen.state.picking)
        own = game.position.turn
        picked = tuple((own, pawn) for pawn in choosing.taken(screen.state.picking))
        movers = picked if choice is None else choosing.movers(choice)
    return BoardPicture(game.rules, game.position, targets, movers, marks.trail, marks.bumped, bottom)


def bottom_of(screen: Screen, game: GameView) -> int | None:
    """The colour whose side is drawn at the bottom."""
    if screen.taste.board is Turned.AS_PRINTED:
        return None
    return next((seat.colour for seat in game.seats if seat.person is not None), None)


def title_text(screen: Screen, game: GameView, width: int) -> str:
    """Table, round, deck, and on the right whose turn it is or what is wrong."""
    title = shown(game.title, TITLE_CELLS)
    turn = (game.turn_number - 1) // len(game.seats) + 1
    name = _("WATCHING") if screen.looks_on else "sorry-lan"
    left = _(" {name}  {title}   round {n}  deck {left} left").format(
        name=name, title=title, n=turn, left=sum(game.pile)
    )
    right = _right(screen, game)
    code = screen.heard.opened.code if screen.heard.opened is not None else None
    told = _("   code {code}").format(code=code) if code else ""
    if cells(left + told + right) + 3 < width:
        left += told
    if cells(left + right) + 3 > width:
        left = left.replace(" sorry-lan ", "", 1)  # the deck says more than the program's name
    gap = width - cells(left) - cells(right) - 1
    return f"{left}{' ' * gap}{right}" if gap > 1 else f" {right}  {left.strip()}"


def _right(screen: Screen, game: GameView) -> str:
    gone = [gone_text(game.seats[seat], screen.now_s - since) for seat, since in screen.heard.away_s.items()]
    view, seen = screen.heard.view, screen.heard.moments.seen
    blind = view is not None and view.looking is not None and view.looking.through is None
    if seen is not None:
        at, count = screen.heard.moments.place
        return _("LOOKING BACK {at}/{count}").format(at=at, count=count)
    if view is not None and view.phase is Phase.FROZEN:
        return _("THE GAME STANDS STILL")
    if blind and game.winner is None:
        return _("NO CONNECTION")
    if gone:
        return gone[0]
    if view is not None and is_saved(view):
        return _("SAVED")
    seat = game.position.turn if screen.frame is None else screen.frame.seat
    return turn_text(screen.question, game.seats[seat], game)


def _log(canvas: Canvas, layout: Layout, screen: Screen, game: GameView) -> None:
    """The latest sentences, newest at the bottom; reasons that found no room in the panel stand below them."""
    at, rows = layout.log, layout.log.height
    if layout.size is Size.LARGE:
        _more(canvas, layout.panel, screen, game)
    panel_room = layout.panel.height - HEAD
    whys = not_possible(screen, game)
    if whys and len(panel_lines(screen, game, layout.panel.width)) > panel_room and rows > 0:
        rows -= 1
        canvas.put(at.x, at.y + rows, cut(" " * _K + _("Not possible: ") + "; ".join(whys), at.width), Ink.DIM)
    for row, (told, text) in enumerate(log_rows(seen_lines(screen), at.width, rows), at.y):
        if told.k is not None and text and not text.startswith(" "):
            ink = Ink.DIM if told.colour is None else TRACK[told.colour]
            canvas.put(at.x, row, text[:_K], ink)
            canvas.put(at.x + _K, row, text[_K:])
        else:
            canvas.put(at.x, row, text, Ink.PLAIN if told.speaker is None else Ink.STRONG)


def seen_lines(screen: Screen) -> tuple[Told, ...]:
    """The log; what the film has yet to show is told when it is seen."""
    frame, lines = screen.frame, screen.heard.log.lines()
    return lines if frame is None else tuple(told for told in lines if told.k is None or told.k < frame.k)


def log_rows(lines: tuple[Told, ...], width: int, rows: int) -> list[tuple[Told, str]]:
    """The last sentences in so many rows, each with its step before it."""
    found: list[tuple[Told, str]] = []
    for told in reversed(lines):
        if len(found) >= rows:
            break
        wrapped = wrap(told.text, width - _K)
        if not found and len(wrapped) > rows:  # the beginning says most
            wrapped = [*wrapped[: rows - 1], cut(" ".join(wrapped[rows - 1 :]), width - _K)]
        number = "" if told.k is None else str(told.k)
        marks = [f"{number:<{_K}}", *[" " * _K] * (len(wrapped) - 1)]
        found = [*((told, mark + text) for mark, text in zip(marks, wrapped, strict=False)), *found]
    return found[max(0, len(found) - rows) :] if rows > 0 else []


def _more(canvas: Canvas, panel: Place, screen: Screen, game: GameView) -> None:
    """What a large panel has room for below its lines: the deck, and what was said."""
    used = len(panel_lines(screen, game, panel.width))
    top, bottom = panel.y + HEAD + used + 1, panel.y + panel.height
    pile = screen.heard.tally.pile or game.pile
    deck = [f"{card_text(card)} x{left}" for card, left in zip(CARDS, pile, strict=True)]
    lines = [(Ink.STRONG, _("Left in the deck"))]
    lines += [(Ink.DIM, row) for row in wrap("  ".join(deck).replace(" x", "\u00a0x"), panel.width)]
    talk = [row for told in screen.heard.log.talk()[-8:] for row in wrap(told.text, panel.width)]
    room = bottom - top - len(lines) - 2
    if talk and room > 0:
        lines += [(Ink.PLAIN, ""), (Ink.STRONG, _("Said"))] + [(Ink.PLAIN, row) for row in talk[-room:]]
    for row, (ink, text) in enumerate(lines, top):
        if row < bottom:
            canvas.put(panel.x, row, text.replace("\u00a0", " "), ink)


def typed_line(screen: Screen) -> Typed | None:
    """The line that is being typed."""
    typing = screen.state.typing
    match screen.state.mode:
        case Mode.KEYS:
            return None
        case Mode.COMMAND:
            return Typed(typing.text, typing.caret, "/")
        case Mode.CHAT:
            return Typed(typing.text, typing.caret, _("say: "))


def _input(canvas: Canvas, row: int, screen: Screen, game: GameView) -> None:
    """The line that is typed; else what was picked, what it would do, and what came of the last key."""
    typed = typed_line(screen)
    if typed is not None:
        draw_typed(canvas, row, 0, typed)
        return
    canvas.put(0, row, cut(input_text(screen, game), canvas.width), Ink.INPUT)


def input_text(screen: Screen, game: GameView) -> str:
    """What stands behind the > when nothing is typed."""
    state, prompt = screen.state, screen.question
    if state.over is Over.LEAVE:
        return _("> Leave the running game?")
    cursor = state.picking.cursor
    digit = "" if cursor is None or prompt is None else str(cursor % choosing.PAGE + 1)
    if state.message:
        return f"> {digit}  {state.message}" if digit else f"> {state.message}"
    choice = choosing.picked(screen.choices, state.picking)
    if choice is None or prompt is None or prompt.card is None:
        return f"> {digit}"
    if state.picking.asks is Asks.SURE:
        return f"> {digit}  {asks_text(choice)}"
    return f"> {digit}  {choice_text(choice.move, game.position, game.rules, prompt.card)}"


def _keys(canvas: Canvas, row: int, screen: Screen) -> None:
    """The keys of this moment; each can be clicked."""
    x = 1
    for key, label, does in keys_of(screen):
        text = f"{label} {does}"
        if x + len(text) > canvas.width:
            return
        canvas.zone(x, row, len(text), 1, key)
        x = canvas.put(x, row, text, Ink.KEYS) + 2


def keys_of(screen: Screen) -> tuple[tuple[str, str, str], ...]:
    """(key, its name, what it does), the most important first."""
    state, prompt = screen.state, screen.question
    enter, escape = Key.ENTER.value, Key.ESCAPE.value
    if state.over is Over.LEAVE:
        return (
            ("s", "s", _("stay")),
            ("n", "n", _("leave for now")),
            ("g", "g", _("leave for good")),
            (Key.INTERRUPT.value, _("Ctrl-C"), _("at once")),
        )
    if state.mode is Mode.CHAT:
        phrases = tuple((str(n), str(n), phrase) for n, phrase in enumerate(phrase_texts(), 1))
        return ((enter, _("Enter"), _("say")), (escape, _("Esc"), _("back")), *phrases)
    if state.mode is Mode.COMMAND:
        return (
            (enter, _("Enter"), _("do it")),
            (Key.TAB.value, _("Tab"), _("complete")),
            (escape, _("Esc"), _("back")),
        )
    if screen.heard.moments.seen is not None:
        return (
            (Key.PAGE_UP.value, _("PgUp"), _("back")),
            (Key.PAGE_DOWN.value, _("PgDn"), _("on")),
            (Key.END.value, _("End"), _("return to the game")),
        )
    if screen.looks_on:
        return _keys_of_watchers(screen)
    rest = (
        ("?", "?", _("why/help")),
        ("/", "/", _("command")),
        ("t", "t", _("chat")),
        (Key.PAGE_UP.value, _("PgUp"), _("history")),
        (Key.INTERRUPT.value, _("Ctrl-C"), _("leave")),
        ("f", "f", _("fair?")),
        ("d", "d", _("deck")),
        ("h", "h", _("help")),
        ("m", "m", _("mouse")),
    )
    if screen.heard.view is not None and screen.heard.view.phase is Phase.OVER:
        return ((enter, _("Enter"), _("the end")), ("r", "r", _("rematch")), ("q", "q", _("leave")), *rest)
    if prompt is None:
        return rest
    if prompt.ask is Ask.DRAW:
        return ((enter, _("Enter"), _("draw")), *rest)
    if state.picking.asks is Asks.SURE:
        return ((enter, _("Enter"), _("play it")), (escape, _("Esc"), _("back")))
    pick = ((enter, _("Enter"), _("play")), (escape, _("Esc"), _("back")), ("p", "p", _("pawn")))
    return (*pick, *rest[:3], ("H", "H", _("hint")), *rest[3:])


def _keys_of_watchers(screen: Screen) -> tuple[tuple[str, str, str], ...]:
    end = screen.heard.view is not None and screen.heard.view.phase is Phase.OVER
    return (
        *(((Key.ENTER.value, _("Enter"), _("the end")),) if end else ()),
        ("q", "q", _("leave")),
        (Key.PAGE_UP.value, _("PgUp"), _("history")),
        ("f", "f", _("fair?")),
        ("d", "d", _("deck")),
        ("h", "h", _("help")),
        ("m", "m", _("mouse")),
    )

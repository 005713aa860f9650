"""The right side of the game screen: whose turn, the card, the players, choices, what is not possible, questions.

Lines of text that depend on the width alone; draw_game.py says where they go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sorry_lan.rules.board import HOME
from sorry_lan.rules.cards import Card
from sorry_lan.rules.reasons import reasons
from sorry_lan.table.view import Ask, GameView, Phase, Presence, SeatView, View
from sorry_lan.ui import choosing
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.canvas import PAWN, TRACK, Canvas, Ink
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.choosing import Entry
from sorry_lan.ui.full_screen import Key
from sorry_lan.ui.motion import Face
from sorry_lan.ui.screen_state import Screen
from sorry_lan.ui.sheet import Line, cut, heading, item, padded, prose
from sorry_lan.ui.shown import cells
from sorry_lan.ui.texts import card_text, level_text, name_text, pawn_text
from sorry_lan.ui.texts_going_on import offer_lines
from sorry_lan.ui.texts_prompts import waiting_text
from sorry_lan.ui.texts_screen import gone_text, saved_text, short_reason, short_text, step_text, turn_text
from sorry_lan.ui.texts_watching import looking_text, watchers_text
from sorry_lan.wire.terms import SeatKind

CARD_WIDTH: Final = 14
CARD_HEIGHT: Final = 5
HEAD: Final = 1 + CARD_HEIGHT
"""Rows above the lines: whose turn, then card and players beside each other."""
_ROOMY: Final = 24
"""Columns for a player from which on there is room for words about the connection."""


@dataclass(frozen=True, slots=True)
class Place:
    """Cells of the screen."""

    x: int
    y: int
    width: int
    height: int


def draw_panel(canvas: Canvas, at: Place, screen: Screen, game: GameView) -> None:
    """The panel; what does not fit is left out from below."""
    _turn(canvas, at, screen, game)
    _card(canvas, at, screen)
    _players(canvas, at, screen, game)
    lines = panel_lines(screen, game, at.width)
    for row, line in enumerate(lines[: max(0, at.height - HEAD)], at.y + HEAD):
        x = at.x
        for ink, text in line.spans:
            x = canvas.put(x, row, cut(text, at.x + at.width - x), ink)
        if line.key is not None:
            canvas.zone(at.x, row, at.width, 1, line.key)


def panel_lines(screen: Screen, game: GameView, width: int) -> list[Line]:
    """What stands below the card: what is happening, what is asked, what can be done, what cannot."""
    frame, view = screen.frame, screen.heard.view
    lines: list[Line] = []
    if view is not None and view.looking is not None:
        lines += prose(looking_text(view.looking, game.k), width, Ink.STRONG)
    if frame is not None:
        drew = _("{name} drew {card}").format(name=name_text(game.seats[frame.seat].name), card=card_text(frame.card))
        lines += prose(drew if frame.face is Face.UP else "", width) + prose(frame.caption, width, Ink.STRONG)
    elif screen.question is not None:
        lines += _choices(screen, width)
    elif view is not None:
        lines += prose(saved_text() if is_saved(view) else waiting_text(game, view.phase), width)
    lines += _offer(screen, game, width)
    for seat, since_s in screen.heard.away_s.items():
        lines += prose(gone_text(game.seats[seat], screen.now_s - since_s), width, Ink.BAD)
    lines += prose(watchers_text(view.watchers) if view is not None else "", width, Ink.DIM)
    return lines


def is_saved(view: View) -> bool:
    """Whether the game stands still until all come back another day."""
    return view.phase is Phase.OVER and view.game is not None and view.game.winner is None


def not_possible(screen: Screen, game: GameView) -> list[str]:
    """Why the own pawns that cannot move with the card cannot, a short sentence each."""
    prompt = screen.question
    if prompt is None or prompt.card is None:
        return []
    whys = reasons(game.position, game.rules, prompt.card)
    return [text for why in whys if (text := short_reason(why, game.position, prompt.card))]


def _turn(canvas: Canvas, at: Place, screen: Screen, game: GameView) -> None:
    seat = game.seats[game.position.turn if screen.frame is None else screen.frame.seat]
    text = turn_text(screen.question, seat, game)
    ink = PAWN[seat.colour] if screen.question is not None else TRACK[seat.colour]
    canvas.put(at.x, at.y, padded(cut(text, at.width), at.width), ink)


def _card(canvas: Canvas, at: Place, screen: Screen) -> None:
    """The card that is turned over, or the last one that was."""
    wide, tall = min(CARD_WIDTH, at.width), min(CARD_HEIGHT, at.height - 1)
    x, y = at.x, at.y + 1
    if wide < 4 or tall < 3:
        return
    frame, drawn = screen.frame, screen.heard.drawn
    asked = None if screen.question is None else screen.question.card
    face, card = Face.UP, asked or (drawn.card if drawn else None)
    if frame is not None:
        face, card = frame.face, frame.card
    waits = screen.question is not None and screen.question.ask is Ask.DRAW
    if waits:
        face = Face.DOWN
    if face is Face.EDGE:
        for row in range(tall):
            canvas.put(x + wide // 2 - 1, y + row, "||", Ink.CARD)
        return
    _box(canvas, Place(x, y, wide, tall), screen.taste.signs)
    inside = wide - 2
    if waits:
        canvas.zone(x, y, wide, tall, Key.ENTER.value)
        rows = [_("Enter"), _("draws"), _("a card")]
    elif face is Face.DOWN:
        rows = [":" * inside] * (tall - 2)
    elif card is None:
        rows = []
    else:
        rows = ["", card_text(card).upper() if card is Card.SORRY else card_text(card), _under(card)]
    for row, text in enumerate(rows[: tall - 2], y + 1):
        canvas.put(x + 1, row, f"{cut(text, inside):^{inside}}", Ink.CARD)


def _box(canvas: Canvas, at: Place, signs: Signs) -> None:
    corners, flat, upright = ("╭╮╰╯", "─", "│") if signs is Signs.UNICODE else ("++++", "-", "|")
    canvas.put(at.x, at.y, corners[0] + flat * (at.width - 2) + corners[1], Ink.CARD)
    for row in range(at.y + 1, at.y + at.height - 1):
        canvas.put(at.x, row, upright + " " * (at.width - 2) + upright, Ink.CARD)
    canvas.put(at.x, at.y + at.height - 1, corners[2] + flat * (at.width - 2) + corners[3], Ink.CARD)


def _under(card: Card) -> str:
    """What else the card can do, in two words."""
    match card:
        case Card.TWO:
            return _("draw again")
        case Card.FOUR:
            return _("backwards")
        case Card.SEVEN:
            return _("or split")
        case Card.TEN:
            return _("or back 1")
        case Card.ELEVEN:
            return _("or swap")
        case _:
            return ""


def _players(canvas: Canvas, at: Place, screen: Screen, game: GameView) -> None:
    """A row a seat: marker of the turn, letter, name, pawns Home, how it is reached."""
    x = at.x + CARD_WIDTH + 1
    room = at.x + at.width - x
    position = game.position if screen.frame is None else screen.frame.position
    turn = position.turn if screen.frame is None else screen.frame.seat
    for row, seat in enumerate(game.seats[: max(0, at.height - 1)], at.y + 1):
        home = f"{position.pawns[seat.index].count(HOME)}/{game.rules.pawns}"
        words = _about(seat, game)
        told = words if room >= _ROOMY else "!" if seat.presence in _GONE else ""
        name_room = room - 3 - len(home) - 1 - (11 if room >= _ROOMY else 2 if told else 0)
        if name_room < 2:
            name_room, told = room - 3 - len(home) - 1, ""
        mark = ">" if seat.index == turn and game.winner is None else " "
        letter = pawn_text(position, seat.index, 1)[0]
        end = canvas.put(x, row, mark, Ink.STRONG)
        end = canvas.put(end, row, letter, PAWN[seat.colour])
        name = cut(name_text(seat.name), name_room)
        end = canvas.put(end, row, cut(f" {padded(name, name_room)} {home}", max(0, room - 2)), TRACK[seat.colour])
        if told:
            ink = Ink.BAD if seat.presence in _GONE else Ink.DIM
            canvas.put(end + 1, row, cut(told, at.x + at.width - end - 1), ink)
    if at.height > HEAD - 1 and len(game.seats) < CARD_HEIGHT:
        left = n_("{n} pawn Home wins", "{n} pawns Home win", game.rules.pawns)
        if cells(left) > room:
            left = n_("{n} Home wins", "{n} Home win", game.rules.pawns)
        canvas.put(x, at.y + HEAD - 1, cut(left, room), Ink.DIM)


_GONE: Final = frozenset({Presence.AWAY, Presence.RECONNECTING})


def _about(seat: SeatView, game: GameView) -> str:
    if seat.kind is SeatKind.STAND_IN:
        return _("stand-in")
    if seat.kind is SeatKind.BOT:
        return _("bot, {level}").format(level=level_text(seat.level))
    match seat.presence:
        case Presence.LOCAL:
            return _("you")
        case Presence.LINKED | Presence.BOT:
            return ""
        case Presence.RELAYED:
            return "" if seat.via is None else _("via {name}").format(name=name_text(game.seats[seat.via].name))
        case Presence.RECONNECTING:
            return _("lost")
        case Presence.AWAY:
            return _("away")


def _choices(screen: Screen, width: int) -> list[Line]:
    """The list of what can be chosen, a page of nine, and why the other pawns cannot move."""
    prompt, game = screen.question, screen.heard.game
    if prompt is None or game is None:
        return []
    if prompt.ask is Ask.DRAW or prompt.card is None:
        return [Line(row.spans, Key.ENTER.value) for row in prose(_("Press Enter to draw a card."), width, Ink.STRONG)]
    picking = screen.state.picking
    entries = choosing.entries(screen.choices, picking.prefix)
    page = choosing.shown_page(picking, len(entries))
    lines = [_header(screen, entries, page, width)]
    for line in page:
        here = line == picking.cursor
        ink = Ink.CHOSEN if here else Ink.PLAIN
        label = f"{'>' if here else ' '}{line % choosing.PAGE + 1} "
        lines.append(Line(((ink, label), (ink, entry_text(entries[line], screen))), f"line:{line}"))
    whys = not_possible(screen, game)
    if whys:
        lines.append(heading(_("Not possible")))
        lines += [row for why in whys for row in item("  ", why, width, Ink.DIM)]
    return lines


def _header(screen: Screen, entries: tuple[Entry, ...], page: range, width: int) -> Line:
    pages = -(-len(entries) // choosing.PAGE)
    if pages > 1:
        number = page.start // choosing.PAGE + 1
        return Line(((Ink.STRONG, _("Moves {n}/{pages}  0 more").format(n=number, pages=pages)),), "0")
    if screen.state.picking.prefix:
        return Line(((Ink.STRONG, _("Which? (Esc back)")),), Key.ESCAPE.value)
    whole = _("Moves (Enter plays, Esc back)")
    return heading(whole if cells(whole) <= width else _("Moves (Enter plays)"))


def entry_text(entry: Entry, screen: Screen) -> str:
    """One line of the list without its number."""
    choice = entry.choice
    if choice is not None:
        return short_text(choice.move, choice.effects, choice.before, choice.after)
    game = screen.heard.game
    return "" if game is None else step_text(entry.prefix, len(entry.choices), game.position)


def _offer(screen: Screen, game: GameView, width: int) -> list[Line]:
    view = screen.heard.view
    offer = None if view is None else view.going_on
    if offer is None:
        return []
    why = offer_lines(offer, game)[0]
    if offer.agreed:
        return prose(why, width, Ink.STRONG) + prose(_("You said yes; the others are asked."), width)
    told = _("Save the game?") if offer.saves else _("Play on together?") if offer.back else _("Go on without them?")
    lines = prose(why, width, Ink.STRONG) + prose(told, width)
    return [*lines, Line(((Ink.CHOSEN, _("y yes")),), "y"), Line(((Ink.CHOSEN, _("n no, wait")),), "n")]

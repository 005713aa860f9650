"""What a person is asked and asks: prompts, choices, the board in words, the deck, the help of plain mode."""

from __future__ import annotations

from sorry_lan.rules.board import HOME, START
from sorry_lan.rules.cards import CARDS
from sorry_lan.rules.engine import play
from sorry_lan.rules.moves import Move
from sorry_lan.rules.position import Position
from sorry_lan.rules.reasons import reasons
from sorry_lan.table.view import Ask, GameView, Phase, Presence, Prompt
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.texts import a_card_text, card_text, list_text, name_text, seat_text, whereabouts_text
from sorry_lan.ui.texts_lobby import presence_word
from sorry_lan.ui.texts_moves import choice_text
from sorry_lan.ui.texts_phrases import phrase_texts
from sorry_lan.ui.texts_reasons import reason_text
from sorry_lan.wire.terms import SeatKind


def prompt_lines(prompt: Prompt, game: GameView) -> tuple[str, ...]:
    """The question, and for a choice its numbered answers."""
    who = seat_text(game, prompt.seat)
    if prompt.ask is Ask.DRAW or prompt.card is None:
        return (_("{who}, it is your turn. Press Enter to draw a card.").format(who=who),)
    ask = _("{who}, what do you do with {card}? Type a number.").format(who=who, card=a_card_text(prompt.card))
    moves = numbered(prompt, game)
    width = len(str(len(moves)))
    told = (choice_text(move, game.position, game.rules, prompt.card) for move in moves)
    return (ask, *(f"  {number:>{width}}  {text}" for number, text in enumerate(told, 1)))


def numbered(prompt: Prompt, game: GameView) -> tuple[Move, ...]:
    """The choices that get a number, from 1: one for each board, although a 7 is often shared in either order."""
    if prompt.card is None:
        return ()
    boards: dict[Position, Move] = {}
    for move in prompt.choices:
        boards.setdefault(play(game.position, game.rules, prompt.card, move), move)
    return tuple(boards.values())


def board_lines(game: GameView) -> tuple[str, ...]:
    """Every pawn in words, a line a seat, the local people's first and in full."""
    seats = sorted(game.seats, key=lambda seat: (seat.person is None, seat.index))
    return tuple(_seat_board(game, seat.index) for seat in seats)


def _seat_board(game: GameView, seat: int) -> str:
    row = game.position.pawns[seat]
    parts = [
        whereabouts_text(game.position, seat, number) for number, loc in enumerate(row, 1) if loc not in (START, HOME)
    ]
    waiting, home = row.count(START), row.count(HOME)
    if waiting:
        parts.append(n_("{n} in Start", "{n} in Start", waiting))
    if home:
        parts.append(n_("{n} Home", "{n} Home", home))
    who = seat_text(game, seat)
    marks = [_("your pawns")] if game.seats[seat].person is not None else []
    if game.seats[seat].kind is SeatKind.BOT:
        marks.append(_("a bot"))
    elif game.seats[seat].presence not in (Presence.LOCAL, Presence.LINKED):
        marks.append(presence_word(game.seats[seat].presence))
    marks += [_("on turn")] if game.position.turn == seat and game.winner is None else []
    about = f" ({', '.join(marks)})" if marks else ""
    return _("{who}{about}: {pawns}.").format(who=who, about=about, pawns=", ".join(parts))


def deck_lines(game: GameView) -> tuple[str, ...]:
    """What is left in the pile, card by card; everybody can count it, nobody knows the order."""
    left = sum(game.pile)
    head = n_("{n} card is left in the pile.", "{n} cards are left in the pile; nobody knows their order.", left)
    if left == 0:
        return (_("The pile is empty: before the next draw all cards are shuffled again."),)
    parts = [f"{n} x {card_text(card)}" for card, n in zip(CARDS, game.pile, strict=True) if n]
    checked = n_(
        "{n} share of the players was checked so far, all right.",
        "{n} shares of the players were checked so far, all right.",
        game.shares_checked,
    )
    return (head, ", ".join(parts) + ".", checked)


def why_lines(prompt: Prompt, game: GameView) -> tuple[str, ...]:
    """Why each pawn that cannot move with the card cannot."""
    if prompt.card is None:
        return (_("Draw a card first."),)
    told = [
        reason_text(why, game.position, game.rules, prompt.card)
        for why in reasons(game.position, game.rules, prompt.card)
    ]
    return tuple(told) or (_("Every pawn of yours can move with this card."),)


def waiting_text(game: GameView, phase: Phase) -> str:
    """Whom or what the game waits for, where there is nothing to answer."""
    owing = [name_text(seat.name) for seat in game.seats if seat.owes and seat.person is None]
    if phase is Phase.FROZEN:
        return _("The game stands still.")
    if game.winner is not None:
        return _("The game is over: {who} has won.").format(who=seat_text(game, game.winner))
    if owing:
        return _("The game waits for {names}.").format(names=list_text(owing))
    if game.seats[game.position.turn].person is not None:
        return _("Please wait a moment.")
    return _("It is the turn of {who}.").format(who=seat_text(game, game.position.turn))


def help_lines(phase: Phase, *, looks_on: bool = False) -> tuple[str, ...]:
    """The commands that make sense now; few do for whoever only watches."""
    if looks_on:
        return (
            _("b  the board in words, and who watches      l  the last moves"),
            _("d  what is left in the pile      f  whether the deck is fair"),
            _("h  this help      q  leave"),
        )
    lobby = (
        _("ready, unready     say that you are ready to begin, or not yet"),
        _("name N, colour C, age A   change your seat; several people here put their number first: name 2 Bob"),
        _("bot, close, open [COLOUR]   the host fills, removes or adds a seat"),
        _("rules [NAME]       show the rules; the host chooses standard, classic or 2013"),
        _("rule SWITCH=VALUE  the host changes one rule"),
        _("kick COLOUR        the host frees somebody's seat"),
    )
    game = (
        _("Enter or draw      draw your card"),
        _("a number           play that choice; or type the move: r1 10, r1 -1, 7 r1 3 r2 4, 11 r1 b2, sorry b2, pass"),
        _("b  the board in words      l  the last moves      w  why a pawn cannot move"),
        _("d  what is left in the pile      f  whether the deck is fair      hint  what the strongest bot would play"),
        _("yes, no            where it is offered: go on without somebody, let somebody back in, or save"),
    )
    over = (_("rematch            another game with the same people"), *game[2:])
    talk = (
        _("say TEXT           talk to all; say 1 to say {n} are: {phrases}").format(
            n=len(phrase_texts()), phrases=", ".join(phrase_texts())
        ),
        _("mute NAME, unmute NAME   no longer read what somebody says, or read it again"),
    )
    leave = _("h  this help      q  leave")
    match phase:
        case Phase.CONNECTING | Phase.CLOSED:
            return (leave,)
        case Phase.LOBBY | Phase.PROPOSED:
            return (*lobby, *talk, leave)
        case Phase.OVER:
            return (*over, *talk, leave)
        case _:
            return (*game, *talk, _("h  this help      q or Ctrl-C  leave; you are asked first"))

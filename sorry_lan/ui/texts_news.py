"""News as sentences: one or more for everything that can happen at a table.

What a move did is told in texts_moves.py, why something was refused in texts_errors.py.
"""

from __future__ import annotations

from typing import assert_never

from sorry_lan.fair.continuation import FEWEST
from sorry_lan.faults import Err
from sorry_lan.table.news import (
    BecameReady,
    CardDrawn,
    Confirmed,
    DiskState,
    EnginesDiffer,
    FaultProven,
    GameStarted,
    LobbyChanged,
    LotCast,
    News,
    Played,
    PresenceChanged,
    Refused,
    RematchOpened,
    Said,
    SatDown,
    StoodUp,
    TableClosed,
    Won,
)
from sorry_lan.table.view import FirstBy, GameView, Phase, Presence, View
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.texts import card_text, list_text, name_text, named, names_text, seat_text
from sorry_lan.ui.texts_errors import (
    advice_text,
    closed_text,
    fault_text,
    refused_by_us_text,
    refused_text,
    why_text,
)
from sorry_lan.ui.texts_going_on import going_on_lines
from sorry_lan.ui.texts_lobby import rules_name_text
from sorry_lan.ui.texts_moves import played_lines
from sorry_lan.ui.texts_phrases import said_text
from sorry_lan.ui.texts_watching import watching_lines
from sorry_lan.wire.terms import SeatKind


def news_lines(item: News, view: View) -> tuple[str, ...]:
    """The sentences for one piece of news, in the picture that came with it; empty where there is nothing to add."""
    match item:
        case SatDown(name, colour):
            return (_("{who} sits down.").format(who=named(name, colour)),)
        case StoodUp(name, colour):
            return (_("{who} left the table.").format(who=named(name, colour)),)
        case BecameReady(name, colour):
            return (_("{who} is ready.").format(who=named(name, colour)),)
        case LobbyChanged():
            return ()  # the lobby's own lines tell it
        case Refused(code, by_us):
            return (refused_by_us_text(code) if by_us else refused_text(code),)
        case Said(name, _colour, text):
            return (_("{name} says: {text}").format(name=name_text(name), text=said_text(text)),)
        case DiskState():
            return (_disk_text(item),)
        case RematchOpened(name):
            return (_("{name} opens the table for another game.").format(name=name_text(name)),)
        case TableClosed(code):
            return (closed_text(code),)
        case _ if (lines := watching_lines(item)) is not None:
            return lines
        case _:
            return () if view.game is None else _game_lines(item, view, view.game)


def _game_lines(item: News, view: View, game: GameView) -> tuple[str, ...]:
    match item:
        case GameStarted():
            rules = rules_name_text(game.rules)
            players = list_text([seat_text(game, seat) for seat in range(len(game.seats))])
            return (_("The game begins: {players}. Rules: {rules}.").format(players=players, rules=rules),)
        case LotCast():
            return _lot_lines(item, game)
        case CardDrawn():
            return _card_lines(item, game)
        case Played():
            return played_lines(item, game)
        case Won(seat):
            return (_("{who} has every pawn Home and wins!").format(who=seat_text(game, seat)),)
        case Confirmed(missing):
            if not missing:
                return (_("The end is confirmed by all."),)
            return (
                _("The end is not confirmed by {names}: the result holds, but their last word never came.").format(
                    names=names_text(game, missing)
                ),
            )
        case PresenceChanged(seat, Presence.RECONNECTING, _) if view.phase is Phase.OVER:
            return (_("{who} is no longer connected.").format(who=seat_text(game, seat)),)
        case PresenceChanged(presence=Presence.AWAY) if view.phase is Phase.OVER:
            return ()  # nobody is waited for any more
        case PresenceChanged(seat, presence, via):
            return (_presence_text(game, seat, presence, via),)
        case FaultProven(seat, code, k):
            return (fault_text(seat_text(game, seat), code, k),)
        case EnginesDiffer(k, seats):
            return (
                _("The game stands still in step {k}: {names} worked out another board. {why} {advice}").format(
                    k=k, names=names_text(game, seats), why=why_text(Err.DIVERGED), advice=advice_text(Err.DIVERGED)
                ),
            )
        case _:
            return going_on_lines(item, view, game)


def _lot_lines(item: LotCast, game: GameView) -> tuple[str, ...]:
    first = _first_text(item.first_by).format(who=seat_text(game, item.first))
    if all(seat.person is not None or seat.kind is SeatKind.BOT for seat in game.seats):
        return (first,)  # on one computer there is nobody to read the words to
    words = _("Check words: {words}. Read them out: where all have the same, nobody sits in between.").format(
        words=" ".join(item.words)
    )
    return (words, first)


def _first_text(by: FirstBy) -> str:
    match by:
        case FirstBy.AGE:
            return _("{who} begins, being the youngest.")
        case FirstBy.LOT:
            return _("{who} begins, by a lot that all made together.")
        case FirstBy.PARENT:
            return _("{who} goes on where the last game stopped.")
        case _:
            assert_never(by)


def _card_lines(item: CardDrawn, game: GameView) -> tuple[str, ...]:
    drew = _("{who} drew {card}, made by {names}.").format(
        who=seat_text(game, item.seat), card=card_text(item.card), names=names_text(game, item.shares)
    )
    if not item.reshuffled:
        return (drew,)
    return (_("The pile was empty, so all cards were shuffled again."), drew)


def _presence_text(game: GameView, seat: int, presence: Presence, via: int | None) -> str:
    who = seat_text(game, seat)
    match presence:
        case Presence.LOCAL | Presence.LINKED | Presence.BOT:
            return _("{who} is connected.").format(who=who)
        case Presence.RELAYED:
            if via is None:
                return _("{who} is reached through another player.").format(who=who)
            return _("{who} is reached through {other}.").format(who=who, other=seat_text(game, via))
        case Presence.RECONNECTING:
            return _("The connection to {who} is lost; reconnecting.").format(who=who)
        case Presence.AWAY:
            if sum(line.kind is SeatKind.HUMAN for line in game.seats) > FEWEST:
                told = _("{who} is away, 0:10 so far. The seat is kept; from 1:00 on the others may go on.")
            else:
                told = _("{who} is away, 0:10 so far. The seat is kept; from 1:00 on you may save the game.")
            return told.format(who=who)
        case _:
            assert_never(presence)


def _disk_text(item: DiskState) -> str:
    if item.works:
        return _("The disk works again; the game goes on.")
    return _("This computer cannot write the game to its disk, so it signs nothing until it can. Free some space.")

"""One piece of news of every sort, and one notice of every sort, each with a picture it fits."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from sorry_lan.faults import Err
from sorry_lan.rules.board import START, track
from sorry_lan.rules.cards import Card
from sorry_lan.rules.moves import Decline, Forward
from sorry_lan.table import encounters as e
from sorry_lan.table import news as w
from sorry_lan.table import notices as n
from sorry_lan.table import view as v
from sorry_lan.table.commands import FileKind
from sorry_lan.table.programs import BotProblem, BotTrouble
from sorry_lan.wire.terms import Why
from tests.ui.build import GAME_ID, WORDS, at, bot, game, in_lobby, lobby, played, seat, view

GAME = at(game((seat(0, 0), seat(1), bot(2))), [(track(22), START, START)] + [(START,) * 3] * 2)
PLAYED = played(GAME, Card.THREE, Forward(1, 3))[1][0]
USELESS = played(at(GAME, [(START,) * 3] * 3), Card.FOUR, Decline())[1][0]
IN_GAME = view(GAME)
IN_LOBBY = in_lobby(lobby())


def offering(why: Why, *, without: tuple[int, ...] = (1,), back: tuple[int, ...] = (), saves: bool = False) -> v.View:
    """A game that could go on otherwise."""
    return replace(IN_GAME, going_on=v.GoingOn(without, back, why, saves, (0,), agreed=False, missing=()))


NEWS = (
    (w.SatDown("Bob", 1), IN_LOBBY),
    (w.StoodUp("Bob", 1), IN_LOBBY),
    (w.BecameReady("Bob", 1), IN_LOBBY),
    (w.LobbyChanged(), IN_LOBBY),
    *((w.Refused(code, by_us=by_us), IN_LOBBY) for code in Err for by_us in (True, False)),
    (w.GameStarted(GAME_ID), IN_GAME),
    *((w.LotCast(WORDS, 1, by), IN_GAME) for by in v.FirstBy),
    *((w.CardDrawn(1, 0, card, (0, 1), 44, reshuffled=False), IN_GAME) for card in Card),
    (w.CardDrawn(46, 0, Card.ONE, (0, 1), 44, reshuffled=True), IN_GAME),
    (PLAYED, IN_GAME),
    (USELESS, IN_GAME),
    (w.Won(0, 77), IN_GAME),
    (w.Confirmed(()), IN_GAME),
    (w.Confirmed((1,)), IN_GAME),
    *((w.PresenceChanged(1, presence, None), IN_GAME) for presence in v.Presence),
    (w.PresenceChanged(1, v.Presence.RELAYED, 0), IN_GAME),
    (w.Said("Bob", 1, "not my pawn please :)"), IN_GAME),
    (w.Said("Bob", None, "hello"), IN_LOBBY),
    *((w.FaultProven(1, code, 4), IN_GAME) for code in (Err.EQUIVOCATION, Err.ILLEGAL_ACTION)),
    (w.EnginesDiffer(4, (1,)), IN_GAME),
    (w.DiskState(works=False), IN_GAME),
    (w.DiskState(works=True), IN_GAME),
    (w.TakenUp(GAME_ID, 12), IN_GAME),
    (w.WaitsForWord((0, 1)), IN_GAME),
    (w.GoesOn(), IN_GAME),
    (w.RestoredOrCopied(1), IN_GAME),
    (w.NobodyMoves(1), IN_GAME),
    (w.SaidGoodbye(1, for_good=False), IN_GAME),
    (w.SaidGoodbye(1, for_good=True), IN_GAME),
    *((w.OfferedToGoOn(0, (1,), (), why), offering(why)) for why in Why),
    (w.OfferedToGoOn(None, (1,), (), Why.LEFT), offering(Why.LEFT, saves=True)),
    (w.OfferedToGoOn(0, (), (1,), Why.RETURN), offering(Why.RETURN, without=(), back=(1,))),
    (w.OfferedToGoOn(0, (), (), Why.CHAIN_END), offering(Why.CHAIN_END, without=())),
    (w.OfferedToGoOn(0, (1,), (), Why.LEFT), IN_GAME),
    (w.OfferVoid(), IN_GAME),
    (w.GoneOn(GAME_ID, (1,), (), Why.LEFT), IN_GAME),
    (w.GoneOn(GAME_ID, (), (1,), Why.RETURN), IN_GAME),
    (w.GoneOn(GAME_ID, (), (), Why.CHAIN_END), IN_GAME),
    (w.GoneOnWithoutUs(GAME_ID), IN_GAME),
    (w.GameSaved((1,)), IN_GAME),
    (w.GameSaved(()), IN_GAME),
    (w.Watches("Bob"), IN_LOBBY),
    (w.StoppedWatching("Bob"), IN_GAME),
    (w.Sees("Bob"), IN_GAME),
    (w.LostSight("Bob"), IN_GAME),
    (w.CaughtUp(12), IN_GAME),
    (w.RematchOpened("Bob"), IN_LOBBY),
    *((w.TableClosed(code), IN_GAME) for code in Err),
)

_STORE = n.StoreProblem(n.StoreTrouble.FULL, "/games/a.sorry", "no space left")
NOTICES = (
    n.TableOpened(("192.0.2.7", "fe80::1%eth0"), 7777, "maple-otter-tulip"),
    n.TableOpened((), 7800, None),
    *(
        n.TableOpened(("192.0.2.7",), 7777, code, reach, n.Finding.ANNOUNCED)
        for reach in n.Reach
        for code in ("maple-otter-tulip", None)
    ),
    *(n.Invitation(n.TableOpened(("192.0.2.7",), 7777, "maple-otter-tulip"), blocks) for blocks in n.Blocks),
    n.Searching(3.0),
    *(n.Stopped(n.NoTable(silence, 0, use)) for silence in (None, *n.Silence) for use in n.CodeUse),
    *(n.Stopped(n.NoTable(None, tried, n.CodeUse.NEEDED)) for tried in (1, 3)),
    n.CodeChanged("maple-otter-tulip"),
    n.PortTaken(7777, 40123),
    n.Connecting("192.0.2.7:7777"),
    *(n.FileSaved(kind, "/games/a.sorry") for kind in FileKind),
    *(n.FileNotSaved(kind, _STORE) for kind in FileKind),
    n.StrangerCalled("192.0.2.9", Err.BAD_FRAME),
    e.CallerWaits("192.0.2.9"),
    e.FirstMet("Bob", 1),
    e.KeyChanged(b"\x11" * 32, "Bob", 1, "2026-11-30"),
    n.PlayersNotKept(_STORE),
    *(n.Stopped(n.JoinProblem(problem, Err.SCHEMA, "192.0.2.7:7777")) for problem in n.Problem),
    *(n.Stopped(n.ListenProblem(trouble, 80, "no")) for trouble in n.ListenTrouble),
    *(n.Stopped(n.GameProblem(trouble, "1a2b")) for trouble in n.GameTrouble),
    *(n.Stopped(BotProblem(trouble, "no", code)) for trouble in BotTrouble for code in (None, 3)),
    n.Stopped(BotProblem(BotTrouble.BOT_ENDED)),
    n.JournalSetAside("/games/a.journal.damaged-1"),
    n.Stopped(_STORE),
)

NEWS_KINDS = frozenset(get_args(w.News))
NOTICE_KINDS = frozenset(get_args(n.Notice))


def named(text: str) -> v.View:
    """A game in which everybody and everything is called so."""
    seats = tuple(replace(s, name=text) for s in GAME.seats)
    return view(replace(GAME, seats=seats, title=text))

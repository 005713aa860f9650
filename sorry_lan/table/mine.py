"""MINE? and MINE: what have I signed, asked after a restart and answered by everybody ([S-7], [S-8]).

Both are passed on once, so that a pair that never meets hears of each other.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from sorry_lan.fair.entry import decode_body
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.table.links import Link
from sorry_lan.table.news import WaitsForWord
from sorry_lan.table.play import Game
from sorry_lan.wire import limits
from sorry_lan.wire.codec import pack, unpack
from sorry_lan.wire.keys import Context, verify
from sorry_lan.wire.messages import Mine, MineAsked, Signed
from sorry_lan.wire.schema import B16, B32, Counter, Many, SeatIndex


@dataclass(frozen=True, slots=True)
class MineBody:
    """What `answerer` holds of the client of `asker`: its entries in the open step `k` (at `head`) and the next."""

    answerer: SeatIndex
    asker: SeatIndex
    challenge: B16
    k: Counter
    head: B32
    entries: Annotated[tuple[Signed, ...], Many(0, limits.MAX_MINE_ENTRIES)]


def ask(game: Game) -> None:
    """Ask everybody in reach, as long as somebody has not answered."""
    mute = game.mute
    if mute is None or not mute.waiting:
        return
    challenge = game.desk.fresh()[:16]
    mute.ask(challenge)
    game.desk.cast(MineAsked(game.id, min(game.hands), challenge), game.links())


def heard(game: Game, link: Link, message: MineAsked | Mine) -> None:
    """One of the two from a client of this game; RemoteFault as told below."""
    if isinstance(message, MineAsked):
        heard_asked(game, link, message)
    else:
        heard_mine(game, link, message)


def waited(game: Game) -> None:
    """Ten seconds of silence: say whom it waits for."""
    if game.mute is not None and game.mute.waiting:
        late = [game.presences.seats_of(client) for client in sorted(game.mute.waiting)]
        game.desk.tell(WaitsForWord(tuple(sorted(seat for seats in late for seat in seats))))


def heard_asked(game: Game, link: Link, asked: MineAsked) -> None:
    """Somebody asks what its client signed; RemoteFault NOT_A_SEAT for a seat without a key, RATE."""
    link.spend(1, game.desk.now_us)
    if asked.seat not in game.ledger.humans:
        raise RemoteFault(Err.NOT_A_SEAT, "asked for a seat without a key")
    if asked.seat in game.hands or not game.hands or game.asked.has((asked.seat,), asked.challenge):
        return
    if not game.questions.may(asked.seat, 1, game.desk.now_us):
        # It asks again in a second, if it means it.
        return
    game.asked.add((asked.seat,), asked.challenge)
    game.desk.send(_answer(game, asked), link.id)
    game.desk.cast(asked, game.links(but=[link.id]))


def _answer(game: Game, asked: MineAsked) -> Mine:
    ledger = game.ledger
    client = game.presences.client_of(asked.seat)
    seats = [seat for seat in ledger.humans if game.presences.client_of(seat) == client]
    answerer = min(game.hands)
    entries = ledger.held_of(seats)[: limits.MAX_MINE_ENTRIES]
    body = pack(MineBody(answerer, asked.seat, asked.challenge, ledger.k, ledger.head, entries))
    return Mine(game.id, body, game.hands[answerer].person.key.sign(Context.MINE, game.id, body))


def heard_mine(game: Game, link: Link, mine: Mine) -> None:
    """An answer to us, or to somebody else, who gets it passed on.

    Raises:
        RemoteFault: NOT_A_SEAT, BAD_SIGNATURE, SCHEMA for an entry that is not of the asker's client, RATE.
    """
    body = unpack(MineBody, mine.body)
    link.spend(1 + len(body.entries), game.desk.now_us)
    humans = game.ledger.humans
    if body.answerer not in humans or body.asker not in humans:
        raise RemoteFault(Err.NOT_A_SEAT, "an answer by or for a seat without a key")
    seats = (body.answerer, body.asker)
    if game.answered.has(seats, body.challenge) or body.answerer in game.hands:
        return
    if not verify(game.ledger.terms.seats[body.answerer].pk, Context.MINE, game.id, mine.body, mine.sig):
        raise RemoteFault(Err.BAD_SIGNATURE, "an answer that its seat did not sign")
    game.answered.add(seats, body.challenge)
    if body.asker in game.hands:
        _take(game, body)
    elif game.answers.may(body.answerer, 1 + len(body.entries), game.desk.now_us):
        game.desk.cast(mine, game.links(but=[link.id]))


def _take(game: Game, body: MineBody) -> None:
    mute = game.mute
    if mute is None or not mute.asked(body.challenge):
        return
    if any(decode_body(signed.body).seat not in game.hands for signed in body.entries):
        raise RemoteFault(Err.SCHEMA, "an answer with entries of somebody else")
    mute.heard(game.presences.client_of(body.answerer), body.k, body.entries)


def look(game: Game) -> None:
    """Adopt what can be, and speak again once everybody has answered."""
    mute = game.mute
    if mute is None:
        return
    for signed in mute.due(game.ledger.k):
        # What is wrong with an entry of ours is for nobody to be expelled for.
        with suppress(RemoteFault):
            game.take(None, signed)
    if mute.over(game.ledger.k) or game.ended:
        game.speak_again()

"""Anti-entropy: what each side says of its open step, and how whoever is behind gets the rest ([S-1] to [S-6]).

Everything that comes in this way is an entry like any other and is judged by the replica.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import assert_never

from sorry_lan.fair.entry import Ack, Leaving, MoveEntry, Reveal, decode_body
from sorry_lan.fair.evidence import judge_pair
from sorry_lan.fair.open_step import Record
from sorry_lan.fair.record import check_order
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.table.absence import GONE
from sorry_lan.table.links import Link
from sorry_lan.table.play import Game
from sorry_lan.table.trouble import equivocation
from sorry_lan.wire import limits
from sorry_lan.wire.messages import Entry, Fault, Signed, Stage, Status, StepRecord, Want


def heard(game: Game, link: Link, message: Status | StepRecord | Fault) -> None:
    """A message of this game from one of its clients; RemoteFault as told below."""
    match message:
        case Status():
            heard_status(game, link, message)
        case StepRecord():
            heard_record(game, link, message)
        case Fault():
            heard_fault(game, link, message)
        case _:
            assert_never(message)


def status_of(game: Game) -> Status:
    """Where this client stands."""
    ledger, now = game.ledger, game.ledger.open
    return Status(
        game=game.id,
        k=ledger.k,
        stage=_stage(game),
        head=ledger.head,
        reveals=_mask(now.shares),
        acks=_mask(now.acks),
        has_move=now.move is not None,
        links=game.presences.links_mask(),
        boots=game.presences.boots(),
    )


def announce(game: Game) -> None:
    """Tell all at once whom we are linked with, when that changed: nobody passes on what its author sends itself."""
    links = game.presences.links_mask()
    if links != game.announced_links:
        game.announced_links = links
        game.desk.cast(status_of(game), game.links())


def heard_status(game: Game, link: Link, status: Status) -> None:
    """Give what the other misses of our open step; ask for what we miss."""
    ledger, first = game.ledger, link.status is None
    link.status = status
    if status.stage != Stage.OVER:
        # Whatever lobby it showed before, it now plays.
        link.lobby = None
    if link.peer.pk not in game.clients:
        return
    theirs = game.presences.seats_of(link.peer.pk)
    game.presences.update()
    game.presences.heard_boots(status.boots)
    if first:
        # [S-16]: whoever was cut off or died would wait for seats that all others leave out.
        away = (seat for seat in ledger.goodbyes if seat not in theirs and _is_away(game, seat))
        _give(game, link, (ledger.goodbyes[seat] for seat in away))
        for fault in game.trouble.shown:
            game.desk.send(fault, link.id)
    if status.k > ledger.k:
        want(game, link, status.k)
    elif status.k == ledger.k:
        _give(game, link, (signed for signed in ledger.open.entries() if _misses(status, signed)))
    if status.stage == Stage.DIVERGED:
        game.trouble.heard_diverged(theirs)
    else:
        game.trouble.heard_like_minded(theirs)


def heard_want(game: Game, link: Link, want: Want) -> None:
    """Answer with RECORDs of final steps and the entries of the open one; RemoteFault RATE for too many."""
    link.spend(want.count, game.desk.now_us)
    ledger = game.ledger
    if want.game != game.id:
        for record in game.story.steps(want.game, want.k, want.count):
            game.desk.send(StepRecord(want.game, record.k, record.entries), link.id)
        return
    for k in range(want.k, min(want.k + want.count, ledger.k)):
        game.desk.send(StepRecord(game.id, k, ledger.record(k).entries), link.id)
    if want.k <= ledger.k < want.k + want.count and link.peer.pk in game.clients:
        _give(game, link, ledger.open.entries())


def heard_record(game: Game, link: Link, record: StepRecord) -> None:
    """A step that is final elsewhere: each of its entries, as if it had come alone.

    RemoteFault SCHEMA where they are not exactly what makes our open step final, and as for any entry; RATE for more
    of them than we asked for.
    """
    if link.records_due:
        link.records_due -= 1
    else:
        link.spend(len(record.entries), game.desk.now_us)
    if record.k != game.ledger.k or game.frozen:
        return
    check_order(Record(record.k, record.entries))
    for signed in record.entries:
        game.take(link, signed)
    # To whoever watches the end is shown though not all have confirmed it.
    end = game.desk.watches and game.ledger.over is not None
    if game.ledger.k == record.k and not game.trouble.found and not game.waits_for_tail and not end:
        raise RemoteFault(Err.SCHEMA, f"the record of step {record.k} is not complete")
    if link.status is not None and link.status.k > game.ledger.k >= link.wanted_to_k:
        want(game, link, link.status.k)


def want(game: Game, link: Link, their_k: int) -> None:
    """Ask for the next steps up to theirs, as fast as they answer without taking it for a flood ([H-24])."""
    k, watches = game.ledger.k, game.desk.watches
    # Who watches asks beyond what is there: the steps behind an answer that reached the last one come by themselves.
    count = limits.MAX_WANT if watches else min(limits.MAX_WANT, their_k - k)
    if link.wants.take(count, game.desk.now_us):
        link.wanted_to_k = k + count
        link.records_due = count if watches else link.records_due + count
        game.desk.send(Want(game.id, k, count), link.id)


def heard_fault(game: Game, link: Link, fault: Fault) -> None:
    """Somebody shows proof: believe only what is signed ([F-17], [F-23]); RemoteFault where it proves nothing, RATE."""
    link.spend(2, game.desk.now_us)
    if fault.second is None:
        game.take(link, fault.first)
        return
    judge_pair(game.ledger.terms, game.id, fault.first, fault.second)
    for signed in (fault.first, fault.second):
        # Both are signed well, so whatever else is wrong with one of them is its signer's doing.
        with suppress(RemoteFault):
            game.take(link, signed)
    if not isinstance(decode_body(fault.first.body), Ack):
        # Two acknowledgements may be the mover's fault alone: there the replica has the last word.
        game.trouble.proven(equivocation(fault.first, fault.second), game.links())


def _give(game: Game, link: Link, entries: Iterable[Signed]) -> None:
    """Whoever only looks on gives nothing: entries are taken from those who have a seat."""
    for signed in entries if game.hands else ():
        game.desk.send(Entry(game.id, signed.body, signed.sig), link.id)


def _is_away(game: Game, seat: int) -> bool:
    """Whether the goodbye of a seat still holds: it was for good, or nobody sees it."""
    return game.ledger.left[seat].reason == Leaving.FOR_GOOD or game.presences.reach[seat][0] in GONE


def _misses(status: Status, signed: Signed) -> bool:
    body = decode_body(signed.body)
    if isinstance(body, MoveEntry):
        return not status.has_move
    mask = status.reveals if isinstance(body, Reveal) else status.acks
    return not mask >> body.seat & 1


def _stage(game: Game) -> Stage:
    now = game.ledger.open
    if game.trouble.stands_apart:
        return Stage.DIVERGED
    if game.frozen:
        return Stage.CONSENTED_ELSEWHERE
    if game.ended or game.result.saved:
        return Stage.OVER
    if now.secret is None:
        return Stage.SHARES
    return Stage.MOVE if now.applied is None else Stage.ACKS


def _mask(seats: Iterable[int]) -> int:
    return sum(1 << seat for seat in seats)

"""What a game file says was played, believed after its checksum alone: for counting many games of one's own quickly.

Whether players signed it, and whether shares open their chains, is verify.py's, which takes some fifteen times as long.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from sorry_lan.bots.choose import EASY, choose
from sorry_lan.fair import genesis
from sorry_lan.fair.continuation import check_continuation
from sorry_lan.fair.draw import Pile, draw_card, first_seat, joint_secret
from sorry_lan.fair.engine import engine_digest
from sorry_lan.fair.entry import Kind, MoveEntry, Reveal, decode_body
from sorry_lan.fair.open_step import Record
from sorry_lan.fair.replay import Finding
from sorry_lan.fair.transcript import Damage, EndFrame, Ending, Frame, TableFrame, read_file
from sorry_lan.faults import RemoteFault
from sorry_lan.rules.cards import Card
from sorry_lan.rules.engine import play
from sorry_lan.rules.moves import Move, Sorry, Swap, from_action
from sorry_lan.rules.position import Position, setup
from sorry_lan.rules.profile import Rules
from sorry_lan.wire.terms import SeatKind, Terms


class Untold(Exception):  # noqa: N818 - an answer, not an error
    """The file tells no game; `finding` is why, as a verdict would name it."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding)
        self.finding = finding


@dataclass(frozen=True, slots=True)
class Turn:
    """One answered card; the seat is `before.turn`."""

    rules: Rules
    card: Card
    move: Move
    before: Position
    after: Position


@dataclass(frozen=True, slots=True)
class Retold:
    """One game: the documents of its tables, oldest first, its first table's id, every answered card, how it ended."""

    root: bytes
    tables: tuple[Terms, ...]
    turns: tuple[Turn, ...]
    ending: Ending

    @property
    def winner(self) -> int | None:
        """The seat that won."""
        return self.turns[-1].after.winner if self.turns else None


def retold(data: bytes) -> Retold:
    """The game of a transcript; Untold for any other bytes, an evidence file among them."""
    contents = read_file(data)
    if contents.damage is not None:
        raise Untold(_DAMAGES[contents.damage])
    head, last = contents.frames[0], contents.frames[-1]
    if not isinstance(head, TableFrame):
        raise Untold(Finding.BAD_TABLE)
    if not isinstance(last, EndFrame):
        raise Untold(Finding.PROVES_NOTHING)
    tables: list[Terms] = []
    try:
        turns = tuple(_turns(contents.frames[:-1], tables))
    except (RemoteFault, ValueError) as wrong:
        raise Untold(Finding.BAD_STEP) from wrong
    found = Retold(genesis.game_id(head.table), tuple(tables), turns, Ending(last.how))
    if (found.ending is Ending.WON) != (found.winner is not None):
        raise Untold(Finding.BAD_END)
    return found


def _turns(frames: Sequence[Frame], tables: list[Terms]) -> Iterator[Turn]:
    """Every answered card; the documents are put into `tables` as they come. The first frame is a table."""
    boards: list[_Board] = []
    for item in frames:
        if isinstance(item, TableFrame):
            tables.append(_document(item, tables))
            boards.append(_Board(tables[-1], genesis.game_id(item.table)))
            continue
        # A file is not read beyond its first end or proof.
        turn = boards[-1].turn(cast("Record", item))
        if turn is not None:
            yield turn


def _document(head: TableFrame, before: Sequence[Terms]) -> Terms:
    """The document of a table that follows those `before`."""
    terms = genesis.decode_terms(head.table)
    if terms.engine != engine_digest():
        raise Untold(Finding.OTHER_ENGINE)
    if before:
        try:
            check_continuation(terms, before)
        except RemoteFault as fault:
            raise Untold(Finding.BAD_CONTINUATION) from fault
        return terms
    genesis.check_terms(terms)
    if terms.parent is not None:
        raise Untold(Finding.BAD_TABLE)
    return terms


class _Board:
    """Board and pile at one table."""

    def __init__(self, terms: Terms, game_id: bytes) -> None:
        opening = genesis.opening_of(terms)
        self._terms = terms
        self._game_id = game_id
        self._rules = genesis.rules_of(terms)
        self._humans = genesis.humans(terms)
        self._position: Position = opening.position
        self._pile: Pile = opening.pile
        self._k = 0

    def turn(self, record: Record) -> Turn | None:
        """The answer that this step holds; None for the lot, and for a card that stays pending."""
        if record.k != self._k:
            raise Untold(Finding.BAD_STEP)
        self._k += 1
        # Acknowledgements, the most of a file, say nothing about the game.
        few = record.entries[: len(self._humans) + 1]
        bodies = [body for body in (decode_body(entry.body) for entry in few) if body.KIND <= Kind.MOVE]
        shares = {body.seat: body.share for body in bodies if isinstance(body, Reveal)}
        if tuple(shares) != self._humans:
            raise Untold(Finding.INCOMPLETE_STEP)
        secret = joint_secret(self._game_id, record.k, shares)
        if record.k == 0:
            self._lot(secret)
            return None
        card = self._card(record.k, secret)
        move = self._move(card, secret, [body for body in bodies if isinstance(body, MoveEntry)])
        if move is None:
            return None
        before, self._position = self._position, play(self._position, self._rules, card, move)
        return Turn(self._rules, card, move, before, self._position)

    def _lot(self, secret: bytes) -> None:
        if self._terms.parent is None:
            seats = len(self._terms.seats)
            first = first_seat(secret, seats) if self._terms.first is None else self._terms.first
            self._position = setup(self._rules, self._position.colours, first)

    def _card(self, k: int, secret: bytes) -> Card:
        parent = self._terms.parent
        if k == 1 and parent is not None and parent.pending is not None:
            return Card(parent.pending)
        card, self._pile = draw_card(secret, self._pile, self._rules)
        return card

    def _move(self, card: Card, secret: bytes, signed: Sequence[MoveEntry]) -> Move | None:
        seat = self._terms.seats[self._position.turn]
        if seat.kind != SeatKind.HUMAN:
            level = EASY if seat.kind == SeatKind.STAND_IN else seat.level
            return choose(self._position, self._rules, card, level, secret)
        if not signed:
            return None
        move = from_action(signed[0].action)
        if isinstance(move, Swap | Sorry) and move.seat >= len(self._terms.seats):
            raise Untold(Finding.BAD_STEP)
        return move


_DAMAGES = {
    Damage.NO_FIRST_LINE: Finding.NO_FIRST_LINE,
    Damage.OTHER_FORMAT: Finding.OTHER_FORMAT,
    Damage.CUT_SHORT: Finding.CUT_SHORT,
    Damage.BAD_FRAME: Finding.BAD_FRAME,
    Damage.CHECKSUM: Finding.CHECKSUM,
}

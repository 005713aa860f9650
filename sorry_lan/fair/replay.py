"""The frames of a game file replayed through ledgers, one for each table, until they end, prove, or refute themselves.

What the answer is worth to a reader is verify.py's ([X-2] to [X-4], [X-9] to [X-12]).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum, unique
from typing import assert_never

from sorry_lan.fair import genesis
from sorry_lan.fair.continuation import check_continuation, tail_of, view_of
from sorry_lan.fair.entry import Kind, decode_body
from sorry_lan.fair.evidence import judge_pair
from sorry_lan.fair.open_step import Record
from sorry_lan.fair.record import Ledger
from sorry_lan.fair.step import Applied
from sorry_lan.fair.transcript import EndFrame, Ending, Frame, ProofFrame, TableFrame
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.wire.terms import SeatKind, Terms, Why


@unique
class Finding(Enum):
    """What the verdict rests on."""

    WON = "won"
    SAVED = "saved"
    SIGNED_TWICE = "signed twice"
    ILLEGAL_MOVE = "illegal move"
    UNCONFIRMED = "unconfirmed"
    OTHER_ENGINE = "other engine"
    NO_FIRST_LINE = "no first line"
    OTHER_FORMAT = "other format"
    CUT_SHORT = "cut short"
    BAD_FRAME = "bad frame"
    CHECKSUM = "checksum"
    BAD_TABLE = "bad table"
    BAD_CONSENT = "bad consent"
    BAD_STEP = "bad step"
    BAD_CONTINUATION = "bad continuation"
    INCOMPLETE_STEP = "incomplete step"
    BAD_END = "bad end"
    PROVES_NOTHING = "proves nothing"


@unique
class Outcome(IntEnum):
    """The verdict in one word; the value is the exit code of `sorry-lan verify`."""

    HOLDS = 0
    NOT_A_TRANSCRIPT = 2
    OTHER_ENGINE = 5
    FALSE = 6
    UNCONFIRMED = 10


@dataclass(frozen=True, slots=True)
class Going:
    """The game went on at another table: before step `k` of the table then, `why` as its signers say.

    `left` are the seats that became stand-ins, `back` those that returned, `signers` the humans who went on.
    """

    k: int
    why: Why
    left: tuple[int, ...]
    back: tuple[int, ...]
    signers: tuple[int, ...]


class Refuted(Exception):  # noqa: N818 - an answer, not an error
    """The file is not what it claims; never leaves this module."""

    def __init__(
        self,
        finding: Finding,
        fault: RemoteFault | None = None,
        outcome: Outcome = Outcome.FALSE,
        engine: bytes | None = None,
    ) -> None:
        super().__init__(finding)
        self.finding = finding
        self.fault = fault
        self.outcome = outcome
        self.engine = engine


class Line:
    """The tables of a file so far, each with its replica; the last one is being replayed."""

    def __init__(self) -> None:
        self.ledgers: list[Ledger] = []
        self.goings: list[Going] = []
        self.told: list[Record] = []
        """The frames of this table, one a step from 0 on."""
        self.pending: Record | None = None
        """Shares behind a counted step that is not final: the file has to go on at another table."""

    def begin(self, head: TableFrame, terms: Terms) -> None:
        """This table is replayed from here on."""
        self.ledgers.append(Ledger(head.table, terms, genesis.game_id(head.table)))
        self.told = []

    @property
    def ledger(self) -> Ledger:
        """The table that is replayed now."""
        return self.ledgers[-1]

    def terms(self) -> list[Terms]:
        """The documents of all tables, oldest first."""
        return [ledger.terms for ledger in self.ledgers]

    def applied(self, steps: int) -> list[Applied]:
        """Every counted step of earlier tables, and the first `steps` of this one."""
        done = [ledger.applied_of(k) for ledger in self.ledgers[:-1] for k in range(ledger.k)]
        return [*done, *(self.ledger.applied_of(k) for k in range(steps))]

    def shares(self, steps: int) -> int:
        """How many shares those steps took; a card that stayed pending is counted where it was answered."""
        past = sum(ledger.k * len(ledger.humans) for ledger in self.ledgers[:-1])
        return past + steps * len(self.ledger.humans)


def consented(head: TableFrame) -> Terms:
    """The document of a table frame; Refuted BAD_CONSENT unless every human seat signed it, RemoteFault as decoding."""
    terms = genesis.decode_terms(head.table)
    if not genesis.consents_complete(terms, head.table, head.consents):
        raise Refuted(Finding.BAD_CONSENT)
    return terms


def replayed(line: Line, frames: Sequence[Frame], damage: Finding | None) -> tuple[Finding, int | None]:
    """What the frames after the first table prove, and whom they blame."""
    found: tuple[Finding, int | None]
    for item in frames:
        match item:
            case Record():
                _feed(line, item)
                continue
            case TableFrame():
                _go_on(line, item)
                continue
            case _ if line.pending is not None:
                raise Refuted(Finding.INCOMPLETE_STEP)
            case EndFrame():
                found = _ended(line.ledger, item), None
            case ProofFrame():
                found = _proven(line, item)
            case _:
                assert_never(item)
        if damage is not None:
            raise Refuted(damage)
        return found
    raise Refuted(damage or Finding.CUT_SHORT)


def _feed(line: Line, record: Record) -> None:
    """Take a step's frame; the last one of a table may leave the step open, but holds nothing that is not valid."""
    ledger = line.ledger
    if ledger.open.seen:
        # Behind the last counted step of a game that goes on stand at most the shares of its pending card.
        if line.pending is not None or ledger.open.applied is None or not _only_shares(record):
            raise Refuted(Finding.INCOMPLETE_STEP)
        line.pending = record
        return
    if record.k != ledger.k:
        raise Refuted(Finding.BAD_STEP, RemoteFault(Err.SCHEMA, f"step {record.k} where step {ledger.k} is due"))
    try:
        ledger.accept_record(record)
    except RemoteFault as fault:
        if ledger.open.record() != record:
            raise Refuted(Finding.BAD_STEP, fault) from fault
    line.told.append(record)


def _only_shares(record: Record) -> bool:
    try:
        return all(decode_body(entry.body).KIND == Kind.REVEAL for entry in record.entries)
    except RemoteFault as fault:
        raise Refuted(Finding.BAD_STEP, fault) from fault


def _go_on(line: Line, head: TableFrame) -> None:
    """Another table follows: it takes up exactly where the one before stands ([X-10], [X-12])."""
    ledger = line.ledger
    try:
        terms = consented(head)
        check_continuation(terms, line.terms())
    except RemoteFault as fault:
        raise Refuted(Finding.BAD_CONTINUATION, fault) from fault
    if ledger.open.applied is not None:
        ledger.settle()
        pending, line.pending = line.pending, None
        if pending is not None:
            _feed(line, pending)
    if ledger.open.seen and (ledger.open.secret is None or ledger.open.applied is not None):
        raise Refuted(Finding.INCOMPLETE_STEP)
    parent = terms.parent
    if parent is None or parent != view_of(ledger, Why(parent.why)):
        raise Refuted(Finding.BAD_CONTINUATION)
    if tuple(line.told[max(0, parent.k - 1) :]) != tail_of(ledger, parent):
        # All who went on write these frames alike, whatever acknowledgements and shares each of them held.
        raise Refuted(Finding.BAD_CONTINUATION)
    pairs = zip(terms.seats, ledger.terms.seats, strict=True)
    kinds = [(seat, new.kind, was.kind) for seat, (new, was) in enumerate(pairs)]
    line.goings.append(
        Going(
            parent.k,
            Why(parent.why),
            tuple(seat for seat, new, was in kinds if (new, was) == (SeatKind.STAND_IN, SeatKind.HUMAN)),
            tuple(seat for seat, new, was in kinds if (new, was) == (SeatKind.HUMAN, SeatKind.STAND_IN)),
            genesis.humans(terms),
        )
    )
    line.begin(head, terms)


def _ended(ledger: Ledger, end: EndFrame) -> Finding:
    """The finding of a file that ends so."""
    won = end.how == Ending.WON
    steps, head, applied = ledger.k, ledger.head, ledger.open.applied
    if ledger.open.seen:
        # Only a win may lack acknowledgements: nobody can wait for them for ever.
        if applied is None or applied.position.winner is None or not won:
            raise Refuted(Finding.INCOMPLETE_STEP)
        steps, head = steps + 1, applied.head
    if (end.k, end.head) != (steps, head) or won != (ledger.over is not None):
        raise Refuted(Finding.BAD_END)
    if ledger.open.seen:
        return Finding.UNCONFIRMED
    return Finding.WON if won else Finding.SAVED


def _proven(line: Line, proof: ProofFrame) -> tuple[Finding, int]:
    """What an evidence file proves, and of which seat."""
    ledger = line.ledger
    if proof.game != ledger.game_id:
        raise Refuted(Finding.PROVES_NOTHING)
    if proof.second is None:
        try:
            ledger.accept(proof.first)
        except RemoteFault as fault:
            if fault.code is not Err.ILLEGAL_ACTION:
                raise Refuted(Finding.PROVES_NOTHING, fault) from fault
            return Finding.ILLEGAL_MOVE, decode_body(proof.first.body).seat
        raise Refuted(Finding.PROVES_NOTHING)
    if len(line.ledgers) > 1 or ledger.k or ledger.open.seen:
        raise Refuted(Finding.PROVES_NOTHING)
    try:
        return Finding.SIGNED_TWICE, judge_pair(ledger.terms, ledger.game_id, proof.first, proof.second)
    except RemoteFault as fault:
        raise Refuted(Finding.PROVES_NOTHING, fault) from fault

"""A whole transcript or evidence file, judged from its bytes alone ([X-1] to [X-11]).

Replays everything through a Ledger, so a file is checked just as a live table is. Words are for ui/texts.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum, unique
from fractions import Fraction
from typing import assert_never

from sorry_lan.fair import genesis
from sorry_lan.fair.engine import engine_digest
from sorry_lan.fair.entry import decode_body
from sorry_lan.fair.evidence import judge_pair
from sorry_lan.fair.open_step import Record
from sorry_lan.fair.record import Ledger
from sorry_lan.fair.step import Applied
from sorry_lan.fair.transcript import Damage, EndFrame, Ending, Frame, ProofFrame, TableFrame, read_file
from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.rules.cards import CARDS, full_deck
from sorry_lan.wire.terms import Terms


@unique
class Outcome(IntEnum):
    """The verdict in one word; the value is the exit code of `sorry-lan verify`."""

    HOLDS = 0
    NOT_A_TRANSCRIPT = 2
    OTHER_ENGINE = 5
    FALSE = 6
    UNCONFIRMED = 10


@unique
class Finding(Enum):
    """What the verdict rests on."""

    WON = "won"
    SAVED = "saved"
    SIGNED_TWICE = "signed twice"
    ILLEGAL_MOVE = "illegal move"
    UNCONFIRMED = "unconfirmed"
    OTHER_ENGINE = "other engine"
    CONTINUATION = "continuation"
    NO_FIRST_LINE = "no first line"
    OTHER_FORMAT = "other format"
    CUT_SHORT = "cut short"
    BAD_FRAME = "bad frame"
    CHECKSUM = "checksum"
    BAD_TABLE = "bad table"
    BAD_CONSENT = "bad consent"
    BAD_STEP = "bad step"
    INCOMPLETE_STEP = "incomplete step"
    BAD_END = "bad end"
    PROVES_NOTHING = "proves nothing"


@unique
class Caution(Enum):
    """What a reader should know although everything holds."""

    ONE_SEAT = "one seat"
    ONE_CLIENT = "one client"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a file is worth.

    Attributes:
        outcome, finding: the verdict and its ground.
        steps: steps 0 to steps - 1 hold, whatever the verdict.
        game_id, terms: of a table that every human seat signed, else None.
        words, first, winner: as far as the steps that hold tell.
        unconfirmed: seats whose acknowledgement of the win is not in the file.
        blamed: the seat whose misbehaviour an evidence file proves.
        fault: the rule that the step after the last good one breaks, where it is one of the protocol's.
        draws: cards drawn by seat, eleven counts each in the order of CARDS; empty without a table.
        shares: how many shares open their chain.
        cautions: true of the table, whatever the verdict.
        engine: the digest that a signed table names, where it is not ours.
    """

    outcome: Outcome
    finding: Finding
    steps: int = 0
    game_id: bytes | None = None
    terms: Terms | None = None
    words: tuple[str, str, str] | None = None
    first: int | None = None
    winner: int | None = None
    unconfirmed: tuple[int, ...] = ()
    blamed: int | None = None
    fault: RemoteFault | None = None
    draws: tuple[tuple[int, ...], ...] = ()
    shares: int = 0
    cautions: tuple[Caution, ...] = ()
    engine: bytes | None = None

    def expected(self, seat: int) -> tuple[Fraction, ...]:
        """How many of each card a seat that drew as often gets on average, exactly, in the order of CARDS."""
        if self.terms is None:
            raise LocalMisuse("nobody drew a card in a file without a table")
        deck = full_deck(genesis.rules_of(self.terms))
        return tuple(Fraction(sum(self.draws[seat]) * copies, sum(deck)) for copies in deck)


_DAMAGES = {
    Damage.CUT_SHORT: Finding.CUT_SHORT,
    Damage.BAD_FRAME: Finding.BAD_FRAME,
    Damage.CHECKSUM: Finding.CHECKSUM,
}


class _Refuted(Exception):  # noqa: N818 - an answer, not an error
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


def verify_transcript(data: bytes) -> Verdict:
    """The verdict on any bytes; raises nothing. An evidence file that holds is HOLDS with `blamed`."""
    contents = read_file(data)
    if contents.damage is Damage.NO_FIRST_LINE:
        return Verdict(Outcome.NOT_A_TRANSCRIPT, Finding.NO_FIRST_LINE)
    if contents.damage is Damage.OTHER_FORMAT:
        return Verdict(Outcome.NOT_A_TRANSCRIPT, Finding.OTHER_FORMAT)
    damage = None if contents.damage is None else _DAMAGES[contents.damage]
    try:
        ledger = _opened(contents.frames, damage)
    except _Refuted as refuted:
        return Verdict(refuted.outcome, refuted.finding, fault=refuted.fault, engine=refuted.engine)
    blamed = None
    try:
        finding, blamed = _replayed(ledger, contents.frames[1:], damage)
        outcome, fault = Outcome.UNCONFIRMED if finding is Finding.UNCONFIRMED else Outcome.HOLDS, None
    except _Refuted as refuted:
        outcome, finding, fault = refuted.outcome, refuted.finding, refuted.fault
    # Of a step that does not hold nothing is told, though the ledger may have counted it.
    steps = ledger.k + 1 if finding is Finding.UNCONFIRMED else ledger.k
    applied = [ledger.applied_of(k) for k in range(steps)]
    return Verdict(
        outcome,
        finding,
        steps=steps,
        game_id=ledger.game_id,
        terms=ledger.terms,
        words=ledger.words if steps else None,
        first=ledger.first if steps else None,
        winner=applied[-1].position.winner if steps else None,
        unconfirmed=ledger.final_needs() if finding is Finding.UNCONFIRMED else (),
        blamed=blamed,
        fault=fault,
        draws=_draws(applied, len(ledger.terms.seats)),
        shares=steps * len(ledger.humans),
        cautions=_cautions(ledger.terms),
    )


def _opened(frames: Sequence[Frame], damage: Finding | None) -> Ledger:
    """The ledger of the file's table, once every human seat's consent to it holds and the engine is ours."""
    head = frames[0] if frames else None
    if not isinstance(head, TableFrame):
        raise _Refuted(Finding.BAD_TABLE if damage is None or frames else damage)
    try:
        terms = genesis.decode_terms(head.table)
        if not genesis.consents_complete(terms, head.table, head.consents):
            raise _Refuted(Finding.BAD_CONSENT)
        if terms.engine != engine_digest():
            raise _unless(damage, Finding.OTHER_ENGINE, terms.engine)
        genesis.check_terms(terms)
    except RemoteFault as fault:
        raise _Refuted(Finding.BAD_TABLE, fault) from fault
    return Ledger(head.table, terms, genesis.game_id(head.table))


def _unless(damage: Finding | None, finding: Finding, engine: bytes | None = None) -> _Refuted:
    """Something this version cannot check, which only an undamaged file may claim to be."""
    return _Refuted(damage) if damage is not None else _Refuted(finding, None, Outcome.OTHER_ENGINE, engine)


def _replayed(ledger: Ledger, frames: Sequence[Frame], damage: Finding | None) -> tuple[Finding, int | None]:
    """What the frames after the table prove, and whom they blame."""
    found: tuple[Finding, int | None]
    for item in frames:
        match item:
            case Record():
                _feed(ledger, item)
                continue
            case TableFrame():
                raise _unless(damage, Finding.CONTINUATION)
            case EndFrame():
                found = _ended(ledger, item), None
            case ProofFrame():
                found = _proven(ledger, item)
            case _:
                assert_never(item)
        if damage is not None:
            raise _Refuted(damage)
        return found
    raise _Refuted(damage or Finding.CUT_SHORT)


def _feed(ledger: Ledger, record: Record) -> None:
    """Take a step's frame; the file's last one may leave the step open, but holds nothing that is not valid."""
    if ledger.open.seen:
        raise _Refuted(Finding.INCOMPLETE_STEP)
    if record.k != ledger.k:
        raise _Refuted(Finding.BAD_STEP, RemoteFault(Err.SCHEMA, f"step {record.k} where step {ledger.k} is due"))
    try:
        ledger.accept_record(record)
    except RemoteFault as fault:
        if ledger.open.record() != record:
            raise _Refuted(Finding.BAD_STEP, fault) from fault


def _ended(ledger: Ledger, end: EndFrame) -> Finding:
    """The finding of a file that ends so."""
    won = end.how == Ending.WON
    steps, head, applied = ledger.k, ledger.head, ledger.open.applied
    if ledger.open.seen:
        # Only a win may lack acknowledgements: nobody can wait for them for ever.
        if applied is None or applied.position.winner is None or not won:
            raise _Refuted(Finding.INCOMPLETE_STEP)
        steps, head = steps + 1, applied.head
    if (end.k, end.head) != (steps, head) or won != (ledger.over is not None):
        raise _Refuted(Finding.BAD_END)
    if ledger.open.seen:
        return Finding.UNCONFIRMED
    return Finding.WON if won else Finding.SAVED


def _proven(ledger: Ledger, proof: ProofFrame) -> tuple[Finding, int]:
    """What an evidence file proves, and of which seat."""
    if proof.game != ledger.game_id:
        raise _Refuted(Finding.PROVES_NOTHING)
    if proof.second is None:
        try:
            ledger.accept(proof.first)
        except RemoteFault as fault:
            if fault.code is not Err.ILLEGAL_ACTION:
                raise _Refuted(Finding.PROVES_NOTHING, fault) from fault
            return Finding.ILLEGAL_MOVE, decode_body(proof.first.body).seat
        raise _Refuted(Finding.PROVES_NOTHING)
    if ledger.k or ledger.open.seen:
        raise _Refuted(Finding.PROVES_NOTHING)
    try:
        return Finding.SIGNED_TWICE, judge_pair(ledger.terms, ledger.game_id, proof.first, proof.second)
    except RemoteFault as fault:
        raise _Refuted(Finding.PROVES_NOTHING, fault) from fault


def _draws(applied: Sequence[Applied], seats: int) -> tuple[tuple[int, ...], ...]:
    drawn = Counter((step.seat, step.card) for step in applied)
    return tuple(tuple(drawn[seat, card] for card in CARDS) for seat in range(seats))


def _cautions(terms: Terms) -> tuple[Caution, ...]:
    persons = [terms.seats[seat] for seat in genesis.humans(terms)]
    if len(persons) == 1:
        return (Caution.ONE_SEAT,)
    return (Caution.ONE_CLIENT,) if len({seat.client for seat in persons}) == 1 else ()

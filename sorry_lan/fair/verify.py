"""A whole transcript or evidence file, judged from its bytes alone ([X-1] to [X-11]).

Replays everything through a Ledger, so a file is checked just as a live table is. Words are for ui/texts.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique
from fractions import Fraction

from sorry_lan.fair import genesis
from sorry_lan.fair.engine import engine_digest
from sorry_lan.fair.replay import Finding, Going, Line, Outcome, Refuted, consented, replayed
from sorry_lan.fair.step import Applied, Standing
from sorry_lan.fair.transcript import Damage, Frame, ProofFrame, TableFrame, read_file
from sorry_lan.faults import LocalMisuse, RemoteFault
from sorry_lan.rules.cards import CARDS, full_deck
from sorry_lan.wire.terms import Terms

__all__ = ["Caution", "Examined", "Finding", "Going", "Outcome", "Stretch", "Verdict", "examine", "verify_transcript"]


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
        goings: how the game went on at other tables, oldest first. Steps, draws and shares count all tables together;
            game_id, terms and words are of the last table whose beginning holds, `first` is of the first.
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
    goings: tuple[Going, ...] = ()

    def expected(self, seat: int) -> tuple[Fraction, ...]:
        """How many of each card a seat that drew as often gets on average, exactly, in the order of CARDS."""
        if self.terms is None:
            raise LocalMisuse("nobody drew a card in a file without a table")
        deck = full_deck(genesis.rules_of(self.terms))
        return tuple(Fraction(sum(self.draws[seat]) * copies, sum(deck)) for copies in deck)


@dataclass(frozen=True, slots=True)
class Stretch:
    """What was played at one table of a file: where it began, and every step that holds."""

    game_id: bytes
    terms: Terms
    start: Standing
    words: tuple[str, str, str] | None
    first: int | None
    steps: tuple[Applied, ...]


@dataclass(frozen=True, slots=True)
class Examined:
    """A verdict, and what was played as far as it holds: a stretch for each table, oldest first."""

    verdict: Verdict
    stretches: tuple[Stretch, ...]


_DAMAGES = {
    Damage.CUT_SHORT: Finding.CUT_SHORT,
    Damage.BAD_FRAME: Finding.BAD_FRAME,
    Damage.CHECKSUM: Finding.CHECKSUM,
}


def verify_transcript(data: bytes) -> Verdict:
    """The verdict on any bytes; raises nothing. An evidence file that holds is HOLDS with `blamed`."""
    return examine(data).verdict


def examine(data: bytes) -> Examined:
    """The verdict on any bytes, and the steps it rests on; raises nothing."""
    contents = read_file(data)
    if contents.damage is Damage.NO_FIRST_LINE:
        return Examined(Verdict(Outcome.NOT_A_TRANSCRIPT, Finding.NO_FIRST_LINE), ())
    if contents.damage is Damage.OTHER_FORMAT:
        return Examined(Verdict(Outcome.NOT_A_TRANSCRIPT, Finding.OTHER_FORMAT), ())
    damage = None if contents.damage is None else _DAMAGES[contents.damage]
    line = Line()
    try:
        _open(line, contents.frames, damage)
    except Refuted as refuted:
        verdict = Verdict(refuted.outcome, refuted.finding, fault=refuted.fault, engine=refuted.engine)
        return Examined(verdict, ())
    blamed = None
    try:
        finding, blamed = replayed(line, contents.frames[1:], damage)
        outcome, fault = Outcome.UNCONFIRMED if finding is Finding.UNCONFIRMED else Outcome.HOLDS, None
    except Refuted as refuted:
        outcome, finding, fault = refuted.outcome, refuted.finding, refuted.fault
    ledger = line.ledger
    # Of a step that does not hold nothing is told, though the ledger may have counted it.
    steps = ledger.k + 1 if finding is Finding.UNCONFIRMED else ledger.k
    applied = line.applied(steps)
    verdict = Verdict(
        outcome,
        finding,
        steps=len(applied),
        game_id=ledger.game_id,
        terms=ledger.terms,
        words=ledger.words if steps else None,
        first=line.ledgers[0].first if applied else None,
        winner=applied[-1].position.winner if applied else None,
        unconfirmed=ledger.final_needs() if finding is Finding.UNCONFIRMED else (),
        blamed=blamed,
        fault=fault,
        draws=_draws(applied, len(ledger.terms.seats)),
        shares=line.shares(steps),
        cautions=_cautions(line.terms()),
        goings=tuple(line.goings),
    )
    return Examined(verdict, _stretches(line, steps))


def _stretches(line: Line, steps: int) -> tuple[Stretch, ...]:
    """Each table with its counted steps, of the last one the first `steps`."""
    counts = [*(ledger.k for ledger in line.ledgers[:-1]), steps]
    return tuple(
        Stretch(
            ledger.game_id,
            ledger.terms,
            genesis.opening_of(ledger.terms),
            ledger.words if count else None,
            ledger.first if count else None,
            tuple(ledger.applied_of(k) for k in range(count)),
        )
        for ledger, count in zip(line.ledgers, counts, strict=True)
    )


def _open(line: Line, frames: Sequence[Frame], damage: Finding | None) -> None:
    """The file's first table, once every human seat's consent to it holds and the engine is ours."""
    head = frames[0] if frames else None
    if not isinstance(head, TableFrame):
        raise Refuted(Finding.BAD_TABLE if damage is None or frames else damage)
    try:
        terms = consented(head)
        if terms.engine != engine_digest():
            raise _unless(damage, Finding.OTHER_ENGINE, terms.engine)
        genesis.check_terms(terms)
    except RemoteFault as fault:
        raise Refuted(Finding.BAD_TABLE, fault) from fault
    pair = len(frames) == 2 and isinstance(frames[1], ProofFrame) and frames[1].second is not None
    if terms.parent is not None and not pair:
        # Only what two signatures prove stands without the games before.
        raise Refuted(Finding.BAD_TABLE)
    line.begin(head, terms)


def _unless(damage: Finding | None, finding: Finding, engine: bytes | None = None) -> Refuted:
    """Something this version cannot check, which only an undamaged file may claim to be."""
    return Refuted(damage) if damage is not None else Refuted(finding, None, Outcome.OTHER_ENGINE, engine)


def _draws(applied: Sequence[Applied], seats: int) -> tuple[tuple[int, ...], ...]:
    drawn = Counter((step.seat, step.card) for step in applied)
    return tuple(tuple(drawn[seat, card] for card in CARDS) for seat in range(seats))


def _cautions(line: Sequence[Terms]) -> tuple[Caution, ...]:
    """What holds of any of the tables: one that one client mixed alone spoils the whole file."""
    found = {_caution(terms) for terms in line}
    return tuple(caution for caution in Caution if caution in found)


def _caution(terms: Terms) -> Caution | None:
    persons = [terms.seats[seat] for seat in genesis.humans(terms)]
    if len(persons) == 1:
        return Caution.ONE_SEAT
    return Caution.ONE_CLIENT if len({seat.client for seat in persons}) == 1 else None

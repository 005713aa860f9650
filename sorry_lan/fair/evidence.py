"""Evidence: what proves a seat's misbehaviour to somebody who was not there ([F-17], [F-23], [X-9]).

Makes the file of a fault and judges two signed bodies; whole files are judged by verify.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sorry_lan.fair.entry import decode_body, slot
from sorry_lan.fair.genesis import humans
from sorry_lan.fair.open_step import Record, is_played
from sorry_lan.fair.record import Ledger
from sorry_lan.fair.transcript import Chapter, ProofFrame, TableFrame, encode_file, past_frames
from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.wire.keys import Context, verify
from sorry_lan.wire.messages import Consent, Signed
from sorry_lan.wire.terms import Terms


def judge_pair(terms: Terms, game_id: bytes, first: Signed, second: Signed) -> int:
    """The seat that signed two bodies for one slot.

    Two ACKs of a step of which two MOVEs are known blame their seat here, but it is the mover that is at fault: whoever
    knows the step asks its Ledger.

    Raises:
        RemoteFault: SCHEMA where they are no two bodies of one slot of a step, NOT_A_SEAT, BAD_SIGNATURE; further
            BAD_FRAME and NOT_CANONICAL as for decode_body.
    """
    where = slot(decode_body(first.body))
    if slot(decode_body(second.body)) != where or first.body == second.body or not is_played(where):
        raise RemoteFault(Err.SCHEMA, "not two bodies for one slot of a step")
    if where.seat not in humans(terms):
        raise RemoteFault(Err.NOT_A_SEAT, f"seat {where.seat} has no key")
    key = terms.seats[where.seat].pk
    if not all(verify(key, Context.ENTRY, game_id, signed.body, signed.sig) for signed in (first, second)):
        raise RemoteFault(Err.BAD_SIGNATURE, f"not both signed by seat {where.seat} for this game")
    return where.seat


def encode_evidence(
    ledger: Ledger, consents: Sequence[Consent], fault: RemoteFault, past: Iterable[Chapter] = ()
) -> bytes:
    """The file that proves `fault`, which `ledger` has raised or reported.

    An illegal move needs the game up to its card, earlier tables too; two bodies for one slot need only the table.
    LocalMisuse for a fault without evidence.
    """
    proof = [Signed(body, sig) for body, sig in fault.evidence]
    if not proof:
        raise LocalMisuse("a fault that nothing signed proves")
    start = TableFrame(ledger.table, tuple(consents))
    if len(proof) == 2:
        return encode_file((start, ProofFrame(ledger.game_id, *proof)))
    k = decode_body(proof[0].body).k
    before = (ledger.record(step) for step in range(k))
    return encode_file(
        (*past_frames(past), start, *before, _shares(ledger, k), ProofFrame(ledger.game_id, proof[0], None))
    )


def _shares(ledger: Ledger, k: int) -> Record:
    """What made the card of step `k`: the first entries of its record, one of each person."""
    record = ledger.record(k) if k < ledger.k else ledger.open.record()
    return Record(k, record.entries[: len(ledger.humans)])

"""entries.json: bodies, digests, tables, consents, and steps fed entry by entry."""

from __future__ import annotations

from typing import Any

import pytest

from sorry_lan.fair import entry, genesis
from sorry_lan.fair.draw import draw_card, joint_secret
from sorry_lan.fair.open_step import Accepted, Change, Record
from sorry_lan.fair.record import Ledger
from sorry_lan.faults import RemoteFault
from sorry_lan.rules.board import Colour
from sorry_lan.rules.position import Position
from sorry_lan.wire.codec import decode
from sorry_lan.wire.messages import Consent, Signed
from tests.conformance.cases import Case, judge, load, params, value


class _Value:
    """Equal to the notation of one value."""

    __hash__ = None

    def __init__(self, found: object) -> None:
        self._found = found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, dict) and value(other["value"]) == self._found


def _body(given: Any) -> object:
    data = bytes.fromhex(given["bytes"])
    body = entry.decode_body(data)
    assert entry.encode_body(body) == data
    return _Value(decode(data))


def _entry_id(given: Any) -> object:
    return {"id": entry.entry_id(bytes.fromhex(given["game"]), bytes.fromhex(given["body"])).hex()}


def _head_start(given: Any) -> object:
    return {"head": entry.head_start(bytes.fromhex(given["game"])).hex()}


def _head_next(given: Any) -> object:
    head, secret, move = (bytes.fromhex(given[name]) for name in ("head", "secret", "move"))
    if given["k"] == 0:
        assert entry.head_after_lot(head, secret) == entry.head_next(head, 0, secret, move)
    return {"head": entry.head_next(head, given["k"], secret, move).hex()}


def _auto_id(given: Any) -> object:
    return {"id": entry.auto_id(tuple(given["action"]), bytes.fromhex(given["state"])).hex()}


def _state(given: Any) -> object:
    rows = tuple(tuple(row) for row in given["locations"])
    winner = given["over"] - 1 if given["over"] else None
    position = Position(tuple(Colour)[: len(rows)], rows, given["turn"], winner)
    snapshot = entry.encode_snapshot(position, tuple(given["pile"]))
    return {"snapshot": snapshot.hex(), "state": entry.state_digest(snapshot).hex()}


def _step_head(given: Any) -> object:
    """The card is drawn from the whole deck here: the steps of the vector are the first few of a game."""
    game, head, k = bytes.fromhex(given["game"]), bytes.fromhex(given["head"]), given["k"]
    shares = {}
    for seat, body in given["shares"].items():
        reveal = entry.decode_body(bytes.fromhex(body))
        assert isinstance(reveal, entry.Reveal)
        shares[int(seat)] = reveal.share
    secret = joint_secret(game, k, shares)
    if k == 0:
        return {"secret": secret.hex(), "card": None, "head": entry.head_after_lot(head, secret).hex()}
    if given["move"] is not None:
        move_id = entry.entry_id(game, bytes.fromhex(given["move"]))
    else:
        move_id = entry.auto_id(tuple(given["action"]), entry.state_digest(bytes.fromhex(given["snapshot"])))
    card, _ = draw_card(secret, _pile_before(k), genesis.rules_of(genesis.decode_terms(_table())))
    return {"secret": secret.hex(), "card": int(card), "head": entry.head_next(head, k, secret, move_id).hex()}


def _pile_before(k: int) -> tuple[int, ...]:
    snapshot = next(case["in"]["snapshot"] for case in load("entries") if case["id"] == f"step-head/{k - 1}")
    parts = decode(bytes.fromhex(snapshot))
    assert isinstance(parts, tuple)
    pile = parts[3]
    assert isinstance(pile, tuple)
    return tuple(count for count in pile if isinstance(count, int))


def _table() -> bytes:
    return bytes.fromhex(next(case["in"]["table"] for case in load("entries") if case["id"] == "table/three"))


def _checked_table(given: Any) -> object:
    data = bytes.fromhex(given["table"])
    terms = genesis.decode_terms(data)
    genesis.check_terms(terms)
    assert genesis.encode_terms(terms) == data
    return {"game": genesis.game_id(data).hex()}


def _consent(given: Any) -> object:
    table = bytes.fromhex(given["table"])
    consent = Consent(given["seat"], bytes.fromhex(given["sig"]))
    return {"holds": genesis.consent_holds(genesis.decode_terms(table), table, consent)}


RESULTS = {
    Accepted.HELD: "held",
    Accepted.DUPLICATE: "duplicate",
    Accepted.OLD: "dropped",
    Accepted.TOO_EARLY: "dropped",
    Accepted.HEAD_DIFFERS: "head differs",
}


def _result(changes: tuple[Change, ...]) -> object:
    assert all(change.fault is None for change in changes)
    return RESULTS.get(changes[0].what, "taken")


def _steps(given: Any) -> object:
    table = bytes.fromhex(given["table"])
    ledger = Ledger(table, genesis.decode_terms(table), genesis.game_id(table))
    results: list[object] = []
    for row in given["feed"]:
        try:
            changes = ledger.accept(_signed(row))
        except RemoteFault as fault:
            results.append({"error": int(fault.code)})
        else:
            results.append(_result(changes))
    return {"results": results, "k": ledger.k, "head": ledger.head.hex()}


def _records(given: Any) -> object:
    table = bytes.fromhex(given["table"])
    ledger = Ledger(table, genesis.decode_terms(table), genesis.game_id(table))
    for row in given["feed"]:
        ledger.accept(_signed(row))
    record = given["record"]
    ledger.accept_record(Record(record["k"], tuple(map(_signed, record["entries"]))))
    return {"k": ledger.k, "head": ledger.head.hex()}


def _signed(row: Any) -> Signed:
    return Signed(bytes.fromhex(row["body"]), bytes.fromhex(row["sig"]))


GROUPS = {
    "body": _body,
    "entry-id": _entry_id,
    "head-start": _head_start,
    "head-next": _head_next,
    "auto-id": _auto_id,
    "state": _state,
    "step-head": _step_head,
    "table": _checked_table,
    "consent": _consent,
    "steps": _steps,
    "records": _records,
}


@pytest.mark.parametrize("case", params("entries"))
def test_entries_tables_and_steps_come_out_alike(case: Case) -> None:
    judge(case, GROUPS)

"""transcripts/: what the verifier says of each file, and of a game with any bit of any byte changed."""

from __future__ import annotations

import pytest

from sorry_lan.fair import genesis
from sorry_lan.fair.open_step import Record
from sorry_lan.fair.record import Ledger
from sorry_lan.fair.transcript import FIRST_LINE, EndFrame, TableFrame, encode_transcript, read_file
from sorry_lan.fair.verify import Finding, Outcome, verify_transcript
from sorry_lan.rules.cards import CARDS
from tests.conformance.cases import VECTORS, Case, load

INDEX = load("transcripts/index")
FOLDER = VECTORS / "transcripts"
SAMPLED = 23
"""One byte in so many is changed here; tests/fair changes each byte of a smaller game."""
RESULTS = {
    Outcome.HOLDS: "holds",
    Outcome.NOT_A_TRANSCRIPT: "not a transcript",
    Outcome.OTHER_ENGINE: "other engine",
    Outcome.FALSE: "false",
    Outcome.UNCONFIRMED: "unconfirmed",
}


def verdict(case: Case) -> dict[str, object]:
    """What the verifier says, in the words of the index and as far as the case asks."""
    found = verify_transcript((FOLDER / case["file"]).read_bytes())
    counted = [[sum(1 for card in cards if card == face) for face in CARDS] for cards in case["out"].get("cards", [])]
    said: dict[str, object] = {
        "result": RESULTS[found.outcome],
        "exit": int(found.outcome),
        "steps": found.steps,
        "winner": found.winner,
        "first": found.first,
        "words": None if found.words is None else list(found.words),
        "unconfirmed": list(found.unconfirmed),
        "cards": case["out"].get("cards") if [list(row) for row in found.draws] == counted else found.draws,
        "proves": found.finding in {Finding.SIGNED_TWICE, Finding.ILLEGAL_MOVE},
        "seat": found.blamed,
    }
    return {name: said[name] for name in case["out"]}


def check(case: Case) -> None:
    due = dict(case["out"])
    said = verdict(case)
    if due.get("steps", 0) is None:
        # Where a file does not even begin well, or another engine would have to judge, no number is due.
        del due["steps"], said["steps"]
    assert said == due, case["id"]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in INDEX])
def test_a_file_is_judged_by_its_bytes_alone(case: Case) -> None:
    check(case)


def test_every_file_is_in_the_index() -> None:
    assert {path.name for path in FOLDER.glob("*.sorry")} == {case["file"] for case in INDEX}


@pytest.mark.untraced
@pytest.mark.spec("X-2", "X-4")
@pytest.mark.parametrize("part", range(4))
def test_a_changed_bit_anywhere_after_the_first_line_makes_the_file_false(part: int) -> None:
    data = (FOLDER / "small.sorry").read_bytes()
    for at in range(len(FIRST_LINE) + part * SAMPLED, len(data), 4 * SAMPLED):
        changed = data[:at] + bytes([data[at] ^ (1 << at % 8)]) + data[at + 1 :]
        assert verify_transcript(changed).outcome is Outcome.FALSE, at


def _shuffled(name: str, order: int) -> bytes:
    """The file as a client writes it to which each step's entries came in another order."""
    frames = read_file((FOLDER / name).read_bytes()).frames
    table, end = frames[0], frames[-1]
    assert isinstance(table, TableFrame)
    assert isinstance(end, EndFrame)
    ledger = Ledger(table.table, genesis.decode_terms(table.table), genesis.game_id(table.table))
    for item in frames[1:-1]:
        assert isinstance(item, Record)
        turned = item.entries[order % len(item.entries) :] + item.entries[: order % len(item.entries)]
        for signed in turned if order else reversed(turned):
            ledger.accept(signed)
    return encode_transcript(ledger.table, table.consents, ledger.records, end)


@pytest.mark.spec("X-5", "W-15")
@pytest.mark.parametrize("order", range(4))
@pytest.mark.parametrize("name", ["small.sorry", "house-rules.sorry", "one-with-a-bot.sorry"])
def test_clients_write_equal_files_whatever_came_first(name: str, order: int) -> None:
    assert _shuffled(name, order) == (FOLDER / name).read_bytes()

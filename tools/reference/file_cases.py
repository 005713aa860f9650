"""transcripts/: whole games as files, good, tampered and proofs of misbehaviour; index.json says what each is."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from tests.sim.referee import PROFILES, STANDARD, Switches
from tools.reference.core import ACK, ENTRY, MOVE, NO_GAME, TABLE, cmp, h, made_up, sized, state_of
from tools.reference.play import FIRST_LINE, Played, Seat, bot, human, table_value, transcript

Rows = list[list[object]]
EXITS = {"holds": 0, "not a transcript": 2, "other engine": 5, "false": 6, "unconfirmed": 10}


@dataclass
class Folder:
    """The files below transcripts/ and their index."""

    path: Path
    words: list[str]
    cases: list[dict[str, object]]

    def add(
        self, name: str, spec: str, why: str, data: bytes, out: dict[str, object], *, kind: str = "transcript"
    ) -> None:
        (self.path / f"{name}.sorry").write_bytes(data)
        case = {"id": name, "file": f"{name}.sorry", "kind": kind, "spec": spec.split(), "why": why, "out": out}
        self.cases.append(case)

    def good(
        self,
        name: str,
        spec: str,
        why: str,
        game: Played,
        *,
        unconfirmed: list[int] | None = None,
        rows: Rows | None = None,
    ) -> None:
        result = "unconfirmed" if unconfirmed else "holds"
        places = h("words", game.steps[0].secret)[:3]
        out = {
            "result": result,
            "exit": EXITS[result],
            "steps": len(game.steps),
            "winner": game.state.over - 1,
            "first": game.steps[0].seat,
            "words": [self.words[place] for place in places],
            "unconfirmed": unconfirmed or [],
            "cards": [[step.card for step in game.steps[1:] if step.seat == seat] for seat in range(len(game.seats))],
        }
        self.add(name, spec, why, transcript(rows or game.frames()), out)

    def bad(self, name: str, spec: str, why: str, data: bytes, steps: int | None, *, result: str = "false") -> None:
        self.add(name, spec, why, data, {"result": result, "exit": EXITS[result], "steps": steps})

    def write(self) -> None:
        lines = ",\n".join(json.dumps(case) for case in self.cases)
        about = "Files and what a verifier says of them (SPEC.md 7); the engine digest is that of bots.json."
        head = json.dumps({"format": 1, "file": "transcripts", "about": about})[:-1]
        (self.path / "index.json").write_text(f'{head}, "cases": [\n{lines}\n]}}\n', encoding="ascii")


def _game(engine: bytes, rules: Switches, seats: list[Seat], first: int | None = None) -> Played:
    game = Played(table_value(rules, engine, seats, first), rules, seats)
    if not game.state.over:
        raise ValueError("not won")
    return game


def files(path: Path, words: list[str], engine: bytes) -> Folder:
    for old in path.glob("*.sorry"):
        old.unlink()
    folder = Folder(path, words, [])
    small = _whole_games(folder, engine)
    _unconfirmed(folder, small)
    _saved(folder, small)
    _changed_bytes(folder, small)
    _changed_frames(folder, small)
    _changed_entries(folder, small)
    _other_engines(folder)
    _evidence(folder, small)
    return folder


def _whole_games(folder: Folder, engine: bytes) -> Played:
    spec = "X-1 X-2 X-3 X-4"
    two = [human("two", 0, "Ann"), human("two", 2, "B\u00f6b")]
    folder.good("two-standard", spec, "two humans", _game(engine, STANDARD, two))
    four = [human("four", 0, "Ann"), bot(1, "Bot 1"), human("four", 2, "Cy"), bot(3, "Bot 3")]
    folder.good("four-classic-with-bots", spec, "two humans and two bots", _game(engine, PROFILES["classic"], four, 2))
    three = [human("three", 0, "Ann"), human("three", 1, "Bob"), human("three", 3, "Dee")]
    folder.good(
        "three-2013", spec, "three humans, one of whom has no extra draws", _game(engine, PROFILES["2013"], three)
    )
    one = [human("one", 1, "Ann"), bot(3, "Bot")]
    folder.good("one-with-a-bot", spec, "one human mixed this deck", _game(engine, replace(STANDARD, pawns=2), one))
    shared = [human("shared", 0, "Ann"), human("shared", 1, "Bob", 0), human("shared", 3, "Cy")]
    folder.good(
        "shared-keyboard", f"{spec} T-5", "two people at one client", _game(engine, replace(STANDARD, pawns=1), shared)
    )
    odd = replace(STANDARD, pawns=1, start_by_count=True, slide_on="any", slide_past_entry="enter", pawns_out=1, ones=4)
    house = [human("house", 0, "Ann"), human("house", 1, "Bob"), bot(3, "Bot")]
    folder.good("house-rules", spec, "several switches at once", _game(engine, odd, house))
    pair = [human("small", 0, "Ann"), human("small", 1, "Bob")]
    games = (_game(engine, replace(STANDARD, pawns=1), [replace_nonce(seat, n) for seat in pair]) for n in range(8))
    small = min(games, key=lambda game: len(game.steps))
    folder.good("small", spec, "a short game, the base of the changed files", small)
    return small


def replace_nonce(seat: Seat, number: int) -> Seat:
    """The same person at another table."""
    return human(f"small {number}", seat.colour, seat.name)


def _unconfirmed(folder: Folder, small: Played) -> None:
    rows = small.frames()
    last = small.steps[-1]
    kept = [entry for entry in last.entries if entry not in last.acks]
    rows[-2] = [1, last.k, kept]
    missing = [seat for seat in small.humans if seat != last.seat]
    folder.good("unconfirmed", "X-7 X-3", "the last ACK never came", small, unconfirmed=missing, rows=rows)


def _saved(folder: Folder, small: Played) -> None:
    middle = len(small.steps) // 2
    rows = small.frames()[: middle + 1]
    rows.append([2, middle, small.steps[middle].head, 1])
    out = {"result": "holds", "exit": 0, "steps": middle, "winner": None, "unconfirmed": []}
    folder.add("saved", "X-11 X-4", "half a game, saved", transcript(rows), out)
    rows[-1] = [2, 0, small.steps[0].head, 1]
    out = {"result": "holds", "exit": 0, "steps": 0, "winner": None, "unconfirmed": []}
    folder.add("saved-before-the-lot", "X-11", "agreed and never begun", transcript([rows[0], rows[-1]]), out)


# Changed files


def _changed_bytes(folder: Folder, small: Played) -> None:
    data = transcript(small.frames())
    starts = [len(FIRST_LINE)]
    for row in small.frames():
        starts.append(starts[-1] + len(sized(cmp(row))))  # type: ignore[arg-type]
    middle = len(small.steps) // 2

    def flipped(at: int) -> bytes:
        return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]

    why = "one bit changed"
    folder.bad("bit-in-table", "X-4", why, flipped(starts[0] + 60), 0)
    folder.bad("bit-in-consent", "X-4", why, flipped(starts[1] - 10), 0)
    folder.bad("bit-in-step", "X-4 X-6", why, flipped(starts[middle + 2] - 20), middle)
    folder.bad("bit-in-length", "X-4 X-6", why, flipped(starts[middle + 1] + 3), middle)
    folder.bad("bit-in-end", "X-4", why, flipped(starts[-1] - 5), len(small.steps))
    folder.bad("bit-in-hash", "X-4", why, flipped(len(data) - 1), len(small.steps))
    folder.bad("truncated-in-step", "X-4 X-6", "cut inside a step", data[: starts[middle + 1] + 50], middle)
    folder.bad("truncated-between-steps", "X-4 X-6", "cut between two steps", data[: starts[middle + 1]], middle)
    folder.bad("truncated-in-hash", "X-4", "cut inside the hash", data[:-1], len(small.steps))
    folder.bad("truncated-after-line", "X-4", "nothing but the first line", FIRST_LINE, 0)
    folder.bad("trailing-byte", "X-4", "a byte after the hash", data + b"\x00", None)
    folder.bad("empty", "X-1", "no byte at all", b"", None, result="not a transcript")
    folder.bad(
        "other-version",
        "X-1",
        "a first line of another version",
        data.replace(b"transcript 1", b"transcript 2", 1),
        None,
        result="not a transcript",
    )
    folder.bad(
        "crlf",
        "X-1",
        "a line end that an editor changed",
        data.replace(b"\n", b"\r\n", 1),
        None,
        result="not a transcript",
    )
    folder.bad("text", "X-1", "something else", b"#!/bin/sh\n", None, result="not a transcript")


def _changed_frames(folder: Folder, small: Played) -> None:
    """Each with its SHA-256 made anew: what fails is the game."""
    count = len(small.steps)
    middle = count // 2
    good = small.frames()
    table, steps, end = good[0], good[1:-1], good[-1]

    def bad(name: str, spec: str, why: str, rows: Rows, held: int | None) -> None:
        folder.bad(name, spec, why, transcript(rows), held)

    bad("no-end", "X-4", "the end frame is missing", [table, *steps], count)
    bad("no-end-early", "X-4 X-6", "half a game", [table, *steps[:middle]], middle)
    bad(
        "end-early",
        "X-4",
        "half a game said to be won",
        [table, *steps[:middle], [2, middle, small.steps[middle].head, 0]],
        middle,
    )
    bad("end-other-head", "X-4", "a wrong last head", [table, *steps, [2, count, made_up("head"), 0]], count)
    bad("end-other-count", "X-4", "a wrong number of steps", [table, *steps, [2, count + 1, small.head, 0]], count)
    bad("end-saved", "X-4", "a won game said to be saved", [table, *steps, [2, count, small.head, 1]], count)
    bad("end-how-2", "X-4", "no way to end", [table, *steps, [2, count, small.head, 2]], count)
    bad("end-twice", "X-4", "something after the end", [table, *steps, end, end], None)
    bad("step-missing", "X-3 X-6", "a step left out", [table, *steps[:middle], *steps[middle + 1 :], end], middle)
    bad(
        "steps-swapped",
        "X-3 X-6",
        "two steps in the wrong order",
        [table, *steps[:middle], steps[middle + 1], steps[middle], *steps[middle + 2 :], end],
        middle,
    )
    bad("step-twice", "X-3 X-6", "a step given twice", [table, *steps[: middle + 1], *steps[middle:], end], middle + 1)
    bad("no-table", "X-2", "no frame 0", [*steps, end], 0)
    bad("frame-9", "X-2 X-6", "an unknown frame", [table, *steps[:middle], [9, 0], *steps[middle:], end], middle)
    consents = small.consents
    bad("consent-missing", "X-2 T-17", "one consent", [[0, small.table, consents[:1]], *steps, end], 0)
    bad(
        "consents-swapped",
        "X-2 T-17",
        "consents in the wrong order",
        [[0, small.table, consents[::-1]], *steps, end],
        0,
    )
    forged = [consents[0], [1, consents[0][1]]]
    bad("consent-of-other", "X-2 T-10", "a signature of another seat", [[0, small.table, forged], *steps, end], 0)
    other = _renamed(small)
    bad("table-of-others", "X-2", "the same game under another name", [[0, *other], *steps, end], 0)
    last = small.steps[-1]
    gap = [1, middle, [entry for entry in small.steps[middle].entries if entry not in small.steps[middle].acks]]
    bad(
        "ack-missing",
        "X-3 X-6",
        "an ACK of a step before the last",
        [table, *steps[:middle], gap, *steps[middle + 1 :], end],
        middle,
    )
    no_move = [1, last.k, [entry for entry in last.entries if entry is not last.move]]
    bad("move-missing", "X-3 X-6", "the winning MOVE", [table, *steps[:-1], no_move, end], count - 1)


def _renamed(small: Played) -> tuple[bytes, list[list[object]]]:
    """A table that says Eve instead of Ann, with new consents: it makes another game id."""
    table = small.table.replace(b"\xa3Ann", b"\xa3Eve")
    return table, [[seat, small.key(seat).sign(TABLE, NO_GAME, table)] for seat in small.humans]


def _changed_entries(folder: Folder, small: Played) -> None:
    good = small.frames()
    step = next(step for step in small.steps[5:] if len(step.offered) > 1 or (step.offered != [[]] and step.k > 8))
    other = 1 - step.seat

    def bad(name: str, spec: str, why: str, entries: list[list[bytes]]) -> None:
        rows = [*good[: step.k + 1], [1, step.k, entries], *good[step.k + 2 :]]
        folder.bad(name, f"{spec} X-2 X-6", why, transcript(rows), step.k)

    if step.move is None or step.action is None:
        raise ValueError("a human's step was due")
    shares, move, acks = step.reveals, step.move, step.acks
    state = state_of(step.after.snapshot())

    def moved(action: list[int], head: bytes = step.head, after: bytes = state) -> list[list[bytes]]:
        return [*shares, small.signed(step.seat, [MOVE, step.k, step.seat, head, action, after]), *acks]

    chain = small.seats[0].chain
    if chain is None:
        raise ValueError("a human was due")
    wrong = small.signed(0, [1, step.k, 0, chain.share(step.k + 1)])
    bad("share-later", "F-3", "a seat opened the share of the next step", [wrong, shares[1], move, *acks])
    wrong = small.signed(0, [1, step.k, 0, made_up("no share")])
    bad("share-random", "F-3", "a share that opens nothing", [wrong, shares[1], move, *acks])
    bad("share-missing", "X-3", "a share left out", [shares[0], move, *acks])
    bad(
        "share-signature",
        "F-15",
        "a share with a signature of the other seat",
        [[shares[0][0], shares[1][1]], shares[1], move, *acks],
    )
    bad("action-illegal", "F-23", "an action that the card does not allow", moved([2, 1, 59]))
    bad("action-none", "F-23", "a card that had to be used was not", moved([]))
    bad("move-other-head", "F-23", "a MOVE on another head", moved(step.action, made_up("head")))
    bad("move-other-state", "F-24", "a MOVE that names another state", moved(step.action, after=made_up("state")))
    bad(
        "ack-other-head",
        "F-25",
        "an ACK of another head",
        [*shares, move, small.signed(other, [ACK, step.k, other, made_up("head")])],
    )
    bad(
        "ack-by-mover",
        "F-21",
        "the mover acknowledges its own move",
        [*shares, move, small.signed(step.seat, [ACK, step.k, step.seat, small.steps[step.k + 1].head]), *acks],
    )
    bad("entries-out-of-order", "X-3", "shares in the wrong order", [shares[1], shares[0], move, *acks])
    bad("entry-twice", "X-3", "a share given twice", [shares[0], shares[0], shares[1], move, *acks])
    bad("leave-inside", "X-3 F-11", "a LEAVE", [*shares, move, *acks, small.signed(0, [4, step.k, 0, 0])])
    foreign = cmp([1, step.k, 0, chain.share(step.k)])
    bad(
        "entry-of-other-game",
        "F-15",
        "a share signed for another game",
        [[foreign, small.key(0).sign(ENTRY, made_up("game"), foreign)], shares[1], move, *acks],
    )


def _other_engines(folder: Folder) -> None:
    seats = [human("engine", 0, "Ann"), human("engine", 1, "Bob")]
    game = _game(made_up("another engine"), replace(STANDARD, pawns=1), seats)
    folder.bad(
        "other-engine",
        "X-8",
        "agreed between clients that play otherwise",
        transcript(game.frames()),
        None,
        result="other engine",
    )


# -- evidence: section 7.2 of SPEC.md --


def _evidence(folder: Folder, small: Played) -> None:
    good = small.frames()
    table = good[0]
    step = next(step for step in small.steps[1:] if step.move is not None and len(step.offered) > 1)
    if step.move is None or step.action is None:
        raise ValueError("a human's step was due")
    action = next(action for action in step.offered if action != step.action)
    _, drawn = step.before.drawn(step.secret)
    state = state_of(drawn.after(step.card or 0, action).snapshot())
    second = small.signed(step.seat, [MOVE, step.k, step.seat, step.head, action, state])

    def add(name: str, spec: str, why: str, rows: Rows, seat: int | None) -> None:
        out = {"proves": seat is not None, "seat": seat, "exit": 0 if seat is not None else 6}
        folder.add(name, spec, why, transcript(rows), out, kind="evidence")

    def proof(first: list[bytes], then: list[bytes] | None, game: bytes = small.game) -> list[object]:
        return [3, game, first, then]

    spec = "X-9 F-17"
    add("evidence-two-moves", spec, "one seat signed two MOVEs", [table, proof(step.move, second)], step.seat)
    shares = small.steps[0].reveals
    other_share = small.signed(0, [1, 0, 0, made_up("second share")])
    add("evidence-two-shares", spec, "one seat signed two REVEALs", [table, proof(shares[0], other_share)], 0)
    add("evidence-one-body-twice", spec, "the same body is no proof", [table, proof(step.move, step.move)], None)
    add("evidence-two-seats", spec, "bodies of two seats are no proof", [table, proof(shares[0], shares[1])], None)
    forged = [second[0], step.move[1]]
    add("evidence-forged", spec, "the second signature is wrong", [table, proof(step.move, forged)], None)
    add("evidence-other-game", spec, "it names another game", [table, proof(step.move, second, made_up("game"))], None)
    until: Rows = [*good[: step.k + 1], [1, step.k, step.reveals]]
    illegal = small.signed(step.seat, [MOVE, step.k, step.seat, step.head, [2, 1, 59], made_up("state")])
    add("evidence-illegal-move", "X-9 F-23", "one MOVE that no card allows", [*until, proof(illegal, None)], step.seat)
    wrong_head = small.signed(step.seat, [MOVE, step.k, step.seat, made_up("head"), step.action, made_up("state")])
    add("evidence-wrong-head", "X-9 F-23", "one MOVE on another head", [*until, proof(wrong_head, None)], step.seat)
    add("evidence-legal-move", "X-9 F-23", "a legal MOVE is no proof", [*until, proof(step.move, None)], None)
    add("evidence-without-shares", "X-9", "the card cannot be known", [*until[:-1], proof(illegal, None)], None)
    add("evidence-without-game", "X-9", "the position cannot be known", [table, proof(illegal, None)], None)
    consents = [[0, made_up("no signature", 64)], small.consents[1]]
    add(
        "evidence-unsigned-table",
        "X-9",
        "nobody agreed to this table",
        [[0, small.table, consents], proof(step.move, second)],
        None,
    )

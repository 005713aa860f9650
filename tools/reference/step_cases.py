"""entries.json, the groups of whole steps: entries fed one by one, and records."""

from __future__ import annotations

from dataclasses import replace

from tests.sim.referee import STANDARD
from tools.reference.core import ACK, ENTRY, LEAVE, MINE, MOVE, REVEAL, Chain, cmp, made_up, state_of
from tools.reference.notation import File
from tools.reference.play import Played, Step, human, table_value

B32, B64 = made_up("entry 32"), made_up("entry 64", 64)
Signed = list[bytes]


class Feed:
    """Entries in the order in which they come, with what is due for each."""

    def __init__(self, game: Played) -> None:
        self.game = game
        self.rows: list[dict[str, object]] = []
        self.due: list[object] = []

    def give(self, entry: Signed, result: object = "taken") -> Feed:
        self.rows.append({"body": entry[0].hex(), "sig": entry[1].hex()})
        self.due.append(result)
        return self

    def whole(self, *steps: Step) -> Feed:
        for step in steps:
            for entry in step.entries:
                self.give(entry)
        return self

    def done(self, file: File, name: str, spec: str, why: str, k: int) -> None:
        """`k`: the open step afterwards."""
        given = {"table": self.game.table.hex(), "feed": self.rows}
        head = self.game.steps[k].head
        file.valid("steps", name, spec, why, given, {"results": self.due, "k": k, "head": head.hex()})


def steps(file: File, game: Played) -> None:  # noqa: PLR0915 - one case a line
    played = game.steps
    chosen = next(step for step in played[2:] if step.move and len(step.offered) > 1)
    auto = next(step for step in played[1:] if step.move is None)
    passed = next(step for step in played[1:] if step.move and step.offered == [[]])
    mover = chosen.seat
    other = 1 - mover
    before = played[: chosen.k]

    def feed(until: list[Step] = before) -> Feed:
        return Feed(game).whole(*until)

    def move(action: list[int], seat: int = mover, head: bytes = chosen.head, state: bytes | None = None) -> Signed:
        if state is None:
            _, drawn = chosen.before.drawn(chosen.secret)
            state = state_of(drawn.after(chosen.card or 0, action).snapshot()) if action in chosen.offered else B32
        return game.signed(seat, [MOVE, chosen.k, seat, head, action, state])

    assert chosen.move is not None
    assert chosen.action is not None
    second = next(action for action in chosen.offered if action != chosen.action)
    shares, acks = chosen.reveals, chosen.acks
    feed(played[:8]).done(file, "eight", "F-13 F-18 F-21", "eight steps, a bot's among them", 8)
    feed(played[: auto.k]).whole(auto).done(
        file, "bot", "F-21 F-31", "a bot's step has no MOVE and an ACK of everybody", auto.k + 1
    )
    feed(played[: passed.k]).whole(passed).done(file, "nothing-legal", "F-20", "a MOVE with no action", passed.k + 1)
    mixed = feed()
    mixed.give(chosen.move, "held").give(acks[0], "held").give(shares[1]).give(shares[0])
    mixed.done(file, "any-order", "F-18 F-22", "what comes early is held until it can be judged", chosen.k + 1)
    ahead = played[chosen.k + 1]
    early = feed().give(ahead.reveals[0], "held").whole(chosen)
    early.give(ahead.reveals[1]).done(file, "one-ahead", "F-26", "an entry of the next step is held", chosen.k + 1)
    far = played[chosen.k + 2]
    feed().give(far.reveals[0], "dropped").done(
        file, "two-ahead", "F-26", "an entry two steps ahead is dropped", chosen.k
    )
    old = feed([*before, chosen, ahead]).give(shares[0], "duplicate").give(played[0].acks[0], "duplicate")
    old.done(file, "old", "F-26 F-27", "entries of finished steps change nothing", chosen.k + 2)
    twice = feed().give(shares[0]).give(shares[0], "duplicate").give([shares[0][0], B64], "duplicate")
    twice.done(file, "twice", "F-27 F-28", "a known body is not verified again, whatever its signature", chosen.k)

    for name, why, entry, error in (
        ("signature", "64 other bytes", [shares[0][0], B64], 32),
        (
            "signature-of-other",
            "signed by another seat",
            [shares[0][0], game.key(1).sign(ENTRY, game.game, shares[0][0])],
            32,
        ),
        (
            "signature-other-game",
            "signed for another game",
            [shares[0][0], game.key(0).sign(ENTRY, B32, shares[0][0])],
            32,
        ),
        (
            "signature-mine",
            "signed in another context",
            [shares[0][0], game.key(0).sign(MINE, game.game, shares[0][0])],
            32,
        ),
        ("bot-seat", "a bot signs nothing", [cmp([REVEAL, chosen.k, 2, B32]), B64], 30),
        ("no-seat", "no such seat", [cmp([REVEAL, chosen.k, 3, B32]), B64], 30),
    ):
        bad = feed().give(entry, {"error": error}).whole(chosen)
        bad.done(file, name, "F-15", f"{why}; the right entry is taken afterwards", chosen.k + 1)
    chain = game.seats[0].chain
    assert isinstance(chain, Chain)
    for name, why, share in (
        ("later-share", "of the next step", chain.share(chosen.k + 1)),
        ("random-share", "made up", B32),
    ):
        bad = feed().give(game.signed(0, [REVEAL, chosen.k, 0, share]), {"error": 33})
        bad.done(file, name, "F-3", f"a share {why}", chosen.k)

    def moved(name: str, spec: str, why: str, entry: Signed, error: int) -> None:
        feed().give(shares[0]).give(shares[1]).give(entry, {"error": error}).done(file, name, spec, why, chosen.k)

    illegal = [2, 1, 59]
    moved("illegal", "F-23", "an action that no card allows", move(illegal), 34)
    moved("no-action", "F-23 R-14", "numbers that are no action", move([9, 9]), 34)
    moved("pawn-0", "F-23 R-14", "pawns are numbered from 1", move([1, 0]), 34)
    moved("pawn-5", "F-23 R-14", "no such pawn", move([1, 5]), 34)
    moved("declined", "F-23 R-20", "a card that must be used", move([]), 34)
    moved("wrong-head", "F-23", "another head", move(chosen.action, head=B32), 34)
    moved("wrong-state", "F-24", "another state", move(chosen.action, state=B32), 36)
    moved("out-of-turn", "F-23 F-21", "a seat that is not on turn", move(chosen.action, seat=other), 34)
    own_ack = game.signed(mover, [ACK, chosen.k, mover, game.steps[chosen.k + 1].head])
    sent = feed().give(shares[0]).give(shares[1]).give(chosen.move).give(own_ack, {"error": 3})
    sent.done(file, "mover-acks", "F-21", "a MOVE is its seat's ACK", chosen.k)
    lot_move = game.signed(mover, [MOVE, auto.k, mover, auto.head, [], B32])
    sent = feed(played[: auto.k]).give(auto.reveals[0]).give(auto.reveals[1]).give(lot_move, {"error": 34})
    sent.done(file, "move-for-a-bot", "F-21 F-23", "nobody moves for a bot", auto.k)

    contested = feed().give(shares[0]).give(shares[1]).give(chosen.move).give(move(second), {"error": 35})
    contested.done(file, "two-moves", "F-17", "two MOVEs before any share of the next step", chosen.k)
    late = feed([*before, chosen]).give(move(second), {"error": 35})
    late.done(file, "two-moves-late", "F-17", "the second comes after the step", chosen.k + 1)
    both = feed().give(shares[0]).give(game.signed(0, [REVEAL, chosen.k, 0, B32]), {"error": 35})
    both.done(file, "two-shares", "F-17", "two REVEALs", chosen.k)
    two = game.signed(other, [ACK, chosen.k, other, B32])
    both = feed([*before, chosen]).give(two, {"error": 35})
    both.done(file, "two-acks", "F-17", "two ACKs", chosen.k + 1)
    led = feed().give(shares[0]).give(shares[1]).give(chosen.move).give(move(second), {"error": 35})
    led.give(acks[0]).give(two, "dropped")
    led.done(file, "two-acks-after-two-moves", "F-17", "whoever was shown two moves is not to blame", chosen.k + 1)
    differs = feed().give(shares[0]).give(shares[1]).give(chosen.move).give(two, "head differs")
    differs.done(
        file, "ack-of-another-head", "F-25", "it proves nothing by itself, and the step is not final", chosen.k
    )


def records(file: File, game: Played) -> None:
    played = game.steps
    step = next(step for step in played[3:] if step.move)
    auto = next(step for step in played[1:] if step.move is None)
    if step.move is None:
        raise ValueError("a human's step was due")
    shares, move, acks = step.reveals, step.move, step.acks
    seat = 1 - step.seat

    def given(at: Step, entries: list[Signed], k: int | None = None) -> dict[str, object]:
        feed = Feed(game).whole(*played[: at.k])
        rows = [{"body": body.hex(), "sig": sig.hex()} for body, sig in entries]
        return {
            "table": game.table.hex(),
            "feed": feed.rows,
            "record": {"k": at.k if k is None else k, "entries": rows},
        }

    def due(k: int) -> dict[str, object]:
        return {"k": k, "head": played[k].head.hex()}

    spec = "S-4"
    file.valid("records", "whole", spec, "shares, the MOVE, ACKs", given(step, step.entries), due(step.k + 1))
    file.valid("records", "bot", spec, "a bot's step has no MOVE", given(auto, auto.entries), due(auto.k + 1))
    file.valid("records", "lot", spec, "step 0", given(played[0], played[0].entries), due(1))
    old, early = played[step.k - 1], played[step.k + 1]
    file.valid(
        "records",
        "old",
        spec,
        "a step that is final here changes nothing",
        given(step, old.entries, old.k),
        due(step.k),
    )
    file.valid(
        "records", "early", spec, "nor does one beyond the open step", given(step, early.entries, early.k), due(step.k)
    )
    other_head = game.signed(seat, [ACK, step.k, seat, B32])
    illegal = game.signed(step.seat, [MOVE, step.k, step.seat, step.head, [2, 1, 59], B32])
    leave = game.signed(0, [LEAVE, step.k, 0, 0])
    for name, why, entries, error in (
        ("empty-acks", "the ACK is missing", [*shares, move], 3),
        ("no-move", "the MOVE is missing", [*shares, *acks], 3),
        ("no-share", "a share is missing", [shares[0], move, *acks], 3),
        ("out-of-order", "ACK before MOVE", [*shares, *acks, move], 3),
        ("seats-out-of-order", "seat 1 before seat 0", [shares[1], shares[0], move, *acks], 3),
        ("twice", "one share twice", [shares[0], *shares, move, *acks], 3),
        ("other-step", "a share of the next step", [*shares, early.reveals[0], move, *acks], 3),
        ("leave", "a LEAVE is no part of a step", [*shares, move, *acks, leave], 3),
        ("signature", "a signature that does not hold", [[shares[0][0], B64], shares[1], move, *acks], 32),
        ("share", "a share that opens nothing", [game.signed(0, [REVEAL, step.k, 0, B32]), shares[1], move, *acks], 33),
        ("illegal", "an illegal action", [*shares, illegal, *acks], 34),
        ("other-head", "an ACK of another head", [*shares, move, other_head], 36),
    ):
        file.invalid("records", name, spec, why, given(step, entries), error)


def end(file: File, engine: bytes) -> None:
    rules = replace(STANDARD, pawns=1, pawns_out=1)
    seats = [human("end", 0, "Ann"), human("end", 1, "Bob")]
    game = Played(table_value(rules, engine, seats, None), rules, seats)
    feed = Feed(game).whole(*game.steps)
    feed.give(game.reveal(0, len(game.steps)), "dropped")
    given = {"table": game.table.hex(), "feed": feed.rows}
    due = {"results": feed.due, "k": len(game.steps), "head": game.head.hex()}
    file.valid("steps", "after-the-win", "F-29 R-21", "no step follows a win", given, due)

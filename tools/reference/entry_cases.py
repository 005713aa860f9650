"""entries.json: bodies, ids, heads, states, tables, consents, and whole steps fed entry by entry."""

from __future__ import annotations

from collections.abc import Callable

from tests.sim.referee import PROFILES, STANDARD
from tools.reference import step_cases
from tools.reference.core import (
    ACK,
    ENTRY,
    LEAVE,
    MOVE,
    NO_GAME,
    REVEAL,
    TABLE,
    Y8,
    auto_id,
    cmp,
    entry_id,
    game_of,
    head_next,
    head_start,
    made_up,
    snapshot,
    state_of,
)
from tools.reference.notation import File, shown
from tools.reference.play import Played, bot, human, rules_array, table_value

B32, B64 = made_up("entry 32"), made_up("entry 64", 64)


def entries(engine: bytes) -> File:
    file = File(
        "entries", "Entry bodies, ids, heads, states, tables and consents, and steps (SPEC.md 4.2 and 5.5 to 5.6)."
    )
    _bodies(file)
    _digests(file)
    seats = [human("entries", 0, "Ann"), human("entries", 1, "B\u00f6b"), bot(3, "Cy")]
    table = table_value(STANDARD, engine, seats, None)
    _tables(file, table)
    game = Played(table, STANDARD, seats, most=60)
    _consents(file, game)
    _heads(file, game)
    step_cases.steps(file, game)
    step_cases.records(file, game)
    step_cases.end(file, engine)
    return file


def _bodies(file: File) -> None:
    good = {
        "reveal": [REVEAL, 0, 0, B32],
        "reveal-last": [REVEAL, 4095, 3, B32],
        "move-none": [MOVE, 1, 0, B32, [], B32],
        "move-leave-start": [MOVE, 1, 3, B32, [1, 1], B32],
        "move-forward": [MOVE, 300, 2, B32, [2, 4, 12], B32],
        "move-backward": [MOVE, 300, 2, B32, [3, 1, 4], B32],
        "move-split": [MOVE, 4095, 1, B32, [4, 1, 3, 2, 4], B32],
        "move-exchange": [MOVE, 128, 1, B32, [5, 1, 0, 2], B32],
        "move-replacement": [MOVE, 128, 1, B32, [6, 3, 0, 2], B32],
        "ack": [ACK, 0, 0, B32],
        "leave-for-now": [LEAVE, 5, 1, 0],
        "leave-for-good": [LEAVE, 5, 1, 1],
    }
    for name, value in good.items():
        file.valid("body", name, "F-11", "a body of this shape", {"bytes": cmp(value).hex()}, {"value": shown(value)})
    bad = {
        "no-array": 5,
        "empty": [],
        "kind-0": [0, 1, 0, B32],
        "kind-5": [5, 1, 0, B32],
        "kind-text": ["1", 1, 0, B32],
        "kind-bool": [True, 1, 0, B32],
        "reveal-short": [REVEAL, 1, 0],
        "reveal-long": [REVEAL, 1, 0, B32, None],
        "reveal-31-bytes": [REVEAL, 1, 0, B32[:31]],
        "reveal-step-4096": [REVEAL, 4096, 0, B32],
        "reveal-seat-4": [REVEAL, 1, 4, B32],
        "reveal-step-bool": [REVEAL, True, 0, B32],
        "move-step-0": [MOVE, 0, 0, B32, [], B32],
        "move-step-4096": [MOVE, 4096, 0, B32, [], B32],
        "move-action-nil": [MOVE, 1, 0, B32, None, B32],
        "move-action-six": [MOVE, 1, 0, B32, [4, 1, 3, 2, 4, 0], B32],
        "move-action-bool": [MOVE, 1, 0, B32, [2, True, 3], B32],
        "move-action-256": [MOVE, 1, 0, B32, [2, 1, 256], B32],
        "move-without-state": [MOVE, 1, 0, B32, []],
        "ack-without-head": [ACK, 1, 0],
        "leave-reason-2": [LEAVE, 1, 0, 2],
        "leave-nil": [LEAVE, 1, 0, None],
    }
    for name, value in bad.items():
        file.invalid("body", name, "F-11", "no body", {"bytes": cmp(value).hex()}, 3)  # type: ignore[arg-type]
    file.invalid("body", "not-canonical", "F-11 W-5", "an integer in a longer form", {"bytes": "9404cc0500c2"}, 2)
    file.invalid("body", "trailing", "F-11 W-8", "a byte too many", {"bytes": cmp([LEAVE, 5, 1, 0]).hex() + "00"}, 1)


def _digests(file: File) -> None:
    game = made_up("digest game")
    body = cmp([ACK, 0, 0, B32])
    file.valid(
        "entry-id",
        "ack",
        "F-12",
        "an id without a signature",
        {"game": game.hex(), "body": body.hex()},
        {"id": entry_id(game, body).hex()},
    )
    file.valid("head-start", "any", "F-13", "head_0", {"game": game.hex()}, {"head": head_start(game).hex()})
    for k, move in ((0, bytes(32)), (1, made_up("move id")), (4095, made_up("last move id"))):
        given = {"head": B32.hex(), "k": k, "secret": made_up("head secret").hex(), "move": move.hex()}
        due = {"head": head_next(B32, k, made_up("head secret"), move).hex()}
        file.valid("head-next", str(k), "F-13", "step 0 has 32 zero bytes for its move", given, due)
    for action in ([], [1, 1], [4, 1, 3, 2, 4]):
        name = "-".join(map(str, action)) or "none"
        given = {"action": action, "state": B32.hex()}
        file.valid("auto-id", name, "F-13", "the id of a bot's action", given, {"id": auto_id(action, B32).hex()})
    for name, over, turn, locations, pile in (
        ("beginning", 0, 1, [[0, 0, 0], [0, 0, 0]], [5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4]),
        ("mid-game", 0, 3, [[0, 5, 66], [61, 65, 1], [60, 0, 0], [66, 66, 59]], [0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 1]),
        ("empty-pile", 0, 0, [[5], [20]], [0] * 11),
        ("won", 2, 1, [[0, 0, 0, 0], [66, 66, 66, 66]], [1] * 11),
    ):
        codes = (1, 2, 3, 4, 5, 7, 8, 10, 11, 12, 13)
        data = snapshot(turn, over, locations, [code for code, n in zip(codes, pile, strict=True) for _ in range(n)])
        given = {"turn": turn, "over": over, "locations": locations, "pile": pile}
        due = {"snapshot": data.hex(), "state": state_of(data).hex()}
        file.valid("state", name, "F-14", "pawns by number, cards by code, after a win the winner's turn", given, due)


def _heads(file: File, game: Played) -> None:
    for step in game.steps[:6]:
        given = {
            "game": game.game.hex(),
            "k": step.k,
            "head": step.head.hex(),
            "shares": {str(seat): shares[0].hex() for seat, shares in zip(game.humans, step.reveals, strict=True)},
            "move": None if step.move is None else step.move[0].hex(),
            "action": step.action,
            "snapshot": step.after.snapshot().hex(),
        }
        next_head = game.steps[step.k + 1].head
        due = {"secret": step.secret.hex(), "card": step.card, "head": next_head.hex()}
        file.valid(
            "step-head", str(step.k), "F-5 F-9 F-13 F-14", "a step of a game from its entries to its head", given, due
        )


# Tables


def _tables(file: File, table: list[object]) -> None:  # noqa: PLR0915 - one case a line
    data = cmp(table)  # type: ignore[arg-type]
    file.valid(
        "table", "three", "T-1 T-9", "two humans and a bot", {"table": data.hex()}, {"game": game_of(data).hex()}
    )
    lines: list[list[object]] = [list(line) for line in table[5]]  # type: ignore[attr-defined]

    def case(
        name: str, spec: str, why: str, change: Callable[[list[object], list[list[object]]], None], error: int | None
    ) -> None:
        changed = [*table[:5], [list(line) for line in lines], *table[6:]]
        change(changed, changed[5])  # type: ignore[arg-type]
        data = cmp(changed)  # type: ignore[arg-type]
        if error is None:
            file.valid("table", name, spec, why, {"table": data.hex()}, {"game": game_of(data).hex()})
        else:
            file.invalid("table", name, spec, why, {"table": data.hex()}, error)

    def at(place: int, value: object) -> Callable[[list[object], list[list[object]]], None]:
        return lambda whole, _: whole.__setitem__(place, value)

    def line(seat: int, place: int, value: object) -> Callable[[list[object], list[list[object]]], None]:
        return lambda _, rows: rows[seat].__setitem__(place, value)

    case("first-named", "T-8", "the youngest begins", at(6, 1), None)
    case("all-options", "T-7", "three bits", at(3, 7), None)
    case("shared-client", "T-5", "two people at one keyboard", line(1, 1, 0), None)
    for name, rules in (("classic", PROFILES["classic"]), ("2013", PROFILES["2013"])):
        case(name, "R-1 T-7", "a profile", at(2, rules_array(rules)), None)
    case("version-2", "T-1", "another version of the document", at(0, 2), 3)
    case("proto-2", "T-7", "other game rules of the wire", at(1, 2), 10)
    case("unknown-option", "T-7", "bit 3", at(3, 8), 3)
    case("engine-short", "T-1", "31 bytes", at(4, bytes(31)), 3)
    case("first-without-seat", "T-8", "no such seat", at(6, 3), 3)
    case("one-field-more", "T-1", "nine fields", lambda whole, _: whole.append(None), 3)
    case("parent-malformed", "T-1", "a parent of one field", at(7, [B32]), 3)
    case("one-seat", "T-2", "a table for one", lambda _, rows: rows.__delitem__(slice(1, 3)), 3)
    case("five-seats", "T-2", "a table for five", lambda _, rows: rows.extend([rows[2], rows[2]]), 3)
    case(
        "descending",
        "T-2",
        "colours 1, 0, 3",
        lambda _, rows: (rows[0].__setitem__(5, 1), rows[1].__setitem__(5, 0)),
        3,
    )
    case("equal-colours", "T-3 T-2", "colour 0 twice", line(1, 5, 0), 23)
    case("equal-names", "T-3", "one name twice", line(1, 6, "Ann"), 23)
    case("bot-named-like-human", "T-3", "one name twice", line(2, 6, "Ann"), 23)
    case("equal-keys", "T-3", "one key twice", line(1, 2, lines[0][2]), 23)
    case("equal-nonces", "T-3", "one nonce twice", line(1, 3, lines[0][3]), 23)
    case("equal-anchors", "T-3", "a copied anchor", line(1, 4, lines[0][4]), 23)
    case("weak-key", "T-21 W-16", "a key of small order", line(1, 2, Y8.to_bytes(32, "little")), 3)
    case("zero-key", "T-21 W-16", "a human without a key", line(1, 2, bytes(32)), 3)
    case("bot-with-key", "T-4", "a bot has no key", line(2, 2, B32), 3)
    case("bot-with-nonce", "T-4", "a bot has no nonce", line(2, 3, B32), 3)
    case("bot-with-anchor", "T-4", "a bot has no anchor", line(2, 4, B32), 3)
    case("bot-at-a-client", "T-4", "a bot is its own client", line(2, 1, 0), 3)
    case("client-is-bot", "T-5", "a bot has no client", line(1, 1, 2), 3)
    case(
        "client-chain",
        "T-5",
        "two seats that name each other",
        lambda _, rows: (rows[0].__setitem__(1, 1), rows[1].__setitem__(1, 0)),
        3,
    )
    case("human-level", "T-6", "a human with a level", line(0, 7, 1), 3)
    case("bot-level", "T-6", "a level that there is not", line(2, 7, 4), 3)
    case("bad-name", "W-11", "an escape byte", line(0, 6, "a\x1b"), 3)
    case("kind-3", "T-1", "no kind of seat", line(2, 0, 3), 3)

    def only_bots(_: list[object], rows: list[list[object]]) -> None:
        for seat in (0, 1):
            rows[seat][:5] = [1, seat, bytes(32), bytes(32), bytes(32)]

    case("only-bots", "T-2", "nobody at the table", only_bots, 3)
    standard = rules_array(STANDARD)
    for place, value in (
        (0, 0),
        (0, 5),
        (1, 0),
        (1, 1 << 4),
        (1, 1 << 6),
        (1, 1 << 13),
        (1, 7471),
        (2, 4),
        (3, 3),
        (4, 3),
        (5, 2),
        (6, 3),
        (7, 2),
        (8, 3),
        (9, 2),
        (10, 3),
        (11, 0),
        (11, 3),
        (12, 2),
        (13, 3),
        (13, 6),
    ):
        why = "a value outside the row of this switch"
        case(f"rules-{place}-{value}", "R-2", why, at(2, [*standard[:place], value, *standard[place + 1 :]]), 3)
    case("rules-13", "R-1 R-2", "13 numbers", at(2, standard[:13]), 3)
    case("rules-bool", "W-9 R-2", "a boolean among them", at(2, [*standard[:5], False, *standard[6:]]), 3)


def _consents(file: File, game: Played) -> None:
    sig = game.consents[0][1]
    other = game.consents[1][1]
    again = game.key(0).sign(TABLE, NO_GAME, game.table + b"\x00")
    for name, why, seat, signature, holds in (
        ("right", "by the key of its line", 0, sig, True),
        ("other-seat", "the signature of another seat", 0, other, False),
        ("wrong-seat", "the right signature under another seat", 1, sig, False),
        ("bot", "a bot does not consent", 2, sig, False),
        ("other-context", "signed as an entry", 0, game.key(0).sign(ENTRY, game.game, game.table), False),
        ("other-table", "signed under other bytes", 0, again, False),
        ("the-hash", "the hash was signed", 0, game.key(0).sign(TABLE, NO_GAME, game.game), False),
    ):
        given = {"table": game.table.hex(), "seat": seat, "sig": signature.hex()}  # type: ignore[attr-defined]
        file.valid("consent", name, "T-10 W-17", why, given, {"holds": holds})

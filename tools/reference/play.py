"""Whole games: tables, steps, heads and signed entries; the referee alone judges the rules (SPEC.md 4-7)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace

from tests.sim.referee import (
    COLOURS,
    PROFILES,
    STANDARD,
    Board,
    Switches,
    draws_again,
    may_decline,
    moves,
    new_board,
    turn_after,
    winner,
)
from tools.reference.core import (
    ACK,
    ENTRY,
    MOVE,
    NO_GAME,
    REVEAL,
    TABLE,
    Chain,
    Key,
    auto_id,
    cmp,
    draw,
    entry_id,
    game_of,
    h,
    head_next,
    head_start,
    joint,
    made_up,
    pick,
    sized,
    snapshot,
    state_of,
    u8,
    u32,
)

HUMAN, BOT = 0, 1
FIRST_LINE = b"sorry-lan transcript 1\n"
_VALUES: dict[str, tuple[object, ...]] = {
    "pawns": (1, 2, 3, 4),
    "start_cards": tuple(PROFILES[name].start_cards for name in ("standard", "classic", "2013")),
    "slide_on": ("own", "other", "any", "none"),
    "two_draws_again": ("always", "if_moved", "never"),
    "sorry_forward": ("no", "fallback", "choice"),
    "start_by_count": (False, True),
    "slide_past_entry": ("carry", "stay", "enter"),
    "slide_own_pawns": ("bump", "block"),
    "swap_slide": ("mover", "both", "none"),
    "sorry_slide": (False, True),
    "eleven_pass": ("if_no_forward", "never", "always"),
    "split_pawns": (2, 1),
    "pawns_out": (0, 1),
    "ones": (5, 4),
}
_AS_THEY_ARE = ("pawns", "split_pawns", "pawns_out", "ones")


def rules_array(rules: Switches) -> list[int]:
    """The 14 integers of the wire (9.1)."""
    out = []
    for name, values in _VALUES.items():
        value = getattr(rules, name)
        if name == "start_cards":
            out.append(sum(1 << card for card in value))
        elif name in _AS_THEY_ARE:
            out.append(value)
        else:
            out.append(values.index(value))
    return out


def variations() -> list[tuple[str, Switches]]:
    """The three profiles, then standard with each single other value of each switch."""
    out = [(name, PROFILES[name]) for name in ("standard", "classic", "2013")]
    for name, values in _VALUES.items():
        for value in values:
            if value != getattr(STANDARD, name):
                text = ",".join(map(str, sorted(value))) if isinstance(value, frozenset) else str(value).lower()
                out.append((f"{name}={text}", replace(STANDARD, **{name: value})))
    return out


def location(place: str) -> int:
    """The number of a place in a snapshot."""
    if place == "start":
        return 0
    if place == "home":
        return 66
    kind, _, number = place.partition(":")
    return (1 if kind == "sq" else 61) + int(number)


def choices(rules: Switches, board: Board, colour: str, card: int) -> list[list[int]]:
    """What a seat may answer a card with, ascending by CMP bytes."""
    legal = moves(rules, board, colour, card)
    out = [list(action) for action in legal]
    if not legal or may_decline(rules, card, legal):
        out.append([])
    return sorted(out, key=cmp)


@dataclass
class State:
    """A position with its pile."""

    rules: Switches
    board: Board
    turn: int
    pile: list[int] = field(default_factory=list)

    @property
    def seats(self) -> list[str]:
        return list(self.board)

    @property
    def over(self) -> int:
        won = winner(self.board)
        return 0 if won is None else 1 + self.seats.index(won)

    def snapshot(self) -> bytes:
        locations = [[location(place) for place in places] for places in self.board.values()]
        return snapshot(self.over - 1 if self.over else self.turn, self.over, locations, self.pile)

    def drawn(self, secret: bytes) -> tuple[int, State]:
        card, pile = draw(secret, self.pile, self.rules.ones)
        return card, replace(self, pile=pile)

    def choices(self, card: int) -> list[list[int]]:
        return choices(self.rules, self.board, self.seats[self.turn], card)

    def after(self, card: int, action: list[int]) -> State:
        colour = self.seats[self.turn]
        legal = moves(self.rules, self.board, colour, card)
        if action and tuple(action) not in legal:
            raise ValueError(f"illegal: {action}")
        board = legal[tuple(action)] if action else self.board
        then = turn_after(board, colour, again=draws_again(self.rules, card, legal))
        return replace(self, board=board, turn=self.turn if then is None else self.seats.index(then))


def squares_left(colour: str, places: list[str]) -> int:
    """How many squares these pawns have before them, 65 from Start."""
    total = 0
    entry = 2 + 15 * COLOURS.index(colour)
    for place in places:
        kind, _, number = place.partition(":")
        if kind == "start":
            total += 65
        elif kind == "sq":
            total += (entry - int(number)) % 60 + 6
        elif kind == "safe":
            total += 5 - int(number)
    return total


def easy(secret: bytes, state: State, card: int) -> list[int]:
    """Three cards of four: whoever touches nobody and is nearest Home afterwards; otherwise anything."""
    offered = state.choices(card)
    if pick("mood", secret, 4):
        me = state.seats[state.turn]
        boards = [(action, state.after(card, action).board) for action in offered]
        kind = [(a, b) for a, b in boards if all(b[c] == state.board[c] for c in b if c != me)] or boards
        nearest = min(squares_left(me, b[me]) for _, b in kind)
        offered = [a for a, b in kind if squares_left(me, b[me]) == nearest]
    return offered[pick("bot", secret, len(offered))]


def medium(secret: bytes, state: State, card: int) -> list[int]:
    """The best of all seats' squares together less its own once for every seat."""
    me = state.seats[state.turn]

    def lead(action: list[int]) -> int:
        left = {c: squares_left(c, places) for c, places in state.after(card, action).board.items()}
        return sum(left.values()) - len(left) * left[me]

    offered = state.choices(card)
    best = max(map(lead, offered))
    offered = [action for action in offered if lead(action) == best]
    return offered[pick("bot", secret, len(offered))]


# The corpus of the engine digest (5.7)


def corpus_game(g: int, rules: Switches, steps: int = 120) -> dict[str, object]:
    """One bot game: [seat, card, action] of each step, and the head at its end."""
    game = h("corpus", u8(g))
    secret = h("corpus", u8(g), u32(0))
    state = State(rules, new_board(rules, COLOURS), pick("first", secret, 4))
    head = head_next(head_start(game), 0, secret, bytes(32))
    played: list[list[object]] = []
    for k in range(1, steps):
        secret = h("corpus", u8(g), u32(k))
        card, state = state.drawn(secret)
        action = easy(secret, state, card)
        played.append([state.turn, card, action])
        state = state.after(card, action)
        head = head_next(head, k, secret, auto_id(action, state_of(state.snapshot())))
        if state.over:
            break
    return {"played": played, "head": head, "snapshot": state.snapshot(), "over": state.over}


def engine_digest(heads: list[bytes]) -> bytes:
    return h("engine", sized(cmp([1, 3, list(heads)])))


# Tables and signed games


@dataclass(frozen=True)
class Seat:
    """One seat of a made-up table; key and chain are None for a bot."""

    kind: int
    colour: int
    name: str
    key: Key | None = None
    nonce: bytes = bytes(32)
    chain: Chain | None = None
    client: int | None = None


def human(label: str, colour: int, name: str, client: int | None = None) -> Seat:
    key = Key(made_up(f"{label}/{name}/seed"))
    nonce = made_up(f"{label}/{name}/nonce")
    return Seat(HUMAN, colour, name, key, nonce, Chain(made_up(f"{label}/{name}/root"), key.public, nonce), client)


def bot(colour: int, name: str) -> Seat:
    return Seat(BOT, colour, name)


def seat_line(seat: Seat, index: int) -> list[object]:
    client = index if seat.client is None else seat.client
    pk = seat.key.public if seat.key else bytes(32)
    anchor = seat.chain.anchor if seat.chain else bytes(32)
    return [seat.kind, client, pk, seat.nonce, anchor, seat.colour, seat.name, 0]


def table_value(rules: Switches, engine: bytes, seats: list[Seat], first: int | None, options: int = 0) -> list[object]:
    lines = [seat_line(seat, index) for index, seat in enumerate(seats)]
    return [1, 1, rules_array(rules), options, engine, lines, first, None]


@dataclass
class Step:
    """One played step with everything that was signed in it."""

    k: int
    head: bytes
    secret: bytes
    seat: int
    card: int | None
    offered: list[list[int]]
    action: list[int] | None
    before: State
    after: State
    reveals: list[list[bytes]]
    move: list[bytes] | None
    acks: list[list[bytes]]

    @property
    def entries(self) -> list[list[bytes]]:
        return [*self.reveals, *([self.move] if self.move else []), *self.acks]


class Played:
    """A game from its table to a win (or `most` steps); humans take the action that brings them furthest."""

    def __init__(self, table: list[object], rules: Switches, seats: list[Seat], most: int = 4096) -> None:
        self.table = cmp(table)  # type: ignore[arg-type]
        self.rules, self.seats = rules, seats
        self.game = game_of(self.table)
        self.humans = [index for index, seat in enumerate(seats) if seat.kind == HUMAN]
        self.consents = [[index, self.key(index).sign(TABLE, NO_GAME, self.table)] for index in self.humans]
        self.steps: list[Step] = []
        first = table[6]
        self._run(first if isinstance(first, int) else None, most)

    def key(self, seat: int) -> Key:
        key = self.seats[seat].key
        if key is None:
            raise ValueError("a bot has no key")
        return key

    def signed(self, seat: int, body: list[object]) -> list[bytes]:
        data = cmp(body)  # type: ignore[arg-type]
        return [data, self.key(seat).sign(ENTRY, self.game, data)]

    def reveal(self, seat: int, k: int) -> list[bytes]:
        chain = self.seats[seat].chain
        if chain is None:
            raise ValueError("a bot has no chain")
        return self.signed(seat, [REVEAL, k, seat, chain.share(k)])

    def secret(self, k: int) -> bytes:
        chains = {seat: self.seats[seat].chain for seat in self.humans}
        return joint(self.game, k, {seat: chain.share(k) for seat, chain in chains.items() if chain})

    def _run(self, first: int | None, most: int) -> None:
        secret = self.secret(0)
        board = new_board(self.rules, [COLOURS[seat.colour] for seat in self.seats])
        turn = pick("first", secret, len(self.seats)) if first is None else first
        state = State(self.rules, board, turn)
        head = head_start(self.game)
        after = head_next(head, 0, secret, bytes(32))
        reveals = [self.reveal(seat, 0) for seat in self.humans]
        acks = [self.signed(seat, [ACK, 0, seat, after]) for seat in self.humans]
        self.steps.append(Step(0, head, secret, turn, None, [], None, state, state, reveals, None, acks))
        self.head = after
        while not state.over and len(self.steps) < most:
            state = self._step(len(self.steps), state)
        self.state = state

    def _step(self, k: int, state: State) -> State:
        secret = self.secret(k)
        mover = state.turn
        card, drawn = state.drawn(secret)
        offered = drawn.choices(card)
        if self.seats[mover].kind == BOT:
            action = easy(secret, drawn, card)
        else:
            action = max(offered, key=lambda each: (self._progress(drawn.after(card, each), mover), cmp(each)))
        after = drawn.after(card, action)
        digest = state_of(after.snapshot())
        move = None
        if self.seats[mover].kind == HUMAN:
            move = self.signed(mover, [MOVE, k, mover, self.head, action, digest])
            link = entry_id(self.game, move[0])
        else:
            link = auto_id(action, digest)
        head, self.head = self.head, head_next(self.head, k, secret, link)
        reveals = [self.reveal(seat, k) for seat in self.humans]
        acks = [self.signed(seat, [ACK, k, seat, self.head]) for seat in self.humans if move is None or seat != mover]
        self.steps.append(Step(k, head, secret, mover, card, offered, action, state, after, reveals, move, acks))
        return after

    def _progress(self, state: State, seat: int) -> int:
        total = 0
        for index, (colour, places) in enumerate(state.board.items()):
            sign = 3 if index == seat else -1
            total += sign * sum(_travelled(colour, place) for place in places)
        return total

    # -- files: section 7.1 of SPEC.md --

    def frames(self) -> list[list[object]]:
        rows: list[list[object]] = [[0, self.table, self.consents]]
        rows += [[1, step.k, step.entries] for step in self.steps]
        return [*rows, [2, len(self.steps), self.head, 0]]


def _travelled(colour: str, place: str) -> int:
    if place == "start":
        return 0
    if place == "home":
        return 70
    kind, _, number = place.partition(":")
    if kind == "safe":
        return 62 + int(number)
    return 2 + (int(number) - 15 * COLOURS.index(colour) - 4) % 60


def transcript(rows: list[list[object]]) -> bytes:
    """A file of these frames with its SHA-256."""
    data = FIRST_LINE
    for row in rows:
        data += sized(cmp(row))  # type: ignore[arg-type]
    return data + hashlib.sha256(data).digest()

"""Whole games, checked after every move: `python -m tests.fair.games --unsigned 1000 --signed 20`.

Unsigned: rules and draws only. Signed: real keys, one ledger a person, entries delivered in any order, file verified.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from random import Random

from sorry_lan.fair.draw import joint_secret
from sorry_lan.fair.entry import Reveal, decode_body, head_start
from sorry_lan.fair.record import Duty, Ledger
from sorry_lan.fair.step import Drawn, Standing, begin, cast_lot, computed_id, count, draw, opening, outcome
from sorry_lan.fair.transcript import EndFrame, Ending, encode_transcript
from sorry_lan.fair.verify import Outcome, verify_transcript
from sorry_lan.rules.board import ENTRY, HOME, OUTER, START, Colour
from sorry_lan.rules.cards import CARDS, Card, full_deck
from sorry_lan.rules.engine import legal_moves
from sorry_lan.rules.moves import Backward, Decline, Forward, Move, Split
from sorry_lan.rules.position import Position, problems
from sorry_lan.rules.profile import Rules, variations
from sorry_lan.wire.messages import Signed
from tests.fair.build import Table, seed, table

MOST_STEPS = 4096
KINDS = {2: ("hh", "hb"), 3: ("hhh", "hhb"), 4: ("hhhh", "hbhh")}


class Deck:
    """Follows every card from pile to discards: pile, discards and the card in play are the whole deck at each draw."""

    def __init__(self, rules: Rules) -> None:
        self.whole = full_deck(rules)
        self.discards: Counter[Card] = Counter()

    def drawn(self, before: tuple[int, ...], drawn: Drawn) -> None:
        if drawn.reshuffled:
            need(not any(before), "the pile is refilled only when nothing is left")
            need(tuple(self.discards[card] for card in CARDS) == self.whole, "all cards are refilled")
            self.discards.clear()
        in_play = Counter({drawn.card: 1})
        seen = tuple(drawn.pile[n] + self.discards[card] + in_play[card] for n, card in enumerate(CARDS))
        need(seen == self.whole, "pile, discards and the card in play are the whole deck")
        self.discards[drawn.card] += 1


def need(holds: bool, what: str) -> None:
    if not holds:
        raise AssertionError(what)


def check_choices(position: Position, rules: Rules, drawn: Drawn) -> None:
    """No duplicates; declining only an 11 or where nothing is legal (R12, R18)."""
    legal = legal_moves(position, rules, drawn.card)
    need(len(set(drawn.choices)) == len(drawn.choices) > 0, "every choice is there once")
    need([move for move in drawn.choices if move != Decline()] == list(legal), "all that is legal may be chosen")
    may_pass = Decline() in drawn.choices
    need(may_pass if not legal else not may_pass or drawn.card is Card.ELEVEN, "only an 11 is declined")


def check_move(before: Position, after: Position, rules: Rules, move: Move) -> None:
    """The invariants that hold from one position to the next."""
    need(problems(after, rules) == (), str(problems(after, rules)))
    mover = before.turn
    for seat, (old, new) in enumerate(zip(before.pawns, after.pawns, strict=True)):
        for pawn, (here, there) in enumerate(zip(old, new, strict=True), 1):
            need(here != HOME or there == HOME, "a pawn at Home stays")
            if seat != mover and here != there:
                need(here <= OUTER, "nobody else touches a safety zone")
            if seat == mover:
                check_count(before.colours[seat], here, there, move, pawn)


def check_count(colour: Colour, here: int, there: int, move: Move, pawn: int) -> None:
    """A forward count never leaves the own entry along the track: it turns in (R3)."""
    match move:
        case Forward(moved, n) if moved == pawn:
            steps = n
        case Split(first, a, second, b) if pawn in (first, second):
            steps = a if pawn == first else b
        case Backward(moved, _) if moved == pawn:
            return need(there <= HOME - 1, "nobody comes Home backward")
        case _:
            return None
    to_entry = (ENTRY[colour] - here) % 60 if START < here <= OUTER else 0
    if here > OUTER:
        return need(there == here + steps, "in the zone every step counts")
    if steps > to_entry:
        return need(there == OUTER + steps - to_entry, "a count past the entry turns in")
    return None


def unsigned_game(colours: tuple[Colour, ...], number: int, rules: Rules) -> int:
    """One game without keys; its number of steps."""
    rng = Random(f"{colours} {number}")
    standing = opening(rules, colours, head_start(seed("unsigned", number)))
    secret = rng.randbytes(32)
    standing = begin(standing, rules, secret, cast_lot(secret, None, len(colours))).after
    deck = Deck(rules)
    while standing.position.winner is None:
        need(standing.k < MOST_STEPS, "a game ends")
        standing = unsigned_step(standing, rules, rng, deck)
    return standing.k


def unsigned_step(standing: Standing, rules: Rules, rng: Random, deck: Deck) -> Standing:
    secret = rng.randbytes(32)
    drawn = draw(standing, rules, secret)
    deck.drawn(standing.pile, drawn)
    check_choices(standing.position, rules, drawn)
    result = outcome(standing, rules, drawn, rng.choice(drawn.choices))
    check_move(standing.position, result.position, rules, result.move)
    again = drawn.card is Card.TWO and result.position.winner is None and rules.two_draws_again.name == "ALWAYS"
    need(not again or result.position.turn == standing.position.turn, "a 2 draws again")
    return count(standing, secret, drawn, result, computed_id(result)).after


def signed_game(made: Table, number: int) -> int:
    """One game of people with keys, each with a ledger of their own; its number of steps."""
    rng = Random(number)
    clients = {seat: made.replica() for seat in made.ledger.humans}
    wire: list[tuple[int, Signed]] = []
    while wire or not all(ledger.over_final for ledger in clients.values()):
        for seat in clients:
            act(made, seat, clients, wire, rng)
        if wire:
            at = rng.randrange(len(wire))
            wire[at], wire[-1] = wire[-1], wire[at]
            seat, signed = wire.pop()
            clients[seat].accept(signed)
    need(len({ledger.head for ledger in clients.values()}) == 1, "all end at one head")
    files = {
        encode_transcript(made.bytes, made.consents(), ledger.records, EndFrame(ledger.k, ledger.head, int(Ending.WON)))
        for ledger in clients.values()
    }
    need(len(files) == 1, "all keep one file")
    need(verify_transcript(files.pop()).outcome is Outcome.HOLDS, "the file holds")
    return check_steps(clients[made.ledger.humans[0]])


def check_steps(ledger: Ledger) -> int:
    """Every step of a finished game once more, from the shares; their number."""
    deck = Deck(ledger.rules)
    for k in range(1, ledger.k):
        before, after = ledger.applied_of(k - 1), ledger.applied_of(k)
        drawn = draw(before.after, ledger.rules, secret_of(ledger, k))
        need(drawn.card is after.card, "the card follows from the shares")
        deck.drawn(before.pile, drawn)
        check_choices(before.position, ledger.rules, drawn)
        need(after.move in drawn.choices, "the move is legal")
        check_move(before.position, after.position, ledger.rules, after.move)
    return ledger.k


def secret_of(ledger: Ledger, k: int) -> bytes:
    bodies = [decode_body(signed.body) for signed in ledger.record(k).entries]
    return joint_secret(ledger.game_id, k, {body.seat: body.share for body in bodies if isinstance(body, Reveal)})


def act(made: Table, seat: int, clients: dict[int, Ledger], wire: list[tuple[int, Signed]], rng: Random) -> None:
    """Do what the seat has to do, and send it to everybody else."""
    ledger = clients[seat]
    match ledger.duty(seat):
        case Duty.NOTHING:
            return
        case Duty.REVEAL:
            signed = made.reveal(seat, ledger.k)
        case Duty.DECIDE:
            signed = made.sign(ledger.move_entry(rng.choice(ledger.open.choices)))
        case Duty.ACK:
            signed = made.sign(ledger.ack_entry(seat))
    ledger.accept(signed)
    wire += [(other, signed) for other in clients if other != seat]


def run(title: str, games: int, play: Callable[[int], int]) -> None:
    started = time.monotonic()
    steps = sorted(play(number) for number in range(games))
    seconds = time.monotonic() - started
    print(f"{title}: {games} games, {sum(steps)} steps, median {steps[games // 2]}, {seconds:.1f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unsigned", type=int, default=1000, help="games a player count")
    parser.add_argument("--signed", type=int, default=20, help="tables a player count")
    asked = parser.parse_args()
    varied = [rules for _, rules in variations()]
    for seats, kinds in KINDS.items():
        if asked.unsigned:
            colours = tuple(Colour)[:seats]
            run(
                f"unsigned, {seats} players",
                asked.unsigned,
                lambda n, colours=colours: unsigned_game(colours, n, varied[n % len(varied)]),
            )
        if asked.signed:
            run(
                f"signed, {seats} players",
                asked.signed,
                lambda n, kinds=kinds: signed_game(table(f"signed {n}", kinds[n % 2], varied[n % 3]), n),
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())

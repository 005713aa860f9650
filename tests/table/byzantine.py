"""Random Byzantine schedules against honest clients; `python -m tests.table.byzantine --seeds 1000 --seats 2,3,4`.

Evil clients have real keys, no guard against signing twice, share all they know, and see every frame they send.
Each schedule is fixed by its seed; the checker stops at the first broken promise.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from sorry_lan.fair.entry import Ack, Body, MoveEntry, Reveal, decode_body, encode_body, entry_id, sign_entry
from sorry_lan.fair.step import count, outcome
from sorry_lan.rules.moves import Decline, to_action
from sorry_lan.rules.profile import STARTERS, Rules
from sorry_lan.table.play import Game
from sorry_lan.table.settings import Role
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import encode_message
from sorry_lan.wire.keys import Context
from tests.table.build import MS, Node, World, person, settings
from tests.table.checker import Checker

LIVELY = Rules(pawns_out=1, start_cards=STARTERS)
"""Rules under which most cards leave a choice, so that there is something to equivocate about."""
STEPS = 12
"""Steps that a schedule goes at most."""


@dataclass
class Plan:
    """What the colluders agreed on in one step: which of two moves each victim is shown, and its head."""

    entries: tuple[m.Signed, m.Signed]
    heads: tuple[bytes, bytes]
    shown: dict[int, int]


class Coalition:
    """All evil clients of one world."""

    def __init__(self, world: World, evil: frozenset[int], random: Random) -> None:
        self.world = world
        self.evil = evil
        self.random = random
        self.plans: dict[int, Plan] = {}
        self.heard: list[m.Entry] = []
        # Some coalitions only equivocate, which is the most harmful; others do everything at once.
        self.noise = random.choice((0.0, 0.0, 0.05, 0.3))
        self.split = random.choice((0.3, 0.8, 1.0))
        for index in evil:
            world.meddlers[index] = lambda link, message, index=index: self.meddle(index, link, message)
        world.watch.append(self._overhear)
        world.at(world.now_us + 20 * MS, self._stir)

    def _overhear(self, node: Node, message: m.Message) -> None:
        if isinstance(message, m.Entry) and node.index not in self.evil and len(self.heard) < 400:
            self.heard.append(message)

    # -- what their own tables send ------------------------------------------------------------------------------

    def meddle(self, index: int, link: int, message: m.Message) -> None:
        node = self.world.nodes[index]
        game = node.table._game
        if game is not None and isinstance(message, m.Entry):
            body = decode_body(message.body)
            if body.seat in game.hands:
                self._own(node, game, link, message, body)
                return
            if self.random.random() < self.noise:
                return
        if isinstance(message, m.Status) and self.random.random() < self.noise:
            message = self._lie(message)
        self.world.deliver(index, link, encode_message(message))

    def _own(self, node: Node, game: Game, link: int, entry: m.Entry, body: Body) -> None:
        victim = self.world.peer_of(node.index, link)
        match body:
            case MoveEntry():
                entry = self._move(game, entry, body, victim)
            case Ack(k=k) if k in self.plans and self.random.random() < self.split:
                plan = self.plans[k]
                head = plan.heads[plan.shown.setdefault(victim, self.random.randrange(2))]
                entry = self._signed(game, replace(body, head=head))
            case Reveal() if self.random.random() < self.noise:
                entry = self._signed(game, self._bad_reveal(game, body))
            case _:
                if self.random.random() < self.noise / 2:
                    return
        self.world.deliver(node.index, link, encode_message(entry))

    def _move(self, game: Game, entry: m.Entry, body: MoveEntry, victim: int) -> m.Entry:
        """Show each victim one of two moves."""
        plan = self.plans.get(body.k)
        if plan is None and self.random.random() < self.split:
            plan = self._plan(game, entry, body)
        if plan is None:
            return entry
        self.plans[body.k] = plan
        which = plan.shown.setdefault(victim, len(plan.shown) % 2)
        signed = plan.entries[which]
        return m.Entry(entry.game, signed.body, signed.sig)

    def _plan(self, game: Game, entry: m.Entry, body: MoveEntry) -> Plan | None:
        ledger, now = game.ledger, game.ledger.open
        assert now.drawn is not None
        assert now.secret is not None
        others = [move for move in now.drawn.choices if to_action(move) != body.action]
        kind = self.random.random()
        if not others and kind >= self.noise:
            return None
        if not others or kind < self.noise / 3:
            bad = Decline() if Decline() not in now.drawn.choices else None
            action = (1, 9) if bad is None else to_action(bad)
            second: Body = replace(body, action=action)
            head = b"?" * 32
        elif kind < self.noise / 2:
            second = replace(body, state=b"!" * 32)
            head = b"?" * 32
        else:
            result = outcome(ledger.standing, ledger.rules, now.drawn, self.random.choice(others))
            second = replace(body, action=to_action(result.move), state=result.state)
            data = encode_body(second)
            move_id = entry_id(game.id, data)
            head = count(ledger.standing, now.secret, now.drawn, result, move_id).head
        signed = self._signed(game, second)
        first = m.Signed(entry.body, entry.sig)
        ours = ledger.applied_of(body.k).head
        return Plan((first, m.Signed(signed.body, signed.sig)), (ours, head), {})

    def _bad_reveal(self, game: Game, body: Reveal) -> Reveal:
        hand = game.hands[body.seat]
        match self.random.randrange(3):
            case 0:
                return replace(body, share=self.random.randbytes(32))
            case 1:
                return replace(body, share=hand.reveal(body.k + 1).share)
            case _:
                return hand.reveal(body.k + 1)

    def _signed(self, game: Game, body: Body) -> m.Entry:
        signed = sign_entry(game.hands[body.seat].person.key, game.id, body)
        return m.Entry(game.id, signed.body, signed.sig)

    def _lie(self, status: m.Status) -> m.Status:
        return replace(
            status,
            k=max(0, status.k + self.random.choice((-2, -1, 0, 1, 3, 4000))),
            stage=self.random.randrange(6),
            reveals=self.random.randrange(16),
            acks=self.random.randrange(16),
            has_move=self.random.random() < 0.5,
            links=self.random.randrange(16),
        )

    # -- what they make up ---------------------------------------------------------------------------------------

    def _stir(self) -> None:
        """Every now and then one of them sends something of its own."""
        self.world.at(self.world.now_us + self.random.randrange(5, 60) * MS, self._stir)
        index = self.random.choice(sorted(self.evil))
        node = self.world.nodes[index]
        game, links = node.table._game, self.world.links_of(index)
        if game is None or not links or (self.random.random() > self.noise and not self.plans):
            return
        message = self._invent(game)
        if message is not None:
            self.world.deliver(index, self.random.choice(links), encode_message(message))

    def _invent(self, game: Game) -> m.Message | None:
        ledger, random = game.ledger, self.random
        hand = random.choice(list(game.hands.values()))
        if self.plans and (random.random() < 0.5 or not self.noise):
            # The other move, to whoever has not seen it; or an acknowledgement of the head that suits us.
            k, plan = random.choice(sorted(self.plans.items()))
            if random.random() < 0.5:
                signed = random.choice(plan.entries)
                return m.Entry(game.id, signed.body, signed.sig)
            if decode_body(plan.entries[0].body).seat == hand.seat:
                return None
            return self._signed(game, Ack(k, hand.seat, random.choice(plan.heads)))
        honest = [entry for entry in self.heard if entry.game == game.id]
        old = random.choice(honest) if honest else None
        match random.randrange(9):
            case 0 if old is not None:
                return old
            case 1 if old is not None:
                flipped = bytearray(old.body)
                flipped[random.randrange(len(flipped))] ^= 1 << random.randrange(8)
                return replace(old, body=bytes(flipped))
            case 2:
                body = Reveal(ledger.k, random.randrange(len(ledger.terms.seats)), random.randbytes(32))
                return m.Entry(game.id, encode_body(body), random.randbytes(64))
            case 3:
                body = encode_body(Ack(ledger.k, hand.seat, ledger.head))
                return m.Entry(game.id, body, hand.person.key.sign(Context.MINE, game.id, body))
            case 4 if old is not None:
                return m.Fault(game.id, m.Signed(old.body, old.sig), None)
            case 5 if old is not None:
                forged = encode_body(replace(decode_body(old.body), k=ledger.k))
                return m.Fault(game.id, m.Signed(old.body, old.sig), m.Signed(forged, old.sig))
            case 6:
                return self._signed(game, Ack(ledger.k + random.randrange(2), hand.seat, random.randbytes(32)))
            case 7:
                return m.Want(game.id, random.choice((0, ledger.k, ledger.k + 5)), random.randrange(1, 17))
            case 8 if old is not None:
                entries = tuple(m.Signed(e.body, e.sig) for e in random.sample(honest, min(len(honest), 5)))
                return m.StepRecord(game.id, ledger.k, entries)
        return None


def schedule(seed: int, seats: int) -> Checker:
    """One world with 1..seats-1 evil clients, run until it rests or has played STEPS steps."""
    random = Random(f"byzantine {seed} {seats}")
    # Mostly at least two are honest: one alone has nobody to differ from.
    most = seats - 1 if random.random() < 0.2 else max(1, seats - 2)
    evil = frozenset(random.sample(range(seats), random.randint(1, most)))
    clients = [settings(Role.HOST, person(0), seats=seats, rules=LIVELY)]
    clients += [settings(Role.JOINER, person(number)) for number in range(1, seats)]
    world = World(*clients, seed=seed, graph=_graph(random, seats))
    world.slowest_us = random.choice((200, 2 * MS, 40 * MS))
    if random.random() < 0.7:
        # The victims hear each other last: the best that a coalition can hope for.
        world.pace_us = {
            frozenset((one, two)): 400 * MS for one in range(seats) for two in range(one) if not {one, two} & evil
        }
    checker = Checker(world, evil)
    Coalition(world, evil, random)
    world.start()
    honest = checker.honest()
    world.run(for_s=12, until=lambda: all(_done(node) for node in honest))
    world.run(for_s=1.2)
    checker.conclude()
    return checker


def _graph(random: Random, seats: int) -> list[tuple[int, int]]:
    """All are linked with the host; of the other pairs some never meet."""
    pairs = [(one, two) for one in range(seats) for two in range(one)]
    return [pair for pair in pairs if 0 in pair or random.random() < 0.7]


def _done(node: Node) -> bool:
    game = node.table._game
    return game is not None and (game.ledger.k >= STEPS or game.trouble.found)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seats", default="2,3,4")
    options = parser.parse_args(arguments)
    for seats in (int(number) for number in options.seats.split(",")):
        began = time.monotonic()
        done = [schedule(seed, seats) for seed in range(options.first, options.first + options.seeds)]
        split = sum(checker.equivocations > 0 for checker in done)
        proven = sum(checker.proofs > 0 for checker in done)
        shares = sum(checker.revealed for checker in done)
        print(
            f"{seats} seats: {len(done)} schedules, {shares} honest shares watched, {split} with honest clients holding"
            f" different moves, {proven} with proof: 0 early shares, 0 forks, 0 honest blamed"
            f" ({time.monotonic() - began:.0f} s)"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

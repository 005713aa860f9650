"""Chi-square tests of everything that is drawn, honest and with all but one seat choosing their chains with intent.

`python -m tests.fair.uniformity --draws 900000` runs 20,000 whole decks of each kind and prints one line a test;
exit code 1 unless every p is above 0.001. Seeds are fixed, so a run can be repeated anywhere.
"""

from __future__ import annotations

import argparse
import hmac
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256

from sorry_lan.fair.chain import Chain, opens
from sorry_lan.fair.draw import Pile, check_words, draw_card, first_seat, joint_secret
from sorry_lan.rules.cards import CARDS, Card, full_deck
from sorry_lan.rules.profile import Rules
from sorry_lan.wire import limits
from sorry_lan.wire.digest import tag, tagged_hash, u32
from sorry_lan.wire.words import WORDS

RULES = Rules()
DECK = full_deck(RULES)
SIZE = sum(DECK)
WORST_P = 0.001
GRINDING = 16
"""Chains a dishonest seat tries before it commits to one."""


@dataclass(frozen=True)
class Seed:
    """What a seat fixes before the table is agreed."""

    root: bytes
    pk: bytes
    nonce: bytes


Strategy = Callable[[int, int, bytes, bytes], Seed]
"""(table, seat, anchor of the honest seat, game id as expected) -> the chain that this seat commits to."""


def noise(*numbers: int) -> bytes:
    """32 bytes that stand for a fresh random value."""
    return sha256(b"uniformity" + b"".join(map(u32, numbers))).digest()


def fresh(table: int, seat: int, trial: int = 0) -> Seed:
    return Seed(noise(1, table, seat, trial), noise(2, table, seat), noise(3, table, seat, trial))


def honest(table: int, seat: int, _anchor: bytes, _game: bytes) -> Seed:
    """A fresh chain, as the program makes it."""
    return fresh(table, seat)


def constant(_table: int, seat: int, _anchor: bytes, _game: bytes) -> Seed:
    """The same chain at every table: everybody knows all its shares beforehand."""
    return Seed(bytes(32), bytes(31) + bytes((seat,)), bytes(32))


def mirrored(table: int, seat: int, anchor: bytes, _game: bytes) -> Seed:
    """A chain made of the honest seat's public anchor."""
    return Seed(anchor, noise(2, table, seat), anchor)


def grinding(table: int, seat: int, anchor: bytes, game: bytes) -> Seed:
    """Of many chains the one whose first card would be the highest if the honest share looked like its anchor."""

    def promise(seed: Seed) -> int:
        share = top(seed)
        return max(draw_card(joint_secret(game, k, {0: anchor, seat: share}), DECK, RULES)[0] for k in (1, 2))

    return max((fresh(table, seat, trial) for trial in range(GRINDING)), key=promise)


STRATEGIES: dict[str, Strategy] = {"constant": constant, "mirrored": mirrored, "grinding": grinding}


def top(seed: Seed) -> bytes:
    """The seed value of a chain, which is its last share."""
    return hmac.digest(seed.root, tag("seed") + seed.nonce, "sha256")


def links(seed: Seed) -> list[bytes]:
    """All values of a chain from the anchor up, written out a second time; the program's own chain must agree."""
    values = [top(seed)]
    for step in reversed(range(limits.CHAIN_LENGTH)):
        values.append(tagged_hash("chain", seed.pk, seed.nonce, u32(step), values[-1]))
    values.reverse()
    chain = Chain(seed.root, seed.pk, seed.nonce)
    middle = limits.CHAIN_LENGTH // 2
    if chain.anchor != values[0] or chain.share(middle) != values[middle + 1]:
        raise AssertionError("the program's chain is not the one of the specification")
    return values


def secrets_of(table: int, seats: int, strategies: Sequence[Strategy]) -> Iterator[bytes]:
    """The joint secrets of one table, step 0 first; seat 0 is honest, the others follow the strategies in turn.

    The dishonest seats reveal last: at every step they also try shares that they like better, and are refused.
    """
    game = noise(4, table, seats)
    seeds = [fresh(table, 0)]
    chains = [links(seeds[0])]
    for seat in range(1, seats):
        seeds.append(strategies[(table + seat) % len(strategies)](table, seat, chains[0][0], game))
        chains.append(links(seeds[seat]))
    for k in range(limits.CHAIN_LENGTH):
        for seat in range(1, seats):
            for liked in (chains[0][k + 1], chains[seat][k], noise(5, k)):
                if opens(seeds[seat].pk, seeds[seat].nonce, k, liked, chains[seat][k]):
                    raise AssertionError("a share was accepted that was not committed to")
            if k % 64:
                break  # every step for one seat, every 64th for all: enough, at a third of the time
        yield joint_secret(game, k, {seat: chain[k + 1] for seat, chain in reversed(list(enumerate(chains)))})


def decks(count: int, seats: int, strategies: Sequence[Strategy]) -> Iterator[list[Card]]:
    """Whole decks, drawn one after the other; every table starts with a full pile."""
    table = 0
    while count:
        secrets = secrets_of(table, seats, strategies)
        next(secrets)
        pile: Pile = DECK
        deck: list[Card] = []
        for secret in secrets:
            card, pile = draw_card(secret, pile, RULES)
            deck.append(card)
            if len(deck) == SIZE:
                yield deck
                deck = []
                count -= 1
                if not count:
                    return
        table += 1


def tail(statistic: float, freedom: int) -> float:
    """P(chi-square with `freedom` degrees >= statistic): the regularised upper incomplete gamma function."""
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-15:
            n += 1
            term *= x / n
            total += term
        return 1 - total * scale
    b = x + 1 - a
    c, d = 1e300, 1 / b
    h = d
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        h *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return h * scale


def chi_square(found: Sequence[int], shares: Sequence[float]) -> tuple[float, int]:
    """The statistic of counts against expected shares, and its degrees of freedom."""
    total = sum(found)
    return (
        sum((count - total * share) ** 2 / (total * share) for count, share in zip(found, shares, strict=True)),
        len(shares) - 1,
    )


@dataclass(frozen=True)
class Finding:
    """One test of one sample."""

    name: str
    size: int
    p: float

    @property
    def holds(self) -> bool:
        return self.p > WORST_P

    def __str__(self) -> str:
        return f"{'ok ' if self.holds else 'BAD'} p = {self.p:.4f}  n = {self.size:7d}  {self.name}"


def equally(name: str, found: Sequence[int], shares: Sequence[float]) -> Finding:
    return Finding(name, sum(found), tail(*chi_square(found, shares)))


def judge_decks(name: str, sample: Iterator[list[Card]]) -> Iterator[Finding]:
    """Position x card over whole decks, first cards, and whether one deck tells anything of the next."""
    places = [Counter[Card]() for _ in range(SIZE)]
    joints = Counter[tuple[Card, Card]]()
    before: Card | None = None
    total = 0
    for deck in sample:
        total += 1
        if Counter(deck) != dict(zip(CARDS, DECK, strict=True)):
            raise AssertionError("a deck does not hold its 45 cards")
        for place, card in zip(places, deck, strict=True):
            place[card] += 1
        if before is not None:
            joints[before, deck[0]] += 1
        before = deck[-1]
    shares = [count / SIZE for count in DECK]
    table = sum(chi_square([place[card] for card in CARDS], shares)[0] for place in places)
    # Each deck fixes both margins: (n - 1) / n of the plain sum has (n - 1)(faces - 1) degrees of freedom.
    freedom = (SIZE - 1) * (len(CARDS) - 1)
    yield Finding(f"{name}: position x card", total * SIZE, tail(table * (SIZE - 1) / SIZE, freedom))
    yield equally(f"{name}: first card of a deck", [places[0][card] for card in CARDS], shares)
    yield equally(
        f"{name}: last card of a deck x first of the next",
        [joints[one, two] for one in CARDS for two in CARDS],
        [one * two for one in shares for two in shares],
    )


def judge_tables(name: str, count: int, seats: int, strategies: Sequence[Strategy]) -> Iterator[Finding]:
    """First seat, first card of the game, and check words over `count` tables; chains are cut to two steps here."""
    whole = limits.CHAIN_LENGTH
    firsts, cards, words = Counter[int](), Counter[Card](), [Counter[str]() for _ in range(3)]
    limits.CHAIN_LENGTH = 2  # type: ignore[misc]
    try:
        for table in range(count):
            lot, first = secrets_of(table, seats, strategies)
            firsts[first_seat(lot, seats)] += 1
            cards[draw_card(first, DECK, RULES)[0]] += 1
            for counter, word in zip(words, check_words(lot), strict=True):
                counter[word] += 1
    finally:
        limits.CHAIN_LENGTH = whole  # type: ignore[misc]
    yield equally(f"{name}: first seat", [firsts[seat] for seat in range(seats)], [1 / seats] * seats)
    yield equally(f"{name}: first card of a game", [cards[card] for card in CARDS], [one / SIZE for one in DECK])
    for place, counter in enumerate(words, 1):
        yield equally(f"{name}: check word {place}", [counter[word] for word in WORDS], [1 / 256] * 256)


def run(draws: int) -> Iterator[Finding]:
    """All tests: `draws` draws of honest tables, as many with only one honest seat, and a table for every deck."""
    count = max(1, draws // SIZE)
    for name, strategies in (("honest", (honest,)), *((f"all but one {n}", (s,)) for n, s in STRATEGIES.items())):
        for seats in (2, 3, 4):
            yield from judge_tables(f"{name}, {seats} seats", count, seats, strategies)
    yield from judge_decks("honest, 4 seats", decks(count, 4, (honest,)))
    mixed = partial(decks, count, 4, tuple(STRATEGIES.values()))
    yield from judge_decks("one honest of 4 seats", mixed())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=900_000)
    args = parser.parse_args()
    begun = time.monotonic()
    bad = 0
    for finding in run(args.draws):
        print(finding, flush=True)
        bad += not finding.holds
    print(f"{bad} below {WORST_P}; {time.monotonic() - begun:.0f} s")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

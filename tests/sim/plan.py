"""What one seed means: who plays, by which rules, over what network, with which faults, and who cheats.

A fault is a value with all its numbers in it, so that a subset of them can be played again (`without`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from sorry_lan.rules.profile import PROFILES, STARTERS, Rules
from sorry_lan.table.settings import Offers
from tests.sim.clock import MS, Dice, S


class Profile(Enum):
    """How long tables are."""

    SHORT = "short"
    FULL = "full"


class Pace(Enum):
    """How long people think: so briefly that heartbeats cost nothing, or as people do."""

    QUICK = "quick"
    HUMAN = "human"


class Kind(Enum):
    """What can go wrong by itself."""

    CUT = "cut"
    ONE_WAY = "one-way"
    ISOLATE = "isolate"
    PARTITION = "partition"
    RESET = "reset"
    SLOW = "slow"
    LOSSY = "lossy"
    SLEEP = "sleep"
    DISK = "disk"
    SLOW_DISK = "slow-disk"
    CRASH = "crash"
    POWER = "power"
    BACKUP = "backup"
    LEAVE = "leave"
    AWAY = "away"
    SPLIT = "split"


PERSISTENT = (Kind.CRASH, Kind.POWER, Kind.BACKUP)
"""Faults that end a process."""
LASTING = (Kind.LEAVE, Kind.AWAY, Kind.SPLIT)
"""Faults after which the others go on without somebody; only at tables where they may."""
PASSING = tuple(kind for kind in Kind if kind not in LASTING)
LIGHT = tuple(kind for kind in PASSING if kind not in PERSISTENT)


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong: when (microseconds after the game began), how long, and to whom."""

    kind: Kind
    at_us: int
    for_us: int
    who: int
    other: int
    amount: int

    def __str__(self) -> str:
        return (
            f"{self.kind.value} at {self.at_us / S:.3f} s for {self.for_us / S:.3f} s,"
            f" client {self.who}, other {self.other}, amount {self.amount}"
        )


@dataclass(frozen=True)
class Wanted:
    """What the command line asks of every seed."""

    seats: tuple[int, ...] = (2, 3, 4)
    profile: Profile = Profile.SHORT
    pace: Pace = Pace.QUICK
    faults: tuple[Kind, ...] = tuple(Kind)
    adversaries: tuple[str, ...] = ()
    """The kinds that may sit at a table; none: everybody is honest."""
    without: frozenset[int] = frozenset()
    """The numbers of faults that are left out."""


@dataclass(frozen=True)
class Client:
    """One client: how many people sit at it, and whether they play by themselves."""

    people: int
    auto: bool


@dataclass(frozen=True)
class Plan:
    """All that a seed says."""

    seed: int
    profile: Profile
    pace: Pace
    rules: Rules
    clients: tuple[Client, ...]
    bots: int
    apart: frozenset[frozenset[int]]
    delay_us: tuple[int, ...]
    jitter_us: int
    loss: float
    fsync_us: int
    faults: tuple[Fault, ...]
    evil: tuple[tuple[int, str], ...]
    offers: tuple[Offers, ...] = ()
    """How each client answers an offer to go on without somebody; empty: people do, and say nothing."""
    chain: int = 0
    """The steps of a chain, where they are few."""
    in_lobby: tuple[Fault, ...] = ()
    """What goes wrong before anybody plays: when is counted from the first start."""

    @property
    def seats(self) -> int:
        """The seats of the table."""
        return self.bots + sum(client.people for client in self.clients)


def plan_of(seed: int, wanted: Wanted) -> Plan:
    """The plan of a seed."""
    dice = Dice(seed, "table")
    seats = wanted.seats[seed % len(wanted.seats)]
    clients, bots = _people(dice, seats)
    rules = _rules(dice, wanted.profile)
    net = Dice(seed, "paths")
    count = len(clients)
    delay = net.pick((100, 500, 2 * MS, 10 * MS, 40 * MS))
    apart = frozenset()
    if count > 2 and net.chance(0.15):
        # One pair of joiners never meets.
        apart = frozenset((frozenset(net.some(range(1, count), 2)),))
    evil: tuple[tuple[int, str], ...] = ()
    who = Dice(seed, "who cheats")
    if wanted.adversaries and count > 1 and (len(wanted.adversaries) == 1 or who.chance(0.4)):
        evil = ((who.under(count), who.pick(wanted.adversaries)),)
    faults = _faults(Dice(seed, "faults"), wanted, count) if count > 1 else ()
    lasting = tuple(kind for kind in LASTING if kind in wanted.faults)
    future = Dice(seed, "going on")
    offers, chain = (), 0
    if count > 1 and lasting and future.chance(0.25):
        offers = tuple(future.pick(_ANSWERS) for _ in clients)
        chain = future.pick((0, 0, 0, 8, 20))
        faults = (*(_tame(fault) for fault in faults), *_lasting(future, wanted, lasting, count))
    return Plan(
        seed=seed,
        profile=wanted.profile,
        pace=wanted.pace,
        rules=rules,
        clients=clients,
        bots=bots,
        apart=apart,
        delay_us=tuple(delay + net.under(delay + 1) for _ in clients),
        jitter_us=net.pick((0, delay // 4, delay, 3 * delay)),
        loss=net.pick((0.0, 0.0, 0.01, 0.05)),
        fsync_us=net.pick((200, 4 * MS, 4 * MS, 20 * MS)),
        faults=tuple(fault for number, fault in enumerate(faults) if number not in wanted.without),
        evil=evil,
        offers=offers,
        chain=chain,
        in_lobby=_in_lobby(Dice(seed, "lobby"), wanted, count) if count > 1 else (),
    )


def _people(dice: Dice, seats: int) -> tuple[tuple[Client, ...], int]:
    """Mostly a client a seat; some bots, and some clients that two people share."""
    bots = dice.under(seats - 1) if dice.chance(0.25) else 0
    left, clients = seats - bots, []
    while left:
        people = 2 if left > 2 and dice.chance(0.1) else 1
        clients.append(Client(people, dice.chance(0.25)))
        left -= people
    return tuple(clients), bots


def _rules(dice: Dice, profile: Profile) -> Rules:
    if profile is Profile.SHORT:
        return replace(PROFILES[dice.pick(sorted(PROFILES))], pawns=1, pawns_out=1, start_cards=STARTERS)
    return PROFILES[dice.pick(("standard", "standard", "classic", "2013"))]


def _faults(dice: Dice, wanted: Wanted, clients: int) -> tuple[Fault, ...]:
    if not wanted.faults or dice.chance(0.1):
        return ()
    short = wanted.profile is Profile.SHORT
    window, most = (8 * S, 5) if short else (90 * S, 12)
    if wanted.pace is Pace.HUMAN:
        window *= 6
    kinds = tuple(kind for kind in wanted.faults if kind in PASSING)
    faults = [_fault(dice, kinds, clients, window) for _ in range(dice.between(1, most))] if kinds else []
    # Whoever is rolled back asks the others what it had signed: that they remember is theirs to do, not to crash too.
    rolled = next((fault for fault in faults if fault.kind is Kind.BACKUP), None)
    return tuple(
        replace(fault, kind=Kind.RESET) if rolled and fault is not rolled and fault.kind in PERSISTENT else fault
        for fault in faults
    )


def _fault(dice: Dice, kinds: tuple[Kind, ...], clients: int, window: int) -> Fault:
    kind = dice.pick(kinds)
    lasts = dice.pick(((100 * MS, 2500 * MS), (200 * MS, 2500 * MS), (3500 * MS, 8 * S), (8 * S, 25 * S)))
    who, other = dice.some(range(clients), 2)
    amount = dice.pick((2, 5, 20, 100))
    return Fault(kind, dice.under(window), dice.between(*lasts), who, other, amount)


def _in_lobby(dice: Dice, wanted: Wanted, clients: int) -> tuple[Fault, ...]:
    """Links that break while people sit down and sign, at one table in four."""
    kinds = tuple(kind for kind in _LINKS if kind in wanted.faults)
    if not kinds or not dice.chance(0.25):
        return ()
    return tuple(_fault(dice, kinds, clients, 2 * S) for _ in range(dice.between(1, 3)))


_LINKS = (Kind.CUT, Kind.ONE_WAY, Kind.ISOLATE, Kind.PARTITION, Kind.RESET, Kind.RESET, Kind.LOSSY)
_ANSWERS = (Offers.MAKE,) * 6 + (Offers.PEOPLE,) * 3 + (Offers.AGREE,)


def _tame(fault: Fault) -> Fault:
    """Whoever is rolled back needs the others' memory, and those may be gone for good."""
    return replace(fault, kind=Kind.RESET) if fault.kind is Kind.BACKUP else fault


def _lasting(dice: Dice, wanted: Wanted, kinds: tuple[Kind, ...], clients: int) -> tuple[Fault, ...]:
    """One or two absences that others need not wait for."""
    window = 8 * S if wanted.profile is Profile.SHORT else 60 * S
    if wanted.pace is Pace.HUMAN:
        window *= 6
    found = []
    for _ in range(dice.between(0, 2)):
        who, other = dice.some(range(clients), 2)
        lasts = dice.pick(((50 * S, 62 * S), (62 * S, 80 * S), (80 * S, 160 * S)))
        amount = dice.under(8)
        found.append(Fault(dice.pick(kinds), dice.under(window), dice.between(*lasts), who, other, amount))
    return tuple(found)

"""One table from lobby to end under one seed: clients, network, disks, people, faults and a cheat, judged all along."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from sorry_lan.fair.engine import engine_digest
from sorry_lan.fair.entry import Leaving
from sorry_lan.table.events import LeaveAsked, Opened
from sorry_lan.table.settings import Auto, Naming, Offers, Person, ReadyWhen, Role, Settings
from sorry_lan.table.table import Table
from sorry_lan.table.view import Ask
from sorry_lan.wire import limits
from sorry_lan.wire.keys import SecretKey, person_key, person_root
from sorry_lan.wire.terms import Option
from tests.sim import faults, resume
from tests.sim.adversaries import ADVERSARIES, Adversary
from tests.sim.clock import MS, Dice, Loop, S
from tests.sim.disk import Backup, Disk, Loss
from tests.sim.invariants import BrokenError, Judge
from tests.sim.network import Network
from tests.sim.node import Node
from tests.sim.plan import PERSISTENT, Kind, Pace, Plan, Wanted, plan_of

NAMES = ("Bob", "Eve", "Joe", "Sue", "Ann", "Tom", "Kit", "Lou")
AUDIT_US = 5 * S
STALL_US = 25 * S
"""How long a game may stand with nothing in its way: several times the slowest person and the slowest redial."""
LOBBY_US = limits.CONSENT_MS * MS + 10 * S
"""Whoever lost its host after it consented waits half a minute for consents that come through others ([T-18])."""
GOING_ON_US = 720 * S
"""The same where others are first waited for, ten minutes where it is their turn, and then everybody has to sign."""
THINKS_US = {Pace.QUICK: (20 * MS, 400 * MS), Pace.HUMAN: (500 * MS, 5 * S)}


@dataclass(frozen=True)
class Result:
    """What came of one seed."""

    seed: int
    plan: Plan
    wrong: str | None
    trace: str
    simulated_us: int
    events: int
    steps: int
    ended: bool
    probes: dict[str, int]


class World:
    """Everything of one seed."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.loop = Loop()
        self.judge = Judge(self.loop, plan.seed, plan.rules)
        if any(fault.kind is Kind.BACKUP for fault in plan.faults):
            self.judge.watched = set()
        self.network = Network(self.loop, Dice(plan.seed, "network"), self._note)
        self.network.apart = plan.apart
        self.nodes: list[Node] = []
        for index in range(len(plan.clients)):
            disk = Disk(Dice(plan.seed, f"disk {index}"), fsync_us=plan.fsync_us)
            node = Node(index, self.loop, self.network, disk, self.judge)
            node.people = Dice(plan.seed, f"people {index}")
            node.thinks_us = THINKS_US[plan.pace]
            node.decides = bool(plan.offers)
            self.nodes.append(node)
            self.network.add(node, plan.delay_us[index], plan.jitter_us)  # type: ignore[arg-type]
        self.judge.nodes = self.nodes
        self.judge.evil = frozenset(index for index, _ in plan.evil)
        self.adversaries: list[Adversary] = []
        self.began_us: int | None = None
        self.quiet_us = 0
        """When the last fault ends."""
        self.through: set[int] = set()
        """Clients that crashed after their game was over."""
        self.comebacks = [Dice(plan.seed, f"comebacks {index}") for index in range(len(plan.clients))]
        self.gone: set[int] = set()
        """Clients whose people left, and do not come back."""
        self._progress: dict[int, tuple[object, int]] = {}
        self._done = False

    # -- running -------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """From the first click to the last file; BrokenError where an invariant does not hold."""
        steps = limits.CHAIN_LENGTH
        limits.CHAIN_LENGTH = self.plan.chain or steps  # type: ignore[misc]
        try:
            self._play()
        finally:
            limits.CHAIN_LENGTH = steps  # type: ignore[misc]

    def _play(self) -> None:
        for node in self.nodes:
            self.loop.after(node.index * 20 * MS, self._sits_down, node)
        for index, name in self.plan.evil:
            self.adversaries.append(ADVERSARIES[name](self, self.nodes[index], Dice(self.plan.seed, f"cheat {index}")))
        for fault in self.plan.in_lobby:
            self.loop.after(fault.at_us, faults.begin, self, fault)
            self.quiet_us = max(self.quiet_us, self.loop.now_us + fault.at_us + fault.for_us)
        self.loop.after(AUDIT_US, self._audit)
        self.loop.run(self._stop, self.loop.now_us + 24 * 3600 * S)
        if not self._done:
            raise BrokenError("I4: nothing is left to happen, and the game has not ended")

    def _note(self, what: str) -> None:
        self.judge.probes[what] += 1

    def _stop(self) -> bool:
        return self._done

    def _sits_down(self, node: Node) -> None:
        """The people of a client start it, and join."""
        node.disk.boot += 1
        node.boots(self.settings(node), Table(self.settings(node)))
        node.tell(Opened())
        if node.index:
            self.network.dialling.join(node.index, 0)

    def settings(self, node: Node) -> Settings:
        """What the people of a client ask for when they start it now."""
        return settings_of(self.plan, node.index, node.disk.boot)

    # -- crashes -------------------------------------------------------------------------------------------------

    def crashes(self, node: Node, loss: Loss, for_us: int) -> None:
        """A process ends now, and is started again after a while."""
        if not node.running or node.finished is not None:
            return
        node.crash(loss)
        self.loop.after(for_us, self._starts_again, node, node.life)

    def rolled_back(self, node: Node, for_us: int, patience: int = 500) -> None:
        """A disk is put back to what it was a while ago, and the process on it started again.

        Where somebody there plays by hand the backup is made while it thinks, and is put back when it has just moved:
        whoever does not ask the others then moves twice.
        """
        asked = node.view is not None and any(prompt.ask is Ask.CHOOSE for prompt in node.view.prompts)
        if asked or self.plan.clients[node.index].auto:
            after_us = node.thinks_us[1] + 5 * MS if asked else for_us
            self.loop.after(after_us, self._restored, node, node.disk.backup(), for_us)
        elif patience and node.running:
            self.loop.after(20 * MS, self.rolled_back, node, for_us, patience - 1)

    def _restored(self, node: Node, backup: Backup, for_us: int) -> None:
        if not node.running or node.finished is not None or self.began_us is None:
            return
        node.crash(Loss.KILL)
        node.disk.restore(backup)
        self.loop.after(for_us, self._starts_again, node, node.life)

    def _starts_over(self, node: Node) -> None:
        self._starts_again(node, node.life)

    def _starts_again(self, node: Node, life: int) -> None:
        if node.life == life and not node.running:
            resume.start(self, node)

    def leaves(self, node: Node, reason: Leaving, back_us: int | None) -> None:
        """The people of a client say goodbye; some come back after a while."""
        game = self._game(node)
        if not node.running or node.finished is not None or game is None or game.over:
            return
        node.tell(LeaveAsked(reason))
        if back_us is None:
            self.gone.add(node.index)
        else:
            self.loop.after(back_us, self._starts_again, node, node.life)

    # -- judging -------------------------------------------------------------------------------------------------

    def _audit(self) -> None:
        """I4 now and then: with nothing in the way, the game goes on."""
        now = self.loop.now_us
        if self.began_us is None and any(self._game(node) is not None for node in self.nodes):
            self._begins()
        honest = [node for node in self.nodes if node.index not in self.judge.evil]
        if all(self._through(node) for node in honest):
            self._done = True
            self._noticed()
            return
        for node in honest:
            where = self._where(node)
            if self._progress.get(node.index, (None, 0))[0] != where:
                self._progress[node.index] = (where, now)
        standing = [node for node in honest if not self._through(node)]
        since = max(self.quiet_us, *(at for _, at in self._progress.values()))
        for node in (*standing, *(self.nodes[index] for index in self.judge.evil)):
            if node.life and self._game(node) is None and node.finished is not None and not node.running:
                # The same command again; whoever hosted and finds a game in play joins that.
                self.loop.after(S, self._sits_down if self.began_us is None else self._starts_over, node)
        if now - since >= (GOING_ON_US if self.plan.offers else self._stall_us):
            self._stalled(standing)
            if self._done:
                return
        self.loop.after(AUDIT_US, self._audit)

    @property
    def _stall_us(self) -> int:
        return LOBBY_US if self.began_us is None else STALL_US

    def _noticed(self) -> None:
        """What proves itself is proven: somebody was given both halves."""
        for adversary in self.adversaries:
            if adversary.proves_itself and not self.judge.proven:
                raise BrokenError(f"nobody noticed what {adversary.name} did")

    def _begins(self) -> None:
        """The first client plays: from here on things go wrong."""
        self.began_us = self.loop.now_us
        self.quiet_us = max(self.quiet_us, self.began_us)
        for fault in self.plan.faults:
            when = self.began_us + fault.at_us
            self.loop.at(when, faults.begin, self, fault)
            self.quiet_us = max(self.quiet_us, when + fault.for_us * (2 if fault.kind in PERSISTENT else 1))
        for node in self.nodes:
            node.people = Dice(self.plan.seed, f"people in play {node.index}")

    def _stalled(self, standing: list[Node]) -> None:
        """Nothing happens any more: a violation, unless somebody's part in it explains it."""
        if self.plan.offers:
            self._abandoned(standing)
        elif any(adversary.may_stall for adversary in self.adversaries):
            self.judge.probes["a cheat stopped the game"] += 1
            self._done = True
        elif (self.plan.faults or self.plan.evil) and any(
            node.finished is not None or self._ended(node) or node.index in self.through for node in self.nodes
        ):
            # Whoever was cut off when the others waited for it in vain, and left.
            self.judge.probes["somebody was left behind"] += 1
            self._done = True
        else:
            where = ", ".join(f"client {node.index}: {self._where(node)}" for node in standing)
            raise BrokenError(f"I4: nothing went on for {self._stall_us // S} s: {where}")

    def _abandoned(self, standing: list[Node]) -> None:
        """Where people may go on without others, only who is alone may stand still."""
        pairs = [(one, two) for one in standing for two in standing if one.index < two.index]
        if all(self.plan.offers[node.index] is Offers.AGREE for node in standing):
            # Nobody here would ever ask.
            pairs = []
        for one, two in pairs:
            if self._belong(one, two) and not self._apart(one, two, standing):
                where = ", ".join(f"client {node.index}: {self._where(node)}" for node in standing)
                raise BrokenError(f"I4: nobody went on for {GOING_ON_US // S} s: {where}")
        self.judge.probes["somebody was left behind"] += 1
        self._done = True

    def _apart(self, one: Node, two: Node, standing: list[Node]) -> bool:
        """Whether these two never meet, and nobody who plays with them carries what they say."""
        playing = [node for node in standing if self._game(node) is not None and self._game(node).hands]
        return frozenset((one.index, two.index)) in self.plan.apart and not {*map(id, playing)} - {id(one), id(two)}

    def _belong(self, one: Node, two: Node) -> bool:
        """Whether these two could play together: both up, at one game or at one that goes on from the other's."""
        games = [self._game(node) for node in (one, two)]
        if None in games or not (one.running and two.running):
            return False
        if not any(game.hands for game in games):
            return False
        if not all(game.hands for game in games) and any(self._only_saves(node) for node in (one, two)):
            # Whoever is the last to play can save the game, and let nobody back in ([T-41]).
            return False
        if all(game.ledger.k == 0 and not game.story.chapters for game in games):
            # A first table without a counted step goes on nowhere.
            return False
        ids = [game.id for game in games]
        return any(later == earlier or earlier in self._before(later) for later, earlier in (ids, ids[::-1]))

    @staticmethod
    def _only_saves(node: Node) -> bool:
        plan = node.table._room.continuing.offering.plan
        return plan is not None and plan.saves

    def _before(self, game: bytes) -> list[bytes]:
        """The games that this one goes on from."""
        line = [self.judge.facts[game].parent]
        while line[-1] in self.judge.facts:
            line.append(self.judge.facts[line[-1]].parent)
        return line

    @staticmethod
    def _game(node: Node) -> Any:
        return node.table._game if node.life else None

    def _ended(self, node: Node) -> bool:
        game = self._game(node)
        return game is not None and game.ended

    def _through(self, node: Node) -> bool:
        """Whether this client has nothing left to do: its game is over, or proven to be spoilt."""
        game = self._game(node)
        if node.index in self.through or node.index in self.gone:
            return True
        if game is None:
            return False
        if not self.plan.offers:
            return game.ended or game.result.saved or game.trouble.found or game.trouble._heard_of_it
        return game.ended or game.result.saved or (not game.hands and node.finished is not None)

    def _where(self, node: Node) -> object:
        game = self._game(node)
        if game is None:
            # Not how often it was started: that goes on for ever where a cheat lets nobody begin.
            return ("lobby", node.finished)
        now = game.ledger.open
        phase = node.table._desk.phase.value
        return (game.id[:2].hex(), game.ledger.k, len(now.shares), now.applied is not None, len(now.acks), phase)


@lru_cache(maxsize=32)
def identity(index: int) -> tuple[bytes, bytes]:
    """Seed and chain root of a client, the same in every world."""
    return sha256(b"key %d" % index).digest(), sha256(b"root %d" % index).digest()


@lru_cache(maxsize=64)
def _key(index: int, person: int) -> SecretKey:
    return person_key(identity(index)[0], person)


def settings_of(plan: Plan, index: int, boot: int) -> Settings:
    """What the people of a client asked for."""
    client = plan.clients[index]
    auto = Auto.ALL if client.auto else Auto.NOTHING
    people = tuple(
        Person(
            key=_key(index, number),
            root=person_root(identity(index)[1], number),
            name=NAMES[2 * index + number],
            colour=None,
            age=None,
            auto=auto,
            auto_level=0,
            naming=Naming.LOOSE,
        )
        for number in range(client.people)
    )
    return Settings(
        role=Role.JOINER if index else Role.HOST,
        people=people,
        ready=ReadyWhen.AT_ONCE,
        engine=engine_digest(),
        boot=boot,
        title="A table",
        rules=plan.rules,
        options=Option.NONE,
        seats=plan.seats,
        bots=(0,) * plan.bots,
        offers=plan.offers[index] if plan.offers else Offers.PEOPLE,
    )


def run(seed: int, wanted: Wanted) -> Result:
    """Play one seed."""
    world = World(plan_of(seed, wanted))
    wrong = None
    try:
        world.play()
    except AssertionError as broken:
        wrong = str(broken)
    except Exception as broken:  # noqa: BLE001 - the other seeds are played all the same, and this one is named
        wrong = f"the simulator itself broke: {broken!r}"
    return _result(world, wrong)


def _result(world: World, wrong: str | None) -> Result:
    games = [World._game(node) for node in world.nodes]
    return Result(
        seed=world.plan.seed,
        plan=world.plan,
        wrong=wrong,
        trace=world.judge.trace.hexdigest()[:16],
        simulated_us=world.loop.now_us - S,
        events=world.judge.events,
        steps=max((game.ledger.k for game in games if game is not None), default=0),
        ended=any(game is not None and game.ended for game in games),
        probes=dict(world.judge.probes),
    )


def runs(seeds: Iterable[int], wanted: Wanted) -> Iterable[Result]:
    """Play seeds one after the other; what a table leaves behind is collected between tables, not within."""
    gc.disable()
    for number, seed in enumerate(seeds):
        yield run(seed, wanted)
        if number % 16 == 15:
            gc.collect()
    gc.enable()

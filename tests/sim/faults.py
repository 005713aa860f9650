"""Carries a plan's faults out, each in its own two moments; what it means is network.py's and disk.py's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sorry_lan.fair.entry import Leaving
from tests.sim.clock import MS
from tests.sim.disk import Loss
from tests.sim.plan import Fault, Kind

if TYPE_CHECKING:
    from tests.sim.world import World


def begin(world: World, fault: Fault) -> None:
    """The fault happens; its end is put on the loop."""
    node, network = world.nodes[fault.who], world.network
    world.judge.probes[f"fault: {fault.kind.value}"] += 1
    match fault.kind:
        case Kind.CUT | Kind.ONE_WAY | Kind.ISOLATE | Kind.PARTITION | Kind.SPLIT:
            ways = directions(fault, len(world.nodes))
            for source, target in ways:
                network.cut(source, target)
            world.loop.after(fault.for_us, _heal, world, ways)
        case Kind.RESET:
            network.reset(fault.who, fault.other)
        case Kind.SLOW | Kind.LOSSY:
            _worse(world, fault, 1)
            world.loop.after(fault.for_us, _worse, world, fault, -1)
        case Kind.SLEEP:
            if node.running and not node.asleep:
                node.sleeps()
                world.loop.after(fault.for_us, node.wakes)
        case Kind.DISK:
            node.disk.broken = True
            world.loop.after(fault.for_us, _works, world, fault.who)
        case Kind.SLOW_DISK:
            node.disk.fsync_us = fault.amount * 5 * MS
            world.loop.after(fault.for_us, _fast, world, fault.who)
        case Kind.CRASH | Kind.POWER:
            world.crashes(node, Loss.KILL if fault.kind is Kind.CRASH else Loss.POWER, fault.for_us)
        case Kind.BACKUP:
            world.rolled_back(node, fault.for_us)
        case Kind.AWAY:
            world.crashes(node, Loss.KILL, fault.for_us)
        case Kind.LEAVE:
            # Who left comes back in half of the cases, if the process still finds its game.
            world.leaves(node, Leaving(fault.amount % 2), fault.for_us if fault.amount > 3 else None)


def directions(fault: Fault, clients: int) -> tuple[tuple[int, int], ...]:
    """The directions that a cut of some kind takes away."""
    one, two = fault.who, fault.other
    everybody = range(clients)
    match fault.kind:
        case Kind.CUT:
            return ((one, two), (two, one))
        case Kind.ONE_WAY:
            return ((one, two),)
        case Kind.ISOLATE:
            side = {one}
        case _:
            side = {client for client in everybody if (fault.amount + client) % 2}
    return tuple((a, b) for a in everybody for b in everybody if (a in side) != (b in side))


def _heal(world: World, ways: tuple[tuple[int, int], ...]) -> None:
    for source, target in ways:
        world.network.heal(source, target)


def _worse(world: World, fault: Fault, by: int) -> None:
    for way in ((fault.who, fault.other), (fault.other, fault.who)):
        path = world.network.paths[way]
        if fault.kind is Kind.SLOW:
            # The delay of a slow link stays below what counts as silence.
            path.slow += by * min(fault.amount, 1_000_000 // max(path.delay_us + path.jitter_us, 1))
        else:
            path.loss += by * 0.2


def _works(world: World, who: int) -> None:
    world.nodes[who].disk.broken = False


def _fast(world: World, who: int) -> None:
    world.nodes[who].disk.fsync_us = world.plan.fsync_us

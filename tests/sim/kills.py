"""Kill -9 behind every single command of a game, and compare what is left with the game that nobody killed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.sim.clock import S
from tests.sim.disk import Loss
from tests.sim.invariants import BrokenError
from tests.sim.node import Node
from tests.sim.plan import Plan, Wanted, plan_of
from tests.sim.world import World


@dataclass(frozen=True)
class Whole:
    """A game without kills: its transcript, and for each client its first command in the game and its last."""

    transcript: bytes
    spans: tuple[tuple[int, int], ...]


def quiet(seed: int, wanted: Wanted) -> Plan:
    """The plan of a seed with nothing that goes wrong, but for what is done to it here."""
    plan = plan_of(seed, replace(wanted, faults=(), adversaries=()))
    return replace(plan, apart=frozenset(), offers=(), chain=0, in_lobby=())


def whole(plan: Plan) -> Whole:
    """Play it once."""
    world = _steady(plan)
    first: dict[int, int] = {}
    after = world.judge.after

    def noted(node: Node, commands: tuple[object, ...]) -> None:
        after(node, commands)  # type: ignore[arg-type]
        if node.disk.journals.keys() - {None}:
            first.setdefault(node.index, node.commands_done)

    world.judge.after = noted  # type: ignore[assignment]
    world.play()
    return Whole(_transcript(world), tuple((first[node.index], node.commands_done) for node in world.nodes))


def _steady(plan: Plan) -> World:
    """People that want the same when they are asked again."""
    world = World(plan)
    for node in world.nodes:
        node.fickle = False
    return world


def _transcript(world: World) -> bytes:
    (facts,) = world.judge.facts.values()
    return facts.transcripts[None, 0]


def killed(plan: Plan, client: int, command: int, loss: Loss) -> bytes:
    """The transcript of the game in which this client dies behind its command of this number, and comes back."""
    world = _steady(plan)
    node = world.nodes[client]
    node.crash_after = command
    node.on_crash = lambda dead: world.crashes(dead, loss, S // 2)
    world.judge.reads_back = False
    world.play()
    if node.life < 2 and node.running:
        raise BrokenError(f"client {client} did not die behind command {command}")
    return _transcript(world)


def everywhere(seed: int, wanted: Wanted, step: int = 1) -> Iterator[tuple[int, int, Loss]]:
    """Each kill that was survived; BrokenError where the game ends otherwise, or an invariant breaks."""
    plan = quiet(seed, wanted)
    game = whole(plan)
    for client, (first, last) in enumerate(game.spans):
        for command in range(first + 1, last, step):
            loss = Loss.KILL if command % 2 else Loss.POWER
            if killed(plan, client, command, loss) != game.transcript:
                raise BrokenError(f"seed {seed}: client {client} killed behind command {command}: another transcript")
            yield client, command, loss

"""How a client comes back: a new process made of what the old one left on its disk, as `resume` or `join` would.

Finds the game as app/keeping.py does; what a table makes of it is the product's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sorry_lan.fair.entry import decode_body, slot
from sorry_lan.table.commands import JournalKind
from sorry_lan.table.events import Opened
from sorry_lan.table.saved import NotAGame, SavedGame, restore_line
from sorry_lan.table.settings import Role
from sorry_lan.table.table import Table
from tests.sim.disk import Disk
from tests.sim.invariants import BrokenError
from tests.sim.node import Node

if TYPE_CHECKING:
    from tests.sim.world import World


def kept_game(disk: Disk) -> SavedGame | None:
    """The game that the disk holds and that nothing goes on from, or None; the latest of several."""
    found: list[SavedGame] = []
    for game in disk.journals:
        if game is not None:
            try:
                found.append(restore_line(game, lambda wanted: disk.journals[wanted].records))
            except (NotAGame, KeyError):
                continue
    older = {saved.parent.game_id for saved in found if saved.parent is not None}
    leaves = [saved for saved in found if saved.game_id not in older]
    return leaves[-1] if leaves else None


def start(world: World, node: Node) -> None:
    """The people of a client start it again; after the end of its game they do not."""
    saved = kept_game(node.disk)
    if saved is not None and saved.end is not None:
        world.judge.probes["a client crashed after its end"] += 1
        world.through.add(node.index)
        return
    node.disk.boot += 1
    dice = world.comebacks[node.index]
    # Nobody calls for ever where nobody can answer.
    others = [
        other.index
        for other in world.nodes
        if other is not node and frozenset((node.index, other.index)) not in world.network.apart
    ]
    asked = node.index == 0 or dice.chance(0.6)
    # The port of before is taken now and then; whoever hosted insists on it, so that somebody is found.
    node.port += not asked and dice.chance(0.3)
    settings = replace(world.settings(node), role=Role.JOINER, port=node.port)
    if saved is not None and asked:
        world.judge.probes["a client was resumed"] += 1
        node.boots(settings, Table(settings, saved))
        node.tell(Opened())
        check(node, saved)
        return
    world.judge.probes["a client joined again"] += 1
    kept = () if saved is None else (saved,)
    node.boots(settings, Table(settings, None, kept))
    node.kept = None if saved is None else saved.game_id
    node.tell(Opened())
    world.network.dialling.join(node.index, dice.pick(others))


def check(node: Node, saved: SavedGame) -> None:
    """I8: a resumed client knows every step and every entry of its own that its disk holds."""
    game = node.table._game
    if game is not None and saved.game_id in game.story.ids:
        # At the end of its chains whoever plays alone goes on to the next table at once, from the last step it knew.
        (chapter,) = (game.story.chapters[at] for at, one in enumerate(game.story.ids) if one == saved.game_id)
        if len(chapter.records) < len(saved.records):
            raise BrokenError(f"I8: client {node.index} went on from fewer steps than its disk holds")
        return
    if game is None or game.ledger.k < len(saved.records):
        raise BrokenError(f"I8: client {node.index} came back with fewer steps than its disk holds")
    journal = node.disk.journals[game.id]
    if sum(kind is JournalKind.RECORD for kind, _ in journal.records) > game.ledger.k:
        raise BrokenError(f"I8: client {node.index} came back without some of its steps")
    for signed in saved.own:
        body = decode_body(signed.body)
        if body.k >= game.ledger.k and game.hands[body.seat]._signed.get(slot(body)) != signed.body:
            raise BrokenError(f"I8: client {node.index} forgot that it signed {body}")

"""What all evil clients have in common: a table that plays by the rules, and a hand on what it sends.

A cheat sees every frame that its own table sends, one link at a time, and may change, hold back or add to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from sorry_lan.fair.entry import Body, sign_entry
from sorry_lan.wire import messages as m
from sorry_lan.wire.codec import decode_message, encode_message
from tests.sim.clock import MS, Dice
from tests.sim.node import Node

if TYPE_CHECKING:
    from tests.sim.world import World


class Adversary:
    """One evil client; `may_stall` where the game may stop because of it."""

    name: ClassVar[str] = ""
    may_stall: bool = True
    proves_itself: bool = False
    """Whether somebody was given all it takes to prove what it did."""
    every_us: ClassVar[int] = 0
    """How often `stir` is called; 0: never."""

    def __init__(self, world: World, node: Node, dice: Dice) -> None:
        self.world = world
        self.node = node
        self.dice = dice
        self.link = 0
        node.meddler = self.meddle
        if self.every_us:
            world.loop.after(100 * MS + dice.under(self.every_us), self._stirs)

    # -- to be overridden ----------------------------------------------------------------------------------------

    def meddle(self, link: int, payload: bytes) -> None:
        """One frame of its own table on its way."""
        self.link = link
        for changed in self.changed(decode_message(payload)):
            self.send(link, changed)

    def changed(self, message: Any) -> list[Any]:
        """What is sent instead of `message` on the link at hand, `self.link`."""
        return [message]

    def stir(self) -> None:
        """Something without a cause."""

    # -- tools ---------------------------------------------------------------------------------------------------

    @property
    def game(self) -> Any:
        """Its table's game."""
        return self.node.table._game if self.node.life else None

    def links(self) -> list[int]:
        """The links that are up."""
        return list(self.world.network.meshes[self.node.index].pipes)

    def victim(self, link: int) -> int:
        """Who is at the other end."""
        target = self.world.network.target_of(self.node.index, link)
        return -1 if target is None else target

    def send(self, link: int, message: m.Message) -> None:
        """Any message, whatever its table would say."""
        self.world.network.send(self.node.index, link, encode_message(message))

    def raw(self, link: int, payload: bytes) -> None:
        """Any bytes."""
        self.world.network.send(self.node.index, link, payload)

    def cast(self, message: m.Message) -> None:
        """Any message to everybody."""
        for link in self.links():
            self.send(link, message)

    def signed(self, body: Body) -> m.Entry:
        """Any body of one of its seats, signed well."""
        hand = self.game.hands[body.seat]
        signed = sign_entry(hand.person.key, self.game.id, body)
        return m.Entry(self.game.id, signed.body, signed.sig)

    def mine(self, body: Body) -> bool:
        """Whether a body is of one of its own seats."""
        return self.game is not None and body.seat in self.game.hands

    def _stirs(self) -> None:
        if self.node.running:
            self.stir()
        self.world.loop.after(self.every_us // 2 + self.dice.under(self.every_us), self._stirs)

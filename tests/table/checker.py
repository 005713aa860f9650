"""Judges honest clients from the outside: by what they sent, where they stand, and whom they blame.

Reads sent frames as they leave, so an early share is caught in the act; knows nothing of how the table works.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from sorry_lan.fair.entry import Ack, MoveEntry, Reveal, decode_body, entry_id
from sorry_lan.fair.verify import verify_transcript
from sorry_lan.faults import Err
from sorry_lan.table.commands import FileKind
from sorry_lan.table.news import FaultProven
from sorry_lan.wire.messages import Entry, Message
from tests.table.build import Node, World


class BrokenError(AssertionError):
    """A promise of the protocol does not hold."""


@dataclass
class Checker:
    """Watches `world`, in which the clients in `evil` do what they like; every client has one seat."""

    world: World
    evil: frozenset[int]
    revealed: int = 0
    equivocations: int = 0
    proofs: int = 0
    _acked: dict[int, dict[int, bytes]] = field(default_factory=lambda: defaultdict(dict))
    _moved: dict[int, dict[int, bytes]] = field(default_factory=lambda: defaultdict(dict))
    _seen: dict[int, dict[int, bytes]] = field(default_factory=lambda: defaultdict(dict))

    def __post_init__(self) -> None:
        self.world.watch.append(self._sent)
        self.world.looks.append(self._look)

    def honest(self) -> list[Node]:
        return [node for node in self.world.nodes if node.index not in self.evil]

    def seats(self) -> set[int]:
        """The seats of honest clients, once a table is agreed."""
        return {seat for node in self.honest() for seats in node.seats.values() for seat in seats}

    def _sent(self, node: Node, message: Message) -> None:
        if node.index in self.evil or not isinstance(message, Entry):
            return
        body = decode_body(message.body)
        if body.seat not in node.seats.get(message.game, ()):
            return
        match body:
            case Ack(k=k, seat=seat, head=head):
                self._acked[k][seat] = head
            case MoveEntry(k=k, seat=seat):
                self._moved[k][seat] = entry_id(message.game, message.body)
            case Reveal(k=k) if k:
                self.revealed += 1
                self._check_reveal(k)

    def _check_reveal(self, k: int) -> None:
        """Every honest human seat is bound to one outcome of the step before ([T-35])."""
        if len({*self._acked[k - 1].values()}) > 1:
            raise BrokenError(f"a share of step {k} is out while honest seats acknowledged different heads")
        missing = self.seats() - self._acked[k - 1].keys() - self._moved[k - 1].keys()
        if missing:
            raise BrokenError(f"a share of step {k} is out before the acknowledgement of {sorted(missing)}")

    def _look(self, node: Node) -> None:
        """Which move each honest client took for each step."""
        game = node.table._game
        if node.index in self.evil or game is None or game.ledger.open.move is None:
            return
        taken = self._seen[game.ledger.k]
        body = game.ledger.open.move.body
        if taken.setdefault(node.index, body) == body and len({*taken.values()}) > 1:
            self.equivocations += 1
            taken.clear()
            taken[node.index] = body

    def conclude(self) -> None:
        """At the end: one history, nobody honest blamed or expelled, every proof holds for a stranger."""
        heads: dict[int, bytes] = {}
        for node in self.honest():
            game = node.table._game
            for k in range(0 if game is None else game.ledger.k):
                head = game.ledger.applied_of(k).head
                if heads.setdefault(k, head) != head:
                    raise BrokenError(f"two honest clients finalised step {k} differently")
        honest = self.seats()
        for node in self.honest():
            blamed = {news.seat for news in node.told(FaultProven)}  # type: ignore[attr-defined]
            if blamed & honest:
                raise BrokenError(f"an honest seat is blamed: {sorted(blamed & honest)}")
            self._expelled(node)
            for file in node.files:
                if file.kind is FileKind.EVIDENCE:
                    self.proofs += 1
                    verdict = verify_transcript(file.content)
                    if verdict.blamed is None or verdict.blamed in honest:
                        raise BrokenError(f"evidence that proves nothing against the guilty: {verdict.finding}")

    def _expelled(self, node: Node) -> None:
        for command in node.closed:
            peer = self.world.peer_of(node.index, command.link)
            if command.code not in (Err.GOODBYE, Err.SHUTTING_DOWN) and peer not in self.evil:
                raise BrokenError(
                    f"client {node.index} expelled honest client {peer}: {command.code.name} {command.text}"
                )

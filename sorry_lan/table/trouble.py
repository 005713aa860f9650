"""When something is provably wrong: the game stands still, the proof is kept and shown ([F-17], [F-23] to [F-25]).

Blames a seat only with what it signed; where two clients merely compute different things, it blames nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sorry_lan.fair.entry import Ack, decode_body, encode_snapshot
from sorry_lan.fair.evidence import encode_evidence
from sorry_lan.fair.record import Ledger
from sorry_lan.fair.transcript import Chapter
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.table.commands import FileKind, SaveFile
from sorry_lan.table.desk import Desk
from sorry_lan.table.events import LinkId
from sorry_lan.table.news import EnginesDiffer, FaultProven
from sorry_lan.table.phases import CAN_STAND_STILL, Turn
from sorry_lan.wire.messages import Consent, Fault, Signed


class Trouble:
    """The faults of one game."""

    def __init__(
        self, desk: Desk, ledger: Ledger, title: str, consents: Sequence[Consent], past: Sequence[Chapter] = ()
    ) -> None:
        self._past = past
        self._desk = desk
        self._title = title
        self._ledger = ledger
        self._consents = consents
        self._proven: set[tuple[int, int]] = set()
        self.shown: list[Fault] = []
        """What was shown to all; whoever comes back is shown it too."""
        self.blamed: set[int] = set()
        """Seats whose misbehaviour is proven."""
        self._apart: set[int] = set()
        """Seats whose client computes otherwise than ours, as we saw."""
        self._say_apart: set[int] = set()
        """Seats whose client says so now."""
        self.stands_apart = False
        """Whether this client computed otherwise than what somebody signed."""
        self._heard_of_it = False

    def proven(self, fault: RemoteFault, links: Iterable[LinkId]) -> None:
        """Show the proof to all and keep it: once a seat, and once a step where it bears on what is counted here.

        Whoever comes back is shown them all at once, so a cheat must not be able to make them many.
        """
        proof = [Signed(body, sig) for body, sig in fault.evidence]
        body = decode_body(proof[0].body)
        bears = abs(body.k - self._ledger.k) <= 1
        if (body.seat, body.k) in self._proven or (body.seat in self.blamed and not bears):
            return
        self._proven.add((body.seat, body.k))
        self.blamed.add(body.seat)
        desk, game = self._desk, self._ledger.game_id
        self._save(FileKind.EVIDENCE, encode_evidence(self._ledger, self._consents, fault, self._past))
        self.shown.append(Fault(game, proof[0], proof[1] if len(proof) > 1 else None))
        desk.cast(self.shown[-1], links)
        desk.tell(FaultProven(body.seat, fault.code, body.k))
        self._stand_still()
        if isinstance(body, Ack) and bears:
            # Whoever acknowledges two heads makes two clients that compute alike believe that they do not.
            self._apart.clear()
            self.stands_apart = False

    @property
    def apart(self) -> set[int]:
        """Seats whose client computes otherwise than ours."""
        return self._apart | self._say_apart

    @property
    def found(self) -> bool:
        """Whether anything is wrong with this game."""
        return bool(self._proven) or self.stands_apart

    @property
    def code(self) -> Err:
        """What the program ends with where nobody sits at it."""
        return Err.EQUIVOCATION if self._proven else Err.DIVERGED

    def diverged(self, what: str, seat: int | None, signed: Signed | None = None) -> None:
        """The client of `seat` computes otherwise: write down what we have."""
        if seat is not None and not self.stands_apart:
            # Who said before us that it stands apart may do so for the same reason.
            self._apart.clear()
            self._say_apart.clear()
        if seat is not None:
            self._apart.add(seat)
        if self.stands_apart:
            return
        ledger = self._ledger
        self.stands_apart = True
        self._save(FileKind.DUMP, self._dump(what, signed))
        self._desk.tell(EnginesDiffer(ledger.k, () if seat is None else (seat,)))
        self._stand_still()

    def heard_diverged(self, seats: tuple[int, ...]) -> None:
        """Somebody says that it computes otherwise than we do: write down ours; whether to stop is not its choice.

        Where we stand apart too, or have not counted what it may mean, that may be no difference between us.
        """
        if not self.stands_apart and self._ledger.open.applied is not None:
            self._say_apart.update(seats)
        if not self._heard_of_it:
            self._heard_of_it = True
            self._save(FileKind.DUMP, self._dump("another client stands still", None))
            self._desk.tell(EnginesDiffer(self._ledger.k, seats))

    def heard_like_minded(self, seats: tuple[int, ...]) -> None:
        """Somebody says no more that it computes otherwise: what made it think so was a lie."""
        self._say_apart.difference_update(seats)

    def _save(self, kind: FileKind, content: bytes) -> None:
        self._desk.do(SaveFile(self._ledger.game_id, self._title, kind, content))

    def _stand_still(self) -> None:
        if self._desk.phase in CAN_STAND_STILL:
            self._desk.turn(Turn.STANDS_STILL)

    def _dump(self, what: str, signed: Signed | None) -> bytes:
        ledger, now = self._ledger, self._ledger.open
        lines = [
            "sorry-lan dump 1",
            what,
            f"game {ledger.game_id.hex()}",
            f"step {ledger.k} head {ledger.head.hex()}",
            f"before {encode_snapshot(ledger.position, ledger.pile).hex()}",
        ]
        if now.applied is not None:
            lines.append(f"after {encode_snapshot(now.applied.position, now.applied.pile).hex()}")
            lines.append(f"state {now.applied.state.hex()} head {now.applied.head.hex()}")
        lines += [f"entry {entry.body.hex()} {entry.sig.hex()}" for entry in now.entries()]
        if signed is not None:
            lines.append(f"differs {signed.body.hex()} {signed.sig.hex()}")
        return ("\n".join(lines) + "\n").encode()


def equivocation(first: Signed, second: Signed) -> RemoteFault:
    """The fault that two well-signed bodies of one slot are."""
    evidence = ((first.body, first.sig), (second.body, second.sig))
    return RemoteFault(Err.EQUIVOCATION, "two bodies for one slot", evidence)

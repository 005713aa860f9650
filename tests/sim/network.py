"""The network between clients, and each client's links as net/mesh.py keeps them.

A link is a TLS stream: ordered both ways, it breaks as a whole and is dialled anew; nothing in it is lost, doubled or
moved. Loss delays it, a cut direction holds it back, and who hears nothing for three seconds gives it up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from sorry_lan.faults import Err
from sorry_lan.net.roster import Standing, Verdict, judge
from sorry_lan.table.commands import WantedPeer
from sorry_lan.table.events import Direction, FrameArrived, Happening, LinkDown, LinkPeer, LinkUp
from sorry_lan.wire import limits
from sorry_lan.wire.messages import Intent
from tests.sim.clock import MS, Dice, Loop, S
from tests.sim.dialling import NAP_US, Dialling

HEAD_START_US = 200 * MS
SPARE = Err.TOO_MANY_CONNECTIONS
KERNEL_BYTES = 128 * 1024
"""What the systems at both ends hold of a stuck stream before the sender's own queue fills."""
RETRANSMIT_US = 200 * MS


class Client(Protocol):
    """What the network knows of a client."""

    index: int
    running: bool
    asleep: bool
    pk: bytes
    name: str
    instance: bytes
    boot: int
    port: int
    game: bytes | None
    kept: bytes | None

    def tell(self, what: Happening) -> None:
        """Something happened on one of its links."""


@dataclass(slots=True)
class Path:
    """One direction between two clients: a delay with jitter, a share of packets that go again, and cuts."""

    delay_us: int
    jitter_us: int
    loss: float = 0.0
    slow: int = 1
    cuts: int = 0
    cut_at_us: int = 0


@dataclass(slots=True, eq=False)
class Pipe:
    """One connection; `ends` are client indices, `ids` its number at each end."""

    ends: tuple[int, int]
    ids: tuple[int, int]
    instances: tuple[bytes, bytes]
    since_us: list[int]
    up: list[bool] = field(default_factory=lambda: [False, False])
    closing: list[bool] = field(default_factory=lambda: [False, False])
    ready_us: list[int] = field(default_factory=lambda: [0, 0])
    heard_us: list[int] = field(default_factory=lambda: [0, 0])
    held: list[list[bytes | None]] = field(default_factory=lambda: [[], []])
    held_bytes: list[int] = field(default_factory=lambda: [0, 0])
    byes: list[Err | None] = field(default_factory=lambda: [None, None])


@dataclass(slots=True)
class Seeker:
    """A peer that a client keeps a link to."""

    peer: WantedPeer
    gone_us: int
    slow: int = 0
    dialling: bool = False
    dialled_us: int = -S


@dataclass(slots=True)
class Mesh:
    """One client's links, new with each of its processes."""

    pipes: dict[int, tuple[Pipe, int]] = field(default_factory=dict)
    seekers: dict[bytes, Seeker] = field(default_factory=dict)
    admitted: frozenset[bytes] = frozenset()
    replaced: bool = False
    next_id: int = 1


class Network:
    """All paths and pipes."""

    def __init__(self, loop: Loop, dice: Dice, note: Callable[[str], None]) -> None:
        self.loop = loop
        self.dice = dice
        self.note = note
        self.clients: list[Client] = []
        self.meshes: list[Mesh] = []
        self.paths: dict[tuple[int, int], Path] = {}
        self.apart: frozenset[frozenset[int]] = frozenset()
        """Pairs that can never be linked."""
        self.frames = 0
        self.dialling = Dialling(self)

    def add(self, client: Client, delay_us: int, jitter_us: int) -> None:
        """One more client, linked to nobody."""
        for other in self.clients:
            self.paths[client.index, other.index] = Path(delay_us, jitter_us)
            self.paths[other.index, client.index] = Path(delay_us, jitter_us)
        self.clients.append(client)
        self.meshes.append(Mesh())

    # -- what faults do ------------------------------------------------------------------------------------------

    def cut(self, source: int, target: int) -> None:
        """From now on nothing gets from `source` to `target`."""
        path = self.paths[source, target]
        path.cuts += 1
        if path.cuts == 1:
            path.cut_at_us = self.loop.now_us

    def heal(self, source: int, target: int) -> None:
        """One cut less; the last one lets the stream go on when it is next sent again."""
        path = self.paths[source, target]
        path.cuts -= 1
        if path.cuts:
            return
        lasted = self.loop.now_us - path.cut_at_us
        resumes_us = self.loop.now_us + RETRANSMIT_US // 2 + self.dice.under(lasted // 2 + 1)
        for pipe, side in list(self.meshes[source].pipes.values()):
            if pipe.ends[1 - side] == target:
                # A stream waits for its next retransmission; a new one begins at once.
                pipe.ready_us[side] = max(pipe.ready_us[side], resumes_us)
                self._release(pipe, side)

    def reset(self, one: int, two: int) -> None:
        """The links between two clients break, and both notice."""
        for pipe, side in list(self.meshes[one].pipes.values()):
            if pipe.ends[1 - side] == two:
                self._gone(pipe, side, None)
                self._gone(pipe, 1 - side, None)

    # -- what clients do -----------------------------------------------------------------------------------------

    def send(self, index: int, link: int, payload: bytes) -> None:
        """Queue a frame; a link that is gone swallows it, one that is full is dropped."""
        held = self.meshes[index].pipes.get(link)
        if held is None:
            return
        pipe, side = held
        if not pipe.closing[side]:
            self.frames += 1
            self._carry(pipe, side, payload)

    def close(self, index: int, link: int, code: Err) -> None:
        """Say BYE behind what was sent, and hang up."""
        held = self.meshes[index].pipes.get(link)
        if held is None or held[0].closing[held[1]]:
            return
        pipe, side = held
        pipe.closing[side] = True
        pipe.byes[side] = code
        self._carry(pipe, side, None)
        self.loop.after(MS, self._gone, pipe, side, code)

    def seek(self, index: int, peers: tuple[WantedPeer, ...]) -> None:
        """From now on keep a link to each of exactly these."""
        mesh, me = self.meshes[index], self.clients[index]
        wanted = {peer.pk: peer for peer in peers if peer.pk != me.pk}
        for pk, seeker in list(mesh.seekers.items()):
            if wanted.get(pk) != seeker.peer:
                del mesh.seekers[pk]
        for pk, peer in wanted.items():
            if pk not in mesh.seekers:
                seeker = mesh.seekers[pk] = Seeker(peer, self.loop.now_us, dialling=True)
                self.loop.after(HEAD_START_US if pk < me.pk else 0, self.dialling.attempt, index, me.instance, seeker)

    def admit(self, index: int, keys: frozenset[bytes]) -> None:
        """From now on exactly these keys need no code."""
        self.meshes[index].admitted = keys

    def vanish(self, index: int, *, word: bool) -> None:
        """A process ends. With `word` its system tells the others; without power nobody does."""
        mesh, self.meshes[index] = self.meshes[index], Mesh()
        for pipe, side in list(mesh.pipes.values()):
            pipe.up[side] = False
            if word and pipe.up[1 - side] and not self.paths[pipe.ends[side], pipe.ends[1 - side]].cuts:
                self.loop.at(self.arrival(pipe, side), self._gone, pipe, 1 - side, None)

    def linked(self, index: int, pk: bytes) -> bool:
        """Whether a client holds a link to the client with this key."""
        return any(
            self.clients[pipe.ends[1 - side]].pk == pk and not pipe.closing[side]
            for pipe, side in self.meshes[index].pipes.values()
        )

    def target_of(self, index: int, link: int) -> int | None:
        """Who is at the other end of a link."""
        held = self.meshes[index].pipes.get(link)
        return None if held is None else held[0].ends[1 - held[1]]

    # -- streams -------------------------------------------------------------------------------------------------

    def arrival(self, pipe: Pipe, side: int) -> int:
        """When what is sent now arrives: behind everything sent before."""
        path = self.paths[pipe.ends[side], pipe.ends[1 - side]]
        dice = self.dice
        delay = path.delay_us + dice.under(path.jitter_us + 1)
        if path.slow > 1:
            delay *= path.slow
        if path.loss and dice.chance(path.loss):
            delay += RETRANSMIT_US
        when = self.loop.now_us + delay
        ready = pipe.ready_us[side]
        if when <= ready:
            when = ready + 1
        pipe.ready_us[side] = when
        return when

    def _carry(self, pipe: Pipe, side: int, payload: bytes | None) -> None:
        if self.paths[pipe.ends[side], pipe.ends[1 - side]].cuts:
            size = 4 + len(payload or b"")
            waiting, size_waiting = len(pipe.held[side]), pipe.held_bytes[side]
            if size_waiting > KERNEL_BYTES and waiting >= limits.QUEUE_FRAMES:
                self.note("a full queue dropped a link")
                self._gone(pipe, side, Err.QUEUE_OVERFLOW)
                return
            pipe.held[side].append(payload)
            pipe.held_bytes[side] = size_waiting + size
        else:
            self.loop.at(self.arrival(pipe, side), self._arrive, pipe, 1 - side, payload)

    def _release(self, pipe: Pipe, side: int) -> None:
        held, pipe.held[side], pipe.held_bytes[side] = pipe.held[side], [], 0
        for payload in held:
            self.loop.at(self.arrival(pipe, side), self._arrive, pipe, 1 - side, payload)

    def _arrive(self, pipe: Pipe, side: int, payload: bytes | None) -> None:
        if not pipe.up[side]:
            return
        pipe.heard_us[side] = self.loop.now_us
        if payload is None:
            self._gone(pipe, side, pipe.byes[1 - side])
        elif not pipe.closing[side]:
            self.clients[pipe.ends[side]].tell(FrameArrived(pipe.ids[side], payload))

    def _gone(self, pipe: Pipe, side: int, code: Err | None) -> None:
        """One end has lost the link, for this reason; its peer hears that the stream ended."""
        if not pipe.up[side]:
            return
        pipe.up[side] = False
        index = pipe.ends[side]
        mesh, client = self.meshes[index], self.clients[index]
        mesh.pipes.pop(pipe.ids[side], None)
        if pipe.up[1 - side] and not self.paths[index, pipe.ends[1 - side]].cuts:
            self.loop.at(self.arrival(pipe, side), self._gone, pipe, 1 - side, None)
        if code is Err.CONNECTED_ELSEWHERE and pipe.byes[side] is None:
            mesh.replaced = True
        client.tell(LinkDown(pipe.ids[side], None if code is SPARE else code))
        pk = self.clients[pipe.ends[1 - side]].pk
        seeker = mesh.seekers.get(pk)
        if seeker is not None and not seeker.dialling and not self.linked(index, pk):
            seeker.gone_us, seeker.slow, seeker.dialling = self.loop.now_us, 0, True
            again_us = seeker.dialled_us + limits.REDIAL_MS * MS
            self.loop.at(again_us, self.dialling.attempt, index, client.instance, seeker)

    def _listen(self, pipe: Pipe, side: int) -> None:
        """Give a link up after three seconds without a frame."""
        if not pipe.up[side]:
            return
        if self.clients[pipe.ends[side]].asleep:
            self.loop.after(NAP_US, self._listen, pipe, side)
            return
        deadline = pipe.heard_us[side] + limits.LINK_DEAD_MS * MS
        if self.loop.now_us >= deadline:
            self.note("a silent link was given up")
            self._gone(pipe, side, None)
        else:
            self.loop.at(deadline, self._listen, pipe, side)

    def pipe(self, ends: tuple[int, int], instances: tuple[bytes, bytes]) -> Pipe:
        """A new connection, up at neither end."""
        now = self.loop.now_us
        return Pipe(ends, (self._take_id(ends[0]), self._take_id(ends[1])), instances, [now, now])

    def _take_id(self, index: int) -> int:
        mesh = self.meshes[index]
        mesh.next_id += 1
        return mesh.next_id

    def welcome(self, pipe: Pipe, side: int, intent: Intent) -> None:
        """Let a new link in at one end, unless another of the same peer stays instead."""
        index, other = pipe.ends[side], pipe.ends[1 - side]
        client, peer = self.clients[index], self.clients[other]
        if not client.running or client.instance != pipe.instances[side] or pipe.byes[1 - side] is not None:
            return
        if side == 0 and not pipe.up[1]:
            return
        now = self.loop.now_us
        pipe.since_us[side] = now
        standing = self._standing(pipe, side)
        for old, old_side in list(self.meshes[index].pipes.values()):
            if old.ends[1 - old_side] != other or old.closing[old_side]:
                continue
            match judge(self._standing(old, old_side), standing):
                case Verdict.OLD_STAYS:
                    self.note("two dials crossed")
                    pipe.byes[side] = SPARE
                    if pipe.up[1 - side]:
                        self.loop.at(self.arrival(pipe, side), self._gone, pipe, 1 - side, SPARE)
                    return
                case Verdict.NEW_STAYS:
                    self.note("the newer link stayed")
                    self.close(index, old.ids[old_side], SPARE)
                case Verdict.NEW_INSTANCE:
                    self.note("a new process took over a link")
                    self.close(index, old.ids[old_side], Err.CONNECTED_ELSEWHERE)
        pipe.up[side] = True
        pipe.heard_us[side] = now
        self.meshes[index].pipes[pipe.ids[side]] = (pipe, side)
        way = Direction.INCOMING if side else Direction.OUTGOING
        caller = peer if side else client
        game = None if intent is Intent.LOBBY else caller.game or caller.kept
        who = LinkPeer(
            peer.pk, peer.name, pipe.instances[1 - side], peer.boot, intent, game, f"10.0.0.{other + 1}", peer.port, way
        )
        self.loop.at(now + limits.LINK_DEAD_MS * MS, self._listen, pipe, side)
        client.tell(LinkUp(pipe.ids[side], who))

    def _standing(self, pipe: Pipe, side: int) -> Standing:
        other = pipe.ends[1 - side]
        dialler = self.clients[pipe.ends[0]].pk
        return Standing(
            pipe.ids[side], self.clients[other].pk, pipe.instances[1 - side], dialler, pipe.since_us[side] / S
        )

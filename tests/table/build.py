"""Whole tables in memory: clients joined by a fake wire with seeded delays, virtual timers and a strict executor.

Everything a client may do goes through its Table; the world only carries bytes, time and people's wishes.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from random import Random
from typing import Any

from sorry_lan.fair.engine import engine_digest
from sorry_lan.fair.entry import Slot, decode_body, slot
from sorry_lan.faults import Err
from sorry_lan.rules.profile import STARTERS, Rules
from sorry_lan.table.commands import (
    AdmitPeers,
    AppendJournal,
    CancelTimer,
    CloseLink,
    Command,
    FileKind,
    Finish,
    JournalKind,
    SaveFile,
    SeekPeers,
    SendFrame,
    SetTimer,
    ShowView,
    Sync,
)
from sorry_lan.table.events import (
    Direction,
    DrawAsked,
    Event,
    FrameArrived,
    Happening,
    LinkDown,
    LinkPeer,
    LinkUp,
    Opened,
    SeatDecided,
    Timer,
    TimerFired,
)
from sorry_lan.table.news import News
from sorry_lan.table.saved import JournalPair, SavedGame, restore_line
from sorry_lan.table.settings import Auto, Naming, Offers, Person, ReadyWhen, Role, Settings
from sorry_lan.table.table import Table
from sorry_lan.table.view import Ask, Prompt, View
from sorry_lan.wire.codec import decode_message, encode_message, unpack
from sorry_lan.wire.keys import SecretKey
from sorry_lan.wire.messages import Entry, Intent, Message, Signed
from sorry_lan.wire.terms import Option

ENGINE = engine_digest()
NAMES = ("Bob", "Eve", "Joe", "Sue", "Ann", "Tom")
MS = 1000
SHORT = Rules(pawns=1, pawns_out=1, start_cards=STARTERS)
"""Rules under which a game takes a few dozen steps."""


def seed_bytes(*parts: object) -> bytes:
    return sha256(repr(parts).encode()).digest()


def person(
    number: int, *, colour: int | None = None, auto: Auto = Auto.ALL, age: int | None = None, **more: str
) -> Person:
    name = more.get("name", NAMES[number])
    naming = Naming.LOOSE if more.get("naming") == "loose" else Naming.GIVEN
    key = SecretKey(seed_bytes("key", number))
    return Person(key, seed_bytes("root", number), name, colour, age, auto, 0, naming)


def settings(
    role: Role,
    *people: Person,
    seats: int = 2,
    bots: Sequence[int] = (),
    ready: ReadyWhen = ReadyWhen.AT_ONCE,
    rules: Rules | None = None,
    options: Option = Option.NONE,
    engine: bytes = ENGINE,
) -> Settings:
    hosting = role is not Role.JOINER
    return Settings(
        role=role,
        people=people,
        ready=ready,
        engine=engine,
        boot=1,
        title="A table" if hosting else "",
        rules=rules or Rules(),
        options=options,
        seats=seats,
        bots=tuple(bots),
    )


@dataclass
class Node:
    """One client and all that came of it."""

    index: int
    settings: Settings
    table: Table
    view: View | None = None
    news: list[News] = field(default_factory=list)
    journal: list[AppendJournal] = field(default_factory=list)
    files: list[SaveFile] = field(default_factory=list)
    sent: list[tuple[int, Message]] = field(default_factory=list)
    closed: list[CloseLink] = field(default_factory=list)
    admitted: list[AdmitPeers] = field(default_factory=list)
    sought: list[SeekPeers] = field(default_factory=list)
    timers: dict[tuple[Timer, int], int] = field(default_factory=dict)
    finished: Err | None = None
    signed: set[tuple[bytes, bytes]] = field(default_factory=set)
    seats: dict[bytes, set[int]] = field(default_factory=dict)
    slots: dict[bytes, dict[Slot, bytes]] = field(default_factory=dict)
    alive: bool = True
    fuse: int | None = None
    """After so many further commands the process dies, in the middle of what it was doing."""

    @property
    def game(self) -> bytes | None:
        """What a HELLO of this client names: the game it admits others to."""
        return self.admitted[-1].game if self.admitted and self.alive else None

    @property
    def pk(self) -> bytes:
        return self.settings.people[0].key.public

    def pairs(self, game: bytes) -> list[JournalPair]:
        """What the journal of a game holds."""
        return [(record.kind, record.payload) for record in self.journal if record.game == game]

    def told(self, kind: type) -> list[News]:
        return [news for news in self.news if isinstance(news, kind)]

    def transcripts(self) -> list[bytes]:
        return [file.content for file in self.files if file.kind is FileKind.TRANSCRIPT]


@dataclass
class Wire:
    """A link between two nodes, by the link's number at each end."""

    ends: tuple[int, int]
    ids: tuple[int, int]
    up: bool = True
    ready_us: list[int] = field(default_factory=lambda: [0, 0])


class World:
    """All clients of one test; `graph` says which pairs can ever be linked (None: all)."""

    def __init__(self, *clients: Settings, seed: int = 0, graph: Iterable[tuple[int, int]] | None = None) -> None:
        self.now_us = 1_000_000
        self.delays = Random(f"{seed} delays")
        self.seed = seed
        self.slowest_us = 2 * MS
        self.pace_us: dict[frozenset[int], int] = {}
        """The longest delay of a pair, where it is not `slowest_us`."""
        self.graph = None if graph is None else {frozenset(pair) for pair in graph}
        self.hosts: dict[int, str] = {}
        """The address of a client, where it is to be a certain one."""
        self.nodes = [Node(index, client, Table(client)) for index, client in enumerate(clients)]
        self.bytes_sent = 0
        self.watch: list[Callable[[Node, Message], None]] = []
        self.carried: list[Callable[[int, int, bytes], None]] = []
        """Told of every frame: who sends it, to whom."""
        self.meddlers: dict[int, Callable[[int, Message], None]] = {}
        """What an evil client does with the frames that its Table sends; by client."""
        self.looks: list[Callable[[Node], None]] = []
        self._heap: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0
        self._wires: dict[tuple[int, int], tuple[Wire, int]] = {}
        self._next_link = [1 for _ in clients]

    # -- time ----------------------------------------------------------------------------------------------------

    def at(self, when_us: int, what: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._heap, (when_us, self._count, what))

    def run(self, *, for_s: float = 600, until: Callable[[], bool] | None = None, most: int = 2_000_000) -> None:
        end_us = self.now_us + int(for_s * 1_000_000)
        while self._heap and not (until is not None and until()):
            when_us, _, what = self._heap[0]
            if when_us > end_us:
                self.now_us = end_us
                return
            heapq.heappop(self._heap)
            self.now_us = max(self.now_us, when_us)
            what()
            most -= 1
            assert most, "the world does not come to rest"

    # -- events --------------------------------------------------------------------------------------------------

    def tell(self, node: int | Node, what: Happening) -> None:
        node = self.nodes[node] if isinstance(node, int) else node
        if not node.alive:
            return
        self._count += 1
        event = Event(self.now_us, seed_bytes("entropy", self.seed, self._count), what)
        commands = node.table.handle(event)
        assert sum(isinstance(command, ShowView) for command in commands) <= 1
        for command in commands:
            if node.fuse == 0:
                self.kill(node.index)
                return
            if node.fuse is not None:
                node.fuse -= 1
            self._do(node, command)
        for look in self.looks:
            look(node)

    def open(self, node: int = 0) -> None:
        self.tell(node, Opened())

    def start(self) -> None:
        """The first hosts, the others join it one after the other."""
        for node in self.nodes:
            self.tell(node, Opened())
        for node in self.nodes[1:]:
            self.link(node.index, 0)
            self.run(for_s=0.1)

    def watcher(self, *, through: int | None = 0, auto: Auto = Auto.NOTHING) -> Node:
        """One more client, which watches through this one."""
        number = len(self.nodes)
        key = SecretKey(seed_bytes("watcher", number))
        who = Person(key, seed_bytes("root", number), f"W{number}", None, None, auto, 0)
        node = Node(number, settings(Role.WATCHER, who), Table(settings(Role.WATCHER, who)))
        self.nodes.append(node)
        self._next_link.append(1)
        self.open(number)
        if through is not None:
            self.watch_through(node, through)
        return node

    def watch_through(self, node: Node, through: int) -> None:
        """The watcher's call to a player's client comes through."""
        self.link(node.index, through, intent=Intent.WATCH)

    def offer(self, offers: Offers) -> None:
        """Before the start: how all clients answer, and make, offers to go on without somebody."""
        for node in self.nodes:
            node.settings = replace(node.settings, offers=offers)
            node.table = Table(node.settings)

    def people_play(self, *nodes: int, after_us: int = MS) -> None:
        """At these clients somebody turns over every card and plays the first choice."""

        def look(node: Node) -> None:
            if node.index in nodes and node.view is not None and node.finished is None:
                for prompt in node.view.prompts:
                    self.at(self.now_us + after_us, lambda prompt=prompt: self.tell(node, answer(prompt)))

        self.looks.append(look)

    # -- links ---------------------------------------------------------------------------------------------------

    def linked(self, one: int, two: int) -> bool:
        return any(wire.up and set(wire.ends) == {one, two} for wire, _ in self._wires.values())

    def link(self, caller: int, called: int, *, intent: Intent = Intent.LOBBY) -> tuple[int, int]:
        ids = (self._take_id(caller), self._take_id(called))
        wire = Wire((caller, called), ids)
        for side, node in enumerate(wire.ends):
            self._wires[node, ids[side]] = (wire, side)
        for side in (1, 0):
            node, peer = self.nodes[wire.ends[side]], self.nodes[wire.ends[1 - side]]
            way = Direction.INCOMING if side else Direction.OUTGOING
            who = LinkPeer(
                peer.pk, peer.settings.people[0].name, b"i" * 16, peer.settings.boot, intent, peer.game,
                self.hosts.get(peer.index, f"10.0.0.{peer.index + 1}"), 7777, way,
            )  # fmt: skip
            self.tell(node, LinkUp(ids[side], who))
        return ids

    def cut(self, one: int, two: int) -> None:
        """The link breaks without a word."""
        for wire in {id(w): w for w, _ in self._wires.values()}.values():
            if wire.up and set(wire.ends) == {one, two}:
                wire.up = False
                for side in (0, 1):
                    self.tell(wire.ends[side], LinkDown(wire.ids[side], None))

    # -- crashes -------------------------------------------------------------------------------------------------

    def kill(self, index: int, *, keep: int | None = None) -> None:
        """The process is gone; of its journal the first `keep` records survive, else all that was synced."""
        node = self.nodes[index]
        node.alive, node.fuse = False, None
        node.timers.clear()
        for other in self.nodes:
            self.cut(index, other.index)
        if keep is None:
            last = [place for place, record in enumerate(node.journal) if record.sync is Sync.NOW]
            keep = last[-1] + 1 if last else 0
        del node.journal[keep:]
        own = [record for record in node.journal if record.kind is JournalKind.OWN_ENTRY and record.game is not None]
        node.signed = {(record.game or b"", unpack(Signed, record.payload).body) for record in own}

    def restart(self, index: int, *, anew: Settings | None = None) -> None:
        """The same command again: the latest game of the journal is taken up, or there is none."""
        node = self.nodes[index]
        node.settings = anew or replace(node.settings, boot=node.settings.boot + 1)
        games = [record for record in node.journal if record.kind is JournalKind.HEADER]
        self.restart_with(index, self.saved(index) if games else None)

    def restart_with(self, index: int, saved: SavedGame | None, kept: Sequence[SavedGame] = ()) -> None:
        """A new process with these games."""
        node = self.nodes[index]
        node.table, node.alive, node.finished, node.view = Table(node.settings, saved, kept), True, None, None
        self.tell(node, Opened())

    def saved(self, index: int) -> SavedGame:
        """The latest game in the journal of a client."""
        node = self.nodes[index]
        games = [record.game for record in node.journal if record.kind is JournalKind.HEADER]
        return restore_line(games[-1] or b"", node.pairs)

    def part(self, *groups: Iterable[int]) -> None:
        """Only clients of one group reach each other, until the network is whole again."""
        whole = [set(group) for group in groups]
        pairs = [(one, two) for one in range(len(self.nodes)) for two in range(one)]
        self.graph = {frozenset(pair) for pair in pairs if any(set(pair) <= group for group in whole)}
        for one, two in pairs:
            if frozenset((one, two)) not in self.graph:
                self.cut(one, two)

    def heal(self) -> None:
        """All pairs can be linked again, and are."""
        self.graph = None
        for one in range(len(self.nodes)):
            for two in range(one):
                up = all(self.nodes[n].alive and self.nodes[n].finished is None for n in (one, two))
                if up and not self.linked(one, two):
                    self.link(one, two, intent=Intent.GAME)

    def _take_id(self, node: int) -> int:
        self._next_link[node] += 1
        return self._next_link[node]

    def deliver(self, node: int, link: int, payload: bytes) -> None:
        """Carry a frame that `node` sends on its link number `link`, behind those sent before."""
        wire, side = self._wires[node, link]
        for hear in self.carried:
            hear(wire.ends[side], wire.ends[1 - side], payload)
        self._queue(wire, side, lambda: self._arrive(wire, 1 - side, FrameArrived(wire.ids[1 - side], payload)))

    def peer_of(self, node: int, link: int) -> int:
        """Who is at the other end of a link."""
        wire, side = self._wires[node, link]
        return wire.ends[1 - side]

    def links_of(self, node: int) -> list[int]:
        """The numbers of the links of `node` that are up."""
        return [link for (owner, link), (wire, _) in self._wires.items() if owner == node and wire.up]

    def send(self, node: int, to: int, message: Message) -> None:
        """What an evil client sends: any message on its link to `to`."""
        link = next(
            wire.ids[side]
            for (owner, _), (wire, side) in self._wires.items()
            if owner == node and wire.ends[1 - side] == to and wire.up
        )
        self.deliver(node, link, encode_message(message))

    def arrive(self, node: int, to: int, message: Message) -> None:
        """As `send`, but it is there at once: before anything that is under way, and before anything is passed on."""
        wire, side = next(
            (wire, side)
            for (owner, _), (wire, side) in self._wires.items()
            if owner == node and wire.ends[1 - side] == to and wire.up
        )
        self._arrive(wire, 1 - side, FrameArrived(wire.ids[1 - side], encode_message(message)))

    def _queue(self, wire: Wire, side: int, what: Callable[[], None]) -> None:
        slowest_us = self.pace_us.get(frozenset(wire.ends), self.slowest_us)
        when_us = max(self.now_us + self.delays.randrange(50, slowest_us), wire.ready_us[side] + 1)
        wire.ready_us[side] = when_us
        self.at(when_us, what)

    def _arrive(self, wire: Wire, side: int, what: Happening) -> None:
        if wire.up:
            self.tell(wire.ends[side], what)

    def _end(self, wire: Wire, side: int, code: Err) -> None:
        if wire.up:
            wire.up = False
            self.tell(wire.ends[side], LinkDown(wire.ids[side], code))

    # -- commands ------------------------------------------------------------------------------------------------

    def _do(self, node: Node, command: Command) -> None:
        match command:
            case AppendJournal():
                self._write(node, command)
            case SendFrame(link=link, payload=payload):
                self._send(node, link, payload)
            case CloseLink(link=link, code=code):
                node.closed.append(command)
                wire, side = self._wires[node.index, link]
                self._queue(wire, side, lambda: self._end(wire, 1 - side, code))
                self.at(self.now_us, lambda: self.tell(node, LinkDown(link, code)))
            case SetTimer(timer=timer, key=key, delay_ms=delay_ms):
                self._set_timer(node, (timer, key), delay_ms)
            case CancelTimer(timer=timer, key=key):
                node.timers.pop((timer, key), None)
            case SeekPeers(peers=peers):
                node.sought.append(command)
                for peer in peers:
                    self.at(self.now_us + MS, lambda pk=peer.pk: self._dial(node, pk))
            case AdmitPeers():
                node.admitted.append(command)
            case SaveFile():
                node.files.append(command)
            case ShowView(view=view, news=news):
                node.view = view
                node.news += news
            case Finish(code=code):
                assert node.finished is None
                node.finished = code

    def _write(self, node: Node, record: AppendJournal) -> None:
        node.journal.append(record)
        if record.kind is JournalKind.OWN_ENTRY:
            assert record.sync is Sync.NOW
            self._signed(node, record.game, unpack(Signed, record.payload))

    def _send(self, node: Node, link: int, payload: bytes) -> None:
        message = decode_message(payload)
        assert message is not None
        self._check_journalled(node, message)
        self.bytes_sent += 4 + len(payload)
        node.sent.append((self.now_us, message))
        for watch in self.watch:
            watch(node, message)
        meddle = self.meddlers.get(node.index)
        if meddle is None:
            self.deliver(node.index, link, payload)
        else:
            meddle(link, message)

    def _signed(self, node: Node, game: bytes | None, signed: Signed) -> None:
        """No client ever signs two bodies for one slot, and each body is journalled once."""
        assert game is not None
        body = decode_body(signed.body)
        slots = node.slots.setdefault(game, {})
        assert slots.setdefault(slot(body), signed.body) == signed.body
        assert (game, signed.body) not in node.signed
        node.signed.add((game, signed.body))
        node.seats.setdefault(game, set()).add(body.seat)

    def _set_timer(self, node: Node, name: tuple[Timer, int], delay_ms: int) -> None:
        self._count += 1
        mark = self._count
        node.timers[name] = mark

        def fire() -> None:
            if node.timers.get(name) == mark and node.finished is None:
                del node.timers[name]
                self.tell(node, TimerFired(*name))

        self.at(self.now_us + delay_ms * MS, fire)

    def _dial(self, node: Node, pk: bytes) -> None:
        other = next(other for other in self.nodes if other.pk == pk)
        if node.settings.role is Role.WATCHER:
            # It keeps one link, whichever of them it gets.
            if other.alive and other.finished is None and not self.links_of(node.index):
                self.watch_through(node, other.index)
            return
        pair = {node.index, other.index}
        if self.graph is not None and pair not in self.graph:
            return
        up = all(one.alive and one.finished is None for one in (node, other))
        if up and not self.linked(node.index, other.index):
            self.link(node.index, other.index)

    def _check_journalled(self, node: Node, message: Message) -> None:
        """Journal before send: whatever one of our keys signed is on the disk first."""
        if not isinstance(message, Entry) or node.index in self.meddlers:
            return
        seat = decode_body(message.body).seat
        if seat in node.seats.get(message.game, ()):
            assert (message.game, message.body) in node.signed, "sent before it was on the disk"


def answer(prompt: Prompt) -> DrawAsked | SeatDecided:
    if prompt.ask is Ask.DRAW:
        return DrawAsked(prompt.seat)
    assert prompt.card is not None
    return SeatDecided(prompt.seat, prompt.k, prompt.card, prompt.choices[0])


def finished(world: World) -> bool:
    return all(node.finished is not None for node in world.nodes)


def friends(count: int, *, bots: int = 0, auto: Auto = Auto.ALL, rules: Rules = SHORT, **more: Any) -> World:
    """`count` clients of one person each, the first of them the host."""
    seats = count + bots
    clients = [settings(Role.HOST, person(0, auto=auto), seats=seats, bots=[0] * bots, rules=rules)]
    clients += [settings(Role.JOINER, person(number, auto=auto)) for number in range(1, count)]
    return World(*clients, **more)

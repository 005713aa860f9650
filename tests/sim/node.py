"""One client: a Table as it is, and around it what app/ does: outbox, timers, people, and the end of its process.

The outbox keeps the promise of app/outbox.py: what stands behind a journal record leaves when that record is synced,
and records that wait share one sync.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Protocol, assert_never
from zlib import crc32

from sorry_lan.faults import Err
from sorry_lan.table.commands import (
    AdmitPeers,
    AppendJournal,
    CancelTimer,
    CloseLink,
    Command,
    Finish,
    SaveFile,
    SeekPeers,
    SendFrame,
    SetTimer,
    ShowView,
    Sync,
)
from sorry_lan.table.events import (
    DiskFailed,
    DiskWorks,
    DrawAsked,
    Event,
    GoOnAnswered,
    Happening,
    Ready,
    SeatDecided,
    Timer,
    TimerFired,
)
from sorry_lan.table.settings import Offers, Settings
from sorry_lan.table.table import Table
from sorry_lan.table.view import Ask, Prompt, View
from tests.sim.clock import MS, Dice, Loop, S
from tests.sim.disk import Disk, Loss
from tests.sim.network import Network

LOCAL = (ShowView, SetTimer, CancelTimer, Finish)
RETRY_US = S


class Watcher(Protocol):
    """Whoever judges what a client does."""

    def before(self, node: Node, what: Happening) -> None:
        """An event is about to be handled."""

    def after(self, node: Node, commands: tuple[Command, ...]) -> None:
        """An event was handled."""

    def leaves(self, node: Node, link: int, payload: bytes) -> None:
        """A frame leaves."""

    def broke(self, node: Node, wrong: Exception) -> None:
        """Production code raised something."""


Meddler = Callable[[int, bytes], None]


def _nothing(node: Node) -> None:
    """Nobody waits for a crash."""


class Node:
    """One client and its disk; `life` numbers its processes."""

    def __init__(self, index: int, loop: Loop, network: Network, disk: Disk, watcher: Watcher) -> None:
        self.index = index
        self.loop = loop
        self.network = network
        self.disk = disk
        self.watcher = watcher
        self.running = False
        self.asleep = False
        self.life = 0
        self.table: Table
        self.settings: Settings
        self.pk = b""
        self.name = ""
        self.instance = b""
        self.boot = 0
        self.port = 7777
        self.game: bytes | None = None
        self.kept: bytes | None = None
        """The game that it has on its disk and hopes to find where it joins."""
        self.view: View | None = None
        self.finished: Err | None = None
        self.meddler: Meddler | None = None
        """What stands between an evil client's table and the network."""
        self.people: Dice
        self.thinks_us = (200 * MS, 1500 * MS)
        self.decides = False
        """Whether the people here answer an offer to go on without somebody."""
        self.fickle = True
        """Whether somebody who is asked again after a restart wants something else."""
        self.commands_done = 0
        self.crash_after = 0
        """The number of the command behind which the process is killed."""
        self.on_crash: Callable[[Node], None] = _nothing
        self.events = 0
        self.slept_us = 0
        self._asleep_since = 0
        self.backlog: list[Happening] = []
        self._timers: dict[tuple[Timer, int], int] = {}
        self._marks = 0
        self._queue: deque[Command] = deque()
        self._writing: list[AppendJournal] = []
        self._busy = False
        self._failed = False
        self._asked: set[tuple[bytes, int, int, Ask]] = set()
        self._considers: object = None
        """The offer to go on without somebody that the people here think about."""
        self._entropy = b""

    # -- processes -----------------------------------------------------------------------------------------------

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The keys of the people here."""
        return tuple(person.key.public for person in self.settings.people)

    def boots(self, settings: Settings, table: Table) -> None:
        """A process begins with a table that nothing has happened to."""
        self.life += 1
        self.settings, self.table = settings, table
        self.boot = settings.boot
        self.pk = settings.people[0].key.public
        self.name = settings.people[0].name
        self.instance = b"%04d%04d" % (self.index, self.life) * 2
        self._entropy = b"entropy %08d%08d" % (self.index, self.life)
        self.running, self.asleep, self.finished, self.view, self.game = True, False, None, None, None
        self.kept = None
        self.backlog, self._timers, self._queue = [], {}, deque()
        self._writing, self._busy, self._failed = [], False, False
        self._asked, self._considers = set(), None

    def crash(self, loss: Loss) -> None:
        """The process ends in the middle of whatever it does."""
        self.running = self.asleep = False
        self.disk.crash(loss, self._writing)
        self._queue.clear()
        self.network.vanish(self.index, word=loss is Loss.KILL)

    def sleeps(self) -> None:
        """The lid is closed: time stands still for this client."""
        self.asleep = True
        self._asleep_since = self.loop.now_us

    def wakes(self) -> None:
        """Everything that happened meanwhile happens now."""
        if not self.asleep:
            return
        self.asleep = False
        self.slept_us += self.loop.now_us - self._asleep_since
        while self.backlog and not self.asleep:
            self.tell(self.backlog.pop(0))

    # -- events --------------------------------------------------------------------------------------------------

    def tell(self, what: Happening) -> None:
        """Handle an event; its commands are carried out as the disk allows."""
        if not self.running:
            return
        if self.asleep:
            self.backlog.append(what)
            return
        self.events += 1
        self.watcher.before(self, what)
        event = Event(self.loop.now_us - self.slept_us, self._entropy + self.events.to_bytes(8, "big"), what)
        try:
            commands = self.table.handle(event)
        except Exception as wrong:  # noqa: BLE001 - whatever it is, it is what a simulator looks for
            self.watcher.broke(self, wrong)
            self.running = False
            return
        self.watcher.after(self, commands)
        self._put(commands)

    def _put(self, commands: Iterable[Command]) -> None:
        self._queue.extend(commands)
        if self._failed:
            self._pass_local()
        elif not self._busy:
            self._advance()

    def _advance(self) -> None:
        queue, life = self._queue, self.life
        while queue and not self._busy:
            if type(queue[0]) is AppendJournal:
                self._flush()
                return
            self._carry_out(queue.popleft())
            if self.life != life or not self.running:
                return

    def _pass_local(self) -> None:
        """A broken disk holds back what others would hear, not what people here see."""
        held = [command for command in self._queue if not isinstance(command, LOCAL)]
        passed = [command for command in self._queue if isinstance(command, LOCAL)]
        self._queue.clear()
        self._queue.extend(held)
        for command in passed:
            self._carry_out(command)

    # -- the disk ------------------------------------------------------------------------------------------------

    def _flush(self) -> None:
        """Write all records that wait, also those of later events."""
        self._writing = [command for command in self._queue if type(command) is AppendJournal]
        rest = [command for command in self._queue if type(command) is not AppendJournal]
        self._queue.clear()
        self._queue.extend(rest)
        self._busy = True
        sync = Sync.NOW if any(record.sync is Sync.NOW for record in self._writing) else Sync.LATER
        self.loop.after(self.disk.latency_us(sync), self._flushed, self.life, sync)

    def _flushed(self, life: int, sync: Sync) -> None:
        if life != self.life or not self.running:
            return
        if self.asleep:
            self.loop.after(100 * MS, self._flushed, life, sync)
            return
        if not self.disk.write(self._writing, sync):
            self.loop.after(RETRY_US, self._flushed, life, sync)
            if not self._failed:
                self._failed = True
                self._pass_local()
                self.tell(DiskFailed())
            return
        self._writing, self._busy = [], False
        if self._failed:
            self._failed = False
            self.tell(DiskWorks())
        self._advance()

    # -- commands ------------------------------------------------------------------------------------------------

    def _carry_out(self, command: Command) -> None:
        self.commands_done += 1
        kind = type(command)
        if kind is SendFrame:
            self.send(command.link, command.payload)  # type: ignore[union-attr]
        elif kind is ShowView:
            self._shown(command.view)  # type: ignore[union-attr]
        else:
            self._carry_out_rare(command)
        if self.commands_done == self.crash_after:
            self.on_crash(self)

    def _carry_out_rare(self, command: Command) -> None:
        match command:
            case SetTimer(timer=timer, key=key, delay_ms=delay_ms):
                self._marks += 1
                self._timers[timer, key] = self._marks
                self.loop.after(delay_ms * MS, self._fire, (timer, key), self._marks, self.life)
            case CancelTimer(timer=timer, key=key):
                self._timers.pop((timer, key), None)
            case CloseLink(link=link, code=code):
                self.network.close(self.index, link, code)
            case SeekPeers(peers=peers):
                self.network.seek(self.index, peers)
            case AdmitPeers(keys=keys, game=game):
                self.network.admit(self.index, keys)
                self.game = game or self.game
            case SaveFile():
                self.disk.files.append(command)
            case Finish(code=code):
                self.finished = code
                self.loop.after(50 * MS, self._ended, self.life)
            case SendFrame() | ShowView() | AppendJournal():
                raise AssertionError("carried out elsewhere")
            case _:
                assert_never(command)

    def send(self, link: int, payload: bytes) -> None:
        """A frame leaves, past the meddler of an evil client."""
        if self.meddler is None:
            self.watcher.leaves(self, link, payload)
            self.network.send(self.index, link, payload)
        else:
            self.meddler(link, payload)

    def _ended(self, life: int) -> None:
        """The process returns, its records written."""
        if life == self.life and self.running:
            self.disk.write([c for c in (*self._writing, *self._queue) if isinstance(c, AppendJournal)], Sync.NOW)
            self.running = False
            self.network.vanish(self.index, word=True)

    def _fire(self, name: tuple[Timer, int], mark: int, life: int) -> None:
        if life != self.life or self._timers.get(name) != mark or not self.running:
            return
        if self.asleep:
            self.loop.after(100 * MS, self._fire, name, mark, life)
            return
        del self._timers[name]
        self.tell(TimerFired(*name))

    # -- people --------------------------------------------------------------------------------------------------

    def _shown(self, view: View) -> None:
        self.view = view
        game = b"" if view.game is None else view.game.game_id
        for prompt in view.prompts:
            asked = (game, prompt.seat, prompt.k, prompt.ask)
            if asked not in self._asked:
                self._asked.add(asked)
                self.loop.after(self.people.between(*self.thinks_us), self._answer, game, prompt, self.life)
        if self.settings.offers is Offers.PEOPLE and self.decides:
            self._consider(view)

    def _consider(self, view: View) -> None:
        """The game could go on without somebody, or with whoever comes back: the people here make up their minds."""
        going = view.going_on
        offer = None if going is None or going.agreed else (going.without, going.back)
        if offer is not None and offer != self._considers:
            self.loop.after(self.people.between(S, 8 * S), self._decide, offer, self.life)
        self._considers = offer

    def _decide(self, offer: object, life: int) -> None:
        if life != self.life or not self.running or self._considers != offer or self.view is None:
            return
        self._considers = None
        yes = self.people.chance(0.8)
        self.tell(GoOnAnswered(Ready.YES if yes else Ready.NO))
        if not yes:
            # They sleep on it.
            self.loop.after(15 * S, self._again, life)

    def _again(self, life: int) -> None:
        if life == self.life and self.running and self.view is not None:
            self._consider(self.view)

    def _answer(self, game: bytes, prompt: Prompt, life: int) -> None:
        """The person does what it was asked, if it is still asked."""
        if life != self.life or not self.running:
            return
        if self.asleep or self.view is None:
            self.loop.after(S, self._answer, game, prompt, life)
            return
        if prompt not in self.view.prompts:
            # The disk may have failed meanwhile: the question comes again.
            self._asked.discard((game, prompt.seat, prompt.k, prompt.ask))
            return
        if prompt.ask is Ask.DRAW:
            self.tell(DrawAsked(prompt.seat))
        elif prompt.card is not None:
            mind = self.life if self.fickle else 0
            wish = crc32(b"%d %d %d" % (prompt.seat, prompt.k, mind)) % len(prompt.choices)
            self.tell(SeatDecided(prompt.seat, prompt.k, prompt.card, prompt.choices[wish]))

"""The way of one message as docs/architecture.md tells it: Bob has played, and this is what happens at Ada's."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import trio

from sorry_lan.app.inbox import Inbox
from sorry_lan.app.runner import Around, Runner
from sorry_lan.fair.entry import Ack, MoveEntry, decode_body
from sorry_lan.faults import Err
from sorry_lan.net.frames import Wire
from sorry_lan.net.link import Link
from sorry_lan.rules.engine import play
from sorry_lan.rules.moves import from_action
from sorry_lan.store.disk import Disk
from sorry_lan.store.journal import Journals, read_journal
from sorry_lan.table.commands import (
    AppendJournal,
    Command,
    JournalKind,
    SaveFile,
    SendFrame,
    ShowView,
    Sync,
    WantedPeer,
)
from sorry_lan.table.events import Event, FrameArrived, Happening, LeaveAsked
from sorry_lan.table.news import News, Played
from sorry_lan.table.notices import Notice
from sorry_lan.table.play import Game
from sorry_lan.table.table import Table
from sorry_lan.table.view import Phase, View
from sorry_lan.ui.plain import PlainSession
from sorry_lan.wire.codec import decode_message, pack
from sorry_lan.wire.frames import frame
from sorry_lan.wire.messages import Entry, Signed
from tests.net.build import memory_wires
from tests.table.build import Node, friends

ADA, BOB = 0, 1


def game_of(table: Table) -> Game:
    assert table._game is not None
    return table._game


def entry_in(payload: bytes) -> Entry | None:
    message = decode_message(payload)
    return message if isinstance(message, Entry) else None


def message_on_its_way() -> tuple[Node, FrameArrived]:
    """Ada, one of three at a table, and a move of Bob's straight from him, before anybody has acknowledged it."""
    world = friends(3, seed=1)
    ada, bob = world.nodes[ADA], world.nodes[BOB]
    usual: Callable[[int | Node, Happening], None] = world.tell
    held: list[FrameArrived] = []

    def is_it(what: FrameArrived) -> bool:
        entry = entry_in(what.payload)
        if entry is None or not isinstance(body := decode_body(entry.body), MoveEntry):
            return False
        ledger = game_of(ada.table).ledger
        author = ledger.terms.seats[body.seat].pk
        nobody_yet = body.k == ledger.k and ledger.open.move is None and not ledger.open.acks
        return nobody_yet and author == bob.pk == ada.table._desk.links[what.link].peer.pk

    def tell(node: int | Node, what: Happening) -> None:
        if node == ADA and isinstance(what, FrameArrived) and is_it(what):
            held.append(what)
        elif not held:
            usual(node, what)

    world.tell = tell  # type: ignore[method-assign]
    world.start()
    world.run(until=lambda: bool(held))
    return ada, held[0]


@dataclass
class Funnel:
    """A table that remembers what came in and what came out."""

    table: Table
    events: list[Event] = field(default_factory=list)
    answers: list[tuple[Command, ...]] = field(default_factory=list)

    @property
    def thinks(self) -> bool:
        return self.table.thinks

    def handle(self, event: Event) -> tuple[Command, ...]:
        self.events.append(event)
        self.answers.append(self.table.handle(event))
        return self.answers[-1]


@dataclass
class Surroundings:
    """Links, face and shelf of Ada's client; looks at her disk whenever bytes leave."""

    journal: Path
    session: PlainSession = field(default_factory=PlainSession)
    told: list[str] = field(default_factory=list)
    phases: list[Phase] = field(default_factory=list)
    left: list[tuple[int, bytes, list[bytes]]] = field(default_factory=list)
    seen: trio.Event = field(default_factory=trio.Event)

    def send(self, link: int, payload: bytes) -> None:
        self.left.append((link, payload, [record.payload for record in read_journal(self.journal)]))

    def close(self, link: int, code: Err, text: str) -> None:
        """The end of the test."""

    def seek(self, peers: tuple[WantedPeer, ...]) -> None:
        raise AssertionError(peers)

    def admit(self, keys: frozenset[bytes], game: bytes | None) -> None:
        raise AssertionError((keys, game))

    def save(self, command: SaveFile) -> str:
        raise AssertionError(command)

    def notice(self, notice: Notice) -> None:
        raise AssertionError(notice)

    def show(self, view: View, news: tuple[News, ...]) -> None:
        self.phases.append(view.phase)
        self.told += self.session.picture(view, news)
        if any(isinstance(item, Played) for item in news):
            self.seen.set()

    async def run(self, tell: Callable[[Happening], None]) -> None:
        await self.seen.wait()
        tell(LeaveAsked())


async def carry(data: bytes, link: Link, far: Wire, inbox: Inbox, runner: Runner) -> Err:
    """From the far end of a link to the face, with the table in the middle; why the run ended."""

    async def deliver(payload: bytes) -> None:
        await inbox.put(FrameArrived(link.id, payload))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run, deliver)
        # A stream has no frames: the bytes come as they come.
        await far.send_bytes(data[:7])
        await far.send_bytes(data[7:])
        code = await runner.run()
        nursery.cancel_scope.cancel()
    return code


async def test_a_message_goes_the_way_that_the_architecture_tells(tmp_path: Path) -> None:
    ada, arrived = message_on_its_way()
    game = game_of(ada.table)
    entry = entry_in(arrived.payload)
    assert entry is not None
    body = decode_body(entry.body)
    assert isinstance(body, MoveEntry)
    card, before, phase_before = game.ledger.open.card, game.ledger.position, ada.table._desk.phase
    assert (phase_before, card is None) == (Phase.MOVE, False)
    (tmp_path / "games").mkdir()
    journals = Journals(tmp_path, Disk())
    around, funnel, inbox = Surroundings(journals.path(game.id)), Funnel(ada.table), Inbox()
    links = dict(ada.table._desk.links)
    near, far = memory_wires()
    near.trust()
    link = Link(arrived.link, near, links[arrived.link].peer)
    runner = Runner(funnel, Around(journals, around, around, around), inbox)

    # 1, 2: bytes of the stream are cut into a frame.
    code = await carry(frame(arrived.payload), link, far, inbox, runner)
    journals.close()

    # 3, 4: the frame comes to the table as an event, with time and entropy.
    event = funnel.events[0]
    assert event.what == arrived
    assert len(event.entropy) == 32

    # 5, 6: the payload became an entry, and the replica counted the move.
    assert game.ledger.open.move == Signed(entry.body, entry.sig)
    assert card is not None
    after = play(before, game.ledger.rules, card, from_action(body.action))
    assert game.ledger.applied_of(body.k).position == after

    # 7: the phase is the next one, and Ada's seat has acknowledged.
    assert around.phases[0] is Phase.ACKS
    (own,) = game.hands
    ack = game.ledger.open.acks[own]
    assert decode_body(ack.body) == Ack(body.k, own, game.ledger.applied_of(body.k).head)

    # 8: the journal, then Bob's entry to whom he may not reach and the acknowledgement to all, then the picture.
    *doings, shown = funnel.answers[0]
    own_entry = Entry(game.id, ack.body, ack.sig)
    written = AppendJournal(game.id, JournalKind.OWN_ENTRY, pack(ack), Sync.NOW)
    passed_on = [(other, entry) for other in links if other != arrived.link]
    assert doings[0] == written
    assert [(each.link, entry_in(each.payload)) for each in doings[1:] if isinstance(each, SendFrame)] == [
        *passed_on,
        *((other, own_entry) for other in links),
    ]
    assert isinstance(shown, ShowView)

    # 9: what was sent of our own was on the disk by then.
    left = [(to, on_disk) for to, payload, on_disk in around.left if entry_in(payload) == own_entry]
    assert [to for to, _ in left] == list(links)
    assert all(pack(ack) in on_disk for _, on_disk in left)

    # 10: a sentence.
    assert code is Err.GOODBYE
    (told,) = around.told
    assert re.fullmatch(rf"B{body.action[1]} [a-z].*\.", told)

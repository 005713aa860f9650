"""The one place that knows everybody: from what a person asked for to a running table and an exit code.

Makes and orders the parts; what they do is theirs.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, Protocol

import trio

from sorry_lan import __version__
from sorry_lan.app.acquaintance import acquainted
from sorry_lan.app.announcing import AnnouncingFace
from sorry_lan.app.inbox import Inbox
from sorry_lan.app.keeping import Memory, lives_at, own_keys, remembered, resuming
from sorry_lan.app.parts import GamesShelf, Later, NoLinks
from sorry_lan.app.patience import PatientFace
from sorry_lan.app.runner import Around, Face, ForegroundFace, Runner
from sorry_lan.app.seeking import reach_table
from sorry_lan.app.wishes import (
    BY_SIGNAL,
    Access,
    Goodbye,
    Resume,
    RunOptions,
    Sitting,
    exit_code,
    problem_exit_code,
)
from sorry_lan.fair.engine import engine_digest
from sorry_lan.faults import Err
from sorry_lan.net.addresses import Own, own_addresses
from sorry_lan.net.code import CodeKeeper, fresh_code, plain_code
from sorry_lan.net.discovery import Lookout, announce
from sorry_lan.net.handshake import Introduction
from sorry_lan.net.listener import ListenError, Listening, open_port
from sorry_lan.net.mesh import Mesh
from sorry_lan.net.reunion import reunite
from sorry_lan.net.tls import Credentials, fresh_credentials
from sorry_lan.net.where import parse_address
from sorry_lan.store.disk import Disk, StoreError, make_folder, writing
from sorry_lan.store.identity import Identity, open_identity
from sorry_lan.store.journal import Journals, read_journal
from sorry_lan.table.events import Opened, ResumeAsked
from sorry_lan.table.notices import (
    CodeChanged,
    CodeUse,
    Finding,
    GameProblem,
    Invitation,
    JoinProblem,
    JournalSetAside,
    NoTable,
    PortTaken,
    Problem,
    Reach,
    StartProblem,
    Stopped,
    TableOpened,
)
from sorry_lan.table.settings import Person, Role, Settings
from sorry_lan.table.table import Table
from sorry_lan.wire import limits
from sorry_lan.wire.keys import person_key, person_root
from sorry_lan.wire.messages import Intent

_SWITCH_S: Final = 0.0005
__all__ = [
    "Access",
    "ForegroundFace",
    "Goodbye",
    "Resume",
    "RunOptions",
    "Sitting",
    "exit_code",
    "play_table",
    "problem_exit_code",
    "run_table",
]


class Host(Protocol):
    """A loop that trio is a guest of, and that takes the signals; see guest.py, which loads that loop."""

    def run(self, main: Callable[[], Awaitable[int]]) -> int:
        """As `trio.run`."""

    def __aiter__(self) -> AsyncIterator[int]:
        """The signals, as they come."""


def run_table(options: RunOptions, face: ForegroundFace, host: Host | None = None) -> int:
    """Run a table to its end and return the exit code; signals end it in order. What is not caught here is a bug."""
    # A flush that is done must not wait the usual five milliseconds for the interpreter.
    sys.setswitchinterval(_SWITCH_S)
    main = partial(until_signal, partial(play_table, options, face), face, host)
    return trio.run(main) if host is None else host.run(main)


async def until_signal(work: Callable[[], Awaitable[int]], face: ForegroundFace, host: Host | None) -> int:
    """Do the work and return its exit code, or that of the signal that ended it."""
    # A client started with nohup is not to end with its terminal.
    wanted = [number for number in BY_SIGNAL if signal.getsignal(number) is not signal.SIG_IGN]
    result = [0]
    with trio.open_signal_receiver(*wanted) if host is None else nullcontext(host) as signals:
        async with trio.open_nursery() as nursery:

            async def watch() -> None:
                async for number in signals:
                    if number == signal.SIGINT and face.interrupted():
                        continue
                    result[0] = BY_SIGNAL[signal.Signals(number)]
                    nursery.cancel_scope.cancel()
                    return

            nursery.start_soon(watch)
            result[0] = await work()
            nursery.cancel_scope.cancel()
    return result[0]


async def play_table(options: RunOptions, face: Face) -> int:
    """As `run_table`, inside a trio program and without its signals."""
    # The digest takes longer than all else that comes before the first picture.
    engine = Later(engine_digest)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(engine.run)
        code = await _with_lock(options, face, engine)
        nursery.cancel_scope.cancel()
    return code


async def _with_lock(options: RunOptions, face: Face, engine: Later[bytes]) -> int:
    disk = Disk()
    try:
        identity = await trio.to_thread.run_sync(open_identity, options.folder, disk)
    except StoreError as wrong:
        return _stopped(face, wrong.problem)
    journals = Journals(options.folder, disk)
    try:
        await trio.to_thread.run_sync(_usable, options.folder, journals)
        return await _with_identity(options, face, _Own(identity, journals, engine))
    except StoreError as wrong:
        return _stopped(face, wrong.problem)
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(_close, journals, identity)


def _usable(folder: Path, journals: Journals) -> None:
    """What is wrong with the files is to be known before anything is signed: StoreError."""
    read_journal(journals.path(None))
    make_folder(folder / "games")


def _close(journals: Journals, identity: Identity) -> None:
    try:
        journals.close()
    except StoreError:
        # Nothing behind these records was sent; people have been told that the disk fails.
        pass
    finally:
        identity.release()


def _stopped(face: Face, problem: StartProblem) -> int:
    face.notice(Stopped(problem))
    return problem_exit_code(problem)


@dataclass(frozen=True, slots=True)
class _Own:
    """What this client has before there is a table."""

    identity: Identity
    journals: Journals
    engine: Later[bytes]


async def _with_identity(options: RunOptions, face: Face, own: _Own) -> int:

    def told(notice: JournalSetAside) -> None:
        trio.from_thread.run_sync(face.notice, notice)

    engine = partial(trio.from_thread.run, own.engine.get)
    memory = await trio.to_thread.run_sync(remembered, options, Disk(), told, own_keys(own.identity), engine)
    if isinstance(memory, GameProblem):
        return _stopped(face, memory)
    if memory.saved is not None:
        options = resuming(options, memory.saved, own.identity)
    shelf = GamesShelf(options.folder / "games")
    if options.role is Role.LOCAL:
        inbox = Inbox()
        inbox.tell(Opened())
        table = Table(_settings(options, own.identity, await own.engine.get()), memory.saved)
        return exit_code(await Runner(table, Around(own.journals, shelf, NoLinks(), face), inbox).run())
    credentials = await trio.to_thread.run_sync(_credentials, options.folder)
    try:
        listening = await _listening(options)
    except ListenError as wrong:
        return _stopped(face, wrong.problem)
    keeper = _keeper(options, face)
    try:
        if options.role is Role.HOST and listening is not None:
            await _tell_where(options, face, listening.port, keeper)
        settings = _settings(options, own.identity, await own.engine.get())
        parts = _Parts(own.journals, shelf, credentials, listening, keeper, memory)
        return await _linked(options, face, settings, parts)
    finally:
        if listening is not None:
            listening.close()


def _credentials(folder: Path) -> Credentials:
    with writing(folder):
        return fresh_credentials(folder)


async def _listening(options: RunOptions) -> Listening | None:
    """The host's listener; a joiner goes without where it can't have one, because both ends of a pair dial."""
    if options.role is Role.HOST:
        return await open_port(options.port)
    if options.role is Role.WATCHER:
        # Nobody has anything to ask of who only watches.
        return None
    try:
        return await open_port(options.port or 0)
    except ListenError:
        if options.port and options.resume is not Resume.ASKED:
            raise
        # Who resumes is looked for at its old port, but finds the others all the same.
        return None


@dataclass(frozen=True, slots=True)
class _Parts:
    journals: Journals
    shelf: GamesShelf
    credentials: Credentials
    listening: Listening | None
    keeper: CodeKeeper | None
    memory: Memory


def _settings(options: RunOptions, identity: Identity, engine: bytes) -> Settings:
    unnamed = (Sitting(options.people[0].name, None, None),) * (limits.MAX_SEATS - len(options.people))
    people = tuple(
        Person(
            person_key(identity.seed, index),
            person_root(identity.root, index),
            sitting.name,
            sitting.colour,
            sitting.age,
            options.auto,
            options.auto_level,
            sitting.naming,
        )
        for index, sitting in enumerate((*options.people, *unnamed))
    )
    return Settings(
        options.role,
        people[: len(options.people)],
        options.ready,
        engine,
        identity.boot,
        options.title,
        options.rules,
        options.options,
        options.seats,
        options.bots,
        offers=options.offers,
        guarded=options.access is Access.CODE and (options.role is Role.HOST or options.code is not None),
        spare=people[len(options.people) :],
    )


async def _linked(options: RunOptions, face: Face, settings: Settings, parts: _Parts) -> int:
    """A table with other clients: the links run as long as it does, and a little longer to say good-bye."""
    inbox = Inbox()
    listening = parts.listening
    settings = replace(settings, port=None if listening is None else listening.port)
    first = settings.people[0]
    me = Introduction(
        key=first.key,
        name=first.name,
        app=__version__[: limits.MAX_APP],
        instance=os.urandom(16),
        boot=settings.boot,
        engine=settings.engine,
        port=None if listening is None else listening.port,
    )
    calls = Intent.WATCH if options.role is Role.WATCHER else Intent.GAME
    mesh = Mesh(me, parts.credentials, parts.keeper, inbox.put, face.notice, calls=calls)
    answered = trio.Event()
    if options.goodbye is Goodbye.AT_ONCE:
        answered.set()
    patient = PatientFace(await acquainted(face, options.folder), answered)
    memory = parts.memory
    shown = AnnouncingFace(patient, me.program, CodeUse.NONE if parts.keeper is None else CodeUse.NEEDED)
    table = Table(settings, memory.saved, memory.kept)
    runner = Runner(table, Around(parts.journals, parts.shelf, mesh, shown), inbox)
    ended: list[int] = []
    async with trio.open_nursery() as nursery:
        await nursery.start(mesh.run, listening)
        nursery.start_soon(_give_way, mesh, face, ended, nursery.cancel_scope)
        if options.role is Role.HOST and options.finding is Finding.ANNOUNCED and listening is not None:
            nursery.start_soon(announce, f"sorry-lan-{me.instance.hex()[:12]}", listening.port, shown.card)
        if memory.saved is not None:
            others = tuple(peer.pk for peer in memory.saved.peers if peer.pk != first.key.public)
            nursery.start_soon(reunite, memory.saved.game_id, first.key.public, settings.port, others, mesh)
        inbox.tell(Opened())
        try:
            if options.role is Role.HOST or memory.saved is not None:
                answered.set()
                ended.append(exit_code(await runner.run()))
            else:
                reach = partial(reach_table, options, patient, mesh, memory, Lookout(me.program))
                ended.append(await _joined(reach, patient, runner, memory))
        finally:
            with trio.CancelScope(shield=True):
                await mesh.part(Err.SHUTTING_DOWN)
            nursery.cancel_scope.cancel()
    return ended[0]


async def _give_way(mesh: Mesh, face: Face, ended: list[int], scope: trio.CancelScope) -> None:
    """End this client where its identity plays on from elsewhere."""
    await mesh.replaced.wait()
    ended.append(_stopped(face, JoinProblem(Problem.ELSEWHERE, Err.CONNECTED_ELSEWHERE, mesh.replaced_at)))
    scope.cancel()


def _keeper(options: RunOptions, face: Face) -> CodeKeeper | None:
    """A host's code is told to its people when it changes; a joiner guards its own door with the host's."""
    if options.access is Access.OPEN or (options.role is not Role.HOST and options.code is None):
        return None

    def fresh() -> str:
        return fresh_code(os.urandom(32))

    def changed(code: str) -> None:
        if options.role is Role.HOST:
            face.notice(CodeChanged(code))

    return CodeKeeper(fresh() if options.code is None else plain_code(options.code), fresh, changed)


async def _tell_where(options: RunOptions, face: Face, port: int, keeper: CodeKeeper | None) -> None:
    if options.port is None and port != limits.DEFAULT_PORT:
        face.notice(PortTaken(limits.DEFAULT_PORT, port))
    if options.advertised is None:
        own = await own_addresses(port)
    else:
        given = parse_address(options.advertised, port)
        own, port = Own((given.host,), Reach.GIVEN), given.port
    code = None if keeper is None else keeper.code
    opened = TableOpened(own.hosts, port, code, own.reach, options.finding)
    face.notice(opened)
    if options.picture is not None:
        face.notice(Invitation(opened, options.picture))


async def _joined(
    reach: Callable[[], Awaitable[JoinProblem | NoTable | None]], face: PatientFace, runner: Runner, memory: Memory
) -> int:
    failed: list[JoinProblem | NoTable] = []
    with trio.CancelScope() as playing:
        async with trio.open_nursery() as nursery:

            async def call() -> None:
                problem = await reach()
                game = lives_at(memory, problem) if isinstance(problem, JoinProblem) else None
                if game is not None:
                    runner.tell(ResumeAsked(game.game_id))
                elif problem is not None:
                    failed.append(problem)
                    playing.cancel()
                face.answered.set()

            nursery.start_soon(call)
            ended = await runner.run()
            nursery.cancel_scope.cancel()
            return exit_code(ended)
    return _stopped(face, failed[0])

"""All links of one client: whom it lets in, whom it dials, one link a peer ([H-13], [H-20], [H-21]).

What frames mean is the table's matter; nothing that one connection does touches another.
"""

from __future__ import annotations

import itertools
import logging
import os
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import trio

from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.net.addresses import plain_host, zoned
from sorry_lan.net.code import CodeKeeper
from sorry_lan.net.dial import Unreached, connect_any, secure
from sorry_lan.net.frames import Wire, close_bounded
from sorry_lan.net.handshake import Call, Introduction, LinkLost, SetupRefused, answer, farewell, greet
from sorry_lan.net.link import Link
from sorry_lan.net.listener import Listening, accept_forever
from sorry_lan.net.roster import Half, Known, Standing, Verdict, judge, room_for, to_close_for
from sorry_lan.net.seeking import Seeking
from sorry_lan.net.tls import Credentials, NotOurs, client_context, secure_listener
from sorry_lan.net.where import Address
from sorry_lan.table.commands import WantedPeer
from sorry_lan.table.encounters import CallerWaits
from sorry_lan.table.events import Direction, FrameArrived, LinkDown, LinkId, LinkPeer, LinkUp
from sorry_lan.table.notices import JoinProblem, Notice, Problem, StrangerCalled
from sorry_lan.wire import limits
from sorry_lan.wire.messages import Bye, Hello, Intent

log = logging.getLogger(__name__)

_JOIN_S: Final = 5.5
"""Connecting, TLS, HELLO and AUTH of a person's own call: they are told what is wrong within six seconds."""
_CONNECT_S: Final = 5.0
_AGAIN_S: Final = (0.25, 0.5, 1.0)
"""Half to one and a half times so long a person's own call waits after each connection that broke."""
_SETUP_S: Final = limits.SETUP_MS / 1000
_STRANGER_EVERY_S: Final = 1.0
_WAITS_S: Final = 1.0
"""Who is in by then was never seen at the door."""
_PARTING_S: Final = 2.5
_SPARE: Final = Err.TOO_MANY_CONNECTIONS
"""What the spare one of two links is closed with: a good-bye would mean that the peer leaves the table."""

LinkEvent = LinkUp | LinkDown | FrameArrived


@dataclass(slots=True)
class _Held:
    """A link with what the judge of duplicates needs; `superseded` once another one of its peer took its place."""

    link: Link
    standing: Standing
    superseded: bool = False


class Mesh:
    """Runs in a nursery of its caller; `tell` takes each event and may wait, `notice` never waits."""

    def __init__(
        self,
        me: Introduction,
        credentials: Credentials | None,
        keeper: CodeKeeper | None,
        tell: Callable[[LinkEvent], Awaitable[None]],
        notice: Callable[[Notice], None],
        *,
        calls: Intent = Intent.GAME,
    ) -> None:
        """`calls`: what we want of those whom we dial once there is a table; who wants to watch wants nothing else."""
        self._me = me
        self._credentials = credentials
        self.keeper = keeper
        self._calls = calls
        self._code: str | None = None
        """The code that let us watch, which any player asks for."""
        self._tell = tell
        self._notice = notice
        self._context: ssl.SSLContext = client_context()
        self._ids = itertools.count(1)
        self._held: dict[LinkId, _Held] = {}
        self._half: dict[Half, trio.CancelScope] = {}
        self._admitted: frozenset[bytes] = frozenset()
        self._game: bytes | None = None
        self._seeking = Seeking(self, me.key.public, self._spawn)
        self._places: dict[bytes, tuple[Address, ...]] = {}
        self._changed = trio.Event()
        self.replaced = trio.Event()
        """Set once the same identity has come to the table from elsewhere: nothing is dialled any more."""
        self.replaced_at = ""
        self._stranger_s = self._waiting_s = float("-inf")
        self._nursery: trio.Nursery | None = None

    async def run(self, listening: Listening | None, task_status: trio.TaskStatus[None]) -> None:
        """Accept and keep links until cancelled; `started` once `join`, `seek` and the others may be called."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            if listening is not None:
                for sock in listening.sockets:
                    nursery.start_soon(accept_forever, sock, self._take)
            task_status.started()
            await trio.sleep_forever()

    # What the table asks for

    def knows(self, pk: bytes) -> bool:
        """Whether `pk` needs no join code (Door)."""
        return pk in self._admitted

    def admit(self, keys: frozenset[bytes], game: bytes | None) -> None:
        """From now on exactly these keys need no code."""
        self._admitted = keys
        self._game = game

    def seek(self, peers: tuple[WantedPeer, ...]) -> None:
        """From now on keep a link to each of exactly these, or to one of them where we want to watch."""
        self._seeking.seek(peers, one=self._calls is Intent.WATCH)

    def send(self, link: LinkId, payload: bytes) -> None:
        """Queue a frame; a link that is gone swallows it."""
        held = self._held.get(link)
        if held is not None:
            held.link.send(payload)

    def close(self, link: LinkId, code: Err, text: str) -> None:
        """Say BYE and close, without waiting."""
        held = self._held.get(link)
        if held is not None:
            held.link.close(code, text)

    async def part(self, code: Err) -> None:
        """Say BYE to everyone and wait until the links are gone, for a limited time."""
        self._seeking.stop()
        for held in tuple(self._held.values()):
            held.link.close(code, "")
        with trio.move_on_after(_PARTING_S):
            while self._held:
                await self.change()

    async def join(self, address: Address, code: str | None, game: bytes | None = None) -> JoinProblem | None:
        """Call a host, or a player of `game`; None once the link is up (LinkUp was told), else why there is none.

        A connection that breaks before it is a link is tried again after a pause, for a listener closes the oldest of
        those from one address to make room for another ([H-13]). Takes six seconds at most.
        """
        intent = self._calls if self._calls is Intent.WATCH or game is not None else Intent.LOBBY
        self._code = code
        shown = str(address)
        last = Problem.TIMED_OUT
        with trio.move_on_after(_JOIN_S):
            for pause_s in (*_AGAIN_S, None):
                try:
                    # Before anybody has answered silence means something else than after that.
                    stream = await connect_any(zoned(address), _CONNECT_S)
                    last = Problem.NOT_SORRY_LAN
                    wire = await secure(stream, self._context)
                    last = Problem.TIMED_OUT
                    call = Call(intent, game, code, None, shown, os.urandom(32))
                    await self._greeted(wire, call, _remote_host(stream, address))
                except Unreached as wrong:
                    last = wrong.problem
                except SetupRefused as refused:
                    return refused.problem
                except RemoteFault as fault:
                    return self._problem(Problem.BROKE_RULE, fault.code, shown)
                except LinkLost:
                    last = Problem.RESET
                else:
                    return None
                if last is not Problem.RESET or pause_s is None:
                    break
                # Several that began together are not to go on together.
                await trio.sleep(pause_s * (0.5 + int.from_bytes(os.urandom(2), "big") / 0xFFFF))
        return self._problem(last, Err.TIMEOUT, shown)

    def _problem(self, problem: Problem, code: Err, address: str) -> JoinProblem:
        return JoinProblem(problem, code, address, self._me.program)

    # Setting links up

    async def _take(self, stream: trio.SocketStream, host: str) -> None:
        """A new connection: make room for it, and set it up beside everything else."""
        half = Half(next(self._ids), plain_host(host))
        victim = to_close_for(tuple(self._half), half.host)
        if victim is not None:
            self._half.pop(victim).cancel()
        scope = trio.CancelScope(deadline=trio.current_time() + _SETUP_S)
        self._half[half] = scope
        self._spawn(partial(self._received, stream, half, scope))

    async def _received(self, stream: trio.SocketStream, half: Half, scope: trio.CancelScope) -> None:
        """One caller, from TLS to AUTH; then its link runs in a task of its own."""
        code: Err | None = Err.TIMEOUT
        try:
            with scope:
                async with trio.open_nursery() as beside:
                    beside.start_soon(self._tell_waiting, half.host)
                    code = await self._answered(stream, half)
                    beside.cancel_scope.cancel()
        finally:
            self._half.pop(half, None)
            if code is not None:
                await close_bounded(stream)
        # Who hangs up without a word is no news: of two addresses dialled at once one connection is always left.
        if code is not None and code is not Err.GOODBYE:
            self._stranger(half.host, code)

    async def _answered(self, stream: trio.SocketStream, half: Half) -> Err | None:
        """None once the link runs, else why it does not."""
        if self._credentials is None:
            return Err.SHUTTING_DOWN
        try:
            wire = await secure_listener(stream, self._credentials)
        except NotOurs:
            return Err.BAD_FRAME
        except LinkLost:
            return Err.GOODBYE
        try:
            hello = await answer(wire, self._me, self, os.urandom(32), half.host)
        except (SetupRefused, RemoteFault) as refused:
            await wire.part(farewell(refused))
            return refused.problem.code if isinstance(refused, SetupRefused) else refused.code
        except LinkLost:
            return Err.GOODBYE
        peer = _peer(hello, half.host, Direction.INCOMING)
        others = (held.link.peer for held in self._held.values() if held.standing.pk != peer.pk)
        intents = tuple(int(other.intent) for other in others)
        if not room_for(int(peer.intent), intents, Known.YES if self.knows(peer.pk) else Known.NO):
            full = Err.WATCHERS_FULL if peer.intent is Intent.WATCH else Err.TOO_MANY_CONNECTIONS
            await wire.part(Bye(int(full), ""))
            return full
        self._half.pop(half, None)
        await self._welcome(wire, peer)
        return None

    async def _greeted(self, wire: Wire, call: Call, host: str) -> None:
        """Our call's HELLO and AUTH; raises as for `greet`, with the stream closed and the other end told."""
        try:
            hello = await greet(wire, self._me, call)
        except (SetupRefused, RemoteFault) as refused:
            await wire.part(farewell(refused))
            raise
        except BaseException:
            await close_bounded(wire.stream)
            raise
        await self._welcome(wire, _peer(hello, host, Direction.OUTGOING))

    async def _tell_waiting(self, host: str) -> None:
        """Say that somebody is at the door, if that takes long enough to be seen."""
        await trio.sleep(_WAITS_S)
        now_s = trio.current_time()
        if now_s - self._waiting_s >= _STRANGER_EVERY_S:
            self._waiting_s = now_s
            self._notice(CallerWaits(host))

    def _stranger(self, host: str, code: Err) -> None:
        """At most one line and one notice a second, whatever knocks."""
        now_s = trio.current_time()
        if now_s - self._stranger_s >= _STRANGER_EVERY_S:
            self._stranger_s = now_s
            log.info("refused a connection from %s: %s", host, code.name)
            self._notice(StrangerCalled(host, code))

    # Links that are up

    async def _welcome(self, wire: Wire, peer: LinkPeer) -> None:
        """Let a new link in, unless another of the same peer stays instead."""
        wire.trust()
        link = Link(next(self._ids), wire, peer)
        mine = self._me.key.public
        dialler = mine if peer.direction is Direction.OUTGOING else peer.pk
        standing = Standing(link.id, peer.pk, peer.instance, dialler, trio.current_time())
        for held in self._of(peer.pk):
            match judge(held.standing, standing):
                case Verdict.OLD_STAYS:
                    self._spawn(partial(wire.part, Bye(int(_SPARE), "")))
                    return
                case Verdict.NEW_STAYS:
                    held.superseded = True
                    held.link.close(_SPARE, "")
                case Verdict.NEW_INSTANCE:
                    held.superseded = True
                    held.link.close(Err.CONNECTED_ELSEWHERE, "")
        self._held[link.id] = _Held(link, standing)
        self.stir()
        with trio.CancelScope(shield=True):
            await self._tell(LinkUp(link.id, peer))
        self._spawn(partial(self._run_link, link))

    async def _run_link(self, link: Link) -> None:
        code: Err | None = None

        async def deliver(payload: bytes) -> None:
            await self._tell(FrameArrived(link.id, payload))

        try:
            code = await link.run(deliver)
        except Exception:
            # Whatever it was: the table must not count on a link that is gone.
            log.exception("a link failed")
        finally:
            held = self._held.pop(link.id)
            self.stir()
        if held.superseded or code is _SPARE:
            code = None
        elif code is Err.CONNECTED_ELSEWHERE:
            # Fighting over the seat would never end.
            self.replaced_at = link.peer.host
            self.replaced.set()
        await self._tell(LinkDown(link.id, code))

    def _of(self, pk: bytes) -> list[_Held]:
        return [held for held in self._held.values() if held.standing.pk == pk and not held.link.closing]

    # Dialling: the Links of redial.py

    def linked(self, pk: bytes) -> bool:
        """Whether there is a link to `pk` that is not being closed."""
        return bool(self._of(pk))

    def any_linked(self) -> bool:
        """Whether there is any link that is not being closed."""
        return any(not held.link.closing for held in self._held.values())

    def seen(self, pk: bytes, addresses: tuple[Address, ...]) -> None:
        """`pk` may listen at these as well, as the network says."""
        self._places[pk] = tuple(place for address in addresses for place in zoned(address))

    def places(self, pk: bytes) -> tuple[Address, ...]:
        """Where `pk` was seen of late."""
        return self._places.get(pk, ())

    def over(self) -> bool:
        """Whether nothing is to be dialled any more."""
        return self.replaced.is_set()

    async def call_again(self, stream: trio.SocketStream, pk: bytes, address: Address) -> None:
        """A link to a peer of the table on a fresh connection; raises as told by Links."""
        wire = await secure(stream, self._context)
        call = Call(self._calls, self._game, self._code_for_players(), pk, str(address), os.urandom(32))
        await self._greeted(wire, call, _remote_host(stream, address))

    def _code_for_players(self) -> str | None:
        """Those at the table know each other; who watches is a stranger to all."""
        return self._code if self._calls is Intent.WATCH else None

    # Tasks

    def _spawn(self, task: Callable[[], Awaitable[None]]) -> None:
        if self._nursery is None:
            raise LocalMisuse("links are not running yet")
        self._nursery.start_soon(_guarded, task)

    async def change(self) -> None:
        """Wait until a link comes or goes, or `stir` is called."""
        await self._changed.wait()

    def stir(self) -> None:
        """Let all that wait for a change look again."""
        self._changed.set()
        self._changed = trio.Event()


async def _guarded(task: Callable[[], Awaitable[None]]) -> None:
    """One connection's troubles are its own: the nursery is everybody's."""
    try:
        await task()
    except Exception:
        log.exception("a connection's task failed")


def _peer(hello: Hello, host: str, direction: Direction) -> LinkPeer:
    return LinkPeer(
        hello.pk, hello.name, hello.instance, hello.boot, Intent(hello.intent), hello.game, host, hello.port, direction
    )


def _remote_host(stream: trio.SocketStream, dialled: Address) -> str:
    try:
        return plain_host(str(stream.socket.getpeername()[0]))
    except OSError:
        return dialled.host

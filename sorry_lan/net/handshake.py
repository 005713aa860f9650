"""HELLO and AUTH: who is there, with which program, and is nobody in between ([H-2] to [H-10], [E-2]).

Works on any stream of frames; sockets, TLS and deadlines are in net/link.py and net/mesh.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, unique
from typing import Protocol

import trio

from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.net.code import Attempt, CodeKeeper, Exchange, Side, check_element, confirmation, same
from sorry_lan.table.notices import JoinProblem, Problem, Program
from sorry_lan.wire.codec import decode_hello_head, decode_message, encode_message
from sorry_lan.wire.digest import sized, tagged_hash
from sorry_lan.wire.keys import NO_GAME, Context, SecretKey, check_public, verify
from sorry_lan.wire.messages import PROTOCOL_NAME, VERSION_MAX, VERSION_MIN, Auth, Bye, Hello, HelloHead, Intent


class Frames(Protocol):
    """A stream of frames under a certificate; both methods raise LinkLost where it ends."""

    @property
    def fingerprint(self) -> bytes:
        """SHA-256 of the listener's certificate, as this end sees it."""

    async def send(self, payload: bytes) -> None:
        """Send one frame."""

    async def receive(self) -> bytes:
        """The next frame's payload; RemoteFault for a bad one."""


class LinkLost(Exception):  # noqa: N818 - says what is the case
    """The other end is gone without a word."""


@unique
class Teller(Enum):
    """Which end refused; what they refused they know, what we refused they are told in a BYE."""

    US = "us"
    THEM = "them"


class SetupRefused(Exception):  # noqa: N818 - says what is the case
    """A link was not made, and why."""

    def __init__(self, problem: JoinProblem, teller: Teller) -> None:
        super().__init__(f"{problem.problem.value} ({int(problem.code)})")
        self.problem = problem
        self.teller = teller


@dataclass(frozen=True, slots=True)
class Introduction:
    """What this client says of itself on every link."""

    key: SecretKey = field(repr=False)
    name: str
    app: str
    instance: bytes
    boot: int
    engine: bytes
    port: int | None

    @property
    def program(self) -> Program:
        """The half of this that two people compare when their programs differ."""
        return Program(VERSION_MIN, VERSION_MAX, self.app, self.engine)


@dataclass(frozen=True, slots=True)
class Call:
    """What a caller wants, and of whom (None: whoever answers); `address` is for people only."""

    intent: Intent
    game: bytes | None
    code: str | None = field(repr=False)
    expected: bytes | None
    address: str
    nonce: bytes


class Door(Protocol):
    """Whom a listener lets in."""

    @property
    def keeper(self) -> CodeKeeper | None:
        """The join code's keeper; None: the table is open, or not to be joined at all."""

    def knows(self, pk: bytes) -> bool:
        """Whether this key sits in the lobby or at the table, and so needs no code."""


_PROBLEM_OF = {
    Err.VERSION: Problem.VERSION,
    Err.ENGINE_DIFFERS: Problem.ENGINE,
    Err.IDENTITY_SIGNATURE: Problem.INTERCEPTED,
    Err.JOIN_CODE: Problem.CODE_WRONG,
    Err.UNEXPECTED_IDENTITY: Problem.OTHER_IDENTITY,
    Err.OWN_IDENTITY: Problem.OWN_IDENTITY,
    Err.CONNECTED_ELSEWHERE: Problem.ELSEWHERE,
    Err.TOO_MANY_CONNECTIONS: Problem.BUSY,
    Err.RATE: Problem.BUSY,
    Err.QUEUE_OVERFLOW: Problem.BUSY,
    Err.TIMEOUT: Problem.TIMED_OUT,
    Err.TABLE_FULL: Problem.FULL,
    Err.WATCHERS_FULL: Problem.FULL,
    Err.GAME_IN_PLAY: Problem.IN_PLAY,
    Err.DUPLICATE: Problem.TAKEN,
    Err.REMOVED: Problem.REMOVED,
    Err.GOODBYE: Problem.CLOSED,
    Err.SHUTTING_DOWN: Problem.CLOSED,
}


def problem_of(code: Err) -> Problem:
    """The problem that an error number means to the person who joins; a code was given unless it says so."""
    return _PROBLEM_OF.get(code, Problem.BROKE_RULE)


def bye_code(bye: Bye) -> Err | None:
    """The reason in a BYE, or None for a number that this version does not know."""
    try:
        return Err(bye.code)
    except ValueError:
        return None


class _Talk:
    """One end of one set-up: what both have said so far, and how a refusal is worded."""

    __slots__ = ("_address", "_frames", "me", "sent", "theirs")

    def __init__(self, frames: Frames, me: Introduction, address: str) -> None:
        self._frames = frames
        self._address = address
        self.me = me
        self.theirs: Program | None = None
        self.sent = b""

    def refusal(self, code: Err, problem: Problem | None = None, teller: Teller = Teller.US) -> SetupRefused:
        shown = JoinProblem(problem or problem_of(code), code, self._address, self.me.program, self.theirs)
        return SetupRefused(shown, teller)

    async def send(self, message: Hello | Auth | Bye) -> bytes:
        payload = encode_message(message)
        await self._frames.send(payload)
        return payload

    async def hear(self) -> bytes:
        """The next frame; SetupRefused where it is a BYE."""
        payload = await self._frames.receive()
        if payload[:2] == b"\x93\x05":
            bye = decode_message(payload)
            if isinstance(bye, Bye):
                code = bye_code(bye)
                known = Err.GOODBYE if code is None else code
                raise self.refusal(known, problem_of(known), Teller.THEM)
        return payload

    def head(self, payload: bytes) -> HelloHead:
        """The part of a HELLO that all versions share; from here on refusals tell both programs."""
        head = decode_hello_head(payload)
        if head.protocol != PROTOCOL_NAME:
            raise RemoteFault(Err.SCHEMA, "another protocol")
        self.theirs = Program(head.vmin, head.vmax, head.app, None)
        return head

    def hello(self, payload: bytes) -> Hello:
        """The whole HELLO of a version that we speak."""
        hello = decode_message(payload)
        if not isinstance(hello, Hello):
            raise RemoteFault(Err.SCHEMA, "a HELLO was due")
        check_public(hello.pk)
        self.theirs = Program(hello.vmin, hello.vmax, hello.app, hello.engine)
        return hello

    def differences(self, hello: Hello) -> None:
        """SetupRefused where we must not talk, whatever the code."""
        if hello.pk == self.me.key.public:
            raise self.refusal(Err.OWN_IDENTITY)
        if hello.engine != self.me.engine:
            raise self.refusal(Err.ENGINE_DIFFERS)


def _versions_meet(head: HelloHead) -> bool:
    return min(head.vmax, VERSION_MAX) >= max(head.vmin, VERSION_MIN)


def transcript(fingerprint: bytes, hello_client: bytes, hello_server: bytes) -> bytes:
    """T: what both ends saw of each other, the certificate included (32 bytes) ([H-4])."""
    return tagged_hash("handshake", fingerprint, sized(hello_client), sized(hello_server))


def _my_hello(me: Introduction, nonce: bytes, pake: bytes | None, intent: Intent, game: bytes | None) -> Hello:
    return Hello(
        PROTOCOL_NAME, VERSION_MIN, VERSION_MAX, me.app, me.key.public, nonce, pake,
        me.instance, me.boot, int(intent), game, me.engine, me.name, me.port,
    )  # fmt: skip


def _signature(key: SecretKey, side: Side, seen: bytes) -> bytes:
    return key.sign(Context.AUTH, NO_GAME, side.value + seen)


def _signed(hello: Hello, auth: Auth, side: Side, seen: bytes) -> bool:
    return verify(hello.pk, Context.AUTH, NO_GAME, side.value + seen, auth.sig)


def _auth(payload: bytes) -> Auth:
    auth = decode_message(payload)
    if not isinstance(auth, Auth):
        raise RemoteFault(Err.SCHEMA, "an AUTH was due")
    return auth


async def greet(frames: Frames, me: Introduction, call: Call) -> Hello:
    """The caller's half; the HELLO of the one who answered, proven to be theirs and unseen by anyone in between.

    Raises:
        SetupRefused: a reason that people can understand; RemoteFault: nonsense; LinkLost: they hung up.
    """
    talk = _Talk(frames, me, call.address)
    exchange = None if call.code is None else Exchange(Side.CLIENT, call.code)
    pake = None if exchange is None else await trio.to_thread.run_sync(exchange.start)
    mine = await talk.send(_my_hello(me, call.nonce, pake, call.intent, call.game))
    answer = await talk.hear()
    if not _versions_meet(talk.head(answer)):
        raise talk.refusal(Err.VERSION)
    hello = talk.hello(answer)
    talk.differences(hello)
    if call.expected is not None and hello.pk != call.expected:
        raise talk.refusal(Err.UNEXPECTED_IDENTITY)
    seen = transcript(frames.fingerprint, mine, answer)
    key = None
    if exchange is not None:
        if hello.pake is None:
            raise await _why_no_element(talk)
        key = await trio.to_thread.run_sync(exchange.finish, hello.pake)
    elif hello.pake is not None:
        raise RemoteFault(Err.SCHEMA, "an element that nobody asked for")
    confirm = None if key is None else confirmation(key, Side.CLIENT, seen)
    await talk.send(Auth(_signature(me.key, Side.CLIENT, seen), confirm))
    auth = _auth(await _hear_verdict(talk, call))
    if key is not None and not same(auth.confirm or b"", confirmation(key, Side.SERVER, seen)):
        raise talk.refusal(Err.JOIN_CODE, Problem.INTERCEPTED)
    if not _signed(hello, auth, Side.SERVER, seen):
        raise talk.refusal(Err.IDENTITY_SIGNATURE)
    return hello


async def _hear_verdict(talk: _Talk, call: Call) -> bytes:
    """The answer to AUTH; a 13 here can only mean that a code was due, for a needless one shows in the HELLO."""
    try:
        return await talk.hear()
    except SetupRefused as refused:
        if refused.problem.code is Err.CODE_REQUIRED and call.code is None:
            raise talk.refusal(Err.CODE_REQUIRED, Problem.CODE_REQUIRED, refused.teller) from None
        raise


async def _why_no_element(talk: _Talk) -> SetupRefused:
    """We gave a code and got no element: the other side says why, and 13 if the code is what it does not want."""
    try:
        await talk.hear()
    except SetupRefused as refused:
        if refused.problem.code is not Err.CODE_REQUIRED:
            return refused
        return talk.refusal(Err.CODE_REQUIRED, Problem.CODE_NOT_USED, refused.teller)
    return talk.refusal(Err.CODE_REQUIRED, Problem.CODE_NOT_USED)


@dataclass(frozen=True, slots=True)
class _Guard:
    """A code in use on one incoming link."""

    keeper: CodeKeeper
    attempt: Attempt
    element: bytes
    key: bytes


async def answer(frames: Frames, me: Introduction, door: Door, nonce: bytes, host: str) -> Hello:
    """The listener's half; the HELLO of the caller, proven to be theirs. Raises as for `greet`.

    The HELLO goes out before any refusal that the caller's person should be able to compare (10, 13, 16, 21); our AUTH
    goes out only after theirs is good, so that a guess of the code can be tried only against us ([H-6]).
    """
    talk = _Talk(frames, me, host)
    theirs = await talk.hear()
    head = talk.head(theirs)
    try:
        if not _versions_meet(head):
            raise talk.refusal(Err.VERSION)
        hello = talk.hello(theirs)
        talk.differences(hello)
        guard = await _guard(talk, door, hello)
    except (SetupRefused, RemoteFault):
        await talk.send(_my_hello(me, nonce, None, Intent.LOBBY, None))
        raise
    element = None if guard is None else guard.element
    mine = await talk.send(_my_hello(me, nonce, element, Intent.LOBBY, None))
    seen = transcript(frames.fingerprint, theirs, mine)
    auth = _auth(await talk.hear())
    _judge(talk, guard, auth, seen)
    if not _signed(hello, auth, Side.CLIENT, seen):
        raise talk.refusal(Err.IDENTITY_SIGNATURE)
    confirm = None if guard is None else confirmation(guard.key, Side.SERVER, seen)
    await talk.send(Auth(_signature(me.key, Side.SERVER, seen), confirm))
    return hello


async def _guard(talk: _Talk, door: Door, hello: Hello) -> _Guard | None:
    """The exchange for a caller who brings a code; None for one who needs none ([H-14])."""
    keeper = door.keeper
    if hello.pake is None:
        if keeper is None or door.knows(hello.pk):
            return None
        raise talk.refusal(Err.CODE_REQUIRED, Problem.CODE_REQUIRED)
    check_element(hello.pake, b"A")
    if keeper is None:
        raise talk.refusal(Err.CODE_REQUIRED, Problem.CODE_NOT_USED)
    try:
        attempt = await keeper.begin()
    except RemoteFault as shut:
        raise talk.refusal(shut.code) from shut
    exchange = Exchange(Side.SERVER, attempt.code)
    element = await trio.to_thread.run_sync(exchange.start)
    return _Guard(keeper, attempt, element, await trio.to_thread.run_sync(exchange.finish, hello.pake))


def _judge(talk: _Talk, guard: _Guard | None, auth: Auth, seen: bytes) -> None:
    """The confirmation comes before the signature: who sits in between with a guessed code must cost a guess."""
    if guard is None:
        if auth.confirm is not None:
            raise RemoteFault(Err.SCHEMA, "a confirmation of no code")
        return
    wanted = confirmation(guard.key, Side.CLIENT, seen)
    try:
        guard.keeper.judge(guard.attempt, lambda: same(auth.confirm or b"", wanted))
    except RemoteFault as wrong:
        raise talk.refusal(wrong.code) from wrong


def farewell(refused: SetupRefused | RemoteFault) -> Bye | None:
    """The BYE that ends a set-up that failed here; None where the other end gave the reason itself."""
    if isinstance(refused, RemoteFault):
        return Bye(int(refused.code), "")
    if refused.teller is Teller.THEM:
        return None
    if refused.problem.code is Err.GOODBYE:
        raise LocalMisuse("a set-up does not fail with a good-bye of ours")
    return Bye(int(refused.problem.code), "")

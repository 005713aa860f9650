# ruff: noqa: ARG001 - a clock among the arguments makes time virtual; nothing is asked of it
from __future__ import annotations

from dataclasses import replace

import pytest
import trio
import trio.testing

from sorry_lan.faults import Err, LocalMisuse, RemoteFault
from sorry_lan.net.frames import Wire
from sorry_lan.net.handshake import LinkLost, SetupRefused, Teller, answer, bye_code, farewell, greet
from sorry_lan.table.notices import JoinProblem, Problem
from sorry_lan.wire.codec import decode_message, encode, encode_message
from sorry_lan.wire.messages import Auth, Bye, Hello, Ping
from tests.net.build import (
    CODE,
    OTHER_CODE,
    Meeting,
    OpenDoor,
    Outcome,
    call,
    introduction,
    keeper,
    meet,
    memory_wires,
    outcome,
)

pytestmark = pytest.mark.usefixtures("inline_threads")

ADA, BOB = introduction(0), introduction(1)


def problem(end: Outcome) -> JoinProblem:
    assert isinstance(end.error, SetupRefused)
    return end.error.problem


def assert_met(meeting: Meeting) -> None:
    assert meeting.client.hello is not None
    assert meeting.server.hello is not None
    assert meeting.client.hello.pk == BOB.key.public
    assert meeting.server.hello.pk == ADA.key.public


async def test_two_clients_at_an_open_table_learn_each_others_keys() -> None:
    assert_met(await meet(ADA, BOB, call(), OpenDoor()))


async def test_the_right_code_lets_a_stranger_in(autojump_clock: trio.testing.MockClock) -> None:
    guard, changes = keeper()
    assert_met(await meet(ADA, BOB, call(CODE), OpenDoor(guard)))
    assert changes == []


@pytest.mark.spec("H-14")
async def test_whoever_sits_at_the_table_needs_no_code() -> None:
    guard, _ = keeper()
    assert_met(await meet(ADA, BOB, call(), OpenDoor(guard, frozenset((ADA.key.public,)))))


async def test_whoever_sits_at_the_table_may_give_the_code_again(autojump_clock: trio.testing.MockClock) -> None:
    guard, _ = keeper()
    assert_met(await meet(ADA, BOB, call(CODE), OpenDoor(guard, frozenset((ADA.key.public,)))))


@pytest.mark.spec("H-16")
async def test_a_wrong_code_is_refused_as_such_on_both_sides(autojump_clock: trio.testing.MockClock) -> None:
    guard, _ = keeper()
    meeting = await meet(ADA, BOB, call(OTHER_CODE), OpenDoor(guard))
    assert (meeting.client.code, meeting.server.code) == (Err.JOIN_CODE, Err.JOIN_CODE)
    assert problem(meeting.client).problem is Problem.CODE_WRONG


@pytest.mark.spec("H-14", "H-3")
async def test_a_missing_code_is_asked_for() -> None:
    meeting = await meet(ADA, BOB, call(), OpenDoor(keeper()[0]))
    assert (meeting.client.code, meeting.server.code) == (Err.CODE_REQUIRED, Err.CODE_REQUIRED)
    assert problem(meeting.client).problem is Problem.CODE_REQUIRED


@pytest.mark.spec("H-14")
async def test_a_needless_code_is_refused_as_such() -> None:
    meeting = await meet(ADA, BOB, call(CODE), OpenDoor())
    assert (meeting.client.code, meeting.server.code) == (Err.CODE_REQUIRED, Err.CODE_REQUIRED)
    assert problem(meeting.client).problem is Problem.CODE_NOT_USED


@pytest.mark.spec("H-17")
async def test_five_wrong_guesses_use_a_code_up_and_the_sixth_never_meets_spake(
    autojump_clock: trio.testing.MockClock,
) -> None:
    guard, changes = keeper()
    for _ in range(5):
        assert (await meet(ADA, BOB, call(OTHER_CODE), OpenDoor(guard))).server.code == Err.JOIN_CODE
    assert changes == [guard.code] == ["fresh-code-0"]
    client = await _caller_alone(guard)
    assert problem(client).problem is Problem.CODE_WRONG


async def _caller_alone(guard: object) -> Outcome:
    """The next caller, against a listener that cannot run SPAKE2 any more."""

    class Never:
        def __init__(self, *_: object) -> None:
            raise AssertionError("SPAKE2 ran")

    from sorry_lan.net import handshake  # noqa: PLC0415

    caller_exchange = handshake.Exchange

    def only_client(side: object, code: str) -> object:
        return caller_exchange(side, code) if side is handshake.Side.CLIENT else Never()  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(handshake, "Exchange", only_client)
        return (await meet(ADA, BOB, call(CODE), OpenDoor(guard))).client  # type: ignore[arg-type]


async def test_the_new_code_works_after_a_moment(autojump_clock: trio.testing.MockClock) -> None:
    guard, _ = keeper()
    for _ in range(5):
        await meet(ADA, BOB, call(OTHER_CODE), OpenDoor(guard))
    await trio.sleep(2)
    assert_met(await meet(ADA, BOB, call(guard.code), OpenDoor(guard)))


@pytest.mark.spec("H-7")
async def test_ones_own_identity_is_refused_and_named() -> None:
    meeting = await meet(ADA, introduction(0, instance=1), call(), OpenDoor())
    assert (meeting.client.code, meeting.server.code) == (Err.OWN_IDENTITY, Err.OWN_IDENTITY)


@pytest.mark.spec("H-7")
async def test_a_reflected_hello_is_refused() -> None:
    mine, theirs = memory_wires()

    async def mirror() -> None:
        await theirs.send(await theirs.receive())

    async with trio.open_nursery() as nursery:
        nursery.start_soon(mirror)
        assert (await outcome(mine, greet(mine, ADA, call()))).code == Err.OWN_IDENTITY
        await theirs.part(None)


@pytest.mark.spec("H-9", "H-3")
async def test_other_engines_are_refused_with_both_digests_on_both_sides() -> None:
    meeting = await meet(ADA, introduction(1, engine=b"\xe1" * 32), call(), OpenDoor())
    assert (meeting.client.code, meeting.server.code) == (Err.ENGINE_DIFFERS, Err.ENGINE_DIFFERS)
    for end, ours, theirs in ((meeting.client, 0xE0, 0xE1), (meeting.server, 0xE1, 0xE0)):
        shown = problem(end)
        assert shown.ours is not None
        assert shown.theirs is not None
        assert (shown.ours.engine, shown.theirs.engine) == (bytes([ours]) * 32, bytes([theirs]) * 32)


def other_version(hello: Hello) -> bytes:
    """A HELLO of version 2, whose fields behind `app` nobody here knows."""
    return encode((1, hello.protocol, 2, 3, "9.9", b"something", (1, 2), None))


@pytest.mark.spec("E-2", "E-4", "H-3")
async def test_another_version_is_answered_with_our_hello_and_then_refused() -> None:
    mine, theirs = memory_wires()
    served = Outcome()

    async def serve() -> None:
        nonlocal served
        served = await outcome(theirs, answer(theirs, BOB, OpenDoor(), bytes(32), "h"))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        hello = Hello(
            "sorry-lan", 2, 3, "9.9", ADA.key.public, bytes(32), None, bytes(16), 1, 0, None, bytes(32), "A", None
        )
        await mine.send(other_version(hello))
        assert isinstance(decode_message(await mine.receive()), Hello)
        bye = decode_message(await mine.receive())
        await mine.part(None)
    assert isinstance(bye, Bye)
    assert bye.code == Err.VERSION
    shown = problem(served)
    assert shown.theirs is not None
    assert (shown.theirs.vmin, shown.theirs.vmax, shown.theirs.app) == (2, 3, "9.9")
    assert shown.ours is not None
    assert (shown.ours.vmin, shown.ours.vmax) == (1, 1)


@pytest.mark.spec("E-2")
async def test_a_caller_sees_both_versions_too() -> None:
    mine, theirs = memory_wires()

    async def serve() -> None:
        hello = decode_message(await theirs.receive())
        assert isinstance(hello, Hello)
        await theirs.send(other_version(hello))
        await theirs.drain()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        client = await outcome(mine, greet(mine, ADA, call()))
    shown = problem(client)
    assert shown.problem is Problem.VERSION
    assert shown.theirs is not None
    assert shown.theirs.app == "9.9"


@pytest.mark.spec("H-10")
async def test_somebody_else_than_expected_is_refused() -> None:
    meeting = await meet(ADA, BOB, call(expected=introduction(2).key.public), OpenDoor())
    assert (meeting.client.code, meeting.server.code) == (Err.UNEXPECTED_IDENTITY, Err.UNEXPECTED_IDENTITY)


@pytest.mark.spec("H-4", "H-5")
async def test_a_man_in_the_middle_without_a_code_fails_the_identity_on_both_sides() -> None:
    """He relays every byte; only the certificates the two ends see are different."""
    wires = memory_wires(client_print=b"\x01" * 32, server_print=b"\x02" * 32)
    meeting = await meet(ADA, BOB, call(), OpenDoor(), wires)
    assert (meeting.client.code, meeting.server.code) == (Err.IDENTITY_SIGNATURE, Err.IDENTITY_SIGNATURE)
    assert problem(meeting.client).problem is Problem.INTERCEPTED


@pytest.mark.spec("H-4", "H-16")
async def test_a_man_in_the_middle_of_a_coded_join_costs_himself_a_guess(
    autojump_clock: trio.testing.MockClock,
) -> None:
    guard, changes = keeper()
    for _ in range(5):
        wires = memory_wires(client_print=b"\x01" * 32, server_print=b"\x02" * 32)
        meeting = await meet(ADA, BOB, call(CODE), OpenDoor(guard), wires)
        assert (meeting.client.code, meeting.server.code) == (Err.JOIN_CODE, Err.JOIN_CODE)
    assert len(changes) == 1


@pytest.mark.spec("H-6")
async def test_the_listener_shows_no_auth_before_it_has_seen_a_good_one(
    autojump_clock: trio.testing.MockClock,
) -> None:
    guard, _ = keeper()
    mine, theirs = memory_wires()
    seen: list[object] = []

    class Spy(Wire):
        async def receive(self) -> bytes:
            payload = await super().receive()
            seen.append(type(decode_message(payload)))
            return payload

    spy = Spy(mine.stream, mine.fingerprint)
    await meet(ADA, BOB, call(OTHER_CODE), OpenDoor(guard), (spy, theirs))
    assert seen == [Hello, Bye]


class Scripted:
    """A stream of frames that says what a test wants, whatever it is told."""

    def __init__(self, *frames: bytes) -> None:
        self.fingerprint = bytes(32)
        self.frames = list(frames)
        self.sent: list[bytes] = []

    async def send(self, payload: bytes) -> None:
        await trio.lowlevel.checkpoint()
        self.sent.append(payload)

    async def receive(self) -> bytes:
        await trio.lowlevel.checkpoint()
        if not self.frames:
            raise LinkLost("the script is over")
        return self.frames.pop(0)


def hello_of(index: int, pake: bytes | None = None) -> Hello:
    who = introduction(index)
    return Hello("sorry-lan", 1, 1, "0", who.key.public, bytes(32), pake, bytes(16), 1, 0, None, who.engine, "X", None)


PING = encode_message(Ping(1))
HELLO = encode_message(hello_of(2))
NO_AUTH = encode_message(Auth(bytes(64), None))


@pytest.mark.spec("H-8")
@pytest.mark.parametrize(
    ("frames", "code"),
    [
        ([PING], Err.SCHEMA),
        ([b"\xc1"], Err.NOT_CANONICAL),
        ([encode((1, "other", 1, 1, "0"))], Err.SCHEMA),
        ([encode((1, "sorry-lan", 1, 1, "0"))], Err.SCHEMA),
        ([encode((1, "sorry-lan", "one", 1, "0"))], Err.SCHEMA),
        ([encode((1, "sorry-lan", 2**62, 1, "0"))], Err.SCHEMA),
        ([encode_message(replace(hello_of(2), pk=bytes(32)))], Err.SCHEMA),
        ([HELLO, PING], Err.SCHEMA),
        ([HELLO, NO_AUTH], Err.IDENTITY_SIGNATURE),
        ([encode_message(Bye(8, ""))], Err.SHUTTING_DOWN),
        ([HELLO, encode_message(Bye(99, ""))], Err.GOODBYE),
        ([b"\x93\x05\xc0\xc0"], Err.SCHEMA),
    ],
)
async def test_nonsense_at_any_step_is_refused_by_both_halves(frames: list[bytes], code: Err) -> None:
    with pytest.raises((SetupRefused, RemoteFault)) as caught:
        await greet(Scripted(*frames), ADA, call())
    assert Outcome(error=caught.value).code == code
    with pytest.raises((SetupRefused, RemoteFault)) as caught:
        await answer(Scripted(*frames), ADA, OpenDoor(), bytes(32), "h")
    assert Outcome(error=caught.value).code == code


@pytest.mark.parametrize("frames", [[], [HELLO]])
async def test_a_peer_that_hangs_up_is_lost(frames: list[bytes]) -> None:
    with pytest.raises(LinkLost):
        await greet(Scripted(*frames), ADA, call())
    with pytest.raises(LinkLost):
        await answer(Scripted(*frames), ADA, OpenDoor(), bytes(32), "h")


async def test_an_element_that_nobody_asked_for_is_refused() -> None:
    with pytest.raises(RemoteFault, match="nobody asked"):
        await greet(Scripted(encode_message(hello_of(2, b"B" + bytes(32)))), ADA, call())


async def test_a_confirmation_of_no_code_is_refused() -> None:
    auth = encode_message(Auth(bytes(64), bytes(32)))
    with pytest.raises(RemoteFault, match="no code"):
        await answer(Scripted(HELLO, auth), ADA, OpenDoor(), bytes(32), "h")


async def test_a_listener_that_cannot_confirm_the_code_is_not_the_host() -> None:
    element = b"B" + introduction(3).key.public
    frames = Scripted(encode_message(hello_of(2, element)), encode_message(Auth(bytes(64), None)))
    with pytest.raises(SetupRefused) as caught:
        await greet(frames, ADA, call(CODE))
    assert caught.value.problem.problem is Problem.INTERCEPTED
    assert caught.value.problem.code is Err.JOIN_CODE


@pytest.mark.spec("H-15")
@pytest.mark.parametrize(
    "element", [b"A" + bytes(32), b"A" + b"\xff" * 32, b"B" + b"\x09" + bytes(31), b"A\x01" + bytes(31)]
)
async def test_an_element_that_is_no_honest_point_never_reaches_spake(element: bytes) -> None:
    guard, changes = keeper()
    with pytest.raises(RemoteFault) as caught:
        await answer(Scripted(encode_message(hello_of(2, element))), ADA, OpenDoor(guard), bytes(32), "h")
    assert caught.value.code is Err.SCHEMA
    assert changes == []


@pytest.mark.parametrize(
    ("bye", "expected"),
    [
        (Err.CODE_REQUIRED, Problem.CODE_NOT_USED),
        (Err.TABLE_FULL, Problem.FULL),
        (Err.JOIN_CODE, Problem.CODE_WRONG),
    ],
)
async def test_a_code_without_an_answer_is_explained_by_the_bye(bye: Err, expected: Problem) -> None:
    with pytest.raises(SetupRefused) as caught:
        await greet(Scripted(HELLO, encode_message(Bye(int(bye), ""))), ADA, call(CODE))
    assert caught.value.problem.problem is expected
    assert caught.value.teller is Teller.THEM


async def test_a_code_answered_by_silence_of_words_is_still_explained() -> None:
    with pytest.raises(SetupRefused) as caught:
        await greet(Scripted(HELLO, PING), ADA, call(CODE))
    assert caught.value.problem.problem is Problem.CODE_NOT_USED


async def test_another_refusal_after_auth_is_passed_on() -> None:
    with pytest.raises(SetupRefused) as caught:
        await greet(Scripted(HELLO, encode_message(Bye(int(Err.GAME_IN_PLAY), ""))), ADA, call())
    assert caught.value.problem.problem is Problem.IN_PLAY


def test_what_they_refused_is_not_told_back() -> None:
    shown = JoinProblem(Problem.FULL, Err.TABLE_FULL, "h")
    assert farewell(SetupRefused(shown, Teller.THEM)) is None
    assert farewell(SetupRefused(shown, Teller.US)) == Bye(20, "")
    assert farewell(RemoteFault(Err.SCHEMA, "x")) == Bye(3, "")
    with pytest.raises(LocalMisuse):
        farewell(SetupRefused(JoinProblem(Problem.CLOSED, Err.GOODBYE, "h"), Teller.US))


@pytest.mark.spec("E-1")
def test_a_reason_from_the_future_is_no_reason() -> None:
    assert bye_code(Bye(999, "")) is None
    assert bye_code(Bye(4, "")) is Err.TIMEOUT


def test_nothing_secret_is_in_the_reprs() -> None:
    assert CODE not in repr(call(CODE))
    assert CODE not in repr(SetupRefused(JoinProblem(Problem.CODE_WRONG, Err.JOIN_CODE, "h"), Teller.US))

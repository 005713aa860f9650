"""`sorry-lan demo`: peers in processes of their own play one whole game here; then their files are judged and compared.

The first hosts with a join code, the others join as a person would. Exit code 0 only if every file holds and all agree.
"""

from __future__ import annotations

import json
import math
import signal
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import trio

from sorry_lan.cli import options
from sorry_lan.cli.arguments import Arguments
from sorry_lan.cli.demo_peers import CANNOT_REACH, Failed, Peer, Said, play
from sorry_lan.cli.options import Manner
from sorry_lan.cli.output import complain, say
from sorry_lan.fair.open_step import Record
from sorry_lan.fair.transcript import TableFrame, read_file
from sorry_lan.fair.verify import Outcome, verify_transcript
from sorry_lan.rules.board import Colour
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.texts import list_text
from sorry_lan.ui.texts_verify import verdict_lines, verdict_text

NAMES: Final = ("Ada", "Bob", "Chloe", "Dan")
LONGEST_S: Final = 1200.0
"""No game of people in a hurry takes twenty minutes."""
_UNFAIR: Final = 6
_BY_SIGNAL: Final = {"SIGINT": 130, "SIGTERM": 143, "SIGHUP": 129}
_TOLD: Final = frozenset({"started", "lot", "card", "played", "won", "confirmed", "fault", "engines_differ"})
"""What the host's stream says that people who watch want to read."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played: names of the peers, the host's flags, seconds between turns, and how to tell it."""

    names: tuple[str, ...]
    table: tuple[str, ...]
    delay_s: float
    manner: Manner


def run(arguments: Arguments) -> int:
    """Play and check one game; its exit code. UsageError before anything starts."""
    plan = plan_of(arguments)
    with tempfile.TemporaryDirectory(prefix="sorry-lan-demo-") as folder:
        return trio.run(partial(_until_signal, plan, Path(folder)))


def plan_of(arguments: Arguments) -> Plan:
    """The plan of a command line; UsageError where it makes none."""
    options.rules(arguments)
    players = options.players(arguments)
    bots = options.demo_bots(arguments, players)
    table = ["--seats", str(players + bots), "--bots", str(bots)]
    for flag in ("--rules", "--rule"):
        for value in arguments.all(flag):
            table += [flag, value]
    return Plan(NAMES[:players], tuple(table), options.delay_s(arguments), options.manner(arguments))


async def _until_signal(plan: Plan, folder: Path) -> int:
    """The demo's exit code, or that of the signal that ended it; every process is gone by then."""
    known = {getattr(signal, name): code for name, code in _BY_SIGNAL.items() if hasattr(signal, name)}
    wanted = [number for number in known if signal.getsignal(number) is not signal.SIG_IGN]
    result = [CANNOT_REACH]
    with trio.open_signal_receiver(*wanted) as signals:
        async with trio.open_nursery() as nursery:

            async def watch() -> None:
                async for number in signals:
                    result[0] = known[number]
                    nursery.cancel_scope.cancel()

            nursery.start_soon(watch)
            result[0] = await _demo(plan, folder)
            nursery.cancel_scope.cancel()
    return result[0]


async def _demo(plan: Plan, folder: Path) -> int:
    peers = tuple(
        Peer(name, colour.label, folder / name.lower()) for name, colour in zip(plan.names, Colour, strict=False)
    )
    show = Show(plan)
    failed: list[Failed] = []
    with trio.move_on_after(LONGEST_S) as limit:
        try:
            async with trio.open_nursery() as nursery:
                send, receive = trio.open_memory_channel[Said](math.inf)
                nursery.start_soon(show.tell_all, receive)
                async with send:
                    await play(peers, plan.table, send.send_nowait)
        except* Failed as group:
            failed += _leaves(group)
    if limit.cancelled_caught:
        failed.append(Failed(_("The game did not come to its end in time."), CANNOT_REACH))
    if failed:
        complain(str(failed[0]))
        return failed[0].code
    return await trio.to_thread.run_sync(judge, peers, plan.manner)


def _leaves(group: BaseExceptionGroup[Failed]) -> list[Failed]:
    """The failures of a group, however deep it nests."""
    found: list[Failed] = []
    for item in group.exceptions:
        found += _leaves(item) if isinstance(item, BaseExceptionGroup) else [item]
    return found


class Show:
    """Tells the game as the host's client tells it: one line a turn."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._card = ""
        if plan.manner is Manner.PLAIN:
            say(
                [
                    _("{names} play on this computer, each a process of its own with its own identity.").format(
                        names=list_text(plan.names)
                    )
                ]
            )

    async def tell_all(self, lines: trio.MemoryReceiveChannel[Said]) -> None:
        """Everything that is worth telling, with the pause that was asked for after each turn."""
        async for said in lines:
            if self._plan.manner is Manner.JSON:
                if said.get("type") in _TOLD:
                    say([json.dumps(said, separators=(",", ":"))])
            else:
                say(self._sentences(said))
            if self._plan.delay_s and said.get("type") == "played":
                await trio.sleep(self._plan.delay_s)

    def _sentences(self, said: Said) -> list[str]:
        match said:
            case {"type": "opened", "port": int(port), "code": str(code)}:
                return [
                    _("{host} hosts at 127.0.0.1:{port}; the join code is {code}.").format(
                        host=self._plan.names[0], port=port, code=code
                    )
                ]
            case {"type": "sat_down", "text": str(text)}:
                return [text]
            case {"type": "card", "text": str(text)}:
                self._card = text
                return []
            case {"type": "played", "text": str(text)}:
                return [f"{self._card} {text}"]
            case {"type": str(kind), "text": str(text)} if kind in _TOLD:
                return [text]
            case _:
                return []


def judge(peers: tuple[Peer, ...], manner: Manner) -> int:
    """Judge every peer's file by itself and compare them all; 0 only if each holds and all say the same."""
    files = [(peer.name, peer.saved.read_bytes() if peer.saved else b"") for peer in peers]
    verdicts = [verify_transcript(data) for _name, data in files]
    told = [signed_bodies(data) for _name, data in files]
    agree = all(bodies == told[0] for bodies in told)
    holds = all(verdict.outcome is Outcome.HOLDS for verdict in verdicts)
    count = sum(len(bodies) for bodies in told[:1])
    if manner is Manner.JSON:
        files_json = [
            {"name": name, "outcome": verdict.outcome.name.lower(), "steps": verdict.steps, "bytes": len(data)}
            for (name, data), verdict in zip(files, verdicts, strict=True)
        ]
        say(
            [json.dumps({"v": 1, "type": "demo", "agree": agree, "holds": holds, "bodies": count, "files": files_json})]
        )
    else:
        say(
            _("{name}'s file of {size} bytes: {verdict}").format(
                name=name, size=len(data), verdict=verdict_text(verdict)
            )
            for (name, data), verdict in zip(files, verdicts, strict=True)
        )
        say(verdict_lines(verdicts[0])[1:])
        say([_agreement(len(peers), count) if agree else _("NO: the files of the peers differ.")])
    return 0 if agree and holds else _UNFAIR


def _agreement(peers: int, bodies: int) -> str:
    return n_(
        "The file of {n} peer holds {bodies} signed entries.",
        "All {n} files agree, byte for byte in each of {bodies} signed entries.",
        peers,
    ).format(bodies=bodies)


def signed_bodies(data: bytes) -> tuple[bytes, ...]:
    """The table and every signed body of a game file, in order: what honest peers' files must have in common."""
    found: list[bytes] = []
    for item in read_file(data).frames:
        match item:
            case TableFrame():
                found.append(item.table)
            case Record():
                found += [entry.body for entry in item.entries]
            case _:
                pass
    return tuple(found)

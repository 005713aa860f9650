"""What happens to the hosts of a lab, each as one function that plays it, checks it and returns what it measured.

Checked is what must hold on any machine, however slow; how fast it was is for people to read (`python -m tests.lan`).
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from tests.lan.lab import Lab
from tests.lan.peers import (
    Fell,
    Line,
    Peer,
    complaints,
    ended,
    one_game,
    played_beyond,
    says,
    signed_twice,
    working_folder,
)
from tests.lan.switch import Faults

SHORT: Final = ("--rule", "pawns=1")
MIDDLE: Final = ("--rule", "pawns=2")
FULL: Final = ()
_PORT: Final = 7777
_START_S: Final = 40.0
_GAME_S: Final = 240.0
_STEP_S: Final = 20.0
"""A machine may be slow; one that waits longer than this for one step has lost it."""

STORM: Final = Faults(delay_s=0.020, jitter_s=0.010, loss=0.05, dup=0.10, reorder=0.25)

Figures = dict[str, float]


@dataclass(slots=True)
class Table:
    """The peers of one game, in the order of their seats and hosts."""

    peers: list[Peer]
    lab: Lab | None
    figures: Figures = field(default_factory=dict)

    def step(self) -> int:
        """The last step that any of them has played."""
        return max(peer.steps() for peer in self.peers)

    def plays_on(self, k: int, since_s: float, limit_s: float) -> float:
        """Seconds from `since_s` until all of them have played a step behind `k`."""
        return max(peer.until(played_beyond(k), limit_s).at_s for peer in self.peers) - since_s

    def finish(self) -> None:
        """Wait for the end; Fell where anybody complains, the files are not one, or anything was signed twice."""
        began_s = time.monotonic()
        for peer in self.peers:
            code = peer.ends(max(1.0, began_s + _GAME_S - time.monotonic()))
            if code:
                raise Fell(f"{peer.name} ended with {code}; {peer.last_words()}")
        wrong = complaints(self.peers) + signed_twice(self.peers)
        if wrong:
            raise Fell("; ".join(wrong))
        self.figures["signed entries"] = one_game(self.peers)
        self.figures["steps"] = self.step()


@contextmanager
def table(lab: Lab | None, seats: int, rules: tuple[str, ...], at: str | None = None) -> Iterator[Table]:
    """A table in play: the first host opens it, the others join at `at`, or where it says. All gone afterwards."""
    with working_folder() as folder:
        peers = [Peer(number, folder, () if lab is None else lab.inside(number)) for number in range(seats)]
        with ended(peers):
            began_s = time.monotonic()
            _open(peers, rules, at, _PORT if lab is not None else 0)
            for peer in peers:
                peer.until(says("started"), _START_S)
            yield Table(peers, lab, {"all seated s": time.monotonic() - began_s})


def _read_out(addresses: object) -> str:
    """The address that people are told first."""
    if not isinstance(addresses, list) or not addresses:
        raise Fell("the host knows no address to read out")
    first = str(addresses[0])
    return f"[{first}]" if ":" in first else first


def _open(peers: list[Peer], rules: tuple[str, ...], at: str | None, port: int) -> None:
    host, *guests = peers
    host.start("host", "--seats", str(len(peers)), "--port", str(port), *rules)
    opened = host.until(says("opened"), _START_S).said
    where = at or _read_out(opened["addresses"])
    for guest in guests:
        guest.start("join", f"{where}:{opened['port']}", "--code", str(opened["code"]))


def stormy(rules: tuple[str, ...] = SHORT, seed: int = 1, seats: int = 4) -> Figures:
    """A whole game while frames are late, lost, doubled and overtaken."""
    with Lab(seats, seed) as lab:
        lab.faults(STORM)
        with table(lab, seats, rules) as play:
            began_s = time.monotonic()
            play.finish()
            took_s = time.monotonic() - began_s
            return {
                "game s": took_s,
                "ms a step": 1000 * took_s / max(1.0, play.figures["steps"]),
                **play.figures,
                **{f"frames {name}": float(count) for name, count in lab.counted().items()},
            }


def silent_cut(cut_s: float = 10.0, rules: tuple[str, ...] = FULL, seed: int = 2) -> Figures:
    """One host of four is cut off without a sign and comes back: nobody is asked, no step is lost."""
    with Lab(4, seed) as lab, table(lab, 4, rules) as play:
        *rest, lone = play.peers
        play.plays_on(3, 0.0, _STEP_S)
        marks = [peer.mark() for peer in play.peers]
        lab.isolate(lone.number)
        cut_at_s = time.monotonic()
        seen = [
            peer.until(says("presence", seat=lone.number, presence="reconnecting"), _STEP_S, marks[peer.number]).at_s
            for peer in rest
        ]
        seen += [
            lone.until(says("presence", seat=peer.number, presence="reconnecting"), _STEP_S, marks[lone.number]).at_s
            for peer in rest
        ]
        play.figures["silent peer noticed s"] = max(seen) - cut_at_s
        time.sleep(max(0.0, cut_at_s + cut_s - time.monotonic()))
        k = play.step()
        lab.cut(())
        healed_s = time.monotonic()
        play.figures["play resumes s after healing"] = play.plays_on(k, healed_s, _STEP_S)
        play.finish()
        return play.figures


def killed(rules: tuple[str, ...] = FULL, seed: int = 3) -> Figures:
    """A guest is killed and started again by the same command, then the host; both keep their seats."""
    with Lab(4, seed) as lab, table(lab, 4, rules) as play:
        play.plays_on(3, 0.0, _STEP_S)
        for victim, who in ((play.peers[3], "guest"), (play.peers[0], "host")):
            k = play.step()
            others = [peer for peer in play.peers if peer is not victim]
            marks = {peer: peer.mark() for peer in play.peers}
            killed_s = victim.kill()
            gone = says("presence", seat=victim.number, presence="reconnecting")
            noticed_s = max(peer.until(gone, _STEP_S, marks[peer]).at_s for peer in others) - killed_s
            again_s = time.monotonic()
            victim.start()
            back = victim.until(says("resumed"), _STEP_S, marks[victim])
            play.figures[f"killed {who} noticed s"] = noticed_s
            play.figures[f"{who} back in its seat s"] = back.at_s - again_s
            play.figures[f"play goes on s after {who}'s start"] = play.plays_on(max(k, play.step()), again_s, _STEP_S)
        play.finish()
        return play.figures


def stopped(rules: tuple[str, ...] = FULL, seed: int = 4) -> Figures:
    """A process that stands still for six seconds is replaced by nobody, and goes on."""
    with Lab(3, seed) as lab, table(lab, 3, rules) as play:
        play.plays_on(3, 0.0, _STEP_S)
        *rest, lone = play.peers
        marks = [peer.mark() for peer in play.peers]
        lone.signal(signal.SIGSTOP)
        stopped_s = time.monotonic()
        gone = says("presence", seat=lone.number, presence="reconnecting")
        seen_s = max(peer.until(gone, _STEP_S, marks[peer.number]).at_s for peer in rest)
        play.figures["stopped peer noticed s"] = seen_s - stopped_s
        time.sleep(max(0.0, stopped_s + 6.0 - time.monotonic()))
        k = play.step()
        lone.signal(signal.SIGCONT)
        play.figures["play resumes s after it goes on"] = play.plays_on(k, time.monotonic(), _STEP_S)
        play.finish()
        return play.figures


def around(one_way: tuple[tuple[int, int], ...] = ((1, 2), (2, 1)), rules: tuple[str, ...] = SHORT) -> Figures:
    """Two guests that cannot reach each other (or one of them not the other) play through the third host."""
    with Lab(3, seed=5) as lab:
        lab.cut(one_way)
        with table(lab, 3, rules) as play:
            for peer, other in ((play.peers[1], 2), (play.peers[2], 1)):
                said = peer.until(says("presence", seat=other, presence="relayed", via=0), _STEP_S).said
                if "Ada" not in str(said["text"]):
                    raise Fell(f"nothing is said of the way: {said['text']}")
            play.finish()
            return play.figures


def unplugged(down_s: float = 3.0, rules: tuple[str, ...] = FULL) -> Figures:
    """A host's cable is pulled and put back."""
    with Lab(3, seed=6) as lab, table(lab, 3, rules) as play:
        play.plays_on(3, 0.0, _STEP_S)
        lab.plug(2, "down")
        time.sleep(down_s)
        k = play.step()
        lab.plug(2, "up")
        play.figures["play resumes s after plugging in"] = play.plays_on(k, time.monotonic(), _STEP_S)
        play.finish()
        return play.figures


def moved(rules: tuple[str, ...] = FULL) -> Figures:
    """A guest gets another address in the middle of the game, and another one gets one while it is dead."""
    with Lab(3, seed=9, families=(4,)) as lab, table(lab, 3, rules) as play:
        play.plays_on(3, 0.0, _STEP_S)
        k = play.step()
        lab.move(1)
        play.figures["play resumes s after a new address"] = play.plays_on(k + 1, time.monotonic(), _STEP_S)
        lone = play.peers[2]
        lone.kill()
        lab.move(2)
        mark, again_s = lone.mark(), time.monotonic()
        back = lone.start().until(says("resumed"), _STEP_S, mark)
        play.figures["back from a new address s"] = back.at_s - again_s
        play.finish()
        return play.figures


def six_only(at: str | None = "[fe80::1%eth0]", rules: tuple[str, ...] = SHORT) -> Figures:
    """No IPv4 anywhere; all know each other by link-local addresses only: everybody reaches everybody directly."""
    with Lab(3, seed=7, families=(6,)) as lab, table(lab, 3, rules, at) as play:
        play.finish()
        for peer in play.peers:
            last = {line.said["seat"]: line.said["presence"] for line in _presences(peer) if line.at_s < _end_s(peer)}
            if set(last.values()) - {"linked"}:
                raise Fell(f"{peer.name} did not reach everybody itself: {last}")
        return play.figures


def _presences(peer: Peer) -> list[Line]:
    return [line for line in peer.lines if line.kind == "presence"]


def _end_s(peer: Peer) -> float:
    """When the game was won: who has all that is needed may leave then."""
    return next(line.at_s for line in peer.lines if line.kind == "won")

"""Tables that are found, or not, on real interfaces: each scenario plays, checks, and returns what it measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.lan.peers import Fell, Peer, Said, ended, played_beyond, says, working_folder
from tests.lan.wires import Wires, program

_ROOT: Final = Path(__file__).parents[2]
_START_S: Final = 40.0

Figures = dict[str, float]


class Watch:
    """`sorry-lan list --json` on a host, with the time of every line."""

    def __init__(self, where: tuple[str, ...], seconds: int) -> None:
        self.lines: list[tuple[float, Said]] = []
        self._changed = threading.Condition()
        command = [*where, *program(), "list", "--json", "--seconds", str(seconds)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=_ROOT)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for raw in self._process.stdout or ():
            with self._changed:
                self.lines.append((time.monotonic(), json.loads(raw)))
                self._changed.notify_all()

    def until(self, kind: str, limit_s: float, since_s: float = 0.0) -> tuple[float, Said]:
        """The first line of that type that came after `since_s`; Fell where there is none."""
        deadline_s = time.monotonic() + limit_s
        with self._changed:
            while True:
                for at_s, said in self.lines:
                    if said["type"] == kind and at_s >= since_s:
                        return at_s, said
                left_s = deadline_s - time.monotonic()
                if left_s <= 0:
                    raise Fell(f"no {kind} within {limit_s:.1f} s; {self.lines}")
                self._changed.wait(left_s)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


@contextmanager
def watching(where: tuple[str, ...], seconds: int = 60) -> Iterator[Watch]:
    """A list that is kept up to date meanwhile."""
    watch = Watch(where, seconds)
    try:
        yield watch
    finally:
        watch.close()


def listed(where: tuple[str, ...], times: int) -> tuple[float, list[Said]]:
    """Run `sorry-lan list` so often: the longest it took as a command, and what the last one found."""
    longest = 0.0
    found: list[Said] = []
    for _ in range(times):
        began_s = time.monotonic()
        done = subprocess.run(
            (*where, *program(), "list"), capture_output=True, text=True, cwd=_ROOT, timeout=_START_S, check=False
        )
        longest = max(longest, time.monotonic() - began_s)
        if done.returncode:
            raise Fell(f"list ended with {done.returncode}: {done.stderr}")
        found = [{"text": line} for line in done.stdout.splitlines()]
    return longest, found


@contextmanager
def three_rooms() -> Iterator[Wires]:
    """A host between a LAN, a bridge for virtual machines, and a VPN that has the default route."""
    with Wires("host", "lan", "vm", "vpn") as wires:
        wires.cable("host", "eth0", "lan", "eth0")
        wires.cable("host", "port0", "vm", "eth0")
        wires.cable("host", "tun0", "vpn", "eth0")
        wires.do("host", "link", "add", "virbr0", "type", "bridge")
        wires.do("host", "link", "set", "port0", "master", "virbr0")
        wires.up("host", "port0")
        wires.up("host", "virbr0", "192.168.122.1/24")
        wires.up("host", "eth0", "192.168.7.5/24", "fe80::5/64")
        wires.up("host", "tun0", "10.8.0.2/24")
        wires.do("host", "route", "add", "default", "via", "10.8.0.1")
        wires.up("lan", "eth0", "192.168.7.6/24", "fe80::6/64")
        wires.up("vm", "eth0", "192.168.122.6/24")
        wires.up("vpn", "eth0", "10.8.0.1/24")
        yield wires


@contextmanager
def pair(host: tuple[str, ...], guest: tuple[str, ...]) -> Iterator[Wires]:
    """Two hosts on one cable with these addresses."""
    with Wires("host", "guest") as wires:
        wires.cable("host", "eth0", "guest", "eth0")
        wires.up("host", "eth0", *host)
        wires.up("guest", "eth0", *guest)
        yield wires


@contextmanager
def hosted(wires: Wires, *flags: str, at: str = "host") -> Iterator[tuple[Peer, Said, Callable[[str], Peer]]]:
    """A table, what its host said when it opened, and how to get one more client on a host."""
    with working_folder() as folder:
        peers = [Peer(0, folder, wires.inside(at))]

        def more(where: str) -> Peer:
            peers.append(Peer(len(peers), folder, wires.inside(where)))
            return peers[-1]

        with ended(peers):
            peers[0].start("host", "--seats", "4", *flags)
            opened = peers[0].until(says("opened"), _START_S).said
            yield peers[0], opened, more


def joins(peer: Peer, *words: str) -> float:
    """Seconds from the start of the command until its lobby stands there; its process is ended again."""
    began_s = time.monotonic()
    peer.start("join", *words)
    took_s = peer.until(says("lobby"), _START_S).at_s - began_s
    peer.kill()
    return took_s


def refused(wires: Wires, where: str, *words: str) -> tuple[int, str, float]:
    """Exit code, everything said, and seconds of a `join` that is not to succeed."""
    began_s = time.monotonic()
    with working_folder() as folder:
        command = (*wires.inside(where), *program(), "join", *words, "--plain", "--identity", os.fspath(folder))
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=_ROOT, timeout=_START_S, check=False, stdin=subprocess.DEVNULL
        )
    return done.returncode, done.stdout + done.stderr, time.monotonic() - began_s


def rooms(times: int = 20) -> Figures:
    """Guests in the LAN and on the bridge list and join the table; only addresses of the LAN are read out."""
    with three_rooms() as wires, hosted(wires) as (_host, opened, more):
        if opened["addresses"] != ["192.168.7.5"] or opened["reach"] != "lan":
            raise Fell(f"told {opened['addresses']}, {opened['reach']}")
        figures = {}
        for room, address in (("lan", "192.168.7.5"), ("vm", "192.168.122.1")):
            longest, found = listed(wires.inside(room), times)
            if len(found) != 1 or address not in str(found[0]):
                raise Fell(f"{room} found {found}")
            figures[f"list in {room} s"] = longest
            figures[f"join by code in {room} s"] = joins(more(room), str(opened["code"]))
        return figures


def printed_lines() -> Figures:
    """Every line that the host prints is run as it stands, by the shell of another computer."""
    with pair(("192.168.7.5/24", "fd77::5/64"), ("192.168.7.6/24", "fd77::6/64")) as wires, working_folder() as folder:
        command = (*wires.inside("host"), *program(), "host", "--plain", "--name", "Ada", "--identity", f"{folder}/a")
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_ROOT, bufsize=1
        ) as host:
            try:
                lines = list(_invitation(host))
                script = folder / "sorry-lan"
                script.write_text(
                    f'#!/bin/sh\nexec {sys.executable} -m sorry_lan "$@" --json --identity {folder}/$$ --name Bob\n'
                )
                script.chmod(0o755)
                for line in lines:
                    _run_as_typed(wires, line, folder)
            finally:
                host.kill()
        return {"lines": float(len(lines))}


def _invitation(host: subprocess.Popen[str]) -> Iterator[str]:
    for line in host.stdout or ():
        if line.startswith("    sorry-lan "):
            yield line.strip()
        elif line.startswith("Ada"):
            return


def _run_as_typed(wires: Wires, line: str, folder: Path) -> None:
    guest = subprocess.Popen(
        (*wires.inside("guest"), "sh", "-c", f"PATH={folder}:$PATH; {line}"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=_ROOT,
    )
    with guest:
        said = []
        timer = threading.Timer(_START_S, guest.kill)
        timer.start()
        try:
            for told in guest.stdout or ():
                said.append(told)
                if json.loads(told)["type"] == "lobby":
                    return
            raise Fell(f"{line}: {said}")
        finally:
            timer.cancel()
            guest.kill()


def flapped() -> Figures:
    """A guest's cable is pulled and put back: the table is gone from the list, and is there again."""
    with pair(*FAMILIES["v4"]) as wires, hosted(wires) as _hosted, watching(wires.inside("guest")) as watch:
        watch.until("table", _START_S)
        wires.do("guest", "link", "set", "eth0", "down")
        down_s = time.monotonic()
        gone_s, _said = watch.until("table_gone", 15.0, down_s)
        time.sleep(2.0)
        wires.do("guest", "link", "set", "eth0", "up")
        up_s = time.monotonic()
        found_s, _said = watch.until("table", 20.0, up_s)
        return {"gone s": gone_s - down_s, "found again s": found_s - up_s}


def plugged_late() -> Figures:
    """Both look and announce before either has a network: the table is found once there is one."""
    with Wires("host", "guest") as wires:
        wires.cable("host", "eth0", "guest", "eth0")
        with hosted(wires) as _hosted, watching(wires.inside("guest")) as watch:
            time.sleep(3.0)
            wires.up("host", "eth0", "192.168.7.5/24")
            wires.up("guest", "eth0", "192.168.7.6/24")
            up_s = time.monotonic()
            found_s, _said = watch.until("table", 20.0, up_s)
            return {"found s": found_s - up_s}


def crashed() -> Figures:
    """A host that is killed disappears; so does one whose computer says nothing any more."""
    figures = {}
    with pair(("192.168.7.5/24",), ("192.168.7.6/24",)) as wires:
        with hosted(wires) as (host, _opened, _more), watching(wires.inside("guest")) as watch:
            watch.until("table", _START_S)
            killed_s = host.kill()
            figures["killed, gone s"] = watch.until("table_gone", 15.0, killed_s)[0] - killed_s
        with hosted(wires, "--new") as _hosted, watching(wires.inside("guest")) as watch:
            watch.until("table", _START_S)
            wires.do("host", "link", "set", "eth0", "down")
            silent_s = time.monotonic()
            figures["silent, gone s"] = watch.until("table_gone", 15.0, silent_s)[0] - silent_s
    return figures


def no_multicast() -> Figures:
    """A switch that drops multicast: the code says why it cannot work, the address does."""
    with Wires("host", "guest", "switch") as wires:
        wires.do("switch", "link", "add", "br0", "type", "bridge")
        for name, address in (("host", "192.168.7.5/24"), ("guest", "192.168.7.6/24")):
            wires.cable(name, "eth0", "switch", name)
            wires.do("switch", "link", "set", name, "master", "br0")
            wires.do("switch", "link", "set", "dev", name, "type", "bridge_slave", "mcast_flood", "off")
            wires.up("switch", name)
            wires.up(name, "eth0", address)
        wires.up("switch", "br0")
        with hosted(wires) as (_host, opened, more):
            code, told, took_s = refused(wires, "guest", str(opened["code"]))
            if code != 3 or "multicast" not in told or "sorry-lan join 192.168" not in told:
                raise Fell(f"{code}: {told}")
            joined_s = joins(more("guest"), "192.168.7.5", "--code", str(opened["code"]))
            return {"code said why s": took_s, "address joined s": joined_s}


def no_network() -> Figures:
    """Two programs on one computer without any network; and a search there that finds nothing."""
    with Wires("host") as wires:
        code, told, _took_s = refused(wires, "host", "maple-otter-tulip")
        if code != 3 or "in no network" not in told:
            raise Fell(f"{code}: {told}")
        with hosted(wires) as (_host, opened, more):
            if opened["addresses"] or opened["reach"] != "nobody":
                raise Fell(f"told {opened}")
            return {"join by code s": joins(more("host"), str(opened["code"]))}


FAMILIES: Final = {
    "both": (("192.168.7.5/24", "fd77::5/64"), ("192.168.7.6/24", "fd77::6/64")),
    "v4": (("192.168.7.5/24",), ("192.168.7.6/24",)),
    "v6": (("fd77::5/64", "fe80::5/64"), ("fd77::6/64", "fe80::6/64")),
    "link-local": (("fe80::5/64",), ("fe80::6/64",)),
    "link-local v4": (("169.254.7.5/16",), ("169.254.7.6/16",)),
}


def family(name: str) -> Figures:
    """Found and joined by code, and joined by the first address that is read out, with these addresses only."""
    host, guest = FAMILIES[name]
    with pair(host, guest) as wires, hosted(wires) as (_host, opened, more):
        addresses = opened["addresses"]
        if not isinstance(addresses, list) or not addresses:
            raise Fell(f"told {opened}")
        code = str(opened["code"])
        return {
            "join by code s": joins(more("guest"), code),
            "join by address s": joins(more("guest"), f"{addresses[0]}", "--code", code),
        }


def wrong_code() -> Figures:
    """A code that no table takes is refused, and the table can still be joined."""
    with pair(*FAMILIES["v4"]) as wires, hosted(wires, "--code", "maple-otter-tulip") as (_host, opened, more):
        code, told, took_s = refused(wires, "guest", "tulip-otter-maple")
        if code != 7 or "does not take this code" not in told:
            raise Fell(f"{code}: {told}")
        return {"refused s": took_s, "joined s": joins(more("guest"), str(opened["code"]))}


def besieged() -> Figures:
    """Silence, a flood, a scan and noise from one computer: another one joins all the same, and play goes on."""
    with Wires("host", "guest", "foe", "switch") as wires:
        wires.do("switch", "link", "add", "br0", "type", "bridge")
        for name, address in (("host", "192.168.7.5/24"), ("guest", "192.168.7.6/24"), ("foe", "192.168.7.7/24")):
            wires.cable(name, "eth0", "switch", name)
            wires.do("switch", "link", "set", name, "master", "br0")
            wires.up("switch", name)
            wires.up(name, "eth0", address)
        wires.up("switch", "br0")
        with _table_for_two(wires) as (peers, code):
            calm_s = _joined_s(peers[1], code)
            calm_steps_s = _step_s(peers)
        with _table_for_two(wires) as (peers, code), _siege(wires):
            joined_s = _joined_s(peers[1], code)
            steps_s = _step_s(peers)
    return {
        "joined in peace s": calm_s, "joined s": joined_s,
        "step in peace s": calm_steps_s, "step s": steps_s, "ratio of steps": steps_s / calm_steps_s,
    }  # fmt: skip


@contextmanager
def _table_for_two(wires: Wires) -> Iterator[tuple[list[Peer], str]]:
    """A host that waits for one guest, who has not begun yet, and the code."""
    with working_folder() as folder:
        peers = [Peer(0, folder, wires.inside("host")), Peer(1, folder, wires.inside("guest"))]
        with ended(peers):
            peers[0].start("host", "--seats", "2")
            yield peers, str(peers[0].until(says("opened"), _START_S).said["code"])


@contextmanager
def _siege(wires: Wires) -> Iterator[None]:
    command = [*wires.inside("foe"), sys.executable, "-m", "tests.lan.siege", "192.168.7.5", "7777"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=_ROOT) as foe:
        try:
            if foe.stdout is None or foe.stdout.readline() != "ready\n":
                raise Fell("nobody besieges")
            yield
        finally:
            foe.kill()


def _joined_s(guest: Peer, code: str) -> float:
    """Seconds from the call to the lobby, without starting the program."""
    guest.start("join", "192.168.7.5", "--code", code)
    called_s = guest.until(says("connecting"), _START_S).at_s
    return guest.until(says("lobby"), _START_S).at_s - called_s


def _step_s(peers: list[Peer]) -> float:
    """The mean time of a step, over forty of them."""
    first, last = (max(peer.until(played_beyond(k), 4 * _START_S).at_s for peer in peers) for k in (5, 45))
    return (last - first) / 40


def moved_house() -> Figures:
    """All are killed in a game, all get other addresses, and `resume` on each finds the others all the same."""
    with pair(("192.168.7.5/24",), ("192.168.7.6/24",)) as wires, _table_for_two(wires) as (peers, code):
        peers[1].start("join", "192.168.7.5", "--code", code)
        for peer in peers:
            peer.until(played_beyond(5), 4 * _START_S)
        for peer in peers:
            peer.kill()
        for host, old, new in (("host", "5", "105"), ("guest", "6", "106")):
            # First the old one: the system takes those that came after it away with it.
            wires.do(host, "address", "del", f"192.168.7.{old}/24", "dev", "eth0")
            wires.do(host, "address", "add", f"192.168.7.{new}/24", "dev", "eth0")
        marks = [peer.mark() for peer in peers]
        began_s = time.monotonic()
        for peer in peers:
            peer.start("resume")
        took_s = max(peer.until(says("played"), _START_S, mark).at_s for peer, mark in zip(peers, marks, strict=True))
        return {"plays on s": took_s - began_s}

"""The doctor between hosts of the lab: what is wrong with a network is made so, and it must say what that is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.lan.lab import Lab, leftovers, why_not
from tests.lan.peers import Peer, ended, says, working_folder

pytestmark = pytest.mark.lan

_ROOT: Final = Path(__file__).parents[2]
_START_S: Final = 40.0
_LONGEST_S: Final = 30.0
"""Ten seconds are what people wait for; a machine that is busy with other tests may be so much slower."""
_TCP: Final = 6
_UDP: Final = 17
_NFT: Final = shutil.which("nft", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")
_TABLE: Final = 7777


@pytest.fixture
def lab() -> Iterator[Lab]:
    reason = why_not()
    if reason is not None:
        pytest.skip(reason)
    with Lab(2) as made:
        yield made
    assert leftovers() == ()


@pytest.fixture
def nft() -> str:
    if _NFT is None:
        pytest.skip("nft (nftables) is not installed")
    return _NFT


@dataclass(frozen=True, slots=True)
class Told:
    """One run of the doctor: its exit code, what it found, the text of its checks and commands, its time."""

    code: int
    said: dict[str, object]
    found: dict[str, str]
    text: str
    took_s: float

    @property
    def verdict(self) -> tuple[int, object]:
        return self.code, self.said["cause"]


@dataclass(frozen=True, slots=True)
class Running:
    """A doctor at work on the first host."""

    process: subprocess.Popen[str]
    began_s: float

    def told(self) -> Told:
        out, err = self.process.communicate(timeout=60)
        took_s = time.monotonic() - self.began_s
        assert err == ""
        said = json.loads(out)
        checks = {check["check"]: check["found"] for check in said["checks"]}
        return Told(self.process.returncode, said, checks, json.dumps(said), took_s)


def doctor(lab: Lab, *words: str) -> Running:
    command = (*lab.inside(0), sys.executable, "-m", "sorry_lan", "doctor", *words, "--json")
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=_ROOT)
    return Running(process, time.monotonic())


@contextmanager
def listening(lab: Lab, *kinds_and_ports: str) -> Iterator[None]:
    """Strangers on the second host."""
    command = (*lab.inside(1), sys.executable, "-m", "tests.lan.strangers", *kinds_and_ports)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=_ROOT)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield
    finally:
        process.kill()
        process.communicate()


@contextmanager
def hosting(lab: Lab) -> Iterator[Peer]:
    """A table with a code on the second host."""
    with working_folder() as folder:
        peer = Peer(1, folder, lab.inside(1))
        with ended([peer]):
            peer.start("host", "--seats", "2", "--port", str(_TABLE))
            peer.until(says("opened"), _START_S)
            yield peer


def rules(lab: Lab, nft: str, host: int, *rules: str) -> None:
    """A fresh chain of nftables on a host."""
    chains = "".join(f"add rule inet doctor {rule}\n" for rule in rules)
    script = (
        "table inet doctor\ndelete table inet doctor\ntable inet doctor {\n"
        "chain inp { type filter hook input priority 0; }\nchain out { type filter hook output priority 0; }\n}\n"
    )
    subprocess.run((*lab.inside(host), nft, "-f", "-"), input=script + chains, text=True, check=True)


def test_each_thing_that_may_be_at_an_address_has_its_own_cause_and_exit_code(lab: Lab) -> None:
    strangers = ("http", "7778", "version", "7779", "rules", "7780")
    at = lab.v4(1)
    with hosting(lab) as peer, listening(lab, *strangers):
        lab.drop((1, _TCP, 7783))
        running = {
            "table": doctor(lab, at),
            "by link-local address": doctor(lab, f"[{lab.link_local(1)}%eth0]:{_TABLE}"),
            "without its interface": doctor(lab, lab.link_local(1)),
            "wrong service": doctor(lab, f"{at}:7778"),
            "other version": doctor(lab, f"{at}:7779"),
            "other rules": doctor(lab, f"{at}:7780"),
            "dropped port": doctor(lab, f"{at}:7783"),
            "wrong port": doctor(lab, f"{at}:7784"),
            "no peer": doctor(lab),
        }
        told = {name: each.told() for name, each in running.items()}
        assert {name: each.verdict for name, each in told.items()} == {
            "table": (0, "fine"),
            "by link-local address": (0, "fine"),
            "without its interface": (0, "fine"),
            "wrong service": (4, "other-service"),
            "other version": (5, "version"),
            "other rules": (5, "engine"),
            "dropped port": (4, "firewall-drops"),
            "wrong port": (4, "not-hosting"),
            "no peer": (0, "fine"),
        }
        assert told["table"].found["handshake"] == "code"
        assert "9.9.9, protocol 2-3" in told["other version"].text
        assert "rules aaaaaaaa" in told["other rules"].text
        assert "sudo ufw allow 7783/tcp && sudo ufw allow 5353/udp" in told["dropped port"].text
        assert told["no peer"].found["hearing"] == "tables"
        # The table still takes people: nobody has a seat but its host.
        lobby = [line for line in peer.lines if line.kind == "lobby"][-1].said
        assert "doctor" not in json.dumps(lobby)


def test_a_dropped_port_is_told_in_time_with_the_rule_that_opens_it(lab: Lab) -> None:
    with listening(lab, "listener", "7801"):
        lab.drop((1, _TCP, 7801))
        told = doctor(lab, f"{lab.v4(1)}:7801").told()
    assert told.verdict == (4, "firewall-drops")
    assert told.found["reachable"] in ("answers", "present")
    assert "7801/tcp" in told.text
    assert told.took_s <= _LONGEST_S


def test_a_host_that_is_unplugged_is_nobody(lab: Lab) -> None:
    lab.plug(1, "down")
    told = doctor(lab, lab.v4(1)).told()
    assert told.verdict == (4, "nobody-there")
    assert told.took_s <= _LONGEST_S


def test_no_network_at_all_is_told_as_such(lab: Lab) -> None:
    lab.plug(0, "down")
    assert doctor(lab, lab.v4(1)).told().verdict == (4, "no-network")
    assert doctor(lab).told().verdict == (3, "no-network")


def test_multicast_that_the_network_drops_leaves_only_the_address(lab: Lab) -> None:
    with hosting(lab):
        lab.drop((0, _UDP, 5353), (1, _UDP, 5353))
        alone, addressed = doctor(lab), doctor(lab, lab.v4(1))
        told = alone.told()
        assert (told.verdict, told.found["sending"]) == ((3, "unheard"), "heard-back")
        assert addressed.told().verdict == (0, "fine")


def test_a_firewall_is_told_by_what_it_does_and_by_its_name(lab: Lab, nft: str) -> None:
    at = f"{lab.v4(1)}:7801"
    with listening(lab, "listener", "7801"):
        rules(lab, nft, 1, "inp tcp dport 7801 drop")
        told = doctor(lab, at).told()
        assert (told.verdict, told.found["port"]) == ((4, "firewall-drops"), "dropped")
        assert "sudo ufw allow 7801/tcp && sudo ufw allow 5353/udp" in told.text
        rules(lab, nft, 1, "inp tcp dport 7801 reject with icmpx host-unreachable")
        told = doctor(lab, at).told()
        assert (told.verdict, told.found["port"]) == ((4, "firewall-rejects"), "rejected")
        assert "sudo firewall-cmd --add-port=7801/tcp" in told.text
        rules(lab, nft, 1, "inp tcp dport 7801 reject with tcp reset")
        assert doctor(lab, at).told().verdict == (4, "not-hosting")
    rules(lab, nft, 0, "inp udp dport 5353 drop")
    told = doctor(lab).told()
    assert (told.verdict, told.found["sending"], told.found["firewall"]) == (
        (3, "multicast-blocked"),
        "not-back",
        "firewall-on",
    )
    assert "sudo nft insert rule" in told.text
    rules(lab, nft, 0, "out udp dport 5353 drop")
    told = doctor(lab).told()
    assert (told.verdict, told.found["sending"]) == ((3, "multicast-blocked"), "not-sent")


def test_a_network_without_ipv4_is_no_obstacle() -> None:
    reason = why_not()
    if reason is not None:
        pytest.skip(reason)
    with Lab(2, families=(6,)) as lab, hosting(lab):
        by_address, alone = doctor(lab, lab.v6(1)), doctor(lab)
        assert by_address.told().verdict == (0, "fine")
        assert alone.told().verdict == (0, "fine")

# ruff: noqa: ARG001 - a clock among the arguments makes time virtual; nothing is asked of it
from __future__ import annotations

import pytest
import trio.testing

from sorry_lan.net.checks.probe import Echoes, Firewall, Guard, Knock, Reply
from sorry_lan.net.checks.run import diagnose
from sorry_lan.table.diagnosis import Cause, Check, Diagnosis, Finding, Found, Tool
from tests.net.checks.fakes import NEVER_S, FakeProbe


async def diagnosed(probe: FakeProbe, host: str | None) -> tuple[Diagnosis, list[Finding]]:
    told: list[Finding] = []
    return await diagnose(probe, host, host, 7777, told.append), told


def by_check(diagnosis: Diagnosis) -> dict[Check, Found]:
    return {finding.check: finding.found for finding in diagnosis.findings}


async def test_all_checks_are_in_their_order_and_each_was_told_once(autojump_clock: trio.testing.MockClock) -> None:
    diagnosis, told = await diagnosed(FakeProbe(), "192.168.1.20")
    assert tuple(finding.check for finding in diagnosis.findings) == tuple(Check)
    assert sorted(told, key=lambda each: list(Check).index(each.check)) == list(diagnosis.findings)
    assert (diagnosis.cause, diagnosis.exit_code) == (Cause.FINE, 0)


async def test_without_a_peer_only_this_computer_is_looked_at(autojump_clock: trio.testing.MockClock) -> None:
    probe = FakeProbe(echo=Echoes(back=("eth0",), tables=("192.168.1.20",)))
    diagnosis, _told = await diagnosed(probe, None)
    assert by_check(diagnosis)[Check.PORT] is Found.NO_PEER
    assert (diagnosis.cause, probe.knocked) == (Cause.FINE, [])


async def test_the_worst_that_can_be_is_over_in_nine_seconds(autojump_clock: trio.testing.MockClock) -> None:
    silent = Reply(Knock.SILENT, NEVER_S)
    probe = FakeProbe(
        names={"bob": ("192.168.1.20",)}, name_s=1.99, reply=Reply(Knock.OPEN, 3.3), other=silent, met_s=NEVER_S
    )
    began_s = trio.current_time()
    diagnosis, _told = await diagnosed(probe, "bob")
    assert trio.current_time() - began_s <= 9.0
    assert diagnosis.cause is Cause.MUTE
    stuck, _told = await diagnosed(FakeProbe(echo_s=NEVER_S), "192.168.1.20")
    assert by_check(stuck) | {Check.HEARING: Found.LATE, Check.SENDING: Found.LATE, Check.CLOCK: Found.LATE} == (
        by_check(stuck)
    )
    assert stuck.cause is Cause.FINE


async def test_the_firewall_in_charge_is_told_for_its_command(autojump_clock: trio.testing.MockClock) -> None:
    diagnosis, _told = await diagnosed(FakeProbe(guards=(Firewall(Tool.FIREWALLD, Guard.ON),)), None)
    assert (diagnosis.tool, by_check(diagnosis)[Check.FIREWALL]) == (Tool.FIREWALLD, Found.FIREWALL_ON)


@pytest.mark.parametrize(
    ("fails", "check"),
    [("way", Check.NETWORK), ("firewalls", Check.FIREWALL)],
)
async def test_a_check_that_goes_wrong_says_so_and_stops_no_other(
    fails: str, check: Check, autojump_clock: trio.testing.MockClock
) -> None:
    diagnosis, _told = await diagnosed(FakeProbe(fails=frozenset({fails})), "192.168.1.20")
    wrong = next(finding for finding in diagnosis.findings if finding.check is check)
    assert (wrong.found, wrong.about) == (Found.FAILED, ("ZeroDivisionError",))
    assert by_check(diagnosis)[Check.SENDING] is Found.HEARD_BACK


async def test_what_was_found_before_a_check_went_wrong_stands(autojump_clock: trio.testing.MockClock) -> None:
    diagnosis, _told = await diagnosed(FakeProbe(fails=frozenset({"way"})), "192.168.1.20")
    found = by_check(diagnosis)
    assert (found[Check.NAME], found[Check.ROUTE], found[Check.PORT]) == (Found.NUMERIC, Found.FAILED, Found.FAILED)


async def test_sleep_during_the_checks_is_seen(autojump_clock: trio.testing.MockClock) -> None:
    diagnosis, _told = await diagnosed(FakeProbe(slept_s=[10.0, 15.0]), None)
    assert by_check(diagnosis)[Check.CLOCK] is Found.SLEPT

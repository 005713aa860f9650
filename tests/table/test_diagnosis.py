"""One cause and one exit code for everything that the checks can find, told by a second, plainer way to decide it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from sorry_lan.table.diagnosis import (
    Cause,
    Check,
    Diagnosis,
    Finding,
    Found,
    Mark,
    System,
    cause_of,
    exit_code_of,
)

POSSIBLE = {
    Check.NETWORK: (
        Found.LAN, Found.TUNNEL, Found.LINK_LOCAL, Found.VIRTUAL, Found.WSL, Found.ALONE, Found.NO_NETWORK,
    ),
    Check.NAME: (Found.NUMERIC, Found.NAMED, Found.NAME_LOOPBACK, Found.NAME_UNKNOWN, Found.NAME_LATE),
    Check.ROUTE: (
        Found.DIRECT, Found.BY_GATEWAY, Found.BY_TUNNEL, Found.BY_VIRTUAL, Found.HERE, Found.NO_ZONE, Found.NO_ROUTE,
    ),
    Check.REACHABLE: (
        Found.ANSWERS, Found.PRESENT, Found.ABSENT, Found.SILENT, Found.FORBIDDEN, Found.LOCAL_NETWORK, Found.NO_WAY,
    ),
    Check.PORT: (Found.OPEN, Found.REFUSED, Found.REJECTED, Found.DROPPED, Found.RESET),
    Check.HANDSHAKE: (
        Found.MEETS, Found.CODE, Found.OTHER_SERVICE, Found.MUTE, Found.HUNG_UP, Found.VERSION, Found.ENGINE,
        Found.BUSY, Found.BROKE_RULE,
    ),
    Check.FIREWALL: (Found.UNGUARDED, Found.FIREWALL_OFF, Found.FIREWALL_ON, Found.FIREWALL_UNSURE),
    Check.SENDING: (Found.HEARD_BACK, Found.PARTLY_BACK, Found.NOT_BACK, Found.NOT_SENT, Found.PORT_HELD, Found.NEEDS),
    Check.HEARING: (Found.TABLES, Found.OWN_TABLE, Found.OTHERS, Found.NOTHING, Found.NEEDS),
    Check.CLOCK: (Found.STEADY, Found.SLEEPS, Found.SLEPT, Found.UNTOLD),
}  # fmt: skip
CHAIN = (Check.NAME, Check.ROUTE, Check.REACHABLE, Check.PORT, Check.HANDSHAKE)
GOES_ON = {
    Found.NUMERIC, Found.NAMED, Found.NAME_LOOPBACK, Found.DIRECT, Found.BY_GATEWAY, Found.BY_TUNNEL, Found.BY_VIRTUAL,
    Found.HERE, Found.ANSWERS, Found.PRESENT, Found.OPEN,
}  # fmt: skip
AROUND = {Check.FIREWALL: Found.UNGUARDED, Check.SENDING: Found.HEARD_BACK, Check.HEARING: Found.NOTHING}

World = dict[Check, Found]


def findings(world: World) -> tuple[Finding, ...]:
    return tuple(Finding(check, world.get(check, Found.STEADY)) for check in Check)


def chains(depth: int = 0) -> Iterator[World]:
    """Every way from a name to a table: each check only where the one before went well."""
    check = CHAIN[depth]
    for found in POSSIBLE[check]:
        if found in GOES_ON and depth + 1 < len(CHAIN):
            yield from ({check: found, **rest} for rest in chains(depth + 1))
        else:
            yield {check: found, **dict.fromkeys(CHAIN[depth + 1 :], Found.NEEDS)}


SAME_NAME = {
    Found.VERSION, Found.ENGINE, Found.OTHER_SERVICE, Found.MUTE, Found.HUNG_UP, Found.BUSY, Found.BROKE_RULE,
    Found.NO_ZONE, Found.FORBIDDEN, Found.LOCAL_NETWORK, Found.NAME_UNKNOWN, Found.NO_ROUTE,
}  # fmt: skip


def expected(world: World) -> Cause:
    """The cause by the last check that was reached, and for the vague ones by what lies before it."""
    last = next(world[check] for check in reversed(CHAIN) if world[check] is not Found.NEEDS)
    network, route = world[Check.NETWORK], world[Check.ROUTE]
    if last in (Found.MEETS, Found.CODE):
        return Cause.FINE
    if world[Check.HANDSHAKE] is Found.NEEDS and network is Found.NO_NETWORK:
        return Cause.NO_NETWORK
    if last in (Found.NAME_UNKNOWN, Found.NAME_LATE, Found.NO_ROUTE) and network is Found.ALONE:
        return Cause.NO_NETWORK
    if last in SAME_NAME:
        return Cause(last.value)
    if last is Found.REFUSED:
        if world[Check.NAME] is Found.NAME_LOOPBACK:
            return Cause.NAME_LOOPBACK
        return Cause.OWN_ADDRESS if route is Found.HERE else Cause.NOT_HOSTING
    plain = {
        Found.NAME_LATE: Cause.NAME_SERVER,
        Found.REJECTED: Cause.FIREWALL_REJECTS,
        Found.DROPPED: Cause.FIREWALL_DROPS,
        Found.RESET: Cause.HUNG_UP,
    }
    if last in plain:
        return plain[last]
    if route in (Found.BY_VIRTUAL, Found.BY_TUNNEL):
        return Cause.VIRTUAL if route is Found.BY_VIRTUAL else Cause.TUNNEL
    if last is Found.ABSENT:
        return Cause.NOBODY_THERE
    if route is Found.BY_GATEWAY:
        return Cause.OTHER_NETWORK
    if last is Found.NO_WAY:
        return Cause.NO_ROUTE
    return Cause.TUNNEL if network is Found.TUNNEL else Cause.SILENT


def exit_of(cause: Cause) -> int:
    return {Cause.FINE: 0, Cause.VERSION: 5, Cause.ENGINE: 5, Cause.BUSY: 7}.get(cause, 4)


def test_every_way_to_a_peer_has_the_cause_and_the_exit_code_that_it_must_have() -> None:
    worlds = [{**AROUND, **chain, Check.NETWORK: net} for chain in chains() for net in POSSIBLE[Check.NETWORK]]
    assert len(worlds) > 2000
    for world in worlds:
        cause = cause_of(findings(world))
        assert cause is expected(world), world
        assert exit_code_of(findings(world)) == exit_of(cause), world


@pytest.mark.parametrize("check", [Check.FIREWALL, Check.SENDING, Check.HEARING, Check.CLOCK])
def test_what_is_found_beside_the_way_to_a_peer_never_changes_its_cause(check: Check) -> None:
    for chain in chains():
        if chain[Check.NAME] is Found.NUMERIC:  # an address does as a name that was found
            continue
        world = {**AROUND, **chain, Check.NETWORK: Found.LAN}
        cause, code = cause_of(findings(world)), exit_code_of(findings(world))
        for found in POSSIBLE[check]:
            changed = findings({**world, check: found})
            assert (cause_of(changed), exit_code_of(changed)) == (cause, code), (chain, found)


def expected_in_general(network: Found, guard: Found, sending: Found, hearing: Found) -> Cause:
    if network is Found.NO_NETWORK:
        return Cause.NO_NETWORK
    if hearing is Found.TABLES:
        return Cause.FINE
    by_network = {Found.ALONE: Cause.NO_NETWORK, Found.WSL: Cause.WSL}
    by_sending = {
        Found.NOT_SENT: Cause.MULTICAST_BLOCKED,
        Found.NOT_BACK: Cause.MULTICAST_BLOCKED,
        Found.PORT_HELD: Cause.PORT_HELD,
    }
    if network in by_network or sending in by_sending:
        return by_network.get(network) or by_sending[sending]
    if network is Found.VIRTUAL:
        return Cause.VIRTUAL
    if hearing is Found.OWN_TABLE:
        return Cause.OWN_FIREWALL if guard is Found.FIREWALL_ON else Cause.HOSTING
    if hearing is Found.NOTHING:
        return Cause.TUNNEL if network is Found.TUNNEL else Cause.UNHEARD
    return Cause.NO_TABLE if hearing is Found.OTHERS else Cause.UNSURE


def test_without_a_peer_everything_found_here_has_the_cause_and_the_exit_code_that_it_must_have() -> None:
    here = (Check.NETWORK, Check.FIREWALL, Check.SENDING, Check.HEARING)
    for network, guard, sending, hearing in product(*(POSSIBLE[check] for check in here)):
        world = dict(zip(here, (network, guard, sending, hearing), strict=True))
        found = findings({**dict.fromkeys(CHAIN, Found.NO_PEER), **world})
        assert cause_of(found) is expected_in_general(network, guard, sending, hearing), world
        assert exit_code_of(found) == (0 if hearing in (Found.TABLES, Found.OWN_TABLE) else 3)


def test_every_cause_can_come_about() -> None:
    to_peer = {
        cause_of(findings({**AROUND, **chain, Check.NETWORK: net}))
        for chain in chains()
        for net in (Found.LAN, Found.ALONE)
    }
    here = (Check.NETWORK, Check.FIREWALL, Check.SENDING, Check.HEARING)
    alone = {
        cause_of(findings({**dict.fromkeys(CHAIN, Found.NO_PEER), **dict(zip(here, each, strict=True))}))
        for each in product(*(POSSIBLE[check] for check in here))
    }
    assert to_peer | alone == set(Cause)


def test_nothing_that_was_looked_at_in_time_explains_nothing() -> None:
    late = tuple(Finding(check, Found.LATE) for check in Check)
    assert (cause_of(late), exit_code_of(late)) == (Cause.UNSURE, 4)


def test_every_finding_belongs_to_a_check_and_only_what_stops_a_join_fails() -> None:
    skips = {Found.NO_PEER, Found.NEEDS, Found.LATE, Found.UNTOLD, Found.FAILED}
    assert {found for each in POSSIBLE.values() for found in each} | skips == set(Found)
    marks = {found: Finding(Check.NETWORK, found).mark for found in Found}
    assert {found for found in skips if marks[found] is not Mark.SKIP} == set()
    for check in (Check.FIREWALL, Check.SENDING, Check.HEARING, Check.CLOCK):
        assert Mark.FAIL not in {marks[found] for found in POSSIBLE[check]}
    for chain in chains():
        failing = [check for check in CHAIN if marks[chain[check]] is Mark.FAIL]
        well = exit_code_of(findings({**AROUND, **chain, Check.NETWORK: Found.LAN})) in (0, 7)
        assert well == (failing == []), chain


def test_a_diagnosis_tells_its_cause_and_its_exit_code() -> None:
    found = findings({**AROUND, **next(chains()), Check.NETWORK: Found.LAN, Check.HANDSHAKE: Found.VERSION})
    diagnosis = Diagnosis("bob", 7777, System.LINUX, None, found)
    assert (diagnosis.cause, diagnosis.exit_code) == (Cause.VERSION, 5)

from __future__ import annotations

import pytest

from sorry_lan.net.checks.here import clock, firewall, network, tool_in_charge
from sorry_lan.net.checks.multicast import hearing, sending
from sorry_lan.net.checks.probe import Echoes, Firewall, Guard, Way
from sorry_lan.net.interfaces import Interface, Kind
from sorry_lan.table.diagnosis import Found, Tool
from tests.net.checks.fakes import BY_ETH, BY_TUN, DOCKER, ETH, LO, TUN

NAT = Interface("eth0", 2, Kind.LAN, ("172.28.16.5", "fe80::5"))
SELF_GIVEN = Interface("eth0", 2, Kind.LAN, ("169.254.3.4", "fe80::5"))


@pytest.mark.parametrize(
    ("up", "default", "wsl", "found"),
    [
        ((), None, False, Found.NO_NETWORK),
        ((LO,), None, False, Found.ALONE),
        ((LO, ETH), BY_ETH, False, Found.LAN),
        ((LO, ETH, DOCKER), BY_ETH, False, Found.LAN),
        ((LO, ETH, TUN), BY_ETH, False, Found.LAN),
        ((LO, ETH, TUN), BY_TUN, False, Found.TUNNEL),
        ((LO, TUN), None, False, Found.TUNNEL),
        ((LO, DOCKER), None, False, Found.VIRTUAL),
        ((LO, SELF_GIVEN), None, False, Found.LINK_LOCAL),
        ((LO, NAT), BY_ETH, True, Found.WSL),
        ((LO, NAT), BY_ETH, False, Found.LAN),
        ((LO, ETH), BY_ETH, True, Found.LAN),
        ((LO, SELF_GIVEN), None, True, Found.WSL),
    ],
)
def test_the_networks_of_a_computer_are_told_by_their_kind(
    up: tuple[Interface, ...], default: Way | None, wsl: bool, found: Found
) -> None:
    assert network(up, default, wsl=wsl).found is found


def test_interfaces_are_told_with_their_addresses_as_this_computer_calls_them() -> None:
    assert network((LO, ETH, TUN), BY_ETH, wsl=False).about == (
        "eth0 192.168.1.23, fe80::23%eth0",
        "tun0 10.8.0.2",
    )


@pytest.mark.parametrize(
    ("guards", "found", "named", "tool"),
    [
        ((), Found.UNGUARDED, (), None),
        ((Firewall(Tool.UFW, Guard.OFF),), Found.FIREWALL_OFF, ("ufw",), None),
        ((Firewall(Tool.NFTABLES, Guard.UNSURE),), Found.FIREWALL_UNSURE, ("nftables",), Tool.NFTABLES),
        (
            (Firewall(Tool.UFW, Guard.UNSURE), Firewall(Tool.FIREWALLD, Guard.ON), Firewall(Tool.NFTABLES, Guard.ON)),
            Found.FIREWALL_ON,
            ("firewalld", "nftables"),
            Tool.FIREWALLD,
        ),
        (
            (Firewall(Tool.UFW, Guard.OFF), Firewall(Tool.IPTABLES, Guard.UNSURE)),
            Found.FIREWALL_UNSURE,
            ("iptables",),
            Tool.IPTABLES,
        ),
    ],
)
def test_the_firewall_that_is_on_counts_before_one_that_may_be(
    guards: tuple[Firewall, ...], found: Found, named: tuple[str, ...], tool: Tool | None
) -> None:
    finding = firewall(guards)
    assert (finding.found, finding.about, tool_in_charge(guards)) == (found, named, tool)


@pytest.mark.parametrize(
    ("before_s", "after_s", "found", "value"),
    [
        (None, None, Found.UNTOLD, None),
        (3.0, None, Found.UNTOLD, None),
        (0.0, 0.5, Found.STEADY, None),
        (59.0, 59.5, Found.STEADY, None),
        (7200.0, 7200.5, Found.SLEEPS, 7200.5),
        (7200.0, 7203.0, Found.SLEPT, 3.0),
    ],
)
def test_sleep_is_told_apart_from_sleep_during_the_checks(
    before_s: float | None, after_s: float | None, found: Found, value: float | None
) -> None:
    assert (clock(before_s, after_s).found, clock(before_s, after_s).value) == (found, value)


@pytest.mark.parametrize(
    ("echoes", "out", "heard"),
    [
        (Echoes(), Found.NEEDS, Found.NEEDS),
        (Echoes(port_held=True), Found.PORT_HELD, Found.NEEDS),
        (Echoes(back=("eth0",)), Found.HEARD_BACK, Found.NOTHING),
        (Echoes(back=("eth0",), lost=("eth1",)), Found.PARTLY_BACK, Found.NOTHING),
        (Echoes(back=("eth0",), refused=("eth1",)), Found.PARTLY_BACK, Found.NOTHING),
        (Echoes(lost=("eth0",)), Found.NOT_BACK, Found.NOTHING),
        (Echoes(lost=("eth0",), refused=("eth1",)), Found.NOT_BACK, Found.NOTHING),
        (Echoes(refused=("eth0",)), Found.NOT_SENT, Found.NEEDS),
        (Echoes(back=("eth0",), others=("192.0.2.7",)), Found.HEARD_BACK, Found.OTHERS),
        (Echoes(back=("eth0",), own_table=True), Found.HEARD_BACK, Found.OWN_TABLE),
        (Echoes(back=("eth0",), others=("192.0.2.7",), own_table=True), Found.HEARD_BACK, Found.OWN_TABLE),
        (Echoes(back=("eth0",), own_table=True, tables=("192.0.2.8",)), Found.HEARD_BACK, Found.TABLES),
    ],
)
def test_a_search_is_judged_by_what_came_back_and_by_who_answered(echoes: Echoes, out: Found, heard: Found) -> None:
    assert (sending(echoes).found, hearing(echoes).found) == (out, heard)


def test_what_is_wrong_with_a_search_is_told_by_interface_and_address() -> None:
    echoes = Echoes(back=("a",), lost=("b",), refused=("c",), others=("192.0.2.7", "192.0.2.8"))
    assert sending(echoes).about == ("b", "c")
    assert hearing(echoes).value == 2.0
    assert hearing(Echoes(back=("a",), tables=("192.0.2.8",))).about == ("192.0.2.8",)

"""This computer's own addresses: which interfaces count, which address is told, and that each was tried."""

from __future__ import annotations

import socket
from pathlib import Path

import ifaddr
import pytest
import trio
import trio.testing

from sorry_lan.net import addresses, interfaces
from sorry_lan.net.addresses import Own, own_addresses, plain_host, ranked_hosts, told, zoned
from sorry_lan.net.interfaces import Bridge, Interface, Kind, kind_of, up_interfaces
from sorry_lan.net.listener import open_port
from sorry_lan.net.where import Address
from sorry_lan.table.notices import Problem, Reach

UP = 0x1 | 0x40
LO = Interface("lo", 1, Kind.LOOPBACK, ("127.0.0.1", "::1"))
ETH = Interface("eth0", 2, Kind.LAN, ("192.168.7.5", "fe80::5"))
DOCKER = Interface("docker0", 3, Kind.VIRTUAL, ("172.17.0.1",))
TUN = Interface("tun0", 4, Kind.VPN, ("10.8.0.2",))


def hosts(*found: Interface, wsl: bool = False) -> Own:
    return told(ranked_hosts(found), wsl)


def test_an_ipv4_address_seen_through_ipv6_is_ipv4() -> None:
    assert plain_host("::ffff:192.0.2.1") == "192.0.2.1"
    assert plain_host("2001:db8::1") == "2001:db8::1"
    assert plain_host("192.0.2.1") == "192.0.2.1"
    assert plain_host("not an address") == "not an address"


def test_the_address_of_the_lan_is_told_whatever_else_there_is() -> None:
    assert hosts(DOCKER, TUN, LO, ETH) == Own(("192.168.7.5",), Reach.LAN)


def test_several_addresses_of_the_lan_are_told_the_easiest_first() -> None:
    many = Interface("eth1", 5, Kind.LAN, ("2001:db8::1", "8.8.8.8", "172.20.0.1", "10.1.1.1"))
    assert hosts(many, ETH).hosts == ("10.1.1.1", "192.168.7.5", "172.20.0.1", "8.8.8.8")


def test_link_local_addresses_are_told_only_where_the_lan_has_nothing_else() -> None:
    assert hosts(LO, Interface("eth0", 2, Kind.LAN, ("169.254.3.4", "fe80::1"))).hosts == ("169.254.3.4", "fe80::1")


def test_addresses_of_vpn_and_containers_come_with_a_warning_where_there_is_nothing_else() -> None:
    assert hosts(LO, DOCKER, TUN) == Own(("10.8.0.2",), Reach.VPN)
    assert hosts(LO, DOCKER) == Own(("172.17.0.1",), Reach.VIRTUAL)
    assert hosts(Interface("br0", 9, Kind.VIRTUAL, ("169.254.1.1",))) == Own(("169.254.1.1",), Reach.LAN)


def test_loopback_is_never_told() -> None:
    assert hosts(LO) == hosts() == Own((), Reach.NOBODY)
    assert hosts(Interface("eth0", 2, Kind.LAN, ("127.0.1.1", "192.168.1.1"))).hosts == ("192.168.1.1",)


def test_linux_inside_windows_is_said_where_its_address_is_translated_and_not_where_it_is_mirrored() -> None:
    inner = Interface("eth0", 2, Kind.LAN, ("172.28.3.4",))
    assert hosts(LO, inner, wsl=True) == Own(("172.28.3.4",), Reach.WSL)
    assert hosts(LO, inner) == Own(("172.28.3.4",), Reach.LAN)
    assert hosts(LO, ETH, wsl=True) == Own(("192.168.7.5",), Reach.LAN)


def test_linux_inside_windows_is_known_by_its_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = tmp_path / "osrelease"
    monkeypatch.setattr(addresses, "_RELEASE", release)
    monkeypatch.setattr(addresses.sys, "platform", "linux")
    assert not addresses._is_wsl()
    release.write_text("5.15.90.1-microsoft-standard-WSL2\n")
    assert addresses._is_wsl()
    monkeypatch.setattr(addresses.sys, "platform", "win32")
    assert not addresses._is_wsl()


def test_a_link_local_address_is_called_at_every_interface_unless_it_names_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses.socket, "if_nameindex", lambda: [(1, "lo"), (2, "eth0")])
    bare = Address("fe80::5", 7777)
    assert zoned(bare) == (Address("fe80::5%lo", 7777), Address("fe80::5%eth0", 7777))
    for whole in (Address("fe80::5%eth0", 1), Address("fd77::5", 1), Address("192.0.2.1", 1), Address("ada", 1)):
        assert zoned(whole) == (whole,)
    monkeypatch.setattr(addresses.socket, "if_nameindex", list)
    assert zoned(bare) == (bare,)


async def test_only_addresses_that_take_a_connection_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    # Both are loopback's, so both would be left out as such: another range stands for the LAN here.
    lan = Interface("eth0", 2, Kind.LAN, ("127.0.0.1", "192.0.2.77"))
    tried = []

    async def connect(address: Address, limit_s: float) -> trio.abc.Stream:
        tried.append(address.host)
        if address.host == "127.0.0.1":
            return trio.testing.memory_stream_pair()[0]
        raise addresses.Unreached(Problem.REFUSED) if limit_s else OSError

    monkeypatch.setattr(addresses, "connect", connect)
    monkeypatch.setattr(addresses, "up_interfaces", lambda: (lan,))
    assert await own_addresses(7777) == Own((), Reach.NOBODY)
    assert sorted(tried) == ["127.0.0.1", "192.0.2.77"]


async def test_this_computer_tells_addresses_that_lead_to_its_listener() -> None:
    listening = await open_port(0)
    try:
        own = await own_addresses(listening.port)
        for host in own.hosts:
            for address in zoned(Address(host, listening.port)):
                if "%" not in address.host:
                    (await trio.open_tcp_stream(address.host, address.port)).socket.close()
    finally:
        listening.close()
    assert not any(host.startswith("127.") for host in own.hosts)


Told = tuple[str, str, int | None, tuple[str, ...], Bridge]
KINDS: list[tuple[Told, Kind]] = [
    (("lo", "", UP | 0x8, ("127.0.0.1",), Bridge.NONE), Kind.LOOPBACK),
    (("lo0", "", None, ("127.0.0.1", "::1"), Bridge.NONE), Kind.LOOPBACK),
    (("eth0", "eth0", UP, ("192.168.1.2",), Bridge.NONE), Kind.LAN),
    (("wlan0", "wlan0", None, ("192.168.1.2",), Bridge.NONE), Kind.LAN),
    (("tun0", "tun0", UP | 0x10, ("10.8.0.2",), Bridge.NONE), Kind.VPN),
    (("eth7", "eth7", UP | 0x10, ("10.8.0.2",), Bridge.NONE), Kind.VPN),
    (("wg0", "wg0", None, ("10.8.0.2",), Bridge.NONE), Kind.VPN),
    (("tailscale0", "tailscale0", UP, ("100.64.0.7",), Bridge.NONE), Kind.VPN),
    (("{84}", "TAP-Windows Adapter V9", None, ("10.8.0.2",), Bridge.NONE), Kind.VPN),
    (("{85}", "vEthernet (WSL)", None, ("172.28.0.1",), Bridge.NONE), Kind.VIRTUAL),
    (("{86}", "VirtualBox Host-Only", None, ("192.168.56.1",), Bridge.NONE), Kind.VIRTUAL),
    (("docker0", "docker0", UP, ("172.17.0.1",), Bridge.INNER), Kind.VIRTUAL),
    (("virbr0", "virbr0", UP, ("192.168.122.1",), Bridge.NONE), Kind.VIRTUAL),
    (("br0", "br0", UP, ("192.168.1.2",), Bridge.OUTER), Kind.LAN),
    (("br0", "br0", UP, ("192.168.1.2",), Bridge.INNER), Kind.VIRTUAL),
]


@pytest.mark.parametrize(("told_of_it", "kind"), KINDS)
def test_the_kind_of_an_interface(told_of_it: Told, kind: Kind) -> None:
    assert kind_of(*told_of_it) is kind


def test_a_bridge_with_a_real_card_in_it_is_the_lan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interfaces, "_SYSFS", tmp_path)
    assert interfaces._bridge("br0") is Bridge.NONE
    (tmp_path / "br0" / "bridge").mkdir(parents=True)
    assert interfaces._bridge("br0") is Bridge.NONE
    (tmp_path / "br0" / "brif" / "veth1").mkdir(parents=True)
    assert interfaces._bridge("br0") is Bridge.INNER
    (tmp_path / "br0" / "brif" / "eth0").mkdir()
    (tmp_path / "eth0" / "device").mkdir(parents=True)
    assert interfaces._bridge("br0") is Bridge.OUTER


def test_interfaces_that_are_down_or_without_a_cable_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    flags = {"eth0": UP, "eth1": 0x1, "eth2": 0x40, "odd": None}
    monkeypatch.setattr(interfaces, "_flags", flags.get)
    monkeypatch.setattr(
        interfaces.ifaddr,
        "get_adapters",
        lambda: [
            ifaddr.Adapter("eth0", "eth0", [ifaddr.IP("192.168.1.2", 24, "")], 2),
            ifaddr.Adapter("eth0:1", "eth0:1", [ifaddr.IP(("fe80::1", 0, 2), 64, "")], 2),
            ifaddr.Adapter("eth1", "eth1", [ifaddr.IP("192.168.1.3", 24, "")], 3),
            ifaddr.Adapter("eth2", "eth2", [ifaddr.IP("192.168.1.4", 24, "")], 4),
            ifaddr.Adapter("odd", "odd", [ifaddr.IP("192.168.1.5", 24, "")], None),
            ifaddr.Adapter("bare", "bare", [], 6),
        ],
    )
    found = up_interfaces()
    assert [(each.name, each.index, each.addresses) for each in found] == [
        ("eth0", 2, ("192.168.1.2", "fe80::1")),
        ("odd", 0, ("192.168.1.5",)),
    ]
    assert [found[0].reached(host) for host in found[0].addresses] == ["192.168.1.2", "fe80::1%eth0"]


def test_a_system_that_tells_nothing_has_no_interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> list[ifaddr.Adapter]:
        raise OSError

    monkeypatch.setattr(interfaces.ifaddr, "get_adapters", none)
    assert up_interfaces() == ()


def test_flags_are_asked_of_systems_that_tell_them(monkeypatch: pytest.MonkeyPatch) -> None:
    if interfaces._GET_FLAGS.get(interfaces.sys.platform):
        name = next(name for _index, name in socket.if_nameindex() if name.startswith("lo"))
        assert (interfaces._flags(name) or 0) & 0x8
        assert interfaces._flags("nosuch0") is None
    monkeypatch.setattr(interfaces.sys, "platform", "another")
    assert interfaces._flags("lo") is None


def test_loopback_is_among_the_interfaces_of_this_computer() -> None:
    assert any(each.kind is Kind.LOOPBACK for each in up_interfaces())

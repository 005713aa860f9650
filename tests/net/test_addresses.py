from __future__ import annotations

import socket
import sys
from collections.abc import Iterator

import pytest
import trio.testing

from sorry_lan.net import addresses
from sorry_lan.net.addresses import Address, BadAddress, best_first, own_addresses, parse_address, plain_host, zoned

GOOD = [
    ("bob", "bob", 7777, "bob:7777"),
    (" bob.local ", "bob.local", 7777, "bob.local:7777"),
    ("bob:80", "bob", 80, "bob:80"),
    ("192.168.7.5", "192.168.7.5", 7777, "192.168.7.5:7777"),
    ("192.168.7.5:9", "192.168.7.5", 9, "192.168.7.5:9"),
    ("::1", "::1", 7777, "[::1]:7777"),
    ("[::1]", "::1", 7777, "[::1]:7777"),
    ("[::1]:65535", "::1", 65535, "[::1]:65535"),
    ("fe80::1%eth0", "fe80::1%eth0", 7777, "[fe80::1%eth0]:7777"),
    ("[fe80::1%eth0]:7778", "fe80::1%eth0", 7778, "[fe80::1%eth0]:7778"),
    ("2001:DB8::0:1", "2001:db8::1", 7777, "[2001:db8::1]:7777"),
    ("localhost", "localhost", 7777, "localhost:7777"),
]


@pytest.mark.parametrize(("typed", "host", "port", "shown"), GOOD)
def test_addresses_are_understood_and_shown_so_that_they_can_be_typed_again(
    typed: str, host: str, port: int, shown: str
) -> None:
    address = parse_address(typed, 7777)
    assert address == Address(host, port)
    assert str(address) == shown
    assert parse_address(shown, 1) == address


@pytest.mark.parametrize(
    "typed",
    [
        "", " ", ":80", "bob:", "bob:0", "bob:65536", "bob:99999999999", "bob:-1", "bob:\uff180",
        "[::1", "[::1]80", "[::1]:", "[bob]",
        "1:2:3", "a b", "bob/x", "bob\x1b", "http://bob", "bob@x", "x" * 254, "bob%eth0", "[]:80",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(BadAddress):
        parse_address(typed, 7777)


def test_an_ipv4_address_seen_through_ipv6_is_ipv4() -> None:
    assert plain_host("::ffff:192.0.2.1") == "192.0.2.1"
    assert plain_host("2001:db8::1") == "2001:db8::1"
    assert plain_host("192.0.2.1") == "192.0.2.1"
    assert plain_host("not an address") == "not an address"


def test_addresses_to_read_out_are_ranked_and_loopback_comes_last_of_all() -> None:
    everything = ["127.0.1.1", "172.17.0.1", "::1", "fe80::1%eth0", "2001:db8::1", "192.168.7.5", "8.8.8.8", "0.0.0.0"]
    assert best_first(everything) == ("192.168.7.5", "172.17.0.1", "8.8.8.8", "2001:db8::1")
    assert best_first(["127.0.1.1", "169.254.3.4", "fe80::1%eth0"]) == ("169.254.3.4", "fe80::1%eth0")
    assert best_first(["::1", "127.0.0.1", "127.0.0.1"]) == ("127.0.0.1", "::1")
    assert best_first([]) == ()


def test_a_link_local_address_is_called_at_every_interface_unless_it_names_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses.socket, "if_nameindex", lambda: [(1, "lo"), (2, "eth0")])
    bare = Address("fe80::5", 7777)
    assert zoned(bare) == (Address("fe80::5%lo", 7777), Address("fe80::5%eth0", 7777))
    for whole in (Address("fe80::5%eth0", 1), Address("fd77::5", 1), Address("192.0.2.1", 1), Address("ada", 1)):
        assert zoned(whole) == (whole,)
    monkeypatch.setattr(addresses.socket, "if_nameindex", list)
    assert zoned(bare) == (bare,)


async def test_where_no_route_leads_anywhere_the_interfaces_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_routed", lambda: iter(()))
    monkeypatch.setattr(addresses, "_of_host_name", lambda: ["127.0.1.1"])
    monkeypatch.setattr(addresses, "_of_interfaces", lambda: ["127.0.0.1", "192.168.5.5", "fe80::5"])
    assert await own_addresses() == ("192.168.5.5",)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells it this way")
def test_every_interface_of_this_computer_is_seen() -> None:
    found = addresses._of_interfaces()
    assert "127.0.0.1" in found
    assert all(parse_address(f"[{host}]" if ":" in host else host, 1) for host in found)


def test_other_systems_tell_no_interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses.sys, "platform", "another")
    assert addresses._of_interfaces() == []


class NoNetwork:
    """A system on which nothing can be reached."""

    def __init__(self, *_: object) -> None:
        raise OSError("no network")


async def test_a_computer_without_any_network_has_no_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    def unresolved(*_: object, **__: object) -> list[object]:
        raise socket.gaierror

    monkeypatch.setattr(addresses.socket, "socket", NoNetwork)
    monkeypatch.setattr(addresses.socket, "getaddrinfo", unresolved)
    monkeypatch.setattr(addresses, "_of_interfaces", list)
    assert await own_addresses() == ()


async def test_the_name_of_this_computer_is_asked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_routed", lambda: iter(()))
    entry = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.168.1.2", 0))
    monkeypatch.setattr(addresses.socket, "getaddrinfo", lambda *_, **__: [entry])
    assert await own_addresses() == ("192.168.1.2",)


async def test_a_name_server_that_is_not_there_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, mock_clock: trio.testing.MockClock
) -> None:
    import threading  # noqa: PLC0415

    released = threading.Event()

    def stuck() -> list[str]:
        released.wait()
        return ["192.168.9.9"]

    def routed() -> Iterator[str]:
        yield "192.168.1.2"

    monkeypatch.setattr(addresses, "_of_host_name", stuck)
    monkeypatch.setattr(addresses, "_routed", routed)
    mock_clock.autojump_threshold = 0.02
    assert await own_addresses() == ("192.168.1.2",)
    released.set()


async def test_this_computer_finds_something_to_show() -> None:
    assert all(parse_address(f"[{host}]" if ":" in host else host, 1) for host in await own_addresses())

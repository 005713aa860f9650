from __future__ import annotations

import errno
import socket

import pytest
import trio

from sorry_lan.net.checks import mdns
from sorry_lan.net.checks.mdns import _Heard, _spots, is_table, question, search
from sorry_lan.net.interfaces import Interface, Kind
from tests.net.checks.fakes import DOCKER, ETH, LO

ANSWER = b"\0\0\x84\0" + bytes(8) + b"\x0a_sorry-lan\x04_tcp\x05local\0"
V6_ONLY = Interface("eth1", 7, Kind.LAN, ("fe80::7",))


def test_a_question_asks_for_tables_for_services_and_for_its_own_mark() -> None:
    asked = question("mark")
    assert asked[:12] == b"\0\0\0\0\0\3\0\0\0\0\0\0"
    assert asked[12:] == (
        b"\x0a_sorry-lan\x04_tcp\x05local\0\0\x0c\0\1"
        b"\x09_services\x07_dns-sd\x04_udp\x05local\0\0\x0c\0\1"
        b"\x04mark\x05local\0\0\x0c\0\1"
    )


def test_only_an_answer_announces_a_table() -> None:
    assert is_table(ANSWER)
    assert not is_table(question("mark"))
    assert not is_table(b"\0\0\x84\0" + bytes(8) + b"\x05_http\x04_tcp\x05local\0")
    assert not is_table(b"\0\0\x84")


def test_every_family_of_an_interface_is_asked_and_loopback_only_where_there_is_nothing_else() -> None:
    assert [spot.label for spot in _spots((LO, ETH, DOCKER, V6_ONLY))] == [
        "eth0 IPv4",
        "eth0 IPv6",
        "docker0 IPv4",
        "eth1 IPv6",
    ]
    assert [spot.label for spot in _spots((LO,))] == ["lo IPv4"]
    assert list(_spots(())) == []


def heard() -> _Heard:
    return _Heard(frozenset({"192.168.1.23", "fe80::23"}), {b"one": "eth0 IPv4", b"two": "eth0 IPv6"})


def test_an_echo_is_known_by_its_mark_wherever_it_comes_from() -> None:
    one = heard()
    one.take(b"one", "192.168.1.23")
    assert (one.echoes().back, one.echoes().lost) == (("eth0 IPv4",), ("eth0 IPv6",))


def test_others_are_told_from_this_computer_and_tables_from_the_rest() -> None:
    one = heard()
    one.take(question("theirs"), "192.168.1.9")
    one.take(ANSWER, "192.168.1.20")
    one.take(question("theirs"), "192.168.1.20")
    assert (one.echoes().others, one.echoes().tables, one.echoes().own_table) == (
        ("192.168.1.9",),
        ("192.168.1.20",),
        False,
    )
    one.take(question("ours"), "192.168.1.23")
    assert not one.echoes().own_table
    one.take(ANSWER, "fe80::23%eth0")
    assert one.echoes().own_table


def test_an_interface_that_refuses_is_not_one_that_loses() -> None:
    one = heard()
    one.refused.add("eth0 IPv6")
    assert (one.echoes().lost, one.echoes().refused) == (("eth0 IPv4",), ("eth0 IPv6",))


def test_it_is_enough_once_all_came_back_and_somebody_was_heard() -> None:
    one = heard()
    one.take(b"one", "192.168.1.23")
    one.take(ANSWER, "192.168.1.20")
    assert not one.enough()
    one.take(b"two", "fe80::23")
    assert one.enough()
    assert not _Heard(frozenset(), {}).enough()


async def test_without_an_interface_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mdns, "LISTEN_S", 0.05)
    echoes = await search(())
    assert (echoes.back, echoes.lost, echoes.refused) == ((), (), ())


@pytest.mark.parametrize("number", [errno.EADDRINUSE, errno.EACCES])
async def test_a_port_that_another_program_keeps_is_told(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(_family: socket.AddressFamily) -> trio.socket.SocketType:
        raise OSError(number, "no")

    monkeypatch.setattr(mdns, "_opened", refuses)
    assert (await search((LO, ETH))).port_held


async def test_a_family_that_is_not_there_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    real = mdns._opened

    def opened(family: socket.AddressFamily) -> trio.socket.SocketType:
        if family is socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "no")
        return real(family)

    monkeypatch.setattr(mdns, "_opened", opened)
    monkeypatch.setattr(mdns, "LISTEN_S", 0.05)
    assert (await search((V6_ONLY,))).refused == ("eth1 IPv6",)


async def test_an_address_that_is_not_ours_cannot_send(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mdns, "LISTEN_S", 0.2)
    nowhere = Interface("eth9", 4_000_000, Kind.LAN, ("198.51.100.9", "fe80::9"))
    assert (await search((nowhere,))).refused == ("eth9 IPv4", "eth9 IPv6")


async def test_a_search_ends_early_once_it_knows_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loopback echoes and a table that answers there, by real sockets."""
    monkeypatch.setattr(mdns, "_AGAIN_S", 0.1)
    monkeypatch.setattr(mdns, "_ENOUGH_S", 0.1)
    monkeypatch.setattr(mdns, "LISTEN_S", 20.0)
    lo = Interface("lo", 1, Kind.LOOPBACK, ("127.0.0.1",))
    with trio.fail_after(10):
        async with trio.open_nursery() as nursery:

            async def announce() -> None:
                with trio.socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
                    sock.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
                    while True:
                        await sock.sendto(ANSWER, ("224.0.0.251", 5353))
                        await trio.sleep(0.05)

            nursery.start_soon(announce)
            echoes = await search((lo,))
            nursery.cancel_scope.cancel()
    assert (echoes.back, echoes.own_table) == (("lo IPv4",), True)


async def test_a_socket_that_fails_for_a_moment_is_listened_to_again() -> None:
    class Flickering:
        """Fails once, then brings a packet, then never ends."""

        calls = 0

        async def recvfrom(self, _size: int) -> tuple[bytes, tuple[str, int]]:
            self.calls += 1
            if self.calls == 1:
                raise OSError(errno.ENETDOWN, "down")
            if self.calls == 2:
                return ANSWER, ("192.168.1.20", 5353)
            await trio.sleep_forever()
            raise AssertionError

    one = heard()
    with trio.move_on_after(0.3):
        await mdns._listen(Flickering(), one)  # type: ignore[arg-type]
    assert one.tables == {"192.168.1.20"}


def test_a_socket_that_cannot_be_bound_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mdns, "_PORT", 70_000)
    with pytest.raises(OverflowError):
        mdns._opened(socket.AF_INET)

"""The one box: every form of it, what is refused, and what is offered instead."""

from __future__ import annotations

import ipaddress
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorry_lan.net.where import Address, BadAddress, Where, near_code, parse_address, parse_where
from sorry_lan.table.notices import Slip
from sorry_lan.wire.words import WORDS

PORT = 7777

GOOD = [
    ("bob", Address("bob", 7777), "bob"),
    (" bob.local ", Address("bob.local", 7777), "bob.local"),
    ("Bob.Local.", Address("bob.local", 7777), "bob.local"),
    ("bob:80", Address("bob", 80), "bob:80"),
    ("bobs-new-laptop", Address("bobs-new-laptop", 7777), "bobs-new-laptop"),
    ("my_pc", Address("my_pc", 7777), "my_pc"),
    ("b\u00fcro.local", Address("b\u00fcro.local", 7777), "b\u00fcro.local"),
    ("192.168.7.5", Address("192.168.7.5", 7777), "192.168.7.5"),
    ("192.168.7.5:9", Address("192.168.7.5", 9), "192.168.7.5:9"),
    ("::1", Address("::1", 7777), "::1"),
    ("[::1]", Address("::1", 7777), "::1"),
    ("[::1]:65535", Address("::1", 65535), "[::1]:65535"),
    ("[::1:4000]", Address("::1:4000", 7777), "[::1:4000]"),
    ("fe80::1%eth0", Address("fe80::1%eth0", 7777), "fe80::1%eth0"),
    ("[fe80::1%eth0]:7778", Address("fe80::1%eth0", 7778), "[fe80::1%eth0]:7778"),
    ("2001:DB8::0:1", Address("2001:db8::1", 7777), "2001:db8::1"),
    ("::ffff:192.168.1.2", Address("192.168.1.2", 7777), "192.168.1.2"),
    ("sorry-lan://192.168.1.20", Address("192.168.1.20", 7777), "192.168.1.20"),
    ("SORRY-LAN://[fe80::1%25eth0]:80/", Address("fe80::1%eth0", 80), "[fe80::1%eth0]:80"),
    ("maple-otter-tulip:7777", Address("maple-otter-tulip", 7777), "maple-otter-tulip:7777"),
    ("maple-otter:7777", Address("maple-otter", 7777), "maple-otter:7777"),
]


@pytest.mark.parametrize(("typed", "address", "short"), GOOD)
def test_addresses_are_understood_and_shown_so_that_they_can_be_typed_again(
    typed: str, address: Address, short: str
) -> None:
    assert parse_where(typed, PORT) == Where(address, None)
    assert address.short(PORT) == short
    assert parse_address(short, PORT) == parse_address(str(address), 1) == address


@pytest.mark.parametrize(
    "typed",
    [
        "maple-otter-tulip", "Maple Otter Tulip", "MAPLE_otter,tulip", "maple--otter - tulip", "mapleottertulip",
        "maple\u2013otter\u2014tulip", '"maple-otter-tulip"', " maple.otter.tulip ", "maple+otter+tulip",
    ],
)  # fmt: skip
def test_a_code_may_be_typed_in_any_case_with_any_signs_between_its_words(typed: str) -> None:
    assert parse_where(typed, PORT) == Where(None, "maple-otter-tulip")


def test_an_address_and_a_code_together_have_a_form_of_their_own() -> None:
    whole = Where(Address("192.168.1.20", 7778), "maple-otter-tulip")
    assert str(whole) == "sorry-lan://192.168.1.20:7778/maple-otter-tulip"
    assert parse_where(str(whole), PORT) == whole


BAD = [
    ("", Slip.EMPTY, ()),
    ("  ", Slip.EMPTY, ()),
    ("192.168.001.010", Slip.IPV4, ("192.168.1.10",)),
    ("192.168.001.010:7778", Slip.IPV4, ("192.168.1.10:7778",)),
    ("192.168.1", Slip.IPV4, ()),
    ("1.2.3.4.5", Slip.IPV4, ()),
    ("1.2.3.4.", Slip.IPV4, ("1.2.3.4",)),
    ("256.1.1.1", Slip.IPV4, ()),
    ("0x7f.1", Slip.IPV4, ()),
    ("2130706433", Slip.IPV4, ()),
    ("::1:4000", Slip.PORT_OR_NOT, ("[::1]:4000", "[::1:4000]")),
    ("::1:40000", Slip.BRACKETS, ("[::1]:40000",)),
    ("1:2:3:4:5:6:7:8:4000", Slip.BRACKETS, ("[1:2:3:4:5:6:7:8]:4000",)),
    ("fe80::1%25eth0", Slip.ZONE, ("fe80::1%eth0",)),
    ("fe80::1%", Slip.IPV6, ("fe80::1",)),
    ("[fe80::1%a b]", Slip.TRAILING, ()),
    ("[fe80::1%a!b]", Slip.ZONE, ("fe80::1",)),
    ("fd00::1%eth0", Slip.ZONE, ("fd00::1",)),
    ("1.2.3.4%eth0", Slip.ZONE, ("1.2.3.4",)),
    ("1:2:3", Slip.IPV6, ()),
    ("\uff11\uff19\uff12.168.1.20", Slip.SIGNS, ("192.168.1.20",)),
    ("192.168.1.20\uff1a7778", Slip.SIGNS, ("192.168.1.20:7778",)),
    ("192\u3002168\u30021\u300220", Slip.SIGNS, ("192.168.1.20",)),
    ("bob:\uff18\uff10", Slip.SIGNS, ("bob:80",)),
    ("bob\x1b", Slip.SIGNS, ()),
    ("192.168.1.20 please", Slip.TRAILING, ("192.168.1.20",)),
    ("sorry-lan join 192.168.1.20 --name Bob", Slip.TRAILING, ("192.168.1.20",)),
    ("192.168.1.20/24", Slip.TRAILING, ("192.168.1.20",)),
    ("C:\\table", Slip.TRAILING, ()),
    ("ada@bob", Slip.TRAILING, ("bob",)),
    ("a b", Slip.TRAILING, ()),
    ("http://bob:80/x", Slip.SCHEME, ("bob:80",)),
    ("https://192.168.1.20:7777/", Slip.SCHEME, ("192.168.1.20",)),
    ("sorry-lan://bob/table", Slip.TRAILING, ("bob",)),
    ("bob:", Slip.PORT, ("bob",)),
    ("bob:0", Slip.PORT, ("bob",)),
    ("bob:007778", Slip.PORT, ("bob:7778", "bob")),
    ("bob:65536", Slip.PORT, ("bob",)),
    ("bob:-1", Slip.PORT, ("bob",)),
    ("bob:7778,", Slip.PORT, ("bob:7778", "bob")),
    ("[::1", Slip.BRACKETS, ("::1",)),
    ("[::1]80", Slip.TRAILING, ("[::1]:80", "::1")),
    ("[::1]:", Slip.PORT, ("::1",)),
    ("[bob]", Slip.BRACKETS, ("bob",)),
    ("[192.168.1.2]:80", Slip.BRACKETS, ("192.168.1.2:80",)),
    (":80", Slip.NO_HOST, ()),
    ("0.0.0.0", Slip.NOBODY, ()),
    ("255.255.255.255", Slip.NOBODY, ()),
    ("224.0.0.251", Slip.NOBODY, ()),
    ("::", Slip.NOBODY, ()),
    ("::ffff:0:0", Slip.NOBODY, ()),
    ("ff02::1", Slip.NOBODY, ()),
    ("-bob", Slip.NAME, ("bob",)),
    ("bob!", Slip.NAME, ("bob",)),
    ("192.168.1.20,", Slip.NAME, ("192.168.1.20",)),
    ("bob..x", Slip.NAME, ()),
    ("bob.1", Slip.NAME, ()),
    ("x" * 64, Slip.NAME, ()),
    ("x." * 127 + "xx", Slip.NAME, ()),
    ("maple-otter-tulib", Slip.WORD_UNKNOWN, ("maple-otter-tulip", "maple-otter-turtle", "maple-otter-tunnel")),
    ("zzz otter qqq", Slip.WORD_UNKNOWN, ()),
    ("maple-otter", Slip.WORDS_COUNT, ()),
    ("maple otter tulip maple", Slip.WORDS_COUNT, ()),
]


@pytest.mark.parametrize(("typed", "slip", "near"), BAD)
def test_odd_forms_are_refused_with_what_may_have_been_meant(typed: str, slip: Slip, near: tuple[str, ...]) -> None:
    with pytest.raises(BadAddress) as refused:
        parse_where(typed, PORT)
    assert (refused.value.slip, refused.value.near) == (slip, near)


def test_every_slip_can_happen() -> None:
    assert {slip for _typed, slip, _near in BAD} == set(Slip)


def test_only_an_address_will_do_where_an_address_is_asked_for() -> None:
    with pytest.raises(BadAddress):
        parse_address("maple-otter-tulip", PORT)


def test_near_codes_are_offered_for_three_words_and_nothing_else() -> None:
    assert near_code("Mapel Otter-Tulip")[0] == "maple-otter-tulip"
    assert near_code("mapel") == ()


_LABELS = st.text("abcxyz019-", min_size=1, max_size=12).map(lambda text: f"n{text}n")
_NAMES = st.lists(_LABELS, min_size=1, max_size=3).map(".".join)
_PLAIN = st.ip_addresses().map(lambda each: getattr(each, "ipv4_mapped", None) or each)
_USABLE = _PLAIN.filter(lambda each: not (each.is_unspecified or each.is_multicast or str(each) == "255.255.255.255"))
_HOSTS = st.one_of(
    _NAMES,
    _USABLE.map(str),
    st.text("abe019.", min_size=1, max_size=10).map("fe80::1%e{}".format),
)
_ADDRESSES = st.builds(Address, _HOSTS, st.integers(1, 65_535))
_CODES = st.tuples(*[st.sampled_from(WORDS)] * 3).map("-".join)


@settings(max_examples=60)
@given(_ADDRESSES, st.integers(1, 65_535))
def test_every_address_comes_back_from_how_it_is_shown(address: Address, default_port: int) -> None:
    assert parse_where(str(address), default_port) == Where(address, None)
    assert parse_where(address.short(default_port), default_port) == Where(address, None)


@settings(max_examples=60)
@given(_ADDRESSES, _CODES)
def test_codes_and_addresses_with_codes_come_back(address: Address, code: str) -> None:
    for whole in (Where(address, code), Where(None, code)):
        assert parse_where(str(whole), 1) == whole


@settings(max_examples=60)
@given(st.text(st.sampled_from(string.ascii_letters + string.digits + ".:[]%-/@ \u3002\uff11"), max_size=40))
def test_whatever_is_typed_is_understood_or_refused_and_what_is_offered_is_understood(typed: str) -> None:
    try:
        found = parse_where(typed, PORT)
    except BadAddress as refused:
        for near in refused.near:
            assert parse_where(near, PORT)
    else:
        assert parse_where(str(found), 1) == found


@settings(max_examples=60)
@given(st.ip_addresses(v=4).map(ipaddress.IPv4Address))
def test_numbers_with_zeros_before_them_are_never_taken_for_octal(address: ipaddress.IPv4Address) -> None:
    padded = ".".join(part.zfill(3) for part in str(address).split("."))
    if padded == str(address):
        return
    with pytest.raises(BadAddress) as refused:
        parse_where(padded, PORT)
    assert refused.value.near in ((str(address),), ())

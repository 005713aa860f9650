from __future__ import annotations

from collections.abc import Mapping

import pytest

from sorry_lan.net.checks.guards import Ran, firewalls
from sorry_lan.net.checks.probe import Firewall, Guard
from sorry_lan.table.diagnosis import System, Tool

UFW = ("ufw", "--version")
FIREWALLD = ("firewall-cmd", "--state")
NFT = ("nft", "list", "ruleset")
IPTABLES = ("iptables", "-S", "INPUT")
NETSH = ("netsh", "advfirewall", "show", "currentprofile", "state")
APPLE = ("/usr/libexec/ApplicationFirewall/socketfilterfw", "--getglobalstate")
DENIED = Ran(1, "Operation not permitted (you must be root)")
NFT_DROPS = """table inet filter {
	chain input {
		type filter hook input priority filter; policy drop;
		ct state established accept
	}
	chain output {
		type filter hook output priority filter; policy accept;
	}
}"""
NFT_OPEN = NFT_DROPS.replace("policy drop", "policy accept")
NFT_RULE = NFT_OPEN.replace("ct state established accept", "tcp dport 7777 drop")
NFT_JUMPS = NFT_OPEN.replace("ct state established accept", "jump more")
NFT_OUT = NFT_OPEN.replace("output priority filter; policy accept", "output priority filter; policy drop")


async def found(system: System, outputs: Mapping[tuple[str, ...], Ran], ufw: str | None = None) -> tuple[Firewall, ...]:
    async def run(words: tuple[str, ...]) -> Ran | None:
        return outputs.get(words)

    def read(path: str) -> str | None:
        return ufw if path == "/etc/ufw/ufw.conf" else None

    return await firewalls(system, run, read)


async def test_what_is_not_installed_is_not_told() -> None:
    assert await found(System.LINUX, {}) == ()
    assert await found(System.OTHER, {NFT: Ran(0, NFT_DROPS)}) == ()


@pytest.mark.parametrize(
    ("config", "guard"),
    [
        ("# comment\nENABLED=yes\nLOGLEVEL=low\n", Guard.ON),
        ("ENABLED=no\n", Guard.OFF),
        ('ENABLED = "YES"\n', Guard.ON),
        ("#ENABLED=yes\n", Guard.UNSURE),
        (None, Guard.UNSURE),
    ],
)
async def test_ufw_is_known_by_its_configuration(config: str | None, guard: Guard) -> None:
    assert await found(System.LINUX, {UFW: Ran(0, "ufw 0.36")}, config) == (Firewall(Tool.UFW, guard),)


@pytest.mark.parametrize(
    ("words", "ran", "tool", "guard"),
    [
        (FIREWALLD, Ran(0, "running\n"), Tool.FIREWALLD, Guard.ON),
        (FIREWALLD, Ran(252, "not running\n"), Tool.FIREWALLD, Guard.OFF),
        (FIREWALLD, Ran(13, "Authorization failed.\n"), Tool.FIREWALLD, Guard.UNSURE),
        (NFT, DENIED, Tool.NFTABLES, Guard.UNSURE),
        (NFT, Ran(0, ""), Tool.NFTABLES, Guard.OFF),
        (NFT, Ran(0, NFT_DROPS), Tool.NFTABLES, Guard.ON),
        (NFT, Ran(0, NFT_RULE), Tool.NFTABLES, Guard.ON),
        (NFT, Ran(0, NFT_JUMPS), Tool.NFTABLES, Guard.UNSURE),
        (NFT, Ran(0, NFT_OUT), Tool.NFTABLES, Guard.OFF),
        (IPTABLES, DENIED, Tool.IPTABLES, Guard.UNSURE),
        (IPTABLES, Ran(0, "-P INPUT ACCEPT\n"), Tool.IPTABLES, Guard.OFF),
        (IPTABLES, Ran(0, "-P INPUT DROP\n"), Tool.IPTABLES, Guard.ON),
        (IPTABLES, Ran(0, "-P INPUT ACCEPT\n-A INPUT -p tcp --dport 7 -j REJECT\n"), Tool.IPTABLES, Guard.ON),
        (IPTABLES, Ran(0, "-P INPUT ACCEPT\n-A INPUT -j ufw-input\n"), Tool.IPTABLES, Guard.UNSURE),
        (IPTABLES, Ran(0, "-P INPUT ACCEPT\n-A INPUT -i lo -j ACCEPT\n"), Tool.IPTABLES, Guard.OFF),
    ],
)
async def test_each_firewall_of_linux_is_known_by_what_its_own_command_shows(
    words: tuple[str, ...], ran: Ran, tool: Tool, guard: Guard
) -> None:
    assert await found(System.LINUX, {words: ran}) == (Firewall(tool, guard),)


async def test_several_are_told_in_the_order_of_who_is_in_charge() -> None:
    outputs = {IPTABLES: DENIED, NFT: DENIED, FIREWALLD: Ran(0, "running"), UFW: Ran(0, "")}
    assert [each.tool for each in await found(System.LINUX, outputs, "ENABLED=no")] == [
        Tool.UFW,
        Tool.FIREWALLD,
        Tool.NFTABLES,
        Tool.IPTABLES,
    ]


@pytest.mark.parametrize(
    ("text", "guard"),
    [
        ("Private Profile Settings:\nState                                 ON\nOk.", Guard.ON),
        ("State                                 OFF\nOk.", Guard.OFF),
        ("Status                                AUS\nOK.", Guard.OFF),
        ("in words that nobody here knows", Guard.ON),
        (None, Guard.ON),
    ],
)
async def test_the_firewall_of_windows_counts_as_on_unless_it_says_off(text: str | None, guard: Guard) -> None:
    outputs = {} if text is None else {NETSH: Ran(0, text)}
    assert await found(System.WINDOWS, outputs) == (Firewall(Tool.WINDOWS, guard),)


@pytest.mark.parametrize(
    ("ran", "guard"),
    [
        (Ran(0, "Firewall is enabled. (State = 1)"), Guard.ON),
        (Ran(0, "Firewall is disabled. (State = 0)"), Guard.OFF),
        (Ran(1, ""), Guard.UNSURE),
        (None, Guard.UNSURE),
    ],
)
async def test_the_firewall_of_macos_says_whether_it_is_on(ran: Ran | None, guard: Guard) -> None:
    outputs = {} if ran is None else {APPLE: ran}
    assert await found(System.MACOS, outputs) == (Firewall(Tool.MACOS, guard),)

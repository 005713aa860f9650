"""Which firewalls this computer has and whether they are on, as far as they tell. Asks only, with commands that show.

Most tell nothing but to the administrator, which is said too.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from sorry_lan.net.checks.probe import Firewall, Guard
from sorry_lan.table.diagnosis import System, Tool

_UFW_CONFIG: Final = "/etc/ufw/ufw.conf"
_APPLE: Final = "/usr/libexec/ApplicationFirewall/socketfilterfw"
_CHAIN: Final = re.compile(r"chain\s+\S+\s*\{(?P<body>[^}]*)\}")
_STOPS: Final = re.compile(r"\bpolicy drop\b|\b(drop|reject)\b")


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended and what it printed."""

    exit_code: int
    text: str


Run = Callable[[tuple[str, ...]], Awaitable[Ran | None]]
"""Runs a command that shows something; None where it is not there or does not end."""


async def firewalls(system: System, run: Run, read: Callable[[str], str | None]) -> tuple[Firewall, ...]:
    """All that are installed, in the order of Tool; `read` gives the text of a file, None where it cannot."""
    match system:
        case System.LINUX:
            found = [
                (Tool.UFW, _ufw(await run(("ufw", "--version")), read(_UFW_CONFIG))),
                (Tool.FIREWALLD, _firewalld(await run(("firewall-cmd", "--state")))),
                (Tool.NFTABLES, _nftables(await run(("nft", "list", "ruleset")))),
                (Tool.IPTABLES, _iptables(await run(("iptables", "-S", "INPUT")))),
            ]
        case System.WINDOWS:
            asked = ("netsh", "advfirewall", "show", "currentprofile", "state")
            found = [(Tool.WINDOWS, _windows(await run(asked)))]
        case System.MACOS:
            found = [(Tool.MACOS, _macos(await run((_APPLE, "--getglobalstate"))))]
        case _:
            found = []
    return tuple(Firewall(tool, guard) for tool, guard in found if guard is not None)


def _ufw(version: Ran | None, config: str | None) -> Guard | None:
    if version is None:
        return None
    enabled = re.search(r"^\s*ENABLED\s*=\s*\"?(yes|no)\b", config or "", re.MULTILINE | re.IGNORECASE)
    if enabled is None:
        return Guard.UNSURE
    return Guard.ON if enabled[1].lower() == "yes" else Guard.OFF


def _firewalld(state: Ran | None) -> Guard | None:
    if state is None:
        return None
    if state.exit_code == 0:
        return Guard.ON
    return Guard.OFF if "not running" in state.text else Guard.UNSURE


def _nftables(rules: Ran | None) -> Guard | None:
    """On where a chain for what comes in may stop it."""
    if rules is None:
        return None
    if rules.exit_code:
        return Guard.UNSURE
    stops = any("hook input" in chain["body"] and _STOPS.search(chain["body"]) for chain in _CHAIN.finditer(rules.text))
    if stops:
        return Guard.ON
    # Chains may send packets on to others; what those do cannot be told at a glance.
    return Guard.UNSURE if re.search(r"\b(jump|goto)\b", rules.text) else Guard.OFF


def _iptables(rules: Ran | None) -> Guard | None:
    if rules is None:
        return None
    if rules.exit_code:
        return Guard.UNSURE
    if re.search(r"^-P INPUT DROP|^-A INPUT .*-j (DROP|REJECT)\b", rules.text, re.MULTILINE):
        return Guard.ON
    inner = re.search(r"^-A INPUT .*-j (?!ACCEPT\b|RETURN\b|LOG\b)", rules.text, re.MULTILINE)
    return Guard.UNSURE if inner else Guard.OFF


def _windows(state: Ran | None) -> Guard:
    """The words are in the language of Windows; where they are strange it counts as on, as it comes."""
    off = state is not None and re.search(r"\b(OFF|AUS|DESACTIV\w*|INACTIF)\b", state.text, re.IGNORECASE)
    return Guard.OFF if off else Guard.ON


def _macos(state: Ran | None) -> Guard:
    if state is None or state.exit_code:
        return Guard.UNSURE
    return Guard.ON if "enabled" in state.text.lower() else Guard.OFF

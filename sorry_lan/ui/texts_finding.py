"""How a table is found, in sentences: what to tell the others, which tables there are, why there is none.

Also what was wrong with an address or a code, each slip with its own sentence and the right spelling.
"""

from __future__ import annotations

import re
from typing import assert_never

from sorry_lan.table.notices import (
    Card,
    CodeUse,
    Finding,
    Fit,
    FoundTable,
    NoTable,
    Openness,
    Program,
    Reach,
    Silence,
    Slip,
    TableOpened,
    Watch,
)
from sorry_lan.ui.catalogue import _, n_
from sorry_lan.ui.shown import NAME_CELLS, TITLE_CELLS, shown
from sorry_lan.ui.texts import list_text
from sorry_lan.wire.limits import DEFAULT_PORT, MAX_APP

_TYPED_CELLS = 60
_RULES_CELLS = 16
_PORT_AT_END = re.compile(r":[0-9]{4,5}$")
_EXAMPLES = "192.168.1.20, 192.168.1.20:7778, [fe80::1%eth0]:7777"


def opened_lines(notice: TableOpened) -> tuple[str, ...]:
    """How others join: a sentence, one command a line, and what is to be known about the addresses."""
    if not notice.addresses:
        head = _("The table is open, but this computer is in no network: only programs on it can join.")
    else:
        head = _("The table is open. Tell the others, in the same network:")
    return (head, *(f"    {command}" for command in join_commands(notice)), *_reach_lines(notice.reach))


def join_commands(opened: TableOpened) -> tuple[str, ...]:
    """The commands that lead to a table, the shortest first; each can be typed in any shell as it stands."""
    short = f"sorry-lan join {opened.code}" if opened.code else "sorry-lan join"
    found = (short,) if opened.finding is Finding.ANNOUNCED else ()
    code = f" --code {opened.code}" if opened.code else ""
    hosts = opened.addresses or ("127.0.0.1",)
    return (*found, *(f"sorry-lan join {_typed(host, opened.port)}{code}" for host in hosts))


def _typed(host: str, port: int) -> str:
    """An address on a command line: brackets, which shells know too, only where it could end in a port or does."""
    if ":" not in host:
        return host if port == DEFAULT_PORT else f"{host}:{port}"
    return host if port == DEFAULT_PORT and not _PORT_AT_END.search(host) else f'"[{host}]:{port}"'


def _reach_lines(reach: Reach) -> tuple[str, ...]:
    match reach:
        case Reach.LAN | Reach.NOBODY | Reach.GIVEN:
            return ()
        case Reach.VPN:
            return (_("This address is of a VPN: only computers in the same VPN reach it."),)
        case Reach.VIRTUAL:
            return (
                _(
                    "This address is of containers or virtual machines: other computers do not reach it."
                    " Connect this computer to a network, or tell another address with --advertise."
                ),
            )
        case Reach.WSL:
            return (
                _(
                    "This is Linux inside Windows (WSL2): other computers do not reach this address."
                    " Turn on mirrored networking in .wslconfig, run sorry-lan in Windows itself,"
                    " or let somebody else host."
                ),
            )
        case _:
            assert_never(reach)


def table_text(found: FoundTable, ours: Program) -> str:
    """One table in one line: its name, who sits there, what is free, rules, version, how far away it is."""
    card = found.card
    return _("{title}: {people}; {state}; rules {rules}; version {version}; {ms} ms; {address}{fit}").format(
        title=shown(card.title, TITLE_CELLS) or "?",
        people=people_text(card) or _("nobody yet"),
        state=f"{state_text(card)}{_watch_text(card)}",
        rules=shown(card.rules, _RULES_CELLS),
        version=shown(card.program.app, MAX_APP),
        ms=max(1, round(found.latency_ms)),
        address=shown(found.address, _TYPED_CELLS),
        fit="" if found.fit is Fit.FITS else f". {differs_text(found, ours)}",
    )


def people_text(card: Card) -> str:
    """Who sits there."""
    return list_text([shown(name, NAME_CELLS) for name in card.people])


def state_text(card: Card) -> str:
    """Whether one can sit down."""
    if card.openness is Openness.PLAY:
        return _("in play")
    if card.free == 0:
        return _("full")
    return n_("{n} seat of {seats} free", "{n} seats of {seats} free", card.free).format(seats=card.seats)


def _watch_text(card: Card) -> str:
    """What else can be done where one cannot sit down."""
    if card.openness is Openness.LOBBY and card.free:
        return ""
    return _(", can be watched (--watch)") if card.watch is Watch.YES else _(", cannot be watched")


def differs_text(found: FoundTable, ours: Program) -> str:
    """Why a table cannot be joined, with both versions; nothing where it can."""
    match found.fit:
        case Fit.FITS:
            return ""
        case Fit.VERSION:
            told = _("Cannot be joined: there {theirs}, here {ours}. Install the same version on both.")
        case Fit.ENGINE:
            told = _(
                "Cannot be joined, it has other rules or bots: there {theirs}, here {ours}."
                " Install the same version on both."
            )
        case _:
            assert_never(found.fit)
    return told.format(theirs=_program(found.card.program), ours=_program(ours))


def _program(program: Program) -> str:
    spoken = str(program.vmin) if program.vmin == program.vmax else f"{program.vmin}-{program.vmax}"
    digest = program.engine.hex()[:8] if program.engine else "-"
    return _("{app} (protocol {spoken}, engine {digest})").format(
        app=shown(program.app, MAX_APP), spoken=spoken, digest=digest
    )


def no_table_text(problem: NoTable) -> str:
    """Why none was found, and what to do."""
    if problem.tried:
        return n_(
            "The table that was found does not take this code. Ask the host for the words its screen shows now.",
            "None of the {n} tables that were found takes this code. Ask the host for the words its screen shows now.",
            problem.tried,
        )
    if problem.silence is None:
        return _("Tables were found, but none that takes a code and fits this version. See: sorry-lan list")
    code = " --code maple-otter-tulip" if problem.code is CodeUse.NEEDED else ""
    return _("{why} With the host's address it works all the same: sorry-lan join 192.168.1.20{code}").format(
        why=silence_text(problem.silence), code=code
    )


def silence_text(silence: Silence) -> str:
    """Why no table was found."""
    match silence:
        case Silence.NO_NETWORK:
            return _("No table was found: this computer has no network at all.")
        case Silence.ALONE:
            return _("No table was found: this computer is in no network, so only tables on itself could be.")
        case Silence.UNHEARD:
            return _(
                "No table was found: nobody answered. Perhaps there is none; a guest Wi-Fi, a VPN or a firewall"
                " may also drop the search (multicast, UDP port 5353)."
            )
        case _:
            assert_never(silence)


def slip_text(slip: Slip, typed: str, near: tuple[str, ...]) -> str:
    """What is wrong with an address or a code, and how it may have been meant."""
    told = _slip_sentence(slip).format(typed=shown(typed.strip(), _TYPED_CELLS), examples=_EXAMPLES)
    if not near:
        return told
    return _("{told} Did you mean {near}?").format(told=told, near=_(" or ").join(near))


def _slip_sentence(slip: Slip) -> str:
    return {
        Slip.EMPTY: _("Type an address such as {examples}, or the three words of a code."),
        Slip.SIGNS: _("{typed} has digits or signs of another script in it."),
        Slip.SCHEME: _("{typed} is a web address; a table has a plain one."),
        Slip.TRAILING: _("{typed} is more than an address."),
        Slip.BRACKETS: _("{typed}: brackets go around an IPv6 address, and only there, as in [fe80::1%eth0]:7777."),
        Slip.PORT: _("{typed}: the port behind the colon is a number from 1 to 65535."),
        Slip.PORT_OR_NOT: _("{typed} could end in a port or not; brackets tell."),
        Slip.IPV4: _("{typed} is no IPv4 address: that has four numbers from 0 to 255, without zeros before them."),
        Slip.IPV6: _("{typed} is no IPv6 address."),
        Slip.ZONE: _("{typed}: a %zone names the interface, and only behind a link-local address, as in fe80::1%eth0."),
        Slip.NOBODY: _("{typed} is no computer's address. Type the one that the host's screen shows."),
        Slip.NO_HOST: _("{typed} names no computer."),
        Slip.NAME: _("{typed} is no name of a computer."),
        Slip.WORD_UNKNOWN: _("{typed} is almost a join code, but one of its words is in no code."),
        Slip.WORDS_COUNT: _("{typed}: a join code has three words, as in maple-otter-tulip."),
    }[slip]

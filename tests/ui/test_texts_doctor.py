"""What the doctor says about every finding and every cause: a sentence each, in the width of a terminal."""

from __future__ import annotations

import pytest

from sorry_lan.table.diagnosis import Cause, Check, Diagnosis, Finding, Found, Mark, System, Tool
from sorry_lan.table.notices import Program
from sorry_lan.ui.texts_doctor import check_text, finding_lines, finding_text, mark_text, opening_line, report_text
from sorry_lan.ui.texts_remedy import Where, cause_text, ending_lines, fixes, join_command

ABOUT = ("eth0", "192.0.2.7", "192.0.2.1")
PROGRAMS = (Program(1, 1, "1.0.0", bytes.fromhex("aa" * 32)), Program(2, 3, "2.1.0", None))
OF_CAUSE = {
    Cause.FINE: (Found.MEETS,), Cause.VERSION: (Found.VERSION,), Cause.ENGINE: (Found.ENGINE,),
    Cause.OTHER_SERVICE: (Found.OTHER_SERVICE,), Cause.MUTE: (Found.MUTE,), Cause.HUNG_UP: (Found.HUNG_UP,),
    Cause.BUSY: (Found.BUSY,), Cause.BROKE_RULE: (Found.BROKE_RULE,), Cause.NO_NETWORK: (Found.NO_NETWORK,),
    Cause.NAME_UNKNOWN: (Found.NAME_UNKNOWN,), Cause.NAME_SERVER: (Found.NAME_LATE,),
    Cause.NAME_LOOPBACK: (Found.NAME_LOOPBACK, Found.REFUSED), Cause.NO_ZONE: (Found.NO_ZONE,),
    Cause.NO_ROUTE: (Found.NO_ROUTE,), Cause.OWN_ADDRESS: (Found.HERE, Found.REFUSED),
    Cause.NOT_HOSTING: (Found.REFUSED,), Cause.FORBIDDEN: (Found.FORBIDDEN,),
    Cause.LOCAL_NETWORK: (Found.LOCAL_NETWORK,), Cause.FIREWALL_REJECTS: (Found.REJECTED,),
    Cause.FIREWALL_DROPS: (Found.DROPPED,), Cause.TUNNEL: (Found.BY_TUNNEL, Found.SILENT),
    Cause.VIRTUAL: (Found.BY_VIRTUAL, Found.SILENT), Cause.NOBODY_THERE: (Found.ABSENT,),
    Cause.OTHER_NETWORK: (Found.BY_GATEWAY, Found.SILENT), Cause.SILENT: (Found.SILENT,),
    Cause.MULTICAST_BLOCKED: (Found.NO_PEER, Found.NOT_BACK), Cause.PORT_HELD: (Found.NO_PEER, Found.PORT_HELD),
    Cause.WSL: (Found.NO_PEER, Found.WSL), Cause.OWN_FIREWALL: (Found.NO_PEER, Found.OWN_TABLE, Found.FIREWALL_ON),
    Cause.HOSTING: (Found.NO_PEER, Found.OWN_TABLE), Cause.NO_TABLE: (Found.NO_PEER, Found.OTHERS),
    Cause.UNHEARD: (Found.NO_PEER, Found.NOTHING), Cause.UNSURE: (Found.LATE,),
}  # fmt: skip


def diagnosed(*found: Found, peer: str | None = "bob.local", port: int = 7777, tool: Tool | None = None) -> Diagnosis:
    findings = tuple(Finding(Check.PORT, each, ABOUT) for each in found)
    return Diagnosis(None if Found.NO_PEER in found else peer, port, System.LINUX, tool, findings)


@pytest.mark.parametrize("found", Found)
def test_every_finding_is_a_sentence_with_all_its_places_filled(found: Found) -> None:
    text = finding_text(Finding(Check.PORT, found, ABOUT, 3.4, PROGRAMS), "bob.local", 7788)
    assert text
    assert "{" not in text
    assert text != found.value
    assert "{" not in finding_text(Finding(Check.PORT, found), None, 7788)


def test_the_sentences_of_different_findings_differ() -> None:
    told = {finding_text(Finding(Check.PORT, found, ABOUT, 3.4, PROGRAMS), "bob", 7777) for found in Found}
    assert len(told) == len(Found)


def test_findings_stand_in_columns_within_eighty_cells() -> None:
    about = ("wlan0 192.168.100.123, 2001:db8:1111:2222:3333:4444:5555:6666, fe80::1c2d:3e4f:5a6b:7c8d%wlan0",) * 3
    lines = finding_lines(Finding(Check.NETWORK, Found.LAN, about), None, 7777)
    assert len(lines) > 3
    assert all(len(line) <= 80 for line in lines)
    assert lines[0].startswith("ok    network        wlan0")
    assert all(line.startswith(" " * 21) for line in lines[1:])


def test_marks_and_checks_fit_their_columns() -> None:
    assert max(len(mark_text(mark)) for mark in Mark) <= 5
    assert max(len(check_text(check)) for check in Check) <= 14


def test_a_difference_is_told_with_both_programs() -> None:
    text = finding_text(Finding(Check.HANDSHAKE, Found.ENGINE, programs=PROGRAMS), "bob", 7777)
    assert "1.0.0, protocol 1, rules aaaaaaaa" in text
    assert "2.1.0, protocol 2-3, rules -" in text


def test_what_comes_from_elsewhere_moves_no_cursor() -> None:
    evil = "\x1b[2Jbob\u202e"
    programs = (PROGRAMS[0], Program(2, 2, evil, None))
    for found in Found:
        text = finding_text(Finding(Check.NAME, found, (evil, evil), programs=programs), evil, 7777)
        assert text.isprintable(), found
    assert all(line.isprintable() for line in ending_lines(diagnosed(Found.DROPPED, peer=evil)))


@pytest.mark.parametrize("cause", Cause)
def test_every_cause_is_told_with_what_to_do(cause: Cause) -> None:
    diagnosis = diagnosed(*OF_CAUSE[cause], tool=Tool.UFW)
    assert diagnosis.cause is cause
    text = cause_text(diagnosis)
    assert "{" not in text
    lines = ending_lines(diagnosis)
    assert text.split(maxsplit=1)[0] in lines[1]
    assert all(len(line) <= 80 for line in lines if not line.startswith("    "))
    assert f"Exit code {diagnosis.exit_code}:" in lines[-1]


def test_the_sentences_of_different_causes_differ() -> None:
    told = {cause_text(diagnosed(*OF_CAUSE[cause])) for cause in Cause}
    assert len(told) == len(Cause)
    assert cause_text(diagnosed(Found.NO_PEER, Found.TABLES)) not in told


def test_a_port_that_is_dropped_is_opened_by_a_command_with_that_very_port() -> None:
    told = fixes(diagnosed(Found.DROPPED, port=7801))
    assert told[0].command == "sudo ufw allow 7801/tcp && sudo ufw allow 5353/udp"
    assert {fix.where for fix in told} == {Where.THERE}
    assert [fix.whom for fix in told] == ["ufw", "firewalld", "iptables", "nftables", "Windows"]
    assert all("7801" in fix.command for fix in told)


def test_a_port_that_is_rejected_names_first_the_firewall_that_rejects_by_itself() -> None:
    told = fixes(diagnosed(Found.REJECTED))
    assert told[0].command == "sudo firewall-cmd --add-port=7777/tcp --add-port=5353/udp"


@pytest.mark.parametrize(
    ("tool", "command"),
    [
        (Tool.UFW, "sudo ufw allow 7777/tcp"),
        (Tool.FIREWALLD, "sudo firewall-cmd"),
        (Tool.NFTABLES, "sudo nft insert rule"),
        (Tool.IPTABLES, "sudo iptables -I INPUT"),
        (Tool.WINDOWS, "netsh advfirewall"),
        (Tool.MACOS, "sudo iptables -I INPUT"),
        (None, "sudo iptables -I INPUT"),
    ],
)
def test_a_firewall_of_this_computer_is_opened_by_its_own_command(tool: Tool | None, command: str) -> None:
    told = fixes(diagnosed(Found.NO_PEER, Found.NOT_BACK, tool=tool))
    assert [fix.where for fix in told] == [Where.HERE]
    assert told[0].command.startswith(command)


def test_an_own_firewall_without_a_command_is_told_without_one() -> None:
    assert fixes(diagnosed(Found.NO_PEER, Found.OWN_TABLE, Found.FIREWALL_ON, tool=Tool.MACOS)) == ()


def test_a_table_that_can_be_joined_is_told_with_the_command() -> None:
    assert fixes(diagnosed(Found.MEETS))[0].command == "sorry-lan join bob.local"
    assert fixes(diagnosed(Found.CODE))[0].command == "sorry-lan join bob.local --code WORDS"
    assert fixes(diagnosed(Found.NO_PEER, Found.TABLES))[0].command == "sorry-lan join"
    assert join_command("[fe80::1%eth0]:7778", "") == 'sorry-lan join "[fe80::1%eth0]:7778"'


def test_who_does_not_host_is_told_how() -> None:
    assert fixes(diagnosed(Found.REFUSED))[0].command == "sorry-lan host"
    assert fixes(diagnosed(Found.REFUSED, port=7800))[0].command == "sorry-lan host --port 7800"


def test_an_address_without_its_interface_is_offered_with_each() -> None:
    findings = (Finding(Check.ROUTE, Found.NO_ZONE, ("fe80::20%eth0", "fe80::20%wlan0")),)
    told = fixes(Diagnosis("fe80::20", 7777, System.LINUX, None, findings))
    assert [fix.command for fix in told] == [
        'sorry-lan doctor "[fe80::20%eth0]:7777"',
        'sorry-lan doctor "[fe80::20%wlan0]:7777"',
    ]


def test_who_cannot_change_a_firewall_may_host_instead() -> None:
    assert "    sorry-lan host" in ending_lines(diagnosed(Found.DROPPED))
    assert "Do this on bob.local:" in ending_lines(diagnosed(Found.DROPPED))
    assert "    sorry-lan host" not in ending_lines(diagnosed(Found.VERSION))


def test_the_first_line_tells_what_is_looked_at() -> None:
    assert opening_line("1.2.3", None) == "sorry-lan 1.2.3. Checking this computer and its network."
    assert opening_line("1.2.3", "bob").endswith("Checking this computer and bob.")
    assert "report.txt" in report_text("report.txt")


def test_what_needs_another_check_first_names_it_as_it_is_told() -> None:
    assert finding_text(Finding(Check.HEARING, Found.NEEDS, ("sending",)), None, 7777).endswith("announcing")
    assert finding_text(Finding(Check.HEARING, Found.NEEDS, ("strange",)), None, 7777).endswith("strange")

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import trio

from sorry_lan.cli import doctor
from sorry_lan.cli.arguments import UsageError, parse
from sorry_lan.cli.dispatch import run
from sorry_lan.net.checks.probe import Echoes, Firewall, Guard, Knock, Met, Neighbour, Probe, Reply
from sorry_lan.table.diagnosis import Check, Diagnosis, Finding, Found, System, Tool
from sorry_lan.table.notices import Program
from tests.net.checks.fakes import FakeProbe

QUICK = Echoes(back=("eth0 IPv4",), others=("192.168.1.9",))


def probe(**how: object) -> FakeProbe:
    found = FakeProbe(echo=QUICK, echo_s=0.0)
    for name, value in how.items():
        setattr(found, name, value)
    return found


def told(capsys: pytest.CaptureFixture[str], words: str, made: FakeProbe) -> tuple[int, str]:
    code = doctor.run(parse(["doctor", *words.split()]), made)
    captured = capsys.readouterr()
    assert captured.err == ""
    return code, captured.out


def test_findings_come_in_order_then_the_cause_and_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = told(capsys, "192.168.1.20", probe(met=Met(Found.CODE)))
    lines = out.splitlines()
    assert lines[0].endswith("Checking this computer and 192.168.1.20.")
    labels = [line.split()[1] for line in lines if line[:1] in ("o", "w", "F", "s") and line[4:6] == "  "]
    assert labels[:7] == ["network", "name", "route", "reachable", "port", "handshake", "firewall"]
    assert "    sorry-lan join 192.168.1.20 --code WORDS" in lines
    assert (code, lines[-1]) == (0, "Exit code 0: all is well.")


def test_a_dropped_port_is_told_with_the_rule_for_that_port(capsys: pytest.CaptureFixture[str]) -> None:
    made = probe(reply=Reply(Knock.SILENT, 0.0), other=Reply(Knock.SILENT, 0.0), near=Neighbour.PRESENT)
    code, out = told(capsys, "192.168.1.20:7801", made)
    assert code == 4
    assert "FAIL  port           no answer from port 7801" in out
    assert "    sudo ufw allow 7801/tcp && sudo ufw allow 5353/udp\n" in out


def test_without_a_peer_only_this_computer_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = told(capsys, "", probe())
    assert code == 3
    assert "no other computer was named" not in out
    assert "other computers are heard (1), but none has a table" in out
    code, out = told(capsys, "", probe(echo=Echoes(back=("eth0",), tables=("192.168.1.20",))))
    assert (code, "    sorry-lan join" in out) == (0, True)


def test_json_is_one_object_with_everything(capsys: pytest.CaptureFixture[str]) -> None:
    programs = (Program(1, 1, "1.0", b"\xaa" * 32), Program(1, 1, "1.1", None))
    code, out = told(
        capsys, "bob:7800 --json", probe(names={"bob": ("192.168.1.20",)}, met=Met(Found.ENGINE, programs))
    )
    said = json.loads(out)
    assert (code, said["exit_code"], said["cause"], said["peer"], said["port"]) == (5, 5, "engine", "bob:7800", 7800)
    assert [check["check"] for check in said["checks"]] == [check.value for check in Check]
    handshake = next(check for check in said["checks"] if check["check"] == "handshake")
    assert (handshake["mark"], handshake["found"]) == ("fail", "engine")
    assert handshake["ours"] == {"app": "1.0", "vmin": 1, "vmax": 1, "engine": "aa" * 32}
    assert handshake["theirs"]["engine"] is None
    assert said["commands"] == []


def test_json_holds_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    made = probe(guards=(Firewall(Tool.UFW, Guard.ON),), echo=Echoes(back=("eth0",), own_table=True))
    code, out = told(capsys, "--port 7800 --json", made)
    assert json.loads(out)["commands"] == [
        {"where": "here", "for": "ufw", "command": "sudo ufw allow 7800/tcp && sudo ufw allow 5353/udp"}
    ]
    assert code == 0


def test_a_report_is_written_without_secrets_and_may_be_written_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "report.txt"
    programs = (Program(1, 1, "1.0", b"\xaa" * 32), Program(1, 1, "1.1", b"\xbb" * 32))
    for _time in range(2):
        made = probe(names={"maple-lamp-tulip.local": ("192.168.1.20",)}, met=Met(Found.ENGINE, programs))
        code, out = told(capsys, f"maple-lamp-tulip.local --report {path}", made)
        assert (code, str(path) in out) == (5, True)
    text = path.read_text()
    assert text.startswith("sorry-lan doctor report 1\n")
    assert "Exit code 5" in text
    assert "maple-lamp-tulip" not in text
    assert "aa" * 32 not in text
    json.loads(text.splitlines()[-1])


def test_a_report_says_nothing_more_on_standard_output_of_programs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _code, out = told(capsys, f"--json --report {tmp_path / 'report.txt'}", probe())
    assert len(out.splitlines()) == 1


def test_a_report_never_takes_the_place_of_another_file(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ada")
    made = probe()
    with pytest.raises(UsageError, match="no report"):
        doctor.run(parse(["doctor", "--report", str(path)]), made)
    assert path.read_text() == "Dear Ada"


def test_a_report_that_cannot_be_written_is_told_with_its_own_exit_code(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code = doctor.run(parse(["doctor", "--report", str(tmp_path / "no" / "where")]), probe())
    captured = capsys.readouterr()
    assert code == 9
    assert "cannot be written" in captured.err
    assert "Exit code 3" in captured.out


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("192.168.001.010", "192.168.1.10"),
        ("maple-lamp-tulip", "A code names no computer"),
        ("http://bob/", "bob"),
    ],
)
def test_what_is_no_address_is_refused_with_what_to_type(
    typed: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["doctor", typed]) == 2
    assert says in capsys.readouterr().err


def test_what_never_became_known_is_told_at_the_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = (Finding(Check.NETWORK, Found.LAN, ("eth0",)), Finding(Check.PORT, Found.OPEN))
    late = {check: Finding(check, Found.LATE) for check in Check}
    findings = tuple((late | {each.check: each for each in known}).values())

    async def diagnose(
        _probe: Probe, _host: str | None, peer: str | None, port: int, heard: Callable[[Finding], None]
    ) -> Diagnosis:
        await trio.lowlevel.checkpoint()
        for finding in known:
            heard(finding)
        return Diagnosis(peer, port, System.LINUX, None, findings)

    monkeypatch.setattr(doctor, "diagnose", diagnose)
    code, out = told(capsys, "192.168.1.20", probe())
    assert code == 4
    labels = [line.split()[1] for line in out.splitlines()[1:11]]
    assert labels[:5] == ["network", "name", "route", "reachable", "port"]
    assert out.count("there was no time left for it") == 8


def test_the_command_line_reaches_the_doctor(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sorry_lan.net.checks.mdns.LISTEN_S", 0.05)
    assert run(["doctor", "nosuch.invalid", "--json"]) == 4
    assert json.loads(capsys.readouterr().out)["cause"] in ("name-unknown", "name-server", "no-network")

"""d in the lobby and on the way to a table: what is asked of the doctor, and how its page looks meanwhile and after."""

from __future__ import annotations

from sorry_lan.table.diagnosis import Check, Diagnosis, Finding, Found, System
from sorry_lan.table.notices import Connecting, TableOpened
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.draw_doctor import DoctorPage
from sorry_lan.ui.examination import Examination, Wanted
from sorry_lan.ui.full_screen import Key
from sorry_lan.ui.screen_state import Over
from tests.ui.build import in_lobby, lobby
from tests.ui.desk import Desk

DROPPED = (
    Finding(Check.NAME, Found.NUMERIC, ("192.168.1.20",)),
    Finding(Check.REACHABLE, Found.PRESENT),
    Finding(Check.PORT, Found.DROPPED, value=3.4),
    Finding(Check.HANDSHAKE, Found.NEEDS, ("port",)),
    Finding(Check.FIREWALL, Found.FIREWALL_ON, ("ufw",)),
)


def served(desk: Desk) -> list[Wanted | None]:
    """What was asked so far."""
    asked: list[Wanted | None] = []
    desk.client.examination.serve(lambda: asked.append(desk.client.examination.wanted))
    return asked


def diagnosis() -> Diagnosis:
    return Diagnosis("192.168.1.20", 7777, System.LINUX, None, DROPPED)


def on_the_way() -> Desk:
    desk = Desk()
    desk.client.notice(Connecting("192.168.1.20:7777"), desk.now_s)
    return desk


def test_d_in_a_lobby_looks_at_the_way_to_the_table_that_was_joined() -> None:
    desk = on_the_way().show(in_lobby(lobby()))
    asked = served(desk)
    assert "d doctor" in desk.text()
    desk.press("d")
    assert asked == [Wanted("192.168.1.20:7777", None)]
    assert desk.state.over is Over.DOCTOR
    assert "What is in the way?" in desk.text()


def test_a_host_has_its_own_computer_looked_at_with_its_port() -> None:
    desk = Desk()
    desk.client.notice(TableOpened(("192.168.1.23",), 7800, None), desk.now_s)
    desk.show(in_lobby(lobby()))
    asked = served(desk)
    desk.press("d")
    assert asked == [Wanted("", 7800)]
    desk.client.examination.heard(Finding(Check.FIREWALL, Found.FIREWALL_ON, ("ufw",)))
    desk.client.examination.heard(Finding(Check.NAME, Found.NO_PEER))
    assert "port 7800" in desk.text()
    assert "no other computer" not in desk.text()


def test_d_works_before_there_is_a_table_and_escape_leads_back() -> None:
    desk = on_the_way()
    asked = served(desk)
    assert "d doctor" in desk.text()
    desk.press("d")
    assert len(asked) == 1
    assert "What is in the way?" in desk.text()
    desk.press("x", Key.DOWN, Key.ESCAPE)
    assert desk.state.over is Over.NOTHING
    assert "On the way to the table" in desk.text()
    desk.press("x")
    assert desk.state.over is Over.NOTHING


def test_the_page_is_drawn_again_while_something_is_looked_at_and_not_after() -> None:
    desk = on_the_way()
    served(desk)
    assert desk.see().next_tick_s is None
    desk.press("d")
    assert desk.see().next_tick_s == desk.now_s + 0.2
    desk.client.examination.done(diagnosis())
    assert desk.see().next_tick_s is None


def test_findings_stand_there_as_they_come_and_the_cause_above_them() -> None:
    desk = on_the_way()
    served(desk)
    desk.press("d")
    for finding in reversed(DROPPED[:3]):
        desk.client.examination.heard(finding)
    text = desk.text()
    assert "ten seconds at most" in text
    assert text.index("reachable") < text.index("packets dropped")
    desk.client.examination.done(diagnosis())
    text = desk.text()
    assert "the firewall on 192.168.1.20 drops port 7777" in text
    assert text.index("sudo ufw allow 7777/tcp") < text.index("packets dropped")
    assert "ten seconds" not in text


def test_d_on_the_page_looks_again_but_not_while_something_is_looked_at() -> None:
    desk = on_the_way()
    asked = served(desk)
    desk.press("d", "d")
    assert len(asked) == 1
    desk.client.examination.done(diagnosis())
    desk.press("d")
    assert len(asked) == 2
    assert desk.client.examination.found == ()


def test_without_anybody_who_can_look_nothing_is_ever_awaited() -> None:
    examination = Examination()
    examination.ask(Wanted("", None))
    assert not examination.running
    assert DoctorPage(examination).title()[1] == ""
    examination.heard(Finding(Check.FIREWALL, Found.FIREWALL_ON, ("ufw",)))
    lines = DoctorPage(examination).lines(80, 24, Signs.ASCII)
    assert any("port 7777" in text for line in lines for _ink, text in line.spans)


def test_the_doctor_is_left_when_the_table_goes_on() -> None:
    desk = on_the_way()
    served(desk)
    desk.press("d")
    desk.show(in_lobby(lobby()))
    assert desk.state.over is Over.NOTHING

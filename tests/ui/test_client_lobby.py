"""Keys of the lobby: ready, colour, name, seats of the host, rules; and what is around it."""

from __future__ import annotations

from dataclasses import replace

from sorry_lan.rules.profile import PROFILES
from sorry_lan.table.events import BotSeated, LeaveAsked, Ready, RulesChosen, SeatChanged, SeatClosed, SeatOpened, Spoke
from sorry_lan.table.notices import CodeChanged, Connecting, TableOpened
from sorry_lan.ui.answers import Stay
from sorry_lan.ui.full_screen import Key, Mouse
from sorry_lan.ui.screen_state import Mode, Over
from sorry_lan.wire.messages import LobbyKind
from tests.ui.build import draw, game, in_lobby, lobby, lobby_seat
from tests.ui.desk import Desk


def here(**more) -> Desk:
    return Desk().show(in_lobby(replace(lobby(), **more)))


def test_space_is_ready_and_not_ready():
    assert here().press(" ") == (SeatChanged(0, ready=Ready.YES),)
    ready = replace(lobby_seat(0, "Ada", person=0), ready=True)
    assert here(seats=(ready, lobby_seat(1, "Bob"))).press(" ") == (SeatChanged(0, ready=Ready.NO),)


def test_two_people_at_one_keyboard_are_ready_together():
    seats = (lobby_seat(0, "Ada", person=0), lobby_seat(1, "Bob", person=1))
    assert len(here(seats=seats).press(" ")) == 2
    desk = here(seats=seats)
    desk.press("n")
    assert desk.state.typing.text == "name 1 "
    desk.press(Key.ESCAPE, "a")
    assert desk.state.typing.text == "age 1 "


def test_c_takes_the_next_free_colour():
    assert here().press("c") == (SeatChanged(0, colour=2),)
    full = tuple(lobby_seat(colour, "abcd"[colour], person=0 if colour == 0 else None) for colour in range(4))
    desk = here(seats=full)
    assert desk.press("c") == ()
    assert "No other colour" in desk.text()


def test_a_name_and_an_age_are_typed():
    desk = here()
    desk.press("n")
    assert desk.type("Zoe") == ()
    assert desk.press(Key.ENTER) == (SeatChanged(0, name="Zoe"),)
    desk.press("a")
    desk.type("9")
    assert desk.press(Key.ENTER) == (SeatChanged(0, age=9),)


def test_the_host_fills_closes_opens_and_frees_the_chosen_seat():
    desk = here()
    assert desk.press("b") == (BotSeated(None, 0),)
    desk.press(Key.UP)
    assert desk.press("b", "x") == (BotSeated(2, 0), SeatClosed(2))
    desk.press(Key.UP)
    assert desk.press("k") == (SeatOpened(1),)
    desk.press(Key.UP)
    assert desk.press("k") == ()
    assert "Choose somebody" in desk.text()
    assert desk.press("o", "x") == (SeatOpened(None), SeatClosed(None))
    desk.press(Key.DOWN)
    assert desk.state.selected == 1


def test_b_on_a_bot_makes_it_stronger_and_the_strongest_easy_again():
    for level, then in ((0, 1), (2, 3), (3, 0)):
        robo = replace(lobby_seat(1, "Robo"), kind=LobbyKind.BOT, level=level)
        desk = here(seats=(lobby_seat(0, "Ada", person=0), robo))
        desk.press(Key.UP)
        assert desk.press("b") == (SeatOpened(1), BotSeated(1, then))


def test_before_an_arrow_key_the_keys_of_the_host_mean_any_seat_and_no_row_is_marked():
    desk = here()
    assert ">" not in desk.text()
    assert desk.press("b", "x", "k") == (BotSeated(None, 0), SeatClosed(None))
    assert "Choose somebody" in desk.text()
    desk.press(Key.DOWN)
    assert "> Red" in desk.text()
    desk.press(Key.ESCAPE)
    assert ">" not in desk.text()


def test_a_guest_marks_no_row_and_reads_where_the_table_is():
    desk = here(hosting=False)
    desk.client.notice(Connecting("192.0.2.7:7777"), desk.now_s)
    desk.press(Key.DOWN)
    assert ">" not in desk.text()
    assert "You joined the table at 192.0.2.7:7777." in desk.text()
    assert "Connecting" not in desk.text()


def test_guests_change_no_seats():
    desk = here(hosting=False)
    assert desk.press("b") == ()
    assert "Only the host" in desk.text()


def test_the_host_chooses_a_profile_on_the_page_of_rules():
    desk = here()
    desk.press("r")
    assert desk.state.over is Over.RULES
    assert desk.press("2", "²", Key.ENTER) == (RulesChosen(PROFILES[tuple(PROFILES)[1]]),)
    assert desk.state.over is Over.NOTHING
    desk.press("r", Key.ESCAPE)
    assert desk.state.over is Over.NOTHING
    guest = here(hosting=False)
    assert guest.press("r", "2", Key.ENTER) == ()


def test_help_talk_and_leaving():
    desk = here()
    desk.press("?")
    assert "Help" in desk.text()
    desk.press(Key.ESCAPE, "t")
    desk.type("hi")
    assert desk.press(Key.ENTER, "z") == (Spoke(0, "hi"),)
    assert desk.press("q") == (LeaveAsked(),)
    assert desk.last.stay is Stay.LEAVE
    assert here().press(Key.INTERRUPT) == (LeaveAsked(),)


def test_the_invitation_is_shown_and_the_mouse_is_off_so_that_it_can_be_copied():
    desk = here()
    desk.client.notice(TableOpened(("192.0.2.7",), 7777, "maple-plum-otter"), desk.now_s)
    assert "192.0.2.7" in desk.text()
    assert "maple-plum-otter" in desk.text()
    assert desk.see().mouse is Mouse.OFF
    assert desk.text().count("192.0.2.7") == 1
    desk.client.notice(CodeChanged("otter-tulip-maple"), desk.now_s)
    title, *rest = desk.text().splitlines()
    assert "otter-tulip-maple" in title
    assert sum("otter-tulip-maple" in row for row in rest) == 2
    assert "maple-plum-otter" not in desk.text()


def test_the_beginning_of_the_game_closes_what_lay_over_the_lobby():
    desk = here()
    desk.press("r")
    desk.show(draw(game()))
    assert desk.state.over is Over.NOTHING
    assert "YOUR TURN" in desk.text()
    desk.press("t")
    desk.show(in_lobby(lobby()))
    assert desk.state.mode is Mode.KEYS


def test_a_lobby_of_open_seats_alone_takes_no_personal_keys():
    seats = (lobby_seat(0, kind=LobbyKind.OPEN), lobby_seat(1, kind=LobbyKind.OPEN))
    assert here(seats=seats, hosting=False).press(" ", "c", "n", "a") == ()

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.rules.profile import PROFILES
from sorry_lan.table.notices import TableOpened
from sorry_lan.table.view import Phase, Presence
from sorry_lan.ui.canvas import Ink
from sorry_lan.ui.draw_lobby import LobbyPage, draw_lobby
from sorry_lan.ui.sheet import Typed
from sorry_lan.wire.messages import LobbyKind
from sorry_lan.wire.terms import Option
from tests.ui.build import lobby, lobby_seat
from tests.ui.pages import a_lobby, shown_on, text_of

OPEN = lobby_seat(2, kind=LobbyKind.OPEN)


def with_seats(*seats, **changed):
    return LobbyPage(replace(lobby(seats), **changed))


def ready(colour, name, **more):
    return replace(lobby_seat(colour, name, **more), ready=True)


def test_the_others_are_told_how_to_join_with_address_and_code():
    told = text_of(draw_lobby, a_lobby())
    assert "sorry-lan join 192.168.1.20 --code maple-plum-otter" in told
    assert "code maple-plum-otter" in told.split("\n")[0]


def test_an_open_table_on_an_odd_port_shows_the_port_and_no_code():
    told = text_of(draw_lobby, replace(a_lobby(), opened=TableOpened(("192.0.2.7",), 7800, None)))
    assert "sorry-lan join 192.0.2.7:7800\n" in "\n".join(row.rstrip() for row in told.split("\n"))
    assert "code" not in told


def test_a_table_without_a_network_says_so():
    told = text_of(draw_lobby, replace(a_lobby(), opened=TableOpened((), 7777, None)))
    assert "this computer is in no network" in told


def test_a_guest_reads_where_the_table_is_and_has_no_keys_of_a_host():
    page = replace(a_lobby(), opened=None, joined="192.0.2.7", lobby=replace(a_lobby().lobby, hosting=False))
    told = text_of(draw_lobby, page)
    assert "You joined the table at 192.0.2.7." in told
    assert "Space ready" in told
    assert "kick" not in told
    assert "> Red" not in told


def test_the_seat_that_the_keys_of_the_host_mean_is_marked():
    assert "> Yellow" in text_of(draw_lobby, replace(a_lobby(), selected=2))
    assert ">" not in text_of(draw_lobby, replace(a_lobby(), opened=None))


@pytest.mark.parametrize(
    ("selected", "keys"),
    [
        (None, "b bot  x close  Up/Down choose a seat"),
        (0, "Esc any seat"),
        (1, "k free the seat  x close  Esc any seat"),
        (2, "b bot  x close  Esc any seat"),
    ],
)
def test_the_host_reads_only_the_keys_that_do_something_with_the_chosen_seat(selected, keys):
    told = replace(a_lobby(), selected=selected).keys_text()
    assert told.endswith("? help  " + keys)


def test_a_seat_less_than_four_can_be_opened():
    assert "o open" in with_seats(lobby_seat(0, "Ada", person=0), lobby_seat(1, "Bob")).keys_text()
    assert "o open" not in a_lobby().keys_text()


def test_a_computer_in_many_networks_names_most_of_its_addresses_in_one_row():
    opened = TableOpened(("192.0.2.7", "10.0.0.1", "10.0.1.1", "fd00::7", "fe80::1%wlan0"), 7777, "maple-plum-otter")
    page = replace(a_lobby(), opened=opened)
    told = text_of(draw_lobby, page)
    assert told.count("sorry-lan join") == 2
    assert "or at 10.0.1.1, fd00::7 and fe80::1%wlan0" in told
    assert text_of(draw_lobby, page, 120, 40).count("sorry-lan join") == 5


def test_every_seat_says_who_is_there_and_whether_they_are_ready():
    told = text_of(draw_lobby, a_lobby())
    rows = {row.strip(" >").split(" ")[0]: row for row in told.split("\n")}
    assert "Ada (you, host, age 34)" in rows["Red"]
    assert "not yet" in rows["Red"]
    assert "ready" in rows["Blue"]
    assert "- open -" in rows["Yellow"]
    assert "Robo (bot, easy)" in rows["Green"]


def test_who_cannot_be_reached_stands_out():
    page = with_seats(ready(0, "Ada", person=0), replace(ready(1, "Bob"), presence=Presence.RECONNECTING))
    assert (Ink.BAD, "reconnecting") in shown_on(draw_lobby, page)


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (a_lobby(), "Press Space when you are ready."),
        (with_seats(ready(0, "Ada", person=0), OPEN), "Still open: Yellow. Wait for somebody, put a bot there (b)"),
        (with_seats(ready(0, "Ada", person=0), OPEN, hosting=False), "Still open: Yellow."),
        (with_seats(ready(0, "Ada", person=0), lobby_seat(1, "Bob")), "Not ready yet: Bob."),
        (with_seats(ready(0, "Ada", person=0), ready(1, "Bob")), "Everybody is ready."),
        (replace(a_lobby(), phase=Phase.PROPOSED), "everybody's computer signs the table"),
    ],
)
def test_what_the_table_waits_for_is_one_sentence(page, wanted):
    assert wanted in text_of(draw_lobby, page)


def test_while_the_table_is_signed_nothing_can_be_changed():
    told = text_of(draw_lobby, replace(a_lobby(), phase=Phase.PROPOSED))
    assert "Space ready" not in told
    assert "Ctrl-C leave" in told


def test_what_differs_from_standard_is_said_in_words():
    assert "4 pawns each; out of Start with 1, 2" in text_of(draw_lobby, a_lobby())
    standard = replace(a_lobby(), lobby=replace(a_lobby().lobby, rules=PROFILES["standard"]))
    assert "Differs" not in text_of(draw_lobby, standard)


@pytest.mark.parametrize(
    ("ages", "wanted"),
    [
        ((34, 9), "Bob, the youngest"),
        ((34, 34), "by a lot that all make together"),
        ((34, None), "by a lot that all make together"),
    ],
)
def test_it_says_how_the_first_player_is_found(ages, wanted):
    ada, bob = replace(lobby_seat(0, "Ada"), age=ages[0]), replace(lobby_seat(1, "Bob"), age=ages[1])
    assert wanted in text_of(draw_lobby, with_seats(ada, bob))


def test_what_the_table_forbids_is_said():
    options = Option.NO_HINTS | Option.NO_WATCHERS | Option.NO_FREE_CHAT
    told = text_of(draw_lobby, with_seats(lobby_seat(0, "Ada", person=0), OPEN, options=options))
    assert "no hints, no watchers, quick phrases only" in told


def test_a_line_that_is_typed_stands_above_its_keys():
    page = replace(a_lobby(), typed=Typed("hello", 5))
    rows = text_of(draw_lobby, page).rstrip("\n").split("\n")
    assert rows[-2].strip() == "> hello"
    assert rows[-1].strip() == "Enter done  Esc back"


def test_in_a_low_window_the_seats_come_first_and_the_invitation_can_be_scrolled_to():
    page = a_lobby()
    assert "sorry-lan join" not in text_of(draw_lobby, page, 40, 12)
    assert "Robo" in text_of(draw_lobby, page, 40, 12)
    assert "sorry-lan join" in text_of(draw_lobby, replace(page, scroll=99), 40, 12)


def test_a_very_narrow_window_names_colours_by_their_letter():
    assert "> R Ada" in text_of(draw_lobby, replace(a_lobby(), selected=0), 20, 8)


def test_what_was_said_is_kept_in_sight_before_the_rules():
    page = replace(a_lobby(), log=tuple(f"Bob says: {n}" for n in range(30)))
    told = text_of(draw_lobby, page, 60, 20)
    assert "Bob says: 29" in told
    assert "Bob says: 28" in told

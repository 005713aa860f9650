"""Typed values out of a command line, and the sentence for each wrong one."""

from __future__ import annotations

import pytest

from sorry_lan.cli import options
from sorry_lan.cli.arguments import UsageError, parse
from sorry_lan.cli.options import Manner, PersonWish, Screen, Seating
from sorry_lan.rules.profile import PROFILES, with_switch
from sorry_lan.table.notices import Blocks, Finding
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.taste import Bell, Confirm, Pace, Taste, Turned
from sorry_lan.wire.terms import Option


def args(*words: str):
    return parse(list(words))


def wrong(function, *given) -> str:
    with pytest.raises(UsageError) as caught:
        function(*given)
    return str(caught.value)


def test_without_flags_one_person_plays_under_the_users_name():
    assert options.people(args("play"), {"USER": "ada"}) == (PersonWish("ada", named=False, colour=None, age=None),)
    assert options.people(args("play"), {})[0].name == "Player"
    assert options.people(args("play"), {"USER": "\x1b[2J"})[0].name == "Player"


def test_names_colours_and_ages_go_together_in_order():
    words = "play --name Ada --name Bob --colour green --age 9 --colour RED"
    assert options.people(args(*words.split()), {}) == (
        PersonWish("Ada", named=True, colour=3, age=9),
        PersonWish("Bob", named=True, colour=0, age=None),
    )


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ("--name Ada --colour red --colour blue", "--colour is given 2 times"),
        ("--age 1 --age 2", "--age is given 2 times"),
        ("--name A --name B --name C --name D --name E", "at most 4 seats"),
        ("--name Ada --name Ada", "of their own"),
        ("--name Ada --name Bob --colour red --colour red", "of their own"),
        ("--colour pink", "--colour is one of red, blue, yellow, green, not 'pink'."),
        ("--colour gren", "Did you mean green?"),
        ("--age old", "--age takes a number from 0 to 255, not 'old'."),
        ("--age 256", "--age takes a number"),
        ("--name \x1b[2J", "--name takes 1 to 24 bytes"),
        ("--name " + "x" * 25, "--name takes 1 to 24 bytes"),
    ],
)
def test_wrong_people(words, part):
    assert part in wrong(options.people, args("play", *words.split(" ")), {})


def test_rules_and_single_switches():
    assert options.rules(args("play")) == PROFILES["standard"]
    assert options.rules(args("play", "--rules", "Classic")) == PROFILES["classic"]
    found = options.rules(args("play", "--rule", "slide_on=any", "--rule", "pawns=4"))
    assert found == with_switch(with_switch(PROFILES["standard"], "slide_on=any"), "pawns=4")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--rules", "clasic"], "there are standard, classic, 2013. Did you mean classic?"),
        (["--rules", "zzz"], "there are standard, classic, 2013."),
        (["--rule", "slide_no=any"], "Did you mean slide_on?"),
        (["--rule", "slide_on=up"], "slide_on is one of own, other, any, none."),
        (["--rule", "pawns"], "write SWITCH=VALUE"),
    ],
)
def test_wrong_rules(words, part):
    assert part in wrong(options.rules, args("play", *words))


BY_ITSELF = ("--auto", "--json")


@pytest.mark.parametrize(
    ("words", "persons", "seating"),
    [
        ("", 1, Seating(4, 0, 0)),
        ("--bots 2", 1, Seating(4, 2, 0)),
        ("--seats 3 --bots 1:easy", 1, Seating(3, 1, 0)),
        ("--seats 3 --bots 1:hard", 1, Seating(3, 1, 2)),
        ("--auto", 1, Seating(2, 0, 0)),
        ("--json --bots 1", 1, Seating(3, 1, 0)),
        ("--auto", 4, Seating(4, 0, 0)),
    ],
)
def test_seats_of_a_hosted_table(words, persons, seating):
    assert options.host_seating(args("host", *words.split()), persons, BY_ITSELF) == seating


@pytest.mark.parametrize(
    ("words", "persons", "seating"),
    [
        ("", 1, Seating(4, 3, 0)),
        ("", 2, Seating(2, 0, 0)),
        ("--bots 2", 2, Seating(4, 2, 0)),
        ("--bots 1", 1, Seating(2, 1, 0)),
        ("--seats 3", 1, Seating(3, 2, 0)),
        ("--seats 2 --bots 1", 1, Seating(2, 1, 0)),
    ],
)
def test_seats_of_a_table_here(words, persons, seating):
    assert options.play_seating(args("play", *words.split()), persons) == seating


def test_wrong_seats():
    assert "do not make" in wrong(options.host_seating, args("host", "--seats", "2", "--bots", "2"), 1, BY_ITSELF)
    assert "do not make" in wrong(options.play_seating, args("play", "--seats", "4", "--bots", "1"), 1)
    assert "do not make" in wrong(options.play_seating, args("play", "--bots", "3"), 2)
    assert "do not make" in wrong(options.play_seating, args("play", "--seats", "2"), 3)
    assert "needs two players" in wrong(options.play_seating, args("play", "--bots", "0"), 1)
    assert "from 2 to 4" in wrong(options.play_seating, args("play", "--seats", "5"), 1)
    assert "from 0 to 3" in wrong(options.play_seating, args("play", "--bots", "x"), 1)
    assert "medium, hard, expert, not 'clever'" in wrong(options.play_seating, args("play", "--bots", "1:clever"), 1)


def test_titles():
    assert options.title(args("host"), "Ada") == "Ada's table"
    assert options.title(args("host", "--table", " Kitchen "), "Ada") == "Kitchen"
    for text in (" ", "x" * 41, "a\x1bb", "\ud800"):
        assert "--table takes" in wrong(options.title, args("host", "--table", text), "Ada")


def test_ports():
    assert options.port(args("host")) is None
    assert options.port(args("host", "--port", "0")) == 0
    assert "from 0 to 65535" in wrong(options.port, args("host", "--port", "70000"))
    assert "from 0 to 65535" in wrong(options.port, args("host", "--port", "9" * 5000))


def test_codes_come_from_the_flag_or_the_environment():
    assert options.code(args("host"), {}) is None
    assert options.code(args("host", "--code", "Maple Otter-tulip"), {}) == "maple-otter-tulip"
    assert options.code(args("host"), {"SORRY_LAN_CODE": "maple-otter-tulip"}) == "maple-otter-tulip"
    assert options.code(args("host", "--open"), {"SORRY_LAN_CODE": "maple-otter-tulip"}) is None


def test_wrong_codes():
    assert "three words" in wrong(options.parse_code, "maple-otter")
    assert "Did you mean maple-otter-tulip" in wrong(options.parse_code, "mapel-otter-tulip")
    assert "Did you mean maple-otter-tulip" in wrong(options.parse_code, "mapel otters tulib")
    assert "three words" in wrong(options.parse_code, "192.168.1.20")
    assert "three words" in wrong(options.parse_code, "192.168.001.020")
    assert "three words" in wrong(options.parse_code, "sorry-lan://bob/maple-otter-tulip")


def test_what_a_host_says_about_being_found():
    assert options.finding(args("host")) is Finding.ANNOUNCED
    assert options.finding(args("host", "--no-discovery")) is Finding.SILENT
    assert options.advertised(args("host")) is None
    assert options.advertised(args("host", "--advertise", "bob.local:9000")) == "bob.local:9000"
    assert "Did you mean 10.0.0.1" in wrong(options.advertised, args("host", "--advertise", "10.0.0.01"))
    assert "names no computer" in wrong(options.advertised, args("host", "--advertise", "maple otter tulip"))
    assert options.picture(args("host"), Signs.UNICODE) is None
    assert options.picture(args("host", "--qr"), Signs.UNICODE) is Blocks.HALF
    assert options.picture(args("host", "--qr"), Signs.ASCII) is Blocks.ASCII
    assert options.picture(args("host", "--qr", "--ascii"), Signs.UNICODE) is Blocks.ASCII


def test_how_long_to_look():
    assert options.seconds("--seconds", "3") == 3.0
    assert "from 1 to 3600" in wrong(options.seconds, "--seconds", "0")


def test_a_code_on_the_command_line_may_not_be_given_to_an_open_table():
    assert "leave --code away" in wrong(options.code, args("host", "--open", "--code", "maple-otter-tulip"), {})


def test_manners():
    assert options.manner(args("host")) is Manner.PLAIN
    assert options.manner(args("host", "--json")) is Manner.JSON
    assert "exclude" in wrong(options.manner, args("host", "--json", "--plain"))


def test_the_level_that_plays_by_itself():
    assert options.auto_level(args("host")) is None
    assert options.auto_level(args("host", "--auto")) == 0
    assert options.auto_level(args("host", "--auto", "easy")) == 0
    assert options.auto_level(args("host", "--auto=Expert")) == 3
    assert "one of easy, medium" in wrong(options.auto_level, args("host", "--auto=clever"))


def test_the_demo():
    assert options.players(args("demo")) == 4
    assert options.players(args("demo", "--players", "2")) == 2
    assert "from 2 to 4" in wrong(options.players, args("demo", "--players", "1"))
    assert options.demo_bots(args("demo", "--bots", "1"), 3) == 1
    assert "do not make" in wrong(options.demo_bots, args("demo", "--bots", "1"), 4)
    assert options.delay_s(args("demo")) == 0
    assert options.delay_s(args("demo", "--delay", "0.5")) == 0.5
    for text in ("x", "-1", "61", "nan", "inf"):
        assert "seconds from 0 to 60" in wrong(options.delay_s, args("demo", "--delay", text))


@pytest.mark.parametrize(
    ("words", "screen", "manner"),
    [
        ([], Screen.THERE, Manner.SCREEN),
        ([], Screen.NONE, Manner.PLAIN),
        (["--auto"], Screen.THERE, Manner.SCREEN),
        (["--plain"], Screen.THERE, Manner.PLAIN),
        (["--json"], Screen.THERE, Manner.JSON),
        (["--json"], Screen.NONE, Manner.JSON),
    ],
)
def test_a_table_fills_the_screen_where_there_is_one_and_nothing_else_was_asked_for(words, screen, manner):
    assert options.table_manner(parse(["play", *words]), screen) is manner


def test_a_screen_is_as_the_flags_say():
    usual = options.taste(parse(["play"]), Signs.UNICODE)
    assert usual == Taste()
    words = ["--no-bell", "--no-animation", "--turn-board", "--confirm", "always", "--ascii"]
    other = options.taste(parse(["play", *words]), Signs.UNICODE)
    assert other == Taste(Signs.ASCII, Confirm.ALWAYS, Pace.NONE, Bell.OFF, Turned.OWN_BELOW)
    assert options.taste(parse(["join", "--speed", "FAST"]), Signs.ASCII).pace is Pace.FAST


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--speed", "fats"], "--speed takes one of slow, normal, fast, not 'fats'. Did you mean fast?"),
        (["--speed", "none"], "--speed takes one of slow, normal, fast, not 'none'."),
        (["--confirm", "x"], "--confirm takes one of always, risky, never, not 'x'."),
    ],
)
def test_a_flag_of_the_screen_with_a_wrong_value_is_one_sentence(words, sentence):
    assert wrong(options.taste, parse(["play", *words]), Signs.UNICODE) == sentence


def test_what_a_host_forbids():
    assert options.forbidden(args("host")) == Option.NONE
    assert options.forbidden(args("host", "--no-hints")) == Option.NO_HINTS
    both = Option.NO_HINTS | Option.NO_FREE_CHAT
    assert options.forbidden(args("play", "--phrases-only", "--no-hints")) == both
    assert "does not belong to join" in wrong(args, "join", "ada.local", "--no-hints")

from __future__ import annotations

import pytest

from sorry_lan.ui.answers import Answer, Stay
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.draw_start import StartChoice
from sorry_lan.ui.full_screen import Key, Mouse
from sorry_lan.ui.start_client import StartClient
from tests.ui.build import in_lobby, lobby

LEFT = Answer(stay=Stay.LEAVE)


class Person:
    """Somebody before the start screen; keys are signs or Keys, a text is typed sign by sign."""

    def __init__(self):
        self.client = StartClient("Ada", "1.0", Signs.UNICODE)
        self.last = Answer()

    def types(self, *keys):
        for key in keys:
            for stroke in [key] if isinstance(key, Key) else key:
                self.last = self.client.typed(stroke, 0.0)
        return self

    def sees(self, width=80, height=24):
        return self.client.draw(width, height, 0.0).picture.text()


@pytest.mark.parametrize(
    ("keys", "command"),
    [
        (["h"], ("host",)),
        ([Key.ENTER], ("host",)),
        (["p"], ("play",)),
        ([Key.DOWN, Key.DOWN, Key.ENTER], ("play",)),
        ([Key.TAB, Key.TAB, Key.BACK_TAB, Key.UP, Key.ENTER], ("host",)),
        (["r"], ("resume",)),
        (["g"], ("games",)),
        (["q"], ()),
        ([Key.UP, Key.ENTER], ()),
        ([Key.ESCAPE], ()),
        ([Key.END_OF_INPUT], ()),
        (
            ["j192.0.2.7", Key.ENTER, "maple otter tulip", Key.ENTER],
            ("join", "192.0.2.7", "--code", "maple-otter-tulip"),
        ),
        (["j", "192.0.2.7", Key.ENTER, Key.ENTER], ("join", "192.0.2.7", "--open")),
        (["j", "192.0.2.77", Key.BACKSPACE, Key.ENTER, Key.ENTER], ("join", "192.0.2.7", "--open")),
    ],
)
def test_each_choice_ends_in_its_command(keys, command):
    somebody = Person().types(*keys)
    assert somebody.last == LEFT
    assert somebody.client.command == command


def test_an_interrupt_ends_the_program():
    assert Person().types("j", Key.INTERRUPT).last == Answer(stay=Stay.INTERRUPT)


def test_other_keys_do_nothing():
    somebody = Person().types("z", Key.LEFT)
    assert somebody.last == Answer()
    assert "> h  Host a game" in somebody.sees()


def test_the_address_comes_before_the_code():
    somebody = Person().types("j", "192.0.2.7")
    assert "Address of the host: 192.0.2.7" in somebody.sees()
    assert "three words" in somebody.types(Key.ENTER).sees().split("\n")[-2]


@pytest.mark.parametrize("text", ["", "  ", "--version"])
def test_what_is_no_address_is_not_taken(text):
    somebody = Person().types("j", text, Key.ENTER)
    assert somebody.last == Answer()
    assert "Address of the host" in somebody.sees()


def test_the_words_of_a_code_are_completed():
    somebody = Person().types("j", "a", Key.ENTER, "map", Key.TAB)
    assert "(three words, or empty): maple" in somebody.sees()
    assert "maple-zzz" in somebody.types("-zzz", Key.TAB).sees()
    assert "maple-zzz-" in somebody.types("-", Key.TAB).sees()


def test_tab_in_an_address_adds_nothing():
    assert "host: a " in Person().types("j", "a", Key.TAB).sees()


def test_escape_leads_back_to_the_choices():
    somebody = Person().types("j", "x", Key.ESCAPE)
    assert "Address" not in somebody.sees()
    assert "> j" in somebody.sees()


def test_a_paste_goes_into_a_line_and_chooses_nothing():
    somebody = Person()
    assert somebody.client.pasted("h", 0.0) == Answer()
    somebody.types("j")
    somebody.client.pasted("192.0.2.7\n", 0.0)
    assert somebody.client.command == ()
    assert "host: 192.0.2.7" in somebody.sees()


def test_a_line_end_that_comes_as_a_paste_adds_nothing():
    somebody = Person().types("j", "a")
    somebody.client.pasted("\n", 0.0)
    assert "host: a " in somebody.sees()
    assert "host: a b" in somebody.types(" b").sees()


def test_the_help_can_be_read_and_left():
    somebody = Person().types("?")
    assert "sorry-lan  Help" in somebody.sees()
    before = somebody.sees(40, 12)
    assert somebody.types(Key.DOWN).sees(40, 12) != before
    assert somebody.types(Key.PAGE_DOWN, Key.PAGE_DOWN, Key.PAGE_UP, Key.UP, "z").sees(40, 12) != before
    assert "Host a game" in somebody.types(Key.ESCAPE).sees()


def test_scrolling_past_the_end_is_forgotten():
    somebody = Person().types("?", *[Key.PAGE_DOWN] * 50)
    somebody.sees(40, 12)
    end = somebody.sees(40, 12)
    assert somebody.types(Key.UP).sees(40, 12) != end


def test_a_click_on_a_choice_takes_it():
    somebody = Person()
    shown = somebody.client.draw(80, 24, 0.0)
    assert shown.mouse is Mouse.ON
    row = next(y for y, row in enumerate(shown.picture.text().split("\n")) if " p  Play here" in row)
    assert somebody.client.clicked(10, row, 0.0) == LEFT
    assert somebody.client.command == ("play",)
    assert somebody.client.clicked(10, 1, 0.0) == Answer()


def test_while_an_address_is_typed_the_mouse_is_the_terminals():
    assert Person().types("j").client.draw(80, 24, 0.0).mouse is Mouse.OFF


def test_every_choice_is_reached_by_its_key():
    for choice in StartChoice:
        Person().types(choice.value)


def test_tables_and_notices_are_nobodys_here():
    somebody = Person()
    before = somebody.sees()
    somebody.client.show(in_lobby(lobby()), (), 0.0)
    assert somebody.sees() == before

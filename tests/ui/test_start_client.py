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
        (["j"], ("join",)),
    ],
)
def test_each_choice_ends_in_its_command(keys, command):
    somebody = Person().types(*keys)
    assert somebody.last == LEFT
    assert somebody.client.command == command


def test_an_interrupt_ends_the_program():
    assert Person().types(Key.INTERRUPT).last == Answer(stay=Stay.INTERRUPT)


def test_other_keys_do_nothing():
    somebody = Person().types("z", Key.LEFT)
    assert somebody.last == Answer()
    assert "> h  Host a game" in somebody.sees()


def test_a_paste_chooses_nothing():
    somebody = Person()
    assert somebody.client.pasted("h", 0.0) == Answer()
    assert somebody.client.command == ()
    assert "> h" in somebody.sees()


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


def test_every_choice_is_reached_by_its_key():
    for choice in StartChoice:
        Person().types(choice.value)


def test_tables_and_notices_are_nobodys_here():
    somebody = Person()
    before = somebody.sees()
    somebody.client.show(in_lobby(lobby()), (), 0.0)
    assert somebody.sees() == before

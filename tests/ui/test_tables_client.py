"""The page of the tables in this network: what each key does, and where it ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.table.diagnosis import Diagnosis, System
from sorry_lan.table.notices import CodeUse, Connecting, Watch
from sorry_lan.ui.answers import Answer, Stay
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.chosen import Chosen, NotUnderstood, Reading
from sorry_lan.ui.draw_tables import Sight
from sorry_lan.ui.examination import Wanted
from sorry_lan.ui.full_screen import Key, Mouse
from sorry_lan.ui.tables_client import PATIENCE_S, Box, Ending, TablesClient, completed_code
from sorry_lan.ui.typing import Typing, line
from tests.ui.build import in_lobby, lobby
from tests.ui.pages import found_ones

LEFT = Answer(stay=Stay.LEAVE)
NEEDED, NONE = CodeUse.NEEDED, CodeUse.NONE


def where(text: str) -> Chosen:
    if not text or text.startswith("?"):
        raise NotUnderstood(f"{text} says nothing.")
    return Chosen(None, text, NEEDED) if text.count("-") == 2 else Chosen(f"{text}:7777", None, NEEDED)


def code(text: str) -> str:
    if text.count("-") != 2:
        raise NotUnderstood(f"{text} is no code.")
    return text


class Person:
    """Somebody before the page; keys are signs or Keys, a text is typed sign by sign."""

    def __init__(self, sight: Sight | None = None, told: str = "", box: Box | None = None) -> None:
        self.client = TablesClient("Ada", Reading(where, code), Signs.UNICODE, told, box)
        self.last = Answer()
        if sight is not None:
            self.client.found(sight)

    def types(self, *keys: Key | str) -> Person:
        for key in keys:
            for stroke in [key] if isinstance(key, Key) else key:
                self.last = self.client.typed(stroke, 0.0)
        return self

    def sees(self, now_s: float = 0.0, width: int = 80, height: int = 24) -> str:
        return self.client.draw(width, height, now_s).picture.text()

    def marked(self) -> str:
        """The row with the mark."""
        return next((row.strip() for row in self.sees().split("\n") if row.startswith(" > ")), "")


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        ([Key.ENTER, "maple-otter-tulip", Key.ENTER], Chosen("192.168.1.20:7777", "maple-otter-tulip", NEEDED)),
        (["2", Key.ENTER, "a-b-c", Key.ENTER], Chosen("192.168.1.21:7777", "a-b-c", NEEDED)),
        (["3", Key.ENTER], Chosen("192.168.1.23:7777", None, NONE)),
        ([Key.UP, Key.ENTER], Chosen("192.168.1.23:7777", None, NONE)),
        ([Key.DOWN, Key.DOWN, Key.ENTER], Chosen("192.168.1.23:7777", None, NONE)),
        ([Key.DOWN, Key.TAB, Key.TAB, Key.BACK_TAB, Key.ENTER], Chosen("192.168.1.23:7777", None, NONE)),
        (["3w"], Chosen("192.168.1.23:7777", None, NONE, watch=True)),
        (["2wa-b-c", Key.ENTER], Chosen("192.168.1.21:7777", "a-b-c", NEEDED, watch=True)),
        (["amaple-otter-tulip", Key.ENTER], Chosen(None, "maple-otter-tulip", NEEDED)),
        (["a192.0.2.9", Key.ENTER, "a-b-c", Key.ENTER], Chosen("192.0.2.9:7777", "a-b-c", NEEDED)),
        (["a192.0.2.9", Key.ENTER, Key.ENTER], Chosen("192.0.2.9:7777", None, NONE)),
        (["a192.0.2.99", Key.BACKSPACE, Key.ENTER, Key.ENTER], Chosen("192.0.2.9:7777", None, NONE)),
        (["a192.168.1.23", Key.ENTER], Chosen("192.168.1.23:7777", None, NONE)),
        (["a192.168.1.20", Key.ENTER, "a-b-c", Key.ENTER], Chosen("192.168.1.20:7777", "a-b-c", NEEDED)),
    ],
)
def test_each_way_to_a_table(keys: list[Key | str], chosen: Chosen) -> None:
    somebody = Person(found_ones()).types(*keys)
    assert (somebody.last, somebody.client.ending, somebody.client.chosen) == (LEFT, Ending.JOIN, chosen)


@pytest.mark.parametrize(
    ("key", "ending"), [("h", Ending.HOST), (Key.ESCAPE, Ending.BACK), (Key.END_OF_INPUT, Ending.BACK)]
)
def test_each_other_way_out(key: Key | str, ending: Ending) -> None:
    somebody = Person(found_ones()).types(key)
    assert (somebody.last, somebody.client.ending, somebody.client.chosen) == (LEFT, ending, None)


def test_an_interrupt_ends_the_program_from_a_line_too() -> None:
    assert Person().types("ax", Key.INTERRUPT).last == Answer(stay=Stay.INTERRUPT)


def test_a_table_of_another_version_is_told_of_with_both_and_never_marked() -> None:
    somebody = Person(found_ones())
    told = " ".join(somebody.sees().split())
    assert "- Chloe's table" in told
    assert "Cannot be joined: there 2.0.0 (protocol 2" in told
    assert "here 1.4.0 (protocol 1" in told
    marks = {somebody.types(Key.DOWN).marked()[:15] for _each in range(6)}
    assert marks == {"> 1  Bob's tabl", "> 2  Kitchen ga", "> 3  Old table "}


def test_a_number_that_nobody_has_is_told_and_joins_nothing() -> None:
    somebody = Person(found_ones()).types("7")
    assert "There is no table 7." in somebody.sees()
    assert somebody.marked().startswith("> 1")
    assert Person().types("1", Key.ENTER, Key.DOWN).last == Answer()


def test_what_is_marked_stays_so_wherever_it_moves() -> None:
    sight = found_ones()
    somebody = Person(sight).types("2")
    somebody.client.found(replace(sight, tables=sight.tables[1:]))
    assert somebody.marked().startswith("> 1  Kitchen game")


def test_enter_joins_nothing_where_the_marked_table_has_just_gone() -> None:
    sight = found_ones()
    somebody = Person(sight).types("2")
    somebody.client.found(replace(sight, tables=sight.tables[2:]))
    assert "Kitchen game does not answer any more." in somebody.sees()
    assert somebody.types(Key.ENTER).last == Answer()
    assert somebody.client.box is None
    assert somebody.types(Key.DOWN).marked().startswith("> 1  Old table")


def test_as_long_as_nobody_chose_the_first_that_fits_is_marked() -> None:
    sight = found_ones()
    somebody = Person(replace(sight, tables=()))
    somebody.client.found(sight)
    assert somebody.marked().startswith("> 1  Bob's table")
    somebody.client.found(replace(sight, tables=sight.tables[1:]))
    assert somebody.marked().startswith("> 1  Kitchen game")
    assert "any more" not in somebody.sees()


def test_tables_are_waited_for_before_it_is_told_that_there_are_none() -> None:
    somebody = Person()
    assert "Looking for tables" in somebody.sees(100.0)
    assert somebody.client.draw(80, 24, 100.0).next_tick_s == 100.0 + PATIENCE_S
    somebody.client.found(replace(found_ones(), tables=()))
    assert "Looking for tables" in somebody.sees(100.0 + PATIENCE_S - 0.1)
    told = " ".join(somebody.sees(100.0 + PATIENCE_S).split())
    assert "No table was found: nobody answered." in told
    assert "Searching on: wlan0 192.168.1.23, lo 127.0.0.1" in told
    assert somebody.client.draw(80, 24, 100.0 + PATIENCE_S).next_tick_s is None


def test_what_says_nothing_is_told_and_can_be_mended() -> None:
    somebody = Person().types("a?", Key.ENTER)
    assert somebody.last == Answer()
    assert "? says nothing." in somebody.sees()
    assert "Address or code: ?" in somebody.sees()
    somebody.types(Key.BACKSPACE, "a-b-c", Key.ENTER)
    assert somebody.client.chosen == Chosen(None, "a-b-c", NEEDED)


def test_a_code_that_is_none_or_missing_is_told() -> None:
    somebody = Person(found_ones()).types(Key.ENTER, Key.ENTER)
    assert somebody.last == Answer()
    assert "This table has a code" in somebody.sees()
    assert "a-b is no code." in somebody.types("a-b", Key.ENTER).sees()
    assert "a-b is no code." not in somebody.types(Key.ESCAPE).sees()
    assert somebody.client.box is None


def test_the_last_try_is_told_with_its_line_to_be_mended() -> None:
    box = Box(line("a-b-x"), "192.168.1.20:7777", NEEDED)
    somebody = Person(found_ones(), "The join code is wrong.", box)
    assert "The join code is wrong." in somebody.sees()
    somebody.types(Key.BACKSPACE, "c", Key.ENTER)
    assert somebody.client.chosen == Chosen("192.168.1.20:7777", "a-b-c", NEEDED)


def test_a_paste_opens_the_line_and_joins_nothing() -> None:
    somebody = Person(found_ones())
    assert somebody.client.pasted("maple-otter-tulip\n", 0.0) == Answer()
    somebody.client.pasted(" x", 0.0)
    assert somebody.client.chosen is None
    assert "Address or code: maple-otter-tulipx" in somebody.sees()


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("map", "maple"),
        ("maple-ott", "maple-otter"),
        ("maple otter tul", "maple-otter-tulip"),
        ("maple-", "maple-"),
        ("bob.local", "bob.local"),
        ("192.168.1.20", "192.168.1.20"),
        ("Bob x", "Bob x"),
        ("", ""),
    ],
)
def test_tab_completes_the_last_word_of_a_code_and_nothing_else(typed: str, completed: str) -> None:
    assert completed_code(line(typed)).text == completed
    assert Person().types("a", typed, Key.TAB).client.box == Box(Typing(completed, len(completed)))


def test_the_words_that_a_code_can_go_on_with_are_told_while_there_are_few() -> None:
    assert "Words that fit: magnet, mango, maple, marble, market" in Person().types("a", "otter-ma").sees()
    assert "Words that fit" not in Person().types("a", "otter-s").sees()
    assert "Words that fit" not in Person().types("a", "otter-maple").sees()
    assert "Words that fit" not in Person().types("a", "bob.local").sees()


def test_the_doctor_looks_at_the_way_to_the_marked_table() -> None:
    somebody = Person(found_ones())
    woken: list[None] = []
    somebody.client.examination.serve(lambda: woken.append(None))
    assert "What is in the way?" in somebody.types("2d").sees()
    assert somebody.client.examination.wanted == Wanted("192.168.1.21:7777", None)
    assert somebody.client.draw(80, 24, 50.0).next_tick_s == 50.25
    somebody.client.examination.done(Diagnosis(None, 7777, System.LINUX, None, ()))
    assert somebody.client.draw(80, 24, 50.0).next_tick_s is None
    somebody.types("d", Key.DOWN, Key.PAGE_DOWN, Key.PAGE_UP, Key.UP, "z")
    assert len(woken) == 2
    somebody.client.pasted("x", 0.0)
    assert "Join a game" in somebody.types(Key.ESCAPE).sees()
    assert somebody.client.box is None


def test_without_a_table_the_doctor_looks_at_this_computer() -> None:
    somebody = Person()
    somebody.client.examination.serve(lambda: None)
    somebody.types("d")
    assert somebody.client.examination.wanted == Wanted("", None)


def test_many_tables_can_be_scrolled_and_have_nine_numbers() -> None:
    sight = found_ones()
    many = tuple(replace(sight.tables[0], key=str(n), address=f"192.168.1.{n}:7777") for n in range(30))
    somebody = Person(replace(sight, tables=many)).types("9")
    assert somebody.marked().startswith("> 9")
    somebody.types(Key.DOWN)
    assert somebody.marked().startswith(">    Bob's table")
    before = somebody.sees()
    assert somebody.types(Key.PAGE_DOWN).sees() != before
    assert somebody.types(Key.PAGE_UP).sees() == before


def test_the_mouse_is_the_terminals() -> None:
    somebody = Person(found_ones())
    assert somebody.client.draw(80, 24, 0.0).mouse is Mouse.OFF
    assert somebody.client.clicked(3, 4, 0.0) == Answer()


def test_other_keys_tables_and_notices_change_nothing() -> None:
    somebody = Person(found_ones())
    before = somebody.sees()
    somebody.types("z", Key.LEFT)
    somebody.client.show(in_lobby(lobby()), (), 0.0)
    somebody.client.notice(Connecting("x"), 0.0)
    assert somebody.sees() == before


def test_a_table_that_has_no_watchers_is_not_watched() -> None:
    sight = found_ones()
    closed = tuple(replace(table, card=replace(table.card, watch=Watch.NO)) for table in sight.tables)
    somebody = Person(replace(sight, tables=closed)).types("3w")
    assert somebody.client.chosen is None
    assert "cannot be watched" in somebody.sees()

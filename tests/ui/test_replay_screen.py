"""A kept game on the full screen: stepping, jumping, playing, pages, leaving."""

from __future__ import annotations

import re

import pytest

from sorry_lan.table.view import Phase, View
from sorry_lan.ui.answers import Answer, Stay
from sorry_lan.ui.client import Client
from sorry_lan.ui.full_screen import Key, Mouse
from sorry_lan.ui.replay_screen import PAUSE_S, ReplayScreen
from sorry_lan.ui.taste import Pace, Taste
from tests.ui.test_replay_plain import line

LAST = line().last


class Watching:
    """A screen, a clock, and keys that come a second after each other."""

    def __init__(self, taste: Taste) -> None:
        self.screen = ReplayScreen(line(), taste)
        self.now_s = 1000.0
        self.size = (80, 24)

    def press(self, *keys: Key | str) -> Answer:
        answer = Answer()
        for key in keys:
            self.now_s += 1
            answer = self.screen.typed(key, self.now_s)
            self.text()
        return answer

    def text(self) -> str:
        return self.screen.draw(*self.size, self.now_s).picture.text()

    @property
    def at(self) -> int:
        found = re.search(r"Step (\d+) of (\d+)", self.text())
        assert found is not None
        assert int(found[2]) == LAST
        return int(found[1])

    def board(self) -> list[str]:
        """The rows of the board."""
        return [row[:48] for row in self.text().split("\n")[1:17]]


def test_help_tells_the_keys_of_a_replay_scrolls_and_closes(watching: Watching) -> None:
    for key in ("h", "?"):
        watching.press(key)
        assert "play on by itself, or stop" in watching.text()
        assert "draw your card" not in watching.text()
        watching.press(Key.DOWN, Key.DOWN)
        assert "play on by itself" not in watching.text().split("\n")[3]
        watching.press(*[Key.PAGE_DOWN] * 9)
        below = watching.text()
        watching.press("x", Key.UP)
        assert watching.text() != below
        assert watching.press("q").stay is Stay.ON
        assert watching.at == 0


def test_a_click_closes_the_help(watching: Watching) -> None:
    watching.press("h")
    row = watching.text().split("\n").index(next(row for row in watching.text().split("\n") if row.startswith(" Esc")))
    watching.screen.clicked(2, row, watching.now_s)
    assert watching.at == 0


@pytest.fixture
def watching() -> Watching:
    return Watching(Taste(pace=Pace.NONE))


def drawn_by_the_client(number: int) -> list[str]:
    """The board of a step as somebody sees it who was there from the beginning."""
    client = Client(Taste(pace=Pace.NONE))
    for each in range(number + 1):
        client.show(line().at(each).view, line().at(each).news, float(each))
    return [row[:48] for row in client.draw(80, 24, number + 1.0).picture.text().split("\n")[1:17]]


def test_it_begins_before_the_first_card(watching: Watching) -> None:
    assert watching.at == 0
    assert "The game begins" in watching.text()


@pytest.mark.parametrize("on", [Key.RIGHT, Key.DOWN, Key.PAGE_DOWN, Key.ENTER, "n"])
@pytest.mark.parametrize("back", [Key.LEFT, Key.UP, Key.PAGE_UP, "p"])
def test_keys_go_on_and_back_and_no_further_than_there_are_steps(
    watching: Watching, on: Key | str, back: Key | str
) -> None:
    watching.press(on, on, back)
    assert watching.at == 1
    watching.press(back, back, back)
    assert watching.at == 0
    watching.press(Key.END)
    assert watching.at == LAST
    watching.press(on)
    assert watching.at == LAST
    watching.press(Key.HOME)
    assert watching.at == 0


@pytest.mark.parametrize("number", [1, 2, LAST // 2, LAST - 1])
def test_each_step_shows_the_board_that_the_table_showed_however_one_came_there(
    watching: Watching, number: int
) -> None:
    watching.press(*str(number), Key.ENTER)
    assert watching.at == number
    jumped = watching.board()
    watching.press(Key.HOME, *[Key.RIGHT] * number)
    assert watching.board() == jumped == drawn_by_the_client(number)


def test_a_number_is_shown_while_it_is_typed_corrected_and_forgotten_by_other_keys(watching: Watching) -> None:
    watching.press("1", "2")
    assert "> 12 " in watching.text()
    watching.press(Key.BACKSPACE, Key.ENTER)
    assert watching.at == 1
    watching.press("9", Key.RIGHT, Key.ENTER)
    assert watching.at == 3
    watching.press(*"99999999", Key.ENTER)
    assert watching.at == LAST


def test_the_log_and_the_numbers_hold_only_what_came_before(watching: Watching) -> None:
    watching.press(Key.END, Key.HOME)
    assert "wins!" not in watching.text()
    assert "WON" not in watching.text()


def test_space_plays_by_itself_and_stops_at_the_end_and_at_any_jump(watching: Watching) -> None:
    watching.press(str(LAST - 2), Key.ENTER)
    watching.press(*str(LAST - 2), Key.ENTER, " ")
    assert "playing" in watching.text()
    for _ in range(20):
        watching.now_s += PAUSE_S
        watching.text()
    assert watching.at == LAST
    assert "playing" not in watching.text()
    watching.press(" ")
    assert "playing" not in watching.text()
    watching.press(Key.HOME, " ")
    assert "playing" in watching.text()
    watching.press(" ")
    assert "playing" not in watching.text()
    watching.press(" ", Key.LEFT)
    assert "playing" not in watching.text()


def test_playing_waits_for_the_film_of_each_step() -> None:
    watching = Watching(Taste())
    watching.press(Key.RIGHT)
    shown = watching.screen.draw(80, 24, watching.now_s)
    assert shown.next_tick_s is not None
    watching.screen.typed(" ", watching.now_s)
    steps = 0
    while watching.at == 1:
        at_s = watching.screen.draw(80, 24, watching.now_s).next_tick_s
        assert at_s is not None
        assert at_s >= watching.now_s
        watching.now_s = at_s
        steps += 1
        assert steps < 500
    assert watching.at == 2


def test_a_page_lies_over_the_board_until_it_is_closed(watching: Watching) -> None:
    watching.press("f")
    assert "Was the deck fair?" in watching.text()
    assert "Step 0" not in watching.text()
    watching.press("q")
    assert "Was the deck fair?" in watching.text()
    watching.press(Key.ESCAPE)
    assert watching.at == 0
    watching.press("d")
    assert "Step 0" not in watching.text()
    watching.press(Key.ENTER)
    assert watching.at == 0


def test_the_pace_of_the_film_can_be_changed(watching: Watching) -> None:
    watching.press("+", Key.RIGHT)
    assert watching.screen.draw(80, 24, watching.now_s).next_tick_s is not None


@pytest.mark.parametrize(
    ("key", "stay"), [("q", Stay.LEAVE), (Key.END_OF_INPUT, Stay.LEAVE), (Key.INTERRUPT, Stay.INTERRUPT)]
)
def test_leaving(watching: Watching, key: Key | str, stay: Stay) -> None:
    assert watching.press(key) == Answer((), (), stay)


def test_a_page_does_not_hold_anybody_back(watching: Watching) -> None:
    watching.press("f")
    assert watching.press(Key.INTERRUPT).stay is Stay.INTERRUPT


def test_the_keys_in_the_last_row_can_be_clicked_and_nothing_else(watching: Watching) -> None:
    x = watching.text().split("\n")[-1].index("Right")
    watching.screen.clicked(x, 23, watching.now_s)
    assert watching.at == 1
    for y in range(23):
        for x in range(0, 80, 3):
            watching.screen.clicked(x, y, watching.now_s)
    watching.screen.clicked(79, 23, watching.now_s)
    assert watching.at == 1


def test_nothing_is_pasted_and_no_table_speaks(watching: Watching) -> None:
    assert watching.screen.pasted("5\n", watching.now_s) == Answer()
    watching.screen.show(View(Phase.CLOSED, None, None, ()), (), watching.now_s)
    assert watching.at == 0


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (40, 12), (60, 20), (120, 40), (300, 3)])
def test_every_size_is_filled_exactly(watching: Watching, size: tuple[int, int]) -> None:
    watching.size = size
    lines = watching.text().split("\n")
    assert (len(lines), {len(text) for text in lines}) == (size[1], {size[0]})
    shown = watching.screen.draw(*size, watching.now_s)
    assert (shown.mouse, shown.bells, shown.title) == (Mouse.ON, 0, "sorry-lan replay")

"""Any keys, clicks, pastes and sizes in any order: the client never raises, fills its screen, and the game stands."""

from __future__ import annotations

import unicodedata
from random import Random

import pytest

from sorry_lan.table.events import SeatDecided
from sorry_lan.ui.answers import Stay
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.full_screen import Key, Shown
from sorry_lan.ui.taste import Confirm, Pace, Taste, Turned
from tests.ui.hands import STANDARD, Hands, alone

KEYS: tuple[Key | str, ...] = (
    *(key for key in Key if key not in (Key.INTERRUPT, Key.END_OF_INPUT)),
    *"1234567890?/tdfhHxm+-p yn²٣宽",
    *(Key.ENTER, "1", Key.ENTER, "1"),
)
PASTES = ("r1 10", "\x1b[2Jé\n1\n", "draw", "why r1 3", "1\n1\n", "\u202e\u200b宽", "mute blue", "leave")


def check(shown: Shown, width: int, height: int) -> None:
    """Exactly as large as asked for, no control sign in it, and never the words of a program that gives up."""
    rows = shown.picture.rows
    assert len(rows) == height
    text = shown.picture.text()
    assert not [sign for sign in text if unicodedata.category(sign) in {"Cc", "Cf"} and sign != "\n"]
    assert not [sign for sign in shown.title if unicodedata.category(sign) in {"Cc", "Cf"}]
    assert "too small" not in text
    if shown.picture.cursor is not None:
        x, y = shown.picture.cursor
        assert 0 <= x < width
        assert 0 <= y < height


def random_size(dice: Random) -> tuple[int, int]:
    if dice.random() < 0.5:
        return dice.choice(((120, 40), (80, 24), (60, 20), (40, 12), (79, 23), (119, 39), (1, 1)))
    return 1 + int(dice.random() ** 3 * 500), 1 + int(dice.random() ** 3 * 300)


def one_step(hands: Hands, dice: Random) -> None:
    match dice.randrange(12):
        case 0:
            hands.size = random_size(dice)
        case 1:
            hands.client.pasted(dice.choice(PASTES), hands.now_s)
        case 2:
            hands.paste(dice.choice(PASTES))
        case 3:
            width, height = hands.size
            hands._do(hands.client.clicked(dice.randrange(width), dice.randrange(height), hands.now_s))
        case 4:
            zones = hands.see().picture.zones
            if zones and (zone := dice.choice(zones)).key != Key.INTERRUPT.value:
                hands.click(zone)
        case _:
            hands.press(dice.choice(KEYS), after_s=dice.choice((0.001, 0.03, 0.3, 1.0)))
    check(hands.see(), *hands.size)


@pytest.mark.parametrize("seed", range(3))
def test_whatever_somebody_does_every_screen_can_be_drawn(seed: int) -> None:
    dice = Random(seed)
    taste = Taste(
        signs=dice.choice(list(Signs)),
        confirm=dice.choice(list(Confirm)),
        pace=dice.choice(list(Pace)),
        board=dice.choice(list(Turned)),
    )
    hands = alone(taste, rules=STANDARD, seed=seed, bots=1 + seed % 3)
    for _ in range(200):
        one_step(hands, dice)
        if hands.stay is not Stay.ON:
            hands.stay = Stay.ON
        if hands.node.finished is not None:
            break


def test_a_game_is_drawn_in_every_size_from_one_cell_to_huge() -> None:
    hands = alone(Taste(pace=Pace.NONE), rules=STANDARD, seed=1, bots=3)
    for _ in range(6):
        asked = hands.until_asked()
        assert asked is not None
        hands.press(Key.ENTER, "1", Key.ENTER)
    hands.until_asked()
    for width in (*range(1, 60, 7), 59, 60, 61, 79, 80, 119, 120, 121, 250, 500):
        for height in (1, 2, 3, 5, 11, 12, 19, 20, 21, 23, 24, 39, 40, 41, 100):
            hands.size = (width, height)
            check(hands.see(), width, height)


def test_nothing_pasted_as_keys_ever_plays() -> None:
    hands = alone(Taste(pace=Pace.NONE, confirm=Confirm.NEVER), rules=STANDARD, seed=3, bots=1)
    for _ in range(10):
        if hands.until_asked() is None:
            break
        before = len(hands.done)
        hands.wait(1)
        for text in ("1\n", "11\n\n", "x1\n2\n3\n", "/1\n", "/draw\n\n", "tyn\n", "y\n"):
            hands.paste(text)
            hands.press(Key.ESCAPE, Key.ESCAPE, Key.ESCAPE, Key.ESCAPE)
        assert [one for one in hands.done[before:] if isinstance(one, SeatDecided)] == []
        hands.press(Key.ENTER, "1", Key.ENTER)

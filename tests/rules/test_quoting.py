"""What somebody wrote stands in a refusal as it was written, but never longer than forty signs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sorry_lan.rules.board import parse_colour, parse_loc
from sorry_lan.rules.cards import Card, parse_card
from sorry_lan.rules.misread import Misread
from sorry_lan.rules.moves import parse_text
from sorry_lan.rules.profile import with_switch
from tests.rules.build import STANDARD, at


def move(text: str) -> object:
    return parse_text(text, at("r 20 s s s / b s s s s"), Card.SEVEN)


READERS: dict[str, Callable[[str], object]] = {
    "a colour": parse_colour,
    "a place": parse_loc,
    "a card": parse_card,
    "a move": move,
    "a switch": lambda text: with_switch(STANDARD, text),
}


@pytest.mark.parametrize("read", READERS.values(), ids=list(READERS))
@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("x" * 39, "'" + "x" * 39 + "'"),
        ("x" * 40, "'" + "x" * 40 + "'"),
        ("x" * 41, "'" + "x" * 37 + "...'"),
        ("abc" * 20, "'" + ("abc" * 20)[:37] + "...'"),
        ("é\x1b", r"'\xe9\x1b'"),
    ],
)
def test_what_was_written_is_quoted_up_to_forty_signs(read: Callable[[str], object], written: str, shown: str) -> None:
    with pytest.raises(ValueError, match=" is no ") as caught:
        read(written)
    assert str(caught.value).startswith(shown)


def test_what_was_misread_can_be_said_in_another_language() -> None:
    wrong = Misread("{what} is no card.", {"what": "'x'"})
    assert (wrong.template, wrong.filling, str(wrong)) == ("{what} is no card.", {"what": "'x'"}, "'x' is no card.")
    assert Misread("No card.").filling == {}

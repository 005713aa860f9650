"""The word list: 256 words that cannot be mistaken for one another ([F-8])."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

from sorry_lan.wire.words import WORDS

LIST = Path(__file__).parents[2] / "protocol" / "words.txt"


def distance(one: str, other: str) -> int:
    """Letters put in, left out or changed between two words."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


def test_the_protocol_holds_the_same_list() -> None:
    assert LIST.read_bytes() == "".join(word + "\n" for word in WORDS).encode()


def test_there_is_one_word_a_byte_in_ascending_order() -> None:
    assert len(WORDS) == 256
    assert list(WORDS) == sorted(set(WORDS))


def test_words_are_four_to_six_plain_letters() -> None:
    assert [word for word in WORDS if not re.fullmatch("[a-z]{4,6}", word)] == []


def test_the_first_four_letters_are_enough() -> None:
    assert len({word[:4] for word in WORDS}) == 256


def test_no_word_begins_another() -> None:
    assert [pair for pair in combinations(WORDS, 2) if pair[1].startswith(pair[0])] == []


def test_one_wrong_letter_never_makes_another_word() -> None:
    assert (distance("cat", "cart"), distance("cat", "cut"), distance("cat", "dot")) == (1, 1, 2)
    assert [pair for pair in combinations(WORDS, 2) if distance(*pair) < 2] == []

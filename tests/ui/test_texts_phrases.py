"""The six phrases: the same on every wire, and in everybody's own language on the screen."""

from __future__ import annotations

import gettext

import pytest

from sorry_lan.table.phrases import PHRASES
from sorry_lan.ui.catalogue import use
from sorry_lan.ui.texts_phrases import phrase_texts, said_text


class Shouting(gettext.NullTranslations):
    """A language of its own."""

    def gettext(self, message: str) -> str:
        return message.upper()


@pytest.fixture
def _shouted():
    use(Shouting())
    yield
    use(gettext.NullTranslations())


def test_there_are_six_in_one_order():
    assert phrase_texts() == PHRASES
    assert len(set(PHRASES)) == 6


@pytest.mark.usefixtures("_shouted")
def test_a_phrase_is_read_in_the_readers_language_and_other_words_as_they_were_said():
    assert said_text("Oh no!") == "OH NO!"
    assert said_text("oh no") == "oh no"
    assert said_text("a\x1b[2J") == "a\\x1b[2J"

"""From nothing to the first card: what two new users have to type."""

from __future__ import annotations

from tests.ui.first_card import first_card


def test_two_new_users_need_a_command_each_and_three_words_to_the_first_card() -> None:
    ada, bob, _took_s = first_card(0.03)
    assert (ada.commands, ada.words) == (1, 0)
    assert (bob.commands, bob.words) == (1, 3)
    assert len("sorry-lan host\r") + 3 <= ada.keys
    assert len("sorry-lan join\r") + 3 <= bob.keys

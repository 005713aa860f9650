"""A short whole game of two programs on two terminals, by keys and by clicks; more of it with tests/ui/table.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.table import HANDS, play, transcripts

pytestmark = pytest.mark.untraced


@pytest.mark.parametrize("hand", HANDS)
def test_two_people_play_a_whole_game_on_two_screens_and_keep_the_same_file(tmp_path: Path, hand: str) -> None:
    ends = play(tmp_path, 2, 1, HANDS[hand])
    assert [(end.code, end.clean) for end in ends] == [(0, True), (0, True)]
    assert all("has every pawn Home and wins!" in end.after for end in ends)
    assert len(transcripts(tmp_path)) == 1

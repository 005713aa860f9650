"""A short game on a real terminal by keys and by clicks, and a round of one at four; more: tests/ui/table.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.table import HANDS, TMUX, Tmux, play, transcripts

pytestmark = pytest.mark.untraced


@pytest.mark.parametrize("hand", HANDS)
def test_a_whole_game_is_played_on_the_screen_to_its_end_and_kept(tmp_path: Path, hand: str) -> None:
    (end,) = play(tmp_path, 1, 1, [HANDS[hand]])
    assert (end.code, end.clean) == (0, True)
    assert "has every pawn Home and wins!" in end.after
    assert len(transcripts(tmp_path)) == 1


def test_four_people_at_four_screens_play_a_round_by_digits_and_by_clicks_and_leave(tmp_path: Path) -> None:
    ends = play(tmp_path, 4, 1, list(HANDS.values()), rounds=1)
    assert [(end.code, end.clean) for end in ends] == [(0, True)] * 4
    assert all("sorry-lan resume" in end.after for end in ends[:2])


@pytest.mark.skipif(not TMUX, reason="needs tmux")
@pytest.mark.parametrize("hand", HANDS)
def test_a_whole_game_is_played_inside_tmux(tmp_path: Path, hand: str) -> None:
    (end,) = play(tmp_path, 1, 1, [HANDS[hand]], within=Tmux)
    assert (end.code, end.clean) == (0, True)
    assert len(transcripts(tmp_path)) == 1

"""tools/train_pairs.c plays by the rules that its tables are for, and learns the same from the same seed."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from sorry_lan.bots.pairs import SETS, WEIGHTS
from sorry_lan.rules.profile import PROFILES, Rules, SlideOwnPawns
from tools import train_pairs

pytestmark = [
    pytest.mark.untraced,
    pytest.mark.skipif(shutil.which(os.environ.get("CC", "cc")) is None, reason="needs a C compiler"),
]


@pytest.mark.parametrize("name", PROFILES)
def test_cards_end_there_as_they_do_here(name: str, tmp_path: Path) -> None:
    program = train_pairs.compiled(name, tmp_path)
    for _, seats in [each for each in SETS if each[0] == name]:
        assert train_pairs.check(program, PROFILES[name], seats) > 1000
    with pytest.raises(SystemExit, match="by the rules"):
        train_pairs.check(program, Rules(pawns=PROFILES[name].pawns, ones=4, split_pawns=1), 2)


def test_the_seed_decides_what_is_learned(tmp_path: Path) -> None:
    program = train_pairs.compiled("standard", tmp_path)
    one, two, three = (train_pairs.learn(program, 2, 20_000, seed) for seed in (1, 1, 2))
    assert len(one) == WEIGHTS
    assert one == two != three


def test_rules_it_does_not_know_are_refused() -> None:
    with pytest.raises(SystemExit, match="forbids"):
        train_pairs.header(Rules(slide_own_pawns=SlideOwnPawns.BLOCK))

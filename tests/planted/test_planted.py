"""Every planted bug still fits the product; a few are found in every run, all of them by `python -m tests.planted`."""

from __future__ import annotations

import pytest

from tests.planted.__main__ import ROOT, VARIANTS, main
from tests.planted.variant import Variant, sim


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_a_variant_changes_one_place_and_is_still_a_program(variant: Variant) -> None:
    source = (ROOT / "sorry_lan" / variant.file).read_text()
    planted = variant.planted(source)
    assert planted != source
    compile(planted, variant.file, "exec")


def test_there_are_enough_of_them_in_every_part() -> None:
    assert len(VARIANTS) >= 40
    assert len({variant.name for variant in VARIANTS}) == len(VARIANTS)
    areas = [variant.file.partition("/")[0] for variant in VARIANTS]
    assert min(areas.count(area) for area in ("rules", "wire", "fair", "table", "store")) >= 6


def test_a_snippet_that_stands_nowhere_is_refused() -> None:
    with pytest.raises(ValueError, match="0 times"):
        sim("gone", "rules/fast/core.py", "no such line", "").planted("some text")


def test_a_sample_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "a landing pawn bumps nobody"]) == 0
    assert main(["--only", "sends before the disk has it"]) == 0
    assert main(["--only", "longer forms of numbers are read"]) == 0
    assert capsys.readouterr().out.count("1 of 1 found") == 3


def test_a_bug_that_nothing_finds_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    harmless = sim(
        "harmless", "rules/fast/core.py", "import lru_cache", "import lru_cache  # as before", "--seeds", "0:2"
    )
    monkeypatch.setattr("tests.planted.__main__.VARIANTS", (harmless,))
    assert main([]) == 1
    assert "NOT FOUND" in capsys.readouterr().out

"""Every page at every size: golden files (tests/ui/golden/page_*.txt), hostile words, other languages.

After a wanted change of a page: python -m tests.ui.test_draw_pages
"""

from __future__ import annotations

import gettext
import re
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest

from sorry_lan.ui import catalogue
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.sheet import _plan, last_scroll
from sorry_lan.ui.shown import cells
from tests.ui.hostile import HOSTILE
from tests.ui.pages import PAGES, SIZES, a_lobby, drawn, named_pages

GOLDEN = Path(__file__).parent / "golden"
ODD_SIZES = [(0, 0), (1, 1), (2, 3), (3, 30), (7, 5), (20, 5), (39, 11), (59, 20), (300, 2)]


def golden_path(name: str) -> Path:
    return GOLDEN / f"page_{name.replace('-', '_')}.txt"


def snapshot(name: str) -> str:
    """The page at the four sizes, a bar at either end of each row."""
    parts = []
    for width, height in SIZES:
        rows = drawn(PAGES[name](), width, height).picture().text().split("\n")
        parts += [f"{width}x{height}", *(f"|{row}|" for row in rows), ""]
    return "\n".join(parts)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_looks_as_it_did(name: str) -> None:
    assert snapshot(name) == golden_path(name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_fills_every_size_exactly(name: str) -> None:
    for width, height in [*SIZES, *ODD_SIZES, (500, 300)]:
        rows = drawn(PAGES[name](), width, height).picture().rows
        assert len(rows) == height
        assert {sum(cells(text) for _, text in row) for row in rows} <= {width}


@pytest.mark.parametrize("name", PAGES)
def test_with_ascii_signs_a_page_is_all_ascii(name: str) -> None:
    for width, height in SIZES:
        assert drawn(PAGES[name](), width, height, Signs.ASCII).picture().text().isascii()


@pytest.mark.parametrize("name", PAGES)
def test_every_line_of_a_page_can_be_scrolled_to(name: str) -> None:
    for width, height in [(80, 24), (40, 12), (20, 5)]:
        page = PAGES[name]()
        plan = _plan(width, height, page)
        told = page.lines(plan.width, plan.room, Signs.UNICODE)
        wanted = {"".join(text for _, text in line.spans)[: plan.width + plan.margin].rstrip() for line in told}
        seen = {""}
        for scroll in range(last_scroll(page, width, height, Signs.UNICODE) + 1):
            rows = drawn(replace(page, scroll=scroll), width, height).picture().text().split("\n")
            seen |= {row[plan.margin :].rstrip() for row in rows}
        hidden = wanted - seen
        # What is chosen on a page stands in sight before anybody scrolls, which may hide the very top.
        assert not hidden or (height == 5 and any(line.focus for line in told))


@pytest.mark.parametrize("words", HOSTILE)
def test_what_others_wrote_cannot_harm_a_page(words: str) -> None:
    for page in named_pages(words):
        for width, height in [(80, 24), (40, 12), (20, 5)]:
            picture = drawn(page, width, height).picture()
            for row in picture.rows:
                told = "".join(text for _, text in row)
                assert cells(told) == width
                assert not [sign for sign in told if unicodedata.category(sign)[0] == "C"]
                assert not [sign for sign in told if unicodedata.category(sign) in {"Zl", "Zp"}]


class Pseudo(gettext.NullTranslations):
    """A language in which every sentence is longer and every letter carries an accent."""

    def gettext(self, message: str) -> str:
        return _accented(message) + "~" * (len(message) // 3)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def _accented(message: str) -> str:
    return "".join(
        part if part.startswith("{") else part.translate(_ACCENTS) for part in re.split(r"(\{\w*\})", message)
    )


_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ACCENTS = str.maketrans(_PLAIN, "àƀçđéƒĝĥîĵķļɱñôþǫŕšţûṽŵẋýžÀƁÇĐÉƑĜĤÎĴĶĻṀÑÔÞǪŔŠŢÛṼŴẊÝŽ")

_NO_SENTENCES = re.compile(
    r"sorry-lan(?: (?:verify|replay|join|1\.0))?|--code|maple|plum|otter|tulip|fe80|wlan0|Sorry!"
    r"|/data/\S*|Connecting to|(?:Ada|Bob|Chloe)'s table|Ada|Bob|Chloe|Robo|\w+=\S+|standard|classic"
    r"|Kitchen game|Old table|Eve|Mallory the Great|Trent|\bown\b|\blo 127|Address or code: |Nobody answers at"
    r"|\b[RBYGrbyg][1-4]\b|\b(?:pass|sorry b2)\b|\b[rR][1-9]\d?\b|\bS[0-4]\b"
    r"|hello every|hi! Chloe is coming in a minute|is ready|sits down|says"
    r"|not my pawn please|drew 4|moves from 54 to 50"
    r"|well played!|moves from safe 4 to Home|Green|Blue"
)


@pytest.fixture
def _pseudo():
    catalogue.use(Pseudo())
    yield
    catalogue.use(gettext.NullTranslations())


@pytest.mark.usefixtures("_pseudo")
@pytest.mark.parametrize("name", PAGES)
def test_no_sentence_of_a_page_is_left_out_of_the_catalogue(name: str) -> None:
    told = drawn(PAGES[name](), 120, 120).picture().text()
    assert re.findall(r"[A-Za-z]{2,}", _NO_SENTENCES.sub("", told)) == []


@pytest.mark.usefixtures("_pseudo")
@pytest.mark.parametrize("name", PAGES)
def test_a_longer_language_fits_as_well(name: str) -> None:
    for width, height in [*SIZES, *ODD_SIZES]:
        rows = drawn(PAGES[name](), width, height).picture().rows
        assert {sum(cells(text) for _, text in row) for row in rows} <= {width}


def test_drawing_twice_gives_the_same_picture() -> None:
    page = a_lobby()
    assert drawn(page, 80, 24).picture() == drawn(page, 80, 24).picture()


def _rewrite() -> None:
    for name in PAGES:
        golden_path(name).write_text(snapshot(name), encoding="utf-8")


if __name__ == "__main__":
    _rewrite()

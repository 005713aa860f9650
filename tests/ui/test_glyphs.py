"""The signs on the screen are one cell wide wherever they are shown."""

from __future__ import annotations

import ast
import unicodedata
from dataclasses import fields
from pathlib import Path

import pytest

from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.glyphs import AMBIGUOUS, Glyphs, glyphs, signs_for

UTF8 = {"LANG": "en_GB.UTF-8", "TERM": "xterm-256color"}

EMOJI = frozenset(
    [
        0xA9,
        0xAE,
        0x203C,
        0x2049,
        0x2122,
        0x2139,
        *range(0x2194, 0x219A),
        0x21A9,
        0x21AA,
        0x231A,
        0x231B,
        0x2328,
        0x23CF,
        *range(0x23E9, 0x23F4),
        *range(0x23F8, 0x23FB),
        0x24C2,
        0x25AA,
        0x25AB,
        0x25B6,
        0x25C0,
        *range(0x25FB, 0x25FF),
        *range(0x2600, 0x27C0),
        0x2934,
        0x2935,
        *range(0x2B05, 0x2B08),
        0x2B1B,
        0x2B1C,
        0x2B50,
        0x2B55,
        0x3030,
        0x303D,
        0x3297,
        0x3299,
        *range(0x1F000, 0x1FB00),
    ]
)
"""Signs beyond ASCII that a terminal may show as a picture (emoji-data of Unicode, its blocks taken whole)."""


def signs_of(table: Glyphs) -> str:
    return "".join("".join(getattr(table, field.name)) for field in fields(table))


@pytest.mark.parametrize("signs", Signs)
def test_every_sign_is_one_cell_wide_and_no_emoji(signs: Signs) -> None:
    for sign in signs_of(glyphs(signs)):
        assert unicodedata.east_asian_width(sign) not in {"W", "F"}
        assert unicodedata.category(sign) not in {"Mn", "Me", "Cf", "Cc"}
        assert ord(sign) not in EMOJI


def test_signs_of_ambiguous_width_are_exactly_those_that_are_named() -> None:
    used = signs_of(glyphs(Signs.UNICODE))
    assert {sign for sign in used if unicodedata.east_asian_width(sign) == "A"} == AMBIGUOUS


def test_the_ascii_table_is_ascii() -> None:
    assert signs_of(glyphs(Signs.ASCII)).isascii()


def test_everything_else_that_the_screens_write_is_ascii_or_one_of_these_signs() -> None:
    allowed = {*signs_of(glyphs(Signs.UNICODE)), "\N{NO-BREAK SPACE}"}
    sources = sorted((Path(__file__).parents[2] / "sorry_lan" / "ui").glob("*.py"))
    assert sources
    # languages.py names the letters that it spells otherwise, qr.py has ASCII for its blocks.
    for source in (source for source in sources if source.name not in {"languages.py", "qr.py"}):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                odd = {sign for sign in node.value if not sign.isascii()}
                assert odd <= allowed, f"{source.name}:{node.lineno}"


@pytest.mark.parametrize("signs", Signs)
def test_what_a_square_can_show_differs_in_sign(signs: Signs) -> None:
    table = glyphs(signs)
    one = [table.dot, table.across, table.upright, table.end, *table.arrows]
    assert len(set(one)) == len(one)


@pytest.mark.parametrize("encoding", ["utf-8", "UTF-8", "utf8", "UTF_8"])
def test_a_stream_in_utf_8_gets_lines_and_dots(encoding: str) -> None:
    assert signs_for(UTF8, encoding) is Signs.UNICODE


@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "cp437", "", None])
def test_any_other_stream_gets_ascii(encoding: str | None) -> None:
    assert signs_for(UTF8, encoding) is Signs.ASCII


@pytest.mark.parametrize("locale", ["zh_CN.UTF-8", "ja_JP.UTF-8", "ko_KR.UTF-8"])
def test_an_east_asian_locale_gets_ascii(locale: str) -> None:
    assert signs_for(UTF8 | {"LC_CTYPE": locale}, "utf-8") is Signs.ASCII


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_a_plain_locale_gets_ascii_though_python_writes_utf_8_there(locale: str) -> None:
    assert signs_for({"LANG": locale}, "utf-8") is Signs.ASCII
    assert signs_for({"LC_ALL": locale, "LANG": "de_DE.UTF-8"}, "utf-8") is Signs.ASCII


def test_the_locale_that_counts_is_that_of_all_then_of_signs_then_of_the_language() -> None:
    assert signs_for({"LC_ALL": "C.UTF-8", "LC_CTYPE": "ja_JP.UTF-8"}, "utf-8") is Signs.UNICODE
    assert signs_for({"LC_CTYPE": "C.UTF-8", "LANG": "ja_JP.UTF-8"}, "utf-8") is Signs.UNICODE
    assert signs_for({"LC_CTYPE": "", "LANG": "ja_JP.UTF-8"}, "utf-8") is Signs.ASCII
    assert signs_for({}, "utf-8") is Signs.UNICODE


def test_the_linux_console_gets_ascii() -> None:
    assert signs_for(UTF8 | {"TERM": "linux"}, "utf-8") is Signs.ASCII

"""The manual page: whole, the same as the one in the packages, and nothing in it that its formatter would obey."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sorry_lan.cli.arguments import COMMANDS, FLAGS, TASTE
from sorry_lan.cli.config import key
from sorry_lan.cli.main import main
from sorry_lan.cli.man import EXAMPLE, exit_codes, page
from sorry_lan.ui.catalogue import use
from tests.cli.test_config import settings_of

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    use(gettext.NullTranslations())


def test_the_page_in_the_packages_is_the_one_that_is_made():
    # After a change: python -m sorry_lan man --language en > docs/sorry-lan.6
    assert (DOCS / "sorry-lan.6").read_text() == page()


def test_the_command_prints_it(capsys):
    assert main(["man"]) == 0
    assert capsys.readouterr().out == page()


def test_it_has_every_command_flag_and_setting():
    plain = page().replace("\\-", "-")
    for name in (*COMMANDS, *FLAGS):
        assert re.search(rf"(?m)^\.B .*(?<![\w-]){re.escape(name)}(?![\w-])", plain), name
    for flag in TASTE:
        assert f"{key(flag)} (" in plain


def test_only_the_commands_that_are_meant_begin_a_line():
    commands = {line.split()[0] for line in page().splitlines() if line.startswith((".", "'"))}
    assert commands == {".TH", ".SH", ".TP", ".B", ".PP", ".nf", ".fi"}
    assert not re.search(r"\\[^-&]", page())


def test_its_exit_codes_are_those_of_the_guide():
    table = (DOCS / "play.md").read_text().partition("## Exit codes")[2]
    rows = re.findall(r"(?m)^\| (\d+) \| (.*) \|$", table)
    assert [(code, text.replace("`", "")) for code, text in rows] == list(exit_codes())


def test_its_example_of_settings_is_understood(tmp_path: Path):
    assert settings_of(tmp_path, EXAMPLE) == {"name": "Ada", "colour": "green", "speed": "fast", "no-bell": "yes"}


@pytest.mark.parametrize("language", ["en", "de"])
def test_it_is_there_in_every_language(language, capsys):
    assert main(["man", "--language", language]) == 0
    assert capsys.readouterr().out.startswith(".TH SORRY-LAN 6")

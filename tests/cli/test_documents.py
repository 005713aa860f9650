"""What README and the guides tell about commands, flags and modules is so."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from sorry_lan.cli.arguments import COMMANDS, FLAGS, parse
from tools import command_table

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "play.md").read_text(encoding="utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
TYPED = sorted(set(re.findall(r"`(sorry-lan [^`\n]*)`", README + GUIDE) + re.findall(r"(?m)^(sorry-lan .*)$", GUIDE)))


def test_the_guide_has_every_command_and_flag_as_the_program_has_them():
    assert command_table.generated(GUIDE) == GUIDE
    for flag in FLAGS:
        assert f"`{flag}" in GUIDE
    for command in COMMANDS:
        assert f"| `{command}" in GUIDE


def test_a_table_that_is_out_of_date_is_noticed_and_written(tmp_path, monkeypatch, capsys):
    stale = tmp_path / "play.md"
    stale.write_text(GUIDE.replace("| `--table TITLE` |", "| `--tabel` |"))
    monkeypatch.setattr(command_table, "GUIDE", stale)
    assert command_table.main([]) == 1
    assert "differs" in capsys.readouterr().out
    assert command_table.main(["--write"]) == 0
    assert command_table.main([]) == 0
    assert stale.read_text() == GUIDE


@pytest.mark.parametrize("line", TYPED)
def test_every_line_that_people_are_told_to_type_is_understood(line: str):
    # What the shell does with the output is not the program's.
    words = shlex.split(re.split("[|>]", line)[0])[1:]
    if words[0] != "COMMAND":
        assert parse(words).command in COMMANDS


def test_the_readme_is_short():
    assert len(README.splitlines()) <= 120


def test_every_module_that_the_architecture_names_exists():
    named = set(re.findall(r"`((?:\w+/)+\w+\.py)`", ARCHITECTURE))
    assert len(named) > 20
    assert [name for name in named if not (ROOT / "sorry_lan" / name).exists() and not (ROOT / name).exists()] == []


def test_every_link_between_the_documents_leads_somewhere():
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "protocol").glob("*.md")]
    broken = [
        (page.name, target)
        for page in pages
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []

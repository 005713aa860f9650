"""Settings: where they come from, which of two holds, and the sentence for each that is wrong."""

from __future__ import annotations

import gettext
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sorry_lan.cli import config
from sorry_lan.cli.arguments import TASTE, UsageError, parse
from sorry_lan.cli.config import from_file, key, variable, with_settings
from sorry_lan.cli.main import main
from sorry_lan.ui.catalogue import use


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    use(gettext.NullTranslations())


def written(tmp_path: Path, text: str | bytes) -> dict[str, str]:
    """An environment whose file of settings holds this."""
    folder = tmp_path / "sorry-lan"
    folder.mkdir(exist_ok=True)
    (folder / config.FILE).write_bytes(text.encode() if isinstance(text, str) else text)
    return {"XDG_CONFIG_HOME": str(tmp_path)}


def settings_of(tmp_path: Path, text: str) -> dict[str, str]:
    """What a file of settings says, by key."""
    return {key(setting.flag): setting.text for setting in from_file(written(tmp_path, text))}


def complaint(tmp_path: Path, text: str | bytes) -> str:
    """The sentence about a file of settings, without the folder."""
    with pytest.raises(UsageError) as caught:
        from_file(written(tmp_path, text))
    return str(caught.value).replace(str(tmp_path / "sorry-lan" / config.FILE), "FILE")


ALL = """\
# what I always want
name = "Zoë"
"colour" = "green"
age = 9
language = "de"
plain = false
ascii = true
no-color = true
bell = true
no-bell = false
no-animation = true
speed = "fast"
turn-board = true
confirm = "never"
auto-draw = true
"""


def test_every_flag_of_taste_can_stand_in_the_file(tmp_path):
    found = settings_of(tmp_path, ALL)
    assert found.keys() == {key(flag) for flag in TASTE}
    assert (found["name"], found["age"], found["plain"], found["ascii"]) == ("Zoë", "9", "no", "yes")


def test_without_a_file_nothing_is_set(tmp_path):
    assert from_file({"XDG_CONFIG_HOME": str(tmp_path)}) == ()


def test_without_any_home_nothing_is_set(monkeypatch):
    monkeypatch.setattr(config, "folder_of", lambda _base, _environment: None)
    assert from_file({}) == ()


def test_the_command_line_stands_above_the_environment_and_that_above_the_file(tmp_path):
    environment = written(tmp_path, 'speed = "slow"\nconfirm = "never"\nname = "Ada"\nturn-board = true\n')
    environment |= {"SORRY_LAN_CONFIRM": "always", "SORRY_LAN_NAME": "Bob", "SORRY_LAN_SPEED": ""}
    found = with_settings(parse(["host", "--name", "Cy"]), environment)
    assert found.all("--name") == ("Cy",)
    assert found.one("--confirm") == "always"
    assert found.one("--speed") == "slow"
    assert found.has("--turn-board")


def test_a_flag_without_value_is_taken_back_by_the_layer_above(tmp_path):
    environment = written(tmp_path, "turn-board = true\nauto-draw = true\nascii = true\n")
    found = with_settings(parse(["host", "--turn-board=no"]), environment | {"SORRY_LAN_AUTO_DRAW": "off"})
    assert not found.has("--turn-board")
    assert not found.has("--auto-draw")
    assert found.has("--ascii")
    assert found.undone == {"--turn-board", "--auto-draw"}


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (["play", "--name", "Bob"], set()),
        (["play", "--json"], {"--name", "--colour", "--age", "--no-bell", "--no-animation"}),
        (["play", "--bell"], {"--name", "--colour", "--age", "--plain", "--no-animation"}),
        (["play", "--speed", "slow"], {"--name", "--colour", "--age", "--plain", "--no-bell"}),
    ],
)
def test_a_setting_gives_way_to_what_is_said_against_it(tmp_path, words, left):
    text = 'name = "Ada"\ncolour = "red"\nage = 40\nplain = true\nno-bell = true\nno-animation = true\n'
    found = with_settings(parse(words), written(tmp_path, text))
    own = {word for word in words if word.startswith("--")}
    assert set(found.values) - own == (left or {"--plain", "--no-bell", "--no-animation"})


def test_a_command_gets_only_the_settings_that_it_has(tmp_path):
    found = with_settings(parse(["games"]), written(tmp_path, 'name = "Ada"\nascii = true\n'))
    assert set(found.values) == {"--ascii"}


def test_without_a_command_all_settings_hold(tmp_path):
    found = with_settings(parse([]), written(tmp_path, 'name = "Ada"\nturn-board = true\n'))
    assert set(found.values) == {"--name", "--turn-board"}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = 1\n", "FILE, line 1: there is no setting 'x'."),
        ('\nnaem = "Ada"\n', "FILE, line 2: there is no setting 'naem'. Did you mean name?"),
        ("[player]\nname = 'Ada'\n", "FILE, line 1: there is no setting 'player'."),
        ('"a\\u001bb" = 1\n', "FILE, line 1: there is no setting 'a\\x1bb'."),
        ("age = 9\nbell = 'yes'\n", "FILE, line 2: bell is true or false, without quotes."),
        ("name = true\n", "FILE, line 1: name takes a text in quotes, or a number."),
        ("name = ['Ada']\n", "FILE, line 1: name takes a text in quotes, or a number."),
        ("speed = 'quick'\n", "FILE, line 1: --speed takes one of slow, normal, fast, not 'quick'."),
        ("\n\ncolour = 'gren'\n", "FILE, line 3: --colour is one of red, blue, yellow, green, not 'gren'."),
        ("age = 900\n", "FILE, line 1: --age takes a number from 0 to 255, not '900'."),
        ("name = ''\n", "FILE, line 1: --name takes 1 to 24 bytes of visible signs."),
        ("language = 'fr'\n", "FILE, line 1: --language is one of en, de, not 'fr'."),
        ("a = 1\nname = Ada\n", 'FILE, line 2: this is no setting; write a key, = and a value, as in name = "Ada".'),
        ("name = 'Ada'\nname = 'Bob'\n", "FILE, line 2: this is no setting"),
        ("name = '''x\n", "FILE, line 1: this is no setting"),
        ("x = " + "[" * 5000, "FILE, line 1: this is no setting"),
        (b"name = '\xff'\n", "FILE is no text in UTF-8."),
        ("#" * 70_000, "FILE is too long for a file of settings."),
    ],
)
def test_what_is_wrong_is_one_sentence_with_file_line_and_key(tmp_path, text, sentence):
    found = complaint(tmp_path, text)
    assert found.startswith(sentence)
    assert "\n" not in found


def test_a_folder_or_pipe_in_the_place_of_the_file_is_none(tmp_path):
    (tmp_path / "sorry-lan").mkdir()
    os.mkfifo(tmp_path / "sorry-lan" / config.FILE)
    with pytest.raises(UsageError, match="is no file"):
        from_file({"XDG_CONFIG_HOME": str(tmp_path)})


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path, monkeypatch):
    def refused(*_words: object) -> None:
        raise PermissionError(13, "Permission denied")

    environment = written(tmp_path, "")
    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(UsageError, match="cannot be read: Permission denied"):
        from_file(environment)


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("SORRY_LAN_BELL", "loud", "SORRY_LAN_BELL is yes or no, not 'loud'."),
        ("SORRY_LAN_SPEED", "quick", "SORRY_LAN_SPEED: --speed takes one of slow, normal, fast, not 'quick'."),
    ],
)
def test_a_wrong_variable_is_one_sentence(name, value, sentence):
    with pytest.raises(UsageError) as caught:
        config.from_environment({name: value})
    assert str(caught.value) == sentence


def test_variables_are_called_like_the_flags():
    assert variable("--no-bell") == "SORRY_LAN_NO_BELL"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The home of a command: writes its file of settings."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return lambda text: written(tmp_path, text)


def test_a_wrong_file_ends_a_command_with_2_but_help_and_version_still_come(home, capsys):
    home("nonsense = 1\n")
    for words in (["games"], ["rules"], []):
        assert main(words) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("sorry-lan: ")
        assert err.count("\n") == 1
    for words in (["--help"], ["host", "--help"], ["--version"], ["man"], ["completion", "bash"]):
        assert main(words) == 0
        assert capsys.readouterr().err == ""


def test_the_language_of_the_file_is_spoken_unless_another_is_asked_for(home, capsys, monkeypatch):
    home('language = "de"\n')
    assert main(["games"]) == 0
    german = capsys.readouterr().out
    assert main(["games", "--language", "en"]) == 0
    english = capsys.readouterr().out
    assert german != english
    monkeypatch.setenv("SORRY_LAN_LANGUAGE", "en")
    assert main(["games"]) == 0
    assert capsys.readouterr().out == english


def test_the_settings_in_force_are_shown_with_who_says_so(home, capsys, monkeypatch, tmp_path):
    home('name = "Ada"\nspeed = "slow"\n')
    monkeypatch.setenv("SORRY_LAN_SPEED", "fast")
    assert main(["config"]) == 0
    lines = capsys.readouterr().out.splitlines()
    path = tmp_path / "sorry-lan" / config.FILE
    assert lines[0] == f"Settings: {path}"
    assert ["name", "Ada", f"{path},", "line", "1"] in [line.split() for line in lines]
    assert ["speed", "fast", "SORRY_LAN_SPEED"] in [line.split() for line in lines]
    assert ["age", "-"] in [line.split() for line in lines]
    assert main(["config", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["file"] == str(path)
    assert found["settings"]["speed"] == {"value": "fast", "from": "SORRY_LAN_SPEED"}


def test_without_a_file_its_place_is_shown(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert main(["config"]) == 0
    assert f"{tmp_path / 'sorry-lan' / config.FILE} (not there yet)" in capsys.readouterr().out


def test_a_name_of_the_file_is_that_of_the_player(home, capfd, tmp_path):
    home('name = "Ada"\n')
    assert main(["play", "--plain", "--auto", "--rule", "pawns=1", "--identity", str(tmp_path / "id")]) == 0
    assert "Ada (Red) sits down." in capfd.readouterr().out

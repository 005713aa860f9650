"""Which language is spoken: by flag, by environment, in the signs that the output has."""

from __future__ import annotations

import gettext
import time
from collections.abc import Iterator

import pytest

from sorry_lan.cli.dispatch import run
from sorry_lan.ui.catalogue import _, n_, use
from sorry_lan.ui.languages import languages, speak, speak_as, wanted

YOUR_TURN = "{who}, it is your turn. Press Enter to draw a card."


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    use(gettext.NullTranslations())


def test_there_are_english_and_german() -> None:
    assert languages() == ("en", "de")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "de_AT.UTF-8@euro", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LC_ALL": "de_CH.UTF-8", "LANG": "fr_FR.UTF-8"}, "de"),
        ({"LC_MESSAGES": "de_DE", "LANG": "en_GB"}, "de"),
        ({"LANGUAGE": "fr:de:en", "LC_ALL": "en_US.UTF-8"}, "de"),
        ({"LANGUAGE": "en:de", "LANG": "de_DE"}, "en"),
        ({"LANGUAGE": "", "LANG": "DE"}, "de"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "POSIX"}, "en"),
        ({"LANG": "xx_YY"}, "en"),
        ({"LANG": "../../de"}, "en"),
    ],
)
def test_the_environment_chooses_the_first_language_that_there_is(environment: dict[str, str], language: str) -> None:
    speak_as(environment, "utf-8")
    assert (_(YOUR_TURN) == YOUR_TURN) == (language == "en")


def test_the_c_locale_asks_for_no_language() -> None:
    assert wanted({"LANG": "C"}) == wanted({}) == ()


def test_one_and_many_have_forms_of_their_own() -> None:
    speak("de", "utf-8")
    assert n_("{n} card", "{n} cards", 1) == "1 Karte"
    assert n_("{n} card", "{n} cards", 0) == "0 Karten"
    assert n_("{n} thing", "{n} things", 2) == "2 things"


@pytest.mark.parametrize("encoding", ["ascii", "cp437x", "iso8859-5"])
def test_letters_that_the_output_lacks_are_spelt_out(encoding: str) -> None:
    speak("de", encoding)
    assert _("Green") == "Gruen"
    assert n_("{n} Home", "{n} Home", 2) == "2 im Ziel"
    speak("de", "latin-1")
    assert _("Green") == "Grün"


def test_the_flag_is_heard_even_where_the_command_line_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--language", "de", "hots"]) == 2
    told = "sorry-lan: Es gibt keinen Befehl 'hots'. Meintest du host? Siehe: sorry-lan --help\n"
    assert capsys.readouterr().err == told
    assert run(["games", "--language=DE"]) == 0
    assert capsys.readouterr().out == "Hier sind keine gespeicherten Spiele.\n"


def test_the_environment_is_heard(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "de_DE.UTF-8")
    assert run(["verify"]) == 2
    assert capsys.readouterr().err == "sorry-lan: Hinter verify muss eine Datei stehen.\n"
    assert run(["verify", "--language", "en"]) == 2
    assert capsys.readouterr().err == "sorry-lan: verify needs a file behind it.\n"


def test_ascii_output_is_ascii_in_german_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--language", "de", "--ascii"]) == 0
    out = capsys.readouterr().out
    assert out.isascii()
    assert "\\x" not in out


@pytest.mark.parametrize("word", ["fr", "../de", "deutsch", ""])
def test_a_language_that_is_not_there_is_refused_with_those_that_are(
    word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["games", "--language", word]) == 2
    assert capsys.readouterr().err.startswith("sorry-lan: --language ")


def test_german_costs_no_noticeable_time() -> None:
    began = time.process_time()
    for _round in range(10):
        speak("de", "utf-8")
    assert (time.process_time() - began) / 10 < 0.05

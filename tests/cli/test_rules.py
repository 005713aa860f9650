"""`sorry-lan rules`: what it prints, and which switch settings it shows can be typed back."""

from __future__ import annotations

import io

import pytest

from sorry_lan.cli.rules import USAGE, meaning_text, run
from sorry_lan.rules.profile import PROFILES, SWITCHES, allowed_values, differences, switch_text, with_switch


def printed(*argv: str) -> str:
    out = io.StringIO()
    assert run(list(argv), out) == 0
    return out.getvalue()


def test_without_a_name_every_profile_is_shown_with_what_it_changes() -> None:
    text = printed()
    assert "  standard  the rules as printed\n" in text
    assert "  classic   pawns=4, start_cards=1,2, slide_on=other\n" in text
    assert "  2013      start_cards=1,2,3,5,7,8,10,11,12, two_draws_again=never, sorry_forward=choice\n" in text


@pytest.mark.parametrize("switch", SWITCHES)
def test_without_a_name_every_switch_is_shown_with_its_values_and_meaning(switch: str) -> None:
    text = printed()
    assert f"  {switch} = {' | '.join(allowed_values(switch))}\n      {meaning_text(switch)}\n" in text


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_is_shown_switch_by_switch_and_builds_itself_again(name: str) -> None:
    text = printed(name)
    rules = PROFILES["standard"]
    shown = [line.split("  (")[0].strip() for line in text.splitlines() if " = " in line]
    for setting in shown:
        rules = with_switch(rules, setting)
    assert rules == PROFILES[name]
    assert [setting.split(" = ")[0] for setting in shown] == list(SWITCHES)


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_marks_what_differs_from_standard(name: str) -> None:
    marked = [line for line in printed(name).splitlines() if "(standard: " in line]
    expected = [
        f"  {switch} = {here}  (standard: {there})"
        for switch, here, there in differences(PROFILES[name], PROFILES["standard"])
    ]
    assert marked == expected


def test_the_deck_is_counted() -> None:
    assert "Deck of 45 cards: 5 x 1, 4 x 2," in printed("standard")


def test_an_unknown_profile_is_refused_with_the_names(capsys: pytest.CaptureFixture[str]) -> None:
    out = io.StringIO()
    assert run(["new"], out) == 2
    assert out.getvalue() == ""
    assert capsys.readouterr().err == f"The profiles are standard, classic, 2013.\n{USAGE}"


def test_two_names_are_refused() -> None:
    assert run(["standard", "classic"], io.StringIO()) == 2


def test_help_names_the_profiles() -> None:
    assert printed("-h") == USAGE
    assert all(name in USAGE for name in PROFILES)


def test_every_switch_has_a_meaning() -> None:
    assert len({meaning_text(switch) for switch in SWITCHES}) == len(SWITCHES)
    assert all(switch_text(PROFILES["standard"], switch) == allowed_values(switch)[0] for switch in SWITCHES)

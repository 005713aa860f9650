"""The switches: profiles, text, and the fourteen numbers of the wire."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from sorry_lan.rules.cards import Card
from sorry_lan.rules.profile import (
    PROFILES,
    SWITCHES,
    ElevenPass,
    Rules,
    SlideOn,
    SorryForward,
    TwoDrawsAgain,
    allowed_values,
    differences,
    from_uints,
    profile_name,
    switch_text,
    to_uints,
    variations,
    with_switch,
)
from tests.rules.build import STANDARD, vectors

VECTORS = vectors("rules")


def test_the_defaults_are_the_standard_profile() -> None:
    assert Rules() == STANDARD
    assert to_uints(STANDARD) == (3, 7470, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 5)


def test_classic_differs_in_three_switches() -> None:
    assert differences(PROFILES["classic"], STANDARD) == (
        ("pawns", "4", "3"),
        ("start_cards", "1,2", "1,2,3,5,8,10,11,12"),
        ("slide_on", "other", "own"),
    )


def test_2013_differs_in_three_switches() -> None:
    assert differences(PROFILES["2013"], STANDARD) == (
        ("start_cards", "1,2,3,5,7,8,10,11,12", "1,2,3,5,8,10,11,12"),
        ("two_draws_again", "never", "always"),
        ("sorry_forward", "choice", "no"),
    )


def test_a_profile_is_known_by_its_switches() -> None:
    assert [profile_name(rules) for rules in PROFILES.values()] == list(PROFILES)
    assert profile_name(with_switch(STANDARD, "slide_on=any")) is None


def test_rules_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        STANDARD.pawns = 4  # type: ignore[misc]


@pytest.mark.parametrize(
    ("setting", "changed"),
    [
        ("slide_on=any", replace(STANDARD, slide_on=SlideOn.ANY)),
        (" two_draws_again = IF_MOVED ", replace(STANDARD, two_draws_again=TwoDrawsAgain.IF_MOVED)),
        ("sorry_forward=fallback", replace(STANDARD, sorry_forward=SorryForward.FALLBACK)),
        ("eleven_pass=always", replace(STANDARD, eleven_pass=ElevenPass.ALWAYS)),
        ("pawns=1", replace(STANDARD, pawns=1)),
        ("start_by_count=true", replace(STANDARD, start_by_count=True)),
        ("sorry_slide=false", replace(STANDARD, sorry_slide=False)),
        ("start_cards=1, 2", replace(STANDARD, start_cards=frozenset({Card.ONE, Card.TWO}))),
    ],
)
def test_one_switch_is_changed_by_its_text(setting: str, changed: Rules) -> None:
    assert with_switch(STANDARD, setting) == changed


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("slide_on", "is no setting; write SWITCH=VALUE"),
        ("slide=any", "is no switch; the switches are pawns, start_cards,"),
        ("slide_on=all", "slide_on is one of own, other, any, none."),
        ("pawns=5", "pawns is one of 3, 1, 2, 4."),
        ("ones=", "ones is one of 5, 4."),
        ("start_by_count=1", "start_by_count is one of false, true."),
        ("sorry_slide=maybe", "sorry_slide is one of true, false."),
        ("start_cards=", "start_cards is a list such as 1,2 of one or more of 1, 2, 3, 5, 7, 8, 10, 11, 12."),
        ("start_cards=1,4", "start_cards is a list such as"),
        ("start_cards=sorry", "start_cards is a list such as"),
        ("x" * 200, "is no setting"),
    ],
)
def test_a_wrong_setting_is_refused_with_what_is_allowed(setting: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"[.]") as caught:
        with_switch(STANDARD, setting)
    assert sentence in str(caught.value)
    assert len(str(caught.value)) < 260


@pytest.mark.parametrize("switch", SWITCHES)
def test_every_allowed_value_reads_back(switch: str) -> None:
    values = allowed_values(switch)
    assert values[0] == switch_text(STANDARD, switch)
    assert len(set(values)) == len(values) >= 2
    assert [switch_text(with_switch(STANDARD, f"{switch}={value}"), switch) for value in values] == list(values)


@pytest.mark.parametrize(
    "changed", [{"pawns": 0}, {"pawns": 5}, {"split_pawns": 3}, {"pawns_out": 2}, {"ones": 6}], ids=str
)
def test_a_number_out_of_range_makes_no_rules(changed: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"is one of"):
        replace(STANDARD, **changed)  # type: ignore[arg-type]


@pytest.mark.parametrize("cards", [set(), {Card.FOUR}, {Card.ONE, Card.SORRY}], ids=str)
def test_other_cards_never_leave_start(cards: set[Card]) -> None:
    with pytest.raises(ValueError, match=r"^start_cards is a list"):
        replace(STANDARD, start_cards=frozenset(cards))


@pytest.mark.parametrize("vector", VECTORS["valid_rules"], ids=lambda v: v["id"])
def test_a_valid_array_is_those_rules_and_no_other(vector: dict[str, object]) -> None:
    rules = dict(variations())[str(vector["name"])]
    assert list(to_uints(rules)) == vector["array"]
    assert from_uints(to_uints(rules)) == rules


def test_the_vectors_name_every_variation() -> None:
    assert [vector["name"] for vector in VECTORS["valid_rules"]] == [name for name, _ in variations()]


@pytest.mark.parametrize("vector", VECTORS["invalid_rules"], ids=lambda v: v["id"])
def test_an_invalid_array_is_refused(vector: dict[str, list[int]]) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        from_uints(vector["array"])


@pytest.mark.parametrize("intruder", [-1, True, "3", None, 2.0], ids=repr)
@pytest.mark.parametrize("place", range(14))
def test_only_whole_numbers_make_rules(intruder: int, place: int) -> None:
    array = list(to_uints(STANDARD))
    array[place] = intruder
    with pytest.raises(ValueError, match=r"\.$"):
        from_uints(array)


def test_variations_are_the_profiles_and_every_single_other_value() -> None:
    found = variations()
    assert len(found) == 27
    assert [name for name, _ in found[:3]] == ["standard", "classic", "2013"]
    assert all(len(differences(rules, STANDARD)) == 1 for _, rules in found[3:])

"""SPEC.md itself: each MUST is exercised, no id is unknown, generated tables are as generated."""

from __future__ import annotations

import re

import pytest

from sorry_lan.table.phrases import PHRASES
from sorry_lan.wire.words import WORDS
from tests.conformance import spec
from tools import spec_table

RULES = dict(spec.rules())
MUSTS = {rule for rule, text in RULES.items() if re.search(r"\bMUST\b", text)}


def test_no_id_stands_for_two_rules() -> None:
    assert [rule for rule, _ in spec.rules()] == list(RULES)


def test_each_must_has_an_id() -> None:
    prose = [line for line in spec.SPEC.splitlines() if re.search(r"\bMUST\b", line) and not spec.RULE.match(line)]
    assert [line for line in prose if "RFC 2119" not in line and not line.startswith("Every MUST stands")] == []


def test_each_must_has_a_vector_or_an_adversary() -> None:
    assert sorted(MUSTS - set(spec.exercised()), key=_by_number) == []


def test_vectors_and_tests_name_no_unknown_rule() -> None:
    assert {rule: where for rule, where in spec.exercised().items() if rule not in RULES} == {}


def test_the_code_names_no_unknown_rule() -> None:
    assert [(rule, where) for rule, where in spec.in_code() if rule not in RULES] == []


def test_rules_refer_to_rules_that_exist() -> None:
    assert [rule for rule in spec.NAMED.findall(spec.SPEC) if rule not in RULES] == []


@pytest.mark.spec("L-1")
def test_the_generated_tables_are_as_the_code_has_it() -> None:
    assert spec_table.generated(spec.SPEC) == spec.SPEC


def test_the_words_of_the_protocol_are_those_of_the_code() -> None:
    listed = (spec.ROOT / "protocol" / "words.txt").read_text(encoding="ascii").split("\n")
    assert listed == [*WORDS, ""]


def _by_number(rule: str) -> tuple[str, int]:
    letter, _, number = rule.partition("-")
    return letter, int(number)


def test_the_phrases_of_the_protocol_are_those_of_the_code() -> None:
    rule = RULES["H-25"]
    assert tuple(re.findall(r"`([^`]+)`", rule)) == PHRASES

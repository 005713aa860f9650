"""`sorry-lan moves`: every vector through the command, and every kind of bad line answered with a sentence."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorry_lan.cli.moves import LINE_BYTES, USAGE, run
from tests.rules.build import vectors

CASES = vectors("rules")["cases"]

GOOD: dict[str, Any] = {
    "profile": "standard",
    "rules_override": {},
    "players": ["red", "blue"],
    "turn": "red",
    "positions": {"red": ["safe:1", "home", "home"], "blue": ["start", "start", "start"]},
    "card": "10",
}


def answers(sent: bytes) -> list[dict[str, Any]]:
    out = io.StringIO()
    assert run([], io.BytesIO(sent), out) == 0
    return [json.loads(line) for line in out.getvalue().splitlines()]


def answer(value: object) -> dict[str, Any]:
    (found,) = answers(json.dumps(value).encode() + b"\n")
    return found


def changed(**values: object) -> dict[str, Any]:
    return {**GOOD, **values}


def test_every_case_of_the_vectors_comes_out_in_full() -> None:
    found = answers(b"".join(json.dumps(case).encode() + b"\n" for case in CASES))
    assert len(found) == len(CASES)
    for case, got in zip(CASES, found, strict=True):
        expected = [{key: entry[key] for key in ("result", "moves", "winner")} for entry in case["legal"]]
        assert got["legal"] == expected, case["id"]
        assert [got[key] for key in ("forfeit", "pass_allowed", "draws_again")] == [
            case[key] for key in ("forfeit", "pass_allowed", "draws_again")
        ], case["id"]


def test_an_answer_holds_these_keys_and_the_reason_of_each_pawn_that_stays() -> None:
    assert answer(GOOD) == {
        "legal": [
            {
                "result": {"red": ["safe:0", "home", "home"], "blue": ["start", "start", "start"]},
                "moves": ["r1 -1"],
                "winner": None,
            }
        ],
        "forfeit": False,
        "pass_allowed": False,
        "draws_again": False,
        "not_possible": [
            {"pawn": "r2", "code": "at_home", "values": [], "reason": "R2 is Home and stays there (rule R3)."},
            {"pawn": "r3", "code": "at_home", "values": [], "reason": "R3 is Home and stays there (rule R3)."},
        ],
    }


def test_profile_and_changed_switches_may_be_left_out() -> None:
    bare = {key: value for key, value in GOOD.items() if key not in ("profile", "rules_override")}
    assert answer(bare) == answer(GOOD)


def test_results_name_the_players_in_the_order_they_were_given() -> None:
    (entry,) = answer(changed(players=["blue", "red"]))["legal"]
    assert list(entry["result"]) == ["blue", "red"]


def test_pawns_are_numbered_as_they_were_given_and_results_sorted() -> None:
    positions = {"red": ["sq:20", "start", "home"], "blue": ["start", "sq:40", "start"]}
    got = answer(changed(positions=positions, card="11"))
    assert [entry["moves"] for entry in got["legal"]] == [["r1 11"], ["11 r1 b2"], ["r2 11"]]
    assert all(row == sorted(row, key=place) for entry in got["legal"] for row in entry["result"].values())


def test_two_ways_to_one_result_are_listed_together() -> None:
    positions = {"red": ["sq:20", "sq:23", "home"], "blue": ["start", "start", "start"]}
    got = answer(changed(positions=positions, card="7"))
    assert ["r1 7", "7 r2 4 r1 3"] in [entry["moves"] for entry in got["legal"]]


@pytest.mark.parametrize(
    ("override", "forfeit"),
    [
        ({"start_cards": ["1", "2"]}, True),
        ({"start_cards": "1,2"}, True),
        ({"start_cards": ["3"]}, False),
        ({"pawns": 3, "slide_on": "any", "sorry_slide": False}, False),
    ],
)
def test_switches_are_given_as_json_values(override: dict[str, object], forfeit: bool) -> None:
    positions = {"red": ["start"] * 3, "blue": ["start"] * 3}
    assert answer(changed(positions=positions, card="3", rules_override=override))["forfeit"] is forfeit


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ([1], "The line is not a JSON object."),
        (None, "The line is not a JSON object."),
        ({}, "The line has no players."),
        (changed(profile="new"), "'new' is no profile; the profiles are standard, classic, 2013."),
        (changed(profile=7), "profile is not a string."),
        (changed(rules_override=[]), "rules_override is not an object of switches and values."),
        (changed(rules_override={"slides": "any"}), "'slides' is no switch; the switches are pawns,"),
        (changed(rules_override={"slide_on": "all"}), "slide_on is one of own, other, any, none."),
        (changed(rules_override={"slide_on": None}), "The value of a switch is a name, a number, true"),
        (changed(rules_override={"pawns": 1.5}), "The value of a switch is a name"),
        (changed(rules_override={"start_cards": [1, 2]}), "an entry of start_cards is not a string."),
        (changed(rules_override={"pawns": 10**17}), "pawns is one of 3, 1, 2, 4."),
        (changed(players="red"), "players is not a list."),
        (changed(players=["red"]), "players are 2 to 4 different colours."),
        (changed(players=["red", "red"]), "players are 2 to 4 different colours."),
        (changed(players=["red", "pink"]), "'pink' is no colour;"),
        (changed(players=["red", 1]), "an entry of players is not a string."),
        (changed(turn="green"), "It cannot be the turn of green, who does not play."),
        (changed(turn=0), "turn is not a string."),
        (changed(positions=[]), "positions is not an object of colours and places."),
        (changed(positions={"red": ["start"] * 3}), "positions must name exactly the players."),
        (changed(positions={"red": ["start"] * 3, "blue": "start"}), "positions of blue is not a list."),
        (changed(positions={"red": ["start"] * 3, "blue": ["sq:60"] * 3}), "'sq:60' is no place;"),
        (changed(positions={"red": ["start"] * 2, "blue": ["start"] * 3}), "red has 2 pawns instead of 3."),
        (changed(positions={"red": ["sq:1"] * 3, "blue": ["start"] * 3}), "3 pawns stand on sq:1."),
        (changed(positions={"red": ["home"] * 3, "blue": ["start"] * 3}), "red has every pawn Home, but the game goes"),
        (changed(card="6"), "'6' is no card; the cards are 1,"),
        (changed(card=10), "card is not a string."),
        (changed(card="\ud800"), "is no card;"),
    ],
)
def test_a_wrong_value_gets_a_sentence_that_names_it(value: object, sentence: str) -> None:
    got = answer(value)
    assert list(got) == ["error"]
    assert sentence in got["error"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b"{", "The line is not JSON:"),
        (b"\xff\xfe{}", "The line is not valid UTF-8."),
        (b"NaN", "The line is not JSON: NaN is no number."),
        (b'{"card": -Infinity}', "-Infinity is no number."),
        (b"9" * 5000, "The line holds a number of more than 18 digits."),
        (b'{"turn": 1, "turn": 2}', "The line gives one key twice in an object."),
        (b"[" * 200_000, "The line nests too deeply."),
        (b'{"a":' * 100_000, "The line nests too deeply."),
        (b"\x00", "The line is not JSON:"),
        (b"x" * (LINE_BYTES + 10), f"The line is longer than {LINE_BYTES} bytes."),
        (b"x" * (3 * LINE_BYTES), f"The line is longer than {LINE_BYTES} bytes."),
    ],
)
def test_a_bad_line_gets_a_sentence_and_the_stream_goes_on(line: bytes, sentence: str) -> None:
    good = json.dumps(GOOD).encode()
    first, bad, last = answers(good + b"\n" + line + b"\n" + good + b"\n")
    assert "legal" in first
    assert list(bad) == ["error"]
    assert sentence in bad["error"]
    assert last == first


def test_empty_lines_are_passed_over_and_the_last_needs_no_end() -> None:
    assert answers(b"\n  \n\r\n" + json.dumps(GOOD).encode()) == [answer(GOOD)]


def test_a_line_of_exactly_the_limit_is_read() -> None:
    padded = json.dumps(GOOD).encode().ljust(LINE_BYTES - 1) + b"\n"
    assert answers(padded) == [answer(GOOD)]


def test_a_last_line_that_is_too_long_ends_the_stream_too() -> None:
    assert answers(b"x" * (LINE_BYTES + 1)) == [{"error": f"The line is longer than {LINE_BYTES} bytes."}]


def test_a_text_stream_is_read_like_a_byte_stream() -> None:
    out = io.StringIO()
    assert run([], io.StringIO(json.dumps(GOOD) + "\n"), out) == 0
    assert json.loads(out.getvalue()) == answer(GOOD)


def test_bytes_below_a_text_stream_are_preferred() -> None:
    out = io.StringIO()
    assert run([], io.TextIOWrapper(io.BytesIO(b"\xff\n"), encoding="ascii"), out) == 0
    assert json.loads(out.getvalue()) == {"error": "The line is not valid UTF-8."}


class Counting(io.StringIO):
    flushed = 0

    def flush(self) -> None:
        self.flushed += 1
        super().flush()


def test_each_answer_is_flushed() -> None:
    out = Counting()
    run([], io.BytesIO(b"1\n2\n3\n"), out)
    assert out.flushed >= 3


@given(st.binary(max_size=200))
def test_any_bytes_get_one_line_of_ascii_for_each_line(sent: bytes) -> None:
    lines = [line for line in sent.replace(b"\n", b"\n\0").split(b"\0") if line.strip()]
    out = io.StringIO()
    assert run([], io.BytesIO(sent), out) == 0
    assert out.getvalue().isascii()
    assert all(json.loads(line) for line in out.getvalue().splitlines())
    if b"\0" not in sent:
        assert len(out.getvalue().splitlines()) == len(lines)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.untraced
@given(st.sampled_from(list(GOOD)), JSON)
def test_any_value_for_any_key_gets_an_answer(key: str, value: object) -> None:
    got = answer({**GOOD, key: value})
    assert list(got) in (["error"], ["legal", "forfeit", "pass_allowed", "draws_again", "not_possible"])


def test_help_goes_to_standard_output() -> None:
    out = io.StringIO()
    assert run(["--help"], io.BytesIO(), out) == 0
    assert out.getvalue() == USAGE


def test_words_on_the_command_line_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    out = io.StringIO()
    assert run(["file.jsonl"], io.BytesIO(), out) == 2
    assert out.getvalue() == ""
    assert capsys.readouterr().err == USAGE


def place(name: str) -> tuple[int, int]:
    kind, _, number = name.partition(":")
    return ["start", "sq", "safe", "home"].index(kind), int(number or 0)

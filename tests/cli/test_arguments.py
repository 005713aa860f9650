"""The command line, taken apart: what is understood, and the one sentence where it is not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorry_lan.cli.arguments import ALIASES, COMMANDS, FLAGS, GLOBAL, Takes, UsageError, parse
from sorry_lan.cli.help import EXAMPLES, command_help, program_help


def wrong(*words: str) -> str:
    with pytest.raises(UsageError) as caught:
        parse(list(words))
    return str(caught.value)


def test_values_stand_behind_a_flag_or_an_equals_sign():
    for words in (["host", "--table", "Bob's", "--seats=3"], ["--seats=3", "host", "--table=Bob's"]):
        found = parse(words)
        assert (found.command, found.one("--table"), found.one("--seats")) == ("host", "Bob's", "3")


def test_a_value_may_hold_an_equals_sign_or_a_dash():
    assert parse(["host", "--rule", "slide_on=any"]).all("--rule") == ("slide_on=any",)
    assert parse(["host", "--rule=slide_on=any"]).all("--rule") == ("slide_on=any",)
    assert parse(["host", "--age", "-1"]).one("--age") == "-1"


def test_some_flags_may_be_repeated():
    assert parse(["play", "--name", "Ada", "--name", "Bob"]).all("--name") == ("Ada", "Bob")
    assert parse(["play"]).all("--name") == ()
    assert parse(["play"]).one("--age") is None


def test_the_level_of_auto_may_be_left_out():
    assert parse(["join", "--auto", "1.2.3.4"]).operand == "1.2.3.4"
    assert parse(["join", "--auto", "easy", "1.2.3.4"]).one("--auto") == "easy"
    assert parse(["host", "--auto"]).one("--auto") == ""
    assert parse(["host", "--auto=hard"]).one("--auto") == "hard"


def test_short_names():
    assert parse(["-h"]).has("--help")
    assert parse(["-V"]).has("--version")
    assert parse(["host", "--color", "red"]).one("--colour") == "red"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["hots"], "There is no command 'hots'. Did you mean host? See: sorry-lan --help"),
        (["x\x1b[2J"], "There is no command 'x\\x1b[2J'. See: sorry-lan --help"),
        (["host", "--tabel", "x"], "There is no flag '--tabel'. Did you mean --table?"),
        (["host", "--colr", "red"], "There is no flag '--colr'. Did you mean --colour?"),
        (["host", "--zzz"], "There is no flag '--zzz'."),
        (["join", "--seats", "3"], "--seats does not belong to join; it goes with host, play."),
        (["--seats", "3"], "--seats does not belong to sorry-lan; it goes with host, play."),
        (["host", "--seats"], "--seats needs N behind it."),
        (["host", "--table", "--seats", "3"], "--table needs TITLE behind it."),
        (["host", "--open=yes"], "--open takes no value."),
        (["host", "--port", "1", "--port", "2"], "--port is given twice."),
        (["host", "1.2.3.4"], "'1.2.3.4' is one word too many for host."),
        (["verify", "a", "b"], "'b' is one word too many for verify."),
    ],
)
def test_what_is_wrong_is_one_sentence_with_the_nearest_spelling(words, sentence):
    assert wrong(*words) == sentence


@given(st.lists(st.one_of(st.sampled_from([*FLAGS, *COMMANDS, *ALIASES]), st.text(max_size=12)), max_size=6))
def test_any_words_are_understood_or_refused_in_one_printable_line(words):
    refusal = ""
    try:
        parse(words)
    except UsageError as refused:
        refusal = str(refused)
    assert refusal == "" or refusal.isprintable()
    assert len(refusal) < 250


def test_the_help_begins_with_four_examples_that_are_understood():
    assert len(EXAMPLES) == 4
    assert program_help().splitlines()[1:5] == [f"  {example}" for example in EXAMPLES]
    for example in EXAMPLES:
        parse(example.split()[1:])


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_shows_each_of_its_flags_once(name):
    lines = command_help(name).splitlines()
    for flag in (*COMMANDS[name].flags, *GLOBAL):
        assert sum(line.split()[:1] == [flag] for line in lines) == 1
    assert all(len(line) <= 100 for line in lines)


def test_every_flag_belongs_somewhere_and_no_command_has_an_unknown_one():
    used = {flag for command in COMMANDS.values() for flag in command.flags} | set(GLOBAL)
    assert used == set(FLAGS)


def test_placeholders_go_with_values():
    for flag in FLAGS.values():
        assert bool(flag.placeholder) is (flag.takes is not Takes.NOTHING)
        assert re.fullmatch(r"--[a-z-]+", flag.name)


@pytest.mark.parametrize("words", [["play", "--identity", ""], ["play", "--identity="], ["host", "--log", ""]])
def test_an_empty_value_is_none(words):
    with pytest.raises(UsageError, match="behind it"):
        parse(words)

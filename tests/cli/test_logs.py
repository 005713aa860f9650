"""The log holds what helps, and no secret."""

from __future__ import annotations

import logging

import pytest

from sorry_lan.cli import logs


@pytest.fixture(autouse=True)
def quiet():
    log = logging.getLogger("sorry_lan")
    before = (list(log.handlers), log.level, log.propagate)
    yield
    for handler in set(log.handlers) - set(before[0]):
        handler.close()
    log.handlers[:], log.propagate = before[0], before[2]
    log.setLevel(before[1])


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("code maple-otter-tulip now", "code [hidden] now"),
        ("Maple Otter Tulip", "[hidden]"),
        ("maple otter", "maple otter"),
        ("key " + "ab" * 32, "key [hidden]"),
        ("seed=" + repr(bytes(32)), "seed=[hidden]"),
        ("game 1a2b3c4d", "game 1a2b3c4d"),
        ("\x1b[2J\u202e", r"\u001b[2J\u202e"),
        ("two\nlines", "two\nlines"),
    ],
)
def test_secrets_and_controls_are_taken_out(text, out):
    assert logs.redacted(text) == out


def test_a_chosen_log_gets_records_without_secrets(tmp_path):
    path = tmp_path / "log"
    logs.start_log(str(path))
    logging.getLogger("sorry_lan.net").info("tried %s", "maple-otter-tulip")
    text = path.read_text()
    assert "tried [hidden]" in text
    assert "maple" not in text


def test_a_log_that_cannot_be_opened_is_one_sentence(tmp_path):
    with pytest.raises(logs.LogTrouble, match="cannot be written"):
        logs.start_log(str(tmp_path))


def test_a_crash_goes_to_the_state_folder_without_its_secrets(tmp_path):
    where = logs.note_crash(ValueError("code maple-otter-tulip"), None, {"XDG_STATE_HOME": str(tmp_path)})
    assert where == str(tmp_path / "sorry-lan" / logs.CRASH_LOG)
    assert "ValueError: code [hidden]" in (tmp_path / "sorry-lan" / logs.CRASH_LOG).read_text()


def test_a_crash_goes_to_the_chosen_log(tmp_path):
    path = str(tmp_path / "log")
    logs.start_log(path)
    assert logs.note_crash(ValueError("x"), path, {}) == path
    assert "ValueError: x" in (tmp_path / "log").read_text()


def test_a_crash_without_any_place_for_a_log_is_still_told(tmp_path):
    (tmp_path / "file").touch()
    assert logs.note_crash(ValueError("x"), None, {"XDG_STATE_HOME": str(tmp_path / "file")}) is None

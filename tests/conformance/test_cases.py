"""The judge of the vectors can say no."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest

from sorry_lan.faults import Err, RemoteFault
from tests.conformance.cases import judge, raw, value


def _refuse(_: Any) -> NoReturn:
    raise RemoteFault(Err.SCHEMA, "no")


def test_another_answer_than_the_one_due_fails() -> None:
    with pytest.raises(AssertionError):
        judge({"id": "x", "group": "g", "in": 1, "out": 2}, {"g": lambda given: given})


def test_accepting_what_must_be_refused_fails() -> None:
    with pytest.raises(AssertionError, match="accepted"):
        judge({"id": "x", "group": "g", "in": 1, "error": 3}, {"g": lambda given: given})


def test_refusing_with_another_error_fails() -> None:
    with pytest.raises(AssertionError, match="refused"):
        judge({"id": "x", "group": "g", "in": 1, "error": 2}, {"g": _refuse})


def test_refusing_what_is_valid_fails() -> None:
    with pytest.raises(AssertionError, match="refused"):
        judge({"id": "x", "group": "g", "in": 1, "out": 1}, {"g": _refuse})


def test_notation_that_is_none_is_an_error_of_the_file() -> None:
    with pytest.raises(ValueError, match="1"):
        raw(1)
    with pytest.raises(ValueError, match="other"):
        value({"other": 1})

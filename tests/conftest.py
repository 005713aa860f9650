"""What all tests share: property tests try the same examples in every run, and coverage leaves some tests alone."""

from __future__ import annotations

import sys
from collections.abc import Generator

import pytest
from hypothesis import settings

settings.register_profile("same everywhere", derandomize=True, database=None, deadline=None)
settings.load_profile("same everywhere")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Coverage doubles the time of whatever it looks at; a test marked `untraced` only repeats what others cover."""
    tracer = sys.gettrace()
    if tracer is None or item.get_closest_marker("untraced") is None:
        return (yield)
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(tracer)

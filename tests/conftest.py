"""What all tests share: an empty home, the same examples in every run, and tests that coverage leaves alone."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Generator, Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("same everywhere", derandomize=True, database=None, deadline=None)
settings.load_profile("same everywhere")

# Started in the background of a shell, or with nohup: what a test interrupts would inherit that, and never hear of it.
for _number, _usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _usual)

_homes = count()
SENTRY = str(Path(__file__).parent / "sentry")


@pytest.fixture(autouse=True)
def _no_files_of_this_user(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the identity, games or logs of whoever runs it, takes its join code, or its language."""
    home: Path = tmp_path_factory.getbasetemp() / "homes" / str(next(_homes))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.delenv("SORRY_LAN_CODE", raising=False)
    monkeypatch.setenv("LANGUAGE", "en")


@pytest.fixture(autouse=True)
def _no_trace(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """No program that a test starts may write a trace, read by the test or not; SENTRY is loaded by each of them."""
    file: Path = tmp_path_factory.getbasetemp() / "traces" / str(next(_homes))
    file.parent.mkdir(exist_ok=True)
    monkeypatch.setenv("TRACES_TO", str(file))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [SENTRY, os.environ.get("PYTHONPATH")])))
    yield
    if request.node.get_closest_marker("shows_trace") is None:
        assert not file.exists(), f"a program wrote a trace:\n{file.read_text(encoding='utf-8')}"


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

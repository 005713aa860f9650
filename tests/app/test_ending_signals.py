"""Which signals end the program, on systems that are not this one."""

from __future__ import annotations

import signal
from types import SimpleNamespace

from sorry_lan.app.wishes import ending_signals


def test_windows_has_a_break_and_no_hang_up() -> None:
    windows = SimpleNamespace(SIGINT=2, SIGTERM=15, SIGBREAK=21)
    assert ending_signals(windows) == {2: 130, 15: 143, 21: 129}


def test_unix_and_macos_have_a_hang_up() -> None:
    assert ending_signals(signal) == {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}

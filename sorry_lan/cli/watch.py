"""`join --watch`, and the offer to watch for who comes too late to play."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from sorry_lan.app.wishes import BY_SIGNAL, Resume, RunOptions
from sorry_lan.cli.output import say
from sorry_lan.cli.tries import Tries
from sorry_lan.table.settings import Role
from sorry_lan.ui.catalogue import _

_YES: Final = frozenset(("y", "yes", "j", "ja"))
"""In every language that there is."""

Show = Callable[[RunOptions], int]
"""Runs a table in the manner that was asked for; its exit code."""


def watching(chosen: RunOptions) -> RunOptions:
    """The same table, but to watch: one person, no seat, nothing taken up."""
    return replace(chosen, role=Role.WATCHER, people=chosen.people[:1], resume=Resume.NEVER)


def played_or_watched(chosen: RunOptions, show: Show, tries: Tries, *, may_ask: bool) -> int:
    """Run the table that was chosen; where there is no seat, ask whoever may be asked whether to watch it instead."""
    before = {number: signal.getsignal(number) for number in BY_SIGNAL}
    code = show(chosen)
    if not (tries.too_late and may_ask and chosen.role is Role.JOINER):
        return code
    # A screen leaves the signals ignored.
    for number, handler in before.items():
        signal.signal(number, handler)
    return show(watching(chosen)) if _wants_to_watch() else code


def _wants_to_watch() -> bool:
    say([_("Watch instead? Type y and Enter; only Enter leaves.")])
    # Not sys.stdin.readline: that would keep what is typed ahead from the table's own reader.
    typed = os.read(sys.stdin.fileno(), 4096)
    return typed.decode(errors="replace").strip().lower() in _YES

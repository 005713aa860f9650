"""`sorry-lan join` on a full screen where nobody said which table: the page of those that are found, again and again.

A join that comes to nothing leads back to the page with its sentence; only people and real tables end it.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import Enum, unique
from functools import partial
from importlib import import_module
from typing import Final

import trio

from sorry_lan import __version__
from sorry_lan.app.alone import run_alone
from sorry_lan.app.wishes import BY_SIGNAL
from sorry_lan.cli import options
from sorry_lan.cli.arguments import Arguments, UsageError
from sorry_lan.cli.back import WentBack
from sorry_lan.cli.examining import ExaminingFace
from sorry_lan.cli.find import where
from sorry_lan.cli.screens import liked, opened
from sorry_lan.cli.tries import Tries
from sorry_lan.fair.engine import engine_digest
from sorry_lan.net.discovery import Lookout
from sorry_lan.table.notices import Program
from sorry_lan.ui.chosen import Chosen, NotUnderstood, Reading
from sorry_lan.ui.draw_tables import Sight
from sorry_lan.ui.tables_client import Ending, TablesClient
from sorry_lan.ui.texts_notices import problem_text
from sorry_lan.wire import limits
from sorry_lan.wire.messages import VERSION_MAX, VERSION_MIN


@unique
class Elsewhere(Enum):
    """What people wanted instead of a table."""

    HOST = "host"


_EVERY_S: Final = 1.0
"""So often it is told where is looked, though no table came or went."""

Attempt = Callable[[Chosen, Tries], int]
"""Joins what was chosen and gives the exit code."""


def join_by_page(arguments: Arguments, environment: Mapping[str, str], attempt: Attempt) -> int | Elsewhere:
    """Ask and join until there was a table; its exit code, or that of the signal that ended the page.

    Raises:
        NoScreen: before anything was shown. WentBack: the page was left.
    """
    tries = Tries()
    told, box = "", None
    while True:
        client = TablesClient(
            options.people(arguments, environment)[0].name, READING, liked(arguments, environment).signs, told, box
        )
        code = _asked(client, arguments, environment)
        if code != 0:
            return code
        if client.ending is Ending.HOST:
            return Elsewhere.HOST
        if client.chosen is None:
            raise WentBack
        code = attempt(client.chosen, tries)
        if tries.problem is None:
            return code
        # The line that led nowhere is there again, to be mended.
        told, box = problem_text(tries.problem), client.box


def _asked(client: TablesClient, arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Show the page to its end; 0, or the code of a signal."""
    before = {number: signal.getsignal(number) for number in BY_SIGNAL}
    try:
        with opened(client, arguments, environment) as (face, guest):
            examining = ExaminingFace(face, client.examination)
            return run_alone(examining, guest, partial(_look, client, face.redraw))
    finally:
        # What follows takes the signals anew; the screen has left them ignored.
        for number, handler in before.items():
            signal.signal(number, handler)


async def _look(client: TablesClient, redraw: Callable[[], None]) -> None:
    """Keep the page's tables up to date until cancelled."""
    program = Program(VERSION_MIN, VERSION_MAX, __version__[: limits.MAX_APP], None)
    lookout = Lookout(program)

    async def weigh() -> None:
        digest = await trio.to_thread.run_sync(engine_digest, abandon_on_cancel=True)
        lookout.ours = replace(program, engine=digest)
        tell()
        # What the table's own screen needs is loaded while people read this one.
        await trio.to_thread.run_sync(import_module, "sorry_lan.ui.client", abandon_on_cancel=True)

    def tell() -> None:
        client.found(Sight(lookout.tables, lookout.ours, lookout.silence, lookout.places))
        redraw()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(lookout.run)
        nursery.start_soon(weigh)
        while True:
            with trio.move_on_after(_EVERY_S):
                await lookout.change()
            tell()


def _where(text: str) -> Chosen:
    try:
        return where(text)
    except UsageError as wrong:
        raise NotUnderstood(str(wrong)) from wrong


def _code(text: str) -> str:
    try:
        return options.parse_code(text)
    except UsageError as wrong:
        raise NotUnderstood(str(wrong)) from wrong


READING: Final = Reading(_where, _code)

"""`sorry-lan replay FILE`: a kept game once more, as far as it holds; in sentences, step by step, or as JSON lines.

The file is checked as `verify` checks it, and the exit code is that verdict. Nothing is changed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sorry_lan.cli.options import Manner, NoScreen
from sorry_lan.cli.output import complain, say
from sorry_lan.cli.verify import USAGE, Unreadable, read_game, verdict_json
from sorry_lan.fair.verify import Verdict, examine
from sorry_lan.ui.answers import Stay
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.console import LINE_BYTES
from sorry_lan.ui.jsonlines import error_line, hello_line, news_line
from sorry_lan.ui.replay_model import Timeline, timeline_of
from sorry_lan.ui.replay_plain import ReplaySession, whole_game
from sorry_lan.ui.shown import TITLE_CELLS, shown
from sorry_lan.ui.texts_verify import verdict_lines, verdict_text


def run(path: str, manner: Manner, on_screen: Callable[[Timeline], int] | None = None) -> int:
    """Show the game in the file at `path`; the verdict on it as an exit code, 2 where there is no such file.

    `on_screen` shows it on the whole screen and returns 0, or the exit code of a signal; NoScreen where it cannot.
    """
    try:
        examined = examine(read_game(path))
    except Unreadable as wrong:
        if manner is Manner.JSON:
            say([hello_line(), error_line(str(wrong))])
        else:
            complain(str(wrong))
        return USAGE
    timeline = timeline_of(examined, shown(Path(path).stem, TITLE_CELLS))
    if manner is Manner.SCREEN and on_screen is not None and timeline is not None:
        try:
            ended = on_screen(timeline)
        except NoScreen as wrong:
            complain(_("This terminal can show no screen ({why}), so this is text mode.").format(why=wrong))
        else:
            say([verdict_text(timeline.verdict)])
            return ended or int(examined.verdict.outcome)
    # The verdict is the exit code, so a reader of the text that stops early changes nothing.
    with suppress(BrokenPipeError):
        _show(timeline, examined.verdict, manner)
    return int(examined.verdict.outcome)


def _show(timeline: Timeline | None, verdict: Verdict, manner: Manner) -> None:
    if manner is Manner.JSON:
        say(json_lines(timeline, verdict))
    elif timeline is None:
        say(verdict_lines(verdict))
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _page(ReplaySession(timeline))
    else:
        say(whole_game(timeline))


def json_lines(timeline: Timeline | None, verdict: Verdict) -> list[str]:
    """The game as its table would have written it, and the verdict at the end (docs/json.md)."""
    shots = () if timeline is None else map(timeline.at, range(timeline.last + 1))
    told = [news_line(item, shot.view) for shot in shots for item in shot.news]
    return [hello_line(), *(line for line in told if line is not None), verdict_json(verdict)]


def _page(session: ReplaySession) -> None:
    """Answer typed lines until one of them, or the end of input, quits."""
    say(session.greeting())
    while typed := sys.stdin.buffer.readline(LINE_BYTES):
        answer = session.typed(typed.decode(sys.stdin.encoding or "utf-8", "replace"))
        say(answer.lines)
        if answer.stay is Stay.LEAVE:
            return

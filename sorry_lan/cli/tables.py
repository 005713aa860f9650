"""`sorry-lan host`, `join` and `play`: from a command line to a running table with a face."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from sorry_lan.app.advice import AdvisedFace
from sorry_lan.app.wiring import Access, Goodbye, Resume, RunOptions, Sitting, problem_exit_code
from sorry_lan.cli import options
from sorry_lan.cli.arguments import Arguments, UsageError
from sorry_lan.cli.bot_program import bot_command, run_played
from sorry_lan.cli.find import NobodyThere, choose, nowhere, where
from sorry_lan.cli.options import Manner, NoScreen, PersonWish, Seating
from sorry_lan.cli.output import complain, say
from sorry_lan.cli.screens import run_on_screen, screen
from sorry_lan.cli.tries import Tries
from sorry_lan.cli.watch import played_or_watched, watching
from sorry_lan.rules.profile import Rules
from sorry_lan.store.disk import StoreError
from sorry_lan.store.paths import identity_folder
from sorry_lan.table.notices import CodeUse, JoinProblem, Problem
from sorry_lan.table.settings import Auto, Naming, ReadyWhen, Role
from sorry_lan.ui.board_picture import Signs
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.chosen import Chosen
from sorry_lan.ui.console import Charset, streams
from sorry_lan.ui.face import Session, TextFace
from sorry_lan.ui.glyphs import signs_for
from sorry_lan.ui.json_session import JsonSession
from sorry_lan.ui.plain import Attended, PlainSession
from sorry_lan.ui.taste import Bell, Pace
from sorry_lan.ui.texts_notices import problem_text

_BY_ITSELF: Final = ("--auto", "--bot-program", "--json")
"""Flags of clients without a person who could close a seat or say ready."""
_READY_FLAGS: Final = (*_BY_ITSELF, "--yes")
_MOST_TRIES: Final = 3
_ANOTHER_CODE: Final = frozenset((Problem.CODE_WRONG, Problem.CODE_REQUIRED))
"""With the right words the same table would let us in."""


class _Ended(Exception):  # noqa: N818 - the end of input is no error
    """The input ended before there was a table."""


def run(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Run the table of a command line to its end; its exit code. UsageError before anything is opened."""
    manner = options.table_manner(arguments, screen(environment))
    bot_command(arguments)
    options.taste(arguments, Signs.ASCII)  # what is wrong in it is to be told in every manner
    try:
        if manner is Manner.SCREEN:
            try:
                return _on_screen(arguments, environment)
            except NoScreen as wrong:
                manner = _text_mode(wrong)
        return _in_lines(_options(arguments, environment, manner), arguments, manner)
    except StoreError as wrong:
        complain(problem_text(wrong.problem))
        return problem_exit_code(wrong.problem)
    except NobodyThere as nobody:
        return nobody.exit_code
    except _Ended:
        return 0


def _on_screen(arguments: Arguments, environment: Mapping[str, str]) -> int:
    if nowhere(arguments, environment):
        return _by_page(arguments, environment)
    chosen = _options(arguments, environment, Manner.SCREEN)
    return _shown_on_screen(chosen, arguments, environment, Tries(again=False))


def _shown_on_screen(chosen: RunOptions, arguments: Arguments, environment: Mapping[str, str], tries: Tries) -> int:
    def show(wanted: RunOptions) -> int:
        return run_on_screen(replace(wanted, goodbye=Goodbye.AT_ONCE), arguments, environment, tries)

    return played_or_watched(chosen, show, tries, may_ask=_person_here(arguments, Manner.SCREEN))


def _in_lines(chosen: RunOptions, arguments: Arguments, manner: Manner) -> int:
    """The table in text; a person whose code was not the one is asked again, as long as there is something typed."""
    person = _person_here(arguments, manner)
    tries = Tries(again=person and chosen.role is not Role.HOST)
    show = partial(_by_line, tries, arguments, manner)
    while True:
        code = played_or_watched(chosen, show, tries, may_ask=person)
        if not isinstance(tries.problem, JoinProblem) or tries.problem.problem not in _ANOTHER_CODE:
            return code
        try:
            typed = _asked_code(_("Type the join code, three words (only Enter leaves):"))
        except _Ended:
            return code
        if typed is None:
            return code
        chosen = replace(chosen, code=typed)


def _by_line(tries: Tries, arguments: Arguments, manner: Manner, chosen: RunOptions) -> int:
    charset = Charset.ASCII if arguments.has("--ascii") else Charset.AS_STREAM
    bell = Bell.ON if arguments.has("--bell") else Bell.OFF
    session: Session = JsonSession() if manner is Manner.JSON else PlainSession(_attended(arguments), bell)
    # Only who reads along needs pauses: a terminal, and no program or file.
    read = manner is Manner.PLAIN and sys.stdout is not None and sys.stdout.isatty()
    pace = options.taste(arguments, Signs.ASCII).pace if read else Pace.NONE
    face = TextFace(session, streams(sys.stdin, sys.stdout, charset), pace)
    try:
        advised = face if manner is Manner.JSON else AdvisedFace(face)
        return run_played(chosen, advised, arguments, tries=tries)
    finally:
        face.close()


def _text_mode(wrong: NoScreen) -> Manner:
    complain(_("This terminal can show no screen ({why}), so this is text mode.").format(why=wrong))
    return Manner.PLAIN


def _options(arguments: Arguments, environment: Mapping[str, str], manner: Manner) -> RunOptions:
    people = options.people(arguments, environment)
    match arguments.command:
        case "host":
            seating = options.host_seating(arguments, len(people), _BY_ITSELF)
            code = options.code(arguments, environment)
            return _made(Role.HOST, arguments, environment, people, seating, code=code)
        case "resume":
            seating = Seating(len(people), 0, 0)
            resumed = _made(Role.JOINER, arguments, environment, people, seating, code=None)
            return replace(resumed, address=None, resume=Resume.ASKED, game=arguments.operand or "")
        case "play":
            seating = options.play_seating(arguments, len(people))
            return _made(Role.LOCAL, arguments, environment, people, seating, code=None)
        case _:
            return _joining(arguments, environment, _chosen(arguments, environment, manner))


def _joining(arguments: Arguments, environment: Mapping[str, str], chosen: Chosen) -> RunOptions:
    people = options.people(arguments, environment)
    made = _made(Role.JOINER, arguments, environment, people, Seating(len(people), 0, 0), code=chosen.code)
    made = replace(made, address=chosen.address)
    return watching(made) if options.watches(arguments) or chosen.watch else made


def _by_page(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """The page of the tables, until one of them is joined or nobody wants to."""
    from sorry_lan.cli.joining import Elsewhere, join_by_page  # noqa: PLC0415 - nobody else needs it

    def attempt(chosen: Chosen, tries: Tries) -> int:
        return _shown_on_screen(_joining(arguments, environment, chosen), arguments, environment, tries)

    ended = join_by_page(arguments, environment, attempt)
    if ended is Elsewhere.HOST:
        return run(replace(arguments, command="host"), environment)
    return ended


def _chosen(arguments: Arguments, environment: Mapping[str, str], manner: Manner) -> Chosen:
    """Where to join: what was typed, else what is found; with the code, asked for where a person is there to ask."""
    code = options.code(arguments, environment)
    chosen = Chosen(None, code, CodeUse.NEEDED)
    if arguments.operand is not None:
        chosen = where(arguments.operand)
        if code is not None and chosen.code not in (None, code):
            raise UsageError(_("Two different codes are given; leave --code away."))
    elif code is None:
        chosen = choose(arguments)
    chosen = replace(chosen, code=chosen.code or code)
    if chosen.code is None and chosen.needs is CodeUse.NEEDED and _may_ask(arguments, manner):
        question = _("Type the join code, three words (or only Enter if the table has none):")
        return replace(chosen, code=_asked_code(question))
    return chosen


def _made(
    role: Role,
    arguments: Arguments,
    environment: Mapping[str, str],
    people: tuple[PersonWish, ...],
    seating: Seating,
    *,
    code: str | None,
) -> RunOptions:
    level = options.auto_level(arguments)
    return RunOptions(
        role=role,
        folder=_folder(arguments, environment),
        people=tuple(Sitting(p.name, p.colour, p.age, _naming(p)) for p in people),
        title=options.title(arguments, people[0].name),
        rules=_rules(role, arguments),
        options=options.forbidden(arguments),
        seats=seating.seats,
        bots=(seating.level,) * seating.bots,
        ready=_ready(role, arguments),
        auto=_auto(arguments, level),
        auto_level=level or 0,
        access=Access.OPEN if arguments.has("--open") else Access.CODE,
        code=code,
        port=options.port(arguments),
        address=arguments.operand,
        finding=options.finding(arguments),
        advertised=options.advertised(arguments),
        picture=options.picture(arguments, signs_for(environment, sys.stdout.encoding)),
        offers=options.on_away(arguments, options.manner(arguments)),
        resume=Resume.NEVER if arguments.has("--new") else Resume.WHERE_INTERRUPTED,
    )


def _naming(person: PersonWish) -> Naming:
    return Naming.GIVEN if person.named else Naming.LOOSE


def _folder(arguments: Arguments, environment: Mapping[str, str]) -> Path:
    return identity_folder(environment, arguments.one("--identity"))


def _rules(role: Role, arguments: Arguments) -> Rules:
    return Rules() if role is Role.JOINER else options.rules(arguments)


def _ready(role: Role, arguments: Arguments) -> ReadyWhen:
    at_once = role is Role.LOCAL or any(arguments.has(flag) for flag in _READY_FLAGS)
    return ReadyWhen.AT_ONCE if at_once else ReadyWhen.ASKED


def _auto(arguments: Arguments, level: int | None) -> Auto:
    if level is not None:
        return Auto.ALL
    return Auto.DRAW if arguments.has("--auto-draw") else Auto.NOTHING


def _attended(arguments: Arguments) -> Attended:
    nobody = arguments.has("--auto") or arguments.has("--bot-program")
    return Attended.BY_NOBODY if nobody else Attended.BY_A_PERSON


def _may_ask(arguments: Arguments, manner: Manner) -> bool:
    """Whether a person is there who can be asked for a code."""
    return not arguments.has("--open") and _person_here(arguments, manner)


def _person_here(arguments: Arguments, manner: Manner) -> bool:
    """Whether somebody is there to answer questions."""
    if manner is Manner.JSON or any(arguments.has(flag) for flag in _READY_FLAGS):
        return False
    return sys.stdin is not None and sys.stdin.isatty()


def _asked_code(question: str) -> str | None:
    """The code as a person types it; None for an empty line. UsageError after three that are none; _Ended."""
    for _try in range(_MOST_TRIES):
        say([question])
        # Not sys.stdin.readline: that would keep what is typed ahead from the table's own reader.
        typed = os.read(sys.stdin.fileno(), 4096)
        if not typed:
            raise _Ended
        text = typed.decode(errors="replace").strip()
        if not text:
            return None
        try:
            return options.parse_code(text)
        except UsageError as wrong:
            say([str(wrong)])
    raise UsageError(_("That was no join code. Ask the host for the three words."))

"""Settings: what a person always wants, from a file (TOML) and the environment; the command line stands above both.

A key is a flag of taste without its dashes (arguments.TASTE). Text is only compared with what is known, never run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from sorry_lan.cli.arguments import COMMANDS, FLAGS, GLOBAL, TASTE, Arguments, Takes, UsageError
from sorry_lan.store.folders import Base, folder_of
from sorry_lan.ui.catalogue import _

FILE: Final = "config.toml"
_MOST_BYTES: Final = 64 * 1024
_PREFIX: Final = "SORRY_LAN_"
_YES: Final = frozenset({"yes", "true", "on", "1"})
_NO: Final = frozenset({"no", "false", "off", "0"})
_WHERE: Final = re.compile(r"at line (\d+)")

_GIVES_WAY_TO: Final[Mapping[str, tuple[str, ...]]] = {
    # Colour and age are those of the person who is named beside them, nobody else's.
    "--colour": ("--name",),
    "--age": ("--name",),
    "--plain": ("--json",),
    "--bell": ("--no-bell",),
    "--no-bell": ("--bell",),
    "--no-animation": ("--speed",),
}
"""A setting is left aside where one of these is said with more weight."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its flag, the text of its value ("yes" or "no" for a flag that takes none), and who says so."""

    flag: str
    text: str
    source: str


def key(flag: str) -> str:
    """What a flag is called in the file."""
    return flag.removeprefix("--")


def variable(flag: str) -> str:
    """What a flag is called in the environment."""
    return _PREFIX + key(flag).upper().replace("-", "_")


def file_of(environment: Mapping[str, str]) -> Path | None:
    """Where the file is, or would be; None where no home folder is known."""
    folder = folder_of(Base.CONFIG, environment)
    return None if folder is None else folder / FILE


def from_file(environment: Mapping[str, str]) -> tuple[Setting, ...]:
    """The settings of the file, checked; UsageError names file, line and key of what is wrong."""
    path = file_of(environment)
    text = None if path is None else _text(path)
    if path is None or text is None:
        return ()
    found = []
    for name, value in _parsed(path, text).items():
        where = _("{path}, line {line}").format(path=path, line=_line(text, name))
        found.append(_checked(Setting(_flag(name, where), _as_text(name, value, where), where)))
    return tuple(found)


def from_environment(environment: Mapping[str, str]) -> tuple[Setting, ...]:
    """The settings of the environment, checked; an empty variable says nothing. UsageError names the variable."""
    return tuple(_from_variables(environment))


def language(environment: Mapping[str, str]) -> str | None:
    """The language of the settings, if they hold one and nothing is wrong with them."""
    return _lenient(environment, "--language")


def ascii_only(environment: Mapping[str, str]) -> bool:
    """Whether the settings ask for nothing but ASCII, and nothing is wrong with them."""
    return _lenient(environment, "--ascii") == "yes"


def with_settings(arguments: Arguments, environment: Mapping[str, str]) -> Arguments:
    """These arguments and, below them, the environment's settings, then the file's, as far as the command has them."""
    layers = (from_environment(environment), from_file(environment))
    allowed = (*COMMANDS[arguments.command].flags, *GLOBAL) if arguments.command else TASTE
    values, undone = dict(arguments.values), set(arguments.undone)
    for layer in layers:
        above = values.keys() | undone
        for setting in layer:
            if setting.flag in allowed and above.isdisjoint((setting.flag, *_GIVES_WAY_TO.get(setting.flag, ()))):
                if FLAGS[setting.flag].takes is not Takes.NOTHING:
                    values[setting.flag] = (setting.text,)
                elif setting.text == "yes":
                    values[setting.flag] = ("",)
                else:
                    undone.add(setting.flag)
    return replace(arguments, values=values, undone=frozenset(undone))


def _lenient(environment: Mapping[str, str], flag: str) -> str | None:
    try:
        settings = (*from_environment(environment), *from_file(environment))
    except UsageError:
        return None
    return next((setting.text for setting in settings if setting.flag == flag), None)


def _text(path: Path) -> str | None:
    """The file's text, or None where there is no file."""
    try:
        # A pipe or device in its place would be read for ever.
        if not path.is_file():
            if path.exists():
                raise UsageError(_("{path} is no file.").format(path=path))
            return None
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise UsageError(_("{path} is too long for a file of settings.").format(path=path))
        return data.decode()
    except UnicodeDecodeError as wrong:
        raise UsageError(_("{path} is no text in UTF-8.").format(path=path)) from wrong
    except OSError as wrong:
        why = wrong.strerror or str(wrong)
        raise UsageError(_("{path} cannot be read: {why}.").format(path=path, why=why)) from wrong


def _parsed(path: Path, text: str) -> Mapping[str, object]:
    import tomllib  # noqa: PLC0415 - only people who have such a file wait for it

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as wrong:
        found = _WHERE.search(str(wrong))
        line = found[1] if found else len(text.splitlines())
        raise UsageError(
            _('{path}, line {line}: this is no setting; write a key, = and a value, as in name = "Ada".').format(
                path=path, line=line
            )
        ) from wrong


def _line(text: str, name: str) -> int:
    """The number of the line that a key begins."""
    begins = re.compile(rf"""\s*\[*\s*["']?{re.escape(name)}\b""")
    return next((n for n, line in enumerate(text.splitlines(), 1) if begins.match(line)), 1)


def _flag(name: str, where: str) -> str:
    known = [key(flag) for flag in TASTE]
    if name not in known:
        near = get_close_matches(name, known, n=1, cutoff=0.6)
        hint = _(" Did you mean {near}?").format(near=near[0]) if near else ""
        told = ascii(name[:40])
        raise UsageError(_("{where}: there is no setting {name}.{hint}").format(where=where, name=told, hint=hint))
    return f"--{name}"


def _as_text(name: str, value: object, where: str) -> str:
    """The value as the command line has it; UsageError for one of another kind."""
    if FLAGS[f"--{name}"].takes is Takes.NOTHING:
        if isinstance(value, bool):
            return "yes" if value else "no"
        raise UsageError(_("{where}: {name} is true or false, without quotes.").format(where=where, name=name))
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise UsageError(_("{where}: {name} takes a text in quotes, or a number.").format(where=where, name=name))


def _from_variables(environment: Mapping[str, str]) -> Iterator[Setting]:
    for flag in TASTE:
        where = variable(flag)
        text = environment.get(where, "")
        if text and FLAGS[flag].takes is Takes.NOTHING:
            if text.lower() not in _YES | _NO:
                raise UsageError(_("{where} is yes or no, not {text}.").format(where=where, text=ascii(text[:40])))
            yield Setting(flag, "yes" if text.lower() in _YES else "no", where)
        elif text:
            yield _checked(Setting(flag, text, where))


def _checked(setting: Setting) -> Setting:
    """The setting, if a command line with its flag would be understood; else UsageError that says whose it is."""
    from sorry_lan.cli import options  # noqa: PLC0415 - as above
    from sorry_lan.ui.board_picture import Signs  # noqa: PLC0415 - as above

    alone = Arguments("", None, {setting.flag: (setting.text,)})
    try:
        options.people(alone, {})
        options.taste(alone, Signs.ASCII)
        options.language(alone)
    except UsageError as wrong:
        raise UsageError(f"{setting.source}: {wrong}") from wrong
    return setting

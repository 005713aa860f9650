"""`sorry-lan config`: where settings and files are kept, what each setting is, and who says so."""

from __future__ import annotations

import json
from collections.abc import Mapping

from sorry_lan.cli.arguments import TASTE, Arguments
from sorry_lan.cli.config import file_of, from_environment, from_file, key
from sorry_lan.cli.output import say
from sorry_lan.store.folders import Base, folder_of
from sorry_lan.ui.catalogue import _


def run(arguments: Arguments, environment: Mapping[str, str]) -> int:
    """Print the settings in force; 0. UsageError where one of them is wrong."""
    # The environment stands above the file.
    found = {setting.flag: setting for setting in (*from_file(environment), *from_environment(environment))}
    file = file_of(environment)
    folder = folder_of(Base.STATE, environment)
    if arguments.has("--json"):
        settings = {key(flag): {"value": s.text, "from": s.source} for flag, s in found.items()}
        say([json.dumps({"file": _path(file), "folder": _path(folder), "settings": settings})])
        return 0
    there = "" if file is not None and file.exists() else _(" (not there yet)")
    lines = [_("Settings: {path}{there}").format(path=file or "-", there=there)]
    lines += [_("Key, games and log: {path}").format(path=folder or "-"), ""]
    for flag in TASTE:
        setting = found.get(flag)
        lines.append(f"{key(flag):<14}  {setting.text:<10}  {setting.source}" if setting else f"{key(flag):<14}  -")
    say(lines)
    return 0


def _path(path: object) -> str | None:
    return None if path is None else str(path)

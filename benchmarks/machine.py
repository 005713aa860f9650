"""What a figure was measured on: without it no figure means anything."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def machine(folder: Path) -> dict[str, object]:
    """Processors, load, system, Python, and the file system under `folder`."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processors": len(os.sched_getaffinity(0)),
        "load": round(os.getloadavg()[0], 1),
        "file_system": file_system(folder),
    }


def machine_line(folder: Path) -> str:
    """The same as one line."""
    facts = machine(folder)
    return (
        f"Python {facts['python']}, {facts['system']}, {facts['processors']} processors, load {facts['load']}, "
        f"{facts['file_system']}"
    )


def file_system(folder: Path) -> str:
    """The type of the file system that holds `folder`."""
    best, kind = "", "unknown"
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, point, type_, *_ = line.split()
        inside = point == "/" or folder.resolve().as_posix().startswith((point, point + "/"))
        if inside and len(point) >= len(best):
            best, kind = point, type_
    return kind

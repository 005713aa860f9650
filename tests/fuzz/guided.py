"""One process of atheris: a target, guided by the coverage of our own code. Arguments: target, corpus, libFuzzer's.

What is to be seen by atheris must be imported under its eyes, so everything else is imported later than usual.
"""

from __future__ import annotations

import importlib
import os
import sys

WATCHED = ("sorry_lan.wire", "sorry_lan.fair", "sorry_lan.table", "sorry_lan.store")


def main() -> None:
    """Never returns: libFuzzer ends the process."""
    name, folder, *limits = sys.argv[1:]
    atheris = importlib.import_module("atheris")
    # The compiled msgpack can't be watched; its twin in Python can, at a twentieth of the speed.
    pure = ["msgpack"] if os.environ.get("MSGPACK_PUREPYTHON") else []
    with atheris.instrument_imports(include=[*WATCHED, *pure], enable_loader_override=False):
        targets = importlib.import_module("tests.fuzz.targets")
    target, tried = targets.TARGETS[name], targets.tried

    def one(data: bytes) -> None:
        tried(target, data)

    atheris.Setup([sys.argv[0], *limits, folder], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

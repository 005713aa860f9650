"""Runs protocol/vectors against sorry_lan, one line a file: `python -m tests.conformance [--deep]`.

`--deep` counts every perft of the file, which takes seconds more.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from itertools import chain

from tests.conformance import (
    cases,
    test_bots,
    test_codec,
    test_draw,
    test_entries,
    test_frames,
    test_keys,
    test_perft,
    test_rules,
    test_transcripts,
)

FILES = {
    "codec": test_codec.GROUPS,
    "frames": test_frames.GROUPS,
    "keys": test_keys.GROUPS,
    "entries": test_entries.GROUPS,
    "draw": test_draw.GROUPS,
    "bots": test_bots.GROUPS,
}


def report(name: str, runs: Iterable[Callable[[], object]]) -> int:
    """Print one line about a file; how many of its cases fail."""
    passed = 0
    failures = []
    for run in runs:
        try:
            run()
        except (AssertionError, ValueError) as wrong:
            failures.append(str(wrong).splitlines()[0] if str(wrong) else "differs")
        else:
            passed += 1
    print(f"{name:<18} {passed:>5} hold {len(failures):>5} fail")
    for failure in failures:
        print(f"    {failure}")
    return len(failures)


def main(arguments: list[str]) -> int:
    """0 if every case holds."""
    most = sys.maxsize if arguments == ["--deep"] else test_perft.LEAVES_IN_A_TEST
    failed = 0
    for name, groups in FILES.items():
        failed += report(f"{name}.json", [lambda c=case, g=groups: cases.judge(c, g) for case in cases.load(name)])  # type: ignore[misc]
    rows = chain.from_iterable(((group, case) for case in test_rules.RULES[group]) for group in test_rules.RULES)
    failed += report("rules.json", [lambda g=group, c=case: test_rules.GROUPS[g](c) for group, case in rows])  # type: ignore[misc]
    failed += report("perft.json", [lambda c=case: test_perft.check(c, most) for case in test_perft.PERFT])  # type: ignore[misc]
    failed += report("transcripts/", [lambda c=case: test_transcripts.check(c) for case in test_transcripts.INDEX])  # type: ignore[misc]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

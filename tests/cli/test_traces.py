"""That a trace which any program writes fails the test that started it: planted ones, seen by the file they go into."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ui.tty import Tty

PLANTED = {
    "nobody caught it": "1 / 0",
    "in a thread": "import threading; t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()",
    "where it cannot be raised": "class A:\n def __del__(self): 1 / 0\nA()",
    "printed": "import traceback\ntry: 1 / 0\nexcept ZeroDivisionError: traceback.print_exc()",
    "logged": "import logging\ntry: 1 / 0\nexcept ZeroDivisionError: logging.exception('x')",
    "on standard output": "import sys, traceback\ntry: 1 / 0\nexcept: traceback.print_exc(None, sys.stdout)",
}

OURS = ("sorry_lan",)
"""What tells a program of ours from one that somebody else wrote, such as a bot."""


@pytest.mark.shows_trace
@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED)
def test_a_trace_is_found_though_nobody_reads_the_output(planted: str) -> None:
    words = [sys.executable, "-c", planted, *OURS]
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=60)
    assert "ZeroDivisionError" in Path(os.environ["TRACES_TO"]).read_text(encoding="utf-8")


@pytest.mark.shows_trace
def test_a_trace_on_a_terminal_is_found() -> None:
    with Tty([sys.executable, "-c", "1 / 0", *OURS]) as tty:
        tty.end()
    assert "ZeroDivisionError" in Path(os.environ["TRACES_TO"]).read_text(encoding="utf-8")


def test_a_program_that_only_speaks_of_errors_is_not_suspected() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sorry_lan", "nonsense"], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, "no command" in done.stderr) == (2, True)
    assert not Path(os.environ["TRACES_TO"]).exists()


@pytest.mark.shows_trace
def test_the_suite_fails_where_a_program_wrote_a_trace(tmp_path: Path) -> None:
    """The fixture itself, in a run of its own."""
    (tmp_path / "conftest.py").write_text("from tests.conftest import _no_trace\n")
    (tmp_path / "test_it.py").write_text(
        "import subprocess, sys\n"
        "def test_it(): subprocess.run([sys.executable, '-c', '1 / 0', 'sorry_lan'], capture_output=True)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)],
        capture_output=True, text=True, check=False, timeout=120, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.returncode == 1, done.stdout
    assert "a program wrote a trace" in done.stdout


def test_what_a_program_of_somebody_else_writes_is_no_trace_of_ours() -> None:
    subprocess.run([sys.executable, "-c", "1 / 0"], stderr=subprocess.DEVNULL, check=False, timeout=60)
    assert not Path(os.environ["TRACES_TO"]).exists()

"""A sample of tests/ui/stress.py."""

from __future__ import annotations

import pytest

from tests.ui.stress import one

pytestmark = pytest.mark.untraced


@pytest.mark.parametrize("seed", range(1, 9))
def test_an_interrupt_at_any_moment_ends_the_program_with_its_terminal_in_order(seed: int) -> None:
    assert one(seed) == ""

"""Real processes over a network that misbehaves. Timers are asserted in virtual time elsewhere; here, that it all fits.

How long things took is asserted only so far as no machine is that slow; `python -m tests.lan` tells the figures.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.lan import kills, scenarios
from tests.lan.lab import leftovers, why_not
from tests.lan.scenarios import MIDDLE, SHORT, Figures

pytestmark = pytest.mark.lan


@pytest.fixture
def lab() -> Iterator[None]:
    reason = why_not()
    if reason is not None:
        pytest.skip(reason)
    yield
    assert leftovers() == ()


@pytest.mark.usefixtures("lab")
def test_a_game_ends_as_one_though_frames_are_late_lost_doubled_and_overtaken() -> None:
    figures = scenarios.stormy(SHORT)
    for name in ("frames lost", "frames doubled", "frames overtook"):
        assert figures[name] > 0


@pytest.mark.usefixtures("lab")
def test_one_of_four_is_cut_off_silently_and_comes_back_without_a_question() -> None:
    figures = scenarios.silent_cut(8.0, MIDDLE)
    _within(figures, {"silent peer noticed s": (2.0, 7.0), "play resumes s after healing": (0.0, 6.0)})


@pytest.mark.usefixtures("lab")
def test_a_killed_guest_and_a_killed_host_come_back_by_the_same_command() -> None:
    figures = scenarios.killed(MIDDLE)
    # A silence would be noticed after three seconds: less means that the end of the connection was seen.
    _within(figures, {f"killed {who} noticed s": (0.0, 2.0) for who in ("guest", "host")})


@pytest.mark.usefixtures("lab")
@pytest.mark.parametrize("cut", [((1, 2), (2, 1)), ((1, 2),)], ids=["both-ways", "one-way"])
def test_two_that_cannot_reach_each_other_play_through_the_third(cut: tuple[tuple[int, int], ...]) -> None:
    scenarios.around(cut)


@pytest.mark.usefixtures("lab")
def test_link_local_addresses_without_any_ipv4_are_enough() -> None:
    scenarios.six_only()


def test_processes_killed_at_random_moments_end_with_one_game() -> None:
    assert kills.run(3, seed=1, seats=3)["kills"] >= 3


def _within(figures: Figures, bounds: dict[str, tuple[float, float]]) -> None:
    for name, (least, most) in bounds.items():
        assert least <= figures[name] <= most, f"{name}: {figures[name]:.2f}"

"""Tables are found on real interfaces. How long that took is asserted as far as the promise goes, load included."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.lan import finding
from tests.lan.lab import leftovers, why_not

pytestmark = pytest.mark.lan


@pytest.fixture(autouse=True)
def _lab() -> Iterator[None]:
    reason = why_not()
    if reason is not None:
        pytest.skip(reason)
    yield
    assert leftovers() == ()


def test_guests_in_the_lan_and_on_a_bridge_find_and_join_a_host_whose_default_route_is_a_vpn() -> None:
    finding.rooms(times=1)


def test_the_lines_that_a_host_prints_lead_to_its_table_word_for_word() -> None:
    assert finding.printed_lines()["lines"] == 3


def test_a_table_comes_back_into_the_list_after_the_cable_was_pulled() -> None:
    assert finding.flapped()["found again s"] < 10


def test_a_network_that_comes_up_late_is_used() -> None:
    assert finding.plugged_late()["found s"] < 10


def test_a_crashed_host_disappears_from_the_list() -> None:
    figures = finding.crashed()
    assert all(took_s < 5 for took_s in figures.values()), figures


def test_where_multicast_is_dropped_the_code_says_why_and_the_address_works() -> None:
    finding.no_multicast()


def test_two_programs_on_one_computer_without_a_network_find_each_other() -> None:
    finding.no_network()


@pytest.mark.parametrize("family", ["v4", "v6", "link-local"])
def test_tables_are_found_with_addresses_of_one_kind_only(family: str) -> None:
    finding.family(family)


def test_a_wrong_code_costs_nobody_the_table() -> None:
    finding.wrong_code()


def test_strangers_who_make_trouble_keep_nobody_out() -> None:
    assert finding.besieged()["joined s"] < 2


def test_players_with_other_addresses_find_each_other_again() -> None:
    finding.moved_house()

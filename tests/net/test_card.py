"""What a table tells the network: it comes back as it was, holds no secret, and from others anything may come."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sorry_lan.net.card import card_record, fit, read_card
from sorry_lan.table.notices import Card, CodeUse, Fit, Openness, Program, Watch

OURS = Program(1, 1, "1.0.0", b"\x01\x02\x03\x04\x05")


def card(**changes: object) -> Card:
    fields: dict[str, object] = {
        "title": "Bob's table",
        "people": ("Bob", "J\u00f6rg"),
        "seats": 4,
        "free": 2,
        "rules": "standard",
        "openness": Openness.LOBBY,
        "code": CodeUse.NEEDED,
        "program": Program(1, 1, "1.0.0", b"\x01\x02\x03\x04"),
    }
    return Card(**{**fields, **changes})  # type: ignore[arg-type]


def sent(told: Card) -> dict[bytes, bytes | None]:
    return {key.encode(): value.encode() for key, value in card_record(told).items()}


def test_a_card_comes_back_as_it_was() -> None:
    changed = (card(openness=Openness.PLAY, free=0), card(code=CodeUse.NONE, people=()), card(watch=Watch.NO))
    for told in (card(), *changed):
        assert read_card(sent(told)) == told


def test_of_the_engine_four_bytes_are_told() -> None:
    assert read_card(sent(card(program=OURS))) == card()
    assert read_card(sent(card(program=Program(1, 1, "1.0.0", None)))) == card(program=Program(1, 1, "1.0.0", None))


def test_nothing_but_these_keys_is_ever_told() -> None:
    told = {"v", "app", "engine", "title", "seats", "free", "rules", "open", "code", "watch", "p0", "p1"}
    assert set(card_record(card())) == told
    assert card_record(card())["code"] == "needed"


def test_a_record_without_versions_is_no_table() -> None:
    for versions in (None, b"", b"1", b"1-x", b"-1", b"1-1-1", b"1000-1"):
        assert read_card({b"v": versions, b"title": b"x"}) is None
    assert read_card({}) is None


def test_another_version_may_leave_out_everything_else() -> None:
    assert read_card({b"v": b"2-3"}) == Card("", (), 0, 0, "", Openness.LOBBY, CodeUse.NEEDED, Program(2, 3, "", None))


_KEYS = st.sampled_from([b"v", b"seats", b"free", b"p0", b"title", b"engine", b"\xff"])


@given(st.dictionaries(_KEYS, st.binary(max_size=60) | st.none()))
def test_whatever_comes_is_bounded(record: dict[bytes, bytes | None]) -> None:
    found = read_card({**record, b"v": b"1-1"})
    assert found is not None
    assert found.free <= found.seats <= 4
    assert len(found.people) <= 4
    assert all(len(text) <= 40 for text in (found.title, found.rules, found.program.app, *found.people))


def test_programs_fit_where_versions_meet_and_engines_are_equal() -> None:
    assert fit(OURS, Program(1, 2, "2", b"\x01\x02\x03\x04")) is Fit.FITS
    assert fit(OURS, Program(1, 1, "2", None)) is Fit.FITS
    assert fit(Program(1, 1, "1", None), Program(1, 1, "2", b"\x09")) is Fit.FITS
    assert fit(OURS, Program(2, 3, "2", b"\x01\x02\x03\x04")) is Fit.VERSION
    assert fit(OURS, Program(1, 1, "1.0.0", b"\x01\x02\x03\x05")) is Fit.ENGINE

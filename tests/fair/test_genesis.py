"""The TABLE document: bytes, id, the rules between its fields, consents."""

from dataclasses import replace
from hashlib import sha256

import pytest

from sorry_lan.fair import genesis
from sorry_lan.fair.genesis import check_terms, consent_holds, consents_complete
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.rules.board import Colour
from sorry_lan.rules.profile import PROFILES, Rules
from sorry_lan.wire.messages import Consent
from sorry_lan.wire.terms import Parent, SeatKind, Terms
from tests.fair.build import bot_line, human_line, key_of, table, terms_of, with_seat

FOUR = terms_of("g", "hbhb")


def refusal(terms: Terms) -> Err:
    with pytest.raises(RemoteFault) as refused:
        check_terms(terms)
    return refused.value.code


def line(index: int, **changes: object) -> Terms:
    return with_seat(FOUR, index, replace(FOUR.seats[index], **changes))


def test_a_document_survives_its_bytes():
    assert genesis.decode_terms(genesis.encode_terms(FOUR)) == FOUR


def test_a_document_of_more_than_its_bound_is_not_even_read():
    with pytest.raises(RemoteFault) as refused:
        genesis.decode_terms(bytes(4097))
    assert refused.value.code is Err.SCHEMA
    # One byte less is read, and found to be more than one value.
    with pytest.raises(RemoteFault) as read:
        genesis.decode_terms(bytes(4096))
    assert read.value.code is Err.BAD_FRAME


def test_the_game_id_is_the_hash_of_the_document_behind_its_length():
    head = b"sorry-lan/1\x00game".ljust(32, b"\x00")
    assert genesis.game_id(b"abc") == sha256(head + b"\x00\x00\x00\x03abc").digest()


def test_humans_are_the_seats_with_a_key():
    assert genesis.humans(FOUR) == (0, 2)


def test_colours_are_those_of_the_seats():
    assert genesis.colours_of(FOUR) == tuple(Colour)


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_rules_come_back_from_their_fourteen_numbers(profile):
    assert genesis.rules_of(terms_of(rules=profile)) == profile


@pytest.mark.parametrize("kinds", ["hh", "hb", "bh", "hhh", "bbbh", "hhhh"])
def test_two_to_four_seats_with_a_person_are_a_table(kinds):
    check_terms(terms_of("k", kinds))


def test_the_first_player_may_be_any_person():
    check_terms(replace(FOUR, first=2))


def test_two_people_may_share_a_client():
    check_terms(line(2, client=0))


@pytest.mark.parametrize("first", [1, 3])
def test_a_bot_is_never_the_youngest(first):
    assert refusal(replace(FOUR, first=first)) is Err.SCHEMA


def test_a_first_player_without_a_seat_is_refused():
    assert refusal(replace(terms_of("g", "hh"), first=2)) is Err.SCHEMA


def test_numbers_that_are_no_rules_are_refused():
    assert refusal(replace(FOUR, rules=(9, *FOUR.rules[1:]))) is Err.SCHEMA


def test_a_table_of_bots_is_refused():
    assert refusal(terms_of("g", "bb")) is Err.SCHEMA


def test_an_option_that_does_not_exist_is_refused():
    check_terms(replace(FOUR, options=7))
    assert refusal(replace(FOUR, options=8)) is Err.SCHEMA


def test_another_game_protocol_is_refused_as_a_version():
    assert refusal(replace(FOUR, proto=2)) is Err.VERSION


def test_a_parent_whose_snapshot_is_no_position_is_refused():
    parent = Parent(bytes(32), 3, bytes(32), bytes(32), b"\x90", None, 0)
    assert refusal(replace(FOUR, parent=parent)) is Err.SCHEMA


def test_a_stand_in_is_refused_in_a_first_table():
    assert refusal(line(1, kind=int(SeatKind.STAND_IN))) is Err.SCHEMA


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_a_bot_may_have_any_of_the_four_levels(level):
    check_terms(line(1, level=level))


def test_a_person_has_no_level():
    assert refusal(line(0, level=1)) is Err.SCHEMA


@pytest.mark.parametrize("field", ["pk", "nonce", "anchor"])
def test_a_bot_has_nothing_to_open(field):
    assert refusal(line(1, **{field: bytes([1]) * 32})) is Err.SCHEMA


@pytest.mark.parametrize("client", [0, 3])
def test_a_bot_is_its_own_client(client):
    assert refusal(line(1, client=client)) is Err.SCHEMA


def test_a_bot_is_nobodys_client():
    assert refusal(line(0, client=1)) is Err.SCHEMA


def test_a_clients_seat_belongs_to_that_client():
    terms = terms_of("g", "hhh")
    terms = with_seat(terms, 0, replace(terms.seats[0], client=1))
    check_terms(terms)
    assert refusal(with_seat(terms, 1, replace(terms.seats[1], client=2))) is Err.SCHEMA


def test_a_weak_key_is_refused():
    assert refusal(line(0, pk=bytes(32))) is Err.SCHEMA


@pytest.mark.parametrize("field", ["pk", "nonce", "anchor", "name"])
def test_two_people_share_no(field):
    assert refusal(line(2, **{field: getattr(FOUR.seats[0], field)})) is Err.DUPLICATE


def test_a_bot_has_no_persons_name():
    assert refusal(line(1, name=FOUR.seats[0].name)) is Err.DUPLICATE


def test_two_seats_share_no_colour():
    assert refusal(line(1, colour=0)) is Err.DUPLICATE


def test_seats_ascend_by_colour():
    terms = terms_of("g", "hb")
    assert refusal(with_seat(terms, 0, replace(terms.seats[0], colour=3))) is Err.SCHEMA


def test_a_consent_is_a_signature_under_the_bytes():
    made = table("c")
    consent = made.consents()[1]
    assert consent_holds(made.terms, made.bytes, consent)
    assert not consent_holds(made.terms, made.bytes + b"x", consent)
    assert not consent_holds(made.terms, made.bytes, Consent(0, consent.sig))


@pytest.mark.parametrize("seat", [1, 3])
def test_a_seat_without_a_person_consents_to_nothing(seat):
    made = table("c", "hb")
    assert not consent_holds(made.terms, made.bytes, Consent(seat, made.consents()[0].sig))


def test_consents_are_complete_with_every_person_in_order():
    made = table("c", "hbh")
    first, second = made.consents()
    assert consents_complete(made.terms, made.bytes, (first, second))
    assert not consents_complete(made.terms, made.bytes, (first,))
    assert not consents_complete(made.terms, made.bytes, (second, first))
    assert not consents_complete(made.terms, made.bytes, (first, Consent(2, first.sig)))


def test_a_signature_for_another_table_is_no_consent():
    made, other = table("c"), table("c", rules=Rules())
    assert not consents_complete(made.terms, made.bytes, other.consents())


def test_lines_are_built_as_the_tests_say():
    assert human_line("g", 1).pk == key_of("g", 1).public
    assert bot_line(1).client == 1

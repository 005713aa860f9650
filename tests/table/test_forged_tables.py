"""Proposals, offers and withdrawals that honest clients refuse, whoever sends them; and what two at once come to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from sorry_lan.fair import genesis
from sorry_lan.fair.continuation import stand_in, view_of
from sorry_lan.faults import Err
from sorry_lan.rules.profile import Rules
from sorry_lan.table.events import GoOnAnswered, Opened, Ready
from sorry_lan.table.news import GoneOn, GoneOnWithoutUs, OfferVoid
from sorry_lan.table.readiness import seat_body
from sorry_lan.table.settings import Offers, Role
from sorry_lan.table.table import Table
from sorry_lan.wire.codec import encode_message
from sorry_lan.wire.keys import NO_GAME, Context, SecretKey
from sorry_lan.wire.messages import (
    Consent,
    ConsentGiven,
    Message,
    No,
    Peers,
    Propose,
    SeatOffer,
    Stage,
    Status,
    TableAgreed,
    Withdraw,
)
from sorry_lan.wire.terms import Terms, Why
from tests.table.build import SHORT, Node, World, friends, person, settings
from tests.table.test_continuing import seat_of, step_of, table

YES = GoOnAnswered(Ready.YES)


@dataclass
class Evil:
    """The first client: what it says about going on is kept back, and said otherwise."""

    world: World
    said: list[Message] = field(default_factory=list)

    def meddle(self, link: int, message: Message) -> None:
        if isinstance(message, SeatOffer | Propose | ConsentGiven | Withdraw | TableAgreed):
            self.said.append(message)
        else:
            self.world.deliver(0, link, encode_message(message))

    @property
    def key(self) -> SecretKey:
        return self.world.nodes[0].settings.people[0].key

    def last(self, kind: type) -> Message:
        """Its own last message of this kind; what it passes on is another's."""
        own = (message for message in reversed(self.said) if getattr(message, "pk", self.key.public) == self.key.public)
        return next(message for message in own if isinstance(message, kind))

    def send(self, message: Message, to: int = 1) -> None:
        self.world.send(0, to, message)
        self.world.run(for_s=0.2)

    def proposal(self) -> Propose:
        found = self.last(Propose)
        assert isinstance(found, Propose)
        return found

    def signed(self, table_bytes: bytes, seat: int | None = None) -> Propose:
        sig = self.key.sign(Context.TABLE, NO_GAME, b"propose" + table_bytes)
        return Propose(self.proposal().seat if seat is None else seat, table_bytes, sig)

    def other(self, **changed: object) -> Propose:
        """Its own proposal with other terms."""
        terms = genesis.decode_terms(self.proposal().table)
        return self.signed(genesis.encode_terms(replace(terms, **changed)))  # type: ignore[arg-type]

    def withdrawal(self) -> Withdraw:
        """It takes back its consent to its own proposal."""
        child = genesis.game_id(self.proposal().table)
        sig = self.key.sign(Context.TABLE, NO_GAME, b"withdraw" + child)
        return Withdraw(self.proposal().seat, child, sig)

    def terms(self) -> Terms:
        return genesis.decode_terms(self.proposal().table)


def refused(node: Node) -> list[int]:
    return [message.code for _, message in node.sent if isinstance(message, No)]


def expelled(node: Node) -> list[Err]:
    return [command.code for command in node.closed]


def consents(node: Node) -> list[Message]:
    return [message for _, message in node.sent if isinstance(message, ConsentGiven)]


def parted(*, agreed: bool = True, rules: Rules = SHORT) -> tuple[Evil, Node]:
    """Three at a table, the last one away for a minute; the first is evil and has its proposal ready."""
    world = table(3, offers=Offers.PEOPLE, rules=rules)
    world.kill(2)
    world.run(for_s=64)
    evil = Evil(world)
    world.meddlers[0] = evil.meddle
    # What the honest one signs never reaches the other's own Table, which so stays in the old game.
    world.meddlers[1] = lambda link, message: None if isinstance(message, ConsentGiven) else _pass(world, link, message)
    node = world.nodes[1]
    node.sent.clear()
    world.tell(0, YES)
    if agreed:
        world.tell(1, YES)
    world.run(for_s=1)
    return evil, node


def _pass(world: World, link: int, message: Message) -> None:
    world.deliver(1, link, encode_message(message))


@pytest.mark.spec("T-35", "H-22")
def test_the_honest_proposal_is_signed() -> None:
    evil, node = parted()
    evil.send(evil.last(SeatOffer))
    evil.send(evil.proposal())
    assert len(consents(node)) == 1
    evil.send(evil.last(ConsentGiven))
    assert node.told(GoneOn)


@pytest.mark.spec("T-32")
@pytest.mark.parametrize("changed", [{"k": 1}, {"head": bytes(32)}, {"game": bytes(32)}])
def test_another_view_of_the_game_is_refused(changed: dict[str, object]) -> None:
    evil, node = parted()
    parent = evil.terms().parent
    assert parent is not None
    evil.send(evil.other(parent=replace(parent, **changed)))  # type: ignore[arg-type]
    assert refused(node) == ([] if "game" in changed else [Err.PARENT_DIFFERS])
    assert consents(node) == []


def test_a_proposal_that_nobody_signs_does_not_go_round_for_ever() -> None:
    """Three refuse it, and each passes on what it hears from another."""
    world = table(4, offers=Offers.PEOPLE, rules=replace(SHORT, pawns=2))
    evil = Evil(world)
    game = world.nodes[0].table._game
    assert game is not None
    view = view_of(game.ledger, Why.UNREACHABLE)
    assert view is not None
    parent = replace(view, head=bytes(32))
    (seat,) = game.hands
    table_bytes = genesis.encode_terms(replace(game.ledger.terms, parent=parent))
    forged = evil.signed(table_bytes, seat)
    evil.send(forged, to=2)
    world.run(for_s=3)
    for honest in world.nodes[1:]:
        passed_on = [message for _, message in honest.sent if message == forged]
        assert 1 <= len(passed_on) <= 3
        assert expelled(honest) == []


@pytest.mark.spec("T-32")
def test_a_step_that_we_have_not_counted_is_waited_for_and_not_believed() -> None:
    evil, node = parted()
    parent = evil.terms().parent
    assert parent is not None
    evil.send(evil.other(parent=replace(parent, k=parent.k + 3)))
    assert (refused(node), consents(node)) == ([], [])


@pytest.mark.spec("T-35")
@pytest.mark.parametrize("sig", [None, bytes(64)])
def test_an_unsigned_proposal_ends_the_link(sig: bytes | None) -> None:
    evil, node = parted()
    evil.send(replace(evil.proposal(), sig=sig))
    assert expelled(node) == [Err.BAD_SIGNATURE]


def test_a_proposal_by_nobody_ends_the_link_and_one_in_our_name_is_nothing() -> None:
    evil, node = parted()
    evil.send(evil.signed(evil.proposal().table, seat_of(evil.world, 1)))
    assert (expelled(node), consents(node)) == ([], [])
    evil.send(evil.signed(evil.proposal().table, 3))
    assert expelled(node) == [Err.NOT_A_SEAT]


def test_bytes_that_are_no_table_end_the_link() -> None:
    evil, node = parted()
    evil.send(evil.signed(b"\xc0"))
    assert expelled(node) == [Err.SCHEMA]


@pytest.mark.spec("T-35")
@pytest.mark.parametrize("sig", [None, bytes(64)])
def test_an_unsigned_offer_ends_the_link(sig: bytes | None) -> None:
    evil, node = parted()
    offer = evil.last(SeatOffer)
    assert isinstance(offer, SeatOffer)
    evil.send(replace(offer, sig=sig))
    assert expelled(node) == [Err.BAD_SIGNATURE]


def test_an_offer_by_a_stranger_ends_the_link_and_one_for_another_game_or_for_us_is_nothing() -> None:
    evil, node = parted()
    offer = evil.last(SeatOffer)
    assert isinstance(offer, SeatOffer)
    evil.send(replace(offer, parent=bytes(32)))
    evil.send(replace(offer, pk=node.pk))
    assert expelled(node) == []
    stranger = SecretKey(b"s" * 32)
    unsigned = replace(offer, pk=stranger.public, sig=None)
    evil.send(replace(unsigned, sig=stranger.sign(Context.TABLE, NO_GAME, seat_body(unsigned))))
    assert expelled(node) == [Err.NOT_A_SEAT]


def three_of_four() -> tuple[World, list[SeatOffer]]:
    """The fourth is away for a minute; the offers of the others from now on."""
    world = table(4, offers=Offers.PEOPLE, rules=replace(SHORT, pawns=2))
    world.kill(3)
    world.run(for_s=64)
    said: list[SeatOffer] = []
    world.watch.append(lambda _node, message: said.append(message) if isinstance(message, SeatOffer) else None)
    return world, said


def test_an_offer_that_its_seat_replaced_is_void_however_often_a_cheat_shows_it_again() -> None:
    """Three are to go on without a fourth; one of them repeats what the second offered before."""
    world, said = three_of_four()
    for node in (0, 1):
        world.tell(node, YES)
    world.run(for_s=1)
    key = world.nodes[1].settings.people[0].key
    (old,) = {offer for offer in said if offer.pk == key.public}
    fresh = replace(old, nonce=b"f" * 32, sig=None)
    fresh = replace(fresh, sig=key.sign(Context.TABLE, NO_GAME, seat_body(fresh)))
    ready = world.nodes[0].table._room.continuing._ready  # type: ignore[union-attr]
    world.arrive(1, 0, fresh)
    assert ready._offers[key.public] == fresh
    for offer in (old, fresh, old):
        world.send(2, 0, offer)
        world.run(for_s=0.1)
    world.arrive(1, 0, old)
    assert ready._offers[key.public] == fresh


def test_what_somebody_who_is_linked_offers_is_taken_from_nobody_else() -> None:
    world, said = three_of_four()
    drop = {0, 2}
    world.meddlers[1] = lambda link, message: (
        None
        if isinstance(message, SeatOffer) and world.peer_of(1, link) in drop
        else world.deliver(1, link, encode_message(message))
    )
    world.tell(1, YES)
    world.run(for_s=1)
    ready = world.nodes[0].table._room.continuing._ready  # type: ignore[union-attr]
    assert said
    world.send(2, 0, said[0])
    world.run(for_s=0.1)
    assert not ready._offers
    # Without a link the word of a third is all there is.
    world.graph = {frozenset((0, 2)), frozenset((1, 2))}
    world.cut(0, 1)
    world.send(2, 0, said[0])
    world.run(for_s=0.1)
    assert list(ready._offers.values()) == [said[0]]


def test_an_offer_is_repeated_until_the_next_table_is_proposed() -> None:
    """Whoever was told a false one in between, or nothing, knows better a second later."""
    evil, node = parted()
    before = sum(isinstance(message, SeatOffer) for _, message in node.sent)
    evil.world.run(for_s=3)
    assert 2 <= sum(isinstance(message, SeatOffer) for _, message in node.sent) - before <= 4
    evil.send(evil.last(SeatOffer))
    evil.send(evil.proposal())
    during = sum(isinstance(message, SeatOffer) for _, message in node.sent)
    evil.world.run(for_s=3)
    assert sum(isinstance(message, SeatOffer) for _, message in node.sent) == during


@pytest.mark.spec("T-12", "T-11")
def test_a_table_with_another_nonce_of_ours_or_of_somebody_is_stale() -> None:
    evil, node = parted()
    evil.send(evil.last(SeatOffer))
    for seat in (seat_of(evil.world, 1), seat_of(evil.world, 0)):
        seats = list(evil.terms().seats)
        seats[seat] = replace(seats[seat], nonce=b"n" * 32)
        evil.send(evil.other(seats=tuple(seats)))
    assert refused(node) == [Err.STALE_TABLE, Err.STALE_TABLE]


def test_a_table_without_one_of_us_is_stale() -> None:
    world = table(4, offers=Offers.PEOPLE)
    world.kill(3)
    world.run(for_s=64)
    evil = Evil(world)
    world.meddlers[0] = evil.meddle
    for node in (0, 1, 2):
        world.tell(node, YES)
    world.run(for_s=1)
    seats = list(evil.terms().seats)
    mine = seat_of(world, 1)
    seats[mine] = stand_in(seats[mine], mine)
    evil.send(evil.other(seats=tuple(seats)))
    assert refused(world.nodes[1]) == [Err.STALE_TABLE]


@pytest.mark.spec("T-40")
def test_nobody_is_left_whom_we_have_not_missed_for_a_minute_ourselves() -> None:
    # With two pawns each nobody wins before this is over.
    evil, node = parted(agreed=False, rules=replace(SHORT, pawns=2))
    world = evil.world
    world.restart(2)
    world.run(for_s=3)
    world.tell(1, YES)
    evil.send(evil.last(SeatOffer))
    if any(isinstance(message, Propose) for message in evil.said):
        evil.send(evil.proposal())
    world.run(for_s=20)
    assert consents(node) == []


@pytest.mark.spec("T-37")
def test_a_consent_that_is_not_complete_after_half_a_minute_is_withdrawn() -> None:
    evil, node = parted()
    proposal = evil.proposal()
    evil.send(evil.last(SeatOffer))
    evil.send(proposal)
    evil.world.run(for_s=29)
    assert not any(isinstance(message, Withdraw) for _, message in node.sent)
    evil.world.run(for_s=2)
    taken_back = [message for _, message in node.sent if isinstance(message, Withdraw)]
    assert {message.game_id for message in taken_back} == {genesis.game_id(proposal.table)}
    assert node.told(OfferVoid)
    # And what was withdrawn needs a fresh nonce.
    evil.send(proposal)
    assert len(consents(node)) == 1


@pytest.mark.spec("T-38")
def test_who_consented_signs_and_counts_nothing_of_the_old_game() -> None:
    evil, node = parted()
    evil.send(evil.last(SeatOffer))
    evil.send(evil.proposal())
    before = len(node.signed)
    evil.world.restart(2)
    evil.world.link(2, 1)
    evil.world.run(for_s=10)
    assert len(node.signed) == before
    stages = [message.stage for _, message in node.sent if isinstance(message, Status)]
    assert stages[-1] == Stage.CONSENTED_ELSEWHERE


@pytest.mark.spec("T-10", "W-22")
def test_a_forged_consent_that_came_before_the_proposal_was_signed_costs_its_own_link_only() -> None:
    evil, node = parted()
    world = evil.world
    world.tell(1, GoOnAnswered(Ready.NO))
    evil.send(evil.last(SeatOffer))
    proposal = evil.proposal()
    evil.send(ConsentGiven(proposal.seat, genesis.game_id(proposal.table), bytes(64)))
    evil.send(proposal)
    assert (expelled(node), consents(node)) == ([], [])
    # What makes us sign is not a frame of theirs, but the word of our own people.
    world.tell(1, YES)
    world.run(for_s=1)
    assert (expelled(node), len(consents(node))) == ([Err.BAD_SIGNATURE], 1)


@pytest.mark.spec("T-39")
def test_a_table_that_completes_after_the_game_moved_on_is_ignored() -> None:
    evil, node = parted()
    world = evil.world
    evil.send(evil.last(SeatOffer))
    evil.send(evil.proposal())
    consent = consents(node)[0]
    assert isinstance(consent, ConsentGiven)
    mine = evil.last(ConsentGiven)
    assert isinstance(mine, ConsentGiven)
    world.tell(0, GoOnAnswered(Ready.NO))
    evil.send(evil.last(Withdraw))
    world.restart(2)
    world.run(until=lambda: step_of(world, 1) >= 12, for_s=60)
    both = sorted((consent, mine), key=lambda given: given.seat)
    late = TableAgreed(evil.proposal().table, tuple(Consent(given.seat, given.sig) for given in both))
    evil.send(late)
    assert not node.told(GoneOn)
    assert expelled(node) == []


@pytest.mark.spec("T-39")
def test_a_withdrawn_table_that_completes_all_the_same_is_followed_while_the_game_has_not_moved() -> None:
    evil, node = parted()
    evil.send(evil.last(SeatOffer))
    evil.send(evil.proposal())
    mine, theirs = evil.last(ConsentGiven), consents(node)[0]
    assert isinstance(mine, ConsentGiven)
    assert isinstance(theirs, ConsentGiven)
    evil.world.tell(0, GoOnAnswered(Ready.NO))
    evil.send(evil.last(Withdraw))
    both = sorted((mine, theirs), key=lambda given: given.seat)
    evil.send(TableAgreed(evil.proposal().table, tuple(Consent(given.seat, given.sig) for given in both)))
    assert len(node.told(GoneOn)) == 1


def test_a_table_that_not_all_signed_is_refused() -> None:
    evil, node = parted()
    evil.send(evil.last(SeatOffer))
    evil.send(evil.proposal())
    seats = [seat_of(evil.world, 0), seat_of(evil.world, 1)]
    evil.send(TableAgreed(evil.proposal().table, tuple(Consent(seat, bytes(64)) for seat in sorted(seats))))
    assert expelled(node) == [Err.BAD_SIGNATURE]


@pytest.mark.parametrize("sig", [bytes(64)])
def test_a_forged_withdrawal_ends_the_link_and_one_of_something_else_is_nothing(sig: bytes) -> None:
    evil, node = parted()
    evil.send(evil.last(SeatOffer))
    evil.send(evil.proposal())
    child = genesis.game_id(evil.proposal().table)
    evil.send(Withdraw(0, bytes(32), sig))
    assert expelled(node) == []
    evil.send(Withdraw(3, child, sig))
    assert expelled(node) == [Err.NOT_A_SEAT]
    evil.world.link(0, 1)
    evil.send(Withdraw(seat_of(evil.world, 0), child, sig))
    assert expelled(node) == [Err.NOT_A_SEAT, Err.BAD_SIGNATURE]


def test_a_proposal_that_waits_for_our_yes_is_forgotten_when_it_is_withdrawn() -> None:
    evil, node = parted(agreed=False)
    evil.world.tell(1, YES)
    evil.world.run(for_s=1)
    evil.world.tell(1, GoOnAnswered(Ready.NO))
    evil.send(evil.last(SeatOffer))
    evil.send(evil.proposal())
    assert consents(node) == []
    evil.send(evil.withdrawal())
    evil.world.tell(1, YES)
    evil.world.run(for_s=2)
    assert consents(node) == []


def four() -> tuple[Evil, list[Node]]:
    """Four at a table, the last one away for a minute; of the others the one with the lowest seat is evil."""
    world = table(4, offers=Offers.PEOPLE)
    world.kill(3)
    world.run(for_s=64)
    assert seat_of(world, 0) == 0
    evil = Evil(world)
    world.meddlers[0] = evil.meddle
    for node in range(3):
        world.nodes[node].sent.clear()
        world.tell(node, YES)
    world.run(for_s=1)
    return evil, world.nodes[1:3]


@pytest.mark.spec("T-36")
def test_of_two_proposals_the_lower_seats_stands_and_everybody_offers_anew() -> None:
    """The lowest seat is slow, so the next one proposes too; then another proposal of the lowest one comes."""
    evil, others = four()
    world = evil.world
    for to in (1, 2):
        evil.send(evil.last(SeatOffer), to)
    world.run(for_s=6)
    assert [len(consents(node)) > 0 for node in others] == [True, True]
    parent = evil.terms().parent
    assert parent is not None
    for to in (1, 2):
        evil.send(evil.other(parent=replace(parent, why=int(Why.LEFT))), to)
    taken_back = [[message for _, message in node.sent if isinstance(message, Withdraw)] for node in others]
    assert all(taken_back)
    for node in others:
        offers = {message.nonce for _, message in node.sent if isinstance(message, SeatOffer) and message.pk == node.pk}
        assert len(offers) == 2


@pytest.mark.spec("T-36")
def test_a_higher_seats_proposal_changes_nothing_for_who_signed_a_lower_one() -> None:
    world = table(4, offers=Offers.PEOPLE)
    world.kill(3)
    world.run(for_s=64)
    evil = Evil(world)
    world.meddlers[2] = lambda _link, message: evil.said.append(message)
    for node in range(3):
        world.tell(node, YES)
    world.run(for_s=2)
    key = world.nodes[2].settings.people[0].key
    offer = next(message for message in evil.said if isinstance(message, SeatOffer) and message.pk == key.public)
    for to in (0, 1):
        world.send(2, to, offer)
    world.run(for_s=1)
    node = world.nodes[1]
    assert len(consents(node)) > 0
    made = [message for _, message in world.nodes[0].sent if isinstance(message, Propose) and message.sig is not None]
    proposal = made[-1]
    terms = genesis.decode_terms(proposal.table)
    parent = terms.parent
    assert parent is not None
    other = genesis.encode_terms(replace(terms, parent=replace(parent, why=int(Why.LEFT))))
    world.send(2, 1, Propose(seat_of(world, 2), other, key.sign(Context.TABLE, NO_GAME, b"propose" + other)))
    world.run(for_s=1)
    assert not any(isinstance(message, Withdraw) for _, message in node.sent)


def test_a_no_to_our_proposal_takes_it_back_and_it_is_made_again() -> None:
    evil, others = four()
    world = evil.world
    del world.meddlers[0]
    world.nodes[0].sent.clear()
    world.send(1, 0, No(Err.PARENT_DIFFERS, ""))
    world.run(for_s=0.2)
    assert any(isinstance(message, Withdraw) for _, message in world.nodes[0].sent)
    world.run(for_s=10)
    assert all(node.told(GoneOn) for node in others)


def test_where_the_others_listened_in_the_lobby_is_of_no_interest_now() -> None:
    evil, node = parted()
    evil.send(Peers(()))
    assert expelled(node) == []


def test_an_offer_with_another_nonce_outdates_our_own_proposal() -> None:
    world = table(3, offers=Offers.PEOPLE)
    world.kill(2)
    world.run(for_s=64)
    assert seat_of(world, 0) < seat_of(world, 1)
    said: list[Message] = []
    world.meddlers[1] = lambda link, message: _only_seats(world, link, message, said)
    for node in (0, 1):
        world.tell(node, YES)
    world.run(for_s=1)
    key = world.nodes[1].settings.people[0].key
    offer = next(message for message in said if isinstance(message, SeatOffer) and message.pk == key.public)
    fresh = replace(offer, nonce=b"f" * 32, sig=None)
    world.send(1, 0, replace(fresh, sig=key.sign(Context.TABLE, NO_GAME, seat_body(fresh))))
    world.run(for_s=0.2)
    assert any(isinstance(message, Withdraw) for _, message in world.nodes[0].sent)


def _only_seats(world: World, link: int, message: Message, said: list[Message]) -> None:
    said.append(message)
    if not isinstance(message, ConsentGiven | No | TableAgreed):
        world.deliver(1, link, encode_message(message))


def test_a_proposal_that_waited_and_turned_wrong_meanwhile_is_dropped() -> None:
    evil, node = parted()
    world = evil.world
    world.tell(1, GoOnAnswered(Ready.NO))
    evil.send(evil.last(SeatOffer))
    evil.send(evil.proposal())
    world.tell(0, GoOnAnswered(Ready.NO))
    world.restart(2)
    world.run(until=lambda: step_of(world, 1) >= 12, for_s=60)
    world.kill(2)
    world.run(for_s=66)
    world.tell(1, YES)
    world.run(for_s=2)
    assert (consents(node), refused(node)) == ([], [])


def test_a_withdrawal_in_a_lobby_is_nothing_and_so_is_an_offer_by_somebody_without_a_seat() -> None:
    world = friends(2)
    world.nodes.append(Node(2, settings(Role.JOINER, person(2)), Table(settings(Role.JOINER, person(2)))))
    world._next_link.append(1)
    world.tell(0, Opened())
    world.tell(2, Opened())
    world.meddlers[2] = lambda _link, _message: None
    world.link(2, 0)
    world.send(2, 0, Withdraw(0, bytes(32), bytes(64)))
    world.tell(1, Opened())
    world.link(1, 0)
    world.run(until=lambda: world.nodes[0].table._game is not None, for_s=2)
    world.send(2, 0, Withdraw(0, bytes(32), bytes(64)))
    world.run(for_s=0.2)
    # Good-bye is said where the game is over by now.
    assert set(expelled(world.nodes[0])) <= {Err.GOODBYE}


@pytest.mark.spec("T-41", "T-42")
@pytest.mark.parametrize("why", [Why.CHAIN_END, Why.LEFT])
def test_nobody_signs_a_table_alone_that_all_others_have_to_follow(why: Why) -> None:
    evil, node = parted()
    terms, alone = evil.terms(), seat_of(evil.world, 0)
    assert terms.parent is not None
    seats = tuple(line if seat == alone else stand_in(line, seat) for seat, line in enumerate(terms.seats))
    forged = genesis.encode_terms(replace(terms, seats=seats, parent=replace(terms.parent, why=int(why))))
    evil.send(TableAgreed(forged, (Consent(alone, genesis.consent_signature(evil.key, forged)),)))
    assert node.told(GoneOnWithoutUs) == []
    assert node.told(GoneOn) == []

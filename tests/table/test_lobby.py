"""Seats, changes and refusals in the lobby, proposal and consent."""

from dataclasses import replace

import pytest

from sorry_lan.fair import genesis
from sorry_lan.fair.chain import Chain
from sorry_lan.faults import Err
from sorry_lan.rules.profile import PROFILES
from sorry_lan.table.events import (
    BotSeated,
    Event,
    LeaveAsked,
    LinkDown,
    Opened,
    Ready,
    RulesChosen,
    SeatChanged,
    SeatClosed,
    SeatOpened,
)
from sorry_lan.table.news import (
    BecameReady,
    LobbyChanged,
    Refused,
    SatDown,
    StoodUp,
    TableClosed,
)
from sorry_lan.table.settings import Auto, ReadyWhen, Role, Settings
from sorry_lan.table.view import LobbyView, Phase, Presence
from sorry_lan.wire import messages as m
from sorry_lan.wire.messages import LobbyKind
from sorry_lan.wire.terms import Parent
from tests.table.build import ENGINE, SHORT, Node, World, friends, person, seed_bytes, settings


def host(*people: int, seats: int = 3, ready: ReadyWhen = ReadyWhen.ASKED, **more: object) -> Settings:
    persons = [person(number, auto=Auto.NOTHING, **more) for number in people or (0,)]  # type: ignore[arg-type]
    return settings(Role.HOST, *persons, seats=seats, ready=ready, rules=SHORT)


def guest(*people: int, ready: ReadyWhen = ReadyWhen.ASKED, engine: bytes = ENGINE, **more: object) -> Settings:
    persons = [person(number, auto=Auto.NOTHING, **more) for number in people]  # type: ignore[arg-type]
    return settings(Role.JOINER, *persons, ready=ready, engine=engine)


def lobby_of(node: Node) -> LobbyView:
    assert node.view is not None
    assert node.view.lobby is not None
    return node.view.lobby


def seats_of(node: Node) -> list[tuple[str, int]]:
    """Name and colour of all who sit, ascending by colour; open seats are ''."""
    return [(seat.name, seat.colour) for seat in lobby_of(node).seats]


def phase_of(node: Node) -> Phase:
    assert node.view is not None
    return node.view.phase


def opened(*clients: Settings) -> World:
    world = World(*clients)
    world.start()
    world.run(for_s=1)
    return world


def refusals(node: Node) -> list[tuple[Err, bool]]:
    return [(news.code, news.by_us) for news in node.told(Refused)]  # type: ignore[attr-defined]


# -- sitting down ----------------------------------------------------------------------------------------------------


def test_everybody_sees_the_same_lobby() -> None:
    world = opened(host(), guest(1), guest(2))
    shown = [lobby_of(node) for node in world.nodes]
    assert set(map(str, map(seats_of, world.nodes))) == {str([("Bob", 0), ("Eve", 1), ("Joe", 2)])}
    assert [view.hosting for view in shown] == [True, False, False]
    assert [[seat.person for seat in view.seats] for view in shown] == [
        [0, None, None],
        [None, 0, None],
        [None, None, 0],
    ]
    assert [seat.is_host for seat in shown[2].seats] == [True, False, False]
    assert {view.revision for view in shown} == {shown[0].revision}
    assert [seat.presence for seat in shown[1].seats] == [Presence.LINKED, Presence.LOCAL, Presence.LINKED]


def test_a_stranger_who_calls_us_before_our_host_answers_is_no_host_of_ours() -> None:
    world = World(host(), guest(1), host(2))
    for node in world.nodes:
        world.tell(node, Opened())
    world.link(2, 1)
    world.run(for_s=0.1)
    assert phase_of(world.nodes[1]) is Phase.CONNECTING
    world.link(1, 0)
    world.run(for_s=0.1)
    assert [name for name, _ in seats_of(world.nodes[1])] == ["Bob", "Eve", ""]
    assert [name for name, _ in seats_of(world.nodes[2])] == ["Joe", "", ""]


def test_who_sits_down_is_told_to_all_who_are_there() -> None:
    world = opened(host(), guest(1))
    assert world.nodes[0].told(SatDown) == [SatDown("Bob", 0), SatDown("Eve", 1)]


def test_a_neighbour_without_a_link_is_shown_as_reached_through_the_host() -> None:
    world = World(host(), guest(1), guest(2), graph=[(0, 1), (0, 2)])
    world.start()
    assert [seat.presence for seat in lobby_of(world.nodes[1]).seats] == [
        Presence.LINKED,
        Presence.LOCAL,
        Presence.RELAYED,
    ]


def test_the_host_tells_each_client_where_the_others_listen_and_whom_to_let_in() -> None:
    world = opened(host(), guest(1), guest(2))
    assert world.linked(1, 2)
    assert world.nodes[1].sought[-1].peers[0].addresses == ("10.0.0.3:7777",)
    assert world.nodes[2].admitted[-1].keys == {world.nodes[0].pk, world.nodes[1].pk}
    assert world.nodes[0].admitted[-1].keys == {world.nodes[1].pk, world.nodes[2].pk}


def test_whoever_asks_for_no_colour_gets_a_free_one() -> None:
    world = opened(host(colour=1), guest(1), guest(2))
    assert seats_of(world.nodes[0]) == [("Eve", 0), ("Bob", 1), ("Joe", 2)]


def test_an_open_seat_takes_the_colour_that_is_asked_for() -> None:
    world = opened(host(), guest(1, colour=3))
    assert seats_of(world.nodes[0]) == [("Bob", 0), ("", 2), ("Eve", 3)]


def test_a_bot_gives_its_colour_to_a_person() -> None:
    client = settings(Role.HOST, person(0, auto=Auto.NOTHING), seats=3, bots=[0], ready=ReadyWhen.ASKED)
    world = opened(client, guest(1, colour=2))
    assert seats_of(world.nodes[0]) == [("Bob", 0), ("Hal", 1), ("Eve", 2)]


def test_a_bot_never_has_the_name_of_a_person() -> None:
    client = settings(Role.HOST, person(0, name="Hal"), seats=3, bots=[0, 0], ready=ReadyWhen.ASKED)
    world = opened(client)
    assert seats_of(world.nodes[0]) == [("Hal", 0), ("Ada", 1), ("Max", 2)]


def test_two_people_at_one_keyboard_take_two_seats() -> None:
    world = opened(host(), guest(1, 2))
    assert seats_of(world.nodes[0]) == [("Bob", 0), ("Eve", 1), ("Joe", 2)]
    assert [seat.person for seat in lobby_of(world.nodes[1]).seats] == [None, 0, 1]


def test_of_two_who_ask_for_one_colour_the_first_keeps_it() -> None:
    world = opened(host(), guest(1, colour=2), guest(2, colour=2))
    assert seats_of(world.nodes[0]) == [("Bob", 0), ("", 1), ("Eve", 2)]
    assert world.nodes[2].finished is Err.DUPLICATE
    assert refusals(world.nodes[2]) == [(Err.DUPLICATE, False)]


def test_of_two_who_ask_for_one_name_the_first_keeps_it() -> None:
    world = opened(host(), guest(1, name="Ann"), guest(2, name="Ann"))
    assert [name for name, _ in seats_of(world.nodes[0])] == ["Bob", "Ann", ""]
    assert world.nodes[2].finished is Err.DUPLICATE


def test_a_name_that_nobody_asked_for_gets_a_number() -> None:
    world = opened(host(), guest(1, name="Bob", naming="loose"), guest(2, name="Bob", naming="loose"))
    assert [name for name, _ in seats_of(world.nodes[0])] == ["Bob", "Bob 2", "Bob 3"]


def test_two_who_race_for_one_free_colour_both_get_a_seat() -> None:
    world = World(host(), guest(1, name="Ann", naming="loose"), guest(2, name="Ann", naming="loose"))
    for node in world.nodes:
        world.open(node.index)
    world.link(1, 0)
    world.link(2, 0)
    world.run(for_s=1)
    assert sorted(seats_of(world.nodes[0])) == [("Ann", 1), ("Ann 2", 2), ("Bob", 0)]


def test_a_full_table_refuses_who_comes_next() -> None:
    world = opened(host(seats=2), guest(1), guest(2))
    assert world.nodes[2].finished is Err.TABLE_FULL
    assert world.nodes[2].told(TableClosed) == [TableClosed(Err.TABLE_FULL)]
    assert phase_of(world.nodes[0]) is Phase.LOBBY


def offer_of(number: int, **changes: object) -> m.SeatOffer:
    one = person(number)
    nonce = seed_bytes("nonce", number)
    pk = one.key.public
    anchor = Chain(one.root, pk, nonce).anchor
    offer = m.SeatOffer(pk, 3, one.name, None, False, nonce, anchor, None, None)
    return replace(offer, **changes)  # type: ignore[arg-type]


def answers(world: World, offer: m.SeatOffer) -> list[int]:
    """The codes of the host's NOs to a SEAT that client 1 sends."""
    before = len(world.nodes[0].sent)
    world.send(1, 0, offer)
    world.run(for_s=0.5)
    return [message.code for _, message in world.nodes[0].sent[before:] if isinstance(message, m.No)]


def test_a_key_that_sits_at_another_client_is_refused() -> None:
    world = opened(host(), guest(1))
    assert answers(world, offer_of(0, name="Zed")) == [Err.DUPLICATE]


def test_a_second_person_is_refused_before_the_first_of_its_client() -> None:
    world = opened(host(), guest(1, name="Bob"))
    world.nodes[1].finished = None
    world.link(1, 0)
    assert answers(world, offer_of(2)) == [Err.NOT_A_SEAT]


@pytest.mark.parametrize("field", ["nonce", "anchor"])
def test_a_nonce_or_anchor_that_another_person_has_is_refused(field: str) -> None:
    world = opened(host(), guest(1))
    others = next(message for _, message in world.nodes[1].sent if isinstance(message, m.SeatOffer))
    assert answers(world, offer_of(2, **{field: getattr(others, field)})) == [Err.DUPLICATE]


def test_a_seat_of_a_continuation_is_refused_in_a_lobby() -> None:
    world = opened(host(), guest(1))
    assert answers(world, offer_of(2, parent=bytes(32))) == [Err.PARENT_DIFFERS]


def test_a_weak_key_ends_the_link() -> None:
    world = opened(host(), guest(1))
    assert answers(world, offer_of(2, pk=bytes(32))) == []
    assert [(command.code) for command in world.nodes[0].closed] == [Err.SCHEMA]
    assert world.nodes[1].finished is Err.SCHEMA


def test_a_host_whose_own_people_do_not_fit_never_opens() -> None:
    world = opened(host(0, 1, 2, seats=2))
    assert world.nodes[0].finished is Err.TABLE_FULL


# -- changes ---------------------------------------------------------------------------------------------------------


def test_colour_name_age_and_readiness_can_be_changed() -> None:
    world = opened(host(), guest(1))
    world.tell(1, SeatChanged(0, colour=3, name="Eva", age=12, ready=Ready.YES))
    world.run(for_s=0.5)
    seat = lobby_of(world.nodes[0]).seats[-1]
    assert (seat.name, seat.colour, seat.age, seat.ready) == ("Eva", 3, 12, True)
    assert world.nodes[0].told(BecameReady) == [BecameReady("Eva", 3)]
    world.tell(1, SeatChanged(0, ready=Ready.NO))
    world.run(for_s=0.5)
    assert not lobby_of(world.nodes[0]).seats[-1].ready


def test_the_host_changes_its_own_seat_like_anybody() -> None:
    world = opened(host(), guest(1))
    world.tell(0, SeatChanged(0, colour=2, age=50))
    world.run(for_s=0.5)
    assert [(seat.name, seat.colour, seat.age) for seat in lobby_of(world.nodes[1]).seats] == [
        ("", 0, None),
        ("Eve", 1, None),
        ("Bob", 2, 50),
    ]


@pytest.mark.parametrize("node", [0, 1])
def test_a_change_that_is_refused_leaves_everything_as_it_was(node: int) -> None:
    world = opened(host(), guest(1))
    before = seats_of(world.nodes[0])
    world.tell(node, SeatChanged(0, colour=1 - node))
    world.run(for_s=0.5)
    assert refusals(world.nodes[node]) == [(Err.DUPLICATE, False)]
    assert seats_of(world.nodes[0]) == before
    world.tell(node, SeatChanged(0, ready=Ready.YES))
    world.run(for_s=0.5)
    assert [seat.ready for seat in lobby_of(world.nodes[1 - node]).seats if seat.name] == [node == 0, node == 1]


@pytest.mark.parametrize("number", [-1, 1])
def test_a_change_of_nobody_is_ignored(number: int) -> None:
    world = opened(host(), guest(1))
    sent = len(world.nodes[1].sent)
    world.tell(1, SeatChanged(number, ready=Ready.YES))
    assert len(world.nodes[1].sent) == sent


def test_events_of_a_lobby_mean_nothing_before_there_is_one() -> None:
    world = World(guest(1))
    world.open()
    for what in (SeatChanged(0, ready=Ready.YES), BotSeated(None, 0)):
        world.tell(0, what)
    assert phase_of(world.nodes[0]) is Phase.CONNECTING


def test_the_host_fills_closes_and_opens_seats() -> None:
    world = opened(host(), guest(1))
    world.tell(0, BotSeated(None, 0))
    world.run(for_s=0.1)
    assert [seat.kind for seat in lobby_of(world.nodes[1]).seats] == [LobbyKind.HUMAN, LobbyKind.HUMAN, LobbyKind.BOT]
    assert world.nodes[1].told(LobbyChanged)
    world.tell(0, SeatOpened(2))
    world.tell(0, SeatOpened(None))
    world.run(for_s=0.1)
    assert [seat.kind for seat in lobby_of(world.nodes[1]).seats][2:] == [LobbyKind.OPEN, LobbyKind.OPEN]
    world.tell(0, SeatClosed(None))
    world.tell(0, SeatClosed(2))
    world.run(for_s=0.1)
    assert seats_of(world.nodes[1]) == [("Bob", 0), ("Eve", 1)]
    world.tell(0, SeatOpened(3))
    world.tell(0, BotSeated(3, 0))
    assert seats_of(world.nodes[0]) == [("Bob", 0), ("Eve", 1), ("Hal", 3)]


@pytest.mark.parametrize(
    "wish",
    [
        BotSeated(None, 4),
        BotSeated(1, 0),
        BotSeated(3, 0),
        SeatClosed(0),
        SeatClosed(3),
        SeatOpened(0),
    ],
)
def test_what_the_host_cannot_do_changes_nothing(wish: BotSeated | SeatClosed | SeatOpened) -> None:
    world = opened(host(), guest(1))
    before = lobby_of(world.nodes[0])
    world.tell(0, wish)
    assert lobby_of(world.nodes[0]) == before


def test_the_last_two_seats_stay_and_a_fifth_never_comes() -> None:
    world = opened(host(seats=2))
    world.tell(0, SeatClosed(None))
    assert len(lobby_of(world.nodes[0]).seats) == 2
    for _ in range(3):
        world.tell(0, SeatOpened(None))
    assert len(lobby_of(world.nodes[0]).seats) == 4


def test_a_guest_cannot_do_what_a_host_does() -> None:
    world = opened(host(), guest(1))
    world.tell(1, BotSeated(None, 0))
    world.run(for_s=0.2)
    assert seats_of(world.nodes[0])[2] == ("", 2)


@pytest.mark.parametrize("wish", [SeatClosed(1), SeatOpened(1)])
def test_a_person_can_be_removed(wish: SeatClosed | SeatOpened) -> None:
    world = opened(host(), guest(1, 2))
    world.tell(0, wish)
    world.run(for_s=0.5)
    assert world.nodes[1].finished is Err.REMOVED
    assert [name for name, _ in seats_of(world.nodes[0]) if name] == ["Bob"]
    assert world.nodes[0].told(StoodUp) == [StoodUp("Eve", 1), StoodUp("Joe", 2)]


def test_other_rules_are_shown_to_all_and_make_them_say_again_that_they_are_ready() -> None:
    world = opened(host(), guest(1), guest(2, ready=ReadyWhen.AT_ONCE))
    world.tell(1, SeatChanged(0, ready=Ready.YES))
    world.run(for_s=0.2)
    world.tell(0, RulesChosen(PROFILES["classic"]))
    world.run(for_s=0.2)
    assert lobby_of(world.nodes[1]).rules == PROFILES["classic"]
    assert [seat.ready for seat in lobby_of(world.nodes[1]).seats] == [False, False, True]


# -- leaving ---------------------------------------------------------------------------------------------------------


def test_a_guest_that_leaves_frees_its_seats() -> None:
    world = opened(host(), guest(1))
    world.tell(1, LeaveAsked())
    world.run(for_s=0.5)
    assert world.nodes[1].finished is Err.GOODBYE
    assert seats_of(world.nodes[0]) == [("Bob", 0), ("", 1), ("", 2)]
    assert world.nodes[0].told(StoodUp) == [StoodUp("Eve", 1)]


def test_a_host_that_leaves_closes_the_table() -> None:
    world = opened(host(), guest(1), guest(2))
    world.tell(0, LeaveAsked())
    world.run(for_s=0.5)
    assert [node.finished for node in world.nodes] == [Err.GOODBYE, Err.SHUTTING_DOWN, Err.SHUTTING_DOWN]
    assert world.nodes[1].told(TableClosed) == [TableClosed(Err.SHUTTING_DOWN)]


def test_a_host_that_is_cut_off_closes_the_table() -> None:
    world = opened(host(), guest(1))
    world.cut(0, 1)
    assert world.nodes[1].finished is Err.SHUTTING_DOWN


def test_a_neighbour_that_is_cut_off_matters_only_to_the_host() -> None:
    world = opened(host(), guest(1), guest(2))
    world.cut(1, 2)
    assert len([name for name, _ in seats_of(world.nodes[1]) if name]) == 3


def test_who_has_two_links_is_gone_with_the_second() -> None:
    world = opened(host(), guest(1))
    older, _ = world.link(1, 0)
    world.tell(1, LinkDown(older, None))
    assert world.nodes[1].finished is None


def test_a_stranger_that_never_sat_down_may_go() -> None:
    world = opened(host(seats=2), guest(1))
    world.nodes.append(Node(2, guest(2), World(guest(2)).nodes[0].table))
    revision = lobby_of(world.nodes[0]).revision
    world._next_link.append(1)
    world.link(2, 0)
    world.cut(2, 0)
    assert lobby_of(world.nodes[0]).revision == revision


def test_a_finished_client_does_nothing_more() -> None:
    world = opened(host(), guest(1))
    world.tell(1, LeaveAsked())
    assert world.nodes[1].table.handle(Event(world.now_us, bytes(32), LeaveAsked())) == ()


def beside(world: World, node: int = 0) -> list[int | None]:
    """For each seat of the lobby as a client sees it, the colour of the first one at the same address."""
    return [seat.beside for seat in lobby_of(world.nodes[node]).seats]


def at_addresses(hosts: dict[int, str], *clients: Settings) -> World:
    world = World(*clients)
    world.hosts = hosts
    world.start()
    world.run(for_s=1)
    return world


def test_seats_of_one_address_are_shown_to_everybody_who_can_see_it() -> None:
    clients = (host(seats=4), guest(1), guest(2))
    assert beside(at_addresses({}, *clients)) == [None, None, None, None]
    shared = at_addresses({1: "10.0.0.9", 2: "10.0.0.9"}, *clients)
    assert beside(shared, 0) == [None, None, 1, None]
    assert beside(shared, 1) == [None, None, None, None]


def test_two_people_of_one_client_and_a_client_on_our_own_computer_share_an_address() -> None:
    world = at_addresses({1: "127.0.0.1"}, host(seats=4), guest(1, 2))
    assert beside(world, 0) == [None, 0, 0, None]
    assert beside(world, 1) == [None, None, None, None]


def test_a_client_without_a_link_has_no_address_to_compare() -> None:
    world = World(host(seats=4), guest(1), guest(2), graph=[(0, 1), (0, 2)])
    world.hosts = {1: "10.0.0.1", 2: "10.0.0.1"}
    world.start()
    assert beside(world, 1) == [None, None, None, None]


@pytest.mark.spec("H-24")
def test_a_flood_of_seats_ends_its_link_and_none_of_those_that_are_told_of_each() -> None:
    world = opened(host(), guest(1), guest(2))
    offer = [message for _, message in world.nodes[1].sent if isinstance(message, m.SeatOffer)][-1]
    for number in range(300):
        world.send(1, 0, replace(offer, age=number % 90))
    world.run(for_s=0.5)
    assert [(world.peer_of(0, command.link), command.code) for command in world.nodes[0].closed] == [(1, Err.RATE)]
    assert world.nodes[2].closed == []
    assert seats_of(world.nodes[2]) == seats_of(world.nodes[0])


@pytest.mark.spec("H-24")
def test_a_flood_of_tables_ends_its_link() -> None:
    world = friends(3, auto=Auto.NOTHING)
    world.start()
    world.run(for_s=0.5)
    game = world.nodes[1].table._game
    assert game is not None
    parent = Parent(b"g" * 32, 1, bytes(32), bytes(32), b"s", None, 0)
    table = genesis.encode_terms(replace(game.ledger.terms, parent=parent))
    for _ in range(300):
        world.send(1, 0, m.TableAgreed(table, game.agreed.consents))
    world.run(for_s=0.5)
    assert [command.code for command in world.nodes[0].closed] == [Err.RATE]

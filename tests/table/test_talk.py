"""Talk at a table: whose it is, how much of it, and where none is wanted."""

from sorry_lan.table.events import FrameArrived, SeatClosed, Spoke
from sorry_lan.table.news import Said
from sorry_lan.table.phrases import PHRASES
from sorry_lan.table.settings import Auto, Role
from sorry_lan.wire.codec import encode_message
from sorry_lan.wire.messages import Chat
from sorry_lan.wire.terms import Option
from tests.table.build import SHORT, Node, World, friends, person, settings
from tests.table.test_play import started


def said(node: Node) -> list[Said]:
    return node.told(Said)  # type: ignore[return-value]


def test_what_is_said_in_a_game_is_heard_by_all_with_its_speaker() -> None:
    world = started(3)
    world.tell(1, Spoke(0, "Sorry!"))
    world.run(for_s=0.2)
    assert [said(node) for node in world.nodes] == [[Said("Eve", 1, "Sorry!")]] * 3


def test_what_is_said_in_the_lobby_is_heard_by_all() -> None:
    world = friends(2, bots=0, auto=Auto.NOTHING)
    world.nodes[0].table._desk.settings = settings(Role.HOST, person(0), seats=3, rules=SHORT)
    world.start()
    world.tell(1, Spoke(0, "hello"))
    world.run(for_s=0.2)
    assert [said(node) for node in world.nodes] == [[Said("Eve", 1, "hello")]] * 2


def test_each_person_at_a_keyboard_speaks_for_itself() -> None:
    host = settings(Role.HOST, person(0, auto=Auto.NOTHING), person(4, auto=Auto.NOTHING), seats=3, rules=SHORT)
    world = World(host, settings(Role.JOINER, person(1, auto=Auto.NOTHING)))
    world.start()
    world.tell(0, Spoke(1, "me too"))
    world.run(for_s=0.2)
    assert said(world.nodes[1]) == [Said("Ann", 1, "me too")]


def test_a_long_line_is_cut_to_200_bytes() -> None:
    world = started()
    world.tell(0, Spoke(0, "é" * 150))
    world.run(for_s=0.2)
    assert said(world.nodes[1]) == [Said("Bob", 0, "é" * 100)]


def test_too_many_lines_are_dropped_on_both_sides() -> None:
    world = started()
    for number in range(9):
        world.tell(0, Spoke(0, str(number)))
        world.send(1, 0, Chat(1, f"flood {number}"))
    world.run(for_s=0.2)
    assert len(said(world.nodes[1])) == 4
    assert len([line for line in said(world.nodes[0]) if line.name == "Eve"]) == 4
    world.run(for_s=1)
    world.tell(0, Spoke(0, "again"))
    assert said(world.nodes[0])[-1].text == "again"


def test_nobody_speaks_for_another() -> None:
    world = started(3)
    for seat in (0, 2, 3, 255):
        world.send(1, 0, Chat(seat, "not me"))
    world.run(for_s=0.2)
    assert said(world.nodes[0]) == []
    assert world.nodes[0].closed == []


def test_empty_lines_and_unknown_people_say_nothing() -> None:
    world = started()
    for what in (Spoke(0, ""), Spoke(1, "who?"), Spoke(-1, "who?")):
        world.tell(0, what)
    world.run(for_s=0.2)
    assert said(world.nodes[1]) == []


def test_nothing_is_said_before_there_is_a_table() -> None:
    world = World(settings(Role.JOINER, person(1)), settings(Role.HOST, person(0), seats=3, rules=SHORT))
    for node in world.nodes:
        world.open(node.index)
    world.tell(0, Spoke(0, "anybody?"))
    link, _ = world.link(0, 1)
    world.tell(0, Spoke(0, "anybody?"))
    world.tell(0, FrameArrived(link, encode_message(Chat(0, "early"))))
    world.run(for_s=0.2)
    assert said(world.nodes[0]) == said(world.nodes[1]) == []


def test_a_table_without_free_talk_has_the_phrases_alone_in_lobby_and_game() -> None:
    host = settings(Role.HOST, person(0, auto=Auto.NOTHING), seats=3, rules=SHORT, options=Option.NO_FREE_CHAT)
    world = World(host, settings(Role.JOINER, person(1, auto=Auto.NOTHING)))
    world.start()
    for _ in range(2):
        world.tell(1, Spoke(0, "hello"))
        world.send(1, 0, Chat(1, "hello"))
        world.tell(1, Spoke(0, PHRASES[0]))
        world.send(1, 0, Chat(1, PHRASES[1]))
        world.run(for_s=3)
        world.tell(0, SeatClosed(None))
        world.run(for_s=3)
    assert [told.text for told in said(world.nodes[0])] == [PHRASES[0], PHRASES[1]] * 2
    assert [told.text for told in said(world.nodes[1])] == [PHRASES[0]] * 2

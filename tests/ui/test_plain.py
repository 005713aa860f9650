"""The text client: what counts as an answer, what does not, and what is said to everything else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorry_lan.fair.entry import Leaving
from sorry_lan.faults import Err
from sorry_lan.rules.board import HOME, START, safe, track
from sorry_lan.rules.cards import CARDS, Card
from sorry_lan.rules.moves import Backward, Decline, LeaveStart, Split
from sorry_lan.rules.profile import PROFILES, with_switch
from sorry_lan.table.events import (
    BotSeated,
    DrawAsked,
    LeaveAsked,
    Ready,
    RematchAsked,
    RulesChosen,
    SeatChanged,
    SeatClosed,
    SeatDecided,
    SeatOpened,
    Spoke,
)
from sorry_lan.table.news import (
    Confirmed,
    LobbyChanged,
    LotCast,
    PresenceChanged,
    Refused,
    Said,
    TableClosed,
)
from sorry_lan.table.phrases import PHRASES
from sorry_lan.table.view import (
    Ask,
    FirstBy,
    Phase,
    Presence,
    Prompt,
    View,
)
from sorry_lan.ui.answers import Answer, Stay
from sorry_lan.ui.plain import Attended, PlainSession
from sorry_lan.ui.texts_news import news_lines
from sorry_lan.ui.texts_prompts import board_lines, deck_lines, help_lines, prompt_lines, waiting_text, why_lines
from sorry_lan.wire.messages import LobbyKind
from sorry_lan.wire.terms import Option
from tests.ui.build import at, bot, choose, draw, drawn, game, in_lobby, lobby, lobby_seat, played, seat, view
from tests.ui.every_news import NEWS, NOTICES, named
from tests.ui.hostile import HOSTILE

GAME = at(game(), [(track(22), START, safe(2)), (track(32), START, START)])
TEN = choose(GAME, Card.TEN)
DRAW = draw(GAME)


def session(*pictures: View) -> PlainSession:
    made = PlainSession()
    for picture in pictures:
        made.picture(picture, ())
    return made


def said(made: PlainSession, text: str) -> str:
    return " ".join(made.typed(text).lines)


def test_enter_draws_when_asked():
    assert session(draw(GAME)).typed("").happenings == (DrawAsked(0),)
    assert session(draw(GAME)).typed(" DRAW ").happenings == (DrawAsked(0),)


def test_a_number_plays_the_choice_of_its_line():
    assert session(TEN).typed("1").happenings == (SeatDecided(0, 1, Card.TEN, LeaveStart(2)),)


def test_notation_plays_the_move():
    assert session(TEN).typed("R1  -1").happenings == (SeatDecided(0, 1, Card.TEN, Backward(1, 1)),)


def test_pass_declines_an_eleven_where_that_is_allowed():
    eleven = at(game(), [(track(59), HOME, HOME), (track(32), START, START)])
    made = session(choose(eleven, Card.ELEVEN))
    assert made.typed("pass").happenings == (SeatDecided(0, 1, Card.ELEVEN, Decline()),)


def test_a_number_typed_before_its_question_plays_nothing():
    made = session(view(GAME))
    assert made.typed("1").happenings == ()
    assert made.picture(TEN, ())
    assert made.typed("1").happenings


def test_a_second_number_in_the_same_breath_plays_nothing():
    made = session(TEN)
    assert made.typed("1").happenings
    assert made.typed("1").happenings == ()


def test_the_same_picture_again_neither_asks_twice_nor_takes_a_second_answer():
    made = session(TEN)
    assert made.picture(TEN, ()) == ()
    made.typed("1")
    assert made.picture(TEN, ()) == ()
    assert made.typed("1").happenings == ()


def test_a_number_does_not_draw():
    made = session(draw(GAME))
    assert made.typed("1").happenings == ()
    assert "press Enter" in said(made, "1")


def test_enter_does_not_choose():
    made = session(TEN)
    assert made.typed("").happenings == ()
    assert made.typed("").lines


@pytest.mark.parametrize(
    "text", ["0", "9", "99999999999999999999", "-1", "+1", "1.0", "٣", "²", "x", "r9 1", "b1 10", "g1 10"]
)
def test_what_is_no_choice_keeps_the_question_open(text):
    made = session(TEN)
    assert made.typed(text).happenings == ()
    assert made.typed(text).lines
    assert made.typed("1").happenings


def test_an_impossible_move_is_answered_with_its_reason():
    four = choose(GAME, Card.FOUR)
    assert said(session(four), "r2 4").startswith("This card does not move")
    assert said(session(choose(GAME, Card.FIVE)), "r3 5").endswith("needs exactly 3 (rule R3).")


def test_a_move_that_is_wrong_although_the_pawn_could_move_otherwise_is_explained():
    assert said(session(TEN), "r3 10") == (
        "R3 cannot go forward 10: it would pass Home, which needs exactly 3 (rule R3)."
    )
    blocked = at(game(), [(track(22), track(32), START), (START,) * 3])
    assert said(session(choose(blocked, Card.TEN)), "r1 10") == (
        "R1 cannot go forward 10: your own R2 stands on 32 (rule R4)."
    )


def test_an_impossible_split_is_refused_with_its_card():
    split = at(game(), [(track(22), safe(2), START), (START,) * 3])
    assert said(session(choose(split, Card.SEVEN)), "7 r1 3 r2 4") == (
        "The rules do not allow that with a 7; w says why."
    )


def test_a_seven_that_is_shared_in_either_order_gets_one_number():
    seven = choose(at(game(), [(track(22), track(40), START), (START,) * 3]), Card.SEVEN)
    lines = prompt_lines(seven.prompts[0], seven.game)[1:]
    assert len(seven.prompts[0].choices) == 14
    assert len(lines) == 8
    made = session(seven)
    assert said(made, "9") == "There is no choice 9; the last one is 8."
    assert said(made, "00019") == "There is no choice 19; the last one is 8."
    assert made.typed("8").happenings == (SeatDecided(0, 1, Card.SEVEN, Split(1, 6, 2, 1)),)


def test_the_other_order_can_still_be_typed():
    seven = choose(at(game(), [(track(22), track(40), START), (START,) * 3]), Card.SEVEN)
    assert session(seven).typed("7 r2 1 r1 6").happenings == (SeatDecided(0, 1, Card.SEVEN, Split(2, 1, 1, 6)),)


def test_numbers_of_one_and_two_digits_end_below_each_other():
    crowd = at(game(), [(track(22), track(40), track(50)), (START,) * 3])
    lines = prompt_lines(choose(crowd, Card.SEVEN).prompts[0], crowd)[1:]
    assert len(lines) > 9
    assert lines[0].startswith("   1  ")
    assert lines[9].startswith("  10  ")


def test_after_a_game_the_next_one_is_offered_to_people_not_to_seats_of_the_computer():
    over, news = view(GAME, Phase.OVER), (Confirmed(()),)
    assert session(draw(GAME)).picture(over, news)[-1].startswith("Type rematch")
    assert session().picture(over, news) == ("The end is confirmed by all.",)


def test_an_end_that_follows_from_a_refusal_does_not_repeat_the_reason():
    made = session(in_lobby(HERE))
    closed = View(Phase.CLOSED, None, None, ())
    told = made.picture(closed, (Refused(Err.DUPLICATE, by_us=False), TableClosed(Err.DUPLICATE)))
    assert told[0].startswith("You were refused. Somebody at the table already has")
    assert told[1] == "You are not at the table."
    assert session().picture(closed, (TableClosed(Err.REMOVED),))[0].startswith("You are no longer at the table.")


def test_nobody_is_called_lost_while_a_saved_game_waits_for_all():
    lost = PresenceChanged(1, Presence.RECONNECTING, None)
    assert session().picture(view(GAME, Phase.RESUMING), (lost,)) == ()
    assert session().picture(view(GAME, Phase.SHARES), (lost,))[0].startswith("The connection to Bob (Blue) is lost")


def test_a_game_that_is_left_says_how_it_goes_on():
    made = session(TEN)
    made.typed("q")
    assert said(made, "q") == "Bye. The game is kept; go on with: sorry-lan resume"
    assert said(session(in_lobby(HERE)), "q") == "Bye."


def test_a_lobby_cannot_be_started_by_hand():
    assert said(session(in_lobby(HERE)), "start").startswith("The game begins by itself")


def test_check_words_are_told_where_somebody_else_can_read_them_out():
    cast = LotCast(("maple", "otter", "tulip"), 0, FirstBy.LOT)
    alone = game((seat(0, 0), bot(1)))
    assert news_lines(cast, view(alone)) == ("Ada (Red) begins, by a lot that all made together.",)
    assert news_lines(cast, view(GAME))[0].startswith("Check words: maple otter tulip.")


def test_whoever_is_asked_is_named_because_several_may_sit_here():
    two = game((seat(0, 0), seat(1, 1)))
    assert prompt_lines(draw(two).prompts[0], two)[0].startswith("Ada (Red), ")
    second = at(two, [(START,) * 3] * 2, turn=1)
    assert prompt_lines(draw(second).prompts[0], second)[0].startswith("Bob (Blue), ")


def test_why_tells_of_every_pawn_that_stays():
    five = choose(GAME, Card.FIVE)
    assert said(session(five), "w") == "R3 cannot go forward 5: it would pass Home, which needs exactly 3 (rule R3)."
    assert why_lines(draw(GAME).prompts[0], GAME) == ("Draw a card first.",)


def test_why_without_a_question_says_what_the_game_waits_for():
    assert said(session(view(at(GAME, GAME.position.pawns, turn=1))), "why") == "It is the turn of Bob (Blue)."


def test_a_useless_card_is_explained_to_the_person_whose_it_was():
    start = at(game(), [(START,) * 3, (START,) * 3])
    made = session(draw(start))
    after, news = played(start, Card.FOUR, Decline())
    lines = made.picture(view(after), news)
    assert lines[0] == "Ada (Red) cannot use a 4."
    assert lines[1].startswith("  R1 stays in Start")


def test_a_useless_card_of_somebody_else_is_only_told():
    start = at(game(), [(START,) * 3, (START,) * 3], turn=1)
    made = session(draw(game()))
    after, news = played(start, Card.FOUR, Decline())
    assert made.picture(view(after), news) == ("Bob (Blue) cannot use a 4.",)


def test_the_board_tells_ours_first_and_bots_and_absent_people_as_such():
    seats = (replace(seat(0), presence=Presence.AWAY), seat(1, 0), bot(2))
    lines = board_lines(at(game(seats), [(START,) * 3, (track(22), safe(1), HOME), (START,) * 3]))
    assert lines == (
        "Bob (Blue) (your pawns): B1 on square 22 (61 to Home), B2 on safe 1 (4 to Home), 1 Home.",
        "Ada (Red) (away, on turn): 3 in Start.",
        "Robo (Yellow) (a bot): 3 in Start.",
    )


def test_the_deck_is_counted():
    assert said(session(view(GAME)), "d").startswith("45 cards are left in the pile")
    one = replace(GAME, pile=(1,) + (0,) * 10, shares_checked=1)
    assert deck_lines(one)[:2] == ("1 card is left in the pile.", "1 x 1.")
    assert deck_lines(replace(GAME, pile=(0,) * len(CARDS)))[0].startswith("The pile is empty")


def test_the_last_moves_are_repeated():
    made = session(view(GAME))
    assert said(made, "l") == "Nobody has moved yet."
    made.picture(view(GAME), (drawn(GAME, Card.TEN),))
    assert said(made, "last") == "Ada (Red) drew 10, made by Ada and Bob."


def test_what_the_game_waits_for():
    assert waiting_text(GAME, Phase.SHARES) == "Please wait a moment."
    owing = replace(GAME, seats=(GAME.seats[0], replace(GAME.seats[1], owes=True)))
    assert waiting_text(owing, Phase.SHARES) == "The game waits for Bob."
    assert waiting_text(GAME, Phase.FROZEN) == "The game stands still."
    assert waiting_text(replace(GAME, winner=1), Phase.OVER) == "The game is over: Bob (Blue) has won."


def test_leaving_a_running_game_takes_two_words():
    made = session(TEN)
    assert made.typed("q").stay is Stay.ON
    assert made.typed("q").stay is Stay.LEAVE


def test_any_other_word_takes_the_leaving_back():
    made = session(TEN)
    made.typed("q")
    made.typed("b")
    assert made.typed("quit").stay is Stay.ON


def test_an_interrupt_asks_once_whether_to_leave():
    made = session(TEN)
    first, second = made.interrupted()
    assert first.startswith("Leave the running game? Type q to leave for now;")
    assert second == "leave to leave for good, stay to stay. Ctrl-C once more ends the program at once."
    assert made.interrupted() == ()


@pytest.mark.parametrize(("word", "leaving"), [("q", Leaving.FOR_NOW), ("leave", Leaving.FOR_GOOD)])
def test_an_interrupt_is_answered_with_one_word(word, leaving):
    made = session(TEN)
    made.interrupted()
    answer = made.typed(word)
    assert (answer.happenings, answer.stay) == ((LeaveAsked(leaving),), Stay.LEAVE)


@pytest.mark.parametrize("line", ["", "stay", " STAY "])
def test_who_stays_does_nothing_else_and_may_be_asked_again(line):
    made = session(DRAW)
    made.interrupted()
    assert made.typed(line) == Answer(("You stay.",))
    assert made.interrupted() != ()


def test_after_an_interrupt_any_other_word_does_what_it_always_does():
    made = session(DRAW)
    made.interrupted()
    assert made.typed("draw").happenings == (DrawAsked(0),)
    assert made.interrupted() != ()


@pytest.mark.parametrize("picture", [None, in_lobby(lobby()), view(GAME, Phase.OVER), view(GAME, Phase.LEFT_OUT)])
def test_elsewhere_an_interrupt_asks_nothing(picture):
    assert session(*([] if picture is None else [picture])).interrupted() == ()


def test_nobody_is_asked_where_the_computer_plays():
    made = PlainSession(Attended.BY_NOBODY)
    made.picture(TEN, ())
    assert made.interrupted() == ()


@pytest.mark.parametrize("picture", [None, in_lobby(lobby()), view(GAME, Phase.OVER)])
def test_elsewhere_one_word_is_enough(picture):
    made = session(*([] if picture is None else [picture]))
    answer = made.typed("q")
    assert answer.stay is Stay.LEAVE
    assert answer.happenings == (LeaveAsked(),)


@pytest.mark.parametrize("phase", Phase)
def test_the_end_of_input_leaves_in_every_phase(phase):
    made = session(view(GAME, phase), View(phase, lobby(), GAME, ()))
    assert made.ended().happenings == (LeaveAsked(),)
    assert made.ended().stay is Stay.LEAVE


def test_at_the_end_of_input_a_running_game_is_said_to_be_kept():
    kept = ("The game is kept; go on with: sorry-lan resume",)
    assert session(view(GAME)).ended().lines == kept
    assert session(view(GAME, Phase.OVER)).ended().lines == ()
    assert session().ended().lines == ()


@pytest.mark.parametrize("phase", Phase)
def test_help_fits_every_phase(phase):
    assert help_lines(phase)[-1].startswith("h  this help")
    assert session(View(phase, None, None, ())).typed("h").lines == help_lines(phase)


def test_before_there_is_a_table_one_waits():
    assert said(session(), "hello") == "Please wait for the table."
    assert said(session(View(Phase.CONNECTING, None, None, ())), "hello") == "Please wait for the table."
    assert session().typed("").lines == ()
    assert session(View(Phase.CONNECTING, None, None, ())).typed("").lines == ()
    assert session().typed("help").lines == help_lines(Phase.CONNECTING)


def test_lines_that_are_no_text_are_answered():
    assert "cannot be read" in PlainSession().undecodable().lines[0]
    assert "too long" in PlainSession().overlong().lines[0]


def test_speech():
    assert session(view(GAME)).typed("say  Hello, Bob ").happenings == (Spoke(0, "Hello, Bob"),)
    assert session(in_lobby(lobby())).typed("say x").happenings == (Spoke(0, "x"),)
    assert session(view(GAME)).typed("say").happenings == ()
    assert session(view(GAME)).typed("say " + "é" * 101).happenings == ()
    assert session(view(GAME)).typed("say \ud800").happenings == ()


def test_the_person_who_is_asked_is_the_one_who_speaks():
    two = at(game((seat(0, 0), seat(1, 1))), [(START,) * 3] * 2, turn=1)
    assert session(draw(two)).typed("say x").happenings == (Spoke(1, "x"),)


def test_where_free_speech_is_switched_off_the_phrases_remain():
    quiet = replace(GAME, options=Option.NO_FREE_CHAT)
    assert session(view(quiet)).typed("say x").happenings == ()
    there = session(in_lobby(replace(lobby(), options=Option.NO_FREE_CHAT)))
    refused = there.typed("say x")
    assert refused.happenings == ()
    assert all(phrase in refused.lines[0] for phrase in PHRASES)
    assert there.typed("say 2").happenings == (Spoke(0, PHRASES[1]),)
    assert there.typed("say " + PHRASES[5]).happenings == (Spoke(0, PHRASES[5]),)


def test_a_rematch_needs_an_end():
    assert session(view(GAME, Phase.OVER)).typed("rematch").happenings == (RematchAsked(),)
    assert session(view(GAME)).typed("rematch").happenings == ()


HERE = lobby()
GUEST = replace(HERE, hosting=False)


@pytest.mark.parametrize(
    ("text", "happening"),
    [
        ("ready", SeatChanged(0, ready=Ready.YES)),
        ("Unready", SeatChanged(0, ready=Ready.NO)),
        ("name  Zoë", SeatChanged(0, name="Zoë")),
        ("colour Green", SeatChanged(0, colour=3)),
        ("color green", SeatChanged(0, colour=3)),
        ("age 9", SeatChanged(0, age=9)),
        ("bot", BotSeated(None, 0)),
        ("bot easy", BotSeated(None, 0)),
        ("bot yellow easy", BotSeated(2, 0)),
        ("bot yellow expert", BotSeated(2, 3)),
        ("bot yellow", BotSeated(2, 0)),
        ("close", SeatClosed(None)),
        ("close yellow", SeatClosed(2)),
        ("open", SeatOpened(None)),
        ("kick blue", SeatOpened(1)),
        ("rules classic", RulesChosen(PROFILES["classic"])),
        ("rule slide_on=any", RulesChosen(with_switch(PROFILES["standard"], "slide_on=any"))),
    ],
)
def test_words_of_the_lobby(text, happening):
    assert session(in_lobby(HERE)).typed(text).happenings == (happening,)


@pytest.mark.parametrize(
    "text",
    ["name", "name " + "x" * 25, "name \u202ex", "colour pink", "age x", "age 256", "age 02559", "age -1",
     "age ²", "age ٣", "bot pink",
     "bot red blue", "kick", "kick pink", "rules chess", "rule", "rule x", "rule slide_on=up", "rules", "dance", "12"],
)  # fmt: skip
def test_wrong_words_of_the_lobby_are_answered_and_do_nothing(text):
    answer = session(in_lobby(HERE)).typed(text)
    assert answer.happenings == ()
    assert all(line.isprintable() and "{" not in line for line in answer.lines)
    assert answer.lines


@pytest.mark.parametrize("text", ["bot", "close", "open", "kick blue", "rules classic", "rule slide_on=any"])
def test_only_the_host_changes_the_table(text):
    answer = session(in_lobby(GUEST)).typed(text)
    assert answer.happenings == ()
    assert answer.lines == ("Only the host can do that.",)


def test_a_guest_may_ask_for_the_rules():
    assert said(session(in_lobby(GUEST)), "rules").startswith("Rules: standard.")


def test_several_people_are_told_apart_by_number():
    both = replace(HERE, seats=(lobby_seat(0, "Ada", person=0), lobby_seat(1, "Bob", person=1)))
    made = session(in_lobby(both))
    assert made.typed("name 2 Rob").happenings == (SeatChanged(1, name="Rob"),)
    assert made.typed("ready").happenings == (SeatChanged(0, ready=Ready.YES), SeatChanged(1, ready=Ready.YES))
    for wrong in ("name Rob", "colour 3 red", "age 9"):
        assert made.typed(wrong).happenings == ()


def test_without_a_seat_nothing_can_be_changed():
    assert said(session(in_lobby(replace(HERE, seats=(lobby_seat(1, "Bob"),)))), "name x") == "You have no seat yet."


def test_an_empty_line_in_the_lobby_is_nothing():
    assert session(in_lobby(HERE)).typed("").lines == ()


def test_only_what_changed_in_the_lobby_is_said_again():
    made = session(in_lobby(HERE))
    assert made.picture(in_lobby(HERE), (LobbyChanged(),)) == ()
    changed = replace(HERE, seats=(*HERE.seats[:2], lobby_seat(2, "Hal", LobbyKind.BOT)))
    assert made.picture(in_lobby(changed), (LobbyChanged(),)) == (
        "  Yellow: Hal, a bot, easy.",
        "Not ready yet: Ada and Bob. Type ready when you are.",
    )


def test_a_lobby_in_full():
    seats = (
        replace(lobby_seat(0, "Ada", person=0), age=9, ready=True),
        replace(lobby_seat(1, "Bob"), presence=Presence.RECONNECTING, ready=True),
    )
    made = PlainSession()
    rules = with_switch(PROFILES["classic"], "ones=4")
    assert made.picture(in_lobby(replace(GUEST, seats=seats, rules=rules)), ()) == (
        "Ada's table. Rules: classic with ones=4.",
        "  Red: Ada (you, host, age 9), ready.",
        "  Blue: Bob (reconnecting), ready.",
        "Everybody is ready.",
    )
    open_seat = replace(GUEST, seats=(*seats, lobby_seat(2, kind=LobbyKind.OPEN)))
    assert made.picture(in_lobby(open_seat), ())[-1] == "Still open: Yellow."


def test_prompts_without_a_card_are_draws():
    odd = Prompt(0, 1, Ask.CHOOSE, None, ())
    made = session(view(GAME, prompts=(odd,)))
    assert made.typed("draw").happenings == (DrawAsked(0),)


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_hostile_reaches_the_terminal(text):
    made = PlainSession()
    lines = list(made.greeting())
    for item, picture in NEWS:
        lines += made.picture(picture, (item,))
    for notice in NOTICES:
        lines += made.noticed(notice)
    lines += made.picture(named(text), (Said(text, 1, text),))
    picture = named(text)
    lines += made.picture(replace(picture, prompts=choose(picture.game, Card.TEN).prompts), ())
    for word in ("b", "d", "l", "w", "h", text, text[:40]):
        lines += made.typed(word).lines
    lobbies = replace(HERE, title=text, seats=tuple(replace(s, name=text) for s in HERE.seats))
    lines += made.picture(in_lobby(lobbies), ())
    lines += made.typed(text).lines
    assert all(line.isprintable() for line in lines), [line for line in lines if not line.isprintable()]

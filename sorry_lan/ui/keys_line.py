"""What keys do while a line is typed, and what a finished line does: a move in notation, a command, something said.

The grammar of moves is that of parse_text, as in plain mode; so are the commands of the lobby.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from sorry_lan.rules.board import Colour
from sorry_lan.rules.moves import parse_text, to_text
from sorry_lan.table.events import Ready, RematchAsked, Spoke
from sorry_lan.table.phrases import PHRASES
from sorry_lan.table.view import Phase
from sorry_lan.ui import choosing, keys_game
from sorry_lan.ui.answers import Answer, does
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.choosing import Choice
from sorry_lan.ui.full_screen import Key
from sorry_lan.ui.hints import numbered_like
from sorry_lan.ui.lobby_words import HOST_WORDS, WORDS, lobby_command
from sorry_lan.ui.log import Speaker
from sorry_lan.ui.numbers import number_of
from sorry_lan.ui.own_words import fit_chat
from sorry_lan.ui.screen_state import Ground, Mode, Over, Screen
from sorry_lan.ui.shown import shown
from sorry_lan.ui.texts import a_card_text
from sorry_lan.ui.texts_misread import misread_text
from sorry_lan.ui.texts_prompts import waiting_text
from sorry_lan.ui.texts_reasons import reason_text
from sorry_lan.ui.typing import Typing, completed, edited, inserted
from sorry_lan.ui.why_not import why_not
from sorry_lan.wire.limits import MAX_CHAT
from sorry_lan.wire.terms import Option

_PAGES: Final = {"why": Over.WHY, "fair": Over.FAIRNESS, "deck": Over.DECK, "help": Over.HELP, "rules": Over.RULES}
_GAME_WORDS: Final = (*_PAGES, "draw", "hint", "leave", "mute", "no", "rematch", "say", "unmute", "yes")
_LOBBY_WORDS: Final = ("help", "leave", "mute", "say", "unmute")
_TOLD_CELLS: Final = 40


def pressed(screen: Screen, key: Key | str) -> Answer:
    """One key in a line of text."""
    state = screen.state
    match key:
        case Key.ESCAPE:
            _close(screen)
        case Key.ENTER:
            # A pasted line waits for an Enter of its own.
            if not screen.guard.hasty(screen.now_s):
                return _finished(screen)
        case Key.TAB if state.mode is Mode.COMMAND:
            screen.state = replace(state, typing=completed(state.typing, words(screen)))
        case str() if state.mode is Mode.CHAT and not state.typing.text and key in "123456" and _calm(screen):
            _close(screen)
            return _said(screen, PHRASES[int(key) - 1])
        case str():
            screen.state = replace(state, typing=inserted(state.typing, key))
        case Key.BACKSPACE if not state.typing.text:
            _close(screen)
        case _:
            screen.state = replace(state, typing=edited(state.typing, key))
    return Answer()


def words(screen: Screen) -> tuple[str, ...]:
    """What a command line can be completed to."""
    if screen.ground is Ground.LOBBY:
        view = screen.heard.view
        hosting = view is not None and view.lobby is not None and view.lobby.hosting
        return tuple(sorted({*_LOBBY_WORDS, *(WORDS if hosting else WORDS - HOST_WORDS)} - {"color"}))
    prompt = screen.question
    card = None if prompt is None else prompt.card
    moves = () if card is None else tuple(to_text(choice.move, choice.before, card) for choice in screen.choices)
    return (*moves, *_GAME_WORDS)


def _calm(screen: Screen) -> bool:
    return not screen.guard.hasty(screen.now_s)


def _close(screen: Screen) -> None:
    screen.state = replace(screen.state, mode=Mode.KEYS, typing=Typing())


def _finished(screen: Screen) -> Answer:
    """Enter behind a line."""
    text, mode = screen.state.typing.text.strip(), screen.state.mode
    _close(screen)
    if not text:
        return Answer()
    answer = _said(screen, text) if mode is Mode.CHAT else _command(screen, text)
    if screen.state.message and screen.state.over is not Over.END:
        screen.open(Over.NOTHING)  # pages have no room for an answer
    return answer


def _said(screen: Screen, text: str) -> Answer:
    view = screen.heard.view
    if view is None:
        return Answer()
    options = view.game.options if view.game else view.lobby.options if view.lobby else Option.NONE
    if Option.NO_FREE_CHAT in options and text not in PHRASES:
        screen.say(_("At this table only the six phrases can be said: t and a digit."))
        return Answer()
    said = fit_chat(text)
    if said is None:
        screen.say(_("That is too long: {n} bytes can be said at once.").format(n=MAX_CHAT))
        return Answer()
    prompt = screen.question
    speaker = view.game.seats[prompt.seat].person if prompt and view.game else None
    return does(Spoke(speaker or 0, said))


def _command(screen: Screen, text: str) -> Answer:
    word, _space, rest = text.partition(" ")
    word, rest = word.lower(), rest.strip()
    view = screen.heard.view
    match word:
        case "say":
            return _said(screen, rest)
        case "mute" | "unmute":
            _mute(screen, word, rest)
            return Answer()
        case "leave":
            return keys_game.leave_asked(screen)
        case "help":
            screen.open(Over.HELP)
            return Answer()
        case _:
            pass
    if view is not None and view.lobby is not None and screen.ground is Ground.LOBBY:
        if word not in WORDS:
            screen.say(_unknown(text))
            return Answer()
        return lobby_line(screen, text)
    if screen.ground is not Ground.GAME:
        screen.say(_("Please wait for the table."))
        return Answer()
    return _game_command(screen, text, word, rest)


def lobby_line(screen: Screen, text: str) -> Answer:
    """A command of the lobby, as in plain mode; what it says is shown."""
    view = screen.heard.view
    if view is None or view.lobby is None:
        return Answer()
    word, _space, rest = text.partition(" ")
    answer = lobby_command(word.lower(), rest.strip(), view.lobby)
    screen.say(" ".join(answer.lines))
    return Answer((), answer.happenings, answer.stay)


def _game_command(screen: Screen, text: str, word: str, rest: str) -> Answer:
    match word:
        case "why":
            screen.state = replace(screen.state, why=rest)
            screen.open(Over.WHY)
        case str() if word in _PAGES:
            screen.open(_PAGES[word])
        case "hint":
            return keys_game.pressed(screen, "H")
        case "yes" | "no":
            view = screen.heard.view
            if view is None or view.going_on is None:
                screen.say(_("Nothing is offered now."))
                return Answer()
            return keys_game.answer_offer(screen, Ready.YES if word == "yes" else Ready.NO)
        case "rematch":
            if screen.heard.view is not None and screen.heard.view.phase is Phase.OVER:
                return does(RematchAsked())
            screen.say(_("The game is not over yet."))
        case "draw":
            return keys_game.pressed(screen, Key.ENTER)
        case _:
            return _move(screen, text)
    return Answer()


def _move(screen: Screen, text: str) -> Answer:
    """A choice by its number or notation."""
    screen.heard.moments.return_()
    game, view = screen.heard.game, screen.heard.view
    prompt = screen.question
    if game is None or view is None or prompt is None or prompt.card is None:
        screen.say(_unknown(text) if game is None or view is None else _not_now(screen))
        return Answer()
    found = _choice(screen, text)
    if isinstance(found, str):
        screen.say(found)
        screen.state = replace(screen.state, why=text)
        return Answer()
    screen.state = replace(screen.state, picking=choosing.at_choice(screen.choices, found))
    if not screen.lets():
        return Answer()
    return keys_game.commit(screen, found)


def _not_now(screen: Screen) -> str:
    game, view = screen.heard.game, screen.heard.view
    if screen.question is not None:
        return _("First draw: press Enter.")
    return "" if game is None or view is None else waiting_text(game, view.phase)


def _choice(screen: Screen, text: str) -> Choice | str:
    """The choice that was typed, or the sentence that says why there is none."""
    prompt, game = screen.question, screen.heard.game
    if prompt is None or prompt.card is None or game is None:
        return _unknown(text)
    number = number_of(text)
    if number is not None:
        if 1 <= number <= len(screen.choices):
            return screen.choices[number - 1]
        return _("There is no choice {n}; the last one is {last}.").format(n=number, last=len(screen.choices))
    try:
        move = parse_text(text, game.position, prompt.card)
    except ValueError as wrong:
        return misread_text(wrong)
    if move in prompt.choices:
        same = numbered_like(move, prompt, prompt.card, game)
        return next(choice for choice in screen.choices if choice.move == same)
    reason = why_not(game.position, game.rules, prompt.card, move)
    if reason is not None:
        return reason_text(reason, game.position, game.rules, prompt.card)
    return _("The rules do not allow that with {card}; ? says why.").format(card=a_card_text(prompt.card))


def _mute(screen: Screen, word: str, rest: str) -> None:
    """Mute COLOUR or NAME; unmute alone hears everybody again."""
    log = screen.heard.log
    if word == "unmute" and not rest:
        log.muted.clear()
        screen.say(_("You hear everybody again."))
        return
    speaker = _speaker(screen, rest)
    if speaker is None:
        screen.say(_("Write whom, by colour or name: mute blue"))
    elif word == "mute":
        log.mute(speaker)
        screen.say(_("Muted. /unmute hears everybody again."))
    else:
        log.unmute(speaker)
        screen.say(_("You hear them again."))


def _speaker(screen: Screen, wanted: str) -> Speaker | None:
    view = screen.heard.view
    if view is None:
        return None
    seats = view.lobby.seats if view.lobby is not None else () if view.game is None else view.game.seats
    for seat in seats:
        if seat.person is None and wanted.lower() in {seat.name.lower(), Colour(seat.colour).label} and seat.name:
            return seat.name, seat.colour
    return None


def _unknown(text: str) -> str:
    return _("I do not know {what}; h shows the help.").format(what=f"'{shown(text, _TOLD_CELLS)}'")

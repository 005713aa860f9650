"""A program's conversation with a table: JSON objects in, happenings out; pictures in, JSON lines out (docs/json.md).

A line that does nothing is answered with an error object, and the stream goes on.
"""

from __future__ import annotations

import json
from typing import Final

from sorry_lan.fair.entry import Leaving
from sorry_lan.rules.moves import Move, parse_text
from sorry_lan.table.events import DrawAsked, GoOnAnswered, LeaveAsked, Ready, RematchAsked, SeatDecided, Spoke
from sorry_lan.table.news import News
from sorry_lan.table.notices import Notice
from sorry_lan.table.phrases import PHRASES
from sorry_lan.table.view import Ask, GameView, Phase, Prompt, View
from sorry_lan.ui.answers import Answer, Stay, does, told
from sorry_lan.ui.json_values import Json, Object
from sorry_lan.ui.jsonlines import error_line, hello_line, lobby_line, news_line, notice_line, prompt_line
from sorry_lan.ui.lobby_words import WORDS, lobby_command
from sorry_lan.ui.own_words import fit_chat
from sorry_lan.wire.limits import MAX_CHAT
from sorry_lan.wire.terms import Option

_LOBBY_FIELDS: Final = {
    "name": "name",
    "colour": "colour",
    "age": "age",
    "bot": "colour",
    "close": "colour",
    "open": "colour",
    "kick": "colour",
    "rules": "profile",
    "rule": "set",
}
"""The field whose value a lobby command takes; the others take none."""

_Asked = tuple[bytes, int, int, Ask]


class Unfit(Exception):  # noqa: N818 - it is a sentence on its way, not an error of ours
    """A line of input that does nothing; the text says why."""


class JsonSession:
    """The state is what was shown last: the picture, the lobby line, and the questions asked and answered."""

    __slots__ = ("_answered", "_asked", "_lobby", "_view")

    def __init__(self) -> None:
        self._view: View | None = None
        self._lobby: str | None = None
        self._asked: set[_Asked] = set()
        self._answered: set[_Asked] = set()

    def greeting(self) -> tuple[str, ...]:
        """The first line."""
        return (hello_line(),)

    def noticed(self, notice: Notice) -> tuple[str, ...]:
        """The line of a notice."""
        return (notice_line(notice),)

    def picture(self, view: View, news: tuple[News, ...]) -> tuple[str, ...]:
        """The lines of a new picture: news, the lobby where it changed, and new questions."""
        self._view = view
        lines = [line for line in (news_line(item, view) for item in news) if line is not None]
        if view.lobby is not None and view.phase in (Phase.LOBBY, Phase.PROPOSED):
            lobby = lobby_line(view.lobby, view.phase)
            if lobby != self._lobby:
                self._lobby = lobby
                lines.append(lobby)
        if view.game is not None:
            open_now = {_key(prompt, view.game): prompt for prompt in view.prompts}
            lines += [prompt_line(open_now[key], view.game) for key in open_now if key not in self._asked]
            self._asked = set(open_now)
            self._answered &= self._asked
        return tuple(lines)

    def typed(self, line: str) -> Answer:
        """What one line of input does."""
        if not line.strip():
            return Answer()
        try:
            return self._obey(_read(line))
        except Unfit as wrong:
            return told(error_line(str(wrong)))

    def interrupted(self) -> tuple[str, ...]:
        """A program is asked nothing."""
        return ()

    def undecodable(self) -> Answer:
        """A line that is no UTF-8."""
        return told(error_line("The line is not UTF-8."))

    def overlong(self) -> Answer:
        """A line beyond all measure."""
        return told(error_line("The line is too long."))

    def ended(self) -> Answer:
        """The end of input: leave."""
        return Answer((), (LeaveAsked(),), Stay.LEAVE)

    def _obey(self, said: Object) -> Answer:
        kind = said.get("type")
        if self._view is not None and self._view.looking is not None and kind != "leave":
            raise Unfit("This client only watches; it can do no more than leave.")
        match kind:
            case "leave":
                return self._leave(said)
            case "go_on":
                return self._go_on(said)
            case "say":
                return does(_spoken(said, self._forbidden()))
            case "draw":
                prompt, game = self._question(Ask.DRAW, said)
                self._answered.add(_key(prompt, game))
                return does(DrawAsked(prompt.seat))
            case "play":
                return self._play(said)
            case "rematch":
                if self._view is None or self._view.phase is not Phase.OVER:
                    raise Unfit("There is no finished game.")
                return does(RematchAsked())
            case str() if kind in WORDS:
                return self._lobby_word(kind, said)
            case _:
                raise Unfit("This type of line is not known; docs/json.md lists them.")

    def _forbidden(self) -> Option:
        """What this table forbids."""
        view = self._view
        if view is None:
            return Option.NONE
        return view.game.options if view.game else view.lobby.options if view.lobby else Option.NONE

    def _leave(self, said: Object) -> Answer:
        reason = _REASONS.get(str(said.get("for", "")))
        if "for" in said and reason is None:
            raise Unfit("leave takes for, which is now or good.")
        return Answer((), (LeaveAsked(reason),), Stay.LEAVE)

    def _go_on(self, said: Object) -> Answer:
        if self._view is None or self._view.going_on is None:
            raise Unfit("Nothing is offered now.")
        answer = said.get("answer")
        if not isinstance(answer, bool):
            raise Unfit("go_on needs answer, true or false.")
        return does(GoOnAnswered(Ready.YES if answer else Ready.NO))

    def _question(self, ask: Ask, said: Object) -> tuple[Prompt, GameView]:
        """The unanswered question of this sort; a wrong k, seat or moment is Unfit."""
        game = self._view.game if self._view else None
        if self._view is None or game is None:
            raise Unfit("There is no game yet.")
        for prompt in self._view.prompts:
            fits = prompt.ask is ask and _key(prompt, game) not in self._answered
            if fits and said.get("seat", prompt.seat) == prompt.seat:
                if said.get("k", prompt.k) != prompt.k:
                    raise Unfit(f"The question stands for step {prompt.k}.")
                return prompt, game
        raise Unfit(f"Nothing is to {'draw' if ask is Ask.DRAW else 'choose'} now.")

    def _play(self, said: Object) -> Answer:
        if "k" not in said:
            raise Unfit("play needs k, the step it is meant for.")
        prompt, game = self._question(Ask.CHOOSE, said)
        move = _choice(said, prompt, game)
        if prompt.card is None or move not in prompt.choices:
            raise Unfit("That is not one of the choices.")
        self._answered.add(_key(prompt, game))
        return does(SeatDecided(prompt.seat, prompt.k, prompt.card, move))

    def _lobby_word(self, word: str, said: Object) -> Answer:
        lobby = self._view.lobby if self._view else None
        if self._view is None or lobby is None or self._view.phase not in (Phase.LOBBY, Phase.PROPOSED):
            raise Unfit("There is no lobby now.")
        value = said.get(_LOBBY_FIELDS.get(word, ""), "")
        person, level = said.get("person", 0), said.get("level", "")
        if not isinstance(value, str | int) or not isinstance(person, int) or not isinstance(level, str):
            raise Unfit(f"The fields of {word} are not of the right form.")
        several = sum(seat.person is not None for seat in lobby.seats) > 1 and word in {
            "name",
            "colour",
            "color",
            "age",
        }
        words = [str(person + 1)] if several else []
        answer = lobby_command(word, " ".join([*words, str(value), level]).strip(), lobby)
        return Answer(tuple(map(error_line, answer.lines)), answer.happenings, answer.stay)


_REASONS: Final = {"now": Leaving.FOR_NOW, "good": Leaving.FOR_GOOD}
"""Why a client leaves, as `leave` says it."""


def _key(prompt: Prompt, game: GameView) -> _Asked:
    return game.game_id, prompt.k, prompt.seat, prompt.ask


def _read(line: str) -> Object:
    try:
        value: Json = json.loads(line, parse_float=_no_number, parse_constant=_no_number)
    except (ValueError, RecursionError) as wrong:
        raise Unfit("The line is not JSON.") from wrong
    if not isinstance(value, dict):
        raise Unfit("The line is not a JSON object.")
    return value


def _no_number(_text: str) -> Json:
    raise ValueError("only whole numbers")


def _spoken(said: Object, options: Option) -> Spoke:
    text, phrase, person = said.get("text"), said.get("phrase"), said.get("person", 0)
    if isinstance(phrase, int) and text is None and 1 <= phrase <= len(PHRASES):
        text = PHRASES[phrase - 1]
    if not isinstance(text, str) or not isinstance(person, int):
        raise Unfit(f"say needs text, a string, or phrase, 1 to {len(PHRASES)}.")
    fit = fit_chat(text)
    if fit is None:
        raise Unfit(f"The text must have 1 to {MAX_CHAT} bytes.")
    if Option.NO_FREE_CHAT in options and fit not in PHRASES:
        raise Unfit("This table takes the phrases alone.")
    return Spoke(person, fit)


def _choice(said: Object, prompt: Prompt, game: GameView) -> Move | None:
    number, text = said.get("choice"), said.get("move")
    if isinstance(number, int) and text is None:
        return prompt.choices[number - 1] if 1 <= number <= len(prompt.choices) else None
    if not isinstance(text, str) or prompt.card is None:
        raise Unfit("play needs move (notation) or choice (a number).")
    try:
        return parse_text(text, game.position, prompt.card)
    except ValueError as wrong:
        raise Unfit(str(wrong)) from wrong

"""The text client without its keyboard: pictures and typed lines in, lines of text and happenings out.

Append-only, one event a line, no control byte but a bell where that was asked for. Pure: console.py reads and writes.
"""

from __future__ import annotations

from enum import Enum, unique
from typing import Final

from sorry_lan.fair.entry import Leaving
from sorry_lan.faults import Err
from sorry_lan.table.events import DrawAsked, GoOnAnswered, LeaveAsked, Ready, RematchAsked, SeatDecided, Spoke
from sorry_lan.table.news import CardDrawn, Confirmed, News, Played, PresenceChanged, Refused, Said, TableClosed
from sorry_lan.table.notices import Notice
from sorry_lan.table.phases import IN_PLAY
from sorry_lan.table.phrases import PHRASES
from sorry_lan.table.view import (
    Ask,
    GameView,
    LobbyView,
    Phase,
    Presence,
    Prompt,
    View,
)
from sorry_lan.ui.answers import Answer, Stay, does, told
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.hints import hint_text
from sorry_lan.ui.lobby_words import WORDS, lobby_command
from sorry_lan.ui.muting import Muting
from sorry_lan.ui.own_words import fit_chat
from sorry_lan.ui.plain_memory import PlainMemory
from sorry_lan.ui.taste import Bell
from sorry_lan.ui.texts_lobby import lobby_lines
from sorry_lan.ui.texts_news import news_lines
from sorry_lan.ui.texts_notices import notice_lines
from sorry_lan.ui.texts_phrases import phrase_texts
from sorry_lan.ui.texts_prompts import (
    board_lines,
    deck_lines,
    help_lines,
    prompt_lines,
    waiting_text,
    why_lines,
)
from sorry_lan.ui.texts_watching import only_watch_text, who_watches
from sorry_lan.ui.typed_moves import chosen, unknown_text, useless_lines
from sorry_lan.wire.limits import MAX_CHAT
from sorry_lan.wire.terms import Option

_LEAVABLE: Final = IN_PLAY | {Phase.FROZEN, Phase.RESUMING}
"""A game is going on here, so leaving is asked about."""
_WHAT_PLAYERS_DO: Final = frozenset(("say", "mute", "unmute", "yes", "no", "goon", "rematch", "hint", "draw"))
_BELL: Final = "\a"
"""The one control byte there is, and only where it was asked for."""
_PHRASE_NUMBERS: Final = frozenset(str(number) for number in range(1, len(PHRASES) + 1))


@unique
class Attended(Enum):
    """Whether a person sits here who can be asked something."""

    BY_A_PERSON = "by-a-person"
    BY_NOBODY = "by-nobody"


_Asked = tuple[bytes, int, int, Ask]
"""What makes a question the same question: game, step, seat, what is asked."""


class PlainSession:
    """One person's conversation with a table; the only state is what was said last."""

    __slots__ = (
        "_answered",
        "_asked",
        "_attended",
        "_bell",
        "_ever_asked",
        "_leaving",
        "_lobby",
        "_memory",
        "_muting",
        "_refused",
        "_view",
    )

    def __init__(self, attended: Attended = Attended.BY_A_PERSON, bell: Bell = Bell.OFF) -> None:
        self._attended = attended
        self._bell = bell
        self._muting = Muting()
        self._memory = PlainMemory()
        self._view: View | None = None
        self._asked: _Asked | None = None
        self._answered: _Asked | None = None
        self._ever_asked = False
        self._lobby: tuple[str, ...] = ()
        self._leaving = False
        self._refused: Err | None = None

    def greeting(self) -> tuple[str, ...]:
        """The first line."""
        return (_("sorry-lan, text mode. Type h for help, q to leave."),)

    def noticed(self, notice: Notice) -> tuple[str, ...]:
        """The sentences of a notice."""
        return notice_lines(notice)

    def picture(self, view: View, news: tuple[News, ...]) -> tuple[str, ...]:
        """What to say about a new picture: the news, what changed in the lobby, and a question that is new."""
        self._view = view
        lines: list[str] = []
        for item in news:
            sentences = self._sentences(item, view)
            lines += () if _is_past(item, view) else sentences
            self._memory.keep(item, view, sentences)
            # A seat that the computer plays needs no reasons.
            if isinstance(item, Played) and view.game is not None and self._ever_asked:
                lines += useless_lines(item, view.game)
            if isinstance(item, Confirmed) and self._ever_asked:
                lines.append(_("Type rematch to play again with the same people, or q to leave."))
        lines += self._lobby_changes(view)
        lines += self._question(view)
        return tuple(lines)

    def _sentences(self, item: News, view: View) -> tuple[str, ...]:
        """The news in words; an end that follows from a refusal does not say the same reason again."""
        if isinstance(item, Said) and self._muting.silences(item, view):
            return ()
        if isinstance(item, TableClosed) and item.code is self._refused:
            return (_("You are not at the table."),)
        if (
            isinstance(item, PresenceChanged)
            and item.presence is Presence.RECONNECTING
            and view.phase is Phase.RESUMING
        ):
            return ()  # nobody was there to be lost: the line about the saved game says that all are awaited
        self._refused = item.code if isinstance(item, Refused) else self._refused
        return news_lines(item, view)

    def typed(self, line: str) -> Answer:
        """What one typed line does. A number or an Enter counts only for the question that stands there unanswered."""
        text = line.strip()
        word, _space, rest = text.partition(" ")
        word = word.lower()
        if word in {"q", "quit"}:
            return self._quit()
        if word == "leave" and self._leaving:
            return self._leave()
        if self._leaving and word in {"", "stay"}:
            # An Enter that answers this question is not to draw a card as well.
            self._leaving = False
            return told(_("You stay."))
        self._leaving = False
        if word in {"h", "help", "?"}:
            return Answer(help_lines(self._view.phase if self._view else Phase.CONNECTING, looks_on=self._looks_on))
        if self._view is None:
            return told(_("Please wait for the table.")) if text else Answer()
        if self._looks_on and word in _WHAT_PLAYERS_DO:
            return told(only_watch_text())
        if word == "say":
            return self._say(rest.strip(), self._view)
        if word in {"mute", "unmute"}:
            return self._muting.obey(word, rest.strip(), self._view)
        if self._view.game is not None and self._view.phase not in (Phase.LOBBY, Phase.PROPOSED):
            return self._in_game(text, word, self._view, self._view.game)
        if self._view.lobby is not None:
            return self._in_lobby(text, word, rest.strip(), self._view.lobby)
        return told(_("Please wait for the table.")) if text else Answer()

    @property
    def _looks_on(self) -> bool:
        """Whether this client only watches."""
        return self._view is not None and self._view.looking is not None

    def interrupted(self) -> tuple[str, ...]:
        """Ctrl-C: the question whether to leave a running game; nothing where it stands there already, or elsewhere."""
        if self._leaving or self._attended is Attended.BY_NOBODY or not self._playing():
            return ()
        self._leaving = True
        return (
            _("Leave the running game? Type q to leave for now; the seat is kept while the others wait,"),
            _("leave to leave for good, stay to stay. Ctrl-C once more ends the program at once."),
        )

    def undecodable(self) -> Answer:
        """A line that is no text in the terminal's encoding."""
        return told(_("That line cannot be read as text. Type it again; h shows what can be typed."))

    def overlong(self) -> Answer:
        """A line beyond all measure."""
        return told(_("That line is too long and was left out."))

    def ended(self) -> Answer:
        """The end of input: leave."""
        kept = (_("The game is kept; go on with: sorry-lan resume"),) if self._playing() else ()
        return Answer(kept, (LeaveAsked(),), Stay.LEAVE)

    def _lobby_changes(self, view: View) -> list[str]:
        if view.lobby is None or view.phase not in (Phase.LOBBY, Phase.PROPOSED):
            self._lobby = ()
            return []
        now = (*lobby_lines(view.lobby), *who_watches(view))
        fresh = [line for line in now if line not in self._lobby]
        self._lobby = now
        return fresh

    def _question(self, view: View) -> tuple[str, ...]:
        """The lines of a question that was not asked yet."""
        prompt = self._open_prompt(view)
        if prompt is None or view.game is None:
            self._asked = None
            return ()
        asked = _key(prompt, view.game)
        if asked == self._asked:
            return ()
        self._asked = asked
        self._ever_asked = True
        ask, *answers = prompt_lines(prompt, view.game)
        rings = self._bell is Bell.ON and prompt.ask is Ask.DRAW
        return (ask + _BELL if rings else ask, *answers)

    def _open_prompt(self, view: View) -> Prompt | None:
        """The first question nobody has answered yet."""
        game = view.game
        if game is None:
            return None
        return next((prompt for prompt in view.prompts if _key(prompt, game) != self._answered), None)

    def _playing(self) -> bool:
        return self._view is not None and self._view.looking is None and self._view.phase in _LEAVABLE

    def _quit(self) -> Answer:
        playing = self._playing()
        if playing and not self._leaving:
            self._leaving = True
            return Answer(
                (
                    _("Leave the running game? Type q again to leave for now; the seat is kept while the others wait,"),
                    _("leave to leave for good, anything else to stay."),
                )
            )
        bye = _("Bye. The game is kept; go on with: sorry-lan resume") if playing else _("Bye.")
        return Answer((bye,), (LeaveAsked(Leaving.FOR_NOW if playing else None),), Stay.LEAVE)

    def _leave(self) -> Answer:
        return Answer((_("Bye."),), (LeaveAsked(Leaving.FOR_GOOD),), Stay.LEAVE)

    def _say(self, text: str, view: View) -> Answer:
        options = view.game.options if view.game else view.lobby.options if view.lobby else Option.NONE
        said = PHRASES[int(text) - 1] if text in _PHRASE_NUMBERS else fit_chat(text)
        if Option.NO_FREE_CHAT in options and said not in PHRASES:
            phrases = [f"{number} {phrase}" for number, phrase in enumerate(phrase_texts(), 1)]
            return told(_("Here only these can be said, as in say 1: {phrases}").format(phrases=", ".join(phrases)))
        if said is None:
            return told(_("Write 1 to {n} bytes behind it, as in: say Good luck!").format(n=MAX_CHAT))
        prompt = self._open_prompt(view)
        speaker = view.game.seats[prompt.seat].person if prompt and view.game else None
        return does(Spoke(speaker or 0, said))

    def _in_lobby(self, text: str, word: str, rest: str, lobby: LobbyView) -> Answer:
        if not text:
            return Answer()
        if self._looks_on:
            return told(only_watch_text())
        if word in {"start", "begin"}:
            return told(_("The game begins by itself once no seat is open and everybody is ready."))
        if word not in WORDS:
            return told(unknown_text(text))
        return lobby_command(word, rest, lobby)

    def _in_game(self, text: str, word: str, view: View, game: GameView) -> Answer:
        match word:
            case "b" | "board":
                return Answer((*board_lines(game), *who_watches(view)))
            case "l" | "last":
                return Answer(self._memory.last_moves())
            case "d" | "deck":
                return Answer(deck_lines(game))
            case "w" | "why":
                return self._tell_why(view, game)
            case "f" | "fair":
                return Answer(self._memory.fairness(game))
            case "hint":
                prompt = self._open_prompt(view)
                return told(waiting_text(game, view.phase) if prompt is None else hint_text(prompt, game))
            case "yes" | "no" | "goon":
                if view.going_on is None:
                    return told(_("Nothing is offered now."))
                return does(GoOnAnswered(Ready.NO if word == "no" else Ready.YES))
            case "rematch":
                if view.phase is not Phase.OVER:
                    return told(_("The game is not over yet."))
                return does(RematchAsked())
            case _:
                return self._act(text, word, view, game)

    def _tell_why(self, view: View, game: GameView) -> Answer:
        prompt = self._open_prompt(view)
        if prompt is None:
            return told(waiting_text(game, view.phase))
        return Answer(why_lines(prompt, game))

    def _act(self, text: str, word: str, view: View, game: GameView) -> Answer:
        """A draw or a choice, where a question stands there that was shown."""
        prompt = self._open_prompt(view)
        if prompt is None or _key(prompt, game) != self._asked:
            return told(waiting_text(game, view.phase)) if text else Answer()
        if prompt.ask is Ask.DRAW or prompt.card is None:
            if word not in {"", "draw"}:
                return told(_("First draw: press Enter. (h shows what else can be typed.)"))
            self._answered = _key(prompt, game)
            return does(DrawAsked(prompt.seat))
        if not text:
            return told(_("Type the number of a choice; w says why a pawn cannot move."))
        move = chosen(text, prompt, game)
        if isinstance(move, str):
            return told(move)
        self._answered = _key(prompt, game)
        return does(SeatDecided(prompt.seat, prompt.k, prompt.card, move))


def _is_past(item: News, view: View) -> bool:
    """Whether a watcher is still checking what was played before; the board tells what came of it."""
    return view.looking is not None and view.looking.behind and isinstance(item, CardDrawn | Played)


def _key(prompt: Prompt, game: GameView) -> _Asked:
    return game.game_id, prompt.k, prompt.seat, prompt.ask

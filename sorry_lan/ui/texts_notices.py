"""What a client tells its people beside the picture: where to join, what was saved, why it could not start.

Every Problem and Trouble has its sentence: what happened, why, what to do.
"""

from __future__ import annotations

from typing import Final, assert_never

from sorry_lan.table.commands import FileKind
from sorry_lan.table.encounters import CallerWaits, FirstMet, KeyChanged
from sorry_lan.table.notices import (
    CodeChanged,
    Connecting,
    FileNotSaved,
    FileSaved,
    GameProblem,
    GameTrouble,
    Invitation,
    JoinProblem,
    JournalSetAside,
    ListenProblem,
    ListenTrouble,
    NoTable,
    Notice,
    PlayersNotKept,
    PortTaken,
    Problem,
    Program,
    Searching,
    StartProblem,
    Stopped,
    StoreProblem,
    StoreTrouble,
    StrangerCalled,
    TableOpened,
)
from sorry_lan.table.programs import BotProblem
from sorry_lan.ui.catalogue import _
from sorry_lan.ui.shown import shown
from sorry_lan.ui.texts_bot import bot_text
from sorry_lan.ui.texts_errors import why_text
from sorry_lan.ui.texts_finding import join_commands, no_table_text, opened_lines
from sorry_lan.ui.texts_people import encounter_text
from sorry_lan.ui.texts_remedy import doctor_command
from sorry_lan.wire.limits import MAX_APP

_PATH_CELLS = 400
_HOST_CELLS = 80


def notice_lines(notice: Notice) -> tuple[str, ...]:
    """The sentences of one notice."""
    match notice:
        case TableOpened():
            return opened_lines(notice)
        case Invitation(opened, blocks):
            from sorry_lan.ui.qr import qr_rows  # noqa: PLC0415 - seldom asked for

            return qr_rows(join_commands(opened)[-1], blocks)
        case Searching():
            return (_("Looking for the table of this code ..."),)
        case CodeChanged(code):
            return (_("Too many wrong guesses: from now on the join code is {code}.").format(code=code),)
        case PortTaken(wanted, got):
            return (_("Port {wanted} is in use, so this table listens on {got}.").format(wanted=wanted, got=got),)
        case Connecting(address):
            return (_("Connecting to {address} ...").format(address=shown(address, _HOST_CELLS)),)
        case FileSaved(kind, path):
            return (_saved_text(kind).format(path=shown(path, _PATH_CELLS)),)
        case FileNotSaved(_kind, problem):
            return (_("A file of this game could not be kept. {why}").format(why=store_text(problem)),)
        case StrangerCalled(host, code):
            return (
                _("Somebody at {host} connected and was turned away. {why}").format(
                    host=shown(host, _HOST_CELLS), why=why_text(code)
                ),
            )
        case CallerWaits() | FirstMet() | KeyChanged():
            return (encounter_text(notice),)
        case PlayersNotKept(problem):
            return (_("Whom you play with is not noted. {why}").format(why=store_text(problem)),)
        case JournalSetAside(path):
            return (
                _("The journal of a game was damaged. It is kept at {path}; the rest comes from the players.").format(
                    path=shown(path, _PATH_CELLS)
                ),
            )
        case Stopped(problem):
            return (problem_text(problem),)
        case _:
            assert_never(notice)


def problem_text(problem: StartProblem) -> str:
    """Why the client ends."""
    match problem:
        case JoinProblem():
            return join_text(problem)
        case ListenProblem():
            return listen_text(problem)
        case StoreProblem():
            return store_text(problem)
        case GameProblem():
            return game_text(problem)
        case NoTable():
            return no_table_text(problem)
        case BotProblem():
            return bot_text(problem)
        case _:
            assert_never(problem)


def game_text(problem: GameProblem) -> str:
    """Why no saved game is taken up."""
    wanted = shown(problem.wanted, _HOST_CELLS)
    match problem.trouble:
        case GameTrouble.NONE:
            return _("There is no game here that can go on. See: sorry-lan games")
        case GameTrouble.UNKNOWN:
            return _("No saved game, or more than one, begins with {wanted}. See: sorry-lan games").format(
                wanted=wanted
            )
        case GameTrouble.OVER:
            return _("Game {wanted} cannot go on: it is over. See: sorry-lan games").format(wanted=wanted)
        case GameTrouble.FOREIGN:
            return _("Game {wanted} was played with another identity; only that one can go on with it.").format(
                wanted=wanted
            )
        case GameTrouble.OTHER_ENGINE:
            return _(
                "Game {wanted} was begun with another version of sorry-lan; only that one can go on with it."
            ).format(wanted=wanted)
        case _:
            assert_never(problem.trouble)


def _saved_text(kind: FileKind) -> str:
    match kind:
        case FileKind.TRANSCRIPT:
            return _("The game is kept. Check it with: sorry-lan verify {path}")
        case FileKind.EVIDENCE:
            return _("The proof is kept. Check it with: sorry-lan verify {path}")
        case FileKind.DUMP:
            return _("Both boards as this computer saw them are kept in {path}.")
        case _:
            assert_never(kind)


def join_text(problem: JoinProblem) -> str:
    """Why a table could not be reached or stayed closed, and what to do."""
    told = _join_sentence(problem.problem).format(
        address=shown(problem.address, _HOST_CELLS),
        versions=_versions(problem.ours, problem.theirs),
        engines=_engines(problem.ours, problem.theirs),
        why=why_text(problem.code),
    )
    if problem.problem not in _ON_THE_WAY:
        return told
    return _("{told} To learn what is in the way: {command}").format(told=told, command=doctor_command(problem.address))


_ON_THE_WAY: Final = (Problem.NAME_UNKNOWN, Problem.TIMED_OUT, Problem.UNREACHABLE, Problem.RESET)
"""What happens before anybody answers: the doctor knows more of that."""


def _join_sentence(problem: Problem) -> str:
    return {
        Problem.ADDRESS: _(
            "{address} is no address. Write it like 192.168.1.20, 192.168.1.20:7777 or [fe80::1%eth0]:7777."
        ),
        Problem.NAME_UNKNOWN: _(
            "There is no computer called {address} in this network. Use the host's numeric address."
        ),
        Problem.REFUSED: _(
            "{address} answers, but nobody hosts a table at that port. Check the port, or ask the host to start."
        ),
        Problem.TIMED_OUT: _(
            "{address} does not answer. Check the address; a firewall there, or a guest Wi-Fi, may block the port."
        ),
        Problem.UNREACHABLE: _(
            "There is no way to {address} from here. Are both in the same network?"
            " (On a Mac, allow Local Network for your terminal.)"
        ),
        Problem.RESET: _("The connection to {address} broke while it was made. Try again."),
        Problem.NOT_SORRY_LAN: _("{address} answers, but does not speak sorry-lan. Check the port."),
        Problem.VERSION: _(
            "The program at {address} is too different from this one{versions}. Install the same version on both."
        ),
        Problem.ENGINE: _(
            "The program at {address} has other rules or bots than this one{engines}. Install the same version on both."
        ),
        Problem.INTERCEPTED: _(
            "{address} could not prove who it is: somebody may sit in between. Do not play on this network."
        ),
        Problem.CODE_WRONG: _(
            "The join code is not the one of the table at {address}. Ask for the words the host sees now."
        ),
        Problem.CODE_REQUIRED: _("The table at {address} needs a join code. Add --code and the three words."),
        Problem.CODE_NOT_USED: _(
            "The table at {address} uses no join code. Join it with --open, if you trust the network."
        ),
        Problem.OTHER_IDENTITY: _("Somebody else than expected answers at {address}. Check the address with the host."),
        Problem.OWN_IDENTITY: _(
            "At {address} is your own table, or a copy of your identity. A second player here needs --identity DIR."
        ),
        Problem.ELSEWHERE: _(
            "Your identity came to {address} from another program. End one of them, or use --identity DIR."
        ),
        Problem.BUSY: _("Too many connections at once at {address}. Try again in a moment."),
        Problem.FULL: _("Every seat of the table at {address} is taken. Ask the host to open one, or add --watch."),
        Problem.IN_PLAY: _("The game at {address} has begun without you. To watch it, add --watch."),
        Problem.TAKEN: _("Your name or colour is taken at {address}. Choose another with --name or --colour."),
        Problem.REMOVED: _("The host of {address} took your seat away. Ask the host why."),
        Problem.CLOSED: _("The table at {address} is closed: its host left. Host one yourself with: sorry-lan host"),
        Problem.BROKE_RULE: _("The connection to {address} was ended for breaking the protocol. {why}"),
        Problem.LOST: _("The connection to {address} was lost. Start the same command again."),
    }[problem]


def _versions(ours: Program | None, theirs: Program | None) -> str:
    if ours is None or theirs is None:
        return ""
    return _(" (here {ours}, there {theirs})").format(ours=_version(ours), theirs=_version(theirs))


def _version(program: Program) -> str:
    spoken = str(program.vmin) if program.vmin == program.vmax else f"{program.vmin}-{program.vmax}"
    return _("{app}, protocol {spoken}").format(app=shown(program.app, MAX_APP), spoken=spoken)


def _engines(ours: Program | None, theirs: Program | None) -> str:
    if ours is None or theirs is None:
        return ""
    return _(" (here {ours}, there {theirs})").format(ours=_engine(ours), theirs=_engine(theirs))


def _engine(program: Program) -> str:
    return f"{shown(program.app, MAX_APP)} {program.engine.hex()[:8] if program.engine else '-'}"


def listen_text(problem: ListenProblem) -> str:
    """Why no table could be opened, and what to do."""
    reason = shown(problem.reason, _PATH_CELLS)
    match problem.trouble:
        case ListenTrouble.PORT_BUSY:
            told = _("Port {port} is in use. Choose another with --port, or leave --port away to get a free one.")
        case ListenTrouble.PORT_FORBIDDEN:
            told = _("This user may not listen on port {port} ({reason}). Choose a port above 1023 with --port.")
        case ListenTrouble.NO_NETWORK:
            told = _(
                "This computer has no network to listen on ({reason}). Connect it, or play here with: sorry-lan play"
            )
        case _:
            assert_never(problem.trouble)
    return told.format(port=problem.port, reason=reason)


def store_text(problem: StoreProblem) -> str:
    """What is wrong with a file or folder, and what to do."""
    match problem.trouble:
        case StoreTrouble.IN_USE:
            told = _(
                "The identity in {path} is in use by another sorry-lan{pid}. End that one, or use --identity OTHER-DIR."
            )
        case StoreTrouble.DAMAGED:
            told = _(
                "{path} is not what sorry-lan wrote ({reason}). It is kept; move it away or use --identity OTHER-DIR."
            )
        case StoreTrouble.NO_HOME:
            told = _("There is no home folder to keep your key and games in. Set HOME, or give --identity DIR.")
        case StoreTrouble.NOT_WRITABLE:
            told = _("{path} cannot be written ({reason}). Correct that, or choose another folder with --identity DIR.")
        case StoreTrouble.FULL:
            told = _("There is no room left to write {path} ({reason}). Free some space, then try again.")
        case StoreTrouble.NOT_READABLE:
            told = _("{path} cannot be read ({reason}). Correct its permissions, or use --identity OTHER-DIR.")
        case _:
            assert_never(problem.trouble)
    pid = "" if problem.pid is None else _(" (process {pid})").format(pid=problem.pid)
    return told.format(path=shown(problem.path, _PATH_CELLS), reason=shown(problem.reason, _PATH_CELLS), pid=pid)

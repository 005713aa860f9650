"""What must hold whatever happens: invariants I1 to I12, judged from outside the product as each event passes.

I1 one head a step, I2 sound positions and piles, I3 one body a slot, I4 relative liveness (world.py), I5 one trace a
seed, I6 no honest seat blamed, I7 blame with proof, I8 synced before sent, I9 fair draws, I10 the referee's consent,
I11 bounded buffers, I12 rare branches reached (`probes`).
"""

from __future__ import annotations

import struct
from collections import Counter, defaultdict
from collections.abc import Container
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from sorry_lan.fair import genesis
from sorry_lan.fair.entry import Ack, Leave, MoveEntry, Reveal, decode_body, slot
from sorry_lan.fair.record import Ledger
from sorry_lan.fair.step import Standing
from sorry_lan.fair.verify import Outcome, verify_transcript
from sorry_lan.faults import Err, RemoteFault
from sorry_lan.rules.engine import choices
from sorry_lan.rules.moves import to_action
from sorry_lan.rules.profile import Rules
from sorry_lan.table.commands import AppendJournal, CloseLink, Command, FileKind, JournalKind, SaveFile, ShowView
from sorry_lan.table.events import FrameArrived, Happening
from sorry_lan.table.news import EnginesDiffer, FaultProven, PresenceChanged
from sorry_lan.table.phases import IN_PLAY
from sorry_lan.wire import limits
from sorry_lan.wire.codec import decode_message, unpack
from sorry_lan.wire.keys import NO_GAME, Context, verify
from sorry_lan.wire.messages import Entry, Signed
from sorry_lan.wire.terms import Parent, SeatKind, Why
from tests.sim import referee
from tests.sim.clock import Loop
from tests.sim.compare import barred_of, board_of, turn_of
from tests.sim.fairness import CODES, Draws, picked
from tests.sim.node import Node

ENTRY = 40
_MOVE = b"a move of its own"
_PARTING = frozenset((Err.GOODBYE, Err.SHUTTING_DOWN))


class BrokenError(AssertionError):
    """An invariant does not hold."""


@dataclass
class Facts:
    """What is settled about one game; the first honest client to settle it fixes it for all."""

    switches: referee.Switches
    draws: Draws
    final: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)
    counted: dict[int, set[tuple[bytes, int]]] = field(default_factory=lambda: defaultdict(set))
    bound: dict[int, dict[int, bytes]] = field(default_factory=lambda: defaultdict(dict))
    """For each step what each honest seat has signed of it: the head it acknowledged, or its move."""
    transcripts: dict[tuple[object, ...], bytes] = field(default_factory=dict)
    honest: frozenset[int] = frozenset()
    """The seats, stand-ins too, whose last player is honest."""
    playing: frozenset[int] = frozenset()
    """Those of them that still play."""
    parent: bytes = b""
    heads: dict[int, dict[bytes, Standing]] = field(default_factory=lambda: defaultdict(dict))
    """Where each counted outcome of a step leads, by its head."""
    cards: dict[int, int] = field(default_factory=dict)
    """The card of each step that an honest client has seen."""


@dataclass
class Seen:
    """How far a client was looked at."""

    game: object = None
    k: int = 0
    counted: bool = False
    process: bytes = b""
    at: tuple[bytes, int] = (b"", 0)
    """The game and the open step."""
    card: int | None = None
    """Its card, if it is known there."""


class Judge:
    """Watches all clients of one world; those in `evil` are only heard."""

    def __init__(self, loop: Loop, seed: int, rules: Rules) -> None:
        self.loop = loop
        self.rules = rules
        self.evil: frozenset[int] = frozenset()
        self.nodes: list[Node] = []
        self.probes: Counter[str] = Counter()
        self.trace = sha256(b"%d" % seed)
        self.facts: dict[bytes, Facts] = {}
        self.events = 0
        self.transcripts = 0
        self.reads_back = not seed % 8
        self._seen: dict[int, Seen] = defaultdict(Seen)
        self._signed: dict[tuple[bytes, bytes], dict[Any, bytes]] = defaultdict(dict)
        self._appends: dict[int, dict[tuple[bytes, bytes], bytes]] = defaultdict(dict)
        """For each client the record of each body, by game, that it asked to be written."""
        self._hands: dict[tuple[int, bytes], dict[int, bytes]] = {}
        """For each client and game its seats and their keys."""
        self._branch: dict[tuple[bytes, bytes], bytes] = {}
        """By game and key: the game that goes on from it, of those that this key plays."""
        self._players: dict[bytes, set[int]] = defaultdict(set)
        """By game: the honest clients that signed anything in it."""
        self.proven: set[int] = set()
        """Seats that somebody was shown proof against."""
        self._sent: set[tuple[int, bytes]] = set()
        self.watched: set[tuple[bytes, bytes]] | None = None
        """Game and body of each entry that reached anybody, where a disk is put back to what it was."""
        self._judged: set[bytes] = set()
        self._pack = struct.Struct(">QBBI").pack

    # -- the watcher's part --------------------------------------------------------------------------------------

    def before(self, node: Node, what: Happening) -> None:
        """I5: the trace. Signatures stay out of it: they differ from one signer to another."""
        self.events += 1
        now = self.loop.now_us
        if type(what) is FrameArrived:
            payload = what.payload
            self.trace.update(self._pack(now, node.index, payload[1] if len(payload) > 1 else 0, len(payload)))
            if self.watched is not None and payload[1:2] == b"\x28":
                with suppress(RemoteFault):
                    entry = decode_message(payload)
                    if isinstance(entry, Entry):
                        self.watched.add((entry.game, entry.body))
            if payload[1:2] == b"\x28":
                self.trace.update(payload[2:-66])
        else:
            self.trace.update(self._pack(now, node.index, 0, 0) + type(what).__name__.encode())

    def after(self, node: Node, commands: tuple[Command, ...]) -> None:
        """Look at what became of the event."""
        game = node.table._game if node.index not in self.evil else None
        if game is not None and (node.index, game.id) not in self._hands:
            self._enters(node, game)
        for command in commands:
            kind = type(command)
            if kind is AppendJournal:
                self._appended(node, command)  # type: ignore[arg-type]
            elif kind is ShowView:
                if command.news and node.index not in self.evil:  # type: ignore[union-attr]
                    self._news(node, command)  # type: ignore[arg-type]
            elif kind is CloseLink:
                self._closed(node, command)  # type: ignore[arg-type]
            elif kind is SaveFile:
                self._saved(node, command)  # type: ignore[arg-type]
        if node.index in self.evil:
            return
        if game is not None:
            if game.ended and node.table._desk.phase in IN_PLAY:
                raise BrokenError(f"I4: the game of client {node.index} is over and it still shows one in play")
            ledger, seen = game.ledger, self._seen[node.index]
            counted = ledger.open.applied is not None
            if seen.game is not game or ledger.k != seen.k or counted is not seen.counted:
                self._look(node, ledger, seen, game)
            seen.process, seen.at, seen.card = node.instance, (game.id, ledger.k), None
            if ledger.open.drawn is not None:
                seen.card = int(ledger.open.drawn.card)
                self.facts[game.id].cards.setdefault(ledger.k, seen.card)
        self._bounded(node)

    def leaves(self, node: Node, link: int, payload: bytes) -> None:
        """I3, I8, and that no share leaves before everybody is bound to one outcome; for honest clients only."""
        del link
        if payload[1] != ENTRY or (node.index, payload) in self._sent:
            return
        self._sent.add((node.index, payload))
        message = decode_message(payload)
        if not isinstance(message, Entry):
            raise BrokenError("an honest client sends what is no entry")
        body = decode_body(message.body)
        key = self._hands.get((node.index, message.game), {}).get(body.seat)
        if key is None:
            return
        if self._appends[node.index].get((message.game, message.body)) not in node.disk.safe:
            raise BrokenError(f"I8: client {node.index} sent {body} before it was on the disk")
        if isinstance(body, Leave):
            return
        before = self._signed[message.game, key].setdefault(slot(body), message.body)
        if before != message.body and self.watched is not None and (message.game, before) not in self.watched:
            # Whoever is rolled back asks all others what it had signed; what reached nobody nobody can tell.
            self.probes["what nobody had heard was signed anew"] += 1
            self._signed[message.game, key][slot(body)] = message.body
        elif before != message.body:
            raise BrokenError(f"I3: client {node.index} sent two bodies for slot {tuple(slot(body))}")
        facts = self.facts[message.game]
        self._players[message.game].add(node.index)
        other = self._branch.setdefault((facts.parent, key), message.game)
        if other != message.game:
            # A first table that nobody else ever began, because our consent got lost, was none: the lobby begins anew.
            if facts.parent or len(self._players[other]) > 1:
                raise BrokenError(f"client {node.index} plays at two tables that go on from one")
            self._branch[facts.parent, key] = message.game
        if isinstance(body, Reveal) and body.k:
            self._early(facts, body.k - 1)

    def broke(self, node: Node, wrong: Exception) -> None:
        """Production code never raises here."""
        raise BrokenError(f"client {node.index} raised {type(wrong).__name__}: {wrong}") from wrong

    # -- one client ----------------------------------------------------------------------------------------------

    def _look(self, node: Node, ledger: Ledger, seen: Seen, game: object) -> None:
        if seen.game is not game:
            seen.game, seen.k = game, 0
        facts = self.facts[ledger.game_id]
        if ledger.k > seen.k + 1:
            self.probes["a client caught up several steps"] += 1
        for k in range(seen.k, ledger.k):
            applied = ledger.applied_of(k)
            facts.heads[k].setdefault(applied.head, applied.after)
            settled = facts.final.get(k)
            if settled is None:
                facts.final[k] = (applied.head, applied.state)
                self._final(ledger, facts, k)
                self._counted(ledger, facts, k)
                self.trace.update(applied.head)
            elif settled != (applied.head, applied.state):
                raise BrokenError(f"I1: client {node.index} finalised step {k} otherwise than another")
        seen.k, seen.counted = ledger.k, ledger.open.applied is not None
        if seen.counted:
            applied = ledger.applied_of(ledger.k)
            facts.heads[ledger.k].setdefault(applied.head, applied.after)
            self._counted(ledger, facts, ledger.k)

    def _enters(self, node: Node, game: Any) -> None:
        """An honest client plays, or looks on at, a game that it did not before."""
        ledger = game.ledger
        self._hands[node.index, game.id] = {seat: ledger.terms.seats[seat].pk for seat in game.hands}
        if ledger.terms.parent is not None and game.hands:
            self._remembers(node, ledger.terms.parent)
        if game.id not in self.facts:
            keys = node.table._room.continuing._keys  # type: ignore[union-attr]
            people = {key for one in self.nodes if one.index not in self.evil for key in one.keys}
            facts = self._facts(ledger, game)
            facts.honest = frozenset(seat for seat, key in enumerate(keys) if key in people)
            facts.playing = facts.honest & frozenset(ledger.humans)
            self.facts[game.id] = facts

    def _remembers(self, node: Node, parent: Parent) -> None:
        """Who plays on from a step whose card it saw plays on with that card."""
        seen = self._seen[node.index]
        # From its consent on it heard nothing of the old game: what it saw is what it signed.
        here = seen.process == node.instance and seen.at == (parent.game, parent.k)
        if here and seen.card is not None and parent.pending is None:
            raise BrokenError(f"I9: client {node.index} saw card {seen.card}, and plays on as if it had not")

    def _facts(self, ledger: Ledger, game: Any) -> Facts:
        """A game begins: its table is signed by all, whoever says so."""
        if ledger.rules != self.rules or ledger.terms.first is not None:
            raise BrokenError("a game begins by other rules than those of its lobby")
        switches = switches_of(ledger.rules)
        people = {seat: ledger.terms.seats[seat] for seat in ledger.humans}
        consents = {consent.seat: consent.sig for consent in game.agreed.consents}
        for seat, line in people.items():
            if not verify(line.pk, Context.TABLE, NO_GAME, ledger.table, consents.get(seat, b"")):
                raise BrokenError(f"a game begins without the consent of seat {seat}")
        draws = Draws(ledger.game_id, switches.ones, {s: (p.pk, p.nonce, p.anchor) for s, p in people.items()})
        facts = Facts(switches, draws)
        parent = ledger.terms.parent
        if parent is not None:
            facts.parent = parent.game
            opening = genesis.opening_of(ledger.terms)
            draws.deck = [code for code, count in zip(CODES, opening.pile, strict=True) for _ in range(count)]
            draws.pending = parent.pending
            self.probes[f"went on: {Why(parent.why).name}"] += 1
            self.probes["a card stayed pending"] += parent.pending is not None
            if any(other.parent == parent.game for other in self.facts.values()):
                self.probes["two games went on from one"] += 1
            if parent.game in self.facts:
                self._takes_up(opening, parent, self.facts[parent.game])
        return facts

    def _takes_up(self, now: Standing, parent: Parent, before: Facts) -> None:
        """A game goes on from where honest clients counted, with the very card that they saw."""
        if not parent.k:
            return
        standing = before.heads[parent.k - 1].get(parent.head)
        if standing is None:
            self.probes["what a game goes on from was seen by nobody"] += 1
            return
        if (now.position.pawns, now.position.turn) != (standing.position.pawns, standing.position.turn):
            raise BrokenError(f"I1: a game goes on from another position than step {parent.k - 1} left")
        pending = parent.pending
        pile = list(standing.pile)
        if pending is not None and (parent.k > 1 or before.draws.pending is None):
            if before.cards.get(parent.k, pending) != pending:
                raise BrokenError(f"I9: card {pending} is pending, step {parent.k} drew {before.cards[parent.k]}")
            pile = pile if any(pile) else list(before.draws.whole_counts())
            pile[CODES.index(pending)] -= 1
        if tuple(pile) != now.pile:
            raise BrokenError(f"I2: a game goes on with the pile {now.pile} instead of {tuple(pile)}")

    def _final(self, ledger: Ledger, facts: Facts, k: int) -> None:
        """I9, the cards' half of I2, and that a final step holds what it must, signed by whom it must be."""
        applied, turn = ledger.applied_of(k), None if k == 0 else ledger.applied_of(k - 1).position.turn
        head = ledger.applied_of(k - 1).head if k else b""
        shares, bound = {}, set()
        for signed in ledger.record(k).entries:
            body = decode_body(signed.body)
            pk = ledger.terms.seats[body.seat].pk
            if body.k != k or not verify(pk, Context.ENTRY, ledger.game_id, signed.body, signed.sig):
                raise BrokenError(f"step {k} is final with an entry that seat {body.seat} did not sign for it")
            match body:
                case Reveal():
                    shares[body.seat] = body.share
                case MoveEntry():
                    said = (body.seat, body.head, body.action, body.state)
                    if applied.move is None or said != (turn, head, to_action(applied.move), applied.state):
                        raise BrokenError(f"step {k} is final with a move that says something else")
                    bound.add(body.seat)
                case Ack() if body.head == applied.head and body.seat != turn:
                    bound.add(body.seat)
                case _:
                    raise BrokenError(f"step {k} is final with {body}")
        if bound != set(ledger.humans):
            raise BrokenError(f"step {k} is final although only seats {sorted(bound)} are bound to it")
        self._draw(ledger, facts, k, shares)

    def _draw(self, ledger: Ledger, facts: Facts, k: int, shares: dict[int, bytes]) -> None:
        card = facts.draws.step(k, shares)
        applied = ledger.applied_of(k)
        if card != applied.card or facts.draws.counts() != applied.pile:
            raise BrokenError(f"I9: step {k} drew {applied.card} leaving {applied.pile}, the shares say {card}")
        if not k and facts.parent:
            if applied.position.turn != genesis.opening_of(ledger.terms).position.turn:
                raise BrokenError("I9: a game that goes on gives the turn to another seat")
        elif not k:
            by_lot = picked("first", facts.draws.secret, len(ledger.terms.seats))
            first = by_lot if ledger.terms.first is None else ledger.terms.first
            if applied.position.turn != first:
                raise BrokenError(f"I9: seat {applied.position.turn} begins, the shares say seat {first}")
        if applied.reshuffled:
            self.probes["the deck was shuffled anew"] += 1

    def _counted(self, ledger: Ledger, facts: Facts, k: int) -> None:
        """I2 and I10 for a counted step, once an outcome."""
        applied = ledger.applied_of(k)
        outcome = (applied.state, -1 if applied.seat is None else applied.seat)
        if outcome in facts.counted[k]:
            return
        facts.counted[k].add(outcome)
        board = board_of(applied.position)
        wrong = referee.problems(facts.switches, board)
        if wrong:
            raise BrokenError(f"I2: after step {k}: {wrong}")
        if applied.move is None or applied.card is None:
            return
        if applied.seat is not None and ledger.terms.seats[applied.seat].kind == SeatKind.STAND_IN:
            self.probes["a stand-in moved"] += 1
        before = ledger.applied_of(k - 1).position
        old, turn, barred = board_of(before), turn_of(before), barred_of(before)
        legal = referee.moves(facts.switches, old, turn, int(applied.card), barred)
        action = to_action(applied.move)
        declining = not legal or referee.may_decline(facts.switches, int(applied.card), legal)
        offered = [to_action(move) for move in choices(before, ledger.rules, applied.card)]
        if offered != [*([()] if declining else []), *legal]:
            raise BrokenError(f"I10: with {applied.card!r} in step {k} {offered} are offered, legal are {list(legal)}")
        if action == ():
            if not declining:
                raise BrokenError(f"I10: step {k} passes although {list(legal)} are possible")
            self.probes["a card had no effect"] += 1
        elif action not in legal:
            raise BrokenError(f"I10: step {k} plays {action} with {applied.card!r}, legal are {list(legal)}")
        elif legal[action] != board:
            raise BrokenError(f"I10: step {k}, {action} leads to {board} instead of {legal[action]}")
        won = referee.winner(board, barred)
        again = referee.draws_again(facts.switches, int(applied.card), legal)
        next_turn = won or referee.turn_after(board, turn, barred, again=again)
        shown = None if applied.position.winner is None else turn_of(applied.position)
        if won != shown or next_turn != turn_of(applied.position):
            raise BrokenError(f"I10: after step {k} it is {turn_of(applied.position)}'s turn, not {next_turn}'s")

    def _early(self, facts: Facts, k: int) -> None:
        """A share of step k+1 leaves: every honest seat that said anything of step k said the same."""
        heads = {head for head in facts.bound[k].values() if head is not _MOVE}
        if len(heads) > 1:
            raise BrokenError(f"a share of step {k + 1} leaves while honest seats acknowledged different heads")
        missing = facts.playing - facts.bound[k].keys()
        if missing:
            raise BrokenError(f"a share of step {k + 1} leaves before seats {sorted(missing)} are bound")

    def honest_seats(self, node: Node) -> frozenset[int]:
        """The seats of honest people at the game that this client plays."""
        game = node.table._game
        return frozenset() if game is None else self.facts[game.id].honest

    def _appended(self, node: Node, append: AppendJournal) -> None:
        if append.kind is JournalKind.OWN_ENTRY:
            data = unpack(Signed, append.payload).body
            self._appends[node.index][append.game or b"", data] = append.payload
            facts, body = self.facts.get(append.game or b""), decode_body(data)
            if facts is not None and node.index not in self.evil and isinstance(body, Ack | MoveEntry):
                facts.bound[body.k][body.seat] = body.head if isinstance(body, Ack) else _MOVE

    def _news(self, node: Node, shown: ShowView) -> None:
        for news in shown.news:
            kind = type(news)
            self.probes[kind.__name__] += 1
            if kind is FaultProven:
                self.proven.add(news.seat)  # type: ignore[union-attr]
                if news.seat in self.honest_seats(node):  # type: ignore[union-attr]
                    raise BrokenError(f"I6: client {node.index} blames honest seat {news.seat}")  # type: ignore[union-attr]
            if kind is EnginesDiffer and not self.evil:
                raise BrokenError(f"I6: client {node.index} stands still without any cheat")
            if kind is PresenceChanged:
                self.probes[f"a seat is {news.presence.value}"] += 1  # type: ignore[union-attr]

    def _closed(self, node: Node, command: CloseLink) -> None:
        """No honest client throws another out."""
        self.probes[f"closed for {command.code.name}"] += 1
        peer = node.network.target_of(node.index, command.link)
        if node.index in self.evil or peer is None or peer in self.evil or command.code in _PARTING:
            return
        if command.code is Err.STALE_TABLE and node.life > 1 and node.table._game is None:
            # Only a former process of this client signed that table: in a lobby it could as well be an old one, shown
            # again. The same command leads to the seat.
            return
        raise BrokenError(f"client {node.index} expelled honest client {peer}: {command.code.name} {command.text}")

    def _saved(self, node: Node, file: SaveFile) -> None:
        if node.index in self.evil:
            return
        self.probes[f"wrote a {file.kind.value}"] += 1
        if file.kind is FileKind.EVIDENCE and file.content not in self._judged:
            self._judged.add(file.content)
            verdict = verify_transcript(file.content)
            if verdict.blamed is None or verdict.blamed in self.honest_seats(node):
                raise BrokenError(f"I7: evidence that proves nothing: {verdict.finding}")
        if file.kind is FileKind.TRANSCRIPT:
            self._transcript(node, file)

    def _transcript(self, node: Node, file: SaveFile) -> None:
        """Honest clients' files are equal, but where one could not wait for the last acknowledgement."""
        game = node.table._game
        saved = game is not None and game.ledger.over is None
        missing = 0 if game is None or saved else len(game.ledger.final_needs())
        kept = self.facts[file.game].transcripts
        where = (game.ledger.k if game is not None and saved else None, missing)
        if kept.setdefault(where, file.content) != file.content and not missing:
            raise BrokenError(f"client {node.index} wrote another transcript than the others")
        # One table in eight has its files read back as a stranger would, and every one of a game that went on.
        if file.content not in self._judged and (self.reads_back or missing or saved or self.facts[file.game].parent):
            self._judged.add(file.content)
            verdict = verify_transcript(file.content)
            if verdict.outcome is not (Outcome.UNCONFIRMED if missing else Outcome.HOLDS):
                raise BrokenError(f"a transcript that does not hold: {verdict.outcome.name} {verdict.finding}")
        self.transcripts += 1

    @staticmethod
    def _links(node: Node) -> Container[int]:
        """The links of which the client has not been told that they are gone."""
        return range(1 << 30) if node.backlog else node.network.meshes[node.index].pipes

    def _bounded(self, node: Node) -> None:
        """I11."""
        desk = node.table._desk
        if len(desk.links) > limits.MAX_PEERS + limits.MAX_WATCHERS:
            raise BrokenError(f"I11: client {node.index} holds {len(desk.links)} links")
        for link in desk.links.values():
            if link.id not in self._links(node):
                raise BrokenError(f"I11: client {node.index} holds on to a link that is gone")
            if len(link.kept) > limits.FOREIGN_ENTRIES or len(link.consents) > 2 * limits.MAX_SEATS:
                raise BrokenError(f"I11: client {node.index} keeps {len(link.kept)} entries of one link")
        game = node.table._game
        ahead = () if game is None else game.ledger._ahead
        if any(where.k != game.ledger.k + 1 for where in ahead):
            raise BrokenError(f"I11: client {node.index} keeps entries of steps that are not the next one")
        if len(ahead) > 3 * limits.MAX_SEATS:
            raise BrokenError(f"I11: client {node.index} keeps {len(ahead)} entries of the next step")


def switches_of(rules: Rules) -> referee.Switches:
    """The referee's form of the rules in play."""
    return referee.Switches(
        pawns=rules.pawns,
        start_cards=frozenset(int(card) for card in rules.start_cards),
        slide_on=rules.slide_on.name.lower(),
        two_draws_again=rules.two_draws_again.name.lower(),
        sorry_forward=rules.sorry_forward.name.lower(),
        start_by_count=rules.start_by_count,
        slide_past_entry=rules.slide_past_entry.name.lower(),
        slide_own_pawns=rules.slide_own_pawns.name.lower(),
        swap_slide=rules.swap_slide.name.lower(),
        sorry_slide=rules.sorry_slide,
        eleven_pass=rules.eleven_pass.name.lower(),
        split_pawns=rules.split_pawns,
        pawns_out=rules.pawns_out,
        ones=rules.ones,
    )

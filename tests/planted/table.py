"""Wrong tables: order of disk and network, catching up, passing on, limits, consents, ends."""

from __future__ import annotations

from tests.planted.variant import Variant, by_tests, sim

PLAY = "table/play.py"
SYNC = "table/sync.py"
FAULTS = ("--adversaries", "none")
HONEST = ("--adversaries", "none", "--faults", "none")
CHEATS = ("--faults", "none")

TABLE: tuple[Variant, ...] = (
    sim(
        "sends before the disk has it", PLAY,
        "pack(signed), Sync.NOW)\n        self._pass_moves()", "pack(signed), Sync.LATER)\n        self._pass_moves()",
        *HONEST,
    ),
    sim(
        "a share is not written down", PLAY,
        "        self.desk.journal(self.id, JournalKind.OWN_ENTRY, pack(signed), Sync.NOW)\n        self._pass_moves()",
        "        if not isinstance(body, Reveal):\n"
        "            self.desk.journal(self.id, JournalKind.OWN_ENTRY, pack(signed), Sync.NOW)\n"
        "        self._pass_moves()",
        *HONEST,
    ),
    sim(
        "whoever is ahead gives nothing", SYNC,
        "    elif status.k == ledger.k:\n", "    elif status.k == ledger.k and ledger.k < 0:\n", *FAULTS,
    ),
    sim(
        "whoever is behind does not ask", SYNC,
        "    if status.k > ledger.k:\n", "    if status.k > ledger.k + 3:\n", *FAULTS,
    ),
    sim(
        "WANT is answered one step short", SYNC,
        "    for k in range(want.k, min(want.k + want.count, ledger.k)):",
        "    for k in range(want.k, min(want.k + want.count, ledger.k) - 1):",
        *FAULTS,
    ),
    sim(
        "acknowledgements are not given again", SYNC,
        "    mask = status.reveals if isinstance(body, Reveal) else status.acks\n",
        "    mask = status.reveals if isinstance(body, Reveal) else 15\n",
        *FAULTS,
    ),
    sim(
        "moves are not given again", SYNC,
        "        return not status.has_move\n", "        return False\n", *FAULTS,
    ),
    by_tests(
        "nothing is passed on", PLAY,
        "        self.desk.cast(entry, to)\n", "        self.desk.cast(entry, to[:0])\n",
        "tests/table/test_sync.py",
    ),
    sim(
        "a record is believed as it comes", SYNC,
        "    if game.ledger.k == record.k and not game.trouble.found and not game.waits_for_tail and not end:\n",
        "    if game.ledger.k != record.k and not game.trouble.found and not game.waits_for_tail and not end:\n",
        *FAULTS,
    ),
    sim(
        "entries of unknown games pile up", "table/links.py",
        "self.kept = [*self.kept, entry][-limits.FOREIGN_ENTRIES :]", "self.kept = [*self.kept, entry]",
        *CHEATS, "--adversaries", "other-game",
    ),
    by_tests(
        "entries cost nothing", "table/links.py",
        "        if not self.entries.take(amount, now_us):\n", "        if not self.entries.take(0, now_us):\n",
        "tests/table/test_sync.py",
    ),
    sim(
        "the other's nonce is as good as ours", "table/seating.py",
        "        if (line.nonce, line.anchor) != (sitter.nonce, sitter.chain.anchor):\n",
        "        if len(line.nonce) != len(sitter.nonce):\n",
        *CHEATS, "--adversaries", "changes-table",
    ),
    sim(
        "a table may differ from its lobby", "table/seating.py",
        "    if terms != terms_of(lobby, offers, engine):\n", "    if not lobby.seats:\n",
        *CHEATS, "--adversaries", "changes-table",
    ),
    by_tests(
        "a client leaves when it has won", "table/ending.py",
        "        return Err.GOODBYE if self.waited or (self._all_know(game) and audience.served(game)) else None",
        "        return Err.GOODBYE",
        "tests/table/test_ending.py",
    ),
    by_tests(
        "proof is not shown to the others", "table/trouble.py",
        "        desk.cast(self.shown[-1], links)\n", "",
        "tests/table/test_trouble.py",
    ),
    sim(
        "a fault of one link breaks the client", "table/hearing.py",
        "        except RemoteFault as fault:\n            self._expel(link, fault)\n            return\n",
        "        except LocalMisuse as fault:\n            raise fault\n",
        *CHEATS, "--adversaries", "garbage",
    ),
    sim(
        "a game that is over goes on on the screen", "table/phases.py",
        "            Turn.STEP_FINAL: Phase.SHARES,\n            Turn.ENDED: Phase.OVER,\n",
        "            Turn.STEP_FINAL: Phase.SHARES,\n",
        *HONEST,
    ),
    by_tests(
        "a person off turn must draw too", "table/duties.py",
        "        on_turn = k > 0 and hand.seat == self._ledger.position.turn\n",
        "        on_turn = k > 0 and hand.seat != self._ledger.position.turn\n",
        "tests/table/test_play.py",
    ),
    sim(
        "a lost link stays in the list", "table/hearing.py",
        "        gone = self._desk.links.pop(link, None)\n", "        gone = self._desk.links.get(link)\n",
        *FAULTS,
    ),
    by_tests(
        "a client signs while its disk is broken", PLAY,
        "        return self.desk.disk_works and not self.frozen and self.desk.phase in IN_PLAY",
        "        return not self.frozen and self.desk.phase in IN_PLAY",
        "tests/table/test_play.py",
    ),
    sim(
        "the transcript leaves the last step out", "table/result.py",
        "        records = ledger.records if last is None else (*ledger.records, last)\n",
        "        records = ledger.records[:-1] if last is None else (*ledger.records, last)\n",
        *HONEST,
    ),
    by_tests(
        "a second body for a slot is signed", "table/hand.py",
        "self._signed.setdefault(where, data) != data:", "self._signed.setdefault(where, data) == b\"\":",
        "tests/table/test_parts.py",
    ),
    by_tests(
        "whoever comes back signs at once", "table/mute.py",
        "        return not self.waiting and k >= self._until_k", "        return True",
        "tests/table/test_mine.py",
    ),
    by_tests(
        "whoever comes back signs before it has caught up", "table/mute.py",
        "        return not self.waiting and k >= self._until_k", "        return not self.waiting",
        "tests/table/test_resume.py", "tests/table/test_mine.py",
    ),
    sim(
        "own entries of the journal are forgotten", PLAY,
        "            known(self.hands.get(decode_body(signed.body).seat)).adopt(signed)\n", "",
        "--adversaries", "none", "--faults", "crash,power",
    ),
    by_tests(
        "own entries that others kept are not taken back", "table/mute.py",
        "        self.later = [*self.later, *entries][-_LATER:]", "        self.later = [*self.later][-_LATER:]",
        "tests/table/test_resume.py", "tests/table/test_mine.py",
    ),
    sim(
        "nobody answers what somebody signed", "table/mine.py",
        "    game.desk.send(_answer(game, asked), link.id)\n", "",
        "--adversaries", "none", "--faults", "crash,power",
    ),
    by_tests(
        "the end of a game is synced some time later", "table/result.py",
        "        self._desk.journal(ledger.game_id, JournalKind.END, pack(end), Sync.NOW)\n",
        "        self._desk.journal(ledger.game_id, JournalKind.END, pack(end), Sync.LATER)\n",
        "tests/table/test_ending.py",
    ),
    by_tests(
        "questions go round for ever", "table/mute.py",
        "        return mark in self._seen.get(seats, ())",
        "        return mark in self._seen.get(seats, ())[-1:]",
        "tests/table/test_mine.py",
    ),
    sim(
        "a saved step is left out", "table/saved.py",
        "                    if record.k == len(steps):\n",
        "                    if record.k == len(steps) and record.k < 9:\n",
        "--adversaries", "none", "--faults", "crash,power",
    ),
)  # fmt: skip

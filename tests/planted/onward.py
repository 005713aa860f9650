"""Wrong ways on: leaving, stand-ins, coming back, the chain's end, and the table that all sign for it."""

from __future__ import annotations

from tests.planted.variant import Variant, by_tests, sim

CONTINUATION = "fair/continuation.py"
CONTINUING = "table/continuing.py"
OFFERING = "table/offering.py"
PEOPLE = ("--adversaries", "none", "--faults", "leave,away,split", "--seats", "3,4")

ONWARD: tuple[Variant, ...] = (
    sim(
        "a card that was seen is drawn anew when a game goes on", CONTINUATION,
        "    elif standing.k == now.k and now.drawn is not None:\n",
        "    elif standing.k < 0 and now.drawn is not None:\n",
        *PEOPLE,
    ),
    by_tests(
        "whoever saw less takes its own view for everybody's", CONTINUING,
        "        if parent != view:\n", "        if parent.game != view.game:\n", "tests/table/test_forged_tables.py",
    ),
    by_tests(
        "a stand-in may win", "fair/genesis.py",
        "    return sum(1 << index for index, seat in enumerate(terms.seats) if seat.kind == SeatKind.STAND_IN)\n",
        "    return sum(0 << index for index, seat in enumerate(terms.seats) if seat.kind == SeatKind.STAND_IN)\n",
        "tests/table/test_attacks.py::test_a_stand_in_that_is_home_first_ends_nothing",
    ),
    sim(
        "a stand-in with all pawns home still has its turn", "rules/fast/core.py",
        "            following = self._skipping(cells, following)\n", "            following = following + 0\n",
        *PEOPLE,
    ),
    by_tests(
        "at the end of the chains nobody goes on", "table/plan.py",
        "    if chain_ends and not without:\n", "    if chain_ends and without:\n", "tests/table/test_continuing.py",
    ),
    by_tests(
        "a withdrawn consent is kept for itself", "table/signing.py",
        "        self.say_withdrawn(proposal.game_id, self._game.everybody())\n", "",
        "tests/table/test_forged_tables.py", "tests/table/test_continuing.py",
    ),
    by_tests(
        "after a withdrawal the nonces that were signed are offered again", "table/readiness.py",
        "        self.sitters = ()\n\n    def line", "        pass\n\n    def line",
        "tests/table/test_forged_tables.py", "tests/table/test_continuing.py",
    ),
    by_tests(
        "a minute of waiting is three seconds", "wire/limits.py",
        "ABSENCE_MS: Final = 60_000\n", "ABSENCE_MS: Final = 3_000\n", "tests/table/test_continuing.py",
    ),
    by_tests(
        "the old game is played while the next table is signed", "table/signing.py",
        "        self._game.frozen = True\n", "", "tests/table/test_forged_tables.py",
    ),
    by_tests(
        "who leaves for good is waited for", "table/absence.py",
        "        if left is not None and (left.reason == Leaving.FOR_GOOD or self._is_gone(seat)):\n",
        "        if left is not None and left.reason != Leaving.FOR_GOOD and self._is_gone(seat):\n",
        "tests/table/test_continuing.py",
    ),
    by_tests(
        "who comes back is let in without a yes", OFFERING,
        "        if self.agreed is not None or plan.back & self._game.shunned:\n",
        "        if self.agreed is not None:\n",
        "tests/table/test_continuing.py",
    ),
    by_tests(
        "anybody may sit down on a stand-in's seat", CONTINUATION,
        "    if new.pk != key:\n", "    if new.pk != key and was.kind == SeatKind.HUMAN:\n",
        "tests/fair/test_continuation.py",
    ),
    by_tests(
        "whoever proposes says at which client the others sit", CONTINUATION,
        "    if new.client != client:\n", "    if new.client != client and was.kind == SeatKind.STAND_IN:\n",
        "tests/fair/test_continuation.py",
    ),
    by_tests(
        "a second person returns to a client of its own", "table/readiness.py",
        "return TermsSeat(SeatKind.HUMAN, self._clients[seat], pk,", "return TermsSeat(SeatKind.HUMAN, seat, pk,",
        "tests/table/test_continuing.py",
    ),
    by_tests(
        "what came too early is on the account of whoever sends next", "table/hearing.py",
        "                self._guarded(link, given)\n", "                self._dispatch(link, given)\n",
        "tests/table/test_consent.py", "tests/table/test_proposal.py",
    ),
    by_tests(
        "an offer that was replaced is taken when it is shown again", "table/readiness.py",
        "self._outdated.has((seat,), offer.nonce) or (", "(",
        "tests/table/test_forged_tables.py",
    ),
    by_tests(
        "a program leaves a table that is about to go on", "table/table.py",
        "goes_on=goes_on)", "goes_on=False)",
        "tests/table/test_trouble.py",
    ),
    by_tests(
        "of two shares the first counts", "table/play.py",
        "                self._changed(self.ledger.instead(signed), link)\n", "                pass\n",
        "tests/table/test_trouble.py",
    ),
    by_tests(
        "a proven cheat says who can be reached", "table/presence.py",
        "            if via in self._blamed:\n", "            if via is None:\n",
        "tests/table/test_trouble.py",
    ),
    by_tests(
        "every proof against one cheat is kept", "table/trouble.py",
        " or (body.seat in self.blamed and not bears):", ":",
        "tests/table/test_trouble.py",
    ),
    by_tests(
        "whoever looks on gives entries", "table/sync.py",
        "    for signed in entries if game.hands else ():\n", "    for signed in entries:\n",
        "tests/table/test_sync.py",
    ),
    by_tests(
        "every question is answered and passed on", "table/mine.py",
        "    if not game.questions.may(asked.seat, 1, game.desk.now_us):\n", "    if asked is None:\n",
        "tests/table/test_relay.py",
    ),
    by_tests(
        "every answer is passed on", "table/mine.py",
        "    elif game.answers.may(body.answerer, 1 + len(body.entries), game.desk.now_us):\n", "    else:\n",
        "tests/table/test_relay.py",
    ),
    by_tests(
        "every offer is passed on", CONTINUING,
        " and self._relay.may(seat, 1, self._desk.now_us):", ":",
        "tests/table/test_relay.py",
    ),
    by_tests(
        "one goes on alone", CONTINUATION,
        "    if len(genesis.humans(terms)) < FEWEST and parent.why != Why.CHAIN_END:\n",
        "    if not genesis.humans(terms):\n",
        "tests/fair/test_continuation.py",
    ),
)  # fmt: skip

"""Wrong rules: every client has the bug, so they all agree, and only the independent referee can object."""

from __future__ import annotations

from tests.planted.variant import Variant, by_tests, sim

FAST = "rules/fast/core.py"
HONEST = ("--adversaries", "none", "--faults", "none")
FULL = (*HONEST, "--profile", "full")

RULES: tuple[Variant, ...] = (
    sim(
        "a landing pawn bumps nobody", FAST,
        "            i = b.find(x)\n            if i >= 0:\n                b[i] = START\n            b[p] = x\n",
        "            b[p] = x\n",
        *HONEST,
    ),
    sim(
        "a slide spares its last square", FAST,
        "            end, swept = slide\n            for x in swept:\n                i = b.find(x)",
        "            end, swept = slide\n            for x in swept[:-1]:\n                i = b.find(x)",
        *HONEST,
    ),
    sim(
        "slides of the other colours", "rules/tables.py",
        "            return owner is colour\n", "            return owner is not colour\n", *HONEST,
    ),
    sim(
        "a 2 ends the turn", FAST,
        "following = seat if card == 2 and", "following = seat if card == 1 and", *HONEST,
    ),
    sim("a 10 goes back four", FAST, "steps = 4 if card == 4 else 1", "steps = 4", *HONEST),
    sim(
        "an 11 may always be declined", FAST,
        "            return bool(legal) and legal[0][0] == SWAP",
        "            return bool(legal)",
        *HONEST,
    ),
    sim(
        "a Sorry! never slides", FAST,
        "            if self._sorry_slides:\n", "            if not self._sorry_slides:\n", *FULL,
    ),
    sim(
        "an exchange never slides", FAST,
        "            return\n        self._slide(b, seat, p)\n", "            return\n", *FULL,
    ),
    sim(
        "two pawns of a colour on the exit", FAST,
        "if door and START in own and door not in own:", "if door and START in own:",
        *FULL,
    ),
    sim(
        "a 7 is never split 1 and 6", FAST,
        "            for a in range(1, 7):\n", "            for a in range(2, 7):\n", *FULL,
    ),
    by_tests(
        "the second half of a 7 starts where the first found the pawn", FAST,
        "                        y = table[after[q]]\n", "                        y = table[own[q]]\n",
        "tests/rules/test_moves.py", "tests/rules/test_flows.py", "tests/sim/test_agreement.py",
    ),
    sim(
        "play goes round the other way", FAST,
        "tuple((seat + 1) % self.seats", "tuple((seat - 1) % self.seats", *HONEST, "--seats", "3",
    ),
    sim(
        "counting past Home is possible", "rules/board.py",
        "    target = OUTER + steps - before_entry\n    return target if target <= HOME else None",
        "    target = OUTER + steps - before_entry\n    return min(target, HOME)",
        *HONEST,
    ),
    sim(
        "a pawn walks past its own entry", "rules/board.py",
        "    if steps <= before_entry:\n", "    if steps <= before_entry or before_entry == 0:\n", *HONEST,
    ),
    sim(
        "a backward 4 enters the safety zone's first square", "rules/board.py",
        "        if steps < loc - OUTER:\n", "        if steps <= loc - OUTER - 2:\n", *FULL,
    ),
    sim(
        "the last pawn Home does not win", FAST,
        "self.barred >> seat & 1:\n            return cells, seat, seat",
        "self.barred >> seat & 1 and card != 1:\n            return cells, seat, seat",
        *HONEST,
    ),
    sim(
        "legality of a move is not checked", "rules/engine.py",
        "    if action not in core.choices(cells, position.turn, card):\n        raise _illegal",
        "    if action and action[0] > 6:\n        raise _illegal",
        "--faults", "none", "--adversaries", "declines",
    ),
)  # fmt: skip

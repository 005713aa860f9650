"""Wrong draws, heads, signatures and proofs."""

from __future__ import annotations

from tests.planted.variant import Variant, by_tests, sim

RECORD = "fair/record.py"
STEP = "fair/open_step.py"
HONEST = ("--adversaries", "none", "--faults", "none")
CHEATS = ("--faults", "none")

FAIR: tuple[Variant, ...] = (
    sim(
        "the joint secret leaves one share out", "fair/draw.py",
        "for seat in sorted(shares)]", "for seat in sorted(shares)[:-1]]", *HONEST,
    ),
    sim(
        "a draw favours the first cards", "fair/draw.py",
        'pick("card", secret, sum(counts))', 'pick("card", secret, max(1, sum(counts) - 1))', *HONEST,
    ),
    sim(
        "the deck is refilled a card early", "fair/draw.py",
        "pile if any(pile) else", "pile if sum(pile) > 1 else", "--adversaries", "none", "--faults", "none",
        "--profile", "full",
    ),
    sim("seat 0 always begins", "fair/draw.py", 'pick("first", secret, seats)', "0 * seats", *HONEST),
    by_tests(
        "check words of one byte", "fair/draw.py",
        "WORDS[one], WORDS[two], WORDS[three]", "WORDS[one], WORDS[two], WORDS[two]", "tests/conformance/test_draw.py",
    ),
    sim(
        "a share is not checked", STEP,
        "        if not opens(seat.pk, seat.nonce, self.k, body.share, self._last[body.seat]):\n",
        "        if not seat.pk:\n",
        *CHEATS, "--adversaries", "wrong-share",
    ),
    sim(
        "a step is final without acknowledgements", STEP,
        "return self.applied is not None and not self.missing_acks",
        "return self.applied is not None",
        *HONEST,
    ),
    sim(
        "a step is final when one acknowledgement is missing", STEP,
        "return self.applied is not None and not self.missing_acks",
        "return self.applied is not None and len(self.missing_acks) < 2",
        *HONEST,
    ),
    sim(
        "two moves go unnoticed", RECORD,
        "        if known.body == signed.body:\n",
        "        if known.body == signed.body or isinstance(body, MoveEntry):\n",
        *CHEATS, "--adversaries", "two-moves-to-all",
    ),
    by_tests(
        "the second move takes the place of the first", RECORD,
        "            self._contested.add(body.k)\n            self.open.contested",
        "            self.open.move = signed\n            self.open.contested",
        "tests/fair",
    ),
    sim(
        "signatures of entries are not checked", RECORD,
        "signed.body, signed.sig):\n            raise RemoteFault(",
        "signed.body, signed.sig) and not signed.sig:\n            raise RemoteFault(",
        *CHEATS, "--adversaries", "bad-signature",
    ),
    sim(
        "another digest is no matter", STEP,
        "        if result.state != body.state:\n", "        if not body.state:\n",
        *CHEATS, "--adversaries", "wrong-digest",
    ),
    sim(
        "a move may cite any past", STEP,
        "        if body.head != self._standing.head:\n", "        if not body.head:\n",
        *CHEATS, "--adversaries", "wrong-move-head",
    ),
    sim(
        "anybody may move", STEP,
        "        if body.seat != self._standing.position.turn:\n", "        if body.seat > 3:\n",
        *CHEATS, "--adversaries", "out-of-turn",
    ),
    sim(
        "any head is an acknowledgement", STEP,
        "        if body.head != self.applied.head:\n", "        if not body.head:\n",
        *CHEATS, "--adversaries", "other-head",
    ),
    sim(
        "the mover may acknowledge its own move", STEP,
        "        if isinstance(body, Ack) and body.seat == self.mover:\n",
        "        if isinstance(body, Ack) and body.seat > 3:\n",
        *CHEATS, "--adversaries", "acks-own-move",
    ),
    sim(
        "entries of any later step are kept", RECORD,
        "        return self.k + 1 if self.over is None else self.k\n", "        return self.k + 9\n",
        *CHEATS, "--adversaries", "replays,early-share,bad-signature",
    ),
    by_tests(
        "heads forget the move", "fair/step.py",
        "standing.k, secret, move_id)", "standing.k, secret, bytes(32))", "tests/fair", "tests/conformance",
    ),
    by_tests(
        "an entry's id forgets the game", "fair/entry.py",
        "sha256(signed_bytes(Context.ENTRY, game_id, body)).digest()",
        "sha256(signed_bytes(Context.ENTRY, bytes(32), body)).digest()",
        "tests/conformance/test_entries.py",
    ),
    sim(
        "a consent is not checked", "fair/genesis.py",
        "return verify(terms.seats[consent.seat].pk, Context.TABLE, NO_GAME, table, consent.sig)",
        "return len(consent.sig) == 64",
        *CHEATS, "--adversaries", "bad-consent",
    ),
    by_tests(
        "two seats may share a nonce", "fair/genesis.py",
        '    _distinct([seat.nonce for seat in persons], "nonce")\n', "", "tests/fair/test_genesis.py",
    ),
    sim(
        "evidence without the game before it", "fair/evidence.py",
        "(*past_frames(past), start, *before, _shares(ledger, k),", "(*past_frames(past), start, _shares(ledger, k),",
        *CHEATS, "--adversaries", "illegal",
    ),
    sim(
        "a chain gives the share of the step after", "fair/chain.py",
        "        mark = k // _STRIDE\n        value", "        k += k == 7\n        mark = k // _STRIDE\n        value",
        *HONEST,
    ),
)  # fmt: skip

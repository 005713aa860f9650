"""draw.json: chains, joint secrets, picks, decks, the lot, check words."""

from __future__ import annotations

from itertools import count

from tools.reference.core import CARD_CODES, CHAIN_LENGTH, Chain, Key, draw, h, joint, made_up, pick, pick_stream, u32
from tools.reference.notation import File


def draws(words: list[str]) -> File:
    file = File("draw", "Chains, shares, joint secrets and what is drawn from them (SPEC.md 5.1 to 5.4).")
    _chains(file)
    _joints(file)
    _picks(file)
    _decks(file)
    _lots(file, words)
    return file


def _chains(file: File) -> None:
    for name in ("first", "second"):
        root, nonce = made_up(f"{name} root"), made_up(f"{name} nonce")
        public = Key(made_up(f"{name} key")).public
        chain = Chain(root, public, nonce)
        given = {"root": root.hex(), "public": public.hex(), "nonce": nonce.hex()}
        steps = (0, 1, 2, 63, 64, 65, 2047, CHAIN_LENGTH - 1)
        due = {"anchor": chain.anchor.hex(), "shares": {str(k): chain.share(k).hex() for k in steps}}
        file.valid("chain", name, "F-1 F-2", "an anchor of 4096 links and some of its shares", given, due)
        _shares(file, name, chain, public, nonce)


def _shares(file: File, name: str, chain: Chain, public: bytes, nonce: bytes) -> None:
    stranger = Key(made_up("stranger")).public
    fields = {"public": public.hex(), "nonce": nonce.hex()}
    for k in (0, 1, 4095):
        given = {**fields, "k": k, "share": chain.share(k).hex(), "last": chain.values[k].hex()}
        file.valid("share", f"{name}-{k}", "F-3", "the share of this step", given, {"opens": True})
    wrong = {
        "later": (1, chain.share(2), chain.values[1], public, "the share of a later step"),
        "earlier": (2, chain.share(1), chain.values[2], public, "the share of the step before"),
        "other-index": (2, chain.share(1), chain.values[1], public, "the right hash under another number"),
        "random": (1, made_up("random share"), chain.values[1], public, "no link of the chain"),
        "anchor": (0, chain.anchor, chain.anchor, public, "the anchor itself"),
        "copied-anchor": (
            0,
            chain.share(0),
            chain.anchor,
            stranger,
            "an anchor copied by another key opens for nobody",
        ),
        "beyond": (4096, h("chain", b""), chain.values[4096], public, "a step that no chain has"),
        "short": (1, chain.share(1)[:31], chain.values[1], public, "31 bytes"),
        "bit": (1, bytes([chain.share(1)[0] ^ 1]) + chain.share(1)[1:], chain.values[1], public, "one bit"),
    }
    for case, (k, share, last, pk, why) in wrong.items():
        given = {"public": pk.hex(), "nonce": nonce.hex(), "k": k, "share": share.hex(), "last": last.hex()}
        file.valid("share", f"{name}-{case}", "F-3", why, given, {"opens": False})
    given = {
        **fields,
        "nonce": made_up("other nonce").hex(),
        "k": 0,
        "share": chain.share(0).hex(),
        "last": chain.anchor.hex(),
    }
    file.valid("share", f"{name}-other-nonce", "F-3", "a chain belongs to one nonce", given, {"opens": False})


def _joints(file: File) -> None:
    game = made_up("joint game")
    for name, k, seats in (("two", 0, (0, 1)), ("three", 7, (0, 1, 3)), ("four", 4095, (0, 1, 2, 3)), ("one", 1, (2,))):
        shares = {seat: made_up(f"share {seat}") for seat in seats}
        given = {"game": game.hex(), "k": k, "shares": {str(seat): share.hex() for seat, share in shares.items()}}
        due = {"secret": joint(game, k, shares).hex()}
        file.valid("joint", name, "F-5", "the shares ascend by seat whatever order they came in", given, due)
    swapped = {0: made_up("share 1"), 1: made_up("share 0")}
    given = {"game": game.hex(), "k": 0, "shares": {str(seat): share.hex() for seat, share in swapped.items()}}
    file.valid(
        "joint",
        "two-swapped",
        "F-5",
        "who opened which share matters",
        given,
        {"secret": joint(game, 0, swapped).hex()},
    )
    given = {**given, "k": 1}
    file.valid(
        "joint",
        "two-swapped-next-step",
        "F-5",
        "and so does the step",
        given,
        {"secret": joint(game, 1, swapped).hex()},
    )


def _pick(file: File, name: str, why: str, secret: bytes, ways: int, *, tag: str = "card") -> None:
    given = {"tag": tag, "secret": secret.hex(), "ways": ways}
    passed = next(i for i, byte in enumerate(pick_stream(tag, secret)) if byte < 256 - 256 % ways)
    due = {"result": pick(tag, secret, ways), "bytes_passed_over": passed}
    file.valid("pick", name, "F-6", why, given, due)


def _first_bytes(tag: str) -> dict[int, bytes]:
    """For each byte a secret whose stream begins with it."""
    found: dict[int, bytes] = {}
    for number in count():
        secret = made_up(f"boundary {number}")
        found.setdefault(next(pick_stream(tag, secret)), secret)
        if len(found) == 256:
            return found
    raise AssertionError


def _picks(file: File) -> None:
    beginning = _first_bytes("card")
    for ways in range(1, 65):
        fair = 256 - 256 % ways
        _pick(file, f"last-accepted-{ways}", "the first byte is the largest that counts", beginning[fair - 1], ways)
        if fair < 256:
            _pick(file, f"first-refused-{ways}", "the first byte would favour low results", beginning[fair], ways)
        _pick(file, f"zero-{ways}", "the first byte is 0", beginning[0], ways)
    for ways in (128, 129, 255, 256):
        _pick(file, f"many-{ways}", "up to 256 ways", made_up(f"many {ways}"), ways)
    longest = max((made_up(f"rejections {n}") for n in range(20_000)), key=_rejections)
    _pick(file, "many-rejections", "many bytes in a row are passed over", longest, 43)
    for tag in ("card", "bot", "first"):
        _pick(file, f"tag-{tag}", "the tag matters", made_up("tagged"), 45, tag=tag)


def _rejections(secret: bytes) -> int:
    return next(i for i, byte in enumerate(pick_stream("card", secret)) if byte < 256 - 256 % 43)


def _decks(file: File) -> None:
    for ones, size in ((5, 45), (4, 44)):
        pile: list[int] = []
        drawn, left = [], []
        secrets = [h("draw", u32(k)) for k in range(2 * size + 2)]
        for secret in secrets:
            card, pile = draw(secret, pile, ones)
            drawn.append(card)
            left.append([pile.count(code) for code in CARD_CODES])
        if sorted(drawn[:size]) != sorted(drawn[size : 2 * size]) or len(set(map(tuple, left[size - 1 : size]))) != 1:
            raise ValueError("a deck that is not whole")
        for name, start, stop in (("whole", 0, size), ("refill", size - 2, size + 3), ("second", size, 2 * size + 2)):
            before = [0] * 11 if start == 0 else left[start - 1]
            given = {"ones": ones, "pile": before, "secrets": [secret.hex() for secret in secrets[start:stop]]}
            due = {"cards": drawn[start:stop], "piles": left[start:stop]}
            why = f"a deck of {size}; an empty pile becomes the whole deck when a card is due and not before"
            file.valid("deck", f"{size}-{name}", "F-9 F-10 R-1", why, given, due)
    last = [0] * 11
    last[10] = 1
    secret = made_up("last card")
    due = {"cards": [13], "piles": [[0] * 11]}
    why = "the last card leaves an empty pile"
    file.valid("deck", "last-card", "F-9 F-10", why, {"ones": 5, "pile": last, "secrets": [secret.hex()]}, due)


def _lots(file: File, words: list[str]) -> None:
    for seats in (2, 3, 4):
        for number in range(4):
            secret = made_up(f"lot {number}")
            due = {"seat": pick("first", secret, seats)}
            given = {"secret": secret.hex(), "seats": seats}
            file.valid("first", f"{seats}-{number}", "F-7", "who begins where the table names nobody", given, due)
    for number in range(6):
        secret = made_up(f"words {number}")
        places = h("words", secret)[:3]
        due = {"places": list(places), "words": [words[place] for place in places]}
        file.valid("words", str(number), "F-8", "the check words", {"secret": secret.hex()}, due)

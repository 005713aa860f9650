"""keys.json: hashes, public keys, signatures, derived keys, the handshake and the join code."""

from __future__ import annotations

import hashlib

from tools.reference import curve
from tools.reference.core import (
    AUTH,
    DOMAIN,
    ENTRY,
    MINE,
    NO_GAME,
    TABLE,
    Y8,
    Key,
    P,
    cmp,
    h,
    made_up,
    person,
    sized,
    tag,
    u32,
    weak,
)
from tools.reference.notation import File

NAMES = {AUTH: "auth", TABLE: "table", ENTRY: "entry", MINE: "mine"}


def keys() -> File:
    file = File("keys", "Tagged hashes, keys, signatures, handshake, join code (SPEC.md 2.1, 2.4 and 3).")
    _hashes(file)
    _public(file)
    _signatures(file)
    _small_order(file)
    _derived(file)
    _handshake(file)
    _pake(file)
    return file


def _hashes(file: File) -> None:
    for name in ("game", "handshake", "t" * 20):
        file.valid("tag", name, "W-1", "a tag of 32 bytes", {"name": name}, {"bytes": tag(name).hex()})
    parts_of = {
        "none": [],
        "one": [b"abc"],
        "two": [b"a", b"bc"],
        "sized": [sized(b"a"), sized(b"bc")],
        "sized-otherwise": [sized(b"ab"), sized(b"c")],
        "u32": [u32(258)],
    }
    for name, parts in parts_of.items():
        why = "parts without lengths run together; sized parts do not"
        given = {"tag": "chain", "parts": [part.hex() for part in parts]}
        file.valid("hash", name, "W-2 W-3", why, given, {"hash": h("chain", *parts).hex()})


def _encoded(y: int, sign: int) -> bytes:
    return (y | sign << 255).to_bytes(32, "little")


SMALL_ORDER = [
    (f"{name}-{'negative' if sign else 'positive'}", _encoded(y, sign))
    for name, y in (("0", 0), ("1", 1), ("p-1", P - 1), ("y8", Y8), ("p-y8", P - Y8), ("p", P), ("p+1", P + 1))
    for sign in (0, 1)
]


def _public(file: File) -> None:
    if (pow(Y8, 4, P) * curve.D + 2 * Y8 * Y8 - 1) % P:
        raise ValueError("y8 is wrong")
    for name, public in SMALL_ORDER:
        if not weak(public):
            raise ValueError(name)
        why = "one of the 14 encodings of the points of small order"
        file.invalid("public", f"small-{name}", "W-16", why, {"public": public.hex()}, 3)
    for extra in range(2, 19):
        for sign in (0, 1):
            why = "y is not below p"
            given = {"public": _encoded(P + extra, sign).hex()}
            file.invalid("public", f"y-p+{extra}-{sign}", "W-16", why, given, 3)
    for count in (0, 31, 33):
        file.invalid("public", f"{count}-bytes", "W-16", "a key has 32 bytes", {"public": bytes(count).hex()}, 3)
    for number in range(4):
        public = Key(made_up(f"public {number}")).public
        file.valid("public", f"good-{number}", "W-16", "an ordinary key", {"public": public.hex()}, {"accepted": True})


def _verify(
    file: File, name: str, spec: str, why: str, fields: tuple[bytes, int, bytes, bytes, bytes], *, holds: bool
) -> None:
    public, context, game, body, sig = fields
    given = {"public": public.hex(), "context": context, "game": game.hex(), "body": body.hex(), "sig": sig.hex()}
    file.valid("verify", name, spec, why, given, {"holds": holds})


def _signatures(file: File) -> None:
    game = made_up("a game")
    body = b"some body"
    signer = Key(made_up("signer"))
    for context, name in NAMES.items():
        which = NO_GAME if context in (AUTH, TABLE) else game
        given = {"seed": signer.seed.hex(), "context": context, "game": which.hex(), "body": body.hex()}
        sig = signer.sign(context, which, body)
        due = {
            "public": signer.public.hex(),
            "signed": (DOMAIN + bytes([context]) + which + body).hex(),
            "sig": sig.hex(),
        }
        file.valid("sign", name, "W-17", "Ed25519 signatures are the same every time", given, due)
        _verify(
            file,
            f"right-{name}",
            "W-17",
            "the signature of this key",
            (signer.public, context, which, body, sig),
            holds=True,
        )
    sig = signer.sign(ENTRY, game, body)
    entry = (signer.public, ENTRY, game, body, sig)
    other = Key(made_up("other"))
    bare = Key(signer.seed)._key.sign(body)  # noqa: SLF001 - a signature without the prefix is the point
    high = sig[:32] + (int.from_bytes(sig[32:], "little") + curve.L).to_bytes(32, "little")
    for name, spec, why, place, value in (
        ("wrong-context", "W-17", "signed as MINE", 4, signer.sign(MINE, game, body)),
        ("context-table", "W-17", "signed as TABLE", 4, signer.sign(TABLE, NO_GAME, body)),
        ("context-auth", "W-17", "signed as AUTH", 4, signer.sign(AUTH, NO_GAME, body)),
        ("wrong-game", "W-17", "signed for another game", 4, signer.sign(ENTRY, made_up("another game"), body)),
        ("no-game", "W-17", "signed for no game", 4, signer.sign(ENTRY, NO_GAME, body)),
        ("wrong-body", "W-17", "another body", 3, b"some bodx"),
        ("wrong-key", "W-17", "another key", 0, other.public),
        ("without-prefix", "W-17", "the bare body was signed", 4, bare),
        ("s-plus-l", "W-19", "S is not below the order of the group", 4, high),
        ("63-bytes", "W-19", "cut", 4, sig[:63]),
        ("65-bytes", "W-19", "a byte too many", 4, sig + b"\x00"),
        ("empty", "W-19", "no signature", 4, b""),
        ("zeros", "W-19", "64 zero bytes", 4, bytes(64)),
        ("bit-in-r", "W-17", "a bit of R", 4, bytes([sig[0] ^ 1]) + sig[1:]),
        ("bit-in-s", "W-17", "a bit of S", 4, sig[:32] + bytes([sig[32] ^ 1]) + sig[33:]),
    ):
        fields = list(entry)
        fields[place] = value
        _verify(file, name, spec, why, tuple(fields), holds=False)  # type: ignore[arg-type]


def _small_order(file: File) -> None:
    """R of small order and S = 0 hold for many messages under a weak key where a library does not look."""
    game = made_up("a game")
    for name, public in SMALL_ORDER:
        for place, (_, r) in enumerate(SMALL_ORDER[:10]):
            why = "one fixed signature for any message, under a key of small order"
            fields = (public, ENTRY, game, b"any body", r + bytes(32))
            _verify(file, f"small-{name}-r{place}", "W-16", why, fields, holds=False)


def _derived(file: File) -> None:
    seed, root = made_up("identity seed"), made_up("identity root")
    for index in (0, 1, 2, 3, 255):
        seat_seed, seat_root = person(seed, root, index)
        given = {"seed": seed.hex(), "root": root.hex(), "index": index}
        due = {"public": Key(seat_seed).public.hex(), "root": seat_root.hex()}
        file.valid("person", str(index), "W-18", "key and chain root of this person at one client", given, due)


def _handshake(file: File) -> None:
    caller, listener = Key(made_up("caller")), Key(made_up("listener"))
    certificate = made_up("certificate", 300)
    print_ = hashlib.sha256(certificate).digest()
    hello = [
        cmp(
            [
                1,
                "sorry-lan",
                1,
                1,
                "0.1.0",
                key.public,
                made_up(f"{who} nonce"),
                None,
                made_up(who, 16),
                1,
                0,
                None,
                made_up("engine"),
                who,
                port,
            ]
        )
        for who, key, port in (("caller", caller, None), ("listener", listener, 7777))
    ]
    transcript = h("handshake", print_, sized(hello[0]), sized(hello[1]))
    given = {"certificate": certificate.hex(), "hello_caller": hello[0].hex(), "hello_listener": hello[1].hex()}
    file.valid("handshake", "transcript", "H-4 H-2", "what both ends sign", given, {"T": transcript.hex()})
    other = h("handshake", hashlib.sha256(b"another certificate").digest(), sized(hello[0]), sized(hello[1]))
    swapped = h("handshake", print_, sized(hello[1]), sized(hello[0]))
    for role, key in (("C", caller), ("S", listener)):
        body = role.encode() + transcript
        sig = key.sign(AUTH, NO_GAME, body)
        _verify(
            file, f"auth-{role}", "H-5", "AUTH.sig of this side", (key.public, AUTH, NO_GAME, body, sig), holds=True
        )
        for name, wrong in (("another-certificate", other), ("swapped-hellos", swapped)):
            fields = (key.public, AUTH, NO_GAME, role.encode() + wrong, sig)
            _verify(file, f"auth-{role}-{name}", "H-4 H-5", "the other end saw something else", fields, holds=False)
    reflected = (caller.public, AUTH, NO_GAME, b"S" + transcript, caller.sign(AUTH, NO_GAME, b"C" + transcript))
    _verify(file, "auth-reflected", "H-5", "the letter of the other role", reflected, holds=False)


def _pake(file: File) -> None:
    transcript = made_up("a transcript")
    for code in ("apple-bear-cloud", "a-b-c"):
        x = int.from_bytes(made_up(f"{code} x", 64), "big") % curve.L
        y = int.from_bytes(made_up(f"{code} y", 64), "big") % curve.L
        ours, theirs, k = curve.spake2(code, x, y)
        given = {"code": code, "x": str(x), "y": str(y)}
        due = {"pake_caller": ours.hex(), "pake_listener": theirs.hex(), "K": k.hex()}
        file.valid("pake", code, "H-15", "both sides of the exchange; the scalars as decimal numbers", given, due)
        given = {"K": k.hex(), "T": transcript.hex()}
        due = {role: curve.confirm(k, transcript, role).hex() for role in ("C", "S")}
        file.valid("confirm", code, "H-16", "what each side puts into AUTH", given, due)
    ours, theirs, _ = curve.spake2("apple-bear-cloud", 5, 7)
    composed = curve.encode(curve.add(curve.decode(theirs[1:]), curve.decode(_encoded(P - 1, 0))))
    for name, why, value in (
        ("own-letter", "the letter of one's own side", b"A" + theirs[1:]),
        ("no-letter", "neither letter", b"X" + theirs[1:]),
        ("zero-byte", "neither letter", b"\x00" + theirs[1:]),
        ("off-the-curve", "no point", b"B" + _encoded(2, 0)),
        ("not-canonical", "y is not below p", b"B" + _encoded(P + 3, 0)),
        ("of-order-2l", "a point outside the group of order L", b"B" + composed),
        ("reflected", "one's own element with the other letter", b"B" + ours[1:]),
        *((f"small-{name}", "a point of small order", b"B" + public) for name, public in SMALL_ORDER),
    ):
        given = {"code": "apple-bear-cloud", "x": "5", "received": value.hex()}
        file.invalid("pake", name, "H-15", why, given, 3)

"""codec.json and frames.json."""

from __future__ import annotations

from tools.reference.core import Bad, Value, cmp, made_up, parse
from tools.reference.notation import File, packed, shown

B16, B32, B33, B64 = (made_up(f"bytes {n}", n) for n in (16, 32, 33, 64))
BIG = 2**63 - 1


def codec() -> File:
    file = File("codec", "Canonical msgpack and the messages in it (SPEC.md 2.2, 2.3 and 10).")
    _values(file)
    _malformed(file)
    _bounds(file)
    _messages(file)
    return file


def _value(file: File, name: str, spec: str, why: str, value: Value) -> None:
    data = cmp(value)
    if parse(data) != value:
        raise ValueError(name)
    file.valid("value", name, spec, why, {"bytes": packed(data)}, {"value": shown(value)})


def _refused(file: File, name: str, spec: str, why: str, data: bytes, *, error: int) -> None:
    try:
        parse(data)
    except Bad as bad:
        if bad.code != error:
            raise ValueError(f"{name}: {bad}") from bad
    else:
        raise ValueError(f"{name}: accepted")
    file.invalid("value", name, spec, why, {"bytes": packed(data)}, error)


def _values(file: File) -> None:
    for name, value in (("nil", None), ("false", False), ("true", True)):
        _value(file, name, "W-4", "one byte", value)
    for number in (0, 1, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, BIG):
        _value(file, f"uint-{number}", "W-4 W-5", "the shortest form of an integer at the edge of a form", number)
    for count in (0, 1, 255, 256, 49152):
        _value(file, f"bin-{count}", "W-4 W-5 W-10", "the shortest form of a byte string", bytes(count))
    for count in (0, 1, 31, 32, 255, 256):
        _value(file, f"text-{count}", "W-4 W-5", "the shortest form of a text", "t" * count)
    _value(file, "text-length-in-bytes", "W-4", "16 letters of two bytes need the form for 32 bytes", "\u00e4" * 16)
    _value(file, "text-four-byte-letter", "W-7", "the highest code point", "\U0010ffff")
    _value(file, "text-nul", "W-7", "a control character is text; only names exclude it", "a\x00b")
    for count in (0, 1, 15, 16, 64):
        _value(file, f"array-{count}", "W-4 W-5 W-10", "the shortest form of an array", [7] * count)
    _value(file, "array-mixed", "W-4", "all kinds", [None, True, False, 0, BIG, b"\x00", "x", [], [[]]])
    _value(file, "depth-6", "W-10", "six levels are allowed", [[[[[[1]]]]]])
    wide: Value = [[[0] * 63 for _ in range(31)], [0] * 60]
    _value(file, "nodes-2048", "W-10", "exactly 2048 values, arrays included", [*wide, 0])  # type: ignore[misc]


def _malformed(file: File) -> None:
    forbidden = {
        "fixmap": "80",
        "fixmap-1": "81a16101",
        "c1": "c1",
        "bin32": "c60000000101",
        "ext8": "c7010001",
        "ext16": "c800010001",
        "ext32": "c9000000010001",
        "float32": "ca3f800000",
        "float64": "cb3ff0000000000000",
        "nan": "cb7ff8000000000000",
        "int8": "d0ff",
        "int8-positive": "d001",
        "int16": "d1ff00",
        "int32": "d2ffff0000",
        "int64": "d3ffffffff00000000",
        "fixext1": "d40001",
        "fixext2": "d5000102",
        "fixext4-timestamp": "d6ff00000001",
        "fixext8": "d700" + "00" * 8,
        "fixext16": "d800" + "00" * 16,
        "ext-empty": "c70005",
        "str32": "db0000000161",
        "array32": "dd0000000101",
        "map16": "de0001a16101",
        "map32": "df00000001a16101",
        "negative-fixint": "ff",
        "negative-fixint-32": "e0",
    }
    for name, data in forbidden.items():
        _refused(file, name, "W-4", "a kind that the protocol does not have", bytes.fromhex(data), error=2)
        if name in ("fixmap", "nan", "negative-fixint", "ext-empty", "c1"):
            _refused(
                file, f"{name}-inside", "W-4", "the same inside an array", b"\x92\x01" + bytes.fromhex(data), error=2
            )
    longer = {
        "uint8-127": "cc7f",
        "uint16-255": "cd00ff",
        "uint32-65535": "ce0000ffff",
        "uint64-32-bits": "cf00000000ffffffff",
        "bin16-255": "c500ff" + "00" * 255,
        "str8-31": "d91f" + "61" * 31,
        "str16-255": "da00ff" + "61" * 255,
        "array16-15": "dc000f" + "01" * 15,
        "array16-empty": "dc0000",
        "uint8-0": "cc00",
    }
    for name, data in longer.items():
        _refused(file, name, "W-5", "a shorter form exists", bytes.fromhex(data), error=2)
    _refused(file, "uint64-2-63", "W-6", "the integer after the largest", bytes.fromhex("cf8000000000000000"), error=2)
    _refused(file, "uint64-max", "W-6", "all bits set", bytes.fromhex("cf" + "ff" * 8), error=2)
    texts = {
        "bare-continuation": "a180",
        "overlong-slash": "a2c0af",
        "overlong-3": "a3e080af",
        "surrogate": "a3eda080",
        "above-10ffff": "a4f4908080",
        "cut-letter": "a1c3",
        "latin-1": "a3616263".replace("6263", "e462"),
        "fe": "a1fe",
    }
    for name, data in texts.items():
        _refused(file, f"utf8-{name}", "W-7", "not well-formed UTF-8", bytes.fromhex(data), error=2)
    short = {
        "empty": "",
        "array-without-elements": "92",
        "array-cut": "9201",
        "bin-cut": "c40201",
        "bin-without-length": "c4",
        "text-cut": "a261",
        "uint16-cut": "cd01",
        "nested-cut": "919191",
        "trailing-nil": "c0c0",
        "trailing-byte": "910100",
        "two-values": "0101",
    }
    for name, data in short.items():
        _refused(file, f"whole-{name}", "W-8", "not exactly one value", bytes.fromhex(data), error=1)


def _bounds(file: File) -> None:
    _refused(file, "depth-7", "W-10", "a seventh level", b"\x91" * 7 + b"\x01", error=2)
    _refused(
        file,
        "depth-1000",
        "W-10",
        "a thousand levels unfold well and then break printers",
        b"\x91" * 1000 + b"\x01",
        error=2,
    )
    _refused(file, "array-65", "W-10", "a 65th element", b"\xdc\x00\x41" + b"\x01" * 65, error=2)
    claim = b"\xdc\xff\xff"
    _refused(
        file, "array-claims-65535", "W-10", "a claim is refused before anything is reserved for it", claim, error=2
    )
    _refused(file, "array-claims-nested", "W-10", "many claims", claim * 700, error=2)
    inner = b"\xdc\x00\x40" + b"\x01" * 64
    _refused(
        file, "nodes-2081", "W-10", "more than 2048 values in allowed arrays", b"\xdc\x00\x20" + inner * 32, error=2
    )
    exact: list[Value] = [[0] * 64 for _ in range(31)]
    over = [*exact, [0] * 32]
    _refused(file, "nodes-2049", "W-10", "one value too many", cmp([*over]), error=2)
    _refused(file, "bin-49153", "W-10", "a byte too long", b"\xc5\xc0\x01" + bytes(49153), error=2)
    _refused(file, "text-49153", "W-10", "a byte too long", b"\xda\xc0\x01" + b"a" * 49153, error=2)


LOBBY_SEAT: list[Value] = [0, B32, B32, 2, "Ann", None, True, 0]
GOOD: dict[str, list[Value]] = {
    "hello": [1, "sorry-lan", 1, 1, "0.1.0", B32, B32, None, B16, 7, 0, None, B32, "Ann", 7777],
    "hello-coded": [1, "sorry-lan", 1, 1, "x", B32, B32, B33, B16, BIG, 1, B32, B32, "B\u00f6b", None],
    "auth": [2, B64, None],
    "auth-coded": [2, B64, B32],
    "ping": [3, 0],
    "pong": [4, BIG],
    "bye": [5, 0, ""],
    "bye-unknown-code": [5, 999, "t" * 80],
    "peers": [6, [[B32, ["10.0.0.1:7777", "[fe80::1]:7777"]], [B33[:32], []]]],
    "peers-none": [6, []],
    "chat": [7, 3, "hello"],
    "seat": [20, B32, 3, "Ann", 8, False, B32, B32, None, None],
    "seat-continuation": [20, B32, 0, "Ann", None, True, B32, B32, B32, B64],
    "lobby": [21, 1, "Friday", b"\x01", 7, [LOBBY_SEAT, [3, bytes(32), bytes(32), 1, "", None, False, 0]]],
    "propose": [22, 0, b"t", None],
    "consent": [23, 3, B32, B64],
    "withdraw": [24, 0, B32, B64],
    "no": [25, 23, "name taken"],
    "table": [26, b"t" * 4096, [[0, B64], [1, B64], [2, B64], [3, B64]]],
    "entry": [40, B32, b"e" * 256, B64],
    "status": [41, B32, 4095, 5, B32, 15, 0, True, 3, [1, 0, BIG, 2]],
    "want": [42, B32, 0, 16],
    "record": [43, B32, 1, [[b"e", B64]] * 8],
    "mine-asked": [44, B32, 1, B16],
    "mine": [45, B32, b"m" * 16384, B64],
    "fault": [46, B32, [b"e", B64], None],
    "fault-two": [46, B32, [b"e", B64], [b"f", B64]],
}


def _message(file: File, name: str, spec: str, why: str, value: list[Value], *, error: int | None = None) -> None:
    given = {"bytes": packed(cmp(value))}
    if error is None:
        file.valid("message", name, spec, why, given, {"value": shown(value)})
    else:
        file.invalid("message", name, spec, why, given, error)


def _changed(name: str, place: int, value: Value) -> list[Value]:
    return [*GOOD[name][:place], value, *GOOD[name][place + 1 :]]


def _messages(file: File) -> None:
    for name, value in GOOD.items():
        _message(file, name, "W-14 W-20", "a good message of this type", value)
    for name, value in GOOD.items():
        if not name.endswith(("-coded", "-none", "-two", "-continuation", "-unknown-code")):
            _message(file, f"{name}-without-last", "W-20", "a field is missing", value[:-1], error=3)
            _message(file, f"{name}-and-one", "W-20", "a field too many", [*value, None], error=3)
    for name, place, value, why in (
        ("hello", 5, B33, "a key of 33 bytes"),
        ("hello", 5, B16, "a key of 16 bytes"),
        ("hello", 2, 256, "a version above 255"),
        ("hello", 10, 3, "an unknown intent"),
        ("hello", 14, 65536, "no port"),
        ("hello", 1, "sorry-lan/2", "11 bytes"),
        ("hello", 4, "", "an empty program version"),
        ("hello", 4, "v" * 33, "33 bytes"),
        ("hello", 7, B32, "a pake value of 32 bytes"),
        ("hello", 8, None, "nil where none is allowed"),
        ("auth", 1, B64[:63], "a signature of 63 bytes"),
        ("auth", 1, "s" * 64, "text instead of bytes"),
        ("bye", 2, "t" * 81, "81 bytes"),
        ("bye", 2, b"t", "bytes instead of text"),
        ("peers", 1, [[B32, ["a"] * 5]], "five addresses"),
        ("peers", 1, [[B32, []]] * 5, "five peers"),
        ("peers", 1, [[B32, ["a" * 65]]], "an address of 65 bytes"),
        ("peers", 1, [[B32]], "a peer without addresses"),
        ("chat", 2, "", "an empty line"),
        ("chat", 2, "c" * 201, "201 bytes"),
        ("seat", 2, 4, "no colour"),
        ("seat", 3, "", "no name"),
        ("seat", 3, "n" * 25, "25 bytes"),
        ("seat", 4, 256, "no age"),
        ("lobby", 5, [], "no seats"),
        ("lobby", 5, [LOBBY_SEAT] * 5, "five seats"),
        ("lobby", 3, b"", "empty rules"),
        ("lobby", 3, bytes(257), "rules of 257 bytes"),
        ("lobby", 2, "t" * 41, "a title of 41 bytes"),
        ("propose", 2, b"t" * 4097, "a table of 4097 bytes"),
        ("propose", 2, b"", "an empty table"),
        ("consent", 1, 4, "no seat"),
        ("table", 2, [], "no consents"),
        ("table", 2, [[0, B64]] * 5, "five consents"),
        ("entry", 2, b"", "an empty body"),
        ("entry", 2, b"e" * 257, "a body of 257 bytes"),
        ("status", 3, 6, "no stage"),
        ("status", 5, 16, "a mask of five seats"),
        ("status", 9, [1], "one boot counter"),
        ("status", 9, [1] * 5, "five boot counters"),
        ("want", 3, 0, "nothing wanted"),
        ("want", 3, 17, "17 steps wanted"),
        ("record", 3, [], "an empty record"),
        ("record", 3, [[b"e", B64]] * 9, "nine entries"),
        ("mine", 2, b"m" * 16385, "a body of 16385 bytes"),
        ("mine-asked", 3, B32, "a challenge of 32 bytes"),
        ("fault", 2, None, "a fault without a first body"),
        ("fault", 2, [b"e"], "a body without a signature"),
    ):
        _message(file, f"{name}-{place}-{why.replace(' ', '-')}", "W-20", why, _changed(name, place, value), error=3)
    for name, place, value in (
        ("ping", 1, True),
        ("seat", 2, False),
        ("status", 7, 1),
        ("seat", 5, 0),
        ("seat", 4, True),
    ):
        why = "a boolean where an integer is due, or the reverse"
        _message(file, f"{name}-{place}-bool-and-int", "W-9", why, _changed(name, place, value), error=3)
    _names(file)
    _types(file)


def _names(file: File) -> None:
    for name, text in (
        ("one-letter", "A"),
        ("24-bytes", "n" * 24),
        ("12-two-byte-letters", "\u00e9" * 12),
        ("space", " "),
        ("u00a0", "\u00a0"),
        ("unassigned-in-old-tables", "\U0002ebf0"),
        ("bidi-control", "a\u202eb"),
        ("zero-width", "a\u200bb"),
        ("c2-pair-above-9f", "\u00ae"),
        ("emoji", "\U0001f3b2"),
    ):
        _message(
            file,
            f"name-{name}",
            "W-11",
            "allowed on the wire; a screen shows it as it sees fit",
            _changed("seat", 3, text),
        )
    for name, text in (
        ("nul", "a\x00"),
        ("newline", "a\nb"),
        ("escape", "\x1b[2J"),
        ("us", "\x1f"),
        ("delete", "a\x7f"),
        ("u0080", "\u0080"),
        ("csi", "\u009b31m"),
        ("u009f", "a\u009f"),
        ("25-bytes", "\u00e9" * 12 + "e"),
    ):
        _message(
            file,
            f"name-{name}",
            "W-11",
            "control characters and long names are refused",
            _changed("seat", 3, text),
            error=3,
        )


def _types(file: File) -> None:
    for number in (0, 8, 19, 27, 39, 47, 127):
        _message(file, f"type-{number}", "W-21", "an unknown type below 128", [number, 1], error=3)
    for number in (128, 200, 255, 65536):
        given = {"bytes": cmp([number, "anything", [1]]).hex()}
        file.valid("message", f"type-{number}", "W-21", "an extension is ignored", given, {"ignored": True})
    for name, value in (
        ("empty-array", []),
        ("no-array", 5),
        ("nil", None),
        ("text-type", ["1"]),
        ("bool-type", [True, 0]),
        ("array-type", [[3], 0]),
    ):
        file.invalid("message", name, "W-14 W-9", "no array that begins with a type", {"bytes": packed(cmp(value))}, 3)
    newer: list[Value] = [1, "sorry-lan", 2, 9, "9.9", b"something new", [1, 2]]
    head = {"protocol": "sorry-lan", "vmin": 2, "vmax": 9, "app": "9.9"}
    why = "a HELLO of another version still says which it is"
    file.valid("hello-head", "newer", "E-3 E-4", why, {"bytes": cmp(newer).hex()}, head)
    head = {"protocol": "sorry-lan", "vmin": 1, "vmax": 1, "app": "0.1.0"}
    file.valid("hello-head", "ours", "E-3", "the same of this version", {"bytes": cmp(GOOD["hello"]).hex()}, head)
    for name, value in (
        ("short", newer[:4]),
        ("other-type", [2, *newer[1:]]),
        ("version-text", [1, "sorry-lan", "2", 9, "x"]),
    ):
        file.invalid("hello-head", name, "E-3", "what never changes is wrong", {"bytes": packed(cmp(value))}, 3)


def frames() -> File:
    file = File("frames", "Length-prefixed frames cut out of a stream (SPEC.md 2.3).")
    whole = bytes.fromhex("00000003920100")
    two = whole + bytes.fromhex("00000001c0")
    cases = (
        ("one", [whole], ["920100"], False, "a whole frame"),
        ("two-in-one-chunk", [two], ["920100", "c0"], False, "two frames in one chunk"),
        ("byte-by-byte", [two[i : i + 1] for i in range(len(two))], ["920100", "c0"], False, "chunks say nothing"),
        ("length-cut", [whole[:3]], [], True, "a length has begun"),
        ("body-cut", [whole[:5]], [], True, "a body has begun"),
        ("one-and-a-half", [two[:9]], ["920100"], True, "the second has begun"),
        ("nothing", [b""], [], False, "nothing came"),
    )
    for name, chunks, due, pending, why in cases:
        given = {"limit": 65536, "chunks": [chunk.hex() for chunk in chunks]}
        file.valid("stream", name, "W-12", why, given, {"frames": due, "pending": pending})
    for limit in (2048, 65536):
        full = {"repeat": "00", "count": limit}
        given = {"limit": limit, "chunks": [limit.to_bytes(4, "big").hex(), full]}
        due = {"frames": [full], "pending": False}
        file.valid("stream", f"exactly-{limit}", "W-13", "a frame as long as the limit", given, due)
        given = {"limit": limit, "chunks": [(limit + 1).to_bytes(4, "big").hex()]}
        file.invalid("stream", f"above-{limit}", "W-13", "refused from the length alone", given, 1)
    for name, data in (
        ("zero", "00000000"),
        ("2-31", "7fffffff"),
        ("all-bits", "ffffffff"),
        ("http", b"GET / HTTP/1.1".hex()),
    ):
        file.invalid("stream", name, "W-13", "no length that a frame can have", {"limit": 65536, "chunks": [data]}, 1)
    file.invalid(
        "stream",
        "zero-after-good",
        "W-13",
        "the second frame",
        {"limit": 65536, "chunks": [whole.hex() + "00000000"]},
        1,
    )
    for size in (1, 3, 300):
        data = made_up(f"payload {size}", size)
        due = {"bytes": (size.to_bytes(4, "big") + data).hex()}
        file.valid("frame", f"of-{size}", "W-12", "length and bytes", {"payload": data.hex()}, due)
    return file

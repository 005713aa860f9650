"""Mutated frames through both builds of the msgpack library: they must agree on every one.

`python -m tests.wire.differential --frames 1000000 --seed 7` prints the count; exit code 1 where they disagree.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator

import msgpack
from msgpack import fallback

from sorry_lan.faults import RemoteFault
from sorry_lan.wire import codec
from tests.wire.build import MESSAGES, raw, sample

_TOKENS = bytes((0x00, 0x7F, 0x80, 0x90, 0x91, 0xA0, 0xA1, 0xBF, *range(0xC0, 0xE1), 0xFF))


def mutations(*, seed: int, count: int) -> Iterator[bytes]:
    """`count` frames: samples of every message with bytes changed, cut out, put in, doubled."""
    rng = random.Random(seed)
    corpus = []
    for kind in MESSAGES:
        parts = sample(kind)
        assert isinstance(parts, tuple)
        corpus.append(raw((kind.TYPE, *parts)))
    for _ in range(count):
        data = bytearray(rng.choice(corpus))
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(data) + 1)
            match rng.randrange(5):
                case 0:
                    data[at : at + 1] = bytes((rng.choice(_TOKENS),))
                case 1:
                    data[at : at + 1] = bytes((rng.randrange(256),))
                case 2:
                    del data[at : at + rng.randrange(1, 8)]
                case 3:
                    data[at:at] = rng.randbytes(rng.randrange(1, 4))
                case _:
                    data[at:at] = data[: rng.randrange(len(data) + 1)]
        yield bytes(data)


def outcome(data: bytes) -> object:
    """The message, or the fault's code and detail."""
    try:
        return codec.decode_message(data)
    except RemoteFault as fault:
        return fault.code, fault.detail


def disagreements(frames: Iterable[bytes]) -> list[bytes]:
    """The frames on which the compiled and the pure build differ, be it in outcome or in the bytes that come back."""
    compiled = msgpack.unpackb
    found = []
    for data in frames:
        first = outcome(data)
        msgpack.unpackb = fallback.unpackb
        try:
            second = outcome(data)
        finally:
            msgpack.unpackb = compiled
        if first != second or repr(first) != repr(second):
            found.append(data)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if msgpack.unpackb is fallback.unpackb:
        print("only the pure build is installed here: nothing to compare")
        return 2
    found = disagreements(mutations(seed=args.seed, count=args.frames))
    print(f"{args.frames} frames, seed {args.seed}: {len(found)} disagreements")
    for data in found[:10]:
        print(data.hex())
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

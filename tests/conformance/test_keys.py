"""keys.json: hashes, keys, signatures, the handshake's transcript and the join code."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from sorry_lan.net.code import Exchange, Side, confirmation
from sorry_lan.net.handshake import transcript
from sorry_lan.wire.digest import tag, tagged_hash
from sorry_lan.wire.keys import Context, SecretKey, check_public, person_key, person_root, signed_bytes, verify
from tests.conformance.cases import Case, judge, params


def _hex(given: Any, *names: str) -> list[bytes]:
    return [bytes.fromhex(given[name]) for name in names]


def _tag(given: Any) -> object:
    return {"bytes": tag(given["name"]).hex()}


def _hash(given: Any) -> object:
    return {"hash": tagged_hash(given["tag"], *map(bytes.fromhex, given["parts"])).hex()}


def _public(given: Any) -> object:
    check_public(*_hex(given, "public"))
    return {"accepted": True}


def _sign(given: Any) -> object:
    seed, game, body = _hex(given, "seed", "game", "body")
    key, context = SecretKey(seed), Context(given["context"])
    sig = key.sign(context, game, body)
    return {"public": key.public.hex(), "signed": signed_bytes(context, game, body).hex(), "sig": sig.hex()}


def _verify(given: Any) -> object:
    public, game, body, sig = _hex(given, "public", "game", "body", "sig")
    return {"holds": verify(public, Context(given["context"]), game, body, sig)}


def _person(given: Any) -> object:
    seed, root = _hex(given, "seed", "root")
    index = given["index"]
    return {"public": person_key(seed, index).public.hex(), "root": person_root(root, index).hex()}


def _handshake(given: Any) -> object:
    certificate, caller, listener = _hex(given, "certificate", "hello_caller", "hello_listener")
    return {"T": transcript(hashlib.sha256(certificate).digest(), caller, listener).hex()}


def _exchange(side: Side, code: str, scalar: str) -> Exchange:
    exchange = Exchange(side, code)
    # The library asks this for the bytes of its secret scalar.
    exchange._run.entropy_f = lambda count: int(scalar).to_bytes(count, "big")  # type: ignore[attr-defined]
    return exchange


def _pake(given: Any) -> object:
    caller = _exchange(Side.CLIENT, given["code"], given["x"])
    ours = caller.start()
    if "received" in given:
        return {"K": caller.finish(bytes.fromhex(given["received"])).hex()}
    listener = _exchange(Side.SERVER, given["code"], given["y"])
    theirs = listener.start()
    key = caller.finish(theirs)
    assert listener.finish(ours) == key
    return {"pake_caller": ours.hex(), "pake_listener": theirs.hex(), "K": key.hex()}


def _confirm(given: Any) -> object:
    key, seen = _hex(given, "K", "T")
    return {side.value.decode(): confirmation(key, side, seen).hex() for side in (Side.CLIENT, Side.SERVER)}


GROUPS = {
    "tag": _tag,
    "hash": _hash,
    "public": _public,
    "sign": _sign,
    "verify": _verify,
    "person": _person,
    "handshake": _handshake,
    "pake": _pake,
    "confirm": _confirm,
}


@pytest.mark.parametrize("case", params("keys"))
def test_keys_and_hashes_come_out_alike(case: Case) -> None:
    judge(case, GROUPS)

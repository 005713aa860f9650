"""The one box: everything people type or paste to say where a table is, read by one function.

Odd and ambiguous forms are refused, with the spellings that may have been meant. Looks nothing up.
"""

from __future__ import annotations

import ipaddress
import itertools
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from sorry_lan.table.notices import Slip
from sorry_lan.wire.words import WORDS

CODE_WORDS: Final = 3
SCHEME: Final = "sorry-lan"
_MOST_PORT: Final = 65_535
_LONGEST_NAME: Final = 253
_LONGEST_LABEL: Final = 63
_MOST_OFFERS: Final = 3
_LONGEST_CODE: Final = 40
_WORDS: Final = frozenset(WORDS)
_DASHES: Final = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\uff0d"), "-")
_PORT_AT_END: Final = re.compile(r"(?P<host>.*):(?P<port>[0-9]{4,5})$")
_NUMBERS: Final = re.compile(r"[0-9.]+|0[xX][0-9a-fA-F.]+")


class BadAddress(ValueError):  # noqa: N818 - says what is the case
    """What was typed says nowhere; `near` are spellings that may have been meant."""

    def __init__(self, slip: Slip, near: tuple[str, ...] = ()) -> None:
        super().__init__(slip.value)
        self.slip = slip
        self.near = near


@dataclass(frozen=True, slots=True)
class Address:
    """Where a table may be reached: a name, an IPv4 or an IPv6 address (with its %zone), and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def short(self, default_port: int) -> str:
        """As it is best typed: without the port where that is the default one."""
        if self.port != default_port:
            return str(self)
        if _like_code(self.host):
            return str(self)
        return f"[{self.host}]" if _ends_like_port(self.host) else self.host


@dataclass(frozen=True, slots=True)
class Where:
    """What was typed: an address, the words of a code ("maple-otter-tulip"), or both of them."""

    address: Address | None
    code: str | None

    def __str__(self) -> str:
        if self.address is None:
            return self.code or ""
        return str(self.address) if self.code is None else f"{SCHEME}://{self.address}/{self.code}"


def parse_where(typed: str, default_port: int) -> Where:
    """An address in any usual form, three words, or sorry-lan://ADDRESS/WORDS; BadAddress for all else."""
    try:
        return _read(typed.strip(), default_port)
    except _Odd as odd:
        raise BadAddress(odd.slip, _understood(odd.spellings, default_port)) from None


def near_code(typed: str) -> tuple[str, ...]:
    """Codes near to what was typed where nothing but a code will do; none where it does not have three words."""
    words = typed.casefold().translate(_DASHES).replace("-", " ").split()
    return tuple(_near(words)) if len(words) == CODE_WORDS else ()


class _Odd(Exception):  # noqa: N818 - says what is the case
    """Nothing that is understood; what may have been meant is not looked at yet."""

    def __init__(self, slip: Slip, *spellings: str) -> None:
        super().__init__(slip.value)
        self.slip = slip
        self.spellings = spellings


def _understood(spellings: tuple[str, ...], default_port: int) -> tuple[str, ...]:
    """Those of these that say something, as they are best typed."""
    found = []
    for spelling in spellings:
        with suppress(_Odd):
            where = _read(spelling, default_port)
            found.append(str(where) if where.address is None else where.address.short(default_port))
    return tuple(dict.fromkeys(found))[:_MOST_OFFERS]


def _read(text: str, default_port: int) -> Where:
    if not text:
        raise _Odd(Slip.EMPTY)
    code = _code(text)
    if code is not None:
        return Where(None, code)
    plain = unicodedata.normalize("NFKC", text.translate(_DASHES)).replace("\u3002", ".")
    if plain != text and plain.isascii():
        raise _Odd(Slip.SIGNS, plain)
    return _url(text, default_port) if "://" in text else Where(_address(text, default_port), None)


def parse_address(typed: str, default_port: int) -> Address:
    """As `parse_where`, where only an address will do."""
    found = parse_where(typed, default_port).address
    if found is None:
        raise BadAddress(Slip.NO_HOST)
    return found


def _code(text: str) -> str | None:
    """The code, with any signs between its words and in any case; None for what is meant as something else."""
    low = text.casefold().translate(_DASHES).strip("\"'`. ")
    words = [word for word in re.split(r"[-\s_.,+]+", low) if word]
    known = sum(word in _WORDS for word in words)
    if known == len(words) == CODE_WORDS:
        return "-".join(words)
    if len(words) == 1:
        return _glued(low)
    if not re.fullmatch(r"[a-z]+([-\s]+[a-z]+)+", low):
        return None
    if known == len(words):
        raise _Odd(Slip.WORDS_COUNT)
    # One strange word beside two of ours is a slip; a computer may well be called bobs-new-laptop.
    if len(words) == CODE_WORDS and known >= (1 if " " in low else CODE_WORDS - 1):
        raise _Odd(Slip.WORD_UNKNOWN, *_near(words))
    return None


def _like_code(host: str) -> bool:
    """Whether a bare name would be taken for a code."""
    try:
        return _code(host) is not None
    except _Odd:
        return True


def _near(words: list[str]) -> Iterator[str]:
    """Codes that may have been meant, the most likely first."""
    choices = [[word] if word in _WORDS else get_close_matches(word, WORDS, n=3, cutoff=0.5) for word in words]
    return ("-".join(each) for each in itertools.islice(itertools.product(*choices), _MOST_OFFERS))


def _glued(word: str) -> str | None:
    """Three words with nothing between them, where they can be parted in one way only."""
    found = [
        (word[:i], word[i:j], word[j:])
        for i, j in itertools.combinations(range(1, min(len(word), _LONGEST_CODE)), 2)
        if word[:i] in _WORDS and word[i:j] in _WORDS and word[j:] in _WORDS
    ]
    return "-".join(found[0]) if len(found) == 1 else None


def _url(text: str, default_port: int) -> Where:
    scheme, _colon, rest = text.partition("://")
    place, slash, path = rest.partition("/")
    if scheme.lower() != SCHEME:
        raise _Odd(Slip.SCHEME, place)
    address = _address(place.replace("%25", "%"), default_port)
    path = path.rstrip("/") if slash else ""
    if not path:
        return Where(address, None)
    code = _code(path)
    if code is None:
        raise _Odd(Slip.TRAILING, place)
    return Where(address, code)


def _address(text: str, default_port: int) -> Address:
    if any(sign.isspace() for sign in text):
        raise _Odd(Slip.TRAILING, *[word for word in text.split() if set(word) & set(".:")])
    if not text.isprintable():
        raise _Odd(Slip.SIGNS)
    if "@" in text:
        raise _Odd(Slip.TRAILING, text.rpartition("@")[2])
    if "/" in text or "\\" in text:
        raise _Odd(Slip.TRAILING, re.split(r"[/\\]", text)[0])
    if text.startswith("["):
        return _bracketed(text, default_port)
    if text.count(":") > 1:
        return Address(_bare_v6(text), default_port)
    host, colon, port = text.partition(":")
    if not host:
        raise _Odd(Slip.NO_HOST)
    try:
        name = _v4(host) if _NUMBERS.fullmatch(host) else _name(host)
    except _Odd as odd:
        raise _Odd(odd.slip, *(f"{each}{colon}{port}" for each in odd.spellings)) from None
    return Address(name, _port(port, name) if colon else default_port)


def _bracketed(text: str, default_port: int) -> Address:
    host, closed, rest = text[1:].partition("]")
    if not closed:
        raise _Odd(Slip.BRACKETS, f"{text}]")
    if ":" not in host:
        raise _Odd(Slip.BRACKETS, host + rest)
    if rest and not rest.startswith(":"):
        raise _Odd(Slip.TRAILING, f"[{host}]:{rest}", f"[{host}]")
    found = _v6(host)
    return Address(found, _port(rest[1:], f"[{host}]") if rest else default_port)


def _port(text: str, host: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(_MOST_PORT)) else 0
    if 1 <= number <= _MOST_PORT and not text.startswith("0"):
        return number
    digits = re.match(r"0*([1-9][0-9]{0,4})(?![0-9])", text)
    raise _Odd(Slip.PORT, *([f"{host}:{digits[1]}"] if digits else []), host)


def _ends_like_port(host: str) -> bool:
    """Whether a bare IPv6 address ends in what may as well be a port."""
    found = _PORT_AT_END.fullmatch(host)
    return found is not None and _is_v6(found["host"])


def _bare_v6(text: str) -> str:
    found = _PORT_AT_END.fullmatch(text)
    if found is not None and _is_v6(found["host"]):
        with_port = f"[{found['host']}]:{found['port']}"
        if _is_v6(text):
            raise _Odd(Slip.PORT_OR_NOT, with_port, f"[{text}]")
        raise _Odd(Slip.BRACKETS, with_port)
    return _v6(text)


def _is_v6(text: str) -> bool:
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True


def _v6(text: str) -> str:
    try:
        address = ipaddress.IPv6Address(text)
    except ValueError:
        raise _Odd(Slip.IPV6, f"[{text.rstrip('%')}]", f"[{text.strip('.,;')}]") from None
    zone = address.scope_id
    if zone is not None:
        bare = text.partition("%")[0]
        if not address.is_link_local:
            raise _Odd(Slip.ZONE, f"[{bare}]")
        if zone.startswith("25") and len(zone) > len("25"):
            raise _Odd(Slip.ZONE, f"[{bare}%{zone[2:]}]")
        if not re.fullmatch(r"[\w.~-]+", zone):
            raise _Odd(Slip.ZONE, f"[{bare}]")
        return str(address)
    plain = address.ipv4_mapped or address
    _usable(plain)
    return str(plain)


def _v4(text: str) -> str:
    try:
        address = ipaddress.IPv4Address(text)
    except ValueError:
        near = ".".join(part.lstrip("0") or "0" for part in text.strip(".").split(".") if part)
        raise _Odd(Slip.IPV4, near) from None
    _usable(address)
    return str(address)


def _usable(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    if address.is_unspecified or address.is_multicast or str(address) == "255.255.255.255":
        raise _Odd(Slip.NOBODY)


def _name(text: str) -> str:
    """A host name, in lower case and without the dot that ends it."""
    if "%" in text:
        raise _Odd(Slip.ZONE, text.partition("%")[0])
    name = text.lower().removesuffix(".")
    labels = name.split(".")
    if len(name) > _LONGEST_NAME or not all(_is_label(label) for label in labels) or labels[-1].isdigit():
        raise _Odd(Slip.NAME, re.sub(r"[^\w.-]+", "", name).strip(".-_"))
    return name


def _is_label(label: str) -> bool:
    """Letters of any language, digits, "_", and "-" inside."""
    return bool(re.fullmatch(r"\w([\w-]*\w)?", label)) and len(label) <= _LONGEST_LABEL

"""The subset of CDDL in which protocol/messages.cddl is written, read into the same terms as the annotated types.

A kind is a tuple: ("uint", low, high), ("bin", low, high), ("text", low, high), ("name", low), ("bool",),
("nil-or", kind), ("many", low, high, kind), ("rule", name). An array rule is (first number or None, {field: kind}).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

Kind = tuple[object, ...]
TOKEN = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*|\d+|\.\.|\.size|[\[\](),:=/*])")
NAMES = {"player_name": ("name", 1), "lobby_name": ("name", 0)}
BYTE_RULE = 24


@dataclass(frozen=True)
class Group:
    """An array with named places, maybe headed by a number."""

    number: int | None
    fields: dict[str, Kind]


class Model:
    """All rules of a file; aliases are looked through."""

    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._at = 0
        self._aliases: dict[str, Kind] = {}
        self.groups: dict[str, Group] = {}
        self.choices: dict[str, list[str]] = {}
        while self._at < len(self._tokens):
            self._rule()

    def kind(self, kind: Kind) -> Kind:
        """A kind without aliases in it."""
        match kind:
            case ("rule", str(name)) if name in self._aliases:
                return self.kind(self._aliases[name])
            case ("nil-or", tuple(inner)):
                return ("nil-or", self.kind(inner))
            case ("many", low, high, tuple(inner)):
                return ("many", low, high, self.kind(inner))
        return kind

    def fields(self, name: str) -> dict[str, Kind]:
        """The fields of one array rule."""
        return {field: self.kind(kind) for field, kind in self.groups[name].fields.items()}

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, due: str | None = None) -> str:
        token = self._tokens[self._at]
        if due is not None and token != due:
            raise ValueError(f"{due} was due before {self._tokens[self._at - 3 : self._at + 3]}")
        self._at += 1
        return token

    def _rule(self) -> None:
        name = self._take()
        self._take("=")
        if self._peek() == "[" and not self._is_many():
            self.groups[name] = self._group()
        else:
            first = self._kind()
            if first[0] == "rule" and self._peek() == "/":
                self.choices[name] = [str(first[1])]
                while self._peek() == "/":
                    self._take("/")
                    self.choices[name].append(self._take())
            else:
                self._aliases[name] = NAMES.get(name, first)
                if name in NAMES and first != ("text", NAMES[name][1], BYTE_RULE):
                    raise ValueError(name)

    def _is_many(self) -> bool:
        return self._tokens[self._at + 1].isdigit() and self._tokens[self._at + 2] == "*"

    def _group(self) -> Group:
        self._take("[")
        number = None
        if self._peek().isdigit():
            number = int(self._take())
            self._take(",")
        fields: dict[str, Kind] = {}
        while self._peek() != "]":
            field = self._take()
            self._take(":")
            fields[field] = self._optional()
            if self._peek() == ",":
                self._take(",")
        self._take("]")
        return Group(number, fields)

    def _optional(self) -> Kind:
        kind = self._kind()
        if self._peek() != "/":
            return kind
        self._take("/")
        self._take("nil")
        return ("nil-or", kind)

    def _kind(self) -> Kind:
        token = self._take()
        if token == "[":
            low = int(self._take())
            self._take("*")
            high = int(self._take())
            inner = self._kind()
            self._take("]")
            return ("many", low, high, inner)
        if token.isdigit():
            self._take("..")
            return ("uint", int(token), int(self._take()))
        if token == "bool":
            return ("bool",)
        if token in {"bstr", "tstr"}:
            self._take(".size")
            return ({"bstr": "bin", "tstr": "text"}[token], *self._size())
        return ("rule", token)

    def _size(self) -> tuple[int, int]:
        if self._peek() != "(":
            exact = int(self._take())
            return exact, exact
        self._take("(")
        low = int(self._take())
        self._take("..")
        high = int(self._take())
        self._take(")")
        return low, high


def _tokens(text: str) -> list[str]:
    text = re.sub(r";[^\n]*", "", text).strip()
    found, at = [], 0
    while at < len(text):
        token = TOKEN.match(text, at)
        if token is None:
            raise ValueError(f"not in the subset: {text[at : at + 20]!r}")
        found.append(token.group(1))
        at = token.end()
    return found

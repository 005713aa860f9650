"""The catalogue of texts: extract, compare and compile, with nothing but the standard library.

`python -m tools.catalogue extract`   sorry_lan/locale/sorry_lan.pot from the sources
`python -m tools.catalogue update`    the same, and every .po file gets the new texts (empty) and loses those gone
`python -m tools.catalogue compile`   a .mo file beside every .po file
`python -m tools.catalogue missing`   what each .po file still lacks
"""

from __future__ import annotations

import ast
import struct
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
LOCALE: Final = ROOT / "sorry_lan" / "locale"
POT: Final = LOCALE / "sorry_lan.pot"

HEADER: Final = (
    "Project-Id-Version: sorry-lan\n"
    "MIME-Version: 1.0\n"
    "Content-Type: text/plain; charset=UTF-8\n"
    "Content-Transfer-Encoding: 8bit\n"
    "Plural-Forms: nplurals=2; plural=(n != 1);\n"
)


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """A text of the program; `many` is its plural, "" where it has none."""

    one: str
    many: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A text with the files it stands in, and its translations: none, one, or one for each plural form."""

    text: Text
    files: tuple[str, ...] = ()
    translated: tuple[str, ...] = ()

    @property
    def done(self) -> bool:
        """Whether every form is translated."""
        return len(self.translated) == (2 if self.text.many else 1) and all(self.translated)


def extracted() -> dict[Text, tuple[str, ...]]:
    """Every text of the program and the files it stands in."""
    found: dict[Text, set[str]] = {}
    for path in sorted((ROOT / "sorry_lan").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        for text in texts_of(path.read_text(encoding="utf-8"), name):
            found.setdefault(text, set()).add(name)
    for text, name in _tables():
        found.setdefault(text, set()).add(name)
    return {text: tuple(sorted(files)) for text, files in sorted(found.items())}


def texts_of(source: str, name: str) -> Iterator[Text]:
    """The texts of one module; ValueError for a text that is made while the program runs."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in MARKS:
            continue
        parts = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        wanted = 2 if node.func.id == "n_" else 1
        if len(parts) == wanted:
            yield Text(*parts)
        elif ast.unparse(node.args[0]) not in TABLES:
            raise ValueError(f"{name}:{node.lineno}: no text that could be extracted")


MARKS: Final = frozenset({"_", "n_", "Misread"})
"""What is called with texts."""
TABLES: Final = frozenset(
    {"command.about", "command.operand", "flag.about", "flag.placeholder", "operand", "wrong.template"}
)
"""Texts that are asked for by an expression: all that these can be is in `_tables`."""


def _tables() -> Iterator[tuple[Text, str]]:
    from sorry_lan.cli.arguments import COMMANDS, FLAGS  # noqa: PLC0415 - the program is read, not run

    told = [text for command in COMMANDS.values() for text in (command.about, command.operand)]
    told += [text for flag in FLAGS.values() for text in (flag.about, flag.placeholder)]
    yield from ((Text(text), "sorry_lan/cli/arguments.py") for text in told if text)


def parse(source: str) -> dict[Text, Entry]:
    """The entries of a .po file; the header is the one of the empty text."""
    found: dict[Text, Entry] = {}
    for block in source.split("\n\n"):
        fields: dict[str, str] = {}
        files: list[str] = []
        key = ""
        for line in block.splitlines():
            if line.startswith("#: "):
                files += line[3:].split()
            elif line.startswith("#") or not line.strip():
                continue
            elif line.startswith('"'):
                fields[key] += ast.literal_eval(line)
            else:
                key, _, value = line.partition(" ")
                fields[key] = ast.literal_eval(value)
        if "msgid" in fields:
            text = Text(fields["msgid"], fields.get("msgid_plural", ""))
            forms = [fields[name] for name in sorted(fields) if name.startswith("msgstr")]
            found[text] = Entry(text, tuple(files), tuple(forms))
    return found


def rendered(entries: Iterable[Entry]) -> str:
    """A .po file of these entries behind the header."""
    blocks = [f'msgid ""\nmsgstr ""\n{_lines(HEADER)}', *map(_block, entries)]
    return "\n\n".join(blocks) + "\n"


def _block(entry: Entry) -> str:
    lines = [f"#: {' '.join(entry.files)}"] if entry.files else []
    if "{" in entry.text.one + entry.text.many:
        lines.append("#, python-brace-format")
    lines.append(f"msgid {_quoted(entry.text.one)}")
    if not entry.text.many:
        return "\n".join([*lines, f"msgstr {_quoted((*entry.translated, '')[0])}"])
    forms = (*entry.translated, "", "")[:2]
    lines.append(f"msgid_plural {_quoted(entry.text.many)}")
    return "\n".join([*lines, *(f"msgstr[{n}] {_quoted(form)}" for n, form in enumerate(forms))])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _lines(text: str) -> str:
    return "\n".join(_quoted(line) for line in text.splitlines(keepends=True))


def compiled(entries: Iterable[Entry]) -> bytes:
    """The .mo file of what is translated, as GNU gettext lays it out (little-endian, sorted, no hash table)."""
    pairs = {b"": HEADER.encode()}
    for entry in entries:
        if entry.done and entry.text.one:
            key = "\0".join(filter(None, (entry.text.one, entry.text.many)))
            pairs[key.encode()] = "\0".join(entry.translated).encode()
    keys = sorted(pairs)
    at = 28 + 16 * len(keys)
    tables, body = [b"", b""], b""
    for which, strings in enumerate((keys, [pairs[key] for key in keys])):
        for string in strings:
            tables[which] += struct.pack("<2I", len(string), at + len(body))
            body += string + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(keys), 28, 28 + 8 * len(keys), 0, at)
    return head + tables[0] + tables[1] + body


def translations() -> list[Path]:
    """Every .po file."""
    return sorted(LOCALE.glob("*.po"))


def updated(path: Path) -> str:
    """The .po file at `path` with the texts of the program, and what is translated of them."""
    known = parse(path.read_text(encoding="utf-8"))
    return rendered(
        Entry(text, files, known[text].translated if text in known else ()) for text, files in extracted().items()
    )


def main(words: list[str]) -> int:
    match words:
        case ["extract"]:
            POT.write_text(rendered(Entry(text, files) for text, files in extracted().items()), encoding="utf-8")
        case ["update"]:
            main(["extract"])
            for path in translations():
                path.write_text(updated(path), encoding="utf-8")
        case ["compile"]:
            for path in translations():
                path.with_suffix(".mo").write_bytes(compiled(parse(path.read_text(encoding="utf-8")).values()))
        case ["missing"]:
            texts = extracted()
            for path in translations():
                known = parse(path.read_text(encoding="utf-8"))
                lacking = [text for text in texts if text not in known or not known[text].done]
                sys.stdout.writelines(f"{path.name}: {text.one!r}\n" for text in lacking)
        case _:
            sys.stderr.write(str(__doc__) + "\n")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

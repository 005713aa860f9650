"""Completion: bash really completes, and every script knows all commands, flags and values."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
from pathlib import Path

import pytest

from sorry_lan.cli import options
from sorry_lan.cli.arguments import COMMANDS, FLAGS, GLOBAL, Arguments, Takes, parse
from sorry_lan.cli.completion import script
from sorry_lan.cli.main import main
from sorry_lan.cli.values import SHELLS, Kind, behind
from sorry_lan.ui.board_picture import Signs
from sorry_lan.wire.words import WORDS


@pytest.fixture(scope="module")
def completed():
    """What bash offers for each of these command lines, in one run of bash; words are cut as bash cuts them."""

    def offers(*lines: tuple[str, ...]) -> list[list[str]]:
        asked = [script("bash")]
        for words in lines:
            quoted = " ".join(f"'{word}'" for word in words)
            asked.append(f'COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _sorry_lan; echo "${{COMPREPLY[*]}}"')
        command = ["bash", "--norc", "--noprofile", "-c", "\n".join(asked)]
        found = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        return [line.split() for line in found.stdout.splitlines()]

    return offers


def test_bash_offers_what_fits(completed):
    asked = {
        ("sorry-lan", "r"): ["resume", "replay", "rules"],
        ("sorry-lan", "rules", ""): ["standard", "classic", "2013"],
        ("sorry-lan", "completion", ""): list(SHELLS),
        ("sorry-lan", "host", "--se"): ["--seats"],
        ("sorry-lan", "--language", "de", "games", "--st"): ["--stats"],
        ("sorry-lan", "--log", "=", "x", "games", "--st"): ["--stats"],
        ("sorry-lan", "host", "--speed", ""): ["slow", "normal", "fast"],
        ("sorry-lan", "host", "--speed", "="): ["slow", "normal", "fast"],
        ("sorry-lan", "host", "--speed", "=", "s"): ["slow"],
        ("sorry-lan", "host", "--colour", "b"): ["blue"],
        ("sorry-lan", "host", "--color", "b"): ["blue"],
        ("sorry-lan", "host", "--auto", "e"): ["easy", "expert"],
        ("sorry-lan", "host", "--auto", "--se"): ["--seats"],
        ("sorry-lan", "host", "--rule", "slide_on", "="): ["own", "other", "any", "none"],
        ("sorry-lan", "host", "--rule", "slide_on", "=", "a"): ["any"],
        ("sorry-lan", "host", "--rule", "=", "slide_on", "=", "a"): ["any"],
        ("sorry-lan", "join", "--code", "map"): ["maple-"],
        ("sorry-lan", "join", "--code", "maple-ot"): ["maple-otter-"],
        ("sorry-lan", "join", "--code", "maple-otter-tul"): ["maple-otter-tulip"],
        ("sorry-lan", "join", "map"): ["maple-"],
        ("sorry-lan", "host", "--name", ""): [],
        ("sorry-lan", "host", "x"): [],
        ("sorry-lan", "nonsense", ""): [],
    }
    assert dict(zip(asked, completed(*asked), strict=True)) == asked


def test_bash_offers_every_flag_of_every_command(completed):
    found = completed(*(("sorry-lan", name, "--") for name in COMMANDS))
    for command, offered in zip(COMMANDS.values(), found, strict=True):
        assert set(offered) - {"--color"} == {*command.flags, *GLOBAL}, command.name


def test_bash_offers_files_with_spaces_as_they_are(completed, tmp_path: Path, monkeypatch):
    (tmp_path / "my game.sorry").touch()
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    files, folders = completed(("sorry-lan", "verify", "my"), ("sorry-lan", "host", "--identity", ""))
    assert files == ["my", "game.sorry"]
    assert folders == ["folder"]


def test_tab_on_a_terminal_completes_the_line(tmp_path: Path):
    (tmp_path / "script").write_text(script("bash") + "sorry-lan() { printf 'got %s\\n' \"$*\"; exit; }\n")
    child, terminal = pty.fork()
    if child == 0:
        environment = {"PATH": os.defpath, "TERM": "dumb", "PS1": "> ", "HOME": str(tmp_path)}
        command = ["bash", "--noprofile", "--rcfile", str(tmp_path / "script"), "-i"]
        os.execvpe("bash", command, environment)
    os.write(terminal, b"sorry-lan ho\t--spe\tfa\t\n")
    out = b""
    while b"got" not in out.replace(b"'got", b"") and select.select([terminal], [], [], 60)[0]:
        try:
            out += os.read(terminal, 4096)
        except OSError:
            break
    os.close(terminal)
    os.waitpid(child, 0)
    assert "got host --speed fast" in re.sub(r"\s+", " ", out.decode())


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_what_its_shell_can_read(shell, tmp_path: Path):
    path = tmp_path / "script"
    path.write_text(script(shell))
    if shutil.which(shell) is not None:  # the checks below hold wherever there is no such shell
        subprocess.run([shell, "-n", str(path)], timeout=60, check=True, env={**os.environ, "HOME": str(tmp_path)})
    text = path.read_text()
    assert text.replace("\\'", "").count("'") % 2 == 0
    assert text.count("{") == text.count("}")
    assert all(word in text for word in WORDS)


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_knows_all_commands_flags_and_values(shell):
    text = script(shell)
    for command in COMMANDS:
        assert re.search(rf"\b{command}\b", text), command
    for flag in FLAGS.values():
        name = f"-l {flag.name[2:]} " if shell == "fish" else flag.name
        assert name in f"{text} ", flag.name
        values = () if flag.takes is Takes.NOTHING else behind(flag.name)
        assert isinstance(values, Kind) or " ".join(values) in text, flag.name


def test_zsh_and_fish_tell_what_each_flag_does():
    assert "--speed=[how fast moves are shown\\: slow, normal or fast]:PACE:(slow normal fast)" in script("zsh")
    assert "-l speed -x -a 'slow normal fast' -d 'how fast moves are shown: slow, normal or fast'" in script("fish")
    assert "-l name -x -d 'your name; repeated: one person at this keyboard each'" in script("fish")


def test_every_offered_value_is_understood():
    for flag in FLAGS.values():
        values = () if flag.takes is Takes.NOTHING else behind(flag.name)
        for value in () if isinstance(values, Kind) else values:
            alone = Arguments("host", None, {flag.name: (value,)})
            options.taste(alone, Signs.ASCII)
            options.people(alone, {})
            options.rules(alone)
            options.language(alone)
            options.auto_level(alone)
            options.on_away(alone, options.Manner.JSON)
            options.demo_bots(alone, 0)
            options.players(alone)
            options.host_seating(alone, 1, ())


def test_a_shell_that_is_none_of_the_three_is_one_sentence_and_2(capsys):
    for words in (["completion"], ["completion", "csh"]):
        assert main(words) == 2
        assert capsys.readouterr().err == "sorry-lan: completion needs one of bash, zsh, fish behind it.\n"


def test_the_command_prints_the_script(capsys):
    assert main(["completion", "bash"]) == 0
    assert capsys.readouterr().out == script("bash")
    assert parse(["completion", "bash"]).operand == "bash"

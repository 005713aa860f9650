"""`sorry-lan completion SHELL`: scripts that complete commands, flags and values, made from arguments.py and values.py.

The words stand in the script: pressing Tab never starts the program.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sorry_lan.cli.arguments import COMMANDS, FLAGS, GLOBAL, Arguments, Command, Flag, Takes, UsageError
from sorry_lan.cli.output import say
from sorry_lan.cli.values import SHELLS, Kind, behind, operand, spellings
from sorry_lan.ui.catalogue import _
from sorry_lan.wire.words import WORDS


def run(arguments: Arguments) -> int:
    """Print the script of the shell that is the operand; 0. UsageError where it is none of the three."""
    if arguments.operand not in SHELLS:
        raise UsageError(_("completion needs one of {shells} behind it.").format(shells=", ".join(SHELLS)))
    say(script(arguments.operand).splitlines())
    return 0


def script(shell: str) -> str:
    """The script for one of SHELLS."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]()


def _flags(command: Command) -> tuple[Flag, ...]:
    return tuple(FLAGS[name] for name in (*command.flags, *GLOBAL))


def _names(flags: Iterable[str]) -> str:
    return " ".join(name for flag in flags for name in spellings(flag))


_BASH: Final = r"""# bash completion for sorry-lan. To use it: eval "$(sorry-lan completion bash)"
_sorry_lan_code() {
    local begun=
    [[ $1 == *-* ]] && begun=${1%-*}-
    COMPREPLY=($(compgen -P "$begun" -W '@WORDS@' -- "${1##*-}"))
    if [[ $begun != *-*-* ]]; then
        COMPREPLY=("${COMPREPLY[@]/%/-}")
        compopt -o nospace 2>/dev/null
    fi
}
_sorry_lan_paths() {
    local IFS=$'\n'
    COMPREPLY=($(compgen "$1" -- "$2"))
    compopt -o filenames 2>/dev/null
}
_sorry_lan() {
    local i at words= command= begun= cur=${COMP_WORDS[COMP_CWORD]} flag=${COMP_WORDS[COMP_CWORD-1]}
    COMPREPLY=()
    # bash cuts words at "=": --flag=value is three of them, and so is switch=value.
    at=$COMP_CWORD
    if [[ $cur == = ]]; then
        cur=
    elif [[ $flag == = ]]; then
        at=$((COMP_CWORD - 1))
    fi
    if [[ ${COMP_WORDS[at]} == = ]]; then
        flag=${COMP_WORDS[at-1]}
        if [[ $flag != --* ]]; then
            begun=$flag=
            flag=${COMP_WORDS[at-2]}
            [[ $flag == = ]] && flag=${COMP_WORDS[at-3]}
        fi
    fi
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
            @VALUED@)
                [[ ${COMP_WORDS[i+1]} == = ]] && ((i++))
                ((i++))
                ;;
            -* | =) ;;
            *)
                command=${COMP_WORDS[i]}
                break
                ;;
        esac
    done
    case $flag in
@BEHIND@
    esac
    if [[ -z $words || $cur == -* ]]; then
        case $command in
            '') words='@COMMANDS@ @GLOBAL@' ;;
@AFTER@
            *) return ;;
        esac
        [[ $cur == -* || -z $command ]] || words=${words%%-*}
    fi
    COMPREPLY=($(compgen -W "$words" -- "$begun$cur"))
    [[ -n $begun ]] && COMPREPLY=("${COMPREPLY[@]#"$begun"}")
    return 0
}
complete -F _sorry_lan sorry-lan
"""


def _bash() -> str:
    valued = [flag for flag in FLAGS.values() if flag.takes in (Takes.VALUE, Takes.VALUES)]
    cases = [f"        {_either(flag.name)}) {_bash_values(behind(flag.name))} ;;" for flag in valued]
    cases += [f"        {flag.name}) words='{' '.join(_listed(flag.name))}' ;;" for flag in _levelled()]
    after = []
    for command in COMMANDS.values():
        values = operand(command.name)
        own = _names((*command.flags, *GLOBAL))
        if isinstance(values, Kind) and values is not Kind.ANYTHING:
            found = _bash_values(values)
            after.append(f"            {command.name}) [[ $cur == -* ]] || {{ {found}; }}; words='{own}' ;;")
        else:
            listed = " ".join(values) if isinstance(values, tuple) else ""
            after.append(f"            {command.name}) words='{f'{listed} {own}'.strip()}' ;;")
    filled = {
        "@WORDS@": " ".join(WORDS),
        "@VALUED@": " | ".join(name for flag in valued for name in spellings(flag.name)),
        "@BEHIND@": "\n".join(cases),
        "@COMMANDS@": " ".join(COMMANDS),
        "@GLOBAL@": _names(GLOBAL),
        "@AFTER@": "\n".join(after),
    }
    text = _BASH
    for place, value in filled.items():
        text = text.replace(place, value)
    return text


def _either(flag: str) -> str:
    return " | ".join(spellings(flag))


def _levelled() -> tuple[Flag, ...]:
    return tuple(flag for flag in FLAGS.values() if flag.takes is Takes.LEVEL)


def _listed(flag: str) -> tuple[str, ...]:
    values = behind(flag)
    return values if isinstance(values, tuple) else ()


def _bash_values(values: tuple[str, ...] | Kind) -> str:
    match values:
        case Kind.ANYTHING:
            return "return"
        case Kind.FILE:
            return '_sorry_lan_paths -f "$cur"; return'
        case Kind.FOLDER:
            return '_sorry_lan_paths -d "$cur"; return'
        case Kind.CODE:
            return '_sorry_lan_code "$cur"; return'
        case _:
            return f"words='{' '.join(values)}'"


_ZSH: Final = r"""#compdef sorry-lan
# zsh completion for sorry-lan. To use it: eval "$(sorry-lan completion zsh)" behind compinit
_sorry_lan_code() {
    local -a codes=(@WORDS@)
    compset -P '*-'
    if [[ $IPREFIX == *-*- ]]; then
        compadd -a codes
    else
        compadd -q -S - -a codes
    fi
}
_sorry_lan() {
    local context state state_descr line ret=1
    typeset -A opt_args
    local -a commands=(
@COMMANDS@
    )
    _arguments -C \
@GLOBAL@
        '1:command:->command' '*::argument:->argument' && ret=0
    case $state in
        command) _describe -t commands command commands && ret=0 ;;
        argument)
            case $words[1] in
@AFTER@
            esac
            ;;
    esac
    return ret
}
if [ "$funcstack[1]" = _sorry_lan ]; then
    _sorry_lan "$@"
else
    compdef _sorry_lan sorry-lan
fi
"""
_DEEP: Final = " \\\n" + " " * 20


def _zsh() -> str:
    after = []
    for command in COMMANDS.values():
        specs = [spec for flag in _flags(command) for spec in _zsh_flag(flag)]
        if command.operand:
            specs.append(f"'1:{_zsh_text(_(command.operand))}:{_zsh_action(operand(command.name))}'")
        call = _DEEP.join(["_arguments", *specs])
        after += [f"                {command.name})", f"                    {call} && ret=0", "                    ;;"]
    names = [f"        '{command.name}:{_zsh_text(_(command.about))}'" for command in COMMANDS.values()]
    text = _ZSH.replace("@WORDS@", " ".join(WORDS)).replace("@COMMANDS@", "\n".join(names))
    shared = [f"        {spec} \\" for name in GLOBAL for spec in _zsh_flag(FLAGS[name])]
    return text.replace("@GLOBAL@", "\n".join(shared)).replace("@AFTER@", "\n".join(after))


def _zsh_flag(flag: Flag) -> list[str]:
    """One specification for each name of a flag."""
    names = spellings(flag.name)
    often = "*" if flag.takes is Takes.VALUES else f"({' '.join(names)})"
    about = _zsh_text(_(flag.about))
    if flag.takes is Takes.NOTHING:
        return [f"'{often}{name}[{about}]'" for name in names]
    colon = "::" if flag.takes is Takes.LEVEL else ":"
    value = f"{colon}{_zsh_text(_(flag.placeholder))}:{_zsh_action(behind(flag.name))}"
    return [f"'{often}{name}=[{about}]{value}'" for name in names]


def _zsh_action(values: tuple[str, ...] | Kind) -> str:
    match values:
        case Kind.ANYTHING:
            return " "
        case Kind.FILE:
            return "_files"
        case Kind.FOLDER:
            return "_files -/"
        case Kind.CODE:
            return "_sorry_lan_code"
        case _:
            return f"({' '.join(values)})"


def _zsh_text(text: str) -> str:
    """A text inside a specification that stands in single quotes."""
    for sign in "\\[]:":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("'", "'\\''")


_FISH: Final = """# fish completion for sorry-lan. To use it: sorry-lan completion fish | source
function __sorry_lan_code
    set -l begun (string match -r '^.*-' -- (commandline -ct))
    set -l last (string split -- - $begun)
    for word in @WORDS@
        if test (count $last) -ge 3
            echo $begun$word
        else
            echo $begun$word-
        end
    end
end
complete -c sorry-lan -f
"""


def _fish() -> str:
    lines = [_FISH.replace("@WORDS@", " ".join(WORDS)).rstrip()]
    none = "__fish_use_subcommand"
    lines += [
        f"complete -c sorry-lan -n {none} -a {command.name} -d '{_fish_text(_(command.about))}'"
        for command in COMMANDS.values()
    ]
    lines += [_fish_flag(FLAGS[name], "") for name in GLOBAL]
    for command in COMMANDS.values():
        here = f" -n '__fish_seen_subcommand_from {command.name}'"
        lines += [_fish_flag(FLAGS[name], here) for name in command.flags]
        if command.operand:
            lines.append(f"complete -c sorry-lan{here}{_fish_values(operand(command.name))}")
    return "\n".join(lines) + "\n"


def _fish_flag(flag: Flag, where: str) -> str:
    names = "".join(f" -l {n[2:]}" if n.startswith("--") else f" -s {n[1:]}" for n in spellings(flag.name))
    needs, values = "", ""
    if flag.takes is not Takes.NOTHING:
        values = _fish_values(behind(flag.name))
        needs = "" if flag.takes is Takes.LEVEL else " -r" if behind(flag.name) is Kind.FILE else " -x"
    return f"complete -c sorry-lan{where}{names}{needs}{values} -d '{_fish_text(_(flag.about))}'"


def _fish_values(values: tuple[str, ...] | Kind) -> str:
    match values:
        case Kind.ANYTHING:
            return ""
        case Kind.FILE:
            return " -F"
        case Kind.FOLDER:
            return " -a '(__fish_complete_directories)'"
        case Kind.CODE:
            return " -a '(__sorry_lan_code)'"
        case _:
            return f" -a '{' '.join(values)}'"


def _fish_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("'", "\\'")

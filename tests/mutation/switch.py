"""Chooses between a function and its mutants: what mutated modules of a copy import in place of mutmut's own switch.

mutmut's looks into the environment at each call; here a call costs one look-up, and the mutant is chosen once per fork.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
MutantDict = dict[str, Callable[..., Any]]

ORIGINAL = "_mutmut_orig"


class Chosen:
    """What is switched on in this process, and what was called since `reached` was emptied."""

    def __init__(self) -> None:
        self.mutant = ""
        """`module.name` as mutmut writes it."""
        self.reached: set[str] = set()
        """`module.function`, mangled as mutmut mangles it."""


CHOSEN = Chosen()


def switched(mutants: MutantDict, *, is_classmethod: bool = False) -> Callable[[F], F]:
    """mutmut's decorator: `mutants` is filled after the function's definition."""

    def wrap(function: F) -> F:
        module = function.__module__
        function_key = ""

        @wraps(function)
        def choose(*args: Any, **kwargs: Any) -> Any:
            nonlocal function_key
            original = mutants[ORIGINAL]
            if not function_key:
                function_key = f"{module}.{original.__name__.rpartition('__mutmut_')[0]}"
            CHOSEN.reached.add(function_key)
            place, _, name = CHOSEN.mutant.rpartition(".")
            chosen = mutants.get(name, original) if place == module else original
            if is_classmethod:
                return getattr(args[0], chosen.__name__)(*args[1:], **kwargs)
            return chosen(*args, **kwargs)

        return choose  # type: ignore[return-value]

    return wrap

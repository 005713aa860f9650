"""What a JSON value is, for the type checker."""

from __future__ import annotations

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]
Object = dict[str, Json]

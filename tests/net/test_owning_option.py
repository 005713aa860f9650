"""Whose a port is, on systems that are not this one."""

from __future__ import annotations

import socket
from types import SimpleNamespace

from sorry_lan.net.listener import owning_option


def test_on_windows_a_port_is_kept_from_others_and_elsewhere_it_is_free_again_at_once() -> None:
    assert owning_option(SimpleNamespace(SO_EXCLUSIVEADDRUSE=-5, SO_REUSEADDR=4)) == -5
    assert owning_option(SimpleNamespace(SO_REUSEADDR=2)) == socket.SO_REUSEADDR

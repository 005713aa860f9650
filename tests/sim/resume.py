"""How a client comes back: a new process made of what the old one left on its disk.

Only where the product can do that; the simulator asks the Table itself whether it can.
"""

from __future__ import annotations

import inspect

from sorry_lan.table.table import Table

POSSIBLE = "saved" in inspect.signature(Table).parameters
"""Whether a Table can be made of a saved game."""

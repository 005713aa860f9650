"""`python -m sorry_lan` is the command `sorry-lan`."""

from __future__ import annotations

import sys

from sorry_lan.cli.main import main

sys.exit(main())

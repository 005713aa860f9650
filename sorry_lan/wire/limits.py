"""Every bound of the protocol, each with the attack it stops or the arithmetic behind it.

Nothing else in the project holds a protocol bound ([L-1]).
"""

from __future__ import annotations

from typing import Final

# Values (canonical msgpack)
UINT_MAX: Final = 2**63 - 1
"""Largest integer: fits a signed 64-bit integer of any implementation."""
MAX_DEPTH: Final = 6
"""Nesting of arrays: a thousand levels decode well and then kill `repr` and logging with RecursionError."""
MAX_ARRAY: Final = 64
"""Elements an array: nested array headers would otherwise reserve 512 KiB each before a byte of content."""
MAX_NODES: Final = 2048
"""Values in one frame: with MAX_ARRAY, bounds what 64 KiB can unfold to."""
MAX_BLOB: Final = 49_152
"""Bytes of one string or binary value."""

# Frames
MAX_FRAME: Final = 65_536
"""Bytes of a frame after AUTH; checked before anything is allocated."""
MAX_FRAME_BEFORE_AUTH: Final = 2048
"""Bytes of a frame from a stranger: HELLO and AUTH are below 400."""

# Fields
MAX_NAME: Final = 24
MAX_CHAT: Final = 200
MAX_BYE_TEXT: Final = 80
MAX_ADDRESS: Final = 64
MAX_ADDRESSES: Final = 4
MAX_TITLE: Final = 40
MAX_APP: Final = 32
MAX_RULES: Final = 256
MAX_TABLE: Final = 4096
"""Bytes of a TABLE document: 4 seats of 142 bytes, the rules, and a parent with its snapshot need about 1,400."""
MAX_SNAPSHOT: Final = 512
MAX_BODY: Final = 256
"""Bytes of one signed entry body; the largest (a MOVE) takes 88."""
MAX_RECORD_ENTRIES: Final = 8
"""Entries of one step: 4 shares, 1 move, 3 acknowledgements."""
MAX_WANT: Final = 16
MAX_MINE_BODY: Final = 16_384
MAX_MINE_ENTRIES: Final = 24
MAX_SEATS: Final = 4
MIN_SEATS: Final = 2

# Game
CHAIN_LENGTH: Final = 4096
"""Steps a game id can have; games of four last about 270 turns. A constant, not a field: nobody can shrink it."""

# Links
MAX_UNAUTHENTICATED: Final = 16
MAX_UNAUTHENTICATED_PER_ADDRESS: Final = 4
"""Half-open links: above that the oldest is closed to admit the new one, so a flood cannot lock a friend out."""
MAX_PEERS: Final = 3
MAX_WATCHERS: Final = 8
QUEUE_FRAMES: Final = 256
QUEUE_BYTES: Final = 1_048_576
"""What may wait for one slow reader before its link is dropped: the others never wait for it."""
ENTRY_BUCKET: Final = 256
ENTRY_REFILL_PER_S: Final = 100
ENTRY_REFILL_PER_STEP: Final = 16
"""Entries a link may bring: a flood of valid duplicates would cost 105 microseconds of verification each."""
CHAT_PER_S: Final = 2
NAMES_PER_S: Final = 2
"""WATCHERS of a link that are shown: whoever comes and goes all the time is not to fill the screens of others."""
FOREIGN_ENTRIES: Final = 32
"""Entries kept a link for a game whose TABLE has not come yet."""
PAKE_PER_S: Final = 2
PAKE_FAILURES: Final = 5
"""Wrong guesses a code survives: success at most 5 in 2**24."""

# Timers, milliseconds
SETUP_MS: Final = 10_000
"""TLS, HELLO and AUTH in all, not per read: one byte a second ends here."""
FRAME_MS: Final = 10_000
STATUS_MS: Final = 1_000
LINK_DEAD_MS: Final = 3_000
REDIAL_MS: Final = 500
REDIAL_GIVE_UP_MS: Final = 1_000
REDIAL_FAST_FOR_MS: Final = 60_000
REDIAL_SLOWEST_MS: Final = 10_000
AWAY_SHOWN_MS: Final = 10_000
ABSENCE_MS: Final = 60_000
NUDGE_MS: Final = 60_000
IDLE_OFFER_MS: Final = 600_000
CONSENT_MS: Final = 30_000
LINGER_MS: Final = 30_000
"""How long a finished game waits for missing acknowledgements, and answers stragglers."""
SUSPEND_GAP_MS: Final = 5_000
DUPLICATE_LINK_MS: Final = 2_000

# Files
MAX_JOURNAL: Final = 16 * 1024 * 1024

DEFAULT_PORT: Final = 7777

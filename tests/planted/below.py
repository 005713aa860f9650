"""Wrong bytes and wrong files: below the table, where the vectors and the store's own tests look."""

from __future__ import annotations

from tests.planted.variant import Variant, by_tests, sim

CODEC = "wire/codec.py"

BELOW: tuple[Variant, ...] = (
    by_tests(
        "longer forms of numbers are read", CODEC,
        "    if number < low:\n", "    if number < 0:\n", "tests/conformance/test_codec.py",
    ),
    by_tests(
        "bytes may be left over", CODEC,
        "    if at != end:\n", "    if at > end:\n", "tests/conformance", "tests/wire",
    ),
    by_tests(
        "arrays may be nested without end", CODEC,
        "                if len(outer) > limits.MAX_DEPTH:\n", "                if len(outer) > 2000:\n",
        "tests/conformance", "tests/wire",
    ),
    sim(
        "bad text breaks the decoder", CODEC,
        "    except (ValueError, msgpack.exceptions.UnpackException) as wrong:\n        raise RemoteFault(",
        "    except msgpack.exceptions.UnpackException as wrong:\n        raise RemoteFault(",
        "--faults", "none", "--adversaries", "garbage",
    ),
    by_tests(
        "true is a number", "wire/shapes.py",
        "        if type(value) is not int or not low <= value <= high:",
        "        if not isinstance(value, int) or not low <= value <= high:",
        "tests/conformance", "tests/wire",
    ),
    by_tests(
        "weak keys are keys", "wire/keys.py",
        "    if y in _WEAK:\n", "    if y == 0:\n", "tests/conformance/test_keys.py",
    ),
    by_tests(
        "a signature holds in every context", "wire/keys.py",
        'b"".join((DOMAIN, u8(context), game_id, body))', 'b"".join((DOMAIN, b"\\x03", game_id, body))',
        "tests/conformance", "tests/wire",
    ),
    by_tests(
        "a pick favours low numbers", "wire/digest.py",
        "    fair = 256 - 256 % ways\n", "    fair = 256\n", "tests/conformance/test_draw.py",
    ),
    by_tests(
        "a frame's length is believed", "wire/frames.py",
        "            raise RemoteFault(Err.BAD_FRAME, f\"a frame of {length} bytes; 1..{self.limit} are allowed\")",
        "            return None",
        "tests/conformance/test_frames.py", "tests/wire/test_frames.py",
    ),
    by_tests(
        "two frames in one packet are one", "wire/frames.py",
        "        while (payload := self.pull()) is not None:\n", "        if (payload := self.pull()) is not None:\n",
        "tests/conformance/test_frames.py", "tests/wire/test_frames.py",
    ),
    by_tests(
        "the journal's checksum is not looked at", "store/journal.py",
        '    return body if zlib.crc32(body).to_bytes(4, "big") == data[at + 4 : at + _HEADER] else None',
        "    return body",
        "tests/store/test_journal.py",
    ),
    by_tests(
        "the journal is not synced", "store/journal.py",
        "                self._disk.sync(self._descriptor)\n", "", "tests/store/test_journal.py",
    ),
    by_tests(
        "a torn tail stays before the next record", "store/journal.py",
        "            self._disk.truncate(descriptor, self.size)\n", "", "tests/store/test_journal.py",
    ),
    by_tests(
        "damage before whole records counts as a torn tail", "store/journal.py",
        "    if at < len(data) and _whole_record_behind(data, at):\n", "    if at < 0:\n",
        "tests/store/test_journal.py",
    ),
    by_tests(
        "after a failed sync the records count as written", "store/journal.py",
        "            self.waiting = self.unsynced + self.waiting\n", "            self.waiting = self.waiting[:]\n",
        "tests/store/test_journal.py",
    ),
    by_tests(
        "a file is put in place before it is synced", "store/disk.py",
        "                write_all(disk, descriptor, content)\n                disk.sync(descriptor)\n",
        "                write_all(disk, descriptor, content)\n", "tests/store",
    ),
    by_tests(
        "an identity is locked by nobody", "store/identity.py",
        "                take_lock(lock)\n", "                pass\n",
        "tests/store/test_identity.py",
    ),
    by_tests(
        "the boot counter stays", "store/identity.py",
        '        boot = int.from_bytes(data[:8], "big") + 1\n', '        boot = int.from_bytes(data[:8], "big")\n',
        "tests/store/test_identity.py",
    ),
)  # fmt: skip

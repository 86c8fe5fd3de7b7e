"""Parts of a page that are kept compressed in it and unpacked by its script.

The pages of formulas and findings are most of a report and say much of it many times over. Compressed they take a
fifteenth of the room. Tables stay as they are: they are read without a script, too.
"""

from __future__ import annotations

import base64
import re
import zlib

_PACKED = re.compile(r'<script type="text/plain" id="packed">([A-Za-z0-9+/=]*)</script>')


def pack(text: str) -> str:
    """Return ``text`` compressed (zlib) in base 64: what the script of the page unpacks."""
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def unpack(page: str) -> str:
    """Return ``page`` with its packed part in the place where its script puts it."""
    return _PACKED.sub(lambda found: zlib.decompress(base64.b64decode(found[1])).decode(), page)

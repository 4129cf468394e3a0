"""Blobs: content under its own hash, stored compressed.

A key names the content, never the stored bytes: two builds of zlib may compress equal content
to different bytes, and both are right. `stored_hash` covers the bytes as they lie in the file,
because zlib has bytes whose change leaves the content as it was.
"""

import zlib

MAX_BLOB = 2**27
"""Most bytes that one content may have."""


def pack(content: bytes) -> bytes:
    """Return the stored form of a content.

    Raises:
        ValueError: when the content is larger than `MAX_BLOB`.
    """
    if len(content) > MAX_BLOB:
        raise ValueError(f"a content of {len(content)} bytes is larger than {MAX_BLOB}")
    return zlib.compress(content)


def unpack(stored: bytes, size: int) -> bytes:
    """Return the content of `size` bytes; never makes more than one byte beyond it.

    Raises:
        ValueError: when the stored bytes are no whole zlib stream of exactly that size.
    """
    if not 0 <= size <= MAX_BLOB:
        raise ValueError(f"{size} bytes is no size of a content")
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(stored, size + 1)
    except zlib.error as error:
        raise ValueError(f"the stored bytes cannot be decompressed: {error}") from None
    if len(content) != size or not stream.eof or stream.unused_data:
        raise ValueError(f"the stored bytes are no content of {size} bytes")
    return content

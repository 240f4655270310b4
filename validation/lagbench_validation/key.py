"""The key that senders and receivers share."""

import os
from pathlib import Path


def make_key(directory: Path) -> Path:
    """Returns a new file with a key."""
    path = directory / "key"
    path.touch(0o600)
    path.write_text(os.urandom(32).hex())
    return path

"""Which commit of the code is running, for whatever records how it was made."""

import subprocess
from pathlib import Path
from typing import Any


def commit_of_code() -> dict[str, Any] | None:
    """Return the commit (`sha1`) and whether the code was changed since (`dirty`), or None outside of git."""
    git = ["git", "-C", str(Path(__file__).parent)]
    try:
        head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
        state = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return {"sha1": head.stdout.strip(), "dirty": bool(state.stdout.strip())}

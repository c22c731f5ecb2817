"""Which commit of the code is running, for whatever records how it was made."""

import subprocess
from pathlib import Path
from typing import Any

_CODE = [f":(top){place}" for place in ("Snakefile", "rules", "schemas", "src", "resources/prompts")]


def commit_of_code() -> dict[str, Any] | None:
    """Return the commit (`sha1`) and whether the code was changed since (`dirty`), or None outside of git.

    Files beside the code, such as a configuration of one's own, are no change of it.
    """
    git = ["git", "-C", str(Path(__file__).parent)]
    try:
        head = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
        state = subprocess.run(
            [*git, "status", "--porcelain", "--", *_CODE], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return {"sha1": head.stdout.strip(), "dirty": bool(state.stdout.strip())}

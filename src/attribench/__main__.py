"""The command ``attribench``: what is done beside the workflow, so far with the ledger alone."""

import sys

from attribench.ledger.command import main as ledger


def main() -> int:
    """Run ``attribench ledger ...``; return the exit code."""
    if sys.argv[1:2] == ["ledger"]:
        return ledger(sys.argv[2:])
    print("usage: attribench ledger {list,export,import,verify} ...", file=sys.stderr)
    return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2


if __name__ == "__main__":
    sys.exit(main())

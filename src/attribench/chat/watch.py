"""A program that runs a command and ends it when whoever started it is gone, however it went.

    python watch.py command argument ...

Its standard input is a pipe from the process that it works for, which never writes to it: when
that process ends, be it by SIGKILL, the system closes the pipe. The command gets a session of its
own, and everything in it is ended; should this program itself be killed, Linux ends the command.
Nothing but the standard library is imported, so that it starts at once.
"""

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import time

GRACE = 10.0
"""Time that the command has to end after SIGTERM before SIGKILL, in seconds."""

_PR_SET_PDEATHSIG = 1


def main(command: list[str]) -> int:
    """Run `command` until it ends or the pipe is closed; return its exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches everybody; whoever started this ends it
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # through the finally below
    try:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=_end_with_this_process
        )
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr, flush=True)
        return 127
    try:
        while child.poll() is None:
            if select.select([0], [], [], 0.1)[0] and not os.read(0, 1024):
                break
        return child.poll() or 0
    finally:
        _end(child)


def _end(child: "subprocess.Popen[bytes]") -> None:
    """End everything in the command's session: with SIGTERM, and what is left then with SIGKILL."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGTERM)
        end = time.monotonic() + GRACE
        while time.monotonic() < end:
            child.poll()
            os.killpg(child.pid, 0)  # raises once nobody is left
            time.sleep(0.05)
        os.killpg(child.pid, signal.SIGKILL)


def _end_with_this_process() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What each job of a running Snakemake takes: time, processor time and memory, by looking at its processes."""

import re
import threading
import time
from dataclasses import dataclass

import psutil

INTERVAL = 0.25
"""Seconds between two looks; what a job does after the last look is counted as Snakemake's own."""

_SCRIPT = re.compile(r"/scripts/tmp[^/]*?\.(\w+)\.py$")


@dataclass
class Job:
    """One job: the rule's step, seconds from start to end and of processor time, and the largest memory in MB."""

    step: str
    wall: float = 0.0
    cpu: float = 0.0
    megabytes: float = 0.0


class ProcessWatch(threading.Thread):
    """Watches the descendants of a process until `finish`.

    The processor time of a job is that of its process, of those below it, and of those below it that have ended.
    Memory is the sum of what its processes have resident: what they share counts in each.
    """

    def __init__(self, root: int) -> None:
        """Begin to watch what is below the process `root`."""
        super().__init__(daemon=True)
        self._root = psutil.Process(root)
        self._over = threading.Event()
        self._jobs: dict[tuple[int, float], Job] = {}
        self._steps: dict[tuple[int, float], str | None] = {}
        self.start()

    def run(self) -> None:
        """Look, until told to end."""
        while not self._over.wait(INTERVAL):
            try:
                below = self._root.children(recursive=True)
            except psutil.Error:
                return
            for process in below:
                step = self._step_of(process)
                if step:
                    self._look(step, process)

    def finish(self) -> list[Job]:
        """End, and return the jobs that were seen."""
        self._over.set()
        self.join()
        return list(self._jobs.values())

    def _step_of(self, process: psutil.Process) -> str | None:
        """Return the step that a process was started for; None for what belongs to another process, or to nothing."""
        identity = (process.pid, process.create_time())
        if identity not in self._steps:
            try:
                command = process.cmdline()
            except psutil.Error:
                return None
            if not command:
                return None
            found = [match.group(1) for word in command if (match := _SCRIPT.search(word))]
            # A shell that starts the script has the path within one long word.
            self._steps[identity] = found[0] if found and "python" in command[0] else None
        return self._steps[identity]

    def _look(self, step: str, process: psutil.Process) -> None:
        job = self._jobs.setdefault((process.pid, process.create_time()), Job(step))
        cpu = memory = 0.0
        try:
            members = [process, *process.children(recursive=True)]
        except psutil.Error:
            return
        for member in members:
            try:
                with member.oneshot():
                    times = member.cpu_times()
                    memory += member.memory_info().rss / 1e6
            except psutil.Error:
                continue
            cpu += times.user + times.system + times.children_user + times.children_system
        job.wall = time.time() - process.create_time()
        job.cpu = max(job.cpu, cpu)
        job.megabytes = max(job.megabytes, memory)

"""Runs one command as a child process and measures what it cost."""

import dataclasses
import os
import statistics
import subprocess
import tempfile
import time


class Failed(Exception):
    """A command that did not end with exit status 0."""


@dataclasses.dataclass(frozen=True)
class Cost:
    """What one run, or the median of several, cost; children that the command waited for included."""

    cpu_s: float
    wall_s: float
    peak_mb: float


def run(command):
    """Runs `command` to its end, its output thrown away, and returns its cost.

    The peak is the largest resident set the kernel saw. Linux counts the moment between fork and
    exec too, so it is never below that of this interpreter, about 12 MB.
    """
    with tempfile.TemporaryFile() as complaints:
        start = time.monotonic()
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=complaints
        )
        _, status, usage = os.wait4(child.pid, 0)
        wall_s = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            complaints.seek(0)
            last = complaints.read().decode(errors="replace").strip().splitlines()[-5:]
            raise Failed(f"{' '.join(command)} ended with {child.returncode}: {' | '.join(last)}")
    return Cost(usage.ru_utime + usage.ru_stime, wall_s, usage.ru_maxrss / 1024)


def median(costs):
    """The median of each column of `costs`."""
    columns = zip(*(dataclasses.astuple(cost) for cost in costs))
    return Cost(*(statistics.median(column) for column in columns))


def in_alternation(commands, rounds, budget_s):
    """Runs each of the named commands up to `rounds` times, one after the other, over and over.

    Alternation spreads the noise of a shared machine over all of them. A command drops out once its
    runs took `budget_s` seconds of wall time together; each runs at least once.
    """
    costs = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            if sum(cost.wall_s for cost in costs[name]) < budget_s:
                costs[name].append(run(command))
    return costs

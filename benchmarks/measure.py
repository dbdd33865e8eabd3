"""Run a program; print wall and processor seconds, peak bytes and exit code.

    python -I -S measure.py time|memory PROGRAM [ARGUMENT]...

Its standard output goes to the file `out`, its standard error to the file `err`. This runs in a
process of its own that imports very little, because the system counts the memory of a process
before `exec` towards the peak of the new program.

The system knows the peak of each process. With `memory`, on Linux, the processes of a program are
sampled while they run, and their proportional set sizes are added up: pages that several share
count once. Sampling slows them down, so times are measured without it.
"""

from __future__ import annotations

import _thread
import os
import sys
import time

#: Linux counts peaks in KiB.
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
LOOK_EVERY_S = 0.02

_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
_FILES = [
    (os.POSIX_SPAWN_OPEN, 1, "out", _NEW, 0o600),
    (os.POSIX_SPAWN_OPEN, 2, "err", _NEW, 0o600),
]


def main(task: str, command: list[str]) -> None:
    """Run a command to its end."""
    together = [0]
    began = time.perf_counter()
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=_FILES)
    if task == "memory":
        _thread.start_new_thread(_watch, (process, together))
    _, status, used = os.wait4(process, 0)
    wall_s = time.perf_counter() - began
    peak_bytes = max(used.ru_maxrss * PEAK_UNIT, *together)
    cpu_s = used.ru_utime + used.ru_stime
    print(wall_s, cpu_s, peak_bytes, os.waitstatus_to_exitcode(status))


def _watch(process: int, together: list[int]) -> None:
    """Append the total memory of a process and its descendants to `together`, again and again."""
    while True:
        time.sleep(LOOK_EVERY_S)
        family = [process, *_descendants(process)]
        if len(family) > 1:  # the system knows the peak of a single process
            together.append(sum(map(_held_bytes, family)))


def _descendants(process: int) -> list[int]:
    try:
        threads = os.listdir(f"/proc/{process}/task")
        lists = [_read(f"/proc/{process}/task/{thread}/children") for thread in threads]
    except OSError:  # it has ended, or the system is not Linux
        return []
    children = [int(child) for child in " ".join(lists).split()]
    return sum(map(_descendants, children), children)


def _held_bytes(process: int) -> int:
    try:
        rows = _read(f"/proc/{process}/smaps_rollup").splitlines()
    except OSError:
        return 0
    return sum(int(row.split()[1]) * 1024 for row in rows if row.startswith("Pss:"))


def _read(path: str) -> str:
    with open(path) as file:
        return file.read()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])

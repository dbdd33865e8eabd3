"""Run a program and print what it cost: seconds, seconds of processors, peak bytes, exit code.

    python -I -S gauge.py PROGRAM [ARGUMENT]...

Its standard output becomes the file `out`, its standard error the file `err`. This stands in a
process of its own, which imports next to nothing, because the system counts what a process held
before it became another program as that program's peak.
"""

from __future__ import annotations

import os
import sys
import time

#: Linux counts the peak in KiB.
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024

_NEW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


def main(command: list[str]) -> None:
    """Run a command to its end."""
    files = [
        (os.POSIX_SPAWN_OPEN, 1, "out", _NEW, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, "err", _NEW, 0o600),
    ]
    began = time.perf_counter()
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=files)
    _, status, used = os.wait4(process, 0)
    wall_s = time.perf_counter() - began
    cpu_s = used.ru_utime + used.ru_stime
    print(wall_s, cpu_s, used.ru_maxrss * PEAK_UNIT, os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main(sys.argv[1:])

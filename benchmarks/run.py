"""Run the programs of a workload in turn, as separate processes, and compute medians."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import data, peers
from benchmarks.peers import Command, Found, PeerPaths
from benchmarks.results import Cost, Outcome
from benchmarks.workloads import Run, Workload

MEASURE = Path(__file__).with_name("measure.py")

#: Longer runs are not repeated: noise matters less there.
ONCE_S = 20

#: Prefixes of environment variables that would change a run.
_UNWANTED = ("COVERAGE", "FEED2SITEMAP_", "PYTHON")


class _RunError(Exception):
    """A program failed, or found a wrong number of entries."""


@dataclass(frozen=True, slots=True)
class _Program:
    """A command, and the folder whose content is copied to its working directory."""

    command: Command
    before: Path | None = None


def _our_program() -> Command:
    """Return the installed command, or `python -m converter` if it is not installed."""
    script = shutil.which("feed2sitemap", path=sysconfig.get_path("scripts"))
    return (script,) if script else (sys.executable, "-m", "converter")


@dataclass(slots=True)
class Runner:
    """Runs workloads; remembers which other programs were found and which are missing."""

    folder: Path
    paths: PeerPaths
    repeat: int
    say: Callable[[str], None]
    found: dict[str, Found | str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    #: Names of workloads in which our own program failed.
    failed: list[str] = field(default_factory=list)

    def run(self, workload: Workload) -> Outcome:
        """Measure a workload; programs that fail are left out."""
        made = data.generate(workload.source, self.folder)
        with ExitStack() as folders:
            costs = self._costs(workload, self._programs(workload, made, folders), made.entries)
        typical = {name: Cost.typical(runs) for name, runs in costs.items() if runs}
        for name, cost in typical.items():
            self.say(f"{workload.name}: {name} {cost.wall_s:.3f} s, {cost.peak_bytes >> 20} MiB")
        return Outcome(
            name=workload.name,
            group=workload.group,
            title=workload.title,
            source_bytes=made.size_bytes,
            entries=made.entries,
            aims=workload.aims,
            costs=typical,
        )

    def _programs(
        self, workload: Workload, made: data.SourceFile, folders: ExitStack
    ) -> dict[str, _Program]:
        """Prepare the programs: our runs first, then the other programs that were found."""
        programs: dict[str, _Program] = {}
        for name, run in workload.ours.items():
            command = self._command(workload, run)
            before = None
            if run.before:
                folder = folders.enter_context(tempfile.TemporaryDirectory(dir=self.folder))
                before = Path(folder)
                published = self._command(workload, run.before)
                subprocess.run(
                    published, check=True, cwd=before, capture_output=True, env=_environment()
                )
            programs[name] = _Program(command, before)
        for name in workload.peers:
            peer = self._peer(name)
            if isinstance(peer, Found):
                programs[name] = _Program((*peer.command, str(made.path)))
        return programs

    def _command(self, workload: Workload, run: Run) -> Command:
        paths = [data.generate(source, self.folder).path for source in workload.sources(run)]
        for path in paths:
            _warm(path)
        return (*_our_program(), *map(str, paths), *run.words)

    def _peer(self, name: str) -> Found | str:
        if name not in self.found:
            self.found[name] = peer = peers.find(name, self.paths)
            if isinstance(peer, str):
                self._leave_out(peer)
        return self.found[name]

    def _leave_out(self, sentence: str) -> None:
        self.left_out.append(sentence)
        self.say(sentence)

    def _costs(
        self, workload: Workload, programs: Mapping[str, _Program], entries: int
    ) -> Mapping[str, list[Cost]]:
        costs: dict[str, list[Cost]] = {name: [] for name in programs}
        peaks: dict[str, int] = {}
        for _ in range(self.repeat * workload.times):
            for name in tuple(costs):
                if costs[name] and costs[name][0].wall_s > ONCE_S:
                    continue
                try:
                    if not costs[name]:
                        sampled = self._cost("memory", programs[name], entries)
                        if sampled.wall_s > ONCE_S:
                            costs[name].append(sampled)
                            continue
                        peaks[name] = sampled.peak_bytes
                    cost = self._cost("time", programs[name], entries)
                    costs[name].append(cost.at_least(peaks[name]))
                except _RunError as failure:
                    del costs[name]
                    self._leave_out(f"{name} is left out of {workload.name}: {failure}")
                    if name in workload.ours:
                        self.failed.append(workload.name)
        return costs

    def _cost(self, task: str, program: _Program, entries: int) -> Cost:
        """Run a program once, in a temporary folder on the disk with the data.

        Args:
            task: `time` or `memory`, see `measure.py`.
            program: the program.
            entries: the number that it must print, if it prints one.

        Raises:
            _RunError: it failed, or printed another number of entries.
        """
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            if program.before is not None:
                shutil.copytree(program.before, name, dirs_exist_ok=True)
            wall_s, cpu_s, peak_bytes, code = _measure(task, program.command, Path(name))
            counted, complaint = _end(Path(name, "out")), _end(Path(name, "err"))
        if code:
            last = " ".join(complaint.splitlines()[-2:])
            raise _RunError(f"exit {code}: {last or 'no message'}")
        if counted.isdigit() and int(counted) != entries:
            raise _RunError(f"it found {int(counted):,} of {entries:,} entries")
        return Cost(wall_s, cpu_s, peak_bytes)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(_UNWANTED)}


def _measure(task: str, command: Iterable[str], folder: Path) -> tuple[float, float, int, int]:
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(MEASURE), task, *command],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env=_environment(),
    )
    wall_s, cpu_s, peak_bytes, code = done.stdout.split()
    return float(wall_s), float(cpu_s), int(peak_bytes), int(code)


def _end(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 2000))
        return file.read().decode(errors="replace").strip()


def _warm(path: Path) -> None:
    """Read a file into the cache of the system, so that no program is the first to read it."""
    with path.open("rb") as file, Path(os.devnull).open("wb") as nowhere:
        shutil.copyfileobj(file, nowhere, 1 << 20)

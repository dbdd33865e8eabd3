"""Runs all programs of a workload in turn, each as a whole process, and takes the medians."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import data, peers
from benchmarks.peers import Command, Found, Places
from benchmarks.results import Cost, Outcome
from benchmarks.workloads import ANEW, STANDING, Workload

__all__ = ["Bench", "has_option"]

GAUGE = Path(__file__).with_name("gauge.py")

#: What takes longer is not repeated: a moment of noise is little of it.
ONCE_S = 20
#: Of a profile.
MOST_MODULES = 6

#: What in the environment would change a run: settings of ours, of Python, of coverage.
_UNWANTED = ("COVERAGE", "FEED2SITEMAP_", "PYTHON")


class _RunError(Exception):
    """A program did not do what it was to do."""


def _program() -> Command:
    """Give the command as users have it, or where it is not installed, the nearest thing."""
    script = shutil.which("feed2sitemap", path=sysconfig.get_path("scripts"))
    return (script,) if script else (sys.executable, "-m", "converter")


def has_option(option: str) -> bool:
    """Tell whether our program knows an option."""
    done = subprocess.run([*_program(), "--help"], capture_output=True, text=True, check=True)
    return option in done.stdout


@dataclass(slots=True)
class Bench:
    """Where workloads are run; remembers which peers there are, and which had to be left out."""

    folder: Path
    places: Places
    repeat: int
    say: Callable[[str], None]
    found: dict[str, Found | str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    #: Workloads that our own program failed in.
    failed: list[str] = field(default_factory=list)

    def run(self, workload: Workload) -> Outcome:
        """Measure a workload; what fails is left out of it."""
        made = data.make(workload.source, self.folder) if workload.source else None
        if made:
            _warm(made.path)
        costs = self._costs(workload, self._commands(workload, made), made)
        typical = {name: Cost.typical(runs) for name, runs in costs.items() if runs}
        for name, cost in typical.items():
            self.say(f"{workload.name}: {name} {cost.wall_s:.3f} s, {cost.peak_bytes >> 20} MiB")
        return Outcome(
            name=workload.name,
            group=workload.group,
            title=workload.title,
            source_bytes=made.size_bytes if made else 0,
            entries=made.entries if made else 0,
            aims=workload.aims,
            costs=typical,
            profile=self._profile(workload) if workload.group == "conversions" else {},
        )

    def _profile(self, workload: Workload) -> dict[str, float]:
        """Look into a tenth of a workload, in one process; nothing if that does not come to an end.

        A process of its own: what is imported already here would cost nothing there.
        """
        command = (sys.executable, "-m", "benchmarks", "profile", "--data", str(self.folder))
        done = subprocess.run(
            [*command, workload.name], check=False, capture_output=True, text=True
        )
        rows = [row.split() for row in done.stdout.rpartition(" module\n")[2].splitlines()]
        return {module: float(share[:-1]) / 100 for _, share, module in rows[:MOST_MODULES]}

    def _commands(self, workload: Workload, made: data.Made | None) -> dict[str, Command]:
        sources = (str(made.path),) if made else ()
        program = _program()
        commands = {name: (*program, *sources, *words) for name, words in workload.ours.items()}
        if workload.standing:
            known = data.make(workload.standing, self.folder)
            commands[ANEW] = (*program, str(known.path), *STANDING)
        for name in workload.peers:
            peer = self._peer(name)
            if isinstance(peer, Found):
                commands[name] = (*peer.command, *sources)
        return commands

    def _peer(self, name: str) -> Found | str:
        if name not in self.found:
            self.found[name] = peer = peers.find(name, self.places)
            if isinstance(peer, str):
                self._leave_out(peer)
        return self.found[name]

    def _leave_out(self, sentence: str) -> None:
        self.left_out.append(sentence)
        self.say(sentence)

    def _costs(
        self, workload: Workload, commands: Mapping[str, Command], made: data.Made | None
    ) -> Mapping[str, list[Cost]]:
        costs: dict[str, list[Cost]] = {name: [] for name in commands}
        peaks: dict[str, int] = {}
        running = dict(commands)
        standing = self._standing(commands[ANEW]) if workload.standing else None
        entries = made.entries if made else 0
        for _ in range(self.repeat * workload.times):
            for name, command in tuple(running.items()):
                if costs[name] and costs[name][0].wall_s > ONCE_S:
                    continue
                beside = standing if name in workload.ours else None
                try:
                    if not costs[name]:
                        weighed = self._cost("weigh", command, entries, beside)
                        if weighed.wall_s > ONCE_S:
                            costs[name].append(weighed)
                            continue
                        peaks[name] = weighed.peak_bytes
                    cost = self._cost("time", command, entries, beside)
                    costs[name].append(cost.at_least(peaks[name]))
                except _RunError as failure:
                    del running[name], costs[name]
                    self._leave_out(f"{name} is left out of {workload.name}: {failure}")
                    if name in workload.ours:
                        self.failed.append(workload.name)
        return costs

    def _standing(self, command: Command) -> Path:
        """Publish a set in a folder that stays, for runs that find it beside them."""
        folder = Path(tempfile.mkdtemp(prefix="standing-", dir=self.folder))
        subprocess.run(command, check=True, cwd=folder, capture_output=True)
        return folder

    def _cost(self, task: str, command: Command, entries: int, standing: Path | None) -> Cost:
        """Run a command once, in a folder of its own on the disk where the data is.

        Args:
            task: of the gauge.
            command: what is run.
            entries: how many it should see, if it says so.
            standing: a folder that its own begins as a copy of.

        Raises:
            _RunError: with the last thing that the program said; or it saw other entries than we.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            if standing is not None:
                shutil.copytree(standing, name, dirs_exist_ok=True)
            wall_s, cpu_s, peak_bytes, code = _gauge(task, command, Path(name))
            counted, complaint = _end(Path(name, "out")), _end(Path(name, "err"))
        if code:
            last = " ".join(complaint.splitlines()[-2:])
            raise _RunError(f"exit {code}, {last or 'silently'}")
        if counted.isdigit() and int(counted) != entries:
            raise _RunError(f"it saw {int(counted):,} entries of {entries:,}")
        return Cost(wall_s, cpu_s, peak_bytes)


def _gauge(task: str, command: Iterable[str], folder: Path) -> tuple[float, float, int, int]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(_UNWANTED)}
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(GAUGE), task, *command],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env=env,
    )
    wall_s, cpu_s, peak_bytes, code = done.stdout.split()
    return float(wall_s), float(cpu_s), int(peak_bytes), int(code)


def _end(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 2000))
        return file.read().decode(errors="replace").strip()


def _warm(path: Path) -> None:
    """Let the system cache a file, so that the first program that reads it has no disadvantage."""
    with path.open("rb") as file, Path(os.devnull).open("wb") as nowhere:
        shutil.copyfileobj(file, nowhere, 1 << 20)

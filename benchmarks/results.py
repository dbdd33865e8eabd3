"""What was measured, as values and as a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import median

__all__ = ["Cost", "Outcome", "Results", "load", "save"]


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run of one program cost, from its start to its exit."""

    wall_s: float
    #: User and system, of all threads and of processes that it waited for.
    cpu_s: float
    #: Of all its processes together where the system is Linux, else of the largest.
    peak_bytes: int

    def at_least(self, peak_bytes: int) -> Cost:
        """Give it with what another run has held, if that was more."""
        return replace(self, peak_bytes=max(peak_bytes, self.peak_bytes))

    @classmethod
    def typical(cls, costs: Sequence[Cost]) -> Cost:
        """Give the medians."""
        return cls(
            median(cost.wall_s for cost in costs),
            median(cost.cpu_s for cost in costs),
            round(median(cost.peak_bytes for cost in costs)),
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a workload."""

    name: str
    group: str
    title: str
    source_bytes: int
    entries: int
    aims: Mapping[str, float]
    #: The typical cost of each program that ran, ours first.
    costs: Mapping[str, Cost]
    #: The modules that take most of our time, and how much of it.
    profile: Mapping[str, float] = field(default_factory=dict)

    @property
    def ours(self) -> Cost:
        return next(iter(self.costs.values()))


@dataclass(frozen=True, slots=True)
class Results:
    """A whole run of measurements."""

    date: str
    #: Ready to be shown: the machine, and versions.
    machine: Mapping[str, str]
    peers: Mapping[str, str]
    #: A sentence for every peer that was left out.
    absent: Sequence[str]
    scale: float
    repeat: int
    outcomes: Sequence[Outcome]


def save(results: Results, path: Path) -> None:
    """Write results as JSON."""
    path.write_text(json.dumps(asdict(results), indent=1) + "\n", "utf-8")


def load(path: Path) -> Results:
    """Read what `save` wrote."""
    read = json.loads(path.read_text("utf-8"))
    outcomes = [
        Outcome(**row | {"costs": {name: Cost(**cost) for name, cost in row["costs"].items()}})
        for row in read["outcomes"]
    ]
    return Results(**read | {"outcomes": outcomes})

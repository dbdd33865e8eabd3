"""What was measured, as values and as a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any, Literal, TypeAlias

__all__ = ["Aim", "Cost", "Measure", "Outcome", "Results", "load", "save"]

#: The fields of a cost that runs are compared by.
Measure: TypeAlias = Literal["wall_s", "cpu_s"]


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
class Aim:
    """The most that a run of ours may cost, as a multiple of the cost of another run."""

    run: str
    #: A peer, or another run of ours.
    beside: str
    by: Measure
    must: float
    #: What we aim for beyond that.
    aim: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was measured of a workload."""

    name: str
    group: str
    title: str
    source_bytes: int
    entries: int
    aims: Sequence[Aim]
    #: The median cost of each run, ours first.
    costs: Mapping[str, Cost]

    def ratio(self, aim: Aim) -> float | None:
        """Divide the costs that an aim compares; None if the other program did not run."""
        if aim.beside not in self.costs:
            return None
        ours, others = (getattr(self.costs[run], aim.by) for run in (aim.run, aim.beside))
        return float(ours / others)


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
    return Results(**read | {"outcomes": [_outcome(row) for row in read["outcomes"]]})


def _outcome(row: dict[str, Any]) -> Outcome:
    costs = {name: Cost(**cost) for name, cost in row["costs"].items()}
    return Outcome(**row | {"aims": [Aim(**aim) for aim in row["aims"]], "costs": costs})

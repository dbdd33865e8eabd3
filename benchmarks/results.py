"""Results of measurements, in memory and as a JSON file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any, Literal, TypeAlias

#: The fields of a cost that runs are compared by.
Measure: TypeAlias = Literal["wall_s", "cpu_s"]


@dataclass(frozen=True, slots=True)
class Cost:
    """Time and memory of one run of a program, from its start to its exit."""

    wall_s: float
    #: User and system time of all its threads and processes.
    cpu_s: float
    #: On Linux of all its processes together, elsewhere of the largest.
    peak_bytes: int

    def at_least(self, peak_bytes: int) -> Cost:
        """Return the cost with the peak memory of another run if that is greater."""
        return replace(self, peak_bytes=max(peak_bytes, self.peak_bytes))

    @classmethod
    def typical(cls, costs: Sequence[Cost]) -> Cost:
        """Return the medians."""
        return cls(
            median(cost.wall_s for cost in costs),
            median(cost.cpu_s for cost in costs),
            round(median(cost.peak_bytes for cost in costs)),
        )


@dataclass(frozen=True, slots=True)
class Aim:
    """The maximum cost of one of our runs, as a multiple of the cost of another run."""

    run: str
    #: The name of another program, or of another of our runs.
    compared_with: str
    by: Measure
    must: float
    #: A lower multiple that is wanted.
    aim: float | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The results of a workload."""

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
        if aim.compared_with not in self.costs:
            return None
        ours, others = (getattr(self.costs[run], aim.by) for run in (aim.run, aim.compared_with))
        return float(ours / others)


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a session."""

    date: str
    #: Facts by title, see `machine.facts`.
    machine: Mapping[str, str]
    peers: Mapping[str, str]
    #: A sentence for every missing program.
    absent: Sequence[str]
    scale: float
    repeat: int
    outcomes: Sequence[Outcome]


def save(results: Results, path: Path) -> None:
    """Write results as JSON."""
    path.write_text(json.dumps(asdict(results), indent=1) + "\n", "utf-8")


def load(path: Path) -> Results:
    """Read the results that `save` wrote."""
    read = json.loads(path.read_text("utf-8"))
    return Results(**read | {"outcomes": [_outcome(row) for row in read["outcomes"]]})


def _outcome(row: dict[str, Any]) -> Outcome:
    costs = {name: Cost(**cost) for name, cost in row["costs"].items()}
    return Outcome(**row | {"aims": [Aim(**aim) for aim in row["aims"]], "costs": costs})

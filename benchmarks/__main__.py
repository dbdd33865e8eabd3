"""The command line: measure, profile one conversion, count its frames, write the page."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from benchmarks import data, results, table
from benchmarks.machine import facts
from benchmarks.peers import Found, Places
from benchmarks.profile import frames_per_entry, profiled
from benchmarks.run import Bench
from benchmarks.workloads import GROUPS, Workload, workloads
from converter.conversion import clock

QUICK = 0.1
#: Entries of the two sources whose frames are compared.
FRAMES_OF = (1000, 3000)


class _Program(click.Group):
    """A group whose first word may be missing: then it is `run`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in self.commands:
            args = ["run", *args]
        return super().parse_args(ctx, args)


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()


def _chosen(names: Sequence[str], all_of_them: Sequence[Workload]) -> list[Workload]:
    """Choose workloads by their names or their groups'.

    Raises:
        click.BadParameter: a name that nothing has.
    """
    known = {name for workload in all_of_them for name in (workload.name, workload.group)}
    if unknown := [name for name in names if name not in known]:
        singles = [row.name for row in all_of_them if row.group == GROUPS[0]]
        wanted = ", ".join((*GROUPS, *singles))
        raise click.BadParameter(f"there is no {unknown[0]}; wanted one of: {wanted}")
    return [row for row in all_of_them if not names or {row.name, row.group} & set(names)]


@click.group(cls=_Program)
def program() -> None:
    """Measure what the program costs, beside what others cost."""


_data_option = click.option(
    "--data",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=lambda: _cache() / "feed2sitemap-benchmarks",
    help="Folder where sources are made and kept. Default: in the user's cache.",
)
_path = click.Path(dir_okay=False, path_type=Path)


@program.command(epilog="Other commands: profile, frames, table. Each has its own --help.")
@_data_option
@click.option("--quick", is_flag=True, help="Sources of a tenth of their size.")
@click.option("--repeat", type=click.IntRange(1), default=3, show_default=True, help="Rounds.")
@click.option("--only", multiple=True, metavar="NAME", help="A workload or a group. Repeatable.")
@click.option("--save", type=_path, help="File that the results are written to, as JSON.")
@click.option("--peers-python", envvar="ORACLES_PYTHON", help="Interpreter that has Python peers.")
@click.option("--node-modules", envvar="ORACLES_NODE", help="Folder that has Node's peers.")
def run(
    *,
    folder: Path,
    quick: bool,
    repeat: int,
    only: tuple[str, ...],
    save: Path | None,
    peers_python: str | None,
    node_modules: str | None,
) -> None:
    """Run our program and its peers in turn, on sources that are made for it."""
    scale = QUICK if quick else 1.0
    places = Places.given(peers_python, node_modules)
    bench = Bench(folder.absolute(), places, repeat, say=click.echo)
    outcomes: list[results.Outcome] = []
    for workload in _chosen(only, list(workloads(scale))):
        outcomes.append(bench.run(workload))
        if save:  # each time: an hour's work is not lost when somebody stops the rest
            results.save(_measured(bench, scale, outcomes), save)
    if bench.failed:
        raise click.ClickException(f"our own program failed in {', '.join(bench.failed)}")


def _measured(bench: Bench, scale: float, outcomes: Sequence[results.Outcome]) -> results.Results:
    found = {name: peer for name, peer in bench.found.items() if isinstance(peer, Found)}
    return results.Results(
        date=clock.now().date().isoformat(),
        machine=facts(),
        peers={name: peer.version for name, peer in found.items()},
        absent=bench.left_out,
        scale=scale,
        repeat=bench.repeat,
        outcomes=[outcome for outcome in outcomes if outcome.name not in bench.failed],
    )


@program.command()
@_data_option
@click.option("--full", is_flag=True, help="The source in its full size, not a tenth of it.")
@click.argument("name", metavar="WORKLOAD")
def profile(*, folder: Path, full: bool, name: str) -> None:
    """Show which functions and modules take the time of a workload's first run."""
    for workload in _chosen([name], list(workloads(1.0 if full else QUICK))):
        run = next(iter(workload.ours.values()))
        made = [data.make(source, folder.absolute()) for source in workload.sources(run)]
        click.echo(f"{workload.name}: {workload.title}")
        for line in profiled([*(str(file.path) for file in made), *run.words]):
            click.echo(line)


@program.command()
@_data_option
@click.option("--to", "target", default="sitemap", show_default=True, help="What is written.")
@click.argument("kind", type=click.Choice(list(data.KINDS)))
def frames(*, folder: Path, target: str, kind: str) -> None:
    """Show how many frames of ours are entered for one entry, by function."""
    few, many = (data.make(data.Source(kind=kind, entries=n), folder.absolute()) for n in FRAMES_OF)
    for line in frames_per_entry(few, many, target):
        click.echo(line)


@program.command(name="table")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def write_table(*, file: Path) -> None:
    """Write results into docs/performance.md."""
    page = table.PAGE.read_text("utf-8")
    table.PAGE.write_text(table.rendered(page, results.load(file)), "utf-8")
    click.echo(f"{table.PAGE} is written")


if __name__ == "__main__":
    program(prog_name="python -m benchmarks")

"""The command line: measure, profile a conversion, count its frames, write the tables."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from benchmarks import data, results, table
from benchmarks.machine import facts
from benchmarks.peers import Found, PeerPaths
from benchmarks.profile import frames_per_entry, profiled
from benchmarks.run import Runner
from benchmarks.workloads import GROUPS, Workload, workloads
from converter.conversion import clock

QUICK = 0.1
#: Entries of the two sources whose frames are compared.
FRAMES_OF = (1000, 3000)


class _Program(click.Group):
    """A group with `run` as its default command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in self.commands:
            args = ["run", *args]
        return super().parse_args(ctx, args)


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()


def _chosen(names: Sequence[str], all_of_them: Sequence[Workload]) -> list[Workload]:
    """Return the workloads with these names or in these groups.

    Raises:
        click.BadParameter: a name is unknown.
    """
    known = {name for workload in all_of_them for name in (workload.name, workload.group)}
    if unknown := [name for name in names if name not in known]:
        singles = [row.name for row in all_of_them if row.group == GROUPS[0]]
        wanted = ", ".join((*GROUPS, *singles))
        raise click.BadParameter(f"there is no {unknown[0]}; wanted one of: {wanted}")
    return [row for row in all_of_them if not names or {row.name, row.group} & set(names)]


@click.group(cls=_Program)
def program() -> None:
    """Measure time and memory of feed2sitemap and of other programs."""


_data_option = click.option(
    "--data",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=lambda: _cache() / "feed2sitemap-benchmarks",
    help="Folder for generated sources. Default: in the user's cache.",
)
_path = click.Path(dir_okay=False, path_type=Path)


@program.command(epilog="Other commands: profile, frames, table. Each has its own --help.")
@_data_option
@click.option("--quick", is_flag=True, help="Use sources of a tenth of the size.")
@click.option(
    "--repeat", type=click.IntRange(1), default=3, show_default=True, help="Number of rounds."
)
@click.option("--only", multiple=True, metavar="NAME", help="A workload or a group. Repeatable.")
@click.option("--save", type=_path, help="Write the results to this JSON file.")
@click.option(
    "--peers-python",
    envvar="ORACLES_PYTHON",
    help="Python interpreter with the other Python programs.",
)
@click.option("--node-modules", envvar="ORACLES_NODE", help="Folder with the other Node programs.")
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
    """Run feed2sitemap and other programs in turn on generated sources."""
    scale = QUICK if quick else 1.0
    paths = PeerPaths.given(peers_python, node_modules)
    runner = Runner(folder.absolute(), paths, repeat, say=click.echo)
    outcomes: list[results.Outcome] = []
    for workload in _chosen(only, list(workloads(scale))):
        outcomes.append(runner.run(workload))
        if save:  # each time: if the program is stopped, the results so far are kept
            results.save(_measured(runner, scale, outcomes), save)
    if runner.failed:
        raise click.ClickException(f"feed2sitemap failed in {', '.join(runner.failed)}")


def _measured(runner: Runner, scale: float, outcomes: Sequence[results.Outcome]) -> results.Results:
    found = {name: peer for name, peer in runner.found.items() if isinstance(peer, Found)}
    return results.Results(
        date=clock.now().date().isoformat(),
        machine=facts(),
        peers={name: peer.version for name, peer in found.items()},
        absent=runner.left_out,
        scale=scale,
        repeat=runner.repeat,
        outcomes=[outcome for outcome in outcomes if outcome.name not in runner.failed],
    )


@program.command()
@_data_option
@click.option("--full", is_flag=True, help="Use the full size, not a tenth.")
@click.argument("name", metavar="WORKLOAD")
def profile(*, folder: Path, full: bool, name: str) -> None:
    """Profile the first run of a workload by function and module."""
    for workload in _chosen([name], list(workloads(1.0 if full else QUICK))):
        run = next(iter(workload.ours.values()))
        made = [data.generate(source, folder.absolute()) for source in workload.sources(run)]
        click.echo(f"{workload.name}: {workload.title}")
        for line in profiled([*(str(file.path) for file in made), *run.words]):
            click.echo(line)


@program.command()
@_data_option
@click.option("--to", "target", default="sitemap", show_default=True, help="The target format.")
@click.argument("kind", type=click.Choice(list(data.KINDS)))
def frames(*, folder: Path, target: str, kind: str) -> None:
    """Count the calls of our functions per entry."""
    few, many = (
        data.generate(data.Source(kind=kind, entries=n), folder.absolute()) for n in FRAMES_OF
    )
    for line in frames_per_entry(few, many, target):
        click.echo(line)


@program.command(name="table")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def write_table(*, file: Path) -> None:
    """Write results to docs/performance.md."""
    page = table.PAGE.read_text("utf-8")
    table.PAGE.write_text(table.rendered(page, results.load(file)), "utf-8")
    click.echo(f"wrote {table.PAGE}")


if __name__ == "__main__":
    program(prog_name="python -m benchmarks")

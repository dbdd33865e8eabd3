"""What is published beside an output: news in a file of its own, and our line in robots.txt."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import combinations
from typing import TYPE_CHECKING

from converter.edge.sinks.names import Names
from converter.errors import OptionError
from converter.pipeline import Input
from converter.record import record, replace
from converter.run import Result, Run

if TYPE_CHECKING:
    from converter.beside.news import NewsFile
    from converter.edge.robots import Robots

__all__ = ["Beside"]


@record(frozen=False)
class Beside:
    """Files that come and go with an output: staged before that is published, published after."""

    run: Run
    news: NewsFile | None = None
    robots: Robots | None = None
    renews: bool | None = None
    """Does the robots.txt change? None: nobody wants it to."""

    @classmethod
    def begin(cls, run: Run, closing: ExitStack) -> Beside:
        """Take hold of the files, after the output itself.

        Raises:
            OptionError: one of them is another, or cannot be such a file.
            SinkError: one of them cannot be written, or another run holds it.
        """
        live, beside = run.job.live, cls(run=run)
        if live.news_output is None and live.robots is None:
            return beside
        _refuse_twice(run)
        if live.news_output is not None:
            from converter.beside.news import NewsFile

            beside.news = NewsFile.begin(run, live.news_output, closing)
        if live.robots is not None:
            from converter.edge.robots import Robots

            beside.robots = Robots.begin(live.robots, closing)
        return beside

    def stage(self, inputs: Sequence[Input]) -> None:
        """Get ready to publish; with `--update`, what was news before is read again.

        Raises:
            ConverterError: of any kind; nothing is published then.
        """
        if self.news is not None:
            self.news.stage(inputs)
        if self.robots is not None:
            self.renews = self.robots.stage(self._public_url())

    def publish(self, result: Result) -> Result:
        """Put the files in place, and add to the result of the output what becomes of them.

        Raises:
            SinkError: the system refuses; the output itself stands.
        """
        if self.news is not None:
            result = self.news.publish(result)
        if self.robots is not None and not self.run.job.dry_run:
            self.robots.publish()
        return replace(result, robots=self.renews)

    def _public_url(self) -> str:
        """Give the place of the output; `--gzip` puts `.gz` at its end, as to the file."""
        url = self.run.job.passes.sitemap_url or ""
        return f"{url}.gz" if self.run.job.gzip and not url.lower().endswith(".gz") else url


def _refuse_twice(run: Run) -> None:
    """Refuse what would write one file over another.

    Raises:
        OptionError: it would.
    """
    live, name = run.job.live, run.publisher.name
    output = None if name == "-" else os.path.join(run.folder, name)  # noqa: PTH118
    named = (("--output", output), ("--news-output", live.news_output), ("--robots", live.robots))
    places = [(word, path, os.path.realpath(path)) for word, path in named if path is not None]
    for (first, _, place), (word, path, other) in combinations(places, 2):
        if other == place:
            raise OptionError(f'{first} and {word} name one file, "{path}"; give each its own')
        is_beside = first == "--output" and os.path.dirname(place) == os.path.dirname(other)  # noqa: PTH120
        if is_beside and Names(name).is_part(os.path.basename(other)):  # noqa: PTH119
            raise OptionError(
                f'{word}: "{path}" is a name that the output may need for a part of itself; '
                "choose another, as sitemap-news.xml"
            )

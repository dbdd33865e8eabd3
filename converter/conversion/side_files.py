"""What is published beside an output: news in a file of its own, and our line in robots.txt."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from converter.conversion.conversion import Run
from converter.conversion.result import Result
from converter.pipeline.inputs import Input
from converter.publish import with_gz

if TYPE_CHECKING:
    from converter.conversion.news_file import NewsFile
    from converter.publish.robots_txt import Robots


@dataclass(slots=True, eq=False)
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
            OptionError: one of them cannot be such a file.
            SinkError: one of them cannot be written, or another run holds it.
        """
        live, beside = run.job.live, cls(run)
        if live.news_output is not None:
            from converter.conversion.news_file import NewsFile

            beside.news = NewsFile.begin(run, live.news_output, closing)
        if live.robots is not None:
            from converter.publish.robots_txt import Robots

            beside.robots = Robots(live.robots, closing)
        return beside

    def stage(self, inputs: Sequence[Input]) -> None:
        """Get ready to publish; with `--update`, what was news before is read again.

        Raises:
            ConverterError: of any kind; nothing is published then.
        """
        if self.news is not None:
            self.news.stage(inputs)
        if self.robots is not None:
            job = self.run.job  # the URL ends as the name of the file does
            self.renews = self.robots.stage(with_gz(job.passes.sitemap_url or "", job.gzip))

    def publish(self, result: Result) -> Result:
        """Put the files in place, and add to the result of the output what becomes of them.

        Raises:
            SinkError: the system refuses; the output itself stands.
        """
        if self.news is not None:
            result = self.news.publish(result)
        if self.robots is not None and not self.run.job.dry_run:
            self.robots.publish()
        is_new = self.robots is not None and self.robots.is_new
        return replace(result, robots=self.renews, robots_created=is_new)

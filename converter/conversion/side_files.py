"""What is published beside an output: news in a file of its own, and our line in robots.txt."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from converter.conversion.conversion import Conversion
from converter.conversion.result import Result
from converter.pipeline.inputs import Input
from converter.publish import with_gz

if TYPE_CHECKING:
    from converter.conversion.news_file import NewsFile
    from converter.publish.robots_txt import RobotsTxt


@dataclass(slots=True, eq=False)
class SideFiles:
    """Files that come and go with an output: staged before that is published, published after."""

    conversion: Conversion
    news: NewsFile | None = None
    robots: RobotsTxt | None = None
    renews: bool | None = None
    """Does the robots.txt change? None: nobody wants it to."""

    @classmethod
    def begin(cls, conversion: Conversion, closing: ExitStack) -> SideFiles:
        """Take hold of the files, after the output itself.

        Raises:
            OptionError: one of them cannot be such a file.
            SinkError: one of them cannot be written, or another run holds it.
        """
        publish, side_files = conversion.options.publish, cls(conversion)
        if publish.news_output is not None:
            from converter.conversion.news_file import NewsFile

            side_files.news = NewsFile.begin(conversion, publish.news_output, closing)
        if publish.robots is not None:
            from converter.publish.robots_txt import RobotsTxt

            side_files.robots = RobotsTxt(publish.robots, closing)
        return side_files

    def stage(self, inputs: Sequence[Input]) -> None:
        """Get ready to publish; with `--update`, what was news before is read again.

        Raises:
            ConverterError: of any kind; nothing is published then.
        """
        if self.news is not None:
            self.news.stage(inputs)
        if self.robots is not None:
            options = self.conversion.options  # the URL ends as the name of the file does
            self.renews = self.robots.stage(
                with_gz(options.transforms.sitemap_url or "", options.gzip)
            )

    def publish(self, result: Result) -> Result:
        """Put the files in place, and add to the result of the output what becomes of them.

        Raises:
            SinkError: the system refuses; the output itself stands.
        """
        if self.news is not None:
            result = self.news.publish(result)
        if self.robots is not None and not self.conversion.options.dry_run:
            self.robots.publish()
        is_new = self.robots is not None and self.robots.is_new
        return replace(result, robots=self.renews, robots_created=is_new)

"""Outputs with too few URLs are refused."""

from __future__ import annotations

import pytest

from converter.conversion import publish_guards
from converter.errors import RefusedError
from converter.options import PublishOptions


@pytest.mark.parametrize(
    ("live", "urls", "present", "dropped"),
    [
        (PublishOptions(), 1, None, 0),
        (PublishOptions(), 1, 50_000, 0),  # no limit is set
        (PublishOptions(min_urls=10), 10, None, 0),
        (PublishOptions(fail_if_shrinks=0), 10, None, 0),  # there is no existing output
        (PublishOptions(fail_if_shrinks=0), 10, 10, 0),
        (PublishOptions(fail_if_shrinks=0), 11, 10, 0),
        (PublishOptions(fail_if_shrinks=10), 90, 100, 0),  # just so much
        (PublishOptions(fail_if_shrinks=6.7), 933, 1000, 0),
        (PublishOptions(fail_if_shrinks=100), 1, 1000, 0),
        (PublishOptions(fail_if_shrinks=0), 1, 100, 99),  # these may go
        (PublishOptions(fail_if_shrinks=0), 1, 100, 100),
        (PublishOptions(fail_if_shrinks=10), 81, 100, 10),
        (PublishOptions(fail_if_shrinks=0), 5, 0, 0),
    ],
)
def test_enough_is_published(
    live: PublishOptions, urls: int, present: int | None, dropped: int
) -> None:
    publish_guards.check(live, urls, present, dropped=dropped)


@pytest.mark.parametrize(
    ("live", "urls", "present", "dropped", "words"),
    [
        (PublishOptions(), 0, None, 0, ("no URLs.",)),
        (PublishOptions(), 0, 1204, 0, ("no URLs, the existing one 1,204.",)),
        (PublishOptions(), 0, 10, 10, ("no URLs",)),  # never on purpose
        (PublishOptions(min_urls=10), 9, None, 0, ("9 URLs;", "--min-urls wants 10.")),
        (PublishOptions(min_urls=10), 1, 50, 0, ("1 URL, the existing one 50;", "10")),
        (PublishOptions(min_urls=10), 9, 10, 5, ("--min-urls",)),
        (
            PublishOptions(fail_if_shrinks=10),
            899,
            1000,
            0,
            ("899 URLs", "existing one 1,000", "−10.1 %", "allows 10 %"),
        ),
        (PublishOptions(fail_if_shrinks=0), 9, 10, 0, ("−10 %", "allows 0 %")),
        (PublishOptions(fail_if_shrinks=0.5), 99, 100, 0, ("−1 %", "allows 0.5 %")),
        (
            PublishOptions(fail_if_shrinks=10),
            80,
            100,
            10,
            ("80 URLs", "90 without the 10 that are dropped or expired", "−11.1 %"),
        ),
    ],
)
def test_too_few_urls_are_refused_with_both_numbers(
    live: PublishOptions, urls: int, present: int | None, dropped: int, words: tuple[str, ...]
) -> None:
    with pytest.raises(RefusedError) as raised:
        publish_guards.check(live, urls, present, dropped=dropped)
    message = str(raised.value)
    assert message.startswith("refused: the new output has ")
    assert "Nothing was published" in message
    for word in words:
        assert word in message


def test_the_advice_for_an_empty_output_comes_last() -> None:
    with pytest.raises(RefusedError, match=r"Nothing was published\. Look again$"):
        publish_guards.check(PublishOptions(), 0, None, advice="Look again")

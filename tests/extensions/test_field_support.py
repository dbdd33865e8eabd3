"""Field support gives what applying each rule by itself gives, whatever entries came before."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import fields
from decimal import Decimal
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from converter.extensions.field_support import COLUMNS, KEPT_BY, loss_rules, support_level
from converter.extensions.field_support.rules import (
    _WITH_ZERO,
    LossRule,
    RuleSet,
    attribute_path,
)
from converter.formats.registry import FORMATS
from converter.model import (
    Alternate,
    Audio,
    Category,
    Credit,
    Entry,
    ExtraElement,
    Feed,
    Image,
    Link,
    Moment,
    News,
    Person,
    Podcast,
    Precision,
    Price,
    Rating,
    Rendition,
    Tag,
    Text,
    Thumbnail,
    Video,
)
from converter.options import WriteOptions
from tests.builders import NOW

SITE: Final = "https://ex.com"
DAY: Final = Moment(instant=NOW, precision=Precision.DAY)
FILE: Final = Rendition(url=f"{SITE}/v.mp4", width=1, title="f", mime="video/mp4")
THUMBNAIL: Final = Thumbnail(url=f"{SITE}/t.jpg", width=1)

#: Values of the fields of an entry; some are false, and yet they are values.
VALUES: Final[dict[str, tuple[Any, ...]]] = {
    "loc": (f"{SITE}/a", ""),
    "id": ("1", f"{SITE}/a", ""),
    "id_is_permalink": (True, False),
    "title": ("T", "", "t" * 200),
    "summary": (Text(value="<b>s</b>", is_html=True),),
    "content": (Text(value="c"),),
    "published": (DAY, Moment(instant=NOW)),
    "updated": (DAY, Moment(instant=NOW.replace(year=2025))),
    "authors": ((Person(name="A", email="a@ex.com", uri=SITE),), (Person(), Person())),
    "categories": ((Category(term="c", label="C", scheme="s"),),),
    "lang": ("en",),
    "alternates": ((Alternate(hreflang="de", href=f"{SITE}/de"),),),
    "changefreq": ("daily", ""),
    "priority": (Decimal(0), Decimal("0.5")),
    "videos": (
        (Video(),),
        (
            Video(
                content_url=f"{SITE}/v.mp4",
                title=Text(value="<i>t</i>", is_html=True),
                duration_s=Decimal("1.5"),
                renditions=(FILE, FILE),
                thumbnails=(THUMBNAIL, THUMBNAIL),
                keywords=("k",),
                tags=(Tag(name="t", weight=Decimal(2)),),
                ratings=(Rating(value="adult"),),
                credits=(Credit(name="c", role="actor"),),
                prices=(Price(type="package", amount=Decimal(1)),),
                uploader=Person(name="me"),
            ),
            Video(player_url=f"{SITE}/p"),
        ),
    ),
    "images": ((Image(url=f"{SITE}/i.png", title=Text(value="t")),),),
    "audios": ((Audio(content_url=f"{SITE}/a.mp3", duration_s=Decimal(0)),),),
    "podcast": (
        Podcast(),
        Podcast(author="A", summary="s", season=0, explicit=False, blocked=True),
    ),
    "news": (News(), News(genres=("Blog",))),
    "mobile": (True,),
    "comments": (f"{SITE}/c",),
    "copyright": ("c",),
    "license": (f"{SITE}/l",),
    "links": ((Link(rel="license", href=f"{SITE}/l"),),),
    "source": (Link(rel="source", href=SITE),),
    "extra": ((ExtraElement(name="slash:comments"),), (ExtraElement(name="pagemap:PageMap"),)),
    "other": ((("x:price", 2), ("x:y", 1)),),
    "feed": (Feed(title="F"),),
}

ENTRIES: Final = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(values) for name, values in VALUES.items()}
).map(lambda fields: Entry(**fields))

OPTIONS: Final = (
    WriteOptions(now=NOW),
    WriteOptions(now=NOW, legacy_tags=True),
    WriteOptions(now=NOW, images=False),
    WriteOptions(now=NOW, news_name="N"),
)
WRITTEN: Final = [name for name, row in FORMATS.items() if row.writer is not None]


def test_the_values_are_of_every_field() -> None:
    assert VALUES.keys() == {field.name for field in fields(Entry)} - {"line"}


def values(given: object, path: tuple[str, ...]) -> Iterator[Any]:
    """Give the values of a field that are present."""
    name, *rest = path
    value = getattr(given, name)
    if value is None or (not value and name not in _WITH_ZERO):
        return
    if rest:
        for part in value if isinstance(value, tuple) else (value,):
            yield from values(part, tuple(rest))
    else:
        yield value


def applies(rule: LossRule, entry: Entry, options: WriteOptions) -> bool:
    found = values(entry, attribute_path(rule.name))
    return any(rule.if_value is None or rule.if_value(value) for value in found) and (
        rule.if_item is None or bool(rule.if_item(entry, options))
    )


@pytest.mark.property
@pytest.mark.parametrize("target", WRITTEN)
@given(entries=st.lists(ENTRIES, min_size=1, max_size=4), options=st.sampled_from(OPTIONS))
def test_entry_losses_follow_the_rules(
    target: str, entries: list[Entry], options: WriteOptions
) -> None:
    support = FORMATS[target].losses(options)
    for entry in [*entries, *entries]:
        found = support.entry_losses(entry)
        expected = {it.loss for it in support.of_entries.rules if applies(it, entry, options)}
        unread = [f"entry/other/{name}" for name, number in entry.other for _ in range(number)]
        assert {loss for loss in found if "/other/" not in loss.name} == expected
        assert [loss.name for loss in found if "/other/" in loss.name] == unread
        assert all(number for _, number in support.omitted_items(entry))


def test_a_condition_on_an_entry_is_checked_once_however_many_items_it_has() -> None:
    checked: list[Entry] = []
    rules = (LossRule("video/thumbnails/width", if_item=lambda it, _: checked.append(it)),)
    entry = Entry(videos=(Video(thumbnails=(THUMBNAIL,) * 3),) * 3)
    assert RuleSet(rules).losses(entry, OPTIONS[0]) == ()
    assert checked == [entry]


@pytest.mark.parametrize("target", WRITTEN)
def test_losses_can_be_pickled(target: str) -> None:
    """Losses and omissions hold no conditions, only names and numbers."""
    entry = Entry(**{name: given[-1] for name, given in VALUES.items()})
    support = FORMATS[target].losses(OPTIONS[0])
    found = support.entry_losses(entry), tuple(support.omitted_items(entry))
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301
    assert hash(found)


@pytest.mark.parametrize("column", COLUMNS)
def test_rules_and_table_agree(column: str) -> None:
    """A rule says what is left of a field that the table calls kept, and of no other."""
    for rule in loss_rules(column):
        assert bool(rule.kept) == (column in KEPT_BY[rule.name])
        assert not rule.is_altered or support_level(rule.name, column) in {"altered", "partly"}

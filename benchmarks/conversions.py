"""Run conversions with the `converter` that PYTHONPATH names; `compare` starts it once a checkout.

Each line of standard input is a conversion in JSON: `folder` (of its results), `sources`, `to`,
`options`, and optionally `existing`, the sources of an output that exists before the conversion.
It prints an empty line when the results are in the folder: the files of the output, and
`outcome.json` with the error, the counts and the issues. It imports nothing of this package.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import converter


def run(folder: Path, task: dict[str, Any]) -> None:
    """Run one conversion, and write its outcome."""
    issues: list[converter.Issue] = []
    target = folder / f"out.{task['to']}"
    outcome: dict[str, Any] = {}
    try:
        if existing := task.get("existing"):
            converter.convert(existing, target, to=task["to"])
        result = converter.convert(
            task["sources"], target, to=task["to"], report=issues.append, **task["options"]
        )
    except converter.ConverterError as error:
        outcome["error"] = f"{type(error).__name__}: {error}"
    except Exception as error:  # a fault of the program is an outcome that is compared, too
        outcome["fault"] = f"{type(error).__name__}: {error}"
    else:
        outcome["counts"] = {
            name: getattr(result, name)
            for name in ("urls", "images", "videos", "news", "skipped", "added", "renewed")
        }
        outcome["fields"] = {"lost": dict(result.lost), "altered": dict(result.altered)}
    outcome["issues"] = [
        [str(it.code), it.severity.word, it.source, it.line, it.path, it.entry, it.message]
        for it in issues
    ]
    text = json.dumps(outcome, ensure_ascii=False, sort_keys=True, indent=1)
    # both checkouts write to folders of their own
    (folder / "outcome.json").write_text(text.replace(str(folder), "FOLDER"), "utf-8")


def main() -> None:
    """Run the conversion of each line of standard input."""
    for line in sys.stdin:
        task = json.loads(line)
        folder = Path(task["folder"])
        folder.mkdir(parents=True)
        run(folder, task)
        print(flush=True)  # noqa: T201  the answer


if __name__ == "__main__":
    main()

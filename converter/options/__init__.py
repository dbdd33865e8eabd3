"""The options of a run: `declarations` has each with its default, `parsing` checks values."""

from converter.options.command_options import (  # isort: skip
    CheckCommandOptions as CheckCommandOptions,
    DiffCommandOptions as DiffCommandOptions,
)
from converter.options.declarations import (  # isort: skip
    CommandOptions as CommandOptions,
    FetchOptions as FetchOptions,
    Limits as Limits,
    PublishOptions as PublishOptions,
    ReadOptions as ReadOptions,
    RunOptions as RunOptions,
    TransformOptions as TransformOptions,
    WriteOptions as WriteOptions,
)

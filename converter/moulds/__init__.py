"""The short way: entries that are like others come out of a mould instead of the plain way.

Most entries of a document are written by one program and differ in their values only. What becomes
of such an entry is learnt once, of an example that went the plain way (`learn`); the others are one
match of a pattern each, and fill a template together, value by value (`mould`, `press`). `caster`
takes them out of the stream that the reader sees, `slices` cuts that up, `kinds` says which values
may differ, `pieces` takes markup apart. `lists`, `sieve`, `stencil` and `captions` do for lists
what the others do for markup; `crew` shares the work among processes.

The plain way decides: nothing here knows what an element means.
"""

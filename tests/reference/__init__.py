"""A second, naive engine: small, slow, obvious. Its games must be the engine's, event by event.

`evaluator` walks the typed core in Python generators; `table` holds physical cards and everything
else that lies about; `expressions` works out values; `plays` lists what shapes allow by trying all.
Shared with the engine are only the typed core (`dsl.program`) and the mix behind shuffles
(`interpreter.chance`); where the two disagree, the docstrings of `dsl/core/` decide.
"""

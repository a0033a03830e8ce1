"""The front end: from a ruleset's text to a `Program`, with diagnostics a designer can act on.

Invariant: the typed core (`dsl.program`) depends on no syntax, and Lark is imported by `dsl.lexer`,
`dsl.parse` and `dsl.build*` only. `dsl.pipeline` is the door.
"""

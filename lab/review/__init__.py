"""Reviewing a change of the rules: which rules differ, and what that does to play.

`parts` takes a ruleset apart by name, `changes` says in words which parts differ, `games` plays
both sides with the same seeds until they part, `cause` names the change behind a first difference,
`report` puts it together; `as_text`, `as_markdown`, `as_html`, `as_data` are its forms.
Used by `rules diff` and the commands around git; nothing here prints.
"""

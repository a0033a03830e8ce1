"""Traces: a game as lines that people and programs read, diff, keep and replay.

`records` turns events into plain records with names instead of numbers, for everyone or as one
player sees them; `text` and `jsonl` write records in the two formats; `reader` reads either
format back and replays it; `run` plays a game and returns its trace. Version 1 of both formats is
described in FORMAT.md.
"""

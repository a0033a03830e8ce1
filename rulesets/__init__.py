"""The rulesets that come with the program; `FOLDER` is where they lie."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parent

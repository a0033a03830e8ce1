"""The rulesets that come with the program lie in `FOLDER`, variants of them in `VARIANTS`."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parent
VARIANTS = FOLDER / "variants"

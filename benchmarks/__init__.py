"""Measurements: run as modules from the project's root, `python -m benchmarks.playouts --help`."""

"""`rules explain`: what an error code means, and what a ruleset becomes."""

from __future__ import annotations

import click

from cli.common import Setting, Whole, compiled, examples, load, misuse


@click.command(
    epilog=examples(
        "rules explain R0304",
        "rules explain --python {a}",
        "rules explain --python {b} --players 4",
    )
)
@click.argument("code", required=False)
@click.option("--python", "file", metavar="FILE", help="Print the Python that FILE is compiled to.")
@click.option("--players", type=Whole(1), help="With --python: for how many players.")
@click.option(
    "--set",
    "settings",
    type=Setting(),
    multiple=True,
    help="With --python: an option of the game.",
)
def command(
    code: str | None,
    file: str | None,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
) -> None:
    """Say more about an error CODE, or (--python) show the code a ruleset is compiled to."""
    if file is not None and code is None:
        click.echo(compiled(load(file), players, settings).listing())
        return
    if code is None or file is not None:
        misuse("give a code, such as R0304, or --python FILE")
    from dsl import codes

    if code.upper() not in codes.entries():
        if code.endswith(".rules"):
            misuse(
                f"{code} is a ruleset, and this explains codes, such as R0304; `rules check "
                f"{code}` finds what is wrong in it, `rules new my.rules --from {code}` makes "
                "a copy to read and change"
            )
        misuse(codes.explain(code))
    click.echo(codes.explain(code))

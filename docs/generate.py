"""Makes the pages of the reference that come from tables: `words.md` from the vocabulary,
`codes.md` from the explanations of codes and the messages of `tests/wrong`.

    python -m docs.generate

writes them; a test says when that is due.
"""

from __future__ import annotations

import re
from pathlib import Path

from docs import pages
from docs.pages import REFERENCE, Page
from dsl import codes, vocabulary
from dsl.vocabulary import Word

WRONG = Path(__file__).parent.parent / "tests" / "wrong"
MADE = (
    "<!-- Made by `python -m docs.generate`: change the table it is made from, not this page. -->"
)
MOST_LINKS = 3

KINDS = {
    vocabulary.SECTION: ("Blocks", "They begin a line at the left margin."),
    vocabulary.ITEM: ("In declarations", "They stand in the lines of sections."),
    vocabulary.STATEMENT: ("Statements", "They begin a rule: something is done."),
    vocabulary.CLAUSE: ("Joining words", "They hold a line together."),
    vocabulary.EXAMPLE: ("In examples", "They stand in the lines of an `example`."),
    vocabulary.OPERATOR: ("Operators", "They make a value of one or two others."),
    vocabulary.QUESTION: ("Questions", "They ask for something, or whose it is."),
    vocabulary.VALUE: ("Values", "They stand for something by themselves."),
    vocabulary.TYPE: ("Types", "They say of what kind something is."),
    vocabulary.ORDER: ("Words of order", "They say what comes first; `most` is one of them."),
}
HUNDREDS = {
    "R01": "Reading the file",
    "R02": "What a ruleset declares",
    "R03": "Names and types in rules",
    "R04": "Rules that can't work",
    "R05": "Warnings",
    "R06": "Examples",
    "R07": "Bots",
    "R08": "How a game is started",
    "R09": "While a game is played",
}


def written_pages() -> list[Page]:
    """The pages that people wrote."""
    return [pages.read(name) for name in pages.names() if name not in GENERATED]


# ── words ────────────────────────────────────────────────────────────────────────────────────


def words() -> str:
    """All words of the language, by where they stand."""
    read = written_pages()
    parts = [
        MADE,
        "# Words",
        "All words of the language: what each means, an example, and where more is said of it. "
        "Words with a ● can't be names. Others can, where the line makes plain what is meant.",
    ]
    for where, (title, about) in KINDS.items():
        rows = [word for word in vocabulary.WORDS if word.where == where]
        parts += [f"## {title}", about, _table(rows, read)]
    parts += [
        "## What nothing can be called",
        "No declaration and no name made by a rule can have one of these names, as they always "
        "mean something: " + ", ".join(f"`{word}`" for word in sorted(vocabulary.BUILT_IN)) + ".",
    ]
    return "\n\n".join(parts) + "\n"


def _table(rows: list[Word], read: list[Page]) -> str:
    typed = any(word.types for word in rows)
    head = ["word", "meaning", "example", *(["types"] if typed else []), "more"]
    lines = [_row(head), _row(["---"] * len(head))]
    for word in rows:
        name = f"`{word.word}`" + (" ●" if word.reserved else "")
        types = [word.types] if typed else []
        lines.append(_row([name, word.doc, f"`{word.example}`", *types, _more(word, read)]))
    return "\n".join(lines)


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _more(word: Word, read: list[Page]) -> str:
    """Links to the sections that teach a word."""
    found = [section for page in read for section in page.teaching(word.word)]
    titles = {page.name: page.title for page in read}
    links = dict[str, str]()
    for section in found:
        links.setdefault(section.page, f"[{titles[section.page]}]({section.page}#{section.anchor})")
    return ", ".join(list(links.values())[:MOST_LINKS])


# ── codes ────────────────────────────────────────────────────────────────────────────────────


def codes_page() -> str:
    """All codes: what they mean, a message of each, and where the reference shows them."""
    read, messages = written_pages(), example_messages()
    entries = codes.entries()
    parts = [
        MADE,
        "# Codes",
        "Everything the checker, the commands and the engine find fault with has a code. "
        "`rules explain R0304` prints an entry of this page.",
        *(_contents(entries)),
    ]
    hundred = ""
    for code, (title, body) in entries.items():
        if code[:3] != hundred:
            hundred = code[:3]
            parts.append(f"# {HUNDREDS[hundred]}")
        parts += [f"## {code} {title}", body]
        if code in messages:
            parts.append(f"```text\n{messages[code]}\n```")
        shown = _shown_in(code, read)
        if shown:
            parts.append(f"See {shown}.")
    return "\n\n".join(parts) + "\n"


def _contents(entries: dict[str, tuple[str, str]]) -> list[str]:
    found = []
    for hundred, title in HUNDREDS.items():
        found.append(f"{title}:")
        links = [
            f"- [{code}](#{pages.slug(f'{code} {name}')}) {name}"
            for code, (name, _) in entries.items()
            if code[:3] == hundred
        ]
        found.append("\n".join(links))
    return found


def example_messages() -> dict[str, str]:
    """A message for each code, out of the first case of `tests/wrong` that has one."""
    found: dict[str, str] = {}
    for case in sorted(WRONG.glob("*.txt")):
        _, _, text = case.read_text(encoding="utf-8").partition(f"\n{'-' * 40}")
        _, _, text = text.partition("\n")  # behind the dashes stand the lines of the slip
        for message in re.split(r"\n\n(?=(?:error|warning|note) R\d{4}:)", text.strip()):
            head = re.match(r"(?:error|warning|note) (R\d{4}):", message)
            if head is not None and all(len(line) <= 160 for line in message.split("\n")):
                found.setdefault(head[1], message)
    return found


def _shown_in(code: str, read: list[Page]) -> str:
    """Links to the sections where a message with the code is shown."""
    links = dict[str, str]()
    for page in read:
        titles = {section.anchor: section.title for section in page.sections}
        for fence in page.fences:
            if fence.lang == "output" and re.search(
                rf"^(error|warning|note) {code}:", fence.text, re.M
            ):
                link = f"[{titles[fence.anchor]}]({page.name}#{fence.anchor})"
                links.setdefault(fence.anchor, link)
    return ", ".join(list(links.values())[:MOST_LINKS])


GENERATED = {"words.md": words, "codes.md": codes_page}


def main() -> None:
    for name, make in GENERATED.items():
        (REFERENCE / name).write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    main()

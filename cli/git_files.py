"""Files as they are at a revision in git, or staged. Used by `rules diff` and the git commands.

Git is run as a command. What it says of a wrong revision or path becomes a misuse in our words.
"""

from __future__ import annotations

import atexit
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from attrs import frozen

from cli.common import legible, misuse

STAGED = ""  # the revision that stands for what is staged, as in `git show :FILE`
RULES = (".rules", ".md")  # rulesets, and the sheets they cite


@frozen
class Snapshot:
    """Files of a revision, written to a folder of their own."""

    revision: str
    folder: Path

    def shown(self, path: Path) -> str:
        """What one of its files is called: `HEAD~1:games/my.rules`."""
        return f"{self.revision}:{path.relative_to(self.folder).as_posix()}"


def git(*args: str, where: Path | None = None, data: bytes | None = None) -> bytes | None:
    """What a git command prints; None if it fails. Without git, a misuse."""
    try:
        done = subprocess.run(
            ["git", *args], cwd=where, input=data, capture_output=True, check=False
        )
    except FileNotFoundError:
        misuse("git is needed for this, and there is no `git` here")
    return done.stdout if done.returncode == 0 else None


def root(where: Path | None = None) -> Path:
    """The folder of the repository around a folder (by default the current one)."""
    found = git("rev-parse", "--show-toplevel", where=where)
    if found is None:
        misuse("this is not a git repository")
    return Path(found.decode().rstrip("\n"))


@frozen
class Repository:
    """A repository, by its root."""

    top: Path

    def commit(self, revision: str) -> str:
        """The commit a revision means."""
        found = None
        if not revision.startswith("-"):
            asked = f"{revision}^{{commit}}"
            found = git("rev-parse", "--verify", "--quiet", asked, where=self.top)
        if found is None:
            misuse(f"git knows no revision `{legible(revision)}`")
        return found.decode().strip()

    def names(self, revision: str, endings: Sequence[str]) -> list[str]:
        """The files of a revision with certain endings, from the root."""
        if revision == STAGED:
            listed = git("ls-files", "-z", where=self.top)
        else:
            at = self.commit(revision)
            listed = git("ls-tree", "-r", "-z", "--name-only", at, where=self.top)
        found = (listed or b"").decode(errors="surrogateescape").split("\0")
        return [name for name in found if name.endswith(tuple(endings))]

    def content(self, revision: str, name: str) -> bytes | None:
        """A file at a revision; None if it is not there."""
        at = revision if revision == STAGED else self.commit(revision)
        return git("show", f"{at}:{name}", where=self.top)

    def snapshot(self, revision: str, endings: Sequence[str] = RULES) -> Snapshot:
        """The files of a revision with certain endings, in a folder that goes when the command
        ends."""
        at = revision if revision == STAGED else self.commit(revision)
        folder = Path(tempfile.mkdtemp(prefix="rules-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        wanted = [name for name in self.names(revision, endings) if "\n" not in name]
        asked = "".join(f"{at}:{name}\n" for name in wanted).encode(errors="surrogateescape")
        answer = git("cat-file", "--batch", where=self.top, data=asked)
        for name, data in zip(wanted, _blobs(answer or b""), strict=False):
            if data is not None:
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        return Snapshot(revision, folder)

    def inside(self, name: str) -> tuple[str, ...]:
        """How a path that was typed may be meant: from the root, as git has it, or from the
        current folder."""
        plain = str(PurePosixPath(name.replace("\\", "/")))
        try:
            here = (Path.cwd() / name).resolve().relative_to(self.top.resolve()).as_posix()
        except ValueError:
            return (plain,)
        return (here, plain) if name.startswith(("./", "../")) else (plain, here)


def _blobs(answer: bytes) -> list[bytes | None]:
    """The files in what `git cat-file --batch` prints."""
    found: list[bytes | None] = []
    at = 0
    while at < len(answer):
        end = answer.index(b"\n", at)
        head = answer[at:end].split(b" ")
        at = end + 1
        if head[-1] == b"missing" or len(head) != 3:
            found.append(None)
            continue
        size = int(head[2])
        found.append(answer[at : at + size] if head[1] == b"blob" else None)
        at += size + 1
    return found

"""Every word of the language."""
RESERVED = frozenset("""of in where when by then else if is not and or to from into as at the every each any no my their its
over with except until exists first count sum all""".split())

BUILT_IN: dict[str, str] = {w: w for w in "me they them it nobody nothing yes no endless players player others everyone cards card points owner seat size".split()}
STATEMENT_WORDS = frozenset("shuffle deal move give take gain lose mark unmark choose pass reveal apply moment end do if else repeat each all turn while go".split())
SECTION_WORDS = tuple("game options cards places tokens marks track shapes setup scoring roles phase value action role winner".split())

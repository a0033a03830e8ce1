"""Every word of the language."""
RESERVED = frozenset("""of in where when by then else if is not and or to from into as at the every each any no my their its
over with except until exists first count sum all""".split())

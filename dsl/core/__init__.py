"""The parts of the typed core, which everyone takes from `dsl.program`."""

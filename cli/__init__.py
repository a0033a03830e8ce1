"""The commands. Everything printed is printed here; everything below returns values."""

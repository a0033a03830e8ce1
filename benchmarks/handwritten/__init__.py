"""The three seed games as plain Python, written by hand: the yardstick for the compiled engine.

Each module has one class, `Game(players, seed)`, ready at its first decision:

- `over`: whether the game has ended; `player`: the seat, counted from 0, whose decision it is.
- `options()`: all that seat may choose from, in ascending order. What looks the same is one
  option: equal cards are not told apart, nor the order of two cards chosen together.
- `apply(option)`: takes one of them, and plays on to the next decision.
- `clone()`: an independent copy with the same future.
- `points()` and `winners()`: where everybody stands, and who is in front (several in a draw).

Every choice is asked, also one with a single option. `apply` trusts its caller: it does not
check that the option is one of `options()`.
"""

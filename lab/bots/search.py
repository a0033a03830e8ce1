"""Information-set Monte Carlo tree search: the best answer to one choice, found by playing on.

Used by `lab.bots.mcts`. Knows any game only through the State contract.

Each playout begins in a world (`interpreter.determinize.Worlds`): a State that may be the true one
for all the searching player knows. So no hidden card and no chance to come can bear on the answer.
Every player has a tree of their own (the many-tree form of Cowling, Powley & Whitehouse 2012,
"Information Set Monte Carlo Tree Search"), whose nodes are what that player has been asked and has
answered since the root. Options are tried by UCB1 with availability counts: how often an option
could have been taken, not how often its node was visited, stands under the logarithm, as worlds
differ in what they allow.

A player's tree reaches no further than the next choice of somebody else. Within a turn (what to do,
to whom, with which card) answers can be planned; beyond it a tree of own answers alone would be a
plan that no card seen on the way can change, and all first steps of the best such plan look equally
good. Played at random, what comes later is worth about what it leaves open.

Simultaneous choices need nothing of their own: the engine asks one after the other, but as no tree
holds what the others answered, each player answers from their own tree alone. That is decoupled
UCT. It holds for choices in turn as well: what others did is averaged over, not told apart, which
keeps the trees small enough for a few hundred playouts.

A world serves as many playouts as there are options: so options are compared on the same hidden
cards and the same chance to come, and what luck they bring cancels out.

A playout goes down the trees, adds at most one node to each player's, and plays on at random to the
end of the game. Every player is paid their share of the win, and their points against the best
other's, as a share of the largest difference seen so far in this search.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt
from random import Random
from typing import TYPE_CHECKING, Any

from interpreter.bots import check_length
from interpreter.determinize import Worlds

if TYPE_CHECKING:
    from interpreter.state import State

EXPLORATION = 0.6
WIN_WEIGHT = 0.6  # of the reward; the rest is for points


class Arm:
    """What is known of one option at a node."""

    __slots__ = ("available", "total", "visits")

    def __init__(self) -> None:
        self.available = 0  # times it could be taken
        self.visits = 0  # times it was
        self.total = 0.0  # of rewards, each from 0 to 1


class Node:
    """A player's situation, as far as their own answers tell it."""

    __slots__ = ("after", "arms")

    def __init__(self) -> None:
        self.arms: dict[Any, Arm] = {}
        self.after: dict[Any, Node] = {}  # by the answer and the number of the next choice

    def select(self, moves: Sequence[Any], rng: Random) -> Any:
        """The option to try next, of those that there are now; counts it as tried."""
        arms = self.arms
        fresh = []
        best, best_worth = None, -1.0
        for raw in moves:
            arm = arms.get(raw)
            if arm is None:
                arm = arms[raw] = Arm()
            arm.available += 1
            if not arm.visits:
                fresh.append(raw)
            elif not fresh:
                worth = arm.total / arm.visits + EXPLORATION * sqrt(log(arm.available) / arm.visits)
                if worth > best_worth:
                    best, best_worth = raw, worth
        if fresh:
            best = fresh[int(rng.random() * len(fresh))]
        arms[best].visits += 1
        return best


def search(
    state: State,
    rng: Random,
    playouts: int,
    enough: Callable[[], bool] | None = None,
) -> Any:
    """The answer that `state`'s player should give, one of `state.moves`.

    `enough` is asked before each playout but the first, and stops the search when it says so.
    """
    me = state.player
    assert me is not None, "the game is over"
    moves = state.moves
    if len(moves) == 1:
        return moves[0]
    worlds = Worlds(state, me)
    roots = [Node() for _ in range(state.game.players)]
    purse = Purse()
    for number in range(playouts):
        if number and enough is not None and enough():
            break
        if number % len(moves) == 0:
            world = worlds.draw(rng)
        playout(world.clone(), roots, rng, purse)
    arms = roots[me].arms
    return max(moves, key=lambda raw: (arms[raw].visits, arms[raw].total) if raw in arms else (0,))


class Purse:
    """Pays players for how a game ended: numbers from 0 to 1."""

    def __init__(self) -> None:
        self._most = 1  # the largest difference in points so far

    def rewards(self, end: State) -> list[float]:
        points, winners = end.pts, end.won
        share = WIN_WEIGHT / len(winners) if winners else 0.0
        ordered = sorted(points)
        best, second = ordered[-1], ordered[-2] if len(ordered) > 1 else ordered[-1]
        self._most = most = max(self._most, best - ordered[0])
        half = (1 - WIN_WEIGHT) / 2
        rewards = [half + half * (p - (second if p == best else best)) / most for p in points]
        for winner in winners:
            rewards[winner] += share
        return rewards


def playout(world: State, roots: Sequence[Node], rng: Random, purse: Purse) -> None:
    """Play a world to its end, which it is left at, and count in the trees how it went."""
    random = rng.random
    nodes: list[Node | None] = list(roots)
    path: list[tuple[int, Arm]] = []
    waiting: list[Any] = [None] * len(roots)  # each player's last answer in their tree
    inside = len(roots)
    last = -1  # who was asked last
    made = 0
    while not world.is_over:
        player, moves = world.player, world.moves
        assert player is not None
        if player != last:
            if last >= 0 and nodes[last] is not None:
                nodes[last] = None  # their turn is over
                inside -= 1
            last = player
        node = nodes[player]
        if node is None:
            world.apply(moves[int(random() * len(moves))])
        else:
            if waiting[player] is not None:
                key = (waiting[player], world.pc)
                after = node.after.get(key)
                if after is None:
                    node.after[key] = after = Node()
                    nodes[player] = None  # the new node is the last
                    inside -= 1
                else:
                    nodes[player] = after
                node = after
            raw = node.select(moves, rng)
            path.append((player, node.arms[raw]))
            waiting[player] = (raw,)
            world.apply(raw)
        made += 1
        if not inside:
            made += _finish(world, random)
        check_length(world, made)
    rewards = purse.rewards(world)
    for player, arm in path:
        arm.total += rewards[player]


def _finish(world: State, random: Callable[[], float]) -> int:
    """Play on at random; how many choices were made."""
    made = 0
    while not world.is_over:
        moves = world.moves
        world.apply(moves[int(random() * len(moves))])
        made += 1
        check_length(world, made)
    return made

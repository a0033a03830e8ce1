"""Throne of Empire, draft 2: hold or play for five turns, refill the hand, settle."""

from __future__ import annotations

from itertools import combinations
from random import Random

BARBARIAN, PEASANT, MERCHANT, THIEF, KNIGHT, PRIEST, SENATOR, MAGICIAN = range(1, 9)
DECK = [job for job in range(1, 9) for _ in range(8)]

TURNS = 5
OPENING_COINS = 5
TREASURY_START = 5
TREASURY_LIMIT = 15
FINAL_HAND = 6
LOOT = 8

# What is asked, and what the options mean. A card in a court is (seat, job).
TURN = 0  # HOLD, or the job played
RAID = 1  # barbarian: the court card discarded
BUY = 2  # peasant: how often one coin is paid
ROB = 3  # thief: the seat that loses a coin
GIVE = 4  # senator: the seat that gets a coin
DROP = 5  # magician: the jobs discarded, two of them in ascending order
REFILL = 6  # DRAW, the court card taken, or PASS
PLUNDER = 7  # thief at the settlement: the coins taken from the last of `victims`
DONATE = 8  # knight at the settlement: the coins paid

HOLD = 0
DRAW = (-1, 0)
PASS = (-1, 1)

Option = int | tuple[int, ...]


class Game:
    """One game for 3 to 7 players; seat 0 starts."""

    __slots__ = (
        "coins",
        "courts",
        "deck",
        "discard",
        "hands",
        "heads",
        "loot",
        "over",
        "phase",
        "player",
        "policies",
        "protected",
        "refilling",
        "seed",
        "treasury",
        "turn",
        "victims",
        "vp",
    )

    hands: list[list[int]]
    courts: list[list[int]]
    coins: list[int]
    vp: list[int]
    protected: list[bool]  # by a knight, until the seat's next turn
    treasury: int
    deck: list[int]  # drawn from the end
    discard: list[int]
    seed: int  # of the next shuffle: cheaper to copy than a generator
    turn: int  # turns taken, all seats together
    refilling: list[int]  # the seats still below a full hand that have not passed, ascending
    heads: list[int]  # by seat; empty before the settlement
    policies: list[tuple[int, int]]  # (head, seat) still to be applied, the next one last
    victims: list[int]  # seats still to be plundered, the next one last
    loot: int  # coins that may still be plundered
    phase: int
    player: int
    over: bool

    def __init__(self, players: int, seed: int) -> None:
        if not 3 <= players <= 7:
            raise ValueError(f"3 to 7 players, not {players}")
        self.seed = seed
        self.deck = self._shuffled(DECK)
        self.discard = []
        self.hands = [[self.deck.pop()] for _ in range(players)]
        self.courts = [[] for _ in range(players)]
        self.coins = [OPENING_COINS] * players
        self.vp = [0] * players
        self.protected = [False] * players
        self.treasury = TREASURY_START
        self.turn = 0
        self.refilling = []
        self.heads = []
        self.policies = []
        self.victims = []
        self.loot = 0
        self.phase = TURN
        self.player = 0
        self.over = False
        self._draw(0)

    def options(self) -> list[Option]:
        """What the player may choose from; the values mean what the phase says."""
        if self.over:
            return []
        phase = self.phase
        player = self.player
        if phase == TURN:
            hand = sorted(set(self.hands[player]))
            return [HOLD, *hand] if self.coins[player] else hand
        if phase == REFILL:
            courts = self.courts
            taking = [
                (seat, job)
                for seat in range(len(courts))
                if seat != player
                for job in sorted(set(courts[seat]))
            ]
            if self.coins[player] and (self.deck or self.discard):
                return [DRAW, *taking]
            return taking or [PASS]
        if phase == RAID:
            return [
                (seat, job)
                for seat, court in enumerate(self.courts)
                if not self.protected[seat]
                for job in sorted(set(court))
            ]
        if phase == BUY:
            return list(range(min(2, self.coins[player]) + 1))
        if phase in (ROB, GIVE):
            protected = self.protected
            return [s for s, safe in enumerate(protected) if not safe and s != player]
        if phase == DROP:
            hand = sorted(self.hands[player])
            return sorted(set(combinations(hand, min(2, len(hand)))))
        if phase == PLUNDER:
            return list(range(min(self.coins[self.victims[-1]], self.loot) + 1))
        return list(range(min(self.coins[player], TREASURY_LIMIT - self.treasury) + 1))

    def apply(self, option: Option) -> None:
        """Take one of the options, and play on to the next decision."""
        phase = self.phase
        player = self.player
        if phase == TURN:
            if option == HOLD:
                self._pay(player)
                self._next_turn()
            else:
                self._play(player, option)
            return
        if phase == REFILL:
            self._refill(player, option)
            return
        if phase == PLUNDER:
            victim = self.victims.pop()
            self.coins[victim] -= option
            self.coins[player] += option
            self.loot -= option
            if not self.victims:
                self._settle()
            return
        if phase == DONATE:
            self.coins[player] -= option
            self.treasury += option
            self.vp[player] += 3 * option
            self._settle()
            return
        # What remains are the skills, each the last act of a turn.
        if phase == RAID:
            seat, job = option
            self.courts[seat].remove(job)
            self.discard.append(job)
            self.vp[player] += 1
        elif phase == BUY:
            for _ in range(option):
                self._pay(player)
            self.vp[player] += option
        elif phase == ROB:
            if self.coins[option]:
                self.coins[option] -= 1
                self.coins[player] += 1
        elif phase == GIVE:
            if self.treasury:
                self.treasury -= 1
                self.coins[option] += 1
        else:
            for job in option:
                self.hands[player].remove(job)
                self.discard.append(job)
        self._next_turn()

    def clone(self) -> Game:
        copy = Game.__new__(Game)
        copy.hands = [hand[:] for hand in self.hands]
        copy.courts = [court[:] for court in self.courts]
        copy.coins = self.coins[:]
        copy.vp = self.vp[:]
        copy.protected = self.protected[:]
        copy.treasury = self.treasury
        copy.deck = self.deck[:]
        copy.discard = self.discard[:]
        copy.seed = self.seed
        copy.turn = self.turn
        copy.refilling = self.refilling[:]
        copy.heads = self.heads[:]
        copy.policies = self.policies[:]
        copy.victims = self.victims[:]
        copy.loot = self.loot
        copy.phase = self.phase
        copy.player = self.player
        copy.over = self.over
        return copy

    def points(self) -> list[int]:
        """VP and coins, a coin worth 4 to a house that a merchant heads."""
        if not self.heads:
            return [vp + coins for vp, coins in zip(self.vp, self.coins, strict=True)]
        return [
            vp + (4 * coins if head == MERCHANT else coins)
            for vp, coins, head in zip(self.vp, self.coins, self.heads, strict=True)
        ]

    def winners(self) -> list[int]:
        """The seats with most points, among equals those with the smallest head."""
        points = self.points()
        best = max(points)
        first = [seat for seat, mine in enumerate(points) if mine == best]
        if self.heads:
            smallest = min(self.heads[seat] for seat in first)
            first = [seat for seat in first if self.heads[seat] == smallest]
        return first

    def _shuffled(self, cards: list[int]) -> list[int]:
        random = Random(self.seed)
        self.seed = random.getrandbits(32)
        cards = cards[:]
        random.shuffle(cards)
        return cards

    def _draw(self, seat: int) -> None:
        if not self.deck:
            if not self.discard:
                return
            self.deck = self._shuffled(self.discard)
            self.discard = []
        self.hands[seat].append(self.deck.pop())

    def _pay(self, seat: int) -> None:
        """One coin into the treasury; when it is full, to the stock for 1 VP."""
        self.coins[seat] -= 1
        if self.treasury < TREASURY_LIMIT:
            self.treasury += 1
        else:
            self.vp[seat] += 1

    def _next_turn(self) -> None:
        self.turn += 1
        seats = len(self.hands)
        if self.turn == TURNS * seats:
            self._begin_refill()
            return
        player = self.player = self.turn % seats
        self.phase = TURN
        self.protected[player] = False
        self._draw(player)

    def _play(self, player: int, job: int) -> None:
        self.hands[player].remove(job)
        self.courts[player].append(job)
        if job == BARBARIAN:
            self.phase = RAID
            return
        if job == PEASANT:
            self.phase = BUY
            return
        if job == MAGICIAN:
            self._draw(player)
            self._draw(player)
            self.phase = DROP
            return
        if job in (THIEF, SENATOR):
            if job == SENATOR:
                self.vp[player] += 2
            # The player is never protected on the own turn: one open seat is the player's.
            if self.protected.count(False) > 1:
                self.phase = ROB if job == THIEF else GIVE
                return
        elif job == MERCHANT:
            self.coins[player] += 3
            self._pay(player)
        elif job == PRIEST:
            taken = min(3, self.treasury)
            self.treasury -= taken
            self.coins[player] += taken
        else:
            self.protected[player] = True
        self._next_turn()

    def _begin_refill(self) -> None:
        self.phase = REFILL
        self.refilling = [s for s, hand in enumerate(self.hands) if len(hand) < FINAL_HAND]
        self._next_refill()

    def _next_refill(self) -> None:
        refilling = self.refilling
        if not refilling:
            self._begin_settlement()
            return
        # The first of the shortest hands is the one closest to the start player.
        sizes = [len(self.hands[seat]) for seat in refilling]
        self.player = refilling[sizes.index(min(sizes))]

    def _refill(self, player: int, option: Option) -> None:
        if option == PASS:
            self.refilling.remove(player)
        else:
            if option == DRAW:
                self._pay(player)
                self._draw(player)
            else:
                seat, job = option
                self.courts[seat].remove(job)
                self.hands[player].append(job)
            if len(self.hands[player]) == FINAL_HAND:
                self.refilling.remove(player)
        self._next_refill()

    def _begin_settlement(self) -> None:
        """Find the heads and the order of their policies, and start applying them."""
        self.heads = []
        order = []
        for seat, hand in enumerate(self.hands):
            count, head = max((hand.count(job), job) for job in set(hand))
            self.heads.append(head)
            order.append((-count, head, seat))
        order.sort(reverse=True)
        self.policies = [(head, seat) for _, head, seat in order]
        self._settle()

    def _settle(self) -> None:
        """Apply policies up to one that asks something, or to the end."""
        coins = self.coins
        vp = self.vp
        while self.policies:
            head, player = self.policies.pop()
            hand = self.hands[player]
            if head == BARBARIAN:
                for seat in range(len(coins)):
                    if seat != player:
                        coins[seat] //= 2
            elif head == PEASANT:
                vp[player] += 3 * hand.count(PEASANT)
                coins[player] = 0
            elif head == THIEF:
                seats = len(coins)
                clockwise = [(player + step) % seats for step in range(1, seats)]
                victims = [seat for seat in clockwise if THIEF not in self.hands[seat]]
                if victims:
                    self.victims = victims[::-1]
                    self.loot = LOOT
                    self.phase = PLUNDER
                    self.player = player
                    return
            elif head == KNIGHT:
                self.phase = DONATE
                self.player = player
                return
            elif head == PRIEST:
                coins[player] += self.treasury
                self.treasury = 0
            elif head == SENATOR:
                vp[player] += self.treasury
                paid = min(self.treasury, len(coins))
                self.treasury -= paid
                for seat in range(paid):
                    coins[seat] += 1
            elif head == MAGICIAN:
                vp[player] += 2 * len(set(hand))
            # What the merchant's policy is worth, `points` knows.
        self.over = True

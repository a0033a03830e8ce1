"""Profits, Prophets, Gorillas, and Kings: climbing tricks with four roles that move on."""

from __future__ import annotations

from itertools import combinations
from random import Random

# A number card is 4 * number + suit, so `card >> 2` is its number and sorting brings equal
# numbers together. The two cards without a number come below, as number 0: they score nothing.
COIN, SCRIPTURE, CROWN, GORILLA = range(4)
BANANA = 0
SILVERBACK = 1
LOWEST = 4  # of the number cards

TOP_NUMBER = {2: 9, 3: 11, 4: 13}
SEATS = 4
TRICKS = 16
HAND = 8

# What is asked, and what the options mean.
NAME = 0  # prophet: (the seat named,)
HAND_OVER = 1  # the seat named: (card,)
GIVE_BACK = 2  # prophet: (card,)
PLAY = 3  # the cards played in ascending order, or PASS

Play = tuple[int, ...]
PASS: Play = ()


def sets(hand: list[int], size: int, least: int) -> set[Play]:
    """The sets of `size` cards in a sorted hand with the number `least` or more.

    One banana may stand in for a card; it comes first then.
    """
    groups: dict[int, list[int]] = {}
    lowest = 4 * least
    for card in hand:
        if card >= lowest:
            number = card >> 2
            if number in groups:
                groups[number].append(card)
            else:
                groups[number] = [card]
    found: set[Play] = set()
    banana = BANANA in hand
    for group in groups.values():
        if len(group) >= size:
            found.update(combinations(group, size))
        if banana and len(group) >= size - 1:
            found.update([(BANANA, *cards) for cards in combinations(group, size - 1)])
    return found


def runs(hand: list[int], size: int, least: int) -> list[Play]:
    """The runs of `size` cards of one suit whose highest number is `least` or more."""
    cards = set(hand)
    lowest = max(4 * (least - size + 1), LOWEST)
    # The next number of the same suit is 4 further.
    if size == 2:
        return [(c, c + 4) for c in cards if c >= lowest and c + 4 in cards]
    return [(c, c + 4, c + 8) for c in cards if c >= lowest and c + 4 in cards and c + 8 in cards]


def deck_for(players: int) -> list[int]:
    """All cards of a game, in order."""
    numbers = range(LOWEST, 4 * TOP_NUMBER[players] + 4)
    return [BANANA] * 4 + [SILVERBACK] + sorted([*numbers, *numbers])


class Game:
    """One game for 2 to 4 players, on seats 0 upwards of the four at the table."""

    __slots__ = (
        "deck",
        "handed",
        "hands",
        "king",
        "named",
        "over",
        "phase",
        "pile",
        "player",
        "scored",
        "scores",
        "seed",
        "top",
        "trick",
        "waiting",
    )

    hands: list[list[int]]  # sorted
    deck: list[int]  # drawn from the end
    scored: list[list[int]]  # cards
    scores: list[int]  # the sum of their numbers
    seed: int  # of the next random number: cheaper to copy than a generator
    trick: int  # tricks played
    king: int  # seat; the gorilla sits 1 further, the prophet 2, the merchant 3
    named: int  # by the prophet
    handed: int  # the card on its way to the prophet, or -1
    pile: list[int]
    top: Play  # the last play, or PASS before the lead
    waiting: list[int]  # who is still in: next to act first, the last to play last
    phase: int
    player: int
    over: bool

    def __init__(self, players: int, seed: int) -> None:
        if players not in TOP_NUMBER:
            raise ValueError(f"2 to 4 players, not {players}")
        random = Random(seed)
        key = random.random
        # Sorting by random keys takes half the time of `random.shuffle`.
        deck = sorted(deck_for(players), key=lambda _: key())
        self.king = random.randrange(SEATS)
        self.seed = random.getrandbits(32)
        dealt = HAND * players
        self.hands = [sorted(deck[seat:dealt:players]) for seat in range(players)]
        self.deck = deck[dealt:]
        self.scored = [[] for _ in range(players)]
        self.scores = [0] * players
        self.trick = 0
        self.named = -1
        self.handed = -1
        self.pile = []
        self.top = PASS
        self.waiting = []
        self.phase = PLAY
        self.player = 0
        self.over = False
        self._begin_trick()

    def options(self) -> list[Play]:
        """What the player may choose from; the values mean what the phase says."""
        if self.over:
            return []
        phase = self.phase
        player = self.player
        hand = self.hands[player]
        if phase == PLAY:
            options = self._raises(player, hand) if self.top else self._leads(hand)
            if SILVERBACK in hand and player == (self.king + 1) % SEATS:
                options.append((SILVERBACK,))
            options.sort()
            return options
        if phase == NAME:
            return [(seat,) for seat, cards in enumerate(self.hands) if cards and seat != player]
        if phase == HAND_OVER:
            if SILVERBACK in hand:
                return [(SILVERBACK,)]
            lowest = hand[-1] & ~3  # the first card of the highest number
            return [(card,) for card in sorted(set(hand)) if card >= lowest]
        return [(card,) for card in sorted(set(hand))]

    def apply(self, option: Play) -> None:
        """Take one of the options, and play on to the next decision."""
        phase = self.phase
        player = self.player
        if phase == PLAY:
            waiting = self.waiting
            del waiting[0]
            if option:
                hand = self.hands[player]
                for card in option:
                    hand.remove(card)
                if option[0] == SILVERBACK:
                    self._take_trick(player, herd=True)
                    return
                self.pile += option
                self.top = option
                waiting.append(player)
            self._next_in_trick()
        elif phase == NAME:
            self.named = self.player = option[0]
            self.phase = HAND_OVER
        elif phase == HAND_OVER:
            # Held aside, as the prophet may not give back this very card.
            self.handed = option[0]
            self.hands[player].remove(self.handed)
            self.player = (self.king + 2) % SEATS
            self.phase = GIVE_BACK
        else:
            mine = self.hands[player]
            theirs = self.hands[self.named]
            mine.remove(option[0])
            theirs.append(option[0])
            mine.append(self.handed)
            mine.sort()
            theirs.sort()
            self.named = self.handed = -1
            self._begin_play()

    def clone(self) -> Game:
        copy = Game.__new__(Game)
        copy.hands = [hand[:] for hand in self.hands]
        copy.deck = self.deck[:]
        copy.scored = [cards[:] for cards in self.scored]
        copy.scores = self.scores[:]
        copy.seed = self.seed
        copy.trick = self.trick
        copy.king = self.king
        copy.named = self.named
        copy.handed = self.handed
        copy.pile = self.pile[:]
        copy.top = self.top
        copy.waiting = self.waiting[:]
        copy.phase = self.phase
        copy.player = self.player
        copy.over = self.over
        return copy

    def points(self) -> list[int]:
        """The sums of the numbers scored so far."""
        return self.scores[:]

    def winners(self) -> list[int]:
        """The seats with most points."""
        best = max(self.scores)
        return [seat for seat, score in enumerate(self.scores) if score == best]

    def _leads(self, hand: list[int]) -> list[Play]:
        leads: list[Play] = [(card,) for card in set(hand) if card >= LOWEST]
        for size in (2, 3):
            leads += runs(hand, size, 1)
            leads += sets(hand, size, 1)
        return leads

    def _raises(self, player: int, hand: list[int]) -> list[Play]:
        """Passing, and what may be laid on the top play."""
        top = self.top
        number = top[-1] >> 2
        options = [PASS]
        if len(top) == 1:
            if player == (self.king + 1) % SEATS:
                options += [(card,) for card in set(hand) if card >> 2 >= number]
            else:
                card_above = top[0]
                suit = card_above & 3
                options += [
                    (card,)
                    for card in set(hand)
                    if card >> 2 == number or (card > card_above and card & 3 == suit)
                ]
        elif top[0] != BANANA and top[0] >> 2 != number:
            options += runs(hand, len(top), number)
        else:
            options += sets(hand, len(top), number)
        return options

    def _in_order(self) -> list[int]:
        """The seats taken in playing order: king, merchant, prophet, gorilla."""
        king = self.king
        seats = [king, (king + 3) % SEATS, (king + 2) % SEATS, (king + 1) % SEATS]
        return [seat for seat in seats if seat < len(self.hands)]

    def _begin_trick(self) -> None:
        """Ask the prophet for a name; without one, go on to the lead."""
        hands = self.hands
        if self.trick == TRICKS or not (self.deck or any(hands)):
            self.over = True
            return
        prophet = (self.king + 2) % SEATS
        if prophet < len(hands) and hands[prophet] and sum(map(bool, hands)) > 1:
            self.phase = NAME
            self.player = prophet
        else:
            self._begin_play()

    def _begin_play(self) -> None:
        """Ask the first in order who can lead; if nobody can, the trick is void."""
        gorilla = (self.king + 1) % SEATS
        order = self._in_order()
        for place, seat in enumerate(order):
            hand = self.hands[seat]
            if hand and (hand[-1] >= LOWEST or (seat == gorilla and SILVERBACK in hand)):
                self.waiting = order[place:]
                self.phase = PLAY
                self.player = seat
                return
        # Nobody draws after a void trick: only with the deck out do hands lack number cards.
        self._next_trick()

    def _next_in_trick(self) -> None:
        waiting = self.waiting
        hands = self.hands
        while len(waiting) > 1:
            if hands[waiting[0]]:
                self.player = waiting[0]
                return
            del waiting[0]
        self._take_trick(waiting[0], herd=False)

    def _take_trick(self, winner: int, *, herd: bool) -> None:
        """Share out the pile, let the herd follow a silverback, and refill the hands."""
        pile = self.pile
        merchant = (self.king + 3) % SEATS
        if merchant != winner and merchant < len(self.hands):
            cut = max([card for card in pile if card & 3 == COIN], default=BANANA)
            if cut != BANANA:
                pile.remove(cut)
                self._score(merchant, cut)
        self.scored[winner] += pile
        self.scores[winner] += sum([card >> 2 for card in pile])
        self.pile = []
        self.top = PASS
        self.waiting = []
        if herd:
            self._return_silverback()
            for seat, cards in enumerate(self.scored):
                if seat != winner:
                    largest = max([card for card in cards if card & 3 == GORILLA], default=BANANA)
                    if largest != BANANA:
                        cards.remove(largest)
                        self.scores[seat] -= largest >> 2
                        self._score(winner, largest)
        self._refill()
        self._next_trick()

    def _score(self, seat: int, card: int) -> None:
        self.scored[seat].append(card)
        self.scores[seat] += card >> 2

    def _return_silverback(self) -> None:
        # The deck is in random order already, so one card put in anywhere is as good as a shuffle.
        random = Random(self.seed)
        self.deck.insert(random.randrange(len(self.deck) + 1), SILVERBACK)
        self.seed = random.getrandbits(32)

    def _refill(self) -> None:
        """Deal one card at a time to those below a full hand, in the trick's playing order."""
        hands = self.hands
        deck = self.deck
        short = [seat for seat in self._in_order() if len(hands[seat]) < HAND]
        drawing = short
        while drawing and deck:
            for seat in drawing:
                if deck:
                    hands[seat].append(deck.pop())
            drawing = [seat for seat in drawing if len(hands[seat]) < HAND]
        for seat in short:
            hands[seat].sort()

    def _next_trick(self) -> None:
        self.king = (self.king + 1) % SEATS
        self.trick += 1
        self._begin_trick()

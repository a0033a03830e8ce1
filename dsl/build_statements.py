"""From Lark's tree of one line to statement nodes. Only `dsl.parse` uses this."""

from __future__ import annotations

from dsl import nodes as n
from dsl.build import Builder, Piece, is_token
from dsl.layout import Tag

Tags = tuple[Tag, ...]
Body = tuple[n.Stmt, ...]


def simple(b: Builder, tree: Piece, tags: Tags) -> n.Stmt:
    """A statement that fits on its line."""
    span, parts = b.span(tree), tree.children
    match str(tree.data):
        case "shuffle":
            source, place = parts
            if place is None:
                return n.Shuffle(None, b.expr(source), span, tags)
            return n.Shuffle(b.expr(source), b.expr(place), span, tags)
        case "deal":
            count, dealt_from, dealt_to = parts
            ends = b.expr(dealt_from), b.expr(dealt_to)
            return n.Deal(b.expr(count), *ends, span, tags)
        case "move":
            moved, to, if_any = parts
            return n.Move(_moved(b, moved), b.expr(to), if_any is not None, span, tags)
        case "move_random":
            count, word, source, to = parts
            ends = b.expr(source), b.expr(to)
            return n.MoveRandom(b.maybe(count), b.word(word), *ends, span, tags)
        case "move_tokens" | "give" | "take" | "gain" | "lose":
            return _tokens(b, tree, tags)
        case "set_mark":
            word, what, mark = parts
            on = is_token(word, "MARK")
            named = None if mark is None else b.word(mark)
            return n.SetMark(on, b.expr(what), named, span, tags)
        case "pass_roles":
            return n.PassRoles(is_token(parts[0], "CLOCKWISE"), span, tags)
        case "reveal":
            return n.Reveal(b.expr(parts[0]), span, tags)
        case "apply":
            family, key = parts
            return n.Apply(b.word(family), b.expr(key), span, tags)
        case "moment":
            return n.Moment(b.named(*parts), span, tags)
        case "end":
            return n.End(b.word(parts[0]), False, span, tags)
        case "leave":
            return n.End(b.word(parts[0]), True, span, tags)
        case "nothing":
            return n.Nothing(span, tags)
        case "assign":
            word, value = parts
            return n.Assign(b.word(word), None, b.expr(value), span, tags)
        case "assign_of":
            word, owner, value = parts
            return n.Assign(b.word(word), b.expr(owner), b.expr(value), span, tags)
        case "assign_owned":
            person, word, value = parts
            return n.Assign(b.word(word), b.owner(person), b.expr(value), span, tags)
        case "do":
            word, *arguments = parts
            given = tuple(b.expr(piece) for piece in arguments if piece is not None)
            return n.Do(b.word(word), given, span, tags)
        case "if_line":
            condition, then, otherwise = parts
            rest = () if otherwise is None else (simple(b, otherwise, tags),)
            return n.If(b.expr(condition), (simple(b, then, tags),), rest, span, tags)
    raise AssertionError(tree.data)


def _moved(b: Builder, tree: Piece) -> n.Expr:
    if len(tree.children) == 1:
        return b.expr(tree.children[0])
    head, source, *tails = tree.children
    return b.from_source(head, source, tails, b.span(tree))


def _tokens(b: Builder, tree: Piece, tags: Tags) -> n.Stmt:
    verb, span, parts = str(tree.data), b.span(tree), tree.children
    if verb in ("gain", "lose"):
        who, amount, token = parts
        ends = b.expr(amount), b.word(token)
        return n.MoveTokens(verb, False, *ends, None, None, b.maybe(who), span, tags)
    up_to, amount, token, *holders = parts
    counted = up_to is not None, b.expr(amount), b.word(token)
    held = [b.expr(piece) for piece in holders]
    source = None if verb == "give" else held[0]
    target = None if verb == "take" else held[-1]
    word = "move" if verb == "move_tokens" else verb
    return n.MoveTokens(word, *counted, source, target, None, span, tags)


def block(b: Builder, tree: Piece, tags: Tags, body: Body) -> n.Stmt:
    """A statement that heads a block (`if` and `choose` apart)."""
    span, parts = b.span(tree), tree.children
    match str(tree.data):
        case "repeat":
            count, label = parts
            return n.Repeat(b.expr(count), b.label(label), body, span, tags)
        case "each":
            head, binder, *tails, label = parts
            select = b.select(head, binder, tails, b.span(head))
            return n.Each(select, b.label(label), body, span, tags)
        case "at_once":
            head, *tails = parts
            return n.AtOnce(b.select(head, None, tails, b.span(head)), body, span, tags)
        case "turn":
            player, label = parts
            return n.Turn(b.expr(player), b.label(label), body, span, tags)
        case "while_loop":
            condition, limit, label = parts
            return n.While(b.expr(condition), b.maybe(limit), b.label(label), body, span, tags)
        case "go_round":
            head, *tails, after, skipping, until, label = parts
            players = b.expr(head) if not tails else b.select(head, None, tails, b.span(head))
            conditions = b.maybe(after), b.maybe(skipping), b.maybe(until)
            return n.GoRound(players, *conditions, b.label(label), body, span, tags)
    raise AssertionError(tree.data)


def choose(
    b: Builder, tree: Piece, tags: Tags, body: Body, branches: tuple[n.Branch, ...]
) -> n.Choose:
    who, name, translations, prompt, asked, if_any, pick = tree.children
    return n.Choose(
        b.maybe(who),
        b.named(name, translations),
        "" if prompt is None else str(prompt)[1:-1],
        b.others(asked),
        if_any is not None,
        b.pick(pick),
        body,
        branches,
        b.span(tree),
        tags,
    )


def branch(b: Builder, tree: Piece, tags: Tags, body: Body) -> n.Branch:
    name, translations, pick, when, otherwise = tree.children
    named, last = b.named(name, translations), otherwise is not None
    return n.Branch(named, b.pick(pick), b.maybe(when), last, body, b.span(tree), tags)

"""The syntax tree: what a ruleset says, as it says it. Made by `dsl.parse`, read by the passes.

Every node has a span. Nodes compare by identity, so they can be keys of side tables. Names are as
written, plurals and all; nothing here knows what a name stands for.
"""

from dsl.nodes.bots import (
    Bot as Bot,
)
from dsl.nodes.bots import (
    BotAt as BotAt,
)
from dsl.nodes.bots import (
    BotItem as BotItem,
)
from dsl.nodes.bots import (
    BotOn as BotOn,
)
from dsl.nodes.bots import (
    BotSetting as BotSetting,
)
from dsl.nodes.bots import (
    BotValue as BotValue,
)
from dsl.nodes.bots import (
    Preference as Preference,
)
from dsl.nodes.bots import (
    Remembers as Remembers,
)
from dsl.nodes.declarations import (
    Action as Action,
)
from dsl.nodes.declarations import (
    Alternative as Alternative,
)
from dsl.nodes.declarations import (
    Attribute as Attribute,
)
from dsl.nodes.declarations import (
    CardValue as CardValue,
)
from dsl.nodes.declarations import (
    Change as Change,
)
from dsl.nodes.declarations import (
    Constraint as Constraint,
)
from dsl.nodes.declarations import (
    Counted as Counted,
)
from dsl.nodes.declarations import (
    Decl as Decl,
)
from dsl.nodes.declarations import (
    Effect as Effect,
)
from dsl.nodes.declarations import (
    Game as Game,
)
from dsl.nodes.declarations import (
    Hook as Hook,
)
from dsl.nodes.declarations import (
    Kind as Kind,
)
from dsl.nodes.declarations import (
    Mark as Mark,
)
from dsl.nodes.declarations import (
    Option as Option,
)
from dsl.nodes.declarations import (
    Phase as Phase,
)
from dsl.nodes.declarations import (
    Place as Place,
)
from dsl.nodes.declarations import (
    PlayerRange as PlayerRange,
)
from dsl.nodes.declarations import (
    Property as Property,
)
from dsl.nodes.declarations import (
    RingFor as RingFor,
)
from dsl.nodes.declarations import (
    Roles as Roles,
)
from dsl.nodes.declarations import (
    Ruleset as Ruleset,
)
from dsl.nodes.declarations import (
    Scoring as Scoring,
)
from dsl.nodes.declarations import (
    Setup as Setup,
)
from dsl.nodes.declarations import (
    Shape as Shape,
)
from dsl.nodes.declarations import (
    Token as Token,
)
from dsl.nodes.declarations import (
    Track as Track,
)
from dsl.nodes.declarations import (
    Value as Value,
)
from dsl.nodes.declarations import (
    Variant as Variant,
)
from dsl.nodes.declarations import (
    Winner as Winner,
)
from dsl.nodes.examples import (
    Claim as Claim,
)
from dsl.nodes.examples import (
    Claims as Claims,
)
from dsl.nodes.examples import (
    Entry as Entry,
)
from dsl.nodes.examples import (
    Example as Example,
)
from dsl.nodes.examples import (
    Fact as Fact,
)
from dsl.nodes.examples import (
    Has as Has,
)
from dsl.nodes.examples import (
    May as May,
)
from dsl.nodes.examples import (
    Picked as Picked,
)
from dsl.nodes.examples import (
    Players as Players,
)
from dsl.nodes.examples import (
    Setting as Setting,
)
from dsl.nodes.examples import (
    Step as Step,
)
from dsl.nodes.examples import (
    Wins as Wins,
)
from dsl.nodes.expressions import (
    AllOf as AllOf,
)
from dsl.nodes.expressions import (
    Binary as Binary,
)
from dsl.nodes.expressions import (
    Call as Call,
)
from dsl.nodes.expressions import (
    Chance as Chance,
)
from dsl.nodes.expressions import (
    Conditional as Conditional,
)
from dsl.nodes.expressions import (
    Decimal as Decimal,
)
from dsl.nodes.expressions import (
    Different as Different,
)
from dsl.nodes.expressions import (
    Every as Every,
)
from dsl.nodes.expressions import (
    Except as Except,
)
from dsl.nodes.expressions import (
    Exists as Exists,
)
from dsl.nodes.expressions import (
    Expr as Expr,
)
from dsl.nodes.expressions import (
    In as In,
)
from dsl.nodes.expressions import (
    Is as Is,
)
from dsl.nodes.expressions import (
    Key as Key,
)
from dsl.nodes.expressions import (
    Named as Named,
)
from dsl.nodes.expressions import (
    Noise as Noise,
)
from dsl.nodes.expressions import (
    Number as Number,
)
from dsl.nodes.expressions import (
    Of as Of,
)
from dsl.nodes.expressions import (
    Over as Over,
)
from dsl.nodes.expressions import (
    Quantified as Quantified,
)
from dsl.nodes.expressions import (
    Range as Range,
)
from dsl.nodes.expressions import (
    Ref as Ref,
)
from dsl.nodes.expressions import (
    Select as Select,
)
from dsl.nodes.expressions import (
    Text as Text,
)
from dsl.nodes.expressions import (
    TopOf as TopOf,
)
from dsl.nodes.expressions import (
    Unary as Unary,
)
from dsl.nodes.expressions import (
    Word as Word,
)
from dsl.nodes.statements import (
    Apply as Apply,
)
from dsl.nodes.statements import (
    Assign as Assign,
)
from dsl.nodes.statements import (
    AtOnce as AtOnce,
)
from dsl.nodes.statements import (
    Branch as Branch,
)
from dsl.nodes.statements import (
    Choose as Choose,
)
from dsl.nodes.statements import (
    Deal as Deal,
)
from dsl.nodes.statements import (
    Do as Do,
)
from dsl.nodes.statements import (
    Each as Each,
)
from dsl.nodes.statements import (
    End as End,
)
from dsl.nodes.statements import (
    GoRound as GoRound,
)
from dsl.nodes.statements import (
    If as If,
)
from dsl.nodes.statements import (
    Moment as Moment,
)
from dsl.nodes.statements import (
    Move as Move,
)
from dsl.nodes.statements import (
    MoveRandom as MoveRandom,
)
from dsl.nodes.statements import (
    MoveTokens as MoveTokens,
)
from dsl.nodes.statements import (
    Nothing as Nothing,
)
from dsl.nodes.statements import (
    PassRoles as PassRoles,
)
from dsl.nodes.statements import (
    Pick as Pick,
)
from dsl.nodes.statements import (
    PickNumber as PickNumber,
)
from dsl.nodes.statements import (
    PickOne as PickOne,
)
from dsl.nodes.statements import (
    PickSome as PickSome,
)
from dsl.nodes.statements import (
    Repeat as Repeat,
)
from dsl.nodes.statements import (
    Reveal as Reveal,
)
from dsl.nodes.statements import (
    SetMark as SetMark,
)
from dsl.nodes.statements import (
    Shuffle as Shuffle,
)
from dsl.nodes.statements import (
    Stmt as Stmt,
)
from dsl.nodes.statements import (
    Turn as Turn,
)
from dsl.nodes.statements import (
    While as While,
)

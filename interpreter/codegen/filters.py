"""Filters: conditions on candidates, worked out as early as they can be.

What depends on the face alone becomes a comparison of faces; what depends on the owner alone is
asked once a place; what does not depend on the candidate is worked out before the loop.
"""

from __future__ import annotations

from attrs import evolve

from dsl import program as p
from interpreter.binding import folded
from interpreter.codegen.analysis import conjuncts, reads, reads_only_owner, walk
from interpreter.codegen.collections import Coll, Collections
from interpreter.codegen.expressions import Code


class Filters(Collections):
    """Everything about filters."""

    def _filter(self, expr: p.Filter, *, owned: bool) -> Coll:
        if isinstance(expr.source, p.Plays):
            return self._filter_plays(expr, expr.source)
        owned = owned or any(isinstance(x, p.OwnerOf) for x in walk(expr.condition))
        coll = self.coll(expr.source, owned=owned)
        condition = self._ahead(self.analysis.inline(expr.condition), expr.var)
        self.env[expr.var.id] = coll.element
        last_is_loop = bool(coll.clauses[-1].target) and len(coll.clauses) > 1
        with self.unhoisted():
            for part in conjuncts(condition):
                known = self.known(part)
                if known is True:
                    continue
                early = last_is_loop and coll.cards and coll.element.owner is not None
                early = early and reads_only_owner(part, expr.var)
                faces = self.static_faces(part, expr.var)
                if faces is not None and coll.element.text.isidentifier():
                    coll = coll.where(self._among(coll.element.text, faces))
                else:
                    coll = coll.where(self.x(part), early=early)
        return coll

    def _among(self, face: str, faces: list[int]) -> str:
        """Whether a face is one of some."""
        missing = [f for f in range(len(self.b.faces)) if f not in faces]
        if len(faces) == 1:
            return f"{face} == {faces[0]}"
        if len(missing) == 1:
            return f"{face} != {missing[0]}"
        if faces and faces[-1] - faces[0] == len(faces) - 1:
            return f"{faces[0]} <= {face} <= {faces[-1]}" if faces[0] else f"{face} <= {faces[-1]}"
        return f"{face} in {self.face_set(faces)}"

    def face_set(self, faces: list[int]) -> str:
        number = self._face_sets.setdefault(frozenset(faces), len(self._face_sets))
        return self.constant(f"F_{number}", frozenset(faces))

    def _ahead(self, condition: p.Expr, var: p.Var) -> p.Expr:
        """A condition whose `property = expression` parts have the expression, where it does not
        depend on the candidate, worked out before the loop (it is total, so this is safe)."""
        if not self.hoist:
            return condition
        parts = []
        for part in conjuncts(condition):
            if (
                isinstance(part, p.Binary)
                and part.op in ("=", "!=")
                and isinstance(part.right, p.Attr)
            ):
                right = part.right
                if not reads(right, var) and not isinstance(right.card, p.VarRef):
                    t = self.temp()
                    self.fn.put(f"{t} = {self.x(right)}")
                    self._temps += 1
                    held = p.Var(-self._temps, t, right.type)
                    self.env[held.id] = Code(t)
                    part = evolve(part, right=p.VarRef(held, right.type, right.span))
            parts.append(part)
        whole = parts[0]
        for part in parts[1:]:
            whole = p.Binary("and", whole, part, p.TRUTH, part.span)
        return whole

    def _filter_plays(self, expr: p.Filter, source: p.Plays) -> Coll:
        """Ask only for plays of the shape and size that the condition requires anyway."""
        shape = size = None
        rest = []
        for part in self.flat_conjuncts(expr.condition):
            wanted = self._required(part, expr.var)
            if wanted is not None and wanted[0] == "shape" and shape is None:
                shape = self.x(wanted[1])
            elif wanted is not None and wanted[0] == "size" and size is None:
                size = self.x(wanted[1])
            else:
                rest.append(part)
        coll = self.plays(source, shape, size)
        self.env[expr.var.id] = coll.element
        with self.unhoisted():
            for part in rest:
                if self.known(part) is not True:
                    coll = coll.where(self.x(part))
        return coll

    def flat_conjuncts(self, expr: p.Expr) -> list[p.Expr]:
        """Conjuncts, with small values written out on the way."""
        found = []
        for part in conjuncts(self.analysis.inline(expr)):
            inlined = self.analysis.inline(part)
            found += [part] if inlined is part else self.flat_conjuncts(inlined)
        return found

    def _required(self, part: p.Expr, var: p.Var) -> tuple[str, p.Expr] | None:
        if not (isinstance(part, p.Binary) and part.op == "="):
            return None
        for mine, other in ((part.left, part.right), (part.right, part.left)):
            if (
                isinstance(mine, p.PlayPart)
                and isinstance(mine.play, p.VarRef)
                and mine.play.var is var
                and not reads(other, var)
            ):
                return mine.part, other
        return None

    def static_faces(self, condition: p.Expr, var: p.Var) -> list[int] | None:
        """The faces for which a condition holds, where nothing else decides it."""
        found = []
        for face in range(len(self.b.faces)):
            value = self._at_face(condition, var, face)
            if value is NotImplemented:
                return None
            if value:
                found.append(face)
        return found

    def _at_face(self, expr: p.Expr, var: p.Var, face: int) -> object:
        match expr:
            case p.Attr(card=p.VarRef(var=v)) if v is var:
                return self.b.attr[expr.attribute][face]
            case p.HasAttr(card=p.VarRef(var=v)) if v is var:
                return self.b.has[expr.attribute][face]
            case p.IsKind(card=p.VarRef(var=v)) if v is var:
                return self.b.faces[face].kind == expr.kind
            case p.Unary(op="not"):
                value = self._at_face(expr.operand, var, face)
                return value if value is NotImplemented else not value
            case p.Binary():
                left = self._at_face(expr.left, var, face)
                right = self._at_face(expr.right, var, face)
                if left is NotImplemented or right is NotImplemented:
                    return NotImplemented
                return folded(expr.op, left, right)  # type: ignore[arg-type]
            case _:
                return self.known(expr)

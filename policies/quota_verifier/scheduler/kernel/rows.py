"""Records in compiled code: a numba type for a row of a table, whose fields all read as 64-bit integers.

A row is a pointer. Fields of different tables or names never share memory; telling the compiler so lets it keep
values in registers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir  # pyright: ignore[reportMissingTypeStubs]
from numba import types  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]
from numba.core.typing.templates import AttributeTemplate, infer_getattr  # pyright: ignore
from numba.extending import (  # pyright: ignore[reportMissingTypeStubs]
    intrinsic,  # pyright: ignore[reportUnknownVariableType]
    lower_getattr_generic,  # pyright: ignore[reportUnknownVariableType]
    lower_setattr_generic,  # pyright: ignore[reportUnknownVariableType]
    models,  # pyright: ignore[reportUnknownVariableType]
    register_model,  # pyright: ignore[reportUnknownVariableType]
)

from quota_verifier.scheduler.kernel.layout import CONSTANTS, TABLES, WORLD, Row

Untyped = Any
"""What numba and llvmlite hand over: they have no types."""

_LONG = ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()


class RowType(types.Type):
    """A row of the tables whose records are of one kind; `family` names the memory that they share."""

    def __init__(self, family: str) -> None:
        self.family = family
        self.layout: Untyped = WORLD if family == "world" else TABLES[family]
        super().__init__(name=f"Row({family})")


@register_model(RowType)
class _RowModel(models.OpaqueModel):
    pass


@infer_getattr
class _Fields(AttributeTemplate):
    key = RowType

    def generic_resolve(self, row: RowType, field: str) -> Untyped:
        return types.int64 if field in row.layout.fields else None


@lower_getattr_generic(RowType)
def _read(context: Untyped, builder: Untyped, row: RowType, pointer: Untyped, field: str) -> Untyped:
    """Load a field and widen it."""
    place = _place(builder, row, pointer, field)
    value = builder.load(place)
    if row.family == "world" and field in CONSTANTS:
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
    else:
        value.set_metadata("tbaa", _memory_of(builder.module, row, field))
    return value if value.type == _LONG else builder.sext(value, _LONG)


@lower_setattr_generic(RowType)
def _write(context: Untyped, builder: Untyped, signature: Untyped, values: Untyped, field: str) -> None:
    """Narrow a value and store it in a field."""
    row = signature.args[0]
    place = _place(builder, row, values[0], field)
    value = values[1]
    if place.type.pointee != _LONG:
        value = builder.trunc(value, place.type.pointee)
    builder.store(value, place).set_metadata("tbaa", _memory_of(builder.module, row, field))


def _place(builder: Untyped, row: RowType, pointer: Untyped, field: str) -> Untyped:
    kind, offset = row.layout.fields[field]
    place = builder.gep(pointer, [ir.Constant(_LONG, offset)])
    return builder.bitcast(place, ir.IntType(8 * kind.itemsize).as_pointer())


def _memory_of(module: Untyped, row: RowType, field: str) -> Untyped:
    """The node that tells the compiler which memory this is."""
    root = module.add_metadata(["quota_verifier"])
    kind = module.add_metadata([f"{row.family}.{field}", root])
    return module.add_metadata([kind, kind, ir.Constant(_LONG, 0)])


def table(name: str, family: str = "") -> Callable[[Row, int], Row]:
    """A function that gives a row of a table of the world."""
    row = RowType(family or name)

    def resolve(context: Untyped, world: Untyped, index: Untyped) -> Untyped:
        def build(target: Untyped, builder: Untyped, signature: Untyped, values: Untyped) -> Untyped:
            base = _read(target, builder, world, values[0], f"{name}_at")
            return _at(builder, row, base, values[1])

        return row(world, types.int64), build

    return intrinsic(resolve)  # pyright: ignore


def record_at(family: str) -> Callable[[int, int], Row]:
    """A function that gives a row of a table by the table's address."""
    row = RowType(family)

    def resolve(context: Untyped, address: Untyped, index: Untyped) -> Untyped:
        def build(target: Untyped, builder: Untyped, signature: Untyped, values: Untyped) -> Untyped:
            return _at(builder, row, values[0], values[1])

        return row(types.int64, types.int64), build

    return intrinsic(resolve)  # pyright: ignore


def _at(builder: Untyped, row: RowType, base: Untyped, index: Untyped) -> Untyped:
    start = builder.inttoptr(base, _BYTES)
    return builder.gep(start, [builder.mul(index, ir.Constant(_LONG, row.layout.itemsize))])

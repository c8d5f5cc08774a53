//! Shifts: by a constant they are extractions.

use super::rules;
use crate::{ExprId, Pool};

pub(crate) const NAMES: &[&[&str]] = &[SHL, LSHR, ASHR];

rules!(shl, SHL, (pool, a: ExprId, b: ExprId), (pool, a, b), [shift_zero, shift_of_zero, shl_constant, shift_out]);

rules!(lshr, LSHR, (pool, a: ExprId, b: ExprId), (pool, a, b), [shift_zero, shift_of_zero, lshr_constant, shift_out]);

rules!(ashr, ASHR, (pool, a: ExprId, b: ExprId), (pool, a, b), [
    shift_zero,
    shift_of_zero,
    ashr_constant,
    ashr_non_negative,
]);

/// match:  a << 0, a >> 0
/// result: a
fn shift_zero(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    pool.is_zero(b).then_some(a)
}

/// match:  0 << b, 0 >> b
/// result: 0
fn shift_of_zero(pool: &mut Pool, a: ExprId, _: ExprId) -> Option<ExprId> {
    pool.is_zero(a).then_some(a)
}

/// match:  a << n, n below the width
/// result: concat(a's low bits, n zeros)
fn shl_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let width = pool.width(a);
    let shift = constant_shift(pool, b, width)?;
    let kept = pool.extract(a, 0, width - shift);
    let zeros = pool.zero(shift);
    Some(pool.concat(kept, zeros))
}

fn constant_shift(pool: &Pool, b: ExprId, width: u32) -> Option<u32> {
    let shift = u32::try_from(pool.as_const_wide(b)?).ok()?;
    (shift < width).then_some(shift)
}

/// match:  a << b, a >> b, b never below the width
/// result: 0
fn shift_out(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let width = pool.width(a);
    (pool.facts(b).min >= u128::from(width)).then(|| pool.zero(width))
}

/// match:  a >> n, n below the width
/// result: zext of a's high bits
fn lshr_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let width = pool.width(a);
    let shift = constant_shift(pool, b, width)?;
    let kept = pool.extract(a, shift, width - shift);
    Some(pool.zext(kept, width))
}

/// match:  a >>s n
/// result: sext of a's high bits
fn ashr_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let width = pool.width(a);
    let shift = pool.as_const_wide(b)?.min(u128::from(width - 1)) as u32;
    let kept = pool.extract(a, shift, width - shift);
    Some(pool.sext(kept, width))
}

/// match:  a >>s b, a never negative
/// result: a >> b
fn ashr_non_negative(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let negative = crate::fold::sign(pool.facts(a).max, pool.width(a));
    (!negative).then(|| pool.lshr(a, b))
}

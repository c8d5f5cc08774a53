//! Connectives: bitwise operators on one bit.

use super::rules;
use crate::{BinaryOp, ExprId, Pool, UnaryOp};

pub(crate) const NAMES: &[&[&str]] = &[NOT, AND, OR, XOR];

rules!(not, NOT, (pool, a: ExprId), (pool, a), [not_ult, not_ule, not_slt, not_sle]);

rules!(and, AND, (pool, a: ExprId, b: ExprId), (pool, a, b), [
    and_not_absorb,
    and_equal_constants,
    and_different_constants,
    and_below,
    and_above,
]);

rules!(or, OR, (pool, a: ExprId, b: ExprId), (pool, a, b), [or_not_absorb, or_different_constants]);

rules!(xor, XOR, (pool, a: ExprId, b: ExprId), (pool, a, b), [xor_bool]);

/// match:  not (a < b)
/// result: b <= a
fn not_ult(pool: &mut Pool, a: ExprId) -> Option<ExprId> {
    let (x, y) = pool.match_binary(a, BinaryOp::Ult)?;
    Some(pool.ule(y, x))
}

/// match:  not (a <= b)
/// result: b < a
fn not_ule(pool: &mut Pool, a: ExprId) -> Option<ExprId> {
    let (x, y) = pool.match_binary(a, BinaryOp::Ule)?;
    Some(pool.ult(y, x))
}

/// match:  not (a <s b)
/// result: b <=s a
fn not_slt(pool: &mut Pool, a: ExprId) -> Option<ExprId> {
    let (x, y) = pool.match_binary(a, BinaryOp::Slt)?;
    Some(pool.sle(y, x))
}

/// match:  not (a <=s b)
/// result: b <s a
fn not_sle(pool: &mut Pool, a: ExprId) -> Option<ExprId> {
    let (x, y) = pool.match_binary(a, BinaryOp::Sle)?;
    Some(pool.slt(y, x))
}

/// The operands of `not (x op y)`.
fn match_not(pool: &Pool, a: ExprId, op: BinaryOp) -> Option<(ExprId, ExprId)> {
    pool.match_binary(pool.match_unary(a, UnaryOp::Not)?, op)
}

/// match:  a & not (a & b), a & not (a | b)
/// result: a & not b, 0
fn and_not_absorb(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    for (term, other) in [(a, b), (b, a)] {
        if let Some((x, y)) = match_not(pool, term, BinaryOp::And)
            && (x == other || y == other)
        {
            let rest = pool.not(if x == other { y } else { x });
            return Some(pool.and(other, rest));
        }
        if let Some((x, y)) = match_not(pool, term, BinaryOp::Or)
            && (x == other || y == other)
        {
            return Some(pool.zero(pool.width(a)));
        }
    }
    None
}

/// match:  a | not (a | b), a | not (a & b)
/// result: a | not b, ones
fn or_not_absorb(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    for (term, other) in [(a, b), (b, a)] {
        if let Some((x, y)) = match_not(pool, term, BinaryOp::Or)
            && (x == other || y == other)
        {
            let rest = pool.not(if x == other { y } else { x });
            return Some(pool.or(other, rest));
        }
        if let Some((x, y)) = match_not(pool, term, BinaryOp::And)
            && (x == other || y == other)
        {
            return Some(pool.constant_wide(pool.width(a), u128::MAX));
        }
    }
    None
}

/// match:  (a == c) & (a == d), c and d different
/// result: false
fn and_equal_constants(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (x, c) = pool.match_constant(a, BinaryOp::Eq)?;
    let (y, d) = pool.match_constant(b, BinaryOp::Eq)?;
    (x == y && c != d).then(|| pool.bool(false))
}

/// match:  (a == c) & not (a == d), c and d different
/// result: a == c
fn and_different_constants(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    for (equal, different) in [(a, b), (b, a)] {
        let Some(inner) = pool.match_unary(different, UnaryOp::Not) else { continue };
        let Some((x, c)) = pool.match_constant(equal, BinaryOp::Eq) else { continue };
        let Some((y, d)) = pool.match_constant(inner, BinaryOp::Eq) else { continue };
        if x == y && c != d {
            return Some(equal);
        }
    }
    None
}

/// match:  not (a == c) | (a == d), c and d different
/// result: not (a == c)
fn or_different_constants(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    for (equal, different) in [(a, b), (b, a)] {
        let Some(inner) = pool.match_unary(different, UnaryOp::Not) else { continue };
        let Some((x, c)) = pool.match_constant(equal, BinaryOp::Eq) else { continue };
        let Some((y, d)) = pool.match_constant(inner, BinaryOp::Eq) else { continue };
        if x == y && c != d {
            return Some(different);
        }
    }
    None
}

/// match:  (a < c) & (a < d)
/// result: a < min(c, d)
fn and_below(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (x, c) = pool.match_constant(a, BinaryOp::Ult)?;
    let (y, d) = pool.match_constant(b, BinaryOp::Ult)?;
    (x == y).then_some(if c <= d { a } else { b })
}

/// match:  (c < a) & (d < a)
/// result: max(c, d) < a
fn and_above(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (c, x) = pool.match_binary(a, BinaryOp::Ult)?;
    let (d, y) = pool.match_binary(b, BinaryOp::Ult)?;
    let (c, d) = (pool.as_const_wide(c)?, pool.as_const_wide(d)?);
    (x == y).then_some(if c >= d { a } else { b })
}

/// match:  a ^ b, one bit
/// result: not (a == b)
fn xor_bool(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    (pool.width(a) == 1).then(|| pool.ne(a, b))
}

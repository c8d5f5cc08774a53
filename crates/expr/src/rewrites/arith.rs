//! Sums, products and divisions.

use super::rules;
use crate::fold::{mask, sign};
use crate::{BinaryOp, ExprId, Pool, UnaryOp, View};

pub(crate) const NAMES: &[&[&str]] = &[ADD, SUB, NEG, MUL, UDIV, SDIV, UREM, SREM];

rules!(add, ADD, (pool, a: ExprId, b: ExprId), (pool, a, b), [
    add_zero,
    add_constants,
    add_hoist_constant,
    add_sub_constant,
    add_neg,
    add_same,
    add_cancel,
    add_not,
    add_bool,
    add_disjoint,
]);

rules!(sub, SUB, (pool, a: ExprId, b: ExprId), (pool, a, b), [
    sub_same,
    sub_bool,
    sub_constant,
    sub_from_zero,
    sub_neg,
    sub_cancel,
    sub_hoist_constant,
]);

rules!(neg, NEG, (pool, a: ExprId), (pool, a), [neg_neg, neg_sub, neg_add_constant, neg_bool]);

rules!(mul, MUL, (pool, a: ExprId, b: ExprId), (pool, a, b), [
    mul_zero,
    mul_one,
    mul_ones,
    mul_power_of_two,
    mul_constants,
    mul_distribute_constant,
    mul_bool,
]);

rules!(udiv, UDIV, (pool, a: ExprId, b: ExprId), (pool, a, b), [udiv_one, udiv_power_of_two, udiv_small, udiv_narrow]);

rules!(sdiv, SDIV, (pool, a: ExprId, b: ExprId), (pool, a, b), [sdiv_one, sdiv_ones, sdiv_non_negative]);

rules!(urem, UREM, (pool, a: ExprId, b: ExprId), (pool, a, b), [
    urem_zero,
    urem_power_of_two,
    urem_same,
    urem_small,
    urem_narrow,
]);

rules!(srem, SREM, (pool, a: ExprId, b: ExprId), (pool, a, b), [srem_one, srem_ones, srem_non_negative]);

/// match:  a + 0
/// result: a
fn add_zero(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    pool.is_zero(b).then_some(a)
}

/// match:  (a + c) + d
/// result: a + (c + d)
fn add_constants(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let d = pool.as_const_wide(b)?;
    let (inner, c) = pool.match_constant(a, BinaryOp::Add)?;
    let sum = pool.constant_wide(pool.width(a), c.wrapping_add(d));
    Some(pool.add(inner, sum))
}

/// match:  (a + c) + b, b not constant, or a + (b + c)
/// result: (a + b) + c
fn add_hoist_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (inner, c, other) = match pool.match_constant(a, BinaryOp::Add) {
        Some((inner, c)) => (inner, c, b),
        None => pool.match_constant(b, BinaryOp::Add).map(|(inner, c)| (inner, c, a))?,
    };
    let constant = pool.constant_wide(pool.width(a), c);
    let sum = pool.add(inner, other);
    Some(pool.add(sum, constant))
}

/// match:  (c - a) + d
/// result: (c + d) - a
fn add_sub_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let d = pool.as_const_wide(b)?;
    let (c, inner) = pool.match_binary(a, BinaryOp::Sub)?;
    let sum = pool.as_const_wide(c)?.wrapping_add(d);
    let sum = pool.constant_wide(pool.width(a), sum);
    Some(pool.sub(sum, inner))
}

/// match:  a + neg b, or neg a + b
/// result: a - b, or b - a
fn add_neg(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    if let Some(inner) = pool.match_unary(b, UnaryOp::Neg) {
        return Some(pool.sub(a, inner));
    }
    let inner = pool.match_unary(a, UnaryOp::Neg)?;
    Some(pool.sub(b, inner))
}

/// match:  a + a
/// result: a << 1
fn add_same(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    if a != b {
        return None;
    }
    let one = pool.constant(pool.width(a), 1);
    Some(pool.shl(a, one))
}

/// match:  (a - b) + b, or b + (a - b)
/// result: a
fn add_cancel(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let cancel = |difference: ExprId, other: ExprId| {
        let (minuend, subtrahend) = pool.match_binary(difference, BinaryOp::Sub)?;
        (subtrahend == other).then_some(minuend)
    };
    cancel(a, b).or_else(|| cancel(b, a))
}

/// match:  not a + c
/// result: (c - 1) - a
fn add_not(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let c = pool.as_const_wide(b)?;
    let inner = pool.match_unary(a, UnaryOp::Not)?;
    let constant = pool.constant_wide(pool.width(a), c.wrapping_sub(1));
    Some(pool.sub(constant, inner))
}

/// match:  a + b, one bit
/// result: a ^ b
fn add_bool(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    (pool.width(a) == 1).then(|| pool.xor(a, b))
}

/// match:  a + b, no bit can be 1 in both, neither constant
/// result: a | b
fn add_disjoint(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    if pool.is_const(b) {
        return None;
    }
    let covered = pool.facts(a).zeros | pool.facts(b).zeros;
    (covered == mask(pool.width(a))).then(|| pool.or(a, b))
}

/// match:  a - a
/// result: 0
fn sub_same(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    (a == b).then(|| pool.zero(pool.width(a)))
}

/// match:  a - b, one bit
/// result: a ^ b
fn sub_bool(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    (pool.width(a) == 1).then(|| pool.xor(a, b))
}

/// match:  a - c
/// result: a + -c
fn sub_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let c = pool.as_const_wide(b)?;
    let negated = pool.constant_wide(pool.width(a), c.wrapping_neg());
    Some(pool.add(a, negated))
}

/// match:  0 - a
/// result: neg a
fn sub_from_zero(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    pool.is_zero(a).then(|| pool.neg(b))
}

/// match:  a - neg b
/// result: a + b
fn sub_neg(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let inner = pool.match_unary(b, UnaryOp::Neg)?;
    Some(pool.add(a, inner))
}

/// match:  (a + b) - b, a - (a + b), a - (a - b)
/// result: a, neg b, b
fn sub_cancel(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let other = |x: ExprId, y: ExprId, known: ExprId| match known {
        _ if known == x => Some(y),
        _ if known == y => Some(x),
        _ => None,
    };
    if let Some((x, y)) = pool.match_binary(a, BinaryOp::Add)
        && let Some(rest) = other(x, y, b)
    {
        return Some(rest);
    }
    if let Some((x, y)) = pool.match_binary(b, BinaryOp::Add)
        && let Some(rest) = other(x, y, a)
    {
        return Some(pool.neg(rest));
    }
    let (x, y) = pool.match_binary(b, BinaryOp::Sub)?;
    (x == a).then_some(y)
}

/// match:  (a + c) - b, or a - (b + c)
/// result: (a - b) + c, or (a - b) + -c
fn sub_hoist_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (minuend, subtrahend, c) = match pool.match_constant(a, BinaryOp::Add) {
        Some((inner, c)) => (inner, b, c),
        None => {
            let (inner, c) = pool.match_constant(b, BinaryOp::Add)?;
            (a, inner, c.wrapping_neg())
        }
    };
    let constant = pool.constant_wide(pool.width(a), c);
    let difference = pool.sub(minuend, subtrahend);
    Some(pool.add(difference, constant))
}

/// match:  neg neg a
/// result: a
fn neg_neg(pool: &mut Pool, a: ExprId) -> Option<ExprId> {
    pool.match_unary(a, UnaryOp::Neg)
}

/// match:  neg (a - b)
/// result: b - a
fn neg_sub(pool: &mut Pool, a: ExprId) -> Option<ExprId> {
    let (x, y) = pool.match_binary(a, BinaryOp::Sub)?;
    Some(pool.sub(y, x))
}

/// match:  neg (a + c)
/// result: -c - a
fn neg_add_constant(pool: &mut Pool, a: ExprId) -> Option<ExprId> {
    let (inner, c) = pool.match_constant(a, BinaryOp::Add)?;
    let constant = pool.constant_wide(pool.width(a), c.wrapping_neg());
    Some(pool.sub(constant, inner))
}

/// match:  neg a, a one bit, or zext of one bit
/// result: a, or sext of the bit
fn neg_bool(pool: &mut Pool, a: ExprId) -> Option<ExprId> {
    let width = pool.width(a);
    if width == 1 {
        return Some(a);
    }
    let bit = pool.match_zext(a).filter(|&bit| pool.width(bit) == 1)?;
    Some(pool.sext(bit, width))
}

/// match:  a * 0
/// result: 0
fn mul_zero(pool: &mut Pool, _: ExprId, b: ExprId) -> Option<ExprId> {
    pool.is_zero(b).then_some(b)
}

/// match:  a * 1
/// result: a
fn mul_one(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    (pool.as_const_wide(b) == Some(1)).then_some(a)
}

/// match:  a * -1
/// result: neg a
fn mul_ones(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    pool.is_ones(b).then(|| pool.neg(a))
}

/// match:  a * 2^n
/// result: a << n
fn mul_power_of_two(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let c = pool.as_const_wide(b).filter(|c| c.is_power_of_two())?;
    let shift = pool.constant(pool.width(a), c.trailing_zeros().into());
    Some(pool.shl(a, shift))
}

/// match:  (a * c) * d
/// result: a * (c * d)
fn mul_constants(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let d = pool.as_const_wide(b)?;
    let (inner, c) = pool.match_constant(a, BinaryOp::Mul)?;
    let product = pool.constant_wide(pool.width(a), c.wrapping_mul(d));
    Some(pool.mul(inner, product))
}

/// match:  (a + c) * d, neg a * d
/// result: a * d + c * d, a * -d
fn mul_distribute_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let d = pool.as_const_wide(b)?;
    let width = pool.width(a);
    if let Some(inner) = pool.match_unary(a, UnaryOp::Neg) {
        let negated = pool.constant_wide(width, d.wrapping_neg());
        return Some(pool.mul(inner, negated));
    }
    let (inner, c) = pool.match_constant(a, BinaryOp::Add)?;
    let product = pool.mul(inner, b);
    let constant = pool.constant_wide(width, c.wrapping_mul(d));
    Some(pool.add(product, constant))
}

/// match:  a * b, one bit; or a * zext of one bit
/// result: a & b; or ite(bit, a, 0)
fn mul_bool(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let width = pool.width(a);
    if width == 1 {
        return Some(pool.and(a, b));
    }
    let bit = |pool: &Pool, e| pool.match_zext(e).filter(|&bit| pool.width(bit) == 1);
    let (condition, factor) = match (bit(pool, a), bit(pool, b)) {
        (_, Some(condition)) => (condition, a),
        (Some(condition), None) => (condition, b),
        _ => return None,
    };
    let zero = pool.zero(width);
    Some(pool.ite(condition, factor, zero))
}

/// match:  a / 1
/// result: a
fn udiv_one(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    (pool.as_const_wide(b) == Some(1)).then_some(a)
}

/// match:  a / 2^n
/// result: a >> n
fn udiv_power_of_two(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let c = pool.as_const_wide(b).filter(|c| c.is_power_of_two())?;
    let shift = pool.constant(pool.width(a), c.trailing_zeros().into());
    Some(pool.lshr(a, shift))
}

/// match:  a / b, a < b always
/// result: 0
fn udiv_small(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    (pool.facts(a).max < pool.facts(b).min).then(|| pool.zero(pool.width(a)))
}

/// match:  zext a / zext b, or zext a / c, c not 0 and as narrow as a
/// result: zext (a / b)
fn udiv_narrow(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    narrow(pool, BinaryOp::UDiv, a, b)
}

/// Divides in the width that both operands fit in, if the divisor is not 0.
fn narrow(pool: &mut Pool, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    let width = pool.width(a);
    let fits = |e: ExprId| match pool.view(e) {
        View::ZExt { of, .. } => Some(pool.width(of)),
        View::Const { value, .. } => Some((128 - value.leading_zeros()).max(1)),
        _ => None,
    };
    let narrow = fits(a)?.max(fits(b)?);
    if narrow >= width || (op == BinaryOp::UDiv && pool.facts(b).min == 0) {
        return None;
    }
    let (a, b) = (pool.extract(a, 0, narrow), pool.extract(b, 0, narrow));
    let result = pool.binary(op, a, b);
    Some(pool.zext(result, width))
}

/// match:  a /s 1, wider than one bit
/// result: a
fn sdiv_one(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    (pool.width(a) > 1 && pool.as_const_wide(b) == Some(1)).then_some(a)
}

/// match:  a /s -1
/// result: neg a
fn sdiv_ones(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    pool.is_ones(b).then(|| pool.neg(a))
}

fn both_non_negative(pool: &Pool, a: ExprId, b: ExprId) -> bool {
    let width = pool.width(a);
    !sign(pool.facts(a).max, width) && !sign(pool.facts(b).max, width)
}

/// match:  a /s b, both never negative
/// result: a / b
fn sdiv_non_negative(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    both_non_negative(pool, a, b).then(|| pool.udiv(a, b))
}

/// match:  a % 0
/// result: a
fn urem_zero(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    pool.is_zero(b).then_some(a)
}

/// match:  a % 2^n
/// result: a & (2^n - 1)
fn urem_power_of_two(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let c = pool.as_const_wide(b).filter(|c| c.is_power_of_two())?;
    let rest = pool.constant_wide(pool.width(a), c - 1);
    Some(pool.and(a, rest))
}

/// match:  a % a
/// result: 0
fn urem_same(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    (a == b).then(|| pool.zero(pool.width(a)))
}

/// match:  a % b, a < b always
/// result: a
fn urem_small(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    (pool.facts(a).max < pool.facts(b).min).then_some(a)
}

/// match:  zext a % zext b, or zext a % c, c as narrow as a
/// result: zext (a % b)
fn urem_narrow(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    narrow(pool, BinaryOp::URem, a, b)
}

/// match:  a %s 1, wider than one bit
/// result: 0
fn srem_one(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let applies = pool.width(a) > 1 && pool.as_const_wide(b) == Some(1);
    applies.then(|| pool.zero(pool.width(a)))
}

/// match:  a %s -1
/// result: 0
fn srem_ones(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    pool.is_ones(b).then(|| pool.zero(pool.width(a)))
}

/// match:  a %s b, both never negative
/// result: a % b
fn srem_non_negative(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    both_non_negative(pool, a, b).then(|| pool.urem(a, b))
}

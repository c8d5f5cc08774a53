//! Orders. `a <= c` and `c <= a` become strict, so that each bound has one form.

use super::rules;
use crate::fold::{mask, sign, signed};
use crate::{BinaryOp, ExprId, Pool, UnaryOp, View};

pub(crate) const NAMES: &[&[&str]] = &[ULT, ULE, SLT, SLE];

rules!(ult, ULT, (pool, a: ExprId, b: ExprId), (pool, a, b), [
    ult_decided,
    ult_same,
    ult_bool,
    ult_at_bound,
    ult_not,
    ult_extensions,
    ult_zext,
    ult_concat,
    ult_ite_constants,
]);

rules!(ule, ULE, (pool, a: ExprId, b: ExprId), (pool, a, b), [
    ule_decided,
    ule_same,
    ule_constant,
    ule_bool,
    ule_not,
    ule_extensions,
]);

rules!(slt, SLT, (pool, a: ExprId, b: ExprId), (pool, a, b), [
    slt_same,
    slt_zero,
    slt_known_signs,
    slt_extensions,
    slt_sext_constant,
    slt_not,
    slt_ite_constants,
]);

rules!(sle, SLE, (pool, a: ExprId, b: ExprId), (pool, a, b), [
    sle_same,
    sle_constant,
    sle_known_signs,
    sle_extensions,
    sle_not,
]);

/// match:  a < b, the ranges decide
/// result: the constant
fn ult_decided(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (x, y) = (pool.facts(a), pool.facts(b));
    if x.max < y.min {
        return Some(pool.bool(true));
    }
    (x.min >= y.max).then(|| pool.bool(false))
}

/// match:  a < a
/// result: false
fn ult_same(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    (a == b).then(|| pool.bool(false))
}

/// match:  a < b, one bit
/// result: not a & b
fn ult_bool(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    if pool.width(a) != 1 {
        return None;
    }
    let not_a = pool.not(a);
    Some(pool.and(not_a, b))
}

/// match:  a < c, c one above a's least value; c < a, c one below its greatest;
///         a < c, c a's greatest; c < a, c its least
/// result: a == least; a == greatest; not (a == greatest); not (a == least)
fn ult_at_bound(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let width = pool.width(a);
    if let Some(c) = pool.as_const_wide(b) {
        let facts = pool.facts(a);
        if facts.min + 1 == c {
            let least = pool.constant_wide(width, facts.min);
            return Some(pool.eq(a, least));
        }
        return (facts.max == c).then(|| pool.ne(a, b));
    }
    let c = pool.as_const_wide(a)?;
    let facts = pool.facts(b);
    if c + 1 == facts.max {
        let greatest = pool.constant_wide(width, facts.max);
        return Some(pool.eq(b, greatest));
    }
    (facts.min == c).then(|| pool.ne(b, a))
}

/// match:  not a < not b, not a < c, c < not a
/// result: b < a, not c < a, a < not c
fn ult_not(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (x, y) = flipped(pool, a, b)?;
    Some(pool.ult(y, x))
}

/// Both operands without their `not`, if both have one or are constants.
fn flipped(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId)> {
    let without = |pool: &mut Pool, e| match pool.match_unary(e, UnaryOp::Not) {
        Some(inner) => Some(inner),
        None => pool.is_const(e).then(|| pool.not(e)),
    };
    if pool.is_const(a) && pool.is_const(b) {
        return None;
    }
    Some((without(pool, a)?, without(pool, b)?))
}

/// match:  zext a < zext b
/// result: a < b, the narrower one extended to the other's width
fn ult_extensions(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (x, y) = narrowed(pool, a, b)?;
    Some(pool.ult(x, y))
}

/// Two zero extensions in the wider of the two narrow widths.
fn narrowed(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId)> {
    let (x, y) = (pool.match_zext(a)?, pool.match_zext(b)?);
    let width = pool.width(x).max(pool.width(y));
    Some((pool.zext(x, width), pool.zext(y, width)))
}

/// match:  zext a < c, c < zext a
/// result: a < c, c < a in a's width (the ranges decided where c does not fit)
fn ult_zext(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (inner, constant) = match (pool.match_zext(a), pool.match_zext(b)) {
        (Some(inner), None) => (inner, b),
        (None, Some(inner)) => (inner, a),
        _ => return None,
    };
    let c = pool.as_const_wide(constant)?;
    let narrow = pool.width(inner);
    if c > mask(narrow) {
        return None;
    }
    let narrow_constant = pool.constant_wide(narrow, c);
    Some(if constant == b {
        pool.ult(inner, narrow_constant)
    } else {
        pool.ult(narrow_constant, inner)
    })
}

/// match:  concat(h, l) < c, c's low bits 0; c < concat(h, l), c's low bits ones;
///         concat(h, l) < concat(h, m)
/// result: h < c's high bits; c's high bits < h; l < m
fn ult_concat(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    match (pool.view(a), pool.view(b)) {
        (View::Concat(high, low), View::Concat(other, other_low)) => {
            let same = high == other && pool.width(low) == pool.width(other_low);
            same.then(|| pool.ult(low, other_low))
        }
        (View::Concat(high, low), View::Const { value, .. }) => {
            let cut = pool.width(low);
            if value & mask(cut) != 0 {
                return None;
            }
            let bound = pool.constant_wide(pool.width(high), value >> cut);
            Some(pool.ult(high, bound))
        }
        (View::Const { value, .. }, View::Concat(high, low)) => {
            let cut = pool.width(low);
            if value & mask(cut) != mask(cut) {
                return None;
            }
            let bound = pool.constant_wide(pool.width(high), value >> cut);
            Some(pool.ult(bound, high))
        }
        _ => None,
    }
}

/// match:  ite(c, k, l) < m, m < ite(c, k, l)
/// result: ite(c, k < m, l < m), ite(c, m < k, m < l)
fn ult_ite_constants(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    through_ite(pool, BinaryOp::Ult, a, b)
}

/// A comparison of a constant with a choice of constants, arm by arm; one of the arms may be a
/// choice again.
fn through_ite(pool: &mut Pool, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    let is_chain = |pool: &Pool, x, y| {
        pool.is_const(x) && (pool.is_const(y) || matches!(pool.view(y), View::Ite(..)))
    };
    let arms = |pool: &Pool, e| match pool.view(e) {
        View::Ite(condition, x, y) if is_chain(pool, x, y) || is_chain(pool, y, x) => {
            Some((condition, x, y))
        }
        _ => None,
    };
    if pool.is_const(b) {
        let (condition, x, y) = arms(pool, a)?;
        let (then, otherwise) = (pool.binary(op, x, b), pool.binary(op, y, b));
        return Some(pool.ite(condition, then, otherwise));
    }
    if pool.is_const(a) {
        let (condition, x, y) = arms(pool, b)?;
        let (then, otherwise) = (pool.binary(op, a, x), pool.binary(op, a, y));
        return Some(pool.ite(condition, then, otherwise));
    }
    None
}

/// match:  a <= b, the ranges decide
/// result: the constant
fn ule_decided(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (x, y) = (pool.facts(a), pool.facts(b));
    if x.max <= y.min {
        return Some(pool.bool(true));
    }
    (x.min > y.max).then(|| pool.bool(false))
}

/// match:  a <= a
/// result: true
fn ule_same(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    (a == b).then(|| pool.bool(true))
}

/// match:  a <= c, c <= a
/// result: a < c + 1, c - 1 < a (the ranges decided where that wraps)
fn ule_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let width = pool.width(a);
    if let Some(c) = pool.as_const_wide(b) {
        let bound = pool.constant_wide(width, c.checked_add(1)?);
        return Some(pool.ult(a, bound));
    }
    let c = pool.as_const_wide(a)?;
    let bound = pool.constant_wide(width, c.checked_sub(1)?);
    Some(pool.ult(bound, b))
}

/// match:  a <= b, one bit
/// result: not a | b
fn ule_bool(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    if pool.width(a) != 1 {
        return None;
    }
    let not_a = pool.not(a);
    Some(pool.or(not_a, b))
}

/// match:  not a <= not b
/// result: b <= a
fn ule_not(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (x, y) = flipped(pool, a, b)?;
    Some(pool.ule(y, x))
}

/// match:  zext a <= zext b
/// result: a <= b, the narrower one extended to the other's width
fn ule_extensions(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (x, y) = narrowed(pool, a, b)?;
    Some(pool.ule(x, y))
}

/// match:  a <s a
/// result: false
fn slt_same(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    (a == b).then(|| pool.bool(false))
}

/// match:  a <s 0, -1 <s a
/// result: a's sign bit, not a's sign bit
fn slt_zero(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let top = pool.width(a) - 1;
    if pool.is_zero(b) {
        return Some(pool.extract(a, top, 1));
    }
    if !pool.is_ones(a) {
        return None;
    }
    let negative = pool.extract(b, top, 1);
    Some(pool.not(negative))
}

/// The signs of both operands, if known.
fn signs(pool: &Pool, a: ExprId, b: ExprId) -> Option<(bool, bool)> {
    let of = |e: ExprId| {
        let facts = pool.facts(e);
        let width = pool.width(e);
        let (low, high) = (sign(facts.min, width), sign(facts.max, width));
        (low == high).then_some(low)
    };
    Some((of(a)?, of(b)?))
}

/// match:  a <s b, both signs known
/// result: a < b, or the constant
fn slt_known_signs(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (a_negative, b_negative) = signs(pool, a, b)?;
    Some(if a_negative == b_negative { pool.ult(a, b) } else { pool.bool(a_negative) })
}

/// match:  sext a <s sext b
/// result: a <s b, the narrower one extended to the other's width
fn slt_extensions(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (x, y) = signed_narrowed(pool, a, b)?;
    Some(pool.slt(x, y))
}

/// Two sign extensions in the wider of the two narrow widths.
fn signed_narrowed(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId)> {
    let (x, y) = (pool.match_sext(a)?, pool.match_sext(b)?);
    let width = pool.width(x).max(pool.width(y));
    Some((pool.sext(x, width), pool.sext(y, width)))
}

/// match:  sext a <s c, c <s sext a
/// result: a <s c, c <s a in a's width, or the constant if c does not fit
fn slt_sext_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (inner, constant) = match (pool.match_sext(a), pool.match_sext(b)) {
        (Some(inner), None) => (inner, b),
        (None, Some(inner)) => (inner, a),
        _ => return None,
    };
    let c = signed(pool.as_const_wide(constant)?, pool.width(constant));
    let narrow = pool.width(inner);
    let half = 1i128 << (narrow - 1);
    if !(-half..half).contains(&c) {
        return Some(pool.bool((constant == b) == (c > 0)));
    }
    let narrow_constant = pool.constant_wide(narrow, c as u128);
    Some(if constant == b {
        pool.slt(inner, narrow_constant)
    } else {
        pool.slt(narrow_constant, inner)
    })
}

/// match:  not a <s not b, not a <s c, c <s not a
/// result: b <s a, not c <s a, a <s not c
fn slt_not(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (x, y) = flipped(pool, a, b)?;
    Some(pool.slt(y, x))
}

/// match:  ite(c, k, l) <s m, m <s ite(c, k, l)
/// result: ite(c, k <s m, l <s m), ite(c, m <s k, m <s l)
fn slt_ite_constants(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    through_ite(pool, BinaryOp::Slt, a, b)
}

/// match:  a <=s a
/// result: true
fn sle_same(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    (a == b).then(|| pool.bool(true))
}

/// match:  a <=s c, c <=s a
/// result: a <s c + 1, c - 1 <s a; true if c is the greatest or least value
fn sle_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let width = pool.width(a);
    let least = 1u128 << (width - 1);
    if let Some(c) = pool.as_const_wide(b) {
        if c == least - 1 {
            return Some(pool.bool(true));
        }
        let bound = pool.constant_wide(width, c.wrapping_add(1));
        return Some(pool.slt(a, bound));
    }
    let c = pool.as_const_wide(a)?;
    if c == least {
        return Some(pool.bool(true));
    }
    let bound = pool.constant_wide(width, c.wrapping_sub(1));
    Some(pool.slt(bound, b))
}

/// match:  a <=s b, both signs known
/// result: a <= b, or the constant
fn sle_known_signs(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (a_negative, b_negative) = signs(pool, a, b)?;
    Some(if a_negative == b_negative { pool.ule(a, b) } else { pool.bool(a_negative) })
}

/// match:  sext a <=s sext b
/// result: a <=s b, the narrower one extended to the other's width
fn sle_extensions(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (x, y) = signed_narrowed(pool, a, b)?;
    Some(pool.sle(x, y))
}

/// match:  not a <=s not b
/// result: b <=s a
fn sle_not(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (x, y) = flipped(pool, a, b)?;
    Some(pool.sle(y, x))
}

//! Equality.

use super::rules;
use crate::fold::{extract as bits, mask, sext};
use crate::{BinaryOp, ExprId, Pool, UnaryOp, View};

pub(crate) const NAMES: &[&[&str]] = &[EQ];

rules!(eq, EQ, (pool, a: ExprId, b: ExprId), (pool, a, b), [
    eq_same,
    eq_disjoint,
    eq_bool_constant,
    eq_not,
    eq_zext_constant,
    eq_sext_constant,
    eq_concat,
    eq_extensions,
    eq_add_constant,
    eq_sub_constant,
    eq_xor_constant,
    eq_mul_constant,
    eq_cancel,
    eq_sub_zero,
    eq_ite_constant,
    eq_ites,
    eq_or_zero,
]);

/// match:  a == a
/// result: true
fn eq_same(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    (a == b).then(|| pool.bool(true))
}

/// match:  a == b, known bits or ranges exclude it
/// result: false
fn eq_disjoint(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    pool.facts(a).disjoint(&pool.facts(b)).then(|| pool.bool(false))
}

/// match:  a == 1, a == 0, one bit
/// result: a, not a
fn eq_bool_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    if pool.width(a) != 1 {
        return None;
    }
    let value = pool.as_const(b)?;
    Some(if value == 1 { a } else { pool.not(a) })
}

/// match:  not a == c, neg a == c, not a == not b, neg a == neg b, not a == b at one bit
/// result: a == not c, a == neg c, a == b, a == b, not (a == b)
fn eq_not(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    for op in [UnaryOp::Not, UnaryOp::Neg] {
        let (x, y) = (pool.match_unary(a, op), pool.match_unary(b, op));
        match (x, y) {
            (Some(x), Some(y)) => return Some(pool.eq(x, y)),
            (Some(x), None) if pool.is_const(b) => {
                let constant = pool.unary(op, b);
                return Some(pool.eq(x, constant));
            }
            (Some(x), None) if pool.width(a) == 1 => return Some(pool.ne(x, b)),
            (None, Some(y)) if pool.width(a) == 1 => return Some(pool.ne(a, y)),
            _ => {}
        }
    }
    None
}

/// match:  zext a == c
/// result: a == c cut to a's width; false if c does not fit
fn eq_zext_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let c = pool.as_const_wide(b)?;
    let inner = pool.match_zext(a)?;
    let narrow = pool.width(inner);
    if c > mask(narrow) {
        return Some(pool.bool(false));
    }
    let constant = pool.constant_wide(narrow, c);
    Some(pool.eq(inner, constant))
}

/// match:  sext a == c
/// result: a == c cut to a's width; false if c is no extension
fn eq_sext_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let c = pool.as_const_wide(b)?;
    let inner = pool.match_sext(a)?;
    let narrow = pool.width(inner);
    let cut = bits(c, 0, narrow);
    if sext(cut, narrow, pool.width(a)) != c {
        return Some(pool.bool(false));
    }
    let constant = pool.constant_wide(narrow, cut);
    Some(pool.eq(inner, constant))
}

/// match:  concat(h, l) == b, b constant, extended, or cut at the same place
/// result: (h == b's high bits) & (l == b's low bits)
fn eq_concat(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (joined, other) = match (pool.view(a), pool.view(b)) {
        (View::Concat(_, x), View::Concat(_, y)) if pool.width(x) < pool.width(y) => (b, a),
        (View::Concat(..), View::Const { .. } | View::Concat(..)) => (a, b),
        (View::Concat(..), View::ZExt { .. } | View::SExt { .. }) => (a, b),
        (View::ZExt { .. } | View::SExt { .. }, View::Concat(..)) => (b, a),
        _ => return None,
    };
    let View::Concat(high, low) = pool.view(joined) else { return None };
    let cut = pool.width(low);
    let splits = match pool.view(other) {
        View::Concat(_, x) => pool.width(x) == cut || matches!(pool.view(x), View::Concat(..)),
        _ => true,
    };
    if !splits {
        return None;
    }
    let other_high = pool.extract(other, cut, pool.width(high));
    let other_low = pool.extract(other, 0, cut);
    let high = pool.eq(high, other_high);
    let low = pool.eq(low, other_low);
    Some(pool.and(high, low))
}

/// match:  zext a == zext b, sext a == sext b
/// result: a == b, the narrower one extended to the other's width
fn eq_extensions(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let signed = pool.match_sext(a).is_some();
    let (x, y) = match signed {
        true => (pool.match_sext(a)?, pool.match_sext(b)?),
        false => (pool.match_zext(a)?, pool.match_zext(b)?),
    };
    let width = pool.width(x).max(pool.width(y));
    let extend = |pool: &mut Pool, e| {
        if signed { pool.sext(e, width) } else { pool.zext(e, width) }
    };
    let (x, y) = (extend(pool, x), extend(pool, y));
    Some(pool.eq(x, y))
}

/// match:  a + c == d
/// result: a == d - c
fn eq_add_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let d = pool.as_const_wide(b)?;
    let (inner, c) = pool.match_constant(a, BinaryOp::Add)?;
    let constant = pool.constant_wide(pool.width(a), d.wrapping_sub(c));
    Some(pool.eq(inner, constant))
}

/// match:  c - a == d
/// result: a == c - d
fn eq_sub_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let d = pool.as_const_wide(b)?;
    let (minuend, inner) = pool.match_binary(a, BinaryOp::Sub)?;
    let c = pool.as_const_wide(minuend)?;
    let constant = pool.constant_wide(pool.width(a), c.wrapping_sub(d));
    Some(pool.eq(inner, constant))
}

/// match:  a ^ c == d
/// result: a == c ^ d
fn eq_xor_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let d = pool.as_const_wide(b)?;
    let (inner, c) = pool.match_constant(a, BinaryOp::Xor)?;
    let constant = pool.constant_wide(pool.width(a), c ^ d);
    Some(pool.eq(inner, constant))
}

/// match:  a * c == d, c odd
/// result: a == d * c's inverse
fn eq_mul_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let d = pool.as_const_wide(b)?;
    let (inner, c) = pool.match_constant(a, BinaryOp::Mul).filter(|(_, c)| c & 1 == 1)?;
    // Newton's iteration doubles the number of correct low bits: 1, 2, 4 … 128.
    let inverse = (0..7).fold(1u128, |inverse, _| {
        inverse.wrapping_mul(2u128.wrapping_sub(c.wrapping_mul(inverse)))
    });
    let constant = pool.constant_wide(pool.width(a), d.wrapping_mul(inverse));
    Some(pool.eq(inner, constant))
}

/// match:  a + x == a + y, a + c == b + d, a + x == a, a ^ x == a
/// result: x == y, a + (c - d) == b, x == 0, x == 0
fn eq_cancel(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    for op in [BinaryOp::Add, BinaryOp::Xor] {
        if let (Some((p, q)), Some((r, s))) = (pool.match_binary(a, op), pool.match_binary(b, op)) {
            let rest = match () {
                _ if p == r => Some((q, s)),
                _ if q == s => Some((p, r)),
                _ if p == s => Some((q, r)),
                _ if q == r => Some((p, s)),
                _ if pool.is_const(q) && pool.is_const(s) => {
                    let constant =
                        if op == BinaryOp::Add { pool.sub(q, s) } else { pool.xor(q, s) };
                    Some((pool.binary(op, p, constant), r))
                }
                _ => None,
            };
            if let Some((x, y)) = rest {
                return Some(pool.eq(x, y));
            }
        }
        for (sum, other) in [(a, b), (b, a)] {
            let Some((x, y)) = pool.match_binary(sum, op) else { continue };
            if x == other || y == other {
                let zero = pool.zero(pool.width(a));
                return Some(pool.eq(if x == other { y } else { x }, zero));
            }
        }
    }
    None
}

/// match:  a - b == 0, a ^ b == 0
/// result: a == b
fn eq_sub_zero(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    if !pool.is_zero(b) {
        return None;
    }
    let (x, y) =
        pool.match_binary(a, BinaryOp::Sub).or_else(|| pool.match_binary(a, BinaryOp::Xor))?;
    Some(pool.eq(x, y))
}

/// match:  ite(c, x, y) == k, x or y decided by the facts
/// result: a combination of c and of the other arm's equality
fn eq_ite_constant(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let View::Ite(condition, then, otherwise) = pool.view(a) else { return None };
    let value = pool.as_const_wide(b)?;
    let decided = |e: ExprId| match pool.as_const_wide(e) {
        Some(found) => Some(found == value),
        None => (!pool.facts(e).admits(value)).then_some(false),
    };
    match (decided(then), decided(otherwise)) {
        (None, None) => None,
        (None, Some(_)) | (Some(_), _) => {
            let (then, otherwise) = (pool.eq(then, b), pool.eq(otherwise, b));
            Some(pool.ite(condition, then, otherwise))
        }
    }
}

/// match:  ite(c, x, y) == ite(c, z, w), ite(c, x, y) == x
/// result: ite(c, x == z, y == w), c | (y == x)
fn eq_ites(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    for (choice, other) in [(a, b), (b, a)] {
        let View::Ite(condition, x, y) = pool.view(choice) else { continue };
        let (z, w) = match pool.view(other) {
            View::Ite(same, z, w) if same == condition => (z, w),
            _ if x == other || y == other => (other, other),
            _ => continue,
        };
        let (then, otherwise) = (pool.eq(x, z), pool.eq(y, w));
        return Some(pool.ite(condition, then, otherwise));
    }
    None
}

/// match:  a | b == 0, a & b == ones
/// result: (a == 0) & (b == 0), (a == ones) & (b == ones)
fn eq_or_zero(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let op = match () {
        _ if pool.is_zero(b) => BinaryOp::Or,
        _ if pool.is_ones(b) => BinaryOp::And,
        _ => return None,
    };
    let (x, y) = pool.match_binary(a, op)?;
    let (x, y) = (pool.eq(x, b), pool.eq(y, b));
    Some(pool.and(x, y))
}

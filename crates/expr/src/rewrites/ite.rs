//! Choices.

use super::rules;
use crate::fold::mask;
use crate::{ExprId, Pool, UnaryOp, View};

pub(crate) const NAMES: &[&[&str]] = &[ITE];

rules!(ite, ITE, (pool, condition: ExprId, then: ExprId, otherwise: ExprId), (pool, condition, then, otherwise), [
    ite_same,
    ite_not,
    ite_bool,
    ite_condition_in_arm,
    ite_zero_one,
    ite_nested_same,
    ite_shared_arm,
    ite_zext,
]);

/// match:  ite(c, a, a)
/// result: a
fn ite_same(_: &mut Pool, _: ExprId, then: ExprId, otherwise: ExprId) -> Option<ExprId> {
    (then == otherwise).then_some(then)
}

/// match:  ite(not c, a, b)
/// result: ite(c, b, a)
fn ite_not(pool: &mut Pool, condition: ExprId, then: ExprId, otherwise: ExprId) -> Option<ExprId> {
    let inner = pool.match_unary(condition, UnaryOp::Not)?;
    Some(pool.ite(inner, otherwise, then))
}

/// match:  ite(c, a, b), one bit, an arm constant
/// result: c | b, not c & b, not c | a, c & a
fn ite_bool(pool: &mut Pool, condition: ExprId, then: ExprId, otherwise: ExprId) -> Option<ExprId> {
    if pool.width(then) != 1 {
        return None;
    }
    if let Some(value) = pool.as_const(then) {
        if value == 1 {
            return Some(pool.or(condition, otherwise));
        }
        let inverse = pool.not(condition);
        return Some(pool.and(inverse, otherwise));
    }
    if pool.as_const(otherwise)? == 1 {
        let inverse = pool.not(condition);
        return Some(pool.or(inverse, then));
    }
    Some(pool.and(condition, then))
}

/// match:  ite(c, c, b), ite(c, a, c)
/// result: c | b, c & a
fn ite_condition_in_arm(
    pool: &mut Pool,
    condition: ExprId,
    then: ExprId,
    otherwise: ExprId,
) -> Option<ExprId> {
    if condition == then {
        return Some(pool.or(condition, otherwise));
    }
    (condition == otherwise).then(|| pool.and(condition, then))
}

/// match:  ite(c, 1, 0), ite(c, 0, 1), ite(c, ones, 0), ite(c, 0, ones)
/// result: zext c, zext not c, sext c, sext not c
fn ite_zero_one(
    pool: &mut Pool,
    condition: ExprId,
    then: ExprId,
    otherwise: ExprId,
) -> Option<ExprId> {
    let width = pool.width(then);
    let (bit, set) = match (pool.as_const_wide(then)?, pool.as_const_wide(otherwise)?) {
        (set, 0) => (condition, set),
        (0, set) if set == 1 || set == mask(width) => (pool.not(condition), set),
        _ => return None,
    };
    match set {
        1 => Some(pool.zext(bit, width)),
        _ if set == mask(width) => Some(pool.sext(bit, width)),
        _ => None,
    }
}

/// match:  ite(c, ite(c, a, b), d), ite(c, a, ite(c, b, d))
/// result: ite(c, a, d)
fn ite_nested_same(
    pool: &mut Pool,
    condition: ExprId,
    then: ExprId,
    otherwise: ExprId,
) -> Option<ExprId> {
    if let View::Ite(inner, taken, _) = pool.view(then)
        && inner == condition
    {
        return Some(pool.ite(condition, taken, otherwise));
    }
    match pool.view(otherwise) {
        View::Ite(inner, _, taken) if inner == condition => Some(pool.ite(condition, then, taken)),
        _ => None,
    }
}

/// match:  ite(c, a, ite(d, a, b)), ite(c, ite(d, a, b), b)
/// result: ite(c | d, a, b), ite(c & d, a, b)
fn ite_shared_arm(
    pool: &mut Pool,
    condition: ExprId,
    then: ExprId,
    otherwise: ExprId,
) -> Option<ExprId> {
    if let View::Ite(inner, a, b) = pool.view(otherwise)
        && a == then
    {
        let either = pool.or(condition, inner);
        return Some(pool.ite(either, a, b));
    }
    match pool.view(then) {
        View::Ite(inner, a, b) if b == otherwise => {
            let both = pool.and(condition, inner);
            Some(pool.ite(both, a, b))
        }
        _ => None,
    }
}

/// match:  ite(c, zext a, zext b), ite(c, zext a, k), k as narrow as a
/// result: zext ite(c, a, b), in the wider of the narrow widths
fn ite_zext(pool: &mut Pool, condition: ExprId, then: ExprId, otherwise: ExprId) -> Option<ExprId> {
    let width = pool.width(then);
    let needed = |e: ExprId| match pool.view(e) {
        View::ZExt { of, .. } => Some(pool.width(of)),
        View::Const { value, .. } => Some(128 - value.leading_zeros()),
        _ => None,
    };
    if pool.is_const(then) && pool.is_const(otherwise) {
        return None;
    }
    let narrow = needed(then)?.max(needed(otherwise)?);
    if narrow >= width {
        return None;
    }
    let (then, otherwise) = (pool.extract(then, 0, narrow), pool.extract(otherwise, 0, narrow));
    let choice = pool.ite(condition, then, otherwise);
    Some(pool.zext(choice, width))
}

//! Extractions, concatenations and extensions.

use super::rules;
use crate::facts::transfer;
use crate::fold::sign;
use crate::{BinaryOp, ExprId, Pool, View};

pub(crate) const NAMES: &[&[&str]] = &[EXTRACT, CONCAT, ZEXT, SEXT];

rules!(extract, EXTRACT, (pool, of: ExprId, low: u32, width: u32), (pool, of, low, width), [
    extract_extract,
    extract_concat,
    extract_zext,
    extract_sext,
    extract_ite,
    extract_bitwise,
    extract_low_arith,
    extract_known,
]);

rules!(concat, CONCAT, (pool, high: ExprId, low: ExprId), (pool, high, low), [
    concat_zero,
    concat_nest_right,
    concat_zext,
    concat_constants,
    concat_adjacent,
    concat_sign,
    concat_ites,
]);

rules!(zext, ZEXT, (pool, a: ExprId, width: u32), (pool, a, width), [zext_zext]);

rules!(sext, SEXT, (pool, a: ExprId, width: u32), (pool, a, width), [sext_sext, sext_zext, sext_non_negative]);

/// match:  extract of an extract
/// result: one extract
fn extract_extract(pool: &mut Pool, of: ExprId, low: u32, width: u32) -> Option<ExprId> {
    let View::Extract { of: inner, low: inner_low, .. } = pool.view(of) else { return None };
    Some(pool.extract(inner, inner_low + low, width))
}

/// match:  extract of concat(h, l)
/// result: extract of h, or of l, or the concatenation of both
fn extract_concat(pool: &mut Pool, of: ExprId, low: u32, width: u32) -> Option<ExprId> {
    let View::Concat(high_part, low_part) = pool.view(of) else { return None };
    let cut = pool.width(low_part);
    if low >= cut {
        return Some(pool.extract(high_part, low - cut, width));
    }
    if low + width <= cut {
        return Some(pool.extract(low_part, low, width));
    }
    let high_bits = pool.extract(high_part, 0, low + width - cut);
    let low_bits = pool.extract(low_part, low, cut - low);
    Some(pool.concat(high_bits, low_bits))
}

/// match:  extract of zext a
/// result: extract of a, its zext, or 0
fn extract_zext(pool: &mut Pool, of: ExprId, low: u32, width: u32) -> Option<ExprId> {
    let inner = pool.match_zext(of)?;
    let from = pool.width(inner);
    if low >= from {
        return Some(pool.zero(width));
    }
    let bits = pool.extract(inner, low, width.min(from - low));
    Some(pool.zext(bits, width))
}

/// match:  extract of sext a
/// result: extract of a, or its sext, or the sext of a's sign
fn extract_sext(pool: &mut Pool, of: ExprId, low: u32, width: u32) -> Option<ExprId> {
    let inner = pool.match_sext(of)?;
    let from = pool.width(inner);
    let start = low.min(from - 1);
    let bits = pool.extract(inner, start, width.min(from - start));
    Some(pool.sext(bits, width))
}

/// match:  extract of ite(c, k, l)
/// result: ite(c, extract of k, extract of l)
fn extract_ite(pool: &mut Pool, of: ExprId, low: u32, width: u32) -> Option<ExprId> {
    let View::Ite(condition, then, otherwise) = pool.view(of) else { return None };
    if !pool.is_const(then) || !pool.is_const(otherwise) {
        return None;
    }
    let then = pool.extract(then, low, width);
    let otherwise = pool.extract(otherwise, low, width);
    Some(pool.ite(condition, then, otherwise))
}

/// match:  extract of a op b, op bitwise, both constant, extended or concatenated, or the bits
///         extracted from one of them known
/// result: extract of a op extract of b
fn extract_bitwise(pool: &mut Pool, of: ExprId, low: u32, width: u32) -> Option<ExprId> {
    let View::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor), a, b) = pool.view(of)
    else {
        return None;
    };
    let splits = |e: ExprId| {
        matches!(
            pool.view(e),
            View::Const { .. } | View::ZExt { .. } | View::SExt { .. } | View::Concat(..)
        )
    };
    let known = |e: ExprId| transfer::extract(pool.facts(e), low, width).value().is_some();
    if !(splits(a) && splits(b) || known(a) || known(b)) {
        return None;
    }
    let (a, b) = (pool.extract(a, low, width), pool.extract(b, low, width));
    Some(pool.binary(op, a, b))
}

/// match:  the low bits of a op b, op a sum or product of terms extended from no more bits
/// result: a's low bits op b's low bits
fn extract_low_arith(pool: &mut Pool, of: ExprId, low: u32, width: u32) -> Option<ExprId> {
    if low != 0 || !narrows(pool, of, width, 4) {
        return None;
    }
    match pool.view(of) {
        View::Binary(op, a, b) => {
            let (a, b) = (pool.extract(a, 0, width), pool.extract(b, 0, width));
            Some(pool.binary(op, a, b))
        }
        View::Unary(op, a) => {
            let a = pool.extract(a, 0, width);
            Some(pool.unary(op, a))
        }
        _ => None,
    }
}

/// Whether the low `width` bits of `expr` can be computed from operands cut to that width
/// without an extraction that remains.
fn narrows(pool: &Pool, expr: ExprId, width: u32, budget: u32) -> bool {
    match pool.view(expr) {
        View::Const { .. } => true,
        View::ZExt { of, .. } | View::SExt { of, .. } => pool.width(of) <= width,
        View::Concat(_, low) => pool.width(low) == width,
        View::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) if budget > 0 => {
            narrows(pool, a, width, budget - 1) && narrows(pool, b, width, budget - 1)
        }
        View::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, a, b) if budget > 0 => {
            narrows(pool, a, width, budget - 1) && narrows(pool, b, width, budget - 1)
        }
        View::Unary(_, a) if budget > 0 => narrows(pool, a, width, budget - 1),
        _ => false,
    }
}

/// match:  extract of bits that are all known
/// result: the constant
fn extract_known(pool: &mut Pool, of: ExprId, low: u32, width: u32) -> Option<ExprId> {
    let facts = transfer::extract(pool.facts(of), low, width);
    facts.value().map(|value| pool.constant_wide(width, value))
}

/// match:  concat(0, a)
/// result: zext a
fn concat_zero(pool: &mut Pool, high: ExprId, low: ExprId) -> Option<ExprId> {
    pool.is_zero(high).then(|| pool.zext(low, pool.width(high) + pool.width(low)))
}

/// match:  concat(concat(a, b), c)
/// result: concat(a, concat(b, c))
fn concat_nest_right(pool: &mut Pool, high: ExprId, low: ExprId) -> Option<ExprId> {
    let View::Concat(top, middle) = pool.view(high) else { return None };
    let rest = pool.concat(middle, low);
    Some(pool.concat(top, rest))
}

/// match:  concat(zext a, b)
/// result: zext concat(a, b)
fn concat_zext(pool: &mut Pool, high: ExprId, low: ExprId) -> Option<ExprId> {
    let inner = pool.match_zext(high)?;
    let width = pool.width(high) + pool.width(low);
    let joined = pool.concat(inner, low);
    Some(pool.zext(joined, width))
}

/// match:  concat(c, concat(d, a)), concat(c, zext a)
/// result: concat(cd, a), concat(c0, a)
fn concat_constants(pool: &mut Pool, high: ExprId, low: ExprId) -> Option<ExprId> {
    if !pool.is_const(high) {
        return None;
    }
    let (middle, rest) = match pool.view(low) {
        View::Concat(middle, rest) if pool.is_const(middle) => (middle, rest),
        View::ZExt { of, width } => (pool.zero(width - pool.width(of)), of),
        _ => return None,
    };
    let joined = pool.concat(high, middle);
    Some(pool.concat(joined, rest))
}

/// match:  concat of adjacent bits of one term, or concat(them, rest)
/// result: one extract of it, or concat(that, rest)
fn concat_adjacent(pool: &mut Pool, high: ExprId, low: ExprId) -> Option<ExprId> {
    let View::Extract { of, low: start, width } = pool.view(high) else { return None };
    let (next, rest) = match pool.view(low) {
        View::Concat(next, rest) => (next, Some(rest)),
        _ => (low, None),
    };
    let next_width = pool.width(next);
    if start < next_width {
        return None;
    }
    let is_adjacent = match pool.view(next) {
        View::Extract { of: other, low: below, .. } if other == of => below + next_width == start,
        View::Const { .. } => false,
        // The bits below may have been simplified further when they were extracted.
        _ => pool.extract(of, start - next_width, next_width) == next,
    };
    if !is_adjacent {
        return None;
    }
    let joined = pool.extract(of, start - next_width, width + next_width);
    Some(match rest {
        Some(rest) => pool.concat(joined, rest),
        None => joined,
    })
}

/// match:  concat(sext of a's sign, a)
/// result: sext a
fn concat_sign(pool: &mut Pool, high: ExprId, low: ExprId) -> Option<ExprId> {
    let low_width = pool.width(low);
    let bit = match pool.match_sext(high) {
        Some(bit) => bit,
        None => high,
    };
    if pool.width(bit) != 1 || pool.is_const(low) || pool.extract(low, low_width - 1, 1) != bit {
        return None;
    }
    Some(pool.sext(low, pool.width(high) + low_width))
}

/// match:  concat(ite(c, a, b), ite(c, d, e))
/// result: ite(c, concat(a, d), concat(b, e))
fn concat_ites(pool: &mut Pool, high: ExprId, low: ExprId) -> Option<ExprId> {
    let View::Ite(condition, a, b) = pool.view(high) else { return None };
    let View::Ite(other, d, e) = pool.view(low) else { return None };
    if condition != other {
        return None;
    }
    let (then, otherwise) = (pool.concat(a, d), pool.concat(b, e));
    Some(pool.ite(condition, then, otherwise))
}

/// match:  zext zext a
/// result: zext a
fn zext_zext(pool: &mut Pool, a: ExprId, width: u32) -> Option<ExprId> {
    let inner = pool.match_zext(a)?;
    Some(pool.zext(inner, width))
}

/// match:  sext sext a
/// result: sext a
fn sext_sext(pool: &mut Pool, a: ExprId, width: u32) -> Option<ExprId> {
    let inner = pool.match_sext(a)?;
    Some(pool.sext(inner, width))
}

/// match:  sext zext a
/// result: zext a
fn sext_zext(pool: &mut Pool, a: ExprId, width: u32) -> Option<ExprId> {
    let inner = pool.match_zext(a)?;
    Some(pool.zext(inner, width))
}

/// match:  sext a, a never negative
/// result: zext a
fn sext_non_negative(pool: &mut Pool, a: ExprId, width: u32) -> Option<ExprId> {
    (!sign(pool.facts(a).max, pool.width(a))).then(|| pool.zext(a, width))
}

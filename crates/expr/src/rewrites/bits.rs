//! Bitwise operators at any width.

use super::rules;
use crate::fold::mask;
use crate::{BinaryOp, ExprId, Pool, UnaryOp, View};

pub(crate) const NAMES: &[&[&str]] = &[NOT, AND, OR, XOR];

rules!(not, NOT, (pool, a: ExprId), (pool, a), [not_not, not_add_constant, not_neg, not_ite_constants]);

rules!(and, AND, (pool, a: ExprId, b: ExprId), (pool, a, b), [
    and_zero,
    and_ones,
    and_same,
    and_constants,
    and_absorb,
    and_known_mask,
    and_contiguous_mask,
    and_extensions,
    and_parts,
]);

rules!(or, OR, (pool, a: ExprId, b: ExprId), (pool, a, b), [
    or_zero,
    or_ones,
    or_same,
    or_constants,
    or_absorb,
    or_known_ones,
    or_assemble,
    or_extensions,
    or_parts,
]);

rules!(xor, XOR, (pool, a: ExprId, b: ExprId), (pool, a, b), [
    xor_zero,
    xor_ones,
    xor_same,
    xor_constants,
    xor_cancel,
    xor_not,
    xor_disjoint,
    xor_extensions,
    xor_parts,
]);

/// match:  not not a
/// result: a
fn not_not(pool: &mut Pool, a: ExprId) -> Option<ExprId> {
    pool.match_unary(a, UnaryOp::Not)
}

/// match:  not (a + c), not (c - a)
/// result: (-c - 1) - a, a + (-c - 1)
fn not_add_constant(pool: &mut Pool, a: ExprId) -> Option<ExprId> {
    let width = pool.width(a);
    if let Some((inner, c)) = pool.match_constant(a, BinaryOp::Add) {
        let constant = pool.constant_wide(width, !c);
        return Some(pool.sub(constant, inner));
    }
    let (minuend, inner) = pool.match_binary(a, BinaryOp::Sub)?;
    let c = pool.as_const_wide(minuend)?;
    let constant = pool.constant_wide(width, !c);
    Some(pool.add(inner, constant))
}

/// match:  not neg a
/// result: a + -1
fn not_neg(pool: &mut Pool, a: ExprId) -> Option<ExprId> {
    let inner = pool.match_unary(a, UnaryOp::Neg)?;
    let ones = pool.constant_wide(pool.width(a), u128::MAX);
    Some(pool.add(inner, ones))
}

/// match:  not ite(c, k, l)
/// result: ite(c, not k, not l)
fn not_ite_constants(pool: &mut Pool, a: ExprId) -> Option<ExprId> {
    let View::Ite(condition, then, otherwise) = pool.view(a) else { return None };
    if !pool.is_const(then) || !pool.is_const(otherwise) {
        return None;
    }
    let (then, otherwise) = (pool.not(then), pool.not(otherwise));
    Some(pool.ite(condition, then, otherwise))
}

/// match:  a & 0
/// result: 0
fn and_zero(pool: &mut Pool, _: ExprId, b: ExprId) -> Option<ExprId> {
    pool.is_zero(b).then_some(b)
}

/// match:  a & ones
/// result: a
fn and_ones(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    pool.is_ones(b).then_some(a)
}

/// match:  a & a, or a & not a
/// result: a, or 0
fn and_same(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    if a == b {
        return Some(a);
    }
    complements(pool, a, b).then(|| pool.zero(pool.width(a)))
}

fn complements(pool: &Pool, a: ExprId, b: ExprId) -> bool {
    pool.match_unary(a, UnaryOp::Not) == Some(b) || pool.match_unary(b, UnaryOp::Not) == Some(a)
}

/// match:  (a & c) & d
/// result: a & (c & d)
fn and_constants(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    fold_constants(pool, BinaryOp::And, a, b)
}

/// `(a op c) op d` as `a op (c op d)`.
fn fold_constants(pool: &mut Pool, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    let d = pool.as_const_wide(b)?;
    let (inner, c) = pool.match_constant(a, op)?;
    let width = pool.width(a);
    let constant = pool.constant_wide(width, crate::fold::binary(op, width, c, d));
    Some(pool.binary(op, inner, constant))
}

/// match:  a & (a & b), a & (a | b)
/// result: a & b, a
fn and_absorb(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    absorb(pool, BinaryOp::And, BinaryOp::Or, a, b)
}

fn absorb(pool: &Pool, op: BinaryOp, dual: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    for (term, other) in [(a, b), (b, a)] {
        let View::Binary(found, x, y) = pool.view(term) else { continue };
        let contains = x == other || y == other;
        if contains && found == op {
            return Some(term);
        }
        if contains && found == dual {
            return Some(other);
        }
    }
    None
}

/// match:  a & c, c is 1 wherever a can be 1
/// result: a
fn and_known_mask(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let c = pool.as_const_wide(b)?;
    (pool.facts(a).possible(pool.width(a)) & !c == 0).then_some(a)
}

/// match:  a & 0..01..10..0
/// result: the bits of a under the ones, with zeros around
fn and_contiguous_mask(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let c = pool.as_const_wide(b)?;
    let width = pool.width(a);
    let low = c.trailing_zeros();
    let n_ones = (c >> low).trailing_ones();
    if c != mask(n_ones) << low {
        return None;
    }
    let mut field = pool.extract(a, low, n_ones);
    if low > 0 {
        let zero = pool.zero(low);
        field = pool.concat(field, zero);
    }
    Some(pool.zext(field, width))
}

/// match:  zext a & zext b, zext a & c
/// result: zext (a & b), in the narrower width
fn and_extensions(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let narrow = match (pool.match_zext(a), pool.match_zext(b)) {
        (Some(x), Some(y)) => pool.width(x).min(pool.width(y)),
        (Some(x), None) | (None, Some(x)) => pool.width(x),
        (None, None) => return None,
    };
    let width = pool.width(a);
    let (a, b) = (pool.extract(a, 0, narrow), pool.extract(b, 0, narrow));
    let result = pool.and(a, b);
    Some(pool.zext(result, width))
}

/// match:  concat(h, l) & c
/// result: concat(h & c's high bits, l & c's low bits)
fn and_parts(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    parts(pool, BinaryOp::And, a, b)
}

/// `concat(h, l) op c`, or of two concatenations cut at the same place, part by part.
fn parts(pool: &mut Pool, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    let View::Concat(high, low) = pool.view(a) else { return None };
    let cut = pool.width(low);
    let same_cut = match pool.view(b) {
        View::Const { .. } => true,
        View::Concat(_, other) => pool.width(other) == cut,
        _ => false,
    };
    if !same_cut {
        return None;
    }
    let (other_high, other_low) = (pool.extract(b, cut, pool.width(high)), pool.extract(b, 0, cut));
    let high = pool.binary(op, high, other_high);
    let low = pool.binary(op, low, other_low);
    Some(pool.concat(high, low))
}

/// match:  a | 0
/// result: a
fn or_zero(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    pool.is_zero(b).then_some(a)
}

/// match:  a | ones
/// result: ones
fn or_ones(pool: &mut Pool, _: ExprId, b: ExprId) -> Option<ExprId> {
    pool.is_ones(b).then_some(b)
}

/// match:  a | a, or a | not a
/// result: a, or ones
fn or_same(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    if a == b {
        return Some(a);
    }
    complements(pool, a, b).then(|| pool.constant_wide(pool.width(a), u128::MAX))
}

/// match:  (a | c) | d
/// result: a | (c | d)
fn or_constants(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    fold_constants(pool, BinaryOp::Or, a, b)
}

/// match:  a | (a | b), a | (a & b)
/// result: a | b, a
fn or_absorb(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    absorb(pool, BinaryOp::Or, BinaryOp::And, a, b)
}

/// match:  a | c, a is known to be 1 wherever c is
/// result: a
fn or_known_ones(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let c = pool.as_const_wide(b)?;
    (c & !pool.facts(a).ones == 0).then_some(a)
}

/// match:  zext a | b, b's bits under a known to be 0 (or the other way round)
/// result: concat(b's high bits, a)
fn or_assemble(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    for (term, other) in [(a, b), (b, a)] {
        let Some(low) = pool.match_zext(term) else { continue };
        let cut = pool.width(low);
        if pool.facts(other).trailing_zeros() >= cut {
            let high = pool.extract(other, cut, pool.width(a) - cut);
            return Some(pool.concat(high, low));
        }
    }
    None
}

/// match:  zext a | zext b, or zext a | c, c's high bits 0
/// result: zext (a | b), in the wider width
fn or_extensions(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    widen(pool, BinaryOp::Or, a, b)
}

/// `zext a op zext b` in the wider of the two widths, for an operator that keeps zeros.
fn widen(pool: &mut Pool, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    let from = pool.match_zext(a).map(|inner| pool.width(inner))?;
    let needed = match pool.view(b) {
        View::ZExt { of, .. } => pool.width(of),
        View::Const { value, .. } => 128 - value.leading_zeros(),
        _ => return None,
    };
    let (width, narrow) = (pool.width(a), from.max(needed));
    if narrow == width {
        return None;
    }
    let (a, b) = (pool.extract(a, 0, narrow), pool.extract(b, 0, narrow));
    let result = pool.binary(op, a, b);
    Some(pool.zext(result, width))
}

/// match:  concat(h, l) | c
/// result: concat(h | c's high bits, l | c's low bits)
fn or_parts(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    parts(pool, BinaryOp::Or, a, b)
}

/// match:  a ^ 0
/// result: a
fn xor_zero(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    pool.is_zero(b).then_some(a)
}

/// match:  a ^ ones
/// result: not a
fn xor_ones(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    pool.is_ones(b).then(|| pool.not(a))
}

/// match:  a ^ a, or a ^ not a
/// result: 0, or ones
fn xor_same(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    if a == b {
        return Some(pool.zero(pool.width(a)));
    }
    complements(pool, a, b).then(|| pool.constant_wide(pool.width(a), u128::MAX))
}

/// match:  (a ^ c) ^ d
/// result: a ^ (c ^ d)
fn xor_constants(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    fold_constants(pool, BinaryOp::Xor, a, b)
}

/// match:  a ^ (a ^ b)
/// result: b
fn xor_cancel(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    for (term, other) in [(a, b), (b, a)] {
        let Some((x, y)) = pool.match_binary(term, BinaryOp::Xor) else { continue };
        if x == other {
            return Some(y);
        }
        if y == other {
            return Some(x);
        }
    }
    None
}

/// match:  not a ^ b
/// result: not (a ^ b)
fn xor_not(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let (inner, other) = match pool.match_unary(a, UnaryOp::Not) {
        Some(inner) => (inner, b),
        None => (pool.match_unary(b, UnaryOp::Not)?, a),
    };
    let xor = pool.xor(inner, other);
    Some(pool.not(xor))
}

/// match:  a ^ b, no bit can be 1 in both
/// result: a | b
fn xor_disjoint(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    let covered = pool.facts(a).zeros | pool.facts(b).zeros;
    (covered == mask(pool.width(a))).then(|| pool.or(a, b))
}

/// match:  zext a ^ zext b, or zext a ^ c, c's high bits 0
/// result: zext (a ^ b), in the wider width
fn xor_extensions(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    widen(pool, BinaryOp::Xor, a, b)
}

/// match:  concat(h, l) ^ c
/// result: concat(h ^ c's high bits, l ^ c's low bits)
fn xor_parts(pool: &mut Pool, a: ExprId, b: ExprId) -> Option<ExprId> {
    parts(pool, BinaryOp::Xor, a, b)
}

//! Floating point: only what holds for every bit pattern, signalling NaNs included.

use super::rules;
use crate::fold::sign;
use crate::node::Node;
use crate::{ExprId, FloatOp, Pool, View};

pub(crate) const NAMES: &[&[&str]] = &[FLOAT];

rules!(float, FLOAT, (pool, op: FloatOp, width: u32, node: Node), (pool, op, width, node), [
    compare_same,
    compare_converted,
    compare_integers,
    from_integer_extended,
    from_non_negative,
    to_integer_from_integer,
]);

fn is_comparison(op: FloatOp) -> bool {
    matches!(op, FloatOp::Eq | FloatOp::Lt | FloatOp::Le)
}

/// Mantissa bits of the format, the hidden one included.
fn precision(format: u32) -> u32 {
    if format == 32 { 24 } else { 53 }
}

/// The operator and operand of a float operator of one operand.
fn match_float(pool: &Pool, expr: ExprId) -> Option<(FloatOp, ExprId)> {
    match pool.view(expr) {
        View::Float(op, args) => Some((op, args[0])),
        _ => None,
    }
}

/// match:  a < a, a == a, a <= a
/// result: false; exponent not all ones or mantissa 0
fn compare_same(pool: &mut Pool, op: FloatOp, _: u32, node: Node) -> Option<ExprId> {
    if !is_comparison(op) || node.args[0] != node.args[1] {
        return None;
    }
    if op == FloatOp::Lt {
        return Some(pool.bool(false));
    }
    let a = node.arg(0);
    let format = pool.width(a);
    let magnitude = pool.extract(a, 0, format - 1);
    let infinity = match format {
        32 => pool.constant(31, f32::INFINITY.to_bits().into()),
        _ => pool.constant(63, f64::INFINITY.to_bits()),
    };
    Some(pool.ule(magnitude, infinity))
}

/// match:  a op b, both converted from 32 bits to 64
/// result: the comparison of the originals
fn compare_converted(pool: &mut Pool, op: FloatOp, _: u32, node: Node) -> Option<ExprId> {
    if !is_comparison(op) || pool.width(node.arg(0)) != 64 {
        return None;
    }
    let (FloatOp::Convert, a) = match_float(pool, node.arg(0))? else { return None };
    let (FloatOp::Convert, b) = match_float(pool, node.arg(1))? else { return None };
    Some(pool.float(op, 1, &[a, b]))
}

/// match:  a op b, both converted exactly from integers of one width and signedness
/// result: the comparison of the integers
fn compare_integers(pool: &mut Pool, op: FloatOp, _: u32, node: Node) -> Option<ExprId> {
    if !is_comparison(op) {
        return None;
    }
    let (from, a) = match_float(pool, node.arg(0))?;
    let (other, b) = match_float(pool, node.arg(1))?;
    let exact = pool.width(a) <= precision(pool.width(node.arg(0)));
    if from != other || !exact || pool.width(a) != pool.width(b) {
        return None;
    }
    match (from, op) {
        (FloatOp::FromSigned | FloatOp::FromUnsigned, FloatOp::Eq) => Some(pool.eq(a, b)),
        (FloatOp::FromSigned, FloatOp::Lt) => Some(pool.slt(a, b)),
        (FloatOp::FromSigned, _) => Some(pool.sle(a, b)),
        (FloatOp::FromUnsigned, FloatOp::Lt) => Some(pool.ult(a, b)),
        (FloatOp::FromUnsigned, _) => Some(pool.ule(a, b)),
        _ => None,
    }
}

/// match:  from_signed(sext a), from_unsigned(zext a)
/// result: from_signed(a), from_unsigned(a)
fn from_integer_extended(pool: &mut Pool, op: FloatOp, width: u32, node: Node) -> Option<ExprId> {
    let inner = match op {
        FloatOp::FromSigned => pool.match_sext(node.arg(0))?,
        FloatOp::FromUnsigned => pool.match_zext(node.arg(0))?,
        _ => return None,
    };
    Some(pool.float(op, width, &[inner]))
}

/// match:  from_signed(a), a never negative
/// result: from_unsigned(a)
fn from_non_negative(pool: &mut Pool, op: FloatOp, width: u32, node: Node) -> Option<ExprId> {
    if op != FloatOp::FromSigned {
        return None;
    }
    let a = node.arg(0);
    let negative = sign(pool.facts(a).max, pool.width(a));
    (!negative).then(|| pool.float(FloatOp::FromUnsigned, width, &[a]))
}

/// match:  to_signed(from_signed(a)), to_unsigned(from_unsigned(a)), and to_signed of the latter
///         where it fits, all exact
/// result: a extended
fn to_integer_from_integer(pool: &mut Pool, op: FloatOp, width: u32, node: Node) -> Option<ExprId> {
    if !matches!(op, FloatOp::ToSigned | FloatOp::ToUnsigned) {
        return None;
    }
    let (from, a) = match_float(pool, node.arg(0))?;
    let integer = pool.width(a);
    if integer > precision(pool.width(node.arg(0))) {
        return None;
    }
    match (op, from) {
        (FloatOp::ToSigned, FloatOp::FromSigned) if integer <= width => Some(pool.sext(a, width)),
        (FloatOp::ToSigned, FloatOp::FromUnsigned) if integer < width => Some(pool.zext(a, width)),
        (FloatOp::ToUnsigned, FloatOp::FromUnsigned) if integer <= width => {
            Some(pool.zext(a, width))
        }
        _ => None,
    }
}

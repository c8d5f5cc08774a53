//! The rewrites, by area. Each is a function named for what it does, with the pattern it matches
//! and the result above it; it returns `None` when it does not apply.
//!
//! The law for all of them: the result is equal to the matched term under every model, it is no
//! larger except where a comment says what is gained, and the canonical forms are
//! - constants right of a commutative operator, otherwise the older term left;
//! - `a - c` is `a + -c`, `0 - a` is `neg a`;
//! - constant shifts and contiguous masks are extractions, concatenations and extensions;
//! - a concatenation nests to the right and has no extension or zero on its left;
//! - `ule` and `sle` only between two terms that are not constant; `not` of a comparison is
//!   pushed in, except for `eq`;
//! - reads are of constant tables, or lie under a choice of as many newer updates as it may have.

pub(crate) mod arith;
pub(crate) mod bits;
pub(crate) mod compare;
pub(crate) mod equal;
pub(crate) mod float;
pub(crate) mod ite;
pub(crate) mod logic;
pub(crate) mod read;
pub(crate) mod shift;
pub(crate) mod slice;

use std::collections::BTreeMap;

use crate::{BinaryOp, ExprId, Pool, UnaryOp};

/// Defines a function that tries rewrites in order, and the list of their names.
macro_rules! rules {
    ($name:ident, $names:ident, ($pool:ident, $($arg:ident: $type:ty),+), $call:tt,
     [$($rule:ident),+ $(,)?]) => {
        pub(crate) fn $name($pool: &mut Pool, $($arg: $type),+) -> Option<ExprId> {
            $(
                if let Some(rewritten) = $rule $call {
                    $pool.tracer.hit(stringify!($rule));
                    return Some(rewritten);
                }
            )+
            None
        }

        pub(crate) const $names: &[&str] = &[$(stringify!($rule)),+];
    };
}
pub(crate) use rules;

/// The names of all rewrites.
pub fn names() -> Vec<&'static str> {
    let mut names = vec!["known_constant"];
    for area in [
        arith::NAMES,
        bits::NAMES,
        logic::NAMES,
        compare::NAMES,
        equal::NAMES,
        float::NAMES,
        ite::NAMES,
        read::NAMES,
        shift::NAMES,
        slice::NAMES,
    ] {
        names.extend(area.iter().copied().flatten());
    }
    names
}

/// Counts the rewrites that applied, if asked to.
#[derive(Default)]
pub(crate) struct Tracer {
    counts: Option<BTreeMap<&'static str, u64>>,
}

impl Tracer {
    pub fn hit(&mut self, name: &'static str) {
        if let Some(counts) = &mut self.counts {
            *counts.entry(name).or_default() += 1;
        }
    }
}

impl Pool {
    /// From now on counts how often each rewrite applies.
    pub fn trace_rewrites(&mut self) {
        self.tracer.counts.get_or_insert_default();
    }

    /// The counts since `trace_rewrites`, by name; the counting starts anew.
    pub fn take_rewrites(&mut self) -> BTreeMap<&'static str, u64> {
        self.tracer.counts.as_mut().map(std::mem::take).unwrap_or_default()
    }
}

pub(crate) fn unary(pool: &mut Pool, op: UnaryOp, a: ExprId) -> Option<ExprId> {
    match op {
        UnaryOp::Not => bits::not(pool, a).or_else(|| logic::not(pool, a)),
        UnaryOp::Neg => arith::neg(pool, a),
    }
}

pub(crate) fn binary(pool: &mut Pool, op: BinaryOp, a: ExprId, b: ExprId) -> Option<ExprId> {
    match op {
        BinaryOp::Add => arith::add(pool, a, b),
        BinaryOp::Sub => arith::sub(pool, a, b),
        BinaryOp::Mul => arith::mul(pool, a, b),
        BinaryOp::UDiv => arith::udiv(pool, a, b),
        BinaryOp::SDiv => arith::sdiv(pool, a, b),
        BinaryOp::URem => arith::urem(pool, a, b),
        BinaryOp::SRem => arith::srem(pool, a, b),
        BinaryOp::And => bits::and(pool, a, b).or_else(|| logic::and(pool, a, b)),
        BinaryOp::Or => bits::or(pool, a, b).or_else(|| logic::or(pool, a, b)),
        BinaryOp::Xor => bits::xor(pool, a, b).or_else(|| logic::xor(pool, a, b)),
        BinaryOp::Shl => shift::shl(pool, a, b),
        BinaryOp::LShr => shift::lshr(pool, a, b),
        BinaryOp::AShr => shift::ashr(pool, a, b),
        BinaryOp::Eq => equal::eq(pool, a, b),
        BinaryOp::Ult => compare::ult(pool, a, b),
        BinaryOp::Ule => compare::ule(pool, a, b),
        BinaryOp::Slt => compare::slt(pool, a, b),
        BinaryOp::Sle => compare::sle(pool, a, b),
    }
}

/// Short ways to look at operands.
impl Pool {
    pub(crate) fn is_zero(&self, expr: ExprId) -> bool {
        self.as_const_wide(expr) == Some(0)
    }

    pub(crate) fn is_ones(&self, expr: ExprId) -> bool {
        self.as_const_wide(expr) == Some(crate::fold::mask(self.width(expr)))
    }

    pub(crate) fn zero(&mut self, width: u32) -> ExprId {
        self.constant(width, 0)
    }

    /// The operands of `expr` if it is `op`.
    pub(crate) fn match_binary(&self, expr: ExprId, op: BinaryOp) -> Option<(ExprId, ExprId)> {
        match self.view(expr) {
            crate::View::Binary(found, a, b) if found == op => Some((a, b)),
            _ => None,
        }
    }

    /// The operand and the constant of `op` with a constant on the right.
    pub(crate) fn match_constant(&self, expr: ExprId, op: BinaryOp) -> Option<(ExprId, u128)> {
        let (a, b) = self.match_binary(expr, op)?;
        Some((a, self.as_const_wide(b)?))
    }

    /// The operand of `expr` if it is `op`.
    pub(crate) fn match_unary(&self, expr: ExprId, op: UnaryOp) -> Option<ExprId> {
        match self.view(expr) {
            crate::View::Unary(found, a) if found == op => Some(a),
            _ => None,
        }
    }

    pub(crate) fn match_zext(&self, expr: ExprId) -> Option<ExprId> {
        match self.view(expr) {
            crate::View::ZExt { of, .. } => Some(of),
            _ => None,
        }
    }

    pub(crate) fn match_sext(&self, expr: ExprId) -> Option<ExprId> {
        match self.view(expr) {
            crate::View::SExt { of, .. } => Some(of),
            _ => None,
        }
    }
}

//! Float and double, as the processor computes them.

use fathom_expr::{ExprId, Pool, Rounding};
use fathom_ir::inst::Float;

use super::super::operands::{float_op, third};
use super::{Evaluator, Outcome};

impl Evaluator<'_, '_> {
    pub(super) fn float(&mut self) -> Outcome {
        let width = (self.i.imm & 0xff) as u32;
        let op = float_op(self.i);
        let a = self.low(self.i.a, width);
        if let Some(value) = self.unary_float(op, a) {
            return self.one(value);
        }
        if op == Float::FrExp {
            let (fraction, exponent) = self.fraction_and_exponent(a);
            return self.results([Some(fraction), Some(exponent), None]);
        }
        match self.binary_float(op, a) {
            Some(value) => self.one(value),
            None => Outcome::Unsupported("a function of the mathematical library"),
        }
    }

    fn unary_float(&mut self, op: Float, a: ExprId) -> Option<ExprId> {
        Some(match op {
            Float::Abs => self.magnitude(a),
            Float::Sqrt => self.pool.fsqrt(a),
            Float::Floor => self.pool.fround(a, Rounding::Floor),
            Float::Ceil => self.pool.fround(a, Rounding::Ceil),
            Float::Trunc => self.pool.fround(a, Rounding::Trunc),
            Float::Rint | Float::NearbyInt | Float::RoundEven => {
                self.pool.fround(a, Rounding::Even)
            }
            Float::Round => self.pool.fround(a, Rounding::Away),
            Float::LRint => {
                let rounded = self.pool.fround(a, Rounding::Even);
                self.float_to_signed_saturating(rounded, 64)
            }
            Float::LRound => {
                let rounded = self.pool.fround(a, Rounding::Away);
                self.float_to_signed_saturating(rounded, 64)
            }
            Float::ToSSat => self.float_to_signed_saturating(a, third(self.i)),
            Float::ToUSat => self.float_to_unsigned_saturating(a, third(self.i)),
            _ => return None,
        })
    }

    fn binary_float(&mut self, op: Float, a: ExprId) -> Option<ExprId> {
        let width = self.pool.width(a);
        Some(match op {
            Float::CopySign => {
                let b = self.low(self.i.b, width);
                let (sign, rest) = (self.sign(b), self.pool.extract(a, 0, width - 1));
                self.pool.concat(sign, rest)
            }
            Float::MinNum => self.number(a, |pool, a, b| pool.flt(b, a)),
            Float::MaxNum => self.number(a, |pool, a, b| pool.flt(a, b)),
            Float::Minimum => {
                let b = self.low(self.i.b, width);
                self.minimum(a, b)
            }
            // The interpreter takes the negated minimum of the negated operands.
            Float::Maximum => {
                let b = self.low(self.i.b, width);
                let (a, b) = (self.negated(a), self.negated(b));
                let minimum = self.minimum(a, b);
                self.negated(minimum)
            }
            Float::Fma => {
                let (b, c) = (self.low(self.i.b, width), self.low(third(self.i), width));
                self.pool.ffma(a, b, c)
            }
            Float::MulAdd => {
                let (b, c) = (self.low(self.i.b, width), self.low(third(self.i), width));
                let product = self.pool.fmul(a, b);
                self.pool.fadd(product, c)
            }
            Float::IsFpClass => {
                let classes = self.slot(self.i.b);
                self.is_class(a, classes)
            }
            Float::LdExp => return self.scaled(a),
            _ => return None,
        })
    }

    pub(super) fn float_negate(&mut self, width: u32) -> ExprId {
        let value = self.low(self.i.a, width);
        self.negated(value)
    }

    /// LLVM numbers predicates by bits: 1 equal, 2 greater, 4 less, 8 unordered. The upper eight
    /// are the negations of the lower eight, in reverse.
    pub(super) fn float_compare(&mut self, width: u32) -> ExprId {
        let (a, b) = self.pair(width);
        let predicate = self.i.x & 15;
        let negated = predicate & 8 != 0;
        let holds = match if negated { predicate ^ 15 } else { predicate } {
            0 => self.pool.bool(false),
            1 => self.pool.feq(a, b),
            2 => self.pool.flt(b, a),
            3 => self.pool.fle(b, a),
            4 => self.pool.flt(a, b),
            5 => self.pool.fle(a, b),
            6 => {
                let (less, greater) = (self.pool.flt(a, b), self.pool.flt(b, a));
                self.pool.or(less, greater)
            }
            _ => {
                let (a, b) = (self.is_nan(a), self.is_nan(b));
                let unordered = self.pool.or(a, b);
                self.pool.not(unordered)
            }
        };
        if negated { self.pool.not(holds) } else { holds }
    }

    pub(super) fn float_convert(&mut self, from: u32, to: u32) -> ExprId {
        let value = self.low(self.i.a, from);
        self.pool.f_convert(value, to)
    }

    /// To an integer of x bits, by the processor's conversion to 32 or 64 bits.
    pub(super) fn float_to_signed(&mut self, from: u32) -> ExprId {
        let (value, width) = (self.low(self.i.a, from), u32::from(self.i.x));
        let whole = self.pool.f_to_signed(value, if width <= 32 { 32 } else { 64 });
        self.pool.extract(whole, 0, width)
    }

    /// Through a wider signed conversion, as clang compiles it.
    pub(super) fn float_to_unsigned(&mut self, from: u32) -> ExprId {
        let (value, width) = (self.low(self.i.a, from), u32::from(self.i.x));
        let whole = match width {
            0..=16 => self.pool.f_to_signed(value, 32),
            17..=32 => self.pool.f_to_signed(value, 64),
            _ => self.pool.f_to_unsigned(value, 64),
        };
        self.pool.extract(whole, 0, width)
    }

    /// From an integer of x bits.
    pub(super) fn int_to_float(
        &mut self,
        to: u32,
        convert: fn(&mut Pool, ExprId, u32) -> ExprId,
    ) -> ExprId {
        let value = self.low(self.i.a, self.i.x.into());
        convert(self.pool, value, to)
    }

    /// The other operand where `other_first` holds or `a` is no number, else `a`.
    fn number(&mut self, a: ExprId, other_first: super::BinaryFn) -> ExprId {
        let width = self.pool.width(a);
        let b = self.low(self.i.b, width);
        let (other, nan) = (other_first(self.pool, a, b), self.is_nan(a));
        let other = self.pool.or(other, nan);
        self.pool.ite(other, b, a)
    }

    /// IEEE 754-2019 minimum: a positive NaN if either is NaN, and -0 below +0.
    fn minimum(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.pool.width(a);
        let (nan_a, nan_b) = (self.is_nan(a), self.is_nan(b));
        let any_nan = self.pool.or(nan_a, nan_b);
        let (equal, less) = (self.pool.feq(a, b), self.pool.flt(a, b));
        let negative = self.sign(a);
        let first = self.pool.ite(equal, negative, less);
        let smaller = self.pool.ite(first, a, b);
        let nan = if width == 32 { f32::NAN.to_bits().into() } else { f64::NAN.to_bits() };
        let nan = self.pool.constant(width, nan);
        self.pool.ite(any_nan, nan, smaller)
    }

    /// ldexp by a constant that takes one exact multiplication in double.
    fn scaled(&mut self, a: ExprId) -> Option<ExprId> {
        let width = self.pool.width(a);
        let exponent = self.low(self.i.b, 32);
        let exponent = self.pool.as_const(exponent)? as i32;
        if !(-1000..=1000).contains(&exponent) {
            return None;
        }
        let factor = self.pool.constant(64, 2f64.powi(exponent).to_bits());
        let double = self.pool.f_convert(a, 64);
        let scaled = self.pool.fmul(double, factor);
        Some(self.pool.f_convert(scaled, width))
    }
}

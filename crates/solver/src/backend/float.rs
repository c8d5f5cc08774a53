//! Floating point, with the bits x86-64 gives to every result.
//!
//! SMT-LIB knows one NaN and no way from a float to its bits. The bits of a result are therefore
//! an unknown that, taken as a float, equals the result, unless that is a NaN: then they are
//! picked among the operands' as the processor does.

use std::ffi::c_int;

use fathom_expr::{ExprId, FloatOp, Pool, Rounding, View};

use super::encode::{Encoder, Form};
use super::ffi::{self, Kind, Term};
use super::terms::format;

/// Whether `op` takes, and gives, floats.
fn is_arithmetic(op: FloatOp) -> bool {
    use FloatOp::{Add, Convert, Div, Fma, Mul, Rem, Round, Sqrt, Sub};
    matches!(op, Add | Sub | Mul | Div | Rem | Sqrt | Fma | Round(_) | Convert)
}

fn is_from_integer(op: FloatOp) -> bool {
    matches!(op, FloatOp::FromSigned | FloatOp::FromUnsigned)
}

impl Encoder {
    /// Adds to `needed` what has to be encoded before `expr`, which is `op` of `args`, in `form`.
    pub(super) fn float_needs(
        &self,
        expr: ExprId,
        op: FloatOp,
        args: &[ExprId],
        form: Form,
        needed: &mut Vec<(ExprId, Form)>,
    ) {
        let mut all = |form| needed.extend(args.iter().map(|&arg| (arg, form)));
        match form {
            Form::Bits if is_arithmetic(op) => {
                needed.extend([(expr, Form::Float), (expr, Form::Nan)]);
            }
            Form::Bits if is_from_integer(op) => needed.push((expr, Form::Float)),
            Form::Bits => all(Form::Float),
            Form::Float if is_arithmetic(op) => all(Form::Float),
            Form::Float if is_from_integer(op) => all(Form::Bits),
            Form::Nan if is_arithmetic(op) => {
                all(Form::Float);
                all(Form::Nan);
            }
            Form::Nan if is_from_integer(op) => {}
            Form::Float | Form::Nan => needed.push((expr, Form::Bits)),
        }
    }

    /// The bits of `expr`, which is `op` of `args`.
    pub(super) fn float_bits(
        &mut self,
        pool: &Pool,
        expr: ExprId,
        op: FloatOp,
        args: &[ExprId],
    ) -> Term {
        let width = pool.width(expr);
        match op {
            FloatOp::Eq => self.float_compare(Kind::FpEqual, args),
            FloatOp::Lt => self.float_compare(Kind::FpLt, args),
            FloatOp::Le => self.float_compare(Kind::FpLeq, args),
            FloatOp::ToSigned => {
                let (float, from) = (self.get(args[0], Form::Float), pool.width(args[0]));
                let result = self.signed_integer(float, from, if width <= 32 { 32 } else { 64 });
                self.narrow(result, width)
            }
            FloatOp::ToUnsigned => {
                let (float, from) = (self.get(args[0], Form::Float), pool.width(args[0]));
                let result = self.unsigned_integer(float, from, width);
                self.narrow(result, width)
            }
            _ => {
                let float = self.get(expr, Form::Float);
                let bits = self.terms.unknown(width);
                let as_float = self.terms.float_of_bits(bits, width);
                let definition = self.terms.equal(as_float, float);
                self.define(definition);
                if is_from_integer(op) {
                    return bits;
                }
                let is_nan = self.terms.apply(Kind::FpIsNan, [float]);
                let nan = self.get(expr, Form::Nan);
                self.terms.ite(is_nan, nan, bits)
            }
        }
    }

    fn float_compare(&mut self, kind: Kind, args: &[ExprId]) -> Term {
        self.add_gates(1000);
        let args = [args[0], args[1]].map(|arg| self.get(arg, Form::Float));
        self.terms.apply(kind, args)
    }

    /// The float that the bits of `expr` are.
    pub(super) fn float(&mut self, pool: &Pool, expr: ExprId) -> Term {
        let width = pool.width(expr);
        match pool.view(expr) {
            View::Float(op, args) if is_arithmetic(op) => {
                self.add_gates(arithmetic_gates(op, width));
                let floats: Vec<Term> =
                    args.iter().map(|&arg| self.get(arg, Form::Float)).collect();
                self.arithmetic(op, &floats, width)
            }
            View::Float(op, args) if is_from_integer(op) => {
                self.add_gates(6000);
                let integer = self.vector(pool, args[0]);
                let kind = match op {
                    FloatOp::FromSigned => Kind::FpToFpFromSbv,
                    _ => Kind::FpToFpFromUbv,
                };
                let (exponent, significand) = format(width);
                let nearest = self.terms.rounding(ffi::RNE);
                self.terms.apply_indexed(kind, [nearest, integer], [exponent, significand])
            }
            View::Ite(condition, then, otherwise) => {
                let condition = self.get(condition, Form::Bits);
                let [then, otherwise] = [then, otherwise].map(|arm| self.get(arm, Form::Float));
                self.terms.ite(condition, then, otherwise)
            }
            _ => {
                let bits = self.get(expr, Form::Bits);
                self.terms.float_of_bits(bits, width)
            }
        }
    }

    fn arithmetic(&mut self, op: FloatOp, args: &[Term], width: u32) -> Term {
        let nearest = self.terms.rounding(ffi::RNE);
        match op {
            FloatOp::Add => self.terms.apply(Kind::FpAdd, [nearest, args[0], args[1]]),
            FloatOp::Sub => self.terms.apply(Kind::FpSub, [nearest, args[0], args[1]]),
            FloatOp::Mul => self.terms.apply(Kind::FpMul, [nearest, args[0], args[1]]),
            FloatOp::Div => self.terms.apply(Kind::FpDiv, [nearest, args[0], args[1]]),
            FloatOp::Sqrt => self.terms.apply(Kind::FpSqrt, [nearest, args[0]]),
            FloatOp::Fma => self.terms.apply(Kind::FpFma, [nearest, args[0], args[1], args[2]]),
            FloatOp::Rem => self.remainder(args[0], args[1]),
            FloatOp::Round(rounding) => {
                let mode = self.terms.rounding(mode(rounding));
                self.terms.apply(Kind::FpRti, [mode, args[0]])
            }
            FloatOp::Convert => {
                let (exponent, significand) = format(width);
                let indices = [exponent, significand];
                self.terms.apply_indexed(Kind::FpToFpFromFp, [nearest, args[0]], indices)
            }
            _ => unreachable!("{op:?} is no arithmetic"),
        }
    }

    /// C's `fmod` from IEEE's remainder, whose quotient is rounded to nearest: of the absolute
    /// values, plus the divisor if it came out negative, which is exact, with the dividend's sign.
    fn remainder(&mut self, a: Term, b: Term) -> Term {
        let [abs_a, abs_b] = [a, b].map(|arg| self.terms.apply(Kind::FpAbs, [arg]));
        let nearest = self.terms.apply(Kind::FpRem, [abs_a, abs_b]);
        let is_negative = self.terms.apply(Kind::FpIsNeg, [nearest]);
        let is_zero = self.terms.apply(Kind::FpIsZero, [nearest]);
        let is_not_zero = self.terms.not(is_zero);
        let is_below = self.terms.and(is_negative, is_not_zero);
        let mode = self.terms.rounding(ffi::RNE);
        let above = self.terms.apply(Kind::FpAdd, [mode, nearest, abs_b]);
        let result = self.terms.ite(is_below, above, nearest);
        let result = self.terms.apply(Kind::FpAbs, [result]);
        let negated = self.terms.apply(Kind::FpNeg, [result]);
        let is_negative = self.terms.apply(Kind::FpIsNeg, [a]);
        self.terms.ite(is_negative, negated, result)
    }

    /// Truncates to an integer of `width` bits, 32 or 64; the smallest one if it does not fit.
    fn signed_integer(&mut self, float: Term, from: u32, width: u32) -> Term {
        self.add_gates(6000);
        let limit = self.power_of_two(width - 1, from);
        let negated = self.terms.apply(Kind::FpNeg, [limit]);
        let toward_zero = self.terms.rounding(ffi::RTZ);
        let whole = self.terms.apply(Kind::FpRti, [toward_zero, float]);
        let is_above = self.terms.apply(Kind::FpLeq, [negated, whole]);
        let is_below = self.terms.apply(Kind::FpLt, [whole, limit]);
        let fits = self.terms.and(is_above, is_below);
        let integer = self.terms.apply_indexed(Kind::FpToSbv, [toward_zero, float], [width.into()]);
        let smallest = self.terms.value(width, 1 << (width - 1));
        self.terms.ite(fits, integer, smallest)
    }

    /// As clang converts for x86-64: through a wider signed integer, and for 64 bits in two halves.
    fn unsigned_integer(&mut self, float: Term, from: u32, width: u32) -> Term {
        if width <= 32 {
            return self.signed_integer(float, from, if width <= 16 { 32 } else { 64 });
        }
        let low = self.signed_integer(float, from, 64);
        let half = self.power_of_two(63, from);
        let nearest = self.terms.rounding(ffi::RNE);
        let rest = self.terms.apply(Kind::FpSub, [nearest, float, half]);
        let high = self.signed_integer(rest, from, 64);
        let shift = self.terms.value(64, 63);
        let is_large = self.terms.apply(Kind::BvAshr, [low, shift]);
        let high = self.terms.apply(Kind::BvAnd, [is_large, high]);
        self.terms.apply(Kind::BvOr, [high, low])
    }

    /// 2^`exponent` in the format of `width` bits.
    fn power_of_two(&mut self, exponent: u32, width: u32) -> Term {
        let bits = if width == 32 {
            u128::from(2f32.powi(exponent as i32).to_bits())
        } else {
            u128::from(2f64.powi(exponent as i32).to_bits())
        };
        let bits = self.terms.value(width, bits);
        self.terms.float_of_bits(bits, width)
    }

    /// The low `width` bits of an integer that is not narrower; a Boolean if that is one.
    fn narrow(&mut self, integer: Term, width: u32) -> Term {
        match width {
            1 => self.terms.bit(integer, 0),
            _ => self.terms.extract(integer, 0, width),
        }
    }

    /// The bits of `expr` in case they are a NaN.
    pub(super) fn nan(&mut self, pool: &Pool, expr: ExprId) -> Term {
        let width = pool.width(expr);
        match pool.view(expr) {
            // They return what they cannot round, even if it is signalling; `round` adds it up.
            View::Float(FloatOp::Round(rounding), args) if rounding != Rounding::Away => {
                self.get(args[0], Form::Nan)
            }
            View::Float(op, args) if is_arithmetic(op) => {
                let (_, significand) = format(width);
                let quiet = 1 << (significand - 2);
                // Of an invalid operation: negative, quiet, nothing else.
                let default = u128::MAX << (significand - 2) & u128::MAX >> (128 - width);
                let mut result = self.terms.value(width, default);
                for arg in nan_order(op, &args).into_iter().rev() {
                    let float = self.get(arg, Form::Float);
                    let is_nan = self.terms.apply(Kind::FpIsNan, [float]);
                    let nan = self.get(arg, Form::Nan);
                    let nan = self.convert_nan(nan, pool.width(arg), width);
                    let quiet = self.terms.value(width, quiet);
                    let nan = self.terms.apply(Kind::BvOr, [nan, quiet]);
                    result = self.terms.ite(is_nan, nan, result);
                }
                result
            }
            View::Float(op, _) if is_from_integer(op) => self.terms.value(width, 0),
            View::Ite(condition, then, otherwise) => {
                let condition = self.get(condition, Form::Bits);
                let [then, otherwise] = [then, otherwise].map(|arm| self.get(arm, Form::Nan));
                self.terms.ite(condition, then, otherwise)
            }
            _ => self.get(expr, Form::Bits),
        }
    }

    /// A NaN in another format: the upper bits of its payload stay.
    fn convert_nan(&mut self, nan: Term, from: u32, to: u32) -> Term {
        match (from, to) {
            (32, 64) => {
                let sign = self.terms.extract(nan, 31, 1);
                let exponent = self.terms.value(11, 0x7ff);
                let payload = self.terms.extract(nan, 0, 23);
                let zeros = self.terms.value(29, 0);
                let head = self.terms.apply(Kind::BvConcat, [sign, exponent]);
                let tail = self.terms.apply(Kind::BvConcat, [payload, zeros]);
                self.terms.apply(Kind::BvConcat, [head, tail])
            }
            (64, 32) => {
                let sign = self.terms.extract(nan, 63, 1);
                let exponent = self.terms.value(8, 0xff);
                let payload = self.terms.extract(nan, 29, 23);
                let head = self.terms.apply(Kind::BvConcat, [sign, exponent]);
                self.terms.apply(Kind::BvConcat, [head, payload])
            }
            _ => nan,
        }
    }
}

/// The operands in the order in which the processor looks for a NaN to return.
fn nan_order(op: FloatOp, args: &[ExprId]) -> Vec<ExprId> {
    match (op, args) {
        (FloatOp::Fma, &[a, b, c]) => vec![b, a, c],
        _ => args.to_vec(),
    }
}

fn mode(rounding: Rounding) -> c_int {
    match rounding {
        Rounding::Even => ffi::RNE,
        Rounding::Away => ffi::RNA,
        Rounding::Floor => ffi::RTN,
        Rounding::Ceil => ffi::RTP,
        Rounding::Trunc => ffi::RTZ,
    }
}

/// About how many gates the circuit of an operator has.
fn arithmetic_gates(op: FloatOp, width: u32) -> u64 {
    let (_, significand) = format(width);
    match op {
        FloatOp::Mul => 12 * significand * significand,
        FloatOp::Div | FloatOp::Sqrt => 24 * significand * significand,
        FloatOp::Fma => 40 * significand * significand,
        FloatOp::Rem if width == 32 => 1_000_000,
        FloatOp::Rem => 50_000_000,
        _ => 400 * significand,
    }
}

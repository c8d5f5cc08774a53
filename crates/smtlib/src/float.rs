//! The operators of the floating-point theory on floats of 32 and 64 bits.
//!
//! Floats are kept as their bits. The theory has one NaN; here every NaN pattern stands for it, and
//! only operators that cannot tell them apart are offered. Arithmetic rounds to nearest, ties to
//! even, and in no other way.

use fathom_expr::{ExprId, FloatOp, Pool, Rounding, View};

use crate::command::Reader;
use crate::ops::{Operator, exactly};
use crate::sort::{check_width, float_width};
use crate::value::Value;

/// How many bits of a float follow the exponent.
fn fraction_bits(width: u32) -> u32 {
    if width == 32 { 23 } else { 52 }
}

/// The bits of the positive infinity: all of the exponent.
fn infinity(pool: &mut Pool, width: u32) -> ExprId {
    let fraction = fraction_bits(width);
    pool.constant(width, ((1 << (width - 1 - fraction)) - 1) << fraction)
}

/// All bits but the sign.
fn magnitude(pool: &mut Pool, float: ExprId) -> ExprId {
    let width = pool.width(float);
    let rest = pool.extract(float, 0, width - 1);
    pool.zext(rest, width)
}

fn is_nan(pool: &mut Pool, float: ExprId) -> ExprId {
    let infinity = infinity(pool, pool.width(float));
    let magnitude = magnitude(pool, float);
    pool.ugt(magnitude, infinity)
}

fn is_negative(pool: &mut Pool, float: ExprId) -> ExprId {
    pool.extract(float, pool.width(float) - 1, 1)
}

/// Whether two floats are the same value of the theory.
pub(crate) fn same(pool: &mut Pool, a: ExprId, b: ExprId) -> ExprId {
    let [a_nan, b_nan] = [a, b].map(|float| is_nan(pool, float));
    let both_nan = pool.and(a_nan, b_nan);
    let equal = pool.eq(a, b);
    pool.or(both_nan, equal)
}

/// `(_ +oo 8 24)` and its like.
pub(crate) fn special(
    pool: &mut Pool,
    name: &str,
    exponent: u32,
    significand: u32,
) -> Result<Value, String> {
    let width = float_width(exponent, significand)?;
    let sign = 1u64 << (width - 1);
    let infinity = infinity(pool, width);
    let infinity = pool.as_const(infinity).expect("a constant");
    let bits = match name {
        "+oo" => infinity,
        "-oo" => infinity | sign,
        "+zero" => 0,
        "-zero" => sign,
        "NaN" => infinity | 1 << (fraction_bits(width) - 1),
        _ => return Err(format!("`(_ {name} …)` is no known constant")),
    };
    Ok(Value::Float(pool.constant(width, bits)))
}

pub(crate) fn rounding_name(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::Even => "RNE",
        Rounding::Away => "RNA",
        Rounding::Floor => "RTN",
        Rounding::Ceil => "RTP",
        Rounding::Trunc => "RTZ",
    }
}

impl Reader<'_> {
    /// An operator whose name says that it is about floats.
    pub(crate) fn apply_float(
        &mut self,
        pool: &mut Pool,
        operator: &Operator<'_>,
        args: &[Value],
    ) -> Result<Value, String> {
        match (operator.name, &operator.indices[..]) {
            (name @ ("fp.to_sbv" | "fp.to_ubv"), &[width]) => {
                let [rounding, float] = exactly(name, args)?;
                self.integer_of(pool, name == "fp.to_sbv", width, rounding, float)
            }
            _ => apply(pool, operator, args),
        }
    }

    /// Towards zero, and anything where the result does not fit.
    fn integer_of(
        &mut self,
        pool: &mut Pool,
        is_signed: bool,
        width: u32,
        rounding: &Value,
        float: &Value,
    ) -> Result<Value, String> {
        check_width(width)?;
        let (rounding, float) = (rounding.rounding(pool)?, float.float(pool)?);
        if rounding != Rounding::Trunc || width > 64 {
            return Err("floats are converted by RTZ to at most 64 bits only".to_owned());
        }
        let whole = match pool.view(float) {
            View::Float(FloatOp::Round(_), _) => float,
            _ => pool.fround(float, Rounding::Trunc),
        };
        let low = if is_signed { -power_of_two(width - 1) } else { 0.0 };
        let high = power_of_two(if is_signed { width - 1 } else { width });
        let [low, high] = [low, high].map(|limit| constant(pool, pool.width(float), limit));
        let is_above = pool.fle(low, whole);
        let is_below = pool.flt(whole, high);
        let fits = pool.and(is_above, is_below);
        let integer = match is_signed {
            true => pool.f_to_signed(whole, width),
            false => pool.f_to_unsigned(whole, width),
        };
        let anything = self.unspecified.integer(pool, is_signed, width, float);
        Ok(Value::BitVec(pool.ite(fits, integer, anything)))
    }
}

fn power_of_two(exponent: u32) -> f64 {
    2f64.powi(exponent as i32)
}

/// `value`, which both formats can express.
fn constant(pool: &mut Pool, width: u32, value: f64) -> ExprId {
    let bits = if width == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() };
    pool.constant(width, bits)
}

fn apply(pool: &mut Pool, operator: &Operator<'_>, args: &[Value]) -> Result<Value, String> {
    let name = operator.name;
    match (name, &operator.indices[..]) {
        ("fp", []) => from_fields(pool, args),
        ("to_fp" | "to_fp_unsigned", &[exponent, significand]) => {
            to_float(pool, name, float_width(exponent, significand)?, args)
        }
        ("fp.add" | "fp.sub" | "fp.mul" | "fp.div", []) => {
            let [rounding, a, b] = exactly(name, args)?;
            check_even(pool, name, rounding)?;
            let [a, b] = same_format(pool, name, a, b)?;
            Ok(Value::Float(match name {
                "fp.add" => pool.fadd(a, b),
                "fp.sub" => pool.fsub(a, b),
                "fp.mul" => pool.fmul(a, b),
                _ => pool.fdiv(a, b),
            }))
        }
        ("fp.fma", []) => {
            let [rounding, a, b, c] = exactly(name, args)?;
            check_even(pool, name, rounding)?;
            let [a, b] = same_format(pool, name, a, b)?;
            let c = c.float(pool)?;
            Ok(Value::Float(pool.ffma(a, b, c)))
        }
        ("fp.sqrt", []) => {
            let [rounding, a] = exactly(name, args)?;
            check_even(pool, name, rounding)?;
            let a = a.float(pool)?;
            Ok(Value::Float(pool.fsqrt(a)))
        }
        ("fp.roundToIntegral", []) => {
            let [rounding, a] = exactly(name, args)?;
            let (rounding, a) = (rounding.rounding(pool)?, a.float(pool)?);
            Ok(Value::Float(pool.fround(a, rounding)))
        }
        ("fp.abs" | "fp.neg", []) => {
            let [a] = exactly(name, args)?;
            let a = a.float(pool)?;
            Ok(Value::Float(if name == "fp.abs" { magnitude(pool, a) } else { negated(pool, a) }))
        }
        ("fp.eq" | "fp.lt" | "fp.leq" | "fp.gt" | "fp.geq", []) => compare(pool, name, args),
        (_, []) if name.starts_with("fp.is") => {
            let [a] = exactly(name, args)?;
            let a = a.float(pool)?;
            classify(pool, name, a).map(Value::Bool)
        }
        _ => Err(format!("`{name}` is no known function")),
    }
}

fn check_even(pool: &Pool, name: &str, rounding: &Value) -> Result<(), String> {
    match rounding.rounding(pool)? {
        Rounding::Even => Ok(()),
        other => Err(format!("`{name}` rounding by {} is not supported", rounding_name(other))),
    }
}

fn same_format(pool: &Pool, name: &str, a: &Value, b: &Value) -> Result<[ExprId; 2], String> {
    let (a, b) = (a.float(pool)?, b.float(pool)?);
    match pool.width(a) == pool.width(b) {
        true => Ok([a, b]),
        false => Err(format!("`{name}` of floats of {} and {} bits", pool.width(a), pool.width(b))),
    }
}

fn negated(pool: &mut Pool, float: ExprId) -> ExprId {
    let width = pool.width(float);
    let sign = pool.constant(width, 1 << (width - 1));
    pool.xor(float, sign)
}

/// `(fp sign exponent fraction)`
fn from_fields(pool: &mut Pool, args: &[Value]) -> Result<Value, String> {
    let [sign, exponent, fraction] = exactly("fp", args)?;
    let [sign, exponent, fraction] = [sign.bits(pool)?, exponent.bits(pool)?, fraction.bits(pool)?];
    float_width(pool.width(exponent), pool.width(fraction) + 1)?;
    let high = pool.concat(sign, exponent);
    Ok(Value::Float(pool.concat(high, fraction)))
}

fn to_float(pool: &mut Pool, name: &str, width: u32, args: &[Value]) -> Result<Value, String> {
    if let &[Value::BitVec(bits)] = args
        && name == "to_fp"
    {
        return match pool.width(bits) == width {
            true => Ok(Value::Float(bits)),
            false => Err(format!("{} bits as a float of {width}", pool.width(bits))),
        };
    }
    let [rounding, from] = exactly(name, args)?;
    check_even(pool, name, rounding)?;
    Ok(Value::Float(match from {
        Value::Real(digits) if name == "to_fp" => real(pool, width, digits),
        &Value::BitVec(_) if pool.width(from.bits(pool)?) > 64 => {
            return Err("converting integers of more than 64 bits is not supported".to_owned());
        }
        &Value::BitVec(from) if name == "to_fp" => pool.signed_to_f(from, width),
        &Value::BitVec(from) => pool.unsigned_to_f(from, width),
        &Value::Float(from) if name == "to_fp" && pool.width(from) == width => from,
        &Value::Float(from) if name == "to_fp" => pool.f_convert(from, width),
        other => return Err(format!("`{name}` of a {}", other.sort(pool))),
    }))
}

/// The float nearest to a decimal literal.
fn real(pool: &mut Pool, width: u32, digits: &str) -> ExprId {
    const DIGITS: &str = "a literal has digits only";
    let bits = match width {
        32 => u64::from(digits.parse::<f32>().expect(DIGITS).to_bits()),
        _ => digits.parse::<f64>().expect(DIGITS).to_bits(),
    };
    pool.constant(width, bits)
}

fn compare(pool: &mut Pool, name: &str, args: &[Value]) -> Result<Value, String> {
    if args.len() < 2 {
        return Err(format!("`{name}` takes at least 2 arguments"));
    }
    let mut result = pool.bool(true);
    for pair in args.windows(2) {
        let [a, b] = same_format(pool, name, &pair[0], &pair[1])?;
        let holds = match name {
            "fp.eq" => pool.feq(a, b),
            "fp.lt" => pool.flt(a, b),
            "fp.leq" => pool.fle(a, b),
            "fp.gt" => pool.flt(b, a),
            _ => pool.fle(b, a),
        };
        result = pool.and(result, holds);
    }
    Ok(Value::Bool(result))
}

fn classify(pool: &mut Pool, name: &str, float: ExprId) -> Result<ExprId, String> {
    let width = pool.width(float);
    let magnitude = magnitude(pool, float);
    let infinity = infinity(pool, width);
    let zero = pool.constant(width, 0);
    let smallest_normal = pool.constant(width, 1 << fraction_bits(width));
    let between = |pool: &mut Pool, low, high| {
        let reaches = pool.uge(magnitude, low);
        let stays = pool.ult(magnitude, high);
        pool.and(reaches, stays)
    };
    Ok(match name {
        "fp.isNaN" => is_nan(pool, float),
        "fp.isInfinite" => pool.eq(magnitude, infinity),
        "fp.isZero" => pool.eq(magnitude, zero),
        "fp.isNormal" => between(pool, smallest_normal, infinity),
        "fp.isSubnormal" => {
            let one = pool.constant(width, 1);
            between(pool, one, smallest_normal)
        }
        "fp.isNegative" | "fp.isPositive" => {
            let is_nan = is_nan(pool, float);
            let is_number = pool.not(is_nan);
            let is_negative = is_negative(pool, float);
            let sign = if name == "fp.isNegative" { is_negative } else { pool.not(is_negative) };
            pool.and(is_number, sign)
        }
        _ => return Err(format!("`{name}` is no known function")),
    })
}

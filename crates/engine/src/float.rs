//! Float and double: what the processor does, bit for bit.

use std::arch::x86_64::{
    _mm_cvttsd_si32, _mm_cvttsd_si64, _mm_cvttss_si32, _mm_cvttss_si64, _mm_set_sd, _mm_set_ss,
};

use fathom_ir::inst::{Float, FloatPredicate};

/// Whether `a` and `b` compare as the predicate numbered `predicate` says.
pub(crate) fn compare(predicate: u16, ordering: Option<std::cmp::Ordering>) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    // LLVM numbers predicates by bits: 1 equal, 2 greater, 4 less, 8 unordered.
    let bit = match ordering {
        Some(Equal) => 1,
        Some(Greater) => 2,
        Some(Less) => 4,
        None => 8,
    };
    debug_assert!(FloatPredicate::Uno as u16 == 8);
    predicate & bit != 0
}

/// Defines `fptosi` and `fptoui` to `bits`, as clang compiles them for x86-64: unsigned goes
/// through the 64-bit signed conversion, in two halves for 64 bits.
macro_rules! to_integer {
    ($signed:ident, $unsigned:ident, $float:ty, $load:ident, $to32:ident, $to64:ident) => {
        pub(crate) fn $signed(value: $float, bits: u32) -> u64 {
            // SAFETY: SSE2 is part of x86-64.
            unsafe {
                if bits <= 32 {
                    $to32($load(value)) as u32 as u64
                } else {
                    $to64($load(value)) as u64
                }
            }
        }

        pub(crate) fn $unsigned(value: $float, bits: u32) -> u64 {
            const HALF: $float = (1u64 << 63) as $float;
            match bits {
                0..=16 => $signed(value, 32),
                17..=32 => $signed(value, 64),
                _ => {
                    let low = $signed(value, 64) as i64;
                    let high = $signed(value - HALF, 64) as i64;
                    ((low >> 63) & high | low) as u64
                }
            }
        }
    };
}

to_integer!(f64_to_signed, f64_to_unsigned, f64, _mm_set_sd, _mm_cvttsd_si32, _mm_cvttsd_si64);
to_integer!(f32_to_signed, f32_to_unsigned, f32, _mm_set_ss, _mm_cvttss_si32, _mm_cvttss_si64);

/// Defines LLVM's float intrinsics that are one operation of the host's.
macro_rules! float_ops {
    ($(#[$doc:meta])* $name:ident, $float:ty) => {
        $(#[$doc])*
        pub(crate) fn $name(op: Float, a: $float, b: $float, c: $float) -> Option<$float> {
            Some(match op {
                Float::Abs => a.abs(),
                Float::CopySign => a.copysign(b),
                Float::Sqrt => a.sqrt(),
                Float::Floor => a.floor(),
                Float::Ceil => a.ceil(),
                Float::Trunc => a.trunc(),
                Float::Rint | Float::NearbyInt | Float::RoundEven => a.round_ties_even(),
                Float::Round => a.round(),
                Float::MinNum => a.min(b),
                Float::MaxNum => a.max(b),
                Float::Minimum => minimum(a.into(), b.into()) as $float,
                Float::Maximum => -minimum((-a).into(), (-b).into()) as $float,
                Float::Fma => a.mul_add(b, c),
                Float::MulAdd => a * b + c,
                Float::Sin => a.sin(),
                Float::Cos => a.cos(),
                Float::Tan => a.tan(),
                Float::Exp => a.exp(),
                Float::Exp2 => a.exp2(),
                Float::Exp10 => <$float>::powf(10.0, a),
                Float::Log => a.ln(),
                Float::Log2 => a.log2(),
                Float::Log10 => a.log10(),
                Float::Pow => a.powf(b),
                _ => return None,
            })
        }
    };
}

float_ops!(
    /// One of LLVM's float intrinsics at 64 bits. `None`: it is one with another shape.
    f64_op,
    f64
);
float_ops!(
    /// The same at 32 bits.
    f32_op,
    f32
);

/// IEEE 754-2019 minimum: NaN if either is, and -0 below +0.
fn minimum(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else if a == b {
        if a.is_sign_negative() { a } else { b }
    } else {
        a.min(b)
    }
}

/// The bit of LLVM's fpclass mask that `value` belongs to.
pub(crate) fn fp_class(negative: bool, class: std::num::FpCategory, quiet: bool) -> u64 {
    use std::num::FpCategory::{Infinite, Nan, Normal, Subnormal, Zero};
    match (class, negative) {
        (Nan, _) if !quiet => 1,
        (Nan, _) => 1 << 1,
        (Infinite, true) => 1 << 2,
        (Normal, true) => 1 << 3,
        (Subnormal, true) => 1 << 4,
        (Zero, true) => 1 << 5,
        (Zero, false) => 1 << 6,
        (Subnormal, false) => 1 << 7,
        (Normal, false) => 1 << 8,
        (Infinite, false) => 1 << 9,
    }
}

/// frexp: a fraction in [0.5, 1) and an exponent.
pub(crate) fn frexp(value: f64) -> (f64, i32) {
    if value == 0.0 || !value.is_finite() {
        return (value, 0);
    }
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32;
    if exponent == 0 {
        let (fraction, exponent) = frexp(value * 2f64.powi(64));
        return (fraction, exponent - 64);
    }
    (f64::from_bits(bits & !(0x7ff << 52) | 0x3fe << 52), exponent - 0x3fe)
}

/// ldexp by repeated exact scaling.
pub(crate) fn ldexp(mut value: f64, mut exponent: i32) -> f64 {
    while exponent > 1000 && value.is_finite() && value != 0.0 {
        value *= 2f64.powi(1000);
        exponent -= 1000;
    }
    while exponent < -1000 && value != 0.0 {
        value *= 2f64.powi(-969);
        exponent += 969;
    }
    value * 2f64.powi(exponent.clamp(-1000, 1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn out_of_range_conversions_are_the_processors() {
        assert_eq!(f64_to_signed(1e10, 32), 0x8000_0000);
        assert_eq!(f64_to_signed(f64::NAN, 64), 1 << 63);
        assert_eq!(f64_to_unsigned(1.8e19, 64), 18_000_000_000_000_000_000);
        assert_eq!(f64_to_unsigned(3e9, 32) as u32, 3_000_000_000);
    }

    #[test]
    fn frexp_and_ldexp_invert_each_other() {
        for value in [1.0, -3.5, 1e-310, 5e300, 0.1] {
            let (fraction, exponent) = frexp(value);
            assert_eq!(ldexp(fraction, exponent), value);
        }
    }
}

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

/// `fptosi` to `bits`, as clang compiles it for x86-64.
pub(crate) fn f64_to_signed(value: f64, bits: u32) -> u64 {
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        if bits <= 32 {
            _mm_cvttsd_si32(_mm_set_sd(value)) as u32 as u64
        } else {
            _mm_cvttsd_si64(_mm_set_sd(value)) as u64
        }
    }
}

pub(crate) fn f32_to_signed(value: f32, bits: u32) -> u64 {
    // SAFETY: SSE2 is part of x86-64.
    unsafe {
        if bits <= 32 {
            _mm_cvttss_si32(_mm_set_ss(value)) as u32 as u64
        } else {
            _mm_cvttss_si64(_mm_set_ss(value)) as u64
        }
    }
}

/// `fptoui` to `bits`: through the 64-bit signed conversion, in two halves for 64 bits.
pub(crate) fn f64_to_unsigned(value: f64, bits: u32) -> u64 {
    const HALF: f64 = (1u64 << 63) as f64;
    match bits {
        0..=16 => f64_to_signed(value, 32),
        17..=32 => f64_to_signed(value, 64),
        _ => {
            let low = f64_to_signed(value, 64) as i64;
            let high = f64_to_signed(value - HALF, 64) as i64;
            ((low >> 63) & high | low) as u64
        }
    }
}

pub(crate) fn f32_to_unsigned(value: f32, bits: u32) -> u64 {
    const HALF: f32 = (1u64 << 63) as f32;
    match bits {
        0..=16 => f32_to_signed(value, 32),
        17..=32 => f32_to_signed(value, 64),
        _ => {
            let low = f32_to_signed(value, 64) as i64;
            let high = f32_to_signed(value - HALF, 64) as i64;
            ((low >> 63) & high | low) as u64
        }
    }
}

/// One of LLVM's float intrinsics at 64 bits. `None`: it is one with another shape.
pub(crate) fn f64_op(op: Float, a: f64, b: f64, c: f64) -> Option<f64> {
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
        Float::Minimum => minimum(a, b),
        Float::Maximum => -minimum(-a, -b),
        Float::Fma => a.mul_add(b, c),
        Float::MulAdd => a * b + c,
        Float::Sin => a.sin(),
        Float::Cos => a.cos(),
        Float::Tan => a.tan(),
        Float::Exp => a.exp(),
        Float::Exp2 => a.exp2(),
        Float::Exp10 => 10f64.powf(a),
        Float::Log => a.ln(),
        Float::Log2 => a.log2(),
        Float::Log10 => a.log10(),
        Float::Pow => a.powf(b),
        _ => return None,
    })
}

/// The same at 32 bits: exact operations are done in double only where that rounds once.
pub(crate) fn f32_op(op: Float, a: f32, b: f32, c: f32) -> Option<f32> {
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
        Float::Minimum => minimum(a.into(), b.into()) as f32,
        Float::Maximum => -minimum((-a).into(), (-b).into()) as f32,
        Float::Fma => a.mul_add(b, c),
        Float::MulAdd => a * b + c,
        Float::Sin => a.sin(),
        Float::Cos => a.cos(),
        Float::Tan => a.tan(),
        Float::Exp => a.exp(),
        Float::Exp2 => a.exp2(),
        Float::Exp10 => 10f32.powf(a),
        Float::Log => a.ln(),
        Float::Log2 => a.log2(),
        Float::Log10 => a.log10(),
        Float::Pow => a.powf(b),
        _ => return None,
    })
}

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

//! What the floating-point operators compute, bit for bit as SSE does on x86-64.
//!
//! Operands pass through `black_box`: the compiler may fold an operation on constants to a NaN
//! of another sign or payload than the processor's. Rounding to an integer is the host's library
//! function, as in the engine: but for ties away from zero it leaves a signalling NaN as it is.

use std::arch::x86_64::{
    _mm_cvttsd_si32, _mm_cvttsd_si64, _mm_cvttss_si32, _mm_cvttss_si64, _mm_set_sd, _mm_set_ss,
};
use std::hint::black_box;

use crate::fold::{mask, signed};
use crate::{FloatOp, Rounding};

/// `op` on `args` of `from` bits, giving `to` bits.
pub(crate) fn apply(op: FloatOp, from: u32, to: u32, args: [u128; 3]) -> u128 {
    match (op, from) {
        (FloatOp::FromSigned, _) if to == 32 => (signed(args[0], from) as f32).to_bits().into(),
        (FloatOp::FromSigned, _) => (signed(args[0], from) as f64).to_bits().into(),
        (FloatOp::FromUnsigned, _) if to == 32 => (args[0] as f32).to_bits().into(),
        (FloatOp::FromUnsigned, _) => (args[0] as f64).to_bits().into(),
        (_, 32) => apply_f32(op, to, args.map(|bits| black_box(f32::from_bits(bits as u32)))),
        _ => apply_f64(op, to, args.map(|bits| black_box(f64::from_bits(bits as u64)))),
    }
}

/// Defines the operators of one format.
macro_rules! format {
    ($name:ident, $float:ident, $other:ty, $signed:ident, $unsigned:ident) => {
        fn $name(op: FloatOp, to: u32, [a, b, c]: [$float; 3]) -> u128 {
            let value = match op {
                FloatOp::Add => a + b,
                FloatOp::Sub => a - b,
                FloatOp::Mul => a * b,
                FloatOp::Div => a / b,
                FloatOp::Rem => a % b,
                FloatOp::Sqrt => a.sqrt(),
                FloatOp::Fma => a.mul_add(b, c),
                FloatOp::Round(Rounding::Even) => a.round_ties_even(),
                FloatOp::Round(Rounding::Away) => a.round(),
                FloatOp::Round(Rounding::Floor) => a.floor(),
                FloatOp::Round(Rounding::Ceil) => a.ceil(),
                FloatOp::Round(Rounding::Trunc) => a.trunc(),
                FloatOp::Eq => return (a == b).into(),
                FloatOp::Lt => return (a < b).into(),
                FloatOp::Le => return (a <= b).into(),
                FloatOp::ToSigned => return u128::from($signed(a, to)) & mask(to),
                FloatOp::ToUnsigned => return u128::from($unsigned(a, to)) & mask(to),
                FloatOp::Convert => return (a as $other).to_bits().into(),
                FloatOp::FromSigned | FloatOp::FromUnsigned => {
                    unreachable!("integers are converted before the format is looked at")
                }
            };
            value.to_bits().into()
        }
    };
}

format!(apply_f32, f32, f64, f32_to_signed, f32_to_unsigned);
format!(apply_f64, f64, f32, f64_to_signed, f64_to_unsigned);

/// Defines the conversions to integers as clang compiles them for x86-64: unsigned goes through
/// the 64-bit signed conversion, in two halves for 64 bits.
macro_rules! to_integer {
    ($signed:ident, $unsigned:ident, $float:ty, $load:ident, $to32:ident, $to64:ident) => {
        fn $signed(value: $float, bits: u32) -> u64 {
            // SAFETY: SSE2 is part of x86-64.
            unsafe {
                if bits <= 32 {
                    $to32($load(value)) as u32 as u64
                } else {
                    $to64($load(value)) as u64
                }
            }
        }

        fn $unsigned(value: $float, bits: u32) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn f32_op(op: FloatOp, a: u32, b: u32) -> u32 {
        apply(op, 32, 32, [a.into(), b.into(), 0]) as u32
    }

    #[test]
    fn invalid_operations_give_the_negative_nan() {
        let infinity = f32::INFINITY.to_bits();
        assert_eq!(f32_op(FloatOp::Sub, infinity, infinity), 0xffc0_0000);
        assert_eq!(f32_op(FloatOp::Div, 0, 0), 0xffc0_0000);
        assert_eq!(f32_op(FloatOp::Mul, 0, infinity), 0xffc0_0000);
        assert_eq!(f32_op(FloatOp::Sqrt, (-1f32).to_bits(), 0), 0xffc0_0000);
        let zero_by_zero = apply(FloatOp::Div, 64, 64, [0; 3]);
        assert_eq!(zero_by_zero, 0xfff8_0000_0000_0000);
    }

    #[test]
    fn nans_are_quieted_first_operand_first() {
        assert_eq!(f32_op(FloatOp::Add, 0x7f80_0001, 0xff80_0002), 0x7fc0_0001);
        assert_eq!(f32_op(FloatOp::Add, 0x3f80_0000, 0xff80_0002), 0xffc0_0002);
        assert_eq!(f32_op(FloatOp::Mul, 0x7fc0_0005, 0x7f80_0002), 0x7fc0_0005);
        let widened = apply(FloatOp::Convert, 32, 64, [0xff80_0001, 0, 0]);
        assert_eq!(widened, 0xfff8_0000_2000_0000);
    }

    #[test]
    fn conversions_out_of_range_are_the_processors() {
        let bits = |value: f64| [u128::from(value.to_bits()), 0, 0];
        assert_eq!(apply(FloatOp::ToSigned, 64, 32, bits(1e10)), 0x8000_0000);
        assert_eq!(apply(FloatOp::ToSigned, 64, 64, bits(f64::NAN)), 1 << 63);
        assert_eq!(apply(FloatOp::ToUnsigned, 64, 64, bits(1.8e19)), 18_000_000_000_000_000_000);
        assert_eq!(apply(FloatOp::ToUnsigned, 64, 8, bits(300.0)), 44);
    }
}

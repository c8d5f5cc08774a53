//! Floating point in software: half, bfloat, x87 extended and quad, exact to the last bit.

use fathom_ir::inst::{Inst, SoftFormat, SoftOp, soft};
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Category, Float, FloatConvert, Round, Status, StatusAnd};

use crate::engine::Engine;
use crate::float::{compare, f32_to_signed, f32_to_unsigned, fp_class};
use crate::int::{mask128, sext128};
use crate::state::State;
use crate::step::Step;

/// Runs `$body` with `$F` bound to the type of `$format`.
macro_rules! with_format {
    ($format:expr, $F:ident => $body:expr) => {
        match $format {
            SoftFormat::Half => {
                type $F = Half;
                $body
            }
            SoftFormat::BFloat => {
                type $F = BFloat;
                $body
            }
            SoftFormat::Single => {
                type $F = Single;
                $body
            }
            SoftFormat::Double => {
                type $F = Double;
                $body
            }
            SoftFormat::X87 => {
                type $F = X87DoubleExtended;
                $body
            }
            SoftFormat::Quad => {
                type $F = Quad;
                $body
            }
        }
    };
}

impl Engine<'_> {
    pub(crate) fn exec_soft(&self, state: &mut State, i: &Inst) -> Step {
        let (op, format, from) = soft::unpack(i.x);
        let bits = (i.imm & 0xff) as u32;
        let source = match op {
            SoftOp::Convert => from.slots(),
            SoftOp::FromS | SoftOp::FromU => bits.div_ceil(64),
            _ => format.slots(),
        };
        let a = read(state, i.a, source);
        let b = match op {
            SoftOp::IsFpClass => u128::from(state.slot(i.b)),
            _ => read(state, i.b, format.slots()),
        };
        let result = match op {
            SoftOp::Convert => Some(convert(a, from, format)),
            SoftOp::Fma => {
                let c = read(state, (i.imm >> 8) as u32, format.slots());
                Some(with_format!(format, F => {
                    let (a, b, c) = (F::from_bits(a), F::from_bits(b), F::from_bits(c));
                    processors_nan(a.mul_add(b, c), [a, b, c])
                }))
            }
            // These go through float, as the processor has no conversion of their own.
            SoftOp::ToS | SoftOp::ToU
                if matches!(format, SoftFormat::Half | SoftFormat::BFloat) && bits <= 64 =>
            {
                let x = f32::from_bits(convert(a, format, SoftFormat::Single) as u32);
                let to = if op == SoftOp::ToS { f32_to_signed } else { f32_to_unsigned };
                Some(u128::from(to(x, bits)) & mask128(bits))
            }
            SoftOp::Sqrt => None,
            _ => Some(with_format!(format, F => apply::<F>(op, a, b, bits))),
        };
        let Some(result) = result else {
            return Err(self.unsupported(state, format!("{op:?} of {format:?}")));
        };
        let slots = match op {
            SoftOp::Cmp | SoftOp::IsFpClass => 1,
            SoftOp::ToS | SoftOp::ToU => bits.div_ceil(64),
            _ => format.slots(),
        };
        if slots == 2 {
            state.set_slot_pair(i.d, result);
        } else {
            state.set_slot(i.d, result as u64);
        }
        Ok(())
    }
}

fn read(state: &State, slot: u32, slots: u32) -> u128 {
    if slots == 2 { state.slot_pair(slot) } else { u128::from(state.slot(slot)) }
}

fn apply<F: Float>(op: SoftOp, a: u128, b: u128, bits: u32) -> u128 {
    let (x, y) = (F::from_bits(a), F::from_bits(b));
    let rounded = |mode| x.round_to_integral(mode).value.to_bits();
    match op {
        SoftOp::Add => processors_nan(x + y, [x, y]),
        SoftOp::Sub => processors_nan(x - y, [x, y]),
        SoftOp::Mul => processors_nan(x * y, [x, y]),
        SoftOp::Div => processors_nan(x / y, [x, y]),
        SoftOp::Rem => processors_nan(x.c_fmod(y), [x, y]),
        SoftOp::Neg => (-x).to_bits(),
        SoftOp::Abs => x.abs().to_bits(),
        SoftOp::CopySign => x.copy_sign(y).to_bits(),
        SoftOp::Cmp => u128::from(compare(bits as u16, x.partial_cmp(&y))),
        SoftOp::ToS => to_signed(x, bits) & mask128(bits),
        SoftOp::ToU => to_unsigned(x, bits) & mask128(bits),
        SoftOp::FromS => F::from_i128(sext128(a, bits)).value.to_bits(),
        SoftOp::FromU => F::from_u128(a).value.to_bits(),
        SoftOp::Floor => rounded(Round::TowardNegative),
        SoftOp::Ceil => rounded(Round::TowardPositive),
        SoftOp::Trunc => rounded(Round::TowardZero),
        SoftOp::Rint | SoftOp::RoundEven => rounded(Round::NearestTiesToEven),
        SoftOp::Round => rounded(Round::NearestTiesToAway),
        SoftOp::MinNum => x.min(y).to_bits(),
        SoftOp::MaxNum => x.max(y).to_bits(),
        SoftOp::IsFpClass => {
            u128::from(fp_class(x.is_negative(), class(x), !x.is_signaling()) & b as u64 != 0)
        }
        SoftOp::Convert | SoftOp::Fma | SoftOp::Sqrt => {
            unreachable!("{op:?} is done by the caller")
        }
    }
}

/// The processor's NaN for an invalid operation is negative. Quad has no processor: its operations
/// are a library's, whose NaN is positive.
fn processors_nan<F: Float, const N: usize>(result: StatusAnd<F>, operands: [F; N]) -> u128 {
    let invalid = result.value.is_nan() && !operands.into_iter().any(F::is_nan);
    if invalid && F::BITS != Quad::BITS { (-F::NAN).to_bits() } else { result.value.to_bits() }
}

/// As clang compiles it for x86-64: x87 up to 64 bits by `fistp`, which stores the smallest
/// integer where the value is out of range, the rest by a library that saturates.
fn to_signed<F: Float>(x: F, bits: u32) -> u128 {
    let width = bits.next_power_of_two().max(16);
    let rounded = x.to_i128_r(width as usize, Round::TowardZero, &mut false);
    let smallest = 1u128 << (width - 1);
    if !rounded.status.contains(Status::INVALID_OP) {
        rounded.value as u128
    } else if by_library::<F>(bits) && !x.is_negative() && !(is_x87::<F>() && x.is_nan()) {
        smallest - 1
    } else {
        smallest
    }
}

/// `fistp` knows only signed integers: it makes a wider one, or two halves of 64 bits.
fn to_unsigned<F: Float>(x: F, bits: u32) -> u128 {
    let half = F::from_u128(1 << 63).value;
    if by_library::<F>(bits) {
        let nan = x.is_nan() && !x.is_negative();
        if nan {
            u128::MAX
        } else {
            x.to_u128_r(bits as usize, Round::TowardZero, &mut false).value
        }
    } else if bits <= 32 {
        to_signed(x, bits + 1)
    } else if x < half {
        to_signed(x, 64)
    } else {
        to_signed((x - half).value, 64) ^ 1 << 63
    }
}

fn is_x87<F: Float>() -> bool {
    F::BITS == X87DoubleExtended::BITS
}

fn by_library<F: Float>(bits: u32) -> bool {
    bits > 64 || !is_x87::<F>()
}

fn class<F: Float>(x: F) -> std::num::FpCategory {
    use std::num::FpCategory;
    match x.category() {
        Category::NaN => FpCategory::Nan,
        Category::Infinity => FpCategory::Infinite,
        Category::Zero => FpCategory::Zero,
        Category::Normal if x.is_denormal() => FpCategory::Subnormal,
        Category::Normal => FpCategory::Normal,
    }
}

fn convert(bits: u128, from: SoftFormat, to: SoftFormat) -> u128 {
    fn between<F: FloatConvert<T>, T: Float>(bits: u128) -> u128 {
        F::from_bits(bits).convert(&mut false).value.to_bits()
    }
    with_format!(from, F => with_format!(to, T => between::<F, T>(bits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_third_in_x87_is_the_processors() {
        let one = convert(u128::from(1f64.to_bits()), SoftFormat::Double, SoftFormat::X87);
        let three = convert(u128::from(3f64.to_bits()), SoftFormat::Double, SoftFormat::X87);
        assert_eq!(one, 0x3fff_8000_0000_0000_0000);
        let third = apply::<X87DoubleExtended>(SoftOp::Div, one, three, 0);
        assert_eq!(third, 0x3ffd_aaaa_aaaa_aaaa_aaab);
        let back = convert(third, SoftFormat::X87, SoftFormat::Double);
        assert_eq!(back as u64, (1f64 / 3f64).to_bits());
    }

    #[test]
    fn integers_round_trip_through_x87() {
        for value in [0i64, 1, -1, i64::MIN, i64::MAX] {
            let soft = apply::<X87DoubleExtended>(SoftOp::FromS, u128::from(value as u64), 0, 64);
            assert_eq!(apply::<X87DoubleExtended>(SoftOp::ToS, soft, 0, 64) as i64, value);
        }
    }
}

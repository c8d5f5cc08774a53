//! Integer intrinsics at any width up to 64 bits, and two-slot integers up to 128.

use fathom_ir::inst::{Int, Wide};

use crate::outcome::BugKind;

pub(crate) fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

pub(crate) fn mask128(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// The low `bits` of `value`, sign-extended.
pub(crate) fn sext(value: u64, bits: u32) -> i64 {
    let shift = 64 - bits;
    ((value << shift) as i64) >> shift
}

pub(crate) fn sext128(value: u128, bits: u32) -> i128 {
    let shift = 128 - bits;
    ((value << shift) as i128) >> shift
}

/// The result and, for the overflow family, the second result.
pub(crate) type IntResult = Result<(u64, Option<u64>), BugKind>;

/// Executes a one-slot integer intrinsic. Results are masked here.
pub(crate) fn int_op(op: Int, a: u64, b: u64, third: u64, bits: u32) -> IntResult {
    let (sa, sb) = (i128::from(sext(a, bits)), i128::from(sext(b, bits)));
    let (ua, ub) = (i128::from(a), i128::from(b));
    let smax = (1i128 << (bits - 1)) - 1;
    let umax = i128::from(mask(bits));
    let signed = |wide: i128| (wide, !(-smax - 1..=smax).contains(&wide));
    let unsigned = |wide: i128| (wide, !(0..=umax).contains(&wide));
    let with_overflow =
        |(wide, overflow): (i128, bool)| Ok((wide as u64 & mask(bits), Some(u64::from(overflow))));
    let value: i128 = match op {
        Int::CtPop => a.count_ones().into(),
        Int::CtLz => (a.leading_zeros() - (64 - bits)).into(),
        Int::CtTz => a.trailing_zeros().min(bits).into(),
        Int::BSwap => i128::from(a.swap_bytes() >> (64 - bits)),
        Int::BitReverse => i128::from(a.reverse_bits() >> (64 - bits)),
        Int::Abs => sa.abs(),
        Int::FShl | Int::FShr => {
            let amount = (third % u64::from(bits)) as u32;
            let both = (a as u128) << bits | b as u128;
            let shift = if op == Int::FShl { bits - amount } else { amount };
            (both >> shift) as i128
        }
        Int::SMin => sa.min(sb),
        Int::SMax => sa.max(sb),
        Int::UMin => ua.min(ub),
        Int::UMax => ua.max(ub),
        Int::SAddSat => (sa + sb).clamp(-smax - 1, smax),
        Int::SSubSat => (sa - sb).clamp(-smax - 1, smax),
        Int::UAddSat => (ua + ub).min(umax),
        Int::USubSat => (ua - ub).max(0),
        Int::SShlSat => {
            if sa == 0 {
                0
            } else {
                (sa << b.min(63)).clamp(-smax - 1, smax)
            }
        }
        Int::UShlSat => {
            if ua == 0 {
                0
            } else {
                (ua << b.min(63)).min(umax)
            }
        }
        Int::SAddOv => return with_overflow(signed(sa + sb)),
        Int::SSubOv => return with_overflow(signed(sa - sb)),
        Int::SMulOv => return with_overflow(signed(sa * sb)),
        Int::UAddOv => return with_overflow(unsigned(ua + ub)),
        Int::USubOv => return with_overflow(unsigned(ua - ub)),
        Int::UMulOv => {
            let product = u128::from(a) * u128::from(b);
            let overflow = product > u128::from(mask(bits));
            return Ok((product as u64 & mask(bits), Some(u64::from(overflow))));
        }
        Int::UCmp => return Ok(((ua.cmp(&ub) as i64 as u64) & mask(third as u32), None)),
        Int::SCmp => return Ok(((sa.cmp(&sb) as i64 as u64) & mask(third as u32), None)),
        Int::SDiv | Int::SRem => {
            if sb == 0 {
                return Err(BugKind::DivisionByZero);
            }
            if sb == -1 && sa == -smax - 1 {
                return Err(BugKind::SignedOverflow);
            }
            if op == Int::SDiv { sa / sb } else { sa % sb }
        }
    };
    Ok((value as u64 & mask(bits), None))
}

/// The result of a two-slot operation: one slot, two slots, or two and an overflow bit.
pub(crate) enum WideResult {
    One(u64),
    Two(u128),
    Overflow(u128, bool),
}

/// Executes a two-slot integer operation at `bits` (65 to 128). `extra` is `imm >> 8`: a source
/// or target width; `third` the third operand of funnel shifts.
pub(crate) fn wide_op(
    op: Wide,
    a: u128,
    b: u128,
    third: u128,
    bits: u32,
    extra: u32,
) -> Result<WideResult, BugKind> {
    use WideResult::{One, Overflow, Two};
    let (sa, sb) = (sext128(a, bits), sext128(b, bits));
    let flag = |condition: bool| Ok(One(u64::from(condition)));
    let smin = i128::MIN >> (128 - bits);
    let smax = !smin;
    let in_signed = |value: i128| (smin..=smax).contains(&value);
    let checked_shift =
        || u32::try_from(b).ok().filter(|&n| n < bits).ok_or(BugKind::ShiftOverflow);
    let divisor = |nonzero: bool| if nonzero { Ok(()) } else { Err(BugKind::DivisionByZero) };
    let signed_divisor = || {
        divisor(sb != 0)?;
        if sb == -1 && sa == smin { Err(BugKind::SignedOverflow) } else { Ok(()) }
    };
    let value: u128 = match op {
        Wide::Add => a.wrapping_add(b),
        Wide::Sub => a.wrapping_sub(b),
        Wide::Mul => a.wrapping_mul(b),
        Wide::UDiv => divisor(b != 0).map(|()| a / b)?,
        Wide::URem => divisor(b != 0).map(|()| a % b)?,
        Wide::SDiv => signed_divisor().map(|()| (sa / sb) as u128)?,
        Wide::SRem => signed_divisor().map(|()| (sa % sb) as u128)?,
        Wide::And => a & b,
        Wide::Or => a | b,
        Wide::Xor => a ^ b,
        Wide::Shl => a << checked_shift()?,
        Wide::LShr => a >> checked_shift()?,
        Wide::AShr => (sa >> checked_shift()?) as u128,
        Wide::Eq => return flag(a == b),
        Wide::Ne => return flag(a != b),
        Wide::Ult => return flag(a < b),
        Wide::Ule => return flag(a <= b),
        Wide::Slt => return flag(sa < sb),
        Wide::Sle => return flag(sa <= sb),
        Wide::ZextFrom => a & u128::from(mask(extra)),
        Wide::SextFrom => i128::from(sext(a as u64, extra)) as u128,
        Wide::TruncTo => return Ok(One(a as u64 & mask(extra))),
        Wide::Mask => a,
        Wide::SextWide => sext128(a, extra) as u128,
        Wide::CtPop => a.count_ones().into(),
        Wide::CtLz => (a.leading_zeros() - (128 - bits)).into(),
        Wide::CtTz => a.trailing_zeros().min(bits).into(),
        Wide::BSwap => a.swap_bytes() >> (128 - bits),
        Wide::BitReverse => a.reverse_bits() >> (128 - bits),
        Wide::Abs => sa.wrapping_abs() as u128,
        Wide::SMin => sa.min(sb) as u128,
        Wide::SMax => sa.max(sb) as u128,
        Wide::UMin => a.min(b),
        Wide::UMax => a.max(b),
        Wide::FShl | Wide::FShr => {
            let amount = (third % u128::from(bits)) as u32;
            let left = if op == Wide::FShl { amount } else { bits - amount };
            if left == 0 {
                a
            } else if left == bits {
                b
            } else {
                a << left | (b & mask128(bits)) >> (bits - left)
            }
        }
        Wide::SAddSat => match sa.checked_add(sb).filter(|&sum| in_signed(sum)) {
            Some(sum) => sum as u128,
            None => (if sa < 0 { smin } else { smax }) as u128,
        },
        Wide::SSubSat => match sa.checked_sub(sb).filter(|&difference| in_signed(difference)) {
            Some(difference) => difference as u128,
            None => (if sa < 0 { smin } else { smax }) as u128,
        },
        Wide::UAddSat => a.checked_add(b).map_or(mask128(bits), |sum| sum.min(mask128(bits))),
        Wide::USubSat => a.saturating_sub(b),
        Wide::SAddOv => {
            let sum = sa.checked_add(sb).filter(|&sum| in_signed(sum));
            return Ok(Overflow(a.wrapping_add(b) & mask128(bits), sum.is_none()));
        }
        Wide::SSubOv => {
            let difference = sa.checked_sub(sb).filter(|&difference| in_signed(difference));
            return Ok(Overflow(a.wrapping_sub(b) & mask128(bits), difference.is_none()));
        }
        Wide::SMulOv => {
            let product = sa.checked_mul(sb).filter(|&product| in_signed(product));
            return Ok(Overflow(a.wrapping_mul(b) & mask128(bits), product.is_none()));
        }
        Wide::UAddOv => {
            let sum = a.checked_add(b).filter(|&sum| sum <= mask128(bits));
            return Ok(Overflow(a.wrapping_add(b) & mask128(bits), sum.is_none()));
        }
        Wide::USubOv => return Ok(Overflow(a.wrapping_sub(b) & mask128(bits), a < b)),
        Wide::UMulOv => {
            let product = a.checked_mul(b).filter(|&product| product <= mask128(bits));
            return Ok(Overflow(a.wrapping_mul(b) & mask128(bits), product.is_none()));
        }
        Wide::FpToS => from_float(a as u64, extra) as u128,
        Wide::FpToU => from_float_unsigned(a as u64, extra),
        Wide::SToFp => return Ok(One(to_float(sa as f64, sa as f32, extra))),
        Wide::UToFp => return Ok(One(to_float(a as f64, a as f32, extra))),
    };
    Ok(Two(value & mask128(bits)))
}

fn from_float(pattern: u64, float_bits: u32) -> i128 {
    if float_bits == 32 {
        f32::from_bits(pattern as u32) as i128
    } else {
        f64::from_bits(pattern) as i128
    }
}

fn from_float_unsigned(pattern: u64, float_bits: u32) -> u128 {
    if float_bits == 32 {
        f32::from_bits(pattern as u32) as u128
    } else {
        f64::from_bits(pattern) as u128
    }
}

fn to_float(double: f64, single: f32, float_bits: u32) -> u64 {
    if float_bits == 32 { u64::from(single.to_bits()) } else { double.to_bits() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(op: Int, a: u64, b: u64, third: u64, bits: u32) -> u64 {
        int_op(op, a, b, third, bits).expect("no bug").0
    }

    #[test]
    fn counting_and_swapping_respect_the_width() {
        assert_eq!(one(Int::CtLz, 1, 0, 0, 8), 7);
        assert_eq!(one(Int::CtTz, 0, 0, 0, 16), 16);
        assert_eq!(one(Int::BSwap, 0x1234, 0, 0, 16), 0x3412);
        assert_eq!(one(Int::BitReverse, 0b001, 0, 0, 3), 0b100);
    }

    #[test]
    fn funnel_shifts_take_the_amount_modulo_the_width() {
        assert_eq!(one(Int::FShl, 0x81, 0x81, 9, 8), 0x03);
        assert_eq!(one(Int::FShr, 0x81, 0x81, 1, 8), 0xc0);
        assert_eq!(one(Int::FShl, 5, 7, 0, 64), 5);
        assert_eq!(one(Int::FShr, 5, 7, 0, 64), 7);
    }

    #[test]
    fn overflow_is_seen_at_the_width() {
        assert_eq!(int_op(Int::SAddOv, 0x7f, 1, 0, 8), Ok((0x80, Some(1))));
        assert_eq!(int_op(Int::UMulOv, 1 << 63, 2, 0, 64), Ok((0, Some(1))));
        assert_eq!(int_op(Int::SMulOv, u64::MAX, u64::MAX, 0, 64), Ok((1, Some(0))));
        assert_eq!(int_op(Int::SDiv, 0x80, 0xff, 0, 8), Err(BugKind::SignedOverflow));
    }

    #[test]
    fn wide_funnel_shift_equals_rotation() {
        let value = 0x0123_4567_89ab_cdef_0011_2233_4455_6677_u128;
        for amount in [0, 1, 63, 64, 127] {
            let Ok(WideResult::Two(left)) = wide_op(Wide::FShl, value, value, amount, 128, 0)
            else {
                panic!("two slots")
            };
            assert_eq!(left, value.rotate_left(amount as u32));
        }
    }
}

//! What the integer operators compute, on values of up to 128 bits (SMT-LIB's total semantics).

use crate::{BinaryOp, UnaryOp};

/// `width` ones.
pub(crate) fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// The value of bit `width - 1`.
pub(crate) fn sign(value: u128, width: u32) -> bool {
    value >> (width - 1) & 1 == 1
}

/// `value` of `width` bits as a signed number.
pub(crate) fn signed(value: u128, width: u32) -> i128 {
    (value << (128 - width)) as i128 >> (128 - width)
}

pub(crate) fn unary(op: UnaryOp, width: u32, a: u128) -> u128 {
    match op {
        UnaryOp::Not => !a & mask(width),
        UnaryOp::Neg => a.wrapping_neg() & mask(width),
    }
}

/// `op` on operands of `width` bits, which are below `2^width`.
pub(crate) fn binary(op: BinaryOp, width: u32, a: u128, b: u128) -> u128 {
    match op {
        BinaryOp::Add => a.wrapping_add(b) & mask(width),
        BinaryOp::Sub => a.wrapping_sub(b) & mask(width),
        BinaryOp::Mul => a.wrapping_mul(b) & mask(width),
        BinaryOp::UDiv => udiv(width, a, b),
        BinaryOp::SDiv => sdiv(width, a, b),
        BinaryOp::URem => urem(a, b),
        BinaryOp::SRem => srem(width, a, b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl if b >= u128::from(width) => 0,
        BinaryOp::Shl => a << b & mask(width),
        BinaryOp::LShr if b >= u128::from(width) => 0,
        BinaryOp::LShr => a >> b,
        BinaryOp::AShr => (signed(a, width) >> b.min(u128::from(width - 1))) as u128 & mask(width),
        BinaryOp::Eq => u128::from(a == b),
        BinaryOp::Ult => u128::from(a < b),
        BinaryOp::Ule => u128::from(a <= b),
        BinaryOp::Slt => u128::from(signed(a, width) < signed(b, width)),
        BinaryOp::Sle => u128::from(signed(a, width) <= signed(b, width)),
    }
}

pub(crate) fn udiv(width: u32, a: u128, b: u128) -> u128 {
    match (u64::try_from(a), u64::try_from(b)) {
        (_, Ok(0)) => mask(width),
        (Ok(a), Ok(b)) => u128::from(a / b),
        _ => a / b,
    }
}

pub(crate) fn urem(a: u128, b: u128) -> u128 {
    match (u64::try_from(a), u64::try_from(b)) {
        (_, Ok(0)) => a,
        (Ok(a), Ok(b)) => u128::from(a % b),
        _ => a % b,
    }
}

fn sdiv(width: u32, a: u128, b: u128) -> u128 {
    let (a, b) = (signed(a, width), signed(b, width));
    let quotient = udiv(width, a.unsigned_abs(), b.unsigned_abs());
    let negate = (a < 0) != (b < 0);
    (if negate { quotient.wrapping_neg() } else { quotient }) & mask(width)
}

fn srem(width: u32, a: u128, b: u128) -> u128 {
    let (a, b) = (signed(a, width), signed(b, width));
    let remainder = urem(a.unsigned_abs(), b.unsigned_abs());
    (if a < 0 { remainder.wrapping_neg() } else { remainder }) & mask(width)
}

pub(crate) fn extract(value: u128, low: u32, width: u32) -> u128 {
    value >> low & mask(width)
}

pub(crate) fn sext(value: u128, from: u32, to: u32) -> u128 {
    signed(value, from) as u128 & mask(to)
}

/// `low` is `low_width` bits wide, which is below 128.
pub(crate) fn concat(high: u128, low: u128, low_width: u32) -> u128 {
    high << low_width | low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_total_as_in_smtlib() {
        assert_eq!(binary(BinaryOp::UDiv, 8, 7, 0), 0xff);
        assert_eq!(binary(BinaryOp::SDiv, 8, 7, 0), 0xff);
        assert_eq!(binary(BinaryOp::SDiv, 8, 0xf9, 0), 1);
        assert_eq!(binary(BinaryOp::SRem, 8, 0xf9, 0), 0xf9);
        assert_eq!(binary(BinaryOp::SDiv, 8, 0x80, 0xff), 0x80);
        assert_eq!(binary(BinaryOp::SDiv, 128, 1 << 127, mask(128)), 1 << 127);
        assert_eq!(binary(BinaryOp::SRem, 8, 0xf9, 2), 0xff);
    }

    #[test]
    fn shifts_beyond_the_width() {
        assert_eq!(binary(BinaryOp::Shl, 8, 1, 8), 0);
        assert_eq!(binary(BinaryOp::LShr, 128, 1, mask(128)), 0);
        assert_eq!(binary(BinaryOp::AShr, 8, 0x80, 200), 0xff);
    }
}

//! What the operators compute on values of up to 64 bits.

use fathom_expr::BinaryOp;

/// `width` ones.
pub(super) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

pub(super) fn signed(value: u64, width: u32) -> i64 {
    (value << (64 - width)) as i64 >> (64 - width)
}

/// `op` on operands of `width` bits, as SMT-LIB defines it.
pub(super) fn binary(op: BinaryOp, width: u32, a: u64, b: u64) -> u64 {
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
        BinaryOp::URem => a.checked_rem(b).unwrap_or(a),
        BinaryOp::SDiv => match (signed(a, width), signed(b, width)) {
            (a, 0) => {
                if a < 0 {
                    1
                } else {
                    u64::MAX
                }
            }
            (a, b) => a.wrapping_div(b) as u64,
        },
        BinaryOp::SRem => match (signed(a, width), signed(b, width)) {
            (a, 0) => a as u64,
            (a, b) => a.wrapping_rem(b) as u64,
        },
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => {
            if b >= u64::from(width) {
                0
            } else {
                a << b
            }
        }
        BinaryOp::LShr => {
            if b >= u64::from(width) {
                0
            } else {
                a >> b
            }
        }
        BinaryOp::AShr => (signed(a, width) >> b.min(u64::from(width - 1))) as u64,
        BinaryOp::Eq => u64::from(a == b),
        BinaryOp::Ult => u64::from(a < b),
        BinaryOp::Ule => u64::from(a <= b),
        BinaryOp::Slt => u64::from(signed(a, width) < signed(b, width)),
        BinaryOp::Sle => u64::from(signed(a, width) <= signed(b, width)),
    };
    result & mask(width)
}

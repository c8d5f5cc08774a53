//! Integers of 65 to 128 bits, which take two slots.

use fathom_expr::{ExprId, Pool};
use fathom_ir::inst::Wide;

use super::super::operands::{third, wide_op};
use super::{Evaluator, Outcome};

impl Evaluator<'_, '_> {
    pub(super) fn wide(&mut self) -> Outcome {
        let width = (self.i.imm & 0xff) as u32;
        let op = wide_op(self.i);
        if let Some(value) = self.wide_from_slot(op, width) {
            return self.two(value);
        }
        let a = self.wide_slots(self.i.a, width);
        if let Some(value) = self.wide_to_slot(op, a) {
            return self.one(value);
        }
        if let Some(value) = self.unary_wide(op, a) {
            return self.two(value);
        }
        let b = self.wide_slots(self.i.b, width);
        if let Some(value) = self.wide_compare(op, a, b) {
            return self.one(value);
        }
        if let Some((value, overflow)) = self.wide_with_overflow(op, a, b) {
            let [low, high] = self.halves(value);
            return self.results([Some(low), Some(high), Some(overflow)]);
        }
        let value = self.binary_wide(op, a, b);
        self.two(value)
    }

    /// The value in two slots, low half first.
    fn wide_slots(&mut self, slot: u32, width: u32) -> ExprId {
        let (low, high) = (self.slot(slot), self.low(slot + 1, width - 64));
        self.pool.concat(high, low)
    }

    fn halves(&mut self, value: ExprId) -> [ExprId; 2] {
        let width = self.pool.width(value);
        [self.pool.extract(value, 0, 64), self.pool.extract(value, 64, width - 64)]
    }

    fn two(&mut self, value: ExprId) -> Outcome {
        let [low, high] = self.halves(value);
        self.results([Some(low), Some(high), None])
    }

    fn wide_from_slot(&mut self, op: Wide, width: u32) -> Option<ExprId> {
        // A source width, of an integer or of a float.
        let from = third(self.i);
        Some(match op {
            Wide::ZextFrom => {
                let value = self.low(self.i.a, from);
                self.pool.zext(value, width)
            }
            Wide::SextFrom => {
                let value = self.low(self.i.a, from);
                self.pool.sext(value, width)
            }
            Wide::FpToS => {
                let value = self.low(self.i.a, from);
                let whole = self.float_to_signed_saturating(value, 128);
                self.pool.extract(whole, 0, width)
            }
            Wide::FpToU => {
                let value = self.low(self.i.a, from);
                let whole = self.float_to_unsigned_saturating(value, 128);
                self.pool.extract(whole, 0, width)
            }
            _ => return None,
        })
    }

    fn wide_to_slot(&mut self, op: Wide, a: ExprId) -> Option<ExprId> {
        let to = third(self.i);
        Some(match op {
            Wide::TruncTo => self.pool.extract(a, 0, to),
            Wide::SToFp => self.pool.signed_to_f(a, to),
            Wide::UToFp => self.pool.unsigned_to_f(a, to),
            _ => return None,
        })
    }

    fn unary_wide(&mut self, op: Wide, a: ExprId) -> Option<ExprId> {
        Some(match op {
            Wide::Mask => a,
            Wide::SextWide => {
                let width = self.pool.width(a);
                let value = self.pool.extract(a, 0, third(self.i));
                self.pool.sext(value, width)
            }
            Wide::CtPop => self.count_ones(a),
            Wide::CtLz => self.leading_zeros(a),
            Wide::CtTz => self.trailing_zeros(a),
            Wide::BSwap => self.reverse(a, 8),
            Wide::BitReverse => self.reverse(a, 1),
            Wide::Abs => self.abs(a),
            _ => return None,
        })
    }

    fn wide_compare(&mut self, op: Wide, a: ExprId, b: ExprId) -> Option<ExprId> {
        Some(match op {
            Wide::Eq => self.pool.eq(a, b),
            Wide::Ne => self.pool.ne(a, b),
            Wide::Ult => self.pool.ult(a, b),
            Wide::Ule => self.pool.ule(a, b),
            Wide::Slt => self.pool.slt(a, b),
            Wide::Sle => self.pool.sle(a, b),
            _ => return None,
        })
    }

    fn wide_with_overflow(&mut self, op: Wide, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId)> {
        Some(match op {
            Wide::SAddOv => self.signed_add(a, b),
            Wide::UAddOv => self.unsigned_add(a, b),
            Wide::SSubOv => self.signed_sub(a, b),
            Wide::USubOv => self.unsigned_sub(a, b),
            Wide::SMulOv => self.wide_signed_mul(a, b),
            Wide::UMulOv => self.wide_unsigned_mul(a, b),
            _ => return None,
        })
    }

    fn binary_wide(&mut self, op: Wide, a: ExprId, b: ExprId) -> ExprId {
        match op {
            Wide::Add => self.pool.add(a, b),
            Wide::Sub => self.pool.sub(a, b),
            Wide::Mul => self.pool.mul(a, b),
            Wide::And => self.pool.and(a, b),
            Wide::Or => self.pool.or(a, b),
            Wide::Xor => self.pool.xor(a, b),
            Wide::UDiv | Wide::URem => {
                self.check_divisor(b);
                if op == Wide::UDiv { self.pool.udiv(a, b) } else { self.pool.urem(a, b) }
            }
            Wide::SDiv | Wide::SRem => {
                self.check_signed_division(a, b);
                if op == Wide::SDiv { self.pool.sdiv(a, b) } else { self.pool.srem(a, b) }
            }
            Wide::Shl => self.wide_shift(Pool::shl, a, b),
            Wide::LShr => self.wide_shift(Pool::lshr, a, b),
            Wide::AShr => self.wide_shift(Pool::ashr, a, b),
            Wide::SMin => self.choose(Pool::slt, a, b),
            Wide::SMax => self.choose(Pool::sgt, a, b),
            Wide::UMin => self.choose(Pool::ult, a, b),
            Wide::UMax => self.choose(Pool::ugt, a, b),
            Wide::FShl | Wide::FShr => {
                let width = self.pool.width(a);
                let amount = self.wide_slots(third(self.i), width);
                if op == Wide::FShl {
                    self.funnel_left(a, b, amount)
                } else {
                    self.funnel_right(a, b, amount)
                }
            }
            Wide::SAddSat => self.signed_add_saturating(a, b),
            Wide::SSubSat => self.signed_sub_saturating(a, b),
            Wide::UAddSat => self.unsigned_add_saturating(a, b),
            Wide::USubSat => self.unsigned_sub_saturating(a, b),
            _ => unreachable!("{op:?} has another shape"),
        }
    }

    fn wide_shift(&mut self, make: super::BinaryFn, a: ExprId, amount: ExprId) -> ExprId {
        let width = self.pool.width(a);
        self.check_shift(amount, width);
        make(self.pool, a, amount)
    }

    /// The product at the width, and whether it needs more than that.
    fn wide_unsigned_mul(&mut self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let width = self.pool.width(a);
        let (whole, overflow) = self.mul_128(a, b);
        if width == 128 {
            return (whole, overflow);
        }
        let above = self.pool.extract(whole, width, 128 - width);
        let above = self.is_not_zero(above);
        (self.pool.extract(whole, 0, width), self.pool.or(overflow, above))
    }

    /// By the product of the magnitudes, which may be one larger if the product is negative.
    fn wide_signed_mul(&mut self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let width = self.pool.width(a);
        let (sign_a, sign_b) = (self.sign(a), self.sign(b));
        let negative = self.pool.xor(sign_a, sign_b);
        let (magnitude_a, magnitude_b) = (self.abs(a), self.abs(b));
        let (magnitude, overflow) = self.wide_unsigned_mul(magnitude_a, magnitude_b);
        let (smallest, largest) = (self.smallest(width), self.largest(width));
        let limit = self.pool.ite(negative, smallest, largest);
        let beyond = self.pool.ugt(magnitude, limit);
        (self.pool.mul(a, b), self.pool.or(overflow, beyond))
    }

    /// The low 128 bits of a product, and whether there are more, from products of 64-bit halves.
    fn mul_128(&mut self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let [low_a, high_a] = self.halves(a).map(|half| self.pool.zext(half, 128));
        let [low_b, high_b] = self.halves(b).map(|half| self.pool.zext(half, 128));
        let (high_a_set, high_b_set) = (self.is_not_zero(high_a), self.is_not_zero(high_b));
        let both_high = self.pool.and(high_a_set, high_b_set);
        // Unless both are, one of these is 0, so that the sum does not overflow.
        let (left, right) = (self.pool.mul(high_a, low_b), self.pool.mul(low_a, high_b));
        let cross = self.pool.add(left, right);
        let cross_high = self.pool.extract(cross, 64, 64);
        let cross_overflows = self.is_not_zero(cross_high);
        let (cross_low, zero) = (self.pool.extract(cross, 0, 64), self.zero(64));
        let shifted = self.pool.concat(cross_low, zero);
        let low = self.pool.mul(low_a, low_b);
        let (product, carry) = self.unsigned_add(low, shifted);
        let overflow = self.pool.or(both_high, cross_overflows);
        (product, self.pool.or(overflow, carry))
    }
}

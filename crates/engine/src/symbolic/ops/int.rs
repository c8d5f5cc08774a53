//! Integer intrinsics on one slot.

use fathom_expr::{ExprId, Pool};
use fathom_ir::inst::Int;

use super::super::operands::{int_op, third};
use super::{Evaluator, Outcome};

impl Evaluator<'_, '_> {
    pub(super) fn int(&mut self) -> Outcome {
        let width = (self.i.imm & 0xff) as u32;
        let op = int_op(self.i);
        let a = self.low(self.i.a, width);
        if let Some(value) = self.unary_int(op, a) {
            return self.one(value);
        }
        let b = self.low(self.i.b, width);
        if let Some((value, overflow)) = self.int_with_overflow(op, a, b) {
            return self.results([Some(value), Some(overflow), None]);
        }
        let value = self.binary_int(op, a, b);
        self.one(value)
    }

    fn unary_int(&mut self, op: Int, a: ExprId) -> Option<ExprId> {
        Some(match op {
            Int::CtPop => self.count_ones(a),
            Int::CtLz => self.leading_zeros(a),
            Int::CtTz => self.trailing_zeros(a),
            Int::BSwap => self.reverse(a, 8),
            Int::BitReverse => self.reverse(a, 1),
            Int::Abs => self.abs(a),
            _ => return None,
        })
    }

    fn int_with_overflow(&mut self, op: Int, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId)> {
        Some(match op {
            Int::SAddOv => self.signed_add(a, b),
            Int::UAddOv => self.unsigned_add(a, b),
            Int::SSubOv => self.signed_sub(a, b),
            Int::USubOv => self.unsigned_sub(a, b),
            Int::SMulOv => self.double_mul(a, b, Pool::sext),
            Int::UMulOv => self.double_mul(a, b, Pool::zext),
            _ => return None,
        })
    }

    fn binary_int(&mut self, op: Int, a: ExprId, b: ExprId) -> ExprId {
        let width = self.pool.width(a);
        match op {
            Int::FShl | Int::FShr => {
                let amount = self.low(third(self.i), width);
                if op == Int::FShl {
                    self.funnel_left(a, b, amount)
                } else {
                    self.funnel_right(a, b, amount)
                }
            }
            Int::SMin => self.choose(Pool::slt, a, b),
            Int::SMax => self.choose(Pool::sgt, a, b),
            Int::UMin => self.choose(Pool::ult, a, b),
            Int::UMax => self.choose(Pool::ugt, a, b),
            Int::SAddSat => self.signed_add_saturating(a, b),
            Int::SSubSat => self.signed_sub_saturating(a, b),
            Int::UAddSat => self.unsigned_add_saturating(a, b),
            Int::USubSat => self.unsigned_sub_saturating(a, b),
            Int::SShlSat => {
                let amount = self.at_most_63(b);
                let shifted = self.pool.shl(a, amount);
                let back = self.pool.ashr(shifted, amount);
                let overflow = self.pool.ne(back, a);
                self.saturate((shifted, overflow), a)
            }
            Int::UShlSat => {
                let amount = self.at_most_63(b);
                let shifted = self.pool.shl(a, amount);
                let back = self.pool.lshr(shifted, amount);
                let (overflow, largest) = (self.pool.ne(back, a), self.ones(width));
                self.pool.ite(overflow, largest, shifted)
            }
            Int::UCmp => self.three_way(Pool::ult, a, b),
            Int::SCmp => self.three_way(Pool::slt, a, b),
            Int::SDiv => {
                self.check_signed_division(a, b);
                self.pool.sdiv(a, b)
            }
            Int::SRem => {
                self.check_signed_division(a, b);
                self.pool.srem(a, b)
            }
            _ => unreachable!("{op:?} is unary or has two results"),
        }
    }

    /// The product at twice the width tells whether it overflows.
    fn double_mul(
        &mut self,
        a: ExprId,
        b: ExprId,
        extend: fn(&mut Pool, ExprId, u32) -> ExprId,
    ) -> (ExprId, ExprId) {
        let width = self.pool.width(a);
        let (wide_a, wide_b) = (extend(self.pool, a, 2 * width), extend(self.pool, b, 2 * width));
        let whole = self.pool.mul(wide_a, wide_b);
        let product = self.pool.extract(whole, 0, width);
        let expected = extend(self.pool, product, 2 * width);
        (product, self.pool.ne(whole, expected))
    }

    /// Shift amounts not less than the width are poison; the interpreter shifts by at most 63.
    fn at_most_63(&mut self, amount: ExprId) -> ExprId {
        let width = self.pool.width(amount);
        if width <= 6 {
            return amount;
        }
        let limit = self.constant(width, 63);
        self.choose(Pool::ult, amount, limit)
    }

    /// -1, 0 or 1 at the width above the operands' in `imm`.
    fn three_way(
        &mut self,
        less: fn(&mut Pool, ExprId, ExprId) -> ExprId,
        a: ExprId,
        b: ExprId,
    ) -> ExprId {
        let width = third(self.i);
        let (below, above) = (less(self.pool, a, b), less(self.pool, b, a));
        let (minus_one, zero) = (self.ones(width), self.zero(width));
        let one = self.constant(width, 1);
        let not_below = self.pool.ite(above, one, zero);
        self.pool.ite(below, minus_one, not_below)
    }
}

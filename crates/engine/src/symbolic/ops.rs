//! What an instruction computes when an operand is symbolic.
//!
//! The expressions say exactly what the interpreter in `step.rs` and `exec.rs` does. A slot is 64
//! bits wide and zero-extended; arithmetic is built at the width of the operation, so that the
//! pool can drop the extensions.

mod address;
mod bits;
mod fields;
mod float;
mod int;
mod wide;

use fathom_expr::{ExprId, Pool};
use fathom_ir::inst::{Inst, Op};

use super::operands::{OPERANDS, READS_B};
use crate::outcome::BugKind;

pub(crate) use address::{address, condition};

/// Yields the 64-bit expression in a slot of the running frame.
pub(crate) type Get<'a> = dyn FnMut(&mut Pool, u32) -> ExprId + 'a;

/// A constructor of the pool that takes two operands of one width.
type BinaryFn = fn(&mut Pool, ExprId, ExprId) -> ExprId;

/// A bug that the instruction stops with unless `safe`, of width 1, holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Check {
    pub(crate) bug: BugKind,
    pub(crate) safe: ExprId,
}

/// Values of width 64 for consecutive slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Results {
    first: u32,
    values: [Option<ExprId>; 3],
}

impl Results {
    /// Each result with the slot it goes to.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, ExprId)> {
        (self.first..).zip(self.values.into_iter().flatten())
    }
}

/// What [`evaluate`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The checks come first, and in order; those that always hold are left out.
    Values { checks: [Option<Check>; 2], results: Results },
    /// fp[to..to+n] = fp[from..from+n], which may overlap: nothing is computed.
    Copy { from: u32, to: u32, n: u32 },
    /// No expression says it. The caller must make the operands concrete.
    Unsupported(&'static str),
}

/// Evaluates an instruction that neither touches memory nor changes where execution goes on.
pub(crate) fn evaluate(pool: &mut Pool, i: &Inst, get: &mut Get) -> Outcome {
    Evaluator { pool, i, get, checks: [None; 2] }.evaluate()
}

/// One evaluation in progress.
struct Evaluator<'a, 'get> {
    pool: &'a mut Pool,
    i: &'a Inst,
    get: &'a mut Get<'get>,
    checks: [Option<Check>; 2],
}

impl Evaluator<'_, '_> {
    #[rustfmt::skip]
    fn evaluate(&mut self) -> Outcome {
        let i = self.i;
        let width = u32::from(i.x);
        let value = match i.op {
            Op::Const => self.pool.constant(64, i.imm),
            Op::Move => self.slot(i.a),
            Op::MoveN => return Outcome::Copy { from: i.a, to: i.d, n: i.b },
            Op::Select => self.select(),

            Op::Add32 | Op::Add32I => self.binary(32, Pool::add),
            Op::Add64 | Op::Add64I => self.binary(64, Pool::add),
            Op::Sub32 | Op::Sub32I => self.binary(32, Pool::sub),
            Op::Sub64 | Op::Sub64I => self.binary(64, Pool::sub),
            Op::Mul32 | Op::Mul32I => self.binary(32, Pool::mul),
            Op::Mul64 | Op::Mul64I => self.binary(64, Pool::mul),
            Op::UDiv | Op::UDivI => self.unsigned_division(Pool::udiv),
            Op::URem | Op::URemI => self.unsigned_division(Pool::urem),
            Op::SDiv32 | Op::SDiv32I => self.signed_division(32, Pool::sdiv),
            Op::SDiv64 | Op::SDiv64I => self.signed_division(64, Pool::sdiv),
            Op::SRem32 | Op::SRem32I => self.signed_division(32, Pool::srem),
            Op::SRem64 | Op::SRem64I => self.signed_division(64, Pool::srem),
            Op::And | Op::AndI => self.binary(64, Pool::and),
            Op::Or | Op::OrI => self.binary(64, Pool::or),
            Op::Xor | Op::XorI => self.binary(64, Pool::xor),
            Op::Shl32 | Op::Shl32I => self.shift(32, Pool::shl),
            Op::Shl64 | Op::Shl64I => self.shift(64, Pool::shl),
            Op::LShr32 => self.shift(32, Pool::lshr),
            Op::LShr64 | Op::LShrI => self.shift(64, Pool::lshr),
            Op::AShr32 | Op::AShr32I => self.shift(32, Pool::ashr),
            Op::AShr64 | Op::AShr64I => self.shift(64, Pool::ashr),
            Op::ShlW => self.shift(width, Pool::shl),
            Op::LShrW => self.shift(width, Pool::lshr),
            Op::AShrW => self.shift(width, Pool::ashr),

            Op::Eq | Op::EqI => self.binary(64, Pool::eq),
            Op::Ne | Op::NeI => self.binary(64, Pool::ne),
            Op::Ult | Op::UltI => self.binary(64, Pool::ult),
            Op::Ule | Op::UleI => self.binary(64, Pool::ule),
            Op::UgtI => self.binary(64, Pool::ugt),
            Op::UgeI => self.binary(64, Pool::uge),
            Op::Slt32 | Op::Slt32I => self.binary(32, Pool::slt),
            Op::Sle32 | Op::Sle32I => self.binary(32, Pool::sle),
            Op::Sgt32I => self.binary(32, Pool::sgt),
            Op::Sge32I => self.binary(32, Pool::sge),
            Op::Slt64 | Op::Slt64I => self.binary(64, Pool::slt),
            Op::Sle64 | Op::Sle64I => self.binary(64, Pool::sle),
            Op::Sgt64I => self.binary(64, Pool::sgt),
            Op::Sge64I => self.binary(64, Pool::sge),

            Op::Sext => self.sign_extend(width, i.imm.trailing_ones()),
            Op::Sext8To32 => self.sign_extend(8, 32),
            Op::Sext16To32 => self.sign_extend(16, 32),
            Op::Sext8To64 => self.sign_extend(8, 64),
            Op::Sext16To64 => self.sign_extend(16, 64),
            Op::Sext32To64 => self.sign_extend(32, 64),

            Op::GepX | Op::GepS | Op::GepT | Op::GepTS => address(self.pool, i, self.get),

            Op::FAdd32 => self.binary(32, Pool::fadd),
            Op::FAdd64 => self.binary(64, Pool::fadd),
            Op::FSub32 => self.binary(32, Pool::fsub),
            Op::FSub64 => self.binary(64, Pool::fsub),
            Op::FMul32 => self.binary(32, Pool::fmul),
            Op::FMul64 => self.binary(64, Pool::fmul),
            Op::FDiv32 => self.binary(32, Pool::fdiv),
            Op::FDiv64 => self.binary(64, Pool::fdiv),
            Op::FRem32 => self.binary(32, Pool::frem),
            Op::FRem64 => self.binary(64, Pool::frem),
            Op::FNeg32 => self.float_negate(32),
            Op::FNeg64 => self.float_negate(64),
            Op::FCmp32 => self.float_compare(32),
            Op::FCmp64 => self.float_compare(64),
            Op::F32To64 => self.float_convert(32, 64),
            Op::F64To32 => self.float_convert(64, 32),
            Op::F32ToS => self.float_to_signed(32),
            Op::F64ToS => self.float_to_signed(64),
            Op::F32ToU => self.float_to_unsigned(32),
            Op::F64ToU => self.float_to_unsigned(64),
            Op::SToF32 => self.int_to_float(32, Pool::signed_to_f),
            Op::SToF64 => self.int_to_float(64, Pool::signed_to_f),
            Op::UToF32 => self.int_to_float(32, Pool::unsigned_to_f),
            Op::UToF64 => self.int_to_float(64, Pool::unsigned_to_f),

            Op::Int => return self.int(),
            Op::Wide => return self.wide(),
            Op::Float => return self.float(),
            Op::Big => return Outcome::Unsupported("an integer of more than 128 bits"),
            Op::Soft => return Outcome::Unsupported("floating point in software"),
            Op::Special => return Outcome::Unsupported("a question about memory or the frame"),
            op => unreachable!("{op:?} is not pure"),
        };
        self.one(value)
    }

    fn slot(&mut self, slot: u32) -> ExprId {
        (self.get)(self.pool, slot)
    }

    /// The low `width` bits of a slot.
    fn low(&mut self, slot: u32, width: u32) -> ExprId {
        let value = self.slot(slot);
        self.pool.extract(value, 0, width)
    }

    /// The right operand: a slot, or `imm` where the instruction does not read `fp[b]`.
    fn right(&mut self) -> ExprId {
        if OPERANDS[self.i.op as usize] & READS_B != 0 {
            self.slot(self.i.b)
        } else {
            self.pool.constant(64, self.i.imm)
        }
    }

    /// Both operands at `width`.
    fn pair(&mut self, width: u32) -> (ExprId, ExprId) {
        let (left, right) = (self.slot(self.i.a), self.right());
        (self.pool.extract(left, 0, width), self.pool.extract(right, 0, width))
    }

    /// One result, in slot d.
    fn one(&mut self, value: ExprId) -> Outcome {
        self.results([Some(value), None, None])
    }

    /// Results in slots d, d+1, d+2; each at most 64 bits wide.
    fn results(&mut self, values: [Option<ExprId>; 3]) -> Outcome {
        let values = values.map(|value| value.map(|value| self.pool.zext(value, 64)));
        Outcome::Values { checks: self.checks, results: Results { first: self.i.d, values } }
    }

    fn check(&mut self, bug: BugKind, safe: ExprId) {
        if self.pool.is_true(safe) {
            return;
        }
        let free = self.checks.iter_mut().find(|check| check.is_none());
        *free.expect("at most two checks") = Some(Check { bug, safe });
    }

    fn select(&mut self) -> ExprId {
        let condition = self.low(self.i.a, 1);
        let (then, otherwise) = (self.slot(self.i.b), self.slot(self.i.imm as u32));
        self.pool.ite(condition, then, otherwise)
    }

    fn binary(&mut self, width: u32, make: BinaryFn) -> ExprId {
        let (a, b) = self.pair(width);
        make(self.pool, a, b)
    }

    fn sign_extend(&mut self, from: u32, to: u32) -> ExprId {
        let value = self.low(self.i.a, from);
        self.pool.sext(value, to)
    }

    fn shift(&mut self, width: u32, make: BinaryFn) -> ExprId {
        let (value, amount) = (self.low(self.i.a, width), self.right());
        self.check_shift(amount, width);
        let amount = self.pool.extract(amount, 0, width);
        make(self.pool, value, amount)
    }

    /// `amount`, at any width that holds `width`, must be less than `width`.
    fn check_shift(&mut self, amount: ExprId, width: u32) {
        let amount_width = self.pool.width(amount);
        let limit = self.pool.constant(amount_width, width.into());
        let safe = self.pool.ult(amount, limit);
        self.check(BugKind::ShiftOverflow, safe);
    }

    /// Right for every width up to 64; built as narrow as the operands are known to be.
    fn unsigned_division(&mut self, make: BinaryFn) -> ExprId {
        let (a, b) = self.pair(64);
        self.check_divisor(b);
        let largest = self.pool.range(a).1.max(self.pool.range(b).1);
        let width = (u128::BITS - largest.leading_zeros()).next_power_of_two().max(8);
        let (a, b) = (self.pool.extract(a, 0, width), self.pool.extract(b, 0, width));
        make(self.pool, a, b)
    }

    fn signed_division(&mut self, width: u32, make: BinaryFn) -> ExprId {
        let (a, b) = self.pair(width);
        self.check_signed_division(a, b);
        make(self.pool, a, b)
    }

    fn check_divisor(&mut self, divisor: ExprId) {
        let width = self.pool.width(divisor);
        let zero = self.pool.constant(width, 0);
        let safe = self.pool.ne(divisor, zero);
        self.check(BugKind::DivisionByZero, safe);
    }

    fn check_signed_division(&mut self, dividend: ExprId, divisor: ExprId) {
        self.check_divisor(divisor);
        let width = self.pool.width(dividend);
        let (smallest, minus_one) = (self.smallest(width), self.ones(width));
        let not_smallest = self.pool.ne(dividend, smallest);
        let not_minus_one = self.pool.ne(divisor, minus_one);
        let safe = self.pool.or(not_smallest, not_minus_one);
        self.check(BugKind::SignedOverflow, safe);
    }
}

#[cfg(test)]
mod tests;

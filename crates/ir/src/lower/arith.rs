//! Integer arithmetic at every width.

use super::Lowered;
use super::function::Body;
use super::llvm::{LLVMOpcode, Value};
use super::operand::Operand;
use super::slots::NO_SLOT;
use super::types::mask;
use crate::inst::{Big, BigWidths, Int, Op, StaticBug, Wide};

impl Body<'_, '_> {
    pub fn lower_arith(&mut self, inst: Value) -> Lowered<()> {
        let opcode = inst.opcode();
        self.for_each_lane(inst, &[inst.operand(0), inst.operand(1)], |body, scalar, d, lanes| {
            body.arith(opcode, scalar.width(), d, lanes[0], lanes[1])
        })
    }

    /// `d = a opcode b` at `width` bits.
    pub fn arith(
        &mut self,
        opcode: LLVMOpcode,
        width: u32,
        d: u32,
        a: Operand,
        b: Operand,
    ) -> Lowered<()> {
        use LLVMOpcode::*;
        if width > 128 {
            return self.big_arith(opcode, width, d, a, b);
        }
        if width > 64 {
            return self.wide_arith(opcode, width, d, a, b);
        }
        match opcode {
            LLVMAdd | LLVMSub | LLVMMul => self.add_like(opcode, width, d, a, b),
            LLVMAnd | LLVMOr | LLVMXor => self.bitwise(opcode, d, a, b),
            LLVMUDiv | LLVMURem | LLVMSDiv | LLVMSRem => self.divide(opcode, width, d, a, b),
            LLVMShl | LLVMLShr | LLVMAShr => self.shift(opcode, width, d, a, b),
            _ => return Err(format!("{opcode:?} on integers")),
        }
        Ok(())
    }

    fn add_like(&mut self, opcode: LLVMOpcode, width: u32, d: u32, a: Operand, b: Operand) {
        use LLVMOpcode::*;
        let (a, b) = if opcode == LLVMSub { (a, b) } else { constant_right(a, b) };
        let [op32, op32_imm, op64, op64_imm] = match opcode {
            LLVMAdd => [Op::Add32, Op::Add32I, Op::Add64, Op::Add64I],
            LLVMSub => [Op::Sub32, Op::Sub32I, Op::Sub64, Op::Sub64I],
            _ => [Op::Mul32, Op::Mul32I, Op::Mul64, Op::Mul64I],
        };
        let (op, op_imm) = if width == 32 { (op32, op32_imm) } else { (op64, op64_imm) };
        let exact = width == 32 || width == 64;
        let result = if exact { d } else { self.temp(1) };
        self.binary(op, op_imm, result, a, b);
        if !exact {
            self.emit(Op::AndI, d, result, NO_SLOT, mask(width));
        }
    }

    fn bitwise(&mut self, opcode: LLVMOpcode, d: u32, a: Operand, b: Operand) {
        let (a, b) = constant_right(a, b);
        let (op, op_imm) = match opcode {
            LLVMOpcode::LLVMAnd => (Op::And, Op::AndI),
            LLVMOpcode::LLVMOr => (Op::Or, Op::OrI),
            _ => (Op::Xor, Op::XorI),
        };
        self.binary(op, op_imm, d, a, b);
    }

    /// Emits the immediate form where `b` is constant.
    pub fn binary(&mut self, op: Op, op_imm: Op, d: u32, a: Operand, b: Operand) {
        let a = self.in_slot(a, 1);
        match b {
            Operand::Const(bits) => self.emit(op_imm, d, a, NO_SLOT, bits as u64),
            Operand::Slot(b) => self.emit(op, d, a, b, 0),
        }
    }

    fn divide(&mut self, opcode: LLVMOpcode, width: u32, d: u32, a: Operand, b: Operand) {
        use LLVMOpcode::*;
        if b.constant() == Some(0) {
            return self.bug(StaticBug::DivisionByZero);
        }
        let (op, op_imm) = match (opcode, width) {
            (LLVMUDiv, _) => (Op::UDiv, Op::UDivI),
            (LLVMURem, _) => (Op::URem, Op::URemI),
            (LLVMSDiv, 32) => (Op::SDiv32, Op::SDiv32I),
            (LLVMSDiv, 64) => (Op::SDiv64, Op::SDiv64I),
            (LLVMSRem, 32) => (Op::SRem32, Op::SRem32I),
            (LLVMSRem, 64) => (Op::SRem64, Op::SRem64I),
            _ => {
                let int = if opcode == LLVMSDiv { Int::SDiv } else { Int::SRem };
                let (a, b) = (self.in_slot(a, 1), self.in_slot(b, 1));
                return self.emit_x(Op::Int, int as u16, d, a, b, width.into());
            }
        };
        self.binary(op, op_imm, d, a, b);
    }

    pub fn bug(&mut self, bug: StaticBug) {
        self.emit_counting(Op::Bug, NO_SLOT, NO_SLOT, NO_SLOT, bug as u64);
    }

    fn shift(&mut self, opcode: LLVMOpcode, width: u32, d: u32, a: Operand, b: Operand) {
        match b {
            Operand::Const(amount) if amount >= u128::from(width) => {
                self.bug(StaticBug::ShiftOverflow);
            }
            Operand::Const(amount) => {
                let a = self.in_slot(a, 1);
                self.shift_by(opcode, width, d, a, amount as u64);
            }
            Operand::Slot(b) => {
                let a = self.in_slot(a, 1);
                let (op, x) = shift_op(opcode, width);
                self.emit_x(op, x, d, a, b, 0);
            }
        }
    }

    /// A shift by a constant less than the width.
    pub fn shift_by(&mut self, opcode: LLVMOpcode, width: u32, d: u32, a: u32, amount: u64) {
        use LLVMOpcode::*;
        match (opcode, width) {
            (LLVMShl, 32) => self.emit(Op::Shl32I, d, a, NO_SLOT, amount),
            (LLVMShl, 64) => self.emit(Op::Shl64I, d, a, NO_SLOT, amount),
            (LLVMShl, _) => {
                let shifted = self.temp(1);
                self.emit(Op::Shl64I, shifted, a, NO_SLOT, amount);
                self.emit(Op::AndI, d, shifted, NO_SLOT, mask(width));
            }
            (LLVMLShr, _) => self.emit(Op::LShrI, d, a, NO_SLOT, amount),
            (_, 32) => self.emit(Op::AShr32I, d, a, NO_SLOT, amount),
            (_, 64) => self.emit(Op::AShr64I, d, a, NO_SLOT, amount),
            _ => {
                let (extended, shifted) = (self.temp(1), self.temp(1));
                self.sign_extend(extended, a, width, 64);
                self.emit(Op::AShr64I, shifted, extended, NO_SLOT, amount);
                self.emit(Op::AndI, d, shifted, NO_SLOT, mask(width));
            }
        }
    }

    fn wide_arith(
        &mut self,
        opcode: LLVMOpcode,
        width: u32,
        d: u32,
        a: Operand,
        b: Operand,
    ) -> Lowered<()> {
        use LLVMOpcode::*;
        let wide = match opcode {
            LLVMAdd => Wide::Add,
            LLVMSub => Wide::Sub,
            LLVMMul => Wide::Mul,
            LLVMUDiv => Wide::UDiv,
            LLVMSDiv => Wide::SDiv,
            LLVMURem => Wide::URem,
            LLVMSRem => Wide::SRem,
            LLVMAnd => Wide::And,
            LLVMOr => Wide::Or,
            LLVMXor => Wide::Xor,
            LLVMShl => Wide::Shl,
            LLVMLShr => Wide::LShr,
            LLVMAShr => Wide::AShr,
            _ => return Err(format!("{opcode:?} on integers")),
        };
        match b {
            Operand::Const(0)
                if matches!(wide, Wide::UDiv | Wide::SDiv | Wide::URem | Wide::SRem) =>
            {
                self.bug(StaticBug::DivisionByZero);
            }
            Operand::Const(amount)
                if matches!(wide, Wide::Shl | Wide::LShr | Wide::AShr)
                    && amount >= u128::from(width) =>
            {
                self.bug(StaticBug::ShiftOverflow);
            }
            _ => self.wide(wide, width, d, a, b),
        }
        Ok(())
    }

    /// A two-operand operation on two-slot integers.
    pub fn wide(&mut self, wide: Wide, width: u32, d: u32, a: Operand, b: Operand) {
        let (a, b) = (self.in_slot(a, 2), self.in_slot(b, 2));
        self.emit_x(Op::Wide, wide as u16, d, a, b, width.into());
    }

    fn big_arith(
        &mut self,
        opcode: LLVMOpcode,
        width: u32,
        d: u32,
        a: Operand,
        b: Operand,
    ) -> Lowered<()> {
        use LLVMOpcode::*;
        let big = match opcode {
            LLVMAdd => Big::Add,
            LLVMSub => Big::Sub,
            LLVMMul => Big::Mul,
            LLVMUDiv => Big::UDiv,
            LLVMSDiv => Big::SDiv,
            LLVMURem => Big::URem,
            LLVMSRem => Big::SRem,
            LLVMAnd => Big::And,
            LLVMOr => Big::Or,
            LLVMXor => Big::Xor,
            LLVMShl => Big::Shl,
            LLVMLShr => Big::LShr,
            LLVMAShr => Big::AShr,
            _ => return Err(format!("{opcode:?} on integers")),
        };
        self.big(big, width, d, a, b);
        Ok(())
    }

    /// A two-operand operation on integers of more than 128 bits.
    pub fn big(&mut self, big: Big, width: u32, d: u32, a: Operand, b: Operand) {
        let slots = width.div_ceil(64);
        let (a, b) = (self.in_slot(a, slots), self.in_slot(b, slots));
        let imm = BigWidths { width, other: 0 }.pack();
        self.emit_x(Op::Big, big as u16, d, a, b, imm);
    }

    /// `d` = the low `from` bits of slot `a`, sign-extended to `to` bits (at most 64).
    pub fn sign_extend(&mut self, d: u32, a: u32, from: u32, to: u32) {
        match (from, to) {
            (8, 32) => self.emit(Op::Sext8To32, d, a, NO_SLOT, 0),
            (16, 32) => self.emit(Op::Sext16To32, d, a, NO_SLOT, 0),
            (8, 64) => self.emit(Op::Sext8To64, d, a, NO_SLOT, 0),
            (16, 64) => self.emit(Op::Sext16To64, d, a, NO_SLOT, 0),
            (32, 64) => self.emit(Op::Sext32To64, d, a, NO_SLOT, 0),
            _ => self.emit_x(Op::Sext, from as u16, d, a, NO_SLOT, mask(to)),
        }
    }

    /// An operand of `width` bits (at most 64) sign-extended to 64.
    pub fn signed_64(&mut self, operand: Operand, width: u32) -> Operand {
        match operand {
            _ if width == 64 => operand,
            Operand::Const(bits) => Operand::Const(u128::from(sign_extended(bits as u64, width))),
            Operand::Slot(slot) => {
                let extended = self.temp(1);
                self.sign_extend(extended, slot, width, 64);
                Operand::Slot(extended)
            }
        }
    }
}

/// `bits` of `width` bits as a 64-bit two's complement number.
pub fn sign_extended(bits: u64, width: u32) -> u64 {
    let shift = 64 - width;
    ((bits << shift) as i64 >> shift) as u64
}

/// The operands of a commutative operation with a constant, if there is one, on the right.
pub fn constant_right(a: Operand, b: Operand) -> (Operand, Operand) {
    match (a, b) {
        (Operand::Const(_), Operand::Slot(_)) => (b, a),
        _ => (a, b),
    }
}

fn shift_op(opcode: LLVMOpcode, width: u32) -> (Op, u16) {
    use LLVMOpcode::*;
    match (opcode, width) {
        (LLVMShl, 32) => (Op::Shl32, 0),
        (LLVMShl, 64) => (Op::Shl64, 0),
        (LLVMShl, _) => (Op::ShlW, width as u16),
        (LLVMLShr, 32) => (Op::LShr32, 0),
        (LLVMLShr, 64) => (Op::LShr64, 0),
        (LLVMLShr, _) => (Op::LShrW, width as u16),
        (_, 32) => (Op::AShr32, 0),
        (_, 64) => (Op::AShr64, 0),
        _ => (Op::AShrW, width as u16),
    }
}

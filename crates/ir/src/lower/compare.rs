//! Integer comparisons, alone and fused with the branch they decide.

use super::Lowered;
use super::arith::constant_right;
use super::function::{Body, Label};
use super::llvm::{LLVMIntPredicate, LLVMOpcode, Value};
use super::operand::Operand;
use super::slots::NO_SLOT;
use crate::inst::{Big, Op, Wide};

use LLVMIntPredicate::*;

impl Body<'_, '_> {
    pub fn lower_icmp(&mut self, inst: Value) -> Lowered<()> {
        if is_fused(inst) {
            return Ok(());
        }
        let predicate = inst.icmp_predicate();
        let width = self.compared_width(inst)?;
        self.for_each_lane(inst, &[inst.operand(0), inst.operand(1)], |body, _, d, lanes| {
            body.compare(predicate, width, d, lanes[0], lanes[1]);
            Ok(())
        })
    }

    fn compared_width(&mut self, inst: Value) -> Lowered<u32> {
        let shape = self.m.types.shape(inst.operand(0).ty())?;
        Ok(shape.leaves.first().map_or(64, |leaf| leaf.scalar.width()))
    }

    /// `d = a predicate b` as 0 or 1.
    pub fn compare(
        &mut self,
        predicate: LLVMIntPredicate,
        width: u32,
        d: u32,
        a: Operand,
        b: Operand,
    ) {
        if width > 64 {
            return self.wide_compare(predicate, width, d, a, b);
        }
        let (predicate, a, b) = constant_to_right(predicate, a, b);
        let (a, b) = self.signed_operands(predicate, width, a, b);
        let narrow = width == 32;
        match b {
            Operand::Const(bits) => {
                let a = self.in_slot(a, 1);
                self.emit(immediate_compare(predicate, narrow), d, a, NO_SLOT, bits as u64);
            }
            Operand::Slot(b) => {
                let a = self.in_slot(a, 1);
                let (op, swap) = slot_compare(predicate, narrow);
                let (a, b) = if swap { (b, a) } else { (a, b) };
                self.emit(op, d, a, b, 0);
            }
        }
    }

    /// Signed comparisons exist at 32 and 64 bits; other widths are extended first.
    fn signed_operands(
        &mut self,
        predicate: LLVMIntPredicate,
        width: u32,
        a: Operand,
        b: Operand,
    ) -> (Operand, Operand) {
        if !is_signed(predicate) || width == 32 {
            return (a, b);
        }
        (self.signed_64(a, width), self.signed_64(b, width))
    }

    fn wide_compare(
        &mut self,
        predicate: LLVMIntPredicate,
        width: u32,
        d: u32,
        a: Operand,
        b: Operand,
    ) {
        let (wide, big, swap) = match predicate {
            LLVMIntEQ => (Wide::Eq, Big::Eq, false),
            LLVMIntNE => (Wide::Ne, Big::Ne, false),
            LLVMIntULT => (Wide::Ult, Big::Ult, false),
            LLVMIntULE => (Wide::Ule, Big::Ule, false),
            LLVMIntUGT => (Wide::Ult, Big::Ult, true),
            LLVMIntUGE => (Wide::Ule, Big::Ule, true),
            LLVMIntSLT => (Wide::Slt, Big::Slt, false),
            LLVMIntSLE => (Wide::Sle, Big::Sle, false),
            LLVMIntSGT => (Wide::Slt, Big::Slt, true),
            LLVMIntSGE => (Wide::Sle, Big::Sle, true),
        };
        let (a, b) = if swap { (b, a) } else { (a, b) };
        if width > 128 {
            self.big(big, width, d, a, b);
        } else {
            self.wide(wide, width, d, a, b);
        }
    }

    /// Branches on the comparison `inst`.
    pub fn compare_and_branch(
        &mut self,
        inst: Value,
        then: Label,
        otherwise: Label,
    ) -> Lowered<()> {
        let width = self.compared_width(inst)?;
        let (a, b) = (self.operand(inst.operand(0))?, self.operand(inst.operand(1))?);
        let predicate = inst.icmp_predicate();
        if width > 64 {
            let condition = self.temp(1);
            self.wide_compare(predicate, width, condition, a, b);
            self.emit_counting(Op::Branch, then, condition, otherwise, 0);
            return Ok(());
        }
        let (predicate, a, b) = constant_to_right(predicate, a, b);
        let (a, b) = self.signed_operands(predicate, width, a, b);
        let a = self.in_slot(a, 1);
        match b {
            Operand::Const(bits) => {
                let (op, negated) = immediate_branch(predicate, width == 32);
                let (then, otherwise) = swap_if(negated, then, otherwise);
                self.emit_counting(op, then, a, otherwise, bits as u64);
            }
            Operand::Slot(b) => {
                let (op, swap, negated) = slot_branch(predicate, width == 32);
                let (a, b) = swap_if(swap, a, b);
                let (then, otherwise) = swap_if(negated, then, otherwise);
                self.emit_counting(op, then, a, b, otherwise.into());
            }
        }
        Ok(())
    }
}

/// Is the comparison done by the branch at the end of its block, its only user?
pub fn is_fused(inst: Value) -> bool {
    inst.only_user().is_some_and(|user| {
        user.is_instruction()
            && user.opcode() == LLVMOpcode::LLVMBr
            && user.parent() == inst.parent()
    })
}

fn swap_if<T>(swap: bool, a: T, b: T) -> (T, T) {
    if swap { (b, a) } else { (a, b) }
}

fn is_signed(predicate: LLVMIntPredicate) -> bool {
    matches!(predicate, LLVMIntSGT | LLVMIntSGE | LLVMIntSLT | LLVMIntSLE)
}

fn constant_to_right(
    predicate: LLVMIntPredicate,
    a: Operand,
    b: Operand,
) -> (LLVMIntPredicate, Operand, Operand) {
    let (left, right) = constant_right(a, b);
    let swapped = matches!((a, b), (Operand::Const(_), Operand::Slot(_)));
    (if swapped { mirrored(predicate) } else { predicate }, left, right)
}

/// The predicate with its operands exchanged.
fn mirrored(predicate: LLVMIntPredicate) -> LLVMIntPredicate {
    match predicate {
        LLVMIntEQ | LLVMIntNE => predicate,
        LLVMIntUGT => LLVMIntULT,
        LLVMIntUGE => LLVMIntULE,
        LLVMIntULT => LLVMIntUGT,
        LLVMIntULE => LLVMIntUGE,
        LLVMIntSGT => LLVMIntSLT,
        LLVMIntSGE => LLVMIntSLE,
        LLVMIntSLT => LLVMIntSGT,
        LLVMIntSLE => LLVMIntSGE,
    }
}

fn immediate_compare(predicate: LLVMIntPredicate, narrow: bool) -> Op {
    match (predicate, narrow) {
        (LLVMIntEQ, _) => Op::EqI,
        (LLVMIntNE, _) => Op::NeI,
        (LLVMIntULT, _) => Op::UltI,
        (LLVMIntULE, _) => Op::UleI,
        (LLVMIntUGT, _) => Op::UgtI,
        (LLVMIntUGE, _) => Op::UgeI,
        (LLVMIntSLT, true) => Op::Slt32I,
        (LLVMIntSLE, true) => Op::Sle32I,
        (LLVMIntSGT, true) => Op::Sgt32I,
        (LLVMIntSGE, true) => Op::Sge32I,
        (LLVMIntSLT, false) => Op::Slt64I,
        (LLVMIntSLE, false) => Op::Sle64I,
        (LLVMIntSGT, false) => Op::Sgt64I,
        (LLVMIntSGE, false) => Op::Sge64I,
    }
}

/// The operation, and whether its operands change places.
fn slot_compare(predicate: LLVMIntPredicate, narrow: bool) -> (Op, bool) {
    let (slt, sle) = if narrow { (Op::Slt32, Op::Sle32) } else { (Op::Slt64, Op::Sle64) };
    match predicate {
        LLVMIntEQ => (Op::Eq, false),
        LLVMIntNE => (Op::Ne, false),
        LLVMIntULT => (Op::Ult, false),
        LLVMIntULE => (Op::Ule, false),
        LLVMIntUGT => (Op::Ult, true),
        LLVMIntUGE => (Op::Ule, true),
        LLVMIntSLT => (slt, false),
        LLVMIntSLE => (sle, false),
        LLVMIntSGT => (slt, true),
        LLVMIntSGE => (sle, true),
    }
}

/// The operation, and whether its targets change places.
fn immediate_branch(predicate: LLVMIntPredicate, narrow: bool) -> (Op, bool) {
    let (slt, sgt) =
        if narrow { (Op::BrSlt32I, Op::BrSgt32I) } else { (Op::BrSlt64I, Op::BrSgt64I) };
    match predicate {
        LLVMIntEQ => (Op::BrEqI, false),
        LLVMIntNE => (Op::BrEqI, true),
        LLVMIntULT => (Op::BrUltI, false),
        LLVMIntUGE => (Op::BrUltI, true),
        LLVMIntUGT => (Op::BrUgtI, false),
        LLVMIntULE => (Op::BrUgtI, true),
        LLVMIntSLT => (slt, false),
        LLVMIntSGE => (slt, true),
        LLVMIntSGT => (sgt, false),
        LLVMIntSLE => (sgt, true),
    }
}

/// The operation, and whether its operands and its targets change places.
fn slot_branch(predicate: LLVMIntPredicate, narrow: bool) -> (Op, bool, bool) {
    let slt = if narrow { Op::BrSlt32 } else { Op::BrSlt64 };
    match predicate {
        LLVMIntEQ => (Op::BrEq, false, false),
        LLVMIntNE => (Op::BrEq, false, true),
        LLVMIntULT => (Op::BrUlt, false, false),
        LLVMIntUGE => (Op::BrUlt, false, true),
        LLVMIntUGT => (Op::BrUlt, true, false),
        LLVMIntULE => (Op::BrUlt, true, true),
        LLVMIntSLT => (slt, false, false),
        LLVMIntSGE => (slt, false, true),
        LLVMIntSGT => (slt, true, false),
        LLVMIntSLE => (slt, true, true),
    }
}

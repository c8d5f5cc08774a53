//! Atomic operations. There is one thread, so they are a load, an operation and a store.

use llvm_sys::LLVMAtomicRMWBinOp::{self, *};

use super::Lowered;
use super::function::Body;
use super::llvm::{LLVMIntPredicate, LLVMOpcode, Value};
use super::operand::Operand;
use super::types::{Scalar, mask};
use crate::inst::{Float, Int, Op};

impl Body<'_, '_> {
    pub fn lower_atomic_rmw(&mut self, inst: Value) -> Lowered<()> {
        let scalar = self.m.types.scalar(inst.ty())?;
        if scalar.width() > 128 {
            return Err(format!("an atomic operation on {} bits", scalar.width()));
        }
        let address = self.address(inst.operand(0))?;
        let value = self.operand(inst.operand(1))?;
        let old = self.slot_of(inst)?;
        self.load(old, scalar, address);
        let result = self.temp(scalar.slots());
        self.combine(inst.rmw_operation(), scalar, result, Operand::Slot(old), value)?;
        self.store(Operand::Slot(result), scalar, address);
        Ok(())
    }

    fn combine(
        &mut self,
        operation: LLVMAtomicRMWBinOp,
        scalar: Scalar,
        d: u32,
        old: Operand,
        value: Operand,
    ) -> Lowered<()> {
        use LLVMOpcode::*;
        let width = scalar.width();
        match operation {
            LLVMAtomicRMWBinOpXchg => self.write(d, value, scalar.slots()),
            LLVMAtomicRMWBinOpAdd => self.arith(LLVMAdd, width, d, old, value)?,
            LLVMAtomicRMWBinOpSub => self.arith(LLVMSub, width, d, old, value)?,
            LLVMAtomicRMWBinOpAnd => self.arith(LLVMAnd, width, d, old, value)?,
            LLVMAtomicRMWBinOpOr => self.arith(LLVMOr, width, d, old, value)?,
            LLVMAtomicRMWBinOpXor => self.arith(LLVMXor, width, d, old, value)?,
            LLVMAtomicRMWBinOpNand => {
                let both = self.temp(scalar.slots());
                self.arith(LLVMAnd, width, both, old, value)?;
                let ones = if width > 64 { u128::MAX >> (128 - width) } else { mask(width).into() };
                self.arith(LLVMXor, width, d, Operand::Slot(both), Operand::Const(ones))?;
            }
            LLVMAtomicRMWBinOpFAdd => self.float_arith(LLVMFAdd, scalar, d, old, value)?,
            LLVMAtomicRMWBinOpFSub => self.float_arith(LLVMFSub, scalar, d, old, value)?,
            LLVMAtomicRMWBinOpFMax => self.float_binary(Float::MaxNum, scalar, d, old, value)?,
            LLVMAtomicRMWBinOpFMin => self.float_binary(Float::MinNum, scalar, d, old, value)?,
            _ if width > 64 => return Err(format!("{operation:?} on {width} bits")),
            LLVMAtomicRMWBinOpMax => self.int_binary(Int::SMax, width, d, old, value),
            LLVMAtomicRMWBinOpMin => self.int_binary(Int::SMin, width, d, old, value),
            LLVMAtomicRMWBinOpUMax => self.int_binary(Int::UMax, width, d, old, value),
            LLVMAtomicRMWBinOpUMin => self.int_binary(Int::UMin, width, d, old, value),
            _ => return Err(format!("the atomic operation {operation:?}")),
        }
        Ok(())
    }

    pub fn int_binary(&mut self, int: Int, width: u32, d: u32, a: Operand, b: Operand) {
        let (a, b) = (self.in_slot(a, 1), self.in_slot(b, 1));
        self.emit_x(Op::Int, int as u16, d, a, b, width.into());
    }

    /// Stores the new value if the old one is as expected, and otherwise the old one again.
    pub fn lower_compare_exchange(&mut self, inst: Value) -> Lowered<()> {
        let (expected, new) = (inst.operand(1), inst.operand(2));
        let scalar = self.m.types.scalar(expected.ty())?;
        let address = self.address(inst.operand(0))?;
        let d = self.slot_of(inst)?;
        let success = d + scalar.slots();
        self.load(d, scalar, address);
        let expected = self.operand(expected)?;
        let old = Operand::Slot(d);
        self.compare(LLVMIntPredicate::LLVMIntEQ, scalar.width(), success, old, expected);
        let new = self.operand(new)?;
        let new = self.in_slot(new, scalar.slots());
        let stored = self.temp(scalar.slots());
        for half in 0..scalar.slots() {
            self.emit(Op::Select, stored + half, success, new + half, (d + half).into());
        }
        self.store(Operand::Slot(stored), scalar, address);
        Ok(())
    }
}

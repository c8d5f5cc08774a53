//! Values as operands: where a value's slots are, and constants brought into slots.

use super::Lowered;
use super::function::Body;
use super::llvm::{LLVMOpcode, Value};
use super::slots::NO_SLOT;
use super::types::Scalar;
use crate::inst::Op;

/// A scalar operand.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// Its first slot.
    Slot(u32),
    Const(u128),
}

impl Operand {
    pub fn constant(self) -> Option<u64> {
        match self {
            Self::Const(bits) => Some(bits as u64),
            Self::Slot(_) => None,
        }
    }
}

impl Body<'_, '_> {
    /// The first virtual slot of an instruction's or parameter's value.
    pub fn slot_of(&mut self, value: Value) -> Lowered<u32> {
        if let Some(&slot) = self.slots.get(&value) {
            return Ok(slot);
        }
        let slot = match self.alias_of(value)? {
            Some((root, offset)) => self.slot_of(root)? + offset,
            None => {
                let slots = self.m.types.shape(value.ty())?.slots;
                self.draft.new_group(slots)
            }
        };
        self.slots.insert(value, slot);
        Ok(slot)
    }

    /// Does `inst` merely rename (part of) another value's slots?
    pub fn alias_of(&mut self, inst: Value) -> Lowered<Option<(Value, u32)>> {
        use LLVMOpcode::*;
        if !inst.is_instruction() {
            return Ok(None);
        }
        let opcode = inst.opcode();
        let alias = match opcode {
            LLVMFreeze | LLVMAddrSpaceCast => true,
            LLVMZExt | LLVMPtrToInt | LLVMIntToPtr => self.widens_in_place(inst)?,
            LLVMBitCast => self.same_slots(inst)?,
            LLVMGetElementPtr => inst
                .decompose_gep(self.m.module)
                .is_some_and(|gep| gep.indices.is_empty() && gep.offset == 0),
            LLVMExtractValue => return self.alias_of_field(inst),
            LLVMExtractElement => return self.alias_of_lane(inst),
            LLVMCall => return Ok(self.alias_of_call(inst).map(|root| (root, 0))),
            _ => false,
        };
        let root = inst.operand(0);
        Ok((alias && !root.is_constant()).then_some((root, 0)))
    }

    /// A cast that adds nothing but zero bits and keeps the slots.
    fn widens_in_place(&mut self, inst: Value) -> Lowered<bool> {
        let from = self.m.types.shape(inst.operand(0).ty())?;
        let to = self.m.types.shape(inst.ty())?;
        Ok(from.slots == to.slots
            && from.leaves.iter().zip(&to.leaves).all(|(from, to)| {
                from.scalar.width() <= to.scalar.width() && from.scalar.slots() == to.scalar.slots()
            }))
    }

    /// A bitcast between types whose scalars fall into the same slots.
    fn same_slots(&mut self, inst: Value) -> Lowered<bool> {
        let from = self.m.types.shape(inst.operand(0).ty())?;
        let to = self.m.types.shape(inst.ty())?;
        let full = |scalar: Scalar| scalar.width().is_multiple_of(64);
        let same_leaves = from.leaves.len() == to.leaves.len();
        let all_full = from.leaves.iter().chain(&to.leaves).all(|leaf| full(leaf.scalar));
        Ok(from.slots == to.slots && (same_leaves || all_full))
    }

    /// The scalar `value`.
    pub fn operand(&mut self, value: Value) -> Lowered<Operand> {
        if value.is_constant() {
            return Ok(Operand::Const(self.m.const_scalar(value)?));
        }
        Ok(Operand::Slot(self.slot_of(value)?))
    }

    /// The leaves of `value`, in order.
    pub fn operands(&mut self, value: Value) -> Lowered<Vec<Operand>> {
        if value.is_constant() {
            let leaves = self.m.const_leaves(value)?;
            return Ok(leaves.into_iter().map(Operand::Const).collect());
        }
        let slot = self.slot_of(value)?;
        let shape = self.m.types.shape(value.ty())?;
        Ok(shape.leaves.iter().map(|leaf| Operand::Slot(slot + leaf.slot)).collect())
    }

    /// The first slot of an operand of `slots` slots, constants being loaded.
    pub fn in_slot(&mut self, operand: Operand, slots: u32) -> u32 {
        match operand {
            Operand::Slot(slot) => slot,
            Operand::Const(bits) => {
                let slot = self.temp(slots);
                self.write_const(slot, bits, slots);
                slot
            }
        }
    }

    fn write_const(&mut self, slot: u32, bits: u128, slots: u32) {
        for half in 0..slots {
            self.emit(Op::Const, slot + half, NO_SLOT, NO_SLOT, (bits >> (64 * half)) as u64);
        }
    }

    /// Writes an operand of `slots` slots to `slot`.
    pub fn write(&mut self, slot: u32, operand: Operand, slots: u32) {
        match operand {
            Operand::Const(bits) => self.write_const(slot, bits, slots),
            Operand::Slot(from) if slots == 1 => self.emit(Op::Move, slot, from, NO_SLOT, 0),
            Operand::Slot(from) => self.emit(Op::MoveN, slot, from, slots, 0),
        }
    }

    /// Writes a value of any shape to consecutive slots.
    pub fn write_value(&mut self, slot: u32, value: Value) -> Lowered<()> {
        let shape = self.m.types.shape(value.ty())?;
        if !value.is_constant() && shape.slots > 0 {
            let from = self.slot_of(value)?;
            self.write(slot, Operand::Slot(from), shape.slots);
            return Ok(());
        }
        for (leaf, operand) in shape.leaves.iter().zip(self.operands(value)?) {
            self.write(slot + leaf.slot, operand, leaf.scalar.slots());
        }
        Ok(())
    }

    /// A value of any shape in consecutive slots.
    pub fn value_in_slots(&mut self, value: Value) -> Lowered<u32> {
        if !value.is_constant() {
            return self.slot_of(value);
        }
        let slots = self.m.types.shape(value.ty())?.slots;
        let slot = self.temp(slots);
        self.write_value(slot, value)?;
        Ok(slot)
    }

    /// The single scalar operand `value` in a slot.
    pub fn scalar_slot(&mut self, value: Value) -> Lowered<u32> {
        let operand = self.operand(value)?;
        let slots = self.m.types.scalar(value.ty())?.slots();
        Ok(self.in_slot(operand, slots))
    }

    /// Applies `lane` to each leaf of a one-operand instruction with its result's first slot.
    pub fn for_each_lane(
        &mut self,
        inst: Value,
        operands: &[Value],
        mut lane: impl FnMut(&mut Self, Scalar, u32, &[Operand]) -> Lowered<()>,
    ) -> Lowered<()> {
        let d = self.slot_of(inst)?;
        let shape = self.m.types.shape(inst.ty())?;
        if let [leaf] = shape.leaves.as_slice() {
            let mut all = [Operand::Const(0); 4];
            for (place, &operand) in all.iter_mut().zip(operands) {
                *place = self.operand(operand)?;
            }
            return lane(self, leaf.scalar, d, &all[..operands.len()]);
        }
        let mut all = Vec::with_capacity(operands.len());
        for &operand in operands {
            all.push(self.operands(operand)?);
        }
        for (index, leaf) in shape.leaves.iter().enumerate() {
            let lanes: Vec<Operand> = all.iter().map(|lanes| lanes[index % lanes.len()]).collect();
            lane(self, leaf.scalar, d + leaf.slot, &lanes)?;
        }
        Ok(())
    }
}

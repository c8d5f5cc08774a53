//! Values as operands: where a value's slots are, and constants brought into slots.

use super::Lowered;
use super::constants::word_of;
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
        if !value.is_constant() {
            return Ok(Operand::Slot(self.slot_of(value)?));
        }
        match self.m.const_scalar(value) {
            Err(_) if self.m.types.scalar(value.ty())?.slots() > 2 => {
                let words = self.m.const_words(value)?;
                Ok(self.constant_operand(&words))
            }
            bits => Ok(Operand::Const(bits?)),
        }
    }

    /// The leaves of `value`, in order.
    pub fn operands(&mut self, value: Value) -> Lowered<Vec<Operand>> {
        let shape = self.m.types.shape(value.ty())?;
        if value.is_constant() {
            let words = self.m.const_words(value)?;
            let leaves = shape.leaves.iter().map(|leaf| {
                let first = leaf.slot as usize;
                self.constant_operand(&words[first..first + leaf.scalar.slots() as usize])
            });
            return Ok(leaves.collect());
        }
        let slot = self.slot_of(value)?;
        Ok(shape.leaves.iter().map(|leaf| Operand::Slot(slot + leaf.slot)).collect())
    }

    /// A constant of any width; one that does not fit into 128 bits is brought into slots.
    fn constant_operand(&mut self, words: &[u64]) -> Operand {
        if words.iter().skip(2).any(|&word| word != 0) {
            let slot = self.temp(words.len() as u32);
            self.write_words(slot, words);
            return Operand::Slot(slot);
        }
        let high = words.get(1).copied().unwrap_or(0);
        Operand::Const(u128::from(words[0]) | u128::from(high) << 64)
    }

    fn write_words(&mut self, slot: u32, words: &[u64]) {
        for (slot, &word) in (slot..).zip(words) {
            self.emit(Op::Const, slot, NO_SLOT, NO_SLOT, word);
        }
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
        for word in 0..slots {
            self.emit(Op::Const, slot + word, NO_SLOT, NO_SLOT, word_of(bits, word));
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
        let words = self.m.const_words(value)?;
        self.write_words(slot, &words);
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

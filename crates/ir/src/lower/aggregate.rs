//! Structs, arrays and vectors as values: fields, lanes, shuffles, selects.

use super::Lowered;
use super::function::Body;
use super::llvm::{LLVMIntPredicate, LLVMTypeKind, Type, Value};
use super::operand::Operand;
use crate::inst::Op;

impl Body<'_, '_> {
    pub fn lower_select(&mut self, inst: Value) -> Lowered<()> {
        let operands = [inst.operand(0), inst.operand(1), inst.operand(2)];
        let per_lane = operands[0].ty().kind() == LLVMTypeKind::LLVMVectorTypeKind;
        if !per_lane {
            return self.select_whole(inst);
        }
        self.for_each_lane(inst, &operands, |body, scalar, d, lanes| {
            body.select(scalar.slots(), d, lanes[0], lanes[1], lanes[2]);
            Ok(())
        })
    }

    fn select_whole(&mut self, inst: Value) -> Lowered<()> {
        let d = self.slot_of(inst)?;
        let condition = self.scalar_slot(inst.operand(0))?;
        let yes = self.value_in_slots(inst.operand(1))?;
        let no = self.value_in_slots(inst.operand(2))?;
        for slot in 0..self.m.types.shape(inst.ty())?.slots {
            self.emit(Op::Select, d + slot, condition, yes + slot, (no + slot).into());
        }
        Ok(())
    }

    pub fn select(&mut self, slots: u32, d: u32, condition: Operand, yes: Operand, no: Operand) {
        let condition = self.in_slot(condition, 1);
        let (yes, no) = (self.in_slot(yes, slots), self.in_slot(no, slots));
        for half in 0..slots {
            self.emit(Op::Select, d + half, condition, yes + half, (no + half).into());
        }
    }

    /// First slot and type of the field that `indices` lead to.
    fn field(&mut self, ty: Type, indices: &[u32]) -> Lowered<(u32, Type)> {
        let (mut ty, mut slot) = (ty, 0);
        for &index in indices {
            if ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
                for before in 0..index {
                    slot += self.m.types.shape(ty.field(before))?.slots;
                }
                ty = ty.field(index);
            } else {
                ty = ty.element_type();
                slot += index * self.m.types.shape(ty)?.slots;
            }
        }
        Ok((slot, ty))
    }

    pub fn alias_of_field(&mut self, inst: Value) -> Lowered<Option<(Value, u32)>> {
        let aggregate = inst.operand(0);
        if aggregate.is_constant() {
            return Ok(None);
        }
        let (slot, _) = self.field(aggregate.ty(), inst.indices())?;
        Ok(Some((aggregate, slot)))
    }

    /// Of a constant; otherwise the result is an alias of the field.
    pub fn lower_extract_value(&mut self, inst: Value) -> Lowered<()> {
        let aggregate = self.value_in_slots(inst.operand(0))?;
        let (slot, ty) = self.field(inst.operand(0).ty(), inst.indices())?;
        let slots = self.m.types.shape(ty)?.slots;
        let d = self.slot_of(inst)?;
        self.write(d, Operand::Slot(aggregate + slot), slots);
        Ok(())
    }

    pub fn lower_insert_value(&mut self, inst: Value) -> Lowered<()> {
        let d = self.slot_of(inst)?;
        self.write_value(d, inst.operand(0))?;
        let (slot, _) = self.field(inst.ty(), inst.indices())?;
        self.write_value(d + slot, inst.operand(1))
    }

    pub fn alias_of_lane(&mut self, inst: Value) -> Lowered<Option<(Value, u32)>> {
        let (vector, index) = (inst.operand(0), inst.operand(1));
        if vector.is_constant() || !index.is_constant() {
            return Ok(None);
        }
        let lane = self.m.const_scalar(index)?;
        let shape = self.m.types.shape(vector.ty())?;
        let leaf = shape.leaves.get(lane as usize).copied();
        Ok(leaf.map(|leaf| (vector, leaf.slot)))
    }

    pub fn lower_extract_element(&mut self, inst: Value) -> Lowered<()> {
        let lanes = self.operands(inst.operand(0))?;
        let slots = self.m.types.scalar(inst.ty())?.slots();
        let index = inst.operand(1);
        let d = self.slot_of(inst)?;
        if index.is_constant() {
            let lane = self.m.const_scalar(index)? as usize;
            self.write(d, lanes.get(lane).copied().unwrap_or(Operand::Const(0)), slots);
            return Ok(());
        }
        let width = self.m.types.scalar(index.ty())?.width();
        let index = self.operand(index)?;
        let mut result = lanes[0];
        for (lane, &value) in lanes.iter().enumerate().skip(1) {
            let here = self.lane_is(index, width, lane);
            let next = if lane + 1 == lanes.len() { d } else { self.temp(slots) };
            self.select(slots, next, here, value, result);
            result = Operand::Slot(next);
        }
        if lanes.len() == 1 {
            self.write(d, result, slots);
        }
        Ok(())
    }

    pub fn lower_insert_element(&mut self, inst: Value) -> Lowered<()> {
        let (vector, element, index) = (inst.operand(0), inst.operand(1), inst.operand(2));
        let shape = self.m.types.shape(inst.ty())?;
        let d = self.slot_of(inst)?;
        let element = self.operand(element)?;
        if index.is_constant() {
            let lane = self.m.const_scalar(index)? as usize;
            self.write_value(d, vector)?;
            if let Some(leaf) = shape.leaves.get(lane) {
                self.write(d + leaf.slot, element, leaf.scalar.slots());
            }
            return Ok(());
        }
        let width = self.m.types.scalar(index.ty())?.width();
        let index = self.operand(index)?;
        let lanes = self.operands(vector)?;
        for (lane, (leaf, &old)) in shape.leaves.iter().zip(&lanes).enumerate() {
            let here = self.lane_is(index, width, lane);
            self.select(leaf.scalar.slots(), d + leaf.slot, here, element, old);
        }
        Ok(())
    }

    fn lane_is(&mut self, index: Operand, width: u32, lane: usize) -> Operand {
        let here = self.temp(1);
        let lane = Operand::Const(lane as u128);
        self.compare(LLVMIntPredicate::LLVMIntEQ, width, here, index, lane);
        Operand::Slot(here)
    }

    pub fn lower_shuffle(&mut self, inst: Value) -> Lowered<()> {
        let mut lanes = self.operands(inst.operand(0))?;
        lanes.extend(self.operands(inst.operand(1))?);
        let shape = self.m.types.shape(inst.ty())?;
        let d = self.slot_of(inst)?;
        for (leaf, lane) in shape.leaves.iter().zip(inst.shuffle_mask()) {
            let value = usize::try_from(lane).ok().and_then(|lane| lanes.get(lane).copied());
            let value = value.unwrap_or(Operand::Const(0));
            self.write(d + leaf.slot, value, leaf.scalar.slots());
        }
        Ok(())
    }
}

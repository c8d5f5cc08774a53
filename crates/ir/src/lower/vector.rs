//! What only vectors have: lanes loaded and stored under a mask, vectors of addresses.

use super::Lowered;
use super::function::Body;
use super::llvm::{LLVMTypeKind, Value};
use super::memory::Address;
use super::operand::Operand;
use super::slots::NO_SLOT;
use super::types::Leaf;
use crate::inst::Op;

impl Body<'_, '_> {
    /// `masked.load(pointer, mask, otherwise)` and `masked.gather(pointers, mask, otherwise)`.
    pub fn lower_masked_load(&mut self, inst: Value, gather: bool) -> Lowered<()> {
        let shape = self.m.types.shape(inst.ty())?;
        let (mask, otherwise) = (self.operands(inst.operand(1))?, self.operands(inst.operand(2))?);
        let addresses = self.lane_addresses(inst.operand(0), &shape.leaves, gather)?;
        let d = self.slot_of(inst)?;
        for (lane, leaf) in shape.leaves.iter().enumerate() {
            let slots = leaf.scalar.slots();
            self.write(d + leaf.slot, otherwise[lane], slots);
            self.under_mask(mask[lane], |body| {
                body.load(d + leaf.slot, leaf.scalar, addresses[lane]);
            });
        }
        Ok(())
    }

    /// `masked.store(value, pointer, mask)` and `masked.scatter(value, pointers, mask)`.
    pub fn lower_masked_store(&mut self, inst: Value, scatter: bool) -> Lowered<()> {
        let value = inst.operand(0);
        let shape = self.m.types.shape(value.ty())?;
        let (values, mask) = (self.operands(value)?, self.operands(inst.operand(2))?);
        let addresses = self.lane_addresses(inst.operand(1), &shape.leaves, scatter)?;
        for (lane, leaf) in shape.leaves.iter().enumerate() {
            self.under_mask(mask[lane], |body| {
                body.store(values[lane], leaf.scalar, addresses[lane]);
            });
        }
        Ok(())
    }

    /// The address of each lane: its own pointer, or its place behind one pointer.
    fn lane_addresses(
        &mut self,
        pointer: Value,
        leaves: &[Leaf],
        own_pointers: bool,
    ) -> Lowered<Vec<Address>> {
        if own_pointers {
            let pointers = self.operands(pointer)?;
            return Ok(pointers
                .into_iter()
                .map(|pointer| match pointer {
                    Operand::Slot(slot) => Address::Base { slot, offset: 0 },
                    Operand::Const(bits) => Address::Const(bits as u64),
                })
                .collect());
        }
        // Where a lane is not accessed, its address must not be computed by an access either.
        let address = match self.address(pointer)? {
            indexed @ (Address::Indexed { .. } | Address::Table { .. }) => {
                let (slot, offset) = self.based(indexed);
                Address::Base { slot, offset }
            }
            address => address,
        };
        Ok(leaves.iter().map(|leaf| self.moved(address, leaf.offset as i64)).collect())
    }

    fn under_mask(&mut self, lane: Operand, access: impl FnOnce(&mut Self)) {
        match lane {
            Operand::Const(0) => {}
            Operand::Const(_) => access(self),
            Operand::Slot(slot) => {
                let (yes, after) = (self.new_label(), self.new_label());
                self.emit_counting(Op::Branch, yes, slot, after, 0);
                self.place_label(yes);
                access(self);
                self.place_label(after);
            }
        }
    }

    /// A getelementptr with a vector among its operands, lane by lane.
    pub fn lower_vector_gep(&mut self, inst: Value) -> Lowered<()> {
        let d = self.slot_of(inst)?;
        let lanes = self.m.types.shape(inst.ty())?.leaves.len();
        let bases = self.operands(inst.operand(0))?;
        let mut sums: Vec<u32> =
            (0..lanes).map(|lane| self.in_slot(bases[lane % bases.len()], 1)).collect();
        let mut ty = inst.gep_source_type();
        for index in 1..inst.n_operands() {
            let index_value = inst.operand(index);
            let indices = self.operands(index_value)?;
            let width = self.m.types.shape(index_value.ty())?.leaves[0].scalar.width();
            let in_struct = index > 1 && ty.kind() == LLVMTypeKind::LLVMStructTypeKind;
            if in_struct {
                let field = indices[0].constant().ok_or("a variable field number")? as u32;
                let offset = self.m.types.field_offset(ty, field);
                for sum in &mut sums {
                    *sum = self.sum_scaled(*sum, Operand::Const(offset.into()), 64, 1);
                }
                ty = ty.field(field);
                continue;
            }
            if index > 1 {
                ty = ty.element_type();
            }
            let stride = self.m.types.size(ty);
            for (lane, sum) in sums.iter_mut().enumerate() {
                *sum = self.sum_scaled(*sum, indices[lane % indices.len()], width, stride);
            }
        }
        for (lane, sum) in (0..).zip(sums) {
            self.emit(Op::Move, d + lane, sum, NO_SLOT, 0);
        }
        Ok(())
    }

    /// `sum + sext(index) * stride`
    fn sum_scaled(&mut self, sum: u32, index: Operand, width: u32, stride: u64) -> u32 {
        let result = self.temp(1);
        match self.signed_64(index, width.min(64)) {
            Operand::Const(bits) => {
                let offset = (bits as u64).wrapping_mul(stride);
                self.emit(Op::Add64I, result, sum, NO_SLOT, offset);
            }
            Operand::Slot(index) => {
                let scaled = self.temp(1);
                self.emit(Op::Mul64I, scaled, index, NO_SLOT, stride);
                self.emit(Op::Add64, result, sum, scaled, 0);
            }
        }
        result
    }
}

//! Casts that are more than a new name for the same slots.

use super::Lowered;
use super::function::Body;
use super::llvm::{LLVMOpcode, Value};
use super::operand::Operand;
use super::slots::NO_SLOT;
use super::types::{Scalar, Shape, mask};
use crate::inst::{Big, BigWidths, Op, Wide};

impl Body<'_, '_> {
    pub fn lower_cast(&mut self, inst: Value) -> Lowered<()> {
        if self.is_loaded_extended(inst) {
            return Ok(());
        }
        let opcode = inst.opcode();
        let from = self.m.types.shape(inst.operand(0).ty())?;
        let from = from.leaves.first().ok_or("a cast of nothing")?.scalar;
        self.for_each_lane(inst, &[inst.operand(0)], |body, to, d, lanes| {
            body.cast(opcode, from, to, d, lanes[0])
        })
    }

    fn cast(
        &mut self,
        opcode: LLVMOpcode,
        from: Scalar,
        to: Scalar,
        d: u32,
        a: Operand,
    ) -> Lowered<()> {
        use LLVMOpcode::*;
        let a = self.in_slot(a, from.slots());
        match opcode {
            LLVMTrunc | LLVMPtrToInt | LLVMIntToPtr if to.width() < from.width() => {
                self.truncate(d, a, from.width(), to.width());
            }
            LLVMZExt | LLVMPtrToInt | LLVMIntToPtr => {
                self.zero_extend(d, a, from.width(), to.width());
            }
            LLVMSExt => self.sign_extend_any(d, a, from.width(), to.width()),
            LLVMFPTrunc | LLVMFPExt => self.convert_float(d, a, from, to)?,
            LLVMFPToSI => self.float_to_int(d, a, from, to.width(), true)?,
            LLVMFPToUI => self.float_to_int(d, a, from, to.width(), false)?,
            LLVMSIToFP => self.int_to_float(d, a, from.width(), to, true)?,
            LLVMUIToFP => self.int_to_float(d, a, from.width(), to, false)?,
            _ => return Err(format!("the cast {opcode:?}")),
        }
        Ok(())
    }

    pub fn truncate(&mut self, d: u32, a: u32, from: u32, to: u32) {
        if to > 128 {
            let last = to.div_ceil(64) - 1;
            self.emit(Op::MoveN, d, a, last, 0);
            self.emit(Op::AndI, d + last, a + last, NO_SLOT, mask(to - 64 * last));
        } else if to > 64 {
            self.emit_x(Op::Wide, Wide::Mask as u16, d, a, NO_SLOT, to.into());
        } else if to == 64 || from <= to {
            self.emit(Op::Move, d, a, NO_SLOT, 0);
        } else {
            self.emit(Op::AndI, d, a, NO_SLOT, mask(to));
        }
    }

    fn zero_extend(&mut self, d: u32, a: u32, from: u32, to: u32) {
        let slots = from.div_ceil(64);
        self.write(d, Operand::Slot(a), slots);
        for slot in slots..to.div_ceil(64) {
            self.emit(Op::Const, d + slot, NO_SLOT, NO_SLOT, 0);
        }
    }

    fn sign_extend_any(&mut self, d: u32, a: u32, from: u32, to: u32) {
        if to <= 64 {
            return self.sign_extend(d, a, from, to);
        }
        if to > 128 {
            let imm = BigWidths { width: to, other: from }.pack();
            return self.emit_x(Op::Big, Big::Sext as u16, d, a, NO_SLOT, imm);
        }
        let wide = if from > 64 { Wide::SextWide } else { Wide::SextFrom };
        let imm = u64::from(to) | u64::from(from) << 8;
        self.emit_x(Op::Wide, wide as u16, d, a, NO_SLOT, imm);
    }

    /// A bitcast that regroups bits: between vectors of different lanes, or vector and scalar.
    pub fn lower_bitcast(&mut self, inst: Value) -> Lowered<()> {
        let source = inst.operand(0);
        let d = self.slot_of(inst)?;
        let from = self.m.types.shape(source.ty())?;
        let to = self.m.types.shape(inst.ty())?;
        let same = from.leaves.len() == to.leaves.len();
        if same || inst.opcode() != LLVMOpcode::LLVMBitCast {
            return self.write_value(d, source);
        }
        let a = self.value_in_slots(source)?;
        let (from, to) = (pieces(&from), pieces(&to));
        let mut position = 0;
        for &(slot, width) in &to {
            self.gather_bits(d + slot, position, width, a, &from);
            position += width;
        }
        Ok(())
    }

    /// `d` = bits `position..position + width` of the pieces at slot `a`.
    fn gather_bits(&mut self, d: u32, position: u32, width: u32, a: u32, from: &[(u32, u32)]) {
        let mut result: Option<u32> = None;
        let mut start = 0;
        for &(slot, piece) in from {
            let (first, last) = (position.max(start), (position + width).min(start + piece));
            if first < last {
                let part = self.extract_bits(a + slot, piece, first - start, last - first);
                let part = self.shifted_left(part, first - position);
                result = Some(match result {
                    None => part,
                    Some(so_far) => {
                        let joined = self.temp(1);
                        self.emit(Op::Or, joined, so_far, part, 0);
                        joined
                    }
                });
            }
            start += piece;
        }
        match result {
            Some(slot) => self.emit(Op::Move, d, slot, NO_SLOT, 0),
            None => self.emit(Op::Const, d, NO_SLOT, NO_SLOT, 0),
        }
    }

    fn extract_bits(&mut self, slot: u32, piece: u32, first: u32, width: u32) -> u32 {
        let mut result = slot;
        if first > 0 {
            let shifted = self.temp(1);
            self.emit(Op::LShrI, shifted, result, NO_SLOT, first.into());
            result = shifted;
        }
        if first + width < piece {
            let masked = self.temp(1);
            self.emit(Op::AndI, masked, result, NO_SLOT, mask(width));
            result = masked;
        }
        result
    }

    fn shifted_left(&mut self, slot: u32, amount: u32) -> u32 {
        if amount == 0 {
            return slot;
        }
        let shifted = self.temp(1);
        self.emit(Op::Shl64I, shifted, slot, NO_SLOT, amount.into());
        shifted
    }
}

/// Each slot of a shape with the number of bits it holds.
fn pieces(shape: &Shape) -> Vec<(u32, u32)> {
    let mut pieces = Vec::with_capacity(shape.slots as usize);
    for leaf in &shape.leaves {
        let width = leaf.scalar.width();
        for slot in 0..leaf.scalar.slots() {
            pieces.push((leaf.slot + slot, (width - 64 * slot).min(64)));
        }
    }
    pieces
}

//! Loads, stores, allocas, and addresses folded into them.

use super::Lowered;
use super::function::Body;
use super::llvm::{LLVMOpcode, Value};
use super::operand::Operand;
use super::slots::NO_SLOT;
use super::types::Scalar;
use crate::inst::{Indexed, Op, Table};

/// An address as far as it is known.
#[derive(Clone, Copy, Debug)]
pub enum Address {
    Const(u64),
    Base {
        slot: u32,
        offset: i64,
    },
    /// `narrow`: the index is 32 bits wide and signed.
    Indexed {
        slot: u32,
        index: u32,
        narrow: bool,
        scale: u32,
        offset: i32,
    },
    /// An element of something at a known address.
    Table {
        table: Table,
        index: u32,
        narrow: bool,
    },
}

impl Body<'_, '_> {
    pub fn lower_alloca(&mut self, inst: Value) -> Lowered<()> {
        let d = self.slot_of(inst)?;
        let ty = inst.allocated_type();
        let size = self.m.types.size(ty);
        let align = inst.alignment().max(1).trailing_zeros() as u16;
        let variable = self.variables.get(&inst).copied().unwrap_or(u32::MAX);
        let count = inst.operand(0);
        match self.operand(count)? {
            Operand::Const(count) => {
                let bytes = size.saturating_mul(count as u64);
                self.emit_x(Op::Alloca, align, d, variable, NO_SLOT, bytes);
            }
            Operand::Slot(count) => {
                self.emit_x(Op::AllocaDyn, align, d, variable, count, size);
            }
        }
        Ok(())
    }

    pub fn lower_load(&mut self, inst: Value) -> Lowered<()> {
        let shape = self.m.types.shape(inst.ty())?;
        if shape.bit_packed && shape.leaves.len() > 1 {
            return Err("a vector of bits in memory".to_owned());
        }
        let address = self.address(inst.operand(0))?;
        if let Some(extended) = extended_load(inst)
            && let Address::Base { slot, offset } = address
        {
            let d = self.slot_of(extended)?;
            self.emit(Op::LoadSext8To32, d, slot, NO_SLOT, offset as u64);
            return Ok(());
        }
        let d = self.slot_of(inst)?;
        for leaf in &shape.leaves {
            let address = self.moved(address, leaf.offset as i64);
            self.load(d + leaf.slot, leaf.scalar, address);
        }
        Ok(())
    }

    /// Is this the sign extension that [`Op::LoadSext8To32`] does with its load?
    pub fn is_loaded_extended(&mut self, inst: Value) -> bool {
        if inst.opcode() != LLVMOpcode::LLVMSExt {
            return false;
        }
        let load = inst.operand(0);
        load.is_instruction()
            && load.opcode() == LLVMOpcode::LLVMLoad
            && extended_load(load) == Some(inst)
            && self.is_plain(load.operand(0))
    }

    /// Will [`Body::address`] give base and offset for this pointer?
    fn is_plain(&mut self, pointer: Value) -> bool {
        if pointer.is_constant() {
            return false;
        }
        let Some(gep) = self.folded_gep(pointer) else { return true };
        gep.indices.is_empty() && self.is_plain(pointer.operand(0))
    }

    pub fn load(&mut self, d: u32, scalar: Scalar, address: Address) {
        let bytes = scalar.bytes();
        let width = scalar.width();
        if width < bytes * 8 {
            let raw = self.temp(scalar.slots());
            self.load_bytes(raw, bytes, address);
            self.truncate(d, raw, bytes * 8, width);
        } else {
            self.load_bytes(d, bytes, address);
        }
    }

    fn load_bytes(&mut self, d: u32, bytes: u32, address: Address) {
        let Some(size) = power_index(bytes) else {
            let (slot, offset) = self.based(address);
            return self.emit_x(Op::LoadN, bytes as u16, d, slot, NO_SLOT, offset as u64);
        };
        match address {
            Address::Const(address) => {
                let op = [Op::Load8A, Op::Load16A, Op::Load32A, Op::Load64A][size];
                self.emit(op, d, NO_SLOT, NO_SLOT, address);
            }
            Address::Base { slot, offset } => {
                let op = [Op::Load8, Op::Load16, Op::Load32, Op::Load64][size];
                self.emit(op, d, slot, NO_SLOT, offset as u64);
            }
            Address::Indexed { slot, index, narrow, scale, offset } => {
                let op = if narrow {
                    [Op::Load8S, Op::Load16S, Op::Load32S, Op::Load64S][size]
                } else {
                    [Op::Load8X, Op::Load16X, Op::Load32X, Op::Load64X][size]
                };
                self.emit(op, d, slot, index, Indexed { scale, offset }.pack());
            }
            Address::Table { table, index, narrow } => {
                let op = if narrow {
                    [Op::Load8TS, Op::Load16TS, Op::Load32TS, Op::Load64TS][size]
                } else {
                    [Op::Load8T, Op::Load16T, Op::Load32T, Op::Load64T][size]
                };
                self.emit(op, d, NO_SLOT, index, packed(table));
            }
        }
    }

    pub fn lower_store(&mut self, inst: Value) -> Lowered<()> {
        let (value, pointer) = (inst.operand(0), inst.operand(1));
        let shape = self.m.types.shape(value.ty())?;
        if shape.bit_packed && shape.leaves.len() > 1 {
            return Err("a vector of bits in memory".to_owned());
        }
        let address = self.address(pointer)?;
        if let Some(scalar) = shape.single() {
            let operand = self.operand(value)?;
            self.store(operand, scalar, address);
            return Ok(());
        }
        for (leaf, operand) in shape.leaves.iter().zip(self.operands(value)?) {
            let address = self.moved(address, leaf.offset as i64);
            self.store(operand, leaf.scalar, address);
        }
        Ok(())
    }

    pub fn store(&mut self, value: Operand, scalar: Scalar, address: Address) {
        let bytes = scalar.bytes();
        let Some(size) = power_index(bytes) else {
            let (slot, offset) = self.based(address);
            let value = self.in_slot(value, scalar.slots());
            return self.emit_x(Op::StoreN, bytes as u16, value, slot, NO_SLOT, offset as u64);
        };
        match (address, value) {
            (Address::Base { slot, offset }, Operand::Const(bits))
                if i32::try_from(offset).is_ok() =>
            {
                let op = [Op::Store8I, Op::Store16I, Op::Store32I, Op::Store64I][size];
                self.emit(op, NO_SLOT, slot, offset as i32 as u32, bits as u64);
            }
            _ => {
                let value = self.in_slot(value, 1);
                self.store_slot(value, size, address);
            }
        }
    }

    fn store_slot(&mut self, value: u32, size: usize, address: Address) {
        match address {
            Address::Const(address) => {
                let op = [Op::Store8A, Op::Store16A, Op::Store32A, Op::Store64A][size];
                self.emit(op, value, NO_SLOT, NO_SLOT, address);
            }
            Address::Base { slot, offset } => {
                let op = [Op::Store8, Op::Store16, Op::Store32, Op::Store64][size];
                self.emit(op, value, slot, NO_SLOT, offset as u64);
            }
            Address::Indexed { slot, index, narrow, scale, offset } => {
                let op = if narrow {
                    [Op::Store8S, Op::Store16S, Op::Store32S, Op::Store64S][size]
                } else {
                    [Op::Store8X, Op::Store16X, Op::Store32X, Op::Store64X][size]
                };
                self.emit(op, value, slot, index, Indexed { scale, offset }.pack());
            }
            Address::Table { table, index, narrow } => {
                let op = if narrow {
                    [Op::Store8TS, Op::Store16TS, Op::Store32TS, Op::Store64TS][size]
                } else {
                    [Op::Store8T, Op::Store16T, Op::Store32T, Op::Store64T][size]
                };
                self.emit(op, value, NO_SLOT, index, packed(table));
            }
        }
    }

    // ---- addresses -----------------------------------------------------------------------

    /// Address computations are always written out; those whose every use is folded into an
    /// access are dropped again as unread.
    pub fn lower_gep(&mut self, inst: Value) -> Lowered<()> {
        let Some(gep) = inst.decompose_gep(self.m.module) else {
            return self.lower_vector_gep(inst);
        };
        let d = self.slot_of(inst)?;
        let address = self.gep_address(inst.operand(0), &gep)?;
        self.write_address(d, address);
        Ok(())
    }

    fn write_address(&mut self, d: u32, address: Address) {
        match address {
            Address::Const(address) => self.emit(Op::Const, d, NO_SLOT, NO_SLOT, address),
            Address::Base { slot, offset: 0 } => self.emit(Op::Move, d, slot, NO_SLOT, 0),
            Address::Base { slot, offset } => {
                self.emit(Op::Add64I, d, slot, NO_SLOT, offset as u64);
            }
            Address::Indexed { slot, index, narrow, scale, offset } => {
                let op = if narrow { Op::GepS } else { Op::GepX };
                self.emit(op, d, slot, index, Indexed { scale, offset }.pack());
            }
            Address::Table { table, index, narrow } => {
                let op = if narrow { Op::GepTS } else { Op::GepT };
                self.emit(op, d, NO_SLOT, index, packed(table));
            }
        }
    }

    /// The address a pointer holds, computations that can be folded taken apart.
    pub fn address(&mut self, pointer: Value) -> Lowered<Address> {
        if pointer.is_constant() {
            return Ok(Address::Const(self.m.const_scalar(pointer)? as u64));
        }
        if let Some(gep) = self.folded_gep(pointer) {
            return self.gep_address(pointer.operand(0), &gep);
        }
        Ok(Address::Base { slot: self.slot_of(pointer)?, offset: 0 })
    }

    /// The parts of a getelementptr that its uses take over.
    fn folded_gep(&mut self, pointer: Value) -> Option<super::llvm::Decomposed> {
        if !pointer.is_instruction() || pointer.opcode() != LLVMOpcode::LLVMGetElementPtr {
            return None;
        }
        let gep = pointer.decompose_gep(self.m.module)?;
        let foldable =
            gep.indices.is_empty() || gep.indices.len() == 1 && self.all_uses_fold(pointer, 2, 2);
        foldable.then_some(gep)
    }

    /// Is `pointer` only the address of at most `limit` scalar accesses, perhaps through a constant offset?
    fn all_uses_fold(&mut self, pointer: Value, limit: usize, depth: u32) -> bool {
        let mut users = 0;
        for user in pointer.users() {
            users += 1;
            if users > limit || !user.is_instruction() {
                return false;
            }
            let folds = match user.opcode() {
                LLVMOpcode::LLVMLoad => self.is_simple(user.ty()),
                LLVMOpcode::LLVMStore => {
                    user.operand(0) != pointer && self.is_simple(user.operand(0).ty())
                }
                LLVMOpcode::LLVMGetElementPtr => {
                    depth > 0
                        && user
                            .decompose_gep(self.m.module)
                            .is_some_and(|gep| gep.indices.is_empty())
                        && self.all_uses_fold(user, limit, depth - 1)
                }
                _ => false,
            };
            if !folds {
                return false;
            }
        }
        true
    }

    fn is_simple(&mut self, ty: super::llvm::Type) -> bool {
        self.m.types.scalar(ty).is_ok_and(|scalar| power_index(scalar.bytes()).is_some())
    }

    fn gep_address(&mut self, base: Value, gep: &super::llvm::Decomposed) -> Lowered<Address> {
        let mut address = self.address(base)?;
        for &(index, scale) in &gep.indices {
            address = self.indexed(address, index, scale)?;
        }
        Ok(self.moved(address, gep.offset))
    }

    fn indexed(&mut self, address: Address, index: Value, scale: u64) -> Lowered<Address> {
        if let (Address::Const(base), Ok(scale)) = (address, u16::try_from(scale))
            && let table = (Table { base, scale })
            && table.pack().is_some()
        {
            let (index, narrow) = self.index(index)?;
            return Ok(Address::Table { table, index, narrow });
        }
        let (mut slot, mut offset) = self.based(address);
        let Ok(scale) = u32::try_from(scale) else {
            return Err(format!("an array element of {scale} bytes"));
        };
        if i32::try_from(offset).is_err() {
            let sum = self.temp(1);
            self.emit(Op::Add64I, sum, slot, NO_SLOT, offset as u64);
            (slot, offset) = (sum, 0);
        }
        let (index, narrow) = self.index(index)?;
        Ok(Address::Indexed { slot, index, narrow, scale, offset: offset as i32 })
    }

    /// The slot of an index, and whether it is 32 bits wide and to be sign-extended.
    fn index(&mut self, index: Value) -> Lowered<(u32, bool)> {
        if index.is_instruction() && index.opcode() == LLVMOpcode::LLVMSExt {
            let source = index.operand(0);
            if self.m.types.scalar(source.ty())? == Scalar::Int(32) && !source.is_constant() {
                return Ok((self.slot_of(source)?, true));
            }
        }
        let width = self.m.types.scalar(index.ty())?.width();
        let operand = self.operand(index)?;
        let slot = self.in_slot(operand, width.div_ceil(64));
        Ok(match width {
            32 => (slot, true),
            64.. => (slot, false),
            _ => {
                let extended = self.temp(1);
                self.sign_extend(extended, slot, width, 64);
                (extended, false)
            }
        })
    }

    /// An address as base slot and offset.
    pub fn based(&mut self, address: Address) -> (u32, i64) {
        match address {
            Address::Base { slot, offset } => (slot, offset),
            Address::Const(address) => (self.constant_slot(address), 0),
            Address::Indexed { .. } | Address::Table { .. } => {
                let slot = self.temp(1);
                self.write_address(slot, address);
                (slot, 0)
            }
        }
    }

    pub fn moved(&mut self, address: Address, by: i64) -> Address {
        match address {
            _ if by == 0 => address,
            Address::Const(address) => Address::Const(address.wrapping_add_signed(by)),
            Address::Base { slot, offset } => {
                Address::Base { slot, offset: offset.wrapping_add(by) }
            }
            Address::Table { table, index, narrow } => {
                let moved = Table { base: table.base.wrapping_add_signed(by), ..table };
                if moved.pack().is_some() {
                    return Address::Table { table: moved, index, narrow };
                }
                let (slot, offset) = self.based(address);
                Address::Base { slot, offset: offset + by }
            }
            Address::Indexed { slot, index, narrow, scale, offset } => {
                match i32::try_from(i64::from(offset).saturating_add(by)) {
                    Ok(offset) => Address::Indexed { slot, index, narrow, scale, offset },
                    Err(_) => {
                        let (slot, offset) = self.based(address);
                        Address::Base { slot, offset: offset + by }
                    }
                }
            }
        }
    }
}

fn packed(table: Table) -> u64 {
    table.pack().expect("checked when the address was made")
}

/// The `sext i8 to i32` that is the only use of a byte load.
fn extended_load(load: Value) -> Option<Value> {
    let is_int = |value: Value, width| {
        value.ty().kind() == super::llvm::LLVMTypeKind::LLVMIntegerTypeKind
            && value.ty().int_width() == width
    };
    if !is_int(load, 8) {
        return None;
    }
    load.only_user().filter(|&user| {
        user.is_instruction() && user.opcode() == LLVMOpcode::LLVMSExt && is_int(user, 32)
    })
}

/// 0 to 3 for 1, 2, 4 and 8 bytes.
fn power_index(bytes: u32) -> Option<usize> {
    match bytes {
        1 | 2 | 4 | 8 => Some(bytes.trailing_zeros() as usize),
        _ => None,
    }
}

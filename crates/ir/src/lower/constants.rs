//! Constants to numbers: every constant expression is folded, every address is known.

use super::llvm::{BasicBlock, LLVMLinkage, LLVMOpcode, LLVMTypeKind, LLVMValueKind, Value};
use super::types::mask;
use super::{Lowered, Lowering};
use crate::function_address;
use crate::layout::{LABEL_BASE, LABEL_STEP};

impl Lowering<'_> {
    /// The bits of a scalar constant.
    pub fn const_scalar(&mut self, value: Value) -> Lowered<u128> {
        use LLVMValueKind::*;
        match value.kind() {
            LLVMConstantIntValueKind | LLVMConstantFPValueKind => {
                value.bits().ok_or_else(|| "a constant of more than 128 bits".to_owned())
            }
            LLVMConstantPointerNullValueKind
            | LLVMUndefValueValueKind
            | LLVMPoisonValueKind
            | LLVMConstantAggregateZeroValueKind => Ok(0),
            LLVMGlobalVariableValueKind => Ok(self.global_addresses[&value].into()),
            LLVMFunctionValueKind => Ok(self.address_of_function(value).into()),
            LLVMGlobalAliasValueKind => self.const_scalar(value.aliasee()),
            LLVMBlockAddressValueKind => Ok(self.label_address(value.block_address()).into()),
            LLVMConstantExprValueKind => self.const_expr(value),
            // A vector or struct of one element.
            LLVMConstantDataVectorValueKind
            | LLVMConstantVectorValueKind
            | LLVMConstantStructValueKind
            | LLVMConstantArrayValueKind
            | LLVMConstantDataArrayValueKind => {
                self.const_scalar(value.element(0).ok_or("an empty constant")?)
            }
            kind => Err(format!("the constant {kind:?}")),
        }
    }

    fn address_of_function(&self, value: Value) -> u64 {
        match self.functions.get(&value) {
            Some(_) if value.linkage() == LLVMLinkage::LLVMExternalWeakLinkage => 0,
            Some(&function) => function_address(function),
            None => 0,
        }
    }

    /// The address of a block (`&&label`), numbered as they are met.
    pub fn label_address(&mut self, block: BasicBlock) -> u64 {
        let next = LABEL_BASE + LABEL_STEP * self.labels.len() as u64;
        *self.labels.entry(block).or_insert(next)
    }

    fn const_expr(&mut self, value: Value) -> Lowered<u128> {
        use LLVMOpcode::*;
        let opcode = value.const_opcode();
        if opcode == LLVMGetElementPtr {
            return self.const_gep(value);
        }
        let result_type = value.ty();
        let first = self.const_scalar(value.operand(0))?;
        let result = match opcode {
            LLVMAdd => first.wrapping_add(self.const_scalar(value.operand(1))?),
            LLVMSub => first.wrapping_sub(self.const_scalar(value.operand(1))?),
            LLVMMul => first.wrapping_mul(self.const_scalar(value.operand(1))?),
            LLVMXor => first ^ self.const_scalar(value.operand(1))?,
            LLVMTrunc | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast | LLVMAddrSpaceCast => first,
            _ => return Err(format!("the constant expression {opcode:?}")),
        };
        let width = self.types.scalar(result_type)?.width();
        if width > 128 {
            return Err(format!("the constant expression {opcode:?} on {width} bits"));
        }
        Ok(if width > 64 { result } else { result & u128::from(mask(width)) })
    }

    fn const_gep(&mut self, value: Value) -> Lowered<u128> {
        let base = self.const_scalar(value.operand(0))?;
        let decomposed = value
            .decompose_gep(self.module)
            .filter(|decomposed| decomposed.indices.is_empty())
            .ok_or_else(|| "a constant address with a variable index".to_owned())?;
        Ok((base as u64).wrapping_add_signed(decomposed.offset).into())
    }

    /// The slots of a constant of any shape, in order.
    pub fn const_words(&mut self, value: Value) -> Lowered<Vec<u64>> {
        let shape = self.types.shape(value.ty())?;
        if is_zero(value) {
            return Ok(vec![0; shape.slots as usize]);
        }
        let mut words = Vec::with_capacity(shape.slots as usize);
        self.collect_words(value, &mut words)?;
        Ok(words)
    }

    fn collect_words(&mut self, value: Value, words: &mut Vec<u64>) -> Lowered<()> {
        let ty = value.ty();
        let count = match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind => ty.n_fields(),
            LLVMTypeKind::LLVMArrayTypeKind => ty.array_length() as u32,
            LLVMTypeKind::LLVMVectorTypeKind => ty.vector_length(),
            _ => return self.collect_scalar(value, words),
        };
        for index in 0..count {
            let element = value.element(index).ok_or("a constant vector expression")?;
            self.collect_words(element, words)?;
        }
        Ok(())
    }

    fn collect_scalar(&mut self, value: Value, words: &mut Vec<u64>) -> Lowered<()> {
        let slots = self.types.scalar(value.ty())?.slots();
        if slots > 2
            && let Some(big) = value.words(slots)
        {
            words.extend(big);
            return Ok(());
        }
        let bits = self.const_scalar(value)?;
        words.extend((0..slots).map(|word| word_of(bits, word)));
        Ok(())
    }

    /// Writes a constant as it stands in memory; `out` is zero and as long as its type.
    pub fn const_bytes(&mut self, value: Value, out: &mut [u8]) -> Lowered<()> {
        if is_zero(value) {
            return Ok(());
        }
        if let Some(raw) = value.raw_data() {
            out[..raw.len()].copy_from_slice(raw);
            return Ok(());
        }
        let ty = value.ty();
        match ty.kind() {
            LLVMTypeKind::LLVMStructTypeKind => {
                for index in 0..ty.n_fields() {
                    let offset = self.types.field_offset(ty, index) as usize;
                    self.const_bytes(value.operand(index), &mut out[offset..])?;
                }
                Ok(())
            }
            LLVMTypeKind::LLVMArrayTypeKind => {
                let stride = self.types.size(ty.element_type()) as usize;
                for index in 0..value.n_operands() {
                    let offset = index as usize * stride;
                    self.const_bytes(value.operand(index), &mut out[offset..])?;
                }
                Ok(())
            }
            _ => self.const_value_bytes(value, out),
        }
    }

    fn const_value_bytes(&mut self, value: Value, out: &mut [u8]) -> Lowered<()> {
        let shape = self.types.shape(value.ty())?;
        if shape.bit_packed && shape.leaves.len() > 1 {
            return Err("a vector of bits in memory".to_owned());
        }
        let words = self.const_words(value)?;
        for leaf in &shape.leaves {
            let (offset, bytes) = (leaf.offset as usize, leaf.scalar.bytes() as usize);
            let words = words[leaf.slot as usize..].iter().flat_map(|word| word.to_le_bytes());
            for (place, byte) in out[offset..offset + bytes].iter_mut().zip(words) {
                *place = byte;
            }
        }
        Ok(())
    }
}

/// Word `word` of a number, from the lowest.
pub fn word_of(bits: u128, word: u32) -> u64 {
    bits.unbounded_shr(64 * word) as u64
}

fn is_zero(value: Value) -> bool {
    use LLVMValueKind::*;
    matches!(
        value.kind(),
        LLVMConstantAggregateZeroValueKind
            | LLVMUndefValueValueKind
            | LLVMPoisonValueKind
            | LLVMConstantPointerNullValueKind
    )
}

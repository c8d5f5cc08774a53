//! The instructions that are too rare or too wide for the interpreter's fast loop.

use fathom_ir::inst::{BIG_WORDS, Float, Inst, Int, Special, Wide};

use crate::engine::Engine;
use crate::float;
use crate::int::{self, WideResult, mask};
use crate::memory::{Memory, Refusal};
use crate::outcome::{Access, BugKind};
use crate::state::State;
use crate::step::Step;

impl Engine<'_> {
    /// Loads of more than one slot, with operands and bytes of whatever kind.
    pub(crate) fn exec_load_n(&mut self, state: &mut State, i: &Inst) -> Step {
        let n = usize::from(i.x);
        if state.tag(i.a).is_none() {
            let address = state.slot(i.a).wrapping_add(i.imm);
            if let Ok(bytes) = state.memory.slice(address, n as u64) {
                let mut words = [0; BIG_WORDS];
                for (word, bytes) in words.iter_mut().zip(bytes.chunks(8)) {
                    let mut whole = [0; 8];
                    whole[..bytes.len()].copy_from_slice(bytes);
                    *word = u64::from_le_bytes(whole);
                }
                state.set_slot_words(i.d, &words[..n.div_ceil(8)]);
                self.advance(state);
                return Ok(());
            }
        }
        self.load_words(state, i, n as u64)?;
        self.advance(state);
        Ok(())
    }

    pub(crate) fn exec_store_n(&mut self, state: &mut State, i: &Inst) -> Step {
        let n = usize::from(i.x);
        let symbolic = (i.d..i.d + n.div_ceil(8) as u32).any(|slot| state.tag(slot).is_some());
        if state.tag(i.a).is_none() && !symbolic {
            let address = state.slot(i.a).wrapping_add(i.imm);
            let mut bytes = [0; 8 * BIG_WORDS];
            for (bytes, word) in bytes.chunks_mut(8).zip(state.slot_words(i.d, n.div_ceil(8))) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
            if state.memory.write(address, &bytes[..n]).is_ok() {
                self.advance(state);
                return Ok(());
            }
        }
        self.store_words(state, i, n as u64)?;
        self.advance(state);
        Ok(())
    }

    pub(crate) fn exec_alloca(&mut self, state: &mut State, i: &Inst, size: u64) -> Step {
        let site = self.site(state);
        match state.memory.push_stack(size, 1 << i.x, site, i.a) {
            Some(address) => {
                state.set_slot(i.d, address);
                self.forget_bytes(state, address, size);
                Ok(())
            }
            None => Err(self.bug(state, BugKind::StackOverflow)),
        }
    }

    /// memcpy: both ranges must exist, and overlap only if they are the same.
    pub(crate) fn copy(&mut self, state: &mut State, to: u64, from: u64, size: u64) -> Step {
        if to != from && to.abs_diff(from) < size {
            self.check_range(state, from, size, Access::Read)?;
            self.check_range(state, to, size, Access::Write)?;
            return Err(self.bug_with(
                state,
                BugKind::OverlappingCopy,
                format!("memcpy of {size} bytes between ranges {} bytes apart", to.abs_diff(from)),
            ));
        }
        self.copy_overlapping(state, to, from, size)
    }

    /// memmove.
    pub(crate) fn copy_overlapping(
        &mut self,
        state: &mut State,
        to: u64,
        from: u64,
        size: u64,
    ) -> Step {
        if size == 0 {
            return Ok(());
        }
        let table = state.memory.table();
        // SAFETY: the table belongs to this memory; both ranges are checked before they are used.
        unsafe {
            let source = Memory::readable(table, from, size);
            let target = Memory::writable(table, to, size);
            if let (Some(source), Some(target)) = (source, target) {
                std::ptr::copy(source.as_ptr(), target.as_ptr(), size as usize);
                return Ok(());
            }
        }
        self.check_range(state, from, size, Access::Read)?;
        self.check_range(state, to, size, Access::Write)?;
        state.memory.copy(&mut self.pool, to, from, size);
        Ok(())
    }

    /// The bytes exist, and for writing, may be written.
    fn check_range(&mut self, state: &mut State, address: u64, size: u64, access: Access) -> Step {
        let refusal = match access {
            Access::Write => state.memory.resolve_write(address, 0).err(),
            _ => None,
        };
        if let Some(Refusal::Fault(_)) = refusal {
            return Err(self.fault(state, access, address, size));
        }
        if state.memory.extent(address).is_none_or(|extent| extent < size) {
            return Err(self.fault(state, access, address, size));
        }
        self.check_size(state, address, size, access)
    }

    /// memset.
    pub(crate) fn fill(&mut self, state: &mut State, to: u64, byte: u8, size: u64) -> Step {
        if size == 0 {
            return Ok(());
        }
        if state.memory.slice_mut(to, size).is_err() {
            self.check_range(state, to, size, Access::Write)?;
        }
        state.memory.fill(&mut self.pool, to, size, byte);
        Ok(())
    }

    pub(crate) fn exec_int(&self, state: &mut State, i: &Inst) -> Step {
        // SAFETY: lowering stores an `Int` in x.
        let op = unsafe { std::mem::transmute::<u16, Int>(i.x) };
        let bits = (i.imm & 0xff) as u32;
        let third = match op {
            Int::FShl | Int::FShr => state.slot((i.imm >> 8) as u32),
            Int::UCmp | Int::SCmp => i.imm >> 8,
            _ => 0,
        };
        let result = int::int_op(op, state.slot(i.a), state.slot(i.b), third, bits);
        let (value, second) = result.map_err(|kind| self.bug(state, kind))?;
        state.set_slot(i.d, value);
        if let Some(second) = second {
            state.set_slot(i.d + 1, second);
        }
        Ok(())
    }

    pub(crate) fn exec_wide(&self, state: &mut State, i: &Inst) -> Step {
        // SAFETY: lowering stores a `Wide` in x.
        let op = unsafe { std::mem::transmute::<u16, Wide>(i.x) };
        let bits = (i.imm & 0xff) as u32;
        let extra = (i.imm >> 8) as u32;
        let one_slot = matches!(op, Wide::ZextFrom | Wide::SextFrom | Wide::FpToS | Wide::FpToU);
        let a = if one_slot { u128::from(state.slot(i.a)) } else { state.slot_pair(i.a) };
        let third = match op {
            Wide::FShl | Wide::FShr => state.slot_pair(extra),
            _ => 0,
        };
        let result = int::wide_op(op, a, state.slot_pair(i.b), third, bits, extra);
        match result.map_err(|kind| self.bug(state, kind))? {
            WideResult::One(value) => state.set_slot(i.d, value),
            WideResult::Two(value) => state.set_slot_pair(i.d, value),
            WideResult::Overflow(value, overflow) => {
                state.set_slot_pair(i.d, value);
                state.set_slot(i.d + 2, u64::from(overflow));
            }
        }
        Ok(())
    }

    pub(crate) fn exec_float(&self, state: &mut State, i: &Inst) -> Step {
        // SAFETY: lowering stores a `Float` in x.
        let op = unsafe { std::mem::transmute::<u16, Float>(i.x) };
        let single = i.imm & 0xff == 32;
        let (a, b) = (state.slot(i.a), state.slot(i.b));
        let third = matches!(op, Float::Fma | Float::MulAdd);
        let c = if third { state.slot((i.imm >> 8) as u32) } else { 0 };
        let direct = if single {
            let [a, b, c] = [a, b, c].map(|bits| f32::from_bits(bits as u32));
            float::f32_op(op, a, b, c).map(|value| u64::from(value.to_bits()))
        } else {
            let [a, b, c] = [a, b, c].map(f64::from_bits);
            float::f64_op(op, a, b, c).map(f64::to_bits)
        };
        if let Some(value) = direct {
            state.set_slot(i.d, value);
            return Ok(());
        }
        let value = if single { f64::from(f32::from_bits(a as u32)) } else { f64::from_bits(a) };
        let pack = |value: f64| {
            if single { u64::from((value as f32).to_bits()) } else { value.to_bits() }
        };
        let bits = (i.imm >> 8) as u32;
        let result = match op {
            Float::PowI => pack(value.powi(b as i32)),
            Float::LdExp => pack(float::ldexp(value, b as i32)),
            Float::FrExp => {
                let (fraction, exponent) = float::frexp(value);
                state.set_slot(i.d + 1, u64::from(exponent as u32));
                pack(fraction)
            }
            Float::LRint => value.round_ties_even() as i64 as u64,
            Float::LRound => value.round() as i64 as u64,
            Float::ToSSat => {
                let limit = (1i128 << (bits - 1)) - 1;
                (value as i128).clamp(-limit - 1, limit) as u64 & mask(bits)
            }
            Float::ToUSat => (value as u128).min(u128::from(mask(bits))) as u64,
            Float::IsFpClass => {
                let (class, negative, quiet) = if single {
                    let single = f32::from_bits(a as u32);
                    (single.classify(), single.is_sign_negative(), a >> 22 & 1 != 0)
                } else {
                    (value.classify(), value.is_sign_negative(), a >> 51 & 1 != 0)
                };
                u64::from(float::fp_class(negative, class, quiet) & b != 0)
            }
            _ => unreachable!("{op:?} has a direct form"),
        };
        state.set_slot(i.d, result);
        Ok(())
    }

    pub(crate) fn exec_special(&mut self, state: &mut State, i: &Inst) -> Step {
        // SAFETY: lowering stores a `Special` in x.
        let op = unsafe { std::mem::transmute::<u16, Special>(i.x) };
        match op {
            Special::ReturnAddress => {
                let function = state.frames.iter().rev().nth(1).map(|frame| frame.function);
                let address =
                    function.map_or(0, |function| fathom_ir::function_address(function) + 1);
                state.set_slot(i.d, address);
            }
            Special::FrameAddress => {
                let depth = state.frames.len() as u64;
                state.set_slot(i.d, 0x7fff_ffff_f000 - depth * 64);
            }
            Special::ReadCycleCounter => state.set_slot(i.d, state.instructions),
            Special::Trap => return Err(self.bug(state, BugKind::Abort)),
            Special::UbsanTrap => return Err(self.bug(state, ubsan_kind(i.imm))),
            Special::GetRounding => state.set_slot(i.d, 1),
            Special::ObjectSize => {
                let unknown = if i.imm == 1 { 0 } else { u64::MAX };
                let size = state.memory.extent(state.slot(i.a)).unwrap_or(unknown);
                state.set_slot(i.d, size);
            }
            Special::VaCopy => {
                return self.copy_overlapping(state, state.slot(i.d), state.slot(i.a), 24);
            }
        }
        Ok(())
    }
}

/// The bug behind `llvm.ubsantrap`, by clang's numbering of its checks.
fn ubsan_kind(check: u64) -> BugKind {
    match check {
        0 | 12 | 13 | 21 => BugKind::SignedOverflow,
        1 => BugKind::Unreachable,
        3 => BugKind::DivisionByZero,
        5 => BugKind::Sanitizer("float-cast-overflow"),
        6 => BugKind::Sanitizer("function-type-mismatch"),
        7 => BugKind::Sanitizer("implicit-conversion"),
        8 => BugKind::Sanitizer("invalid-builtin-use"),
        10 => BugKind::Sanitizer("invalid-value"),
        11 => BugKind::Sanitizer("missing-return"),
        14..=17 => BugKind::Sanitizer("null-argument"),
        18 => BugKind::OutOfBoundsRead,
        19 => BugKind::Sanitizer("pointer-overflow"),
        20 => BugKind::ShiftOverflow,
        22 => BugKind::Sanitizer("misaligned-pointer"),
        23 => BugKind::Sanitizer("alignment-assumption"),
        24 => BugKind::Sanitizer("vla-bound"),
        _ => BugKind::Sanitizer("undefined-behaviour"),
    }
}

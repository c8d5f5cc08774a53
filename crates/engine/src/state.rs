//! One path in progress: its frames, its slots and its memory.

use fathom_ir::inst::Inst;
use fathom_ir::{ArgKind, FuncId};

use crate::memory::{Memory, OutOfMemory, StackMark};
use crate::pages::Pages;

/// Slots of all frames together; reaching it is a stack overflow.
pub(crate) const N_SLOTS: usize = 4 << 20;

/// A function being executed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The call instruction that made this frame; execution goes on after it. Its `b` is how far
    /// this frame lies above its caller's, and its `d` where the result goes.
    pub call: *const Inst,
    pub function: FuncId,
    /// Stack objects made since then are this frame's.
    pub mark: StackMark,
    /// Tells this frame from later ones at the same depth, once it has called setjmp; 0 before.
    pub serial: u32,
}

/// The variadic arguments of a call.
#[derive(Debug)]
pub(crate) struct VarArgs {
    /// How deep the frame is that they belong to.
    pub depth: usize,
    pub kinds: Vec<ArgKind>,
    pub slots: Vec<u64>,
}

/// One path in progress.
pub struct State {
    pub memory: Memory,
    pub(crate) slots: Pages<u64>,
    pub(crate) frames: Vec<Frame>,
    /// Of the variadic frames, deepest last. Entries of frames that have returned stay until a
    /// frame as deep takes their place, so that returning costs nothing.
    pub(crate) varargs: Vec<VarArgs>,
    /// The next instruction, or the one at which the path stopped.
    pub(crate) ip: *const Inst,
    /// Slot 0 of the innermost frame.
    pub(crate) fp: *mut u64,
    pub(crate) thread_pointer: u64,
    pub(crate) next_serial: u32,
    /// LLVM instructions executed.
    pub instructions: u64,
}

impl State {
    pub(crate) fn new(stack_limit: u64) -> Result<Self, OutOfMemory> {
        let mut slots = Pages::reserve(N_SLOTS + (1 << 16))?;
        let fp = slots.as_mut_ptr();
        Ok(Self {
            memory: Memory::new(stack_limit)?,
            slots,
            frames: Vec::new(),
            varargs: Vec::new(),
            ip: std::ptr::null(),
            fp,
            thread_pointer: 0,
            next_serial: 1,
            instructions: 0,
        })
    }

    /// Where frames must end.
    pub(crate) fn slots_end(&self) -> *mut u64 {
        // SAFETY: `slots` has more than `N_SLOTS` elements.
        unsafe { self.slots.as_ptr().cast_mut().add(N_SLOTS) }
    }

    /// The value of slot `slot` of the innermost frame.
    pub(crate) fn slot(&self, slot: u32) -> u64 {
        // SAFETY: slot numbers come from lowering and lie within the frame, which lies within
        // `slots`: every call checks that.
        unsafe { *self.fp.add(slot as usize) }
    }

    pub(crate) fn set_slot(&mut self, slot: u32, value: u64) {
        // SAFETY: as in `slot`.
        unsafe { *self.fp.add(slot as usize) = value }
    }

    pub(crate) fn slot_pair(&self, slot: u32) -> u128 {
        u128::from(self.slot(slot)) | u128::from(self.slot(slot + 1)) << 64
    }

    /// `count` slots from `slot` on.
    pub(crate) fn slot_words(&self, slot: u32, count: usize) -> &[u64] {
        // SAFETY: as in `slot`; nothing writes slots while the state is borrowed.
        unsafe { std::slice::from_raw_parts(self.fp.add(slot as usize), count) }
    }

    pub(crate) fn set_slot_words(&mut self, slot: u32, words: &[u64]) {
        for (slot, &word) in (slot..).zip(words) {
            self.set_slot(slot, word);
        }
    }

    pub(crate) fn set_slot_pair(&mut self, slot: u32, value: u128) {
        self.set_slot(slot, value as u64);
        self.set_slot(slot + 1, (value >> 64) as u64);
    }
}

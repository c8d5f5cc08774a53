//! Which code was executed, at no cost once it has been.
//!
//! The first instruction of every basic block is replaced by a mark. Executing the mark notes the
//! block and puts the instruction back.

use std::ops::Range;

use fathom_index::Id;
use fathom_ir::inst::{Inst, Op};
use fathom_ir::{FuncId, Function, Program};

use crate::engine::Engine;
use crate::state::State;
use crate::step::Step;

/// The blocks of all functions, and which of them were executed.
#[derive(Default)]
pub struct Coverage {
    /// By function, by block.
    blocks: Vec<Vec<bool>>,
    /// By function, where the code with the marks is.
    code: Vec<Range<*const Inst>>,
    /// LLVM instructions in executed blocks, and in those of the program's own sources.
    pub covered: u64,
    pub covered_own: u64,
    /// The blocks entered, in that order.
    log: Vec<(FuncId, u32)>,
    /// By function, by block: those whose every execution somebody wants to hear of, and those of
    /// them whose mark was taken away since it was set.
    watched: Vec<Vec<bool>>,
    passed: Vec<(FuncId, u32)>,
    /// Somebody was asked what to keep.
    pub(crate) marks_are_due: bool,
}

impl Coverage {
    /// Puts marks into `code`.
    pub(crate) fn instrument(program: &Program, code: &mut [Box<[Inst]>]) -> Self {
        for (function, code) in program.functions.iter().zip(code.iter_mut()) {
            for (number, block) in function.blocks.iter().enumerate() {
                if let Some(first) = code.get_mut(block.start as usize) {
                    *first = Inst { imm: number as u64, ..Inst::new(Op::Cover) };
                }
            }
        }
        let blocks = program.functions.iter().map(|function| vec![false; function.blocks.len()]);
        let code = code.iter().map(|code| code.as_ptr_range());
        Self { blocks: blocks.collect(), code: code.collect(), ..Self::default() }
    }

    /// Which instruction of `function` is at `ip`, if one is.
    pub(crate) fn index_of(&self, function: FuncId, ip: *const Inst) -> Option<usize> {
        let code = self.code.get(function.index()).filter(|code| code.contains(&ip))?;
        Some((ip as usize - code.start as usize) / size_of::<Inst>())
    }

    /// The blocks entered, in the order they first were.
    pub fn log(&self) -> &[(FuncId, u32)] {
        &self.log
    }

    /// The block that execution enters next from `ip`, if that block was never executed.
    pub(crate) fn new_block(&self, function: FuncId, ip: *const Inst) -> Option<usize> {
        /// More moves of values than a way into a block usually has.
        const MOVES: usize = 64;
        let code = self.code.get(function.index())?;
        let mut ip = ip;
        for _ in 0..MOVES {
            // SAFETY: the code lives as long as the engine, which lends this to others.
            let inst = code.contains(&ip).then(|| unsafe { *ip })?;
            ip = match inst.op {
                Op::Cover => return Some(inst.imm as usize),
                Op::Const | Op::Move | Op::MoveN | Op::Count => ip.wrapping_add(1),
                Op::Jump => ip.wrapping_byte_offset(inst.d as i32 as isize),
                _ => return None,
            };
        }
        None
    }

    /// Whether block `block` of `function` was executed.
    pub fn is_covered(&self, function: FuncId, block: usize) -> bool {
        self.blocks.get(function.index()).is_some_and(|blocks| blocks[block])
    }
}

impl Engine<'_> {
    /// A block is executed for the first time.
    pub(crate) fn exec_cover(&mut self, state: &mut State, mark: &Inst) -> Step {
        let function = state.frames.last().expect("a running frame").function;
        let block = mark.imm as usize;
        if self.coverage.is_covered(function, block) {
            let at = self.coverage.index_of(function, state.ip).expect("it is being executed");
            self.take_mark(function, at);
        } else {
            self.cover(function, block);
            state.covered_new = true;
            state.covered_at = state.instructions;
        }
        if self.coverage.watched.get(function.index()).is_some_and(|blocks| blocks[block]) {
            self.coverage.passed.push((function, block as u32));
            for observer in &mut self.hooks.observers {
                observer.block(state);
            }
        }
        Ok(())
    }

    /// Observers hear of these blocks, by function and block, when they are executed; once between
    /// two branches at which somebody was asked what to keep.
    pub fn watch(&mut self, blocks: Vec<Vec<bool>>) {
        self.coverage.watched = blocks;
    }

    /// Watched blocks that were passed are marked again, if it is time. The instruction that is being
    /// executed may be among those that give way to marks: it must not be looked at any more.
    pub(crate) fn set_marks(&mut self) {
        if !std::mem::take(&mut self.coverage.marks_are_due) {
            return;
        }
        for (function, number) in std::mem::take(&mut self.coverage.passed) {
            let Some(at) = place_for_mark(&self.program.functions[function], number) else {
                continue;
            };
            let mark = Inst { imm: u64::from(number), ..Inst::new(Op::Cover) };
            // SAFETY: as in `take_mark`.
            unsafe { *self.callee(function).code.add(at) = mark };
        }
    }

    /// Blocks that somebody else has entered: they are not new here.
    pub fn learn_covered(&mut self, blocks: &[(FuncId, u32)]) {
        for &(function, block) in blocks {
            let body = self.program.functions.get(function);
            if body.is_some_and(|body| (block as usize) < body.blocks.len())
                && !self.coverage.is_covered(function, block as usize)
            {
                self.cover(function, block as usize);
            }
        }
    }

    /// Notes a block and takes its mark away.
    fn cover(&mut self, function: FuncId, number: usize) {
        self.coverage.log.push((function, number as u32));
        let body = &self.program.functions[function];
        let start = body.blocks[number].start as usize;
        // Several blocks may begin at the same instruction, and a block that is only a jump is
        // passed without being entered.
        for (other, block) in body.blocks.iter().enumerate() {
            if block.start as usize == start || other == number {
                self.note(function, other);
            }
        }
        self.take_mark(function, start);
    }

    /// Puts the instruction back that a mark stands for.
    fn take_mark(&mut self, function: FuncId, at: usize) {
        let body = &self.program.functions[function];
        // SAFETY: the code is the engine's own copy, and nobody holds a reference into it while a
        // slow instruction executes or none does.
        unsafe { *self.callee(function).code.add(at) = body.code[at] };
    }

    fn note(&mut self, function: FuncId, block: usize) {
        let body = &self.program.functions[function];
        let mut open = vec![block];
        while let Some(block) = open.pop() {
            if std::mem::replace(&mut self.coverage.blocks[function.index()][block], true) {
                continue;
            }
            let n_llvm = u64::from(body.blocks[block].n_llvm);
            self.coverage.covered += n_llvm;
            if self.program.is_own(body.loc) {
                self.coverage.covered_own += n_llvm;
            }
            open.extend(
                body.passed.iter().filter(|pair| pair.0 == block as u32).map(|p| p.1 as usize),
            );
        }
    }
}

/// The first instruction of a block that a mark may stand for after it was executed: not a call, for
/// frames point to the calls that made them.
fn place_for_mark(function: &Function, block: u32) -> Option<usize> {
    let start = function.blocks[block as usize].start as usize;
    let next = function.blocks.get(block as usize + 1).map(|next| next.start as usize);
    let end = next.unwrap_or(function.code.len()).max(start);
    let is_call = |inst: &Inst| matches!(inst.op, Op::Call | Op::CallExternal | Op::CallIndirect);
    let at = function.code.get(start..end)?.iter().position(|inst| !is_call(inst))?;
    Some(start + at)
}

//! Call stacks by number: equal stacks have the same number, however many states have them.

use std::collections::HashMap;

use fathom_index::{IndexVec, id};
use fathom_ir::FuncId;
use fathom_ir::inst::Inst;

use crate::signals;
use crate::state::State;

id!(
    /// The frames below the innermost one of a state.
    StackId,
    "stack"
);

/// Frames further out than so many are not looked at.
const DEPTH: usize = 64;

/// A frame that waits for a call to return.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Caller {
    pub below: StackId,
    pub function: FuncId,
    /// The instruction it goes on with.
    pub next: *const Inst,
}

/// All call stacks seen.
#[derive(Default)]
pub(super) struct Stacks {
    callers: IndexVec<StackId, Caller>,
    ids: HashMap<Caller, StackId>,
}

impl Stacks {
    /// The stack of no frames.
    pub const EMPTY: StackId = StackId(u32::MAX);

    pub fn stack_of(&mut self, state: &State) -> StackId {
        let frames = &state.frames[state.frames.len().saturating_sub(DEPTH)..];
        frames.windows(2).fold(Self::EMPTY, |below, pair| {
            let next = signals::called_at(&pair[1]).wrapping_add(1);
            let caller = Caller { below, function: pair[0].function, next };
            *self.ids.entry(caller).or_insert_with(|| self.callers.push(caller))
        })
    }

    /// The innermost caller; `None` at the bottom.
    pub fn caller(&self, stack: StackId) -> Option<Caller> {
        self.callers.get(stack).copied()
    }
}

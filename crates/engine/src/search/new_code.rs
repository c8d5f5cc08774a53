//! Pending states that stand before code nobody has executed, ahead of all others.

use std::collections::HashMap;

use fathom_index::Id;
use fathom_ir::{FuncId, Program};

use super::order::Queue;
use super::{Outlook, Searcher};
use crate::state::{State, StateId};

/// A block of a function.
type Block = (FuncId, usize);

/// The states whose next block is one of the program's own that was never executed, oldest first;
/// when there are none, what another searcher chooses.
///
/// Such a state may be impossible, and so may all that come to the same block after it. So the more
/// often a block was tried in vain, the more states are passed over before the next try.
pub struct NewCodeFirst {
    /// By function, whether its code counts.
    own: Vec<bool>,
    new: Queue,
    /// The blocks that those in `new` stand before.
    blocks: HashMap<StateId, Block>,
    tries: HashMap<Block, Tries>,
    rest: Box<dyn Searcher>,
}

/// How often states before a block were chosen.
#[derive(Default)]
struct Tries {
    chosen: u32,
    /// States passed over since then.
    passed: u32,
}

impl Tries {
    fn is_due(&mut self) -> bool {
        let wait = if self.chosen == 0 { 0 } else { 1 << self.chosen.min(20) };
        let is_due = self.passed >= wait;
        if is_due {
            *self = Self { chosen: self.chosen + 1, passed: 0 };
        } else {
            self.passed += 1;
        }
        is_due
    }
}

impl NewCodeFirst {
    /// In front of `rest`. In a program that has no sources of its own, all code counts.
    pub fn new(program: &Program, rest: Box<dyn Searcher>) -> Self {
        let mut own: Vec<bool> =
            program.functions.iter().map(|function| program.is_own(function.loc)).collect();
        if !own.contains(&true) {
            own.fill(true);
        }
        let (new, blocks, tries) = (Queue::default(), HashMap::new(), HashMap::new());
        Self { own, new, blocks, tries, rest }
    }

    fn forget(&mut self, state: StateId) {
        if self.blocks.remove(&state).is_some() {
            self.new.remove(state);
        }
    }
}

impl Searcher for NewCodeFirst {
    fn add(&mut self, state: &State, outlook: Outlook<'_>) {
        self.rest.add(state, outlook);
        let function = state.frames.last().map(|frame| frame.function);
        let own = function.filter(|function| self.own[function.index()]);
        let block = own.and_then(|own| Some((own, outlook.coverage.new_block(own, state.ip)?)));
        if let Some(block) = block {
            self.new.push(state.id);
            self.blocks.insert(state.id, block);
        }
    }

    fn remove(&mut self, state: StateId) {
        self.forget(state);
        self.rest.remove(state);
    }

    fn next(&mut self, outlook: Outlook<'_>) -> Option<StateId> {
        while let Some(state) = self.new.oldest() {
            let (function, block) = self.blocks[&state];
            let is_new = !outlook.coverage.is_covered(function, block);
            if is_new && self.tries.entry((function, block)).or_default().is_due() {
                return Some(state);
            }
            self.forget(state);
        }
        self.rest.next(outlook)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_tries_the_longer_the_wait() {
        let mut tries = Tries::default();
        let due: Vec<usize> = (0..20).filter(|_| tries.is_due()).collect();
        assert_eq!(due, [0, 3, 8, 17]);
    }
}

//! Pending states that stand before code nobody has executed, ahead of all others, and such as have
//! come further in a call than any before.

use std::collections::HashMap;

use fathom_index::Id;
use fathom_ir::inst::Inst;
use fathom_ir::{FuncId, Program};

use super::order::Queue;
use super::random::DeepPath;
use super::{Kind, Outlook, Searcher};
use crate::coverage::Coverage;
use crate::state::{Frame, State, StateId};

/// A block of a function.
type Block = (FuncId, usize);

/// The states whose next block is one of the program's own that was never executed, oldest first;
/// when there are none, by turns those that have come further in a call than others, and what another
/// searcher chooses. Once nothing of all this has led to new code for long, every other choice of that
/// searcher's goes to states deep in the tree instead.
///
/// A state before new code may be impossible, and so may all that come to the same block after it. So
/// the more often a block was tried in vain, the more states are passed over before the next try.
///
/// Loops that compare an input with a word byte by byte show no new code until the whole word is
/// there. What shows is that a call has decided more often than ever where it stands.
pub struct NewCodeFirst {
    /// By function, whether its code counts.
    own: Vec<bool>,
    new: Queue,
    /// The blocks that those in `new` stand before.
    blocks: HashMap<StateId, Block>,
    tries: HashMap<Block, Tries>,
    further: Queue,
    /// How many states have been at each step.
    steps: HashMap<Step, u8>,
    is_turn_of_rest: bool,
    rest: Box<dyn Searcher>,
    stale: Stale,
    deep: DeepPath,
}

/// Choices that led to no new code.
#[derive(Default)]
struct Stale {
    choices: u32,
    n_covered: usize,
}

/// So many in a row are long.
const LONG: u32 = 64;

impl Stale {
    /// Whether it is the turn of others.
    fn count(&mut self, coverage: &Coverage) -> bool {
        let n_covered = coverage.log().len();
        self.choices = if n_covered == self.n_covered { self.choices.wrapping_add(1) } else { 0 };
        self.n_covered = n_covered;
        self.choices >= LONG && !self.choices.is_multiple_of(2)
    }
}

/// How far a call has come: the call, made by the program's own code or of it, the next instruction,
/// and about how many decisions the function has made by then.
type Step = (*const Inst, *const Inst, u32);

/// So many states at one step count: the first may be impossible.
const ENOUGH: u8 = 2;
/// Up to here decisions are counted one by one.
const EXACT: u32 = 32;
/// More are not counted.
const MANY: usize = 64;

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
    /// In front of `rest`, for states of this kind. In a program that has no sources of its own, all
    /// code counts.
    pub fn new(program: &Program, rest: Box<dyn Searcher>, kind: Kind, seed: u64) -> Self {
        let mut own: Vec<bool> =
            program.functions.iter().map(|function| program.is_own(function.loc)).collect();
        if !own.contains(&true) {
            own.fill(true);
        }
        Self {
            own,
            new: Queue::default(),
            blocks: HashMap::new(),
            tries: HashMap::new(),
            further: Queue::default(),
            steps: HashMap::new(),
            is_turn_of_rest: false,
            rest,
            stale: Stale::default(),
            deep: DeepPath::new(kind, seed),
        }
    }

    fn forget(&mut self, state: StateId) {
        if self.blocks.remove(&state).is_some() {
            self.new.remove(state);
        }
    }

    /// `None` outside of the program's own code and what it calls.
    fn step(&self, state: &State) -> Option<Step> {
        let is_own = |frame: &&Frame| self.own[frame.function.index()];
        let innermost = state.frames.last()?;
        let within = state.frames.iter().rposition(|frame| is_own(&frame))?;
        let call = state.frames.get(within + 1).unwrap_or(innermost).call;
        let decisions = state.trail.iter().take(MANY);
        let here = decisions.take_while(|it| it.site.function == innermost.function).count() as u32;
        let about = if here <= EXACT { here } else { EXACT + here.ilog2() };
        Some((call, state.ip, about))
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
        } else if let Some(step) = self.step(state) {
            let n_states = self.steps.entry(step).or_default();
            if *n_states < ENOUGH {
                *n_states += 1;
                self.further.push(state.id);
            }
        }
    }

    fn remove(&mut self, state: StateId) {
        self.forget(state);
        self.further.remove(state);
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
        self.is_turn_of_rest = !self.is_turn_of_rest;
        match self.further.oldest() {
            Some(state) if !self.is_turn_of_rest => Some(state),
            _ if self.stale.count(outlook.coverage) => self.deep.next(outlook.tree),
            _ => self.rest.next(outlook),
        }
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

//! Searchers that toss coins.

use std::collections::HashMap;

use super::{Kind, Outlook, Searcher, Tree};
use crate::state::{State, StateId};

/// A small random generator, the same everywhere (xorshift64*).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (((self.next() >> 32) * n as u64) >> 32) as usize
    }

    /// At least 0 and less than 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Walks from the root of the execution tree, tossing a coin at each fork: every subtree has the
/// same chance, however many states it has grown.
pub struct RandomPath {
    kind: Kind,
    random: Random,
}

impl RandomPath {
    pub fn new(kind: Kind, seed: u64) -> Self {
        Self { kind, random: Random::new(seed) }
    }
}

impl Searcher for RandomPath {
    fn add(&mut self, _: &State, _: Outlook<'_>) {}

    fn remove(&mut self, _: StateId) {}

    fn next(&mut self, outlook: Outlook<'_>) -> Option<StateId> {
        outlook.tree.walk(self.kind, |n| self.random.below(n))
    }
}

/// The same, but past most of the leaves at the sides: deeper, by another measure every time. Where a
/// long path leaves a state at each of its forks, every second walk of the other kind ends at the
/// first of them, and none at the hundredth.
pub(super) struct DeepPath {
    kind: Kind,
    random: Random,
    measure: u32,
}

/// At the deepest, a leaf is taken once in two to the power of this.
const DEEPEST: u32 = 7;

impl DeepPath {
    pub fn new(kind: Kind, seed: u64) -> Self {
        Self { kind, random: Random::new(seed), measure: 0 }
    }

    pub fn next(&mut self, tree: &Tree) -> Option<StateId> {
        self.measure = (self.measure + 1) % (DEEPEST - 1);
        tree.walk_past_leaves(self.kind, 4 << self.measure, |n| self.random.below(n))
    }
}

/// Every state has the same chance.
pub struct RandomState {
    states: Vec<StateId>,
    places: HashMap<StateId, usize>,
    random: Random,
}

impl RandomState {
    pub fn new(seed: u64) -> Self {
        Self { states: Vec::new(), places: HashMap::new(), random: Random::new(seed) }
    }
}

impl Searcher for RandomState {
    fn add(&mut self, state: &State, _: Outlook<'_>) {
        self.places.insert(state.id, self.states.len());
        self.states.push(state.id);
    }

    fn remove(&mut self, state: StateId) {
        let Some(place) = self.places.remove(&state) else { return };
        self.states.swap_remove(place);
        if let Some(moved) = self.states.get(place) {
            self.places.insert(*moved, place);
        }
    }

    fn next(&mut self, _: Outlook<'_>) -> Option<StateId> {
        match self.states.len() {
            0 => None,
            n => Some(self.states[self.random.below(n)]),
        }
    }
}

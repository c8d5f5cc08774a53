//! Searchers that go by age, one that asks several in turn, and one that chooses nothing.

use std::collections::{BTreeMap, HashMap};

use super::{Outlook, Searcher};
use crate::state::{State, StateId};

/// States in the order in which they came.
#[derive(Default)]
pub(super) struct Queue {
    states: BTreeMap<u64, StateId>,
    places: HashMap<StateId, u64>,
    n_added: u64,
}

impl Queue {
    pub fn push(&mut self, state: StateId) {
        self.states.insert(self.n_added, state);
        self.places.insert(state, self.n_added);
        self.n_added += 1;
    }

    pub fn remove(&mut self, state: StateId) {
        if let Some(place) = self.places.remove(&state) {
            self.states.remove(&place);
        }
    }

    pub fn oldest(&self) -> Option<StateId> {
        self.states.first_key_value().map(|(_, &state)| state)
    }

    fn newest(&self) -> Option<StateId> {
        self.states.last_key_value().map(|(_, &state)| state)
    }
}

/// Depth first: the newest state.
#[derive(Default)]
pub struct Dfs {
    states: Queue,
}

impl Searcher for Dfs {
    fn add(&mut self, state: &State, _: Outlook<'_>) {
        self.states.push(state.id);
    }

    fn remove(&mut self, state: StateId) {
        self.states.remove(state);
    }

    fn next(&mut self, _: Outlook<'_>) -> Option<StateId> {
        self.states.newest()
    }
}

/// Breadth first: the oldest state, until it forks.
#[derive(Default)]
pub struct Bfs {
    states: Queue,
}

impl Searcher for Bfs {
    fn add(&mut self, state: &State, _: Outlook<'_>) {
        self.states.push(state.id);
    }

    fn update(&mut self, state: &State, _: Outlook<'_>) {
        // It has had its turn.
        if self.states.oldest() == Some(state.id) {
            self.states.remove(state.id);
            self.states.push(state.id);
        }
    }

    fn remove(&mut self, state: StateId) {
        self.states.remove(state);
    }

    fn next(&mut self, _: Outlook<'_>) -> Option<StateId> {
        self.states.oldest()
    }
}

/// Asks each of several searchers in turn.
pub struct Interleaved {
    searchers: Vec<Box<dyn Searcher>>,
    turn: usize,
}

impl Interleaved {
    pub fn new(searchers: Vec<Box<dyn Searcher>>) -> Self {
        Self { searchers, turn: 0 }
    }
}

impl Searcher for Interleaved {
    fn add(&mut self, state: &State, outlook: Outlook<'_>) {
        for searcher in &mut self.searchers {
            searcher.add(state, outlook);
        }
    }

    fn update(&mut self, state: &State, outlook: Outlook<'_>) {
        for searcher in &mut self.searchers {
            searcher.update(state, outlook);
        }
    }

    fn remove(&mut self, state: StateId) {
        for searcher in &mut self.searchers {
            searcher.remove(state);
        }
    }

    fn next(&mut self, outlook: Outlook<'_>) -> Option<StateId> {
        self.turn = (self.turn + 1) % self.searchers.len();
        self.searchers[self.turn].next(outlook)
    }
}

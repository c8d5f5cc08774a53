//! Searchers that go by age, and one that asks several in turn.

use std::collections::VecDeque;

use super::{Outlook, Searcher};
use crate::state::{State, StateId};

/// Depth first: the newest state.
#[derive(Default)]
pub struct Dfs {
    states: Vec<StateId>,
}

impl Searcher for Dfs {
    fn add(&mut self, state: &State, _: Outlook<'_>) {
        self.states.push(state.id);
    }

    fn remove(&mut self, state: StateId) {
        if let Some(at) = self.states.iter().rposition(|&id| id == state) {
            self.states.remove(at);
        }
    }

    fn next(&mut self, _: Outlook<'_>) -> Option<StateId> {
        self.states.last().copied()
    }
}

/// Breadth first: the oldest state, until it forks.
#[derive(Default)]
pub struct Bfs {
    states: VecDeque<StateId>,
}

impl Searcher for Bfs {
    fn add(&mut self, state: &State, _: Outlook<'_>) {
        self.states.push_back(state.id);
    }

    fn update(&mut self, state: &State, _: Outlook<'_>) {
        // It has had its turn.
        if self.states.front() == Some(&state.id) {
            self.states.rotate_left(1);
        }
    }

    fn remove(&mut self, state: StateId) {
        if let Some(at) = self.states.iter().position(|&id| id == state) {
            self.states.remove(at);
        }
    }

    fn next(&mut self, _: Outlook<'_>) -> Option<StateId> {
        self.states.front().copied()
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

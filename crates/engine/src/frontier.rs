//! The states of a run: which there are, of what kind, and what the searchers know of them.

use std::collections::HashMap;

use crate::coverage::Coverage;
use crate::search::{Kind, Outlook, Searchers, Tree};
use crate::state::{State, StateId};

/// All states that have not ended.
pub(crate) struct Frontier<'s> {
    searchers: &'s mut Searchers,
    tree: Tree,
    states: HashMap<StateId, Box<State>>,
    /// The state that has the machine, while nobody runs it.
    running: Option<Box<State>>,
    n_feasible: usize,
    /// The only feasible state, once a searcher has named it.
    only: Option<StateId>,
}

fn kind(state: &State) -> Kind {
    if state.awaited.is_some() { Kind::Pending } else { Kind::Feasible }
}

impl<'s> Frontier<'s> {
    pub fn new(searchers: &'s mut Searchers) -> Self {
        let tree = Tree::default();
        Self { searchers, tree, states: HashMap::new(), running: None, n_feasible: 0, only: None }
    }

    pub fn n_states(&self) -> usize {
        self.states.len() + usize::from(self.running.is_some())
    }

    pub fn n_pending(&self) -> usize {
        self.n_states() - self.n_feasible
    }

    /// One of the states a run begins with.
    pub fn first(&mut self, state: Box<State>) {
        self.states.insert(state.id, state);
    }

    /// All states it begins with are there.
    pub fn plant(&mut self, coverage: &Coverage) {
        let mut first: Vec<_> = self.states.values().map(|state| (state.id, kind(state))).collect();
        first.sort_by_key(|(id, _)| *id);
        self.tree.plant(&first);
        for (id, kind) in first {
            let outlook = Outlook { tree: &self.tree, coverage };
            self.searchers.of(kind).add(&self.states[&id], outlook);
            self.n_feasible += usize::from(kind == Kind::Feasible);
        }
    }

    /// `child` has parted from `parent`.
    pub fn fork(&mut self, parent: StateId, child: Box<State>, coverage: &Coverage) {
        let kind = kind(&child);
        self.tree.fork(parent, child.id, kind);
        self.searchers.of(kind).add(&child, Outlook { tree: &self.tree, coverage });
        if kind == Kind::Feasible {
            self.n_feasible += 1;
            self.only = None;
        }
        self.states.insert(child.id, child);
    }

    /// A pending state has turned out to be possible.
    pub fn revived(&mut self, state: Box<State>, coverage: &Coverage) {
        self.searchers.pending.remove(state.id);
        self.tree.set_kind(state.id, Kind::Feasible);
        self.searchers.feasible.add(&state, Outlook { tree: &self.tree, coverage });
        self.n_feasible += 1;
        self.only = Some(state.id).filter(|_| self.n_feasible == 1);
        self.states.insert(state.id, state);
    }

    /// The state has had its turn and keeps the machine.
    pub fn put_back(&mut self, state: Box<State>, coverage: &Coverage) {
        self.searchers.feasible.update(&state, Outlook { tree: &self.tree, coverage });
        self.running = Some(state);
    }

    /// The state, which somebody has taken, has ended.
    pub fn end(&mut self, state: StateId, kind: Kind) {
        self.searchers.of(kind).remove(state);
        self.tree.remove(state);
        if kind == Kind::Feasible {
            self.n_feasible -= 1;
            self.only = None;
        }
    }

    /// The feasible state to run now.
    pub fn next_feasible(&mut self, coverage: &Coverage) -> Option<StateId> {
        if self.n_feasible == 0 {
            return None;
        }
        if self.n_feasible > 1 || self.only.is_none() {
            let outlook = Outlook { tree: &self.tree, coverage };
            let next = self.searchers.feasible.next(outlook);
            self.only = next.filter(|_| self.n_feasible == 1);
            return next;
        }
        self.only
    }

    /// Takes the pending state to ask about now.
    pub fn next_pending(&mut self, coverage: &Coverage) -> Option<Box<State>> {
        let outlook = Outlook { tree: &self.tree, coverage };
        let next = self.searchers.pending.next(outlook)?;
        Some(self.take(next))
    }

    pub fn take(&mut self, id: StateId) -> Box<State> {
        let running = self.running.take_if(|state| state.id == id);
        running
            .or_else(|| self.states.remove(&id))
            .expect("searchers return states they were given")
    }

    /// Takes the state that has the machine, if it is another than this.
    pub fn take_running_but(&mut self, id: StateId) -> Option<Box<State>> {
        self.running.take_if(|state| state.id != id)
    }

    /// A state that somebody has taken is back, without the machine.
    pub fn keep(&mut self, state: Box<State>) {
        self.states.insert(state.id, state);
    }

    /// All states, in the order they came into being.
    #[expect(clippy::vec_box, reason = "states change hands often and are not small")]
    pub fn into_states(self) -> Vec<Box<State>> {
        let mut states: Vec<_> = self.running.into_iter().chain(self.states.into_values()).collect();
        states.sort_by_key(|state| state.id);
        states
    }
}

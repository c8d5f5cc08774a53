//! Which excursion comes next: the one that leaves the test's path deepest; within one, the oldest
//! state first.

use std::collections::{BTreeMap, HashMap};

use fathom_engine::hooks::{Outlook, Searcher, Searchers};
use fathom_engine::{State, StateId};

use crate::pass::Pass;

/// The searchers of a pass.
pub fn searchers(pass: &Pass) -> Searchers {
    let deepest = || Box::new(Deepest::new(pass));
    Searchers {
        feasible: deepest(),
        pending: deepest(),
        hard: deepest(),
        hardest: deepest(),
        resting: deepest(),
    }
}

/// By how deep their excursion left the test's path, deepest first, then by age. The state on the
/// path itself comes before all.
struct Deepest {
    pass: Pass,
    states: BTreeMap<Place, StateId>,
    /// With the number of forks it had made when it came.
    places: HashMap<StateId, (Place, u32)>,
    n_added: u64,
}

/// How far from the end of the test's path, and when it came.
type Place = (u32, u64);

impl Deepest {
    fn new(pass: &Pass) -> Self {
        Self { pass: pass.clone(), states: BTreeMap::new(), places: HashMap::new(), n_added: 0 }
    }
}

impl Searcher for Deepest {
    fn add(&mut self, state: &State, _: Outlook<'_>) {
        let place = (u32::MAX - self.pass.left_at(state.id), self.n_added);
        self.n_added += 1;
        self.states.insert(place, state.id);
        self.places.insert(state.id, (place, state.depth));
    }

    /// A state that has forked is as new as its copy.
    fn update(&mut self, state: &State, outlook: Outlook<'_>) {
        if self.places.get(&state.id).is_some_and(|(_, depth)| *depth != state.depth) {
            self.remove(state.id);
            self.add(state, outlook);
        }
    }

    fn remove(&mut self, state: StateId) {
        if let Some((place, _)) = self.places.remove(&state) {
            self.states.remove(&place);
        }
    }

    fn next(&mut self, _: Outlook<'_>) -> Option<StateId> {
        self.states.first_key_value().map(|(_, &state)| state)
    }
}

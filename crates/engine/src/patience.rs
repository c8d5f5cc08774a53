//! States that do much and come to nothing new: they may never end, so the pending ones have their
//! turn too.

use crate::engine::Engine;
use crate::frontier::Frontier;
use crate::state::State;

/// A decision keeps the engine as busy as so many instructions.
const DECISION: u64 = 64;
/// So does a query, one whose answer is known by now too, and every few decisions before it make it
/// dearer.
const QUERY: u64 = 512;
const DEARER: u32 = 16;

/// What a state has done in vain.
#[derive(Clone, Copy, Default)]
pub(crate) struct Patience {
    /// Since it last came to new code or had a rest.
    effort: u64,
    /// Since it last came to new code.
    n_rests: u8,
    pub is_resting: bool,
}

/// Where a turn began.
pub(crate) struct Start {
    instructions: u64,
    depth: u32,
    queries: u64,
}

/// For what those that have rested do, the others do so many times as much.
const OTHERS: i64 = 3;

/// Whose turn it is.
#[derive(Default)]
pub(crate) struct Shares {
    /// What others have done and they have not.
    owed: i64,
}

impl Shares {
    fn count(&mut self, effort: u64, has_rested: bool, most: u64) {
        let effort = effort as i64;
        self.owed = if has_rested {
            self.owed - OTHERS * effort
        } else {
            (self.owed + effort).min(most as i64)
        };
    }

    /// Nobody rests, so nothing is owed.
    fn settle(&mut self) {
        self.owed = self.owed.min(0);
    }

    fn is_turn_of_resting(&self, patience: u64) -> bool {
        self.owed >= patience as i64
    }
}

impl Engine<'_> {
    pub(crate) fn start_of_turn(&self, state: &State) -> Start {
        Start { instructions: state.instructions, depth: state.depth, queries: self.n_questions() }
    }

    fn n_questions(&self) -> u64 {
        self.solver.stats.queries + self.refuted.n_found
    }

    fn effort(&self, state: &State, start: &Start) -> u64 {
        let decisions = u64::from(state.depth - start.depth);
        let queries = self.n_questions() - start.queries;
        state.instructions - start.instructions
            + DECISION * decisions
            + queries * (QUERY + u64::from(state.depth / DEARER))
    }

    /// After a turn, whether the state should rest: it has used up its patience, which is longer
    /// after every rest, and others wait.
    pub(crate) fn is_tired(
        &self,
        state: &mut State,
        start: &Start,
        frontier: &mut Frontier<'_>,
    ) -> bool {
        let Some(patience) = self.config.patience else { return false };
        let effort = self.effort(state, start);
        frontier.shares.count(effort, state.patience.n_rests > 0, patience);
        if state.covered_at > start.instructions {
            state.patience = Patience::default();
            return false;
        }
        state.patience.effort += effort;
        let Patience { effort, n_rests, .. } = state.patience;
        if effort < patience * (1 + u64::from(n_rests))
            || frontier.n_pending() == 0
            || state.is_guided()
        {
            return false;
        }
        if frontier.n_resting() == 0 {
            frontier.shares.settle();
        }
        state.patience =
            Patience { effort: 0, n_rests: n_rests.saturating_add(1), is_resting: true };
        true
    }

    pub(crate) fn is_turn_of_resting(&self, frontier: &Frontier<'_>) -> bool {
        let is_due = |patience| frontier.shares.is_turn_of_resting(patience);
        frontier.n_resting() > 0 && self.config.patience.is_some_and(is_due)
    }
}

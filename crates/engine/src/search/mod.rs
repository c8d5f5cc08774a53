//! Which state runs next.

mod distance;
mod graph;
mod new_code;
mod order;
mod random;
mod stacks;
#[cfg(test)]
mod tests;
mod tree;
mod weighted;
mod weights;

pub use distance::Distances;
pub use new_code::NewCodeFirst;
pub use order::{Bfs, Dfs, Interleaved};
pub use random::{Random, RandomPath, RandomState};
pub use tree::{Kind, Tree};
pub use weighted::{Weigh, Weighted};
pub use weights::{ByCallPath, ByDepth, ByDistance, ByNewCode, ByQueries, ByVisits};

use crate::coverage::Coverage;
use crate::state::{State, StateId};

/// What searchers can see of the run.
#[derive(Clone, Copy)]
pub struct Outlook<'a> {
    pub tree: &'a Tree,
    pub coverage: &'a Coverage,
}

/// Chooses among states of one kind: those that can run, or those that wait to be asked about.
/// The engine keeps the states; a searcher knows them by their ids.
pub trait Searcher {
    /// A state to choose from.
    fn add(&mut self, state: &State, outlook: Outlook<'_>);
    /// The state has run on: it is longer, deeper, elsewhere.
    fn update(&mut self, _state: &State, _outlook: Outlook<'_>) {}
    /// The state has ended, or is of the other kind now.
    fn remove(&mut self, state: StateId);
    /// The best state now, or `None` when none is left. It stays among the states.
    fn next(&mut self, outlook: Outlook<'_>) -> Option<StateId>;
}

/// The searchers of a run.
pub struct Searchers {
    /// Of states that can run.
    pub feasible: Box<dyn Searcher>,
    /// Of states that wait until somebody asks whether they are possible.
    pub pending: Box<dyn Searcher>,
    /// Of those among them that the cheap layers of the solver could not decide.
    pub hard: Box<dyn Searcher>,
    /// Of those that the first steps of the SMT solver did not decide either.
    pub hardest: Box<dyn Searcher>,
    /// Of states that could run, but have come to nothing new for long.
    pub resting: Box<dyn Searcher>,
}

impl Searchers {
    /// The one that chooses among states of this kind.
    pub(crate) fn of(&mut self, kind: Kind) -> &mut dyn Searcher {
        let searcher = match kind {
            Kind::Feasible => &mut self.feasible,
            Kind::Pending => &mut self.pending,
            Kind::Hard => &mut self.hard,
            Kind::Hardest => &mut self.hardest,
            Kind::Resting => &mut self.resting,
        };
        &mut **searcher
    }
}

impl Default for Searchers {
    /// Depth first.
    fn default() -> Self {
        let dfs = || Box::new(Dfs::default());
        let resting = Box::new(Bfs::default());
        Self { feasible: dfs(), pending: dfs(), hard: dfs(), hardest: dfs(), resting }
    }
}

//! The searchers that a user can choose, by name.

use clap::ValueEnum;
use fathom_engine::hooks::{
    Bfs, ByDepth, Dfs, Interleaved, Kind, RandomPath, RandomState, Searcher, Searchers, Weighted,
};

/// How branches fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Fork {
    /// Follow the path that is known to be possible; ask about the other sides when it has ended
    Pending,
    /// Ask the solver about the other side of every branch at once
    Eager,
}

/// Which state is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Search {
    /// The newest first
    Dfs,
    /// The oldest first
    Bfs,
    /// One from the execution tree: each subtree has the same chance
    RandomPath,
    /// Each state has the same chance
    RandomState,
    /// The more forks lie on the way to a state, the better its chances
    DepthBiased,
}

impl Search {
    fn searcher(self, kind: Kind, seed: u64) -> Box<dyn Searcher> {
        match self {
            Self::Dfs => Box::new(Dfs::default()),
            Self::Bfs => Box::new(Bfs::default()),
            Self::RandomPath => Box::new(RandomPath::new(kind, seed)),
            Self::RandomState => Box::new(RandomState::new(seed)),
            Self::DepthBiased => Box::new(Weighted::new(ByDepth, seed)),
        }
    }
}

/// The searchers named, several of a kind taking turns.
pub fn searchers(feasible: &[Search], pending: &[Search], seed: u64) -> Searchers {
    let build = |names: &[Search], kind: Kind| -> Box<dyn Searcher> {
        match names {
            [one] => one.searcher(kind, seed),
            _ => {
                let each = names.iter().map(|name| name.searcher(kind, seed));
                Box::new(Interleaved::new(each.collect()))
            }
        }
    };
    Searchers { feasible: build(feasible, Kind::Feasible), pending: build(pending, Kind::Pending) }
}

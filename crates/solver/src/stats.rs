//! Counts of what was asked and which layer answered.

use std::ops::{Index, IndexMut};
use std::time::Duration;

use crate::answer::{Answer, Failure};

/// The layers of the chain, in the order they are asked first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayerKind {
    Cache,
    Domains,
    Reasons,
    Values,
    Models,
    Diagram,
    Backend,
}

impl LayerKind {
    pub const ALL: [Self; 7] = [
        Self::Cache,
        Self::Domains,
        Self::Reasons,
        Self::Values,
        Self::Models,
        Self::Diagram,
        Self::Backend,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Cache => "cache",
            Self::Domains => "domains",
            Self::Reasons => "reasons",
            Self::Values => "values",
            Self::Models => "models",
            Self::Diagram => "diagram",
            Self::Backend => "backend",
        }
    }
}

/// One layer's share.
#[derive(Clone, Copy, Default, Debug)]
pub struct LayerStats {
    pub asked: u64,
    pub answered: u64,
    /// Spent in this layer alone. The cache and the domains are faster than a clock and not timed.
    pub time: Duration,
    /// Spent on the query that took longest.
    pub longest: Duration,
}

impl LayerStats {
    pub(crate) fn spend(&mut self, time: Duration) {
        self.time += time;
        self.longest = self.longest.max(time);
    }
}

/// What the solver did so far.
#[derive(Clone, Default, Debug)]
pub struct Stats {
    /// Calls of `check`, `quick` and `may_be`, and those that the other methods make.
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub failures: u64,
    /// `quick` calls that the cheap layers could not decide.
    pub undecided: u64,
    /// Spent on queries that were satisfiable, that were not, and that were not decided.
    pub sat_time: Duration,
    pub unsat_time: Duration,
    pub undecided_time: Duration,
    /// Models that a layer gave and that do not satisfy the query: defects of ours.
    pub wrong_models: u64,
    /// Queries that a second solver was asked too, and those where it disagreed.
    pub cross_checked: u64,
    pub mismatches: u64,
    /// Queries that the second solver could not decide in its time.
    pub not_compared: u64,
    /// Scripts of the first queries where it disagreed.
    pub disputed: Vec<String>,
    /// Queries that could not be written down.
    pub unrecorded: u64,
    layers: [LayerStats; LayerKind::ALL.len()],
}

impl Stats {
    /// A query that took `time` has come to this.
    pub(crate) fn count(&mut self, decision: Result<Option<&Answer>, &Failure>, time: Duration) {
        self.queries += 1;
        let (count, spent) = match decision {
            Ok(Some(Answer::Sat(_))) => (&mut self.sat, &mut self.sat_time),
            Ok(Some(Answer::Unsat)) => (&mut self.unsat, &mut self.unsat_time),
            Ok(None) => (&mut self.undecided, &mut self.undecided_time),
            Err(_) => (&mut self.failures, &mut self.undecided_time),
        };
        *count += 1;
        *spent += time;
    }
}

impl Index<LayerKind> for Stats {
    type Output = LayerStats;
    fn index(&self, layer: LayerKind) -> &LayerStats {
        &self.layers[layer as usize]
    }
}

impl IndexMut<LayerKind> for Stats {
    fn index_mut(&mut self, layer: LayerKind) -> &mut LayerStats {
        &mut self.layers[layer as usize]
    }
}

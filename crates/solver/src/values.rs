//! The value layer: what a term can be at all, by the constraints on it and on what it is made of.

use std::time::Instant;

use fathom_expr::{Exclusion, ExprId, Notes, Pool};

use crate::answer::Answer;
use crate::layer::{Context, Decision, Layer, Query};
use crate::path::conjuncts;
use crate::stats::LayerKind;

/// Which conditions inside terms are looked into.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Small ones, and those that a constraint is about: before layers that take longer.
    Near,
    /// All: before the SMT solver.
    Far,
}

/// Steps for one query; some hundred nanoseconds each.
const MAX_STEPS: usize = 1_000_000;

/// Sees that a condition cannot hold where its terms have few values, such as pointers out of a
/// table; everything else goes to the layer below.
pub(crate) struct Values {
    reach: Reach,
    notes: Notes,
    below: Box<dyn Layer>,
}

impl Values {
    pub fn new(reach: Reach, below: Box<dyn Layer>) -> Self {
        Self { reach, notes: Notes::default(), below }
    }

    fn is_excluded(&mut self, pool: &mut Pool, query: &Query<'_>) -> bool {
        let asked = conjuncts(pool, query.condition);
        let constraints = query.slice.constraints().iter();
        let others: Vec<ExprId> =
            constraints.copied().filter(|constraint| !asked.contains(constraint)).collect();
        let question = Exclusion {
            asked: query.condition,
            domain: &|var| *query.slice.domain(var).words(),
            steps: if self.reach == Reach::Near { MAX_STEPS / 4 } else { MAX_STEPS },
            skips_conditions: self.reach == Reach::Near,
        };
        pool.excludes(&mut self.notes, &others, &question)
    }
}

impl Layer for Values {
    fn decide(&mut self, context: &mut Context<'_>, query: &Query<'_>) -> Decision {
        let start = Instant::now();
        let is_excluded = self.is_excluded(context.pool, query);
        let stats = &mut context.stats[LayerKind::Values];
        stats.asked += 1;
        stats.spend(start.elapsed());
        if is_excluded {
            stats.answered += 1;
            return Ok(Some(Answer::Unsat));
        }
        self.below.decide(context, query)
    }
}

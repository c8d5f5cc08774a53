//! The value layer: what a term can be at all, by the constraints on it and on what it is made of.

use std::time::Instant;

use crate::answer::Answer;
use crate::layer::{Context, Decision, Layer, Query};
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
    pub reach: Reach,
    pub below: Box<dyn Layer>,
}

impl Layer for Values {
    fn decide(&mut self, context: &mut Context<'_>, query: &Query<'_>) -> Decision {
        let start = Instant::now();
        let slice = query.slice;
        let domain = |var| *slice.domain(var).words();
        let constraints = slice.constraints().iter().copied();
        let is_near = self.reach == Reach::Near;
        let steps = if is_near { MAX_STEPS / 4 } else { MAX_STEPS };
        let is_excluded =
            context.pool.excludes(constraints, query.condition, &domain, steps, is_near);
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

//! The value layer: what a term can be at all, by the constraints on it and on what it is made of.

use std::time::Instant;

use crate::answer::Answer;
use crate::layer::{Context, Decision, Layer, Query};
use crate::stats::LayerKind;

/// Steps for one query; some ten nanoseconds each.
const MAX_STEPS: usize = 100_000;

/// Sees that a condition cannot hold where its terms have few values, such as pointers out of a
/// table; everything else goes to the layer below.
pub(crate) struct Values {
    pub below: Box<dyn Layer>,
}

impl Layer for Values {
    fn decide(&mut self, context: &mut Context<'_>, query: &Query<'_>) -> Decision {
        let start = Instant::now();
        let slice = query.slice;
        let domain = |var| *slice.domain(var).words();
        let constraints = slice.constraints().iter().copied();
        let is_excluded = context.pool.excludes(constraints, query.condition, &domain, MAX_STEPS);
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

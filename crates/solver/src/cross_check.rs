//! The cross-checking layer: a second solver is asked a sample of the queries.

use crate::answer::Answer;
use crate::backend::{Backend, Budget};
use crate::layer::{Context, Decision, Layer, Query};

/// Asks the second solver every `every`th decided query and counts the answers that differ.
pub(crate) struct CrossCheck {
    pub second: Box<dyn Backend>,
    pub budget: Budget,
    pub every: u64,
    pub n_seen: u64,
    pub below: Box<dyn Layer>,
}

impl Layer for CrossCheck {
    fn decide(&mut self, context: &mut Context<'_>, query: &Query<'_>) -> Decision {
        let decision = self.below.decide(context, query)?;
        if let Some(answer) = &decision {
            self.n_seen += 1;
            if self.n_seen.is_multiple_of(self.every) {
                self.compare(context, query, answer);
            }
        }
        Ok(decision)
    }
}

impl CrossCheck {
    fn compare(&mut self, context: &mut Context<'_>, query: &Query<'_>, answer: &Answer) {
        let constraints = query.original_constraints(context.pool);
        if let Ok(second) = self.second.solve(context.pool, &constraints, self.budget) {
            context.stats.cross_checked += 1;
            context.stats.mismatches += u64::from(second.is_sat() != answer.is_sat());
        }
    }
}

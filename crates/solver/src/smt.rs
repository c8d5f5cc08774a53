//! The last layer: the SMT solver.

use std::time::Instant;

use crate::backend::{Backend, Budget};
use crate::layer::{Context, Decision, Effort, Layer, Query};
use crate::stats::LayerKind;

/// Asks the backend, with the slice's constraints as they were added to the path:
/// one path's queries extend each other, which an incremental solver uses.
pub(crate) struct Smt {
    pub backend: Box<dyn Backend>,
    pub budget: Budget,
}

impl Layer for Smt {
    fn decide(&mut self, context: &mut Context<'_>, query: &Query<'_>) -> Decision {
        if query.effort == Effort::Cheap {
            return Ok(None);
        }
        let start = Instant::now();
        let constraints = query.original_constraints(context.pool);
        let mut budget = Budget { time: context.clock.left(), ..self.budget };
        if let Effort::Steps(steps) = query.effort {
            budget.steps = Some(budget.steps.map_or(steps, |limit| limit.min(steps)));
        }
        let answer = match query.effort {
            Effort::Brief => self.backend.try_briefly(context.pool, &constraints, budget),
            _ => self.backend.solve(context.pool, &constraints, budget),
        };
        let stats = &mut context.stats[LayerKind::Backend];
        stats.asked += 1;
        stats.spend(start.elapsed());
        stats.answered += u64::from(answer.is_ok());
        match query.effort {
            Effort::Full => answer.map(Some),
            _ => Ok(answer.ok()),
        }
    }
}

//! The value layer: what a term can be at all, by the constraints on it and on what it is made of.

use std::ops::RangeInclusive;
use std::time::Instant;

use fathom_expr::{Exclusion, ExprId, Finding, Notes, Pool, Reason};

use crate::answer::Answer;
use crate::layer::{Context, Decision, Effort, Layer, Query};
use crate::stats::LayerKind;

/// Which conditions inside terms are looked into.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Small ones, and those that a constraint is about: before layers that take longer.
    Near,
    /// All: before the SMT solver.
    Far,
}

/// Steps for one query; some hundred nanoseconds each. Fewer where they were in vain lately.
const STEPS: RangeInclusive<usize> = 1 << 14..=1 << 20;
/// The most for a query that is to be cheap.
const CHEAP_STEPS: usize = 1 << 16;

/// The steps that an answer is worth: the layers below take longer.
const WORTH: usize = 1 << 14;
/// Steps that may be in vain at first, and the most that answers earn beyond those they took.
const CREDIT: usize = 1 << 20;
/// Where the credit is used up, one question in so many is looked into.
const SELDOM: u32 = 16;

/// Sees that a condition cannot hold where its terms have few values, such as pointers out of a
/// table; everything else goes to the layer below.
pub(crate) struct Values {
    reach: Reach,
    notes: Notes,
    steps: usize,
    /// Steps that may still be in vain before questions are passed over.
    credit: usize,
    /// Questions passed over since one was looked into.
    n_passed: u32,
    below: Box<dyn Layer>,
}

impl Values {
    pub fn new(reach: Reach, below: Box<dyn Layer>) -> Self {
        let (notes, steps) = (Notes::default(), *STEPS.end());
        Self { reach, notes, steps, credit: CREDIT, n_passed: 0, below }
    }

    /// Looking was in vain too often on this program to do it every time. Before the SMT solver it
    /// always pays.
    fn passes_over(&mut self) -> bool {
        if self.reach == Reach::Far || self.credit > 0 {
            return false;
        }
        self.n_passed = (self.n_passed + 1) % SELDOM;
        self.n_passed != 0
    }

    fn reason(&mut self, pool: &mut Pool, query: &Query<'_>, asked: ExprId) -> Option<Reason> {
        let most = if query.effort == Effort::Cheap { CHEAP_STEPS } else { usize::MAX };
        let steps = self.steps.min(most);
        let question = Exclusion {
            constraints: query.slice.constraints(),
            asked,
            domain: &|var| *query.slice.domain(var).words(),
            steps,
            skips_conditions: self.reach == Reach::Near,
        };
        let (finding, taken) = pool.excludes(&mut self.notes, &question);
        self.credit = self.credit.saturating_sub(taken);
        match finding {
            Finding::Excluded(reason) => {
                self.credit = (self.credit + taken + WORTH).min(CREDIT);
                self.steps = (2 * self.steps).min(*STEPS.end());
                Some(reason)
            }
            Finding::Open => None,
            Finding::OutOfSteps if steps < self.steps => None,
            Finding::OutOfSteps => {
                self.steps = (self.steps / 2).max(*STEPS.start());
                None
            }
        }
    }
}

impl Layer for Values {
    fn decide(&mut self, context: &mut Context<'_>, query: &Query<'_>) -> Decision {
        let Some(asked) = query.asked_here(context.pool) else {
            return self.below.decide(context, query);
        };
        if self.passes_over() {
            return self.below.decide(context, query);
        }
        let start = Instant::now();
        context.reason = self.reason(context.pool, query, asked);
        let stats = &mut context.stats[LayerKind::Values];
        stats.asked += 1;
        stats.spend(start.elapsed());
        if context.reason.is_some() {
            stats.answered += 1;
            return Ok(Some(Answer::Unsat));
        }
        self.below.decide(context, query)
    }
}

//! The backend to use: the bit-blaster where it can, Bitwuzla for the rest.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use fathom_expr::{ExprId, Pool};

use super::{Backend, Bitblast, Bitwuzla, Budget};
use crate::{Answer, Failure};

/// Steps after which a query is taken to need more than gates: some tens of milliseconds.
const BITBLAST_STEPS: u64 = 1000;

/// Asks the bit-blaster first, for a few steps, then Bitwuzla.
pub struct Standard {
    bitblast: Bitblast,
    bitwuzla: Bitwuzla,
}

impl Standard {
    /// A query ends with `Failure::Timeout` as soon as `interrupt` is set.
    pub fn new(interrupt: Arc<AtomicBool>) -> Self {
        let bitblast = Bitblast::new(interrupt.clone());
        Self { bitblast, bitwuzla: Bitwuzla::new(interrupt) }
    }
}

impl Backend for Standard {
    fn solve(
        &mut self,
        pool: &mut Pool,
        constraints: &[ExprId],
        budget: Budget,
    ) -> Result<Answer, Failure> {
        let started = Instant::now();
        if !self.bitwuzla.is_prepared(constraints)
            && let Ok(answer) = self.try_briefly(pool, constraints, budget)
        {
            return Ok(answer);
        }
        let time = budget.time.map(|time| time.saturating_sub(started.elapsed()));
        self.bitwuzla.solve(pool, constraints, Budget { time, ..budget })
    }

    fn try_briefly(
        &mut self,
        pool: &mut Pool,
        constraints: &[ExprId],
        budget: Budget,
    ) -> Result<Answer, Failure> {
        let steps = budget.steps.map_or(BITBLAST_STEPS, |steps| steps.min(BITBLAST_STEPS));
        self.bitblast.solve(pool, constraints, Budget { steps: Some(steps), ..budget })
    }
}

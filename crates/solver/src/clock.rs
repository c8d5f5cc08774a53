//! When a query has to end, for all layers alike.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::answer::Failure;

/// The deadline of a query, and the flag that asks every query to end.
#[derive(Clone, Copy)]
pub(crate) struct Clock<'a> {
    deadline: Option<Instant>,
    interrupt: &'a AtomicBool,
}

impl<'a> Clock<'a> {
    /// A query that may take `time` from now on.
    pub fn start(time: Option<Duration>, interrupt: &'a AtomicBool) -> Self {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Self { deadline, interrupt }
    }

    /// A failure if the time is up. Costs less than the evaluation of a constraint.
    pub fn look(&self) -> Result<(), Failure> {
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if is_late || self.interrupt.load(Ordering::Relaxed) {
            return Err(Failure::Timeout);
        }
        Ok(())
    }

    /// What is left of the query's time.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }
}

//! When a query has to end: its deadline, its steps, and the flag that asks it to from outside.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a query may use before it is given up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Wall-clock time. `None`: as long as it takes.
    pub time: Option<Duration>,
    /// Steps of the SAT solver, in the unit it asks in whether to go on: the same on every machine
    /// for the same sequence of queries. `None`: as many as it takes.
    pub steps: Option<u64>,
}

impl Budget {
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), steps: None }
    }

    pub fn steps(steps: u64) -> Self {
        Self { time: None, steps: Some(steps) }
    }
}

/// A running query's limits, asked by the solver every few steps.
pub(super) struct Watch {
    pub(super) deadline: Option<Instant>,
    steps_left: Option<u64>,
    pub(super) interrupt: Arc<AtomicBool>,
    /// Whether the query was told to end.
    pub(super) ended: bool,
}

impl Watch {
    pub(super) fn new(interrupt: Arc<AtomicBool>) -> Self {
        Self { deadline: None, steps_left: None, interrupt, ended: false }
    }

    pub(super) fn start(&mut self, budget: Budget) {
        self.deadline = budget.time.and_then(|time| Instant::now().checked_add(time));
        self.steps_left = budget.steps;
        self.ended = false;
    }

    /// Whether to end now: the deadline has passed or the flag is up.
    pub(super) fn is_over(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn step(&mut self) -> bool {
        if let Some(left) = &mut self.steps_left {
            match left.checked_sub(1) {
                Some(less) => *left = less,
                None => self.ended = true,
            }
        }
        self.ended |= self.is_over();
        self.ended
    }

    /// The termination callback; `state` is a `Watch`.
    pub(super) unsafe extern "C" fn callback(state: *mut c_void) -> i32 {
        // SAFETY: it is registered with a watch that outlives the solver, and nobody else looks at
        // the watch while the solver runs.
        unsafe { (*state.cast::<Watch>()).step().into() }
    }
}

//! Bitwuzla in this process, with one session per path that is being extended.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fathom_expr::{ExprId, Pool};
use rustc_hash::FxHashSet;

use super::session::Session;
use super::{Backend, Budget};
use crate::{Answer, Failure};

/// Sessions kept for paths that may be extended.
const MAX_SESSIONS: usize = 4;

/// The general backend: bit-vectors, tables and floating point.
pub struct Bitwuzla {
    /// The most recently used last.
    sessions: Vec<Session>,
    interrupt: Arc<AtomicBool>,
}

impl Bitwuzla {
    /// A query ends with `Failure::Timeout` as soon as `interrupt` is set.
    pub fn new(interrupt: Arc<AtomicBool>) -> Self {
        Self { sessions: Vec::new(), interrupt }
    }

    /// Takes out the session that has asserted the most of `constraints` and nothing else.
    fn take_session(&mut self, constraints: &[ExprId]) -> Session {
        let set: FxHashSet<ExprId> = constraints.iter().copied().collect();
        let best = (0..self.sessions.len())
            .filter(|&idx| self.sessions[idx].asserted().is_subset(&set))
            .max_by_key(|&idx| self.sessions[idx].asserted().len());
        match best {
            Some(idx) => self.sessions.remove(idx),
            None => Session::new(self.interrupt.clone()),
        }
    }

    fn keep(&mut self, session: Session) {
        if session.is_worn() {
            return;
        }
        if self.sessions.len() == MAX_SESSIONS {
            self.sessions.remove(0);
        }
        self.sessions.push(session);
    }
}

impl Backend for Bitwuzla {
    fn solve(
        &mut self,
        pool: &mut Pool,
        constraints: &[ExprId],
        budget: Budget,
    ) -> Result<Answer, Failure> {
        let mut session = self.take_session(constraints);
        let answer = session.solve(pool, constraints, budget)?;
        self.keep(session);
        Ok(answer)
    }
}

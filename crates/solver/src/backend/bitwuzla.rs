//! Bitwuzla in this process, with one session per path that is being extended.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fathom_expr::{ExprId, Pool};
use rustc_hash::FxHashSet;

use super::session::Session;
use super::{Backend, Budget};
use crate::{Answer, Failure};

/// Sessions kept for paths that may be extended, and the terms of all of them together: each takes
/// some hundreds of bytes.
const MAX_SESSIONS: usize = 4;
const MAX_TERMS: usize = 1_000_000;
/// Terms of a session that it would be a waste to build elsewhere.
const LARGE: usize = 2_000;

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

    /// The session that has asserted the most of `constraints` and nothing else.
    fn best_session(&self, constraints: &[ExprId]) -> Option<usize> {
        let set: FxHashSet<ExprId> = constraints.iter().copied().collect();
        (0..self.sessions.len())
            .filter(|&idx| self.sessions[idx].asserted().is_subset(&set))
            .max_by_key(|&idx| self.sessions[idx].asserted().len())
    }

    /// Whether there is a large session that knows most of `constraints` already.
    pub(super) fn is_prepared(&self, constraints: &[ExprId]) -> bool {
        let Some(best) = self.best_session(constraints) else { return false };
        let session = &self.sessions[best];
        session.n_terms() >= LARGE && 2 * session.asserted().len() >= constraints.len()
    }

    fn keep(&mut self, session: Session) {
        if session.is_worn() {
            return;
        }
        self.sessions.push(session);
        let n_terms = |sessions: &[Session]| sessions.iter().map(Session::n_terms).sum::<usize>();
        while self.sessions.len() > MAX_SESSIONS || n_terms(&self.sessions) > MAX_TERMS {
            self.sessions.remove(0);
        }
    }
}

impl Backend for Bitwuzla {
    fn solve(
        &mut self,
        pool: &mut Pool,
        constraints: &[ExprId],
        budget: Budget,
    ) -> Result<Answer, Failure> {
        let mut session = match self.best_session(constraints) {
            Some(best) => self.sessions.remove(best),
            None => Session::new(self.interrupt.clone(), constraints.len()),
        };
        let answer = session.solve(pool, constraints, budget)?;
        self.keep(session);
        Ok(answer)
    }
}

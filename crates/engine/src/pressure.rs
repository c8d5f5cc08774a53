//! What to do when memory is short: pending states that are not possible go first.

use std::sync::atomic::Ordering;

use fathom_solver::Answer;

use crate::engine::Engine;
use crate::frontier::Frontier;
use crate::hooks::Kind;
use crate::ledger::NOWHERE;
use crate::search::Random;
use crate::state::StateId;

/// One pending state in so many has to go.
const SHARE: usize = 4;

impl Engine<'_> {
    /// Makes room if somebody has asked for it.
    pub(crate) fn relieve(&mut self, frontier: &mut Frontier<'_>) {
        if !self.config.memory_is_short.swap(false, Ordering::Relaxed) {
            return;
        }
        let mut pending = frontier.pending();
        let mut must_go = pending.len().div_ceil(SHARE);
        let mut random = Random::new(pending.len() as u64);
        for at in (1..pending.len()).rev() {
            pending.swap(at, random.below(at + 1));
        }
        // Those that are not possible are no loss. Once all that are left must go, asking is vain.
        let mut kept = Vec::new();
        while let Some((id, kind)) = pending.pop() {
            if must_go == 0 || pending.len() + kept.len() < must_go || self.is_interrupted() {
                kept.push((id, kind));
                break;
            }
            match self.look_at_pending(frontier, id, kind) {
                Some(kind) => kept.push((id, kind)),
                None => must_go -= 1,
            }
        }
        kept.extend(pending);
        for &(id, kind) in kept.iter().rev().take(must_go) {
            drop(frontier.take(id));
            frontier.end(id, kind);
        }
        self.stats.dropped += must_go as u64;
        let what = "nobody asked whether a path is possible: dropped, memory was short";
        self.ledger.record_many(NOWHERE, what, must_go as u64);
        // SAFETY: gives free pages back to the system; no precondition.
        unsafe { libc::malloc_trim(0) };
    }

    /// Asks the cheap layers about a pending state and keeps the answer; `None` if it has gone.
    fn look_at_pending(
        &mut self,
        frontier: &mut Frontier<'_>,
        id: StateId,
        kind: Kind,
    ) -> Option<Kind> {
        let mut state = frontier.take(id);
        let awaited = state.awaited.as_mut().expect("a pending state");
        if kind != Kind::Pending || awaited.model.is_some() {
            frontier.keep(state);
            return Some(kind);
        }
        let (condition, model) = (awaited.condition, Some(&state.model));
        match self.solver.quick(&mut self.pool, &state.path, condition, model) {
            Some(Answer::Unsat) => {
                self.stats.infeasible += 1;
                frontier.end(id, kind);
                return None;
            }
            Some(Answer::Sat(model)) => awaited.model = Some(model),
            None => {
                awaited.kind = Kind::Hard;
                frontier.changed(state, kind, &self.coverage);
                return Some(Kind::Hard);
            }
        }
        frontier.keep(state);
        Some(kind)
    }
}

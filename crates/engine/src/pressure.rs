//! What to do when memory is short: at the pending states a few looks are taken, and those that are
//! not possible go for good; others, or states that could run where these are more, go to sleep: how
//! to come to them again is all that is kept. Once that takes more room than the states, half of it
//! is forgotten, and the ledger says so.

use std::sync::atomic::Ordering;

use fathom_solver::Answer;

use crate::engine::Engine;
use crate::frontier::Frontier;
use crate::hooks::Kind;
use crate::ledger::NOWHERE;
use crate::search::Random;
use crate::state::StateId;

/// One state in so many has to go.
const SHARE: usize = 2;
/// So many pending states at most are looked at each time: putting to sleep loses nothing.
const LOOKED_AT: usize = 64;
/// How many sleeping states take about as much room as one that is kept, and how few of them take
/// no room worth speaking of.
const SLEEPERS: usize = 16;
const FEW_SLEEPERS: usize = 1 << 16;
const FORGOTTEN: &str = "a path was forgotten: memory was short";

/// In an order that is the same every time.
pub(crate) fn shuffle<T>(items: &mut [T]) {
    let mut random = Random::new(items.len() as u64);
    for at in (1..items.len()).rev() {
        items.swap(at, random.below(at + 1));
    }
}

fn give_back_memory() {
    // SAFETY: gives free pages back to the system; no precondition.
    unsafe { libc::malloc_trim(0) };
}

impl Engine<'_> {
    /// Makes room among the states of which there are most, if somebody has asked for it.
    pub(crate) fn relieve(&mut self, frontier: &mut Frontier<'_>) {
        if !self.config.memory_is_short.load(Ordering::Relaxed) || self.is_interrupted() {
            return;
        }
        if frontier.n_asleep() > FEW_SLEEPERS.max(SLEEPERS * frontier.n_states()) {
            self.ledger.record_many(NOWHERE, FORGOTTEN, frontier.forget_half() as u64);
        } else if frontier.n_idle_feasible() > frontier.n_pending() {
            self.relieve_of_feasible(frontier);
        } else {
            self.relieve_of_pending(frontier);
        }
        if self.is_interrupted() {
            return;
        }
        give_back_memory();
        // Whoever looked meanwhile did not see what is free now.
        self.config.memory_is_short.store(false, Ordering::Relaxed);
    }

    fn relieve_of_feasible(&self, frontier: &mut Frontier<'_>) {
        let mut idle = frontier.idle_feasible();
        shuffle(&mut idle);
        idle.truncate(idle.len().div_ceil(SHARE));
        frontier.put_to_sleep(&idle, || self.is_interrupted());
    }

    fn relieve_of_pending(&mut self, frontier: &mut Frontier<'_>) {
        let mut pending = frontier.pending();
        let mut must_go = pending.len().div_ceil(SHARE);
        // By chance, not path by path, though states of one path share memory: what is left is more
        // varied, and covers more.
        shuffle(&mut pending);
        // Those that are not possible are no loss. Once all that are left must go, looking is vain.
        let mut kept = Vec::new();
        for _ in 0..LOOKED_AT {
            if must_go == 0 || pending.len() + kept.len() <= must_go || self.is_interrupted() {
                break;
            }
            let Some((id, kind)) = pending.pop() else { break };
            match self.look_at_pending(frontier, id, kind) {
                Some(kind) => kept.push((id, kind)),
                None => must_go -= 1,
            }
        }
        kept.extend(pending);
        let going = &kept[kept.len().saturating_sub(must_go)..];
        let n_gone = frontier.put_to_sleep(going, || self.is_interrupted());
        self.stats.dropped += n_gone as u64;
    }

    /// Looks whether a pending state is possible and keeps the answer; `None` if it has gone.
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
        let condition = awaited.condition;
        let answer = self.about_path(|engine| {
            engine.solver.glance(&mut engine.pool, &state.path, condition, &state.model)
        });
        match answer {
            Some(Answer::Unsat) => {
                self.stats.infeasible += 1;
                for observer in &mut self.hooks.observers {
                    observer.impossible(id);
                }
                frontier.end(id, kind);
                return None;
            }
            Some(Answer::Sat(model)) => awaited.model = Some(model),
            None => {}
        }
        frontier.keep(state);
        Some(kind)
    }
}

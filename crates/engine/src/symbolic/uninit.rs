//! `--check-uninit`: bytes that nobody has written are symbolic in a way of their own, and a bug is
//! reported where a decision hangs on one, as MemorySanitizer does. Copying them is no bug.

use fathom_expr::{ExprId, Model, Var};
use fathom_solver::Answer;

use crate::engine::Engine;
use crate::outcome::BugKind;
use crate::state::State;

/// The largest object whose bytes are followed.
const MAX_SIZE: u64 = 16 << 10;

/// Objects of one size that can be told apart: the next one has the names of the first again.
const N_NAMES: u32 = 16;

/// Which bytes of the pool stand for memory that nobody has written.
#[derive(Default)]
pub(crate) struct Uninit {
    /// Of a few inputs for each size of object.
    known: Vec<std::ops::Range<u32>>,
    /// Objects that were made.
    n_objects: u32,
}

impl Uninit {
    fn contains(&self, var: Var) -> bool {
        self.known.iter().any(|range| range.contains(&var.0))
    }
}

impl Engine<'_> {
    /// Notes that a new object's bytes have not been written.
    pub(crate) fn forget_bytes(&mut self, state: &mut State, address: u64, size: u64) {
        if !self.config.checks.uninit || address == 0 || size == 0 {
            return;
        }
        if size > MAX_SIZE {
            let site = self.own_site(state);
            self.ledger.record(site, "an object too large to follow what of it is written");
            return;
        }
        let name = format!("(uninitialised {})", self.uninit.n_objects % N_NAMES);
        self.uninit.n_objects += 1;
        let input = self.pool.input(&name, size as u32);
        let first = self.pool.input_info(input).first.0;
        let range = first..first + size as u32;
        if !self.uninit.known.contains(&range) {
            self.uninit.known.push(range);
        }
        let symbols: Vec<(u64, ExprId)> =
            (0..size).map(|at| (at, self.pool.byte(input, at as u32))).collect();
        state.memory.set_symbols(address, &symbols);
    }

    /// Reports a decision that hangs on bytes nobody has written; it is made as if they were 0.
    pub(super) fn check_initialised(&mut self, state: &mut State, expr: ExprId) {
        if self.uninit.known.is_empty() {
            return;
        }
        let support = self.pool.support(expr);
        let guilty: Vec<Var> = support.iter().filter(|&var| self.uninit.contains(var)).collect();
        if guilty.is_empty() {
            return;
        }
        // Does it come out otherwise for other values of them?
        let zeros: Model = guilty.iter().map(|&var| (var, 0)).collect();
        let settled = self.pool.substitute(expr, &zeros);
        let differs = self.pool.ne(expr, settled);
        match self.ask(state, differs) {
            Ok(Answer::Unsat) => return,
            Ok(Answer::Sat(changes)) => {
                let mut model = state.model.clone();
                model.update(&changes);
                let stop = self.bug(state, BugKind::UninitialisedRead);
                self.report(state, *stop, differs, model);
            }
            Err(failure) => self.note_failure(state, "what a decision hangs on", &failure),
        }
        for var in guilty {
            let byte = self.pool.var(var);
            self.bind(state, byte);
        }
    }
}

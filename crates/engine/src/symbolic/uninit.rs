//! `--check-uninit`: bytes that nobody has written are symbolic in a way of their own, and a bug is
//! reported where a decision hangs on one, as MemorySanitizer does. Copying them is no bug.

use fathom_expr::{ExprId, Var};

use crate::engine::Engine;
use crate::outcome::BugKind;
use crate::state::State;

/// The largest object whose bytes are followed.
const MAX_SIZE: u64 = 16 << 10;

/// The bytes nobody has written: those of the inputs with this name.
const NAME: &str = "(uninitialised)";

/// Which bytes of the pool stand for memory that nobody has written.
#[derive(Default)]
pub(crate) struct Uninit {
    /// Of one input for each size of object: bytes may share a name, for they are never solved for.
    known: Vec<std::ops::Range<u32>>,
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
        let input = self.pool.input(NAME, size as u32);
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
        let guilty: Vec<Var> =
            support.iter().copied().filter(|&var| self.uninit.contains(var)).collect();
        if guilty.is_empty() {
            return;
        }
        let stop = self.bug(state, BugKind::UninitialisedRead);
        let anything = self.pool.bool(true);
        let model = state.model.clone();
        self.report(state, *stop, anything, model);
        for var in guilty {
            let byte = self.pool.var(var);
            self.bind(state, byte);
        }
    }
}

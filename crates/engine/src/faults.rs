//! Faults that were put into the program on purpose: each is found once, and taken out then.
//!
//! They measure an exploration and must not change it. A path goes on behind a fault as if it were
//! not there, and only the cheap layers of the solver are asked about it: the others would spend
//! most of the run's time on faults in code like a scanner's tables. With relaxed checks a fault is
//! a check like all others, and the side that meets it is a pending path.

use fathom_expr::{ExprId, Model};
use fathom_ir::inst::{Inst, Op};
use fathom_solver::Answer;

use crate::engine::Engine;
use crate::outcome::{BugKind, Stop};
use crate::state::State;
use crate::step::Step;

impl Engine<'_> {
    /// A division by `fp[a] - imm`.
    pub(crate) fn exec_fault(&mut self, state: &mut State, fault: &Inst) -> Step {
        let fault = *fault;
        let value = state.slot_expr(&mut self.pool, fault.a);
        let own = self.pool.constant(64, fault.imm);
        let met = self.pool.eq(value, own);
        if self.config.checks.relaxed && self.pool.as_const(met).is_none() {
            let safe = self.pool.not(met);
            self.check_with(state, safe, |engine, state, _| engine.find_fault(state, fault))?;
        } else if let Some(changes) = self.meet(state, met) {
            let stop = self.find_fault(state, fault);
            self.report(state, *stop, met, changes);
        }
        self.advance(state);
        Ok(())
    }

    /// What to change in the state's model so that `met` holds, if it is easy to see.
    fn meet(&mut self, state: &State, met: ExprId) -> Option<Model> {
        if self.pool.eval_bool(met, &state.model) {
            return Some(Model::new());
        }
        match self.solver.quick(&mut self.pool, &state.path, met, Some(&state.model)) {
            Some(Answer::Sat(changes)) => Some(changes),
            Some(Answer::Unsat) | None => None,
        }
    }

    /// The report of a fault that was found. The fault is no longer there.
    fn find_fault(&mut self, state: &State, fault: Inst) -> Box<Stop> {
        let function = state.frames.last().expect("a running frame").function;
        let code = self.callee(function).code;
        // SAFETY: the state is at the fault, in the engine's own copy of the function, and nobody
        // holds a reference into it while a slow instruction executes.
        unsafe { *code.offset(state.ip.offset_from(code)) = Inst::new(Op::Count) };
        let message = format!(
            "not a bug of the program: --inject-faults put 1 / (value - {:#x}) here",
            fault.imm
        );
        self.bug_with(state, BugKind::Injected(fault.d), message)
    }
}

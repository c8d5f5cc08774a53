//! What happens when an operand is symbolic.

mod access;
mod branch;
mod call;
mod copy;
mod fork;
pub(crate) mod inputs;
mod klee;
mod luck;
mod math;
pub(crate) mod operands;
mod ops;
mod refuted;
mod sizes;
mod switch;
mod uninit;
mod vary;

use fathom_expr::ExprId;
use fathom_ir::inst::{Inst, Op};
use fathom_solver::Answer;

pub(crate) use fork::Revival;
pub(crate) use klee::Request;
pub use klee::makes_inputs;
pub(crate) use luck::Luck;
pub(crate) use math::Math;
pub(crate) use refuted::Refuted;
pub(crate) use switch::Cases;
pub(crate) use uninit::Uninit;
pub(crate) use vary::Variety;

use crate::engine::Engine;
use crate::state::State;
use crate::step::Step;
use operands::{CONTROL, MEMORY, OPERANDS};
use ops::Outcome;

impl Engine<'_> {
    /// Executes an instruction in a frame that may have symbolic slots, and goes to the next one.
    pub(crate) fn exec_symbolic(&mut self, state: &mut State, i: &Inst) -> Step {
        let flags = OPERANDS[i.op as usize];
        if flags & CONTROL != 0 {
            return self.exec_control(state, i);
        }
        if flags & MEMORY != 0 {
            return self.exec_memory(state, i);
        }
        let slots = operands::slots(i);
        if slots.reads().all(|slot| state.tag(slot).is_none()) {
            self.exec_concrete(state, i)?;
            state.forget_tags(slots.result.first, slots.result.n);
            self.advance(state);
            return Ok(());
        }
        let mut get = |pool: &mut _, slot| state.slot_expr(pool, slot);
        match ops::evaluate(&mut self.pool, i, &mut get) {
            Outcome::Values { checks, results } => {
                for check in checks.into_iter().flatten() {
                    self.check(state, check.bug, check.safe)?;
                }
                for (slot, value) in results.iter() {
                    self.set_value(state, slot, value);
                }
            }
            Outcome::Copy { from, to, n } => self.copy_slots(state, from, to, n),
            Outcome::Unsupported(what) => {
                for slot in slots.reads() {
                    self.concretise_slot(state, slot, what);
                }
                self.exec_concrete(state, i)?;
                state.forget_tags(slots.result.first, slots.result.n);
            }
        }
        self.advance(state);
        Ok(())
    }

    /// Instructions that touch memory, with operands of whatever kind.
    fn exec_memory(&mut self, state: &mut State, i: &Inst) -> Step {
        match i.op {
            Op::LoadN => self.exec_load_n(state, i),
            Op::StoreN => self.exec_store_n(state, i),
            Op::MemCpy | Op::MemMove | Op::MemSet => {
                let [to, from, size] =
                    [i.d, i.a, i.b].map(|slot| state.slot_expr(&mut self.pool, slot));
                match i.op {
                    Op::MemSet => self.fill_symbolic(state, to, from, size)?,
                    op => self.copy_symbolic(state, to, from, size, op == Op::MemMove)?,
                }
                self.advance(state);
                Ok(())
            }
            Op::AllocaDyn => {
                let count = state.slot_expr(&mut self.pool, i.b);
                let unit = self.pool.constant(64, i.imm);
                let size = self.pool.mul(count, unit);
                self.alloca_symbolic(state, i, size)
            }
            Op::Alloca => {
                self.exec_alloca(state, i, i.imm)?;
                self.advance(state);
                Ok(())
            }
            Op::StackSave => {
                state.set_slot(i.d, u64::from(state.memory.stack_mark().0));
                self.advance(state);
                Ok(())
            }
            Op::StackRestore => {
                let mark = self.concretise_slot(state, i.a, "a stack mark");
                state.memory.pop_stack(crate::memory::StackMark(mark as u32));
                self.advance(state);
                Ok(())
            }
            Op::VaStart => {
                self.concretise_slot(state, i.a, "the address of a va_list");
                self.exec_va_start(state, i)?;
                self.advance(state);
                Ok(())
            }
            _ => self.exec_access(state, i),
        }
    }

    /// The wide and rare instructions, all operands being concrete.
    fn exec_concrete(&mut self, state: &mut State, i: &Inst) -> Step {
        match i.op {
            Op::Soft => self.exec_soft(state, i),
            Op::Int => self.exec_int(state, i),
            Op::Wide => self.exec_wide(state, i),
            Op::Big => self.exec_big(state, i),
            Op::Float => self.exec_float(state, i),
            Op::Special => self.exec_special(state, i),
            Op::MoveN => {
                self.copy_slots(state, i.a, i.d, i.b);
                Ok(())
            }
            _ => unreachable!("{:?} is executed by the interpreter's loop", i.op),
        }
    }

    fn copy_slots(&mut self, state: &mut State, from: u32, to: u32, n: u32) {
        let values: Vec<_> =
            (from..from + n).map(|slot| (state.slot(slot), state.tag(slot))).collect();
        for (slot, (value, tag)) in (to..).zip(values) {
            state.set_slot(slot, value);
            if let Some(tag) = tag {
                state.set_tag(slot, tag);
            }
        }
    }

    /// Goes to the next instruction.
    pub(crate) fn advance(&self, state: &mut State) {
        // SAFETY: only control flow ends a function, and this is called after other instructions
        // and after calls.
        state.ip = unsafe { state.ip.add(1) };
    }

    /// Gives a slot of the innermost frame a value of 64 bits.
    pub(crate) fn set_value(&mut self, state: &mut State, slot: u32, value: ExprId) {
        match self.pool.as_const(value) {
            Some(value) => state.set_slot(slot, value),
            None => {
                let reach = self.frame_slots(state);
                state.make_symbolic(reach, 0);
                state.set_slot(slot, 0);
                state.set_tag(slot, value);
            }
        }
    }

    /// The slot's value, chosen by the state's model if it is symbolic; the path is bound to it.
    pub(crate) fn concretise_slot(&mut self, state: &mut State, slot: u32, what: &str) -> u64 {
        match state.tag(slot) {
            None => state.slot(slot),
            Some(expr) => {
                let value = self.concretise(state, expr, what);
                state.set_slot(slot, value);
                value
            }
        }
    }

    /// A value for `expr`, chosen by the state's model; the path is bound to it, and the ledger
    /// says so, unless the domains of the bytes show that there is no other.
    pub(crate) fn concretise(&mut self, state: &mut State, expr: ExprId, what: &str) -> u64 {
        if let Some(value) = self.pool.as_const(expr) {
            return value;
        }
        let chosen = self.chosen_by_model(state, expr);
        let other = self.pool.not(chosen);
        let glance = self.solver.glance(&mut self.pool, &state.path, other, &state.model);
        if !matches!(glance, Some(Answer::Unsat)) {
            let site = self.own_site(state);
            self.ledger.record(site, format!("concretised: {what}"));
        }
        self.bind(state, expr)
    }

    /// Binds the path to the value that the state's model gives `expr`.
    pub(crate) fn bind(&mut self, state: &mut State, expr: ExprId) -> u64 {
        let chosen = self.chosen_by_model(state, expr);
        self.constrain(state, chosen);
        self.pool.eval(expr, &state.model) as u64
    }

    /// A large term's value as a constant, if the path is bound to it and that is wanted.
    fn settled(&mut self, state: &State, expr: ExprId) -> ExprId {
        let is_wanted = self.is_large(expr)
            && self.hooks.checks.as_ref().is_some_and(|policy| policy.takes_bound_values());
        let bound = if is_wanted { self.bound_value(state, expr) } else { None };
        bound.map_or(expr, |value| self.pool.constant(self.pool.width(expr), value))
    }

    /// The value of `expr`, if a constraint says it outright.
    fn bound_value(&mut self, state: &State, expr: ExprId) -> Option<u64> {
        let chosen = self.chosen_by_model(state, expr);
        let is_bound = state.path.contains(&mut self.pool, chosen);
        is_bound.then(|| self.pool.eval(expr, &state.model) as u64)
    }

    /// That `expr` has the value that the state's model gives it.
    fn chosen_by_model(&mut self, state: &State, expr: ExprId) -> ExprId {
        let value = self.pool.eval(expr, &state.model) as u64;
        let width = self.pool.width(expr);
        let constant = self.pool.constant(width, value);
        self.pool.eq(expr, constant)
    }
}

//! Decisions: branches, switches, assumptions and checks.

use std::time::Instant;

use fathom_expr::{ExprId, Model};
use fathom_ir::inst::{Inst, Op};
use fathom_solver::{Answer, Failure};

use super::fork::Parted;
use super::operands::{OPERANDS, READS_A, READS_B};
use super::ops;
use crate::engine::Engine;
use crate::outcome::{BugKind, Limit, Stop};
use crate::state::State;
use crate::step::Step;
use crate::trail::Decision;

impl Engine<'_> {
    /// Control flow in a frame that may have symbolic slots.
    pub(super) fn exec_control(&mut self, state: &mut State, i: &Inst) -> Step {
        match i.op {
            Op::Switch => {
                self.settle_operands(state, i);
                self.exec_symbolic_switch(state, i)
            }
            Op::IndirectBr => {
                self.choose_value(state, i.a, "the target of a computed goto")?;
                self.exec_indirect_branch(state, i)
            }
            Op::Call | Op::CallExternal | Op::CallIndirect => self.exec_symbolic_call(state, i),
            Op::RetVoid | Op::Ret | Op::RetI | Op::RetN => self.exec_return(state, i),
            Op::Fault => self.exec_fault(state, i),
            _ => {
                self.settle_operands(state, i);
                let mut get = |pool: &mut _, slot| state.slot_expr(pool, slot);
                let condition = ops::condition(&mut self.pool, i, &mut get);
                let fused = matches!(i.op, Op::BrEq | Op::BrUlt | Op::BrSlt32 | Op::BrSlt64);
                let otherwise = if fused { i.imm as u32 } else { i.b };
                self.branch(state, condition, i.d as i32, otherwise as i32);
                Ok(())
            }
        }
    }

    /// Makes operands numbers where the path leaves the input bytes they are made of no choice: a
    /// program that has found out what a byte is asks the same variable again and again.
    fn settle_operands(&mut self, state: &mut State, i: &Inst) {
        let flags = OPERANDS[i.op as usize];
        for (flag, slot) in [(READS_A, i.a), (READS_B, i.b)] {
            let tag = if flags & flag != 0 { state.tag(slot) } else { None };
            if let Some(value) = tag.and_then(|tag| self.settled_value(state, tag)) {
                state.set_slot(slot, value);
            }
        }
    }

    /// The value of `expr` where the path leaves the input bytes it depends on no choice.
    pub(super) fn settled_value(&self, state: &State, expr: ExprId) -> Option<u64> {
        let is_settled = self.pool.width(expr) <= 64 && state.path.settles(&self.pool, expr);
        is_settled.then(|| self.pool.eval(expr, &state.model) as u64)
    }

    /// Goes on by `then` bytes if `condition` holds, else by `otherwise`; forks if both may be.
    fn branch(&mut self, state: &mut State, condition: ExprId, then: i32, otherwise: i32) {
        self.check_initialised(state, condition);
        let holds = self.pool.eval_bool(condition, &state.model);
        let (mine, other) = if holds { (then, otherwise) } else { (otherwise, then) };
        let ip = state.ip;
        if self.pool.as_const(condition).is_none() && then != otherwise {
            let not = self.pool.not(condition);
            let (kept, left) = if holds { (condition, not) } else { (not, condition) };
            let (site, own) = (self.site(state), self.own_site(state).loc);
            let [to, elsewhere] = [mine, other].map(|distance| {
                self.site_of(site.function, ip.wrapping_byte_offset(distance as isize)).loc
            });
            let follows = Decision { site, condition: kept, to, own, way: mine };
            match self.part_in_two(state, kept, left) {
                Parted::Fork(mut child) => {
                    child.leave_for(ip.wrapping_byte_offset(other as isize));
                    child.has_decided_with(state);
                    let to = elsewhere;
                    child.trail.push(Decision { site, condition: left, to, own, way: other });
                    self.forked.push(child);
                    self.keep_to(state, kept, left);
                    state.trail.push(follows);
                }
                Parted::Left => {
                    self.keep_to(state, kept, left);
                    state.trail.push(follows);
                }
                Parted::Impossible => {}
            }
        }
        state.ip = ip.wrapping_byte_offset(mine as isize);
        self.set_marks();
    }

    pub(super) fn ask(&mut self, state: &mut State, condition: ExprId) -> Result<Answer, Failure> {
        state.queries += 1;
        let answer = self.solver.check(&mut self.pool, &state.path, condition, Some(&state.model));
        self.cut_short |= answer.is_err() && self.is_interrupted();
        answer
    }

    /// Asks whether an operation can go wrong; nothing where nobody wants to know.
    pub(super) fn ask_check(
        &mut self,
        state: &mut State,
        condition: ExprId,
    ) -> Option<Result<Answer, Failure>> {
        let Some(mut policy) = self.hooks.checks.take() else {
            return Some(self.ask(state, condition));
        };
        let site = self.own_site(state);
        let answer = policy.wants(state, site).then(|| {
            let begun = Instant::now();
            let answer = self.ask(state, condition);
            policy.made(state, site, answer.is_ok(), begun.elapsed());
            answer
        });
        self.hooks.checks = Some(policy);
        answer
    }

    pub(super) fn note_failure(&mut self, state: &State, what: &str, failure: &Failure) {
        if self.is_interrupted() {
            self.cut_short = true;
            return;
        }
        let site = self.own_site(state);
        self.ledger.record(site, format!("the solver did not decide {what}: {failure}"));
    }

    /// Makes `condition` hold on this path from now on, if it can; else the path ends.
    pub(crate) fn assume(&mut self, state: &mut State, condition: ExprId) -> Step {
        if self.pool.is_true(condition) {
            return Ok(());
        }
        if !self.pool.eval_bool(condition, &state.model) {
            if std::mem::take(&mut state.follows_seed) {
                let site = self.own_site(state);
                self.remarks.record(site, "a seed's path was left: an assumption excludes it");
            }
            match self.ask(state, condition) {
                Ok(Answer::Sat(model)) => state.model.update(&model),
                Ok(Answer::Unsat) => {
                    return Err(Box::new(Stop::Dropped("an assumption cannot hold")));
                }
                Err(failure) => {
                    self.note_failure(state, "an assumption", &failure);
                    return Err(Box::new(Stop::Exhausted(Limit::Solver)));
                }
            }
        }
        self.constrain(state, condition);
        Ok(())
    }

    /// Reports a bug if `safe` can be false, and goes on where it is true.
    pub(crate) fn check(&mut self, state: &mut State, bug: BugKind, safe: ExprId) -> Step {
        self.check_with(state, safe, |engine, state, _| engine.bug(state, bug))
    }

    /// The same; `describe` makes the report, given the model in which `safe` is false.
    pub(crate) fn check_with(
        &mut self,
        state: &mut State,
        safe: ExprId,
        describe: impl Fn(&mut Self, &State, &Model) -> Box<Stop>,
    ) -> Step {
        if self.pool.is_true(safe) {
            return Ok(());
        }
        if self.config.checks.relaxed {
            return self.check_later(state, safe, describe);
        }
        if state.guide.is_some() {
            // Whoever was here first has asked.
            self.constrain(state, safe);
            return Ok(());
        }
        if state.path.contains(&mut self.pool, safe) {
            return Ok(());
        }
        let unsafe_ = self.pool.not(safe);
        let holds = self.pool.eval_bool(safe, &state.model);
        let violation = match holds {
            true => self.ask_check(state, unsafe_),
            false => Some(Ok(Answer::Sat(Model::new()))),
        };
        let Some(violation) = violation else {
            self.constrain(state, safe);
            return Ok(());
        };
        match violation {
            Ok(Answer::Unsat) => {
                state.path.learn(&mut self.pool, safe);
                return Ok(());
            }
            Ok(Answer::Sat(changes)) => {
                let mut model = state.model.clone();
                model.update(&changes);
                let stop = describe(self, state, &model);
                if !holds {
                    // Is there a safe case at all?
                    match self.ask(state, safe) {
                        Ok(Answer::Sat(changes)) => {
                            self.report(state, *stop, unsafe_, model);
                            state.model.update(&changes);
                        }
                        Ok(Answer::Unsat) => return Err(stop),
                        Err(failure) => {
                            self.note_failure(state, "a check", &failure);
                            return Err(stop);
                        }
                    }
                } else {
                    self.report(state, *stop, unsafe_, model);
                }
            }
            Err(failure) => self.note_failure(state, "a check", &failure),
        }
        self.constrain(state, safe);
        Ok(())
    }

    /// The same without asking the solver: the other case executes the instruction again.
    fn check_later(
        &mut self,
        state: &mut State,
        safe: ExprId,
        describe: impl Fn(&mut Self, &State, &Model) -> Box<Stop>,
    ) -> Step {
        if self.pool.eval_bool(safe, &state.model) {
            self.part_from_failure(state, safe);
            return Ok(());
        }
        self.decide(state, safe);
        let model = state.model.clone();
        Err(describe(self, state, &model))
    }

    /// Tells of a bug on a path that goes on elsewhere, the first time it is seen.
    pub(crate) fn report(&mut self, state: &State, stop: Stop, condition: ExprId, model: Model) {
        let news = match &stop {
            Stop::Bug(bug) => self.is_news(bug),
            _ => true,
        };
        if news {
            let ended = self.record(state, stop, Some((condition, model)));
            self.ended.push(ended);
        }
    }

    /// Whether `condition` holds on this path from now on. Where it may or may not, the other case
    /// goes on in a state that executes the same instruction again.
    pub(crate) fn decide(&mut self, state: &mut State, condition: ExprId) -> bool {
        let holds = self.pool.eval_bool(condition, &state.model);
        if self.pool.as_const(condition).is_none() {
            let not = self.pool.not(condition);
            let (kept, left) = if holds { (condition, not) } else { (not, condition) };
            match self.part_in_two(state, kept, left) {
                Parted::Fork(child) => {
                    self.forked.push(child);
                    self.keep_to(state, kept, left);
                }
                Parted::Left => self.keep_to(state, kept, left),
                Parted::Impossible => {}
            }
        }
        holds
    }
}

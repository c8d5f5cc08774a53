//! Decisions: branches, switches, checks, and choices between values.

use std::rc::Rc;

use fathom_expr::{ExprId, Model};
use fathom_ir::SwitchKind;
use fathom_ir::inst::{Inst, Op};
use fathom_solver::{Answer, Failure};

use super::ops;
use crate::engine::{Engine, NOT_REPEATED};
use crate::hooks::{BranchChoice, Kind};
use crate::outcome::{BugKind, Limit, Stop};
use crate::route::{Advice, Fork, Refused};
use crate::state::{Awaited, State, StateId};
use crate::step::Step;
use crate::trail::Decision;

/// What became of the side of a branch that a state does not follow.
pub(super) enum Parted {
    Fork(Box<State>),
    Impossible,
    /// Not explored: the ledger says why, unless that was asked for.
    Left,
}

/// What became of a pending state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Revival {
    Feasible,
    Infeasible,
    /// That much effort does not tell: it waits on.
    Hard,
    Undecided,
    /// The run ends before anybody could tell.
    Interrupted,
}

impl Engine<'_> {
    /// Control flow in a frame that may have symbolic slots.
    pub(super) fn exec_control(&mut self, state: &mut State, i: &Inst) -> Step {
        match i.op {
            Op::Switch => self.exec_symbolic_switch(state, i),
            Op::IndirectBr => {
                self.choose_value(state, i.a, "the target of a computed goto")?;
                self.exec_indirect_branch(state, i)
            }
            Op::Call | Op::CallExternal | Op::CallIndirect => self.exec_symbolic_call(state, i),
            Op::RetVoid | Op::Ret | Op::RetI | Op::RetN => self.exec_return(state, i),
            Op::Fault => self.exec_fault(state, i),
            _ => {
                let mut get = |pool: &mut _, slot| state.slot_expr(pool, slot);
                let condition = ops::condition(&mut self.pool, i, &mut get);
                let fused = matches!(i.op, Op::BrEq | Op::BrUlt | Op::BrSlt32 | Op::BrSlt64);
                let otherwise = if fused { i.imm as u32 } else { i.b };
                self.branch(state, condition, i.d as i32, otherwise as i32);
                Ok(())
            }
        }
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
            let site = self.site(state);
            let [to, elsewhere] = [mine, other].map(|distance| {
                self.site_of(site.function, ip.wrapping_byte_offset(distance as isize))
            });
            let follows = Decision { site, condition: kept, to };
            match self.part(state, left) {
                Parted::Fork(mut child) => {
                    child.leave_for(ip.wrapping_byte_offset(other as isize));
                    child.has_decided_with(state);
                    child.trail.push(Decision { site, condition: left, to: elsewhere });
                    self.forked.push(child);
                    self.constrain(state, kept);
                    state.trail.push(follows);
                }
                Parted::Left => {
                    self.constrain(state, kept);
                    state.trail.push(follows);
                }
                Parted::Impossible => {}
            }
        }
        state.ip = ip.wrapping_byte_offset(mine as isize);
    }

    /// A copy of `state` in which `condition` holds, which it does not in its model.
    pub(super) fn part(&mut self, state: &mut State, condition: ExprId) -> Parted {
        let advice = self.advice(state);
        self.part_as_advised(state, condition, advice)
    }

    fn part_as_advised(
        &mut self,
        state: &mut State,
        condition: ExprId,
        advice: Option<Advice>,
    ) -> Parted {
        match advice {
            None => {}
            Some(Advice::Fork(fork)) => {
                return Parted::Fork(self.defer_again(state, condition, fork));
            }
            Some(_) => {
                let glance =
                    self.solver.glance(&mut self.pool, &state.path, condition, &state.model);
                let impossible = matches!(glance, Some(Answer::Unsat));
                return if impossible { Parted::Impossible } else { Parted::Left };
            }
        }
        let site = self.site(state);
        let choice = self.hooks.branches.as_mut().map(|policy| policy.choose(site));
        if choice == Some(BranchChoice::Follow) || !state.forking {
            return Parted::Left;
        }
        if self.config.max_depth.is_some_and(|max| state.depth >= max) {
            self.ledger.record(site, "a branch was not explored: the depth limit");
            return Parted::Left;
        }
        if self.config.max_forks.is_some_and(|max| self.stats.forks >= max) {
            self.ledger.record(site, "a branch was not explored: the limit on forks");
            return Parted::Left;
        }
        if let Some(seeds) = self.part_seeds(state, condition) {
            return Parted::Fork(self.fork_seeded(state, condition, seeds));
        }
        if choice == Some(BranchChoice::Defer) {
            if self.config.vary {
                self.variety.learn(&mut self.pool, condition);
            }
            return match self.solver.glance(&mut self.pool, &state.path, condition, &state.model) {
                Some(Answer::Unsat) => Parted::Impossible,
                Some(Answer::Sat(model)) => Parted::Fork(self.defer(state, condition, Some(model))),
                None => Parted::Fork(self.defer(state, condition, None)),
            };
        }
        match self.ask(state, condition) {
            Ok(Answer::Unsat) => Parted::Impossible,
            Ok(Answer::Sat(model)) => Parted::Fork(self.fork(state, condition, model)),
            Err(failure) => {
                self.note_failure(state, "a branch", &failure);
                Parted::Left
            }
        }
    }

    /// What to do at the next decision, where the state repeats a path.
    pub(super) fn advice(&mut self, state: &mut State) -> Option<Advice> {
        if state.guide.is_some() && state.is_waypoint() {
            self.waypoint = Some(self.copy_of(state, state.id));
        }
        let at = state.next_decision();
        let guide = state.guide.as_mut()?;
        let mut advice = guide.at(at);
        if let Advice::Lost(count) = advice {
            let site = self.own_site(state);
            self.ledger.record_many(site, NOT_REPEATED, count);
            advice = Advice::Follow;
        }
        let guide = state.guide.as_ref()?;
        if guide.is_done(Some(at)) {
            self.stats.repeated += guide.repeated(state.instructions);
            if !guide.is_for_forks() {
                state.guide = None;
            }
        }
        Some(advice)
    }

    /// Takes from `state` the seeds that satisfy `condition`, if there are any.
    fn part_seeds(&mut self, state: &mut State, condition: ExprId) -> Option<Vec<Model>> {
        if state.seeds.is_empty() {
            return None;
        }
        let seeds = state.seeds.iter().cloned();
        let (theirs, ours): (Vec<_>, Vec<_>) =
            seeds.partition(|seed| self.pool.eval_bool(condition, seed));
        if theirs.is_empty() {
            return None;
        }
        state.seeds = Rc::new(ours);
        Some(theirs)
    }

    /// A copy of `state` that follows `seeds`, which satisfy one more condition.
    fn fork_seeded(
        &mut self,
        state: &mut State,
        condition: ExprId,
        mut seeds: Vec<Model>,
    ) -> Box<State> {
        let mut child = self.twin(state);
        child.path.add(&mut self.pool, condition);
        child.model = seeds.swap_remove(0);
        child.seeds = Rc::new(seeds);
        child
    }

    /// A copy of `state` with one more condition, and the changes to the model that satisfy it.
    /// Where branches are deferred it waits, too.
    pub(super) fn fork(
        &mut self,
        state: &mut State,
        condition: ExprId,
        model: Model,
    ) -> Box<State> {
        if let Some(seeds) = self.part_seeds(state, condition) {
            return self.fork_seeded(state, condition, seeds);
        }
        let site = self.site(state);
        let choice = self.hooks.branches.as_mut().map(|policy| policy.choose(site));
        if choice == Some(BranchChoice::Defer) {
            return self.defer(state, condition, Some(model));
        }
        let mut child = self.twin(state);
        child.path.add(&mut self.pool, condition);
        child.model.update(&model);
        child
    }

    /// A copy of `state` that waits for one more condition.
    fn defer(&mut self, state: &mut State, condition: ExprId, model: Option<Model>) -> Box<State> {
        let mut child = self.twin(state);
        child.awaited = Some(Box::new(Awaited { condition, model, kind: Kind::Pending }));
        child
    }

    /// The same, of a state that has forked before.
    fn defer_again(&mut self, state: &mut State, condition: ExprId, fork: Fork) -> Box<State> {
        let mut child = self.copy_of(state, fork.id);
        child.depth = fork.depth;
        child.awaited = Some(Box::new(Awaited { condition, model: None, kind: Kind::Pending }));
        child
    }

    fn twin(&mut self, state: &mut State) -> Box<State> {
        let id = self.next_state_id();
        let mut child = self.copy_of(state, id);
        state.depth += 1;
        child.depth += 1;
        self.stats.forks += 1;
        self.announce_fork(state, id);
        child
    }

    /// A copy that is about to execute the same instruction.
    fn copy_of(&mut self, state: &mut State, id: StateId) -> Box<State> {
        let frame_slots = self.frame_slots(state);
        let mut child = Box::new(state.fork(id, frame_slots));
        child.origin.parted = state.decided.map(|at| (state.id, at));
        child.rewind();
        child
    }

    /// Demands `condition`, which the state's model satisfies. Seeds that do not are left behind.
    pub(super) fn constrain(&mut self, state: &mut State, condition: ExprId) {
        state.path.add(&mut self.pool, condition);
        if state.seeds.iter().all(|seed| self.pool.eval_bool(condition, seed)) {
            return;
        }
        let site = self.own_site(state);
        let seeds = Rc::make_mut(&mut state.seeds);
        let before = seeds.len();
        seeds.retain(|seed| self.pool.eval_bool(condition, seed));
        let left = (before - seeds.len()) as u64;
        self.ledger.record_many(site, "a seed's path was left: its value was not chosen", left);
    }

    /// Asks whether a pending state is possible; if so it is pending no more. The first time only
    /// the cheap layers are asked, the second time the SMT solver for a few steps: what they cannot
    /// tell is more often impossible than not, and always dear.
    pub(crate) fn revive(&mut self, state: &mut State) -> Revival {
        let mut awaited = state.awaited.take().expect("a pending state");
        let condition = awaited.condition;
        let answer = match awaited.model.take() {
            Some(model) => Ok(Some(Answer::Sat(model))),
            None => self.ask_by_kind(state, condition, awaited.kind),
        };
        match answer {
            Ok(Some(Answer::Sat(model))) => {
                state.path.add(&mut self.pool, condition);
                state.model.update(&model);
                if self.config.vary {
                    self.vary(state);
                }
                Revival::Feasible
            }
            Ok(Some(Answer::Unsat)) => Revival::Infeasible,
            Ok(None) => {
                awaited.kind =
                    if awaited.kind == Kind::Pending { Kind::Hard } else { Kind::Hardest };
                state.awaited = Some(awaited);
                Revival::Hard
            }
            Err(_) if self.is_interrupted() => {
                state.awaited = Some(awaited);
                Revival::Interrupted
            }
            Err(failure) => {
                self.note_failure(state, "whether a path is possible", &failure);
                Revival::Undecided
            }
        }
    }

    /// Asks with the effort that a pending state of this kind deserves; none where it does not
    /// suffice.
    fn ask_by_kind(
        &mut self,
        state: &mut State,
        condition: ExprId,
        kind: Kind,
    ) -> Result<Option<Answer>, Failure> {
        let (pool, path, model) = (&mut self.pool, &state.path, Some(&state.model));
        match kind {
            Kind::Hardest => self.ask(state, condition).map(Some),
            Kind::Hard => {
                state.queries += 1;
                Ok(self.solver.brief(pool, path, condition, model))
            }
            Kind::Pending | Kind::Feasible => Ok(self.solver.quick(pool, path, condition, model)),
        }
    }

    pub(super) fn ask(&mut self, state: &mut State, condition: ExprId) -> Result<Answer, Failure> {
        state.queries += 1;
        let answer = self.solver.check(&mut self.pool, &state.path, condition, Some(&state.model));
        self.cut_short |= answer.is_err() && self.is_interrupted();
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
        let unsafe_ = self.pool.not(safe);
        let holds = self.pool.eval_bool(safe, &state.model);
        let violation =
            if holds { self.ask(state, unsafe_) } else { Ok(Answer::Sat(Model::new())) };
        match violation {
            Ok(Answer::Unsat) => return Ok(()),
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
        if self.decide(state, safe) {
            return Ok(());
        }
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
            match self.part(state, left) {
                Parted::Fork(child) => {
                    self.forked.push(child);
                    self.constrain(state, kept);
                }
                Parted::Left => self.constrain(state, kept),
                Parted::Impossible => {}
            }
        }
        holds
    }

    /// Chooses a value for a symbolic slot: one state goes on with each value it may have.
    pub(crate) fn choose_value(&mut self, state: &mut State, slot: u32, what: &str) -> Step {
        let Some(expr) = state.tag(slot) else { return Ok(()) };
        let value = self.choose(state, expr, what);
        state.set_slot(slot, value);
        Ok(())
    }

    /// One of the values of `expr`; the others go on in a state that executes the same instruction
    /// again.
    pub(super) fn choose(&mut self, state: &mut State, expr: ExprId, what: &str) -> u64 {
        let mine = self.pool.eval(expr, &state.model) as u64;
        self.part_from_others(state, mine, what, |engine, _, value| {
            let constant = engine.pool.constant(64, value);
            Some(engine.pool.eq(expr, constant))
        });
        self.bind(state, expr)
    }

    /// Of several cases, one of which is `mine`, this state goes on with that. A state for all
    /// others executes the instruction again and parts from those in turn. `holds` says under which
    /// condition a case is the one.
    pub(super) fn part_from_others(
        &mut self,
        state: &mut State,
        mine: u64,
        what: &str,
        holds: impl Fn(&mut Self, &State, u64) -> Option<ExprId>,
    ) {
        /// More cases than this are left out, and the ledger says so.
        const MAX_CASES: usize = 64;
        let Some(condition) = holds(self, state, mine) else { return };
        let before = state.decided;
        let advice = self.advice(state);
        let at = state.decided.expect("a decision is being made");
        let refused: Vec<u64> = match &advice {
            None => state.refused.take_if(|refused| refused.at == at).map_or(vec![], |it| it.cases),
            Some(Advice::Fork(fork)) => fork.refused.clone(),
            Some(_) => Vec::new(),
        };
        let mut others = self.pool.not(condition);
        for &case in &refused {
            let Some(refused) = holds(self, state, case) else { continue };
            let not = self.pool.not(refused);
            match advice {
                None => self.constrain(state, not),
                Some(_) => others = self.pool.and(others, not),
            }
        }
        if advice.is_none() && refused.len() + 1 == MAX_CASES {
            if !matches!(self.ask(state, others), Ok(Answer::Unsat)) {
                let site = self.own_site(state);
                self.ledger.record(site, format!("more than {MAX_CASES} values of {what}"));
            }
            self.constrain(state, condition);
            return;
        }
        match self.part_as_advised(state, others, advice) {
            Parted::Fork(mut child) => {
                let cases = [refused, vec![mine]].concat();
                child.refused = Some(Box::new(Refused { at, cases }));
                child.decided = before;
                self.forked.push(child);
                self.constrain(state, condition);
            }
            Parted::Left => self.constrain(state, condition),
            Parted::Impossible => {}
        }
    }

    fn exec_symbolic_switch(&mut self, state: &mut State, i: &Inst) -> Step {
        let function = state.frames.last().expect("a running frame").function;
        let switch = &self.program.functions[function].switches[i.imm as usize];
        let value = state.slot_expr(&mut self.pool, i.a);
        self.check_initialised(state, value);
        // The conditions of the targets other than the default one, in order.
        let mut cases: Vec<(i32, ExprId)> = Vec::new();
        let mut any = self.pool.bool(false);
        let mut case = |engine: &mut Self, number: u64, target: i32| {
            if target == switch.default {
                return;
            }
            let constant = engine.pool.constant(64, number);
            let equal = engine.pool.eq(value, constant);
            any = engine.pool.or(any, equal);
            match cases.iter_mut().find(|(to, _)| *to == target) {
                Some((_, condition)) => *condition = engine.pool.or(*condition, equal),
                None => cases.push((target, equal)),
            }
        };
        match &switch.kind {
            SwitchKind::Dense { base, targets } => {
                for (number, &target) in targets.iter().enumerate() {
                    case(self, base.wrapping_add(number as u64), target);
                }
            }
            SwitchKind::Sparse { values, targets } => {
                for (&number, &target) in values.iter().zip(targets) {
                    case(self, number, target);
                }
            }
        }
        let default = self.pool.not(any);
        cases.push((switch.default, default));
        let ip = state.ip;
        let mine = cases.iter().position(|&(_, c)| self.pool.eval_bool(c, &state.model));
        let mine = mine.expect("one case holds in every model");
        let site = self.site(state);
        let decided = |engine: &Self, target: i32, condition| {
            let to = engine.site_of(site.function, ip.wrapping_byte_offset(target as isize));
            Decision { site, condition, to }
        };
        let mut parted = false;
        let n_forked = self.forked.len();
        for (at, &(target, condition)) in cases.iter().enumerate() {
            if at == mine || self.pool.as_const(condition).is_some() {
                continue;
            }
            match self.part(state, condition) {
                Parted::Fork(mut child) => {
                    child.leave_for(ip.wrapping_byte_offset(target as isize));
                    child.trail.push(decided(self, target, condition));
                    self.forked.push(child);
                    parted = true;
                }
                Parted::Left => parted = true,
                Parted::Impossible => {}
            }
        }
        for child in &mut self.forked[n_forked..] {
            child.has_decided_with(state);
        }
        let (target, condition) = cases[mine];
        self.constrain(state, condition);
        if parted {
            state.trail.push(decided(self, target, condition));
        }
        state.ip = ip.wrapping_byte_offset(target as isize);
        Ok(())
    }
}

//! Forking: what becomes of the side of a decision that a state does not take, and of states that
//! wait to be asked about.

use std::rc::Rc;

use fathom_expr::{ExprId, Model};
use fathom_solver::{Answer, Failure, PathCondition};

use super::luck::Size;
use crate::engine::Engine;
use crate::explore::NOT_REPEATED;
use crate::hooks::{BranchChoice, Kind};
use crate::route::{Advice, Fork, Refused};
use crate::state::{Awaited, State, StateId};
use crate::step::Step;

/// Among more states than this, one that nobody is going to ask about for long is too dear to keep.
const MANY: usize = 1 << 12;

/// The side of a decision that a state does not take.
#[derive(Clone, Copy)]
struct Side {
    condition: ExprId,
    /// What the state goes on with, where that is the opposite.
    kept: Option<ExprId>,
    /// All that can come of it is the report of a bug.
    fails: bool,
}

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
    /// A copy of `state` in which `condition` holds, which it does not in its model.
    pub(super) fn part(&mut self, state: &mut State, condition: ExprId) -> Parted {
        let advice = self.advice(state);
        let side = Side { condition, kept: None, fails: false };
        self.part_as_advised(state, side, advice)
    }

    /// The same where `state` goes on with the opposite, `kept`.
    pub(super) fn part_in_two(
        &mut self,
        state: &mut State,
        kept: ExprId,
        condition: ExprId,
    ) -> Parted {
        let advice = self.advice(state);
        let side = Side { condition, kept: Some(kept), fails: false };
        self.part_as_advised(state, side, advice)
    }

    /// Lets the case wait in which `safe`, which holds in the model of `state`, does not.
    pub(super) fn part_from_failure(&mut self, state: &mut State, safe: ExprId) {
        let condition = self.pool.not(safe);
        let advice = self.advice(state);
        let side = Side { condition, kept: Some(safe), fails: true };
        match self.part_as_advised(state, side, advice) {
            Parted::Fork(mut failing) => {
                if let Some(awaited) = &mut failing.awaited {
                    let (path, model) = (&failing.path, &failing.model);
                    match self.solver.glance(&mut self.pool, path, condition, model) {
                        Some(Answer::Sat(changes)) => awaited.model = Some(changes),
                        _ => awaited.put_off(),
                    }
                }
                self.forked.push(failing);
                self.keep_to(state, safe, condition);
            }
            Parted::Left => self.keep_to(state, safe, condition),
            Parted::Impossible => {}
        }
    }

    fn part_as_advised(&mut self, state: &mut State, side: Side, advice: Option<Advice>) -> Parted {
        let Side { condition, kept, fails } = side;
        match advice {
            None => {}
            Some(Advice::Fork(fork)) => {
                return Parted::Fork(self.defer_again(state, condition, fork));
            }
            Some(_) => {
                let before = self.leave(state, condition, kept);
                return before.map_or(Parted::Impossible, |_| Parted::Left);
            }
        }
        let site = self.site(state);
        let choice = self.hooks.branches.as_mut().map(|policy| policy.choose(state, site));
        if !state.forking {
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
        if self.refuted.find(condition) {
            return Parted::Impossible;
        }
        if choice == Some(BranchChoice::Check) || choice.is_none() {
            return self.part_checked(state, condition);
        }
        if self.config.vary {
            self.variety.learn(&mut self.pool, condition);
        }
        let Some(before) = self.leave(state, condition, kept) else {
            return Parted::Impossible;
        };
        if choice == Some(BranchChoice::Leave) {
            self.is_left = true;
            return Parted::Left;
        }
        if !self.keeps_other_side(state) {
            return Parted::Left;
        }
        if fails && self.stats.states > MANY && !self.is_plain(state, &before, condition) {
            self.doubt(state);
            return Parted::Left;
        }
        let mut child = self.defer(state, condition, None);
        child.path = before;
        Parted::Fork(child)
    }

    /// Whether a look at the path tells that `condition` is possible.
    fn is_plain(&mut self, state: &State, path: &PathCondition, condition: ExprId) -> bool {
        let glance = self.solver.glance(&mut self.pool, path, condition, &state.model);
        matches!(glance, Some(Answer::Sat(_)))
    }

    /// A state parts here that is not kept, but how to come to it again.
    fn doubt(&mut self, state: &mut State) {
        let id = self.part_number(state);
        let at = state.decided.expect("a decision is being made");
        self.doubted.push(Fork { at, id, depth: state.depth, refused: Vec::new() });
    }

    /// The path of `state` before it keeps to the opposite of `condition`, where that is `kept`; none
    /// if `condition` cannot hold there. Nobody is asked: to demand what a path says already changes
    /// nothing, and what it says of single bytes tells of the cases of most switches.
    fn leave(
        &mut self,
        state: &mut State,
        condition: ExprId,
        kept: Option<ExprId>,
    ) -> Option<PathCondition> {
        let before = match kept {
            Some(kept) if state.path.settles(&self.pool, kept) => None,
            Some(kept) => state.path.extend(&mut self.pool, kept),
            None => (!self.is_refuted(state, condition)).then(|| state.path.clone()),
        };
        if before.is_none() {
            self.refuted.insert(condition);
        }
        before
    }

    /// A copy in which `condition` holds, if the solver says that it can.
    fn part_checked(&mut self, state: &mut State, condition: ExprId) -> Parted {
        match self.about_path(|engine| engine.ask(state, condition)) {
            Ok(Answer::Unsat) => {
                self.refuted.insert(condition);
                // Who repeats the path without the solver demands it: the domains must be the same.
                let kept = self.pool.not(condition);
                state.path.learn(&mut self.pool, kept);
                Parted::Impossible
            }
            Ok(Answer::Sat(model)) => Parted::Fork(self.fork_with(state, condition, model)),
            Err(failure) => {
                self.note_failure(state, "a branch", &failure);
                Parted::Left
            }
        }
    }

    /// Whether somebody wants a copy for the side of a branch that `state` does not take.
    pub(super) fn keeps_other_side(&mut self, state: &State) -> bool {
        self.coverage.marks_are_due = true;
        self.hooks.branches.as_mut().is_none_or(|policy| policy.keeps(state))
    }

    /// Asks whether a path is possible; the time is counted if it is not.
    pub(crate) fn about_path<T>(&mut self, ask: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.solver.stats.unsat_time;
        let answer = ask(self);
        self.stats.infeasible_time += self.solver.stats.unsat_time - before;
        answer
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
        child.follows_seed = true;
        child.seeds = Rc::new(seeds);
        child
    }

    /// A copy of `state` with one more condition, and the changes to the model that satisfy it, if
    /// one is wanted. Where branches are deferred it waits, too.
    pub(super) fn fork(
        &mut self,
        state: &mut State,
        condition: ExprId,
        model: Model,
    ) -> Option<Box<State>> {
        if let Some(seeds) = self.part_seeds(state, condition) {
            return Some(self.fork_seeded(state, condition, seeds));
        }
        let site = self.site(state);
        let choice = self.hooks.branches.as_mut().map(|policy| policy.choose(state, site));
        match choice {
            Some(BranchChoice::Defer) if !self.keeps_other_side(state) => None,
            Some(BranchChoice::Defer) => Some(self.defer(state, condition, Some(model))),
            Some(BranchChoice::Leave) => {
                self.is_left = true;
                None
            }
            Some(BranchChoice::Check) | None => Some(self.fork_with(state, condition, model)),
        }
    }

    /// A copy of `state` with one more condition, and the changes to the model that satisfy it.
    fn fork_with(&mut self, state: &mut State, condition: ExprId, model: Model) -> Box<State> {
        let mut child = self.twin(state);
        child.path.add(&mut self.pool, condition);
        child.model.update(&model);
        child
    }

    /// A copy of `state` that waits for one more condition.
    fn defer(&mut self, state: &mut State, condition: ExprId, model: Option<Model>) -> Box<State> {
        let mut child = self.twin(state);
        child.awaited = Some(Box::new(Awaited::new(condition, model)));
        child
    }

    /// The same, of a state that has forked before.
    fn defer_again(&mut self, state: &mut State, condition: ExprId, fork: Fork) -> Box<State> {
        let mut child = self.copy_of(state, fork.id);
        child.depth = fork.depth;
        child.awaited = Some(Box::new(Awaited::new(condition, None)));
        child
    }

    fn twin(&mut self, state: &mut State) -> Box<State> {
        let id = self.part_number(state);
        let mut child = self.copy_of(state, id);
        child.depth = state.depth;
        child
    }

    /// The number of a state that parts from this one now.
    fn part_number(&mut self, state: &mut State) -> StateId {
        let id = self.next_state_id();
        state.depth += 1;
        self.stats.forks += 1;
        self.announce_fork(state, id);
        if let Some(policy) = &mut self.hooks.branches {
            policy.parted(state.id, id);
        }
        id
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
        self.remarks.record_many(site, "a seed's path was left: its value was not chosen", left);
    }

    /// Demands one side of a decision, which the state's model satisfies: it cannot satisfy the
    /// other from now on.
    pub(super) fn keep_to(&mut self, state: &mut State, kept: ExprId, left: ExprId) {
        self.constrain(state, kept);
        self.refuted.insert(left);
    }

    /// Whether what the path of `state` says of single bytes leaves `condition` no values.
    pub(super) fn is_refuted(&mut self, state: &State, condition: ExprId) -> bool {
        if self.refuted.find(condition) {
            return true;
        }
        let is_impossible = state.path.excludes(&mut self.pool, condition);
        if is_impossible {
            self.refuted.insert(condition);
        }
        is_impossible
    }

    /// Asks whether a pending state is possible; if so it is pending no more. The first time only
    /// the cheap layers are asked, and nobody where that was often in vain or is likely to be; the
    /// second time the SMT solver for a few steps, then for more every time: what they cannot tell is
    /// more often impossible than not, and always dear.
    pub(crate) fn revive(&mut self, state: &mut State) -> Revival {
        let mut awaited = state.awaited.take().expect("a pending state");
        let condition = awaited.condition;
        let place = state.ip;
        let known = match awaited.model.take() {
            Some(model) => Some(Answer::Sat(model)),
            None if awaited.kind == Kind::Pending => self.about_path(|engine| {
                engine.solver.glance(&mut engine.pool, &state.path, condition, &state.model)
            }),
            None => None,
        };
        let is_new = known.is_none() && awaited.kind == Kind::Pending;
        let size = is_new.then(|| Size::of(state.path.n_about(&self.pool, condition)));
        if size == Some(Size::Huge) {
            awaited.put_off();
            state.awaited = Some(awaited);
            return Revival::Hard;
        }
        let is_due = size.is_none_or(|size| self.luck.is_due(place, size));
        let is_asked = known.is_none() && is_due;
        let answer = match is_asked {
            true => self.about_path(|engine| engine.ask_again(state, &awaited)),
            false => Ok(known),
        };
        match answer {
            Ok(Some(Answer::Sat(model))) => {
                self.luck.was_possible(place, size);
                state.path.add(&mut self.pool, condition);
                state.model.update(&model);
                if self.config.vary {
                    self.vary(state);
                }
                Revival::Feasible
            }
            Ok(Some(Answer::Unsat)) => {
                self.luck.was_impossible(place, size);
                Revival::Infeasible
            }
            Ok(None) => {
                if is_new {
                    awaited.kind = Kind::Hard;
                } else {
                    awaited.put_off();
                }
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

    /// Asks with the effort that what is known of a pending state deserves; none where it does not
    /// suffice.
    fn ask_again(
        &mut self,
        state: &mut State,
        awaited: &Awaited,
    ) -> Result<Option<Answer>, Failure> {
        /// Steps of the SMT solver for the first try after the brief one, how many times as many
        /// the next has, and after how many tries there is no limit but that of every query.
        const STEPS: u64 = 4000;
        const GROWTH: u64 = 4;
        const TRIES: u8 = 4;
        let condition = awaited.condition;
        let (pool, path, model) = (&mut self.pool, &state.path, Some(&state.model));
        match awaited.kind {
            Kind::Hardest if awaited.tries < TRIES => {
                state.queries += 1;
                let steps = STEPS * GROWTH.pow(u32::from(awaited.tries) - 1);
                Ok(self.solver.within(pool, path, condition, model, steps))
            }
            Kind::Hardest => self.ask(state, condition).map(Some),
            Kind::Hard => {
                state.queries += 1;
                Ok(self.solver.brief(pool, path, condition, model))
            }
            _ => Ok(self.solver.quick(pool, path, condition, model)),
        }
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
        let side = Side { condition: others, kept: Some(condition), fails: false };
        match self.part_as_advised(state, side, advice) {
            Parted::Fork(mut child) => {
                let cases = [refused, vec![mine]].concat();
                child.refused = Some(Box::new(Refused { at, cases }));
                child.decided = before;
                self.forked.push(child);
                self.keep_to(state, condition, others);
            }
            Parted::Left => self.keep_to(state, condition, others),
            Parted::Impossible => {}
        }
    }
}

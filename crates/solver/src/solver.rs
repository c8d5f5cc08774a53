//! The solver: splits a query into slices and asks the chain about each.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use fathom_expr::{ExprId, Model, Pool};

use crate::answer::{Answer, Failure};
use crate::chain;
use crate::clock::Clock;
use crate::config::Config;
use crate::cross_check::{Second, Shared, related};
use crate::domains::{decide_byte, fixed_to_false};
use crate::layer::{Context, Decision, Effort, Layer, Query};
use crate::path::PathCondition;
use crate::stats::{LayerKind, Stats};

/// Answers queries about the paths of one pool.
///
/// A query is a path condition and a condition. Only the slices of the path that share bytes with
/// the condition are looked at: the rest of the path is taken to be satisfiable.
/// The same sequence of calls gives the same answers, unless a time-out strikes.
pub struct Solver {
    pub stats: Stats,
    chain: Box<dyn Layer>,
    config: Config,
    /// Asked about what is decided before the chain.
    second: Option<Shared>,
    zeros: Model,
}

impl Solver {
    pub fn new(config: Config) -> Self {
        let cross_check = config.cross_check.as_ref();
        let second = cross_check.map(|cross_check| {
            Rc::new(RefCell::new(Second::new(cross_check, config.interrupt.clone())))
        });
        let chain = chain::build(&config, second.clone());
        let second = second.filter(|_| cross_check.is_some_and(|it| it.before_chain));
        Self { stats: Stats::default(), chain, config, second, zeros: Model::new() }
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Whether `condition` can hold on `path`. The model assigns every byte of the slices that share
    /// bytes with the condition, close to `hint` where there is a choice.
    pub fn check(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        condition: ExprId,
        hint: Option<&Model>,
    ) -> Result<Answer, Failure> {
        let decision = self.decide(pool, path, condition, hint, Effort::Full)?;
        decision.ok_or_else(|| Failure::Unknown("no layer decided".to_owned()))
    }

    /// As `check`, by the cheap layers only: none where the SMT solver would be needed.
    pub fn quick(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        condition: ExprId,
        hint: Option<&Model>,
    ) -> Option<Answer> {
        self.decide(pool, path, condition, hint, Effort::Cheap).ok().flatten()
    }

    /// As `quick`, with the first steps of the SMT solver too: none where they do not suffice.
    pub fn brief(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        condition: ExprId,
        hint: Option<&Model>,
    ) -> Option<Answer> {
        self.decide(pool, path, condition, hint, Effort::Brief).ok().flatten()
    }

    /// As `quick`, with so many steps of the SMT solver too: none where they do not suffice.
    pub fn within(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        condition: ExprId,
        hint: Option<&Model>,
        steps: u64,
    ) -> Option<Answer> {
        self.decide(pool, path, condition, hint, Effort::Steps(steps)).ok().flatten()
    }

    /// As `quick`, by what a look at the bytes' own domains and at single constraints tells.
    pub fn glance(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        condition: ExprId,
        hint: &Model,
    ) -> Option<Answer> {
        let began = Instant::now();
        if let Some(answer) = self.decide_alone(pool, path, condition, hint) {
            self.stats.count(Ok(Some(&answer)), began.elapsed());
            return Some(answer);
        }
        if !path.excludes(pool, condition) && !fixed_to_false(pool, path, condition, hint) {
            // Whoever asks in earnest later is counted.
            self.stats.undecided_time += began.elapsed();
            return None;
        }
        self.stats.count(Ok(Some(&Answer::Unsat)), began.elapsed());
        Some(Answer::Unsat)
    }

    /// Whether `condition` can hold on `path`.
    pub fn may_be(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        condition: ExprId,
        hint: Option<&Model>,
    ) -> Result<bool, Failure> {
        Ok(self.check(pool, path, condition, hint)?.is_sat())
    }

    pub(crate) fn decide(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        condition: ExprId,
        hint: Option<&Model>,
        effort: Effort,
    ) -> Decision {
        let zeros = self.zeros.clone();
        let hint = hint.unwrap_or(&zeros);
        let began = Instant::now();
        if let Some(answer) = self.decide_alone(pool, path, condition, hint) {
            self.stats.count(Ok(Some(&answer)), began.elapsed());
            return Ok(Some(answer));
        }
        let decision = self.decide_slices(pool, path, condition, hint, effort);
        self.stats.count(decision.as_ref().map(Option::as_ref), began.elapsed());
        decision
    }

    /// Decides what needs no slice: contradictions, and conditions on a byte on its own.
    fn decide_alone(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        condition: ExprId,
        hint: &Model,
    ) -> Option<Answer> {
        if path.is_contradiction() || pool.is_false(condition) {
            return Some(Answer::Unsat);
        }
        if !self.config.layers.domains {
            return None;
        }
        let answer = decide_byte(pool, path, condition, hint)?;
        if let Answer::Sat(model) = &answer
            && self.config.validate
            && !pool.eval_bool(condition, model)
        {
            self.stats.wrong_models += 1;
            return None;
        }
        self.stats[LayerKind::Domains].asked += 1;
        self.stats[LayerKind::Domains].answered += 1;
        self.cross_check(pool, path, condition, &answer);
        Some(answer)
    }

    /// Compares an answer that the chain did not give with the second solver's, if there is one.
    fn cross_check(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        condition: ExprId,
        answer: &Answer,
    ) {
        if let Some(second) = &self.second {
            let constraints = related(pool, path, condition);
            second.borrow_mut().compare(pool, &mut self.stats, constraints, answer);
        }
    }

    fn decide_slices(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        condition: ExprId,
        hint: &Model,
        effort: Effort,
    ) -> Decision {
        let mut extended = path.clone();
        extended.add(pool, condition);
        if extended.is_contradiction() {
            self.cross_check(pool, path, condition, &Answer::Unsat);
            return Ok(Some(Answer::Unsat));
        }
        self.decide_touched(pool, &extended, condition, Some(condition), (hint, effort))
    }

    /// A model of the slices of `path` that share bytes with `expr`, on top of `hint`.
    pub(crate) fn model_about(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        expr: ExprId,
        hint: Option<&Model>,
    ) -> Result<Model, Failure> {
        let mut model = hint.cloned().unwrap_or_default();
        let hint = model.clone();
        match self.decide_touched(pool, path, expr, None, (&hint, Effort::Full))? {
            Some(Answer::Sat(found)) if !path.is_contradiction() => model.update(&found),
            _ => return Err(Failure::Unknown("the path cannot be taken".to_owned())),
        }
        Ok(model)
    }

    fn decide_touched(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        expr: ExprId,
        condition: Option<ExprId>,
        (hint, effort): (&Model, Effort),
    ) -> Decision {
        let clock = Clock::start(self.config.budget.time, &self.config.interrupt);
        clock.look()?;
        let mut joint: Option<Model> = None;
        for slice in path.slices_about(pool, expr) {
            let query = Query { slice: &slice, path, condition, hint, effort };
            let mut context = Context { pool, stats: &mut self.stats, clock, reason: None };
            match self.chain.decide(&mut context, &query)? {
                Some(Answer::Sat(model)) => match &mut joint {
                    Some(joint) => joint.update(&model),
                    None => joint = Some(model),
                },
                other => return Ok(other),
            }
        }
        Ok(Some(Answer::Sat(joint.unwrap_or_default())))
    }
}

//! One instance of Bitwuzla: the constraints it has asserted, and one query after the other.

use std::ffi::CStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fathom_expr::{ExprId, Model, Pool, Var};
use rustc_hash::FxHashSet;

use super::child::{self, Verdict};
use super::encode::Encoder;
use super::ffi::{self, Term};
use super::watch::{Budget, Watch};
use crate::{Answer, Failure};

/// A session is renewed after this many queries: it gets slower.
const MAX_QUERIES: u32 = 256;
/// A session is renewed when it holds this many terms, or twice as many as its first query had.
const MAX_TERMS: usize = 100_000;
/// The constraints of long paths are not simplified together, which would be done again with every
/// query.
const MANY_CONSTRAINTS: usize = 16;
/// How long Bitwuzla takes to translate a gate for the SAT solver, from above. Meanwhile it does
/// not look at its limits.
const TIME_PER_GATE: Duration = Duration::from_micros(4);
/// Queries whose translation takes longer are solved in a process that can be killed, whatever
/// their limits.
const MAX_TRANSLATION: Duration = Duration::from_secs(1);
/// But where such a process has come to an answer, queries of about this size can be solved here,
/// so that the next ones need no translation: it takes a few seconds at most.
const MAX_GATES: u64 = 8_000_000;

pub(super) struct Session {
    solver: *mut ffi::Solver,
    /// After `solver`, which `drop` deletes first.
    encoder: Encoder,
    asserted: FxHashSet<ExprId>,
    watch: Box<Watch>,
    n_queries: u32,
    /// Terms of the first query.
    first_terms: usize,
    /// Gates that another process has translated, and then had an answer.
    translated: u64,
}

impl Session {
    /// For queries of at least so many constraints.
    pub(super) fn new(interrupt: Arc<AtomicBool>, n_constraints: usize) -> Self {
        let encoder = Encoder::new();
        let mut watch = Box::new(Watch::new(interrupt));
        // SAFETY: the term manager and the watch outlive the solver: see `drop`.
        let solver = unsafe {
            let options = ffi::bitwuzla_options_new();
            ffi::bitwuzla_set_option(options, ffi::OPTION_PRODUCE_MODELS, 1);
            // Translates everything once more to see which of two forms is smaller: on long paths
            // that takes as long as all the rest.
            ffi::bitwuzla_set_option(options, ffi::OPTION_PP_NORMALIZE, 0);
            if n_constraints >= MANY_CONSTRAINTS {
                ffi::bitwuzla_set_option(options, ffi::OPTION_PREPROCESS, 0);
            }
            let solver = ffi::bitwuzla_new(encoder.manager(), options);
            ffi::bitwuzla_options_delete(options);
            let state = (&raw mut *watch).cast();
            ffi::bitwuzla_set_termination_callback(solver, Some(Watch::callback), state);
            solver
        };
        let asserted = FxHashSet::default();
        Self { solver, encoder, asserted, watch, n_queries: 0, first_terms: 0, translated: 0 }
    }

    pub(super) fn asserted(&self) -> &FxHashSet<ExprId> {
        &self.asserted
    }

    pub(super) fn is_worn(&self) -> bool {
        self.n_queries >= MAX_QUERIES
            || self.encoder.n_terms() >= MAX_TERMS.max(2 * self.first_terms)
    }

    pub(super) fn n_terms(&self) -> usize {
        self.encoder.n_terms()
    }

    /// Decides `constraints`, among which are all asserted ones: asserts the others but for the
    /// last, which it only assumes.
    pub(super) fn solve(
        &mut self,
        pool: &mut Pool,
        constraints: &[ExprId],
        budget: Budget,
    ) -> Result<Answer, Failure> {
        self.watch.start(budget);
        self.n_queries += 1;
        let Some((&question, path)) = constraints.split_last() else {
            return Ok(Answer::Sat(Model::new()));
        };
        for &constraint in path {
            if !self.asserted.contains(&constraint) {
                let term = self.encoder.encode(pool, constraint, &self.watch)?;
                self.asserted.insert(constraint);
                self.assert(term);
            }
        }
        let question = self.encoder.encode(pool, question, &self.watch)?;
        for definition in self.encoder.take_definitions() {
            self.assert(definition);
        }
        if self.n_queries == 1 {
            self.first_terms = self.encoder.n_terms();
        }
        let vars = support(pool, constraints);
        if self.may_miss(budget) {
            let deadline = self.watch.deadline;
            let interrupt = self.watch.interrupt.clone();
            let verdict = child::run(deadline, &interrupt, || self.check(question, &vars));
            if matches!(verdict, Verdict::Sat(_) | Verdict::Unsat) {
                self.translated = self.encoder.unsolved_gates();
            }
            return answer(verdict, &vars);
        }
        let verdict = self.check(question, &vars);
        self.encoder.mark_solved();
        answer(verdict, &vars)
    }

    /// Whether the query may go on long after its limits. Does not depend on the time that has
    /// passed, so that the same queries are solved in the same way in every run.
    fn may_miss(&self, budget: Budget) -> bool {
        let gates = self.encoder.unsolved_gates();
        let is_known = gates <= MAX_GATES && gates <= self.translated + self.translated / 4;
        TIME_PER_GATE * u32::try_from(gates).unwrap_or(u32::MAX)
            > budget.time.map_or(MAX_TRANSLATION, |time| time.min(MAX_TRANSLATION))
            && !is_known
    }

    fn assert(&mut self, term: Term) {
        // SAFETY: the term is of the encoder's manager, which is the solver's.
        unsafe { ffi::bitwuzla_assert(self.solver, term) }
    }

    /// Whether `question` can hold with what is asserted, and the bytes of `vars` if it can.
    fn check(&mut self, question: Term, vars: &[Var]) -> Verdict {
        if self.watch.is_over() {
            return Verdict::Timeout;
        }
        // SAFETY: as in `assert`.
        let result = unsafe { ffi::bitwuzla_check_sat_assuming(self.solver, 1, &question) };
        match result {
            ffi::SAT => Verdict::Sat(vars.iter().map(|&var| self.byte(var)).collect()),
            ffi::UNSAT => Verdict::Unsat,
            _ if self.watch.ended => Verdict::Timeout,
            _ => Verdict::Unknown,
        }
    }

    /// The value of `var` in the model just found; 0 if its value does not matter.
    fn byte(&mut self, var: Var) -> u8 {
        let Some(term) = self.encoder.var(var) else { return 0 };
        // SAFETY: the last answer was sat, and the string is read before the next call.
        let digits = unsafe {
            let value = ffi::bitwuzla_get_value(self.solver, term);
            CStr::from_ptr(ffi::bitwuzla_term_value_get_str_fmt(value, 2))
        };
        digits.to_bytes().iter().fold(0, |byte, digit| byte << 1 | digit & 1)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: nothing uses the solver any more; the terms are deleted after it.
        unsafe { ffi::bitwuzla_delete(self.solver) }
    }
}

/// The input bytes that `constraints` depend on, sorted.
pub(super) fn support(pool: &Pool, constraints: &[ExprId]) -> Vec<Var> {
    let mut vars: Vec<Var> =
        constraints.iter().flat_map(|&constraint| pool.support(constraint).iter()).collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}

fn answer(verdict: Verdict, vars: &[Var]) -> Result<Answer, Failure> {
    match verdict {
        // A child that died while it reported has left bytes out.
        Verdict::Sat(bytes) if bytes.len() == vars.len() => {
            let mut model = Model::new();
            for (&var, &byte) in vars.iter().zip(&bytes) {
                model.set(var, byte);
            }
            Ok(Answer::Sat(model))
        }
        Verdict::Unsat => Ok(Answer::Unsat),
        Verdict::Timeout => Err(Failure::Timeout),
        Verdict::Sat(_) | Verdict::Unknown => {
            Err(Failure::Unknown("Bitwuzla gave no answer".into()))
        }
    }
}

//! The second solver: asked a sample of the queries, and its answers compared with ours.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fathom_expr::{ExprId, Pool, Var};
use rustc_hash::{FxHashSet, FxHasher};

use crate::answer::Answer;
use crate::backend::{Backend, Budget, Pipe};
use crate::config;
use crate::layer::{Context, Decision, Layer, Query};
use crate::path::PathCondition;
use crate::stats::Stats;

/// Disputed queries of which the script is kept.
const MAX_DISPUTED: usize = 16;

/// Shared by the layer and by what decides queries before they reach the chain.
pub(crate) type Shared = Rc<RefCell<Second>>;

/// Compares decided queries, each different one once, with what another solver says.
pub(crate) struct Second {
    backend: Box<dyn Backend>,
    budget: Budget,
    every: u64,
    n_seen: u64,
    /// Hashes of the queries seen.
    seen: FxHashSet<u64>,
}

impl Second {
    pub fn new(config: &config::CrossCheck, interrupt: Arc<AtomicBool>) -> Self {
        let command: Vec<&str> = config.command.iter().map(String::as_str).collect();
        Self {
            backend: Box::new(Pipe::new(&command, interrupt)),
            budget: Budget::time(config.time),
            every: config.every.max(1),
            n_seen: 0,
            seen: FxHashSet::default(),
        }
    }

    /// Asks about every `every`th query. Its model must satisfy the query as we evaluate it.
    pub fn compare(
        &mut self,
        pool: &mut Pool,
        stats: &mut Stats,
        mut constraints: Vec<ExprId>,
        answer: &Answer,
    ) {
        if !self.is_new(&mut constraints) {
            return;
        }
        self.n_seen += 1;
        if !self.n_seen.is_multiple_of(self.every) {
            return;
        }
        let agrees = match self.backend.solve(pool, &constraints, self.budget) {
            Ok(Answer::Sat(model)) => {
                answer.is_sat() && pool.eval_all(constraints.iter().copied(), &model)
            }
            Ok(Answer::Unsat) => !answer.is_sat(),
            Err(_) => {
                stats.not_compared += 1;
                return;
            }
        };
        stats.cross_checked += 1;
        if !agrees {
            stats.mismatches += 1;
            if stats.disputed.len() < MAX_DISPUTED {
                let ours = if answer.is_sat() { "sat" } else { "unsat" };
                let script = pool.smtlib(&constraints);
                stats.disputed.push(format!("(set-info :status {ours})\n{script}"));
            }
        }
    }

    fn is_new(&mut self, constraints: &mut Vec<ExprId>) -> bool {
        constraints.sort_unstable();
        constraints.dedup();
        let mut hasher = FxHasher::default();
        constraints.hash(&mut hasher);
        self.seen.insert(hasher.finish())
    }
}

/// The layer: what those below decide is compared.
pub(crate) struct CrossCheck {
    pub second: Shared,
    pub below: Box<dyn Layer>,
}

impl Layer for CrossCheck {
    fn decide(&mut self, context: &mut Context<'_>, query: &Query<'_>) -> Decision {
        let decision = self.below.decide(context, query)?;
        if let Some(answer) = &decision {
            let constraints = query.original_constraints(context.pool);
            let mut second = self.second.borrow_mut();
            second.compare(context.pool, context.stats, constraints, answer);
        }
        Ok(decision)
    }
}

/// `condition` and the constraints of `path` that share bytes with it, directly or through others.
pub(crate) fn related(pool: &Pool, path: &PathCondition, condition: ExprId) -> Vec<ExprId> {
    let mut left: Vec<ExprId> = path.constraints().collect();
    let mut bytes: FxHashSet<Var> = pool.support(condition).iter().collect();
    let mut found = vec![condition];
    loop {
        let n_found = found.len();
        left.retain(|&constraint| {
            let support = pool.support(constraint);
            let shares = support.iter().any(|var| bytes.contains(&var));
            if shares {
                bytes.extend(support.iter());
                found.push(constraint);
            }
            !shares
        });
        if found.len() == n_found {
            return found;
        }
    }
}

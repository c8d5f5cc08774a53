//! The layer of reasons: what could not hold before cannot hold where the same reasons are given.

use fathom_expr::{ExprId, Reason, Var};
use rustc_hash::FxHashMap;

use crate::answer::Answer;
use crate::byteset::ByteSet;
use crate::layer::{Context, Decision, Layer, Query};
use crate::stats::LayerKind;

/// Conditions of which the reasons are kept.
const MAX_CONDITIONS: usize = 1 << 16;
/// Reasons kept for one condition.
const MAX_REASONS: usize = 4;
/// A reason with more constraints seldom applies again.
const MAX_CONSTRAINTS: usize = 256;

/// Remembers why conditions could not hold.
pub(crate) struct Reasons {
    by_condition: FxHashMap<ExprId, Vec<Known>>,
    below: Box<dyn Layer>,
}

/// With these constraints, and bytes that have no other values than these, it cannot hold.
struct Known {
    constraints: Vec<ExprId>,
    domains: Vec<(Var, ByteSet)>,
}

impl Known {
    fn applies_to(&self, query: &Query<'_>) -> bool {
        let constraints = query.slice.constraints();
        let is_within = |domain: ByteSet, known: &ByteSet| domain.intersect(known) == domain;
        self.constraints.iter().all(|it| constraints.binary_search(it).is_ok())
            && self.domains.iter().all(|(var, known)| is_within(query.slice.domain(*var), known))
    }
}

impl Reasons {
    pub fn new(below: Box<dyn Layer>) -> Self {
        Self { by_condition: FxHashMap::default(), below }
    }

    fn is_known(&self, query: &Query<'_>, asked: ExprId) -> bool {
        let known = self.by_condition.get(&asked);
        known.is_some_and(|all| all.iter().any(|known| known.applies_to(query)))
    }

    fn remember(&mut self, query: &Query<'_>, asked: ExprId, reason: Reason) {
        if reason.constraints.len() > MAX_CONSTRAINTS {
            return;
        }
        if self.by_condition.len() >= MAX_CONDITIONS {
            self.by_condition.clear();
        }
        let domains = reason.bytes.iter().map(|&var| (var, query.slice.domain(var))).collect();
        let all = self.by_condition.entry(asked).or_default();
        if all.len() >= MAX_REASONS {
            all.remove(0);
        }
        all.push(Known { constraints: reason.constraints, domains });
    }
}

impl Layer for Reasons {
    fn decide(&mut self, context: &mut Context<'_>, query: &Query<'_>) -> Decision {
        let Some(asked) = query.asked_here(context.pool) else {
            return self.below.decide(context, query);
        };
        context.stats[LayerKind::Reasons].asked += 1;
        if self.is_known(query, asked) {
            context.stats[LayerKind::Reasons].answered += 1;
            return Ok(Some(Answer::Unsat));
        }
        context.reason = None;
        let decision = self.below.decide(context, query)?;
        if let Some(Answer::Unsat) = decision
            && let Some(reason) = context.reason.take()
        {
            self.remember(query, asked, reason);
        }
        Ok(decision)
    }
}

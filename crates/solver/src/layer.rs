//! What a layer of the chain is asked, and what it may reply.

use std::rc::Rc;

use fathom_expr::{ExprId, Model, Pool, Reason, Var};

use crate::answer::{Answer, Failure};
use crate::clock::Clock;
use crate::path::PathCondition;
use crate::slice::Slice;
use crate::stats::Stats;

/// Decides queries, or passes them to the layer below.
pub(crate) trait Layer {
    fn decide(&mut self, context: &mut Context<'_>, query: &Query<'_>) -> Decision;
}

/// An answer, or none where the query's effort does not reach far enough.
pub(crate) type Decision = Result<Option<Answer>, Failure>;

/// What all layers share.
pub(crate) struct Context<'a> {
    pub pool: &'a mut Pool,
    pub stats: &'a mut Stats,
    pub clock: Clock<'a>,
    /// Why the answer is that it cannot hold, where the layer that gave it knows.
    pub reason: Option<Reason>,
}

/// Is this slice satisfiable? A model assigns exactly the bytes of the slice.
pub(crate) struct Query<'a> {
    pub slice: &'a Rc<Slice>,
    /// The path that the slice is part of, the asked condition included.
    pub path: &'a PathCondition,
    /// The condition that was asked, if one was: the constraint most likely to fail.
    pub condition: Option<ExprId>,
    /// Values close to those wanted; usually they satisfy the path without the condition.
    pub hint: &'a Model,
    pub effort: Effort,
}

/// How far down the chain a query may go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Everything but the SMT solver.
    Cheap,
    /// That and the first steps of the SMT solver.
    Brief,
    /// That and so many steps of the SMT solver.
    Steps(u64),
    Full,
}

impl Query<'_> {
    /// The hint with every byte of the slice moved into its domain, and no other byte.
    pub fn candidate(&self) -> Model {
        self.model_from(self.hint)
    }

    /// `values` for the bytes of the slice where their domains allow it.
    pub fn model_from(&self, values: &Model) -> Model {
        let bytes = self.slice.bytes().iter();
        bytes
            .map(|byte| {
                (byte.var, byte.domain.nearest(values.get(byte.var)).expect("a domain has a value"))
            })
            .collect()
    }

    /// The condition that was asked, if it is about bytes of the slice and no others: the slice says
    /// all of it, so that what excludes it excludes the slice.
    pub fn asked_here(&self, pool: &Pool) -> Option<ExprId> {
        let bytes = self.slice.bytes();
        let is_here = |var: Var| bytes.binary_search_by_key(&var, |byte| byte.var).is_ok();
        self.condition.filter(|&asked| pool.support(asked).iter().all(is_here))
    }

    /// The constraints over several bytes, the asked ones first.
    pub fn constraints(&self) -> impl Iterator<Item = ExprId> {
        let constraints = self.slice.constraints();
        let asked = self.condition.filter(|asked| constraints.binary_search(asked).is_ok());
        asked.into_iter().chain(constraints.iter().copied().filter(move |&c| Some(c) != asked))
    }

    /// The constraints of the slice as they were added to the path, those on single bytes included.
    pub fn original_constraints(&self, pool: &Pool) -> Vec<ExprId> {
        let bytes = self.slice.bytes();
        let is_here = |constraint: &ExprId| {
            let first = pool.support(*constraint).first();
            first.is_some_and(|var| bytes.binary_search_by_key(&var, |byte| byte.var).is_ok())
        };
        self.path.constraints().filter(is_here).collect()
    }

    /// Whether `model`, whose bytes are in their domains, satisfies the slice.
    pub fn is_satisfied(&self, pool: &Pool, model: &Model) -> bool {
        pool.eval_all(self.constraints(), model)
    }
}

//! The byte-domain layer: where no constraint ties bytes together, domains decide.

use fathom_expr::{ExprId, Model, Pool};

use crate::answer::Answer;
use crate::byteset::ByteSet;
use crate::layer::{Context, Decision, Layer, Query};
use crate::path::PathCondition;
use crate::stats::LayerKind;
use crate::tabulate::true_set;

/// Decides slices without constraints: any value of the domain will do.
pub(crate) struct Domains {
    pub below: Box<dyn Layer>,
}

impl Layer for Domains {
    fn decide(&mut self, context: &mut Context<'_>, query: &Query<'_>) -> Decision {
        context.stats[LayerKind::Domains].asked += 1;
        if query.slice.is_unconstrained() {
            context.stats[LayerKind::Domains].answered += 1;
            return Ok(Some(Answer::Sat(query.candidate())));
        }
        self.below.decide(context, query)
    }
}

/// Whether `condition` cannot hold because its bytes have one value left each.
pub(crate) fn fix_false(
    pool: &Pool,
    path: &PathCondition,
    condition: ExprId,
    hint: &Model,
) -> bool {
    let mut bytes = pool.support(condition).iter();
    let is_fixed = |var| {
        let domain = path.domain(var);
        domain.len() == 1 && domain.contains(hint.get(var))
    };
    bytes.all(is_fixed) && !pool.eval_bool(condition, hint)
}

/// Decides a condition on one byte that no constraint ties to others, without building the query.
pub(crate) fn decide_byte(
    pool: &mut Pool,
    path: &PathCondition,
    condition: ExprId,
    hint: &Model,
) -> Option<Answer> {
    let var = pool.support(condition).only()?;
    let domain = match path.slice_of(var) {
        Some(slice) if !slice.is_unconstrained() => return None,
        Some(slice) => slice.domain(var),
        None => ByteSet::FULL,
    };
    if domain.len() == 1 && domain.contains(hint.get(var)) && !pool.eval_bool(condition, hint) {
        return Some(Answer::Unsat);
    }
    let (_, values) = true_set(pool, condition)?;
    let values = values.intersect(&domain);
    let Some(value) = values.nearest(hint.get(var)) else {
        return Some(Answer::Unsat);
    };
    let mut model = Model::new();
    model.set(var, value);
    Some(Answer::Sat(model))
}

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
pub(crate) fn fixed_to_false(
    pool: &Pool,
    path: &PathCondition,
    condition: ExprId,
    hint: &Model,
) -> bool {
    let mut bytes = pool.support(condition).iter();
    path.settles(pool, condition)
        && bytes.all(|var| path.domain(var).contains(hint.get(var)))
        && !pool.eval_bool(condition, hint)
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

#[cfg(test)]
mod tests {
    use fathom_expr::Var;

    use super::*;

    #[test]
    fn bytes_with_one_value_left_decide() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let [low, high] = [0, 1].map(|byte| pool.byte(input, byte));
        let sum = pool.add(low, high);
        let [one, two, three] = [1, 2, 3].map(|value| pool.constant(8, value));
        let first = pool.input_info(input).first;
        let hint: Model = [(first, 1), (Var(first.0 + 1), 2)].into_iter().collect();
        let [is_two, is_three] = [two, three].map(|value| pool.eq(sum, value));

        let mut path = PathCondition::new();
        let low_is_one = pool.eq(low, one);
        path.add(&mut pool, low_is_one);
        assert!(!fixed_to_false(&pool, &path, is_two, &hint), "the other may be 1");
        assert!(path.settles(&pool, low) && !path.settles(&pool, sum));

        let high_is_two = pool.eq(high, two);
        path.add(&mut pool, high_is_two);
        assert!(path.settles(&pool, sum));
        assert!(fixed_to_false(&pool, &path, is_two, &hint));
        assert!(!fixed_to_false(&pool, &path, is_three, &hint));
    }
}

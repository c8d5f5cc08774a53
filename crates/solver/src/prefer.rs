//! Soft preferences: a model of a path that fulfils wishes where it can.

use fathom_expr::{ExprId, Model, Pool};

use crate::answer::Answer;
use crate::layer::Effort;
use crate::path::PathCondition;
use crate::solver::Solver;
use crate::tabulate::true_set;

impl Solver {
    /// A model of `path` that fulfils `wishes`, each unless an earlier one or the path forbids it;
    /// then `whims`, each unless it takes more than the cheap layers to tell.
    ///
    /// Starts from `base`, which satisfies the path. A wish about a byte on its own is granted from
    /// the byte's domain; others cost a query where the values so far do not fulfil them, and at
    /// most `max_queries` of those are made, none after one that the solver could not decide.
    pub fn prefer(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        base: &Model,
        wishes: &[ExprId],
        whims: &[ExprId],
        mut max_queries: u32,
    ) -> Model {
        let mut granted = path.clone();
        let mut model = base.clone();
        let whims = whims.iter().map(|whim| (whim, Effort::Cheap));
        for (&wish, effort) in wishes.iter().map(|wish| (wish, Effort::Full)).chain(whims) {
            if grant_alone(pool, &mut granted, &mut model, wish) {
                continue;
            }
            if !pool.eval_bool(wish, &model) {
                if max_queries == 0 {
                    continue;
                }
                max_queries -= 1;
                match self.decide(pool, &granted, wish, Some(&model), effort) {
                    Ok(Some(Answer::Sat(better))) => model.update(&better),
                    Ok(Some(Answer::Unsat) | None) => continue,
                    Err(_) => {
                        max_queries = 0;
                        continue;
                    }
                }
            }
            granted.add(pool, wish);
        }
        model
    }
}

/// Grants a wish about a byte that no constraint ties to others, if its domain allows it.
/// False if the wish is about something else.
fn grant_alone(
    pool: &mut Pool,
    granted: &mut PathCondition,
    model: &mut Model,
    wish: ExprId,
) -> bool {
    let Some((var, set)) = true_set(pool, wish) else {
        return false;
    };
    if granted.slice_of(var).is_some_and(|slice| !slice.is_unconstrained()) {
        return false;
    }
    let values = granted.domain(var).intersect(&set);
    if let Some(value) = values.nearest(model.get(var)) {
        granted.narrow(var, &values);
        if value != model.get(var) || !model.assigned(var) {
            model.set(var, value);
        }
    }
    true
}

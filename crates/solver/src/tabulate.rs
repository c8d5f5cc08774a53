//! The values of one byte that make a condition true.

use fathom_expr::{ExprId, Model, Pool, Var};

use crate::byteset::ByteSet;

/// The only byte of `condition` and the values of it that make it true; none if it depends on
/// more bytes, or on none.
pub fn true_set(pool: &mut Pool, condition: ExprId) -> Option<(Var, ByteSet)> {
    if let Some((var, values)) = pool.truth_of(condition) {
        return Some((var, ByteSet::from_words(values)));
    }
    let var = pool.support(condition).only()?;
    Some((var, true_set_by_evaluation(pool, condition, var)))
}

/// For terms that have no table: something inside is wider than a word.
fn true_set_by_evaluation(pool: &Pool, condition: ExprId, var: Var) -> ByteSet {
    let mut model = Model::new();
    ByteSet::filter(|value| {
        model.set(var, value);
        pool.eval_bool(condition, &model)
    })
}

//! The values of one byte that make a condition true.

use fathom_expr::{ExprId, Pool, Var};

use crate::byteset::ByteSet;

/// The only byte of `condition` and the values of it that make it true; none if it has more bytes, or none.
pub(crate) fn true_set(pool: &mut Pool, condition: ExprId) -> Option<(Var, ByteSet)> {
    let &[var] = pool.support(condition) else {
        return None;
    };
    let table = pool.table_of(condition)?;
    Some((var, ByteSet::filter(|value| table.get(value) != 0)))
}

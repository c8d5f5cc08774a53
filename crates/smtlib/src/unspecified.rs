//! Results that the theory leaves open: anything, but the same for the same operand.

use fathom_expr::{ExprId, Pool};

/// Conversions of floats out of range so far.
#[derive(Default)]
pub(crate) struct Unspecified {
    results: Vec<Conversion>,
    axioms: Vec<ExprId>,
}

#[derive(Clone, Copy)]
struct Conversion {
    is_signed: bool,
    float: ExprId,
    result: ExprId,
}

impl Unspecified {
    /// What holds of the results, whatever is asserted.
    pub fn axioms(&self) -> &[ExprId] {
        &self.axioms
    }

    /// An integer of `width` bits for `float`, which it cannot express.
    pub fn integer(
        &mut self,
        pool: &mut Pool,
        is_signed: bool,
        width: u32,
        float: ExprId,
    ) -> ExprId {
        let is_alike = |pool: &Pool, other: &Conversion| {
            other.is_signed == is_signed
                && pool.width(other.result) == width
                && pool.width(other.float) == pool.width(float)
        };
        let alike: Vec<Conversion> =
            self.results.iter().filter(|other| is_alike(pool, other)).copied().collect();
        if let Some(known) = alike.iter().find(|other| other.float == float) {
            return known.result;
        }
        // No symbol has a bar in it, so this is no other input's name.
        let name = format!("|out of range {}", self.results.len());
        let result = crate::command::input(pool, &name, width);
        for other in alike {
            let is_same_float = crate::float::same(pool, float, other.float);
            let differ = pool.not(is_same_float);
            let is_same = pool.eq(result, other.result);
            self.axioms.push(pool.or(differ, is_same));
        }
        self.results.push(Conversion { is_signed, float, result });
        result
    }
}

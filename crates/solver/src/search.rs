//! Exact bounds and values of a term on a path.

use fathom_expr::{ExprId, Model, Pool};

use crate::answer::{Answer, Failure};
use crate::path::PathCondition;
use crate::solver::Solver;

/// The values that a term can take.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values {
    /// Ascending.
    pub values: Vec<u64>,
    /// Whether there are no others.
    pub complete: bool,
}

/// Which end of a term's values is looked for.
#[derive(Clone, Copy)]
enum End {
    Min,
    Max,
}

impl Solver {
    /// The smallest and the largest unsigned value of `expr`, of at most 64 bits, on `path`.
    pub fn bounds(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        expr: ExprId,
        hint: Option<&Model>,
    ) -> Result<(u64, u64), Failure> {
        if let Some(values) = values_alone(pool, path, expr) {
            return Ok((values[0], values[values.len() - 1]));
        }
        let model = self.model_about(pool, path, expr, hint)?;
        let min = self.search(pool, path, expr, &model, End::Min)?;
        let max = self.search(pool, path, expr, &model, End::Max)?;
        Ok((min, max))
    }

    /// Bounds of the same, exact where that takes few steps of the SMT solver, else wider. `most` is
    /// known to be one.
    pub fn rough_bounds(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        expr: ExprId,
        most: u64,
        model: &Model,
    ) -> (u64, u64) {
        if let Some(values) = values_alone(pool, path, expr) {
            return (values[0], values[values.len() - 1]);
        }
        let (range_min, range_max) = pool.range(expr);
        let limits = [range_min as u64, (range_max as u64).min(most)];
        let [min, max] = [(End::Min, limits[0]), (End::Max, limits[1])]
            .map(|(end, limit)| self.search_briefly(pool, path, expr, model, (end, limit)));
        (min, max)
    }

    /// Bisects as `search` does, from a limit that is known; what is not decided soon is left.
    fn search_briefly(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        expr: ExprId,
        model: &Model,
        (end, mut limit): (End, u64),
    ) -> u64 {
        /// Questions about one end.
        const MAX_STEPS: usize = 8;
        let mut model = model.clone();
        let mut reached = value_under(pool, expr, &model);
        let mut target = limit;
        for _ in 0..MAX_STEPS {
            if reached == limit {
                break;
            }
            let bound = pool.constant(pool.width(expr), target);
            let condition = match end {
                End::Min => pool.ule(expr, bound),
                End::Max => pool.ule(bound, expr),
            };
            match self.brief(pool, path, condition, Some(&model)) {
                Some(Answer::Sat(better)) => {
                    model.update(&better);
                    reached = value_under(pool, expr, &model);
                }
                Some(Answer::Unsat) if matches!(end, End::Min) => limit = target + 1,
                Some(Answer::Unsat) => limit = target - 1,
                None => break,
            }
            target = match end {
                End::Min => limit + (reached - limit) / 2,
                End::Max => limit - (limit - reached) / 2,
            };
        }
        limit
    }

    /// The values of `expr`, of at most 64 bits, on `path`: all of them if they are at most `limit`,
    /// otherwise some `limit` of them.
    pub fn values(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        expr: ExprId,
        limit: usize,
        hint: Option<&Model>,
    ) -> Result<Values, Failure> {
        if let Some(mut values) = values_alone(pool, path, expr) {
            let complete = values.len() <= limit;
            values.truncate(limit);
            return Ok(Values { values, complete });
        }
        let mut path = path.clone();
        let mut model = self.model_about(pool, &path, expr, hint)?;
        let mut values = Vec::new();
        let mut complete = false;
        while values.len() < limit && !complete {
            let value = value_under(pool, expr, &model);
            values.push(value);
            let differs = differs_from(pool, expr, value);
            match self.check(pool, &path, differs, Some(&model))? {
                Answer::Sat(more) => model.update(&more),
                Answer::Unsat => complete = true,
            }
            path.add(pool, differs);
        }
        values.sort_unstable();
        Ok(Values { values, complete })
    }

    /// Bisects between what the term's form allows and a value it has under `model`.
    fn search(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        expr: ExprId,
        model: &Model,
        end: End,
    ) -> Result<u64, Failure> {
        let mut model = model.clone();
        let (range_min, range_max) = pool.range(expr);
        let mut limit = if matches!(end, End::Min) { range_min } else { range_max } as u64;
        let mut reached = value_under(pool, expr, &model);
        let mut target = limit;
        while reached != limit {
            let bound = pool.constant(pool.width(expr), target);
            let condition = match end {
                End::Min => pool.ule(expr, bound),
                End::Max => pool.ule(bound, expr),
            };
            match self.check(pool, path, condition, Some(&model))? {
                Answer::Sat(better) => {
                    model.update(&better);
                    reached = value_under(pool, expr, &model);
                }
                Answer::Unsat if matches!(end, End::Min) => limit = target + 1,
                Answer::Unsat => limit = target - 1,
            }
            target = match end {
                End::Min => limit + (reached - limit) / 2,
                End::Max => limit - (limit - reached) / 2,
            };
        }
        Ok(reached)
    }
}

/// All values of a term that depends on no byte, or on one that no constraint ties to others.
fn values_alone(pool: &mut Pool, path: &PathCondition, expr: ExprId) -> Option<Vec<u64>> {
    if let Some(value) = pool.as_const(expr) {
        return Some(vec![value]);
    }
    let var = pool.support(expr).only()?;
    if path.is_contradiction() || path.slice_of(var).is_some_and(|slice| !slice.is_unconstrained())
    {
        return None;
    }
    let domain = path.domain(var);
    let table = pool.table_of(expr)?;
    let mut values: Vec<u64> = domain.iter().map(|byte| table.get(byte)).collect();
    values.sort_unstable();
    values.dedup();
    Some(values)
}

fn value_under(pool: &Pool, expr: ExprId, model: &Model) -> u64 {
    u64::try_from(pool.eval(expr, model)).expect("a term of at most 64 bits")
}

fn differs_from(pool: &mut Pool, expr: ExprId, value: u64) -> ExprId {
    let value = pool.constant(pool.width(expr), value);
    pool.ne(expr, value)
}

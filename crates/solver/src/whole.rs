//! Questions about a whole path, where nothing is known to be satisfiable.

use fathom_expr::{Model, Pool};

use crate::answer::{Answer, Failure};
use crate::path::PathCondition;
use crate::solver::Solver;

impl Solver {
    /// Whether all constraints of `path` can hold at once. The model assigns every byte they
    /// depend on, close to `hint` where there is a choice.
    ///
    /// The newest constraint is asked about first: what comes last is most likely the question.
    pub fn check_whole(
        &mut self,
        pool: &mut Pool,
        path: &PathCondition,
        hint: Option<&Model>,
    ) -> Result<Answer, Failure> {
        if path.is_contradiction() {
            return Ok(Answer::Unsat);
        }
        let mut joint = Model::new();
        let mut failure = None;
        let constraints: Vec<_> = path.constraints().collect();
        for &constraint in constraints.iter().rev() {
            if pool.support(constraint).iter().all(|var| joint.assigned(var)) {
                continue;
            }
            match self.check(pool, path, constraint, hint) {
                Ok(Answer::Sat(model)) => joint.update(&model),
                Ok(Answer::Unsat) => return Ok(Answer::Unsat),
                // Another slice may still be unsatisfiable.
                Err(reason) => failure = Some(reason),
            }
        }
        failure.map_or(Ok(Answer::Sat(joint)), Err)
    }
}

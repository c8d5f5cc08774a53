//! An input that shows a bug and is as close to the test's own as can be.

use std::time::{Duration, Instant};

use fathom_engine::Engine;
use fathom_engine::outcome::Ended;
use fathom_expr::{ExprId, Model, Var};
use fathom_solver::{Answer, PathCondition};

/// The bytes of the path's inputs as the seed has them wherever the path allows it, and `time` to
/// find that out: pieces that cannot all stay as they are, are halved.
pub fn nearest(engine: &mut Engine<'_>, ended: &Ended, seed: &Model, time: Duration) -> Model {
    let mut search = Nearest {
        engine,
        path: ended.path.clone(),
        model: ended.model.clone(),
        seed,
        until: Instant::now() + time,
    };
    let mut tied = Vec::new();
    for input in ended.inputs.iter() {
        let first = search.engine.pool.input_info(input.id).first;
        for var in (0..input.size).map(|at| Var(first.0 + at)) {
            match search.path.slice_of(var).is_some() {
                true => tied.push(var),
                false => search.model.set(var, seed.get(var)),
            }
        }
    }
    search.keep(&tied);
    search.model
}

struct Nearest<'e, 'p> {
    engine: &'e mut Engine<'p>,
    path: PathCondition,
    model: Model,
    seed: &'e Model,
    until: Instant,
}

impl Nearest<'_, '_> {
    /// Lets as many of `bytes` as possible be the seed's.
    fn keep(&mut self, bytes: &[Var]) {
        let differing: Vec<Var> = bytes
            .iter()
            .copied()
            .filter(|&var| self.model.get(var) != self.seed.get(var))
            .collect();
        if !differing.is_empty() && !self.try_all(bytes) && bytes.len() > 1 {
            let (left, right) = bytes.split_at(bytes.len() / 2);
            self.keep(left);
            self.keep(right);
            return;
        }
        // What agrees is not given up again for the sake of others.
        for &var in bytes {
            if self.model.get(var) == self.seed.get(var) {
                let condition = self.as_seed(var);
                self.path.add(&mut self.engine.pool, condition);
            }
        }
    }

    /// Whether all of them can be; then they are.
    fn try_all(&mut self, bytes: &[Var]) -> bool {
        if Instant::now() > self.until {
            return false;
        }
        let mut all = self.engine.pool.bool(true);
        for &var in bytes {
            let condition = self.as_seed(var);
            all = self.engine.pool.and(all, condition);
        }
        let Engine { pool, solver, .. } = &mut *self.engine;
        match solver.check(pool, &self.path, all, Some(&self.model)) {
            Ok(Answer::Sat(changes)) => {
                self.model.update(&changes);
                true
            }
            Ok(Answer::Unsat) | Err(_) => false,
        }
    }

    fn as_seed(&mut self, var: Var) -> ExprId {
        let pool = &mut self.engine.pool;
        let (input, at) = pool.var_owner(var);
        let byte = pool.byte(input, at);
        let value = pool.constant(8, u64::from(self.seed.get(var)));
        pool.eq(byte, value)
    }
}

//! The models layer: the state's own values with a few bytes replaced, then models found lately.

use std::collections::VecDeque;
use std::time::Instant;

use fathom_expr::{ExprId, Model, Pool};

use crate::answer::{Answer, Failure};
use crate::byteset::ByteSet;
use crate::clock::Clock;
use crate::layer::{Context, Decision, Effort, Layer, Query};
use crate::stats::LayerKind;

/// A failing constraint over more bytes than this is not repaired byte by byte.
const MAX_REPAIRED_BYTES: usize = 4;
/// Values tried for each byte of a failing constraint.
const VALUES_PER_BYTE: usize = 12;

/// Constraints that a query which is to be cheap may have evaluated for guesses, about.
const CHEAP_EVALUATIONS: usize = 1 << 12;

/// A model that evaluation confirmed, if there is one within the query's time.
type Guess = Result<Option<Model>, Failure>;

/// Guesses models and keeps those that evaluation confirms.
pub(crate) struct Models {
    /// What the layers below found, newest first.
    recent: VecDeque<Model>,
    capacity: usize,
    below: Box<dyn Layer>,
}

impl Models {
    pub fn new(capacity: usize, below: Box<dyn Layer>) -> Self {
        Self { recent: VecDeque::with_capacity(capacity), capacity, below }
    }

    fn guess(&self, pool: &Pool, query: &Query<'_>, clock: &Clock<'_>) -> Guess {
        let mut trials = Trials::new(pool, query, clock);
        let candidate = query.candidate();
        let Some(failing) = trials.first_failing(&candidate) else {
            return Ok(Some(candidate));
        };
        match trials.repair(candidate, failing)? {
            None => self.guess_recent(query, trials),
            repaired => Ok(repaired),
        }
    }

    fn guess_recent(&self, query: &Query<'_>, mut trials: Trials<'_>) -> Guess {
        let fits = |model: &&Model| {
            query.slice.bytes().iter().all(|byte| byte.domain.contains(model.get(byte.var)))
        };
        for model in self.recent.iter().filter(fits).map(|model| query.model_from(model)) {
            if !trials.has_another()? {
                break;
            }
            if trials.first_failing(&model).is_none() {
                return Ok(Some(model));
            }
        }
        Ok(None)
    }
}

/// Evaluates the constraints of one query, as often as its effort allows.
struct Trials<'a> {
    pool: &'a Pool,
    query: &'a Query<'a>,
    clock: &'a Clock<'a>,
    evaluations_left: usize,
}

impl<'a> Trials<'a> {
    fn new(pool: &'a Pool, query: &'a Query<'a>, clock: &'a Clock<'a>) -> Self {
        let is_cheap = query.effort == Effort::Cheap;
        let evaluations_left = if is_cheap { CHEAP_EVALUATIONS } else { usize::MAX };
        Self { pool, query, clock, evaluations_left }
    }

    fn has_another(&self) -> Result<bool, Failure> {
        self.clock.look()?;
        Ok(self.evaluations_left > 0)
    }

    /// The first constraint that `model` does not satisfy.
    fn first_failing(&mut self, model: &Model) -> Option<ExprId> {
        let (mut last, mut n_evaluated) = (None, 0);
        let constraints = self.query.constraints().inspect(|&constraint| {
            last = Some(constraint);
            n_evaluated += 1;
        });
        let all = self.pool.eval_all(constraints, model);
        self.evaluations_left = self.evaluations_left.saturating_sub(n_evaluated);
        last.filter(|_| !all)
    }

    /// Replaces one byte of `failing` in `model` so that every constraint holds.
    fn repair(&mut self, mut model: Model, failing: ExprId) -> Guess {
        let vars = self.pool.support(failing);
        if vars.len() > MAX_REPAIRED_BYTES {
            return Ok(None);
        }
        for var in vars.iter() {
            let present = model.get(var);
            for value in likely_values(self.query.slice.domain(var), present) {
                if !self.has_another()? {
                    return Ok(None);
                }
                model.set(var, value);
                if self.pool.eval_bool(failing, &model) && self.first_failing(&model).is_none() {
                    return Ok(Some(model));
                }
            }
            model.set(var, present);
        }
        Ok(None)
    }
}

/// The neighbours of `present`, the ends of the domain, and values spread over it.
fn likely_values(domain: ByteSet, present: u8) -> impl Iterator<Item = u8> {
    let stride = (domain.len() as usize / VALUES_PER_BYTE).max(1);
    let near = [present.wrapping_add(1), present.wrapping_sub(1)]
        .into_iter()
        .filter(move |&v| domain.contains(v));
    let spread = domain.max().into_iter().chain(domain.iter().step_by(stride));
    near.chain(spread).filter(move |&value| value != present).take(VALUES_PER_BYTE)
}

impl Layer for Models {
    fn decide(&mut self, context: &mut Context<'_>, query: &Query<'_>) -> Decision {
        let start = Instant::now();
        let guess = self.guess(context.pool, query, &context.clock);
        let stats = &mut context.stats[LayerKind::Models];
        stats.asked += 1;
        stats.spend(start.elapsed());
        if let Some(model) = guess? {
            stats.answered += 1;
            return Ok(Some(Answer::Sat(model)));
        }
        let decision = self.below.decide(context, query)?;
        if let Some(Answer::Sat(model)) = &decision {
            self.recent.truncate(self.capacity.saturating_sub(1));
            self.recent.push_front(model.clone());
        }
        Ok(decision)
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::sync::Arc;

    use super::*;
    use crate::path::PathCondition;

    /// How many models a query with 64 constraints tries before it gives up, up to 1000.
    fn n_trials(effort: Effort) -> usize {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let [low, high] = [0, 1].map(|byte| pool.byte(input, byte));
        let sum = pool.add(low, high);
        let mut path = PathCondition::new();
        for value in 0..64 {
            let value = pool.constant(8, value);
            let is_it = pool.eq(sum, value);
            let is_not = pool.not(is_it);
            path.add(&mut pool, is_not);
        }
        let first = pool.input_info(input).first;
        let slice: Rc<_> = path.slice_of(first).expect("it is constrained").clone();
        let hint: Model = [(first, 200)].into_iter().collect();
        let query = Query { slice: &slice, path: &path, condition: None, hint: &hint, effort };
        let interrupt = Arc::default();
        let clock = Clock::start(None, &interrupt);
        let mut trials = Trials::new(&pool, &query, &clock);
        let tries = (0..1000).take_while(|_| {
            trials.has_another().expect("no limit") && trials.first_failing(&hint).is_none()
        });
        tries.count()
    }

    #[test]
    fn a_cheap_query_guesses_so_often_and_no_more() {
        assert_eq!(n_trials(Effort::Cheap), CHEAP_EVALUATIONS / 64);
        assert_eq!(n_trials(Effort::Full), 1000);
    }
}

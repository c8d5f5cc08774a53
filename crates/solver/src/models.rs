//! The models layer: the state's own values with a few bytes replaced, then models found lately.

use std::collections::VecDeque;
use std::time::Instant;

use fathom_expr::{ExprId, Model, Pool};

use crate::answer::Answer;
use crate::byteset::ByteSet;
use crate::layer::{Context, Decision, Layer, Query};
use crate::stats::LayerKind;

/// A failing constraint over more bytes than this is not repaired byte by byte.
const MAX_REPAIRED_BYTES: usize = 4;
/// Values tried for each byte of a failing constraint.
const VALUES_PER_BYTE: usize = 12;

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

    fn guess(&self, pool: &Pool, query: &Query<'_>) -> Option<Model> {
        let candidate = query.candidate();
        let Some(failing) =
            query.constraints().find(|&constraint| !pool.eval_bool(constraint, &candidate))
        else {
            return Some(candidate);
        };
        repair(pool, query, candidate, failing).or_else(|| self.guess_recent(pool, query))
    }

    fn guess_recent(&self, pool: &Pool, query: &Query<'_>) -> Option<Model> {
        let fits = |model: &&Model| {
            query.slice.bytes().iter().all(|byte| byte.domain.contains(model.get(byte.var)))
        };
        let mut guesses = self.recent.iter().filter(fits).map(|model| query.model_from(model));
        guesses.find(|model| query.is_satisfied(pool, model))
    }
}

/// Replaces one byte of `failing` in `model` so that every constraint holds.
fn repair(pool: &Pool, query: &Query<'_>, mut model: Model, failing: ExprId) -> Option<Model> {
    let vars = pool.support(failing);
    if vars.len() > MAX_REPAIRED_BYTES {
        return None;
    }
    for &var in vars {
        let present = model.get(var);
        for value in likely_values(query.slice.domain(var), present) {
            model.set(var, value);
            if pool.eval_bool(failing, &model) && query.is_satisfied(pool, &model) {
                return Some(model);
            }
        }
        model.set(var, present);
    }
    None
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
        let guess = self.guess(context.pool, query);
        let stats = &mut context.stats[LayerKind::Models];
        stats.asked += 1;
        stats.time += start.elapsed();
        if let Some(model) = guess {
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

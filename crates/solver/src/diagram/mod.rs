//! The decision-diagram layer: small slices are decided exactly, byte by byte, within a budget.

mod build;
mod flat;
mod nodes;
mod scalar;

use std::time::Instant;

use fathom_expr::{ExprId, Model, Pool};
use rustc_hash::FxHashMap;

use self::build::{Builder, NoDiagram};
use self::nodes::Ref;
use crate::answer::Answer;
use crate::layer::{Context, Decision, Layer, Query};
use crate::slice::Slice;
use crate::stats::LayerKind;

/// Slices with more bytes that are not fixed are passed on at once.
const MAX_BYTES: usize = 48;
/// A constraint may use one part in so many of the steps of a query.
const SHARE: u32 = 4;
/// A constraint that was given up is tried again when its bytes have so many bits less to choose from.
const RETRY_BITS: u32 = 3;

/// Turns the constraints of a slice into one diagram and reads the answer off it.
pub(crate) struct Diagram {
    builder: Builder,
    max_steps: u32,
    steps_left: u32,
    /// Constraints that were given up, and how many bits their bytes' domains had then.
    hopeless: FxHashMap<ExprId, u32>,
    below: Box<dyn Layer>,
}

/// The query needs more steps than it has.
struct GaveUp;

impl Diagram {
    pub fn new(max_steps: u32, below: Box<dyn Layer>) -> Self {
        Self {
            builder: Builder::new(),
            max_steps,
            steps_left: 0,
            hopeless: FxHashMap::default(),
            below,
        }
    }

    /// The answer. A constraint without a diagram is left out: what cannot hold without it cannot
    /// hold with it, and a model of the others may happen to satisfy it.
    fn solve(&mut self, pool: &mut Pool, query: &Query<'_>) -> Result<Answer, GaveUp> {
        let slice = &**query.slice;
        if slice.bytes().iter().filter(|byte| byte.domain.len() > 1).count() > MAX_BYTES {
            return Err(GaveUp);
        }
        self.builder.enter(pool, slice);
        self.steps_left = self.max_steps;
        let (asked, others) = asked_and_others(pool, query);
        let asked = match asked {
            Some(asked) => self.conjoin(pool, slice, Ref::TRUE, asked)?.ok_or(GaveUp)?,
            None => Ref::TRUE,
        };
        let mut all = Ref::TRUE;
        let mut left_out = Vec::new();
        for constraint in others {
            if asked == Ref::FALSE || all == Ref::FALSE {
                return Ok(Answer::Unsat);
            }
            match self.conjoin(pool, slice, all, constraint)? {
                Some(more) => all = more,
                None => left_out.push(constraint),
            }
        }
        self.builder.nodes.allow(self.steps_left);
        let all = self.builder.and(all, asked).map_err(|_| GaveUp)?;
        if all == Ref::FALSE {
            return Ok(Answer::Unsat);
        }
        let model = self.pick(slice, all, query.candidate());
        if pool.eval_all(left_out, &model) { Ok(Answer::Sat(model)) } else { Err(GaveUp) }
    }

    /// `diagram` and `constraint`; none if the latter is hopeless.
    fn conjoin(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        diagram: Ref,
        constraint: ExprId,
    ) -> Result<Option<Ref>, GaveUp> {
        let bits = domain_bits(pool, slice, constraint);
        if self.hopeless.get(&constraint).is_some_and(|&bits_then| bits + RETRY_BITS > bits_then) {
            return Ok(None);
        }
        let share = self.max_steps / SHARE;
        let allowed = self.steps_left.min(share);
        self.builder.nodes.allow(allowed);
        let term = self.builder.term(pool, constraint);
        let both = term.and_then(|term| Ok(self.builder.and(diagram, term)?));
        self.steps_left -= allowed - self.builder.nodes.steps_left();
        match both {
            Ok(both) => Ok(Some(both)),
            Err(NoDiagram::OutOfSteps) if allowed < share => Err(GaveUp),
            Err(_) => {
                self.hopeless.insert(constraint, bits);
                Ok(None)
            }
        }
    }

    /// Follows `diagram` to true, as close to `model` as its edges allow.
    fn pick(&self, slice: &Slice, diagram: Ref, mut model: Model) -> Model {
        let nodes = &self.builder.nodes;
        let mut function = diagram;
        while function != Ref::TRUE {
            let var = self.builder.order[usize::from(nodes.level(function))];
            let runs = nodes.runs(function);
            let present = runs[runs.partition_point(|run| run.last < model.get(var))];
            if present.child != Ref::FALSE {
                function = present.child;
                continue;
            }
            let run_idx =
                runs.iter().position(|run| run.child != Ref::FALSE).expect("a node can be true");
            let first = run_idx.checked_sub(1).map_or(0, |before| runs[before].last + 1);
            let value =
                slice.domain(var).next_from(first).expect("a run holds a value of the domain");
            model.set(var, value);
            function = runs[run_idx].child;
        }
        model
    }
}

/// The asked condition if it is one constraint of the slice, and the other constraints, those over
/// few bytes first.
fn asked_and_others(pool: &Pool, query: &Query<'_>) -> (Option<ExprId>, Vec<ExprId>) {
    let constraints = query.slice.constraints();
    let asked = constraints.contains(&query.condition).then_some(query.condition);
    let mut others: Vec<ExprId> =
        constraints.iter().copied().filter(|&other| Some(other) != asked).collect();
    others.sort_by_key(|&constraint| pool.support(constraint).len());
    (asked, others)
}

/// How many bits of choice the bytes of `constraint` have.
fn domain_bits(pool: &Pool, slice: &Slice, constraint: ExprId) -> u32 {
    pool.support(constraint)
        .iter()
        .map(|&var| slice.domain(var).len().next_power_of_two().ilog2())
        .sum()
}

impl Layer for Diagram {
    fn decide(&mut self, context: &mut Context<'_>, query: &Query<'_>) -> Decision {
        let start = Instant::now();
        let answer = self.solve(context.pool, query);
        let stats = &mut context.stats[LayerKind::Diagram];
        stats.asked += 1;
        stats.time += start.elapsed();
        if let Ok(answer) = answer {
            stats.answered += 1;
            return Ok(Some(answer));
        }
        self.below.decide(context, query)
    }
}

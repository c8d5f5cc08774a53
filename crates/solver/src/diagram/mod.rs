//! The decision-diagram layer: small slices are decided exactly, byte by byte, within a budget.

mod build;
mod flat;
mod nodes;
mod scalar;

use std::time::Instant;

use fathom_expr::{ExprId, Model, Pool, Reason, Var};
use rustc_hash::FxHashMap;

use self::build::{Builder, NoDiagram};
use self::nodes::Ref;
use crate::answer::Answer;
use crate::byteset::ByteSet;
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
    /// By first byte, the slices that were given up.
    given_up: FxHashMap<Var, Size>,
    below: Box<dyn Layer>,
}

/// How much there is to a slice: its constraints, and the bits of choice its bytes have.
#[derive(Clone, Copy)]
struct Size {
    n_constraints: usize,
    bits: u32,
}

/// The query needs more steps than it has.
struct GaveUp;

enum Found {
    Model(Model),
    Nothing(Reason),
}

impl Diagram {
    pub fn new(max_steps: u32, below: Box<dyn Layer>) -> Self {
        Self {
            builder: Builder::new(),
            max_steps,
            steps_left: 0,
            hopeless: FxHashMap::default(),
            given_up: FxHashMap::default(),
            below,
        }
    }

    /// The answer. A constraint without a diagram is left out: what cannot hold without it cannot
    /// hold with it, and a model of the others may happen to satisfy it.
    fn solve(&mut self, pool: &mut Pool, query: &Query<'_>) -> Result<Found, GaveUp> {
        let slice = &**query.slice;
        if slice.bytes().iter().filter(|byte| byte.domain.len() > 1).count() > MAX_BYTES {
            return Err(GaveUp);
        }
        self.builder.enter(pool, slice);
        self.steps_left = self.max_steps;
        let (asked, others) = asked_and_others(pool, query);
        let asked = match asked {
            Some(asked) => self.term(pool, slice, asked)?.ok_or(GaveUp)?,
            None => Ref::TRUE,
        };
        if asked == Ref::FALSE {
            return Ok(Found::Nothing(reason(pool, query, Vec::new())));
        }
        if self.is_given_up(slice) {
            return Err(GaveUp);
        }
        let mut all = asked;
        let mut left_out = Vec::new();
        if !others.is_empty() {
            (all, left_out) = self.conjoin(pool, slice, &others)?;
            all = self.and(slice, all, asked)?;
        }
        if all == Ref::FALSE {
            let used = others.into_iter().filter(|other| !left_out.contains(other)).collect();
            return Ok(Found::Nothing(reason(pool, query, used)));
        }
        let model = self.pick(slice, all, query.candidate());
        if pool.eval_all(left_out, &model) { Ok(Found::Model(model)) } else { Err(GaveUp) }
    }

    /// All `constraints` at once, and those that were left out.
    fn conjoin(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        constraints: &[ExprId],
    ) -> Result<(Ref, Vec<ExprId>), GaveUp> {
        let mut all = Ref::TRUE;
        let mut left_out = Vec::new();
        for &constraint in constraints {
            match self.term(pool, slice, constraint)? {
                Some(term) => all = self.and(slice, all, term)?,
                None => left_out.push(constraint),
            }
            if all == Ref::FALSE {
                break;
            }
        }
        Ok((all, left_out))
    }

    /// The diagram of `constraint`; none if it is hopeless.
    fn term(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        constraint: ExprId,
    ) -> Result<Option<Ref>, GaveUp> {
        let bits = domain_bits(pool, slice, constraint);
        if self.hopeless.get(&constraint).is_some_and(|&then| bits + RETRY_BITS > then) {
            return Ok(None);
        }
        let allowed = self.allow_share();
        let term = self.builder.term(pool, constraint);
        self.steps_left -= allowed - self.builder.nodes.steps_left();
        match term {
            Ok(term) => Ok(Some(term)),
            Err(NoDiagram::OutOfSteps) if allowed < self.max_steps / SHARE => Err(GaveUp),
            Err(_) => {
                self.hopeless.insert(constraint, bits);
                Ok(None)
            }
        }
    }

    fn and(&mut self, slice: &Slice, a: Ref, b: Ref) -> Result<Ref, GaveUp> {
        let allowed = self.allow_share();
        let both = self.builder.and(a, b);
        self.steps_left -= allowed - self.builder.nodes.steps_left();
        both.map_err(|_| {
            self.given_up.insert(slice.bytes()[0].var, size(slice));
            GaveUp
        })
    }

    /// Lets the next operation take its share of the steps that are left.
    fn allow_share(&mut self) -> u32 {
        let allowed = self.steps_left.min(self.max_steps / SHARE);
        self.builder.nodes.allow(allowed);
        allowed
    }

    /// Whether this slice, or one that it extends, was given up.
    fn is_given_up(&self, slice: &Slice) -> bool {
        let now = size(slice);
        self.given_up.get(&slice.bytes()[0].var).is_some_and(|then| {
            now.n_constraints >= then.n_constraints && now.bits + RETRY_BITS > then.bits
        })
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

/// These constraints leave the asked condition no model.
fn reason(pool: &Pool, query: &Query<'_>, constraints: Vec<ExprId>) -> Reason {
    let bytes = query.slice.bytes().iter().map(|byte| byte.var);
    let terms = || constraints.iter().copied().chain(query.condition);
    let is_used = |var: &Var| terms().any(|term| pool.support(term).contains(*var));
    let bytes = bytes.filter(is_used).collect();
    Reason { constraints, bytes }
}

/// The asked condition if it is one constraint of the slice, and the other constraints, those over
/// few bytes first.
fn asked_and_others(pool: &Pool, query: &Query<'_>) -> (Option<ExprId>, Vec<ExprId>) {
    let constraints = query.slice.constraints();
    let asked = query.condition.filter(|asked| constraints.contains(asked));
    let mut others: Vec<ExprId> =
        constraints.iter().copied().filter(|&other| Some(other) != asked).collect();
    others.sort_by_key(|&constraint| pool.support(constraint).len());
    (asked, others)
}

/// How many bits of choice the bytes of `constraint` have.
fn domain_bits(pool: &Pool, slice: &Slice, constraint: ExprId) -> u32 {
    pool.support(constraint).iter().map(|var| bits(slice.domain(var))).sum()
}

fn size(slice: &Slice) -> Size {
    let bits = slice.bytes().iter().map(|byte| bits(byte.domain)).sum();
    Size { n_constraints: slice.constraints().len(), bits }
}

fn bits(domain: ByteSet) -> u32 {
    domain.len().next_power_of_two().ilog2()
}

impl Layer for Diagram {
    fn decide(&mut self, context: &mut Context<'_>, query: &Query<'_>) -> Decision {
        let start = Instant::now();
        context.clock.look()?;
        let found = self.solve(context.pool, query);
        let stats = &mut context.stats[LayerKind::Diagram];
        stats.asked += 1;
        stats.spend(start.elapsed());
        if let Ok(found) = found {
            stats.answered += 1;
            return Ok(Some(match found {
                Found::Model(model) => Answer::Sat(model),
                Found::Nothing(reason) => {
                    context.reason = Some(reason);
                    Answer::Unsat
                }
            }));
        }
        self.below.decide(context, query)
    }
}

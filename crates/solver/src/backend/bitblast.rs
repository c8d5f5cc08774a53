//! A bit-blaster of our own over CaDiCaL, for the small queries about bytes that most are.
//!
//! On the recorded queries of five programs it takes 2 to 20 % of Bitwuzla's time. One circuit
//! serves all queries, whose constraints are only assumed.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fathom_expr::{ExprId, Model, Pool, Var};

use super::blast::{Blaster, Unsupported};
use super::circuit::{Circuit, Lit};
use super::session::support;
use super::watch::Watch;
use super::{Backend, Budget};
use crate::{Answer, Failure};

/// The circuit is started afresh when it has this many wires.
const MAX_WIRES: usize = 20_000;
/// Queries that need more are left undecided.
const TOO_MANY_WIRES: usize = 200_000;

/// Knows neither floating point nor division nor large products: those it leaves undecided.
pub struct Bitblast {
    /// Before the watch, which it points to.
    blaster: Option<Blaster>,
    watch: Box<Watch>,
}

impl Bitblast {
    /// A query ends with `Failure::Timeout` as soon as `interrupt` is set.
    pub fn new(interrupt: Arc<AtomicBool>) -> Self {
        Self { blaster: None, watch: Box::new(Watch::new(interrupt)) }
    }
}

impl Backend for Bitblast {
    fn solve(
        &mut self,
        pool: &mut Pool,
        constraints: &[ExprId],
        budget: Budget,
    ) -> Result<Answer, Failure> {
        self.watch.start(budget);
        if self.blaster.as_ref().is_some_and(|blaster| blaster.circuit.n_wires() > MAX_WIRES) {
            self.blaster = None;
        }
        let watch = &raw mut *self.watch;
        let blaster = self.blaster.get_or_insert_with(|| Blaster::new(Circuit::new(watch)));
        let lits: Result<Vec<Lit>, Unsupported> = constraints
            .iter()
            .map(|&expr| match blaster.circuit.n_wires() > TOO_MANY_WIRES {
                true => Err(Unsupported),
                false => blaster.condition(pool, expr, &self.watch),
            })
            .collect();
        let lits =
            lits.map_err(|Unsupported| Failure::Unknown("not translated to gates".into()))?;
        match blaster.circuit.solve(&lits) {
            Some(true) => Ok(Answer::Sat(model(blaster, &support(pool, constraints)))),
            Some(false) => Ok(Answer::Unsat),
            None => {
                self.blaster = None;
                Err(Failure::Timeout)
            }
        }
    }
}

fn model(blaster: &Blaster, vars: &[Var]) -> Model {
    let byte = |var| {
        let bits = blaster.var(var).unwrap_or([Lit::from(false); 8]);
        bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(blaster.circuit.value(bit)))
    };
    vars.iter().map(|&var| (var, byte(var))).collect()
}

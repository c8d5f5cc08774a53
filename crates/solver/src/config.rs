//! How the chain is put together.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use fathom_expr::Pool;

use crate::backend::{Backend, Budget, Pipe};
use crate::{Answer, Failure};

/// Which layers there are and what each may spend.
#[derive(Clone, Debug)]
pub struct Config {
    pub layers: Layers,
    /// For each query that reaches the SMT solver.
    pub budget: Budget,
    /// Raised from outside, it ends the running query of the SMT solver.
    pub interrupt: Arc<AtomicBool>,
    /// Decided slices remembered, in each of two generations.
    pub cache_entries: usize,
    /// Models remembered.
    pub recent_models: usize,
    /// Steps that the decision diagram may take for one query; a few nanoseconds each.
    pub diagram_steps: u32,
    /// Evaluate every model before it is given out.
    pub validate: bool,
    pub record: Option<Record>,
    pub cross_check: Option<CrossCheck>,
}

/// Layers that can be left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layers {
    pub cache: bool,
    pub domains: bool,
    pub reasons: bool,
    pub values: bool,
    pub models: bool,
    pub diagram: bool,
}

/// Write queries down as SMT-LIB, with their answers.
#[derive(Clone, Debug)]
pub struct Record {
    pub directory: PathBuf,
    pub which: Recorded,
}

/// The queries to write down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recorded {
    /// Those that reach the SMT solver.
    Backend,
    /// Every slice that is asked about, but for a byte on its own.
    All,
}

/// What a solver may take to start and answer something easy.
const PROBE_TIME: Duration = Duration::from_secs(10);

/// Ask a second solver as well.
#[derive(Clone, Debug)]
pub struct CrossCheck {
    /// A solver that reads SMT-LIB on its standard input, and its arguments.
    pub command: Vec<String>,
    /// One query in so many.
    pub every: u64,
    /// For each query; what it cannot decide meanwhile is not compared.
    pub time: Duration,
    /// Also what is decided before the chain: conditions on a byte on its own, contradictions.
    pub before_chain: bool,
}

impl CrossCheck {
    /// Asks the solver something easy; what is wrong if it does not answer.
    pub fn probe(&self) -> Result<(), Failure> {
        let mut pool = Pool::default();
        let input = pool.input("probe", 1);
        let byte = pool.byte(input, 0);
        let five = pool.constant(8, 5);
        let is_five = pool.eq(byte, five);
        let command: Vec<&str> = self.command.iter().map(String::as_str).collect();
        let mut solver = Pipe::new(&command, Arc::default());
        let answer = solver.solve(&mut pool, &[is_five], Budget::time(PROBE_TIME))?;
        match answer {
            Answer::Sat(model) if pool.eval_bool(is_five, &model) => Ok(()),
            _ => Err(Failure::Unknown("its answer to `x = 5` is wrong".into())),
        }
    }
}

impl Layers {
    pub const ALL: Self = Self::all(true);
    pub const NONE: Self = Self::all(false);

    const fn all(there: bool) -> Self {
        Self {
            cache: there,
            domains: there,
            reasons: there,
            values: there,
            models: there,
            diagram: there,
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            layers: Layers::ALL,
            budget: Budget::time(Duration::from_secs(30)),
            interrupt: Arc::default(),
            cache_entries: 1 << 16,
            recent_models: 64,
            diagram_steps: 200_000,
            validate: true,
            record: None,
            cross_check: None,
        }
    }
}

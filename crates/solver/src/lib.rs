//! Answers "is this satisfiable, and by what?" through a chain of layers.
//!
//! A [`PathCondition`] keeps the constraints of a path as independent slices; a [`Solver`] asks the
//! chain about the slices that a condition touches. *Only [`backend`] knows an SMT solver.*

mod answer;
pub mod backend;
mod byteset;
mod cache;
mod chain;
mod clock;
mod config;
mod cross_check;
mod diagram;
mod domains;
mod layer;
mod models;
mod path;
mod prefer;
mod reasons;
mod record;
mod search;
mod slice;
mod smt;
mod solver;
mod stats;
mod tabulate;
mod validate;
mod values;
mod varmap;
mod whole;

pub use answer::{Answer, Failure};
pub use byteset::ByteSet;
pub use config::{Config, CrossCheck, Layers, Record, Recorded};
pub use path::PathCondition;
pub use search::Values;
pub use slice::{Slice, SliceByte};
pub use solver::Solver;
pub use stats::{LayerKind, LayerStats, Stats};
pub use tabulate::true_set;

//! States, memory, the interpreter and the searchers. Does no I/O; nothing in it is serialisable.

mod big;
mod call;
mod coverage;
mod engine;
mod exec;
mod explain;
mod faults;
mod float;
mod frontier;
pub mod hooks;
mod int;
mod intrinsics;
mod leaks;
pub mod ledger;
pub mod memory;
pub mod outcome;
mod pages;
mod pressure;
pub mod route;
mod search;
mod signals;
mod snapshot;
mod soft;
mod start;
mod state;
mod step;
mod symbolic;
pub mod system;
pub mod trail;

pub use coverage::Coverage;
pub use engine::{Begin, Checks, Config, Engine, Entry, NOT_ASKED, NOT_FINISHED, Stats, Text};
pub use explain::describe_object;
pub use fathom_ir::layout;
pub use start::{Given, GivenSeed, StartError};
pub use state::{Input, InputKind, State, StateId};
pub use symbolic::makes_inputs;

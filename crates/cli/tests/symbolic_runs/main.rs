//! `fathom run` with symbolic input as a process: same seed, same bytes; faults; limits; searchers.

mod determinism;
mod explained;
mod faults;
mod in_parts;
mod limits;
mod page;
mod pending;
mod replays;
mod searchers;
mod workplace;

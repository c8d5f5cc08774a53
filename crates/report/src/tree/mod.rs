//! `tree.bin`: the execution tree of a run, in an append-only, crash-safe file.
//!
//! The file is a log of what happened to states: one forked from another, one met a bug, one
//! ended. [`Tree`] makes the tree out of it: a fork is a node with two children, the state that
//! went on and the new one; a leaf is an end, or a state that never came to one.

mod log;
mod merge;
mod numbers;
mod reader;
mod writer;

pub use log::TreeEnd;
pub use merge::TreePart;
pub(crate) use merge::merge;
pub use numbers::StateNumbers;
pub use reader::{Node, Tree, What};
pub use writer::TreeWriter;

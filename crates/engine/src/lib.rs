//! States, memory, the interpreter and the searchers. Does no I/O; nothing in it is serialisable.

pub mod ledger;
pub mod memory;
pub mod outcome;
pub mod pages;
pub mod system;

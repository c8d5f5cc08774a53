//! The solver against brute force, and against a second solver.

mod chain;
mod path;
mod random;
mod watch;

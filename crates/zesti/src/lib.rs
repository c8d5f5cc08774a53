//! ZESTI: checks what a test of the program's own suite comes past for all inputs that take the
//! same path, then explores what lies beside that path, nearest to sensitive operations first.
//!
//! "make test-zesti: A Symbolic Execution Solution for Improving Regression Testing" (ICSE 2012).
//! Where we depart from it: the bound on an excursion is `FORKS_PER_DISTANCE` forks for each unit of
//! distance; a concrete access is sensitive only in the program's own code; a switch is one branch.

mod nearest;
mod pass;
mod probability;
mod search;
mod sensitive;

pub use nearest::nearest;
pub use pass::{Limits, Pass, Report, Trace};
pub use probability::probability_of_finding;
pub use search::searchers;
pub use sensitive::sensitive_blocks;

//! The SMT solvers at the end of the chain; nothing outside knows one.
//!
//! **Invariant:** a backend that cannot decide says so: it never takes a guess for an answer, and
//! it returns soon after its budget is used up, whatever the solver does.

mod bitblast;
mod bitwuzla;
mod blast;
mod child;
mod circuit;
mod encode;
mod ffi;
mod float;
mod pipe;
mod session;
mod standard;
mod table;
mod terms;
mod watch;

use fathom_expr::{ExprId, Pool};

pub use self::bitblast::Bitblast;
pub use self::bitwuzla::Bitwuzla;
pub use self::pipe::Pipe;
pub use self::standard::Standard;
pub use self::watch::Budget;
use crate::{Answer, Failure};

/// Decides conjunctions of conditions.
///
/// Expressions mean something in their pool only: all queries to one backend are about one pool.
pub trait Backend {
    /// Whether all `constraints` (each of width 1) can hold at once. The model assigns every input
    /// byte they depend on.
    ///
    /// The last one is taken to be the question and those before it the path that leads to it,
    /// which later queries are likely to extend.
    fn solve(
        &mut self,
        pool: &mut Pool,
        constraints: &[ExprId],
        budget: Budget,
    ) -> Result<Answer, Failure>;

    /// The same with no more than some tens of milliseconds of work, counted in steps.
    fn try_briefly(
        &mut self,
        pool: &mut Pool,
        constraints: &[ExprId],
        budget: Budget,
    ) -> Result<Answer, Failure> {
        self.solve(pool, constraints, budget)
    }
}

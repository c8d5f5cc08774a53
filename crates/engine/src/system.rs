//! The boundary to the operating system: one call, answered by whoever plays the kernel.

use std::any::Any;

use fathom_expr::{ExprId, Pool};

use crate::ledger::Ledger;
use crate::memory::Memory;
use crate::outcome::{Fault, Site, Trace};

/// Answers the program's system calls. The engine does no I/O itself.
pub trait System {
    /// Called for each system call, with its number and arguments as Linux on x86-64 numbers
    /// them. The program waits; memory may be read and written. A pointer argument that does
    /// not lead to enough memory is the program's bug: return the fault of [`Memory`]. If that
    /// says that bytes are symbolic, the engine chooses values for them and makes the same call
    /// again, so nothing may have changed by then.
    fn call(
        &mut self,
        context: &mut SystemContext<'_>,
        number: u64,
        args: [u64; 6],
    ) -> Result<Reply, Fault>;

    /// A copy for a state that parts from this one.
    fn fork(&self) -> Box<dyn System>;

    /// For those who know which system it is.
    fn as_any(&self) -> &dyn Any;
}

/// What a system call may use.
pub struct SystemContext<'a> {
    pub memory: &'a mut Memory,
    pub ledger: &'a mut Ledger,
    /// Where the call is made from, for the ledger.
    pub site: Site,
    /// The same with its callers, for objects the call makes.
    pub trace: Trace,
    /// LLVM instructions executed so far; the only clock there is.
    pub instructions: u64,
    pub pool: &'a mut Pool,
    /// Conditions of one bit that the path has to fulfil from now on.
    pub assumptions: &'a mut Vec<ExprId>,
}

/// A signal handler to run: `handler(signal)` or, with `info`, `handler(signal, info, context)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    pub address: u64,
    pub signal: i32,
    pub info: Option<[u64; 2]>,
    /// The signals blocked before it, and again when it has returned.
    pub mask: u64,
}

/// The outcome of a system call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Return this to the program; errors are `-errno`, as the kernel does it.
    Value(i64),
    /// Run signal handlers, then return `value` from the system call. They are stacked in this
    /// order, as the kernel does it: the last runs first, and returns to the start of the one
    /// before. After each, the engine calls `rt_sigreturn` with its `mask`.
    Signal { value: i64, handlers: Vec<Handler> },
    /// The program has exited.
    Exit(i32),
    /// A signal's default action ends the program.
    Killed(i32),
}

//! Why a path ended, and what is known about the place.

use std::fmt;
use std::rc::Rc;

use fathom_expr::{ExprId, Model};
use fathom_ir::{FuncId, LocId};
use fathom_solver::PathCondition;

use crate::memory::ObjectView;
use crate::state::{Input, StateId};
use crate::system::System;
use crate::trail::Trail;

/// A place in the program: a function and a source location in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    pub function: FuncId,
    pub loc: LocId,
}

/// The innermost frames of a call stack, small enough to keep with every object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trace {
    sites: [Site; 5],
    len: u8,
}

impl Default for Trace {
    fn default() -> Self {
        Self { sites: [Site { function: FuncId(0), loc: LocId(0) }; 5], len: 0 }
    }
}

impl Trace {
    pub fn push(&mut self, site: Site) -> bool {
        let room = (self.len as usize) < self.sites.len();
        if room {
            self.sites[self.len as usize] = site;
            self.len += 1;
        }
        room
    }

    /// Innermost first.
    pub fn sites(&self) -> &[Site] {
        &self.sites[..self.len as usize]
    }
}

/// What was being done to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
    Free,
}

/// An access that memory refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    pub access: Access,
    pub address: u64,
    pub size: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    Null,
    OutOfBounds,
    /// The object was freed, or its function has returned.
    Dead,
    ReadOnly,
    InvalidFree,
    DoubleFree,
    /// Not a fault of the program: bytes are symbolic where concrete ones were asked for.
    Symbolic,
    /// Not a fault of the program: only the solver knows whether the bytes exist.
    SymbolicSize,
}

/// The kinds of defect, spelled in one way everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BugKind {
    OutOfBoundsRead,
    OutOfBoundsWrite,
    NullDereference,
    UseAfterFree,
    DoubleFree,
    InvalidFree,
    ReadOnlyWrite,
    OverlappingCopy,
    DivisionByZero,
    /// A fault that was put in on purpose, by its number.
    Injected(u32),
    ShiftOverflow,
    SignedOverflow,
    Assertion,
    Abort,
    Unreachable,
    InvalidCall,
    StackOverflow,
    /// `klee_report_error` and the like.
    Reported,
    Leak,
    UninitialisedRead,
    /// A trap of `-fsanitize=…`, by its name.
    Sanitizer(&'static str),
}

impl BugKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::OutOfBoundsRead => "out-of-bounds-read",
            Self::OutOfBoundsWrite => "out-of-bounds-write",
            Self::NullDereference => "null-dereference",
            Self::UseAfterFree => "use-after-free",
            Self::DoubleFree => "double-free",
            Self::InvalidFree => "invalid-free",
            Self::ReadOnlyWrite => "read-only-write",
            Self::OverlappingCopy => "overlapping-copy",
            Self::DivisionByZero => "division-by-zero",
            Self::Injected(_) => "injected-division-by-zero",
            Self::ShiftOverflow => "shift-overflow",
            Self::SignedOverflow => "signed-overflow",
            Self::Assertion => "assertion",
            Self::Abort => "abort",
            Self::Unreachable => "unreachable",
            Self::InvalidCall => "invalid-call",
            Self::StackOverflow => "stack-overflow",
            Self::Reported => "reported",
            Self::Leak => "leak",
            Self::UninitialisedRead => "uninitialised-read",
            Self::Sanitizer(name) => name,
        }
    }
}

impl fmt::Display for BugKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Fault {
    pub fn bug_kind(&self) -> BugKind {
        match (self.kind, self.access) {
            (FaultKind::Null, _) => BugKind::NullDereference,
            (FaultKind::OutOfBounds | FaultKind::SymbolicSize, Access::Write) => {
                BugKind::OutOfBoundsWrite
            }
            (FaultKind::OutOfBounds | FaultKind::SymbolicSize | FaultKind::Symbolic, _) => {
                BugKind::OutOfBoundsRead
            }
            (FaultKind::Dead, _) => BugKind::UseAfterFree,
            (FaultKind::ReadOnly, _) => BugKind::ReadOnlyWrite,
            (FaultKind::InvalidFree, _) => BugKind::InvalidFree,
            (FaultKind::DoubleFree, _) => BugKind::DoubleFree,
        }
    }
}

/// A defect found, with all that a report needs.
#[derive(Clone, Debug)]
pub struct Bug {
    pub kind: BugKind,
    /// One sentence in the words of the source.
    pub message: String,
    /// Innermost first.
    pub stack: Vec<Site>,
    pub fault: Option<Fault>,
    pub object: Option<ObjectView>,
}

/// Why a path ended.
#[derive(Clone, Debug)]
pub enum Stop {
    /// The program exited by itself with this status.
    Exit(i32),
    /// A signal's default action ended the program.
    Killed(i32),
    Bug(Box<Bug>),
    /// Something we cannot do yet.
    Unsupported(Box<Unsupported>),
    /// A limit was reached.
    Exhausted(Limit),
    /// The entry function returned; these are the slots of its result.
    Returned(Vec<u64>),
    /// The program asked to forget this path: an assumption that cannot hold, a silent exit.
    Dropped(&'static str),
}

impl Stop {
    /// Not this path ends, but the run.
    pub fn is_end_of_run(&self) -> bool {
        matches!(self, Self::Exhausted(Limit::Instructions | Limit::Interrupted))
    }
}

/// A path that has ended, or the way to a bug on a path that goes on.
pub struct Ended {
    pub stop: Stop,
    pub state: StateId,
    pub path: PathCondition,
    /// Satisfies the path condition: an input that ends this way.
    pub model: Model,
    pub inputs: Rc<Vec<Input>>,
    /// Conditions a test case should fulfil if it can, in order of importance.
    pub wishes: Rc<Vec<ExprId>>,
    /// The decisions that led here.
    pub trail: Trail,
    /// What the input must fulfil besides, for the bug to happen.
    pub violation: Option<ExprId>,
    /// The kernel as it was at the end: what was written.
    pub system: Rc<dyn System>,
    pub instructions: u64,
    pub depth: u32,
    pub covered_new: bool,
    /// The path itself goes on, where the bug does not happen.
    pub goes_on: bool,
}

#[derive(Clone, Debug)]
pub struct Unsupported {
    pub construct: String,
    pub stack: Vec<Site>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Instructions,
    Memory,
    Time,
    /// The solver could not decide what the path hangs on.
    Solver,
    /// The user asked to stop.
    Interrupted,
}

//! What a bug report says: all wording about defects in one place.

use fathom_ir::Program;

use crate::engine::Engine;
use crate::memory::{ObjectKind, ObjectView};
use crate::outcome::{Access, Bug, BugKind, Fault, FaultKind, Site, Stop, Unsupported};
use crate::state::State;

impl Engine<'_> {
    /// An access the fast path refused.
    #[cold]
    pub(crate) fn fault(
        &self,
        state: &State,
        access: Access,
        address: u64,
        size: u64,
    ) -> Box<Stop> {
        self.fault_bug(state, state.memory.explain(access, address, size))
    }

    #[cold]
    pub(crate) fn fault_bug(&self, state: &State, fault: Fault) -> Box<Stop> {
        let memory = &state.memory;
        let object = memory
            .object_at(fault.address)
            .or_else(|| memory.dead_stack_object(fault.address))
            .filter(|_| fault.kind != FaultKind::Null);
        let message = describe_fault(self.program, &fault, object.as_ref());
        Box::new(Stop::Bug(Box::new(Bug {
            kind: fault.bug_kind(),
            message,
            stack: self.stack(state),
            fault: Some(fault),
            object,
        })))
    }

    /// A defect that says everything by its kind.
    #[cold]
    pub(crate) fn bug(&self, state: &State, kind: BugKind) -> Box<Stop> {
        self.bug_with(state, kind, describe_kind(kind).to_owned())
    }

    #[cold]
    pub(crate) fn bug_with(&self, state: &State, kind: BugKind, message: String) -> Box<Stop> {
        let stack = self.stack(state);
        Box::new(Stop::Bug(Box::new(Bug { kind, message, stack, fault: None, object: None })))
    }

    /// `abort` or a failed assertion, seen from the code that called it.
    pub(crate) fn abort_bug(&self, state: &State) -> Box<Stop> {
        let stack = self.stack(state);
        let named = |site: &Site, name| self.program.functions[site.function].name == name;
        let position = |name| stack.iter().position(|site| named(site, name));
        let (kind, inner) = match (position("__assert_fail"), position("abort")) {
            (Some(inner), _) => (BugKind::Assertion, inner + 1),
            (None, Some(inner)) => (BugKind::Abort, inner + 1),
            (None, None) => return Box::new(Stop::Killed(libc::SIGABRT)),
        };
        let message = describe_kind(kind).to_owned();
        let stack = stack[inner.min(stack.len())..].to_vec();
        Box::new(Stop::Bug(Box::new(Bug { kind, message, stack, fault: None, object: None })))
    }

    #[cold]
    pub(crate) fn unsupported(&self, state: &State, construct: String) -> Box<Stop> {
        let stack = self.stack(state);
        Box::new(Stop::Unsupported(Box::new(Unsupported { construct, stack })))
    }
}

fn describe_kind(kind: BugKind) -> &'static str {
    match kind {
        BugKind::DivisionByZero => "division by zero",
        BugKind::SignedOverflow => "the result does not fit its signed type",
        BugKind::ShiftOverflow => "the shift amount is not less than the width of the type",
        BugKind::Assertion => "assertion failed",
        BugKind::Abort => "the program aborted",
        BugKind::Unreachable => "code marked unreachable was reached",
        BugKind::StackOverflow => "the stack is full",
        BugKind::UninitialisedRead => "a decision hangs on bytes that nobody has written",
        BugKind::Sanitizer(name) => name,
        other => other.name(),
    }
}

fn describe_fault(program: &Program, fault: &Fault, object: Option<&ObjectView>) -> String {
    let what = match fault.access {
        Access::Read => format!("read of {}", bytes(fault.size)),
        Access::Write => format!("write of {}", bytes(fault.size)),
        Access::Free => "free".to_owned(),
    };
    let address = fault.address;
    if fault.kind == FaultKind::Null {
        return match address {
            0 => format!("{what} through a null pointer"),
            _ => format!("{what} at {address:#x}, an offset from a null pointer"),
        };
    }
    let Some(object) = object else {
        return format!("{what} at {address:#x}, where no object is");
    };
    format!("{what} {} {}", position(fault, object), describe_object(program, object))
}

/// Where the access lies, seen from the object.
fn position(fault: &Fault, object: &ObjectView) -> String {
    let offset = fault.address.wrapping_sub(object.base) as i64;
    let size = object.size as i64;
    match fault.kind {
        FaultKind::InvalidFree if offset == 0 => "of".to_owned(),
        FaultKind::InvalidFree => format!("of a pointer {} into", bytes(offset as u64)),
        FaultKind::DoubleFree => "a second time of".to_owned(),
        _ if offset < 0 => format!("{} before", bytes(offset.unsigned_abs())),
        FaultKind::OutOfBounds if offset >= size => match offset - size {
            0 => "just past the end of".to_owned(),
            past => format!("{} past the end of", bytes(past as u64)),
        },
        FaultKind::OutOfBounds => format!("at offset {offset}, running past the end of"),
        _ => format!("at offset {offset} of"),
    }
}

/// "a 12-byte heap object", "`buf`, a 16-byte local of `main`", …
pub fn describe_object(program: &Program, object: &ObjectView) -> String {
    let size = object.size;
    let dead = if object.freed.is_some() { "freed " } else { "" };
    match &object.kind {
        ObjectKind::Heap => format!("a {dead}heap object of {}", bytes(size)),
        ObjectKind::Mapping => format!("a {dead}mapping of {}", bytes(size)),
        ObjectKind::Engine(name) => format!("{name} of {}", bytes(size)),
        ObjectKind::Global(id) => {
            let global = &program.globals[*id];
            let kind = if global.constant { "constant" } else { "global" };
            match global.name.as_str() {
                name if name.is_empty() || name.starts_with(".str") || name.starts_with("str.") => {
                    format!("a string literal of {}", bytes(size))
                }
                name => format!("the {kind} `{name}` of {}", bytes(size)),
            }
        }
        ObjectKind::Stack { site, variable } => {
            let function = &program.functions[site.function];
            let out = if object.freed.is_some() { ", which has returned" } else { "" };
            let name = &function.name;
            match function.variables.get(*variable as usize) {
                Some(v) => format!("`{}` of {} in `{name}`{out}", v.name, bytes(size)),
                None => format!("a local object of {} in `{name}`{out}", bytes(size)),
            }
        }
    }
}

fn bytes(n: u64) -> String {
    if n == 1 { "1 byte".to_owned() } else { format!("{n} bytes") }
}

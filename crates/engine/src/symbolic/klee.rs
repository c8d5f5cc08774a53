//! What a program can say to the engine: fathom's own intrinsics, KLEE's, and the competition's.
//!
//! To add one: name it in [`Request::named`], give it an arm in `exec_request`, a prototype in
//! `runtime/include` and a native body in `runtime/fathom`.

use std::rc::Rc;

use fathom_expr::ExprId;
use fathom_ir::inst::Inst;
use fathom_ir::{ArgKind, CallSiteId, Program};

use super::access::Word;
use crate::engine::Engine;
use crate::memory::ObjectKind;
use crate::outcome::{Access, BugKind, Stop};
use crate::state::{InputKind, State};
use crate::step::Step;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    MakeSymbolic,
    Int,
    Range,
    Choose,
    Assume,
    Prefer,
    PreferObject,
    SilentExit,
    Abort,
    ReportError,
    ReachError,
    IsSymbolic,
    IsReplay,
    ObjectSize,
    Errno,
    /// A value of this many bits.
    GetValue(u32),
    CheckAccess,
    DefineFixed,
    Nothing,
    Warning,
    WarningOnce,
    PrintExpr,
    PrintRange,
    StackTrace,
    SetForking,
    Alias,
    /// The type's name and size.
    Nondet(&'static str, u32),
}

impl Request {
    #[rustfmt::skip]
    pub fn named(name: &str) -> Option<Self> {
        if let Some(kind) = name.strip_prefix("__VERIFIER_nondet_") {
            return nondet(kind);
        }
        Some(match name {
            "fathom_make_symbolic" | "klee_make_symbolic" => Self::MakeSymbolic,
            "fathom_int" | "klee_int" => Self::Int,
            "fathom_range" | "klee_range" => Self::Range,
            "klee_choose" => Self::Choose,
            "fathom_assume" | "klee_assume" | "__VERIFIER_assume" => Self::Assume,
            "fathom_prefer" => Self::Prefer,
            "klee_prefer_cex" | "klee_posix_prefer_cex" => Self::PreferObject,
            "fathom_silent_exit" | "klee_silent_exit" => Self::SilentExit,
            "klee_abort" => Self::Abort,
            "fathom_report_error" | "klee_report_error" => Self::ReportError,
            "reach_error" | "__VERIFIER_error" => Self::ReachError,
            "fathom_is_symbolic" | "klee_is_symbolic" => Self::IsSymbolic,
            "fathom_is_replay" | "klee_is_replay" => Self::IsReplay,
            "fathom_object_size" | "klee_get_obj_size" => Self::ObjectSize,
            "klee_get_errno" => Self::Errno,
            "fathom_value" | "klee_get_valuel" | "klee_get_valuell" | "klee_get_value_i64"
            | "klee_get_valued" => Self::GetValue(64),
            "klee_get_value_i32" | "klee_get_valuef" => Self::GetValue(32),
            "fathom_check_access" | "klee_check_memory_access" => Self::CheckAccess,
            "klee_define_fixed_object" => Self::DefineFixed,
            "klee_mark_global" | "klee_open_merge" | "klee_close_merge" | "klee_merge" => {
                Self::Nothing
            }
            "fathom_warning" | "klee_warning" => Self::Warning,
            "klee_warning_once" => Self::WarningOnce,
            "fathom_print" | "klee_print_expr" => Self::PrintExpr,
            "klee_print_range" => Self::PrintRange,
            "klee_stack_trace" => Self::StackTrace,
            "klee_set_forking" => Self::SetForking,
            "klee_alias_function" => Self::Alias,
            _ => return None,
        })
    }
}

/// Whether the program asks for symbolic inputs itself.
pub fn makes_inputs(program: &Program) -> bool {
    let mut undefined = program.functions.iter().filter(|function| !function.is_defined());
    undefined.any(|function| {
        use Request::{Choose, Int, MakeSymbolic, Nondet, Range};
        let request = Request::named(&function.name);
        matches!(request, Some(MakeSymbolic | Int | Range | Choose | Nondet(..)))
    })
}

#[rustfmt::skip]
fn nondet(kind: &str) -> Option<Request> {
    const KINDS: [(&str, u32); 31] = [
        ("bool", 1), ("_Bool", 1), ("char", 1), ("schar", 1), ("uchar", 1), ("S8", 1), ("U8", 1),
        ("short", 2), ("ushort", 2), ("S16", 2), ("U16", 2), ("unsigned_short", 2),
        ("int", 4), ("uint", 4), ("unsigned", 4), ("U32", 4), ("S32", 4), ("float", 4), ("u32", 4),
        ("long", 8), ("ulong", 8), ("longlong", 8), ("ulonglong", 8), ("size_t", 8),
        ("loff_t", 8), ("double", 8), ("pointer", 8), ("pchar", 8), ("sector_t", 8),
        ("int128", 16), ("uint128", 16),
    ];
    KINDS.iter().find(|(name, _)| *name == kind).map(|&(name, size)| Request::Nondet(name, size))
}

impl Engine<'_> {
    /// Executes one of them, sets its result and goes on after the call.
    pub(crate) fn exec_request(
        &mut self,
        state: &mut State,
        call: &Inst,
        intrinsic: Request,
    ) -> Step {
        let arg = |state: &State, index: u32| state.slot(call.b + index);
        match intrinsic {
            Request::MakeSymbolic => {
                let address = self.pointer_arg(state, call, 0, Access::Write)?;
                let size = self.concretise_slot(state, call.b + 1, "the size of an input");
                let name = self.text_arg(state, call, 2)?;
                self.make_object_symbolic(state, address, size, &name, InputKind::Object)?;
            }
            Request::Int => {
                let name = self.text_arg(state, call, 0)?;
                let value = self.fresh(state, &name, 4, InputKind::Object);
                self.set_result(state, call, value);
            }
            Request::Range => return self.exec_range(state, call),
            Request::Choose => {
                let value = self.fresh(state, "choose", 8, InputKind::Object);
                let limit = state.slot_expr(&mut self.pool, call.b);
                let below = self.pool.ult(value, limit);
                self.assume(state, below)?;
                self.set_result(state, call, value);
            }
            Request::Assume => {
                let condition = self.truth_arg(state, call, 0);
                self.assume(state, condition)?;
            }
            Request::Prefer | Request::PreferObject => {
                let index = u32::from(intrinsic == Request::PreferObject);
                let condition = self.truth_arg(state, call, index);
                if self.pool.as_const(condition).is_none() {
                    Rc::make_mut(&mut state.wishes).push(condition);
                }
            }
            Request::SilentExit => return Err(Box::new(Stop::Dropped("a silent exit"))),
            Request::Abort => return Err(self.bug(state, BugKind::Abort)),
            Request::ReportError => {
                let message = self.text_arg(state, call, 2)?;
                return Err(self.bug_with(state, BugKind::Reported, message));
            }
            Request::ReachError => {
                let message = "the error location is reached".to_owned();
                return Err(self.bug_with(state, BugKind::Reported, message));
            }
            Request::IsSymbolic => {
                let symbolic = state.tag(call.b).is_some();
                state.set_slot(call.d, u64::from(symbolic));
            }
            Request::IsReplay => state.set_slot(call.d, 0),
            Request::ObjectSize => {
                let address = self.pointer_arg(state, call, 0, Access::Read)?;
                match state.memory.sizes(address) {
                    Some((_, _, Some(size))) => self.set_value(state, call.d, size),
                    Some((_, size, None)) => state.set_slot(call.d, size),
                    None => return Err(self.fault(state, Access::Read, address, 1)),
                }
            }
            Request::Errno => {
                let errno = self.errno(state);
                state.set_slot(call.d, errno);
            }
            Request::GetValue(bits) => {
                let value = self.concretise_slot(state, call.b, "a value the program asked for");
                state.set_slot(call.d, value & crate::int::mask(bits));
            }
            Request::CheckAccess => {
                let size = state.slot_expr(&mut self.pool, call.b + 1);
                if let Word::Concrete(size @ 1..=8) = self.word(size) {
                    let address = state.slot_expr(&mut self.pool, call.b);
                    let address = self.word(address);
                    self.load(state, address, size)?;
                } else {
                    let address = self.pointer_arg(state, call, 0, Access::Read)?;
                    self.bound_length(state, size, &[(address, Access::Read)])?;
                }
            }
            Request::DefineFixed => {
                let (address, size) = (arg(state, 0), arg(state, 1));
                let trace = self.trace(state);
                let kind = ObjectKind::Engine("a fixed object");
                if state.memory.allocate_at(address, size, kind, trace).is_err() {
                    let what = format!("an object of {size} bytes at {address:#x}");
                    return Err(self.unsupported(state, what));
                }
            }
            Request::Nothing => {}
            Request::Warning | Request::WarningOnce => {
                let text = self.text_arg(state, call, 0)?;
                let note = format!("warning: {text}");
                if intrinsic == Request::Warning || !self.notes_seen.contains(&note) {
                    self.notes_seen.insert(note.clone());
                    self.notes.push(note);
                }
            }
            Request::PrintExpr => self.exec_print(state, call)?,
            Request::PrintRange => self.exec_print_range(state, call)?,
            Request::StackTrace => {
                for site in self.stack(state) {
                    let function = &self.program.functions[site.function].name;
                    let place = self.program.describe(site.loc);
                    self.notes.push(format!("  {function} {place}"));
                }
            }
            Request::SetForking => state.forking = arg(state, 0) as u32 != 0,
            Request::Alias => {
                let (old, new) = (self.text_arg(state, call, 0)?, self.text_arg(state, call, 1)?);
                self.alias_function(state, &old, &new)?;
            }
            Request::Nondet(name, size) => self.exec_nondet(state, call, name, size)?,
        }
        self.advance(state);
        Ok(())
    }

    /// The argument as a concrete pointer.
    fn pointer_arg(
        &mut self,
        state: &mut State,
        call: &Inst,
        index: u32,
        access: Access,
    ) -> Result<u64, Box<Stop>> {
        let pointer = state.slot_expr(&mut self.pool, call.b + index);
        self.choose_pointer(state, pointer, access)
    }

    /// The C string an argument points to; empty for a null pointer.
    fn text_arg(&mut self, state: &State, call: &Inst, index: u32) -> Result<String, Box<Stop>> {
        let address = state.slot(call.b + index);
        if address == 0 {
            return Ok("unnamed".to_owned());
        }
        let text = state.memory.c_string(address);
        let text = text.map_err(|fault| self.fault_bug(state, fault))?;
        Ok(String::from_utf8_lossy(text).into_owned())
    }

    /// Whether the argument is not 0.
    fn truth_arg(&mut self, state: &State, call: &Inst, index: u32) -> ExprId {
        let value = state.slot_expr(&mut self.pool, call.b + index);
        let zero = self.pool.constant(64, 0);
        self.pool.ne(value, zero)
    }

    /// A new input of up to 16 bytes, as an expression of 8 times as many bits.
    fn fresh(&mut self, state: &mut State, name: &str, size: u32, kind: InputKind) -> ExprId {
        let bytes = self.new_input(state, name, size, kind);
        let (&first, rest) = bytes.split_first().expect("inputs have bytes");
        rest.iter().fold(first, |low, &byte| self.pool.concat(byte, low))
    }

    fn set_result(&mut self, state: &mut State, call: &Inst, value: ExprId) {
        if self.pool.width(value) <= 64 {
            let value = self.pool.zext(value, 64);
            self.set_value(state, call.d, value);
            return;
        }
        let low = self.pool.extract(value, 0, 64);
        let high = self.pool.extract(value, 64, 64);
        self.set_value(state, call.d, low);
        self.set_value(state, call.d + 1, high);
    }

    pub(crate) fn make_object_symbolic(
        &mut self,
        state: &mut State,
        address: u64,
        size: u64,
        name: &str,
        kind: InputKind,
    ) -> Step {
        if size == 0 {
            return Ok(());
        }
        state.memory.flatten(&mut self.pool, address);
        if let Err(fault) = state.memory.slice_mut(address, size) {
            return Err(self.fault_bug(state, fault));
        }
        let bytes = self.new_input(state, name, size as u32, kind);
        let symbols: Vec<_> = (0..).zip(bytes).collect();
        state.memory.set_symbols(address, &symbols);
        Ok(())
    }

    fn exec_range(&mut self, state: &mut State, call: &Inst) -> Step {
        let [begin, end] = [0, 1].map(|index| {
            let slot = state.slot_expr(&mut self.pool, call.b + index);
            self.pool.extract(slot, 0, 32)
        });
        let name = self.text_arg(state, call, 2)?;
        let value = self.fresh(state, &name, 4, InputKind::Object);
        let above = self.pool.sle(begin, value);
        let below = self.pool.slt(value, end);
        self.assume(state, above)?;
        self.assume(state, below)?;
        self.set_result(state, call, value);
        self.advance(state);
        Ok(())
    }

    fn exec_nondet(
        &mut self,
        state: &mut State,
        call: &Inst,
        name: &'static str,
        size: u32,
    ) -> Step {
        let value = self.fresh(state, &format!("nondet_{name}"), size, InputKind::Nondet(name));
        if matches!(name, "bool" | "_Bool") {
            let one = self.pool.constant(8, 1);
            let sane = self.pool.ule(value, one);
            self.assume(state, sane)?;
        }
        self.set_result(state, call, value);
        Ok(())
    }

    fn exec_print(&mut self, state: &mut State, call: &Inst) -> Step {
        let mut line = self.text_arg(state, call, 0)?;
        line.push(':');
        let site = self.program.call_sites.get(CallSiteId(call.imm as u32));
        let kinds: Vec<ArgKind> = site.map_or(Vec::new(), |site| site.args.clone());
        let mut slot = kinds.first().map_or(1, |kind| kind.slots());
        for kind in kinds.iter().skip(1) {
            let value = state.slot_expr(&mut self.pool, call.b + slot);
            line.push_str(&format!(" {}", self.pool.display(value)));
            slot += kind.slots();
        }
        self.notes.push(line);
        Ok(())
    }

    fn exec_print_range(&mut self, state: &mut State, call: &Inst) -> Step {
        let name = self.text_arg(state, call, 0)?;
        let value = state.slot_expr(&mut self.pool, call.b + 1);
        let model = state.model.clone();
        match self.solver.bounds(&mut self.pool, &state.path, value, Some(&model)) {
            Ok((least, most)) => self.notes.push(format!("{name}: [{least}, {most}]")),
            Err(failure) => self.note_failure(state, "the range of a value", &failure),
        }
        Ok(())
    }
}

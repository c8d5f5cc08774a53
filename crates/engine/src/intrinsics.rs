//! Functions without a body that the engine itself executes.
//!
//! To add one: name it in [`Intrinsic::named`] and give it an arm in `exec_external`.

use std::rc::Rc;
use std::sync::atomic::Ordering;

use fathom_expr::ExprId;
use fathom_ir::FuncId;
use fathom_ir::inst::{Inst, Op};

use crate::engine::Engine;
use crate::memory::ObjectKind;
use crate::outcome::{BugKind, FaultKind, Limit, Stop};
use crate::signals::Interrupted;
use crate::state::State;
use crate::step::Step;
use crate::symbolic::Request;
use crate::system::{Reply, SystemContext};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intrinsic {
    SystemCall,
    GetThreadPointer,
    SetThreadPointer,
    Malloc,
    Calloc,
    Realloc,
    Free,
    AlignedAlloc,
    UsableSize,
    MemCpy,
    MemMove,
    MemSet,
    SetJmp,
    SigSetJmp,
    LongJmp,
    Clone,
    /// A signal handler has returned: only the engine's own code has this.
    SignalReturn,
    Request(Request),
    Sanitizer(&'static str),
}

impl Intrinsic {
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "__sys_call" => Self::SystemCall,
            "__fathom_get_tp" => Self::GetThreadPointer,
            "__set_thread_area" => Self::SetThreadPointer,
            "malloc" | "__libc_malloc" => Self::Malloc,
            "calloc" | "__libc_calloc" => Self::Calloc,
            "realloc" | "__libc_realloc" => Self::Realloc,
            "free" | "__libc_free" => Self::Free,
            "aligned_alloc" => Self::AlignedAlloc,
            "malloc_usable_size" => Self::UsableSize,
            "memcpy" => Self::MemCpy,
            "memmove" => Self::MemMove,
            "memset" => Self::MemSet,
            "setjmp" | "_setjmp" | "__setjmp" => Self::SetJmp,
            "sigsetjmp" | "__sigsetjmp" => Self::SigSetJmp,
            "longjmp" | "_longjmp" => Self::LongJmp,
            "__clone" => Self::Clone,
            _ => match sanitizer_check(name) {
                Some(check) => Self::Sanitizer(check),
                None => return Request::named(name).map(Self::Request),
            },
        })
    }
}

/// A division that overflows has the same handler.
const DIVISION: &str = "division-by-zero";

/// The name of the check behind a handler that `-fsanitize=undefined` calls.
#[rustfmt::skip]
fn sanitizer_check(name: &str) -> Option<&'static str> {
    let check = name.strip_prefix("__ubsan_handle_")?;
    let check = check.strip_suffix("_abort").unwrap_or(check);
    let check = check.strip_suffix("_minimal").unwrap_or(check);
    Some(match check {
        "add_overflow" | "sub_overflow" | "mul_overflow" | "negate_overflow" => "signed-overflow",
        "divrem_overflow" => DIVISION,
        "shift_out_of_bounds" => "shift-overflow",
        "out_of_bounds" => "index-out-of-bounds",
        "builtin_unreachable" => "unreachable",
        "missing_return" => "missing-return",
        "vla_bound_not_positive" => "vla-bound",
        "float_cast_overflow" => "float-cast-overflow",
        "load_invalid_value" => "invalid-value",
        "type_mismatch" | "type_mismatch_v1" => "misaligned-or-null",
        "alignment_assumption" => "alignment",
        "nonnull_arg" | "nonnull_return_v1" | "nullability_arg" | "nullability_return_v1" => {
            "null-argument"
        }
        "pointer_overflow" => "pointer-overflow",
        "invalid_builtin" => "invalid-builtin",
        "implicit_conversion" => "implicit-conversion",
        "function_type_mismatch" => "function-type-mismatch",
        "local_out_of_bounds" => "index-out-of-bounds",
        _ => return None,
    })
}

/// Offset of `errno` in musl's thread descriptor, which the thread pointer points to.
const ERRNO_OFFSET: u64 = 52;

const RT_SIGPROCMASK: u64 = 14;
const SIG_SETMASK: u64 = 2;

/// A `jmp_buf` as the engine fills it: 8 words, then musl's flag and signal mask.
mod jmp_buf {
    pub const MAGIC: u64 = 0x6661_7468_6f6d_6a62;
    pub const DEPTH: u64 = 8;
    pub const SERIAL: u64 = 16;
    pub const POSITION: u64 = 24;
    pub const FRAME: u64 = 32;
    pub const HAS_MASK: u64 = 64;
    pub const MASK: u64 = 72;
}

impl Engine<'_> {
    /// Calls `function`, which has no body.
    pub(crate) fn exec_external(
        &mut self,
        state: &mut State,
        call: &Inst,
        function: FuncId,
    ) -> Step {
        let Some(intrinsic) = self.intrinsics[function.0 as usize] else {
            let name = &self.program.functions[function].name;
            return Err(self.unsupported(state, format!("call of the undefined function `{name}`")));
        };
        match intrinsic {
            Intrinsic::Request(request) => return self.exec_request(state, call, request),
            Intrinsic::Sanitizer(DIVISION) => {
                let divisor = state.slot_expr(&mut self.pool, call.b + 2);
                let is_zero = self.pool.eval(divisor, &state.model) as u32 == 0;
                let check = if is_zero { DIVISION } else { "signed-overflow" };
                return Err(self.bug(state, BugKind::Sanitizer(check)));
            }
            Intrinsic::Sanitizer(check) => {
                return Err(self.bug(state, BugKind::Sanitizer(check)));
            }
            _ => {}
        }
        let n_args = self.n_arg_slots(call);
        if (0..n_args).any(|index| state.tag(call.b + index).is_some()) {
            return self.exec_external_symbolic(state, call, intrinsic);
        }
        let arg = |state: &State, index: u32| state.slot(call.b + index);
        let (a, b, c) = (arg(state, 0), arg(state, 1), arg(state, 2));
        let result = match intrinsic {
            Intrinsic::SystemCall => return self.exec_system_call(state, call),
            // The function and its argument are the child's, which nobody follows.
            Intrinsic::Clone => {
                let number = libc::SYS_clone as u64;
                return self.enter_system(state, call, number, [c, b, 0, 0, 0, 0]);
            }
            Intrinsic::GetThreadPointer => state.thread_pointer,
            Intrinsic::SetThreadPointer => {
                state.thread_pointer = a;
                0
            }
            Intrinsic::Malloc => {
                let address = self.allocate(state, a, 16);
                self.forget_bytes(state, address, a);
                address
            }
            Intrinsic::Calloc => match a.checked_mul(b) {
                Some(size) => self.allocate(state, size, 16),
                None => self.out_of_memory(state),
            },
            Intrinsic::AlignedAlloc if a.is_power_of_two() => self.allocate(state, b, a.max(16)),
            Intrinsic::AlignedAlloc => self.set_errno(state, libc::EINVAL),
            Intrinsic::Realloc => self.reallocate(state, a, b)?,
            Intrinsic::Free => {
                self.release(state, a)?;
                0
            }
            Intrinsic::UsableSize => state.memory.extent(a).unwrap_or(0),
            Intrinsic::MemCpy => {
                self.copy(state, a, b, c)?;
                a
            }
            Intrinsic::MemMove => {
                self.copy_overlapping(state, a, b, c)?;
                a
            }
            Intrinsic::MemSet => {
                self.fill(state, a, b as u8, c)?;
                a
            }
            Intrinsic::SetJmp => self.set_jump(state, a, None)?,
            Intrinsic::SigSetJmp => self.set_jump(state, a, Some(b))?,
            Intrinsic::LongJmp => return self.long_jump(state, a, b),
            Intrinsic::SignalReturn => return self.exec_signal_return(state, call),
            Intrinsic::Request(_) | Intrinsic::Sanitizer(_) => unreachable!("done above"),
        };
        state.set_slot(call.d, result);
        // SAFETY: a call is never a function's last instruction.
        state.ip = unsafe { state.ip.add(1) };
        Ok(())
    }

    /// The same with symbolic arguments.
    fn exec_external_symbolic(
        &mut self,
        state: &mut State,
        call: &Inst,
        intrinsic: Intrinsic,
    ) -> Step {
        let [a, b, c] = [0, 1, 2].map(|index| state.slot_expr(&mut self.pool, call.b + index));
        let result = match intrinsic {
            Intrinsic::Malloc => self.allocate_symbolic(state, a, |engine, state, size| {
                engine.allocate(state, size, 16)
            })?,
            Intrinsic::Calloc => self.calloc_symbolic(state, a, b)?,
            Intrinsic::Realloc => return self.reallocate_symbolic(state, call, a, b),
            Intrinsic::MemCpy | Intrinsic::MemMove => {
                self.copy_symbolic(state, a, b, c, intrinsic == Intrinsic::MemMove)?;
                self.set_value(state, call.d, a);
                self.advance(state);
                return Ok(());
            }
            Intrinsic::MemSet => {
                self.fill_symbolic(state, a, b, c)?;
                self.set_value(state, call.d, a);
                self.advance(state);
                return Ok(());
            }
            Intrinsic::LongJmp => {
                self.choose_value(state, call.b, "a jump buffer")?;
                let value = state.tag(call.b + 1);
                return self.long_jump_symbolic(state, call, value);
            }
            Intrinsic::SystemCall => {
                for index in 0..self.n_arg_slots(call) {
                    let slot = call.b + index;
                    let number = state.slot(call.b) as i64;
                    if index == 1 && matches!(number, libc::SYS_exit | libc::SYS_exit_group) {
                        // The last act of a path: one status is as good as another.
                        if let Some(status) = state.tag(slot) {
                            let value = self.bind(state, status);
                            state.set_slot(slot, value);
                        }
                    } else {
                        self.choose_value(state, slot, "an argument of a system call")?;
                    }
                }
                return self.exec_system_call(state, call);
            }
            _ => {
                for index in 0..self.n_arg_slots(call) {
                    self.choose_value(state, call.b + index, "an argument")?;
                }
                let function = FuncId(call.a);
                let function = match call.op {
                    Op::CallExternal => function,
                    _ => self.program.function_at(state.slot(call.a)).expect("it was called"),
                };
                return self.exec_external(state, call, function);
            }
        };
        state.set_slot(call.d, result);
        self.advance(state);
        Ok(())
    }

    fn reallocate_symbolic(
        &mut self,
        state: &mut State,
        call: &Inst,
        old: ExprId,
        size: ExprId,
    ) -> Step {
        let old = match self.pool.as_const(old) {
            Some(old) => old,
            None => {
                self.choose_value(state, call.b, "a pointer to reallocate")?;
                state.slot(call.b)
            }
        };
        let old_size = match state.memory.object_at(old) {
            Some(object) if object.base == old && object.freed.is_none() => object.size,
            _ if old == 0 => 0,
            _ => {
                self.release(state, old)?;
                0
            }
        };
        let new = self.allocate_symbolic(state, size, |engine, state, size| {
            engine.allocate(state, size, 16)
        })?;
        if new != 0 && old != 0 {
            let extent = state.memory.extent(new).unwrap_or(0);
            state.memory.copy(&mut self.pool, new, old, old_size.min(extent));
            self.release(state, old)?;
        }
        state.set_slot(call.d, new);
        self.advance(state);
        Ok(())
    }

    /// The C library's `errno`.
    pub(crate) fn errno(&self, state: &State) -> u64 {
        let place = state.thread_pointer.wrapping_add(ERRNO_OFFSET);
        state.memory.read_u32(place).unwrap_or(0).into()
    }

    /// Lets calls of the function `old` reach `new`, as `klee_alias_function` asks.
    pub(crate) fn alias_function(&mut self, state: &State, old: &str, new: &str) -> Step {
        let found = (self.program.function_named(old), self.program.function_named(new));
        let (Some(old), Some(new)) = found else {
            let what = format!("an alias between `{old}` and `{new}`, which are not both there");
            return Err(self.unsupported(state, what));
        };
        let callee = &mut self.callees[old.0 as usize];
        callee.alias = Some(new);
        callee.plain = false;
        Ok(())
    }

    // ---- allocation ------------------------------------------------------------------------

    pub(crate) fn allocate(&self, state: &mut State, size: u64, align: u64) -> u64 {
        let trace = self.trace(state);
        match state.memory.allocate(size, align, ObjectKind::Heap, trace) {
            Ok(address) => address,
            Err(_) => self.out_of_memory(state),
        }
    }

    pub(crate) fn out_of_memory(&self, state: &mut State) -> u64 {
        self.set_errno(state, libc::ENOMEM)
    }

    /// Sets the C library's `errno`; the null pointer to return.
    fn set_errno(&self, state: &mut State, errno: i32) -> u64 {
        let place = state.thread_pointer.wrapping_add(ERRNO_OFFSET);
        // Before the C library has set up its thread there is no errno to set.
        let _ = state.memory.write_u32(place, errno as u32);
        0
    }

    fn release(&self, state: &mut State, address: u64) -> Step {
        if address == 0 {
            return Ok(());
        }
        let trace = self.trace(state);
        state.memory.free(address, trace).map_err(|fault| self.fault_bug(state, fault))
    }

    fn reallocate(&mut self, state: &mut State, old: u64, size: u64) -> Result<u64, Box<Stop>> {
        if old == 0 {
            return Ok(self.allocate(state, size, 16));
        }
        let old_size = match state.memory.object_at(old) {
            Some(object) if object.base == old && object.freed.is_none() => object.size,
            // Not a live object's start: let free say what is wrong with it.
            _ => return self.release(state, old).map(|()| 0),
        };
        let new = self.allocate(state, size, 16);
        if new != 0 {
            let is_sized = state.memory.sizes(old).is_some_and(|(.., symbolic)| symbolic.is_none());
            if is_sized {
                self.copy_overlapping(state, new, old, old_size.min(size))?;
            } else {
                // Bytes beyond the true size mean nothing in the new block, either.
                state.memory.copy(&mut self.pool, new, old, old_size.min(size));
            }
            self.release(state, old)?;
        }
        Ok(new)
    }

    // ---- system calls ----------------------------------------------------------------------

    fn exec_system_call(&mut self, state: &mut State, call: &Inst) -> Step {
        let args = std::array::from_fn(|index| state.slot(call.b + 1 + index as u32));
        self.enter_system(state, call, state.slot(call.b), args)
    }

    fn enter_system(
        &mut self,
        state: &mut State,
        call: &Inst,
        number: u64,
        args: [u64; 6],
    ) -> Step {
        let (value, handlers) = match self.system_call(state, number, args)? {
            Reply::Value(value) => (value, Vec::new()),
            Reply::Signal { value, handlers } => (value, handlers),
            Reply::Exit(_) | Reply::Killed(_) => unreachable!("an end is a stop"),
        };
        if !handlers.is_empty() {
            let place = Interrupted::in_call(state.ip, call);
            return self.call_handlers(state, place, value as u64, &handlers);
        }
        state.set_slot(call.d, value as u64);
        // SAFETY: a call is never a function's last instruction.
        state.ip = unsafe { state.ip.add(1) };
        Ok(())
    }

    /// The reply to a system call that does not end the program.
    pub(crate) fn system_call(
        &mut self,
        state: &mut State,
        number: u64,
        args: [u64; 6],
    ) -> Result<Reply, Box<Stop>> {
        let site = self.own_site(state);
        let trace = self.trace(state);
        let instructions = state.instructions;
        let mut assumptions = Vec::new();
        let reply = loop {
            state.system_mut();
            let State { memory, system, .. } = state;
            let system = Rc::get_mut(system).expect("just unshared");
            let mut context = SystemContext {
                memory,
                ledger: &mut self.ledger,
                site,
                trace,
                instructions,
                pool: &mut self.pool,
                assumptions: &mut assumptions,
            };
            match system.call(&mut context, number, args) {
                Ok(reply) => break reply,
                Err(fault)
                    if fault.kind == FaultKind::Symbolic
                        && state.memory.is_array(fault.address) =>
                {
                    state.memory.flatten(&mut self.pool, fault.address);
                }
                Err(fault) if fault.kind == FaultKind::Symbolic => {
                    self.part_by_name(state, fault);
                    self.concretise_bytes(state, fault.address, fault.size);
                }
                Err(fault) if fault.kind == FaultKind::SymbolicSize => {
                    self.settle_size(state, fault)?;
                }
                Err(fault) => return Err(self.fault_bug(state, fault)),
            }
        };
        for condition in assumptions {
            self.assume(state, condition)?;
        }
        // A call that was waiting returns when the user asks to stop, and must not wait again.
        if self.config.interrupt.load(Ordering::Relaxed) {
            return Err(Box::new(Stop::Exhausted(Limit::Interrupted)));
        }
        match reply {
            Reply::Exit(status) => Err(Box::new(Stop::Exit(status))),
            Reply::Killed(libc::SIGABRT) => Err(self.abort_bug(state)),
            Reply::Killed(signal) => Err(Box::new(Stop::Killed(signal))),
            reply => Ok(reply),
        }
    }

    // ---- setjmp and longjmp ----------------------------------------------------------------

    /// Notes where to come back to in the `jmp_buf` itself, so that copies of it work too.
    fn set_jump(
        &mut self,
        state: &mut State,
        buf: u64,
        save: Option<u64>,
    ) -> Result<u64, Box<Stop>> {
        let frame = state.frames.last_mut().expect("a running frame");
        if frame.serial == 0 {
            frame.serial = state.next_serial;
            state.next_serial += 1;
        }
        let frame = *frame;
        let code = self.callee(frame.function).code;
        let position = (state.ip as u64 - code as u64) / size_of::<Inst>() as u64;
        let frame_slot = state.fp as u64;
        let words = [
            (0, jmp_buf::MAGIC),
            (jmp_buf::DEPTH, state.frames.len() as u64),
            (jmp_buf::SERIAL, u64::from(frame.serial)),
            (jmp_buf::POSITION, position),
            (jmp_buf::FRAME, frame_slot),
            (jmp_buf::HAS_MASK, u64::from(save.is_some_and(|save| save as u32 != 0))),
        ];
        for (offset, value) in words {
            let written = state.memory.write_u64(buf.wrapping_add(offset), value);
            written.map_err(|fault| self.fault_bug(state, fault))?;
        }
        if save.is_some_and(|save| save as u32 != 0) {
            let args = [0, 0, buf + jmp_buf::MASK, 8, 0, 0];
            self.system_call(state, RT_SIGPROCMASK, args)?;
        }
        Ok(0)
    }

    fn long_jump_symbolic(
        &mut self,
        state: &mut State,
        call: &Inst,
        value: Option<ExprId>,
    ) -> Step {
        if value.is_some() {
            self.choose_value(state, call.b + 1, "the value of a longjmp")?;
        }
        self.long_jump(state, state.slot(call.b), state.slot(call.b + 1))
    }

    fn long_jump(&mut self, state: &mut State, buf: u64, value: u64) -> Step {
        let word = |state: &State, offset| {
            let word = state.memory.read_u64(buf.wrapping_add(offset));
            word.map_err(|fault| self.fault_bug(state, fault))
        };
        let depth = word(state, jmp_buf::DEPTH)? as usize;
        let serial = word(state, jmp_buf::SERIAL)?;
        let position = word(state, jmp_buf::POSITION)? as usize;
        let frame_slot = word(state, jmp_buf::FRAME)? as usize;
        let has_mask = word(state, jmp_buf::HAS_MASK)?;
        let set = word(state, 0)? == jmp_buf::MAGIC && depth > 0;
        let frame = state.frames.get(depth.wrapping_sub(1)).filter(|_| set);
        let Some(frame) = frame.filter(|frame| u64::from(frame.serial) == serial) else {
            let message = if set {
                "longjmp into a function that has returned"
            } else {
                "longjmp with a buffer that setjmp has not filled"
            };
            return Err(self.bug_with(state, BugKind::InvalidCall, message.to_owned()));
        };
        let call = self.program.functions[frame.function].code[position];
        let code = self.callee(frame.function).code;
        if has_mask == 1 {
            self.system_call(
                state,
                RT_SIGPROCMASK,
                [SIG_SETMASK, buf + jmp_buf::MASK, 0, 8, 0, 0],
            )?;
        }
        if let Some(inner) = state.frames.get(depth) {
            state.memory.pop_stack(inner.mark);
        }
        state.frames.truncate(depth);
        state.fp = frame_slot;
        // SAFETY: the frame is still there, so its code is.
        state.ip = unsafe { code.add(position + 1) };
        let value = value as u32;
        state.set_slot(call.d, u64::from(if value == 0 { 1 } else { value }));
        Ok(())
    }
}

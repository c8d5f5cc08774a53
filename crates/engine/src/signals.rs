//! Running signal handlers: the frames they get, and what happens when they return.
//!
//! A handler's frame returns into a *gate*, two instructions of the engine's own: a call, as which
//! the handler was entered, and the return from the signal. What has to survive the handler, the
//! mask to restore and the interrupted call's result, lies in two slots below its frame, so that
//! leaving it by longjmp leaves nothing behind.

use fathom_ir::inst::{Inst, Op};

use crate::engine::Engine;
use crate::outcome::BugKind;
use crate::state::{Frame, State};
use crate::step::Step;
use crate::system::{Handler, Reply};

const RT_SIGRETURN: u64 = 15;

/// `result` where nothing waits for a result.
const NO_RESULT: u32 = u32::MAX;

/// The call site of a gate's call, which no other call has.
const GATE: u64 = u64::MAX;

/// Where a signal came: what to go on with, and the first free slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Interrupted {
    next: *const Inst,
    result: u32,
    free: u32,
}

impl Interrupted {
    /// In a system call, made by the instruction at `ip`.
    pub fn in_call(ip: *const Inst, call: &Inst) -> Self {
        Self { next: ip.wrapping_add(1), result: call.d, free: call.b }
    }
}

/// The instruction of the program's own that made `frame`, or that the signal came at.
pub(crate) fn called_at(frame: &Frame) -> *const Inst {
    // SAFETY: frames point to calls, which live as long as the engine; a gate's is followed by
    // its return.
    unsafe {
        if (*frame.call).imm != GATE {
            return frame.call;
        }
        let back = &*frame.call.add(1);
        let next = back.imm as *const Inst;
        if back.d == NO_RESULT { next } else { next.wrapping_sub(1) }
    }
}

impl Engine<'_> {
    /// Stacks frames for `handlers`; execution goes on in the last of them.
    pub(crate) fn call_handlers(
        &mut self,
        state: &mut State,
        mut place: Interrupted,
        result: u64,
        handlers: &[Handler],
    ) -> Step {
        for &Handler { address, signal, info, mask } in handlers {
            let Some(function) = self.program.function_at(address) else {
                let message =
                    format!("signal {signal} is handled at {address:#x}, which is no function");
                return Err(self.bug_with(state, BugKind::InvalidCall, message));
            };
            if !self.program.functions[function].is_defined() {
                let name = &self.program.functions[function].name;
                let message = format!("signal {signal} is handled by `{name}`, which has no body");
                return Err(self.unsupported(state, message));
            }
            let [info, context] = info.unwrap_or_default();
            let words = [mask, result, u64::from(signal as u32), info, context];
            for (index, word) in words.into_iter().enumerate() {
                state.set_slot(place.free + index as u32, word);
            }
            let gate = self.gate(place);
            state.ip = gate;
            // SAFETY: gates live as long as the engine.
            self.push_frame(state, unsafe { &*gate }, function)?;
            let free = self.callee(function).frame_slots;
            place = Interrupted { next: state.ip, result: NO_RESULT, free };
        }
        Ok(())
    }

    fn gate(&mut self, place: Interrupted) -> *const Inst {
        let signal_return = self.program.functions.len() as u32;
        let gate = self.gates.entry(place).or_insert_with(|| {
            let frame = place.free + 2;
            let call = Inst { d: frame, b: frame, imm: GATE, ..Inst::new(Op::Call) };
            let back = Inst {
                d: place.result,
                a: signal_return,
                b: place.free,
                imm: place.next as u64,
                ..Inst::new(Op::CallExternal)
            };
            Box::new([call, back])
        });
        gate.as_ptr()
    }

    /// A handler has returned: unblocks what was blocked for it, and goes on where it came.
    pub(crate) fn exec_signal_return(&mut self, state: &mut State, back: &Inst) -> Step {
        let (mask, result) = (state.slot(back.b), state.slot(back.b + 1));
        let next = back.imm as *const Inst;
        let reply = self.system_call(state, RT_SIGRETURN, [mask, 0, 0, 0, 0, 0])?;
        if let Reply::Signal { handlers, .. } = reply {
            let place = Interrupted { next, result: back.d, free: back.b };
            return self.call_handlers(state, place, result, &handlers);
        }
        if back.d != NO_RESULT {
            state.set_slot(back.d, result);
        }
        state.ip = next;
        Ok(())
    }
}

//! Calls and returns in frames with symbolic slots.

use fathom_ir::inst::{Inst, Op};
use fathom_ir::{CallSiteId, FuncId};

use crate::engine::Engine;
use crate::state::State;
use crate::step::Step;

impl Engine<'_> {
    pub(super) fn exec_symbolic_call(&mut self, state: &mut State, call: &Inst) -> Step {
        match call.op {
            Op::Call => {
                if let Some(math) = self.callee(FuncId(call.a)).math
                    && self.exec_math(state, call, math)
                {
                    return Ok(());
                }
                self.exec_call(state, call, FuncId(call.a))
            }
            Op::CallExternal => self.exec_external(state, call, FuncId(call.a)),
            _ => {
                self.choose_value(state, call.a, "a function pointer")?;
                self.exec_indirect_call(state, call)
            }
        }
    }

    /// Lets the frame just pushed be symbolic if arguments are; its caller is if `from_symbolic`.
    pub(crate) fn inherit_tags(
        &mut self,
        state: &mut State,
        function: FuncId,
        from_symbolic: bool,
    ) {
        if !from_symbolic {
            return;
        }
        let n_params = self.program.functions[function].param_slots as usize;
        let tags = state.tags_start().wrapping_add(state.fp);
        // SAFETY: the frame lies within the slots, its parameters within the frame.
        let any = (0..n_params).any(|slot| unsafe { (*tags.add(slot)).is_some() });
        if any {
            let reach = self.frame_slots(state);
            state.make_symbolic(reach, n_params);
        }
    }

    /// Returns to the caller, with tags.
    pub(super) fn exec_return(&mut self, state: &mut State, i: &Inst) -> Step {
        let results: Vec<_> = match i.op {
            Op::Ret => vec![(state.slot(i.a), state.tag(i.a))],
            Op::RetI => vec![(i.imm, None)],
            Op::RetN => (i.a..i.a + i.b).map(|slot| (state.slot(slot), state.tag(slot))).collect(),
            _ => Vec::new(),
        };
        let frame = state.frames.pop().expect("a return without a frame");
        if frame.mark != state.memory.stack_mark() {
            state.memory.pop_stack(frame.mark);
        }
        if self.watch_calls {
            self.announce_return(&frame);
        }
        // SAFETY: frames point to calls, which live as long as the engine.
        let call = unsafe { *frame.call };
        state.fp -= call.b as usize;
        // SAFETY: a call is never a function's last instruction.
        state.ip = unsafe { frame.call.add(1) };
        if results.iter().any(|(_, tag)| tag.is_some()) {
            let reach = self.frame_slots(state);
            state.make_symbolic(reach, 0);
        }
        for (slot, (value, tag)) in (call.d..).zip(results) {
            state.set_slot(slot, value);
            if let Some(tag) = tag {
                state.set_tag(slot, tag);
            }
        }
        Ok(())
    }

    /// How many argument slots a call passes.
    pub(crate) fn n_arg_slots(&self, call: &Inst) -> u32 {
        let site = self.program.call_sites.get(CallSiteId(call.imm as u32));
        site.map_or(0, |site| site.arg_slots)
    }
}

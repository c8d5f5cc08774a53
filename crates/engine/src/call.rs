//! Calls that are not plain: through pointers, variadic, with copies, watched, and `va_start`.

use fathom_ir::inst::Inst;
use fathom_ir::{ArgKind, CallSiteId, FuncId};

use crate::engine::Engine;
use crate::hooks::CallChoice;
use crate::outcome::{BugKind, Stop};
use crate::state::{Frame, N_SLOTS, State, VarArgs};
use crate::step::Step;

impl Engine<'_> {
    /// Calls `function`, which has a body, from the instruction `call`.
    pub(crate) fn exec_call(&mut self, state: &mut State, call: &Inst, function: FuncId) -> Step {
        let function = self.callee(function).alias.unwrap_or(function);
        if self.watch_calls && self.intercept(state, call, function) {
            // SAFETY: a call is never a function's last instruction.
            state.ip = unsafe { state.ip.add(1) };
            return Ok(());
        }
        self.push_frame(state, call, function)?;
        self.copy_byval_args(state, function)
    }

    /// Makes the callee's frame and goes to its first instruction.
    pub(crate) fn push_frame(&mut self, state: &mut State, call: &Inst, function: FuncId) -> Step {
        let callee = self.callee(function);
        let (code, frame_slots) = (callee.code, callee.frame_slots as usize);
        let from = state.ip;
        let frame = state.fp + call.b as usize;
        if frame + frame_slots > N_SLOTS {
            return Err(self.bug(state, BugKind::StackOverflow));
        }
        if self.program.functions[function].variadic {
            self.keep_varargs(state, call, function);
        }
        let from_symbolic = state.is_symbolic();
        state.ip = code;
        state.frames.push(Frame {
            call: from,
            function,
            mark: state.memory.stack_mark(),
            serial: 0,
            symbolic: false,
        });
        state.fp = frame;
        self.inherit_tags(state, function, from_symbolic);
        Ok(())
    }

    /// Keeps what the call passes beyond the fixed parameters, before the callee's own values
    /// overwrite it.
    fn keep_varargs(&self, state: &mut State, call: &Inst, function: FuncId) {
        let n_fixed = self.program.functions[function].params.len();
        let Some(site) = self.program.call_sites.get(CallSiteId(call.imm as u32)) else { return };
        let first = n_fixed.min(site.args.len());
        let fixed: u32 = site.args[..first].iter().map(|kind| kind.slots()).sum();
        let passed = call.b + fixed..call.b + site.arg_slots;
        let slots = passed.clone().map(|slot| state.slot(slot)).collect();
        let tags = passed.map(|slot| state.tag(slot)).collect();
        let depth = state.frames.len() + 1;
        let varargs = VarArgs { depth, kinds: site.args[first..].to_vec(), slots, tags };
        while state.varargs.last().is_some_and(|stale| stale.depth >= depth) {
            state.varargs.pop();
        }
        state.varargs.push(varargs);
    }

    /// Gives the callee its own copies of structures passed by value.
    fn copy_byval_args(&mut self, state: &mut State, function: FuncId) -> Step {
        let mut slot = 0;
        for param in &self.program.functions[function].params {
            if let Some(size) = param.byval {
                let source = self.concretise_slot(state, slot, "a structure passed by value");
                let site = self.site(state);
                let Some(copy) = state.memory.push_stack(size, 16, site, u32::MAX) else {
                    return Err(self.bug(state, BugKind::StackOverflow));
                };
                self.copy_overlapping(state, copy, source, size)?;
                state.set_slot(slot, copy);
            }
            slot += param.kind.slots();
        }
        Ok(())
    }

    /// Tells observers of the call; true if a policy answered it instead of the body.
    fn intercept(&mut self, state: &mut State, call: &Inst, function: FuncId) -> bool {
        let n_slots = self.program.functions[function].param_slots;
        let args: Vec<u64> = (0..n_slots).map(|slot| state.slot(call.b + slot)).collect();
        let site = self.site(state);
        for observer in &mut self.hooks.observers {
            observer.call(function, &args, site);
        }
        let choice = self.hooks.calls.as_mut().map(|policy| policy.decide(function, &args));
        let Some(CallChoice::Stub(result)) = choice else { return false };
        for (index, value) in result.into_iter().enumerate() {
            state.set_slot(call.d + index as u32, value);
        }
        true
    }

    /// Calls whatever the pointer in slot `a` leads to.
    pub(crate) fn exec_indirect_call(&mut self, state: &mut State, call: &Inst) -> Step {
        let address = state.slot(call.a);
        let Some(function) = self.program.function_at(address) else {
            return Err(self.invalid_call(state, address));
        };
        let callee = &self.program.functions[function];
        if !callee.is_defined() {
            return self.exec_external(state, call, function);
        }
        // A caller without a prototype may pass fewer arguments than the callee takes.
        if let Some(site) = self.program.call_sites.get(CallSiteId(call.imm as u32)) {
            for missing in site.arg_slots..callee.param_slots {
                state.set_slot(call.b + missing, 0);
            }
        }
        self.exec_call(state, call, function)
    }

    /// Goes to the block whose address slot `a` holds.
    pub(crate) fn exec_indirect_branch(&mut self, state: &mut State, branch: &Inst) -> Step {
        let address = state.slot(branch.a);
        let frame = state.frames.last().expect("a running frame");
        let function = &self.program.functions[frame.function];
        let target = function.block_addresses.iter().find(|&&(at, _)| at == address);
        let Some(&(_, position)) = target else {
            return Err(self.invalid_call(state, address));
        };
        // SAFETY: positions are instruction indices of this function.
        state.ip = unsafe { self.callee(frame.function).code.add(position as usize) };
        Ok(())
    }

    /// Builds the register save area and the overflow area of System V x86-64, which the code
    /// clang makes for `va_arg` walks, and points the `va_list` at them.
    pub(crate) fn exec_va_start(&mut self, state: &mut State, inst: &Inst) -> Step {
        let list = state.slot(inst.a);
        let frame = state.frames.last().expect("a running frame");
        let params = &self.program.functions[frame.function].params;
        let mut layout = VaLayout::default();
        for param in params {
            layout.pass(param.kind);
        }
        let (gp_offset, fp_offset) = (layout.gp_offset(), layout.fp_offset());
        layout.overflow.clear();
        let depth = state.frames.len();
        let varargs = state.varargs.iter().rev().find(|varargs| varargs.depth == depth);
        let (kinds, slots, tags) = varargs
            .map_or((&[][..], &[][..], &[][..]), |v| (&v.kinds[..], &v.slots[..], &v.tags[..]));
        let mut next = 0;
        let mut copies = Vec::new();
        let mut symbols = Vec::new();
        for &kind in kinds {
            let n = kind.slots() as usize;
            let places = layout.place(kind, &slots[next..next + n], &mut copies);
            let tagged = places.into_iter().zip(&tags[next..next + n]);
            symbols.extend(tagged.filter_map(|(place, &tag)| Some((place, tag?))));
            next += n;
        }
        let site = self.site(state);
        let overflow_size = layout.overflow.len() as u64;
        let save = state.memory.push_stack(176, 16, site, u32::MAX);
        let overflow = state.memory.push_stack(overflow_size, layout.align, site, u32::MAX);
        let (Some(save), Some(overflow)) = (save, overflow) else {
            return Err(self.bug(state, BugKind::StackOverflow));
        };
        let mut fill = || {
            state.memory.write(save, &layout.registers)?;
            state.memory.write(overflow, &layout.overflow)?;
            state.memory.write_u32(list, gp_offset)?;
            state.memory.write_u32(list.wrapping_add(4), fp_offset)?;
            state.memory.write_u64(list.wrapping_add(8), overflow)?;
            state.memory.write_u64(list.wrapping_add(16), save)
        };
        fill().map_err(|fault| self.fault_bug(state, fault))?;
        for (offset, source, size) in copies {
            self.copy_overlapping(state, overflow + offset as u64, source, size)?;
        }
        for (place, tag) in symbols {
            let address = match place {
                VaPlace::Register(offset) => save + offset as u64,
                VaPlace::Overflow(offset) => overflow + offset as u64,
            };
            state.memory.store(&mut self.pool, address, 8, tag);
        }
        Ok(())
    }

    fn invalid_call(&self, state: &State, address: u64) -> Box<Stop> {
        self.bug_with(
            state,
            BugKind::InvalidCall,
            format!("call of {address:#x}, which is no function"),
        )
    }
}

/// Where a slot of a variadic argument went: an offset into the register save area or the overflow
/// area.
#[derive(Clone, Copy)]
enum VaPlace {
    Register(usize),
    Overflow(usize),
}

/// Where the calling convention puts arguments, as far as `va_arg` can see it.
struct VaLayout {
    registers: [u8; 176],
    n_gp: usize,
    n_fp: usize,
    overflow: Vec<u8>,
    /// What the overflow area must be aligned to.
    align: u64,
}

impl Default for VaLayout {
    fn default() -> Self {
        Self { registers: [0; 176], n_gp: 0, n_fp: 0, overflow: Vec::new(), align: 16 }
    }
}

impl VaLayout {
    fn gp_offset(&self) -> u32 {
        8 * self.n_gp as u32
    }

    fn fp_offset(&self) -> u32 {
        48 + 16 * self.n_fp as u32
    }

    /// A fixed parameter: takes up registers, nothing is stored.
    fn pass(&mut self, kind: ArgKind) {
        self.place(kind, &vec![0; kind.slots() as usize], &mut Vec::new());
    }

    /// A variadic argument: stored where `va_arg` will look for it. Structures passed by value
    /// leave room and an entry (offset, source, size) in `copies`. Returns where each slot went.
    fn place(
        &mut self,
        kind: ArgKind,
        slots: &[u64],
        copies: &mut Vec<(usize, u64, u64)>,
    ) -> Vec<VaPlace> {
        match kind {
            ArgKind::Int if self.n_gp < 6 => vec![self.general(slots[0])],
            ArgKind::Int128 if self.n_gp < 5 => {
                vec![self.general(slots[0]), self.general(slots[1])]
            }
            ArgKind::Float | ArgKind::Double if self.n_fp < 8 => {
                vec![self.vector(&slots[0].to_le_bytes())]
            }
            ArgKind::Vector { lanes, lane_bytes } => {
                let bytes = pack_lanes(slots, lanes as usize, lane_bytes as usize);
                if bytes.len() <= 16 && self.n_fp < 8 {
                    self.vector(&bytes);
                } else {
                    self.align_overflow(bytes.len().next_power_of_two().max(8));
                    self.overflow.extend_from_slice(&bytes);
                    self.align_overflow(8);
                }
                Vec::new()
            }
            ArgKind::ByVal { size, align } => {
                self.align_overflow(align.max(8) as usize);
                let start = self.overflow.len();
                copies.push((start, slots[0], size));
                self.overflow.resize(start + (size as usize).next_multiple_of(8), 0);
                Vec::new()
            }
            ArgKind::Int128 | ArgKind::X87 => {
                self.align_overflow(16);
                self.spill(slots)
            }
            ArgKind::Int | ArgKind::Float | ArgKind::Double | ArgKind::Slots(_) => {
                self.spill(slots)
            }
        }
    }

    fn general(&mut self, value: u64) -> VaPlace {
        let at = 8 * self.n_gp;
        self.registers[at..at + 8].copy_from_slice(&value.to_le_bytes());
        self.n_gp += 1;
        VaPlace::Register(at)
    }

    fn vector(&mut self, value: &[u8]) -> VaPlace {
        let at = 48 + 16 * self.n_fp;
        self.registers[at..at + value.len()].copy_from_slice(value);
        self.n_fp += 1;
        VaPlace::Register(at)
    }

    fn spill(&mut self, slots: &[u64]) -> Vec<VaPlace> {
        let start = self.overflow.len();
        for slot in slots {
            self.overflow.extend_from_slice(&slot.to_le_bytes());
        }
        (0..slots.len()).map(|at| VaPlace::Overflow(start + 8 * at)).collect()
    }

    fn align_overflow(&mut self, align: usize) {
        self.overflow.resize(self.overflow.len().next_multiple_of(align), 0);
        self.align = self.align.max(align as u64);
    }
}

/// A vector as it stands in a register or in memory, from slots that hold a lane each.
fn pack_lanes(slots: &[u64], lanes: usize, lane_bytes: usize) -> Vec<u8> {
    let lanes = slots.chunks(lane_bytes.div_ceil(8).max(1)).take(lanes);
    lanes
        .flat_map(|lane| {
            lane.iter().flat_map(|slot| slot.to_le_bytes()).take(lane_bytes).collect::<Vec<_>>()
        })
        .collect()
}

//! Calls that are not plain: through pointers, variadic, with copies, watched, and `va_start`.

use fathom_ir::inst::Inst;
use fathom_ir::{ArgKind, CallSiteId, FuncId};

use crate::engine::Engine;
use crate::hooks::CallChoice;
use crate::outcome::{BugKind, Stop};
use crate::state::{Frame, State, VarArgs};
use crate::step::Step;

impl Engine<'_> {
    /// Calls `function`, which has a body, from the instruction `call`.
    pub(crate) fn exec_call(&mut self, state: &mut State, call: &Inst, function: FuncId) -> Step {
        if self.watch_calls && self.intercept(state, call, function) {
            // SAFETY: a call is never a function's last instruction.
            state.ip = unsafe { state.ip.add(1) };
            return Ok(());
        }
        self.push_frame(state, call, function)?;
        self.copy_byval_args(state, function)
    }

    /// Makes the callee's frame and goes to its first instruction.
    pub(crate) fn push_frame(&self, state: &mut State, call: &Inst, function: FuncId) -> Step {
        let callee = self.callee(function);
        // SAFETY: the pointers are only compared before the check has passed.
        let frame = state.fp.wrapping_add(call.b as usize);
        if frame.wrapping_add(callee.frame_slots as usize) > state.slots_end() {
            return Err(self.bug(state, BugKind::StackOverflow));
        }
        if self.program.functions[function].variadic {
            self.keep_varargs(state, call, function, frame);
        }
        state.frames.push(Frame {
            call: state.ip,
            function,
            mark: state.memory.stack_mark(),
            serial: 0,
        });
        state.fp = frame;
        state.ip = callee.code;
        Ok(())
    }

    /// Keeps what the call passes beyond the fixed parameters, before the callee's own values
    /// overwrite it.
    fn keep_varargs(&self, state: &mut State, call: &Inst, function: FuncId, frame: *mut u64) {
        let n_fixed = self.program.functions[function].params.len();
        let Some(site) = self.program.call_sites.get(CallSiteId(call.imm as u32)) else { return };
        let first = n_fixed.min(site.args.len());
        let fixed: u32 = site.args[..first].iter().map(|kind| kind.slots()).sum();
        let slots = (fixed..site.arg_slots).map(|slot| {
            let slot = frame.wrapping_add(slot as usize);
            debug_assert!(slot < state.slots_end());
            // SAFETY: the caller has written its arguments there.
            unsafe { *slot }
        });
        let depth = state.frames.len() + 1;
        let varargs = VarArgs { depth, kinds: site.args[first..].to_vec(), slots: slots.collect() };
        while state.varargs.last().is_some_and(|stale| stale.depth >= depth) {
            state.varargs.pop();
        }
        state.varargs.push(varargs);
    }

    /// Gives the callee its own copies of structures passed by value.
    fn copy_byval_args(&self, state: &mut State, function: FuncId) -> Step {
        let mut slot = 0;
        for param in &self.program.functions[function].params {
            if let Some(size) = param.byval {
                let source = state.slot(slot);
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
        state.ip = unsafe { function.code.as_ptr().add(position as usize) };
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
        let (kinds, slots) = varargs.map_or((&[][..], &[][..]), |v| (&v.kinds[..], &v.slots[..]));
        let mut next = 0;
        let mut copies = Vec::new();
        for &kind in kinds {
            let n = kind.slots() as usize;
            layout.place(kind, &slots[next..next + n], &mut copies);
            next += n;
        }
        let site = self.site(state);
        let overflow_size = layout.overflow.len() as u64;
        let save = state.memory.push_stack(176, 16, site, u32::MAX);
        let overflow = state.memory.push_stack(overflow_size, layout.align, site, u32::MAX);
        let (Some(save), Some(overflow)) = (save, overflow) else {
            return Err(self.bug(state, BugKind::StackOverflow));
        };
        for (offset, source, size) in copies {
            let bytes = state.memory.slice(source, size);
            let bytes = bytes.map(<[u8]>::to_vec).map_err(|fault| self.fault_bug(state, fault))?;
            layout.overflow[offset..offset + bytes.len()].copy_from_slice(&bytes);
        }
        let mut fill = || {
            state.memory.write(save, &layout.registers)?;
            state.memory.write(overflow, &layout.overflow)?;
            state.memory.write_u32(list, gp_offset)?;
            state.memory.write_u32(list.wrapping_add(4), fp_offset)?;
            state.memory.write_u64(list.wrapping_add(8), overflow)?;
            state.memory.write_u64(list.wrapping_add(16), save)
        };
        fill().map_err(|fault| self.fault_bug(state, fault))
    }

    fn invalid_call(&self, state: &State, address: u64) -> Box<Stop> {
        self.bug_with(
            state,
            BugKind::InvalidCall,
            format!("call of {address:#x}, which is no function"),
        )
    }
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
    /// leave room and an entry (offset, source, size) in `copies`.
    fn place(&mut self, kind: ArgKind, slots: &[u64], copies: &mut Vec<(usize, u64, u64)>) {
        match kind {
            ArgKind::Int if self.n_gp < 6 => self.general(slots[0]),
            ArgKind::Int128 if self.n_gp < 5 => {
                self.general(slots[0]);
                self.general(slots[1]);
            }
            ArgKind::Float | ArgKind::Double if self.n_fp < 8 => {
                self.vector(&slots[0].to_le_bytes());
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
            }
            ArgKind::ByVal { size, align } => {
                self.align_overflow(align.max(8) as usize);
                let start = self.overflow.len();
                copies.push((start, slots[0], size));
                self.overflow.resize(start + (size as usize).next_multiple_of(8), 0);
            }
            ArgKind::Int128 | ArgKind::X87 => {
                self.align_overflow(16);
                self.spill(slots);
            }
            ArgKind::Int | ArgKind::Float | ArgKind::Double | ArgKind::Slots(_) => {
                self.spill(slots)
            }
        }
    }

    fn general(&mut self, value: u64) {
        let at = 8 * self.n_gp;
        self.registers[at..at + 8].copy_from_slice(&value.to_le_bytes());
        self.n_gp += 1;
    }

    fn vector(&mut self, value: &[u8]) {
        let at = 48 + 16 * self.n_fp;
        self.registers[at..at + value.len()].copy_from_slice(value);
        self.n_fp += 1;
    }

    fn spill(&mut self, slots: &[u64]) {
        for slot in slots {
            self.overflow.extend_from_slice(&slot.to_le_bytes());
        }
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

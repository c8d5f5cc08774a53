//! The engine: a program, what it plugs into, and the loop that runs states to their ends.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fathom_index::Id;
use fathom_ir::inst::{Inst, Op};
use fathom_ir::{FuncId, Program};

use crate::hooks::{Hooks, Searcher};
use crate::intrinsics::Intrinsic;
use crate::ledger::{Ledger, NOWHERE};
use crate::outcome::{Limit, Site, Stop, Trace};
use crate::signals::{self, Interrupted};
use crate::state::{Frame, State};
use crate::system::System;

/// How many LLVM instructions run between two looks at the limits.
const TURN: u64 = 1 << 24;

/// The limits of a run.
#[derive(Clone, Debug)]
pub struct Config {
    /// Bytes of stack objects; more is a stack overflow.
    pub max_stack: u64,
    /// LLVM instructions of one run, over all states.
    pub max_instructions: Option<u64>,
    /// Set from outside to end the run.
    pub interrupt: Arc<AtomicBool>,
}

/// Where execution begins.
#[derive(Clone, Debug)]
pub enum Entry {
    /// The whole program, through its C library's start.
    Program { argv: Vec<Vec<u8>>, env: Vec<Vec<u8>> },
    /// One function, with these argument slots.
    Function { name: String, args: Vec<u64> },
}

/// What the interpreter needs to know of a function to call it.
pub(crate) struct Callee {
    pub code: *const Inst,
    pub frame_slots: u32,
    /// Has a body, takes a fixed number of arguments, copies none, and nobody watches.
    pub plain: bool,
}

/// Executes states of one program.
pub struct Engine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) config: Config,
    pub(crate) system: Box<dyn System>,
    pub(crate) hooks: Hooks,
    pub(crate) watch_calls: bool,
    pub ledger: Ledger,
    pub(crate) callees: Vec<Callee>,
    /// By function; one more at the end for what only the engine calls.
    pub(crate) intrinsics: Vec<Option<Intrinsic>>,
    /// `Call entry; Halt` for each state started; frames point into it.
    #[expect(clippy::vec_box, reason = "frames point into the boxes while the vector grows")]
    starts: Vec<Box<[Inst; 2]>>,
    /// `Call handler; SignalReturn` for each place where a signal came; frames point into it.
    pub(crate) gates: HashMap<Interrupted, Box<[Inst; 2]>>,
}

impl<'p> Engine<'p> {
    pub fn new(
        program: &'p Program,
        config: Config,
        system: Box<dyn System>,
        hooks: Hooks,
    ) -> Self {
        let watch_calls = hooks.watch_calls();
        let callees = program.functions.iter().map(|function| Callee {
            code: function.code.as_ptr(),
            frame_slots: function.frame_slots,
            plain: function.is_defined()
                && !function.variadic
                && !watch_calls
                && function.params.iter().all(|param| param.byval.is_none()),
        });
        let named = program.functions.iter().map(|function| Intrinsic::named(&function.name));
        Self {
            program,
            config,
            system,
            hooks,
            watch_calls,
            ledger: Ledger::default(),
            callees: callees.collect(),
            intrinsics: named.chain([Some(Intrinsic::SignalReturn)]).collect(),
            starts: Vec::new(),
            gates: HashMap::new(),
        }
    }

    /// Takes states from `searcher` and runs each to its end, which `ended` is told.
    pub fn explore(
        &mut self,
        searcher: &mut dyn Searcher,
        mut ended: impl FnMut(Stop, Box<State>, &mut Self),
    ) {
        while let Some(mut state) = searcher.next() {
            let stop = self.run(&mut state);
            for observer in &mut self.hooks.observers {
                observer.stop(&stop, &state);
            }
            ended(stop, state, self);
        }
    }

    fn run(&mut self, state: &mut State) -> Stop {
        loop {
            let left =
                self.config.max_instructions.map(|max| max.saturating_sub(state.instructions));
            if let Err(stop) = self.run_for(state, left.unwrap_or(TURN).min(TURN)) {
                return *stop;
            }
            if self.config.max_instructions.is_some_and(|max| state.instructions >= max) {
                return Stop::Exhausted(Limit::Instructions);
            }
            if self.config.interrupt.load(Ordering::Relaxed) {
                return Stop::Exhausted(Limit::Interrupted);
            }
        }
    }

    /// Makes `state` call `function` with `args` and halt after it.
    pub(crate) fn enter(&mut self, state: &mut State, function: FuncId, args: &[u64]) {
        let slots = self.program.functions[function].result_slots.max(1);
        let op =
            if self.program.functions[function].is_defined() { Op::Call } else { Op::CallExternal };
        let mut call = Inst::new(op);
        call.a = function.0;
        call.b = slots;
        self.starts.push(Box::new([call, Inst::new(Op::Halt)]));
        state.ip = self.starts.last().expect("just pushed").as_ptr();
        for (index, &arg) in args.iter().enumerate() {
            state.set_slot(slots + index as u32, arg);
        }
    }

    /// The result slots of the entry function, once it has returned.
    pub(crate) fn entry_result(&self, state: &State) -> Vec<u64> {
        // SAFETY: the state halts at the second instruction of its start; the call is the first.
        let call = unsafe { *state.ip.sub(1) };
        let slots = self.program.functions[FuncId(call.a)].result_slots;
        (0..slots).map(|slot| state.slot(slot)).collect()
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    // ---- where we are ----------------------------------------------------------------------

    fn site_of(&self, function: FuncId, ip: *const Inst) -> Site {
        let function_ref = &self.program.functions[function];
        let distance = (ip as usize).wrapping_sub(function_ref.code.as_ptr() as usize);
        let index = distance / size_of::<Inst>();
        let loc = function_ref.locs.get(index).copied().unwrap_or(fathom_ir::LocId(0));
        Site { function, loc }
    }

    /// The call stack, innermost first.
    pub fn stack(&self, state: &State) -> Vec<Site> {
        let mut ip = state.ip;
        let mut sites = Vec::new();
        for frame in state.frames.iter().rev() {
            sites.push(self.site_of(frame.function, ip));
            ip = signals::called_at(frame);
        }
        sites
    }

    /// The running instruction's place.
    pub fn site(&self, state: &State) -> Site {
        state.frames.last().map_or(NOWHERE, |frame| self.site_of(frame.function, state.ip))
    }

    /// The innermost place in the program's own sources, or at least in the C library's.
    pub(crate) fn own_site(&self, state: &State) -> Site {
        let mut ip = state.ip;
        for frame in state.frames.iter().rev() {
            let site = self.site_of(frame.function, ip);
            if self.program.is_own(site.loc) {
                return site;
            }
            ip = signals::called_at(frame);
        }
        self.site(state)
    }

    /// The innermost frames, for objects made or freed here.
    pub(crate) fn trace(&self, state: &State) -> Trace {
        let mut trace = Trace::default();
        let mut ip = state.ip;
        for frame in state.frames.iter().rev() {
            if !trace.push(self.site_of(frame.function, ip)) {
                break;
            }
            ip = signals::called_at(frame);
        }
        trace
    }

    pub(crate) fn announce_return(&mut self, frame: &Frame) {
        for observer in &mut self.hooks.observers {
            observer.returned(frame.function);
        }
    }

    pub(crate) fn callee(&self, function: FuncId) -> &Callee {
        &self.callees[function.index()]
    }
}

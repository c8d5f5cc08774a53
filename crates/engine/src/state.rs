//! One path in progress: its frames, its slots, its memory, and the condition that leads here.

use std::rc::Rc;

use fathom_expr::{ExprId, InputId, Model, Pool};
use fathom_index::id;
use fathom_ir::inst::Inst;
use fathom_ir::{ArgKind, FuncId};
use fathom_solver::PathCondition;

use crate::memory::{Memory, OutOfMemory, StackMark, View};
use crate::pages::Pages;
use crate::patience::Patience;
use crate::route::{Counter, Guide, Origin, Position, Refused};
use crate::search::Kind;
use crate::snapshot::Snapshot;
use crate::system::System;
use crate::trail::Trail;

/// Slots of all frames together; reaching it is a stack overflow.
pub(crate) const N_SLOTS: usize = 4 << 20;

/// Slots kept above the innermost frame when a state is put aside: arguments being passed.
const ABOVE: usize = 64;

id!(
    /// A state; numbered in the order they came into being.
    StateId,
    "s"
);

/// A function being executed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The call instruction that made this frame; execution goes on after it. Its `b` is how far
    /// this frame lies above its caller's, and its `d` where the result goes.
    pub call: *const Inst,
    pub function: FuncId,
    /// Stack objects made since then are this frame's.
    pub mark: StackMark,
    /// Tells this frame from later ones at the same depth, once it has called setjmp; 0 before.
    pub serial: u32,
    /// Slots of this frame may be symbolic, so their tags are valid.
    pub symbolic: bool,
}

/// The variadic arguments of a call.
#[derive(Clone, Debug)]
pub(crate) struct VarArgs {
    /// How deep the frame is that they belong to.
    pub depth: usize,
    pub kinds: Vec<ArgKind>,
    pub slots: Vec<u64>,
    pub tags: Vec<Option<ExprId>>,
}

/// What a symbolic input of a path is to the program, for test cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub id: InputId,
    pub name: String,
    pub size: u32,
    pub kind: InputKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// The argument with this index in `argv`.
    Arg(u32),
    /// The value of an environment variable.
    Env(String),
    Stdin,
    File(String),
    /// Metadata of a file.
    Stat(String),
    /// An object the program itself declared symbolic.
    Object,
    /// The value of a `__VERIFIER_nondet_…` call.
    Nondet(&'static str),
    /// Another answer of the system.
    System(&'static str),
}

/// The slots of the running state, and their tags: the expression of a slot that is symbolic.
pub(crate) struct Slots {
    pub values: Pages<u64>,
    pub tags: Pages<Option<ExprId>>,
}

impl Slots {
    pub fn new() -> Result<Self, OutOfMemory> {
        let n = N_SLOTS + (1 << 16);
        Ok(Self { values: Pages::reserve(n)?, tags: Pages::reserve(n)? })
    }
}

/// What only the running state has: room for slots, and the table of its memory.
pub(crate) struct Machine {
    pub slots: Slots,
    pub view: Box<View>,
}

/// What a state waits for: nobody has asked yet whether it is possible.
#[derive(Clone)]
pub struct Awaited {
    pub condition: ExprId,
    /// Changes to the state's model that satisfy the condition, where they are known already.
    pub model: Option<Model>,
    /// How hard it is to tell whether it is possible, as far as is known.
    pub kind: Kind,
    /// How often the SMT solver was asked in vain.
    pub tries: u8,
}

impl Awaited {
    pub fn new(condition: ExprId, model: Option<Model>) -> Self {
        Self { condition, model, kind: Kind::Pending, tries: 0 }
    }

    /// It waits as if the SMT solver had been asked for its first steps.
    pub fn put_off(&mut self) {
        self.kind = Kind::Hardest;
        self.tries += 1;
    }
}

/// One path in progress.
pub struct State {
    pub id: StateId,
    pub memory: Memory,
    pub path: PathCondition,
    /// Satisfies the path condition.
    pub model: Model,
    /// Seeds that satisfy the path condition too.
    pub(crate) seeds: Rc<Vec<Model>>,
    /// Its model is a seed.
    pub(crate) follows_seed: bool,
    /// A pending state may not run, and its model does not satisfy the condition it waits for.
    pub(crate) awaited: Option<Box<Awaited>>,
    /// The symbolic inputs made on this path, in order.
    pub inputs: Rc<Vec<Input>>,
    /// Conditions a test case should fulfil if it can, in order of importance.
    pub wishes: Rc<Vec<ExprId>>,
    pub(crate) trail: Trail,
    pub(crate) origin: Origin,
    /// Its decisions are counted, and the last one was here.
    pub(crate) counter: Counter,
    pub(crate) decided: Option<Position>,
    /// Cases of its next decision that other states go on with.
    pub(crate) refused: Option<Box<Refused>>,
    /// While it repeats a path.
    pub(crate) guide: Option<Box<Guide>>,
    pub(crate) system: Rc<dyn System>,
    /// `None` while another state runs.
    slots: Option<Slots>,
    /// The slots as they were when the state was put aside or last forked.
    saved: Snapshot<u64>,
    saved_tags: Snapshot<Option<ExprId>>,
    pub(crate) frames: Vec<Frame>,
    /// Of the variadic frames, deepest last. Entries of frames that have returned stay until a
    /// frame as deep takes their place, so that returning costs nothing.
    pub(crate) varargs: Vec<VarArgs>,
    /// The next instruction, or the one at which the path stopped.
    pub(crate) ip: *const Inst,
    /// Where slot 0 of the innermost frame is in the slots.
    pub(crate) fp: usize,
    pub(crate) thread_pointer: u64,
    pub(crate) next_serial: u32,
    /// LLVM instructions executed.
    pub instructions: u64,
    /// Branches at which it parted from another state.
    pub depth: u32,
    /// Code that no state had executed before was executed on this path since it forked.
    pub covered_new: bool,
    /// How many instructions it had executed when it last did so, copies of it included.
    pub(crate) covered_at: u64,
    /// Questions it has asked the solver.
    pub(crate) queries: u32,
    pub(crate) patience: Patience,
    /// Branches do not fork (`klee_set_forking`).
    pub(crate) forking: bool,
}

impl State {
    pub(crate) fn new(stack_limit: u64, system: Rc<dyn System>) -> Result<Self, OutOfMemory> {
        Ok(Self {
            id: StateId(0),
            memory: Memory::new(stack_limit)?,
            path: PathCondition::new(),
            model: Model::new(),
            seeds: Rc::default(),
            follows_seed: false,
            awaited: None,
            inputs: Rc::default(),
            wishes: Rc::default(),
            trail: Trail::default(),
            origin: Origin { root: 0, parted: None, by_value: false },
            counter: Counter::default(),
            decided: None,
            refused: None,
            guide: None,
            system,
            slots: Some(Slots::new()?),
            saved: Snapshot::default(),
            saved_tags: Snapshot::default(),
            frames: Vec::new(),
            varargs: Vec::new(),
            ip: std::ptr::null(),
            fp: 0,
            thread_pointer: 0,
            next_serial: 1,
            instructions: 0,
            depth: 0,
            covered_new: false,
            covered_at: 0,
            queries: 0,
            patience: Patience::default(),
            forking: true,
        })
    }

    /// A copy that shares what neither changes. It is not running.
    pub(crate) fn fork(&mut self, id: StateId, frame_slots: usize) -> Self {
        self.save(frame_slots);
        self.copy(id)
    }

    /// The same, of what was saved last.
    pub(crate) fn copy(&mut self, id: StateId) -> Self {
        Self {
            id,
            memory: self.memory.fork(),
            path: self.path.clone(),
            model: self.model.clone(),
            seeds: Rc::default(),
            follows_seed: false,
            awaited: None,
            inputs: self.inputs.clone(),
            wishes: self.wishes.clone(),
            trail: self.trail.clone(),
            origin: Origin { parted: None, by_value: false, ..self.origin },
            refused: None,
            guide: None,
            system: self.system.clone(),
            slots: None,
            saved: self.saved.clone(),
            saved_tags: self.saved_tags.clone(),
            frames: self.frames.clone(),
            varargs: self.varargs.clone(),
            covered_new: false,
            patience: Patience::default(),
            ..*self
        }
    }

    fn save(&mut self, frame_slots: usize) {
        let used = self.fp + frame_slots + ABOVE;
        let slots = self.slots.as_ref().expect("the running state has slots");
        self.saved = Snapshot::take(&slots.values, used, &self.saved);
        self.saved_tags = Snapshot::take(&slots.tags, used, &self.saved_tags);
    }

    /// Gives the machine away to another state.
    pub(crate) fn suspend(&mut self, frame_slots: usize) -> Machine {
        self.save(frame_slots);
        let slots = self.slots.take().expect("the running state has slots");
        Machine { slots, view: self.memory.detach() }
    }

    /// Takes the machine from a state that has ended; nothing is kept.
    pub(crate) fn strip(&mut self) -> Option<Machine> {
        let slots = self.slots.take()?;
        Some(Machine { slots, view: self.memory.detach() })
    }

    pub(crate) fn is_running(&self) -> bool {
        self.slots.is_some()
    }

    pub(crate) fn resume(&mut self, machine: Machine) {
        let Machine { mut slots, view } = machine;
        self.saved.restore(&mut slots.values);
        self.saved_tags.restore(&mut slots.tags);
        self.slots = Some(slots);
        self.memory.attach(view);
    }

    // ---- slots -----------------------------------------------------------------------------

    /// The address of slot 0 of all.
    pub(crate) fn slots_start(&self) -> *mut u64 {
        self.slots.as_ref().expect("the running state has slots").values.as_ptr().cast_mut()
    }

    pub(crate) fn tags_start(&self) -> *mut Option<ExprId> {
        self.slots.as_ref().expect("the running state has slots").tags.as_ptr().cast_mut()
    }

    fn slot_ptr(&self, slot: u32) -> *mut u64 {
        // SAFETY: slot numbers come from lowering and lie within the frame, which lies within
        // the slots: every call checks that.
        unsafe { self.slots_start().add(self.fp + slot as usize) }
    }

    fn tag_ptr(&self, slot: u32) -> *mut Option<ExprId> {
        // SAFETY: as in `slot_ptr`.
        unsafe { self.tags_start().add(self.fp + slot as usize) }
    }

    /// The value of slot `slot` of the innermost frame.
    pub(crate) fn slot(&self, slot: u32) -> u64 {
        // SAFETY: as in `slot_ptr`.
        unsafe { *self.slot_ptr(slot) }
    }

    /// The value of the slot at this place among those of all frames.
    pub(crate) fn slot_at(&self, at: usize) -> u64 {
        self.slots.as_ref().expect("the running state has slots").values[at]
    }

    pub(crate) fn tag_at(&self, at: usize) -> Option<ExprId> {
        self.slots.as_ref().expect("the running state has slots").tags[at]
    }

    /// Makes it concrete.
    pub(crate) fn set_slot(&mut self, slot: u32, value: u64) {
        // SAFETY: as in `slot_ptr`.
        unsafe {
            *self.slot_ptr(slot) = value;
            *self.tag_ptr(slot) = None;
        }
    }

    /// The expression of a slot that is symbolic.
    pub(crate) fn tag(&self, slot: u32) -> Option<ExprId> {
        if !self.is_symbolic() {
            return None;
        }
        // SAFETY: as in `slot_ptr`.
        unsafe { *self.tag_ptr(slot) }
    }

    /// The slot as an expression of 64 bits.
    pub(crate) fn slot_expr(&self, pool: &mut Pool, slot: u32) -> ExprId {
        match self.tag(slot) {
            Some(expr) => expr,
            None => pool.constant(64, self.slot(slot)),
        }
    }

    /// The slots `first..first + count` hold concrete values again.
    pub(crate) fn forget_tags(&mut self, first: u32, count: u32) {
        for slot in first..first + count {
            // SAFETY: as in `slot_ptr`.
            unsafe { *self.tag_ptr(slot) = None }
        }
    }

    /// Whether slots of the innermost frame may be symbolic.
    pub(crate) fn is_symbolic(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.symbolic)
    }

    /// Makes the slot symbolic. The frame must have been made symbolic.
    pub(crate) fn set_tag(&mut self, slot: u32, expr: ExprId) {
        debug_assert!(self.is_symbolic());
        // SAFETY: as in `slot_ptr`.
        unsafe { *self.tag_ptr(slot) = Some(expr) }
    }

    /// Lets slots of the innermost frame be symbolic from now on; it reaches over `reach` slots,
    /// arguments it passes included, of which the first `kept` have valid tags.
    pub(crate) fn make_symbolic(&mut self, reach: usize, kept: usize) {
        let Some(frame) = self.frames.last_mut() else { return };
        if frame.symbolic {
            return;
        }
        frame.symbolic = true;
        let slots = self.slots.as_mut().expect("the running state has slots");
        slots.tags.fill(self.fp + kept..self.fp + reach, None);
    }

    pub(crate) fn slot_pair(&self, slot: u32) -> u128 {
        u128::from(self.slot(slot)) | u128::from(self.slot(slot + 1)) << 64
    }

    /// `count` slots from `slot` on.
    pub(crate) fn slot_words(&self, slot: u32, count: usize) -> &[u64] {
        // SAFETY: as in `slot_ptr`; nothing writes slots while the state is borrowed.
        unsafe { std::slice::from_raw_parts(self.slot_ptr(slot), count) }
    }

    pub(crate) fn set_slot_words(&mut self, slot: u32, words: &[u64]) {
        for (slot, &word) in (slot..).zip(words) {
            self.set_slot(slot, word);
        }
    }

    pub(crate) fn set_slot_pair(&mut self, slot: u32, value: u128) {
        self.set_slot(slot, value as u64);
        self.set_slot(slot + 1, (value >> 64) as u64);
    }

    // ---- the system ------------------------------------------------------------------------

    /// The state's own kernel, unshared.
    pub(crate) fn system_mut(&mut self) -> &mut dyn System {
        if Rc::get_mut(&mut self.system).is_none() {
            self.system = Rc::from(self.system.fork());
        }
        Rc::get_mut(&mut self.system).expect("just unshared")
    }

    /// Lets the objects of a run that begins lie elsewhere than they would, for who wants to know
    /// whether that matters.
    pub fn shift_memory(&mut self) {
        self.memory.shift();
    }

    /// The kernel of this state.
    pub fn system(&self) -> &dyn System {
        &*self.system
    }
}

//! The engine: a program, what it plugs into, and the loop that runs states to their ends.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use fathom_expr::{ExprId, InputId, Model, Pool};
use fathom_index::Id;
use fathom_ir::inst::{Inst, Op};
use fathom_ir::{CallSiteId, FuncId, Function, Program};
use fathom_solver::Solver;

use crate::coverage::Coverage;
use crate::frontier::Frontier;
use crate::hooks::Hooks;
use crate::intrinsics::Intrinsic;
use crate::ledger::{Ledger, NOWHERE};
use crate::outcome::{Bug, BugKind, Ended, Limit, Site, Stop, Trace};
use crate::route::Fork;
use crate::signals::{self, Interrupted};
use crate::state::{Frame, Input, Machine, State, StateId};
use crate::symbolic::{Cases, Luck, Math, Refuted, Uninit, Variety};

/// How many LLVM instructions run between two looks at the limits.
const TURN: u64 = 1 << 20;

/// The limits of a run.
#[derive(Clone, Debug)]
pub struct Config {
    /// Bytes of stack objects; more is a stack overflow.
    pub max_stack: u64,
    /// LLVM instructions of one run, over all states.
    pub max_instructions: Option<u64>,
    /// Where several processes count them together.
    pub all_instructions: Option<&'static AtomicU64>,
    /// Forks on one path; deeper branches follow the path's own model.
    pub max_depth: Option<u32>,
    /// Forks of one run.
    pub max_forks: Option<u64>,
    /// Set from outside to end the run.
    pub interrupt: Arc<AtomicBool>,
    /// Set from outside when pending states should make room.
    pub memory_is_short: Arc<AtomicBool>,
    /// How much a state may do without coming to new code before pending ones have their turn: it may
    /// never end. `None`: any state that can run goes before them.
    pub patience: Option<u64>,
    /// Pending states that turn out to be possible go on with other values where they may.
    pub vary: bool,
    /// Remember which code was executed.
    pub coverage: bool,
    pub solver: fathom_solver::Config,
    pub checks: Checks,
}

impl Default for Config {
    /// 8 MiB of stack, and no other limit.
    fn default() -> Self {
        Self {
            max_stack: 8 << 20,
            max_instructions: None,
            all_instructions: None,
            max_depth: None,
            max_forks: None,
            interrupt: Arc::default(),
            memory_is_short: Arc::default(),
            patience: None,
            vary: false,
            coverage: false,
            solver: fathom_solver::Config::default(),
            checks: Checks::default(),
        }
    }
}

/// Checks that are made on request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checks {
    /// Heap objects that nothing points to at exit.
    pub leaks: bool,
    /// Decisions that hang on bytes nobody has written.
    pub uninit: bool,
    /// What a check forbids becomes a pending state instead of a query.
    pub relaxed: bool,
}

/// Where execution begins.
#[derive(Clone, Debug)]
pub enum Entry {
    /// The whole program, through its C library's start.
    Program { argv: Vec<Text>, env: Vec<Text> },
    /// One function, with these argument slots.
    Function { name: String, args: Vec<u64> },
}

/// An argument or environment string.
#[derive(Clone, Debug)]
pub enum Text {
    Concrete(Vec<u8>),
    /// `prefix`, then bytes of an input; a terminator follows. Where it may end early, the first
    /// zero among them is the terminator, and nothing is behind it.
    Symbolic {
        prefix: Vec<u8>,
        input: Input,
        may_end_early: bool,
    },
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Concrete(bytes)
    }
}

/// What the interpreter needs to know of a function to call it.
pub(crate) struct Callee {
    pub code: *mut Inst,
    pub frame_slots: u32,
    /// Slots of the frame and of the arguments it passes on.
    pub reach: u32,
    /// What the solver can compute by itself instead of the body.
    pub math: Option<Math>,
    /// Called instead (`klee_alias_function`).
    pub alias: Option<FuncId>,
    /// Has a body, takes a fixed number of arguments, copies none, and nobody watches.
    pub plain: bool,
}

/// Executes states of one program.
pub struct Engine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) config: Config,
    pub(crate) hooks: Hooks,
    pub(crate) watch_calls: bool,
    pub pool: Pool,
    pub solver: Solver,
    pub ledger: Ledger,
    /// What became of seeds; it takes nothing away from the run.
    pub remarks: Ledger,
    pub coverage: Coverage,
    pub stats: Stats,
    pub(crate) callees: Vec<Callee>,
    /// The engine's own copies of the functions' code, into which coverage puts its marks.
    _code: Vec<Box<[Inst]>>,
    /// By function; one more at the end for what only the engine calls.
    pub(crate) intrinsics: Vec<Option<Intrinsic>>,
    /// `Call entry; Halt` for each state started; frames point into it.
    #[expect(clippy::vec_box, reason = "frames point into the boxes while the vector grows")]
    starts: Vec<Box<[Inst; 2]>>,
    /// `Call handler; SignalReturn` for each place where a signal came; frames point into it.
    pub(crate) gates: HashMap<Interrupted, Box<[Inst; 2]>>,
    /// States that came into being in the running turn, and the way to bugs found in it.
    #[expect(clippy::vec_box, reason = "states change hands often and are not small")]
    pub(crate) forked: Vec<Box<State>>,
    /// States that part from the running one and are not kept.
    pub(crate) doubted: Vec<Fork>,
    pub(crate) ended: Vec<Ended>,
    /// Bugs already reported: where and what.
    pub(crate) reported: HashSet<(Site, String)>,
    /// Where an address was a large term.
    pub(crate) large_at: HashSet<Site>,
    /// Messages of the program under analysis to its user, in order.
    pub notes: Vec<String>,
    pub(crate) notes_seen: HashSet<String>,
    pub(crate) uninit: Uninit,
    pub(crate) variety: Variety,
    pub(crate) luck: Luck,
    pub(crate) refuted: Refuted,
    pub(crate) cases: Cases,
    /// Objects that seeds give values to, by the names the program may give them.
    pub(crate) seeded: Vec<InputId>,
    /// Names of them that the program has given.
    pub(crate) seeds_met: BTreeSet<String>,
    next_state: u32,
    pub(crate) spare: Option<Machine>,
    /// The run ended while the solver worked for the running state.
    pub(crate) cut_short: bool,
    /// The policy wants to see no more of the running state.
    pub(crate) is_left: bool,
    /// A state that the next routes can start from instead of their first one.
    pub(crate) waypoint: Option<Box<State>>,
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    /// LLVM instructions, over all states.
    pub instructions: u64,
    pub forks: u64,
    /// States there are, pending and sleeping ones included, and the most there ever were.
    pub states: usize,
    pub max_states: usize,
    /// Pending and sleeping states there are.
    pub pending: usize,
    /// Pending states that were asked about: possible, not possible, not decided.
    pub revived: u64,
    pub infeasible: u64,
    pub undecided: u64,
    /// Pending states that were put to sleep, because memory was short.
    pub dropped: u64,
    /// States that the branch policy left.
    pub left: u64,
    /// Those of the instructions that somebody had executed before, on the way to a state.
    pub repeated: u64,
    /// Spent on asking whether a path is possible that is not.
    pub infeasible_time: Duration,
}

impl Stats {
    pub(crate) fn count(&mut self, frontier: &Frontier<'_>) {
        self.states = frontier.n_states() + frontier.n_asleep();
        self.pending = frontier.n_pending() + frontier.n_asleep();
        self.max_states = self.max_states.max(self.states);
    }
}

impl<'p> Engine<'p> {
    pub fn new(program: &'p Program, config: Config, hooks: Hooks) -> Self {
        let watch_calls = hooks.watch_calls();
        let mut code: Vec<Box<[Inst]>> =
            program.functions.iter().map(|function| function.code.clone().into()).collect();
        let coverage = match config.coverage {
            true => Coverage::instrument(program, &mut code),
            false => Coverage::default(),
        };
        let callees = program.functions.iter().zip(&mut code).map(|(function, code)| Callee {
            code: code.as_mut_ptr(),
            frame_slots: function.frame_slots,
            reach: reach(program, function),
            alias: None,
            math: Math::named(&function.name).filter(|_| !program.is_own(function.loc)),
            plain: function.is_defined()
                && !function.variadic
                && !watch_calls
                && function.params.iter().all(|param| param.byval.is_none()),
        });
        let named = program.functions.iter().map(|function| Intrinsic::named(&function.name));
        Self {
            program,
            hooks,
            watch_calls,
            pool: Pool::new(),
            solver: Solver::new(config.solver.clone()),
            config,
            ledger: Ledger::default(),
            remarks: Ledger::default(),
            coverage,
            stats: Stats::default(),
            callees: callees.collect(),
            intrinsics: named.chain([Some(Intrinsic::SignalReturn)]).collect(),
            _code: code,
            starts: Vec::new(),
            gates: HashMap::new(),
            forked: Vec::new(),
            doubted: Vec::new(),
            ended: Vec::new(),
            reported: HashSet::new(),
            large_at: HashSet::new(),
            notes: Vec::new(),
            notes_seen: HashSet::new(),
            uninit: Uninit::default(),
            variety: Variety::default(),
            luck: Luck::default(),
            refuted: Refuted::default(),
            cases: Cases::default(),
            seeded: Vec::new(),
            seeds_met: BTreeSet::new(),
            next_state: 1,
            spare: None,
            cut_short: false,
            is_left: false,
            waypoint: None,
        }
    }

    /// Runs a state that has no symbolic input to its end.
    pub fn run_one(&mut self, state: &mut State) -> Stop {
        loop {
            if let Err(stop) = self.turn(state) {
                return *stop;
            }
            self.forked.clear();
            self.doubted.clear();
            self.ended.clear();
        }
    }

    pub(crate) fn suspend(&self, state: &mut State) -> Machine {
        state.suspend(self.frame_slots(state))
    }

    /// Slots of the innermost frame and of what it passes on.
    pub(crate) fn frame_slots(&self, state: &State) -> usize {
        state.frames.last().map_or(0, |frame| self.callee(frame.function).reach as usize)
    }

    pub(crate) fn result_slots(&self, function: FuncId) -> u32 {
        self.program.functions[function].result_slots
    }

    /// The record of a path that ended in `state`. Bugs already known are left out.
    pub(crate) fn end(&mut self, state: &State, stop: Stop) -> Option<Ended> {
        if let Stop::Bug(bug) = &stop
            && !self.is_news(bug)
        {
            return Some(self.record(state, Stop::Dropped("ends in a bug reported before"), None));
        }
        if matches!(stop, Stop::Exit(_))
            && self.config.checks.leaks
            && let Some(Stop::Bug(leak)) = self.leak(state)
            && self.is_news(&leak)
        {
            let report = self.record(state, Stop::Bug(leak), None);
            self.ended.push(Ended { goes_on: true, ..report });
        }
        Some(self.record(state, stop, None))
    }

    /// The first time this bug is seen at this place.
    pub(crate) fn is_news(&mut self, bug: &Bug) -> bool {
        let (site, kind) = self.place_of(bug);
        self.learn_bug(site, &kind)
    }

    /// A bug of this kind at this place needs no report; whether that is news.
    pub fn learn_bug(&mut self, site: Site, kind: &str) -> bool {
        self.reported.insert((site, kind.to_owned()))
    }

    /// The bugs that need no report.
    pub fn known_bugs(&self) -> impl Iterator<Item = (Site, &str)> {
        self.reported.iter().map(|(site, kind)| (*site, kind.as_str()))
    }

    /// What makes bugs the same one: their place in the program's own code, and their kind.
    pub fn place_of(&self, bug: &Bug) -> (Site, String) {
        let own = bug.stack.iter().find(|site| self.program.is_own(site.loc));
        let kind = match bug.kind {
            BugKind::Injected(number) => format!("{} {number}", bug.kind),
            kind => kind.name().to_owned(),
        };
        (own.or(bug.stack.first()).copied().unwrap_or(NOWHERE), kind)
    }

    /// What a test case needs of `state`; with `model` and its condition if that is not the
    /// state's own.
    pub(crate) fn record(
        &mut self,
        state: &State,
        stop: Stop,
        other: Option<(ExprId, Model)>,
    ) -> Ended {
        let goes_on = other.is_some();
        let (mut path, mut model) = (state.path.clone(), state.model.clone());
        let violation = other.as_ref().map(|(condition, _)| *condition);
        if let Some((condition, other)) = other {
            path.add(&mut self.pool, condition);
            model.update(&other);
        }
        Ended {
            stop,
            state: state.id,
            path,
            model,
            inputs: state.inputs.clone(),
            wishes: state.wishes.clone(),
            trail: state.trail.clone(),
            violation,
            system: state.system.clone(),
            instructions: state.instructions,
            depth: state.depth,
            covered_new: state.covered_new,
            goes_on,
        }
    }

    /// Something happened that the caller must hear of before the state goes on.
    #[inline(always)]
    pub(crate) fn has_news(&self) -> bool {
        !self.forked.is_empty() || !self.ended.is_empty() || self.is_left || self.is_interrupted()
    }

    /// The run has to end: solver queries fail from now on.
    pub fn is_interrupted(&self) -> bool {
        self.config.interrupt.load(Ordering::Relaxed)
    }

    /// New states get numbers from this one on.
    pub fn number_states_from(&mut self, first: StateId) {
        self.next_state = self.next_state.max(first.0);
    }

    /// The limit on instructions is reached.
    pub fn is_out_of_instructions(&self) -> bool {
        self.config.max_instructions.is_some_and(|max| self.executed() >= max)
    }

    /// Instructions that count against the limit.
    fn executed(&self) -> u64 {
        let all = self.config.all_instructions;
        all.map_or(self.stats.instructions, |all| all.load(Ordering::Relaxed))
    }

    /// Names of objects that seeds give values to and that the program has made symbolic.
    pub fn seed_objects(&self) -> impl Iterator<Item = &str> {
        self.seeds_met.iter().map(String::as_str)
    }

    /// The number that the next new state gets.
    pub fn next_number(&self) -> StateId {
        StateId(self.next_state)
    }

    pub(crate) fn next_state_id(&mut self) -> StateId {
        let id = StateId(self.next_state);
        self.next_state += 1;
        id
    }

    /// Runs `state` until there is news.
    pub(crate) fn turn(&mut self, state: &mut State) -> Result<(), Box<Stop>> {
        let left = self.config.max_instructions.map(|max| max.saturating_sub(self.executed()));
        let before = state.instructions;
        let result = self.run_for(state, left.unwrap_or(TURN).min(TURN));
        self.stats.instructions += state.instructions - before;
        if let Some(all) = self.config.all_instructions {
            all.fetch_add(state.instructions - before, Ordering::Relaxed);
        }
        result?;
        if self.is_out_of_instructions() {
            return Err(Box::new(Stop::Exhausted(Limit::Instructions)));
        }
        if self.is_interrupted() {
            return Err(Box::new(Stop::Exhausted(Limit::Interrupted)));
        }
        Ok(())
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

    pub(crate) fn site_of(&self, function: FuncId, ip: *const Inst) -> Site {
        let function_ref = &self.program.functions[function];
        let distance = (ip as usize).wrapping_sub(self.callee(function).code as usize);
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

    pub(crate) fn announce_fork(&mut self, parent: &State, child: StateId) {
        if !self.hooks.observers.is_empty() {
            let site = self.own_site(parent);
            for observer in &mut self.hooks.observers {
                observer.fork(parent.id, child, site);
            }
        }
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

/// Slots of a frame of `function` and of the arguments it passes on.
fn reach(program: &Program, function: &Function) -> u32 {
    let calls = function
        .code
        .iter()
        .filter(|inst| matches!(inst.op, Op::Call | Op::CallExternal | Op::CallIndirect));
    let ends = calls.map(|call| {
        let site = program.call_sites.get(CallSiteId(call.imm as u32));
        call.b + site.map_or(8, |site| site.arg_slots.max(8))
    });
    ends.max().unwrap_or(0).max(function.frame_slots)
}

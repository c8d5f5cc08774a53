//! Making the first state: globals in memory, then a program's initial stack or a function's
//! arguments.

use std::collections::HashMap;
use std::rc::Rc;

use fathom_expr::{ExprId, InputId, Model};
use fathom_ir::FuncId;

use crate::engine::{Engine, Entry, Text};
use crate::ledger::NOWHERE;
use crate::memory::{Memory, ObjectKind};
use crate::outcome::Trace;
use crate::state::{Awaited, Input, State};
use crate::system::System;

const AT_NULL: u64 = 0;
const AT_PAGESZ: u64 = 6;
const AT_UID: u64 = 11;
const AT_EUID: u64 = 12;
const AT_GID: u64 = 13;
const AT_EGID: u64 = 14;
const AT_SECURE: u64 = 23;
const AT_RANDOM: u64 = 25;
const AT_EXECFN: u64 = 31;

/// After so many steps somebody looks whether the run has to end: an assumption is one, an entry
/// so many.
const LOOK: usize = 1 << 10;
const ENTRY: usize = 1 << 5;

/// Numbers of assumptions by the input they are about.
type Numbers = HashMap<Option<InputId>, Vec<usize>>;

/// Why a program cannot be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartError {
    NoSuchFunction(String),
    NoBody(String),
    NotEnoughArguments {
        name: String,
        wanted: u32,
        given: usize,
    },
    TooLarge,
    NoAddressSpace,
    /// The run has to end before it begins.
    Interrupted,
}

impl std::fmt::Display for StartError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoSuchFunction(name) => write!(f, "the program has no function `{name}`"),
            Self::NoBody(name) => write!(f, "the function `{name}` is declared but not defined"),
            Self::NotEnoughArguments { name, wanted, given } => {
                write!(f, "`{name}` takes {wanted} argument words, {given} were given")
            }
            Self::TooLarge => write!(f, "arguments and environment do not fit into memory"),
            Self::NoAddressSpace => write!(
                f,
                "the system refuses 1 GiB of address space; raise the limit (ulimit -v unlimited)"
            ),
            Self::Interrupted => write!(f, "the run was stopped before it began"),
        }
    }
}

impl std::error::Error for StartError {}

/// What a path begins with besides its entry.
#[derive(Default)]
pub struct Given {
    /// Symbolic inputs that the system provides.
    pub inputs: Vec<Input>,
    /// Conditions that inputs fulfil; those about inputs that a path does not have are left out.
    pub assumptions: Vec<ExprId>,
    /// A first guess at the inputs' bytes.
    pub model: Model,
    /// Inputs to start from. Where there are some, states without one wait.
    pub seeds: Vec<GivenSeed>,
}

/// An input to start from.
pub struct GivenSeed {
    pub model: Model,
    /// Objects that the program itself will declare symbolic, as the seed has them.
    pub objects: Vec<InputId>,
    /// The entries it fits, by number, in order.
    pub entries: Vec<usize>,
}

impl Engine<'_> {
    /// The state in which `entry` is about to be called.
    pub fn start(
        &mut self,
        entry: &Entry,
        system: Box<dyn System>,
    ) -> Result<Box<State>, StartError> {
        let mut states = self.start_each(&[entry], system, &Given::default())?;
        Ok(states.pop().expect("one for each entry"))
    }

    /// The states in which the entries are about to be called. An entry whose assumptions cannot
    /// hold has none.
    pub fn start_each(
        &mut self,
        entries: &[&Entry],
        system: Box<dyn System>,
        given: &Given,
    ) -> Result<Vec<Box<State>>, StartError> {
        let state = State::new(self.config.max_stack, Rc::from(system));
        let mut first = Box::new(state.map_err(|_| StartError::NoAddressSpace)?);
        for (id, global) in self.program.globals.iter_enumerated() {
            first.memory.place_global(id, global);
        }
        first.inputs = Rc::new(given.inputs.clone());
        first.model = given.model.clone();
        self.seeded.extend(given.seeds.iter().flat_map(|seed| &seed.objects));
        self.seeded.sort_unstable();
        self.seeded.dedup();
        let mut steps = 0;
        let assumptions = self.by_input(&given.assumptions, &mut steps)?;
        let mut states = Vec::new();
        for (number, entry) in entries.iter().enumerate() {
            self.step(ENTRY, &mut steps)?;
            let id = self.next_state_id();
            let mut state = Box::new(first.fork(id, 0));
            state.resume(first.suspend(0));
            self.call_entry(&mut state, entry)?;
            let possible = self.assume_given(&mut state, given, &assumptions, &mut steps)?;
            let frame_slots = self.program.functions.iter().map(|f| f.param_slots).max();
            first.resume(state.suspend(frame_slots.unwrap_or(0) as usize));
            if possible {
                self.sow(&mut state, given, number);
                states.push(state);
            }
        }
        // One of them keeps the machine.
        if let Some(state) = states.last_mut() {
            state.resume(first.suspend(0));
        }
        Ok(states)
    }

    /// The numbers of the assumptions about each input, or about none.
    fn by_input(&self, assumptions: &[ExprId], steps: &mut usize) -> Result<Numbers, StartError> {
        let mut numbers = Numbers::new();
        for (number, &condition) in assumptions.iter().enumerate() {
            self.step(1, steps)?;
            let first = self.pool.support(condition).iter().next();
            let input = first.map(|var| self.pool.var_owner(var).0);
            numbers.entry(input).or_default().push(number);
        }
        Ok(numbers)
    }

    /// Assumes what is given of the inputs of `state`; false if it cannot hold.
    fn assume_given(
        &mut self,
        state: &mut State,
        given: &Given,
        numbers: &Numbers,
        steps: &mut usize,
    ) -> Result<bool, StartError> {
        let inputs = state.inputs.iter().map(|input| Some(input.id)).chain([None]);
        let own = inputs.filter_map(|input| numbers.get(&input)).flatten();
        let mut own: Vec<usize> = own.copied().collect();
        own.sort_unstable();
        own.dedup();
        for number in own {
            self.step(1, steps)?;
            let condition = given.assumptions[number];
            if self.concerns(state, condition) && self.assume(state, condition).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Looks now and then whether the run has to end. A start of few steps is always made: then
    /// there is something to go on with.
    fn step(&self, weight: usize, steps: &mut usize) -> Result<(), StartError> {
        *steps += weight;
        if *steps < LOOK {
            return Ok(());
        }
        *steps = 0;
        if self.is_interrupted() { Err(StartError::Interrupted) } else { Ok(()) }
    }

    /// Gives a first state the seeds that fit its entry.
    fn sow(&mut self, state: &mut State, given: &Given, entry: usize) {
        let mut seeds = Vec::new();
        for seed in given.seeds.iter().filter(|seed| seed.entries.binary_search(&entry).is_ok()) {
            if self.pool.eval_all(state.path.constraints(), &seed.model) {
                seeds.push(seed.model.clone());
            } else {
                self.remarks.record(NOWHERE, "a seed has bytes that this run's inputs cannot have");
            }
        }
        if !seeds.is_empty() {
            state.model = seeds.remove(0);
            state.follows_seed = true;
            state.seeds = Rc::new(seeds);
        } else if !given.seeds.is_empty() {
            let condition = self.pool.bool(true);
            let model = Some(Model::new());
            state.awaited = Some(Box::new(Awaited::new(condition, model)));
        }
    }

    /// Whether the condition is about inputs that this path has.
    fn concerns(&self, state: &State, condition: ExprId) -> bool {
        let mut owners = self.pool.support(condition).iter().map(|var| self.pool.var_owner(var).0);
        owners.all(|owner| state.inputs.iter().any(|input| input.id == owner))
    }

    fn call_entry(&mut self, state: &mut State, entry: &Entry) -> Result<(), StartError> {
        match entry {
            Entry::Program { argv, env } => {
                let function = self.defined("_start_c")?;
                let stack = self.initial_stack(state, argv, env)?;
                self.enter(state, function, &[stack]);
            }
            Entry::Function { name, args } => {
                let function = self.defined(name)?;
                let wanted = self.program.functions[function].param_slots;
                if args.len() < wanted as usize {
                    let name = name.clone();
                    return Err(StartError::NotEnoughArguments { name, wanted, given: args.len() });
                }
                self.enter(state, function, args);
            }
        }
        Ok(())
    }

    fn defined(&self, name: &str) -> Result<FuncId, StartError> {
        let function = self.program.function_named(name);
        let function = function.ok_or_else(|| StartError::NoSuchFunction(name.to_owned()))?;
        if !self.program.functions[function].is_defined() {
            return Err(StartError::NoBody(name.to_owned()));
        }
        Ok(function)
    }

    /// argc, the argv pointers, the environment and the auxiliary vector, as the kernel lays them
    /// out; each string is an object of its own, so that running off its end is seen.
    fn initial_stack(
        &mut self,
        state: &mut State,
        argv: &[Text],
        env: &[Text],
    ) -> Result<u64, StartError> {
        let mut words = vec![argv.len() as u64];
        for arg in argv {
            words.push(self.text(state, arg, "an argument string")?);
        }
        words.push(0);
        for variable in env {
            words.push(self.text(state, variable, "an environment string")?);
        }
        words.push(0);
        let random = string(&mut state.memory, b"fathom is fixed", "the random bytes")?;
        // SAFETY: these calls only read the process's identity.
        let ids = unsafe { [libc::getuid(), libc::geteuid(), libc::getgid(), libc::getegid()] };
        let name = words[1];
        let auxiliary = [
            (AT_PAGESZ, 4096),
            (AT_UID, ids[0].into()),
            (AT_EUID, ids[1].into()),
            (AT_GID, ids[2].into()),
            (AT_EGID, ids[3].into()),
            (AT_SECURE, 0),
            (AT_RANDOM, random),
            (AT_EXECFN, name),
            (AT_NULL, 0),
        ];
        for (key, value) in auxiliary {
            words.extend([key, value]);
        }
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        object(&mut state.memory, &bytes, "the initial stack")
    }

    fn text(
        &mut self,
        state: &mut State,
        text: &Text,
        what: &'static str,
    ) -> Result<u64, StartError> {
        let (prefix, input, may_end_early) = match text {
            Text::Concrete(bytes) => return string(&mut state.memory, bytes, what),
            Text::Symbolic { prefix, input, may_end_early } => (prefix, input, *may_end_early),
        };
        let mut bytes = prefix.clone();
        bytes.resize(prefix.len() + input.size as usize, 0);
        let address = string(&mut state.memory, &bytes, what)?;
        let symbols: Vec<_> = (0..input.size)
            .map(|at| (prefix.len() as u64 + u64::from(at), self.pool.byte(input.id, at)))
            .collect();
        state.memory.set_symbols(address, &symbols);
        if may_end_early {
            let size = self.size_of_text(&symbols, bytes.len() as u64 + 1);
            state.memory.set_symbolic_size(address, size, prefix.len() as u64 + 1);
        }
        Rc::make_mut(&mut state.inputs).push(input.clone());
        Ok(address)
    }
}

impl Engine<'_> {
    /// The size of a string of at most `most` bytes: it ends with the first zero among `bytes`.
    fn size_of_text(&mut self, bytes: &[(u64, ExprId)], most: u64) -> ExprId {
        let mut size = self.pool.constant(64, most);
        for &(at, byte) in bytes.iter().rev() {
            let zero = self.pool.constant(8, 0);
            let ends = self.pool.eq(byte, zero);
            let here = self.pool.constant(64, at + 1);
            size = self.pool.ite(ends, here, size);
        }
        size
    }
}

fn string(memory: &mut Memory, text: &[u8], what: &'static str) -> Result<u64, StartError> {
    let mut bytes = text.to_vec();
    bytes.push(0);
    object(memory, &bytes, what)
}

fn object(memory: &mut Memory, bytes: &[u8], what: &'static str) -> Result<u64, StartError> {
    let kind = ObjectKind::Engine(what);
    let address = memory.allocate(bytes.len() as u64, 16, kind, Trace::default());
    let address = address.map_err(|_| StartError::TooLarge)?;
    memory.write(address, bytes).expect("a fresh object takes its bytes");
    Ok(address)
}

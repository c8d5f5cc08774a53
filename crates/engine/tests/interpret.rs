//! The interpreter on programs written in bytecode by hand: calls, counting, limits, hooks, memory.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

use fathom_engine::hooks::{Alone, CallChoice, CallPolicy, Hooks, Observer, Searchers};
use fathom_engine::outcome::{Fault, Limit, Site, Stop};
use fathom_engine::system::{Reply, System, SystemContext};
use fathom_engine::{Config, Engine, Entry, StartError};
use fathom_ir::inst::{Inst, Op};
use fathom_ir::{ArgKind, CallSite, FuncId, Function, LocId, Param, Program};

struct NoSystem;

impl System for NoSystem {
    fn call(&mut self, _: &mut SystemContext<'_>, _: u64, _: [u64; 6]) -> Result<Reply, Fault> {
        Ok(Reply::Exit(0))
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(NoSystem)
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

fn inst(op: Op, x: u16, d: u32, a: u32, b: u32, imm: u64) -> Inst {
    Inst { op, x, d, a, b, imm }
}

fn function(name: &str, params: u32, frame_slots: u32, code: Vec<Inst>) -> Function {
    Function {
        name: name.to_owned(),
        locs: vec![LocId(0); code.len()],
        code,
        params: vec![Param { kind: ArgKind::Int, byval: None }; params as usize],
        param_slots: params,
        frame_slots,
        result_slots: 1,
        ..Function::default()
    }
}

fn program(functions: Vec<Function>) -> Program {
    let mut program = Program { functions: functions.into_iter().collect(), ..Program::default() };
    program.call_sites.push(CallSite { args: vec![ArgKind::Int], arg_slots: 1, result_slots: 1 });
    program
}

const STEP: u32 = size_of::<Inst>() as u32;

/// `fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)`
fn fib() -> Program {
    program(vec![function(
        "fib",
        1,
        4,
        vec![
            inst(Op::BrSlt32I, 2, STEP, 0, 2 * STEP, 2),
            inst(Op::Ret, 2, 0, 0, 0, 0),
            inst(Op::Add32I, 0, 4, 0, 0, u64::from(u32::MAX)),
            inst(Op::Call, 2, 1, 0, 4, 0),
            inst(Op::Add32I, 0, 4, 0, 0, u64::from(u32::MAX - 1)),
            inst(Op::Call, 2, 2, 0, 4, 0),
            inst(Op::Add32, 0, 3, 1, 2, 0),
            inst(Op::Ret, 2, 0, 3, 0, 0),
        ],
    )])
}

fn config() -> Config {
    Config::default()
}

fn run(program: &Program, config: Config, hooks: Hooks, name: &str, args: &[u64]) -> (Stop, u64) {
    let mut engine = Engine::new(program, config, hooks);
    let entry = Entry::Function { name: name.to_owned(), args: args.to_vec() };
    let mut searchers = Searchers::default();
    let first = engine.start(&entry, Box::new(NoSystem)).expect("starts");
    let mut outcome = None;
    engine.explore(vec![first].into(), &mut searchers, &mut Alone, |ended, _| {
        outcome = Some((ended.stop, ended.instructions));
        ControlFlow::Continue(())
    });
    outcome.expect("one state")
}

fn returned(stop: &Stop) -> u64 {
    match stop {
        Stop::Returned(slots) => slots[0],
        other => panic!("expected a return, got {other:?}"),
    }
}

#[test]
fn recursion_returns_and_counts_llvm_instructions() {
    let (stop, instructions) = run(&fib(), config(), Hooks::default(), "fib", &[20]);
    assert_eq!(returned(&stop), 6765);
    // 21,891 calls; the 10,946 leaves execute 4 instructions each, the others 8.
    assert_eq!(instructions, 10_946 * 4 + 10_945 * 8);
}

#[test]
fn the_instruction_limit_holds_to_the_next_branch() {
    let limited = Config { max_instructions: Some(1000), ..config() };
    let (stop, instructions) = run(&fib(), limited, Hooks::default(), "fib", &[20]);
    assert!(matches!(stop, Stop::Exhausted(Limit::Instructions)));
    assert!((1000..1010).contains(&instructions), "{instructions}");
}

#[test]
fn infinite_recursion_is_a_stack_overflow() {
    let code = vec![inst(Op::Call, 1, 1, 0, 2, 0), inst(Op::Ret, 1, 0, 1, 0, 0)];
    let (stop, _) =
        run(&program(vec![function("f", 0, 2, code)]), config(), Hooks::default(), "f", &[]);
    let Stop::Bug(bug) = stop else { panic!("{stop:?}") };
    assert_eq!(bug.kind.name(), "stack-overflow");
}

struct StubSmall;

impl CallPolicy for StubSmall {
    fn decide(&mut self, _: FuncId, args: &[u64]) -> CallChoice {
        if args[0] == 5 { CallChoice::Stub(vec![100]) } else { CallChoice::Enter }
    }
}

#[test]
fn a_call_policy_can_answer_instead_of_the_body() {
    let hooks = Hooks { calls: Some(Box::new(StubSmall)), ..Hooks::default() };
    let (stop, _) = run(&fib(), config(), hooks, "fib", &[6]);
    assert_eq!(returned(&stop), 100 + 3);
}

#[derive(Default)]
struct Depth {
    now: u32,
    deepest: Rc<RefCell<u32>>,
}

impl Observer for Depth {
    fn wants_calls(&self) -> bool {
        true
    }

    fn call(&mut self, _: FuncId, _: &[u64], _: Site) {
        self.now += 1;
        let deepest = (*self.deepest.borrow()).max(self.now);
        *self.deepest.borrow_mut() = deepest;
    }

    fn returned(&mut self, _: FuncId) {
        self.now -= 1;
    }
}

#[test]
fn observers_see_calls_and_returns() {
    let deepest = Rc::new(RefCell::new(0));
    let observer = Depth { now: 0, deepest: deepest.clone() };
    let hooks = Hooks { observers: vec![Box::new(observer)], ..Hooks::default() };
    let (stop, _) = run(&fib(), config(), hooks, "fib", &[7]);
    assert_eq!(returned(&stop), 13);
    assert_eq!(*deepest.borrow(), 7);
}

#[test]
fn an_unknown_entry_is_an_error() {
    let program = fib();
    let mut engine = Engine::new(&program, config(), Hooks::default());
    let entry = Entry::Function { name: "nope".to_owned(), args: Vec::new() };
    let started = engine.start(&entry, Box::new(NoSystem));
    assert_eq!(started.err(), Some(StartError::NoSuchFunction("nope".to_owned())));
}

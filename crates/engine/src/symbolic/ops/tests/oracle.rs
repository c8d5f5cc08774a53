//! The interpreter itself, on programs of one instruction.

use std::any::Any;
use std::ops::ControlFlow;

use fathom_ir::inst::{Inst, Op};
use fathom_ir::{ArgKind, CallSite, Function, LocId, Param, Program};

use super::cases::{Case, OPERAND_SLOTS, RESULT};
use crate::hooks::{Alone, Hooks};
use crate::outcome::{BugKind, Fault, Stop};
use crate::search::Searchers;
use crate::system::{Reply, System, SystemContext};
use crate::{Config, Engine, Entry};

/// What an instruction did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// The slots from [`RESULT`] on, which were 0; of a branch, whether it went to d.
    Results([u64; 3]),
    Bug(BugKind),
    /// An access to this address, which is nobody's.
    Fault(u64),
}

/// A program with one function for each case.
pub(super) fn program(cases: &[Case]) -> Program {
    let functions = cases.iter().enumerate();
    let functions = functions.map(|(number, case)| function(number, case.inst)).collect();
    let mut program = Program { functions, ..Program::default() };
    let call_site = CallSite { args: vec![ArgKind::Int], arg_slots: 1, result_slots: 3 };
    program.call_sites.push(call_site);
    program
}

/// Runs the functions of a [`program`].
pub(super) struct Oracle<'p> {
    engine: Engine<'p>,
}

impl<'p> Oracle<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let config = Config { max_stack: 1 << 20, ..Config::default() };
        Self { engine: Engine::new(program, config, Hooks::default()) }
    }

    pub(super) fn run(&mut self, number: usize, slots: &[u64; OPERAND_SLOTS]) -> Seen {
        let mut args = slots.to_vec();
        args.resize(RESULT as usize + 3, 0);
        let entry = Entry::Function { name: name(number), args };
        let state = self.engine.start(&entry, Box::new(NoSystem)).expect("the function is there");
        // Every run tells of its bug anew.
        self.engine.reported.clear();
        let mut seen = None;
        self.engine.explore(
            vec![state].into(),
            &mut Searchers::default(),
            &mut Alone,
            |ended, _| {
                seen = Some(ended.stop);
                ControlFlow::Continue(())
            },
        );
        match seen.expect("one state ended") {
            Stop::Returned(slots) => Seen::Results([slots[0], slots[1], slots[2]]),
            Stop::Bug(bug) => match bug.fault {
                Some(fault) => Seen::Fault(fault.address),
                None => Seen::Bug(bug.kind),
            },
            stop => panic!("{stop:?}"),
        }
    }
}

struct NoSystem;

impl System for NoSystem {
    fn call(&mut self, _: &mut SystemContext<'_>, _: u64, _: [u64; 6]) -> Result<Reply, Fault> {
        unreachable!("no instruction under test calls the system")
    }

    fn fork(&self) -> Box<dyn System> {
        Box::new(Self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn name(number: usize) -> String {
    format!("case{number}")
}

/// `inst`, which falls through or branches to its own end with 1 or 0 as the result.
fn function(number: usize, inst: Inst) -> Function {
    let step = size_of::<Inst>() as u32;
    let results = Inst { a: RESULT, b: 3, ..Inst::new(Op::RetN) };
    let taken = Inst { d: RESULT, imm: 1, ..Inst::new(Op::Const) };
    let code = match inst.op {
        Op::BrEq | Op::BrUlt | Op::BrSlt32 | Op::BrSlt64 => {
            let inst = Inst { d: 2 * step, imm: step.into(), ..inst };
            vec![inst, results, taken, results]
        }
        Op::Branch | Op::BrEqI | Op::BrUltI | Op::BrUgtI => {
            vec![Inst { d: 2 * step, b: step, ..inst }, results, taken, results]
        }
        Op::BrSlt32I | Op::BrSgt32I | Op::BrSlt64I | Op::BrSgt64I => {
            vec![Inst { d: 2 * step, b: step, ..inst }, results, taken, results]
        }
        _ => vec![inst, results],
    };
    let n_params = RESULT + 3;
    Function {
        name: name(number),
        locs: vec![LocId(0); code.len()],
        code,
        params: vec![Param { kind: ArgKind::Int, byval: None }; n_params as usize],
        param_slots: n_params,
        frame_slots: n_params,
        result_slots: 3,
        ..Function::default()
    }
}

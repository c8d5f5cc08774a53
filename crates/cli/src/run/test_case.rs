//! From the end of a path to a test case and a finding, in the words of the report.

use fathom_engine::ledger::Ledger;
use fathom_engine::outcome::{Bug, Ended, Limit, Site, Stop, Trace};
use fathom_engine::{Engine, Input, InputKind, describe_object};
use fathom_expr::{ExprId, Model, Pool};
use fathom_ir::Program;
use fathom_kernel::Linux;
use fathom_report::{
    Finding, Frame, InputKind as ReportKind, InputValue, LedgerEntry, ObjectInfo, Outcome, TestCase,
};

use super::inputs::Spec;

/// Queries spent on making one test case readable.
const MAX_QUERIES: u32 = 64;

/// Makes test cases.
pub struct Writer {
    /// The program and the arguments that are not symbolic.
    concrete: Vec<Vec<u8>>,
}

impl Writer {
    pub fn new(spec: &Spec) -> Self {
        Self { concrete: spec.concrete_args().map(<[u8]>::to_vec).collect() }
    }

    /// For a command line of which these arguments are not symbolic.
    pub fn of_argv(concrete: Vec<Vec<u8>>) -> Self {
        Self { concrete }
    }

    /// The test case of a path. Those that show something new get values a person can read.
    pub fn test_case(&self, ended: &Ended, engine: &mut Engine<'_>, path: u64) -> TestCase {
        match is_shown(ended) {
            true => {
                let model = readable(ended, engine);
                self.test_case_with(ended, engine, path, &model)
            }
            false => self.test_case_with(ended, engine, path, &ended.model),
        }
    }

    /// The same with the values of `model`, which leads to the same end.
    pub fn test_case_with(
        &self,
        ended: &Ended,
        engine: &Engine<'_>,
        path: u64,
        model: &Model,
    ) -> TestCase {
        let inputs = ended.inputs.iter().map(|input| value(&engine.pool, input, model)).collect();
        let mut test = TestCase {
            argv: self.argv(&ended.inputs),
            env: Vec::new(),
            inputs,
            outcome: outcome(engine.program(), &ended.stop),
            new_coverage: ended.covered_new,
            instructions: ended.instructions,
            path,
            stdout: None,
            world: None,
        };
        if is_shown(ended) {
            test.stdout = stdout(ended, &engine.pool, model);
        }
        test
    }

    /// The command line; symbolic arguments are filled in from the inputs.
    fn argv(&self, inputs: &[Input]) -> Vec<Vec<u8>> {
        let mut argv: Vec<Vec<u8>> = Vec::new();
        let symbolic =
            |index: usize| inputs.iter().any(|input| input.kind == InputKind::Arg(index as u32));
        for arg in &self.concrete {
            while symbolic(argv.len()) {
                argv.push(Vec::new());
            }
            argv.push(arg.clone());
        }
        while symbolic(argv.len()) {
            argv.push(Vec::new());
        }
        argv
    }

    pub fn finding(&self, program: &Program, bug: &Bug, test: u64, case: &TestCase) -> Finding {
        let Outcome::Bug(site) = &case.outcome else { unreachable!("a finding is a bug") };
        Finding {
            site: site.clone(),
            message: bug.message.clone(),
            stack: bug.stack.iter().map(|site| frame(program, site)).collect(),
            object: bug.object.as_ref().map(|object| ObjectInfo {
                description: describe_object(program, object),
                size: object.size,
                allocated: frames(program, &object.allocated),
                freed: object.freed.as_ref().map_or(Vec::new(), |trace| frames(program, trace)),
            }),
            test,
            ..Finding::default()
        }
    }
}

/// Whether a person is going to look at it.
fn is_shown(ended: &Ended) -> bool {
    ended.covered_new || matches!(ended.stop, Stop::Bug(_))
}

/// A model of the path with what the program prefers, then letters and digits, then printable
/// characters, as far as they go.
fn readable(ended: &Ended, engine: &mut Engine<'_>) -> Model {
    let mut whims: Vec<ExprId> = Vec::new();
    for input in ended.inputs.iter() {
        if matches!(input.kind, InputKind::Stat(_) | InputKind::Nondet(_) | InputKind::System(_)) {
            continue;
        }
        if input.kind == InputKind::Object && input.size <= 8 {
            // A number, more likely than text: the smaller, the better.
            for at in (0..input.size).rev() {
                let byte = engine.pool.byte(input.id, at);
                whims.push(within(&mut engine.pool, byte, &[(0, 0)]));
            }
            continue;
        }
        for at in 0..input.size.min(256) {
            let byte = engine.pool.byte(input.id, at);
            whims.push(within(&mut engine.pool, byte, &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')]));
            whims.push(within(&mut engine.pool, byte, &[(b' ', b'~')]));
        }
    }
    let (pool, solver) = (&mut engine.pool, &mut engine.solver);
    solver.prefer(pool, &ended.path, &ended.model, &ended.wishes, &whims, MAX_QUERIES)
}

fn within(pool: &mut Pool, byte: ExprId, ranges: &[(u8, u8)]) -> ExprId {
    let mut any = pool.bool(false);
    for &(low, high) in ranges {
        let [low, high] = [low, high].map(|bound| pool.constant(8, bound.into()));
        let (above, below) = (pool.ule(low, byte), pool.ule(byte, high));
        let inside = pool.and(above, below);
        any = pool.or(any, inside);
    }
    any
}

fn value(pool: &Pool, input: &Input, model: &Model) -> InputValue {
    let first = pool.input_info(input.id).first;
    let bytes = (0..input.size).map(|at| model.get(fathom_expr::Var(first.0 + at))).collect();
    let kind = match &input.kind {
        InputKind::Arg(index) => ReportKind::Arg { index: *index },
        InputKind::Env(name) => ReportKind::Env { name: name.clone() },
        InputKind::Stdin => ReportKind::Stdin,
        InputKind::File(path) => ReportKind::File { path: path.clone() },
        InputKind::Stat(path) => ReportKind::FileMeta { path: path.clone() },
        InputKind::Object => ReportKind::Object,
        InputKind::Nondet(name) => ReportKind::Nondet { c_type: (*name).to_owned() },
        InputKind::System(what) => ReportKind::System { what: (*what).to_owned() },
    };
    InputValue { name: input.name.clone(), kind, bytes }
}

fn stdout(ended: &Ended, pool: &Pool, model: &Model) -> Option<Vec<u8>> {
    let linux = ended.system.as_any().downcast_ref::<Linux>()?;
    let printed = linux.output(1);
    let mut bytes = printed.bytes;
    for (at, expr) in printed.symbols {
        bytes[at as usize] = pool.eval(expr, model) as u8;
    }
    Some(bytes)
}

pub fn outcome(program: &Program, stop: &Stop) -> Outcome {
    match stop {
        Stop::Exit(status) => Outcome::Exit { status: status & 0xff },
        Stop::Returned(slots) => {
            Outcome::Exit { status: slots.first().map_or(0, |&slot| slot as i32 & 0xff) }
        }
        Stop::Killed(signal) => Outcome::Signal { signal: *signal },
        Stop::Bug(bug) => {
            let own = bug.stack.iter().find(|site| program.is_own(site.loc));
            let frame = own.or(bug.stack.first()).map(|site| frame(program, site));
            let Frame { function, file, line } = frame.unwrap_or_default();
            Outcome::Bug(fathom_report::Site { kind: bug.kind.to_string(), file, line, function })
        }
        Stop::Unsupported(it) => Outcome::Unsupported { what: it.construct.clone() },
        Stop::Exhausted(limit) => Outcome::Limit { limit: limit_name(*limit).into() },
        Stop::Dropped(what) => Outcome::Assumption { what: (*what).to_owned() },
    }
}

fn limit_name(limit: Limit) -> &'static str {
    match limit {
        Limit::Instructions => "instructions",
        Limit::Memory => "memory",
        Limit::Time => "time",
        Limit::Solver => "solver",
        Limit::Interrupted => "interrupted",
    }
}

pub fn frame(program: &Program, site: &Site) -> Frame {
    let function = program.functions.get(site.function);
    let location = program.locations.get(site.loc).filter(|_| site.loc.0 != 0);
    Frame {
        function: function.map_or(String::new(), |function| function.name.clone()),
        file: location.map_or(String::new(), |at| program.files[at.file].path.clone()),
        line: location.map_or(0, |at| at.line),
    }
}

fn frames(program: &Program, trace: &Trace) -> Vec<Frame> {
    trace.sites().iter().map(|site| frame(program, site)).collect()
}

/// What was not done exactly, for `ledger.jsonl`.
pub fn ledger(program: &Program, ledger: &Ledger) -> Vec<LedgerEntry> {
    let entries = ledger.entries().iter().map(|entry| {
        let Frame { function, file, line } = frame(program, &entry.site);
        LedgerEntry { what: entry.what.clone(), count: entry.count, file, line, function }
    });
    entries.collect()
}

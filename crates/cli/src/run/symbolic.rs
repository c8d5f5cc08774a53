//! A run with symbolic input: explores, writes test cases and findings, says what was not covered.

use std::mem::ManuallyDrop;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use fathom_engine::hooks::{Alone, BranchPolicy, Eager, Hooks, OnlySeeds, Pending, Searchers};
use fathom_engine::ledger::{Ledger, NOWHERE};
use fathom_engine::{Begin, Checks, Config, Engine, Entry, StartError, State, StateId};
use fathom_ir::Program;
use fathom_kernel::{HostFiles, InputError, Inputs, Linux};
use fathom_replay::Options;
use fathom_report::{Place, RunDir};
use fathom_solver::CrossCheck;

use super::forks::Forks;
use super::inputs::Spec;
use super::jobs::{self, Counts, Crew, Desk, Task};
use super::journal::Journal;
use super::resume::{Resumed, Saved, Setting};
use super::search::Fork;
use super::test_case::Writer;
use super::watch::{Reason, Watch};
use super::{Args, search};
use crate::load::Loaded;
use crate::native::Replayer;

/// What the second solver may take for a query.
const CROSS_CHECK_TIME: Duration = Duration::from_secs(2);

const NOT_SEEDED: &str = "only the paths of seeds are followed, as --only-seeds demands";

/// Instructions that a path may execute without coming to new code before other paths have their turn.
const PATIENCE: u64 = 1 << 20;

/// What the ledger says of a run that a limit or Ctrl-C ended so early.
const NOT_STARTED: &str = "nothing was explored: the run was stopped while its start was made";

/// What a process begins with.
pub enum Start {
    New,
    /// Where an earlier run was stopped.
    Resumed(Box<Resumed>),
    /// As a worker of another process.
    Worker(Box<Task>, UnixStream),
}

/// Explores the program; the exit status says whether bugs were found.
pub fn main(
    args: &Args,
    loaded: &Loaded,
    spec: &Spec,
    start: Start,
    begun: Instant,
) -> Result<ExitCode> {
    let program = &loaded.program;
    let load_seconds = begun.elapsed().as_secs_f64();
    // Before there are results to keep, Ctrl-C ends the process: seeds may never come.
    let setting = match &start {
        Start::New => args.setting(spec)?,
        Start::Resumed(resumed) => resumed.saved.setting.clone(),
        Start::Worker(task, _) => task.setting.clone(),
    };
    if !matches!(start, Start::Worker(..))
        && let Some(second) = second_solver(args)
    {
        second.probe().map_err(|failure| anyhow!("--cross-check: {failure}"))?;
    }
    let mut limits = args.limits();
    limits.memory.get_or_insert_with(|| match args.fork {
        Fork::Pending => super::usage::physical() / 3,
        Fork::Eager => super::usage::physical() / 4 * 3,
    });
    if let Some(memory) = limits.memory {
        spec.refuse_too_many(memory)?;
    }
    limits.memory = args.share(limits.memory);
    let watch = Watch::start(limits, begun);
    let counts = match &start {
        Start::Worker(..) => Counts::of_crew()?,
        _ if args.jobs() > 1 => Counts::shared()?,
        _ => Counts::own(),
    };
    let config = config(args, &watch, &counts)?;
    let forks = Forks::default();
    let mut hooks = hooks(args);
    hooks.observers.push(forks.observer());
    // The process ends with the run: giving back the memory of every term, and of every route to
    // what is left, would take long.
    let mut engine = ManuallyDrop::new(Engine::new(program, config, hooks));
    for input in &loaded.native_inputs {
        let what = format!("{} is native code only ({})", input.input, input.reason);
        engine.ledger.record(NOWHERE, what);
    }
    let notes = &setting.seeds.notes;
    let made = first_states(args, spec, &setting, &mut engine, watch.flag())?;
    let is_cut_short = made.is_none();
    if is_cut_short && matches!(start, Start::Resumed(_)) {
        let why = watch.reason().map_or("a limit", Reason::name);
        bail!("stopped by {why} before the run could go on; nothing is lost");
    }
    let (first, host_files) = made.unwrap_or_default();
    watch.expect_relief();

    let options =
        Options { stack: args.max_stack << 20, interrupt: watch.flag(), ..Options::default() };
    let replayer = match args.no_replay {
        true => None,
        false => Replayer::open(args.program(), args.asan.as_deref(), host_files.clone(), options)?,
    };
    if !matches!(start, Start::New) {
        // The first part, or the main process, has made the same.
        engine.remarks = Ledger::default();
        engine.ledger = Ledger::default();
    }
    if is_cut_short && matches!(start, Start::New) {
        engine.ledger.record(NOWHERE, NOT_STARTED);
    }
    if args.only_seeds && matches!(start, Start::New) {
        engine.ledger.record(NOWHERE, NOT_SEEDED);
    }
    let routes = match &start {
        Start::New => None,
        Start::Resumed(resumed) => {
            Some(resumed.carry_on(&mut engine, &loaded.digest, first.len())?)
        }
        Start::Worker(task, _) => {
            engine.number_states_from(StateId(task.first_state));
            Some(Vec::new())
        }
    };
    let dir = match (&start, &args.out) {
        (Start::Resumed(resumed), _) => {
            let Saved { part, tests, tree, findings, .. } = &resumed.saved;
            RunDir::reopen(&resumed.dir, *part, *tests, *tree, findings.clone())?
        }
        (_, Some(path)) => RunDir::create(&Place::Exactly(path.clone()))?,
        (_, None) => RunDir::create(&Place::Next(PathBuf::from("fathom-out")))?,
    };
    let interrupt = watch.flag();
    let writer = Writer::new(spec);
    let mut journal = Journal::new(dir, writer, forks, watch, host_files, counts, begun);
    journal.replayer = replayer;
    journal.max_tests = args.max_tests;
    journal.notes = notes.clone();
    journal.seed_objects = setting.seeds.objects(spec);
    if let Start::Resumed(resumed) = &start {
        journal.tally = resumed.saved.tally.clone();
        journal.known = resumed.saved.bugs.iter().cloned().collect();
    }
    journal.note_load(load_seconds, &engine)?;
    let mut searchers = searchers(args, program);
    let begin = Begin { first, routes };
    if let Start::Worker(_, socket) = start {
        let desk = Desk::new(socket, interrupt)?;
        return jobs::work(journal, desk, &mut engine, begin, &mut searchers);
    }
    let (mut journal, left) = if args.jobs() == 1 || is_cut_short {
        let left = engine.explore(begin, &mut searchers, &mut Alone, |ended, engine| {
            journal.take(ended, engine)
        });
        (journal, left)
    } else {
        let tasks = jobs::tasks(args, &setting, journal.dir.path(), engine.next_number())?;
        let crew = Crew::hire(tasks, interrupt, journal)?;
        jobs::lead(crew, &mut engine, begin, &mut searchers)?
    };
    let left = ManuallyDrop::new(left);
    journal.save(loaded, &setting, &left, &engine)?;
    journal.finish(args, loaded, &mut engine)
}

/// The states to start with, and the host's files that they may read. None where the run has to end
/// before they are made.
#[expect(clippy::vec_box, reason = "states change hands often and are not small")]
fn first_states(
    args: &Args,
    spec: &Spec,
    setting: &Setting,
    engine: &mut Engine<'_>,
    interrupt: Arc<AtomicBool>,
) -> Result<Option<(Vec<Box<State>>, HostFiles)>> {
    let env = &setting.environment;
    let seeds = &setting.seeds.seeds;
    let Some(entries) = spec.entries_with(engine, env, seeds) else { return Ok(None) };
    let system = super::system_config(args, spec, env)?;
    let concrete_stdin = setting.stdin.clone();
    let inputs = Inputs { concrete_stdin, interrupt, ..spec.system().clone() };
    let system = match Linux::symbolic(system, &inputs, &mut engine.pool) {
        Err(InputError::Interrupted) => return Ok(None),
        system => system?,
    };
    let Some(mut given) = spec.given(engine, &entries) else { return Ok(None) };
    given.seeds = seeds.iter().map(|seed| seed.given(engine, &entries, &given)).collect();
    let entries: Vec<&Entry> = entries.iter().collect();
    let host_files = system.host_files();
    match engine.start_each(&entries, Box::new(system), &given) {
        Err(StartError::Interrupted) => Ok(None),
        first => Ok(Some((first?, host_files))),
    }
}

fn config(args: &Args, watch: &Watch, counts: &Counts) -> Result<Config> {
    let interrupt = watch.flag();
    let mut solver =
        fathom_solver::Config { interrupt: Arc::clone(&interrupt), ..Default::default() };
    if let Some(limit) = args.max_solver_time {
        solver.budget.time = Some(Duration::from_secs_f64(limit));
    }
    if let Some(steps) = args.max_solver_steps {
        solver.budget.time = None;
        solver.budget.steps = Some(steps);
    }
    if let Some(directory) = &args.record_queries {
        std::fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
        let which = fathom_solver::Recorded::All;
        solver.record = Some(fathom_solver::Record { directory: directory.clone(), which });
    }
    solver.cross_check = second_solver(args);
    Ok(Config {
        max_stack: args.max_stack << 20,
        max_instructions: args.max_instructions,
        all_instructions: Some(&counts.all.instructions),
        max_depth: args.max_depth,
        max_forks: args.max_forks,
        interrupt,
        memory_is_short: watch.memory_is_short(),
        patience: Some(PATIENCE),
        vary: args.vary,
        coverage: true,
        solver,
        checks: Checks {
            leaks: args.check_leaks,
            uninit: args.check_uninit,
            relaxed: args.relaxed_checks,
        },
    })
}

/// The solver that `--cross-check` names.
fn second_solver(args: &Args) -> Option<CrossCheck> {
    let command = args.cross_check.as_ref()?.split_whitespace().map(str::to_owned).collect();
    Some(CrossCheck { command, every: 1, time: CROSS_CHECK_TIME, before_chain: true })
}

fn searchers(args: &Args, program: &Program) -> Searchers {
    let pending = match &args.pending_search[..] {
        [] => &args.search,
        named => named,
    };
    search::searchers(program, &args.search, pending, args.revive, args.rng_seed)
}

fn hooks(args: &Args) -> Hooks {
    let branches: Box<dyn BranchPolicy> = match args.fork {
        Fork::Pending if args.only_seeds => Box::new(OnlySeeds),
        Fork::Pending => Box::new(Pending),
        Fork::Eager => Box::new(Eager),
    };
    Hooks { branches: Some(branches), ..Hooks::default() }
}

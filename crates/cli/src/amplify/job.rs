//! One pass over one recorded run, in a process of its own.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use fathom_engine::hooks::{Alone, Hooks};
use fathom_engine::outcome::{Bug, Ended, Stop};
use fathom_engine::system::System;
use fathom_engine::{Begin, Config, Engine, Entry, Given, Input, State, StateId, Text};
use fathom_expr::{ExprId, InputId, Model, Pool, Var};
use fathom_ir::{FuncId, LocId};
use fathom_kernel::Linux;
use fathom_replay::Options;
use fathom_report::{Finding, TestCase};
use fathom_zesti::{Limits as PassLimits, Pass, Report, Trace, nearest, searchers};
use serde::{Deserialize, Serialize};

use super::Args;
use super::change;
use super::outcome::{Done, Found, News, Place};
use super::subject::{SeedPlace, Subject};
use super::world::World;
use crate::load::Loaded;
use crate::render;
use crate::run::{
    Limits, Watch, Writer, explanation, frame, ledger, outcome, physical, solver_seconds,
};

/// The first state of an engine, which follows the test.
const OWN: StateId = StateId(1);
/// How long a bug's input is made more like the test's.
const NEAREST_TIME: Duration = Duration::from_secs(10);

/// Where a bug's directory has the world of its test.
pub const WORLD: &str = "world";
/// Longer arguments have one length.
const MAX_ENDING_EARLY: usize = 64;

/// What makes bugs of one program the same: function, location and kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BugKey {
    pub function: u32,
    pub location: u32,
    pub kind: String,
}

/// A pass to make.
pub struct Job<'a> {
    pub distance: u32,
    pub subject: &'a Subject,
    pub loaded: &'a Loaded,
    /// Where the program has sensitive operations.
    pub sensitive: &'a [Vec<bool>],
    /// What distance 0 found.
    pub trace: Option<Trace>,
    /// Bugs that this test has exposed at smaller distances.
    pub known: &'a [BugKey],
    pub time: Duration,
    /// Nobody else uses it; it need not exist.
    pub directory: PathBuf,
    /// Where the test's world can be made, best first.
    pub worlds: Vec<PathBuf>,
    pub args: &'a Args,
}

/// Makes the pass and tells what comes of it.
pub fn run(job: &Job<'_>, tell: &mut dyn FnMut(News)) {
    let begun = Instant::now();
    let done = match Analysis::new(job).and_then(|analysis| analysis.run(tell)) {
        Ok(done) => done,
        Err(error) => {
            let failure = Some(format!("{error:#}"));
            Done { failure, seconds: begun.elapsed().as_secs_f64(), ..Done::default() }
        }
    };
    tell(News::Done(Box::new(done)));
}

struct Analysis<'a> {
    job: &'a Job<'a>,
    world: World,
    watch: Watch,
    begun: Instant,
    done: Done,
    n_bugs: u32,
    /// The bug that the test itself shows.
    shown: Option<BugKey>,
    /// Processor time spent on bugs that were found, which is not that of the pass.
    bug_seconds: f64,
}

impl<'a> Analysis<'a> {
    fn new(job: &'a Job<'a>) -> Result<Self> {
        let begun = Instant::now();
        let limits =
            Limits { time: Some(job.time.as_secs_f64()), memory: Some(physical() / 4), cpu: None };
        let watch = Watch::start(limits, begun);
        watch.expect_relief();
        let world = World::make(job.subject.open()?, &job.worlds)?;
        Ok(Self {
            job,
            world,
            watch,
            begun,
            done: Done::default(),
            n_bugs: 0,
            shown: None,
            bug_seconds: 0.0,
        })
    }

    fn config(&self) -> Config {
        let interrupt = self.watch.flag();
        let mut solver =
            fathom_solver::Config { interrupt: interrupt.clone(), ..Default::default() };
        solver.budget.time = Some(self.share(self.job.args.max_solver_time, 10, 5.0));
        Config {
            interrupt,
            memory_is_short: self.watch.memory_is_short(),
            coverage: true,
            solver,
            ..Config::default()
        }
    }

    /// What the user says, or a part of the test's time, at most so many seconds.
    fn share(&self, told: Option<f64>, part: u32, most: f64) -> Duration {
        let own = (self.job.time / part).min(Duration::from_secs_f64(most));
        told.map_or(own, Duration::from_secs_f64)
    }

    fn run(mut self, tell: &mut dyn FnMut(News)) -> Result<Done> {
        if self.job.distance == 0 {
            self.run_plain(tell)?;
        }
        let args = self.job.args;
        let limits = PassLimits {
            checks: self.job.time / 2,
            place: self.share(args.max_check_time, 5, 10.0),
            excursion: self.share(args.max_excursion_time, 5, 5.0),
            ..PassLimits::default()
        };
        let pass = match &self.job.trace {
            Some(trace) if self.job.distance > 0 => {
                Pass::beside(OWN, self.job.distance, trace.clone(), limits)
            }
            _ => Pass::along(OWN, limits),
        };
        let program = &self.job.loaded.program;
        let mut engine = Engine::new(program, self.config(), pass.hooks());
        engine.watch(self.job.sensitive.to_vec());
        for key in self.job.known.iter().chain(&self.shown) {
            let site = fathom_engine::outcome::Site {
                function: FuncId(key.function),
                loc: LocId(key.location),
            };
            engine.learn_bug(site, &key.kind);
        }
        let (entry, given) = self.symbolic_entry(&mut engine);
        let seed = given.model.clone();
        let system = self.world.system(&self.world.test.inputs, &mut engine.pool)?;
        let first = engine.start_each(&[&entry], Box::new(system), &given)?;
        let (started, wall) = (thread_seconds(), Instant::now());
        let mut searchers = searchers(&pass);
        let begin = Begin { first, routes: None };
        let left = engine.explore(begin, &mut searchers, &mut Alone, |ended, engine| {
            self.take(&ended, &seed, &pass, engine, tell);
            ControlFlow::Continue(())
        });
        self.done.seconds = thread_seconds() - started - self.bug_seconds;
        self.done.wall_seconds = wall.elapsed().as_secs_f64();
        self.done.left = left.iter().map(|route| route.n_states() as u64).sum();
        Ok(self.finish(&engine, pass.report()))
    }

    /// The same run without symbolic input must end and print as the native one did.
    fn run_plain(&mut self, tell: &mut dyn FnMut(News)) -> Result<()> {
        let mut engine = Engine::new(&self.job.loaded.program, self.config(), Hooks::default());
        let mut state = self.start_plain(&mut engine)?;
        let started = thread_seconds();
        let stop = engine.run_one(&mut state);
        self.done.plain_seconds = thread_seconds() - started;
        self.done.departure = self.world.departure(&stop, state.system(), |_| 0);
        if self.done.departure.is_some() {
            // Natively memory lies somewhere else, too, and each time.
            let mut engine = Engine::new(&self.job.loaded.program, self.config(), Hooks::default());
            let mut elsewhere = self.start_plain(&mut engine)?;
            elsewhere.shift_memory();
            let stop = engine.run_one(&mut elsewhere);
            let departure = self.world.departure(&stop, elsewhere.system(), |_| 0);
            // A run that was cut short tells nothing.
            let is_whole = !matches!(stop, Stop::Exhausted(_));
            self.done.is_unrepeatable = is_whole && departure != self.done.departure;
            self.done.departure.take_if(|_| self.done.is_unrepeatable);
        }
        if let Stop::Bug(bug) = &stop {
            let case = self.world.test_case(outcome(engine.program(), &stop));
            let found =
                self.report(&engine, bug, case, String::new(), 0, has_children(state.system()))?;
            self.shown = Some(found.key.clone());
            tell(News::Bug(Box::new(found)));
        }
        Ok(())
    }

    fn start_plain(&self, engine: &mut Engine<'_>) -> Result<Box<State>> {
        let recording = &self.world.test.recording;
        let texts = |words: &[Vec<u8>]| words.iter().cloned().map(Text::from).collect();
        let entry = Entry::Program { argv: texts(&recording.argv), env: texts(&recording.env) };
        let system = self.world.system(&[], &mut engine.pool)?;
        Ok(engine.start(&entry, Box::new(system))?)
    }

    /// The program with its arguments symbolic, and the test's values as the first guess.
    fn symbolic_entry(&self, engine: &mut Engine<'_>) -> (Entry, Given) {
        let recording = &self.world.test.recording;
        let mut argv: Vec<Text> = recording.argv.iter().cloned().map(Text::from).collect();
        let mut given = Given::default();
        for seed in &self.world.test.inputs {
            let size = seed.bytes.len() as u32;
            let id = engine.pool.input(&seed.name, size);
            let first = engine.pool.input_info(id).first;
            for (at, &byte) in (0..).zip(&seed.bytes) {
                given.model.set(Var(first.0 + at), byte);
            }
            let input = Input { id, name: seed.name.clone(), size, kind: seed.kind() };
            let SeedPlace::Arg(index) = seed.place else {
                given.inputs.push(input);
                continue;
            };
            let may_end_early = seed.bytes.len() <= MAX_ENDING_EARLY;
            if !may_end_early {
                given.assumptions.extend((0..size).map(|at| not_nul(&mut engine.pool, id, at)));
            }
            argv[index as usize] = Text::Symbolic { prefix: Vec::new(), input, may_end_early };
        }
        let env = recording.env.iter().cloned().map(Text::from).collect();
        (Entry::Program { argv, env }, given)
    }

    fn take(
        &mut self,
        ended: &Ended,
        seed: &Model,
        pass: &Pass,
        engine: &mut Engine<'_>,
        tell: &mut dyn FnMut(News),
    ) {
        let is_own_end = ended.state == OWN && !ended.goes_on;
        if is_own_end {
            self.done.path = path_of(ended);
            self.done.end = describe(&ended.stop);
            // A test that shows a bug by itself goes on with other values than natively.
            let is_comparable =
                self.job.distance == 0 && self.shown.is_none() && !self.done.is_unrepeatable;
            let is_bug = matches!(ended.stop, Stop::Bug(_));
            if self.done.departure.is_none() && is_comparable && !is_bug {
                let value = |expr| engine.pool.eval(expr, seed) as u8;
                self.done.departure = self.world.departure(&ended.stop, &*ended.system, value);
            }
            self.done.failure = match &ended.stop {
                Stop::Unsupported(it) => Some(format!("unsupported: {}", it.construct)),
                Stop::Exhausted(_) => Some("its time was up before the end of its path".to_owned()),
                _ => None,
            };
        }
        let Stop::Bug(bug) = &ended.stop else { return };
        let started = thread_seconds();
        match self.found(ended, bug, seed, pass, engine) {
            Ok(found) => tell(News::Bug(Box::new(found))),
            Err(error) => self.done.failure = Some(format!("{error:#}")),
        }
        self.bug_seconds += thread_seconds() - started;
    }

    fn found(
        &mut self,
        ended: &Ended,
        bug: &Bug,
        seed: &Model,
        pass: &Pass,
        engine: &mut Engine<'_>,
    ) -> Result<Found> {
        let model = nearest(engine, ended, seed, NEAREST_TIME);
        let writer = Writer::of_argv(self.world.concrete_argv());
        let case = writer.test_case_with(ended, engine, 0, &model);
        let depth = pass.departure(ended.state).unwrap_or_else(|| pass.report().trace.branches);
        let has_children = has_children(&*ended.system);
        let explanation = explanation(ended, bug, engine, &case);
        self.report(engine, bug, case, explanation, depth, has_children)
    }

    /// What there is to tell of a bug, its test case written down and run natively.
    fn report(
        &mut self,
        engine: &Engine<'_>,
        bug: &Bug,
        mut case: TestCase,
        explanation: String,
        depth: u32,
        has_children: bool,
    ) -> Result<Found> {
        let inputs = self.world.test.inputs.clone();
        case.world = Some(PathBuf::from(WORLD));
        let writer = Writer::of_argv(Vec::new());
        let mut finding: Finding = writer.finding(engine.program(), bug, 0, &case);
        finding.explanation = explanation;
        if !self.job.args.no_replay {
            let object = finding.object.as_ref().map(|object| object.description.clone());
            let options = Options { interrupt: self.watch.flag(), ..Options::default() };
            finding.replay = self.world.replay(&case, object.as_deref(), has_children, &options);
        }
        let before = |name: &str| {
            let seed = inputs.iter().find(|seed| seed.name == name);
            seed.map_or(Vec::new(), |seed| seed.bytes.clone())
        };
        let changes = change::changes(&case.inputs, before);
        self.n_bugs += 1;
        let directory = self.job.directory.join(format!("bug-{}", self.n_bugs));
        fs::create_dir_all(&directory).with_context(|| directory.display().to_string())?;
        fathom_report::write_plain(&directory, 0, &case)?;
        self.world.save(&directory.join(WORLD), has_children)?;
        let (site, kind) = engine.place_of(bug);
        Ok(Found {
            finding,
            case: directory,
            text: render::bug(engine.program(), bug),
            depth,
            changes,
            key: BugKey { function: site.function.0, location: site.loc.0, kind },
        })
    }

    fn finish(mut self, engine: &Engine<'_>, report: Report) -> Done {
        let places = |counts: &std::collections::BTreeMap<(u32, u32), u64>| {
            let place = |(&(function, loc), &count): (&(u32, u32), &u64)| {
                let site =
                    fathom_engine::outcome::Site { function: FuncId(function), loc: LocId(loc) };
                let frame = frame(engine.program(), &site);
                Place { file: frame.file, line: frame.line, count }
            };
            counts.iter().map(place).collect::<Vec<_>>()
        };
        let marks = |of: &[bool]| of.iter().map(|&there| if there { '1' } else { '0' }).collect();
        Done {
            branches: report.trace.branches,
            sensitive: marks(&report.trace.sensitive),
            hard: marks(&report.trace.hard),
            checks: places(&report.checks),
            left_out: places(&report.left_out),
            excursions: report.excursions,
            cut_short: report.cut_short,
            suspended: engine.stats.left,
            instructions: engine.stats.instructions,
            solver_seconds: solver_seconds(engine),
            check_seconds: report.check_time.as_secs_f64(),
            stopped: self.begun.elapsed() >= self.job.time || self.watch.reason().is_some(),
            ledger: ledger(engine.program(), &engine.ledger),
            ..std::mem::take(&mut self.done)
        }
    }
}

/// Processor time of this thread: what else the machine does is not in it.
fn thread_seconds() -> f64 {
    // SAFETY: `time` is plain data that the call fills in.
    let time = unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time);
        time
    };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn has_children(system: &dyn System) -> bool {
    system.as_any().downcast_ref::<Linux>().is_some_and(Linux::has_children)
}

fn not_nul(pool: &mut Pool, input: InputId, at: u32) -> ExprId {
    let (byte, nul) = (pool.byte(input, at), pool.constant(8, 0));
    let ends = pool.eq(byte, nul);
    pool.not(ends)
}

/// The same for tests that decide in the same way everywhere, and where no input decides (how many
/// arguments there are is not symbolic) go the same way as far as can be told.
fn path_of(ended: &Ended) -> u64 {
    let mut hasher = DefaultHasher::new();
    (ended.instructions, ended.inputs.len()).hash(&mut hasher);
    for decision in ended.trail.iter() {
        (decision.site, decision.to).hash(&mut hasher);
    }
    describe(&ended.stop).hash(&mut hasher);
    hasher.finish()
}

pub fn describe(stop: &Stop) -> String {
    match stop {
        Stop::Exit(status) => format!("exit {}", status & 0xff),
        Stop::Killed(signal) => format!("signal {signal}"),
        Stop::Bug(bug) => bug.kind.to_string(),
        Stop::Unsupported(it) => format!("unsupported: {}", it.construct),
        Stop::Exhausted(_) => "limit".to_owned(),
        Stop::Returned(_) => "returned".to_owned(),
        Stop::Dropped(why) => (*why).to_owned(),
    }
}

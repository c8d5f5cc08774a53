//! A run with symbolic input: explores, writes test cases and findings, says what was not covered.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use fathom_engine::hooks::{Alone, BranchPolicy, Eager, Hooks, Pending, Searchers};
use fathom_engine::outcome::{Ended, Stop};
use fathom_engine::route::Route;
use fathom_engine::{Begin, Checks, Config, Engine, Entry, NOT_ASKED, NOT_FINISHED};
use fathom_ir::Program;
use fathom_kernel::{HostFiles, Linux};
use fathom_replay::Options;
use fathom_report::{
    Cover, PendingCounts, Place, Replay, RunDir, Sample, Summary, TestCase, Timing,
};
use fathom_solver::LayerKind;

use super::forks::{Forks, write_end};
use super::inputs::Spec;
use super::resume::{self, Resumed, Save, Setting};
use super::search::Fork;
use super::seeds::{self, Seeds};
use super::status::StatusLine;
use super::tally::{self, Tally};
use super::test_case::Writer;
use super::watch::{Reason, Watch};
use super::{Args, coverage, decisions, routes, say, search};
use crate::load::Loaded;
use crate::native::Replayer;
use crate::render;

/// How often the counters are written down, in LLVM instructions: at first, and at most. In
/// between it is a part of those executed, so that short and long runs have a time line.
const FIRST_SAMPLE: u64 = 1 << 14;
const SAMPLE: u64 = 1 << 22;
/// What the second solver may take for a query.
const CROSS_CHECK_TIME: Duration = Duration::from_secs(2);

/// Explores the program; the exit status says whether bugs were found.
pub fn main(
    args: &Args,
    loaded: &Loaded,
    spec: &Spec,
    resumed: Option<&Resumed>,
    begun: Instant,
) -> Result<ExitCode> {
    let program = &loaded.program;
    let started = Instant::now();
    let load_seconds = (started - begun).as_secs_f64();
    let mut limits = args.limits();
    limits.memory.get_or_insert_with(|| match args.fork {
        Fork::Pending => super::usage::physical() / 3,
        Fork::Eager => super::usage::physical() / 4 * 3,
    });
    let watch = Watch::start(limits, begun);
    let config = config(args, &watch)?;
    let forks = Forks::default();
    let mut hooks = hooks(args);
    hooks.observers.push(forks.observer());
    let mut engine = Engine::new(program, config, hooks);
    for input in &loaded.native_inputs {
        let what = format!("{} is native code only ({})", input.input, input.reason);
        engine.ledger.record(fathom_engine::ledger::NOWHERE, what);
    }
    let setting = match resumed {
        Some(resumed) => resumed.saved.setting.clone(),
        None => args.setting()?,
    };
    let env = &setting.environment;
    let Seeds { seeds, notes } = seeds::read(&args.seed, spec)?;
    let entries = spec.entries_with(&mut engine, env, &seeds);
    let system = super::system_config(args, spec, env)?;
    let system = Linux::symbolic(system, spec.system(), &mut engine.pool)?;
    let mut given = spec.given(&mut engine, &entries);
    given.seeds = seeds.iter().map(|seed| seed.given(&mut engine, &entries, &given)).collect();
    let entries: Vec<&Entry> = entries.iter().collect();
    let host_files = system.host_files();
    let first = engine.start_each(&entries, Box::new(system), &given)?;

    let options =
        Options { stack: args.max_stack << 20, interrupt: watch.flag(), ..Options::default() };
    let replayer = match args.no_replay {
        true => None,
        false => Replayer::open(args.program(), args.asan.as_deref(), host_files.clone(), options)?,
    };
    let routes =
        resumed.map(|resumed| resumed.carry_on(&mut engine, &loaded.digest)).transpose()?;
    let dir = match (resumed, &args.out) {
        (Some(Resumed { dir, saved, .. }), _) => {
            RunDir::reopen(dir, saved.tests, saved.findings.clone())?
        }
        (None, Some(path)) => RunDir::create(&Place::Exactly(path.clone()))?,
        (None, None) => RunDir::create(&Place::Next(PathBuf::from("fathom-out")))?,
    };
    let mut run = Run {
        dir,
        forks,
        notes,
        writer: Writer::new(spec),
        status: StatusLine::new(),
        watch,
        max_tests: args.max_tests,
        started,
        next_sample: FIRST_SAMPLE,
        tally: resumed.map_or_else(Tally::default, |resumed| resumed.saved.tally.clone()),
        finished: None,
        replayer,
        host_files,
        error: None,
    };
    let timing = Timing { what: "load".into(), seconds: load_seconds, ..Timing::default() };
    run.dir.timing(&timing)?;
    let mut searchers = searchers(args, program);
    let begin = Begin { first, routes };
    let left =
        engine.explore(begin, &mut searchers, &mut Alone, |ended, engine| run.take(ended, engine));
    run.save(loaded, &setting, &left, &engine)?;
    run.finish(args, loaded, &mut engine)
}

fn config(args: &Args, watch: &Watch) -> Result<Config> {
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
    if let Some(command) = &args.cross_check {
        let command = command.split_whitespace().map(str::to_owned).collect();
        solver.cross_check = Some(fathom_solver::CrossCheck {
            command,
            every: 1,
            time: CROSS_CHECK_TIME,
            before_chain: true,
        });
    }
    Ok(Config {
        max_stack: args.max_stack << 20,
        max_instructions: args.max_instructions,
        max_depth: args.max_depth,
        max_forks: args.max_forks,
        interrupt,
        memory_is_short: watch.memory_is_short(),
        coverage: true,
        solver,
        checks: Checks {
            leaks: args.check_leaks,
            uninit: args.check_uninit,
            relaxed: args.relaxed_checks,
        },
    })
}

fn searchers(args: &Args, program: &Program) -> Searchers {
    let pending = match &args.pending_search[..] {
        [] => &args.search,
        named => named,
    };
    search::searchers(program, &args.search, pending, args.rng_seed)
}

fn hooks(args: &Args) -> Hooks {
    let branches: Box<dyn BranchPolicy> = match args.fork {
        Fork::Pending => Box::new(Pending),
        Fork::Eager => Box::new(Eager),
    };
    Hooks { branches: Some(branches), ..Hooks::default() }
}

/// A run in progress.
struct Run {
    dir: RunDir,
    /// What was done to seeds; it takes nothing away from the run.
    notes: Vec<String>,
    forks: Forks,
    writer: Writer,
    status: StatusLine,
    watch: Watch,
    max_tests: Option<u64>,
    started: Instant,
    next_sample: u64,
    /// What was counted here, and before.
    tally: Tally,
    /// Once the run is being ended: how many tests and partial paths there were by then.
    finished: Option<(u64, u64)>,
    replayer: Option<Replayer>,
    host_files: HostFiles,
    error: Option<fathom_report::Error>,
}

impl Run {
    /// A path has ended, or a bug was found on the way.
    fn take(&mut self, ended: Ended, engine: &mut Engine<'_>) -> ControlFlow<()> {
        if self.watch.is_late() || self.error.is_some() || self.is_full() {
            return ControlFlow::Break(());
        }
        let is_left = Stop::is_end_of_run(&ended.stop);
        if is_left && self.finished.is_none() {
            self.finished = Some((self.dir.n_tests(), self.tally.partial));
        }
        match &ended.stop {
            _ if ended.goes_on => {}
            Stop::Exit(_) | Stop::Killed(_) | Stop::Returned(_) | Stop::Bug(_) => {
                self.tally.complete += 1
            }
            Stop::Dropped(_) => self.tally.dropped += 1,
            Stop::Unsupported(it) => {
                self.tally.partial += 1;
                let site = it.stack.first().copied().unwrap_or(fathom_engine::ledger::NOWHERE);
                engine.ledger.record(site, format!("unsupported: {}", it.construct));
            }
            Stop::Exhausted(_) => self.tally.partial += 1,
        }
        if let Err(error) = self.write(&ended, engine).and_then(|()| self.show(engine)) {
            self.error.get_or_insert(error);
            return ControlFlow::Break(());
        }
        for note in engine.notes.drain(..) {
            self.status.clear();
            say(&format!("fathom: {note}\n"));
        }
        if self.is_full() {
            self.watch.stop(Reason::Tests);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// There are as many test cases as the user wants.
    fn is_full(&self) -> bool {
        self.max_tests.is_some_and(|max| self.dir.n_tests() >= max)
    }

    fn write(&mut self, ended: &Ended, engine: &mut Engine<'_>) -> fathom_report::Result<()> {
        self.forks.write(engine.program(), self.dir.tree());
        if matches!(ended.stop, Stop::Dropped(_)) {
            write_end(self.dir.tree(), ended, None);
            return Ok(());
        }
        let test: TestCase = self.writer.test_case(ended, engine, self.dir.n_tests());
        let number = self.dir.test(&test)?;
        write_end(self.dir.tree(), ended, Some((number, &test)));
        if let Stop::Bug(bug) = &ended.stop {
            self.status.clear();
            say(&render::bug(engine.program(), bug));
            let mut finding = self.writer.finding(engine.program(), bug, number, &test);
            finding.explanation = decisions::explanation(ended, bug, engine);
            let object = finding.object.as_ref().map(|object| object.description.clone());
            finding.replay = self.replay(&test, object.as_deref());
            let dir = self.dir.bug(&finding, &test)?;
            self.sample(engine)?;
            say(&format!("  input     {}\n", dir.display()));
            if let Some(replay) = &finding.replay {
                let colon = if replay.detail.is_empty() { "" } else { ": " };
                say(&format!("  replay    {}{colon}{}\n", replay.verdict, replay.detail));
            }
        } else if test.new_coverage
            && let Some(replay) = self.replay(&test, None)
            && replay.verdict == "mismatch"
        {
            self.status.clear();
            let path = self.dir.path().display().to_string();
            say(&format!(
                "fathom: test {path}#{number} ends otherwise natively: {}\n",
                replay.detail
            ));
        }
        if engine.stats.instructions >= self.next_sample {
            let n = engine.stats.instructions;
            self.next_sample = n + (n / 64).clamp(FIRST_SAMPLE, SAMPLE);
            self.sample(engine)?;
        }
        Ok(())
    }

    /// Files of the working directory that the program has opened.
    fn host_files(&self) -> Vec<String> {
        let files = std::env::current_dir().map(|dir| self.host_files.below(&dir));
        files.unwrap_or_default().iter().map(|path| path.display().to_string()).collect()
    }

    /// Runs the test natively, if there is a native half.
    fn replay(&mut self, test: &TestCase, object: Option<&str>) -> Option<Replay> {
        let replay = self.replayer.as_ref()?.replay(test, object)?;
        match replay.verdict.as_str() {
            "confirmed" => self.tally.confirmed += 1,
            "mismatch" => self.tally.mismatches += 1,
            _ => self.tally.not_observable += 1,
        }
        Some(replay)
    }

    fn sample(&mut self, engine: &Engine<'_>) -> fathom_report::Result<()> {
        let tally = self.tally.with(engine);
        let in_ledger = engine.ledger.entries().iter().map(|entry| entry.count);
        self.dir.sample(&Sample {
            instructions: tally.instructions,
            paths: tally.paths(),
            states: engine.stats.states as u64,
            pending: engine.stats.pending as u64,
            forks: tally.forks,
            tests: self.dir.n_tests(),
            bugs: self.dir.findings().len() as u64,
            covered: engine.coverage.covered_own,
            queries: tally.solver.queries,
            solver_queries: engine.solver.stats[LayerKind::Backend].asked,
            ledger: in_ledger.chain(tally.ledger.iter().map(|entry| entry.count)).sum(),
        })?;
        let timing = self.timing("sample", engine);
        self.dir.timing(&timing)
    }

    fn timing(&self, what: &str, engine: &Engine<'_>) -> Timing {
        let tally = self.tally.with(engine);
        Timing {
            what: what.into(),
            instructions: tally.instructions,
            seconds: tally.seconds + self.started.elapsed().as_secs_f64(),
            cpu_seconds: tally.cpu_seconds + super::usage::cpu_seconds(),
            solver_seconds: tally.solver_seconds,
            infeasible_seconds: tally.infeasible_seconds,
            peak_bytes: super::usage::peak_resident() << 10,
        }
    }

    /// Updates the status line now and then. What it counts is on disk.
    fn show(&mut self, engine: &Engine<'_>) -> fathom_report::Result<()> {
        if !self.status.is_due() {
            return Ok(());
        }
        self.dir.flush()?;
        let seconds = self.started.elapsed().as_secs_f64();
        let share = 100.0 * tally::solver_seconds(engine) / seconds.max(1e-9);
        let total = coverage::own_instructions(engine.program());
        self.status.show(&format!(
            "{seconds:.0} s · {} paths · {} states · {} instructions · {:.1} % covered · {} bugs · solver {share:.0} %",
            self.tally.paths(),
            engine.stats.states,
            super::grouped(self.tally.instructions + engine.stats.instructions),
            100.0 * engine.coverage.covered_own as f64 / total.max(1) as f64,
            self.dir.findings().len(),
        ));
        Ok(())
    }

    /// Writes down how to come to what is left, for `--resume`.
    fn save(
        &mut self,
        loaded: &Loaded,
        setting: &Setting,
        left: &[Route],
        engine: &Engine<'_>,
    ) -> Result<()> {
        if self.error.is_some() {
            return Ok(());
        }
        if left.is_empty() {
            resume::forget(self.dir.path());
            return Ok(());
        }
        let mut tally = self.tally.with(engine);
        let (tests, partial) = self.finished.unwrap_or((self.dir.n_tests(), tally.partial));
        tally.partial = partial;
        tally.seconds += self.started.elapsed().as_secs_f64();
        tally.cpu_seconds += super::usage::cpu_seconds();
        let rows = super::test_case::ledger(engine.program(), &engine.ledger);
        tally::add_ledger(&mut tally.ledger, &rows);
        // Of what is gone on with nothing is left out.
        tally.ledger.retain(|row| ![NOT_ASKED, NOT_FINISHED].contains(&row.what.as_str()));
        let findings = self.dir.findings();
        let save = Save { bitcode: &loaded.digest, setting, tests, findings, tally };
        resume::save(self.dir.path(), save, &routes::encode(left, &engine.pool), engine)
    }

    fn finish(mut self, args: &Args, loaded: &Loaded, engine: &mut Engine<'_>) -> Result<ExitCode> {
        self.status.clear();
        if let Some(error) = self.error.take() {
            return Err(error.into());
        }
        self.forks.write(engine.program(), self.dir.tree());
        self.dir.flush()?;
        let _ = self.sample(engine);
        let total = self.timing("total", engine);
        self.dir.timing(&total)?;
        let program = &loaded.program;
        let stopped = self.watch.reason();
        let stopped = match (stopped, args.max_instructions) {
            (None, Some(max)) if engine.stats.instructions >= max => Some(Reason::Instructions),
            (reason, _) => reason,
        };
        let tally = self.tally.with(engine);
        let exhaustive = engine.ledger.is_empty()
            && tally.ledger.is_empty()
            && stopped.is_none()
            && tally.partial == 0;
        for note in self.notes.drain(..) {
            engine.ledger.record(fathom_engine::ledger::NOWHERE, note);
        }
        let covered = coverage::collect(program, &engine.coverage);
        let cover = coverage::summary(program, &engine.coverage, &covered);
        let summary = Summary {
            version: env!("CARGO_PKG_VERSION").into(),
            program: args.program().display().to_string(),
            options: args.options(),
            command: args.command.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            bitcode: loaded.digest.clone(),
            max_stack: args.max_stack,
            host_files: self.host_files(),
            exhaustive,
            stopped: stopped.map_or("done", Reason::name).into(),
            complete_paths: tally.complete,
            partial_paths: tally.partial,
            states_left: if stopped.is_some() { engine.stats.states as u64 } else { 0 },
            instructions: tally.instructions,
            repeated_instructions: tally.repeated,
            forks: tally.forks,
            coverage: cover.clone(),
            solver: tally.solver.clone(),
            pending: PendingCounts {
                revived: tally.revived,
                infeasible: tally.infeasible,
                undecided: tally.undecided,
                dropped: tally.dropped_pending,
                left: engine.stats.pending as u64,
            },
            ..Summary::default()
        };
        let mut ledger = tally.ledger.clone();
        tally::add_ledger(&mut ledger, &super::test_case::ledger(program, &engine.ledger));
        let path = self.dir.path().to_owned();
        let dropped = tally.dropped;
        self.dir.disputed(&engine.solver.stats.disputed)?;
        self.dir.covered(&coverage::by_function(program, &engine.coverage))?;
        let summary = self.dir.finish(summary, &ledger, Some(&covered))?;
        say(&closing(&summary, &cover, dropped, &total));
        let Tally { confirmed, not_observable, mismatches, .. } = tally;
        if self.replayer.is_some() {
            say(&format!(
                "replayed      {confirmed} confirmed, {not_observable} not observable natively, {mismatches} mismatched\n"
            ));
        }
        say(&render::ledger(program, &engine.ledger));
        say(&format!("results       {}\n", path.display()));
        if resume::is_possible(&path) {
            say(&format!("go on with    fathom run --resume {}\n", path.display()));
        }
        if args.stats {
            say(&solver_table(engine));
        }
        self.watch.flag().store(true, Ordering::Relaxed);
        Ok(ExitCode::from(u8::from(!summary.bugs.is_empty())))
    }
}

fn closing(summary: &Summary, cover: &Cover, dropped: u64, total: &Timing) -> String {
    let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
    let how = match (summary.exhaustive, summary.stopped.as_str()) {
        (true, _) => "exhaustive: every path was followed to its end".to_owned(),
        (false, "done") => "not exhaustive: see the ledger".to_owned(),
        (false, reason) => format!("not exhaustive: stopped by {reason}"),
    };
    let dropped = if dropped > 0 {
        format!(", {dropped} dropped or ending in a known bug")
    } else {
        String::new()
    };
    format!(
        "paths         {} complete, {} partial{dropped}\n\
         verdict       {how}\n\
         bugs          {}\n\
         tests         {} in tests.pack, {} of them in tests/ (new code)\n\
         covered       {:.1} % of {} instructions, {:.1} % of {} lines\n\
         instructions  {} in {:.2} s, {:.0} % of it in the solver; {} MiB\n",
        summary.complete_paths,
        summary.partial_paths,
        summary.bugs.len(),
        summary.tests,
        summary.plain_tests,
        share(cover.instructions, cover.instructions_total),
        cover.instructions_total,
        share(cover.lines, cover.lines_total),
        cover.lines_total,
        super::grouped(summary.instructions),
        total.seconds,
        100.0 * total.solver_seconds / total.seconds.max(1e-9),
        total.peak_bytes >> 20,
    )
}

fn solver_table(engine: &Engine<'_>) -> String {
    let stats = &engine.solver.stats;
    let mut text = format!(
        "solver        {} queries, {} sat, {} unsat, {} failures, {} wrong models\n",
        stats.queries, stats.sat, stats.unsat, stats.failures, stats.wrong_models
    );
    text += &format!(
        "solver time   {:.3} s on possible, {:.3} s on impossible, {:.3} s on undecided queries\n",
        stats.sat_time.as_secs_f64(),
        stats.unsat_time.as_secs_f64(),
        stats.undecided_time.as_secs_f64()
    );
    if stats.cross_checked > 0 {
        text += &format!(
            "cross-check   {} queries compared with the second solver, {} not, {} mismatches\n",
            stats.cross_checked, stats.not_compared, stats.mismatches
        );
    }
    for layer in LayerKind::ALL {
        let row = &stats[layer];
        text += &format!(
            "  {:<12}{:>12} asked{:>12} answered{:>10.3} s, {:.3} s at most\n",
            layer.name(),
            row.asked,
            row.answered,
            row.time.as_secs_f64(),
            row.longest.as_secs_f64()
        );
    }
    text
}

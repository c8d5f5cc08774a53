//! What a run finds, as it is written down: test cases, bugs, counters, and the summary at the end.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Context, Result};
use fathom_engine::ledger::NOWHERE;
use fathom_engine::outcome::{Bug, BugKind, Ended, Stop};
use fathom_engine::route::Route;
use fathom_engine::{Engine, NOT_ASKED, NOT_FINISHED, StateId};
use fathom_ir::Program;
use fathom_kernel::HostFiles;
use fathom_report::{
    FaultCounts, Finding, Pack, PendingCounts, Replay, RunDir, Sample, StateNumbers, Summary,
    TestCase, Timing, TreeEnd, TreePart,
};

use super::forks::{Forks, write_end};
use super::jobs::{BugKey, Counts, Desk, Done};
use super::resume::{self, Save, Setting};
use super::status::StatusLine;
use super::tally::{self, Tally};
use super::test_case::Writer;
use super::watch::{Reason, Watch};
use super::{Args, closing, coverage, decisions, routes, say};
use crate::load::Loaded;
use crate::native::Replayer;
use crate::render;

/// How often the counters are written down, in LLVM instructions: at first, and at most. In
/// between it is a part of those executed, so that short and long runs have a time line.
const FIRST_SAMPLE: u64 = 1 << 14;
const SAMPLE: u64 = 1 << 22;

/// A run in progress.
pub struct Journal {
    pub dir: RunDir,
    pub forks: Forks,
    pub writer: Writer,
    pub watch: Watch,
    pub host_files: HostFiles,
    /// What was counted here, and before.
    pub tally: Tally,
    pub replayer: Option<Replayer>,
    pub max_tests: Option<u64>,
    /// What all processes have done in this part of the run.
    pub counts: Counts,
    /// What was done to seeds; it takes nothing away from the run.
    pub notes: Vec<String>,
    /// Objects of the program that seeds give values to, and how many seeds do.
    pub seed_objects: BTreeMap<String, u64>,
    /// Where this is a worker's journal: whom it tells of bugs.
    pub desk: Option<Rc<Desk>>,
    /// Bugs found here that nobody else was told of yet.
    pub found: Vec<BugKey>,
    /// What the other processes of the run have, or had at the end.
    pub others: Others,
    pub error: Option<fathom_report::Error>,
    /// Bugs that were reported: here, by a worker, or in an earlier part of the run.
    pub known: HashSet<BugKey>,
    /// The next state's number, where states were numbered anew.
    pub next_state: Option<u32>,
    /// Tests of paths that the end of the run left, with the numbers of their states.
    unfinished: Vec<(StateId, TestCase)>,
    status: StatusLine,
    started: Instant,
    next_sample: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Others {
    pub paths: u64,
    pub instructions: u64,
    pub states: u64,
    pub pending: u64,
    pub host_files: Vec<String>,
    /// Why one of them stopped by itself.
    pub stopped: Option<String>,
}

impl Journal {
    pub fn new(
        dir: RunDir,
        writer: Writer,
        forks: Forks,
        watch: Watch,
        host_files: HostFiles,
        counts: Counts,
        started: Instant,
    ) -> Self {
        Self {
            dir,
            forks,
            writer,
            watch,
            host_files,
            tally: Tally::default(),
            replayer: None,
            max_tests: None,
            counts,
            notes: Vec::new(),
            seed_objects: BTreeMap::new(),
            desk: None,
            found: Vec::new(),
            others: Others::default(),
            error: None,
            known: HashSet::new(),
            next_state: None,
            unfinished: Vec::new(),
            status: StatusLine::new(),
            started,
            next_sample: FIRST_SAMPLE,
        }
    }

    /// A path has ended, or a bug was found on the way.
    pub fn take(&mut self, ended: Ended, engine: &mut Engine<'_>) -> ControlFlow<()> {
        if self.error.is_some() {
            return ControlFlow::Break(());
        }
        if ended.stop.is_end_of_run() {
            if self.watch.is_late() || self.is_full() {
                return ControlFlow::Break(());
            }
            if self.desk.is_none() {
                let test = self.writer.test_case(&ended, engine, 0);
                self.unfinished.push((ended.state, test));
            }
            return ControlFlow::Continue(());
        }
        if let Stop::Bug(bug) = &ended.stop
            && self.known.contains(&key(engine, bug))
        {
            // A worker was quicker, and the engine has not heard of it yet.
            if !ended.goes_on {
                self.tally.dropped += 1;
                self.forks.write(engine.program(), self.dir.tree());
                write_end(self.dir.tree(), &ended, None);
            }
            return ControlFlow::Continue(());
        }
        match &ended.stop {
            _ if ended.goes_on => {}
            Stop::Exit(_) | Stop::Killed(_) | Stop::Returned(_) | Stop::Bug(_) => {
                self.tally.complete += 1
            }
            Stop::Dropped(_) => self.tally.dropped += 1,
            Stop::Unsupported(it) => {
                self.tally.partial += 1;
                let site = it.stack.first().copied().unwrap_or(NOWHERE);
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
        let n_tests = self.counts.all.tests.load(Ordering::Relaxed);
        self.max_tests.is_some_and(|max| n_tests >= max)
    }

    fn write(&mut self, ended: &Ended, engine: &mut Engine<'_>) -> fathom_report::Result<()> {
        self.forks.write(engine.program(), self.dir.tree());
        if matches!(ended.stop, Stop::Dropped(_)) {
            write_end(self.dir.tree(), ended, None);
            return Ok(());
        }
        let test: TestCase = self.writer.test_case(ended, engine, self.dir.n_tests());
        let number = self.dir.test(&test)?;
        self.counts.all.tests.fetch_add(1, Ordering::Relaxed);
        write_end(self.dir.tree(), ended, Some((number, &test)));
        if let Stop::Bug(bug) = &ended.stop {
            self.write_bug(ended, bug, (number, &test), engine)?;
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

    fn write_bug(
        &mut self,
        ended: &Ended,
        bug: &Bug,
        (number, test): (u64, &TestCase),
        engine: &mut Engine<'_>,
    ) -> fathom_report::Result<()> {
        let key = key(engine, bug);
        self.known.insert(key.clone());
        let text = render::bug(engine.program(), bug);
        let mut finding = self.writer.finding(engine.program(), bug, number, test);
        finding.explanation = decisions::explanation(ended, bug, engine, test);
        let object = finding.object.as_ref().map(|object| object.description.clone());
        finding.replay = self.replay(test, object.as_deref());
        match &self.desk {
            Some(desk) => desk.bug(key, &finding, &text, ended.goes_on),
            None => {
                self.announce(&finding, test, &text)?;
                self.found.push(key);
                self.sample(engine)?;
            }
        }
        Ok(())
    }

    /// Writes a bug's directory, and tells the user.
    fn announce(
        &mut self,
        finding: &Finding,
        test: &TestCase,
        text: &str,
    ) -> fathom_report::Result<()> {
        let dir = self.dir.bug(finding, test)?;
        self.status.clear();
        say(&format!("{text}  input     {}\n", dir.display()));
        if let Some(replay) = &finding.replay {
            let colon = if replay.detail.is_empty() { "" } else { ": " };
            say(&format!("  replay    {}{colon}{}\n", replay.verdict, replay.detail));
        }
        Ok(())
    }

    /// Takes over a bug that a worker has found, with its test from the worker's pack; whether it
    /// is news.
    pub fn adopt(&mut self, key: &BugKey, mut finding: Finding, text: &str, pack: &Path) -> bool {
        if !self.known.insert(key.clone()) {
            return false;
        }
        let adopted = Pack::open(pack).and_then(|pack| pack.get(finding.test)).and_then(|test| {
            finding.test = self.dir.test(&test)?;
            self.announce(&finding, &test, text)
        });
        if let Err(error) = adopted {
            self.error.get_or_insert(error);
        }
        true
    }

    /// Everything is on disk when this returns, for the main process to read.
    pub fn close(&mut self, engine: &Engine<'_>) -> fathom_report::Result<()> {
        self.forks.write(engine.program(), self.dir.tree());
        self.dir.close()
    }

    /// Adds what a worker did.
    pub fn add(&mut self, done: &Done) {
        self.tally.add(&done.tally);
        self.others.states += done.states;
        self.others.pending += done.pending;
        self.others.host_files.extend(done.host_files.iter().cloned());
        self.others.stopped = self.others.stopped.take().or(done.stopped.clone());
    }

    /// Files of the working directory that the program has opened.
    pub fn opened_files(&self) -> Vec<String> {
        let files = std::env::current_dir().map(|dir| self.host_files.below(&dir));
        let files = files.unwrap_or_default();
        let mut files: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
        files.extend(self.others.host_files.iter().cloned());
        files.sort();
        files.dedup();
        files
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
            solver_queries: tally.solver_queries,
            ledger: in_ledger.chain(tally.ledger.iter().map(|entry| entry.count)).sum(),
        })?;
        let timing = self.timing("sample", engine);
        self.dir.timing(&timing)
    }

    /// The program was loaded, so many seconds after this part of the run began.
    pub fn note_load(&mut self, seconds: f64, engine: &Engine<'_>) -> fathom_report::Result<()> {
        let seconds = self.tally.times.seconds + seconds;
        let timing = Timing { seconds, ..self.timing("load", engine) };
        self.dir.timing(&timing)
    }

    fn timing(&self, what: &str, engine: &Engine<'_>) -> Timing {
        let Tally { instructions, times, .. } = self.tally.with(engine);
        Timing {
            what: what.into(),
            instructions,
            seconds: times.seconds + self.started.elapsed().as_secs_f64(),
            cpu_seconds: times.cpu_seconds + super::usage::cpu_seconds(),
            solver_seconds: times.solver_seconds,
            infeasible_seconds: times.infeasible_seconds,
            unsat_seconds: times.unsat_seconds,
            peak_bytes: super::usage::peak_resident() << 10,
            in_use_bytes: (what == "total").then(super::usage::in_use),
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
        let states = engine.stats.states as u64 + self.others.states;
        let executed = self.tally.instructions + engine.stats.instructions;
        self.status.show(&format!(
            "{seconds:.0} s · {} paths · {} states · {} instructions · {:.1} % covered · {} bugs · solver {share:.0} %",
            self.tally.paths() + self.others.paths,
            states,
            super::grouped(executed + self.others.instructions),
            100.0 * engine.coverage.covered_own as f64 / total.max(1) as f64,
            self.dir.findings().len(),
        ));
        Ok(())
    }

    /// What was counted, with the engine's counts, and without what the end of the run left.
    pub fn counted(&self, engine: &Engine<'_>) -> Tally {
        let mut tally = self.tally.with(engine);
        let rows = super::test_case::ledger(engine.program(), &engine.ledger);
        tally::add_ledger(&mut tally.ledger, &rows);
        let rows = super::test_case::ledger(engine.program(), &engine.remarks);
        tally::add_ledger(&mut tally.remarks, &rows);
        tally.ledger.retain(|row| ![NOT_ASKED, NOT_FINISHED].contains(&row.what.as_str()));
        tally
    }

    /// Writes down how to come to what is left, for `--resume`.
    pub fn save(
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
            return Ok(self.dir.settle_tree()?);
        }
        self.forks.write(engine.program(), self.dir.tree());
        self.dir.flush()?;
        let save = Save {
            bitcode: &loaded.digest,
            setting,
            part: self.dir.part(),
            tests: self.dir.n_tests(),
            tree: self.dir.tree().finish()?,
            findings: self.dir.findings(),
            tally: self.counted(engine),
            next_state: self.next_state.unwrap_or(engine.next_number().0),
        };
        resume::save(self.dir.path(), save, &routes::encode(left, &engine.pool), engine)?;
        Ok(self.dir.settle_tree()?)
    }

    /// Makes one tree of this process's, with all that it has heard of, and those of others.
    /// Returns the numbers that states have in it.
    pub fn merge_trees(
        &mut self,
        others: Vec<TreePart>,
        program: &Program,
    ) -> fathom_report::Result<StateNumbers> {
        self.forks.write(program, self.dir.tree());
        self.forks.forget_places();
        self.dir.merge_trees(others)
    }

    /// The states of paths that were not finished, to be numbered anew.
    pub fn unfinished_states(&mut self) -> impl Iterator<Item = &mut StateId> {
        self.unfinished.iter_mut().map(|(state, _)| state)
    }

    /// Writes the tests of paths that were not finished.
    fn write_unfinished(&mut self) -> fathom_report::Result<()> {
        for (state, mut test) in std::mem::take(&mut self.unfinished) {
            test.path = self.dir.n_tests();
            let number = self.dir.test(&test)?;
            self.dir.tree().end(state.0, TreeEnd::from(&test.outcome), number);
            self.tally.partial += 1;
        }
        Ok(())
    }

    fn fault_counts(&self, program: &Program) -> FaultCounts {
        let is_injected = |finding: &&Finding| finding.site.kind == BugKind::Injected(0).name();
        let found = self.dir.findings().iter().filter(is_injected).count() as u64;
        FaultCounts { injected: program.n_faults.into(), found }
    }

    pub fn finish(
        mut self,
        args: &Args,
        loaded: &Loaded,
        engine: &mut Engine<'_>,
    ) -> Result<ExitCode> {
        self.status.clear();
        if let Some(error) = self.error.take() {
            return Err(error.into());
        }
        self.forks.write(engine.program(), self.dir.tree());
        self.write_unfinished()?;
        self.dir.flush()?;
        let _ = self.sample(engine);
        let total = self.timing("total", engine);
        self.dir.timing(&total)?;
        let program = &loaded.program;
        let stopped = self.watch.reason();
        let stopped = match (stopped, args.max_instructions) {
            // What was reached since, while results were written, did not end it.
            (_, Some(_)) if engine.is_out_of_instructions() => Some(Reason::Instructions),
            (reason, _) => reason,
        };
        let others = self.others.clone();
        let stopped = stopped.map(Reason::name).or(others.stopped.as_deref());
        let tally = self.tally.with(engine);
        let exhaustive = engine.ledger.is_empty()
            && tally.ledger.is_empty()
            && stopped.is_none()
            && tally.partial == 0;
        engine.ledger.append(std::mem::take(&mut engine.remarks));
        for note in self.notes.drain(..) {
            engine.ledger.record(NOWHERE, note);
        }
        for (name, &n_seeds) in &self.seed_objects {
            if !tally.seed_objects.contains(name) {
                let what = format!("a seed's {name} left out: no path made it symbolic");
                engine.ledger.record_many(NOWHERE, what, n_seeds);
            }
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
            host_files: self.opened_files(),
            exhaustive,
            stopped: stopped.unwrap_or("done").into(),
            complete_paths: tally.complete,
            partial_paths: tally.partial,
            states_left: match stopped {
                Some(_) => engine.stats.states as u64 + others.states,
                None => 0,
            },
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
                left: engine.stats.pending as u64 + others.pending,
            },
            faults: args.inject_faults.then(|| self.fault_counts(program)),
            ..Summary::default()
        };
        let mut ledger = tally.ledger.clone();
        tally::add_ledger(&mut ledger, &tally.remarks);
        tally::add_ledger(&mut ledger, &super::test_case::ledger(program, &engine.ledger));
        let path = self.dir.path().to_owned();
        let dropped = tally.dropped;
        self.dir.disputed(&engine.solver.stats.disputed)?;
        self.dir.covered(&coverage::by_function(program, &engine.coverage))?;
        let summary = self.dir.finish(summary, &ledger, Some(&covered))?;
        say(&closing::closing(&summary, &cover, dropped, &total));
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
            say(&closing::solver_table(engine));
        }
        self.watch.flag().store(true, Ordering::Relaxed);
        if let Some(report) = &args.report {
            let text = path.join("summary.json");
            std::fs::copy(text, report).with_context(|| report.display().to_string())?;
        }
        Ok(ExitCode::from(u8::from(!summary.bugs.is_empty())))
    }
}

/// What makes a bug the same as one found elsewhere.
fn key(engine: &Engine<'_>, bug: &Bug) -> BugKey {
    let (site, kind) = engine.place_of(bug);
    (site.function.0, site.loc.0, kind)
}

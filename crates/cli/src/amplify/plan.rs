//! Which test is analysed when: all tests at distance 0, then all at distance 1, and so on.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use fathom_zesti::Trace;

use super::Args;
use super::crew::{Crew, Event};
use super::job::{self, BugKey, Job};
use super::outcome::{Done, News};
use super::results::Results;
use super::subject::Subjects;
use crate::load::{self, Loaded};

/// How many times as long as all tests have on average one may take, and which part of all time at
/// most; in seconds at least, at most.
const SHARES: f64 = 4.0;
const LEAST: f64 = 2.0;
const MOST: f64 = 60.0;

/// What is known of each test.
#[derive(Default)]
pub struct Progress {
    /// The path that distance 0 found.
    pub trace: Option<Trace>,
    /// Another test that takes the same path.
    pub same_path_as: Option<usize>,
    /// Distances that were analysed, and whether no limit cut that short.
    pub reached: Vec<(u32, bool)>,
    /// Bugs it has come upon.
    known: Vec<BugKey>,
    /// Why it cannot be analysed.
    pub failure: Option<String>,
}

/// What the analysis came to.
pub struct Outcome<'a> {
    pub tests: &'a [Progress],
    /// The whole suite was analysed up to this distance.
    pub complete: Option<u32>,
    pub is_interrupted: bool,
    pub seconds: f64,
}

/// Tests in the order of distances, until the time is up.
pub struct Schedule<'a> {
    args: &'a Args,
    subjects: &'a Subjects,
    deadline: Instant,
    begun: Instant,
    interrupt: Arc<AtomicBool>,
    tests: Vec<Progress>,
    programs: HashMap<PathBuf, Option<Loaded>>,
    crew: Crew,
    complete: Option<u32>,
    /// What a test has at the distance in progress.
    test_time: Duration,
}

impl<'a> Schedule<'a> {
    pub fn new(
        args: &'a Args,
        subjects: &'a Subjects,
        deadline: Instant,
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        let tests = subjects.all.iter().map(|_| Progress::default()).collect();
        Self {
            args,
            subjects,
            deadline,
            begun: Instant::now(),
            interrupt,
            tests,
            programs: HashMap::new(),
            crew: Crew::default(),
            complete: None,
            test_time: Duration::from_secs_f64(MOST),
        }
    }

    pub fn run(&mut self, results: &mut Results) -> Result<()> {
        for distance in 0..=self.args.max_distance {
            let due = self.due(distance);
            if due.is_empty() {
                break;
            }
            if !self.round(distance, due, results)? {
                break;
            }
            self.complete = Some(distance);
            if distance == 0 {
                self.find_same_paths(results);
            }
        }
        Ok(())
    }

    pub fn outcome(&self) -> Outcome<'_> {
        Outcome {
            tests: &self.tests,
            complete: self.complete,
            is_interrupted: self.interrupt.load(Ordering::Relaxed),
            seconds: self.begun.elapsed().as_secs_f64(),
        }
    }

    /// The tests to look at: at distance 0 all but repeated ones, then those with a path of their
    /// own that has something as far away.
    fn due(&self, distance: u32) -> VecDeque<usize> {
        let is_due = |&number: &usize| {
            let test = &self.tests[number];
            match (distance, &test.trace) {
                (0, _) => self.subjects.all[number].same_as.is_none(),
                (_, Some(trace)) => test.same_path_as.is_none() && distance <= trace.farthest(),
                (_, None) => false,
            }
        };
        let mut due: Vec<usize> = (0..self.tests.len()).filter(is_due).collect();
        due.sort_by_key(|&number| &self.subjects.all[number].file);
        due.into()
    }

    /// Analyses tests at one distance; whether all of them were.
    fn round(
        &mut self,
        distance: u32,
        mut due: VecDeque<usize>,
        results: &mut Results,
    ) -> Result<bool> {
        let jobs = self.args.jobs.unwrap_or_else(|| {
            std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
        });
        let n_due = due.len();
        let left = self.deadline.saturating_duration_since(Instant::now()).as_secs_f64();
        let fair = SHARES * left * jobs as f64 / n_due as f64;
        let fair = fair.min(left / SHARES).clamp(LEAST, MOST);
        self.test_time = Duration::from_secs_f64(self.args.max_test_time.unwrap_or(fair));
        let mut is_told = false;
        loop {
            let is_over = self.interrupt.load(Ordering::Relaxed) || Instant::now() >= self.deadline;
            if is_over && !is_told {
                self.crew.interrupt();
                is_told = true;
            }
            while !is_over && self.crew.len() < jobs.max(1) {
                let Some(number) = due.pop_front() else { break };
                self.begin(number, distance, results)?;
            }
            if self.crew.len() == 0 {
                return Ok(due.is_empty() && !is_told);
            }
            for event in self.crew.wait() {
                self.take(event, distance, results)?;
            }
            let n_done = n_due - due.len() - self.crew.len();
            results.show(distance, n_done, n_due, self.deadline);
        }
    }

    fn begin(&mut self, number: usize, distance: u32, results: &mut Results) -> Result<()> {
        let subject = &self.subjects.all[number];
        if !self.programs.contains_key(&subject.file) {
            let loaded = match load::load(&subject.file, false) {
                Ok(loaded) => Some(loaded),
                Err(error) => {
                    results.note(&format!("{error:#}"), 1);
                    None
                }
            };
            // Tests come program by program, and a copy of this process takes the longer the more
            // there is in it.
            self.programs.clear();
            self.programs.insert(subject.file.clone(), loaded);
        }
        let Some(loaded) = &self.programs[&subject.file] else {
            self.tests[number].failure = Some("its program cannot be loaded".to_owned());
            return Ok(());
        };
        let left = self.deadline.saturating_duration_since(Instant::now());
        let time = left.min(self.test_time);
        let job = Job {
            distance,
            subject,
            loaded,
            trace: self.tests[number].trace.clone(),
            known: &self.tests[number].known,
            time,
            directory: results.scratch(number, distance)?,
            args: self.args,
        };
        self.crew.start(number, time, |tell| job::run(&job, tell))
    }

    fn take(&mut self, event: Event, distance: u32, results: &mut Results) -> Result<()> {
        match event {
            Event::News(number, News::Bug(found)) => {
                self.tests[number].known.push(found.key.clone());
                let subject = &self.subjects.all[number];
                let seconds = self.begun.elapsed().as_secs_f64();
                results.bug(*found, subject, (number, distance), seconds)?;
            }
            Event::News(number, News::Done(done)) => {
                self.done(number, distance, &done);
                results.done(number, distance, *done);
            }
            Event::Ended(number, why) => {
                if let Some(why) = why {
                    results.note(&why, 1);
                    self.tests[number].failure = Some(why);
                }
                results.clean(number, distance);
            }
        }
        Ok(())
    }

    fn done(&mut self, number: usize, distance: u32, done: &Done) {
        let test = &mut self.tests[number];
        test.reached.push((distance, !done.stopped));
        if distance == 0 {
            test.failure = done.failure.clone();
            let marks = |text: &str| text.bytes().map(|byte| byte == b'1').collect();
            let (sensitive, hard) = (marks(&done.sensitive), marks(&done.hard));
            test.trace = Some(Trace { branches: done.branches, sensitive, hard });
        }
    }

    /// Of tests of one program that take the same path, only the first is looked at again.
    fn find_same_paths(&mut self, results: &Results) {
        let mut first: HashMap<(&PathBuf, u64), usize> = HashMap::new();
        for number in 0..self.tests.len() {
            let Some(path) = results.path_of(number) else { continue };
            let key = (&self.subjects.all[number].file, path);
            match first.get(&key) {
                Some(&earlier) => self.tests[number].same_path_as = Some(earlier),
                None => {
                    first.insert(key, number);
                }
            }
        }
    }
}

//! Which test is analysed when: all tests at distance 0, then all at distance 1, and so on.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use fathom_zesti::{Trace, sensitive_blocks};

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
/// How many tests a process looks at, at most, and for how long it begins another.
const BATCH: usize = 32;
const BATCH_TIME: Duration = Duration::from_millis(500);

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

/// A program that is ready to be analysed.
struct Ready {
    loaded: Loaded,
    sensitive: Vec<Vec<bool>>,
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
    /// Tests come program by program, and a copy of this process takes the longer the more there
    /// is in it.
    program: Option<(&'a Path, Option<Ready>)>,
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
            program: None,
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
                let batch = self.next_batch(&mut due, jobs);
                if batch.is_empty() {
                    break;
                }
                self.begin(&batch, distance, results)?;
            }
            if self.crew.len() == 0 {
                return Ok(due.is_empty() && !is_told);
            }
            for event in self.crew.wait() {
                for left in self.take(event, distance, results)?.into_iter().rev() {
                    due.push_front(left);
                }
            }
            let n_done = n_due - due.len() - self.crew.n_tasks();
            results.show(distance, n_done, n_due, self.deadline);
        }
    }

    /// Tests of one program that a process is to look at one after the other: to start one costs
    /// more than a short test.
    fn next_batch(&self, due: &mut VecDeque<usize>, jobs: usize) -> Vec<usize> {
        let file = |number: &usize| &self.subjects.all[*number].file;
        let Some(first) = due.front().map(file) else { return Vec::new() };
        let most = (due.len() / jobs.max(1) / 4).clamp(1, BATCH);
        let n_same = due.iter().take(most).take_while(|number| file(number) == first).count();
        due.drain(..n_same).collect()
    }

    fn begin(&mut self, batch: &[usize], distance: u32, results: &mut Results) -> Result<()> {
        let subjects = self.subjects;
        let file = subjects.all[batch[0]].file.as_path();
        if self.program.as_ref().is_none_or(|(loaded, _)| *loaded != file) {
            self.program = Some((file, None));
            match load::load(file, false) {
                Ok(loaded) => {
                    let sensitive = sensitive_blocks(&loaded.program);
                    self.program = Some((file, Some(Ready { loaded, sensitive })));
                }
                Err(error) => results.note(&format!("{error:#}"), 1),
            }
        }
        let Some((_, Some(ready))) = &self.program else {
            for &number in batch {
                self.tests[number].failure = Some("its program cannot be loaded".to_owned());
            }
            return Ok(());
        };
        let (tests, args, deadline) = (&self.tests, self.args, self.deadline);
        let (interrupt, test_time) = (&self.interrupt, self.test_time);
        self.crew.start(batch, test_time, |tell| {
            let begun = Instant::now();
            for &number in batch {
                let left = deadline.saturating_duration_since(Instant::now());
                let job = Job {
                    distance,
                    subject: &subjects.all[number],
                    loaded: &ready.loaded,
                    sensitive: &ready.sensitive,
                    trace: tests[number].trace.clone(),
                    known: &tests[number].known,
                    time: left.min(test_time),
                    directory: results.scratch(number, distance),
                    worlds: results.worlds(number, distance),
                    args,
                };
                job::run(&job, &mut |news| tell(number, news));
                if interrupt.load(Ordering::Relaxed) || begun.elapsed() > BATCH_TIME {
                    break;
                }
            }
        })
    }

    /// Takes note of what a process has done; the tests that are due again, it did not come to them.
    fn take(&mut self, event: Event, distance: u32, results: &mut Results) -> Result<Vec<usize>> {
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
                results.clean(number, distance);
            }
            Event::Ended(mut left, why) => {
                if let Some(why) = why {
                    let number = left.remove(0);
                    results.note(&why, 1);
                    self.tests[number].failure = Some(why);
                    results.clean(number, distance);
                }
                return Ok(left);
            }
        }
        Ok(Vec::new())
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

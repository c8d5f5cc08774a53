//! What the system answered a native run, given again in the same order.
//!
//! The n-th call that asks the same thing gets the n-th answer. Where they run out the last one
//! stays, but for what passes, such as clocks and randomness: it goes on as the kernel's own. Only
//! calls that ask and change nothing are answered like that, how children ended, and signals to other
//! processes; all others the kernel performs.

use std::collections::HashMap;
use std::rc::Rc;

use fathom_engine::system::SystemContext;
use libc::{CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID, CLOCK_REALTIME};

use crate::Linux;
use crate::errno::{Called, Errno};
use crate::recorded::RecordedAnswer;
use crate::time::{Clock, SECOND};

/// A system call that can be answered from a recording.
struct Question {
    number: i64,
    /// The arguments that say what is asked.
    asks: &'static [usize],
    /// The argument that points to where the bytes of the answer go.
    at: Option<usize>,
    /// Whether the last answer holds for all further calls.
    lasts: bool,
}

const fn lasting(number: i64, asks: &'static [usize], at: Option<usize>) -> Question {
    Question { number, asks, at, lasts: true }
}

const fn passing(number: i64, asks: &'static [usize], at: usize) -> Question {
    Question { number, asks, at: Some(at), lasts: false }
}

const QUESTIONS: &[Question] = &[
    passing(libc::SYS_clock_gettime, &[0], 1),
    passing(libc::SYS_gettimeofday, &[], 0),
    passing(libc::SYS_time, &[], 0),
    passing(libc::SYS_times, &[], 0),
    passing(libc::SYS_getrusage, &[0], 1),
    passing(libc::SYS_getrandom, &[1], 0),
    passing(libc::SYS_wait4, &[0], 1),
    passing(libc::SYS_statfs, &[], 1),
    passing(libc::SYS_fstatfs, &[0], 1),
    lasting(libc::SYS_clock_getres, &[0], Some(1)),
    lasting(libc::SYS_uname, &[], Some(0)),
    lasting(libc::SYS_sysinfo, &[], Some(0)),
    lasting(libc::SYS_getrlimit, &[0], Some(1)),
    // With a new limit it is a change, and none of the answers.
    lasting(libc::SYS_prlimit64, &[1, 2], Some(3)),
    lasting(libc::SYS_sched_getaffinity, &[1], Some(2)),
    lasting(libc::SYS_getgroups, &[0], Some(1)),
    lasting(libc::SYS_getpriority, &[0, 1], None),
    lasting(libc::SYS_getppid, &[], None),
    lasting(libc::SYS_getpgrp, &[], None),
    lasting(libc::SYS_getpgid, &[0], None),
    lasting(libc::SYS_getsid, &[0], None),
    lasting(libc::SYS_getuid, &[], None),
    lasting(libc::SYS_geteuid, &[], None),
    lasting(libc::SYS_getgid, &[], None),
    lasting(libc::SYS_getegid, &[], None),
];

/// The system call, and those of its arguments that say what is asked.
type Key = (i64, [u64; 2]);

/// The answers of a recording, and how many of them were given. Clones share the answers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers {
    /// All answers to one question in order, and its place in `n_given`.
    recorded: Rc<HashMap<Key, (usize, Vec<RecordedAnswer>)>>,
    n_given: Rc<Vec<usize>>,
}

impl Answers {
    pub fn new(answers: Vec<RecordedAnswer>) -> Self {
        let mut recorded = HashMap::<Key, (usize, Vec<RecordedAnswer>)>::new();
        for answer in answers {
            let Some(key) = key_of_answer(&answer) else { continue };
            let index = recorded.len();
            recorded.entry(key).or_insert((index, Vec::new())).1.push(answer);
        }
        let n_given = Rc::new(vec![0; recorded.len()]);
        Self { recorded: Rc::new(recorded), n_given }
    }

    /// The next answer to a call, and where its bytes go.
    fn for_call(&mut self, number: u64, args: &[u64]) -> Option<(RecordedAnswer, Option<usize>)> {
        if self.recorded.is_empty() {
            return None;
        }
        let question = question(number)?;
        let answer = self.next(key(question, args), question.lasts)?;
        Some((answer.clone(), question.at))
    }

    /// The next answer of a terminal, whatever its descriptor.
    pub fn of_terminal(&mut self, request: u64) -> Option<&RecordedAnswer> {
        self.next((libc::SYS_ioctl, [request, 0]), true)
    }

    /// What came of a signal to another process.
    pub fn of_kill(&mut self, pid: i32, signal: i32) -> Option<i64> {
        let key = (libc::SYS_kill, [pid as u32, signal as u32].map(u64::from));
        self.next(key, true).map(|answer| answer.result)
    }

    /// Whether the native run sent more signals to a process, and did not only ask for it.
    pub fn has_kill(&self, pid: i32) -> bool {
        let is_it = |&(number, [to, signal]): &Key| {
            number == libc::SYS_kill && to == u64::from(pid as u32) && signal != 0
        };
        let mut kills = self.recorded.iter().filter(|(key, _)| is_it(key));
        kills.any(|(_, (index, answers))| self.n_given[*index] < answers.len())
    }

    fn next(&mut self, key: Key, lasts: bool) -> Option<&RecordedAnswer> {
        let (index, answers) = self.recorded.get(&key)?;
        let n_given = self.n_given[*index];
        if n_given < answers.len() {
            Rc::make_mut(&mut self.n_given)[*index] += 1;
            return Some(&answers[n_given]);
        }
        answers.last().filter(|_| lasts)
    }
}

fn question(number: u64) -> Option<&'static Question> {
    QUESTIONS.iter().find(|question| question.number == number as i64)
}

fn key(question: &Question, args: &[u64]) -> Key {
    let mut asked = [0; 2];
    for (slot, &index) in asked.iter_mut().zip(question.asks) {
        *slot = narrowed(args[index]);
    }
    (question.number, asked)
}

/// `None` for what the kernel says itself: limits that were set, requests that a file refused.
fn key_of_answer(answer: &RecordedAnswer) -> Option<Key> {
    match answer.number as i64 {
        libc::SYS_ioctl => {
            (answer.result >= 0).then(|| (libc::SYS_ioctl, [narrowed(answer.args[1]), 0]))
        }
        libc::SYS_prlimit64 if answer.args[2] != 0 => None,
        libc::SYS_kill => {
            Some((libc::SYS_kill, [narrowed(answer.args[0]), narrowed(answer.args[1])]))
        }
        _ => Some(key(question(answer.number)?, &answer.args)),
    }
}

/// The same for an `int` however it was extended.
fn narrowed(value: u64) -> u64 {
    if value as i64 == i64::from(value as i32) { u64::from(value as u32) } else { value }
}

impl Linux {
    /// Gives the recorded answer if there is one, or performs the call.
    pub(crate) fn answer(
        &mut self,
        context: &mut SystemContext<'_>,
        number: u64,
        args: [u64; 6],
    ) -> Called {
        let Some((answer, at)) = self.world.answers.for_call(number, &args) else {
            return self.dispatch(context, number, args);
        };
        if number as i64 == libc::SYS_wait4 && answer.result > 0 {
            // Of a child that only the native run had nobody can hear.
            if !self.world.children.reap(answer.result as i32) {
                return self.dispatch(context, number, args);
            }
            self.write_usage(context, args[3])?;
        }
        if answer.result < 0 {
            return Err(Errno(-answer.result as i32).into());
        }
        if let Some(at) = at.map(|at| args[at]).filter(|&at| at != 0) {
            context.memory.write(at, &answer.bytes)?;
        }
        self.world.clock.follow(&answer);
        Ok(answer.result)
    }
}

impl Clock {
    /// Goes on from a time that was answered.
    fn follow(&mut self, answer: &RecordedAnswer) {
        let word = |at: usize| {
            let bytes = answer.bytes.get(at..at + 8)?;
            Some(i64::from_le_bytes(bytes.try_into().expect("8 bytes")))
        };
        let seconds = |seconds: i64| seconds.saturating_mul(SECOND);
        let pair =
            |at, unit| Some(seconds(word(at)?).saturating_add(word(at + 8)?.saturating_mul(unit)));
        let (clock, now) = match answer.number as i64 {
            libc::SYS_clock_gettime => (answer.args[0] as i32, pair(0, 1)),
            libc::SYS_gettimeofday => (CLOCK_REALTIME, pair(0, 1000)),
            libc::SYS_time => (CLOCK_REALTIME, Some(seconds(answer.result))),
            libc::SYS_times => (CLOCK_MONOTONIC, Some(seconds(answer.result) / 100)),
            libc::SYS_getrusage if answer.args[0] == 0 => {
                let (user, system) = (pair(0, 1000), pair(16, 1000));
                (
                    CLOCK_PROCESS_CPUTIME_ID,
                    user.zip(system).map(|(user, system)| user.saturating_add(system)),
                )
            }
            _ => return,
        };
        if let Some(now) = now {
            self.set(clock, now);
        }
    }
}

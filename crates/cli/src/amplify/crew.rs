//! Processes that analyse tests: copies of this one, so that a program is loaded once for all its
//! tests, and what goes wrong in one takes nothing else with it: tests that it did not come to are
//! given back.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::outcome::News;
use crate::interrupt;

/// How long after its time a process may go on before it is killed.
const GRACE: Duration = Duration::from_secs(10);

/// What has become of a process.
pub enum Event {
    News(usize, News),
    /// It has ended before these of its tasks; with the reason, if that was not in order: then the
    /// first of them is to blame.
    Ended(Vec<usize>, Option<String>),
}

/// Processes at work.
#[derive(Default)]
pub struct Crew {
    workers: Vec<Worker>,
}

struct Worker {
    /// Its tasks, but for those that are done; the first is the one it works on.
    tasks: VecDeque<usize>,
    /// What it has for each.
    time: Duration,
    pid: libc::pid_t,
    pipe: File,
    /// What it has said and nobody has read.
    text: Vec<u8>,
    deadline: Instant,
    is_killed: bool,
}

impl Crew {
    pub fn len(&self) -> usize {
        self.workers.len()
    }

    /// How many tasks are begun, or are next.
    pub fn n_tasks(&self) -> usize {
        self.workers.iter().map(|worker| worker.tasks.len()).sum()
    }

    /// Starts a copy of this process, which has one thread, on tasks, one after the other.
    pub fn start(
        &mut self,
        tasks: &[usize],
        time: Duration,
        work: impl FnOnce(&mut dyn FnMut(usize, News)),
    ) -> Result<()> {
        let mut ends = [0; 2];
        // SAFETY: `ends` has room for two descriptors.
        if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
            return Err(std::io::Error::last_os_error()).context("a pipe to another process");
        }
        // SAFETY: the descriptors are new and ours.
        let [reading, writing] = ends.map(|fd| unsafe { File::from_raw_fd(fd) });
        // SAFETY: this process has one thread, so the copy is in a sound state.
        match unsafe { libc::fork() } {
            -1 => Err(std::io::Error::last_os_error()).context("another process"),
            0 => {
                drop(reading);
                let status = run(writing, work);
                // SAFETY: ends this copy without the parent's clean-up.
                unsafe { libc::_exit(status) }
            }
            pid => {
                // SAFETY: a plain call on our descriptor.
                unsafe { libc::fcntl(reading.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) };
                self.workers.push(Worker {
                    tasks: tasks.iter().copied().collect(),
                    time,
                    pid,
                    pipe: reading,
                    text: Vec::new(),
                    deadline: Instant::now() + time + GRACE,
                    is_killed: false,
                });
                Ok(())
            }
        }
    }

    /// Waits for something to happen, not long.
    pub fn wait(&mut self) -> Vec<Event> {
        let mut polls: Vec<libc::pollfd> = self
            .workers
            .iter()
            .map(|worker| libc::pollfd {
                fd: worker.pipe.as_raw_fd(),
                events: libc::POLLIN,
                revents: 0,
            })
            .collect();
        // SAFETY: as many entries as it is told of.
        unsafe { libc::poll(polls.as_mut_ptr(), polls.len() as libc::nfds_t, 100) };
        let mut events = Vec::new();
        for worker in &mut self.workers {
            worker.listen(&mut events);
        }
        self.workers.retain_mut(|worker| match worker.ended() {
            Some(why) => {
                // What it said last.
                worker.listen(&mut events);
                let why = why.filter(|_| !worker.tasks.is_empty());
                events.push(Event::Ended(std::mem::take(&mut worker.tasks).into(), why));
                false
            }
            None => true,
        });
        events
    }

    /// Asks all to stop and keep what they have.
    pub fn interrupt(&self) {
        for worker in &self.workers {
            // SAFETY: our own child, not waited for yet.
            unsafe { libc::kill(worker.pid, libc::SIGINT) };
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        for worker in &self.workers {
            // SAFETY: our own children, not waited for yet.
            unsafe {
                libc::kill(worker.pid, libc::SIGKILL);
                libc::waitpid(worker.pid, std::ptr::null_mut(), 0);
            }
        }
    }
}

impl Worker {
    fn listen(&mut self, events: &mut Vec<Event>) {
        // The descriptor does not wait: an error means that there is nothing more now.
        let _ = self.pipe.read_to_end(&mut self.text);
        while let Some(end) = self.text.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.text.drain(..=end).collect();
            let Ok((task, news)) = serde_json::from_slice(&line) else { continue };
            if matches!(news, News::Done(_)) {
                self.tasks.retain(|&other| other != task);
                self.deadline = Instant::now() + self.time + GRACE;
            }
            events.push(Event::News(task, news));
        }
    }

    /// Whether the process has ended, and why if not by itself.
    fn ended(&mut self) -> Option<Option<String>> {
        if Instant::now() > self.deadline && !self.is_killed {
            self.is_killed = true;
            // SAFETY: our own child, not waited for yet.
            unsafe { libc::kill(self.pid, libc::SIGKILL) };
        }
        let mut status = 0;
        // SAFETY: our own child, not waited for yet.
        if unsafe { libc::waitpid(self.pid, &raw mut status, libc::WNOHANG) } != self.pid {
            return None;
        }
        Some(match (libc::WIFEXITED(status), libc::WIFSIGNALED(status)) {
            (true, _) if libc::WEXITSTATUS(status) == 0 => None,
            (true, _) => Some("fathom failed on it".to_owned()),
            (_, true) if self.is_killed => Some("it did not end when its time was up".to_owned()),
            (_, true) => Some(format!("fathom was killed by signal {}", libc::WTERMSIG(status))),
            _ => Some("fathom failed on it".to_owned()),
        })
    }
}

/// In the copy: does the work and says what comes of it.
fn run(mut pipe: File, work: impl FnOnce(&mut dyn FnMut(usize, News))) -> i32 {
    let mut tell = |task: usize, news: News| {
        let mut line = serde_json::to_vec(&(task, news)).expect("news are plain data");
        line.push(b'\n');
        // Where nobody listens any more, nobody misses it.
        let _ = pipe.write_all(&line);
    };
    interrupt::serve();
    let work = std::panic::AssertUnwindSafe(|| work(&mut tell));
    match std::panic::catch_unwind(work) {
        Ok(()) => 0,
        Err(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of three tasks: which were done, which are left, and why.
    fn ends(work: impl FnOnce(&mut dyn FnMut(usize, News))) -> (Vec<usize>, Vec<usize>, bool) {
        let mut crew = Crew::default();
        crew.start(&[1, 2, 3], Duration::from_secs(60), work).unwrap();
        let mut done = Vec::new();
        loop {
            for event in crew.wait() {
                match event {
                    Event::News(task, _) => done.push(task),
                    Event::Ended(left, why) => return (done, left, why.is_some()),
                }
            }
        }
    }

    fn done() -> News {
        News::Done(Box::default())
    }

    #[test]
    fn what_was_not_begun_is_left() {
        let all = ends(|tell| (1..=3).for_each(|task| tell(task, done())));
        assert_eq!(all, (vec![1, 2, 3], vec![], false));
        let one = ends(|tell| tell(1, done()));
        assert_eq!(one, (vec![1], vec![2, 3], false));
        let killed = ends(|tell| {
            tell(1, done());
            std::process::abort();
        });
        assert_eq!(killed, (vec![1], vec![2, 3], true));
        let killed_at_last = ends(|tell| {
            (1..=3).for_each(|task| tell(task, done()));
            std::process::abort();
        });
        assert_eq!(killed_at_last, (vec![1, 2, 3], vec![], false));
    }
}

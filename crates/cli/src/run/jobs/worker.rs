//! A worker's side: it takes states from the main process and gives some back.

use std::cell::{Cell, RefCell};
use std::os::fd::FromRawFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use fathom_engine::hooks::Exchange;
use fathom_engine::route::Route;
use fathom_engine::{Engine, Stats};
use fathom_expr::Pool;
use fathom_report::Finding;
use serde::{Deserialize, Serialize};

use super::link::{self, Kind, Message};
use super::{BugKey, Done, Found, Learned, Progress};
use crate::run::resume::Setting;
use crate::run::{Args, routes};

/// The socket's number in a worker.
pub const SOCKET: i32 = 3;
/// How often the main process hears of a worker.
const EVERY: Duration = Duration::from_millis(100);

/// What a worker is told first.
#[derive(Serialize, Deserialize)]
pub struct Task {
    pub setting: Setting,
    /// From 1 on.
    pub number: u32,
    pub out: PathBuf,
    pub first_state: u32,
    /// The limits of the whole run; of memory, a worker has its share.
    pub max_memory: Option<u64>,
    pub max_instructions: Option<u64>,
    pub max_tests: Option<u64>,
    pub jobs: u32,
}

/// The worker's place in the crew.
pub struct Desk {
    socket: UnixStream,
    inbox: Receiver<(usize, Message)>,
    mail: Arc<AtomicBool>,
    /// Others want states, which may take them so many instructions to come to.
    asked: Cell<Option<u64>>,
    learned: RefCell<Learned>,
    next_progress: Cell<Instant>,
    /// Entries of the engine's log of covered blocks that were sent.
    n_covered: Cell<usize>,
}

impl Task {
    /// Takes the task from the process that started this one.
    pub fn receive() -> Result<(Task, UnixStream)> {
        // SAFETY: whoever starts a worker gives it a socket with this number; if somebody else
        // did, reading fails.
        let socket = unsafe { UnixStream::from_raw_fd(SOCKET) };
        let task = link::receive(&socket).read();
        Ok((task.context("--worker is only for processes that fathom starts itself")?, socket))
    }

    /// The options of the run, as they are for this worker.
    pub fn args(&self) -> Result<Args> {
        let args = self.setting.args()?;
        Ok(Args {
            out: Some(self.out.clone()),
            rng_seed: args.rng_seed.wrapping_add(self.number.into()),
            jobs: Some(self.jobs),
            max_time: None,
            max_cpu: None,
            max_memory: self.max_memory,
            max_instructions: self.max_instructions,
            max_tests: self.max_tests,
            ..args
        })
    }
}

impl Desk {
    pub fn new(socket: UnixStream, interrupt: Arc<AtomicBool>) -> Result<Rc<Desk>> {
        // Ctrl-C reaches all processes; the main one ends the run.
        for signal in [libc::SIGINT, libc::SIGTERM] {
            // SAFETY: ignoring a signal has no precondition.
            unsafe { libc::signal(signal, libc::SIG_IGN) };
        }
        let (sender, inbox) = channel();
        let mail = Arc::<AtomicBool>::default();
        let on_end = move || interrupt.store(true, Ordering::Relaxed);
        link::listen(socket.try_clone()?, 0, sender, mail.clone(), on_end);
        Ok(Rc::new(Desk {
            socket,
            inbox,
            mail,
            asked: Cell::new(None),
            learned: RefCell::default(),
            next_progress: Cell::new(Instant::now() + EVERY),
            n_covered: Cell::new(0),
        }))
    }

    pub fn bug(&self, key: BugKey, finding: &Finding, text: &str, goes_on: bool) {
        let found = Found { key, finding: finding.clone(), text: text.to_owned(), goes_on };
        link::send_json(&self.socket, Kind::Bug, &found);
    }

    /// Tells now and then how far this one is, and the engine what others have found.
    pub fn progress(&self, paths: u64, engine: &mut Engine<'_>) {
        let learned = self.learned.take();
        if !learned.is_empty() {
            learned.tell(engine);
        }
        if Instant::now() >= self.next_progress.get() {
            self.next_progress.set(Instant::now() + EVERY);
            self.send_progress(paths, engine);
        }
    }

    fn send_progress(&self, paths: u64, engine: &Engine<'_>) {
        let log = engine.coverage.log();
        let covered = log[self.n_covered.get()..].iter().map(|&(f, block)| (f.0, block)).collect();
        self.n_covered.set(log.len());
        let Stats { instructions, repeated, states, .. } = engine.stats;
        let states = states as u64;
        let progress = Progress { paths, instructions, repeated, states, covered };
        link::send_json(&self.socket, Kind::Progress, &progress);
    }

    /// The last words.
    pub fn done(&self, done: &Done, left: &[Route], engine: &Engine<'_>) {
        self.send_progress(done.tally.paths(), engine);
        link::send(&self.socket, Kind::Left, &routes::encode(left, &engine.pool));
        link::send_json(&self.socket, Kind::Done, done);
    }

    fn take(&self, message: Message) -> Option<Vec<u8>> {
        match message.kind {
            Kind::Routes => return Some(message.body),
            Kind::Give => self.asked.set(message.read()),
            Kind::Learn => {
                let news: Learned = message.read().unwrap_or_default();
                let mut learned = self.learned.borrow_mut();
                learned.bugs.extend(news.bugs);
                learned.covered.extend(news.covered);
            }
            _ => {}
        }
        None
    }
}

/// The exchange of a worker.
pub struct AtDesk(pub Rc<Desk>);

impl Exchange for AtDesk {
    fn wanted(&mut self) -> Option<u64> {
        let desk = &self.0;
        if desk.mail.load(Ordering::Acquire) {
            desk.mail.store(false, Ordering::Release);
            while let Ok((_, message)) = desk.inbox.try_recv() {
                desk.take(message);
            }
        }
        desk.asked.get()
    }

    fn give(&mut self, routes: Vec<Route>, pool: &Pool) {
        self.0.asked.set(None);
        link::send(&self.0.socket, Kind::Routes, &routes::encode(&routes, pool));
    }

    fn more(&mut self, pool: &mut Pool) -> Vec<Route> {
        let desk = &self.0;
        link::send(&desk.socket, Kind::Idle, &[]);
        loop {
            if desk.asked.take().is_some() {
                link::send(&desk.socket, Kind::Routes, &routes::encode(&[], pool));
            }
            let Ok((_, message)) = desk.inbox.recv() else { return Vec::new() };
            let is_over = matches!(message.kind, Kind::Stop | Kind::Gone);
            if let Some(routes) = desk.take(message) {
                return routes::decode(&routes, pool).unwrap_or_default();
            }
            if is_over {
                return Vec::new();
            }
        }
    }
}

//! The main process's side: workers, what they do, and who gets states next.

use std::cell::RefCell;
use std::fs;
use std::ops::ControlFlow;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use anyhow::{Context, Result};
use fathom_engine::hooks::Exchange;
use fathom_engine::outcome::Ended;
use fathom_engine::route::Route;
use fathom_engine::{Engine, Stats};
use fathom_expr::Pool;

use super::counts::SHARED;
use super::link::{self, Kind, Message};
use super::worker::{SOCKET, Task};
use super::{ADVANCE, Done, Found, Learned, Progress, WORTH, merge};
use crate::run::journal::{Journal, Others};
use crate::run::routes;

/// How long to wait for mail at a time, while there is nothing to do here.
const PATIENCE: Duration = Duration::from_millis(20);

/// How long to wait after nobody had anything to give.
const PAUSE: Duration = Duration::from_millis(1);

/// The workers of a run.
pub struct Crew {
    workers: Vec<Worker>,
    inbox: Receiver<(usize, Message)>,
    mail: Arc<AtomicBool>,
    interrupt: Arc<AtomicBool>,
    journal: Journal,
    /// Paths of workers that ended in a bug that was known here.
    known_ends: u64,
    /// How far this process is.
    own: Progress,
    /// For the engine here.
    learned: Learned,
    /// Entries of its log of covered blocks that were sent.
    n_covered: usize,
    /// States that came and are not yet taken.
    routes: Vec<Vec<u8>>,
    /// The workers were told that the run is over.
    is_over: bool,
}

struct Worker {
    process: Child,
    socket: UnixStream,
    out: PathBuf,
    first_state: u32,
    is_idle: bool,
    /// It was asked for states and has not answered.
    is_asked: bool,
    is_gone: bool,
    progress: Progress,
    left: Vec<u8>,
    done: Option<Done>,
}

impl Crew {
    /// Starts a worker for each task.
    pub fn hire(tasks: Vec<Task>, interrupt: Arc<AtomicBool>, journal: Journal) -> Result<Crew> {
        let (sender, inbox) = channel();
        let mail = Arc::<AtomicBool>::default();
        let shared = journal.counts.file.as_ref().expect("the main process made it").as_raw_fd();
        let hire = |(number, task)| Worker::start(number, task, shared, &sender, &mail);
        let workers = tasks.into_iter().enumerate().map(hire).collect::<Result<_>>()?;
        let (learned, routes) = (Learned::default(), Vec::new());
        let bugs = journal.known.iter().cloned().collect();
        let crew = Crew {
            workers,
            inbox,
            mail,
            interrupt,
            journal,
            known_ends: 0,
            own: Progress::default(),
            learned,
            n_covered: 0,
            routes,
            is_over: false,
        };
        crew.tell_all(None, &Learned { bugs, covered: Vec::new() });
        Ok(crew)
    }

    /// A path has ended here, or a bug was found on the way.
    pub fn path_ended(&mut self, ended: Ended, engine: &mut Engine<'_>) -> ControlFlow<()> {
        let flow = self.journal.take(ended, engine);
        let bugs = std::mem::take(&mut self.journal.found);
        if !bugs.is_empty() {
            self.tell_all(None, &Learned { bugs, covered: Vec::new() });
        }
        self.inform(engine);
        let Stats { instructions, repeated, .. } = engine.stats;
        self.own = Progress { instructions, repeated, ..Progress::default() };
        flow
    }

    /// How many instructions may be executed to come to states that change hands now, if any may.
    fn may_repeat(&self) -> Option<u64> {
        let all = self.workers.iter().map(|worker| &worker.progress).chain([&self.own]);
        let (repeated, executed) = all.fold((0, 0), |(repeated, executed), one| {
            (repeated + one.repeated, executed + one.instructions)
        });
        (executed / WORTH + ADVANCE).checked_sub(repeated).filter(|&left| left >= ADVANCE / 4)
    }

    /// Tells the engine what workers have found, and the workers what it has.
    fn inform(&mut self, engine: &mut Engine<'_>) {
        let log = engine.coverage.log();
        if log.len() > self.n_covered {
            let covered = log[self.n_covered..].iter().map(|&(f, block)| (f.0, block)).collect();
            self.n_covered = log.len();
            self.tell_all(None, &Learned { bugs: Vec::new(), covered });
        }
        if !self.learned.is_empty() {
            std::mem::take(&mut self.learned).tell(engine);
            self.n_covered = engine.coverage.log().len();
        }
    }

    /// Tells all workers but one.
    fn tell_all(&self, but: Option<usize>, learned: &Learned) {
        for (number, worker) in self.workers.iter().enumerate() {
            if Some(number) != but && !worker.is_gone {
                link::send_json(&worker.socket, Kind::Learn, learned);
            }
        }
    }

    fn read_mail(&mut self) {
        if self.mail.load(Ordering::Acquire) {
            self.mail.store(false, Ordering::Release);
            while let Ok((from, message)) = self.inbox.try_recv() {
                self.take(from, message);
            }
        }
    }

    fn take(&mut self, from: usize, message: Message) {
        let worker = &mut self.workers[from];
        match message.kind {
            Kind::Routes => {
                worker.is_asked = false;
                self.routes.push(message.body);
            }
            Kind::Idle => worker.is_idle = true,
            Kind::Bug => {
                let Some(Found { key, finding, text, goes_on }) = message.read() else { return };
                let pack = worker.out.join("tests.pack");
                if self.journal.adopt(&key, finding, &text, &pack) {
                    let news = Learned { bugs: vec![key], covered: Vec::new() };
                    self.tell_all(Some(from), &news);
                    self.learned.bugs.extend(news.bugs);
                } else if !goes_on {
                    self.known_ends += 1;
                }
            }
            Kind::Progress => {
                let Some(mut progress) = message.read::<Progress>() else { return };
                let covered = std::mem::take(&mut progress.covered);
                worker.progress = progress;
                if !covered.is_empty() {
                    let news = Learned { bugs: Vec::new(), covered };
                    self.tell_all(Some(from), &news);
                    self.learned.covered.extend(news.covered);
                }
                self.journal.others = self.seen();
            }
            Kind::Left => worker.left = message.body,
            Kind::Done => {
                worker.done = message.read();
                worker.leave();
            }
            Kind::Gone => worker.leave(),
            Kind::Task | Kind::Give | Kind::Learn | Kind::Stop => {}
        }
    }

    /// How far the workers are.
    fn seen(&self) -> Others {
        let mut sum = Others::default();
        for Worker { progress, .. } in &self.workers {
            sum.paths += progress.paths;
            sum.instructions += progress.instructions;
            sum.states += progress.states;
        }
        sum
    }

    /// Tells the workers that the run is over.
    fn stop(&mut self) {
        if !std::mem::replace(&mut self.is_over, true) {
            for worker in &self.workers {
                link::send(&worker.socket, Kind::Stop, &[]);
            }
        }
    }

    /// Ends all workers, and adds what they did to the journal, and what they left to `left`.
    pub fn dismiss(
        mut self,
        mut left: Vec<Route>,
        engine: &mut Engine<'_>,
    ) -> Result<(Journal, Vec<Route>)> {
        self.stop();
        while self.workers.iter().any(|worker| !worker.is_gone) {
            let Ok((from, message)) = self.inbox.recv() else { break };
            self.take(from, message);
        }
        self.inform(engine);
        let mut take = |bytes: &[u8], engine: &mut Engine<'_>| {
            left.extend(routes::decode(bytes, &mut engine.pool).unwrap_or_default());
        };
        for bytes in std::mem::take(&mut self.routes) {
            take(&bytes, engine);
        }
        let mut journal = self.journal;
        journal.others = Others::default();
        let mut parts = Vec::new();
        for worker in &self.workers {
            take(&worker.left, engine);
            match &worker.done {
                Some(done) => journal.add(done),
                None => {
                    let what = "a process of this run died: its paths are lost";
                    engine.ledger.record(fathom_engine::ledger::NOWHERE, what);
                }
            }
            parts.push((worker.out.clone(), worker.first_state));
        }
        journal.tally.complete -= self.known_ends;
        journal.tally.dropped += self.known_ends;
        let numbers = merge::merge(&mut journal, &parts, engine.program())?;
        journal.next_state = Some(merge::renumber(&mut left, &mut journal, numbers));
        if let Some(jobs) = parts.first().and_then(|(out, _)| out.parent()) {
            let _ = fs::remove_dir_all(jobs);
        }
        Ok((journal, left))
    }
}

impl Drop for Worker {
    /// Nobody works on after the run.
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Worker {
    /// Nothing more will come from it.
    fn leave(&mut self) {
        (self.is_gone, self.is_idle, self.is_asked) = (true, true, false);
    }

    fn start(
        number: usize,
        task: Task,
        shared: RawFd,
        sender: &Sender<(usize, Message)>,
        mail: &Arc<AtomicBool>,
    ) -> Result<Worker> {
        let (socket, theirs) = UnixStream::pair().context("a socket for --jobs")?;
        let program = std::env::current_exe().context("the path of fathom itself")?;
        let mut command = Command::new(program);
        command.args(["run", "--worker"]).stdin(Stdio::null());
        let socket_fd = theirs.as_raw_fd();
        // SAFETY: only calls that are allowed between fork and exec. Either may have the number
        // that the other is to have, so both are copied out of the way first.
        unsafe {
            command.pre_exec(move || {
                let copies = [socket_fd, shared]
                    .map(|fd| libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, SOCKET.max(SHARED) + 1));
                for (copy, number) in copies.into_iter().zip([SOCKET, SHARED]) {
                    if copy < 0 || libc::dup2(copy, number) < 0 {
                        return Err(std::io::Error::last_os_error());
                    }
                }
                Ok(())
            });
        }
        let process = command.spawn().context("starting a process for --jobs")?;
        drop(theirs);
        link::send_json(&socket, Kind::Task, &task);
        link::listen(socket.try_clone()?, number, sender.clone(), mail.clone(), || {});
        Ok(Worker {
            process,
            socket,
            out: task.out,
            first_state: task.first_state,
            is_idle: false,
            is_asked: false,
            is_gone: false,
            progress: Progress::default(),
            left: Vec::new(),
            done: None,
        })
    }
}

/// The exchange of the main process.
pub struct WithCrew(pub Rc<RefCell<Crew>>);

impl Exchange for WithCrew {
    fn wanted(&mut self) -> Option<u64> {
        let mut crew = self.0.borrow_mut();
        if crew.interrupt.load(Ordering::Relaxed) {
            // All processes put together at the same time what they leave.
            crew.stop();
        }
        crew.read_mail();
        let is_free = |worker: &Worker| worker.is_idle && !worker.is_gone;
        crew.workers.iter().any(is_free).then(|| crew.may_repeat())?
    }

    fn give(&mut self, routes: Vec<Route>, pool: &Pool) {
        let mut crew = self.0.borrow_mut();
        let is_free = |worker: &&mut Worker| worker.is_idle && !worker.is_gone;
        if !routes.is_empty()
            && let Some(worker) = crew.workers.iter_mut().find(is_free)
        {
            worker.is_idle = false;
            link::send(&worker.socket, Kind::Routes, &routes::encode(&routes, pool));
        }
    }

    fn more(&mut self, pool: &mut Pool) -> Vec<Route> {
        let mut crew = self.0.borrow_mut();
        loop {
            crew.read_mail();
            if let Some(bytes) = crew.routes.pop() {
                let routes = routes::decode(&bytes, pool).unwrap_or_default();
                if !routes.is_empty() {
                    return routes;
                }
                // It has only one itself; it will have more soon.
                std::thread::sleep(PAUSE);
                continue;
            }
            let is_busy = |worker: &Worker| !worker.is_idle || worker.is_asked;
            if !crew.workers.iter().any(is_busy) || crew.interrupt.load(Ordering::Relaxed) {
                return Vec::new();
            }
            let is_askable = |worker: &&mut Worker| !worker.is_idle && !worker.is_asked;
            if let Some(instructions) = crew.may_repeat()
                && let Some(worker) = crew.workers.iter_mut().find(is_askable)
            {
                worker.is_asked = true;
                link::send_json(&worker.socket, Kind::Give, &instructions);
            }
            match crew.inbox.recv_timeout(PATIENCE) {
                Ok((from, message)) => crew.take(from, message),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
    }
}

//! `--jobs N`: one run in several processes.
//!
//! The process that the user started explores too, and writes the results. The others are workers:
//! they get states to explore as routes, give half of what they have when somebody is idle, and tell
//! of bugs and of code they cover. At the end their tests are added to the run's.

mod counts;
mod crew;
mod link;
mod merge;
mod worker;

pub use counts::Counts;
pub use crew::Crew;
pub use worker::{Desk, Task};

use std::cell::RefCell;
use std::io::ErrorKind;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::{Context, Result};
use fathom_engine::hooks::Searchers;
use fathom_engine::outcome::Site;
use fathom_engine::route::Route;
use fathom_engine::{Begin, Engine, StateId};
use fathom_ir::{FuncId, LocId};
use fathom_report::Finding;
use serde::{Deserialize, Serialize};

use super::Args;
use super::journal::Journal;
use super::resume::Setting;
use super::tally::Tally;
use super::watch::Reason;
use crew::WithCrew;
use worker::AtDesk;

/// Of so many instructions, one may be executed to come to states that change hands; and so many
/// in any case, since half of the paths should change hands early.
const WORTH: u64 = 20;
const ADVANCE: u64 = 1 << 20;

/// A bug's place in the program's own code (function and location) and its kind.
pub type BugKey = (u32, u32, String);

/// What others have found and the engine should know.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Learned {
    pub bugs: Vec<BugKey>,
    /// Function and block.
    pub covered: Vec<(u32, u32)>,
}

impl Learned {
    pub fn is_empty(&self) -> bool {
        self.bugs.is_empty() && self.covered.is_empty()
    }

    pub fn tell(&self, engine: &mut Engine<'_>) {
        for (function, loc, kind) in &self.bugs {
            engine.learn_bug(Site { function: FuncId(*function), loc: LocId(*loc) }, kind);
        }
        let blocks: Vec<_> = self.covered.iter().map(|&(f, block)| (FuncId(f), block)).collect();
        engine.learn_covered(&blocks);
    }
}

/// A bug that a worker has found.
#[derive(Serialize, Deserialize)]
struct Found {
    key: BugKey,
    finding: Finding,
    /// As the user is told.
    text: String,
    /// It did not end its path.
    goes_on: bool,
}

/// How far a worker is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Progress {
    paths: u64,
    instructions: u64,
    /// Those of them that came to states again.
    repeated: u64,
    states: u64,
    covered: Vec<(u32, u32)>,
}

/// What a worker did.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Done {
    pub tally: Tally,
    /// States that are left, and the pending ones of them.
    pub states: u64,
    pub pending: u64,
    pub host_files: Vec<String>,
    /// Why it stopped by itself, if it did.
    pub stopped: Option<String>,
}

/// The tasks of the workers of a run in `dir`; states from `next` on are theirs to number.
pub fn tasks(args: &Args, setting: &Setting, dir: &Path, next: StateId) -> Result<Vec<Task>> {
    let dir = std::path::absolute(dir).context("the directory of the results")?.join(".jobs");
    // A part of the run that was killed may have left it.
    match std::fs::remove_dir_all(&dir) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => std::fs::create_dir(&dir),
    }
    .with_context(|| dir.display().to_string())?;
    let range = (u32::MAX - next.0) / args.jobs();
    let task = |number| Task {
        setting: setting.clone(),
        number,
        out: dir.join(number.to_string()),
        first_state: next.0 + number * range,
        max_memory: args.max_memory,
        max_instructions: args.max_instructions,
        max_tests: args.max_tests,
        jobs: args.jobs(),
    };
    Ok((1..args.jobs()).map(task).collect())
}

/// Explores with a crew. The journal with all that was done is returned, and what is left.
pub fn lead(
    crew: Crew,
    engine: &mut Engine<'_>,
    begin: Begin,
    searchers: &mut Searchers,
) -> Result<(Journal, Vec<Route>)> {
    let crew = Rc::new(RefCell::new(crew));
    let mut exchange = WithCrew(Rc::clone(&crew));
    let left = engine.explore(begin, searchers, &mut exchange, |ended, engine| {
        crew.borrow_mut().path_ended(ended, engine)
    });
    drop(exchange);
    let crew = Rc::into_inner(crew).expect("nobody else has it any more").into_inner();
    crew.dismiss(left, engine)
}

/// Explores as a worker, until the main process ends the run.
pub fn work(
    mut journal: Journal,
    desk: Rc<Desk>,
    engine: &mut Engine<'_>,
    begin: Begin,
    searchers: &mut Searchers,
) -> Result<ExitCode> {
    journal.desk = Some(Rc::clone(&desk));
    let mut exchange = AtDesk(Rc::clone(&desk));
    let left = engine.explore(begin, searchers, &mut exchange, |ended, engine| {
        let flow = journal.take(ended, engine);
        desk.progress(journal.tally.paths(), engine);
        flow
    });
    if let Some(error) = journal.error.take() {
        return Err(error.into());
    }
    journal.close(engine)?;
    let stopped = match engine.is_out_of_instructions() {
        true => Some(Reason::Instructions),
        false => journal.watch.reason().filter(|&reason| reason != Reason::Interrupted),
    };
    let done = Done {
        tally: journal.counted(engine),
        states: engine.stats.states as u64,
        pending: engine.stats.pending as u64,
        host_files: journal.opened_files(),
        stopped: stopped.map(|reason| reason.name().to_owned()),
    };
    desk.done(&done, &left, engine);
    Ok(ExitCode::SUCCESS)
}

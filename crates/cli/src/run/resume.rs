//! Going on with a run that was stopped: what it leaves behind for that, and taking it up again.
//!
//! `frontier-N.bin` has the routes to the states that the run's part N has left, `resume.json`
//! everything else. Both are there as long as there is something left to do.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Parser;
use fathom_engine::outcome::Site;
use fathom_engine::route::Route;
use fathom_engine::{Engine, StateId};
use fathom_ir::{FuncId, LocId};
use fathom_report::Finding;
use fathom_report::codec::{sealed, unsealed};
use serde::{Deserialize, Serialize};

use super::jobs::BugKey;
use super::seeds::Seeds;
use super::tally::{Tally, Times};
use super::{Args, routes};

const SAVED: &str = "resume.json";
/// What `frontier-N.bin` starts with: a name and the format's version.
const NAME: &[u8] = b"FTHFRNT";
const FORMAT: u8 = 4;

/// What a run depends on besides the program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Setting {
    /// The command line after `fathom run`.
    pub words: Vec<OsString>,
    pub directory: PathBuf,
    /// `NAME=VALUE`, as the program gets it.
    pub environment: Vec<Vec<u8>>,
    /// What the program's clock shows at the start.
    pub time: Option<Duration>,
    /// What standard input held, where it is not symbolic: it can be read only once.
    pub stdin: Vec<u8>,
    /// As they were read at the start: they decide which states there are to start from.
    pub seeds: Seeds,
}

impl Setting {
    /// Goes to where the run was started, and reads its options.
    pub fn args(&self) -> Result<Args> {
        std::env::set_current_dir(&self.directory)
            .with_context(|| self.directory.display().to_string())?;
        let words = [OsString::from("fathom"), "run".into()].into_iter();
        let words = super::separated(words.chain(self.words.iter().cloned()).collect());
        let args = Args::try_parse_from(words.into_iter().skip(1));
        let args = args.context("the words that were saved are no command line of `fathom run`")?;
        Ok(Args { time: self.time.or(args.time), words: self.words.clone(), ..args })
    }
}

/// What `resume.json` has in every version.
#[derive(Deserialize)]
struct Version {
    version: String,
}

/// What `resume.json` has.
#[derive(Serialize, Deserialize)]
pub struct Saved {
    /// fathom's version, and the program's bitcode.
    version: String,
    bitcode: String,
    pub setting: Setting,
    /// The part of the run that wrote this: it says which frontier belongs to it.
    pub part: u32,
    /// Tests in the pack, but for those of paths that were not finished.
    pub tests: u64,
    /// Bytes of `tree.bin` up to here.
    pub tree: u64,
    pub findings: Vec<Finding>,
    /// Without the times, which are in `timings.jsonl`: the same run leaves the same bytes.
    pub tally: Tally,
    /// The next state's number.
    next_state: u32,
    pub bugs: Vec<BugKey>,
    /// Function and number of the blocks that were entered.
    covered: Vec<(u32, u32)>,
}

/// A run to go on with.
pub struct Resumed {
    pub dir: PathBuf,
    pub saved: Saved,
    frontier: Vec<u8>,
}

/// Reads what the run in `dir` left.
pub fn open(dir: &Path) -> Result<Resumed> {
    let run = fathom_report::find_run(dir)?;
    let dir = fs::canonicalize(&run.dir).with_context(|| run.dir.display().to_string())?;
    let path = dir.join(SAVED);
    if !path.exists() {
        if dir.join("summary.json").exists() {
            bail!(
                "{}: there is nothing to resume, the run is finished or never began",
                dir.display()
            );
        }
        bail!(
            "{}: the run was killed before it could write down where it was; start it again",
            dir.display()
        );
    }
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let damaged = || format!("{} is damaged", path.display());
    let Version { version } = serde_json::from_str(&text).with_context(damaged)?;
    if version != env!("CARGO_PKG_VERSION") {
        bail!(
            "{}: the run was made by fathom {version}, this is {}",
            dir.display(),
            env!("CARGO_PKG_VERSION")
        );
    }
    let mut saved: Saved = serde_json::from_str(&text).with_context(damaged)?;
    saved.tally.times = fathom_report::total_timing(&dir)?.map(Times::from).unwrap_or_default();
    let path = frontier_of(&dir, saved.part);
    let frontier = fs::read(&path).with_context(|| path.display().to_string())?;
    Ok(Resumed { dir, saved, frontier })
}

impl Resumed {
    /// The options of the run that was stopped, with the limits of the new one.
    pub fn args(&self, new: &Args) -> Result<Args> {
        const LIMITS: [&str; 10] = [
            "--resume",
            "--max-time",
            "--max-cpu",
            "--max-memory",
            "--max-instructions",
            "--max-tests",
            "--max-solver-time",
            "--max-solver-steps",
            "--jobs",
            "--stats",
        ];
        let is_option = |word: &&OsString| word.to_string_lossy().starts_with("--");
        let other = new.words.iter().filter(is_option).find(|word| {
            let word = word.to_string_lossy();
            let name = word.split('=').next().unwrap_or_default();
            !LIMITS.contains(&name)
        });
        if let Some(other) = other {
            bail!(
                "--resume goes on with the options of the run; only limits on time, memory, \
                 instructions, tests and the solver, --jobs and --stats may be given beside it, \
                 not {}",
                other.to_string_lossy()
            );
        }
        let args = self.saved.setting.args()?;
        let solver_limits = match (new.max_solver_time, new.max_solver_steps) {
            (None, None) => (args.max_solver_time, args.max_solver_steps),
            new => new,
        };
        Ok(Args {
            max_time: new.max_time,
            max_cpu: new.max_cpu,
            max_memory: new.max_memory,
            max_instructions: new.max_instructions,
            max_tests: new.max_tests,
            max_solver_time: solver_limits.0,
            max_solver_steps: solver_limits.1,
            jobs: new.jobs.or(args.jobs),
            stats: new.stats,
            ..args
        })
    }

    /// Tells the engine what the run knows, and returns the routes to what is left, from its
    /// `n_roots` first states.
    pub fn carry_on(
        &self,
        engine: &mut Engine<'_>,
        bitcode: &str,
        n_roots: usize,
    ) -> Result<Vec<Route>> {
        let Saved { bugs, covered, next_state, .. } = &self.saved;
        if self.saved.bitcode != bitcode {
            bail!(
                "{}: the program has changed since: it was built again, or differently",
                self.dir.display()
            );
        }
        for (function, loc, kind) in bugs {
            engine.learn_bug(Site { function: FuncId(*function), loc: LocId(*loc) }, kind);
        }
        let covered: Vec<_> = covered.iter().map(|&(f, block)| (FuncId(f), block)).collect();
        engine.learn_covered(&covered);
        engine.number_states_from(StateId(*next_state));
        let path = frontier_of(&self.dir, self.saved.part);
        let body = match self.frontier.strip_prefix(NAME).and_then(<[u8]>::split_first) {
            Some((&FORMAT, body)) => unsealed(body),
            Some((format, _)) => bail!(
                "{} has format {format}, which another version of fathom made; this one reads \
                 {FORMAT}",
                path.display()
            ),
            None => None,
        };
        let routes = body.and_then(|body| routes::decode(body, &mut engine.pool));
        let routes = routes.with_context(|| format!("{} is damaged", path.display()))?;
        if routes.iter().any(|route| route.root as usize >= n_roots) {
            bail!("{}: the run started in states that there are not now", path.display());
        }
        Ok(routes)
    }
}

/// What is to be saved besides what the engine knows.
pub struct Save<'a> {
    pub bitcode: &'a str,
    pub setting: &'a Setting,
    pub part: u32,
    pub tests: u64,
    pub tree: u64,
    pub findings: &'a [Finding],
    pub tally: Tally,
    pub next_state: u32,
}

/// Writes down what is left of a run in `dir`; nothing, if nothing is.
pub fn save(dir: &Path, save: Save<'_>, left: &[u8], engine: &Engine<'_>) -> Result<()> {
    let known = engine.known_bugs();
    let mut bugs: Vec<BugKey> =
        known.map(|(site, kind)| (site.function.0, site.loc.0, kind.to_owned())).collect();
    bugs.sort();
    let saved = Saved {
        version: env!("CARGO_PKG_VERSION").into(),
        bitcode: save.bitcode.into(),
        setting: save.setting.clone(),
        part: save.part,
        tests: save.tests,
        tree: save.tree,
        findings: save.findings.to_vec(),
        tally: Tally { times: Times::default(), ..save.tally },
        next_state: save.next_state,
        bugs,
        covered: engine.coverage.log().iter().map(|&(f, block)| (f.0, block)).collect(),
    };
    let frontier = [NAME, &[FORMAT], &sealed(left)].concat();
    fathom_report::replace_file(&frontier_of(dir, save.part), frontier)?;
    // From here on this part counts, and the one before it does not.
    let text = serde_json::to_string(&saved).expect("plain data") + "\n";
    // It has the environment, in which there may be secrets.
    fathom_report::replace_private_file(&dir.join(SAVED), text)?;
    forget_frontiers(dir, Some(save.part));
    Ok(())
}

/// There is something left to do.
pub fn is_possible(dir: &Path) -> bool {
    dir.join(SAVED).exists()
}

/// There is nothing left to do.
pub fn forget(dir: &Path) {
    let _ = fs::remove_file(dir.join(SAVED));
    forget_frontiers(dir, None);
}

/// Where the run's part number `part` says what it has left.
fn frontier_of(dir: &Path, part: u32) -> PathBuf {
    dir.join(format!("frontier-{part}.bin"))
}

/// Removes what all parts of the run have left, but for part `but`.
fn forget_frontiers(dir: &Path, but: Option<u32>) {
    let kept = but.map(|part| frontier_of(dir, part));
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let is_frontier = entry.file_name().as_encoded_bytes().starts_with(b"frontier-");
        if is_frontier && Some(entry.path()) != kept {
            let _ = fs::remove_file(entry.path());
        }
    }
}

//! `bench seed-path`: when the seed's path through sqlite3 is complete, and which keywords come after it.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::Value;

use super::plan::{Config, Mode, Plan, Start, Strategy, subjects};
use crate::process::Run;
use crate::real::Packages;
use crate::results::{grouped, write_section};
use crate::tree::{Scratch, Tree};
use crate::{json, pool};

const TITLE: &str = "# The seed's path through sqlite3";
/// How long each mode has, and whether the seed's path must be complete by then.
const MODES: [(Mode, u32, bool); 3] =
    [(Mode::Pending, 600, true), (Mode::Relaxed, 60, true), (Mode::Eager, 600, false)];

/// What is run of a mode: until the first test, or for its whole time.
#[derive(Clone, Copy, PartialEq)]
enum Until {
    FirstTest,
    Time,
}

/// One mode, measured.
#[derive(Default)]
struct Measured {
    /// CPU seconds until the seed's path was complete.
    seed_seconds: Option<f64>,
    complete_paths: u64,
    covered: u64,
    keywords: BTreeSet<String>,
}

struct Subject {
    program: PathBuf,
    words: Vec<String>,
    seed_dir: PathBuf,
    seed: Vec<u8>,
    keywords: Vec<String>,
}

pub fn run(tree: &Tree) -> Result<bool, String> {
    let subject = subject(tree)?;
    let runs: Vec<(usize, Until)> =
        (0..MODES.len()).flat_map(|mode| [(mode, Until::FirstTest), (mode, Until::Time)]).collect();
    let measured = Mutex::new(MODES.map(|_| Measured::default()));
    let tally = pool::run_all(
        &runs,
        |(mode, _)| format!("sqlite3 {}", MODES[*mode].0.name()),
        |&(mode, until)| {
            let scratch = Scratch::new()?;
            let seconds = explore(tree, &subject, mode, until, &scratch)?;
            let out = scratch.path().join("out");
            let summary: Value = json::object(&out.join("summary.json"))?;
            let complete_paths = summary["complete_paths"].as_u64().unwrap_or(0);
            let of_mode = &mut measured.lock().expect("no run panics while adding")[mode];
            match until {
                Until::FirstTest => {
                    let is_seed = complete_paths > 0 && first_input(&out)? == subject.seed;
                    of_mode.seed_seconds = is_seed.then_some(seconds);
                }
                Until::Time => {
                    of_mode.complete_paths = complete_paths;
                    of_mode.covered = summary["coverage"]["instructions"].as_u64().unwrap_or(0);
                    of_mode.keywords = keywords_in(&out, &subject)?;
                }
            }
            Ok(())
        },
    );
    let measured = measured.into_inner().expect("no run panics while adding");
    let (section, met) = render(&subject, &measured);
    print!("{section}");
    write_section(tree, &section)?;
    Ok(met && tally.failed == 0)
}

fn subject(tree: &Tree) -> Result<Subject, String> {
    let sqlite = subjects(&["sqlite3"])?[0];
    let packages = Packages::load(tree)?;
    let built = packages.build(tree, packages.named(sqlite.package)?, "")?;
    let seed = sqlite.seed(tree, 1, &tree.cache)?;
    let path = seed.dir.join("stdin");
    let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Subject {
        program: built.program(sqlite.name)?,
        words: sqlite.symbolic(seed.size),
        seed_dir: seed.dir,
        seed: bytes,
        keywords: keywords(&built.source.join("tool/mkkeywordhash.c"))?,
    })
}

/// The keywords that sqlite's own source lists, one to a line: `{ "ABORT", …`.
fn keywords(source: &Path) -> Result<Vec<String>, String> {
    let text =
        fs::read_to_string(source).map_err(|error| format!("{}: {error}", source.display()))?;
    let listed = text.lines().filter_map(|line| line.trim().strip_prefix("{ \""));
    Ok(listed.filter_map(|rest| rest.split('"').next()).map(str::to_string).collect())
}

/// Runs one mode; returns its CPU seconds.
fn explore(
    tree: &Tree,
    subject: &Subject,
    mode: usize,
    until: Until,
    scratch: &Scratch,
) -> Result<f64, String> {
    let (mode, cpu_seconds, _) = MODES[mode];
    let config = Config { mode, strategy: Strategy::RandomPath, start: Start::Seed(1) };
    let plan = Plan {
        subject: subjects(&["sqlite3"])?[0],
        config,
        rng_seed: 1,
        cpu_seconds,
        faults: false,
    };
    let mut run = Run::new(&tree.fathom, &scratch.fresh_work()?)
        .args(["run", "--no-replay", "--out", "../out"])
        .args(plan.options())
        .arg("--seed")
        .arg(&subject.seed_dir);
    if until == Until::FirstTest {
        run = run.args(["--max-tests", "1"]);
    }
    let timeout = u64::from(cpu_seconds) * 10;
    let ended =
        run.arg(&subject.program).args(&subject.words).plain_env(&[]).timeout(timeout).run()?;
    match ended.status {
        0 | 1 => Ok(ended.cpu_seconds),
        _ => Err(ended.said()),
    }
}

fn first_input(out: &Path) -> Result<Vec<u8>, String> {
    let path = out.join("tests/000001/stdin");
    fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Keywords in inputs of complete paths with new coverage that the seed does not have.
fn keywords_in(out: &Path, subject: &Subject) -> Result<BTreeSet<String>, String> {
    let mut found = BTreeSet::new();
    let dir = out.join("tests");
    let entries = fs::read_dir(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    for entry in entries.flatten() {
        let meta: Value = json::object(&entry.path().join("meta.json"))?;
        if meta["outcome"] == "exit" {
            let input = fs::read(entry.path().join("stdin")).unwrap_or_default();
            found.extend(words(&input));
        }
    }
    let in_seed = words(&subject.seed);
    found.retain(|word| subject.keywords.contains(word) && !in_seed.contains(word));
    Ok(found)
}

/// Runs of letters and underscores, in capitals.
fn words(text: &[u8]) -> BTreeSet<String> {
    let is_other = |byte: &u8| !byte.is_ascii_alphabetic() && *byte != b'_';
    let words = text.split(is_other).filter(|word| !word.is_empty());
    words.map(|word| String::from_utf8_lossy(word).to_ascii_uppercase()).collect()
}

fn render(subject: &Subject, measured: &[Measured]) -> (String, bool) {
    let mut out = format!(
        "{TITLE}\n\n\
         Written by `./x bench seed-path`: sqlite3, random-path, with the seed `{}`. CPU s until the \
         seed's path is complete; then paths, covered instructions, and keywords of SQL, not the \
         seed's, in inputs of complete paths that cover new code, after the whole time.\n\n\
         | mode | CPU s | seed's path complete after | complete paths | covered | new keywords |\n\
         |---|---|---|---|---|---|\n",
        String::from_utf8_lossy(&subject.seed).trim_end(),
    );
    let mut requirements = String::new();
    let mut met = true;
    for ((mode, limit, required), run) in MODES.into_iter().zip(measured) {
        let keywords: Vec<&str> = run.keywords.iter().map(String::as_str).collect();
        let seconds = run.seed_seconds.map_or("not".to_string(), |it| format!("{it:.1}"));
        let _ = writeln!(
            out,
            "| {} | {limit} | {seconds} | {} | {} | {} |",
            mode.name(),
            grouped(run.complete_paths),
            grouped(run.covered),
            keywords.join(" "),
        );
        if required {
            // The process itself ends a little after its limit.
            let is_in_time = run.seed_seconds.is_some_and(|it| it <= f64::from(limit) + 1.0);
            let holds = is_in_time && !keywords.is_empty();
            met &= holds;
            let verdict = if holds { "met" } else { "NOT met" };
            let name = mode.name();
            let _ = writeln!(
                requirements,
                "* {name}: the seed's path complete in {limit} CPU s, and new keywords: {verdict}"
            );
        }
    }
    (format!("{out}\n{requirements}"), met)
}

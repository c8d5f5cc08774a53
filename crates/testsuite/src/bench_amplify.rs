//! `bench amplify`: the test suites of real packages, as they are, amplified.
//!
//! A suite is `bench/suites/<name>.toml`; its figures of the last run are kept beside it as
//! `<name>.json`, so that suites can be run one by one. The results themselves, with every input
//! that shows a bug, stay in the cache as `amplified/<name>`.

mod overhead;
mod suites;
mod tables;

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::amplified::Amplified;
use crate::process::{Ended, Run};
use crate::real::{Built, Packages};
use crate::results::write_section;
use crate::tree::Tree;
use crate::verdicts::Verdicts;
use overhead::Overheads;
use suites::Suite;

/// Longest time of a suite by itself.
const TIMEOUT: u64 = 3600;

/// The figures of a suite.
#[derive(Serialize, Deserialize)]
struct Figures {
    /// Seconds given to the analysis, and processes.
    seconds: u64,
    jobs: u64,
    /// What became of the tests by themselves and while the programs recorded themselves, and the
    /// tests whose results are not the same.
    without: String,
    with: String,
    differences: Vec<String>,
    /// The suite's wall time by itself, best of before and after; while recording it is in what
    /// follows.
    native_seconds: f64,
    overheads: Overheads,
    amplified: Amplified,
}

pub fn run(tree: &Tree, words: &[&str]) -> Result<bool, String> {
    let (seconds, names) = match words {
        ["--seconds", seconds, names @ ..] => {
            let seconds = seconds.parse().map_err(|_| "--seconds wants a number".to_string())?;
            (Some(seconds), names)
        }
        names => (None, names),
    };
    if let Some(name) = names.iter().find(|name| name.starts_with('-')) {
        return Err(format!("no option {name}"));
    }
    let packages = Packages::load(tree)?;
    for mut suite in suites::load(tree, names)? {
        eprintln!("{}", suite.name);
        suite.seconds = seconds.unwrap_or(suite.seconds);
        let built = packages.build(tree, packages.named(&suite.package)?, "")?;
        let figures = measure(tree, &built, &suite);
        let figures = figures.map_err(|message| format!("{}: {message}", suite.name))?;
        // A shorter run is only shown.
        if seconds.is_some() {
            print!("{}", tables::render(&[(suite.name, figures)]).0);
        } else {
            suites::write(tree, &suite.name, &figures)?;
        }
    }
    let (section, met) = tables::render(&suites::figures(tree)?);
    if seconds.is_none() {
        print!("{section}");
        write_section(tree, &section)?;
    }
    Ok(met)
}

fn measure(tree: &Tree, built: &Built, suite: &Suite) -> Result<Figures, String> {
    if !suite.prepare.is_empty() {
        let ended = script(built, &suite.prepare)?;
        if ended.status != 0 {
            return Err(ended.said());
        }
    }
    let before = script(built, &suite.run)?;
    let out = tree.cache.join("amplified").join(&suite.name);
    if out.exists() {
        fs::remove_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    }
    let with = amplify(tree, built, suite, &out)?;
    let after = script(built, &suite.run)?;
    let (without, with) = (verdicts(&before)?, verdicts(&with)?);
    Ok(Figures {
        seconds: suite.seconds,
        jobs: suite.jobs,
        without: without.text(),
        with: with.text(),
        differences: without.differences(&with),
        native_seconds: before.seconds.min(after.seconds),
        overheads: Overheads::read(&out)?,
        amplified: Amplified::read(&out, &built.source)?,
    })
}

fn script(built: &Built, text: &str) -> Result<Ended, String> {
    Run::new("/bin/sh", &built.source).args(["-c", text]).env("LC_ALL", "C").timeout(TIMEOUT).run()
}

fn amplify(tree: &Tree, built: &Built, suite: &Suite, out: &Path) -> Result<Ended, String> {
    let programs = suite.programs.iter().flat_map(|program| ["--program", program]);
    let ended = Run::new(&tree.fathom, &built.source)
        .arg("amplify")
        .args(programs)
        .args(["--jobs", &suite.jobs.to_string(), "--budget", &format!("{}s", suite.seconds)])
        .arg("--out")
        .arg(out)
        .args(["--", "/bin/sh", "-c", &suite.run])
        .env("LC_ALL", "C")
        .timeout(TIMEOUT + 2 * suite.seconds)
        .run()?;
    match ended.status {
        0 | 1 => Ok(ended),
        _ => Err(ended.said()),
    }
}

fn verdicts(ended: &Ended) -> Result<Verdicts, String> {
    let verdicts = Verdicts::parse(&ended.stdout);
    if verdicts.is_empty() {
        return Err(format!("no verdict on any test in its output\n{}", ended.said()));
    }
    Ok(verdicts)
}

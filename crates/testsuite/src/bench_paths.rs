//! `bench paths`: symbolic micro-programs, explored to the end, against the reference's figures.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use fathom_report::Summary;

use crate::process::{Ended, Run};
use crate::results::write_section;
use crate::tree::{Scratch, Tree};

/// CPU time is that of the fastest run.
const ROUNDS: usize = 3;
/// The reference's time is divided by this; who needs less than `ENOUGH_SECONDS` has passed too.
const SPEEDUP: f64 = 10.0;
const ENOUGH_SECONDS: f64 = 0.2;
/// Who takes less than this may take more than the reference.
const ENOUGH_MB: f64 = 150.0;

/// A program of `bench/programs/paths`, what must come out, and what the reference took for it.
struct Subject {
    name: &'static str,
    source: &'static str,
    flags: &'static [&'static str],
    /// Tests written: every path that ends by itself, one path for every bug.
    paths: u64,
    /// Kinds of the bugs, sorted.
    bugs: &'static [&'static str],
    reference: &'static str,
    reference_seconds: f64,
    reference_mb: Option<f64>,
    required: bool,
}

/// The figure program with so many bytes, for information.
const fn figure(
    name: &'static str,
    flags: &'static [&'static str],
    paths: u64,
    reference: &'static str,
    reference_seconds: f64,
    reference_mb: Option<f64>,
) -> Subject {
    Subject {
        name,
        source: "figure.c",
        flags,
        paths,
        bugs: &["assertion"],
        reference,
        reference_seconds,
        reference_mb,
        required: false,
    }
}

const SUBJECTS: [Subject; 7] = [
    Subject {
        name: "2^14 paths",
        source: "p14.c",
        flags: &[],
        paths: 1 << 14,
        bugs: &[],
        reference: "16,384 paths",
        reference_seconds: 3.1,
        reference_mb: Some(102.0),
        required: true,
    },
    Subject {
        name: "2^16 paths",
        source: "p16.c",
        flags: &[],
        paths: 1 << 16,
        bugs: &[],
        reference: "65,536 paths",
        reference_seconds: 15.1,
        reference_mb: Some(206.0),
        required: true,
    },
    // Running all 10^7 patterns of the characters that matter natively gives 6,802 different paths
    // that stay inside the pattern and 890 that leave it, at two places.
    Subject {
        name: "regexp matcher",
        source: "regexp.c",
        flags: &[],
        paths: 6802 + 2,
        bugs: &["out-of-bounds-read", "out-of-bounds-read"],
        reference: "6,675 paths + 763, 2 errors",
        reference_seconds: 13.3,
        reference_mb: Some(97.0),
        required: true,
    },
    // One pass sorts 8 of the 24 orders.
    Subject {
        name: "sorts of 4 ints",
        source: "sort.c",
        flags: &[],
        paths: 8 + 1,
        bugs: &["assertion"],
        reference: "8 paths + 16, 1 assertion",
        reference_seconds: 0.46,
        reference_mb: Some(69.0),
        required: true,
    },
    figure("figure, 4 bytes", &["-DLENGTH=4"], (1 << 6) + 1, "first assertion only", 0.3, None),
    figure("figure, 6 bytes", &["-DLENGTH=6"], (1 << 10) + 1, "first assertion only", 2.0, None),
    figure(
        "figure, 8 bytes",
        &["-DLENGTH=8"],
        (1 << 14) + 1,
        "first assertion only",
        19.2,
        Some(252.0),
    ),
];

/// The run with the least CPU time.
struct Measured {
    subject: &'static Subject,
    summary: Summary,
    cpu_seconds: f64,
    peak_mb: f64,
}

impl Measured {
    fn max_seconds(&self) -> f64 {
        (self.subject.reference_seconds / SPEEDUP).max(ENOUGH_SECONDS)
    }

    fn max_mb(&self) -> f64 {
        self.subject.reference_mb.unwrap_or(0.0).max(ENOUGH_MB)
    }

    fn result_is_right(&self) -> bool {
        let summary = &self.summary;
        let mut bugs: Vec<&str> = summary.bugs.iter().map(|bug| bug.site.kind.as_str()).collect();
        bugs.sort_unstable();
        let paths = self.subject.paths;
        summary.exhaustive
            && summary.complete_paths == paths
            && summary.tests == paths
            && bugs == self.subject.bugs
    }
}

pub fn run(tree: &Tree) -> Result<bool, String> {
    let scratch = Scratch::new()?;
    let mut results = Vec::new();
    for subject in &SUBJECTS {
        eprintln!("exploring {}", subject.name);
        let program = compile(tree, &scratch, subject)?;
        results.push(measure(tree, &scratch, subject, &program)?);
    }
    let (section, met) = render(&results);
    print!("{section}");
    write_section(tree, &section)?;
    Ok(met)
}

fn compile(tree: &Tree, scratch: &Scratch, subject: &Subject) -> Result<PathBuf, String> {
    let program = scratch.path().join("program");
    let ended = Run::new(&tree.fathom, &tree.repo.join("bench/programs/paths"))
        .args(["cc", "-O0", "-g", subject.source, "-o"])
        .arg(&program)
        .args(subject.flags)
        .run()?;
    match ended.status {
        0 => Ok(program),
        _ => Err(said(subject, &ended)),
    }
}

fn measure(
    tree: &Tree,
    scratch: &Scratch,
    subject: &'static Subject,
    program: &Path,
) -> Result<Measured, String> {
    let mut best: Option<Measured> = None;
    for _ in 0..ROUNDS {
        let work = scratch.fresh_work()?;
        let ended = Run::new(&tree.fathom, &work)
            .args(["run", "--out", "out"])
            .arg(program)
            .plain_env(&[])
            .timeout(300)
            .run()?;
        let text = fs::read_to_string(work.join("out/summary.json"));
        let text = text.map_err(|_| said(subject, &ended))?;
        let summary =
            serde_json::from_str(&text).map_err(|error| format!("bad summary: {error}"))?;
        let cpu_seconds = ended.cpu_seconds;
        if best.as_ref().is_none_or(|best| cpu_seconds < best.cpu_seconds) {
            let peak_mb = ended.peak_kib as f64 / 1024.0;
            best = Some(Measured { subject, summary, cpu_seconds, peak_mb });
        }
    }
    best.ok_or_else(|| "no rounds".to_string())
}

fn said(subject: &Subject, ended: &Ended) -> String {
    let stderr = String::from_utf8_lossy(&ended.stderr);
    format!("{}: status {}\n{stderr}", subject.name, ended.status)
}

/// The section of the results, and whether all requirements are met.
fn render(results: &[Measured]) -> (String, bool) {
    let mut out = format!(
        "# Paths: symbolic micro-programs\n\n\
         Written by `./x bench paths`. `fathom run` of programs that `fathom-cc -O0` has built, to the \
         end of all paths, every test in the pack, the ones with new coverage replayed natively. CPU \
         time is user and system time of the whole process, native replays included, the best of \
         {ROUNDS} runs. The figure program (pending constraints) is for information: fathom's time is \
         that of all its paths, the reference's that of the first assertion failure.\n\n\
         | program | paths | bugs | exhaustive | M instructions | queries | CPU s | reference CPU s | \
         times faster | MB | reference MB | reference's result |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|\n"
    );
    for result in results {
        let Measured { subject, summary, .. } = result;
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {:.2} | {} | {:.2} | {:.2} | {:.0} | {:.0} | {} | {} |",
            subject.name,
            summary.complete_paths,
            summary.bugs.len(),
            if summary.exhaustive { "yes" } else { "NO" },
            summary.instructions as f64 / 1e6,
            summary.solver.queries,
            result.cpu_seconds,
            subject.reference_seconds,
            subject.reference_seconds / result.cpu_seconds,
            result.peak_mb,
            subject.reference_mb.map_or(String::new(), |mb| format!("{mb:.0}")),
            subject.reference,
        );
    }
    out.push('\n');
    let mut met = true;
    for result in results.iter().filter(|result| result.subject.required) {
        let Subject { name, paths, bugs, .. } = result.subject;
        let mut require = |text: String, holds: bool| {
            let _ = writeln!(out, "* {name}: {text}: {}", if holds { "met" } else { "NOT met" });
            met &= holds;
        };
        let n_bugs = bugs.len();
        require(
            format!("exhaustive with exactly {paths} paths in the pack, {n_bugs} of them bugs"),
            result.result_is_right(),
        );
        let (used, max) = (result.cpu_seconds, result.max_seconds());
        require(format!("{used:.2} CPU s, required at most {max:.2}"), used <= max);
        let (used, max) = (result.peak_mb, result.max_mb());
        require(format!("{used:.0} MB, required at most {max:.0}"), used <= max);
    }
    (out, met)
}

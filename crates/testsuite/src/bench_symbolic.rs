//! `bench symbolic`: real programs with symbolic input for a while, beside the reference's figures.
//!
//! The section of the results keeps the rows of programs that a run leaves out.

mod requirements;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use fathom_report::{LedgerEntry, Sample, Summary, Timing};
use serde::Deserialize;

use crate::process::Run;
use crate::real::Packages;
use crate::results::{grouped, read_section, share, write_section};
use crate::tree::{Scratch, Tree};
use crate::{json, pool};

const TITLE: &str = "# Symbolic programs";
/// Two arguments, a file and standard input.
const TOOL_INPUT: &[&str] =
    &["--sym-args", "0", "2", "4", "--sym-files", "1", "8", "--sym-stdin", "8"];
/// Standard input alone.
const LANGUAGE_INPUT: &[&str] = &["--sym-stdin", "20"];

/// A program, and the reference's row for it where there is one.
struct Subject {
    name: &'static str,
    package: &'static str,
    /// Its own sources, as the end of their directory's path.
    own_dir: &'static str,
    input: &'static [&'static str],
    cpu_seconds: u32,
    reference: Option<&'static str>,
}

const fn coreutil(name: &'static str, reference: Option<&'static str>) -> Subject {
    let package = "coreutils";
    Subject { name, package, own_dir: "src", input: TOOL_INPUT, cpu_seconds: 60, reference }
}

const fn language(name: &'static str, own_dir: &'static str, reference: &'static str) -> Subject {
    let (input, reference) = (LANGUAGE_INPUT, Some(reference));
    Subject { name, package: name, own_dir, input, cpu_seconds: 120, reference }
}

/// References: instructions, complete paths, live states, SMT queries, solver share, own covered,
/// (package), memory.
const SUBJECTS: [Subject; 10] = [
    coreutil("echo", Some("12.9 | 7,355 | 3,072 | 251 | 25 % | 76 % | | 186")),
    coreutil("cat", Some("1.2 | 67 | 2,973 | 2,511 | 91 % | 77 % | | 2,284")),
    coreutil("base64", Some("1.7 | 103 | 8,012 | 3,611 | 85 % | 90 % | | 291")),
    coreutil("tr", Some("5.7 | 446 | 17,628 | 1,826 | 57 % | 62 % | | 539")),
    coreutil("cut", Some("5.8 | 476 | 7,042 | 2,438 | 69 % | 74 % | | 293")),
    coreutil("seq", None),
    coreutil("expr", None),
    coreutil("printf", None),
    language("bc", "bc", "0.05 | 0 | 74 | 297 | 99.7 % | 11.3 % | | 143"),
    language("m4", "src", "11.0 | 0 | 391 | 1,800 | 79 % | 9.6 % | | 176"),
];

/// What the ledger of these programs may say, and what it means.
const EXPLANATIONS: [(&str, &str); 13] = [
    (
        "a path was not followed to its end: the run was stopped",
        "the states alive when the time was over",
    ),
    (
        "nobody asked whether a path is possible: the run was stopped",
        "the pending states when the time was over, sleeping ones among them",
    ),
    (
        "concretised: bytes given to the system",
        "a system call read symbolic bytes, such as the name of a file to open: the path goes on with the \
         bytes of its own test, and the other names are left out",
    ),
    (
        "concretised: the address of a block of memory",
        "`memcpy` and its like with a symbolic address: the path goes on with one of the addresses",
    ),
    (
        "concretised: floating point in software",
        "arithmetic on `long double`, which the solver's theory of floats does not have: one value each",
    ),
    (
        "concretised: the size of a large object",
        "a symbolic size of an allocation beyond what is kept symbolic: one size",
    ),
    ("concretised: ", "one value was taken where the engine has no symbolic form"),
    (
        "only the beginning of what the program prints is kept",
        "the output kept with a path is limited; the program runs on unaffected",
    ),
    (
        "the solver did not decide",
        "a query was cut off, by its own limit or by the end of the run: the side that the path's own \
         test takes was followed alone",
    ),
    ("a pointer may lead to more than", "the objects beyond the limit were left out"),
    ("symbolic lengths of more than", "longer copies than the limit were left out"),
    ("more than", "the values beyond the limit were left out"),
    ("process creation is not supported", "the program was told that it cannot start a process"),
];

/// A line of `fathom replay --json`.
#[derive(Deserialize)]
struct Replayed {
    test: String,
    verdict: String,
    reason: String,
}

/// A run that has ended, with its tests replayed.
struct Measured {
    summary: Summary,
    timing: Timing,
    smt_queries: u64,
    /// Share of the instructions covered: of the program's own directory, of the whole package.
    own: f64,
    package: f64,
    cpu_seconds: f64,
    peak_mb: f64,
    /// Counts and numbers of places, by text.
    ledger: BTreeMap<String, (u64, u64)>,
    confirmed: usize,
    not_observable: usize,
    mismatches: usize,
}

pub fn run(tree: &Tree, names: &[&str]) -> Result<bool, String> {
    let is_chosen = |subject: &&Subject| names.is_empty() || names.contains(&subject.name);
    let chosen: Vec<&Subject> = SUBJECTS.iter().filter(is_chosen).collect();
    if let Some(name) = names.iter().find(|name| !chosen.iter().any(|it| it.name == **name)) {
        return Err(format!("no program {name} in this benchmark"));
    }
    let packages = Packages::load(tree)?;
    let mut programs: HashMap<&str, PathBuf> = HashMap::new();
    for subject in &chosen {
        let built = packages.build(tree, packages.named(subject.package)?, "")?;
        programs.insert(subject.name, built.program(subject.name)?);
    }
    let writing = Mutex::new(());
    let tally = pool::run_all(
        &chosen,
        |subject| subject.name.to_string(),
        |subject| {
            let measured = measure(tree, subject, &programs[subject.name])?;
            let lines = lines(subject, &measured);
            eprint!("{lines}");
            let _guard = writing.lock().expect("no run panics while writing");
            let section = render(subject.name, &lines, &read_section(tree, TITLE)?);
            write_section(tree, &section)?;
            check(&measured)
        },
    );
    let section = read_section(tree, TITLE)?;
    print!("{section}");
    let (_, met) = requirements::requirements(&section);
    Ok(tally.finish() && met)
}

fn measure(tree: &Tree, subject: &Subject, program: &Path) -> Result<Measured, String> {
    let scratch = Scratch::new()?;
    let work = scratch.fresh_work()?;
    let seconds = subject.cpu_seconds;
    let ended = Run::new(&tree.fathom, &work)
        .args(["run", "--out", "../out", "--max-cpu", &seconds.to_string()])
        .arg(program)
        .args(subject.input)
        .plain_env(&[])
        .timeout(u64::from(seconds) * 10)
        .run()?;
    let out = scratch.path().join("out");
    if !matches!(ended.status, 0 | 1) || !out.join("summary.json").exists() {
        return Err(ended.said());
    }
    let summary: Summary = json::object(&out.join("summary.json"))?;
    let samples: Vec<Sample> = json::lines(&out.join("stats.jsonl"))?;
    let timings: Vec<Timing> = json::lines(&out.join("timings.jsonl"))?;
    let replays = replay(tree, &scratch, program)?;
    let verdicts = |verdict: &str| replays.iter().filter(|row| row.verdict == verdict).count();
    let own = summary.coverage.files.iter().filter(|file| {
        Path::new(&file.path).parent().is_some_and(|dir| dir.ends_with(subject.own_dir))
    });
    let (covered, all) =
        own.fold((0, 0), |sum, file| (sum.0 + file.covered, sum.1 + file.instructions));
    Ok(Measured {
        own: share(covered, all),
        package: share(summary.coverage.instructions, summary.coverage.instructions_total),
        smt_queries: samples.last().map_or(0, |sample| sample.solver_queries),
        timing: timings.into_iter().rfind(|it| it.what == "total").unwrap_or_default(),
        cpu_seconds: ended.cpu_seconds,
        peak_mb: ended.peak_kib as f64 / 1024.0,
        ledger: ledger(&json::lines(&out.join("ledger.jsonl"))?),
        confirmed: verdicts("confirmed"),
        not_observable: verdicts("not-observable"),
        mismatches: verdicts("mismatch"),
        summary,
    })
}

/// Runs the plain tests and the bugs natively; mismatches are shown.
fn replay(tree: &Tree, scratch: &Scratch, program: &Path) -> Result<Vec<Replayed>, String> {
    let work = scratch.fresh_work()?;
    let holds_tests =
        |dir: &&str| fs::read_dir(work.join(dir)).is_ok_and(|mut it| it.next().is_some());
    let ended = Run::new(&tree.fathom, &work)
        .args(["replay", "--json"])
        .arg(program)
        .args(["../out/tests", "../out/bugs"].iter().filter(|dir| holds_tests(dir)))
        .plain_env(&[])
        .timeout(600)
        .run()?;
    if !matches!(ended.status, 0 | 1) {
        return Err(ended.said());
    }
    let text = String::from_utf8_lossy(&ended.stdout);
    let rows: Result<Vec<Replayed>, _> = text.lines().map(serde_json::from_str).collect();
    let rows = rows.map_err(|error| format!("bad row of replay: {error}"))?;
    for row in rows.iter().filter(|row| row.verdict == "mismatch") {
        eprintln!("{}: {}: {}", program.display(), row.test, row.reason);
    }
    Ok(rows)
}

fn ledger(entries: &[LedgerEntry]) -> BTreeMap<String, (u64, u64)> {
    let mut texts: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for entry in entries {
        let (count, places) = texts.entry(entry.what.clone()).or_default();
        *count += entry.count;
        *places += 1;
    }
    texts
}

fn explanation(text: &str) -> Option<&'static str> {
    let found = EXPLANATIONS.iter().find(|(beginning, _)| text.starts_with(beginning));
    found.map(|(_, explanation)| *explanation)
}

/// A program fails by a test that ends otherwise natively, or by a ledger nobody has explained.
fn check(measured: &Measured) -> Result<(), String> {
    if measured.mismatches > 0 {
        return Err(format!("{} tests end otherwise natively", measured.mismatches));
    }
    match measured.ledger.keys().find(|text| explanation(text).is_none()) {
        Some(text) => Err(format!("the ledger says, unexplained: {text}")),
        None => Ok(()),
    }
}

/// The program's lines of the section: rows of the tables, items of the ledger.
fn lines(subject: &Subject, measured: &Measured) -> String {
    let Subject { name, .. } = subject;
    let Measured { summary, timing, .. } = measured;
    let mut out = format!(
        "| {name} | fathom | {:.1} | {} | {} | {} | {:.0} % | {:.1} % | {:.1} % | {:.0} |\n",
        summary.instructions as f64 / 1e6,
        grouped(summary.complete_paths),
        grouped(summary.states_left),
        grouped(measured.smt_queries),
        100.0 * timing.solver_seconds / timing.seconds.max(1e-9),
        measured.own,
        measured.package,
        measured.peak_mb,
    );
    if let Some(reference) = subject.reference {
        let _ = writeln!(out, "| {name} | reference | {reference} |");
    }
    let _ = writeln!(
        out,
        "| {name} run | {:.1} of {} | {} | {} | {} | {} | {} | {} | {} |",
        measured.cpu_seconds,
        subject.cpu_seconds,
        if summary.exhaustive { "exhaustive" } else { &summary.stopped },
        grouped(summary.tests),
        summary.bugs.len(),
        measured.confirmed,
        measured.not_observable,
        measured.mismatches,
        grouped(summary.ledger),
    );
    for bug in &summary.bugs {
        let site = &bug.site;
        let file = site.file.rsplit('/').next().unwrap_or_default();
        let _ = writeln!(out, "* {name}: bug {} at {file}:{}", site.kind, site.line);
    }
    for (text, (count, places)) in &measured.ledger {
        let _ = writeln!(out, "* {name}: {text}: {} times, {places} places", grouped(*count));
    }
    out
}

/// The section with the lines of one program, and the old ones of the others.
fn render(name: &str, lines: &str, old: &str) -> String {
    let lines_with = |prefix: &dyn Fn(&str) -> String| -> String {
        let mut found = String::new();
        for subject in &SUBJECTS {
            let text = if subject.name == name { lines } else { old };
            let of_subject = text.lines().filter(|line| line.starts_with(&prefix(subject.name)));
            of_subject.for_each(|line| found += &format!("{line}\n"));
        }
        found
    };
    let mut out = format!(
        "{TITLE}\n\n\
         Written by `./x bench symbolic`. Ten programs built by `fathom-cc`, 60 CPU s each (bc and m4: \
         120), up to two arguments of up to 4 symbolic bytes, a file and standard input of 8 (bc and m4: \
         standard input of 20), random-path and md2u in turn, every test in the pack, those with new coverage \
         replayed as they are found; two programs at a time. Own covered: LLVM instructions of the \
         program's own directory that were executed; package: of all its code but the C library. \
         Solver: the share of time for all queries, against the clock.\n\n\
         | program | | M instructions | complete paths | live states | SMT queries | solver | own covered | package covered | MB |\n\
         |---|---|---|---|---|---|---|---|---|---|\n{}\n\
         | run | CPU s | ended | tests | bugs | replays confirmed | not observable | mismatches | ledger |\n\
         |---|---|---|---|---|---|---|---|---|\n{}\n\
         Bugs, and what the ledger says:\n\n{}\n\
         What that means:\n\n",
        lines_with(&|name| format!("| {name} |")),
        lines_with(&|name| format!("| {name} run |")),
        lines_with(&|name| format!("* {name}: ")),
    );
    for (beginning, explanation) in EXPLANATIONS {
        let _ = writeln!(out, "* “{beginning}…”: {explanation}");
    }
    let (requirements, _) = requirements::requirements(&out);
    out + "\nRequirements:\n\n" + &requirements
}

//! `long cross-check`: the different queries of many runs are put to z3 too; no answer may differ.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use fathom_report::Summary;

use crate::pool;
use crate::process::Run;
use crate::real::Packages;
use crate::results::write_section;
use crate::tree::{Scratch, Tree};

/// Queries that have to be compared.
const WANTED: u64 = 100_000;
/// The second solver, with what it may take for a query in milliseconds.
const SECOND: &str = "z3 -in -t:2000";
/// What a run may take.
const SECONDS: u32 = 240;

/// Programs of the repository, which declare their inputs themselves.
const OWN: [&str; 6] = [
    "bench/programs/cross_check/order.c",
    "bench/programs/cross_check/arithmetic.c",
    "bench/programs/paths/regexp.c",
    "bench/programs/paths/sort.c",
    "tests/programs/symbolic-libc/sscanf.c",
    "tests/programs/symbolic-libc/strtol_base_0.c",
];
/// Real programs: package, program, symbolic input.
const REAL: [(&str, &str, &str); 10] = [
    ("coreutils", "echo", "--sym-args 0 2 6"),
    ("coreutils", "cut", "--sym-args 0 2 4 --sym-stdin 8"),
    ("coreutils", "tr", "--sym-args 0 2 4 --sym-stdin 8"),
    ("coreutils", "base64", "--sym-args 0 1 3 --sym-stdin 12"),
    ("coreutils", "expr", "--sym-args 1 3 3"),
    ("coreutils", "printf", "--sym-args 1 3 4"),
    ("coreutils", "seq", "--sym-args 1 3 3"),
    ("coreutils", "cat", "--sym-args 0 2 4 --sym-stdin 8"),
    ("bc", "bc", "--sym-stdin 12"),
    ("m4", "m4", "--sym-stdin 12"),
];

/// A program to run and its symbolic input.
struct Subject {
    name: String,
    program: PathBuf,
    input: Vec<String>,
}

pub fn run(tree: &Tree) -> Result<bool, String> {
    let subjects = subjects(tree)?;
    let rows = Mutex::new(Vec::new());
    let tally = pool::run_all(
        &subjects,
        |subject| subject.name.clone(),
        |subject| {
            let summary = explore(tree, subject)?;
            let mut rows = rows.lock().expect("no case panics while it adds a row");
            rows.push((subject.name.clone(), summary));
            Ok(())
        },
    );
    let mut rows = rows.into_inner().expect("no case panics while it adds a row");
    rows.sort_by_key(|(name, _)| subjects.iter().position(|subject| subject.name == *name));
    let (section, met) = section(&rows);
    print!("{section}");
    write_section(tree, &section)?;
    Ok(tally.finish() && met)
}

fn subjects(tree: &Tree) -> Result<Vec<Subject>, String> {
    let own = OWN.iter().map(|path| Subject {
        name: Path::new(path).file_stem().expect("a file").to_string_lossy().into_owned(),
        program: tree.repo.join(path),
        input: Vec::new(),
    });
    let mut subjects: Vec<Subject> = own.collect();
    let packages = Packages::load(tree)?;
    for (package, name, input) in REAL {
        let built = packages.build(tree, packages.named(package)?, "")?;
        subjects.push(Subject {
            name: format!("{name} {input}"),
            program: built.program(name)?,
            input: input.split(' ').map(str::to_string).collect(),
        });
    }
    Ok(subjects)
}

fn explore(tree: &Tree, subject: &Subject) -> Result<Summary, String> {
    let scratch = Scratch::new()?;
    let ended = Run::new(&tree.fathom, scratch.path())
        .args(["run", "--no-replay", "--search", "dfs", "--out", "out", "--cross-check", SECOND])
        .args(["--max-time", &SECONDS.to_string(), "--max-memory", "4000"])
        .arg(&subject.program)
        .args(&subject.input)
        .plain_env(&[])
        .env("FATHOM_CACHE", tree.cache.to_string_lossy())
        .timeout(u64::from(SECONDS) + 60)
        .run()?;
    let stderr = String::from_utf8_lossy(&ended.stderr);
    let text = fs::read_to_string(scratch.path().join("out/summary.json"));
    let text = text.map_err(|error| format!("no summary: {error}\n{stderr}"))?;
    let summary: Summary = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    for entry in fs::read_dir(scratch.path().join("out/disputed")).into_iter().flatten().flatten() {
        println!("{}", fs::read_to_string(entry.path()).unwrap_or_default());
    }
    Ok(summary)
}

fn section(rows: &[(String, Summary)]) -> (String, bool) {
    let mut text = format!(
        "# Cross-check\n\n\
         Written by `./x test --long cross-check`. Every query of these runs that differs from all \
         before it in its run is put to `{SECOND}` too, those that domains decide included; z3's \
         models are evaluated by us. What z3 cannot decide in 2 s is not compared. {SECONDS} s each \
         at most.\n\n\
         | program | queries | compared | not compared | different | wrong models |\n\
         |---|---|---|---|---|---|\n"
    );
    let mut total = fathom_report::SolverCounts::default();
    for (name, summary) in rows {
        let solver = &summary.solver;
        row(&mut text, name, solver);
        total.queries += solver.queries;
        total.cross_checked += solver.cross_checked;
        total.not_compared += solver.not_compared;
        total.mismatches += solver.mismatches;
        total.wrong_models += solver.wrong_models;
    }
    row(&mut text, "together", &total);
    let verdict = |met: bool| if met { "met" } else { "MISSED" };
    let enough = total.cross_checked >= WANTED;
    let right = total.mismatches == 0 && total.wrong_models == 0;
    let _ = write!(
        text,
        "\n* {} queries compared, required {WANTED}: {}\n\
         * {} answers differ and {} models are wrong, required none: {}\n",
        total.cross_checked,
        verdict(enough),
        total.mismatches,
        total.wrong_models,
        verdict(right)
    );
    (text, enough && right)
}

fn row(text: &mut String, name: &str, solver: &fathom_report::SolverCounts) {
    let _ = writeln!(
        text,
        "| {name} | {} | {} | {} | {} | {} |",
        solver.queries,
        solver.cross_checked,
        solver.not_compared,
        solver.mismatches,
        solver.wrong_models
    );
}

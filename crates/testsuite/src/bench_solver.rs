//! `bench solver DIR`: the solver chain on recorded queries, against known answers and times.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::process::Run;
use crate::results::write_section;
use crate::tree::{Scratch, Tree};

const ROUNDS: usize = 3;
/// For each question that reaches the SMT solver.
const TIMEOUT_SECONDS: u64 = 30;
/// Files given to one process.
const BATCH: usize = 500;

/// One recorded query.
struct Query {
    program: String,
    file: PathBuf,
    /// `sat` or `unsat`, where it is known.
    answer: Option<String>,
    reference_seconds: Option<f64>,
}

/// What `fathom solve --json` says of one file.
#[derive(Deserialize)]
struct Solved {
    answers: Vec<String>,
    error: Option<String>,
    read_seconds: f64,
    solve_seconds: f64,
    wrong_models: u64,
    layers: BTreeMap<String, Layer>,
}

#[derive(Deserialize)]
struct Layer {
    answered: u64,
}

/// The queries of one program together.
#[derive(Default)]
struct Total {
    queries: usize,
    known: usize,
    right: usize,
    undecided: usize,
    wrong_models: u64,
    /// Of the fastest round.
    read_seconds: f64,
    solve_seconds: f64,
    slowest_seconds: f64,
    reference_seconds: Option<f64>,
    by_layer: BTreeMap<String, u64>,
}

impl Total {
    fn seconds(&self) -> f64 {
        self.read_seconds + self.solve_seconds
    }
}

pub fn run(tree: &Tree, dir: &str) -> Result<bool, String> {
    let dir = fs::canonicalize(dir).map_err(|error| format!("{dir}: {error}"))?;
    let scratch = Scratch::new()?;
    let mut by_program: BTreeMap<String, Vec<Query>> = BTreeMap::new();
    for query in queries(&dir, &scratch)? {
        by_program.entry(query.program.clone()).or_default().push(query);
    }
    if by_program.is_empty() {
        return Err(format!("{}: no .smt2 files", dir.display()));
    }
    let mut totals = Vec::new();
    for (program, queries) in &by_program {
        eprintln!("solving {program}: {} queries", queries.len());
        totals.push((program.as_str(), measure(tree, queries)?));
    }
    let name = dir.file_name().map_or_else(|| "queries".into(), |name| name.to_string_lossy());
    let (section, met) = render(&name, &totals);
    print!("{section}");
    write_section(tree, &section)?;
    Ok(met)
}

/// The queries of an index, packed or not, or all scripts below the directory.
fn queries(dir: &Path, scratch: &Scratch) -> Result<Vec<Query>, String> {
    let index = dir.join("index.csv");
    if !index.exists() {
        return scripts_below(dir);
    }
    let text =
        fs::read_to_string(&index).map_err(|error| format!("{}: {error}", index.display()))?;
    let archive = dir.join("set.tar.xz");
    let root = if archive.exists() { unpack(&archive, scratch)? } else { dir.to_path_buf() };
    indexed(&text, &root).map_err(|error| format!("{}: {error}", index.display()))
}

fn unpack(archive: &Path, scratch: &Scratch) -> Result<PathBuf, String> {
    let ended = Run::new("tar", scratch.path()).arg("-xf").arg(archive).run()?;
    if ended.status != 0 {
        let stderr = String::from_utf8_lossy(&ended.stderr);
        return Err(format!("{}: {stderr}", archive.display()));
    }
    Ok(scratch.path().to_path_buf())
}

/// Reads a table whose first line names the columns.
fn indexed(text: &str, root: &Path) -> Result<Vec<Query>, String> {
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column = |name: &str| {
        header.iter().position(|found| *found == name).ok_or_else(|| format!("no column {name}"))
    };
    let [program, file, answer, seconds] =
        [column("program")?, column("file")?, column("answer")?, column("reference_seconds")?];
    let mut queries = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let cell = |n: usize| cells.get(n).copied().ok_or_else(|| format!("a short line: {line}"));
        queries.push(Query {
            program: cell(program)?.to_string(),
            file: root.join(cell(file)?),
            answer: Some(cell(answer)?.to_string()),
            reference_seconds: cell(seconds)?.parse().ok(),
        });
    }
    Ok(queries)
}

/// Scripts by the directory they are in; their answers are what `(set-info :status …)` says.
fn scripts_below(dir: &Path) -> Result<Vec<Query>, String> {
    let mut files = Vec::new();
    collect_scripts(dir, &mut files)?;
    files.sort();
    let query = |file: PathBuf| {
        let text =
            fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let parent = file.parent().and_then(Path::file_name).unwrap_or_default();
        let program = parent.to_string_lossy().into_owned();
        Ok(Query { program, answer: status(&text), file, reference_seconds: None })
    };
    files.into_iter().map(query).collect()
}

fn collect_scripts(dir: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error| format!("{}: {error}", dir.display());
    for entry in fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            collect_scripts(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "smt2") {
            files.push(path);
        }
    }
    Ok(())
}

fn status(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("(set-info :status ")?;
    let (status, _) = rest.split_once(')')?;
    Some(status.trim().to_string()).filter(|status| status != "unknown")
}

/// The answers of the first round and the times of the fastest.
fn measure(tree: &Tree, queries: &[Query]) -> Result<Total, String> {
    let mut total = judge(queries, &solve(tree, queries)?);
    for _ in 1..ROUNDS {
        let again = judge(queries, &solve(tree, queries)?);
        if again.seconds() < total.seconds() {
            total = Total { right: again.right.min(total.right), ..again };
        }
    }
    Ok(total)
}

fn solve(tree: &Tree, queries: &[Query]) -> Result<Vec<Solved>, String> {
    let mut solved = Vec::new();
    for batch in queries.chunks(BATCH) {
        let ended = Run::new(&tree.fathom, &tree.repo)
            .args(["solve", "--json", "--timeout", &TIMEOUT_SECONDS.to_string()])
            .args(batch.iter().map(|query| &query.file))
            .timeout(TIMEOUT_SECONDS * batch.len() as u64)
            .run()?;
        for line in String::from_utf8_lossy(&ended.stdout).lines() {
            solved.push(serde_json::from_str(line).map_err(|error| format!("{line}: {error}"))?);
        }
    }
    match solved.len() == queries.len() {
        true => Ok(solved),
        false => Err(format!("{} replies to {} queries", solved.len(), queries.len())),
    }
}

fn judge(queries: &[Query], solved: &[Solved]) -> Total {
    let mut total = Total { queries: queries.len(), ..Total::default() };
    for (query, solved) in queries.iter().zip(solved) {
        let answer = solved.answers.last().map(String::as_str);
        total.known += usize::from(query.answer.is_some());
        let is_decided = solved.error.is_none() && matches!(answer, Some("sat" | "unsat"));
        total.undecided += usize::from(!is_decided);
        if is_decided && query.answer.as_deref() == answer {
            total.right += 1;
        } else if query.answer.is_some() || !is_decided {
            let said = solved.error.as_deref().or(answer).unwrap_or("nothing");
            eprintln!("{}: {said}", query.file.display());
        }
        total.wrong_models += solved.wrong_models;
        total.read_seconds += solved.read_seconds;
        total.solve_seconds += solved.solve_seconds;
        total.slowest_seconds =
            total.slowest_seconds.max(solved.read_seconds + solved.solve_seconds);
        if let Some(seconds) = query.reference_seconds {
            *total.reference_seconds.get_or_insert(0.0) += seconds;
        }
        for (name, layer) in &solved.layers {
            *total.by_layer.entry(name.clone()).or_default() += layer.answered;
        }
    }
    total
}

/// How many times faster than the reference the chain has to be.
fn required_speedup(program: &str) -> f64 {
    if program == "bc" { 20.0 } else { 5.0 }
}

/// The section of the results, and whether all requirements are met.
fn render(name: &str, totals: &[(&str, Total)]) -> (String, bool) {
    let mut out = format!(
        "# Solver: {name}\n\n\
         Written by `./x bench solver DIR`. Every query on its own, with nothing remembered from the \
         others; reading (the script and building its terms) and solving are both counted. Best of \
         {ROUNDS} rounds. Slices decided by each layer, the SMT solver last.\n\n\
         | program | queries | right | undecided | read s | solve s | slowest ms | reference s | \
         times faster | domains | models | diagram | SMT |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
    );
    for (program, total) in totals {
        let reference = total.reference_seconds;
        let layer = |name: &str| total.by_layer.get(name).copied().unwrap_or(0);
        let _ = writeln!(
            out,
            "| {program} | {} | {} of {} | {} | {:.4} | {:.4} | {:.1} | {} | {} | {} | {} | {} | {} |",
            total.queries,
            total.right,
            total.known,
            total.undecided,
            total.read_seconds,
            total.solve_seconds,
            1e3 * total.slowest_seconds,
            reference.map_or("".to_string(), |seconds| format!("{seconds:.3}")),
            reference.map_or("".to_string(), |seconds| format!("{:.0}", seconds / total.seconds())),
            layer("domains"),
            layer("models"),
            layer("diagram"),
            layer("backend"),
        );
    }
    out.push('\n');
    let mut met = true;
    let mut require = |text: String, holds: bool| {
        let _ = writeln!(out, "* {text}: {}", if holds { "met" } else { "NOT met" });
        met &= holds;
    };
    let sum = |of: fn(&Total) -> usize| totals.iter().map(|(_, total)| of(total)).sum::<usize>();
    let (right, known) = (sum(|total| total.right), sum(|total| total.known));
    require(format!("{right} of {known} known answers right, required all"), right == known);
    let undecided = sum(|total| total.undecided);
    require(
        format!("{undecided} of {} undecided, required none", sum(|total| total.queries)),
        undecided == 0,
    );
    let wrong: u64 = totals.iter().map(|(_, total)| total.wrong_models).sum();
    require(
        format!("{wrong} models of a layer that evaluation refused, required none"),
        wrong == 0,
    );
    for (program, total) in totals {
        if let Some(reference) = total.reference_seconds {
            let (speedup, required) = (reference / total.seconds(), required_speedup(program));
            let text = format!("{program} {speedup:.0} times faster, required {required:.0}");
            require(text, speedup >= required);
        }
    }
    (out, met)
}

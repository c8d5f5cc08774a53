//! `bench figure`: how soon the figure program's assertion fails, pending and eager.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use fathom_report::Sample;

use crate::process::Run;
use crate::results::{grouped, write_section};
use crate::tree::{Scratch, Tree};
use crate::{json, pool};

const TITLE: &str = "# The figure program";
const SEEDS: u64 = 20;
const LENGTHS: [u32; 2] = [10, 16];
/// Instructions until the assertion under pending: in the median, and at worst.
const MEDIAN: u64 = 100_000;
const WORST: u64 = 500_000;

/// How branches fork, and after how many instructions a run is given up.
const MODES: [(&str, u64); 2] = [("pending", 2 * WORST), ("eager", 5_000_000)];
const MAX_CPU: &str = "60";

/// The sides of the first branch.
const ORDERS: [(&str, &[&str]); 2] = [("space first", &[]), ("zero first", &["-DZERO_FIRST"])];

/// One row: a program in one mode.
struct Subject {
    length: u32,
    order: &'static str,
    mode: &'static str,
    limit: u64,
    program: PathBuf,
}

impl Subject {
    fn name(&self) -> String {
        format!("{} bytes, {}, {}", self.length, self.order, self.mode)
    }
}

pub fn run(tree: &Tree) -> Result<bool, String> {
    let scratch = Scratch::new()?;
    let mut subjects = Vec::new();
    for length in LENGTHS {
        for (order, flags) in ORDERS {
            let program = scratch.path().join(format!("figure-{length}-{}", flags.len()));
            compile(tree, length, flags, &program)?;
            for (mode, limit) in MODES {
                subjects.push(Subject { length, order, mode, limit, program: program.clone() });
            }
        }
    }
    let runs: Vec<(usize, u64)> = (0..subjects.len())
        .flat_map(|subject| (1..=SEEDS).map(move |seed| (subject, seed)))
        .collect();
    let found = Mutex::new(vec![Vec::new(); subjects.len()]);
    let tally = pool::run_all(
        &runs,
        |(subject, seed)| format!("{} #{seed}", subjects[*subject].name()),
        |&(subject, seed)| {
            let instructions = measure(tree, &subjects[subject], seed)?;
            found.lock().expect("no run panics while adding")[subject].push(instructions);
            Ok(())
        },
    );
    let mut found = found.into_inner().expect("no run panics while adding");
    // Not found sorts after all numbers.
    found.iter_mut().for_each(|runs| runs.sort_unstable_by_key(|run| run.unwrap_or(u64::MAX)));
    let (section, met) = render(&subjects, &found);
    print!("{section}");
    write_section(tree, &section)?;
    Ok(met && tally.failed == 0)
}

fn compile(tree: &Tree, length: u32, flags: &[&str], program: &Path) -> Result<(), String> {
    let ended = Run::new(&tree.fathom, &tree.repo.join("bench/programs/paths"))
        .args(["cc", "-O0", "-g", "figure.c", &format!("-DLENGTH={length}"), "-o"])
        .arg(program)
        .args(flags)
        .run()?;
    if ended.status == 0 { Ok(()) } else { Err(ended.said()) }
}

/// Instructions executed on all paths when the assertion failed.
fn measure(tree: &Tree, subject: &Subject, seed: u64) -> Result<Option<u64>, String> {
    let scratch = Scratch::new()?;
    let work = scratch.fresh_work()?;
    let ended = Run::new(&tree.fathom, &work)
        .args(["run", "--no-replay", "--out", "out", "--fork", subject.mode])
        .args(["--search", "random-path", "--rng-seed", &seed.to_string()])
        .args(["--max-instructions", &subject.limit.to_string(), "--max-cpu", MAX_CPU])
        .arg(&subject.program)
        .plain_env(&[])
        .timeout(600)
        .run()?;
    if !matches!(ended.status, 0 | 1) {
        return Err(ended.said());
    }
    let samples: Vec<Sample> = json::lines(&work.join("out/stats.jsonl"))?;
    let first = samples.iter().find(|sample| sample.bugs > 0);
    Ok(first.map(|sample| sample.instructions))
}

fn render(subjects: &[Subject], found: &[Vec<Option<u64>>]) -> (String, bool) {
    let mut out = format!(
        "{TITLE}\n\n\
         Written by `./x bench figure`. Instructions on all paths until the assertion fails, random-path, \
         random seeds 1 to {SEEDS}. Runs are given up after {} instructions (eager {}).\n\n\
         | program | found | least | median | worst |\n|---|---|---|---|---|\n",
        grouped(MODES[0].1),
        grouped(MODES[1].1),
    );
    let shown = |run: Option<Option<u64>>, limit| match run.flatten() {
        Some(instructions) => grouped(instructions),
        None => format!("more than {}", grouped(limit)),
    };
    let mut met = true;
    let mut requirements = String::new();
    for (subject, runs) in subjects.iter().zip(found) {
        let n_found = runs.iter().flatten().count();
        let (first, worst) = (runs.first().copied(), runs.last().copied());
        let median = runs.get(runs.len() / 2).copied();
        let name = subject.name();
        let shown = |run| shown(run, subject.limit);
        let _ = writeln!(
            out,
            "| {name} | {n_found} of {} | {} | {} | {} |",
            runs.len(),
            shown(first),
            shown(median),
            shown(worst)
        );
        if subject.mode == "pending" {
            let within = |run: Option<Option<u64>>, most: u64| {
                run.flatten().is_some_and(|instructions| instructions <= most)
            };
            let holds =
                runs.len() as u64 == SEEDS && within(median, MEDIAN) && within(worst, WORST);
            met &= holds;
            let verdict = if holds { "met" } else { "NOT met" };
            let (median, worst) = (grouped(MEDIAN), grouped(WORST));
            let _ = writeln!(
                requirements,
                "* {name}: at most {median} in the median and {worst} at worst: {verdict}"
            );
        }
    }
    (format!("{out}\n{requirements}"), met)
}

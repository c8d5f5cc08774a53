//! `bench concrete`: the engine against the same source compiled natively at -O0.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{Ended, Input, Run};
use crate::real::Packages;
use crate::report::Report;
use crate::results::write_section;
use crate::tree::{Scratch, Tree};

const ROUNDS: usize = 5;
const MAX_RATIO: f64 = 12.0;
const MIN_RATE: f64 = 400e6;

/// One program with one input.
struct Subject {
    name: &'static str,
    program: PathBuf,
    args: Vec<String>,
    stdin: Vec<u8>,
    /// The rate of LLVM instructions counts for the requirement.
    rated: bool,
}

/// The best of the rounds.
struct Measured {
    name: &'static str,
    native_seconds: f64,
    fathom_seconds: f64,
    load_seconds: f64,
    instructions: u64,
    native_kib: i64,
    fathom_kib: i64,
    rated: bool,
}

impl Measured {
    fn ratio(&self) -> f64 {
        self.fathom_seconds / self.native_seconds
    }

    /// The same with loading the program, which a user waits for too.
    fn whole_ratio(&self) -> f64 {
        (self.fathom_seconds + self.load_seconds) / self.native_seconds
    }

    fn rate(&self) -> f64 {
        self.instructions as f64 / self.fathom_seconds
    }
}

pub fn run(tree: &Tree) -> Result<bool, String> {
    let scratch = Scratch::new()?;
    let subjects = subjects(tree, scratch.path())?;
    let mut results = Vec::new();
    for subject in &subjects {
        eprintln!("measuring {}", subject.name);
        results.push(measure(tree, &scratch, subject)?);
    }
    let (table, met) = render(&results);
    print!("{table}");
    write_section(tree, &table)?;
    Ok(met)
}

fn subjects(tree: &Tree, dir: &Path) -> Result<Vec<Subject>, String> {
    let own = |name: &'static str, rounds: &str| {
        let program = dir.join(name);
        let source = format!("bench/programs/{name}.c");
        let ended = Run::new(&tree.fathom, &tree.repo)
            .args(["cc", "-O0", &source, "-o"])
            .arg(&program)
            .run()?;
        if ended.status != 0 {
            let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
            return Err(format!("{source}: {stderr}"));
        }
        let args = vec![rounds.to_string()];
        Ok(Subject { name, program, args, stdin: Vec::new(), rated: true })
    };
    let packages = Packages::load(tree)?;
    let real = |name: &'static str, program: &str, args: &[&str], input: &str| {
        let built = packages.build(tree, packages.named(name)?, "-O0")?;
        let path = tree.repo.join("bench/programs").join(input);
        let stdin = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let args = args.iter().map(|arg| arg.to_string()).collect();
        Ok::<_, String>(Subject {
            name,
            program: built.program(program)?,
            args,
            stdin,
            rated: false,
        })
    };
    Ok(vec![
        own("fib", "5")?,
        own("crc32", "10")?,
        own("sha256", "5")?,
        real("sqlite3", "sqlite3", &[":memory:"], "script.sql")?,
        real("bc", "bc", &["-l"], "pi.bc")?,
    ])
}

/// Native and fathom by turns, so that a change of the machine's mood meets both.
fn measure(tree: &Tree, scratch: &Scratch, subject: &Subject) -> Result<Measured, String> {
    let mut best: Option<Measured> = None;
    for _ in 0..ROUNDS {
        let native = once(Run::new(&subject.program, &scratch.fresh_work()?), subject)?;
        let report_path = scratch.path().join("report.json");
        let run = Run::new(&tree.fathom, &scratch.fresh_work()?)
            .args(["run", "--report"])
            .arg(&report_path)
            .arg(&subject.program);
        let fathom = once(run, subject)?;
        if native.stdout != fathom.stdout || native.status != fathom.status {
            return Err(format!("{}: native and fathom differ", subject.name));
        }
        let report = Report::read(&report_path)?;
        let found = Measured {
            name: subject.name,
            native_seconds: native.seconds,
            fathom_seconds: report.seconds,
            load_seconds: fathom.seconds - report.seconds,
            instructions: report.instructions,
            native_kib: native.peak_kib,
            fathom_kib: fathom.peak_kib,
            rated: subject.rated,
        };
        best = Some(match best {
            None => found,
            Some(best) => Measured {
                native_seconds: best.native_seconds.min(found.native_seconds),
                fathom_seconds: best.fathom_seconds.min(found.fathom_seconds),
                load_seconds: best.load_seconds.min(found.load_seconds),
                ..found
            },
        });
    }
    best.ok_or_else(|| "no rounds".to_string())
}

fn once(run: Run, subject: &Subject) -> Result<Ended, String> {
    let ended = run
        .args(&subject.args)
        .plain_env(&[])
        .input(Input::Bytes(subject.stdin.clone()))
        .timeout(300)
        .run()?;
    if ended.status != 0 {
        let stderr = String::from_utf8_lossy(&ended.stderr);
        return Err(format!("{}: status {}\n{stderr}", subject.name, ended.status));
    }
    Ok(ended)
}

fn geometric_mean(results: &[Measured], of: fn(&Measured) -> f64) -> f64 {
    let logs: f64 = results.iter().map(|result| of(result).ln()).sum();
    (logs / results.len() as f64).exp()
}

/// The table, and whether all requirements are met.
fn render(results: &[Measured]) -> (String, bool) {
    let mut out = String::from(
        "# Concrete execution against native -O0\n\n\
         Written by `./x bench concrete`. Best of several interleaved runs; native time is that of \
         the whole process, fathom's that of execution, with loading beside it. Native memory \
         is measured with the runner's own few MB as a floor.\n\n\
         | program | native s | fathom s | ratio | load s | ratio with load | M LLVM instr | M instr/s | native MB | fathom MB |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for result in results {
        let _ = writeln!(
            out,
            "| {} | {:.4} | {:.4} | {:.1} | {:.2} | {:.1} | {:.1} | {:.0} | {:.1} | {:.1} |",
            result.name,
            result.native_seconds,
            result.fathom_seconds,
            result.ratio(),
            result.load_seconds,
            result.whole_ratio(),
            result.instructions as f64 / 1e6,
            result.rate() / 1e6,
            result.native_kib as f64 / 1024.0,
            result.fathom_kib as f64 / 1024.0,
        );
    }
    let mean = geometric_mean(results, Measured::ratio);
    let whole = geometric_mean(results, Measured::whole_ratio);
    let slowest = results
        .iter()
        .filter(|result| result.rated)
        .map(Measured::rate)
        .fold(f64::INFINITY, f64::min);
    let mut met = true;
    let mut require = |text: String, holds: bool| {
        let _ = writeln!(out, "* {text}: {}", if holds { "met" } else { "NOT met" });
        met &= holds;
    };
    require(
        format!(
            "geometric mean {mean:.1}× native -O0, {whole:.1}× with loading, \
             required at most {MAX_RATIO:.0}×"
        ),
        mean <= MAX_RATIO,
    );
    require(
        format!(
            "slowest of fib, crc32, sha256: {:.0} M LLVM instructions/s, required {:.0}",
            slowest / 1e6,
            MIN_RATE / 1e6
        ),
        slowest >= MIN_RATE,
    );
    if let Some(sqlite) = results.iter().find(|result| result.name == "sqlite3") {
        let limit = 3.0 * sqlite.native_kib as f64 / 1024.0 + 150.0;
        let used = sqlite.fathom_kib as f64 / 1024.0;
        require(
            format!("sqlite3 takes {used:.0} MB, required at most 3× native + 150 = {limit:.0}"),
            used <= limit,
        );
    }
    let end = out.find("\n* ").expect("a requirement was written");
    out.insert(end, '\n');
    (out, met)
}

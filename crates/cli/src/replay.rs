//! `fathom replay`: runs test cases natively and compares their ends with the predictions.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};
use fathom_replay::{
    Checked, Guard, NativeInput, Object, Options, Predicted, Program, Verdict, World, check,
    unreproducible, unreproducible_in, verdict,
};
use fathom_report::{Finding, NamedTest, Summary, TestCase, find_run, open_tests};
use serde_json::json;

use crate::native;

/// Run test cases natively and compare how they end with what was predicted.
///
/// PROGRAM is an executable made by fathom-cc, or a C file. TEST is a run, its tests.pack, `last`,
/// the directory of a test or bug, a directory of those, a .ktest file, or RUN#NUMBER.
///
/// Each test runs in a scratch directory of its own, without network and within limits. Tests that
/// show memory errors run in guard mode, where such an error faults at the very instruction. A
/// verdict is `confirmed`, `not observable` (natively, as an overrun inside a local array) or
/// `mismatch`.
///
/// Exit status: 0 without a mismatch, 1 with one, 2 when something could not be run or read.
#[derive(Parser)]
#[command(after_help = "Examples:\n  \
    fathom replay ./prog last                       all tests of the last run\n  \
    fathom replay ./prog fathom-out/3/bugs          those that show its bugs\n  \
    fathom replay ./prog last#17 --output           test 17, with what the program prints\n  \
    fathom replay ./prog klee-last/test000001.ktest --guard end\n  \
    fathom replay prog.c last --json | jq 'select(.verdict == \"mismatch\")'")]
pub struct Args {
    /// The program, as for `fathom run`
    program: PathBuf,
    /// The tests
    #[arg(value_name = "TEST", default_value = "last")]
    tests: Vec<PathBuf>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// Show only mismatches and the summary
    #[arg(long, short)]
    quiet: bool,
    /// Show what the program prints
    #[arg(long)]
    output: bool,
    /// Run every test in this mode, instead of the one its prediction needs
    #[arg(long, value_name = "MODE")]
    guard: Option<GuardMode>,
    /// A build of the program by `fathom-cc --asan`, to confirm bugs [default: PROGRAM.asan if
    /// there is one]
    #[arg(long, value_name = "FILE")]
    asan: Option<PathBuf>,
    /// Seconds a test may take
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    timeout: f64,
    /// Memory a test may use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048)]
    memory: u64,
    /// Stack a test may use, in MiB [default: that of the run]
    #[arg(long, value_name = "MIB")]
    max_stack: Option<u64>,
}

#[derive(Clone, Copy, ValueEnum)]
enum GuardMode {
    /// The ordinary allocator
    Off,
    /// Inaccessible pages right behind each block
    End,
    /// Inaccessible pages right before each block
    Start,
    /// Behind each block, which starts on 16 bytes
    Aligned,
}

impl GuardMode {
    fn guard(self) -> Guard {
        match self {
            GuardMode::Off => Guard::Off,
            GuardMode::End => Guard::End,
            GuardMode::Start => Guard::Start,
            GuardMode::Aligned => Guard::Aligned,
        }
    }
}

#[derive(Default)]
struct Counts {
    confirmed: u64,
    not_observable: u64,
    mismatches: u64,
}

pub fn main(args: &Args) -> Result<ExitCode> {
    let compiled = native::compiled(&args.program)?;
    let program = Program::open(compiled.as_ref().map_or(&args.program, |own| &own.path))?;
    let programs =
        Programs { program, sanitized: native::sanitized(&args.program, args.asan.as_deref())? };
    let mut out = BufWriter::new(io::stdout().lock());
    let mut counts = Counts::default();
    for place in &args.tests {
        let summary = summary(place);
        let objects = objects(&summary);
        let options = options(args, &summary)?;
        let tests = open_tests(place)?;
        if let Some(what) = tests.torn_end() {
            eprintln!("note: {}: {what}", place.display());
        }
        for named in tests {
            let named = named?;
            let object = objects.of(&named.name);
            let checked = replay(args, &programs, &summary, &options, &named.test, object)
                .with_context(|| named.name.clone())?;
            counts.add(&checked.verdict);
            print(args, &mut out, &named, &checked).context("standard output")?;
        }
    }
    if !args.json {
        writeln!(out, "{}", counts.line()).context("standard output")?;
    }
    out.flush().context("standard output")?;
    Ok(ExitCode::from(u8::from(counts.mismatches > 0)))
}

/// What tests are run with: the native half, and its build with sanitizers if there is one.
struct Programs {
    program: Program,
    sanitized: Option<Program>,
}

/// The limits of tests of the run that `summary` is about.
fn options(args: &Args, summary: &Summary) -> Result<Options> {
    let default = Options::default();
    let stack = args.max_stack.unwrap_or(summary.max_stack) << 20;
    Ok(Options {
        timeout: Duration::try_from_secs_f64(args.timeout).context("--timeout")?,
        memory: args.memory << 20,
        stack: if stack == 0 { default.stack } else { stack },
        ..default
    })
}

fn replay(
    args: &Args,
    programs: &Programs,
    summary: &Summary,
    options: &Options,
    test: &TestCase,
    object: Object,
) -> Result<Checked> {
    let Programs { program, sanitized } = programs;
    let (mut input, lacking) = match &test.world {
        Some(world) => {
            let world = Arc::new(World::read(world)?);
            let lacking = unreproducible_in(test, &world);
            (NativeInput::of_test_in(test, world), lacking)
        }
        None => (input_here(test, summary), unreproducible(test)),
    };
    if input.argv.is_empty() {
        input.argv.push(args.program.clone().into_os_string().into_vec());
    }
    let predicted = Predicted::of_test(test, object);
    let mut checked = match args.guard {
        None => check(program, sanitized.as_ref(), &input, &predicted, options)?,
        Some(mode) => {
            let guard = mode.guard();
            let outcome = program.run(&input, &Options { guard, ..options.clone() })?;
            Checked { verdict: verdict(&predicted, &outcome), outcome, guard }
        }
    };
    if let (Verdict::Mismatch(_), Some(reason)) = (&checked.verdict, lacking) {
        checked.verdict = Verdict::NotObservable(reason);
    }
    Ok(checked)
}

/// What a test gives to the program where fathom is called.
fn input_here(test: &TestCase, summary: &Summary) -> NativeInput {
    let bytes = |(name, value): (OsString, OsString)| (name.into_vec(), value.into_vec());
    let mut input = NativeInput::of_test(test, std::env::vars_os().map(bytes));
    input.files.retain(|(path, _)| path.is_relative());
    let files: Vec<PathBuf> = summary.host_files.iter().map(PathBuf::from).collect();
    native::add_files(&mut input, Path::new("."), &files);
    input
}

/// What findings say about the objects of tests, by the tests' names.
struct Objects {
    by_number: HashMap<u64, Object>,
}

/// The summary of the run that `place` is, or belongs to; an empty one if there is none.
fn summary(place: &Path) -> Summary {
    let number = place.to_string_lossy().rsplit_once('#').map(|(run, _)| PathBuf::from(run));
    let run = find_run(&number.unwrap_or_else(|| place.to_owned())).ok().map(|run| run.dir);
    let above = fs::canonicalize(place).unwrap_or_default();
    let dirs = run.into_iter().chain(above.ancestors().take(3).map(Path::to_owned));
    let text = dirs.filter_map(|dir| fs::read(dir.join("summary.json")).ok()).next();
    text.and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
}

/// What the summary of a run says. Elsewhere only `bug.json` says something.
fn objects(summary: &Summary) -> Objects {
    Objects { by_number: summary.bugs.iter().map(|bug| (bug.test, object(bug))).collect() }
}

impl Objects {
    fn of(&self, test: &str) -> Object {
        let number = test.rsplit_once('#').and_then(|(_, number)| number.parse::<u64>().ok());
        if let Some(object) = number.and_then(|number| self.by_number.get(&number)) {
            return *object;
        }
        let text = fs::read(Path::new(test).join("bug.json")).ok();
        let finding: Option<Finding> = text.and_then(|text| serde_json::from_slice(&text).ok());
        finding.map_or(Object::Unknown, |finding| object(&finding))
    }
}

fn object(finding: &Finding) -> Object {
    let object = finding.object.as_ref();
    object.map_or(Object::Unknown, |object| Object::of_description(&object.description))
}

impl Counts {
    fn add(&mut self, verdict: &Verdict) {
        *match verdict {
            Verdict::Confirmed => &mut self.confirmed,
            Verdict::NotObservable(_) => &mut self.not_observable,
            Verdict::Mismatch(_) => &mut self.mismatches,
        } += 1;
    }

    fn line(&self) -> String {
        format!(
            "{} tests: {} confirmed, {} not observable natively, {} mismatched",
            self.confirmed + self.not_observable + self.mismatches,
            self.confirmed,
            self.not_observable,
            self.mismatches
        )
    }
}

fn print(
    args: &Args,
    out: &mut impl Write,
    named: &NamedTest,
    checked: &Checked,
) -> io::Result<()> {
    let is_mismatch = matches!(checked.verdict, Verdict::Mismatch(_));
    if args.quiet && !is_mismatch {
        return Ok(());
    }
    let NamedTest { name, test } = named;
    if args.json {
        return writeln!(out, "{}", row(name, test, checked));
    }
    writeln!(
        out,
        "{name:<24}  {:<36}  {:<10}  {}",
        test.outcome.to_string(),
        checked.outcome.end.to_string(),
        checked.verdict
    )?;
    if args.output {
        for bytes in [&checked.outcome.stdout, &checked.outcome.stderr] {
            out.write_all(bytes)?;
            if bytes.last().is_some_and(|&byte| byte != b'\n') {
                writeln!(out)?;
            }
        }
    }
    Ok(())
}

/// A line of `--json`.
fn row(name: &str, test: &TestCase, checked: &Checked) -> serde_json::Value {
    let (verdict, reason) = match &checked.verdict {
        Verdict::Confirmed => ("confirmed", ""),
        Verdict::NotObservable(reason) => ("not-observable", reason.as_str()),
        Verdict::Mismatch(reason) => ("mismatch", reason.as_str()),
    };
    let frame = checked.outcome.report.as_ref().and_then(|report| {
        let own = report.frames.iter().find(|frame| !frame.is_library())?;
        Some(json!({"function": own.function, "file": own.file, "line": own.line}))
    });
    json!({
        "test": name,
        "predicted": test.outcome.to_string(),
        "native": checked.outcome.end.to_string(),
        "guard": format!("{:?}", checked.guard).to_lowercase(),
        "fault": frame,
        "verdict": verdict,
        "reason": reason,
        "seconds": checked.outcome.elapsed.as_secs_f64(),
    })
}

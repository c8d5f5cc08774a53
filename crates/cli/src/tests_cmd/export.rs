//! `fathom tests export`: tests in the form that another tool reads.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Parser;
use fathom_report::{Suite, TestCase, open_tests, to_ktest, write_plain};

/// Export tests as plain files, .ktest files, or a Test-Comp suite.
#[derive(Parser)]
#[command(after_help = "Examples:\n  \
    fathom tests export last --to out               every test as a directory of plain files\n  \
    fathom tests export last --to out --ktest 3 17\n  \
    fathom tests export last --to suite.zip --testcomp --program prog.c\n  \
    fathom tests export klee-last --to out --plain  KLEE's tests as plain files")]
pub struct Args {
    /// A run, its tests.pack, `last`, or a directory of tests
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Where to: a directory that is empty or not there; with --testcomp also FILE.zip
    #[arg(long, value_name = "OUT")]
    to: PathBuf,
    /// As directories of plain files (what is done unless something else is asked for)
    #[arg(long, conflicts_with_all = ["ktest", "testcomp"])]
    plain: bool,
    /// As KLEE's .ktest files
    #[arg(long, conflicts_with = "testcomp")]
    ktest: bool,
    /// As a suite of Test-Comp: the results of `__VERIFIER_nondet_*` calls
    #[arg(long, requires = "program")]
    testcomp: bool,
    /// The source file that the suite is for
    #[arg(long, value_name = "FILE", requires = "testcomp")]
    program: Option<PathBuf>,
    /// What the suite was made to cover
    #[arg(
        long,
        value_name = "TEXT",
        requires = "testcomp",
        default_value = "COVER EDGES(@DECISIONEDGE)"
    )]
    specification: String,
    /// Only tests that show a bug
    #[arg(long)]
    bugs: bool,
    /// Only these tests
    #[arg(value_name = "N")]
    numbers: Vec<u64>,
}

pub fn main(args: &Args, out: &mut impl Write) -> Result<()> {
    let tests = chosen(args)?;
    refuse_used(&args.to)?;
    let n_tests = match &args.program {
        Some(program) => suite(args, program)?.write(&args.to, tests)?,
        None => {
            fs::create_dir_all(&args.to).with_context(|| cannot_write(&args.to))?;
            let mut n_tests = 0;
            for test in tests {
                let (number, test) = test?;
                export_one(args, number, &test)?;
                n_tests += 1;
            }
            n_tests
        }
    };
    let plural = if n_tests == 1 { "" } else { "s" };
    writeln!(out, "{n_tests} test{plural} in {}", args.to.display())?;
    Ok(())
}

/// The tests asked for, with their numbers; a number that there is no test for is an error.
fn chosen(args: &Args) -> Result<impl Iterator<Item = fathom_report::Result<(u64, TestCase)>>> {
    let wanted: BTreeSet<u64> = args.numbers.iter().copied().collect();
    let is_wanted = move |number: &u64| wanted.is_empty() || wanted.contains(number);
    if let Some(number) = args.numbers.iter().max() {
        let n_tests = open_tests(&args.run)?.count() as u64;
        if *number > n_tests || args.numbers.contains(&0) {
            bail!("{} has tests 1 to {n_tests} only", args.run.display());
        }
    }
    let bugs_only = args.bugs;
    let tests = open_tests(&args.run)?;
    if let Some(what) = tests.torn_end() {
        eprintln!("note: {what}");
    }
    let tests = (1..).zip(tests).filter(move |(number, _)| is_wanted(number));
    let tests = tests.map(|(number, named)| Ok((number, named?.test)));
    Ok(tests.filter(move |test| match test {
        Ok((_, test)) => !bugs_only || test.outcome.is_bug(),
        Err(_) => true,
    }))
}

fn refuse_used(to: &Path) -> Result<()> {
    let used = match fs::read_dir(to) {
        Ok(mut entries) => entries.next().is_some(),
        Err(_) => to.exists(),
    };
    if used {
        bail!("{} exists already; name another place with --to", to.display());
    }
    Ok(())
}

fn suite(args: &Args, program: &Path) -> Result<Suite> {
    Ok(Suite {
        program_file: program.display().to_string(),
        program: fs::read(program).with_context(|| format!("cannot read {}", program.display()))?,
        specification: args.specification.clone(),
    })
}

fn export_one(args: &Args, number: u64, test: &TestCase) -> Result<()> {
    if args.ktest {
        to_ktest(test).write(&args.to.join(format!("test{number:06}.ktest")))?;
    } else {
        let dir = args.to.join(format!("{number:06}"));
        fs::create_dir(&dir).with_context(|| cannot_write(&dir))?;
        write_plain(&dir, number, test)?;
    }
    Ok(())
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

//! `fathom tests list`: one line per test.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;
use fathom_report::{InputKind, NamedTest, TestCase, command_line, open_tests};
use serde_json::{Value, json};

/// List tests: number, outcome, command line.
///
/// A `+` marks those that cover new code.
#[derive(Parser)]
#[command(after_help = "Examples:\n  \
    fathom tests list\n  \
    fathom tests list fathom-out/3 --bugs\n  \
    fathom tests list klee-last/\n  \
    fathom tests list last --json | jq 'select(.new_coverage)'")]
pub struct Args {
    /// A run, its tests.pack, `last`, or a directory of tests
    #[arg(value_name = "RUN", default_value = "last")]
    run: PathBuf,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// Only tests that show a bug
    #[arg(long)]
    bugs: bool,
}

pub fn main(args: &Args, out: &mut impl Write) -> Result<()> {
    let tests = open_tests(&args.run)?;
    let torn_end = tests.torn_end();
    for (number, named) in (1..).zip(tests) {
        let named = named?;
        if args.bugs && !named.test.outcome.is_bug() {
            continue;
        }
        match args.json {
            true => writeln!(out, "{}", row(number, &named)?)?,
            false => writeln!(out, "{}", line(number, &named.test))?,
        }
    }
    if let Some(what) = torn_end {
        eprintln!("note: {what}");
    }
    Ok(())
}

/// A line of `--json`.
fn row(number: u64, named: &NamedTest) -> Result<Value> {
    let test = &named.test;
    let mut inputs = Vec::new();
    for input in &test.inputs {
        let mut about = serde_json::to_value(&input.kind)?;
        about["name"] = json!(input.name);
        about["size"] = json!(input.bytes.len());
        inputs.push(about);
    }
    let mut row = serde_json::to_value(&test.outcome)?;
    row["test"] = json!(number);
    row["name"] = json!(named.name);
    row["new_coverage"] = json!(test.new_coverage);
    row["instructions"] = json!(test.instructions);
    row["path"] = json!(test.path);
    row["command"] = json!(command_line(test));
    row["inputs"] = json!(inputs);
    Ok(row)
}

fn line(number: u64, test: &TestCase) -> String {
    let mark = if test.new_coverage { '+' } else { ' ' };
    let rest = test.inputs.iter().filter_map(|input| match &input.kind {
        InputKind::Arg { .. } | InputKind::Env { .. } => None,
        _ => Some(format!("{}:{}", input.name, input.bytes.len())),
    });
    let rest = rest.collect::<Vec<_>>().join(" ");
    let brackets = if rest.is_empty() { rest } else { format!("  [{rest}]") };
    format!("{number:6} {mark} {:<28} {}{brackets}", test.outcome.to_string(), command_line(test))
}

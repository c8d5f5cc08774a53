//! `fathom tests show`: one test, every input in full.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Parser;
use fathom_report::{
    InputKind, InputValue, TestCase, command_line, find_run, load_test, shell_quote,
};

/// Show a test: its outcome, its command line, every input, how to replay it.
#[derive(Parser)]
#[command(after_help = "Examples:\n  \
    fathom tests show last 17\n  \
    fathom tests show fathom-out/3/bugs/double-free-list.c-40-1\n  \
    fathom tests show klee-last/test000001.ktest")]
pub struct Args {
    /// The run the number is of, or one test: its directory, a .ktest file, RUN#N
    #[arg(value_name = "RUN|TEST")]
    at: PathBuf,
    /// The test's number
    #[arg(value_name = "N")]
    number: Option<u64>,
}

pub fn main(args: &Args, out: &mut impl Write) -> Result<()> {
    let path = match args.number {
        Some(number) => format!("{}#{number}", find_run(&args.at)?.name.display()).into(),
        None => args.at.clone(),
    };
    let test = load_test(&path)?;
    write!(out, "{}", about(&path, &test))?;
    for input in &test.inputs {
        write!(out, "\n{}", describe(input))?;
    }
    if let Some(stdout) = &test.stdout {
        write!(out, "\nexpected on standard output, {}\n{}", size(stdout), dump(stdout))?;
    }
    Ok(())
}

fn about(path: &Path, test: &TestCase) -> String {
    let name = shell_quote(path.as_os_str().as_encoded_bytes());
    let program = test.argv.first().map_or("PROGRAM".into(), |word| shell_quote(word));
    let new = if test.new_coverage { "yes" } else { "no" };
    format!(
        "test          {name}\n\
         outcome       {}\n\
         command       {}\n\
         replay        fathom replay {program} {name}\n\
         instructions  {}\n\
         path          {}\n\
         new coverage  {new}\n",
        test.outcome,
        command_line(test),
        test.instructions,
        test.path,
    )
}

fn describe(input: &InputValue) -> String {
    let what = match &input.kind {
        InputKind::Arg { index } => format!("argument {index}"),
        InputKind::Stdin => "standard input".into(),
        InputKind::File { path } => format!("file {path}"),
        InputKind::Env { name } => format!("environment variable {name}"),
        InputKind::Object => "object".into(),
        InputKind::Nondet { c_type } => format!("result of type {c_type}"),
        InputKind::FileMeta { path } => format!("metadata of file {path}"),
        InputKind::System { what } => what.clone(),
    };
    let number = match (&input.kind, number(&input.bytes)) {
        (InputKind::Object | InputKind::Nondet { .. }, Some(number)) => format!(" = {number}"),
        _ => String::new(),
    };
    format!("{}: {what}, {}{number}\n{}", input.name, size(&input.bytes), dump(&input.bytes))
}

fn size(bytes: &[u8]) -> String {
    match bytes.len() {
        1 => "1 byte".into(),
        n => format!("{n} bytes"),
    }
}

/// The bytes as a signed number, where there are as many as an integer has.
fn number(bytes: &[u8]) -> Option<i64> {
    if ![1, 2, 4, 8].contains(&bytes.len()) {
        return None;
    }
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let unused = 64 - 8 * bytes.len() as u32;
    Some(i64::from_le_bytes(wide) << unused >> unused)
}

/// Text as text, anything else as offset, hexadecimal and characters.
fn dump(bytes: &[u8]) -> String {
    let is_text = |byte: &u8| (b' '..=b'~').contains(byte) || b"\n\t".contains(byte);
    if bytes.iter().all(is_text) {
        return format!("  {:?}\n", String::from_utf8_lossy(bytes));
    }
    bytes.chunks(16).enumerate().map(|(n, row)| dump_row(16 * n, row)).collect()
}

fn dump_row(at: usize, row: &[u8]) -> String {
    let hex: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
    let shown = |&byte: &u8| if (b' '..=b'~').contains(&byte) { char::from(byte) } else { '.' };
    let text: String = row.iter().map(shown).collect();
    format!("  {at:08x}  {:<47}  |{text}|\n", hex.join(" "))
}

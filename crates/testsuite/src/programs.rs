//! `tests/programs`: each C file is compiled by `fathom cc`, run natively and in the engine, and
//! must do what its comments say and what the processor does.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli;
use crate::directives::{Directives, Expectation, Expected, Explored, Native};
use crate::pool;
use crate::process::{self, Ended, Input, Run};
use crate::report::Report;
use crate::symbolic;
use crate::tree::{Scratch, Tree};

pub fn run(tree: &Tree, filter: &str, bless: bool) -> Result<bool, String> {
    let mut sources = Vec::new();
    find_sources(&tree.repo.join("tests/programs"), &mut sources)?;
    sources.sort();
    let names: Vec<String> = sources
        .iter()
        .map(|path| path.strip_prefix(&tree.repo).expect("found below it").display().to_string())
        .filter(|name| name.contains(filter))
        .collect();
    let mut tally = pool::run_all(&names, String::clone, |name| check(tree, name, bless));
    tally.add(cli::run(tree, filter));
    Ok(tally.finish())
}

fn find_sources(dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error| format!("{}: {error}", dir.display());
    for entry in fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.ends_with("support") {
            // Other sources of the tests beside it.
        } else if path.is_dir() {
            find_sources(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
    Ok(())
}

/// `name` is the source's path from the repository's root, which is also how the compiler sees it.
fn check(tree: &Tree, name: &str, bless: bool) -> Result<(), String> {
    let path = tree.repo.join(name);
    let source = fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let test = Directives::parse(&source)?;
    let scratch = Scratch::new()?;
    let program = scratch.path().join("prog");
    compile(tree, name, &test, &program)?;

    let report_path = scratch.path().join("report.json");
    let fathom = run_in(&scratch, &test, &path, &program, Some((tree, &report_path)))?;
    if fathom.timed_out {
        return Err("ran out of time in fathom".to_string());
    }
    let run_dir = scratch.path().join(symbolic::RUN_DIR);
    if run_dir.exists() {
        check_wording(tree, &path, &scratch, &fathom, bless)?;
        let run = symbolic::Run { name, test: &test, dir: &run_dir, ended: &fathom };
        return run.check(tree, &scratch);
    }
    if test.explored != Explored::default() {
        let stderr = String::from_utf8_lossy(&fathom.stderr);
        return Err(format!("no symbolic run, but something expected of it\n{stderr}"));
    }
    let report = Report::read(&report_path)
        .map_err(|error| format!("{error}\n{}", String::from_utf8_lossy(&fathom.stderr)))?;
    check_stop(name, &test, &report)?;
    for text in &test.ledger {
        if !report.ledger.iter().any(|entry| entry.what.contains(text)) {
            return Err(format!("the ledger does not say `{text}`"));
        }
    }
    if let Some(exit) = test.exit.filter(|exit| *exit != fathom.status) {
        return Err(format!("exit status {}, expected {exit}", fathom.status));
    }
    check_wording(tree, &path, &scratch, &fathom, bless)?;
    if test.native == Native::Guard {
        let native = run_in(&scratch, &test, &path, &program, None)?;
        return if native.status == 128 + libc::SIGSEGV || native.status == 134 {
            Ok(())
        } else {
            Err(format!("guard mode saw nothing: native status {}", native.status))
        };
    }
    if test.expected.is_empty() && test.native == Native::Compare {
        let native = run_in(&scratch, &test, &path, &program, None)?;
        if let Some(difference) = process::difference(&native, &fathom) {
            return Err(difference);
        }
    }
    Ok(())
}

fn compile(tree: &Tree, name: &str, test: &Directives, program: &Path) -> Result<(), String> {
    let ended = Run::new(&tree.fathom, &tree.repo)
        .args(["cc", "-g", name, "-o"])
        .arg(program)
        .args(&test.cc)
        .run()?;
    if ended.status != 0 || ended.timed_out {
        let stderr = String::from_utf8_lossy(&ended.stderr);
        return Err(format!("does not compile (status {}):\n{stderr}", ended.status));
    }
    Ok(())
}

/// Runs the program natively, or in fathom when it is given. The name and working directory that
/// the program sees are the same in both.
fn run_in(
    scratch: &Scratch,
    test: &Directives,
    source: &Path,
    program: &Path,
    fathom: Option<(&Tree, &Path)>,
) -> Result<Ended, String> {
    let work = scratch.fresh_work()?;
    for (name, text) in &test.files {
        fs::write(work.join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    let run = match fathom {
        Some((tree, report)) => Run::new(&tree.fathom, &work)
            .args(["run", "--report"])
            .arg(report)
            .args(["--out", &format!("../{}", symbolic::RUN_DIR)])
            .args(&test.run)
            .arg("../prog"),
        None => Run::new(program, &work).arg0("../prog"),
    };
    let run = run.args(&test.args).plain_env(&test.env);
    let run = match &test.stdin_file {
        Some(name) => run.input(Input::File(source.with_file_name(name))),
        None => run.input(Input::Bytes(test.stdin.clone())),
    };
    let guard = fathom.is_none() && test.native == Native::Guard;
    if guard { run.env("FATHOM_GUARD", "1") } else { run }.run()
}

/// Matches what stopped the program against the expectations, both ways.
fn check_stop(name: &str, test: &Directives, report: &Report) -> Result<(), String> {
    let line = report.line_in(name).unwrap_or(0);
    let met = |expectation: &Expectation| {
        expectation.line == line
            && match &expectation.what {
                Expected::Bug(kind) => {
                    report.outcome == "bug" && report.kind.as_deref() == Some(kind)
                }
                Expected::Unsupported(text) => {
                    report.outcome == "unsupported"
                        && report.message.as_deref().is_some_and(|message| message.contains(text))
                }
            }
    };
    let stopped = matches!(report.outcome.as_str(), "bug" | "unsupported" | "exhausted");
    if stopped && !test.expected.iter().any(met) {
        return Err(format!("not expected: {} (line {line} of the test)", report.summary()));
    }
    match test.expected.iter().find(|expectation| !met(expectation)) {
        Some(unmet) => Err(format!(
            "expected at line {}: {:?}; got {} (line {line} of the test)",
            unmet.line,
            unmet.what,
            report.summary()
        )),
        None => Ok(()),
    }
}

fn check_wording(
    tree: &Tree,
    source: &Path,
    scratch: &Scratch,
    fathom: &Ended,
    bless: bool,
) -> Result<(), String> {
    let path = source.with_extension("expected");
    if !path.exists() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&fathom.stderr)
        .replace(&scratch.path().display().to_string(), "DIR")
        .replace(&format!("{}/", tree.repo.display()), "");
    let text = normalise(&text);
    if bless {
        return fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()));
    }
    let expected = fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let difference = process::stream_difference("report", expected.as_bytes(), text.as_bytes());
    if difference.is_empty() {
        return Ok(());
    }
    let difference = difference.replace("  native:", "  expected:").replace("  fathom:", "  got:");
    Err(format!("{difference}if the new wording is right: ./x bless"))
}

/// Erases what differs between runs and machines: addresses, times, lines of the C library.
fn normalise(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        for word in line.split_inclusive([' ', '\n']) {
            out += &normalise_word(word);
        }
    }
    out
}

fn normalise_word(word: &str) -> String {
    if let (true, Some(colon)) = (word.starts_with("musl/"), word.find(':')) {
        return format!("{}:LINE{}", &word[..colon], &word[word.trim_end().len()..]);
    }
    if let Some(start) = word.find("0x") {
        let digits = word[start + 2..].bytes().take_while(u8::is_ascii_hexdigit).count();
        if digits > 4 {
            return format!("{}ADDRESS{}", &word[..start], &word[start + 2 + digits..]);
        }
    }
    let number = word.trim_end();
    let seconds = number.strip_suffix('s').filter(|rest| rest.contains('.'));
    if seconds.is_some_and(|seconds| seconds.parse::<f64>().is_ok()) {
        return word.replace(number, "TIME");
    }
    word.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn erases_addresses_and_times() {
        assert_eq!(normalise("in musl/src/x.c:12\n"), "in musl/src/x.c:LINE\n");
        assert_eq!(normalise("at 0x7f001234, 0x10 in 1.25s\n"), "at ADDRESS, 0x10 in TIME\n");
    }
}

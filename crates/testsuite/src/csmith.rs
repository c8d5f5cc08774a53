//! Random programs by Csmith: the checksum each prints must be the same natively and in the engine.
//!
//! `tests/csmith.seeds` lists them, one per line: the seed and more options of csmith.

use std::fs;
use std::path::Path;

use crate::pool;
use crate::process::{self, Run};
use crate::tree::{Scratch, Tree};

pub fn run(tree: &Tree, count: usize) -> Result<bool, String> {
    let include = include_dir()?;
    let list = tree.repo.join("tests/csmith.seeds");
    let text = fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    if lines.len() < count {
        return Err(format!("{} lists {} programs, not {count}", list.display(), lines.len()));
    }
    let tally = pool::run_all(
        &lines[..count],
        |line| format!("csmith --seed {line}"),
        |line| check(tree, &include, line),
    );
    Ok(tally.finish())
}

fn include_dir() -> Result<String, String> {
    let dirs = ["/usr/include/csmith", "/usr/include/csmith-2.3.0"];
    dirs.iter()
        .find(|dir| Path::new(dir).join("csmith.h").exists())
        .map(|dir| dir.to_string())
        .ok_or_else(|| "csmith.h is missing: run ./x setup (libcsmith-dev)".to_string())
}

fn check(tree: &Tree, include: &str, line: &str) -> Result<(), String> {
    let scratch = Scratch::new()?;
    let dir = scratch.path();
    let generated = Run::new("csmith", dir).arg("--seed").args(line.split_whitespace()).run()?;
    if generated.status != 0 || generated.timed_out {
        return Err(format!("csmith failed with status {}", generated.status));
    }
    fs::write(dir.join("random.c"), &generated.stdout).map_err(|error| error.to_string())?;
    let compiled = Run::new(&tree.fathom, dir)
        .args(["cc", "-w", "-O1", "-I", include, "random.c", "-o", "random"])
        .run()?;
    if compiled.status != 0 || compiled.timed_out {
        let stderr = String::from_utf8_lossy(&compiled.stderr);
        return Err(format!("does not compile:\n{stderr}"));
    }
    let native = Run::new(dir.join("random"), dir).plain_env(&[]).run()?;
    let fathom =
        Run::new(&tree.fathom, dir).args(["run", "./random"]).plain_env(&[]).timeout(180).run()?;
    match process::difference(&native, &fathom) {
        Some(difference) => Err(difference),
        None => Ok(()),
    }
}

//! Real programs: Debian source packages built with `CC=fathom-cc`, whose runs in the engine must
//! equal their native runs byte for byte. `tests/real/*.toml` lists packages and invocations.

mod build;
mod cases;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::pool;
use crate::process::{self, Ended, Input, Run};
use crate::tree::{Scratch, Tree};

pub use build::{Built, Packages};
use cases::{Case, Package};

pub fn run(tree: &Tree, filter: &str, quick: bool) -> Result<bool, String> {
    let packages = Packages::load(tree)?;
    let chosen: Vec<(&Package, Vec<&Case>)> = packages
        .all()
        .map(|package| (package, package.cases(filter, quick)))
        .filter(|(_, cases)| !cases.is_empty())
        .collect();
    let mut jobs = Vec::new();
    let mut unbuilt = pool::Tally::default();
    for (package, cases) in chosen {
        match packages.build(tree, package, "") {
            Ok(built) => {
                let built = std::sync::Arc::new(built);
                jobs.extend(cases.into_iter().map(|case| (package, built.clone(), case)));
            }
            Err(message) => {
                println!("FAILED {}: build\n  {}", package.name, message.replace('\n', "\n  "));
                unbuilt.failed += cases.len();
            }
        }
    }
    let mut tally = pool::run_all(
        &jobs,
        |(package, _, case)| format!("{}/{}", package.name, case.name),
        |(_, built, case)| check(tree, built, case),
    );
    tally.add(unbuilt);
    Ok(tally.finish())
}

fn check(tree: &Tree, built: &Built, case: &Case) -> Result<(), String> {
    let scratch = Scratch::new()?;
    let bin = scratch.path().join("bin");
    fs::create_dir(&bin).map_err(|error| error.to_string())?;
    let argv = case.argv();
    let (program, args) = argv.split_first().ok_or("`run` is empty")?;
    // The name that the program sees is the same in both runs.
    let name = format!("../bin/{program}");
    std::os::unix::fs::symlink(built.program(program)?, bin.join(program))
        .map_err(|error| format!("{program}: {error}"))?;

    let work = fixture(&scratch, built, case)?;
    let native = Run::new(bin.join(program), &work).arg0(&name).args(args);
    let native = finish(native, built, case)?;
    let native_files = if case.host_writes { snapshot(&work)? } else { BTreeMap::new() };
    if native.status != case.status {
        let stderr = String::from_utf8_lossy(&native.stderr);
        return Err(format!("native status {}, not {}:\n{stderr}", native.status, case.status));
    }

    let work = fixture(&scratch, built, case)?;
    let run = Run::new(&tree.fathom, &work).arg("run");
    let run = if case.host_writes { run.arg("--host-writes") } else { run };
    let fathom = finish(run.arg(&name).args(args), built, case)?;
    if let Some(bug) = &case.bug {
        let stderr = String::from_utf8_lossy(&fathom.stderr);
        let found = fathom.status == 134 && stderr.contains(bug.as_str());
        return if found { Ok(()) } else { Err(format!("`{bug}` was not reported:\n{stderr}")) };
    }
    if let Some(difference) = process::difference(&native, &fathom) {
        return Err(format!("{}\n{difference}", case.run));
    }
    if case.host_writes {
        compare_files(&native_files, &snapshot(&work)?)?;
    }
    Ok(())
}

fn finish(run: Run, built: &Built, case: &Case) -> Result<Ended, String> {
    let env: Vec<(String, String)> = case.env.clone().into_iter().collect();
    let input = match &case.stdin_source {
        Some(path) => Input::File(built.source.join(path)),
        None => Input::Bytes(case.stdin.clone().into_bytes()),
    };
    let mut ended = run.plain_env(&env).input(input).timeout(case.timeout).run()?;
    if !case.ignore.is_empty() {
        ended.stdout = without_lines(&ended.stdout, &case.ignore);
    }
    Ok(ended)
}

fn without_lines(text: &[u8], prefixes: &[String]) -> Vec<u8> {
    let ignored = |line: &&[u8]| prefixes.iter().any(|prefix| line.starts_with(prefix.as_bytes()));
    text.split_inclusive(|byte| *byte == b'\n')
        .filter(|line| !ignored(line))
        .flatten()
        .copied()
        .collect()
}

/// A fresh working directory with the case's files, all of one age.
fn fixture(scratch: &Scratch, built: &Built, case: &Case) -> Result<PathBuf, String> {
    let work = scratch.fresh_work()?;
    for (name, text) in &case.files {
        let path = work.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| format!("{name}: {error}"))?;
        }
        fs::write(&path, text).map_err(|error| format!("{name}: {error}"))?;
    }
    for name in &case.copy {
        let from = built.source.join(name);
        let to = work.join(Path::new(name).file_name().ok_or("bad name to copy")?);
        fs::copy(&from, &to).map_err(|error| format!("{name}: {error}"))?;
    }
    let script = format!("{}\nfind . -exec touch -h -d '2020-01-01 UTC' {{}} +\n", case.prepare);
    let prepared = Run::new("/bin/sh", &work).args(["-ec", &script]).plain_env(&[]).run()?;
    if prepared.status != 0 {
        let stderr = String::from_utf8_lossy(&prepared.stderr);
        return Err(format!("cannot prepare: {stderr}"));
    }
    Ok(work)
}

type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Every file below `dir` with its contents (a link with its target, a directory with nothing).
fn snapshot(dir: &Path) -> Result<Files, String> {
    fn walk(root: &Path, dir: &Path, files: &mut Files) -> std::io::Result<()> {
        for entry in fs::read_dir(dir)? {
            let path = entry?.path();
            let kind = fs::symlink_metadata(&path)?.file_type();
            let bytes = if kind.is_symlink() {
                fs::read_link(&path)?.into_os_string().into_encoded_bytes()
            } else if kind.is_file() {
                fs::read(&path)?
            } else {
                Vec::new()
            };
            files.insert(path.strip_prefix(root).expect("below it").to_path_buf(), bytes);
            if kind.is_dir() {
                walk(root, &path, files)?;
            }
        }
        Ok(())
    }
    let mut files = Files::new();
    walk(dir, dir, &mut files).map_err(|error| format!("{}: {error}", dir.display()))?;
    Ok(files)
}

fn compare_files(native: &Files, fathom: &Files) -> Result<(), String> {
    let names = |files: &Files| -> Vec<String> {
        files.keys().map(|path| path.display().to_string()).collect()
    };
    if names(native) != names(fathom) {
        return Err(format!("files: native {:?}, fathom {:?}", names(native), names(fathom)));
    }
    for (path, bytes) in native {
        let name = format!("file {}", path.display());
        let difference = process::stream_difference(&name, bytes, &fathom[path]);
        if !difference.is_empty() {
            return Err(difference);
        }
    }
    Ok(())
}

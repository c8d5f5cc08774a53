//! A test case as a directory of plain files that people and scripts can use.
//!
//! `argv` (each argument ended by NUL), `cmdline` (the same for a shell), `env`, `stdin`, `files/`,
//! `objects/` and `meta.json`, which says what is what. Only what a test has is there. All values
//! are read from the plain files, so editing them edits the test.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{EnvVar, Error, InputKind, InputValue, Outcome, Result, TestCase};
use crate::{quote, write};

/// `meta.json`.
#[derive(Serialize, Deserialize)]
struct Meta {
    /// The test's number in `tests.pack`; 0 where it has none.
    #[serde(default)]
    test: u64,
    #[serde(flatten)]
    outcome: Outcome,
    new_coverage: bool,
    instructions: u64,
    path: u64,
    inputs: Vec<MetaInput>,
    /// The directory of the recorded world, relative to the test's or absolute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    world: Option<PathBuf>,
}

/// One input and the file its bytes are in.
#[derive(Serialize, Deserialize)]
struct MetaInput {
    name: String,
    #[serde(flatten)]
    kind: InputKind,
    size: u64,
    /// Relative to the test's directory: `argv`, `env`, `stdin`, `files/…`, `objects/…`.
    at: String,
}

/// Writes test `number` into the directory `dir`, which exists and is empty.
pub fn write_plain(dir: &Path, number: u64, test: &TestCase) -> Result<()> {
    let test = test.settled();
    write::write_file(&dir.join("argv"), ended(&test.argv))?;
    write::write_file(&dir.join("cmdline"), quote::command_line(&test) + "\n")?;
    if !test.env.is_empty() {
        let line = |var: &EnvVar| [&var.name[..], b"=", &var.value].concat();
        let lines: Vec<_> = test.env.iter().map(line).collect();
        write::write_file(&dir.join("env"), ended(&lines))?;
    }
    if let Some(stdout) = &test.stdout {
        write::write_file(&dir.join("stdout"), stdout)?;
    }
    let mut taken = BTreeSet::new();
    let mut inputs = Vec::new();
    for (n, input) in test.inputs.iter().enumerate() {
        let at = place(n, input, &mut taken);
        if at != "argv" && at != "env" {
            let path = dir.join(&at);
            write::create_dir(path.parent().expect("it is inside `dir`"))?;
            write::write_file(&path, &input.bytes)?;
        }
        let size = input.bytes.len() as u64;
        inputs.push(MetaInput { name: input.name.clone(), kind: input.kind.clone(), size, at });
    }
    let meta = Meta {
        test: number,
        outcome: test.outcome,
        new_coverage: test.new_coverage,
        instructions: test.instructions,
        path: test.path,
        inputs,
        world: test.world,
    };
    write::write_file(&dir.join("meta.json"), write::pretty(&meta))
}

fn ended(words: &[Vec<u8>]) -> Vec<u8> {
    words.iter().flat_map(|word| word.iter().copied().chain([0])).collect()
}

/// Where an input's bytes go: the place people would look for them, if they fit there.
fn place(n: usize, input: &InputValue, taken: &mut BTreeSet<String>) -> String {
    let wanted = match &input.kind {
        InputKind::Arg { .. } if !input.bytes.contains(&0) => return "argv".into(),
        InputKind::Env { .. } if !input.bytes.contains(&0) => return "env".into(),
        InputKind::Stdin => "stdin".into(),
        InputKind::File { path } => format!("files/{}", inside(path)),
        _ => String::new(),
    };
    // A file's path may be another's directory.
    let is_free = |taken: &BTreeSet<String>| {
        !taken.iter().any(|other| {
            let (wanted, other) = (Path::new(&wanted), Path::new(other));
            wanted.starts_with(other) || other.starts_with(wanted)
        })
    };
    let at = match !wanted.is_empty() && is_free(taken) {
        true => wanted,
        false => format!("objects/{n:03}-{}", file_name(&input.name)),
    };
    taken.insert(at.clone());
    at
}

/// A relative path without `..`: it cannot leave the directory it is put in.
fn inside(path: &str) -> String {
    let parts = Path::new(path).components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        Component::ParentDir => Some("_".into()),
        Component::RootDir | Component::CurDir | Component::Prefix(_) => None,
    });
    match parts.collect::<Vec<_>>().join("/") {
        empty if empty.is_empty() => "_".into(),
        path => path,
    }
}

/// `text` as a file name of moderate length and plain characters.
pub(crate) fn file_name(text: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-+".contains(c) { c } else { '_' };
    text.chars().map(plain).take(60).collect()
}

/// Reads a directory that [`write_plain`] wrote, or one that a person made without `meta.json`.
pub fn read_plain(dir: &Path) -> Result<TestCase> {
    let mut test = TestCase {
        argv: read_words(&dir.join("argv"))?.unwrap_or_default(),
        stdout: read_if_there(&dir.join("stdout"))?,
        ..TestCase::default()
    };
    for line in read_words(&dir.join("env"))?.unwrap_or_default() {
        let at = line.iter().position(|&byte| byte == b'=').unwrap_or(line.len());
        let value = line.get(at + 1..).unwrap_or_default().to_vec();
        test.env.push(EnvVar { name: line[..at].to_vec(), value });
    }
    match read_if_there(&dir.join("meta.json"))? {
        Some(meta) => read_described(dir, &meta, &mut test)?,
        None => read_undescribed(dir, &mut test)?,
    }
    test.settle();
    Ok(test)
}

fn read_described(dir: &Path, meta: &[u8], test: &mut TestCase) -> Result<()> {
    let path = dir.join("meta.json");
    let meta: Meta = serde_json::from_slice(meta)
        .map_err(|error| Error::format(&path, format!("not a test's meta.json: {error}")))?;
    for input in meta.inputs {
        let bytes = match (&input.kind, input.at.as_str()) {
            (InputKind::Arg { index }, "argv") => {
                test.argv.get(*index as usize).cloned().unwrap_or_default()
            }
            (InputKind::Env { name }, "env") => {
                let is_it = |var: &&EnvVar| var.name == name.as_bytes();
                test.env.iter().find(is_it).map(|var| var.value.clone()).unwrap_or_default()
            }
            (_, at) => {
                let at = dir.join(inside(at));
                fs::read(&at).map_err(Error::read(&at))?
            }
        };
        test.inputs.push(InputValue { name: input.name, kind: input.kind, bytes });
    }
    test.outcome = meta.outcome;
    test.new_coverage = meta.new_coverage;
    test.instructions = meta.instructions;
    test.path = meta.path;
    test.world = meta.world.map(|world| dir.join(world));
    Ok(())
}

fn read_undescribed(dir: &Path, test: &mut TestCase) -> Result<()> {
    let stdin = read_if_there(&dir.join("stdin"))?;
    let files = dir.join("files");
    if stdin.is_none() && test.argv.is_empty() && !files.is_dir() {
        return Err(Error::format(dir, "no test case: it has no meta.json, argv, stdin or files/"));
    }
    if let Some(bytes) = stdin {
        test.inputs.push(InputValue { name: "stdin".into(), kind: InputKind::Stdin, bytes });
    }
    if files.is_dir() {
        for path in files_below(&files)? {
            let name = path.strip_prefix(&files).expect("below").to_string_lossy().into_owned();
            let bytes = fs::read(&path).map_err(Error::read(&path))?;
            let kind = InputKind::File { path: name.clone() };
            test.inputs.push(InputValue { name, kind, bytes });
        }
    }
    Ok(())
}

/// All files in a directory and the directories in it, sorted.
fn files_below(dir: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).map_err(Error::read(dir))? {
        let path = entry.map_err(Error::read(dir))?.path();
        match path.is_dir() {
            true => found.extend(files_below(&path)?),
            false => found.push(path),
        }
    }
    found.sort();
    Ok(found)
}

fn read_words(path: &Path) -> Result<Option<Vec<Vec<u8>>>> {
    let Some(mut bytes) = read_if_there(path)? else { return Ok(None) };
    if bytes.last() == Some(&0) {
        bytes.pop();
    } else if bytes.is_empty() {
        return Ok(Some(Vec::new()));
    }
    Ok(Some(bytes.split(|&byte| byte == 0).map(<[u8]>::to_vec).collect()))
}

fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::read(path)(error)),
    }
}

//! The world a recorded program ran in, made again for a native run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io, thread};

use serde::{Deserialize, Serialize};

use crate::confine::{self, Confinement, Entry};
use crate::run::memory_file;
use crate::scratch::Scratch;
use crate::{Error, NativeInput, tree};

/// What a recorded program had around it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct World {
    /// Holds all that the program saw of the file system. Every run gets a copy as its `/`.
    pub root: PathBuf,
    /// The working directory as the program saw it: absolute.
    pub cwd: PathBuf,
    pub umask: u32,
    /// Standard input, output and error.
    pub streams: [Stream; 3],
    /// The program has made children before its end; in native runs they can execute nothing.
    #[serde(default)]
    pub has_children: bool,
    /// What a native run does not repeat, where that may matter.
    #[serde(default)]
    pub lacks: Option<String>,
    /// The whole environment.
    #[serde(skip)]
    pub env: Vec<(Vec<u8>, Vec<u8>)>,
    /// What standard input held.
    #[serde(skip)]
    pub stdin: Vec<u8>,
}

/// What a descriptor is at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Stream {
    /// A regular file. What is printed to one is collected.
    #[default]
    File,
    /// The same, read from a position on.
    FileAt {
        offset: u64,
    },
    /// A pipe whose writer has gone; to print to, a regular file.
    Pipe,
    /// `/dev/null`; what is printed to it is collected.
    Null,
    Closed,
}

impl World {
    /// Reads the description of a world from its directory (`docs/FORMATS.md`).
    pub fn read(dir: &Path) -> Result<World, Error> {
        let path = dir.join("world.json");
        let json = fs::read(&path).map_err(Error::io(&path))?;
        let invalid = |error: serde_json::Error| Error::Io(path.clone(), error.into());
        let mut world: World = serde_json::from_slice(&json).map_err(invalid)?;
        world.root = dir.join(&world.root);
        let path = dir.join("env");
        let env = fs::read(&path).map_err(Error::io(&path))?;
        world.env = env.split_inclusive(|&byte| byte == 0).map(variable).collect();
        // Where it was closed there is none.
        world.stdin = fs::read(dir.join("stdin")).unwrap_or_default();
        Ok(world)
    }

    /// Writes the description into a directory that exists. `root` stays where it is.
    pub fn write(&self, dir: &Path) -> Result<(), Error> {
        let json = serde_json::to_vec_pretty(self).expect("a world can be written down");
        let line = |(name, value): &(Vec<u8>, Vec<u8>)| [name, &b"="[..], value, b"\0"].concat();
        let env: Vec<u8> = self.env.iter().flat_map(line).collect();
        for (name, bytes) in [("world.json", &json), ("env", &env), ("stdin", &self.stdin)] {
            let path = dir.join(name);
            fs::write(&path, bytes).map_err(Error::io(&path))?;
        }
        Ok(())
    }

    /// Whether the program sees only the copy: then its files with absolute paths can be replaced.
    pub fn is_confined(&self) -> bool {
        confine::confinement() != Confinement::None
    }

    /// Lets `command` start in the copy that `scratch` has.
    pub(crate) fn enter(&self, command: &mut Command, scratch: &Scratch) -> Result<(), Error> {
        let work = scratch.work();
        let cwd = match self.is_confined() {
            true => self.cwd.clone(),
            false => tree::resolve(&work, &self.cwd)?,
        };
        let closed = (0..3).filter(|&fd| self.streams[fd as usize] == Stream::Closed).collect();
        Entry::new(&work, &cwd, self.umask, closed).prepare(command);
        Ok(())
    }

    pub(crate) fn stdin(&self, input: &NativeInput) -> Result<Stdio, Error> {
        let failed = |error: io::Error| Error::Io("standard input".into(), error);
        match self.streams[0] {
            Stream::File => Ok(memory_file(&input.stdin, 0)?.into()),
            Stream::FileAt { offset } => Ok(memory_file(&input.stdin, offset)?.into()),
            Stream::Null | Stream::Closed => Ok(Stdio::null()),
            Stream::Pipe => {
                let (reader, mut writer) = io::pipe().map_err(failed)?;
                let bytes = input.stdin.clone();
                // It ends with the last reader at the latest, and what is not read is no matter.
                thread::spawn(move || io::Write::write_all(&mut writer, &bytes));
                Ok(reader.into())
            }
        }
    }
}

/// The name and value of a variable, which a NUL ends.
fn variable(line: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let line = line.strip_suffix(b"\0").unwrap_or(line);
    let mut parts = line.splitn(2, |&byte| byte == b'=').map(<[u8]>::to_vec);
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}

/// `whole` with `start` in place of its first bytes.
pub(crate) fn with_start(start: &[u8], whole: &[u8]) -> Vec<u8> {
    [start, whole.get(start.len()..).unwrap_or_default()].concat()
}

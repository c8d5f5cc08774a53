//! Starting a run with symbolic input: standard input, files, their metadata, randomness.

use std::fs::File;
use std::io::{IsTerminal, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fathom_expr::{ExprId, Pool};
use libc::S_IFREG;

use crate::contents::Contents;
use crate::errno::Errno;
use crate::overlay::{Kind, NodeId};
use crate::path::{Last, Links};
use crate::symbols::Symbols;
use crate::{Config, Linux, metadata};

pub(crate) const STDIN: &str = "stdin";

/// After so many symbolic bytes somebody looks whether they are still wanted.
const LOOK: u32 = 1 << 12;

/// What is symbolic. The inputs of the pool are named `stdin`, as the files, `random`, and
/// `NAME-stat` for metadata.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Bytes of standard input; `None`: it holds `concrete_stdin`. In a recorded world, how many of
    /// its first bytes are symbolic.
    pub stdin: Option<u32>,
    pub concrete_stdin: Vec<u8>,
    pub files: Vec<InputFile>,
    /// The metadata of these files, and of a symbolic standard input, is symbolic too.
    pub metadata: bool,
    /// How many of the first random bytes are symbolic.
    pub random: u32,
    /// Raised when nobody wants them any more: many bytes take long.
    pub interrupt: Arc<AtomicBool>,
}

/// A symbolic file. A file of the host with the same name is hidden by it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputFile {
    /// Relative to the working directory, or absolute.
    pub path: PathBuf,
    /// `None`: as large as the host's file.
    pub size: Option<u32>,
    /// How many of the first bytes are symbolic, the others being those of the host's file;
    /// `None`: all.
    pub symbolic: Option<u32>,
}

/// Why a run with symbolic input cannot start.
#[derive(Debug)]
pub enum InputError {
    /// A file whose size is wanted, or standard input, cannot be read.
    Host(PathBuf, std::io::Error),
    /// No regular file can be made there, or a recording lacks what has to be there.
    NoPlace(PathBuf),
    /// More than 4 GiB.
    TooLarge(PathBuf),
    Interrupted,
}

impl std::fmt::Display for InputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Host(path, error) => write!(f, "{}: {error}", path.display()),
            Self::NoPlace(path) => write!(f, "{}: no file can be made there", path.display()),
            Self::TooLarge(path) => write!(f, "{}: too large to be symbolic", path.display()),
            Self::Interrupted => write!(f, "interrupted while symbolic bytes were made"),
        }
    }
}

impl std::error::Error for InputError {}

impl Linux {
    /// A process for states that fork: nothing it does reaches the host. Its streams are regular
    /// files, what it prints is kept, and `inputs` are symbolic.
    pub fn symbolic(config: Config, inputs: &Inputs, pool: &mut Pool) -> Result<Self, InputError> {
        let cwd = config.cwd.clone();
        let mut linux = Self::without_streams(Config { host_writes: false, ..config });
        linux.is_symbolic = true;
        let input = match inputs.stdin {
            Some(size) => {
                let bytes = symbolic_bytes(pool, STDIN, size, &inputs.interrupt)?;
                symbolic_start(bytes, Contents::default())
            }
            None => concrete(&inputs.concrete_stdin),
        };
        let streams = linux.open_streams(input);
        let [stdin, ..] = streams.map_err(|_| InputError::NoPlace(STDIN.into()))?;
        if inputs.metadata && inputs.stdin.is_some() {
            linux.make_metadata(pool, STDIN, stdin);
        }
        for file in &inputs.files {
            let contents = file.contents(&cwd.join(&file.path), pool, &inputs.interrupt)?;
            let node = linux.plant_input(&file.path, contents);
            let node = node.map_err(|_| InputError::NoPlace(file.path.clone()))?;
            if inputs.metadata {
                linux.make_metadata(pool, &name_of(&file.path), node);
            }
        }
        linux.make_random_symbolic(inputs, pool)?;
        Ok(linux)
    }

    pub(crate) fn make_random_symbolic(
        &mut self,
        inputs: &Inputs,
        pool: &mut Pool,
    ) -> Result<(), InputError> {
        if inputs.random > 0 {
            let bytes = symbolic_bytes(pool, "random", inputs.random, &inputs.interrupt)?;
            self.world.random.make_symbolic(bytes.into());
        }
        Ok(())
    }

    pub(crate) fn plant_input(&mut self, path: &Path, contents: Contents) -> Result<NodeId, Errno> {
        let path = path.as_os_str().as_bytes();
        let tree = &mut self.world.tree;
        let place = tree.resolve(self.cwd, path, Links::FollowToCreate)?;
        let taken = place.node.is_some_and(|node| tree.is_directory(node));
        if taken || place.slash || place.last != Last::Name {
            return Err(Errno(libc::EISDIR));
        }
        tree.plant(place.parent, &place.name, Kind::File(contents), S_IFREG | 0o644)
    }

    pub(crate) fn make_metadata(&mut self, pool: &mut Pool, name: &str, node: NodeId) {
        let name = format!("{name}-stat");
        let privileged = self.world.tree.user.uid == 0;
        self.world.tree.node_mut(node).symbols = metadata::symbolic_stat(pool, &name);
        self.assumptions.extend(metadata::assumptions(pool, &name, privileged));
    }
}

pub(crate) fn name_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

impl InputFile {
    /// Its bytes; `host` is the host's file.
    pub(crate) fn contents(
        &self,
        host: &Path,
        pool: &mut Pool,
        interrupt: &AtomicBool,
    ) -> Result<Contents, InputError> {
        let size = match self.size {
            Some(size) => size,
            None => host_size(host)?,
        };
        let count = self.symbolic.unwrap_or(size).min(size);
        let mut rest = Contents::default();
        if count < size {
            let file = File::open(host);
            let file = file.map_err(|error| InputError::Host(host.to_owned(), error))?;
            rest = Contents::over(Rc::new(file));
            rest.set_size(size.into());
        }
        let bytes = symbolic_bytes(pool, &name_of(&self.path), count, interrupt)?;
        Ok(symbolic_start(bytes, rest))
    }
}

/// `rest` with symbolic bytes in place of its first ones.
pub(crate) fn symbolic_start(bytes: Vec<ExprId>, mut rest: Contents) -> Contents {
    let zeros = vec![0; bytes.len()];
    let symbols: Symbols = (0..).zip(bytes).collect();
    rest.write_at(&zeros, &symbols, 0);
    rest
}

/// All bytes of an input. The first ones are always made: a run that is stopped early on needs
/// something to go on with.
fn symbolic_bytes(
    pool: &mut Pool,
    name: &str,
    count: u32,
    interrupt: &AtomicBool,
) -> Result<Vec<ExprId>, InputError> {
    let input = pool.input(name, count);
    let byte = |offset: u32| {
        let is_time_to_look = offset % LOOK == LOOK - 1;
        if is_time_to_look && interrupt.load(Ordering::Relaxed) {
            return Err(InputError::Interrupted);
        }
        Ok(pool.byte(input, offset))
    };
    (0..count).map(byte).collect()
}

fn host_size(path: &Path) -> Result<u32, InputError> {
    let metadata = std::fs::metadata(path);
    let metadata = metadata.map_err(|error| InputError::Host(path.to_owned(), error))?;
    u32::try_from(metadata.len()).map_err(|_| InputError::TooLarge(path.to_owned()))
}

fn concrete(bytes: &[u8]) -> Contents {
    let mut contents = Contents::default();
    contents.write_at(bytes, &Symbols::default(), 0);
    contents
}

/// All of the host's standard input; nothing if somebody would have to type it, or if it is
/// closed.
pub fn host_stdin() -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    let stdin = std::io::stdin();
    if !stdin.is_terminal() {
        let read = stdin.lock().read_to_end(&mut bytes);
        read.map_err(|error| InputError::Host(STDIN.into(), error))?;
    }
    Ok(bytes)
}

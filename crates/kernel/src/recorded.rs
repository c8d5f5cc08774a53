//! The world of a recording: the files, streams and answers of a native run, and nothing else.

use std::collections::{HashMap, VecDeque};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use fathom_expr::Pool;
use libc::{ENOENT, S_IFCHR};

use crate::answers::Answers;
use crate::children::Children;
use crate::errno::{Early, Errno};
use crate::inputs::{InputError, Inputs, name_of};
use crate::overlay::{Kind, ROOT, Tree, User};
use crate::path::Links;
use crate::sandbox::Sandbox;
use crate::{Config, Linux};

/// What a native run had around it.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Holds all that the program saw of the file system: its path P is `root`/P. Nothing else of
    /// the host exists for it.
    pub root: PathBuf,
    /// The metadata of files, by their absolute paths; others have those below `root`.
    pub statuses: HashMap<PathBuf, libc::stat>,
    /// The names in directories, in the order in which they were read.
    pub listings: HashMap<PathBuf, Vec<Vec<u8>>>,
    /// Absolute paths that were asked for and could not be had, with the error's number.
    pub absent: HashMap<PathBuf, i32>,
    /// Signals that were ignored from the start.
    pub ignored: Vec<i32>,
    /// What was read from random devices.
    pub random: Vec<u8>,
    /// Paths that could not be executed, as they were named, with the errors' numbers in order.
    pub not_executed: HashMap<Vec<u8>, VecDeque<i32>>,
    /// The program that this one became at its end, as it named it.
    pub executed: Option<Vec<u8>>,
    pub umask: u32,
    /// Soft and hard limits, by the numbers of `RLIMIT_*`.
    pub limits: Vec<(u64, u64)>,
    pub user: RecordedUser,
    /// The descriptors that were open at the start.
    pub streams: Vec<RecordedStream>,
    /// Pipes and terminals that have names: what was read from them is in files of these names.
    pub named: Vec<NamedStream>,
    /// What the system answered, in order.
    pub answers: Vec<RecordedAnswer>,
    /// The processes that it made, in order.
    pub children: Vec<i32>,
    /// What was read from each pipe that it made, in order.
    pub pipes: Vec<Vec<u8>>,
}

/// Who the program was.
#[derive(Clone, Debug, Default)]
pub struct RecordedUser {
    pub pid: i32,
    pub parent: i32,
    pub uid: u32,
    pub euid: u32,
    pub gid: u32,
    pub egid: u32,
    pub groups: Vec<u32>,
}

/// A descriptor that was open at the start.
#[derive(Clone, Debug)]
pub struct RecordedStream {
    pub fd: i32,
    /// Access mode and status flags, as `F_GETFL` gave them.
    pub flags: i32,
    pub close_on_exec: bool,
    pub kind: StreamKind,
    pub stat: libc::stat,
    /// What `/proc/self/fd` said of it; for a directory, where it is.
    pub path: PathBuf,
    /// All that can be read from it; of a file, from its beginning.
    pub bytes: Vec<u8>,
    /// After how many of them a read ends, whatever it has room for. Not of regular files.
    pub ends: Vec<u64>,
    /// Bytes that can be written to it until nobody reads any more; nothing where somebody always
    /// does. Not of regular files.
    pub room: Option<u64>,
}

/// A pipe or terminal that has a name.
#[derive(Clone, Debug)]
pub struct NamedStream {
    pub path: PathBuf,
    pub stat: libc::stat,
    /// A descriptor that was open at the start and stands for the same.
    pub inherited: Option<i32>,
    /// How many bytes were read from each opening, and after how many of these a read ended,
    /// whatever it had room for.
    pub openings: Vec<(u64, Vec<u64>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
    Regular {
        /// The position at the start.
        offset: u64,
    },
    /// A pipe whose other end has gone once all is read.
    Pipe,
    Terminal,
    /// A character device such as `/dev/null`.
    Device,
    Directory,
    /// Sockets and the like.
    Other,
}

/// What a system call answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedAnswer {
    pub number: u64,
    pub args: [u64; 3],
    /// Negative: an error number.
    pub result: i64,
    /// What it wrote into the program's memory.
    pub bytes: Vec<u8>,
}

/// Devices that every program has, with their numbers.
const DEVICES: &[(&[u8], u32, u32)] =
    &[(b"null", 1, 3), (b"zero", 1, 5), (b"full", 1, 7), (b"random", 1, 8), (b"urandom", 1, 9)];

/// Directories that every program has.
const DIRECTORIES: &[(&[u8], u32)] = &[(b"dev", 0o755), (b"proc", 0o555), (b"tmp", 0o1777)];

impl Linux {
    /// A process for states that fork, in the world of a recording. The paths of `config` and
    /// `inputs` are those that the program saw; what the sandbox and the host would add is not
    /// there. A symbolic standard input replaces the first bytes of the recorded one.
    pub fn recorded(
        config: Config,
        recorded: Recorded,
        inputs: &Inputs,
        pool: &mut Pool,
    ) -> Result<Self, InputError> {
        let root = recorded.root.canonicalize();
        let root = root.map_err(|error| InputError::Host(recorded.root.clone(), error))?;
        let on_host = |path: PathBuf| root.join(path.strip_prefix("/").unwrap_or(&path));
        let statuses = recorded.statuses.into_iter().map(|(path, stat)| (on_host(path), stat));
        let listings = recorded.listings.into_iter().map(|(path, names)| (on_host(path), names));
        let (statuses, listings) = (statuses.collect(), listings.collect());
        let mut tree =
            Tree::new(root.clone(), Sandbox::only(root.clone()), recorded.user.effective());
        tree.statuses = Rc::new(statuses);
        tree.listings = Rc::new(listings);
        plant_system(&mut tree).map_err(|_| InputError::NoPlace("/dev".into()))?;
        let cwd = tree.resolve(ROOT, config.cwd.as_os_str().as_bytes(), Links::Follow);
        if !cwd.is_ok_and(|cwd| cwd.node.is_some_and(|node| tree.is_directory(node))) {
            return Err(InputError::NoPlace(config.cwd));
        }
        let program = config.program.clone();
        let mut linux = Self::in_tree(config, &program, tree, recorded.umask);
        linux.is_symbolic = true;
        linux.take_limits(&recorded.limits);
        linux.world.absent = Some(recorded.absent.into());
        recorded.ignored.iter().for_each(|&signal| linux.signals.ignore(signal));
        linux.world.children = Children::new(recorded.children);
        linux.world.pipes.expect(recorded.pipes);
        linux.world.executed = recorded.executed.map(Rc::from);
        linux.world.not_executed = recorded.not_executed.into();
        linux.world.random.expect(recorded.random);
        for stream in recorded.streams {
            let path = stream.path.clone();
            let opened = linux.open_recorded(stream, inputs, pool);
            opened.map_err(|_| InputError::NoPlace(path))?;
        }
        linux.replace_files(inputs, pool)?;
        for named in &recorded.named {
            if linux.expect_openings(named).is_err() {
                let path = named.path.display();
                linux.world.note(format!("{path}: this pipe or terminal could not be made again"));
            }
        }
        linux.make_random_symbolic(inputs, pool)?;
        let mut answers = recorded.user.answers();
        answers.extend(recorded.answers);
        // Symbolic bytes are the kernel's own.
        answers.retain(|answer| inputs.random == 0 || answer.number as i64 != libc::SYS_getrandom);
        linux.world.answers = Answers::new(answers);
        Ok(linux)
    }

    /// Makes files of the recording symbolic, which keep their metadata, and adds new ones.
    fn replace_files(&mut self, inputs: &Inputs, pool: &mut Pool) -> Result<(), InputError> {
        for file in &inputs.files {
            let path = file.path.as_os_str().as_bytes();
            let tree = &mut self.world.tree;
            let found = tree.resolve(self.cwd, path, Links::Follow).ok();
            let found = found.and_then(|place| place.node);
            let found = found.filter(|&node| matches!(tree.node(node).kind, Kind::HostFile));
            let host = found.and_then(|node| tree.node(node).host.clone()).unwrap_or_default();
            let contents = file.contents(&host, pool, &inputs.interrupt)?;
            let node = match found {
                Some(node) => tree.replace_contents(node, contents).map(|()| node),
                None => self.plant_input(&file.path, contents),
            };
            let node = node.map_err(|_| InputError::NoPlace(file.path.clone()))?;
            if inputs.metadata {
                self.make_metadata(pool, &name_of(&file.path), node);
            }
        }
        Ok(())
    }

    /// The error that the native run was given where a file is not there.
    pub(crate) fn as_recorded(&mut self, directory: i32, path: &[u8], early: Early) -> Early {
        let (Some(absent), Early::Errno(ENOENT)) = (self.world.absent.clone(), &early) else {
            return early;
        };
        let path = self.absolute(directory, path);
        absent.get(&path).map_or(early, |&error| Errno(error).into())
    }

    /// Notes a path that is not there and that the native run did not ask for, where that matters.
    pub(crate) fn note_unrecorded(&mut self, directory: i32, path: &[u8], early: &Early) {
        let (Some(absent), Early::Errno(ENOENT)) = (self.world.absent.clone(), early) else {
            return;
        };
        let path = self.absolute(directory, path);
        if !absent.contains_key(&path) {
            self.world.note(format!("not in the recording: {}", path.display()));
        }
    }

    fn absolute(&mut self, directory: i32, path: &[u8]) -> PathBuf {
        let start = self.start(directory, path).ok();
        let start = start.and_then(|start| self.world.tree.path_of(start)).unwrap_or_default();
        Path::new(OsStr::from_bytes(&start)).join(OsStr::from_bytes(path))
    }
}

impl RecordedUser {
    /// The user by whose rights files are opened.
    fn effective(&self) -> User {
        User {
            pid: self.pid,
            parent: self.parent,
            uid: self.euid,
            gid: self.egid,
            groups: self.groups.as_slice().into(),
        }
    }

    /// What the kernel, which knows one user only, would not answer.
    fn answers(&self) -> Vec<RecordedAnswer> {
        let ids =
            [(libc::SYS_getuid, self.uid, self.euid), (libc::SYS_getgid, self.gid, self.egid)];
        let differing = ids.into_iter().filter(|(_, real, effective)| real != effective);
        let answer = |(number, real, _): (i64, u32, u32)| RecordedAnswer {
            number: number as u64,
            result: real.into(),
            ..RecordedAnswer::default()
        };
        differing.map(answer).collect()
    }
}

/// Makes the devices and directories that every program has.
fn plant_system(tree: &mut Tree) -> Result<(), Errno> {
    for &(name, mode) in DIRECTORIES {
        if tree.lookup(ROOT, name)?.is_none() {
            tree.plant_directory(ROOT, name, mode)?;
        }
    }
    let place = tree.resolve(ROOT, b"/dev/", Links::Follow)?;
    let directory = place.existing(tree)?;
    for &(name, major, minor) in DEVICES {
        let kind = Kind::Special(libc::makedev(major, minor));
        tree.plant(directory, name, kind, S_IFCHR | 0o666)?;
    }
    Ok(())
}

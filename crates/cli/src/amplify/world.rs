//! What a recorded run had around it, for the engine and for native replay.

use std::collections::{HashMap, VecDeque};
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use fathom_engine::outcome::Stop;
use fathom_engine::system::System;
use fathom_expr::{ExprId, Pool};
use fathom_kernel::{
    Config, InputFile, Inputs, Linux, NamedStream, Printed, Recorded, RecordedAnswer,
    RecordedStream, RecordedUser, StreamKind,
};
use fathom_record::{Descriptor, End, Fact, Recording, Source, Stat, What};
use fathom_replay::{Options, Program, Stream, World as NativeWorld};
use fathom_report::{InputKind, InputValue, Outcome, Replay, TestCase};

use super::change::quoted;
use super::job::describe;
use super::subject::{Seed, SeedPlace, Test};
use crate::native;

/// A usual limit on descriptors.
const MANY_FILES: u64 = 1024;
/// How much of two outputs is shown where they differ.
const SHOWN: usize = 40;

/// The files that a run saw, as they were, below a directory of ours.
pub struct World {
    pub test: Test,
    root: PathBuf,
}

impl World {
    /// Makes it in the first of these places that has room for it.
    pub fn make(test: Test, places: &[PathBuf]) -> Result<Self> {
        let make = |root: &PathBuf| {
            fs::create_dir_all(root).with_context(|| root.display().to_string())?;
            test.recording.materialise(root).context("the files of the recording")?;
            root.canonicalize().with_context(|| root.display().to_string())
        };
        let mut failure = anyhow!("no place for the files of the recording");
        for place in places {
            match make(place) {
                Ok(root) => return Ok(Self { test, root }),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    fn recording(&self) -> &Recording {
        &self.test.recording
    }

    /// The kernel that the program sees, with `seeds` symbolic.
    pub fn system(&self, seeds: &[Seed], pool: &mut Pool) -> Result<Linux> {
        let recording = self.recording();
        let mut inputs = Inputs::default();
        for seed in seeds {
            let size = seed.bytes.len() as u32;
            match &seed.place {
                SeedPlace::Arg(_) => {}
                SeedPlace::Stdin => inputs.stdin = Some(size),
                SeedPlace::File(path) => inputs.files.push(InputFile {
                    path: path.clone(),
                    size: Some(self.size_of(path, seed)),
                    symbolic: Some(size),
                }),
            }
        }
        let config = Config {
            program: recording.program.clone(),
            argv: recording.argv.clone(),
            env: recording.env.clone(),
            start_time: recording.start,
            ..Config::new(recording.cwd.clone())
        };
        Ok(Linux::recorded(config, self.recorded()?, &inputs, pool)?)
    }

    /// Of files that are too long to be copied the rest is empty.
    fn size_of(&self, path: &Path, seed: &Seed) -> u32 {
        let copied = (seed.bytes.len() + seed.n_concrete) as u32;
        let fact = self.recording().facts.iter().find(|fact| fact.path == path);
        let found = fact.and_then(|fact| fact.found.as_ref().ok());
        let whole = found.and_then(|found| u32::try_from(found.stat.size).ok());
        whole.unwrap_or(copied).max(copied)
    }

    fn recorded(&self) -> Result<Recorded> {
        let recording = self.recording();
        let absent: HashMap<PathBuf, i32> = recording
            .facts
            .iter()
            .filter_map(|fact| Some((fact.path.clone(), *fact.found.as_ref().err()?)))
            .collect();
        // Who is told that nobody reads has not been killed for it.
        let survives = recording.output.iter().any(|output| output.is_broken);
        let answer = |answer: &fathom_record::Answer| RecordedAnswer {
            number: answer.number,
            args: answer.args,
            result: answer.result,
            bytes: answer.bytes.clone(),
        };
        let stream = |descriptor| stream(descriptor, recording);
        let streams: Result<Vec<_>> = recording.descriptors.iter().map(stream).collect();
        Ok(Recorded {
            root: self.root.clone(),
            statuses: recording.facts.iter().filter_map(status_at).collect(),
            listings: recording.facts.iter().filter_map(listing_at).collect(),
            absent,
            ignored: (1..32)
                .filter(|&signal| {
                    recording.ignored & 1 << (signal - 1) != 0
                        || survives && signal == libc::SIGPIPE
                })
                .collect(),
            random: recording.random(),
            not_executed: not_executed(recording),
            executed: recording.executed.last().filter(|_| recording.end == End::None).cloned(),
            umask: recording.umask,
            limits: recording.limits.clone(),
            user: RecordedUser {
                pid: recording.pid as i32,
                parent: recording.parent as i32,
                uid: recording.user.uid,
                euid: recording.user.euid,
                gid: recording.user.gid,
                egid: recording.user.egid,
                groups: Vec::new(),
            },
            streams: streams?,
            named: named_streams(recording),
            answers: recording.answers.iter().map(answer).collect(),
            children: recording.children.iter().map(|&child| child as i32).collect(),
            pipes: recording.pipes().map(<[u8]>::to_vec).collect(),
        })
    }

    /// How the engine's run differs from the native one; `value` is that of symbolic bytes.
    pub fn departure(
        &self,
        stop: &Stop,
        system: &dyn System,
        value: impl Fn(ExprId) -> u8,
    ) -> Option<String> {
        let recording = self.recording();
        let is_same_end = match (stop, &recording.end) {
            (Stop::Exit(status), End::Exit(native)) => status & 0xff == native & 0xff,
            // It was killed, became another program, or shows a bug by itself.
            (_, End::None) => true,
            // What is not supported is said elsewhere, and so are bugs.
            (Stop::Unsupported(_) | Stop::Exhausted(_) | Stop::Bug(_) | Stop::Dropped(_), _) => {
                return None;
            }
            _ => false,
        };
        if !is_same_end {
            let End::Exit(status) = recording.end else { return None };
            let native = status & 0xff;
            return Some(format!("ends with {}, natively exit {native}", describe(stop)));
        }
        let linux = system.as_any().downcast_ref::<Linux>()?;
        for (fd, name) in [(1, "standard output"), (2, "standard error")] {
            let output = &recording.output[fd as usize - 1];
            if !self.keeps(fd) {
                continue;
            }
            let native = &output.bytes;
            let Printed { bytes: mut ours, symbols } = linux.output(fd);
            for (at, expr) in symbols {
                ours[at as usize] = value(expr);
            }
            let shorter = ours.len().min(native.len());
            let is_whole =
                output.total == native.len() as u64 && matches!(recording.end, End::Exit(_));
            if ours[..shorter] != native[..shorter] || is_whole && ours.len() != native.len() {
                let at = (0..shorter).find(|&at| ours[at] != native[at]).unwrap_or(shorter);
                let part = |bytes: &[u8]| quoted(&bytes[at..bytes.len().min(at + SHOWN)]);
                let (ours, native) = (part(&ours), part(native));
                return Some(format!("{name} from byte {at} on is {ours}, natively {native}"));
            }
        }
        None
    }

    /// Whether what is printed to the descriptor stays: not on a device such as `/dev/null`.
    fn keeps(&self, fd: i32) -> bool {
        let mut descriptors = self.recording().descriptors.iter().filter(|it| it.fd == fd);
        descriptors.all(|it| it.stat.mode & libc::S_IFMT != libc::S_IFCHR || it.stat.is_terminal())
    }

    /// The arguments that are not symbolic.
    pub fn concrete_argv(&self) -> Vec<Vec<u8>> {
        let is_symbolic = |index: usize| {
            let place = SeedPlace::Arg(index as u32);
            self.test.inputs.iter().any(|seed| seed.place == place)
        };
        let argv = self.recording().argv.iter().enumerate();
        argv.filter(|(index, _)| !is_symbolic(*index)).map(|(_, arg)| arg.clone()).collect()
    }

    /// The test itself.
    pub fn test_case(&self, outcome: Outcome) -> TestCase {
        let streams = self.test.inputs.iter().filter_map(|seed| {
            let kind = match &seed.place {
                SeedPlace::Arg(_) => return None,
                SeedPlace::Stdin => InputKind::Stdin,
                SeedPlace::File(path) => {
                    InputKind::File { path: path.to_string_lossy().into_owned() }
                }
            };
            Some(InputValue { name: seed.name.clone(), kind, bytes: seed.bytes.clone() })
        });
        TestCase {
            argv: self.recording().argv.clone(),
            inputs: streams.collect(),
            outcome,
            ..TestCase::default()
        }
    }

    fn stdin(&self) -> Vec<u8> {
        let stdin = self.recording().descriptors.iter().find(|it| it.fd == 0);
        stdin.map_or(Vec::new(), |stdin| contents(&stdin.source).unwrap_or_default())
    }

    /// The same for native runs.
    fn native(&self, has_children: bool) -> NativeWorld {
        let recording = self.recording();
        let variable = |variable: &Vec<u8>| {
            let at = variable.iter().position(|&byte| byte == b'=').unwrap_or(variable.len());
            let value = variable.get(at + 1..).unwrap_or_default();
            (variable[..at].to_vec(), value.to_vec())
        };
        NativeWorld {
            root: self.root.clone(),
            cwd: recording.cwd.clone(),
            umask: recording.umask,
            streams: [0, 1, 2].map(|fd| self.native_stream(fd)),
            has_children,
            lacks: self.not_repeated(),
            env: recording.env.iter().map(variable).collect(),
            stdin: self.stdin(),
        }
    }

    /// What is not the same in native runs.
    fn not_repeated(&self) -> Option<String> {
        let recording = self.recording();
        let stdin = recording.descriptors.iter().find(|it| it.fd == 0).map(|it| &it.source);
        let in_pieces = match stdin {
            Some(Source::Stream { bytes, ends }) => {
                ends.iter().any(|&end| end < bytes.len() as u64)
            }
            _ => false,
        };
        let limited = [(libc::RLIMIT_NOFILE, MANY_FILES), (libc::RLIMIT_FSIZE, u64::MAX)];
        let is_limited = limited.iter().any(|&(resource, most)| {
            recording.limits.get(resource as usize).is_some_and(|&(soft, _)| soft < most)
        });
        if in_pieces {
            return Some("standard input came in pieces, and a replay gives it at once".into());
        }
        if is_limited {
            return Some("the run had limits, and a replay has others".into());
        }
        let is_plain = |named: &NamedStream| match &named.openings[..] {
            [] => true,
            [(length, ends)] => {
                named.stat.st_mode & libc::S_IFMT == libc::S_IFIFO
                    && ends.iter().all(|end| end == length)
            }
            _ => false,
        };
        let named = named_streams(recording).into_iter().find(|named| !is_plain(named))?;
        Some(format!("{} is a plain file in a replay", named.path.display()))
    }

    fn native_stream(&self, fd: i32) -> Stream {
        let Some(descriptor) = self.recording().descriptors.iter().find(|it| it.fd == fd) else {
            return Stream::Closed;
        };
        match (&descriptor.source, descriptor.stat.mode & libc::S_IFMT) {
            (Source::File { offset, .. }, _) if *offset > 0 => Stream::FileAt { offset: *offset },
            (_, libc::S_IFREG) => Stream::File,
            (_, libc::S_IFCHR) if descriptor.path == b"/dev/null" => Stream::Null,
            _ => Stream::Pipe,
        }
    }

    /// What the native program does with a test case in this world.
    pub fn replay(
        &self,
        case: &TestCase,
        object: Option<&str>,
        has_children: bool,
        options: &Options,
    ) -> Option<Replay> {
        let program = Program::open(&self.test.file).ok()?;
        let world = Arc::new(self.native(has_children));
        native::replay_in(&program, world, case, object, options)
    }

    /// Writes all of it into a directory, for later runs; what lies there is complete by itself.
    pub fn save(&self, directory: &Path, has_children: bool) -> Result<()> {
        let root = directory.join("root");
        fs::create_dir_all(&root).with_context(|| root.display().to_string())?;
        self.recording().materialise(&root).context("the files of the recording")?;
        let world = NativeWorld { root: PathBuf::from("root"), ..self.native(has_children) };
        Ok(world.write(directory)?)
    }
}

fn contents(source: &Source) -> Result<Vec<u8>> {
    Ok(match source {
        Source::File { contents, .. } => {
            fs::read(contents).with_context(|| contents.display().to_string())?
        }
        Source::Stream { bytes, .. } => bytes.clone(),
        Source::Nothing => Vec::new(),
    })
}

fn stream(descriptor: &Descriptor, recording: &Recording) -> Result<RecordedStream> {
    let stat = status(&descriptor.stat);
    let kind = match (&descriptor.source, stat.st_mode & libc::S_IFMT) {
        (Source::File { offset, .. }, _) => StreamKind::Regular { offset: *offset },
        (_, libc::S_IFREG) => StreamKind::Regular { offset: 0 },
        (_, libc::S_IFIFO) => StreamKind::Pipe,
        (_, libc::S_IFDIR) => StreamKind::Directory,
        _ if descriptor.stat.is_terminal() => StreamKind::Terminal,
        (_, libc::S_IFCHR) => StreamKind::Device,
        _ => StreamKind::Other,
    };
    let bytes = contents(&descriptor.source)?;
    let path = PathBuf::from(OsString::from_vec(descriptor.path.clone()));
    let ends = match &descriptor.source {
        Source::Stream { ends, .. } => ends.clone(),
        _ => Vec::new(),
    };
    Ok(RecordedStream {
        fd: descriptor.fd,
        flags: descriptor.flags,
        close_on_exec: descriptor.cloexec,
        kind,
        stat,
        path,
        bytes,
        ends,
        room: room(descriptor.fd, kind, recording),
    })
}

/// The names in a directory, as they were read.
fn listing_at(fact: &Fact) -> Option<(PathBuf, Vec<Vec<u8>>)> {
    let What::Entries(entries) = &fact.found.as_ref().ok()?.what else { return None };
    Some((fact.path.clone(), entries.iter().map(|(name, _)| name.clone()).collect()))
}

/// What the program could not execute, and why.
fn not_executed(recording: &Recording) -> HashMap<Vec<u8>, VecDeque<i32>> {
    let mut errors = HashMap::<_, VecDeque<i32>>::new();
    for failed in recording.answers.iter().filter(|it| it.number as i64 == libc::SYS_execve) {
        errors.entry(failed.bytes.clone()).or_default().push_back(-failed.result as i32);
    }
    errors
}

/// The pipes and terminals that have names.
fn named_streams(recording: &Recording) -> Vec<NamedStream> {
    let named = recording.facts.iter().filter_map(|fact| {
        let stat = fact.found.as_ref().ok()?.stat;
        let name = fact.path.as_os_str().as_bytes();
        let openings = recording.streams.iter().filter(|stream| stream.path == name);
        let mut inherited = recording.descriptors.iter().filter(|it| {
            let is_read = matches!(it.source, Source::Stream { .. });
            is_read && (it.stat.dev, it.stat.ino) == (stat.dev, stat.ino)
        });
        stat.is_stream().then(|| NamedStream {
            path: fact.path.clone(),
            stat: status(&stat),
            inherited: inherited.next().map(|it| it.fd),
            openings: openings.map(|it| (it.bytes.len() as u64, it.ends.clone())).collect(),
        })
    });
    named.collect()
}

/// What can be written to a pipe whose reader went before the program ended. A program that was
/// killed while it wrote to one was killed by that, or is taken to have been.
fn room(fd: i32, kind: StreamKind, recording: &Recording) -> Option<u64> {
    let output = recording.output.get(usize::try_from(fd).ok()?.checked_sub(1)?)?;
    let was_killed = recording.end == End::None && recording.executed.is_empty();
    let is_broken = output.is_broken || was_killed && kind == StreamKind::Pipe;
    is_broken.then_some(output.total)
}

fn status_at(fact: &Fact) -> Option<(PathBuf, libc::stat)> {
    let found = fact.found.as_ref().ok()?;
    Some((fact.path.clone(), status(&found.stat)))
}

fn status(stat: &Stat) -> libc::stat {
    // SAFETY: all-zero bytes are a valid `stat`.
    let mut status: libc::stat = unsafe { std::mem::zeroed() };
    (status.st_dev, status.st_ino, status.st_nlink) = (stat.dev, stat.ino, stat.nlink);
    (status.st_mode, status.st_uid, status.st_gid) = (stat.mode, stat.uid, stat.gid);
    (status.st_rdev, status.st_size) = (stat.rdev, stat.size);
    (status.st_blksize, status.st_blocks) = (stat.blksize, stat.blocks);
    (status.st_atime, status.st_atime_nsec) = (stat.atime.seconds, stat.atime.nanoseconds);
    (status.st_mtime, status.st_mtime_nsec) = (stat.mtime.seconds, stat.mtime.nanoseconds);
    (status.st_ctime, status.st_ctime_nsec) = (stat.ctime.seconds, stat.ctime.nanoseconds);
    status
}

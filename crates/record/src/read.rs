//! From frames to a `Recording`.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::at;
use crate::frames::{Bytes, Frames};
use crate::{Answer, Descriptor, End, Error, Fact, Found, Output, Recording};
use crate::{Source, Stat, Stream, User, What};

/// `wait4`
const WAIT4: u64 = 61;
const EXECVE: u64 = 59;
const N_LIMITS: usize = 16;

/// All recordings of a directory, in the order in which the programs started.
pub fn read_all(dir: &Path) -> Vec<Result<Recording, Error>> {
    match files(dir) {
        Ok(paths) => paths.iter().map(|path| Recording::read(path)).collect(),
        Err(error) => vec![Err(error)],
    }
}

/// Their files, in the same order.
pub fn files(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = std::fs::read_dir(dir).map_err(at(dir))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension() == Some(OsStr::new("rec")));
    paths.sort_by_cached_key(|path| (start_of(path), path.clone()));
    Ok(paths)
}

/// The time in a recording's name.
fn start_of(path: &Path) -> u128 {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    name.split('-').next().and_then(|time| time.parse().ok()).unwrap_or(u128::MAX)
}

impl Recording {
    pub fn read(path: &Path) -> Result<Recording, Error> {
        let file = std::fs::read(path).map_err(at(path))?;
        let dir = path.parent().unwrap_or(Path::new(""));
        let dir = std::path::absolute(dir).map_err(at(dir))?;
        let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if file.iter().all(|&byte| byte == 0) {
            return Err(Error::Incomplete(path.into()));
        }
        let mut frames = Frames::new(&file).ok_or_else(|| Error::NotARecording(path.into()))?;
        let mut reader = Reader::new(id, dir.join("blobs"));
        for (kind, data) in frames.by_ref() {
            if reader.frame(kind, data).is_none() {
                reader.note(format!("a frame of kind {:?} is malformed", char::from(kind)));
            }
        }
        if frames.is_torn {
            reader.note("the file ends within a frame".into());
        }
        reader.finish().ok_or_else(|| Error::Incomplete(path.into()))
    }
}

/// What has been read so far. Bytes of sources are gathered until the end.
struct Reader {
    recording: Recording,
    blobs: PathBuf,
    is_ready: bool,
    facts: HashMap<PathBuf, usize>,
    /// Path and source of every opening.
    openings: Vec<(Vec<u8>, u32)>,
    /// Of descriptors, in their order; 0 for none.
    inherited: Vec<u32>,
    bytes: HashMap<u32, Vec<u8>>,
    /// After how many bytes a read was short.
    ends: HashMap<u32, Vec<u64>>,
    entries: HashMap<u32, Vec<(Vec<u8>, u8)>>,
}

impl Reader {
    fn new(id: String, blobs: PathBuf) -> Self {
        let recording = Recording {
            id,
            program: PathBuf::new(),
            image: None,
            argv: Vec::new(),
            env: Vec::new(),
            cwd: PathBuf::new(),
            umask: 0,
            ignored: 0,
            pid: 0,
            parent: 0,
            user: User::default(),
            start: Duration::ZERO,
            limits: Vec::new(),
            descriptors: Vec::new(),
            facts: Vec::new(),
            streams: Vec::new(),
            answers: Vec::new(),
            children: Vec::new(),
            output: Default::default(),
            end: End::None,
            executed: Vec::new(),
            notes: Vec::new(),
        };
        Reader {
            recording,
            blobs,
            is_ready: false,
            facts: HashMap::new(),
            openings: Vec::new(),
            inherited: Vec::new(),
            bytes: HashMap::new(),
            ends: HashMap::new(),
            entries: HashMap::new(),
        }
    }

    fn note(&mut self, note: String) {
        self.recording.notes.push(note);
    }

    /// `None` if the frame is not what its kind says.
    fn frame(&mut self, kind: u8, mut data: Bytes<'_>) -> Option<()> {
        let recording = &mut self.recording;
        match kind {
            b'S' => self.start(data)?,
            b'P' => recording.program = path(data.0),
            b'I' => self.recording.image = self.blob(data.0),
            b'A' => recording.argv.push(data.0.to_vec()),
            b'E' => recording.env.push(data.0.to_vec()),
            b'C' => recording.cwd = path(data.0),
            b'D' => self.descriptor(data)?,
            b'G' => self.is_ready = true,
            b'F' => self.fact(data)?,
            b'O' => {
                let source = data.u32()?;
                self.openings.push((data.0.to_vec(), source));
            }
            b'R' => self.bytes.entry(data.u32()?).or_default().extend(data.0),
            b'B' => {
                let source = data.u32()?;
                let n_read = self.bytes.get(&source).map_or(0, Vec::len);
                self.ends.entry(source).or_default().push(n_read as u64);
            }
            b'L' => list(self.entries.entry(data.u32()?).or_default(), data)?,
            b'Q' => self.answer(answer(data)?),
            b'W' => written(&mut recording.output, data)?,
            b'K' => {
                let child = data.u32()?;
                if !recording.children.contains(&child) {
                    recording.children.push(child);
                }
                self.note(format!("forked: process {child} is not recorded until it executes"));
            }
            b'X' => recording.executed.push(data.0.to_vec()),
            b'N' => self.note(String::from_utf8_lossy(data.0).into_owned()),
            b'Z' => recording.end = End::Exit(data.i32()?),
            _ => return None,
        }
        Some(())
    }

    fn start(&mut self, mut data: Bytes<'_>) -> Option<()> {
        let recording = &mut self.recording;
        (recording.pid, recording.parent) = (data.u32()?, data.u32()?);
        let (uid, euid, gid, egid) = (data.u32()?, data.u32()?, data.u32()?, data.u32()?);
        recording.user = User { uid, euid, gid, egid };
        (recording.umask, recording.ignored) = (data.u32()?, data.u32()?);
        let time = data.time()?;
        recording.start = Duration::from_secs(time.seconds.max(0) as u64)
            .checked_add(Duration::from_nanos(time.nanoseconds.max(0) as u64))?;
        for _ in 0..N_LIMITS {
            recording.limits.push((data.u64()?, data.u64()?));
        }
        Some(())
    }

    fn descriptor(&mut self, mut data: Bytes<'_>) -> Option<()> {
        let (fd, flags, fd_flags) = (data.i32()?, data.i32()?, data.i32()?);
        let (source, offset) = (data.u32()?, data.u64()?);
        let stat = Stat::read(&mut data)?;
        let path = data.text()?.to_vec();
        let contents = self.blob(data.0);
        let source_of = |contents| Source::File { contents, offset };
        self.inherited.push(source);
        self.recording.descriptors.push(Descriptor {
            fd,
            flags,
            cloexec: fd_flags & 1 != 0,
            path,
            stat,
            source: contents.map_or(Source::Nothing, source_of),
        });
        Some(())
    }

    /// The first look at a path counts, and the first at its contents.
    fn fact(&mut self, mut data: Bytes<'_>) -> Option<()> {
        let (error, what) = (data.i32()?, data.u32()?);
        let stat = if error == 0 { Some(Stat::read(&mut data)?) } else { None };
        let path = path(data.text()?);
        let what = match what {
            1 => self.blob(data.0).map(What::Contents),
            2 => Some(What::Target(data.0.to_vec())),
            _ => None,
        };
        let what = what.unwrap_or(What::Unknown);
        let found = stat.map(|stat| Found { stat, what }).ok_or(error);
        let Recording { facts, notes, .. } = &mut self.recording;
        let index = *self.facts.entry(path.clone()).or_insert(facts.len());
        match (facts.get_mut(index), found) {
            (None, found) => facts.push(Fact { path, found }),
            (Some(Fact { found: Ok(before), .. }), Ok(found)) if before.what == What::Unknown => {
                before.what = found.what;
            }
            (Some(Fact { found: Ok(before), path }), Ok(found))
                if differs(&before.what, &found.what) =>
            {
                notes.push(format!(
                    "{} changed while the program ran: its first state is taken",
                    path.display()
                ));
            }
            (Some(Fact { found: Err(_), path }), Ok(_)) => {
                notes.push(format!(
                    "{} appeared while the program ran: it is taken not to be there",
                    path.display()
                ));
            }
            _ => {}
        }
        Some(())
    }

    fn answer(&mut self, answer: Answer) {
        let Recording { children, answers, executed, .. } = &mut self.recording;
        if answer.number == EXECVE {
            executed.pop();
        }
        let waited_for = u32::try_from(answer.result)
            .ok()
            .filter(|&child| answer.number == WAIT4 && child > 0 && !children.contains(&child));
        // Made by `vfork`, which is not seen.
        children.extend(waited_for);
        answers.push(answer);
    }

    /// A blob's name is that of a file in its directory and leads nowhere else.
    fn blob(&self, name: &[u8]) -> Option<PathBuf> {
        let is_plain = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b'-';
        let is_name = !name.is_empty() && name.iter().all(is_plain);
        is_name.then(|| self.blobs.join(OsStr::from_bytes(name)))
    }

    fn finish(mut self) -> Option<Recording> {
        for (descriptor, source) in self.recording.descriptors.iter_mut().zip(&self.inherited) {
            if *source != 0 {
                let bytes = self.bytes.get(source).cloned().unwrap_or_default();
                let ends = self.ends.get(source).cloned().unwrap_or_default();
                descriptor.source = Source::Stream { bytes, ends };
            }
        }
        for (name, source) in std::mem::take(&mut self.openings) {
            self.opening(name, source);
        }
        self.is_ready.then_some(self.recording)
    }

    fn opening(&mut self, name: Vec<u8>, source: u32) {
        let fact = self.facts.get(&path(&name)).map(|&index| &mut self.recording.facts[index]);
        let found = fact.and_then(|fact| fact.found.as_mut().ok());
        if let Some(entries) = self.entries.remove(&source) {
            if let Some(found) = found.filter(|found| found.what == What::Unknown) {
                found.what = What::Entries(entries);
            }
            return;
        }
        if self.inherited.contains(&source) {
            return;
        }
        let bytes = self.bytes.remove(&source).unwrap_or_default();
        let ends = self.ends.remove(&source).unwrap_or_default();
        match found {
            Some(found) if found.stat.is_directory() => return,
            Some(found) => add_stream(found, &bytes),
            None => {}
        }
        self.recording.streams.push(Stream { path: name, bytes, ends });
    }
}

/// Whether two copies of a file are not the same; young files are copied each time.
fn differs(before: &What, after: &What) -> bool {
    let (What::Contents(before), What::Contents(after)) = (before, after) else { return false };
    before != after && std::fs::read(before).ok() != std::fs::read(after).ok()
}

fn add_stream(found: &mut Found, bytes: &[u8]) {
    match &mut found.what {
        What::Unknown => found.what = What::Stream(bytes.to_vec()),
        What::Stream(before) if found.stat.is_stream() => before.extend(bytes),
        _ => {}
    }
}

fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}

/// The entries of `getdents64`; a directory that is read again has the same ones.
fn list(entries: &mut Vec<(Vec<u8>, u8)>, mut data: Bytes<'_>) -> Option<()> {
    while !data.0.is_empty() {
        let mut rest = data;
        rest.take(16)?;
        let length = rest.u16()?;
        let kind = rest.take(1)?[0];
        let name = rest.text()?;
        data.take(length.max(1).into())?;
        let is_new = !entries.iter().any(|(known, _)| known == name);
        if is_new && name != b"." && name != b".." {
            entries.push((name.to_vec(), kind));
        }
    }
    Some(())
}

fn answer(mut data: Bytes<'_>) -> Option<Answer> {
    let number = data.u64()?;
    let args = [data.u64()?, data.u64()?, data.u64()?];
    let result = data.i64()?;
    Some(Answer { number, args, result, bytes: data.0.to_vec() })
}

fn written(output: &mut [Output; 2], mut data: Bytes<'_>) -> Option<()> {
    let (fd, is_broken) = (data.u32()?, data.u32()? != 0);
    let total = data.u64()?;
    let output = output.get_mut((fd as usize).checked_sub(1)?)?;
    output.is_broken |= is_broken;
    output.total = output.total.saturating_add(total);
    output.bytes.extend(data.0);
    Some(())
}

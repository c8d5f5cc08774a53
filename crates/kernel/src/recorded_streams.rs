//! The descriptors that a recorded program started with: what they were, what could be read from
//! them, and what the program prints to them now.

use std::os::unix::ffi::OsStrExt;
use std::rc::Rc;

use fathom_expr::Pool;
use libc::{
    AT_FDCWD, ENOTTY, ENXIO, FIONREAD, O_ACCMODE, O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_TRUNC,
    O_WRONLY, POLLHUP, POLLIN, POLLOUT, S_IFCHR, S_IFMT,
};

use crate::contents::Contents;
use crate::errno::{Early, Errno};
use crate::fd::{FileDescription, Io, OpenFile};
use crate::file::{Device, DeviceFile, RegularFile};
use crate::inputs::{Inputs, STDIN, symbolic_start};
use crate::overlay::{Kind, NodeId, ROOT};
use crate::path::Links;
use crate::pipe::PipeId;
use crate::recorded::{NamedStream, RecordedStream, StreamKind};
use crate::streams::Kept;
use crate::symbols::Symbols;
use crate::{Linux, World};

impl Linux {
    pub(crate) fn open_recorded(
        &mut self,
        stream: RecordedStream,
        inputs: &Inputs,
        pool: &mut Pool,
    ) -> Result<(), Early> {
        let fd = usize::try_from(stream.fd).map_err(|_| Errno(libc::EBADF))?;
        let path: Rc<[u8]> = stream.path.as_os_str().as_bytes().into();
        let mut file = match (stream.kind, Device::of_number(stream.stat.st_rdev)) {
            (StreamKind::Directory, _) => {
                let flags = stream.flags & !(O_CREAT | O_EXCL | O_TRUNC);
                self.open_path(AT_FDCWD, &path, flags, 0)?
            }
            (StreamKind::Regular { offset }, _) => {
                let file = self.recorded_file(&stream, offset, inputs, pool);
                OpenFile::new(Box::new(file), stream.flags)
            }
            (StreamKind::Device, Some(device)) if device != Device::Random => {
                let kind = Kind::Special(stream.stat.st_rdev);
                let node = self.world.tree.create_known(kind, stream.stat);
                OpenFile::new(Box::new(DeviceFile { device, node }), stream.flags)
            }
            _ => {
                let file = self.stream_file(&stream, inputs, pool);
                OpenFile::new(Box::new(file), stream.flags)
            }
        };
        file.path = path;
        self.files.open_at(fd, file, stream.close_on_exec);
        Ok(())
    }

    fn recorded_file(
        &mut self,
        stream: &RecordedStream,
        offset: u64,
        inputs: &Inputs,
        pool: &mut Pool,
    ) -> RegularFile {
        let size = stream.stat.st_size as u64;
        let start = if stream.flags & O_APPEND != 0 { size } else { offset };
        let is_output = matches!(stream.fd, 1 | 2);
        let contents = match is_output {
            true => Kept::contents(start),
            false => readable(stream, inputs, pool),
        };
        let node = self.world.tree.create_known(Kind::File(contents), stream.stat);
        if is_output {
            self.printed[stream.fd as usize - 1] = Some(Kept { node, start });
        }
        if stream.fd == 0 && inputs.stdin.is_some() && inputs.metadata {
            self.make_metadata(pool, STDIN, node);
        }
        RegularFile::at(node, offset)
    }

    fn stream_file(
        &mut self,
        stream: &RecordedStream,
        inputs: &Inputs,
        pool: &mut Pool,
    ) -> StreamFile {
        let access = stream.flags & O_ACCMODE;
        let reads = (access != O_WRONLY)
            .then(|| self.world.pipes.create_left(readable(stream, inputs, pool), &stream.ends));
        let writes = (access != O_RDONLY).then(|| {
            let kind = Kind::File(Kept::contents(0));
            let node = self.world.tree.create_known(kind, stream.stat);
            if let 1 | 2 = stream.fd {
                self.printed[stream.fd as usize - 1] = Some(Kept { node, start: 0 });
            }
            RegularFile::at(node, 0)
        });
        let is_terminal = stream.kind == StreamKind::Terminal;
        let (room, stat) = (stream.room, Rc::new(stream.stat));
        StreamFile { reads, writes, room, stat, is_terminal }
    }

    /// Makes a stream of the file that holds what was read from one.
    pub(crate) fn expect_openings(&mut self, named: &NamedStream) -> Result<(), Errno> {
        let tree = &mut self.world.tree;
        let place = tree.resolve(ROOT, named.path.as_os_str().as_bytes(), Links::Follow)?;
        let node = place.existing(tree)?;
        let contents = std::mem::take(tree.contents_mut(node)?);
        *tree.stat_mut(node, &[])? = named.stat;
        let is_terminal = named.stat.st_mode & S_IFMT == S_IFCHR;
        tree.node_mut(node).kind = match is_terminal {
            true => Kind::Special(named.stat.st_rdev),
            false => Kind::Fifo(None),
        };
        let mut start = 0;
        let mut pipes = Vec::new();
        for (length, ends) in &named.openings {
            let (mut bytes, mut symbols) = (vec![0; *length as usize], Symbols::default());
            contents.read_at(&mut bytes, &mut symbols, start);
            start += length;
            let mut part = Contents::default();
            part.write_at(&bytes, &symbols, 0);
            pipes.push(self.world.pipes.create_left(part, ends));
        }
        let inherited = named.inherited.and_then(|fd| self.files.get_opened(fd).ok());
        let inherited = inherited.map(|file| file.description.copied());
        if is_terminal || inherited.is_some() || !pipes.is_empty() {
            let openings = Openings { inherited, pipes: pipes.into(), n_opened: 0 };
            Rc::make_mut(&mut self.world.named).insert(node, openings);
        }
        Ok(())
    }

    /// Opens a stream of the recording, the next time. Who opens it more often than the native
    /// program finds nothing more in it; a terminal that was never opened is not there.
    pub(crate) fn open_named(
        &mut self,
        node: NodeId,
        flags: i32,
    ) -> Result<Option<Box<dyn FileDescription>>, Errno> {
        let Some(openings) = self.world.named.get(&node) else { return Ok(None) };
        if let Some(inherited) = openings.inherited.clone() {
            return Ok(inherited.reopen(&mut self.world));
        }
        let stat = self.world.tree.stat(node)?;
        let openings = Rc::make_mut(&mut self.world.named).get_mut(&node);
        let Some(openings) = openings else { return Ok(None) };
        let pipe =
            *openings.pipes.get(openings.n_opened).or(openings.pipes.last()).ok_or(Errno(ENXIO))?;
        openings.n_opened += 1;
        let access = flags & O_ACCMODE;
        let reads = (access != O_WRONLY).then_some(pipe);
        let writes = (access != O_RDONLY).then(|| {
            let kind = Kind::File(Contents::default());
            RegularFile::at(self.world.tree.create_known(kind, stat), 0)
        });
        let is_terminal = stat.st_mode & S_IFMT == S_IFCHR;
        let stat = Rc::new(stat);
        Ok(Some(Box::new(StreamFile { reads, writes, room: None, stat, is_terminal })))
    }
}

/// What was read from a stream that is opened by its name.
#[derive(Clone, Debug)]
pub(crate) struct Openings {
    /// What was open at the start and is opened again.
    inherited: Option<Rc<dyn FileDescription>>,
    /// For each opening what was read from it.
    pipes: Rc<[PipeId]>,
    n_opened: usize,
}

/// What can be read from a stream; the first bytes of standard input may be symbolic.
fn readable(stream: &RecordedStream, inputs: &Inputs, pool: &mut Pool) -> Contents {
    let mut contents = Contents::default();
    contents.write_at(&stream.bytes, &Symbols::default(), 0);
    match inputs.stdin.filter(|_| stream.fd == 0) {
        Some(count) => {
            let input = pool.input(STDIN, count);
            symbolic_start((0..count).map(|offset| pool.byte(input, offset)).collect(), contents)
        }
        None => contents,
    }
}

/// A pipe, terminal, socket or the like: it cannot be positioned, its end comes after what was
/// recorded, and what is written is kept.
#[derive(Clone, Debug)]
struct StreamFile {
    reads: Option<PipeId>,
    writes: Option<RegularFile>,
    /// Bytes that can be written until nobody reads any more.
    room: Option<u64>,
    stat: Rc<libc::stat>,
    is_terminal: bool,
}

impl FileDescription for StreamFile {
    fn copied(&self) -> Rc<dyn FileDescription> {
        Rc::new(self.clone())
    }

    fn read(
        &mut self,
        world: &mut World,
        _: Io,
        buffer: &mut [u8],
        symbols: &mut Symbols,
    ) -> Result<usize, Errno> {
        let pipe = self.reads.ok_or(Errno(libc::EBADF))?;
        Ok(world.pipes.pop(pipe, buffer, symbols))
    }

    fn pauses(&self, world: &World) -> bool {
        self.reads.is_some_and(|pipe| world.pipes.pauses(pipe))
    }

    fn write(
        &mut self,
        world: &mut World,
        io: Io,
        bytes: &[u8],
        symbols: &Symbols,
    ) -> Result<usize, Errno> {
        let output = self.writes.as_mut().ok_or(Errno(libc::EBADF))?;
        let io = Io { flags: io.flags | O_APPEND, ..io };
        let Some(room) = &mut self.room else {
            return output.write(world, io, bytes, symbols);
        };
        if *room == 0 && !bytes.is_empty() {
            return Err(Errno(libc::EPIPE));
        }
        let fits = usize::try_from(*room).map_or(bytes.len(), |room| room.min(bytes.len()));
        let written = output.write(world, io, &bytes[..fits], symbols)?;
        *room -= written as u64;
        Ok(written)
    }

    fn stat(&self, _: &World) -> Result<libc::stat, Errno> {
        Ok(*self.stat)
    }

    fn ioctl(
        &mut self,
        world: &mut World,
        request: u64,
        argument: &mut [u8],
    ) -> Result<i64, Errno> {
        if let (FIONREAD, Some(pipe)) = (request, self.reads) {
            let count = world.pipes.length(pipe) as u32;
            argument.copy_from_slice(&count.to_le_bytes());
            return Ok(0);
        }
        if !self.is_terminal {
            return Err(Errno(ENOTTY));
        }
        let recorded = world.answers.of_terminal(request);
        let (value, bytes) = match (recorded, request) {
            (Some(answer), _) => (answer.result, &answer.bytes[..]),
            (None, libc::TCGETS) => (0, &SETTINGS[..]),
            (None, libc::TIOCGWINSZ) => (0, &WINDOW[..]),
            (None, libc::TCSETS | libc::TCSETSW | libc::TCSETSF | libc::TIOCSWINSZ) => (0, &[][..]),
            (None, libc::TCFLSH | libc::TCSBRK | libc::TCXONC) => (0, &[][..]),
            _ => return Err(Errno(ENOTTY)),
        };
        let length = bytes.len().min(argument.len());
        argument[..length].copy_from_slice(&bytes[..length]);
        Ok(value)
    }

    fn ready(&self, world: &World) -> i16 {
        let left = self.reads.map(|pipe| world.pipes.length(pipe));
        let readable = match left {
            Some(0) if !self.is_terminal => POLLHUP,
            Some(_) => POLLIN,
            None => 0,
        };
        readable | if self.writes.is_some() { POLLOUT } else { 0 }
    }

    fn reopen(&self, _: &mut World) -> Option<Box<dyn FileDescription>> {
        Some(Box::new(self.clone()))
    }
}

/// 24 lines of 80 characters.
const WINDOW: [u8; 8] = [24, 0, 80, 0, 0, 0, 0, 0];

/// The settings Linux gives a new terminal: input, output, control and local modes, line
/// discipline, control characters.
const SETTINGS: [u8; 36] = [
    0x00, 0x45, 0, 0, 0x05, 0, 0, 0, 0xbf, 0, 0, 0, 0x3b, 0x8a, 0, 0, 0, 0x03, 0x1c, 0x7f, 0x15,
    0x04, 0, 1, 0, 0x11, 0x13, 0x1a, 0, 0x12, 0x0f, 0x17, 0x16, 0, 0, 0,
];

//! Pipes, named or not, and pairs of connected sockets, kept in the engine.

use std::rc::Rc;

use fathom_engine::system::SystemContext;
use libc::{EAGAIN, EINVAL, EPIPE, O_CLOEXEC, O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY};

use crate::children::Children;
use crate::contents::{Contents, PAGE};
use crate::errno::{Called, Errno};
use crate::fd::{FileDescription, Io, OpenFile};
use crate::overlay::NodeId;
use crate::symbols::Symbols;
use crate::{Linux, World};

const CAPACITY: usize = 65536;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PipeId(usize);

#[derive(Clone, Debug, Default)]
struct Pipe {
    /// All that was written since it was last empty.
    contents: Contents,
    /// How much of that was read.
    start: u64,
    n_readers: u32,
    n_writers: u32,
    /// All that the native run read from it, children's bytes among it, and how many of them have
    /// been read; `None` where that is not recorded.
    recorded: Option<Rc<[u8]>>,
    n_read: usize,
    /// After how many bytes reads end, and how many of these have.
    ends: Rc<[u64]>,
    n_ended: usize,
    /// How many children there were before it.
    n_children: usize,
}

impl Pipe {
    fn length(&self) -> usize {
        (self.contents.size() - self.start) as usize
    }

    fn push(&mut self, bytes: &[u8], symbols: &Symbols) {
        self.contents.write_at(bytes, symbols, self.contents.size());
    }

    /// What later children have written.
    fn childrens(&self, children: &Children) -> &[u8] {
        let recorded = self.recorded.as_deref().filter(|_| children.n_made() > self.n_children);
        recorded.and_then(|recorded| recorded.get(self.n_read..)).unwrap_or_default()
    }

    fn pop_childrens(&mut self, children: &Children, buffer: &mut [u8]) -> usize {
        let bytes = self.childrens(children);
        let count = bytes.len().min(buffer.len());
        buffer[..count].copy_from_slice(&bytes[..count]);
        self.n_read += count;
        count
    }

    fn pop(&mut self, buffer: &mut [u8], symbols: &mut Symbols) -> usize {
        let until = self.ends.get(self.n_ended).map(|&end| end as usize);
        let room = until.map_or(usize::MAX, |until| until - self.n_read);
        let room = room.min(buffer.len());
        let count = self.contents.read_at(&mut buffer[..room], symbols, self.start);
        let end = self.start + count as u64;
        self.n_read += count;
        if until == Some(self.n_read) && !buffer.is_empty() {
            self.n_ended += 1;
        }
        if end == self.contents.size() {
            (self.contents, self.start) = (Contents::default(), 0);
        } else {
            let (first, last) = (self.start / PAGE, end / PAGE);
            self.contents.punch(first * PAGE, (last - first) * PAGE);
            self.start = end;
        }
        count
    }
}

/// All pipes that were ever made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pipes {
    all: Rc<Vec<Pipe>>,
    /// What the native run read from those that the program is yet to make.
    recorded: Rc<[Rc<[u8]>]>,
    n_made: usize,
}

impl Pipes {
    pub fn create(&mut self) -> PipeId {
        Rc::make_mut(&mut self.all).push(Pipe::default());
        PipeId(self.all.len() - 1)
    }

    /// What will be read from the pipes that the program makes, in order.
    pub fn expect(&mut self, recorded: Vec<Vec<u8>>) {
        self.recorded = recorded.into_iter().map(Rc::from).collect();
    }

    /// The next pipe of the program's own.
    fn create_own(&mut self) -> PipeId {
        let pipe = self.create();
        self.get_mut(pipe).recorded = self.recorded.get(self.n_made).cloned();
        self.n_made += 1;
        pipe
    }

    fn get(&self, PipeId(pipe): PipeId) -> &Pipe {
        &self.all[pipe]
    }

    fn get_mut(&mut self, PipeId(pipe): PipeId) -> &mut Pipe {
        &mut Rc::make_mut(&mut self.all)[pipe]
    }

    /// A pipe that holds `contents`, and whose writers have gone: they came in pieces with these
    /// ends, in order.
    pub fn create_left(&mut self, contents: Contents, ends: &[u64]) -> PipeId {
        let pipe = self.create();
        let ends = ends.iter().copied().filter(|&end| end <= contents.size()).collect();
        *self.get_mut(pipe) = Pipe { contents, ends, ..Pipe::default() };
        pipe
    }

    /// How many bytes can be read.
    pub fn length(&self, pipe: PipeId) -> usize {
        self.get(pipe).length()
    }

    pub fn pop(&mut self, pipe: PipeId, buffer: &mut [u8], symbols: &mut Symbols) -> usize {
        self.get_mut(pipe).pop(buffer, symbols)
    }

    /// Whether what was read last ends a piece.
    pub fn pauses(&self, pipe: PipeId) -> bool {
        let Pipe { ends, n_ended, n_read, .. } = self.get(pipe);
        let last = n_ended.checked_sub(1).map(|last| ends[last]);
        last == Some(*n_read as u64)
    }

    /// Whether a reader has a writer, or a writer a reader.
    pub fn has_peer(&self, pipe: PipeId, reads: bool) -> bool {
        let pipe = self.get(pipe);
        (if reads { pipe.n_writers } else { pipe.n_readers }) > 0
    }
}

/// An end of a pipe; a socket of a pair reads from one pipe and writes to another.
#[derive(Clone, Debug)]
pub(crate) struct PipeEnd {
    reads: Option<PipeId>,
    writes: Option<PipeId>,
    /// The named pipe it was opened by.
    node: Option<NodeId>,
    is_socket: bool,
}

impl PipeEnd {
    pub fn open(
        world: &mut World,
        reads: Option<PipeId>,
        writes: Option<PipeId>,
        node: Option<NodeId>,
        is_socket: bool,
    ) -> Self {
        let n_children = world.children.n_made();
        for pipe in reads.into_iter().chain(writes) {
            let pipe = world.pipes.get_mut(pipe);
            if pipe.n_readers == 0 && pipe.n_writers == 0 {
                pipe.n_children = n_children;
            }
        }
        if let Some(pipe) = reads {
            world.pipes.get_mut(pipe).n_readers += 1;
        }
        if let Some(pipe) = writes {
            world.pipes.get_mut(pipe).n_writers += 1;
        }
        Self { reads, writes, node, is_socket }
    }
}

impl FileDescription for PipeEnd {
    fn copied(&self) -> Rc<dyn FileDescription> {
        Rc::new(self.clone())
    }

    fn read(
        &mut self,
        world: &mut World,
        io: Io,
        buffer: &mut [u8],
        symbols: &mut Symbols,
    ) -> Result<usize, Errno> {
        let pipe = world.pipes.get_mut(self.reads.ok_or(Errno(libc::EBADF))?);
        if pipe.length() == 0 && !pipe.childrens(&world.children).is_empty() {
            return Ok(pipe.pop_childrens(&world.children, buffer));
        }
        if pipe.length() == 0 && !buffer.is_empty() && pipe.n_writers > 0 {
            if io.flags & O_NONBLOCK == 0 {
                world.note("a read from an empty pipe would wait for ever; it fails with EAGAIN");
            }
            return Err(Errno(EAGAIN));
        }
        let has_children = world.children.n_made() > pipe.n_children;
        if pipe.length() == 0 && has_children && pipe.recorded.is_none() {
            world.note("what children may have written here is not in the recording");
            return Ok(0);
        }
        Ok(pipe.pop(buffer, symbols))
    }

    fn write(
        &mut self,
        world: &mut World,
        io: Io,
        bytes: &[u8],
        symbols: &Symbols,
    ) -> Result<usize, Errno> {
        let pipe = world.pipes.get_mut(self.writes.ok_or(Errno(libc::EBADF))?);
        if bytes.is_empty() {
            return Ok(0);
        }
        let room = CAPACITY.saturating_sub(pipe.length());
        let is_full = room == 0 || (bytes.len() <= 4096 && room < bytes.len());
        let is_read = world.children.any_since(pipe.n_children);
        if is_read && (pipe.n_readers == 0 || room < bytes.len()) {
            // A child reads it.
            return Ok(bytes.len());
        }
        if pipe.n_readers == 0 {
            return Err(Errno(EPIPE));
        }
        if is_full {
            if io.flags & O_NONBLOCK == 0 {
                world.note("a write to a full pipe would wait for ever; it fails with EAGAIN");
            }
            return Err(Errno(EAGAIN));
        }
        let count = bytes.len().min(room);
        pipe.push(&bytes[..count], symbols);
        Ok(count)
    }

    fn stat(&self, world: &World) -> Result<libc::stat, Errno> {
        if let Some(node) = self.node {
            return world.tree.stat(node);
        }
        let PipeId(pipe) = self.reads.or(self.writes).expect("an end reads or writes");
        // SAFETY: all-zero bytes are a valid `stat`.
        let mut stat: libc::stat = unsafe { std::mem::zeroed() };
        (stat.st_mode, stat.st_dev) = match self.is_socket {
            true => (libc::S_IFSOCK | 0o777, 8),
            false => (libc::S_IFIFO | 0o600, 14),
        };
        stat.st_ino = 0x10000 + pipe as u64;
        (stat.st_nlink, stat.st_blksize) = (1, 4096);
        (stat.st_uid, stat.st_gid) = (world.tree.user.uid, world.tree.user.gid);
        let (now, _) = world.tree.now;
        (stat.st_atime, stat.st_mtime, stat.st_ctime) = (now, now, now);
        Ok(stat)
    }

    fn ready(&self, world: &World) -> i16 {
        let mut ready = 0;
        if let Some(pipe) = self.reads {
            let pipe = world.pipes.get(pipe);
            let left = pipe.childrens(&world.children).len();
            ready |= if pipe.length() + left == 0 { 0 } else { libc::POLLIN };
            ready |= if pipe.n_writers == 0 && left == 0 { libc::POLLHUP } else { 0 };
        }
        if let Some(pipe) = self.writes {
            let pipe = world.pipes.get(pipe);
            let is_read = world.children.any_since(pipe.n_children);
            let has_room = pipe.length() + 4096 <= CAPACITY || is_read;
            ready |= if has_room { libc::POLLOUT } else { 0 };
            ready |= if pipe.n_readers == 0 && !is_read { libc::POLLERR } else { 0 };
        }
        ready
    }

    fn ioctl(
        &mut self,
        world: &mut World,
        request: u64,
        argument: &mut [u8],
    ) -> Result<i64, Errno> {
        match (request, self.reads) {
            (libc::FIONREAD, Some(pipe)) => {
                let pipe = world.pipes.get(pipe);
                let count = (pipe.length() + pipe.childrens(&world.children).len()) as u32;
                argument.copy_from_slice(&count.to_le_bytes());
                Ok(0)
            }
            _ => Err(Errno(libc::ENOTTY)),
        }
    }

    fn reopen(&self, world: &mut World) -> Option<Box<dyn FileDescription>> {
        if self.is_socket {
            return None;
        }
        Some(Box::new(Self::open(world, self.reads, self.writes, self.node, false)))
    }

    fn node(&self) -> Option<NodeId> {
        self.node
    }

    fn close(&mut self, world: &mut World) {
        if let Some(pipe) = self.reads {
            world.pipes.get_mut(pipe).n_readers -= 1;
        }
        if let Some(pipe) = self.writes {
            world.pipes.get_mut(pipe).n_writers -= 1;
        }
    }
}

impl Linux {
    pub(crate) fn pipe2(
        &mut self,
        context: &mut SystemContext<'_>,
        fds: u64,
        flags: i32,
    ) -> Called {
        if flags & !(O_CLOEXEC | O_NONBLOCK | libc::O_DIRECT) != 0 {
            return Err(Errno(EINVAL).into());
        }
        context.memory.write(fds, &[0; 8])?;
        let pipe = self.world.pipes.create_own();
        let reader = PipeEnd::open(&mut self.world, Some(pipe), None, None, false);
        let writer = PipeEnd::open(&mut self.world, None, Some(pipe), None, false);
        let status = flags & O_NONBLOCK;
        self.open_pair(
            context,
            fds,
            flags & O_CLOEXEC != 0,
            [
                OpenFile::new(Box::new(reader), O_RDONLY | status),
                OpenFile::new(Box::new(writer), O_WRONLY | status),
            ],
        )
    }

    pub(crate) fn socketpair(
        &mut self,
        context: &mut SystemContext<'_>,
        domain: i32,
        kind: i32,
        fds: u64,
    ) -> Called {
        if domain != libc::AF_UNIX {
            return Err(Errno(libc::EOPNOTSUPP).into());
        }
        context.memory.write(fds, &[0; 8])?;
        let (one, two) = (self.world.pipes.create(), self.world.pipes.create());
        let ends = [(one, two), (two, one)].map(|(reads, writes)| {
            let end = PipeEnd::open(&mut self.world, Some(reads), Some(writes), None, true);
            OpenFile::new(Box::new(end), O_RDWR | kind & O_NONBLOCK)
        });
        self.open_pair(context, fds, kind & O_CLOEXEC != 0, ends)
    }

    fn open_pair(
        &mut self,
        context: &mut SystemContext<'_>,
        fds: u64,
        cloexec: bool,
        [first, second]: [OpenFile; 2],
    ) -> Called {
        let low = self.files.free_descriptor(0)?;
        let high = self.files.free_descriptor(low + 1)?;
        context.memory.write_u32(fds, low as u32)?;
        context.memory.write_u32(fds.wrapping_add(4), high as u32)?;
        self.files.open_at(low, first, cloexec);
        self.files.open_at(high, second, cloexec);
        Ok(0)
    }
}

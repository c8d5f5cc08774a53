//! Descriptors, the open files behind them, and what an open file can do.

use std::fmt::Debug;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use libc::{EBADF, EINVAL, EMFILE, ENOTDIR, ENOTTY, ESPIPE, O_ACCMODE, O_RDONLY, O_WRONLY};

use crate::World;
use crate::errno::Errno;
use crate::overlay::{Listed, NodeId};
use crate::symbols::Symbols;

/// What a file of some kind does when called upon. The defaults refuse as Linux does, so a new
/// kind of file implements only what it supports.
pub(crate) trait FileDescription: Debug {
    fn copied(&self) -> Rc<dyn FileDescription>;

    /// Reads at `offset`, or at the file's own position, which moves. 0 is the end. The symbols,
    /// none before, are to be those of the buffer.
    fn read(
        &mut self,
        _: &mut World,
        _: Io,
        _: &mut [u8],
        _: &mut Symbols,
    ) -> Result<usize, Errno> {
        Err(Errno(EINVAL))
    }

    /// Writes likewise; the symbols are those of the bytes.
    fn write(&mut self, _: &mut World, _: Io, _: &[u8], _: &Symbols) -> Result<usize, Errno> {
        Err(Errno(EINVAL))
    }

    fn seek(&mut self, _: &mut World, _offset: i64, _whence: i32) -> Result<i64, Errno> {
        Err(Errno(ESPIPE))
    }

    fn stat(&self, world: &World) -> Result<libc::stat, Errno>;

    fn truncate(&mut self, _: &mut World, _size: u64) -> Result<(), Errno> {
        Err(Errno(EINVAL))
    }

    /// The entries of a directory.
    fn list(&mut self, _: &mut World) -> Result<&[Listed], Errno> {
        Err(Errno(ENOTDIR))
    }

    /// The next entry `list` has not given yet, and its setter.
    fn list_position(&mut self) -> Option<&mut usize> {
        None
    }

    fn ioctl(&mut self, _: &mut World, _request: u64, _argument: &mut [u8]) -> Result<i64, Errno> {
        Err(Errno(ENOTTY))
    }

    /// Whether what was read last ends a piece: what follows comes later.
    fn pauses(&self, _: &World) -> bool {
        false
    }

    /// Which of `POLLIN`, `POLLOUT`, `POLLHUP`, `POLLERR` hold.
    fn ready(&self, _: &World) -> i16 {
        libc::POLLIN | libc::POLLOUT
    }

    /// Another open file on the same pipe, with ends as given.
    fn reopen(&self, _: &mut World) -> Option<Box<dyn FileDescription>> {
        None
    }

    /// What an epoll instance waits for.
    fn watched(&mut self) -> Option<&mut Vec<(i32, u32, u64)>> {
        None
    }

    /// The file in the tree, if it is one.
    fn node(&self) -> Option<NodeId> {
        None
    }

    /// The host's descriptor, if all is passed on to one.
    fn host_fd(&self) -> Option<i32> {
        None
    }

    /// Called when the last descriptor is closed.
    fn close(&mut self, _: &mut World) {}
}

/// How a read or write is to be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Io {
    /// `None`: at the file's own position.
    pub offset: Option<u64>,
    /// The open file's status flags.
    pub flags: i32,
}

/// The description of an open file. Clones share it until one of them changes it.
#[derive(Clone, Debug)]
pub(crate) struct Description(Rc<dyn FileDescription>);

impl Deref for Description {
    type Target = dyn FileDescription;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for Description {
    fn deref_mut(&mut self) -> &mut Self::Target {
        if Rc::get_mut(&mut self.0).is_none() {
            self.0 = self.0.copied();
        }
        Rc::get_mut(&mut self.0).expect("it is ours alone now")
    }
}

/// An open file: what `dup` shares.
#[derive(Clone, Debug)]
pub(crate) struct OpenFile {
    pub description: Description,
    /// Access mode and status flags, as `F_GETFL` gives them.
    pub flags: i32,
    /// The path it was opened by, for `/proc/self/fd`.
    pub path: Rc<[u8]>,
    n_descriptors: u32,
}

impl OpenFile {
    pub fn new(description: Box<dyn FileDescription>, flags: i32) -> Self {
        let description = Description(description.into());
        Self { description, flags, path: Rc::default(), n_descriptors: 0 }
    }

    pub fn check_readable(&self) -> Result<(), Errno> {
        let refused = self.flags & O_ACCMODE == O_WRONLY || self.flags & libc::O_PATH != 0;
        if refused { Err(Errno(EBADF)) } else { Ok(()) }
    }

    pub fn check_writable(&self) -> Result<(), Errno> {
        let refused = self.flags & O_ACCMODE == O_RDONLY || self.flags & libc::O_PATH != 0;
        if refused { Err(Errno(EBADF)) } else { Ok(()) }
    }

    pub fn io(&self, offset: Option<u64>) -> Io {
        Io { offset, flags: self.flags }
    }

    /// How much can be written before the file has the size `limit`, if it is one that has a size.
    pub fn room(&mut self, world: &mut World, io: Io, limit: u64) -> Result<u64, Errno> {
        if limit == libc::RLIM_INFINITY {
            return Ok(limit);
        }
        let stat = self.description.stat(world)?;
        let at = match (stat.st_mode & libc::S_IFMT, io.offset) {
            (libc::S_IFREG, _) if io.flags & libc::O_APPEND != 0 => stat.st_size as u64,
            (libc::S_IFREG, Some(offset)) => offset,
            (libc::S_IFREG, None) => self.description.seek(world, 0, libc::SEEK_CUR)? as u64,
            _ => return Ok(libc::RLIM_INFINITY),
        };
        Ok(limit.saturating_sub(at))
    }
}

#[derive(Clone, Copy, Debug)]
struct Descriptor {
    file: usize,
    close_on_exec: bool,
}

/// The descriptors of the process.
#[derive(Clone, Debug)]
pub(crate) struct FileTable {
    descriptors: Vec<Option<Descriptor>>,
    files: Vec<Option<OpenFile>>,
    pub limit: usize,
}

impl FileTable {
    pub fn new(limit: usize) -> Self {
        Self { descriptors: Vec::new(), files: Vec::new(), limit }
    }

    pub fn get(&mut self, fd: i32) -> Result<&mut OpenFile, Errno> {
        let file = self.descriptor(fd)?.file;
        Ok(self.files[file].as_mut().expect("a descriptor's file is open"))
    }

    /// The same for calls that want more than a place in the tree.
    pub fn get_opened(&mut self, fd: i32) -> Result<&mut OpenFile, Errno> {
        match self.get(fd)? {
            file if file.flags & libc::O_PATH != 0 => Err(Errno(EBADF)),
            file => Ok(file),
        }
    }

    fn descriptor(&mut self, fd: i32) -> Result<&mut Descriptor, Errno> {
        let slot = usize::try_from(fd).ok().and_then(|fd| self.descriptors.get_mut(fd));
        slot.and_then(Option::as_mut).ok_or(Errno(EBADF))
    }

    /// Opens a file at the lowest free descriptor.
    pub fn open(&mut self, file: OpenFile, close_on_exec: bool) -> Result<i32, Errno> {
        let fd = self.free_descriptor(0)?;
        Ok(self.open_at(fd, file, close_on_exec))
    }

    /// Whether a descriptor is free at all, to be asked before a file is made.
    pub fn free_descriptor(&self, lowest: usize) -> Result<usize, Errno> {
        let free = |&fd: &usize| self.descriptors.get(fd).is_none_or(Option::is_none);
        let fd =
            (lowest..=self.descriptors.len().max(lowest)).find(free).expect("one past the end");
        if fd < self.limit { Ok(fd) } else { Err(Errno(EMFILE)) }
    }

    pub fn open_at(&mut self, fd: usize, file: OpenFile, close_on_exec: bool) -> i32 {
        let slot = match self.files.iter().position(Option::is_none) {
            Some(slot) => slot,
            None => {
                self.files.push(None);
                self.files.len() - 1
            }
        };
        self.files[slot] = Some(file);
        self.put(fd, slot, close_on_exec);
        fd as i32
    }

    fn put(&mut self, fd: usize, file: usize, close_on_exec: bool) {
        if self.descriptors.len() <= fd {
            self.descriptors.resize(fd + 1, None);
        }
        self.descriptors[fd] = Some(Descriptor { file, close_on_exec });
        self.files[file].as_mut().expect("just looked up").n_descriptors += 1;
    }

    /// A second descriptor for an open file, at `lowest` or above.
    pub fn duplicate(&mut self, fd: i32, lowest: usize, cloexec: bool) -> Result<i32, Errno> {
        let file = self.descriptor(fd)?.file;
        if lowest >= self.limit {
            return Err(Errno(EINVAL));
        }
        let new = self.free_descriptor(lowest)?;
        self.put(new, file, cloexec);
        Ok(new as i32)
    }

    /// The same at a given descriptor, whose file is closed first.
    pub fn duplicate_to(
        &mut self,
        world: &mut World,
        fd: i32,
        new: i32,
        cloexec: bool,
    ) -> Result<i32, Errno> {
        let file = self.descriptor(fd)?.file;
        if usize::try_from(new).map_or(true, |new| new >= self.limit) {
            return Err(Errno(EBADF));
        }
        if fd != new {
            // An unused descriptor is fine here.
            let _ = self.close(world, new);
            self.put(new as usize, file, cloexec);
        }
        Ok(new)
    }

    pub fn close(&mut self, world: &mut World, fd: i32) -> Result<(), Errno> {
        let file = self.descriptor(fd)?.file;
        self.descriptors[fd as usize] = None;
        let open = self.files[file].as_mut().expect("a descriptor's file is open");
        open.n_descriptors -= 1;
        if open.n_descriptors == 0 {
            open.description.close(world);
            self.files[file] = None;
        }
        Ok(())
    }

    pub fn close_on_exec(&mut self, fd: i32) -> Result<&mut bool, Errno> {
        Ok(&mut self.descriptor(fd)?.close_on_exec)
    }

    /// One past the highest descriptor in use.
    pub fn end(&self) -> i32 {
        self.descriptors.len() as i32
    }
}

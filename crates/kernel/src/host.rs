//! Files of the host passed on as they are: the standard streams, and files written through.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::rc::Rc;

use libc::{EAGAIN, O_NONBLOCK, POLLIN};

use crate::World;
use crate::errno::{Errno, host};
use crate::fd::{FileDescription, Io};
use crate::overlay::NodeId;
use crate::symbols::Symbols;
use crate::terminal;

/// A descriptor of the host. Its position is the host's, shared with whoever else has it. A call
/// that waits ends with `EINTR` when a signal comes for fathom itself.
#[derive(Clone, Debug)]
pub(crate) struct HostFile {
    pub fd: Rc<OwnedFd>,
    pub node: Option<NodeId>,
}

impl HostFile {
    pub fn new(fd: OwnedFd, node: Option<NodeId>) -> Self {
        Self { fd: Rc::new(fd), node }
    }

    /// A copy of one of our own descriptors, with the flags it is open with.
    pub fn duplicate_of(fd: i32) -> Result<(Self, i32), Errno> {
        // SAFETY: plain host calls; the new descriptor is ours alone.
        unsafe {
            let flags = host(libc::fcntl(fd, libc::F_GETFL).into())? as i32;
            let copy = host(libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 10).into())? as i32;
            Ok((Self::new(OwnedFd::from_raw_fd(copy), None), flags))
        }
    }

    fn raw(&self) -> i32 {
        self.fd.as_raw_fd()
    }

    fn poll(&self, events: i16) -> i16 {
        let mut poll = libc::pollfd { fd: self.raw(), events, revents: 0 };
        // SAFETY: one valid entry.
        unsafe { libc::poll(&mut poll, 1, 0) };
        poll.revents
    }
}

impl FileDescription for HostFile {
    fn copied(&self) -> Rc<dyn FileDescription> {
        Rc::new(self.clone())
    }

    fn read(
        &mut self,
        _: &mut World,
        io: Io,
        buffer: &mut [u8],
        _: &mut Symbols,
    ) -> Result<usize, Errno> {
        if io.flags & O_NONBLOCK != 0 && self.poll(POLLIN) == 0 {
            return Err(Errno(EAGAIN));
        }
        let (fd, data, length) = (self.raw(), buffer.as_mut_ptr().cast(), buffer.len());
        // SAFETY: the buffer is writable for its length.
        let count = host(unsafe {
            match io.offset {
                None => libc::read(fd, data, length) as i64,
                Some(offset) => libc::pread(fd, data, length, offset as i64) as i64,
            }
        })?;
        Ok(count as usize)
    }

    fn write(
        &mut self,
        world: &mut World,
        io: Io,
        bytes: &[u8],
        symbols: &Symbols,
    ) -> Result<usize, Errno> {
        if !symbols.is_empty() {
            world.note("symbolic bytes were copied to a file of the host as zeros");
        }
        let (fd, data, length) = (self.raw(), bytes.as_ptr().cast(), bytes.len());
        // SAFETY: the bytes are readable for their length.
        let count = host(unsafe {
            match io.offset {
                None => libc::write(fd, data, length) as i64,
                Some(offset) => libc::pwrite(fd, data, length, offset as i64) as i64,
            }
        })?;
        Ok(count as usize)
    }

    fn seek(&mut self, _: &mut World, offset: i64, whence: i32) -> Result<i64, Errno> {
        // SAFETY: a plain host call.
        host(unsafe { libc::lseek(self.raw(), offset, whence) })
    }

    fn stat(&self, _: &World) -> Result<libc::stat, Errno> {
        // SAFETY: all-zero bytes are a valid `stat`, and the host fills it.
        unsafe {
            let mut stat: libc::stat = std::mem::zeroed();
            host(libc::fstat(self.raw(), &mut stat).into())?;
            Ok(stat)
        }
    }

    fn truncate(&mut self, _: &mut World, size: u64) -> Result<(), Errno> {
        // SAFETY: a plain host call.
        host(unsafe { libc::ftruncate(self.raw(), size as i64) }.into()).map(drop)
    }

    fn ioctl(&mut self, _: &mut World, request: u64, argument: &mut [u8]) -> Result<i64, Errno> {
        terminal::pass_on(self.raw(), request, argument)
    }

    fn ready(&self, _: &World) -> i16 {
        self.poll(libc::POLLIN | libc::POLLOUT)
    }

    fn node(&self) -> Option<NodeId> {
        self.node
    }

    fn host_fd(&self) -> Option<i32> {
        Some(self.raw())
    }
}

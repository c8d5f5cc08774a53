//! Opening files.

use std::fs::File;
use std::os::fd::{FromRawFd, OwnedFd};
use std::rc::Rc;

use fathom_engine::system::SystemContext;
use libc::{
    AT_FDCWD, EACCES, EEXIST, EINVAL, EISDIR, ELOOP, ENOENT, ENOTDIR, ENXIO, O_ACCMODE, O_CLOEXEC,
    O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_PATH, O_RDONLY, O_TMPFILE, O_TRUNC,
    O_WRONLY, S_IFREG,
};

use crate::Linux;
use crate::contents::Contents;
use crate::dir::DirectoryFile;
use crate::errno::{Called, Early, Errno, host};
use crate::fd::{FileDescription, OpenFile};
use crate::file::{Device, DeviceFile, PathOnly, RegularFile};
use crate::host::HostFile;
use crate::overlay::{Kind, NodeId, c_path};
use crate::path::{Last, Links, Place};
use crate::pipe::PipeEnd;

/// What every 64-bit `open` sets; the C library defines it as 0.
pub(crate) const O_LARGEFILE: i32 = 0o100000;

impl Linux {
    pub(crate) fn openat(
        &mut self,
        context: &mut SystemContext<'_>,
        directory: i32,
        path: u64,
        flags: i32,
        mode: u32,
    ) -> Called {
        let path = context.memory.c_string(path)?.to_vec();
        self.files.free_descriptor(0)?;
        let flags = match flags & O_PATH {
            0 => flags | O_LARGEFILE,
            _ => flags & (O_PATH | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW),
        };
        let file = match self.descriptor_alias(&path) {
            Some(fd) if flags & O_PATH == 0 => self.reopen(fd, flags)?,
            _ => {
                let opened = self.open_path(directory, &path, flags, mode);
                opened.map_err(|early| {
                    self.note_unrecorded(directory, &path, &early);
                    self.as_recorded(directory, &path, early)
                })?
            }
        };
        let fd = self.files.open(file, flags & O_CLOEXEC != 0)?;
        Ok(fd.into())
    }

    pub(crate) fn openat2(
        &mut self,
        context: &mut SystemContext<'_>,
        directory: i32,
        path: u64,
        how: u64,
        size: u64,
    ) -> Called {
        let how_bytes = context.memory.slice(how, size.min(24))?;
        if how_bytes.len() < 24 {
            return Err(Errno(EINVAL).into());
        }
        let flags = context.memory.read_u64(how)?;
        let mode = context.memory.read_u64(how.wrapping_add(8))?;
        if context.memory.read_u64(how.wrapping_add(16))? != 0 {
            self.world.note("openat2 with resolve flags");
            return Err(Errno(libc::ENOSYS).into());
        }
        self.openat(context, directory, path, flags as i32, mode as u32)
    }

    /// Opens what a descriptor is open on once more, as `/dev/fd` does.
    fn reopen(&mut self, fd: i32, flags: i32) -> Result<OpenFile, Early> {
        let file = self.files.get(fd).map_err(|_| Errno(ENOENT))?;
        if let Some(host_fd) = file.description.host_fd() {
            let path = std::path::PathBuf::from(format!("/proc/self/fd/{host_fd}"));
            let description = Box::new(open_host_file(&path, flags, 0, None)?);
            return Ok(OpenFile::new(description, flags));
        }
        if let Some(node) = file.description.node() {
            return Ok(self.open_node(node, flags)?);
        }
        let description = file.description.reopen(&mut self.world).ok_or(Errno(ENXIO))?;
        Ok(OpenFile::new(description, flags))
    }

    /// The directory that relative paths begin at.
    pub(crate) fn start(&mut self, directory: i32, path: &[u8]) -> Result<NodeId, Errno> {
        if directory == AT_FDCWD || path.first() == Some(&b'/') {
            return Ok(self.cwd);
        }
        let file = self.files.get(directory)?;
        let node = file.description.node().ok_or(Errno(ENOTDIR))?;
        if self.world.tree.is_directory(node) { Ok(node) } else { Err(Errno(ENOTDIR)) }
    }

    pub(crate) fn open_path(
        &mut self,
        directory: i32,
        path: &[u8],
        flags: i32,
        mode: u32,
    ) -> Result<OpenFile, Early> {
        let start = self.start(directory, path)?;
        let creates = flags & O_CREAT != 0 && flags & O_PATH == 0;
        if creates && flags & O_DIRECTORY != 0 && flags & O_TMPFILE != O_TMPFILE {
            return Err(Errno(EINVAL).into());
        }
        let exclusive = creates && flags & O_EXCL != 0;
        let links = match (creates, flags & O_NOFOLLOW != 0 || exclusive) {
            (true, true) => Links::KeepAlways,
            (true, false) => Links::FollowToCreate,
            (false, true) => Links::Keep,
            (false, false) => Links::Follow,
        };
        let place = self.world.tree.resolve(start, path, links)?;
        if flags & O_TMPFILE == O_TMPFILE {
            return self.open_temporary(&place, flags, mode);
        }
        if creates && place.slash {
            return Err(Errno(EISDIR).into());
        }
        let mut file = match place.node {
            Some(_) if exclusive => return Err(Errno(EEXIST).into()),
            Some(node) => {
                let tree = &self.world.tree;
                if creates && tree.is_directory(node) {
                    return Err(Errno(EISDIR).into());
                }
                if matches!(tree.node(node).kind, Kind::Symlink(_)) && flags & O_PATH == 0 {
                    return Err(
                        Errno(if flags & O_DIRECTORY != 0 { ENOTDIR } else { ELOOP }).into()
                    );
                }
                let must_be_directory = place.slash || flags & O_DIRECTORY != 0;
                if must_be_directory && !tree.is_directory(node) {
                    return Err(Errno(ENOTDIR).into());
                }
                self.open_node(node, flags)?
            }
            None if creates && place.last == Last::Name => self.create_file(&place, flags, mode)?,
            None => return Err(Errno(ENOENT).into()),
        };
        file.path = path.into();
        Ok(file)
    }

    fn create_file(&mut self, place: &Place, flags: i32, mode: u32) -> Result<OpenFile, Errno> {
        let mode = mode & !self.umask & 0o7777;
        let tree = &mut self.world.tree;
        if let Some(path) = tree.host_place(place) {
            let host = open_host_file(&path, flags, mode, None)?;
            let node = tree.lookup(place.parent, &place.name)?;
            let description = Box::new(host.with_node(node));
            return Ok(OpenFile::new(description, flags));
        }
        let kind = Kind::File(Contents::default());
        let node = tree.create(place.parent, &place.name, kind, S_IFREG | mode)?;
        Ok(OpenFile::new(Box::new(RegularFile::new(node, None)), flags))
    }

    fn open_temporary(&mut self, place: &Place, flags: i32, mode: u32) -> Result<OpenFile, Early> {
        if flags & O_ACCMODE == O_RDONLY {
            return Err(Errno(EINVAL).into());
        }
        let parent = place.existing(&self.world.tree)?;
        if !self.world.tree.is_directory(parent) {
            return Err(Errno(ENOTDIR).into());
        }
        self.world.tree.check_changeable(parent)?;
        let mode = S_IFREG | mode & !self.umask & 0o7777;
        let kind = Kind::File(Contents::default());
        let node = self.world.tree.create_nameless(parent, kind, mode)?;
        Ok(OpenFile::new(Box::new(RegularFile::new(node, None)), flags))
    }

    /// Opens a file that exists.
    pub(crate) fn open_node(&mut self, node: NodeId, flags: i32) -> Result<OpenFile, Errno> {
        self.refresh(node)?;
        if flags & O_PATH != 0 {
            if let Some(path) = self.world.tree.through(node) {
                let host_flags = O_PATH | O_NOFOLLOW;
                let host = open_host_file(&path, host_flags, 0, Some(node))?;
                return Ok(OpenFile::new(Box::new(host), flags));
            }
            return Ok(OpenFile::new(Box::new(PathOnly(node)), flags));
        }
        let want = match flags & O_ACCMODE {
            O_RDONLY => libc::R_OK,
            O_WRONLY => libc::W_OK,
            _ => libc::R_OK | libc::W_OK,
        };
        let writes = want & libc::W_OK != 0 || flags & O_TRUNC != 0;
        let tree = &mut self.world.tree;
        if tree.is_directory(node) && writes {
            return Err(Errno(EISDIR));
        }
        tree.check_access(node, want)?;
        if let Some(stream) = self.open_named(node, flags)? {
            return Ok(OpenFile::new(stream, flags));
        }
        let tree = &self.world.tree;
        let description: Box<dyn FileDescription> = match tree.node(node).kind {
            Kind::Directory(_) => Box::new(DirectoryFile::new(node)),
            Kind::HostFile | Kind::File(_) => self.open_regular(node, flags, writes)?,
            Kind::Fifo(_) => Box::new(self.open_fifo(node, flags)?),
            Kind::Special(device) => self.open_device(node, device, flags)?,
            Kind::Symlink(_) => return Err(Errno(ELOOP)),
        };
        Ok(OpenFile::new(description, flags))
    }

    fn open_regular(
        &mut self,
        node: NodeId,
        flags: i32,
        writes: bool,
    ) -> Result<Box<dyn FileDescription>, Errno> {
        let tree = &mut self.world.tree;
        if let Some(path) = tree.through(node) {
            return Ok(Box::new(open_host_file(&path, flags & !O_CREAT, 0, Some(node))?));
        }
        if flags & O_TRUNC != 0 {
            tree.truncate(node, 0)?;
        }
        let host: Option<Rc<File>> = match tree.node(node).kind {
            Kind::HostFile if writes && flags & O_ACCMODE == O_WRONLY => None,
            Kind::HostFile => Some(tree.open_host(node)?),
            _ => None,
        };
        Ok(Box::new(RegularFile::new(node, host)))
    }

    fn open_fifo(&mut self, node: NodeId, flags: i32) -> Result<PipeEnd, Errno> {
        let pipe = match self.world.tree.node(node).kind {
            Kind::Fifo(Some(pipe)) => pipe,
            _ => self.world.pipes.create(),
        };
        self.world.tree.node_mut(node).kind = Kind::Fifo(Some(pipe));
        let reads = flags & O_ACCMODE != O_WRONLY;
        let writes = flags & O_ACCMODE != O_RDONLY;
        if reads != writes && !self.world.pipes.has_peer(pipe, reads) {
            if flags & O_NONBLOCK == 0 {
                self.world.note("opening a named pipe that nobody else opens would wait for ever");
                return Err(Errno(ENXIO));
            }
            if writes {
                return Err(Errno(ENXIO));
            }
        }
        let end = |wanted: bool| wanted.then_some(pipe);
        Ok(PipeEnd::open(&mut self.world, end(reads), end(writes), Some(node), false))
    }

    fn open_device(
        &mut self,
        node: NodeId,
        device: u64,
        flags: i32,
    ) -> Result<Box<dyn FileDescription>, Errno> {
        if let Some(device) = Device::of_number(device) {
            return Ok(Box::new(DeviceFile { device, node }));
        }
        if device == libc::makedev(5, 0) {
            let flags = flags & (O_ACCMODE | O_NONBLOCK) | libc::O_NOCTTY;
            return Ok(Box::new(open_host_file("/dev/tty".as_ref(), flags, 0, Some(node))?));
        }
        let path = self.world.tree.node(node).host.clone().unwrap_or_default();
        self.world.note(format!("opening the device or socket {} was refused", path.display()));
        Err(Errno(EACCES))
    }
}

impl HostFile {
    fn with_node(self, node: Option<NodeId>) -> Self {
        Self { node, ..self }
    }
}

/// Opens a file on the host itself.
fn open_host_file(
    path: &std::path::Path,
    flags: i32,
    mode: u32,
    node: Option<NodeId>,
) -> Result<HostFile, Errno> {
    let path = c_path(path);
    // SAFETY: plain host calls; the new descriptor is ours alone. The mode is masked already.
    unsafe {
        let fd = host(libc::open(path.as_ptr(), flags | O_CLOEXEC, mode).into())? as i32;
        if flags & O_CREAT != 0 {
            libc::fchmod(fd, mode);
        }
        Ok(HostFile::new(OwnedFd::from_raw_fd(fd), node))
    }
}

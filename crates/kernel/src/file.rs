//! Regular files of the tree, devices that need no hardware, and files opened by path only.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::rc::Rc;

use libc::{EFBIG, EINVAL, ENOSPC, ENXIO, EOVERFLOW, ESPIPE, O_APPEND};

use crate::World;
use crate::errno::Errno;
use crate::fd::{FileDescription, Io};
use crate::overlay::{Kind, NodeId};
use crate::symbols::Symbols;

/// The largest file ext4 keeps with blocks of 4096 bytes.
const MAX_SIZE: u64 = (1 << 44) - 4096;

/// An open regular file.
#[derive(Clone, Debug)]
pub(crate) struct RegularFile {
    node: NodeId,
    /// The host's file while the node is unchanged.
    host: Option<Rc<File>>,
    position: u64,
}

impl RegularFile {
    pub fn new(node: NodeId, host: Option<Rc<File>>) -> Self {
        Self { node, host, position: 0 }
    }

    /// The file of the kernel's own, opened at a position.
    pub fn at(node: NodeId, position: u64) -> Self {
        Self { node, host: None, position }
    }

    fn size(&self, world: &World) -> Result<u64, Errno> {
        Ok(world.tree.stat(self.node)?.st_size as u64)
    }
}

impl FileDescription for RegularFile {
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
        let offset = io.offset.unwrap_or(self.position);
        let count = match (&world.tree.node(self.node).kind, &self.host) {
            (Kind::File(contents), _) => contents.read_at(buffer, symbols, offset),
            (_, Some(file)) => file.read_at(buffer, offset)?,
            (_, None) => world.tree.open_host(self.node)?.read_at(buffer, offset)?,
        };
        if io.offset.is_none() {
            self.position += count as u64;
        }
        Ok(count)
    }

    fn write(
        &mut self,
        world: &mut World,
        io: Io,
        bytes: &[u8],
        symbols: &Symbols,
    ) -> Result<usize, Errno> {
        let appends = io.flags & O_APPEND != 0;
        let offset = match appends {
            true => self.size(world)?,
            false => io.offset.unwrap_or(self.position),
        };
        if bytes.is_empty() {
            return Ok(0);
        }
        let room = MAX_SIZE.saturating_sub(offset);
        if room == 0 {
            return Err(Errno(EFBIG));
        }
        let bytes = &bytes[..bytes.len().min(room as usize)];
        let contents = world.tree.contents_mut(self.node)?;
        contents.write_at(bytes, symbols, offset);
        if contents.is_cut() {
            world.note("only the beginning of what the program prints is kept");
        }
        world.tree.touch_modified(self.node);
        if io.offset.is_none() {
            self.position = offset + bytes.len() as u64;
        }
        Ok(bytes.len())
    }

    fn seek(&mut self, world: &mut World, offset: i64, whence: i32) -> Result<i64, Errno> {
        let position = match whence {
            libc::SEEK_SET => Some(offset),
            libc::SEEK_CUR => (self.position as i64).checked_add(offset),
            libc::SEEK_END => (self.size(world)? as i64).checked_add(offset),
            libc::SEEK_DATA | libc::SEEK_HOLE => Some(self.seek_hole(world, offset, whence)?),
            _ => return Err(Errno(EINVAL)),
        };
        let position = position.ok_or(Errno(EOVERFLOW))?;
        if position < 0 || position as u64 > MAX_SIZE {
            return Err(Errno(EINVAL));
        }
        self.position = position as u64;
        Ok(position)
    }

    fn stat(&self, world: &World) -> Result<libc::stat, Errno> {
        world.tree.stat(self.node)
    }

    fn truncate(&mut self, world: &mut World, size: u64) -> Result<(), Errno> {
        if size > MAX_SIZE {
            return Err(Errno(EFBIG));
        }
        world.tree.truncate(self.node, size)
    }

    fn node(&self) -> Option<NodeId> {
        Some(self.node)
    }
}

impl RegularFile {
    fn seek_hole(&self, world: &World, offset: i64, whence: i32) -> Result<i64, Errno> {
        let start = u64::try_from(offset).map_err(|_| Errno(ENXIO))?;
        let data = whence == libc::SEEK_DATA;
        let found = match &world.tree.node(self.node).kind {
            Kind::File(contents) => contents.seek(start, data),
            _ => {
                let size = self.size(world)?;
                (start < size).then_some(if data { start } else { size })
            }
        };
        found.map(|position| position as i64).ok_or(Errno(ENXIO))
    }
}

/// A file opened with `O_PATH`: a place in the tree, not its bytes.
#[derive(Clone, Debug)]
pub(crate) struct PathOnly(pub NodeId);

impl FileDescription for PathOnly {
    fn copied(&self) -> Rc<dyn FileDescription> {
        Rc::new(self.clone())
    }

    fn stat(&self, world: &World) -> Result<libc::stat, Errno> {
        world.tree.stat(self.0)
    }

    fn node(&self) -> Option<NodeId> {
        Some(self.0)
    }
}

/// The devices a program may open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Device {
    Null,
    Zero,
    Full,
    Random,
}

impl Device {
    pub fn of_number(device: u64) -> Option<Self> {
        match (libc::major(device), libc::minor(device)) {
            (1, 3) => Some(Self::Null),
            (1, 5) => Some(Self::Zero),
            (1, 7) => Some(Self::Full),
            (1, 8 | 9) => Some(Self::Random),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct DeviceFile {
    pub device: Device,
    pub node: NodeId,
}

impl FileDescription for DeviceFile {
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
        match self.device {
            Device::Null => return Ok(0),
            Device::Zero | Device::Full => buffer.fill(0),
            Device::Random => world.fill_random(buffer, symbols),
        }
        Ok(buffer.len())
    }

    fn write(&mut self, _: &mut World, _: Io, bytes: &[u8], _: &Symbols) -> Result<usize, Errno> {
        match self.device {
            Device::Full if !bytes.is_empty() => Err(Errno(ENOSPC)),
            _ => Ok(bytes.len()),
        }
    }

    fn seek(&mut self, _: &mut World, offset: i64, whence: i32) -> Result<i64, Errno> {
        match (self.device, whence) {
            (Device::Random, libc::SEEK_SET | libc::SEEK_CUR) => Ok(0.max(offset)),
            (Device::Random, _) => Err(Errno(ESPIPE)),
            _ => Ok(0),
        }
    }

    fn stat(&self, world: &World) -> Result<libc::stat, Errno> {
        world.tree.stat(self.node)
    }

    fn node(&self) -> Option<NodeId> {
        Some(self.node)
    }
}

//! Open directories and `getdents64`.

use std::rc::Rc;

use fathom_engine::system::SystemContext;
use libc::{EINVAL, EISDIR};

use crate::errno::{Called, Errno};
use crate::fd::{FileDescription, Io};
use crate::overlay::{Listed, NodeId};
use crate::symbols::Symbols;
use crate::{Linux, World};

/// An open directory. Its entries are taken down when first asked for and after a rewind.
#[derive(Clone, Debug)]
pub(crate) struct DirectoryFile {
    node: NodeId,
    listing: Option<Rc<[Listed]>>,
    position: usize,
}

impl DirectoryFile {
    pub fn new(node: NodeId) -> Self {
        Self { node, listing: None, position: 0 }
    }
}

impl FileDescription for DirectoryFile {
    fn copied(&self) -> Rc<dyn FileDescription> {
        Rc::new(self.clone())
    }

    fn read(
        &mut self,
        _: &mut World,
        _: Io,
        _: &mut [u8],
        _: &mut Symbols,
    ) -> Result<usize, Errno> {
        Err(Errno(EISDIR))
    }

    fn seek(&mut self, _: &mut World, offset: i64, whence: i32) -> Result<i64, Errno> {
        let position = match whence {
            libc::SEEK_SET => offset,
            libc::SEEK_CUR => (self.position as i64).saturating_add(offset),
            _ => return Err(Errno(EINVAL)),
        };
        self.position = usize::try_from(position).map_err(|_| Errno(EINVAL))?;
        if self.position == 0 {
            self.listing = None;
        }
        Ok(position)
    }

    fn stat(&self, world: &World) -> Result<libc::stat, Errno> {
        world.tree.stat(self.node)
    }

    fn list(&mut self, world: &mut World) -> Result<&[Listed], Errno> {
        if self.listing.is_none() {
            self.listing = Some(world.tree.list(self.node)?.into());
        }
        Ok(self.listing.as_deref().expect("just made"))
    }

    fn list_position(&mut self) -> Option<&mut usize> {
        Some(&mut self.position)
    }

    fn node(&self) -> Option<NodeId> {
        Some(self.node)
    }
}

/// Bytes of a `linux_dirent64` before its name.
const HEADER: usize = 19;

impl Linux {
    pub(crate) fn getdents64(
        &mut self,
        context: &mut SystemContext<'_>,
        fd: i32,
        buffer: u64,
        size: u64,
    ) -> Called {
        let file = self.files.get(fd)?;
        file.check_readable()?;
        let size = size as u32 as usize;
        let mut position = file.description.list_position().map_or(0, |position| *position);
        let listing = file.description.list(&mut self.world)?;
        let mut bytes = Vec::new();
        while let Some(entry) = listing.get(position) {
            let length = (HEADER + entry.name.len() + 1).next_multiple_of(8);
            if bytes.len() + length > size {
                break;
            }
            position += 1;
            let end = bytes.len() + length;
            bytes.extend_from_slice(&entry.ino.to_le_bytes());
            bytes.extend_from_slice(&(position as u64).to_le_bytes());
            bytes.extend_from_slice(&(length as u16).to_le_bytes());
            bytes.push(entry.kind);
            bytes.extend_from_slice(&entry.name);
            bytes.resize(end, 0);
        }
        if bytes.is_empty() && position < listing.len() {
            return Err(Errno(EINVAL).into());
        }
        if let Some(slot) = file.description.list_position() {
            *slot = position;
        }
        context.memory.write(buffer, &bytes)?;
        Ok(bytes.len() as i64)
    }
}

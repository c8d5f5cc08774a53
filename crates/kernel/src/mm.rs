//! Memory from the kernel: `mmap` and its relatives. Every mapping is an object of its own.

use fathom_engine::memory::ObjectKind;
use fathom_engine::system::SystemContext;
use libc::{EINVAL, ENODEV, ENOMEM, MAP_ANONYMOUS, MAP_FIXED, MAP_SHARED, PROT_WRITE};

use crate::Linux;
use crate::contents::PAGE;
use crate::errno::{Called, Errno};
use crate::fd::OpenFile;

const MAP_FIXED_NOREPLACE: i32 = 0x10_0000;

/// Where the break stays: the C library's allocator is the engine's, so nothing grows it.
const BREAK: i64 = 0x5555_5555_0000;

/// The mappings that live.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mappings(Vec<Mapping>);

#[derive(Clone, Debug)]
struct Mapping {
    base: u64,
    length: u64,
    /// The file that changes are written back to, and the offset in it.
    shared: Option<(OpenFile, u64)>,
}

impl Mappings {
    fn at(&self, address: u64) -> Option<usize> {
        self.0.iter().position(|mapping| address.wrapping_sub(mapping.base) < mapping.length)
    }
}

fn round_up(length: u64) -> Option<u64> {
    length.checked_next_multiple_of(PAGE).filter(|&length| length > 0 && length <= 1 << 36)
}

impl Linux {
    pub(crate) fn mmap(
        &mut self,
        context: &mut SystemContext<'_>,
        [_, length, protection, flags, fd, offset]: [u64; 6],
    ) -> Called {
        let (protection, flags) = (protection as i32, flags as i32);
        if length == 0 || offset % PAGE != 0 {
            return Err(Errno(EINVAL).into());
        }
        let length = round_up(length).ok_or(Errno(ENOMEM))?;
        if flags & MAP_FIXED != 0 || flags & MAP_FIXED_NOREPLACE == MAP_FIXED_NOREPLACE {
            self.world.note("mmap at a fixed address is not supported");
            return Err(Errno(ENOMEM).into());
        }
        let file = match flags & MAP_ANONYMOUS {
            0 => Some(self.mapped_file(fd as i32, protection, flags)?),
            _ => None,
        };
        let base = context.memory.allocate(length, PAGE, ObjectKind::Mapping, context.trace);
        let base = base.map_err(|_| Errno(ENOMEM))?;
        let mut shared = None;
        if let Some(mut file) = file {
            let io = file.io(Some(offset));
            let bytes = context.memory.slice_mut(base, length)?;
            let mut done = 0;
            while done < bytes.len() {
                let io = crate::fd::Io { offset: Some(offset + done as u64), ..io };
                match file.description.read(&mut self.world, io, &mut bytes[done..])? {
                    0 => break,
                    count => done += count,
                }
            }
            if flags & libc::MAP_TYPE == MAP_SHARED && protection & PROT_WRITE != 0 {
                self.world
                    .note("a shared file mapping is written back at munmap, msync and exit only");
                shared = Some((file, offset));
            }
        }
        if protection & PROT_WRITE == 0 && flags & MAP_ANONYMOUS == 0 {
            context.memory.set_writable(base, false);
        }
        self.mappings.0.push(Mapping { base, length, shared });
        Ok(base as i64)
    }

    fn mapped_file(&mut self, fd: i32, protection: i32, flags: i32) -> Result<OpenFile, Errno> {
        let file = self.files.get(fd)?;
        file.check_readable().map_err(|_| Errno(libc::EACCES))?;
        if flags & libc::MAP_TYPE == MAP_SHARED && protection & PROT_WRITE != 0 {
            file.check_writable().map_err(|_| Errno(libc::EACCES))?;
        }
        let kind = file.description.stat(&self.world)?.st_mode & libc::S_IFMT;
        if kind != libc::S_IFREG {
            return Err(Errno(ENODEV));
        }
        let mut file = file.clone();
        // The file's own position plays no part, and appending would move the write-back.
        file.flags &= !libc::O_APPEND;
        Ok(file)
    }

    pub(crate) fn munmap(
        &mut self,
        context: &mut SystemContext<'_>,
        address: u64,
        length: u64,
    ) -> Called {
        if !address.is_multiple_of(PAGE) || length == 0 {
            return Err(Errno(EINVAL).into());
        }
        let length = round_up(length).ok_or(Errno(EINVAL))?;
        let Some(index) = self.mappings.at(address) else { return Ok(0) };
        let mapping = &self.mappings.0[index];
        if mapping.base != address || mapping.length > length {
            self.world.note("munmap of a part of a mapping does nothing");
            return Ok(0);
        }
        self.write_back(context, index);
        self.mappings.0.remove(index);
        context.memory.free(address, context.trace)?;
        Ok(0)
    }

    pub(crate) fn msync(&mut self, context: &mut SystemContext<'_>, address: u64) -> Called {
        match self.mappings.at(address) {
            Some(index) => self.write_back(context, index),
            None => return Err(Errno(ENOMEM).into()),
        }
        Ok(0)
    }

    /// Writes a shared mapping to its file, as far as the file goes.
    fn write_back(&mut self, context: &mut SystemContext<'_>, index: usize) {
        let mapping = &mut self.mappings.0[index];
        let Some((file, offset)) = &mut mapping.shared else { return };
        let Ok(stat) = file.description.stat(&self.world) else { return };
        let length = (stat.st_size as u64).saturating_sub(*offset).min(mapping.length);
        let Ok(bytes) = context.memory.slice(mapping.base, length) else { return };
        let mut current = vec![0; bytes.len()];
        let io = file.io(Some(*offset));
        let same = file.description.read(&mut self.world, io, &mut current) == Ok(bytes.len())
            && current == bytes;
        if !same && file.description.write(&mut self.world, io, bytes).is_err() {
            self.world.note("a shared file mapping could not be written back");
        }
    }

    /// What the kernel does when the process ends.
    pub(crate) fn finish(&mut self, context: &mut SystemContext<'_>) {
        for index in 0..self.mappings.0.len() {
            self.write_back(context, index);
        }
    }

    pub(crate) fn mprotect(
        &mut self,
        context: &mut SystemContext<'_>,
        address: u64,
        length: u64,
        protection: i32,
    ) -> Called {
        if !address.is_multiple_of(PAGE) {
            return Err(Errno(EINVAL).into());
        }
        let Some(index) = self.mappings.at(address) else {
            return if context.memory.extent(address).is_some() {
                Ok(0)
            } else {
                Err(Errno(ENOMEM).into())
            };
        };
        let mapping = &self.mappings.0[index];
        if mapping.base == address && length >= mapping.length {
            context.memory.set_writable(address, protection & PROT_WRITE != 0);
        }
        Ok(0)
    }

    pub(crate) fn mremap(
        &mut self,
        context: &mut SystemContext<'_>,
        [old, old_length, new_length, flags, ..]: [u64; 6],
    ) -> Called {
        let length = round_up(new_length).ok_or(Errno(EINVAL))?;
        let old_length = round_up(old_length).ok_or(Errno(EINVAL))?;
        if old % PAGE != 0 || flags as i32 & !libc::MREMAP_MAYMOVE != 0 {
            return Err(Errno(EINVAL).into());
        }
        let index = self.mappings.at(old).ok_or(Errno(libc::EFAULT))?;
        if length == old_length {
            return Ok(old as i64);
        }
        if self.mappings.0[index].base != old || flags as i32 & libc::MREMAP_MAYMOVE == 0 {
            return if length < old_length { Ok(old as i64) } else { Err(Errno(ENOMEM).into()) };
        }
        let bytes = context.memory.slice(old, self.mappings.0[index].length.min(length))?.to_vec();
        let base = context.memory.allocate(length, PAGE, ObjectKind::Mapping, context.trace);
        let base = base.map_err(|_| Errno(ENOMEM))?;
        context.memory.write(base, &bytes)?;
        context.memory.free(old, context.trace)?;
        (self.mappings.0[index].base, self.mappings.0[index].length) = (base, length);
        Ok(base as i64)
    }

    pub(crate) fn brk(&mut self) -> Called {
        Ok(BREAK)
    }

    pub(crate) fn madvise(
        &mut self,
        context: &mut SystemContext<'_>,
        address: u64,
        length: u64,
        advice: i32,
    ) -> Called {
        let writable =
            self.mappings.at(address).is_some_and(|i| self.mappings.0[i].shared.is_none());
        if advice == libc::MADV_DONTNEED && writable {
            let length = length.min(context.memory.extent(address).unwrap_or(0));
            if let Ok(bytes) = context.memory.slice_mut(address, length) {
                bytes.fill(0);
            }
        }
        Ok(0)
    }

    /// Every page of a mapping is in memory.
    /// Every page that holds a byte of a live object is in memory; the others do not exist.
    pub(crate) fn mincore(
        &mut self,
        context: &mut SystemContext<'_>,
        address: u64,
        length: u64,
        vector: u64,
    ) -> Called {
        let pages = round_up(length).ok_or(Errno(ENOMEM))? / PAGE;
        let exists = |page| context.memory.touches_object(address.wrapping_add(page * PAGE), PAGE);
        if !address.is_multiple_of(PAGE) {
            return Err(Errno(libc::EINVAL).into());
        }
        if !(0..pages).all(exists) {
            return Err(Errno(ENOMEM).into());
        }
        context.memory.slice_mut(vector, pages)?.fill(1);
        Ok(0)
    }
}
